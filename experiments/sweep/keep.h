/* experiments/sweep/keep.h - whether a result that is there already stands for a run of the sweep. */
#ifndef EXPERIMENTS_SWEEP_KEEP_H
#define EXPERIMENTS_SWEEP_KEEP_H

#include "experiments/sweep/sweep.h"

/* Of a file that holds no result, from its beginning. */
#define XP_UNREADABLE "its result cannot be read"

/* Reads the trial's result. NULL if it is whole and was made from the same configuration, the same program and the same
 * files, all by their content; then trial->row is its row. Else why not, one line fit for a terminal that the caller
 * frees; "" if there is no result. */
char *xp_keep(struct xp_trial *trial);

#endif
