/* experiments/design/value.c - computes the interval of each objective of a candidate from bounds and results of runs.
 *
 * Invariant: best <= worst; lower is better. A latency that was not measured lies between the latency of an idle
 * network and infinity. A latency is infinite if the network does not sustain the load. */
#include "experiments/design/design.h"

#include <math.h>

bool xp_wants(const struct xp_search_space *s, enum xp_goal goal)
{
	for (size_t i = 0; i < s->ngoals; i++)
		if (s->goal[i] == goal)
			return true;
	return false;
}

bool xp_has_latency(const struct xp_search_space *s)
{
	return xp_wants(s, XP_GOAL_MEAN) || xp_wants(s, XP_GOAL_P99);
}

bool xp_saturates(const struct xp_search_space *s)
{
	return xp_wants(s, XP_GOAL_SATURATION) || xp_has_latency(s);
}

static double weight_of(const struct xp_search_space *s, size_t column)
{
	return s->nweights ? s->weight[column] : 1;
}

/* Of a mix whose parts are sent one after the other: the shares are of bytes. */
double xp_mix_of(const struct xp_search_space *s, const struct xp_design *d, bool high)
{
	double time = 0, all = 0;
	for (size_t i = 0; i < s->c.columns; i++) {
		double w = weight_of(s, i), at = high ? d->series[i].high : d->series[i].low;
		all += w;
		time += at > 0 ? w / at : INFINITY;
	}
	return all / time;
}

double xp_series_doubt(const struct xp_search_space *s, const struct xp_design *d, size_t column)
{
	const struct xp_series *q = &d->series[column];
	double low = q->low > 0 ? q->low : fmin(q->high, q->hint > 0 ? q->hint : q->guess) / 4;
	return low > 0 ? weight_of(s, column) * (1 / low - 1 / q->high) : 0;
}

static void take_latency(struct xp_space_candidate *k, const struct xp_sim_run *l)
{
	double mean = isfinite(l->mean_half_ns) ? l->mean_half_ns : 0,
	       p99 = isfinite(l->p99_half_ns) ? l->p99_half_ns : 0;
	k->best[XP_GOAL_MEAN] = l->mean_ns - mean;
	k->worst[XP_GOAL_MEAN] = l->mean_ns + mean;
	k->best[XP_GOAL_P99] = l->p99_ns - p99;
	k->worst[XP_GOAL_P99] = l->p99_ns + p99;
}

void xp_space_candidate_value(const struct xp_search_space *s, struct xp_space_candidate *k)
{
	const struct xp_design *d = k->design;
	const struct xp_sim_run *l = d->latency;
	bool carried = d->series[0].high * 1.02 >= s->c.study.number.latency_load;
	k->best[XP_GOAL_SATURATION] = -xp_mix_of(s, d, true);
	k->worst[XP_GOAL_SATURATION] = -xp_mix_of(s, d, false);
	k->best[XP_GOAL_MEAN] = carried ? k->idle_mean_ns : INFINITY;
	k->best[XP_GOAL_P99] = carried ? k->idle_p99_ns : INFINITY;
	k->worst[XP_GOAL_MEAN] = k->worst[XP_GOAL_P99] = INFINITY;
	if (l && l->done && l->said == SIM_STATIONARY)
		take_latency(k, l);
	else if (l && (l->done || l->failed))
		k->best[XP_GOAL_MEAN] = k->best[XP_GOAL_P99] = INFINITY;
}
