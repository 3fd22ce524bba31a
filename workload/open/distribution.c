/* workload/open/distribution.c - see distribution.h
 *
 * The published distributions, as the authors of transports and simulators use them. Numbers are those of the files
 * that are named: points of the figures of measurement papers, read by the authors of these files. */
#include "workload/open/distribution.h"

#include "base/memory.h"
#include "network/config.h"
#include "workload/rows/rows.h"

#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 100000u

struct published_point {
	uint32_t bytes;
	double percent;
};

/* Web search: Alizadeh et al., DCTCP, SIGCOMM 2010; as pFabric and HPCC have it (HPCC's traffic_gen/
 * WebSearch_distribution.txt, the same as DCTCP_CDF of datacenter/empirical-traffic-gen). */
static const struct published_point web_search[] = {
	{ 0, 0 },       { 10000, 15 },   { 20000, 20 },   { 30000, 30 },   { 50000, 40 },    { 80000, 53 },
	{ 200000, 60 }, { 1000000, 70 }, { 2000000, 80 }, { 5000000, 90 }, { 10000000, 97 }, { 30000000, 100 },
};

/* Hadoop at Facebook: Roy et al., SIGCOMM 2015; HPCC's traffic_gen/FbHdp_distribution.txt. */
static const struct published_point hadoop[] = {
	{ 0, 0 },       { 100, 1 },     { 200, 2 },        { 300, 5 },      { 350, 15 },
	{ 400, 20 },    { 500, 30 },    { 600, 40 },       { 700, 50 },     { 1000, 60 },
	{ 2000, 67 },   { 7000, 70 },   { 30000, 72 },     { 50000, 82 },   { 80000, 87 },
	{ 120000, 90 }, { 300000, 95 }, { 1000000, 97.5 }, { 2000000, 99 }, { 10000000, 100 },
};

/* Cache followers at Facebook, within a cluster: Roy et al., SIGCOMM 2015; Homa's sizeDistributions/
 * Facebook_CacheFollowerDist_IntraCluster.txt. */
static const struct published_point cache_follower[] = {
	{ 68, 2.04 },       { 144, 4.09 },      { 266, 5.39 },      { 340, 18.03 },     { 490, 27.70 },
	{ 577, 30.48 },     { 639, 31.78 },     { 707, 35.32 },     { 900, 36.43 },     { 1042, 37.73 },
	{ 1110, 39.96 },    { 1303, 40.52 },    { 1414, 41.26 },    { 1440, 42.38 },    { 2000, 43.68 },
	{ 2450, 44.61 },    { 3000, 45.35 },    { 3466, 45.72 },    { 4000, 46.10 },    { 5000, 46.65 },
	{ 6000, 47.03 },    { 8000, 47.58 },    { 10000, 47.77 },   { 13855, 48.33 },   { 16643, 48.70 },
	{ 18057, 48.88 },   { 25531, 49.44 },   { 28270, 50.00 },   { 36101, 50.37 },   { 44260, 50.91 },
	{ 62583, 51.86 },   { 72178, 52.23 },   { 81565, 52.60 },   { 92173, 52.97 },   { 102060, 53.35 },
	{ 110726, 53.90 },  { 127700, 54.65 },  { 141398, 55.58 },  { 156563, 56.51 },  { 169860, 57.43 },
	{ 184283, 58.36 },  { 199933, 59.23 },  { 212537, 60.22 },  { 225934, 61.15 },  { 245121, 62.08 },
	{ 260573, 63.01 },  { 276998, 63.94 },  { 326042, 65.80 },  { 391670, 67.66 },  { 531696, 69.52 },
	{ 588724, 71.38 },  { 1385457, 72.00 }, { 1503111, 72.30 }, { 1597864, 74.16 }, { 1681372, 76.02 },
	{ 1787361, 77.87 }, { 1842836, 79.74 }, { 1959004, 81.60 }, { 2125366, 83.46 }, { 2213771, 85.32 },
	{ 2329467, 87.17 }, { 2553169, 92.76 }, { 2827011, 97.40 }, { 3006219, 98.88 }, { 3260426, 99.44 },
	{ 3837698, 100 },
};

/* Web servers at Facebook, within a cluster: Roy et al., SIGCOMM 2015; Homa's sizeDistributions/
 * Facebook_WebServerDist_IntraCluster.txt. */
static const struct published_point web_server[] = {
	{ 84, 6.1 },       { 153, 12.6 },     { 301, 21.5 },     { 500, 22.6 },     { 639, 24.07 },
	{ 800, 25.37 },    { 900, 26.67 },    { 1000, 29.26 },   { 1085, 31.30 },   { 1357, 33.52 },
	{ 1534, 35.00 },   { 1664, 37.22 },   { 1843, 39.63 },   { 2000, 40.93 },   { 3000, 47.96 },
	{ 4000, 52.59 },   { 5000, 56.30 },   { 6000, 58.89 },   { 7000, 61.11 },   { 8000, 62.60 },
	{ 9000, 64.07 },   { 10000, 65.19 },  { 14140, 68.52 },  { 20000, 71.48 },  { 24512, 73.15 },
	{ 30000, 74.63 },  { 34660, 75.74 },  { 40000, 76.67 },  { 45171, 77.59 },  { 50000, 78.15 },
	{ 60000, 79.26 },  { 70000, 80 },     { 80000, 80.74 },  { 100000, 81.48 }, { 144310, 82.41 },
	{ 200000, 85.74 }, { 260573, 89.44 }, { 300000, 92.22 }, { 353730, 95.56 }, { 400000, 97.41 },
	{ 442606, 98.33 }, { 565213, 99.07 }, { 778003, 99.63 }, { 1000000, 100 },
};

/* Data mining: Greenberg et al., VL2, SIGCOMM 2009; VL2_CDF of datacenter/empirical-traffic-gen. */
static const struct published_point data_mining[] = {
	{ 0, 0 },        { 180, 10 },       { 216, 20 },         { 560, 30 },   { 900, 40 },
	{ 1100, 50 },    { 1870, 60 },      { 3160, 70 },        { 10000, 80 }, { 400000, 90 },
	{ 3160000, 95 }, { 100000000, 98 }, { 1000000000, 100 },
};

/* Storage at Alibaba, 2019: HPCC's traffic_gen/AliStorage2019.txt. */
static const struct published_point storage[] = {
	{ 0, 0 },         { 4000, 22.93 },   { 8000, 69.21 },   { 16000, 80.61 }, { 32000, 90.47 },
	{ 64000, 93.53 }, { 128000, 96.77 }, { 256000, 97.53 }, { 2000000, 100 },
};

#define OF(v)                           \
	{                               \
		v, sizeof v / sizeof *v \
	}
/* In the order of WL_SIZES, behind "none". */
static const struct {
	const struct published_point *v;
	uint32_t n;
} published[] = { OF(web_search), OF(hadoop), OF(cache_follower), OF(web_server), OF(data_mining), OF(storage) };

/* --- from points ------------------------------------------------------------------------------------------------ */

static void add_point(struct wl_distribution *d, uint32_t *cap, uint32_t bytes, double share)
{
	if (d->n == *cap) {
		*cap = *cap ? 2 * *cap : 64;
		d->v = base_realloc(d->v, *cap * sizeof *d->v);
	}
	d->v[d->n++] = (struct wl_size_point){ bytes, (uint64_t)(share * 0x1p32 + 0.5) };
}

/* The mean of what wl_distribution_bytes() gives: of a segment from 0 on, half a byte's share becomes a byte. */
static void find_mean(struct wl_distribution *d)
{
	unsigned __int128 sum = (unsigned __int128)d->v[0].share * 2 * d->v[0].bytes; /* half bytes, 32 binary places */
	for (uint32_t i = 1; i < d->n; i++) {
		uint64_t share = d->v[i].share - d->v[i - 1].share;
		sum += (unsigned __int128)share * ((uint64_t)d->v[i].bytes + d->v[i - 1].bytes);
		if (!d->v[i - 1].bytes && d->v[i].bytes)
			sum += share / d->v[i].bytes;
	}
	d->mean_bits = (uint64_t)(sum >> 14); /* times 4 bits, 16 places fewer */
}

/* --- of a file ---------------------------------------------------------------------------------------------------- */

struct size_reader {
	struct wl_rows rows;
	struct wl_distribution *out;
	uint32_t cap, seen;
	double *percent, last; /* shares as they are written */
	uint32_t last_bytes;
};

static void read_point(struct size_reader *r)
{
	const struct wl_cell *first = &r->rows.cell[0], *last = &r->rows.cell[r->rows.cells - 1];
	uint64_t bytes;
	double share;
	enum wl_decimal found = wl_cell_real(last, &share);
	if (!wl_cell_count(first, WL_MOST_MESSAGE, &bytes)) {
		wl_rows_problem(&r->rows, first, "bytes are a whole number from 0 to %u", WL_MOST_MESSAGE);
		return;
	}
	if (found != WL_DECIMAL_GOOD) {
		wl_rows_bad_decimal(&r->rows, last, found, "a cumulative share");
		return;
	}
	if (share > 100)
		wl_rows_problem(&r->rows, last, "a cumulative share is at most 1, or 100 per cent");
	else if (r->seen && bytes < r->last_bytes)
		wl_rows_problem(&r->rows, first, "bytes fall: they rise from line to line");
	else if (r->seen && share < r->last)
		wl_rows_problem(&r->rows, last, "the cumulative share falls");
	else if (r->seen == MOST_POINTS)
		wl_rows_problem(&r->rows, NULL, "more than %u points", MOST_POINTS);
	else {
		r->percent = base_realloc(r->percent, (r->seen + 1) * sizeof *r->percent);
		r->percent[r->seen++] = share;
		add_point(r->out, &r->cap, (uint32_t)bytes, 0);
		r->last = share;
		r->last_bytes = (uint32_t)bytes;
	}
}

static void read_size_row(struct size_reader *r)
{
	if (r->rows.cells == 1 && !r->seen && wl_cell_is_number(&r->rows.cell[0]))
		base_warnf(r->rows.errors, r->rows.key,
		           "%s:%u: one number, as of files that begin with the mean: it is not used", r->rows.file,
		           r->rows.line);
	else if (r->rows.cells != 2 && r->rows.cells != 3)
		wl_rows_problem(
		    &r->rows, NULL,
		    "%zu values; expected are bytes and their cumulative share (with three, the one between "
		    "them is a number of the line)",
		    r->rows.cells);
	else if (!r->seen && !wl_cell_is_number(&r->rows.cell[0]))
		return; /* names of columns */
	else
		read_point(r);
}

/* The last share says whether they are per cent. Points that say nothing are left out. */
static void end_points(struct size_reader *r)
{
	struct wl_distribution *d = r->out;
	uint32_t n = 0;
	double all = r->last > 1 ? 100 : 1;
	if (!r->seen) {
		wl_rows_problem(&r->rows, NULL, "the file has no points");
		return;
	}
	if (r->last < all || r->last > all) {
		wl_rows_problem(&r->rows, NULL, "the last cumulative share is %g: it must be 1, or 100 per cent",
		                r->last);
		return;
	}
	for (uint32_t i = 0; i < d->n; i++) {
		d->v[i].share = (uint64_t)(r->percent[i] / all * 0x1p32 + 0.5);
		if (i + 1 < d->n && !(uint64_t)(r->percent[i + 1] / all * 0x1p32 + 0.5))
			continue; /* behind it nothing has come yet */
		d->v[n++] = d->v[i];
	}
	d->n = n;
	if (d->v[n - 1].bytes == 0)
		wl_rows_problem(&r->rows, NULL, "all messages would have 0 bytes");
}

static int read_sizes(struct wl_distribution *out, const char *file, struct base_errors *errors)
{
	struct size_reader r = { .out = out };
	if (wl_rows_open(&r.rows, file, "sizes_file", errors))
		return -1;
	while (wl_rows_next(&r.rows))
		read_size_row(&r);
	if (!r.rows.problems)
		end_points(&r);
	free(r.percent);
	if (!wl_rows_close(&r.rows))
		return 0;
	wl_distribution_free(out);
	return -1;
}

int wl_distribution_build(struct wl_distribution *out, int name, const char *file, struct base_errors *errors)
{
	*out = (struct wl_distribution){ 0 };
	if (name > 0) {
		uint32_t cap = 0;
		for (uint32_t i = 0; i < published[name - 1].n; i++)
			add_point(out, &cap, published[name - 1].v[i].bytes, published[name - 1].v[i].percent / 100);
	} else if (read_sizes(out, file, errors)) {
		return -1;
	}
	find_mean(out);
	return 0;
}

void wl_distribution_free(struct wl_distribution *d)
{
	free(d->v);
	*d = (struct wl_distribution){ 0 };
}

double wl_mean_message(const struct net_job *job)
{
	struct wl_distribution d;
	struct base_errors ignored = { 0 };
	double mean = (double)job->message;
	if ((job->sizes || (job->sizes_file && *job->sizes_file)) &&
	    !wl_distribution_build(&d, job->sizes, job->sizes_file, &ignored)) {
		mean = (double)d.mean_bits / 0x1p19;
		wl_distribution_free(&d);
	}
	base_errors_free(&ignored);
	return mean;
}
