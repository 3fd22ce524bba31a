/* experiments/runs/runs.h - the runs of a study: a list of runs, and a pool of processes that executes them.
 *
 * Sweeps, comparisons and designs are studies. They differ in the choice of runs and in the evaluation of results;
 * checking, starting, reusing and reporting runs is the same for all of them and implemented here. Each run is a child
 * process of this program, as many at once as there are jobs, and writes one file in the results directory. */
#ifndef EXPERIMENTS_RUNS_RUNS_H
#define EXPERIMENTS_RUNS_RUNS_H

#include "base/plugin.h"
#include "experiments/config/config.h"
#include "experiments/results/inputs.h"
#include "experiments/runs/ground.h"
#include "experiments/runs/lock.h"

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum xp_run_state { XP_UNASKED, XP_WAITING, XP_RUNNING, XP_RAN, XP_KEPT, XP_FAILED, XP_STOPPED };

/* One run, with one configuration and one seed. */
struct xp_run {
	char *name;      /* of its file; unique in its list */
	char *file;      /* of its result */
	double rank;     /* with several jobs, the least is started first; of the same rank, the first of the list */
	const char *job; /* whose impact its row has (experiments/results/row.h); NULL: none has it */
	uint64_t seed;
	char *resolved; /* its whole configuration, as JSON; NULL: it cannot be read */
	struct xp_inputs inputs;
	enum xp_run_state state;
	char *message; /* why it failed */
	bool lost; /* the run failed for a reason unrelated to its configuration: it was killed or interrupted, or could
	              not be started or written */
	json_t *row; /* what its result says (experiments/results/row.h); NULL if there is none */
};

struct xp_runs;

/* What studies do differently. */
struct xp_runs_ops {
	/* Returns all assignments of a run, in the order in which they apply, and their locations in the study. The
	 * arrays are freed by xp_run_settings_free(); the texts belong to the study. Called when a run is checked,
	 * started, and after a failure. */
	struct xp_sets (*settings)(const struct xp_runs *runs, const struct xp_run *run);
	/* Marks the runs that are required by the results so far as waiting. The decision must depend on results only,
	 * not on the order in which they arrive. Called after results have arrived. NULL: all runs are required. */
	void (*plan)(struct xp_runs *runs);
	/* Adds errors about a configuration that could be read; called when a run is checked. NULL: there are no
	 * further checks. */
	void (*check)(const struct xp_runs *runs, const struct net_config *config, struct base_errors *errors);
};

struct xp_runs {
	const struct xp_runs_ops *ops;
	void *study; /* whose functions these are */
	const struct xp_ground *ground;
	char *folder;
	struct xp_lock lock;        /* on the folder */
	char *config;               /* the configuration that runs are given, a path */
	const char **set, **plugin; /* of the command line: assignments, shared objects; not owned */
	size_t nset, nplugin;
	struct base_registry registry;
	int jobs;            /* runs at once */
	bool rerun;          /* no result is kept */
	bool progress;       /* a line on the terminal says how far they are */
	const char *counted; /* what that line counts: "points", "runs" */
	struct xp_run *run;
	size_t n;
	char *checked; /* traffic of the run whose was checked last, see resolve.c */
};

/* The name of a run: its labels joined by "_", without characters that are unsuitable in file names. Owned by the
 * caller. */
char *xp_run_name(const char *const *label, size_t n);
#define XP_MOST_RUN_NAME 224 /* characters */
/* The path of the result of the run with that name, owned by the caller. */
char *xp_run_file(const struct xp_runs *runs, const char *name);
/* Do two runs of the list have the same name? Their numbers are then stored in `two`, in increasing order. */
bool xp_runs_same_name(const struct xp_runs *runs, size_t two[2]);
void xp_run_settings_free(struct xp_sets *sets);

/* Reads the configuration of a run as the run itself will, and fills in its members resolved, inputs and seed. Every
 * problem is added to errors with its location, unless it is already there. */
void xp_run_resolve(struct xp_runs *runs, struct xp_run *run, struct base_errors *errors);

/* Executes all runs that are required and have no result. Returns 0, 1 if a run failed, 130 if interrupted; -1 with
 * errors if no run could start. pool.c */
int xp_runs_run(struct xp_runs *runs, struct base_errors *errors);
/* Blocks the signals that end a study from here on, so that several lists of runs are one unit of work; the next list
 * reads them. *before is for xp_runs_release_signals(), which discards signals that arrived too late. */
void xp_runs_hold_signals(sigset_t *before);
void xp_runs_release_signals(const sigset_t *before);

/* Frees the list, so that another one can be created. */
void xp_runs_clear(struct xp_runs *runs);
/* And all else. */
void xp_runs_free(struct xp_runs *runs);

#endif
