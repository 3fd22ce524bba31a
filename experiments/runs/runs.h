/* experiments/runs/runs.h - the runs of a study: a list, and a pool of processes that makes their results.
 *
 * Sweeps, comparisons and designs are studies. They differ in which runs they ask for and in what they make of the
 * results; how a run is read beforehand, started, kept and reported is the same for all of them and is here. Each run
 * is a child of this program, as many at once as there are jobs, and leaves one file in the results folder. */
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
	bool lost;   /* it failed, and not by what it is: it was killed or interrupted alone, or could not be started or
	                written */
	json_t *row; /* what its result says (experiments/results/row.h); NULL if there is none */
};

struct xp_runs;

/* What studies do differently. */
struct xp_runs_ops {
	/* All assignments of a run, in the order in which they apply, and where the study has them. The arrays are
	 * freed by xp_run_settings_free(), the texts are the study's. Called when a run is read beforehand, started,
	 * and when one has failed. */
	struct xp_sets (*settings)(const struct xp_runs *runs, const struct xp_run *run);
	/* Marks those runs as waiting that the results so far call for: it depends on results only, never on the order
	 * in which they came. Called when results have come. NULL: all runs are called for. */
	void (*plan)(struct xp_runs *runs);
	/* Adds what is wrong with a configuration that can be read; called when a run is read beforehand. NULL:
	 * nothing.
	 */
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

/* Labels joined by "_" to a run's name, with nothing in it that a file name should not have. The caller's. */
char *xp_run_name(const char *const *label, size_t n);
#define XP_MOST_RUN_NAME 224 /* characters */
/* Where the result of a run of that name is; the caller's. */
char *xp_run_file(const struct xp_runs *runs, const char *name);
/* Have two runs of the list one name? Then their numbers go to `two`, in their order. */
bool xp_runs_same_name(const struct xp_runs *runs, size_t two[2]);
void xp_run_settings_free(struct xp_sets *sets);

/* Reads the configuration of a run as the run will, and fills in what it is made from: resolved, inputs, seed. Every
 * problem is added to errors with its place, unless it is there already. */
void xp_run_resolve(struct xp_runs *runs, struct xp_run *run, struct base_errors *errors);

/* Makes the results of all runs that are called for and have none. Returns 0, 1 if a run failed, 130 if interrupted;
 * -1 with errors if nothing could run. pool.c */
int xp_runs_run(struct xp_runs *runs, struct base_errors *errors);
/* Of several lists that are one piece of work: from here on signals that end a study wait, and the next list reads
 * them. *before: for xp_runs_release_signals(), which drops those that came too late. */
void xp_runs_hold_signals(sigset_t *before);
void xp_runs_release_signals(const sigset_t *before);

/* Frees the list, so that there can be another one. */
void xp_runs_clear(struct xp_runs *runs);
/* And all else. */
void xp_runs_free(struct xp_runs *runs);

#endif
