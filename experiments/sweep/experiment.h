/* experiments/sweep/experiment.h - an experiment: a grid of configurations, and what is published or expected of its
 * results, as its file says.
 *
 * An experiment file is libconfig (docs/experiments.md has the reference):
 *
 *   title = "..."; description = "...";
 *   base = "slimfly-3k";                  a configuration to start from, or  config = { ... };
 *   set  = [ "engine.sync=sequential" ];  applied to every point
 *   grid = ( { name = "routing"; points = ( { label = "minimal"; set = [ "routing.kind=minimal" ]; }, ... ); },
 *            { name = "load"; path = "traffic.[0].load"; values = [ 0.1, 0.5 ]; short = [ 0.1 ]; } );
 *   x = "load";                           the axis that figures draw from left to right (default: the last)
 *   panels = "routing";                   the axis that gives a panel each (default: the first other than x, if there
 *                                         are two)
 *   repeat = 5;                                       runs of every point, each with a seed of its own
 *   stop = "saturation";                              series end at the first point that is not stationary, or
 *   find = "saturation"; width = 0.01;                bisection between the two values of the x axis
 *   short = { set = [ "time.measure=20us" ]; };       what --short adds
 *   published = { source = "..."; scales = ( { label = "raw"; factor = 1.0; } );
 *                 curves = ( { routing = "minimal"; x = [ ... ]; y = [ ... ]; note = "..."; } ); };
 *   impact = { job = "victim"; axis = "beside"; alone = "nothing"; };    impact.h
 *   expected = ( { routing = "minimal"; x = [ 0.1, 0.9 ]; of_offered = [ 0.99, 1.01 ]; } );
 *
 * The points are the cartesian product of the axes, the last axis running fastest. The results folder keeps a copy of
 * the file, so that a report needs nothing but the folder. */
#ifndef EXPERIMENTS_SWEEP_EXPERIMENT_H
#define EXPERIMENTS_SWEEP_EXPERIMENT_H

#include "base/error.h"
#include "experiments/runs/ground.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#define XP_MAX_AXES 8

/* One value of an axis: what it is called and the assignments ("PATH=VALUE") that make it. */
struct xp_value {
	char *label;
	char **set, **at; /* [nset]; at: where each is written, "FILE:LINE" */
	size_t nset;
	double x; /* the label as a number, NAN if it is none */
};

struct xp_axis {
	char *name;
	char *title;  /* for people, with the unit */
	char unit[8]; /* of the numbers x, where labels are quantities: "KiB"; "": they are plain numbers, or none */
	bool by_path; /* each value is that of one key, and its label */
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

/* Which points of the grid are run. */
enum xp_choice {
	XP_ALL,
	XP_STOP, /* of every series those up to the first that is not stationary */
	XP_FIND, /* of every series those of a bisection; the x axis holds all x from its first to its last, by `width`
	          */
};

struct xp_experiment {
	struct xp_ground ground;
	char **brief_set, **brief_set_at; /* of --short, as in struct xp_value */
	size_t nbrief_set;
	struct xp_axis axis[XP_MAX_AXES];
	size_t naxes, x;
	ptrdiff_t panels; /* axis, or -1: as the report likes */
	enum xp_choice choice;
	double width;                    /* XP_FIND: of x */
	size_t repeat;                   /* runs of every point, each with a seed of its own */
	char *impact_job, *impact_alone; /* impact.h; NULL: no impact is asked for */
	size_t impact_axis;
	char *source; /* of what is published */
	struct xp_curve *curve;
	size_t ncurves;
	struct xp_scale *scale;
	size_t nscales;
	struct xp_expect *expect;
	size_t nexpects;
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
/* What a row's latency is worth. A run that knows whether it was stationary decides; of one that does not, censored
 * latency is a lower bound, in saturation or not. */
enum xp_worth {
	XP_LATENCY_KNOWN,
	XP_LATENCY_BOUND, /* the true one is larger */
	XP_LATENCY_NONE,  /* past saturation: it grows with the length of the run */
};
enum xp_worth xp_latency_worth(const json_t *row);
/* The x of a row: its label on the x axis as a number. NAN if it is none. */
double xp_row_x(const struct xp_experiment *e, const json_t *row);

/* --- between the files of the reader ---------------------------------------------------------------- */

/* The axes. */
void xp_read_grid(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root);
void xp_free_grid(struct xp_experiment *e);
/* A value, written `at` "FILE:LINE", of an axis that is one configuration key. */
struct xp_value xp_path_value(const char *path, const char *text, const char *at);
/* Which points are run; `x_node` is the x axis as it is written. */
void xp_read_choice(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root,
                    const struct xp_node *x_node);
/* What is published and expected. */
void xp_read_claims(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root);
void xp_free_claims(struct xp_experiment *e);

#endif
