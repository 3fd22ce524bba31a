/* experiments/runs/folder.h - the results directory of a study, used by one study and one process at a time. */
#ifndef EXPERIMENTS_RUNS_FOLDER_H
#define EXPERIMENTS_RUNS_FOLDER_H

#include "experiments/runs/runs.h"

/* Creates the directory or continues with an existing one of this study, locks it, removes temporary files left by a
 * killed process, and writes the files that runs read. `table`: names of the files that the study will write there,
 * ending with NULL. Returns 0; with errors 1 if this failed, if another study uses the directory or if a table cannot
 * be written, 2 if the directory contains the results of another study. */
int xp_folder_take(struct xp_runs *runs, const char *const *table, struct base_errors *errors);
void xp_folder_release(struct xp_runs *runs);
/* Removes the tables of an earlier sweep, comparison or design, since they are about to be replaced or belong to
 * another study. Called once per process, which uses one directory. */
void xp_folder_forget_tables(const char *folder);

/* The path of the study's file from sweep.json in a results directory; NULL: there is no such file, or it names none.
 * `path`: of sweep.json. Owned by the caller. */
char *xp_folder_owner(const char *path);

/* The directory given by --out, as a path that a run cannot mistake for an option. Owned by the caller. */
char *xp_folder_named(const char *out);

/* mkdir -p */
int xp_make_folder(const char *path, struct base_errors *errors);

#endif
