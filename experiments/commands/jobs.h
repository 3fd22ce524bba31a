/* experiments/commands/jobs.h - number of simultaneous runs. */
#ifndef EXPERIMENTS_COMMANDS_JOBS_H
#define EXPERIMENTS_COMMANDS_JOBS_H

/* Parses --jobs N. If `text` is NULL, the number is `default_value`, or if that is 0, the number of cores available to
 * this process. Returns -1 after printing an error. */
int xp_read_jobs(const char *text, int default_value, int *jobs);

#endif
