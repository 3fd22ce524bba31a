/* experiments/sweep/sweep.h - the points of an experiment and their runs. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_H
#define EXPERIMENTS_SWEEP_SWEEP_H

#include "experiments/runs/runs.h"
#include "experiments/sweep/experiment.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One configuration of a sweep, run with one seed or several. */
struct xp_point {
	const struct xp_value *at[XP_MAX_AXES];
	char *name;         /* the labels, fit for a file name */
	struct xp_run *run; /* [nruns] */
	size_t nruns;
	json_t *row; /* of the summary table, once the sweep has ended; NULL if the point was not asked for */
};

struct xp_sweep {
	struct xp_experiment experiment;
	struct xp_point *point;
	size_t n;
	struct xp_runs runs; /* of all points, in their order */
	char **seed;         /* [runs.n] "seed=N" of a run; NULL of the first of each point */
	bool brief;
};

/* Fills sweep->point from the experiment: the cartesian product, with its runs. Every configuration is checked; errors
 * of several points that read the same are reported once. */
int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors);
/* Runs what has no result yet, and makes the rows of the points. Returns as xp_runs_run() does. */
int xp_sweep_run(struct xp_sweep *sweep, struct base_errors *errors);
void xp_sweep_free(struct xp_sweep *sweep);
/* What the runs of a point come to: one that runs, failed, was stopped or has still to run stands for all. */
enum xp_run_state xp_point_state(const struct xp_point *point);

#endif
