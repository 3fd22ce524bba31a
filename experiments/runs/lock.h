/* experiments/runs/lock.h - ensures that only one study uses a results directory.
 *
 * FOLDER/.lock identifies the process: host, pid and start time, so that a lock is recognised as stale if its process
 * is dead or its pid has been reused. In addition the study and the runs that it starts hold the file with flock(), so
 * no other study uses a directory into which a run of a killed one may still write. */
#ifndef EXPERIMENTS_RUNS_LOCK_H
#define EXPERIMENTS_RUNS_LOCK_H

#include "base/error.h"

struct xp_lock {
	char *path; /* NULL: not held */
	int fd;
};

/* Returns 0, or -1 with an error that identifies the process holding the lock. The lock ends with xp_lock_release() or
 * a signal. */
int xp_lock_take(struct xp_lock *lock, const char *folder, struct base_errors *errors);
void xp_lock_release(struct xp_lock *lock);

#endif
