/* experiments/runs/lock.h - one study at a time in a results folder.
 *
 * FOLDER/.lock says which process works there: host, pid, and when it started, so that a lock is known to be stale when
 * its process is dead or its pid belongs to another one by now. The file is held with flock() besides, by the study and
 * by the runs it starts: no other study takes a folder over in which a run of a killed one may still write. */
#ifndef EXPERIMENTS_RUNS_LOCK_H
#define EXPERIMENTS_RUNS_LOCK_H

#include "base/error.h"

struct xp_lock {
	char *path; /* NULL: not held */
	int fd;
};

/* Returns 0, or -1 with an error that says who is at work. The lock ends with xp_lock_release() or a signal. */
int xp_lock_take(struct xp_lock *lock, const char *folder, struct base_errors *errors);
void xp_lock_release(struct xp_lock *lock);

#endif
