/* experiments/design/decide.c - determines which candidates are on the Pareto front, which are not, and which are
 * undecided.
 *
 * Each objective of a candidate has an interval [best, worst]; lower values are better. The decisions depend only on
 * these intervals. Of two equal candidates the first one is kept. */
#include "experiments/design/design.h"

#include <math.h>

static double middle(const struct xp_space_candidate *k, enum xp_goal g)
{
	return isinf(k->worst[g]) ? k->worst[g] : (k->best[g] + k->worst[g]) / 2;
}

/* The same latency, whatever the truth is: runs at one load with one seed in which the same happened. */
static bool is_same(const struct xp_space_candidate *a, const struct xp_space_candidate *b, enum xp_goal g)
{
	return (g == XP_GOAL_MEAN || g == XP_GOAL_P99) && isfinite(a->worst[g]) && a->best[g] >= b->best[g] &&
	       a->best[g] <= b->best[g] && a->worst[g] >= b->worst[g] && a->worst[g] <= b->worst[g];
}

bool xp_races(const struct xp_space_candidate *k)
{
	return !k->rejected && !k->out;
}

/* Is `a` no worse than `b` in every objective, whatever the truth is, and better in one? */
static bool surely_beats(const struct xp_search_space *s, const struct xp_space_candidate *a,
                         const struct xp_space_candidate *b)
{
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		enum xp_goal g = s->goal[i];
		if (is_same(a, b, g))
			continue;
		if (a->worst[g] > b->best[g])
			return false;
		better |= a->worst[g] < b->best[g];
	}
	return better;
}

/* May `a` be no worse than `b` in every objective, and better in one? */
static bool may_beat(const struct xp_search_space *s, const struct xp_space_candidate *a,
                     const struct xp_space_candidate *b)
{
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		enum xp_goal g = s->goal[i];
		if (is_same(a, b, g))
			continue;
		if (a->best[g] > b->worst[g])
			return false;
		better |= a->best[g] < b->worst[g];
	}
	return better;
}

#define VAGUE 0.2 /* an interval wider than this share of its middle, which then says little */

/* Returns whether candidate `a` makes `b` superfluous within the tolerance, the study's `width`: in every objective the
 * estimate of `a` is at least as good as that of `b`, and worse than the best possible value of `b` by at most the
 * tolerance; in at least one objective the estimate of `a` is better than that of `b`. The interval of `a` must be
 * final, because it may be as wide as the bounds while the search continues. */
static bool covers(const struct xp_search_space *s, const struct xp_space_candidate *a,
                   const struct xp_space_candidate *b)
{
	double width = s->c.study.number.width / 100;
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		enum xp_goal g = s->goal[i];
		if (is_same(a, b, g))
			continue;
		double mine = middle(a, g), slack = g >= XP_GOAL_SATURATION && isfinite(mine) ? width * fabs(mine) : 0;
		bool vague = g == XP_GOAL_SATURATION && a->worst[g] - a->best[g] > VAGUE * fabs(mine);
		if (vague || !(mine - slack <= b->best[g]) || mine > middle(b, g))
			return false;
		better |= mine < middle(b, g);
	}
	return better;
}

static bool beats_middle(const struct xp_search_space *s, const struct xp_space_candidate *a,
                         const struct xp_space_candidate *b)
{
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		enum xp_goal g = s->goal[i];
		if (middle(a, g) > middle(b, g))
			return false;
		better |= middle(a, g) < middle(b, g);
	}
	return better || a < b; /* of equals the first stays */
}

void xp_sieve(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *b = &s->candidate[i];
		for (size_t k = 0; k < s->ncandidates && xp_races(b); k++) {
			const struct xp_space_candidate *a = &s->candidate[k];
			if (xp_races(a) && a != b && (surely_beats(s, a, b) || (a->chosen && covers(s, a, b)))) {
				b->out = true;
				b->beaten_by = k;
			}
		}
	}
}

bool xp_unclear(const struct xp_search_space *s, const struct xp_space_candidate *k)
{
	for (size_t i = 0; i < s->ncandidates && xp_races(k); i++) {
		const struct xp_space_candidate *o = &s->candidate[i];
		if (o != k && xp_races(o) && (may_beat(s, o, k) || may_beat(s, k, o)))
			return true;
	}
	return false;
}

void xp_find_front(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *b = &s->candidate[i];
		b->front = b->tied = xp_races(b);
		for (size_t k = 0; k < s->ncandidates && xp_races(b); k++) {
			const struct xp_space_candidate *a = &s->candidate[k];
			if (a == b || !xp_races(a))
				continue;
			b->front &= !beats_middle(s, a, b);
			b->tied &= !surely_beats(s, a, b);
			if (b->beaten_by == XP_NO_VALUE && surely_beats(s, a, b))
				b->beaten_by = k;
		}
		b->tied &= !b->front;
	}
}
