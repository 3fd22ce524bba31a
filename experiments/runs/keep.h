/* experiments/runs/keep.h - whether a result that is there already stands for a run. */
#ifndef EXPERIMENTS_RUNS_KEEP_H
#define EXPERIMENTS_RUNS_KEEP_H

#include "experiments/runs/runs.h"

/* Of a file that holds no result, from its beginning. */
#define XP_UNREADABLE "its result cannot be read"

/* Reads the run's result. NULL if it is whole and was made from the same configuration, the same program and the same
 * files, all by their content; then run->row is its row. Else why not, one line fit for a terminal that the caller
 * frees; "" if there is no result. */
char *xp_keep(struct xp_run *run);

#endif
