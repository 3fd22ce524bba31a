/* experiments/sweep/folder.h - the results folder of a sweep: one experiment's, and one sweep at a time. */
#ifndef EXPERIMENTS_SWEEP_FOLDER_H
#define EXPERIMENTS_SWEEP_FOLDER_H

#include "experiments/sweep/sweep.h"

/* Makes the folder or takes over an older one of this experiment, locks it, removes temporary files that a killed sweep
 * left, and writes what the runs read. Returns 0; or, with errors, 1 if that failed or another sweep works there, 2 if
 * the folder holds the results of another experiment. */
int xp_folder_take(struct xp_sweep *sweep, struct base_errors *errors);
void xp_folder_release(struct xp_sweep *sweep);

/* The experiment that sweep.json in a results folder names; NULL: there is no such file, or it tells of none. `path`:
 * of that file. The caller's. */
char *xp_folder_owner(const char *path);

/* The folder that --out names, as a path that no run takes for an option. The caller's. */
char *xp_folder_named(const char *out);

#endif
