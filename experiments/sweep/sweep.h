/* experiments/sweep/sweep.h - the points of an experiment and their runs. */
#ifndef EXPERIMENTS_SWEEP_SWEEP_H
#define EXPERIMENTS_SWEEP_SWEEP_H

#include "base/plugin.h"
#include "experiments/config/config.h"
#include "experiments/results/inputs.h"
#include "experiments/sweep/experiment.h"
#include "experiments/sweep/lock.h"

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

enum xp_state { XP_UNASKED, XP_WAITING, XP_RUNNING, XP_RAN, XP_KEPT, XP_FAILED, XP_STOPPED };

/* One run of a point, with one seed. */
struct xp_trial {
	uint64_t seed;
	char *name;      /* of its file; unique */
	char *file;      /* of its result */
	const char *job; /* the experiment's impact_job */
	char *set;       /* "seed=N"; NULL for the first of a point */
	char *resolved;  /* its whole configuration, as JSON */
	struct xp_inputs inputs;
	enum xp_state state;
	char *message; /* why it failed */
	bool lost;   /* it failed, and not by what it is: it was killed or interrupted alone, or could not be started or
	                written */
	json_t *row; /* of the summary table; NULL if there is no result */
};

/* One configuration of a sweep, run with one seed or several. */
struct xp_point {
	const struct xp_value *at[XP_MAX_AXES];
	char *name; /* the labels, fit for a file name */
	struct xp_trial *trial;
	size_t ntrials;
	json_t *row; /* of the summary table, once the sweep has ended; NULL if the point was not asked for */
};

struct xp_sweep {
	struct xp_experiment experiment;
	struct xp_point *point;
	struct xp_trial *trial; /* of all points, in their order */
	size_t n, ntrials;
	bool brief;
	char *folder;
	struct xp_lock lock;        /* on the folder */
	char *config;               /* what the children are given to run */
	const char **set, **plugin; /* of the command line: assignments, shared objects; not owned */
	size_t nset, nplugin;
	struct base_registry registry;
	char *checked; /* traffic of the point whose was checked last, see points.c */
	int jobs;
	bool rerun, quiet, progress;
};

/* Fills sweep->point from the experiment: the cartesian product, with its trials. Every configuration is checked;
 * errors of several points that read the same are reported once. */
int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors);
/* Runs what has no result yet. Returns 0, 1 if a point failed, 130 if interrupted; -1 with errors if nothing could run.
 */
int xp_sweep_run(struct xp_sweep *sweep, struct base_errors *errors);
/* Of several sweeps that are one piece of work: from here on signals that end a sweep wait, and the next one of them
 * reads them. *before: for xp_sweep_release_signals(), which drops those that came too late. */
void xp_sweep_hold_signals(sigset_t *before);
void xp_sweep_release_signals(const sigset_t *before);
void xp_sweep_free(struct xp_sweep *sweep);
/* All assignments of a trial, in the order in which they apply, and where the experiment has them. Free both arrays,
 * not the texts. */
struct xp_sets xp_trial_settings(const struct xp_sweep *sweep, const struct xp_trial *trial);
void xp_trial_settings_free(struct xp_sets *sets);
/* What the trials of a point come to: one that runs, failed, was stopped or has still to run stands for all. */
enum xp_state xp_point_state(const struct xp_point *point);

/* The configuration that an experiment names as its base, which is looked for beside its file, then here, then among
 * the shipped ones. The caller's; NULL with errors. ground.c */
char *xp_experiment_base(const struct xp_experiment *e, struct base_errors *errors);
/* A group as the text of a configuration; the caller's. file.c */
char *xp_group_text(const struct xp_node *group);
/* Loads the plug-ins that an experiment names; those of its base are loaded with that. Files that its inline
 * configuration names are located. */
int xp_experiment_plugins(struct xp_experiment *e, struct base_registry *registry, struct base_errors *errors);

/* mkdir -p */
int xp_make_folder(const char *path, struct base_errors *errors);

#endif
