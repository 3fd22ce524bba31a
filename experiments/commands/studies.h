/* experiments/commands/studies.h - the common begin and end of the commands that run studies: sweep, compare, design.
 */
#ifndef EXPERIMENTS_COMMANDS_STUDIES_H
#define EXPERIMENTS_COMMANDS_STUDIES_H

#include "experiments/commands/command.h"
#include "experiments/runs/runs.h"

/* Takes the options for running from the command line, calls `work`, and prints the errors. Returns the exit status. If
 * an MPI launcher started several ranks, the first one does all the work. Until runs are started, SIGHUP, SIGINT and
 * SIGTERM end the program with a message. */
int xp_study_command(const struct xp_options *o, struct xp_runs *runs,
                     int (*work)(void *study, const struct xp_options *o, struct base_errors *errors), void *study);
/* The path of the study's file, owned by the caller; NULL with errors. Sets runs->folder to the directory given by
 * --out, if any. */
char *xp_study_file(const struct xp_options *o, struct xp_runs *runs, struct base_errors *errors);
/* Prints where the results are. */
void xp_study_results(const struct xp_runs *runs);
/* Prints that the study was interrupted, or how many runs were killed. Returns whether one of the two is the case. */
bool xp_study_unfinished(int status, size_t lost);

#endif
