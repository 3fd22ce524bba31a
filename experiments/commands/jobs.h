/* experiments/commands/jobs.h - option --jobs: how many runs are executed simultaneously. */
#ifndef EXPERIMENTS_COMMANDS_JOBS_H
#define EXPERIMENTS_COMMANDS_JOBS_H

/* Parses the argument of --jobs, a number of simultaneous runs, into *jobs. If `text` is NULL, the number is
 * `default_value`; if that is 0 too, it is the number of cores available to this process. Returns 0, or -1 after
 * printing an error. */
int xp_read_jobs(const char *text, int default_value, int *jobs);

#endif
