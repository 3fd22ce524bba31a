/* experiments/design/halving.c - which candidates are run, and how long. */
#include "experiments/design/design.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_WAVE 8u

/* --- what is known --------------------------------------------------------------------------------------- */

static bool wants(const struct xp_search_space *s, enum xp_goal goal)
{
	for (size_t i = 0; i < s->ngoals; i++)
		if (s->goal[i] == goal)
			return true;
	return false;
}

bool xp_has_latency(const struct xp_search_space *s)
{
	return wants(s, XP_GOAL_MEAN) || wants(s, XP_GOAL_P99);
}

bool xp_saturates(const struct xp_search_space *s)
{
	return wants(s, XP_GOAL_SATURATION) || xp_has_latency(s);
}

/* Of a mix whose parts are sent one after the other: the shares are of bytes. */
static double mix_of(const struct xp_search_space *s, const struct xp_design *d, bool high)
{
	double time = 0, all = 0;
	for (size_t i = 0; i < s->c.columns; i++) {
		double w = s->nweights ? s->weight[i] : 1, at = high ? d->series[i].high : d->series[i].low;
		all += w;
		time += at > 0 ? w / at : INFINITY;
	}
	return all / time;
}

void xp_entrant_value(const struct xp_search_space *s, struct xp_entrant *k)
{
	const struct xp_design *d = k->design;
	const struct xp_shot *l = d->latency;
	k->best[XP_GOAL_SATURATION] = -mix_of(s, d, true);
	k->worst[XP_GOAL_SATURATION] = -mix_of(s, d, false);
	k->best[XP_GOAL_MEAN] = k->best[XP_GOAL_P99] = 0;
	k->worst[XP_GOAL_MEAN] = k->worst[XP_GOAL_P99] = INFINITY;
	if (l && l->done && l->told && !l->stationary) {
		k->best[XP_GOAL_MEAN] = k->best[XP_GOAL_P99] = INFINITY; /* it does not carry that load */
	} else if (l && l->done) {
		double mean = isfinite(l->mean_half_ns) ? l->mean_half_ns : 0,
		       p99 = isfinite(l->p99_half_ns) ? l->p99_half_ns : 0;
		k->best[XP_GOAL_MEAN] = l->mean_ns - mean;
		k->worst[XP_GOAL_MEAN] = l->mean_ns + mean;
		k->best[XP_GOAL_P99] = l->p99_ns - p99;
		k->worst[XP_GOAL_P99] = l->p99_ns + p99;
	} else if (l && l->failed) {
		k->best[XP_GOAL_MEAN] = k->best[XP_GOAL_P99] = INFINITY;
	}
}

static double middle(const struct xp_entrant *k, enum xp_goal g)
{
	return isinf(k->worst[g]) ? k->worst[g] : (k->best[g] + k->worst[g]) / 2;
}

/* Is `a` no worse than `b` in every objective, whatever the truth is, and better in one? */
static bool surely_beats(const struct xp_search_space *s, const struct xp_entrant *a, const struct xp_entrant *b)
{
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		enum xp_goal g = s->goal[i];
		if (a->worst[g] > b->best[g])
			return false;
		better |= a->worst[g] < b->best[g];
	}
	return better;
}

/* Is `b` at its best no better than `a` by more than the width in any objective, while `a` looks better? */
static bool covers(const struct xp_search_space *s, const struct xp_entrant *a, const struct xp_entrant *b)
{
	double width = s->c.study.number.width / 100;
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		enum xp_goal g = s->goal[i];
		double mine = middle(a, g), slack = g >= XP_GOAL_SATURATION ? width * fabs(mine) : 0;
		if (!(mine - slack <= b->best[g]) || mine > middle(b, g))
			return false;
		better |= mine < middle(b, g);
	}
	return better;
}

static bool beats_middle(const struct xp_search_space *s, const struct xp_entrant *a, const struct xp_entrant *b)
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

static bool races(const struct xp_entrant *k)
{
	return !k->rejected && !k->out;
}

/* Takes in what runs said, and takes those out that cannot be on the front any more. */
static void sieve(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->nchoices; i++)
		if (races(&s->choice[i])) {
			struct xp_entrant *k = &s->choice[i];
			for (size_t n = 0; n < s->c.columns; n++)
				if (k->design->series[n].stage == XP_BROKEN_OFF && !k->rejected)
					k->rejected = base_strdup(
					    k->design->series[n].shot[k->design->series[n].nshots - 1]->failed);
			if (!k->rejected)
				xp_entrant_value(s, k);
		}
	for (size_t i = 0; i < s->nchoices && s->c.study.number.eliminate; i++) {
		struct xp_entrant *b = &s->choice[i];
		for (size_t k = 0; k < s->nchoices && races(b); k++) {
			const struct xp_entrant *a = &s->choice[k];
			if (races(a) && a != b && (surely_beats(s, a, b) || (a->chosen && covers(s, a, b)))) {
				b->out = true;
				b->beaten_by = k;
			}
		}
	}
}

/* --- rounds of runs -------------------------------------------------------------------------------------- */

/* Searches all series of the chosen candidates that are in that stage to their end. */
static int search(struct xp_search_space *s, enum xp_stage stage, bool measured, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	size_t most = s->nchoices * c->columns;
	struct xp_series **series = base_calloc(most + 1, sizeof(struct xp_series *));
	struct xp_shot **shot = base_calloc(most + 1, sizeof(struct xp_shot *));
	int status = 0;
	for (size_t n = 1; n && !status;) {
		n = 0;
		for (size_t i = 0; i < s->nchoices; i++)
			for (size_t k = 0; k < c->columns && races(&s->choice[i]); k++) {
				struct xp_series *q = &s->choice[i].design->series[k];
				if (q->stage != stage || q->impossible)
					continue;
				series[n] = q;
				shot[n] = xp_shot_of_series(c, q, q->next, stage == XP_SEARCH ? XP_SHORT : XP_LONG);
				q->shot = base_realloc(q->shot, (q->nshots + 1) * sizeof(struct xp_shot *));
				q->shot[q->nshots++] = shot[n++];
			}
		status = n ? xp_wave_run(c, shot, n, errors) : 0;
		for (size_t i = 0; i < n && !status; i++) {
			if (shot[i]->done)
				xp_search_step(series[i], shot[i]);
			else
				series[i]->stage = XP_BROKEN_OFF;
		}
		if (!status && !measured)
			sieve(s);
	}
	free(series);
	free(shot);
	return status;
}

/* Latency of those in the race, or on the front, that have none from this seed. */
static int measure_latency(struct xp_search_space *s, bool front, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	struct xp_shot **shot = base_calloc(s->nchoices + 1, sizeof(struct xp_shot *));
	size_t n = 0;
	for (size_t i = 0; i < s->nchoices && xp_has_latency(s); i++) {
		struct xp_entrant *k = &s->choice[i];
		if (races(k) && (front ? k->front : k->chosen && !k->design->latency))
			shot[n++] = k->design->latency =
			    xp_shot_of_series(c, &k->design->series[0], c->study.number.latency_load, XP_LATENCY);
	}
	int status = n ? xp_wave_run(c, shot, n, errors) : 0;
	free(shot);
	if (!status && !front)
		sieve(s);
	return status;
}

/* --- short and long -------------------------------------------------------------------------------------- */

struct turn {
	struct xp_entrant *choice;
	size_t behind; /* how many are better by their bounds */
};

static int by_promise(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;
	if (x->behind != y->behind)
		return x->behind < y->behind ? -1 : 1;
	return x->choice < y->choice ? -1 : x->choice > y->choice;
}

static bool best_beats(const struct xp_search_space *s, const struct xp_entrant *a, const struct xp_entrant *b)
{
	bool better = false;
	for (size_t i = 0; i < s->ngoals; i++) {
		if (a->best[s->goal[i]] > b->best[s->goal[i]])
			return false;
		better |= a->best[s->goal[i]] < b->best[s->goal[i]];
	}
	return better;
}

/* Chooses the more promising half of those that wait. Returns how many. */
static size_t choose_half(struct xp_search_space *s, enum xp_stage stage)
{
	struct turn *turn = base_calloc(s->nchoices + 1, sizeof *turn);
	size_t n = 0;
	for (size_t i = 0; i < s->nchoices; i++) {
		struct xp_entrant *k = &s->choice[i];
		if (!races(k) || k->chosen)
			continue;
		turn[n] = (struct turn){ .choice = k };
		for (size_t j = 0; j < s->nchoices; j++)
			turn[n].behind += races(&s->choice[j]) && best_beats(s, &s->choice[j], k);
		n++;
	}
	qsort(turn, n, sizeof *turn, by_promise);
	size_t half = s->c.study.number.eliminate ? (n + 1) / 2 : n;
	half = half < LEAST_WAVE ? LEAST_WAVE < n ? LEAST_WAVE : n : half;
	for (size_t i = 0; i < half; i++) {
		turn[i].choice->chosen = true;
		for (size_t k = 0; k < s->c.columns && xp_saturates(s); k++)
			xp_search_begin(&turn[i].choice->design->series[k], stage);
	}
	free(turn);
	return half;
}

static int race(struct xp_search_space *s, struct base_errors *errors)
{
	bool all = !s->c.study.number.eliminate;
	int status = 0;
	while (!status && choose_half(s, all ? XP_REFINE : XP_SEARCH)) {
		status = search(s, all ? XP_REFINE : XP_SEARCH, false, errors);
		if (!status)
			status = measure_latency(s, false, errors);
		if (!status && xp_space_write(s, errors))
			status = -1;
	}
	for (size_t i = 0; i < s->nchoices && !all && !status; i++)
		for (size_t k = 0; k < s->c.columns && races(&s->choice[i]); k++) {
			struct xp_series *q = &s->choice[i].design->series[k];
			if (q->stage == XP_KNOWN &&
			    q->high - q->low > s->c.study.number.width / 100 * (q->high + q->low))
				xp_search_begin(q, XP_REFINE);
		}
	return status ? status : search(s, XP_REFINE, false, errors);
}

/* --- the front ------------------------------------------------------------------------------------------- */

static void find_front(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->nchoices; i++) {
		struct xp_entrant *b = &s->choice[i];
		b->front = races(b);
		b->tied = races(b);
		for (size_t k = 0; k < s->nchoices && races(b); k++) {
			const struct xp_entrant *a = &s->choice[k];
			if (a == b || !races(a))
				continue;
			b->front &= !beats_middle(s, a, b);
			b->tied &= !surely_beats(s, a, b);
			if (b->beaten_by == XP_NO_VALUE && surely_beats(s, a, b))
				b->beaten_by = k;
		}
		b->tied &= !b->front;
	}
}

/* Nothing of what chose the front goes into its intervals, but for the load of the first run. */
static int measure_front(struct xp_search_space *s, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	s->fresh_from = c->nshots;
	c->fresh = s->fresh;
	for (size_t i = 0; i < s->nchoices; i++) {
		struct xp_entrant *k = &s->choice[i];
		if (!k->front) {
			k->out = true;
			continue;
		}
		for (size_t n = 0; n < c->columns && xp_saturates(s); n++) {
			struct xp_series *q = &k->design->series[n];
			q->most = (q->low + q->high) / 2;
			xp_search_begin(q, XP_REFINE);
			q->low = q->floor = 0;
			q->high = q->cap.share >= 0 ? fmin(1, q->cap.share) : 1;
		}
	}
	int status = xp_saturates(s) ? search(s, XP_REFINE, true, errors) : 0;
	if (!status)
		status = measure_latency(s, true, errors);
	c->fresh = NULL;
	for (size_t i = 0; i < s->nchoices && !status; i++)
		if (s->choice[i].front) {
			xp_entrant_value(s, &s->choice[i]);
			s->choice[i].measured = true;
		}
	return status;
}

int xp_space_run(struct xp_search_space *s, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	int status = xp_compare_take_folder(c, errors);
	if (status)
		return status;
	status = xp_permutations_write(c, errors);
	for (size_t i = 0; i < s->nchoices; i++)
		for (size_t k = 0; k < c->columns && !s->choice[i].rejected; k++)
			if (s->choice[i].design->series[k].impossible)
				s->choice[i].rejected = base_strdup(s->choice[i].design->series[k].impossible);
	if (!status)
		status = race(s, errors);
	if (!status) {
		sieve(s);
		find_front(s);
		status = measure_front(s, errors);
	}
	s->complete = !status;
	if (status != -1 && xp_space_write(s, errors))
		status = -1;
	xp_lock_release(&c->lock);
	return status < 0 ? 1 : status;
}
