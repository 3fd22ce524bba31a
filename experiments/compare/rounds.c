/* experiments/compare/rounds.c - which series are simulated, and how long.
 *
 * Each round is a batch with one run of every series that is being searched. In each column a few series are searched
 * at a time, first those with the highest bounds on their score. Series that can no longer be first are not started.
 * Finally, series whose intervals overlap with the best of their column, or with another completed one, get longer
 * runs. */
#include "experiments/compare/compare.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define ROOM 0.85 /* of the width that is wanted, for what is left between the loads of runs */
#define AT_ONCE 4 /* series of a column that are searched at the same time */

static bool takes_part(const struct xp_series *s)
{
	return !s->design->failed && !s->impossible;
}

static struct xp_series *at(struct xp_compare *c, size_t column, size_t design)
{
	return &c->design[design].series[column];
}

/* The most that is certain of a series of the column. */
static double certain(struct xp_compare *c, size_t column)
{
	double best = 0;
	for (size_t i = 0; i < c->ndesigns; i++)
		if (takes_part(at(c, column, i)))
			best = fmax(best, xp_worth(at(c, column, i), at(c, column, i)->low));
	return best;
}

static bool may_win(struct xp_compare *c, size_t column, const struct xp_series *s)
{
	return !c->study.number.eliminate || xp_worth(s, s->high) >= certain(c, column);
}

/* Do the intervals of two series of a column that were searched to their end have a worth in common? */
static bool overlaps(const struct xp_series *s, const struct xp_series *o)
{
	return s->low > 0 && o->low > 0 && xp_worth(s, s->high) >= xp_worth(o, o->low) &&
	       xp_worth(o, o->high) >= xp_worth(s, s->low);
}

/* May a narrower interval of the series change the ranking? */
static bool matters(struct xp_compare *c, size_t column, const struct xp_series *s)
{
	if (may_win(c, column, s))
		return true;
	for (size_t i = 0; i < c->ndesigns; i++) {
		const struct xp_series *o = at(c, column, i);
		if (o != s && takes_part(o) && overlaps(s, o))
			return true;
	}
	return false;
}

/* --- which are searched ---------------------------------------------------------------------------------- */

/* Begins the search of the most promising series of a column, as long as there are few at it. */
static void begin_more(struct xp_compare *c, size_t column)
{
	size_t busy = 0;
	for (size_t i = 0; i < c->ndesigns; i++)
		busy += at(c, column, i)->stage == XP_SEARCH;
	while (busy < AT_ONCE) {
		struct xp_series *best = NULL;
		for (size_t i = 0; i < c->ndesigns; i++) {
			struct xp_series *s = at(c, column, i);
			if (s->stage != XP_WAITS || !takes_part(s))
				continue;
			if (!may_win(c, column, s))
				s->stage = XP_OUT;
			else if (!best || xp_worth(s, s->high) > xp_worth(best, best->high))
				best = s;
		}
		if (!best)
			return;
		xp_search_begin(best, XP_SEARCH);
		busy++;
	}
}

/* Can a series that is being searched no longer be first? Its interval is then final. */
static void drop_losers(struct xp_compare *c, size_t column)
{
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_series *s = at(c, column, i);
		if (s->stage == XP_SEARCH && s->tries && !s->design->finalist && !may_win(c, column, s))
			s->stage = XP_KNOWN;
		else if (s->stage == XP_REFINE && s->tries && !matters(c, column, s)) {
			s->stage = XP_REFINED;
			s->dropped = true;
		}
	}
}

/* Those that are not known well enough for their place. */
static void begin_refining(struct xp_compare *c, size_t column)
{
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_series *s = at(c, column, i);
		if (takes_part(s) && s->stage == XP_KNOWN && matters(c, column, s) &&
		    xp_series_is_wide(s, c->study.number.width / 100)) {
			xp_search_begin(s, XP_REFINE);
			xp_search_widen(s, (double)c->study.number.many, ROOM * c->study.number.width / 100);
		}
	}
}

/* --- rounds ---------------------------------------------------------------------------------------------- */

static void add_run(struct xp_series *s, struct xp_sim_run *run)
{
	s->run = base_realloc(s->run, (s->nruns + 1) * sizeof(struct xp_sim_run *));
	s->run[s->nruns++] = run;
}

/* Runs every series in that stage once; *ran is their number. Long runs end at different times, so runs of the finals
 * are added to the batch. Returns 0, 130 (interrupted), or -1. */
static int round_of(struct xp_compare *c, enum xp_stage stage, size_t *ran, struct base_errors *errors)
{
	size_t all = c->ndesigns * c->columns, n = 0;
	struct xp_series **series = base_calloc(all + 1, sizeof(struct xp_series *));
	struct xp_sim_run **run = base_calloc(all + xp_finals_most(c) + 1, sizeof(struct xp_sim_run *));
	for (size_t k = 0; k < c->columns; k++)
		for (size_t i = 0; i < c->ndesigns; i++) {
			struct xp_series *s = at(c, k, i);
			if (s->stage != stage)
				continue;
			series[n] = s;
			run[n] = xp_sim_run_of_series(c, s, s->next, stage == XP_SEARCH ? XP_SHORT : XP_LONG);
			add_run(s, run[n]);
			n++;
		}
	size_t more = n && stage == XP_REFINE ? xp_finals_early(c, &run[n]) : 0;
	int status = n ? xp_batch_run(c, run, n + more, errors) : 0;
	for (size_t i = 0; i < n && status != -1; i++) {
		if (run[i]->done)
			xp_search_step(series[i], run[i]);
		else if (run[i]->failed)
			series[i]->stage = XP_BROKEN_OFF;
	}
	free(series);
	free(run);
	*ran = n;
	return status;
}

/* Repeats until `begin` starts no more series and none is left in that stage. */
static int rounds(struct xp_compare *c, enum xp_stage stage, void (*begin)(struct xp_compare *c, size_t column),
                  struct base_errors *errors)
{
	for (size_t n = 1; n;) {
		for (size_t k = 0; k < c->columns; k++)
			begin(c, k);
		int status = round_of(c, stage, &n, errors);
		if (status)
			return status;
		for (size_t k = 0; k < c->columns; k++)
			drop_losers(c, k);
		xp_rank(c);
		if (xp_compare_write(c, errors))
			return -1;
	}
	return 0;
}

/* Long runs may have lowered the certain score of the best: starts series again that were left out because of it.
 * Returns whether there were any. */
static bool take_up(struct xp_compare *c)
{
	bool any = false;
	for (size_t k = 0; k < c->columns; k++)
		for (size_t i = 0; i < c->ndesigns; i++) {
			struct xp_series *s = at(c, k, i);
			if (s->stage == XP_OUT && may_win(c, k, s)) {
				s->stage = XP_WAITS;
				any = true;
			} else if (s->stage == XP_REFINED && s->dropped && matters(c, k, s) &&
			           xp_series_is_wide(s, c->study.number.width / 100)) {
				s->stage = XP_KNOWN;
				any = true;
			}
			s->dropped &= s->stage == XP_REFINED;
		}
	return any;
}

static void begin_none(struct xp_compare *c, size_t column)
{
	(void)c, (void)column;
}

int xp_rounds_of_finalists(struct xp_compare *c, size_t column, struct base_errors *errors)
{
	for (size_t i = 0; i < c->ndesigns; i++) {
		struct xp_series *s = at(c, column, i);
		if (s->design->finalist && s->stage == XP_OUT && takes_part(s))
			xp_search_begin(s, XP_SEARCH);
	}
	return rounds(c, XP_SEARCH, begin_none, errors);
}

int xp_run_rounds(struct xp_compare *c, struct base_errors *errors)
{
	int status;
	do {
		status = rounds(c, XP_SEARCH, begin_more, errors);
		if (!status)
			status = rounds(c, XP_REFINE, begin_refining, errors);
	} while (!status && take_up(c));
	return status;
}
