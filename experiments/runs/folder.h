/* experiments/runs/folder.h - the results folder of a study: one study's, and one program at a time. */
#ifndef EXPERIMENTS_RUNS_FOLDER_H
#define EXPERIMENTS_RUNS_FOLDER_H

#include "experiments/runs/runs.h"

/* Makes the folder or takes over an older one of this study, locks it, removes temporary files that a killed program
 * left, and writes what the runs read. `table`: names of the files that the study will write there, ended by NULL.
 * Returns 0; or, with errors, 1 if that failed, if another study works there or if a table has no place, 2 if the
 * folder holds the results of another study. */
int xp_folder_take(struct xp_runs *runs, const char *const *table, struct base_errors *errors);
void xp_folder_release(struct xp_runs *runs);
/* Removes the tables that an earlier sweep, comparison or design has left: what they tell of is about to be made again,
 * or is of another study. Once in a program, which works in one folder. */
void xp_folder_forget_tables(const char *folder);

/* The file of the study that sweep.json in a results folder names; NULL: there is no such file, or it tells of none.
 * `path`: of sweep.json. The caller's. */
char *xp_folder_owner(const char *path);

/* The folder that --out names, as a path that no run takes for an option. The caller's. */
char *xp_folder_named(const char *out);

/* mkdir -p */
int xp_make_folder(const char *path, struct base_errors *errors);

#endif
