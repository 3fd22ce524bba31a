/* experiments/design/promise.c - predicts the results of candidates that have not been run, from their bounds and from
 * the results of similar candidates. Predictions determine the order of runs and the loads at which searches begin.
 * They never exclude a candidate. */
#include "experiments/design/design.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define OF_BOUND 0.9     /* of the routing's own bound, what is expected to be carried */
#define OF_ANY_BOUND 0.5 /* the same of one that holds for every routing */

/* How much two candidates have in common; the routing and the network count most. */
static unsigned alike(const struct xp_search_space *s, const struct xp_space_candidate *a,
                      const struct xp_space_candidate *b)
{
	unsigned same = 0;
	for (size_t v = 0; v < s->nvariables; v++)
		same += a->value[v] != XP_NO_VALUE && a->value[v] == b->value[v];
	return same + (a->net == b->net ? 100 : 0) + (a->way == b->way ? 200 : 0);
}

static bool is_measured(const struct xp_series *q)
{
	return q->tries > 0 && q->most > 0;
}

void xp_space_candidate_hints(const struct xp_search_space *s, struct xp_space_candidate *k)
{
	for (size_t n = 0; n < s->c.columns; n++) {
		struct xp_series *q = &k->design->series[n];
		unsigned most = 199; /* at least the routing is the same */
		q->hint = 0;
		for (size_t i = 0; i < s->ncandidates; i++) {
			const struct xp_space_candidate *o = &s->candidate[i];
			if (o == k || o->rejected || !o->design || !is_measured(&o->design->series[n]) ||
			    alike(s, k, o) <= most)
				continue;
			const struct xp_series *p = &o->design->series[n];
			bool scales =
			    p->cap.share > 0 && q->cap.share > 0 && isfinite(p->cap.share) && isfinite(q->cap.share);
			most = alike(s, k, o);
			q->hint = (p->low > 0 ? (p->low + p->high) / 2 : p->most) *
			          (scales ? fmin(1, q->cap.share) / fmin(1, p->cap.share) : 1);
		}
	}
}

/* The saturation that is expected of the mix. */
static double expected(const struct xp_search_space *s, const struct xp_space_candidate *k)
{
	double time = 0, all = 0;
	for (size_t n = 0; n < s->c.columns; n++) {
		const struct xp_series *q = &k->design->series[n];
		double w = s->nweights ? s->weight[n] : 1, at = q->hint > 0 ? q->hint : q->guess;
		if (q->hint <= 0)
			at = fmin(at, q->high) * (q->cap.share < 0 || q->cap.any ? OF_ANY_BOUND : OF_BOUND);
		all += w;
		time += at > 0 ? w / fmin(at, q->high) : INFINITY;
	}
	return all / time;
}

struct candidate_turn {
	struct xp_space_candidate *candidate;
	double value[XP_GOALS];
	size_t behind; /* how many are expected to be better */
};

static int by_promise(const void *a, const void *b)
{
	const struct candidate_turn *x = a, *y = b;
	if (x->behind != y->behind)
		return x->behind < y->behind ? -1 : 1;
	return x->candidate < y->candidate ? -1 : x->candidate > y->candidate;
}

static bool is_better(const struct xp_search_space *s, const struct candidate_turn *a, const struct candidate_turn *b)
{
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		if (a->value[s->goal[i]] > b->value[s->goal[i]])
			return false;
		better |= a->value[s->goal[i]] < b->value[s->goal[i]];
	}
	return better;
}

struct xp_space_candidate **xp_promising(struct xp_search_space *s, size_t *n)
{
	struct candidate_turn *turn = base_calloc(s->ncandidates + 1, sizeof *turn);
	struct xp_space_candidate **out = base_calloc(s->ncandidates + 1, sizeof(struct xp_space_candidate *));
	size_t all = 0;
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		if (!xp_races(k))
			continue;
		if (!k->chosen)
			xp_space_candidate_hints(s, k);
		turn[all] = (struct candidate_turn){ .candidate = k };
		for (int g = 0; g < XP_GOALS; g++)
			turn[all].value[g] =
			    isinf(k->worst[g]) || g == XP_GOAL_SATURATION ? k->best[g] : (k->best[g] + k->worst[g]) / 2;
		turn[all++].value[XP_GOAL_SATURATION] =
		    k->chosen ? (k->best[XP_GOAL_SATURATION] + k->worst[XP_GOAL_SATURATION]) / 2 : -expected(s, k);
	}
	for (size_t i = 0; i < all; i++)
		for (size_t j = 0; j < all; j++)
			turn[i].behind += is_better(s, &turn[j], &turn[i]);
	qsort(turn, all, sizeof *turn, by_promise);
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (!turn[i].candidate->chosen)
			out[(*n)++] = turn[i].candidate;
	free(turn);
	return out;
}
