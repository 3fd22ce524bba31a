/* experiments/compare/collectives.c - rankings of collectives: each collective and size runs with the same few seeds on
 * every design, so that designs are compared seed by seed. */
#include "experiments/compare/compare.h"
#include "sim/steady.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool xp_demand_has(const struct xp_compare *c, const struct xp_demand *d, const char *pattern)
{
	bool has = !strcmp(d->pattern, pattern);
	for (size_t i = 0; i < d->nparts; i++)
		has |= !strcmp(c->study.demand[d->part[i]].pattern, pattern);
	return has;
}

bool xp_collective_by_worth(const struct xp_collective *k)
{
	return !strcmp(k->process, "all-to-all");
}

/* Of an all-to-all each member sends `bytes` to every other. */
static double worth_of(const struct xp_design *d, double bytes, double ns)
{
	double members = d->net->costing.topo.endpoints;
	return bytes * 8 * members * (members - 1) / ns / xp_units(d->net);
}

/* Mean of values, and half width of the 95 % confidence interval by Student's t distribution; NAN for a single value.
 */
static double mean_of(const double *v, size_t n, double *half)
{
	double mean = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (v[i] - mean) * (v[i] - mean);
	*half = n > 1 ? sim_student95((uint32_t)n - 1) * sqrt(square / (double)(n - 1) / (double)n) : NAN;
	return mean;
}

/* Scores, more is better, by seed; NAN: not ended. */
static bool is_surely_better(const double *a, const double *b, size_t seeds, double *room)
{
	size_t n = 0;
	double half;
	for (size_t i = 0; i < seeds; i++)
		if (isfinite(a[i]) && isfinite(b[i]))
			room[n++] = log(a[i] / b[i]);
	double mean = n ? mean_of(room, n, &half) : 0;
	return n && mean > (n > 1 ? half : 0);
}

static void place_all(struct xp_timing *t, const double *score, size_t designs, size_t seeds)
{
	double *room = base_calloc(seeds, sizeof *room);
	for (size_t i = 0; i < designs; i++) {
		t[i].place = t[i].seeds > 0;
		for (size_t k = 0; k < designs && t[i].place; k++)
			t[i].place +=
			    k != i && t[k].seeds && is_surely_better(&score[k * seeds], &score[i * seeds], seeds, room);
	}
	for (size_t i = 0; i < designs; i++)
		for (size_t k = 0; k < designs; k++)
			t[i].shared += t[i].place && t[k].place == t[i].place;
	free(room);
}

struct xp_timing *xp_timings(const struct xp_compare *c, const struct xp_collective *k, size_t size, size_t m)
{
	size_t seeds = (size_t)c->study.number.seeds;
	struct xp_timing *t = base_calloc(c->ndesigns + 1, sizeof *t);
	double *score = base_calloc(c->ndesigns * seeds + 1, sizeof *score), *ns = base_calloc(seeds, sizeof *ns);
	double *worth = base_calloc(seeds, sizeof *worth);
	uint64_t bytes = 0;
	const char *why;
	bool by_worth = xp_collective_by_worth(k) && !base_parse_size(k->size[size], &bytes, &why);
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_design *d = &c->design[i];
		for (size_t s = 0; s < seeds; s++) {
			double time = d->failed ? NAN : xp_collective_ns(d, k, d->collective[m * seeds + s]);
			double value = by_worth && isfinite(time) ? worth_of(d, (double)bytes, time) : NAN;
			score[i * seeds + s] = by_worth ? value : 1 / time;
			if (!isfinite(time))
				continue;
			worth[t[i].seeds] = value;
			ns[t[i].seeds++] = time;
		}
		t[i].mean_ns = t[i].half_ns = t[i].worth = t[i].half_worth = NAN;
		if (t[i].seeds) {
			t[i].mean_ns = mean_of(ns, t[i].seeds, &t[i].half_ns);
			t[i].worth = mean_of(worth, t[i].seeds, &t[i].half_worth);
		}
	}
	place_all(t, score, c->ndesigns, seeds);
	free(score);
	free(ns);
	free(worth);
	return t;
}
