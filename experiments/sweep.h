/* experiments/sweep.h - an experiment: a grid of configurations, and what is published or expected of its results.
 *
 * An experiment file is libconfig (docs/experiments.md has the reference):
 *
 *   title = "..."; description = "...";
 *   base = "slimfly-3k";                  a configuration to start from, or  config = { ... };
 *   set  = [ "engine.sync=sequential" ];  applied to every point
 *   grid = ( { name = "routing"; points = ( { label = "minimal"; set = [ "routing.kind=minimal" ]; }, ... ); },
 *            { name = "load"; path = "traffic.[0].load"; values = [ 0.1, 0.5 ]; short = [ 0.1 ]; } );
 *   x = "load";                           the axis that figures draw from left to right (default: the last)
 *   panels = "routing";                   the axis that gives a panel each (default: the first other than x, if there are two)
 *   short = { set = [ "time.measure=20us" ]; };       what --short adds
 *   published = { source = "..."; scales = ( { label = "raw"; factor = 1.0; } );
 *                 curves = ( { routing = "minimal"; x = [ ... ]; y = [ ... ]; note = "..."; } ); };
 *   expected = ( { routing = "minimal"; x = [ 0.1, 0.9 ]; of_offered = [ 0.99, 1.01 ]; } );
 *
 * The points are the cartesian product of the axes, the last axis running fastest. The results folder keeps a copy of
 * the file, so that a report needs nothing but the folder. */
#ifndef EXPERIMENTS_SWEEP_H
#define EXPERIMENTS_SWEEP_H

#include "base/error.h"
#include "base/plugin.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define XP_MAX_AXES 8

/* One value of an axis: what it is called and the assignments ("PATH=VALUE") that make it. */
struct xp_value {
	char *label;
	char **set;
	size_t nset;
	double x; /* the label as a number, NAN if it is none */
};

struct xp_axis {
	char *name;
	char *title; /* for people, with the unit */
	struct xp_value *v;
	size_t n;
	struct xp_value *brief; /* the values of a short sweep; NULL: the same */
	size_t nbrief;
};

/* Which points something is said about: the label wanted on each axis, NULL for any. */
struct xp_where {
	char *label[XP_MAX_AXES];
};

/* A published curve: x against accepted load, straight between the points given. */
struct xp_curve {
	struct xp_where where;
	double *x, *y;
	size_t n;
	char *note;
};

struct xp_scale {
	char *label;
	double factor;
};

/* Accepted load must lie within [min, max] for x in [low, high]; `relative`: min and max are multiples of offered load.
 */
struct xp_expect {
	struct xp_where where;
	double low, high;
	bool relative;
	double min, max;
};

struct xp_experiment {
	char *name; /* file name without folder and suffix */
	char *path; /* of the file */
	char *text; /* the file as it stands */
	size_t bytes;
	char *title, *description;
	char *base;   /* as written; NULL when `config` is given */
	char *config; /* libconfig text of the group `config`; NULL when `base` is given */
	char **set, **brief_set;
	size_t nset, nbrief_set;
	struct xp_axis axis[XP_MAX_AXES];
	size_t naxes, x;
	ptrdiff_t panels; /* axis, or -1: as the report likes */
	char *source; /* of what is published */
	struct xp_curve *curve;
	size_t ncurves;
	struct xp_scale *scale;
	size_t nscales;
	struct xp_expect *expect;
	size_t nexpects;
};

enum xp_state { XP_WAITING, XP_RUNNING, XP_RAN, XP_KEPT, XP_FAILED, XP_STOPPED };

/* One configuration of a sweep. */
struct xp_point {
	const struct xp_value *at[XP_MAX_AXES];
	char *name;     /* the labels, fit for a file name; unique */
	char *file;     /* of its result */
	char *resolved; /* its whole configuration, as JSON */
	enum xp_state state;
	char *message; /* why it failed */
	json_t *row;   /* of the summary table; NULL if there is no result */
};

struct xp_sweep {
	struct xp_experiment experiment;
	struct xp_point *point;
	size_t n;
	bool brief;
	char *folder;
	char *config;         /* what the children are given to run */
	char **set, **plugin; /* of the command line: assignments, shared objects; the texts are not owned */
	size_t nset, nplugin;
	struct base_registry registry;
	int jobs;
	bool audit, rerun, quiet, progress;
};

/* Reads an experiment file. Every problem is added to errors, "FILE:LINE: key: text" in one string under no key.
 * Free with xp_experiment_free whatever the result. */
int xp_experiment_read(struct xp_experiment *e, const char *path, struct base_errors *errors);
void xp_experiment_free(struct xp_experiment *e);

/* True if the labels of a summary row ({"routing": "minimal", ...}) are those wanted. */
bool xp_where_matches(const struct xp_experiment *e, const struct xp_where *where, const json_t *labels);
/* The published accepted load at these labels and x, unscaled; NAN if none covers it. */
double xp_published(const struct xp_experiment *e, const json_t *labels, double x);
/* 1 as expected, 0 not, -1 nothing is expected here. The range goes to *min and *max. */
int xp_expected(const struct xp_experiment *e, const json_t *row, double *min, double *max);
/* The x of a row: its label on the x axis as a number. NAN if it is none. */
double xp_row_x(const struct xp_experiment *e, const json_t *row);

/* Fills sweep->point from the experiment: the cartesian product. Every configuration is checked; errors of several
 * points that read the same are reported once. */
int xp_sweep_expand(struct xp_sweep *sweep, struct base_errors *errors);
/* Runs what has no result yet. Returns 0, 1 if a point failed, 130 if interrupted; -1 with errors if nothing could run.
 */
int xp_sweep_run(struct xp_sweep *sweep, struct base_errors *errors);
void xp_sweep_free(struct xp_sweep *sweep);
/* All assignments of a point, in the order in which they apply. Free the array, not the texts. */
const char **xp_point_settings(const struct xp_sweep *sweep, const struct xp_point *point, size_t *n);

/* Reads a result file into a row of the summary table; NULL if it is missing or unreadable. *manifest, if not NULL,
 * gets a new reference to its manifest. */
json_t *xp_row_read(const char *file, json_t **manifest);
/* Adds name, labels and state to a point's row, making an empty one when there is no result. */
void xp_row_label(const struct xp_experiment *e, struct xp_point *point);

/* Writes summary.csv and summary.jsonl into the results folder, each whole or not at all. */
int xp_table_write(const struct xp_sweep *sweep, struct base_errors *errors);
/* Prints the table for people on standard output; returns how many points are out of their expected range. */
size_t xp_table_print(const struct xp_sweep *sweep);

/* Writes a file under a temporary name and renames it. */
int xp_write_file(const char *path, const char *text, size_t bytes, struct base_errors *errors);
/* mkdir -p */
int xp_make_folder(const char *path, struct base_errors *errors);

#endif
