/* experiments/sweep/plan.h - which points of the grid are run. */
#ifndef EXPERIMENTS_SWEEP_PLAN_H
#define EXPERIMENTS_SWEEP_PLAN_H

#include "experiments/sweep/sweep.h"

/* Marks the runs that the results so far call for as waiting: those of every point; along x up to the first point
 * that is not stationary (stop = "saturation"); or those of a bisection (find = "saturation"). What is called for
 * depends on results only, never on the order in which they came. */
void xp_plan(struct xp_sweep *sweep);

/* The table of saturation: an array of {"labels": {...}, "low": x, "high": x}, one for every combination of labels on
 * the axes other than x, in the order of the rows. `high` is the least x at which a row is not stationary, `low` the
 * largest below it at which one is; each is null if there is none. Rows that could not tell end no series: only of a
 * bisection, which goes on below them, are they at `high`, and "decided" is false then. */
json_t *xp_saturation(const struct xp_experiment *e, const json_t *rows);

#endif
