/* experiments/sweep/sweep.h - the points of an experiment and their runs. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_H
#define EXPERIMENTS_SWEEP_SWEEP_H

#include "experiments/runs/runs.h"
#include "experiments/sweep/experiment.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One configuration of a sweep, run with one or several seeds. */
struct xp_point {
	const struct xp_value *at[XP_MAX_AXES];
	char *name;         /* the labels, fit for a file name */
	struct xp_run *run; /* [nruns] */
	size_t nruns;
	json_t *row; /* of the summary table, once the sweep has ended; NULL if the point was not requested */
};

struct xp_sweep {
	struct xp_experiment experiment;
	struct xp_point *point;
	size_t n;
	struct xp_runs runs; /* of all points, in their order */
	char **seed;         /* [runs.n] "seed=N" of a run; NULL of the first of each point */
	bool brief;
};

/* Fills in sweep->point from the experiment: the cartesian product of the axes, with all runs. Every configuration is
 * checked; errors that are the same for several points are reported once. */
int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors);
/* Executes runs without a result, and makes the rows of the points. Returns as xp_runs_run() does. */
int xp_sweep_run(struct xp_sweep *sweep, struct base_errors *errors);
void xp_sweep_free(struct xp_sweep *sweep);
/* The state of a point with several runs: a running, failed, stopped or waiting run determines it, in this order. */
enum xp_run_state xp_point_state(const struct xp_point *point);

#endif
