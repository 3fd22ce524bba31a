/* experiments/compare/finals.c - measurements after saturation is known: latency of all designs that were simulated,
 * and collectives of the finalists.
 *
 * Invariant: a run that a design already has is not requested again. So finals can begin with runs that do not depend
 * on the finalists before the ranking that selects these is complete. */
#include "experiments/compare/compare.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static bool was_simulated(const struct xp_series *s)
{
	return !s->design->failed && !s->impossible && s->nruns && s->stage != XP_BROKEN_OFF;
}

/* The column of the traffic that chooses finalists, and whose latency is measured. */
static size_t first_column(const struct xp_compare *c)
{
	return c->study.rank * (c->study.nmessages ? c->study.nmessages : 1);
}

static void choose_finalists(struct xp_compare *c)
{
	size_t first = first_column(c);
	for (size_t k = 0; k < c->columns; k++) {
		struct xp_series **order = xp_places(c, k);
		size_t wanted = k == first ? (size_t)c->study.number.finalists : 1;
		for (size_t i = 0; i < c->ndesigns && i < wanted; i++)
			if (order[i]->place && was_simulated(order[i]))
				order[i]->design->finalist = true;
		free(order);
	}
}

static bool carries(const struct xp_series *s, double load)
{
	return !s->design->failed && !s->impossible && s->low >= load;
}

static size_t add_latency(struct xp_compare *c, struct xp_design *d, struct xp_series *series, struct xp_sim_run **run)
{
	const struct xp_study *s = &c->study;
	size_t n = 0;
	if (!d->latency && carries(series, s->number.latency_load))
		run[n++] = d->latency = xp_sim_run_of_series(c, series, s->number.latency_load, XP_LATENCY);
	for (size_t i = 0; i < s->ncurve; i++)
		if (fabs(s->curve[i] - s->number.latency_load) < 1e-9)
			d->curve[i] = d->latency;
		else if (!d->curve[i] && carries(series, s->curve[i]))
			run[n++] = d->curve[i] = xp_sim_run_of_series(c, series, s->curve[i], XP_LATENCY);
	return n;
}

static size_t add_collectives(struct xp_compare *c, struct xp_design *d, struct xp_sim_run **run)
{
	const struct xp_study *s = &c->study;
	unsigned seeds = (unsigned)s->number.seeds;
	size_t n = 0, m = 0;
	for (size_t k = 0; k < s->ncollectives; k++)
		for (size_t z = 0; z < s->collective[k].nsizes * seeds; z++, m++)
			if (!d->collective[m] && (d->finalist || !s->collective[k].finalists))
				run[n++] = d->collective[m] = xp_sim_run_of_collective(
				    c, d, &s->collective[k], s->collective[k].size[z / seeds], (unsigned)(z % seeds));
	return n;
}

static size_t add_all(struct xp_compare *c, struct xp_sim_run **run)
{
	size_t n = 0;
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_design *d = &c->design[i];
		struct xp_series *series = &d->series[first_column(c)];
		if (!was_simulated(series) && !d->finalist)
			continue;
		n += add_latency(c, d, series, &run[n]);
		n += add_collectives(c, d, &run[n]);
	}
	return n;
}

size_t xp_finals_most(const struct xp_compare *c)
{
	size_t sizes = 0;
	for (size_t i = 0; i < c->study.ncollectives; i++)
		sizes += c->study.collective[i].nsizes * (size_t)c->study.number.seeds;
	return c->ndesigns * (sizes + c->study.ncurve + 1);
}

size_t xp_finals_early(struct xp_compare *c, struct xp_sim_run **run)
{
	for (size_t i = 0; i < c->ndesigns; i++) {
		enum xp_stage stage = c->design[i].series[first_column(c)].stage;
		if (stage == XP_SEARCH || stage == XP_REFINE)
			return 0;
	}
	return add_all(c, run);
}

/* A second run of each latency that is doubtful, in its place. */
static int decide_latencies(struct xp_compare *c, struct xp_sim_run **run, struct base_errors *errors)
{
	size_t n = 0;
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_design *d = &c->design[i];
		struct xp_series *series = &d->series[first_column(c)];
		struct xp_sim_run *first = d->latency;
		if (first && xp_latency_is_doubtful(series, first))
			run[n++] = d->latency = xp_sim_run_again(c, series, first);
		for (size_t k = 0; k < c->study.ncurve; k++)
			if (d->curve[k] && d->curve[k] == first)
				d->curve[k] = d->latency;
			else if (d->curve[k] && xp_latency_is_doubtful(series, d->curve[k]))
				run[n++] = d->curve[k] = xp_sim_run_again(c, series, d->curve[k]);
	}
	return n ? xp_batch_run(c, run, n, errors) : 0;
}

int xp_finals(struct xp_compare *c, struct base_errors *errors)
{
	xp_rank(c);
	choose_finalists(c);
	int status = xp_rounds_of_finalists(c, first_column(c), errors);
	if (status)
		return status;
	struct xp_sim_run **run = base_calloc(xp_finals_most(c) + 1, sizeof(struct xp_sim_run *));
	size_t n = add_all(c, run);
	status = n ? xp_batch_run(c, run, n, errors) : 0;
	if (!status)
		status = decide_latencies(c, run, errors);
	free(run);
	return status;
}
