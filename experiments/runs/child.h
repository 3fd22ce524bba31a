/* experiments/runs/child.h - a run as a child process of this program, whose error output is read through a pipe. */
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

/* Settings common to all children. */
struct xp_parent {
	const struct xp_runs *runs;
	pid_t self;
	sigset_t mask, held; /* the signal mask that children get, but for `held`, which they do not block */
	char **environment;  /* with capacity for one more */
};

/* The environment without the variables of an MPI library, since a child is a job of its own, not a rank of this one.
 * The array is owned by the caller. */
char **xp_child_environment(void);
/* Starts a run on `cores` cores. Returns 0, or -1 with errno. */
int xp_child_start(struct xp_child *child, const struct xp_parent *parent, struct xp_run *run, int cores);
/* Reads available error output of a child; returns false when the child has closed its end of the pipe. */
bool xp_child_listen(struct xp_child *child);
/* Has the child written a result? A file that already existed when it started does not count. */
bool xp_child_has_written(const struct xp_child *child);

#endif
