/* experiments/commands/studies.h - how the commands begin and end that make the runs of a study: sweep, compare,
 * design.
 */
#ifndef EXPERIMENTS_COMMANDS_STUDIES_H
#define EXPERIMENTS_COMMANDS_STUDIES_H

#include "experiments/commands/command.h"
#include "experiments/runs/runs.h"

/* Takes from the command line how runs are made, lets `work` do it, and prints the errors. Returns the exit status. Of
 * several ranks that an MPI launcher has started the first one does all the work. Until runs are started, SIGHUP,
 * SIGINT and SIGTERM end the program with a message. */
int xp_study_command(const struct xp_options *o, struct xp_runs *runs,
                     int (*work)(void *study, const struct xp_options *o, struct base_errors *errors), void *study);
/* The file of the study, the caller's; NULL with errors. runs->folder is the one that --out names, if it does. */
char *xp_study_file(const struct xp_options *o, struct xp_runs *runs, struct base_errors *errors);
/* Says where the results are, for people. */
void xp_study_results(const struct xp_runs *runs);
/* Says that the study was interrupted, or how many runs were lost. Returns whether it did. */
bool xp_study_unfinished(int status, size_t lost);

#endif
