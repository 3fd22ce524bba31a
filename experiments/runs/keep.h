/* experiments/runs/keep.h - decides whether an existing result can be reused for a run. */
#ifndef EXPERIMENTS_RUNS_KEEP_H
#define EXPERIMENTS_RUNS_KEEP_H

#include "experiments/runs/runs.h"

/* The text with which a reason begins if the existing file contains no result. */
#define XP_UNREADABLE "its result cannot be read"

/* Reads the existing result of the run. Returns NULL if it is complete and was made from the same configuration,
 * program and files, compared by content; run->row is then its row. Otherwise the reason as one printable line, freed
 * by the caller; "" if there is no result. */
char *xp_keep(struct xp_run *run);

#endif
