/* experiments/runs/child.h - one run as a process: a child of this program, whose error output is read through a pipe.
 */
#ifndef EXPERIMENTS_RUNS_CHILD_H
#define EXPERIMENTS_RUNS_CHILD_H

#include "experiments/runs/runs.h"

#include <sys/stat.h>
#include <sys/types.h>

#define XP_CHILD_MESSAGE 4096

struct xp_child {
	struct xp_run *run; /* NULL: this slot is free */
	pid_t pid;
	int err;            /* the reading end of its standard error; -1 when closed */
	struct stat before; /* of the result that was there when it began; of no type: there was none */
	size_t n;
	char message[XP_CHILD_MESSAGE];
};

/* What all children have from this process. */
struct xp_parent {
	const struct xp_runs *runs;
	pid_t self;
	sigset_t mask, held; /* the signal mask that children get, but for `held`, which they do not block */
	char **environment;  /* with capacity for one more */
};

/* The environment without what an MPI library leaves in it: a child is a job of its own, not a rank of ours. The
 * array is the caller's. */
char **xp_child_environment(void);
/* Starts a run, which has `cores` of the jobs' cores for itself. Returns 0, or -1 with errno. */
int xp_child_start(struct xp_child *child, const struct xp_parent *parent, struct xp_run *run, int cores);
/* Takes what a child says; false when it has closed its end. */
bool xp_child_listen(struct xp_child *child);
/* Has the child written a result? One that was there when it began is not of this run. */
bool xp_child_has_written(const struct xp_child *child);

#endif
