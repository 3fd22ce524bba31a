/* experiments/sweep/plan.h - selection of the grid's points that are run. */
#ifndef EXPERIMENTS_SWEEP_PLAN_H
#define EXPERIMENTS_SWEEP_PLAN_H

#include "experiments/sweep/sweep.h"

/* Marks the runs that are required by the results so far as waiting: all points; the points along x up to the first
 * that is not stationary (stop = "saturation"); or those of a bisection (find = "saturation"). The decision depends on
 * results only, not on the order in which they arrive. */
void xp_plan(struct xp_sweep *sweep);

/* The table of saturation: an array of {"labels": {...}, "low": x, "high": x} with one entry for each combination of
 * labels on the axes other than x, in the order of the rows. `high` is the smallest x at which a row is not stationary,
 * `low` the largest x below it at which one is; each is null if there is none. Undecided rows do not end a series. Only
 * in a bisection, which continues below them, they define `high`, and "decided" is false then. */
json_t *xp_saturation(const struct xp_experiment *e, const json_t *rows);

#endif
