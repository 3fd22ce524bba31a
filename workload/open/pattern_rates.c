/* workload/open/pattern_rates.c - a traffic matrix from a file (workload/rows/matrix.h): the rate of each pair of
 * source and destination.
 *
 * A row's destinations are drawn by the alias method (Walker 1977; Vose, IEEE TSE 17(9), 1991) from integers: one of
 * the row's cells evenly, then with a chance of its own that cell's destination, else the one that fills it up. The
 * rows are in a table that the ranks of a host share. */
#include "base/memory.h"
#include "workload/rows/matrix.h"
#include "workload/rows/once.h"
#include "workload/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum between { BETWEEN_ENDPOINTS, BETWEEN_SWITCHES, BETWEEN_GROUPS };
enum values { VALUES_WEIGHTS, VALUES_LOADS, VALUES_GBPS };

struct matrix_params {
	char *file;
	int between, values;
};

static const struct base_param matrix_table[] = {
	{ BASE_KEY(FILE, struct matrix_params, file, NULL),
	  .help = "the matrix, CSV or with blanks, text or gzip: a row of rates for each source, or lines of source, "
	          "destination and rate" },
	{ BASE_KEY(ENUM, struct matrix_params, between, "endpoints"), .choices = "endpoints|switches|groups",
	  .help =
	      "meaning of rows and columns. endpoints: endpoints of the job, in their order; switches or groups: those "
	      "of the topology, whose endpoints in the job share the messages of a row, and of a column, evenly" },
	{ BASE_KEY(ENUM, struct matrix_params, values, "weights"), .choices = "weights|loads|Gbps",
	  .help =
	      "weights: only their ratios count, and load is the mean of the endpoints that send; loads: shares of an "
	      "endpoint's injection bandwidth, times load; Gbps: times load" },
	{ 0 },
};

struct rates_alias {
	uint32_t threshold; /* 32 random bits below it: `to`, else `other` */
	uint32_t to, other; /* units */
};

struct rates {
	uint64_t cells;
	uint64_t *first;       /* [units + 1] of a row in v[] */
	struct rates_alias *v; /* [cells] */
	double *row;           /* [units] what a row offers, as the file says it */
	struct wl_once once;
	/* Of this rank: */
	uint32_t units;
	uint32_t *begins; /* [units + 1] of a unit's in list[]; NULL: units are members */
	uint32_t *list;   /* [members] members by unit */
	double mean;      /* of the members that send: what they offer, as the file says it */
};

static const struct matrix_params *params_of(const struct wl_pattern *p)
{
	return p->params;
}

static const char *noun_of(const struct wl_pattern *p)
{
	static const char *const nouns[] = { "endpoint", "switch", "group" };
	return nouns[params_of(p)->between];
}

static const char *plural_of(const struct wl_pattern *p)
{
	static const char *const plurals[] = { "endpoints", "switches", "groups" };
	return plurals[params_of(p)->between];
}

static uint32_t unit_of(const struct wl_pattern *p, uint32_t index)
{
	topo_switch s;
	switch ((enum between)params_of(p)->between) {
	case BETWEEN_ENDPOINTS:
		break;
	case BETWEEN_SWITCHES:
		return topo_switch_of(p->topo, wl_member(p, index));
	case BETWEEN_GROUPS:
		s = topo_switch_of(p->topo, wl_member(p, index));
		return topo_group(p->topo, s);
	}
	return index;
}

static uint32_t members_of(const struct rates *r, uint32_t unit)
{
	return r->begins ? r->begins[unit + 1] - r->begins[unit] : 1;
}

/* --- building --------------------------------------------------------------------------------------------- */

/* A counting sort of the members by unit. */
static void list_members(const struct wl_pattern *p, struct rates *r)
{
	if (params_of(p)->between == BETWEEN_ENDPOINTS)
		return;
	r->begins = base_calloc((size_t)r->units + 1, sizeof *r->begins);
	r->list = base_calloc(p->members, sizeof *r->list);
	for (uint32_t i = 0; i < p->members; i++)
		r->begins[unit_of(p, i) + 1]++;
	for (uint32_t u = 0; u < r->units; u++)
		r->begins[u + 1] += r->begins[u];
	for (uint32_t i = 0; i < p->members; i++) /* begins[] moves on, and back after it */
		r->list[r->begins[unit_of(p, i)]++] = i;
	memmove(r->begins + 1, r->begins, r->units * sizeof *r->begins);
	r->begins[0] = 0;
}

struct reading_matrix {
	const struct wl_pattern *p;
	struct rates *r;
};

/* Is there an endpoint to send, and another to receive? */
static int check_cells(const struct wl_pattern *p, const struct rates *r, const struct wl_matrix *m,
                       struct base_errors *errors)
{
	const char *file = params_of(p)->file;
	unsigned problems = 0;
	for (size_t i = 0; i < m->n && problems < 20; i++) {
		const struct wl_matrix_cell *c = &m->v[i];
		if (!members_of(r, c->from) || !members_of(r, c->to)) {
			base_errorf(errors, "file", "%s:%" PRIu32 ": %s %" PRIu32 " has no endpoint of the job", file,
			            c->line, noun_of(p), members_of(r, c->from) ? c->to : c->from);
			problems++;
		} else if (c->from == c->to && members_of(r, c->from) == 1) {
			base_errorf(errors, "file",
			            "%s:%" PRIu32 ": %s %" PRIu32
			            " has one endpoint of the job, which does not send to "
			            "itself",
			            file, c->line, noun_of(p), c->from);
			problems++;
		}
	}
	return problems ? -1 : 0;
}

/* The alias table of a row of n cells that sum to `sum`: p[] are their chances times n. */
static void build_alias(struct rates_alias *out, const struct wl_matrix_cell *cell, uint32_t n, double sum,
                        double *chance, uint32_t *small, uint32_t *large)
{
	uint32_t smalls = 0, larges = 0;
	for (uint32_t i = 0; i < n; i++) {
		chance[i] = cell[i].value / sum * n;
		out[i] = (struct rates_alias){ UINT32_MAX, cell[i].to, cell[i].to };
		if (chance[i] < 1)
			small[smalls++] = i;
		else
			large[larges++] = i;
	}
	while (smalls && larges) {
		uint32_t s = small[--smalls], l = large[larges - 1];
		out[s].threshold = (uint32_t)(chance[s] * 0x1p32);
		out[s].other = cell[l].to;
		chance[l] -= 1 - chance[s];
		if (chance[l] < 1) {
			larges--;
			small[smalls++] = l;
		}
	}
}

static void build_rows(struct rates *r, const struct wl_matrix *m)
{
	double *chance = base_calloc(m->n + 1, sizeof *chance);
	uint32_t *small = base_calloc(m->n + 1, sizeof *small), *large = base_calloc(m->n + 1, sizeof *large);
	r->cells = m->n;
	r->first = base_calloc((size_t)r->units + 1, sizeof *r->first);
	r->v = base_calloc(m->n, sizeof *r->v);
	r->row = base_calloc(r->units, sizeof *r->row);
	for (size_t i = 0; i < m->n; i++) {
		r->first[m->v[i].from + 1]++;
		r->row[m->v[i].from] += m->v[i].value;
	}
	for (uint32_t u = 0; u < r->units; u++) {
		r->first[u + 1] += r->first[u];
		build_alias(r->v + r->first[u], m->v + r->first[u], (uint32_t)(r->first[u + 1] - r->first[u]),
		            r->row[u], chance, small, large);
	}
	free(chance);
	free(small);
	free(large);
}

static int read_matrix(void *self, struct base_errors *errors)
{
	const struct reading_matrix *x = self;
	const struct matrix_params *q = params_of(x->p);
	struct wl_matrix m;
	if (wl_matrix_read(&m, q->file, "file", noun_of(x->p), plural_of(x->p), x->r->units,
	                   q->between != BETWEEN_ENDPOINTS, errors))
		return -1;
	int status = check_cells(x->p, x->r, &m, errors);
	if (!status)
		build_rows(x->r, &m);
	wl_matrix_free(&m);
	return status;
}

static size_t list_words(void *self, uint64_t *at[WL_ONCE_WORDS])
{
	at[0] = &((const struct reading_matrix *)self)->r->cells;
	return 1;
}

static size_t list_arrays(void *self, struct sim_array out[WL_ONCE_ARRAYS])
{
	struct rates *r = ((const struct reading_matrix *)self)->r;
	out[0] = (struct sim_array){ (void **)(void *)&r->first, ((size_t)r->units + 1) * sizeof *r->first };
	out[1] = (struct sim_array){ (void **)(void *)&r->v, (size_t)r->cells * sizeof *r->v };
	out[2] = (struct sim_array){ (void **)(void *)&r->row, r->units * sizeof *r->row };
	return 3;
}

static const struct wl_once_ops once_ops = { read_matrix, list_words, list_arrays };

/* What a member of a unit offers, as the file says it. */
static double offered_by(const struct rates *r, uint32_t unit)
{
	uint32_t members = members_of(r, unit);
	return members ? r->row[unit] / members : 0;
}

/* The largest number of six digits that is not above `limit`. */
static double round_down(double limit)
{
	double unit = pow(10, floor(log10(limit)) - 5);
	return floor(limit / unit * (1 + 1e-12)) * unit;
}

/* The mean of those that send, and that none sends more than its link carries. */
static int scale_rates(struct wl_pattern *p, struct rates *r, struct base_errors *errors)
{
	const struct net_config *c = p->config;
	double sum = 0, most = 0, load = c->jobs[p->job].load;
	uint64_t senders = 0;
	uint32_t busiest = 0;
	for (uint32_t u = 0; u < r->units; u++) {
		double one = offered_by(r, u);
		sum += r->row[u];
		senders += r->row[u] > 0 ? members_of(r, u) : 0;
		busiest = one > most ? u : busiest;
		most = one > most ? one : most;
	}
	r->mean = sum / (double)senders;
	switch ((enum values)params_of(p)->values) {
	case VALUES_WEIGHTS:
		p->load = 1;
		break;
	case VALUES_LOADS:
		p->load = r->mean;
		break;
	case VALUES_GBPS:
		p->load = c->link_terminal.bandwidth ? r->mean * 1e9 / (double)c->link_terminal.bandwidth : r->mean;
		break;
	}
	double top = p->load * (most / r->mean);
	if (!(load * top <= 1 + 1e-9))
		return base_errorf(errors, "load",
		                   "%g makes the endpoints of row %" PRIu32
		                   " of the matrix send at %.7g times their links' rate; up to %.6g no source does",
		                   load, busiest, load * top, round_down(1 / top));
	return 0;
}

static void matrix_destroy(struct wl_pattern *p)
{
	struct rates *r = p->impl;
	struct reading_matrix x = { p, r };
	if (!r)
		return;
	wl_once_free(&r->once, &once_ops, &x);
	free(r->begins);
	free(r->list);
	free(r);
	p->impl = NULL;
}

static int matrix_build(struct wl_pattern *p, struct base_errors *errors)
{
	const struct matrix_params *q = params_of(p);
	struct rates *r = p->impl = base_alloc(sizeof *r);
	struct reading_matrix x = { p, r };
	r->units = q->between == BETWEEN_ENDPOINTS  ? p->members
	           : q->between == BETWEEN_SWITCHES ? p->topo->switches
	                                            : p->topo->groups;
	list_members(p, r);
	if (!wl_once_read(&r->once, &once_ops, &x, errors))
		return scale_rates(p, r, errors);
	free(r->begins);
	free(r->list);
	free(r);
	p->impl = NULL;
	return -1;
}

/* --- messages --------------------------------------------------------------------------------------------- */

static uint32_t matrix_destination(const struct wl_pattern *p, uint32_t index, uint32_t message, uint32_t bits,
                                   uint32_t coin)
{
	(void)message;
	const struct rates *r = p->impl;
	uint32_t unit = unit_of(p, index);
	uint64_t first = r->first[unit], n = r->first[unit + 1] - first, product = (uint64_t)bits * n;
	if (!n)
		return WL_IDLE;
	const struct rates_alias *a = &r->v[first + (product >> 32)];
	uint32_t to = coin < a->threshold ? a->to : a->other;
	if (!r->begins)
		return wl_member(p, to);
	uint32_t members = members_of(r, to), begin = r->begins[to];
	/* the product's low half is random still; a member of the same unit leaves itself out */
	if (to != unit)
		return wl_member(p, r->list[begin + sim_below((uint32_t)product, members)]);
	uint32_t k = sim_below((uint32_t)product, members - 1);
	return wl_member(p, r->list[begin + k + (r->list[begin + k] >= index)]); /* they are in rising order */
}

static double matrix_share(const struct wl_pattern *p, uint32_t index)
{
	const struct rates *r = p->impl;
	return offered_by(r, unit_of(p, index)) / r->mean;
}

static const struct wl_pattern_ops matrix_ops = {
	.build = matrix_build,
	.destroy = matrix_destroy,
	.destination = matrix_destination,
	.share = matrix_share,
};

const struct base_plugin wl_matrix = {
	BASE_DESCRIBE("pattern", "matrix", matrix_table, struct matrix_params, &matrix_ops),
	.summary = "a traffic matrix from a file: the rate from each source to each destination",
};
