/* experiments/commands/studies.h - code shared by the commands that run studies (sweep, compare, design): their start,
 * and the messages at their end. */
#ifndef EXPERIMENTS_COMMANDS_STUDIES_H
#define EXPERIMENTS_COMMANDS_STUDIES_H

#include "experiments/commands/command.h"
#include "experiments/runs/runs.h"

/* Takes the options for running from the command line, calls `work`, and prints the errors. Returns the exit status. If
 * an MPI launcher started several ranks, the first one does all the work. Until runs are started, SIGHUP, SIGINT and
 * SIGTERM end the program with a message. */
int xp_study_command(const struct xp_options *o, struct xp_runs *runs,
                     int (*work)(void *study, const struct xp_options *o, struct base_errors *errors), void *study);
/* Returns the path of the study's file, owned by the caller, or NULL with errors. Also sets runs->folder to the results
 * directory given by --out, if there is one. */
char *xp_study_file(const struct xp_options *o, struct xp_runs *runs, struct base_errors *errors);
/* Prints the path of the results directory. */
void xp_study_results(const struct xp_runs *runs);
/* Prints a message if the study was interrupted, or if `lost` runs were killed. Returns true in these two cases, else
 * false. */
bool xp_study_unfinished(int status, size_t lost);

#endif
