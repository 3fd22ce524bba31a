/* experiments/design/halving.c - decides which candidates are simulated, and how long.
 *
 * The search is a successive halving. Its rungs have windows of increasing length: short; a length between short and
 * long if these are far apart; long; longer. On each rung, only those candidates are simulated for which the previous
 * rung left undecided whether they are on the front. */
#include "experiments/design/design.h"
#include "experiments/runs/folder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_BATCH 8u /* candidates that are begun together */
#define FEWEST 6       /* of those that wait, a share of one in so many is begun */
#define FAR_APART 5.0  /* long over short, from which on there is a rung between them */
#define COARSE 4       /* times as wide may intervals of latency be that choose the front */

/* A network whose backlog grows at a load saturates below it. */
static void take_load(const struct xp_search_space *s, struct xp_series *q, const struct xp_sim_run *l)
{
	double load = s->c.study.number.latency_load / XP_CARRIED;
	if (l->done && l->said == SIM_GROWING && q->low < load && load < q->high)
		q->high = load;
}

/* Takes in what runs said, and takes those out that cannot be on the front any more. */
static void learn(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		for (size_t n = 0; n < s->c.columns && xp_races(k); n++) {
			const struct xp_series *q = &k->design->series[n];
			if (q->stage == XP_BROKEN_OFF)
				k->rejected = base_strdup(q->run[q->nruns - 1]->failed);
		}
		if (xp_races(k) && k->design->latency)
			take_load(s, &k->design->series[0], k->design->latency);
		if (xp_races(k))
			xp_space_candidate_value(s, k);
	}
	if (s->c.study.number.eliminate)
		xp_sieve(s);
}

/* --- rounds of runs -------------------------------------------------------------------------------------- */

static bool is_searched(const struct xp_series *q, enum xp_stage stage)
{
	return q->stage == stage && !q->impossible;
}

/* The series of a candidate that its next run is of: all that are searched, or the one that is known least. */
static bool is_next(const struct xp_search_space *s, const struct xp_design *d, size_t column, enum xp_stage stage,
                    bool all)
{
	if (!is_searched(&d->series[column], stage))
		return false;
	for (size_t n = 0; n < s->c.columns && !all; n++)
		if (n != column && is_searched(&d->series[n], stage)) {
			double mine = xp_series_doubt(s, d, column), other = xp_series_doubt(s, d, n);
			if (other > mine || (other >= mine && n < column))
				return false;
		}
	return true;
}

/* Runs that long ones need not continue: their result is known. */
static void give_up(struct xp_search_space *s)
{
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		for (size_t n = 0; n < s->c.columns && xp_races(k) && !xp_unclear(s, k); n++)
			if (k->design->series[n].stage == XP_REFINE)
				k->design->series[n].stage = XP_REFINED;
	}
}

enum why { TO_CHOOSE, TO_KNOW }; /* the front; an interval, whatever becomes of the candidate */

/* Searches the series of all in the race that are in that stage to their end. */
static int search(struct xp_search_space *s, enum xp_stage stage, enum why why, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	size_t most = s->ncandidates * c->columns;
	struct xp_series **series = base_calloc(most + 1, sizeof(struct xp_series *));
	struct xp_sim_run **run = base_calloc(most + 1, sizeof(struct xp_sim_run *));
	int status = 0;
	for (size_t n = 1; n && !status;) {
		n = 0;
		for (size_t i = 0; i < s->ncandidates; i++)
			for (size_t k = 0; k < c->columns && xp_races(&s->candidate[i]); k++) {
				struct xp_series *q = &s->candidate[i].design->series[k];
				if (!is_next(s, s->candidate[i].design, k, stage, why == TO_KNOW))
					continue;
				series[n] = q;
				run[n] = xp_sim_run_of_series(c, q, q->next, stage == XP_SEARCH ? XP_SHORT : XP_LONG);
				q->run = base_realloc(q->run, (q->nruns + 1) * sizeof(struct xp_sim_run *));
				q->run[q->nruns++] = run[n++];
			}
		status = n ? xp_batch_run(c, run, n, errors) : 0;
		for (size_t i = 0; i < n && !status; i++) {
			if (run[i]->done)
				xp_search_step(series[i], run[i]);
			else
				series[i]->stage = XP_BROKEN_OFF;
		}
		for (size_t i = 0; i < s->ncandidates && !status && why == TO_KNOW; i++)
			if (xp_races(&s->candidate[i]))
				xp_windows_longer(s, s->candidate[i].design);
		if (!status && why == TO_CHOOSE) {
			learn(s);
			if (stage == XP_REFINE)
				give_up(s);
		}
	}
	free(series);
	free(run);
	return status;
}

static bool wanted_again(const struct xp_space_candidate *k)
{
	return k->design && k->design->latency && xp_latency_is_doubtful(&k->design->series[0], k->design->latency);
}

/* Latency of those that `wanted` says; where that is doubtful, by a second run. */
static int measure_latency(struct xp_search_space *s,
                           bool (*wanted)(const struct xp_search_space *s, const struct xp_space_candidate *k),
                           double coarse, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	struct xp_sim_run **run = base_calloc(s->ncandidates + 1, sizeof(struct xp_sim_run *));
	size_t n = 0;
	c->coarse = coarse;
	for (size_t i = 0; i < s->ncandidates && xp_has_latency(s); i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		if (xp_races(k) && wanted(s, k) && !isinf(k->best[XP_GOAL_MEAN]))
			run[n++] = k->design->latency =
			    xp_sim_run_of_series(c, &k->design->series[0], c->study.number.latency_load, XP_LATENCY);
	}
	int status = n ? xp_batch_run(c, run, n, errors) : 0;
	n = 0;
	for (size_t i = 0; i < s->ncandidates && xp_has_latency(s) && !status; i++) {
		struct xp_design *d = s->candidate[i].design;
		if (xp_races(&s->candidate[i]) && wanted_again(&s->candidate[i]))
			run[n++] = d->latency = xp_sim_run_again(c, &d->series[0], d->latency);
	}
	if (n)
		status = xp_batch_run(c, run, n, errors);
	c->coarse = 0;
	free(run);
	return status;
}

static bool has_no_latency(const struct xp_search_space *s, const struct xp_space_candidate *k)
{
	(void)s;
	return k->chosen && !k->design->latency;
}

static bool has_unclear_latency(const struct xp_search_space *s, const struct xp_space_candidate *k)
{
	bool wide = false;
	for (int g = XP_GOAL_MEAN; g <= XP_GOAL_P99; g++)
		wide |= xp_wants(s, (enum xp_goal)g) &&
		        k->worst[g] - k->best[g] > s->c.study.number.width / 100 * (k->worst[g] + k->best[g]);
	return wide && xp_unclear(s, k);
}

static bool is_on_front(const struct xp_search_space *s, const struct xp_space_candidate *k)
{
	(void)s;
	return k->front;
}

/* --- rungs ----------------------------------------------------------------------------------------------- */

/* Chooses the more promising of those that wait. Returns how many. */
static size_t choose_some(struct xp_search_space *s, enum xp_stage stage)
{
	size_t n;
	struct xp_space_candidate **order = xp_promising(s, &n);
	size_t some = s->c.study.number.eliminate ? (n + FEWEST - 1) / FEWEST : n;
	some = some < LEAST_BATCH ? LEAST_BATCH < n ? LEAST_BATCH : n : some;
	for (size_t i = 0; i < some; i++) {
		order[i]->chosen = true;
		for (size_t k = 0; k < s->c.columns && xp_saturates(s); k++)
			xp_search_begin(&order[i]->design->series[k], stage);
	}
	free(order);
	return some;
}

/* All of them, with long runs. */
static int exhaust(struct xp_search_space *s, struct base_errors *errors)
{
	choose_some(s, XP_REFINE);
	for (size_t i = 0; i < s->ncandidates; i++)
		if (xp_races(&s->candidate[i]))
			xp_windows_begin(s, s->candidate[i].design);
	int status = search(s, XP_REFINE, TO_KNOW, errors);
	learn(s);
	if (!status)
		status = measure_latency(s, has_no_latency, 1, errors);
	learn(s);
	return status;
}

/* Runs what is still open with windows `longer` times as long as long ones. */
static int climb(struct xp_search_space *s, double longer, struct base_errors *errors)
{
	for (size_t i = 0; i < s->ncandidates; i++)
		for (size_t k = 0; k < s->c.columns && xp_unclear(s, &s->candidate[i]); k++) {
			struct xp_series *q = &s->candidate[i].design->series[k];
			if ((q->stage == XP_KNOWN || q->stage == XP_REFINED) &&
			    xp_series_is_wide(q, s->c.study.number.width / 100)) {
				xp_search_begin(q, XP_REFINE);
				q->longer = longer;
			}
		}
	return search(s, XP_REFINE, TO_CHOOSE, errors);
}

static int race(struct xp_search_space *s, struct base_errors *errors)
{
	double ratio = (double)s->c.study.number.many / (double)s->c.study.number.few;
	int status = 0;
	while (!status && choose_some(s, XP_SEARCH)) {
		status = measure_latency(s, has_no_latency, COARSE, errors);
		learn(s);
		if (!status)
			status = search(s, XP_SEARCH, TO_CHOOSE, errors);
		if (!status && xp_space_write(s, errors))
			status = -1;
	}
	if (!status && ratio >= FAR_APART)
		status = climb(s, 1 / sqrt(ratio), errors);
	if (!status)
		status = measure_latency(s, has_unclear_latency, 1, errors);
	learn(s);
	return status ? status : climb(s, 1, errors);
}

/* --- the front ------------------------------------------------------------------------------------------- */

/* Nothing of what chose the front goes into its intervals, but for the load of the first run. */
static int measure_front(struct xp_search_space *s, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	s->fresh_from = c->nsim_runs;
	c->fresh = s->fresh;
	for (size_t i = 0; i < s->ncandidates; i++) {
		struct xp_space_candidate *k = &s->candidate[i];
		if (!k->front) {
			k->out = true;
			continue;
		}
		for (size_t n = 0; n < c->columns && xp_saturates(s); n++) {
			struct xp_series *q = &k->design->series[n];
			q->most = (q->low + q->high) / 2;
			xp_search_begin(q, XP_REFINE);
		}
		xp_windows_begin(s, k->design);
		for (size_t n = 0; n < c->columns && xp_saturates(s); n++) {
			struct xp_series *q = &k->design->series[n];
			q->low = q->floor = q->shown = 0;
			q->high = q->cap.share >= 0 ? fmin(1, q->cap.share) : 1;
		}
	}
	int status = xp_saturates(s) ? search(s, XP_REFINE, TO_KNOW, errors) : 0;
	if (!status)
		status = measure_latency(s, is_on_front, 1, errors);
	c->fresh = NULL;
	for (size_t i = 0; i < s->ncandidates && !status; i++)
		if (s->candidate[i].front) {
			xp_space_candidate_value(s, &s->candidate[i]);
			s->candidate[i].measured = true;
		}
	return status;
}

static const char *const tables[] = { "design.json", "front.csv", NULL };

int xp_space_run(struct xp_search_space *s, struct base_errors *errors)
{
	struct xp_compare *c = &s->c;
	int status = xp_folder_take(&c->runs, tables, errors);
	if (status)
		return status;
	status = xp_permutations_write(c, errors);
	for (size_t i = 0; i < s->ncandidates; i++)
		for (size_t k = 0; k < c->columns && !s->candidate[i].rejected; k++)
			if (s->candidate[i].design->series[k].impossible)
				s->candidate[i].rejected = base_strdup(s->candidate[i].design->series[k].impossible);
	if (!status)
		status = c->study.number.eliminate ? race(s, errors) : exhaust(s, errors);
	if (!status) {
		learn(s);
		xp_find_front(s);
		status = measure_front(s, errors);
	}
	s->complete = !status && !c->lost;
	if (status != -1 && xp_space_write(s, errors))
		status = -1;
	xp_folder_release(&c->runs);
	return status < 0 || (!status && c->lost) ? 1 : status;
}
