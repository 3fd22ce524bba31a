/* experiments/commands/jobs.h - how many runs at once. */
#ifndef EXPERIMENTS_COMMANDS_JOBS_H
#define EXPERIMENTS_COMMANDS_JOBS_H

/* --jobs N; `text` NULL: `standard`, or, if that is 0, as many as this process may use cores. Returns -1 after a
 * message. */
int xp_read_jobs(const char *text, int standard, int *jobs);

#endif
