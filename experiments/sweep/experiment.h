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

/* One value of an axis: its label, and its assignments ("PATH=VALUE"). */
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

/* Selects points: the required label on each axis, NULL for any. */
struct xp_where {
	char *label[XP_MAX_AXES];
};

/* A published curve of accepted load over x, linear between the given points. */
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

/* Accepted load must lie within [min, max] for x in [low, high]; `relative`: min and max are multiples of the offered
 * load. */
struct xp_expect {
	struct xp_where where;
	double low, high;
	bool relative;
	double min, max;
};

/* Selection of the points of the grid that are run. */
enum xp_choice {
	XP_ALL,
	XP_STOP, /* of every series those up to the first that is not stationary */
	XP_FIND, /* for every series those of a bisection; the x axis contains all x from its first to its last value at
	            distance `width` */
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
	char *impact_job, *impact_alone; /* impact.h; NULL: no impact is requested */
	size_t impact_axis;
	char *source; /* of what is published */
	struct xp_curve *curve;
	size_t ncurves;
	struct xp_scale *scale;
	size_t nscales;
	struct xp_expect *expect;
	size_t nexpects;
};

/* Reads an experiment file. Every problem is added to errors as one string "FILE:LINE: key: text" without a key. Call
 * xp_experiment_free() in any case. */
int xp_experiment_read(struct xp_experiment *e, const char *path, struct base_errors *errors);
void xp_experiment_free(struct xp_experiment *e);

/* Does a summary row ({"routing": "minimal", ...}) have the required labels? */
bool xp_where_matches(const struct xp_experiment *e, const struct xp_where *where, const json_t *labels);
/* The published accepted load at these labels and x, unscaled; NAN if no curve covers it. */
double xp_published(const struct xp_experiment *e, const json_t *labels, double x);
/* Compares the accepted load of a row with its expected range: 1 if it is in the range, 0 if not, -1 if no range is
 * given for this row. The range is stored in *min and *max. */
int xp_expected(const struct xp_experiment *e, const json_t *row, double *min, double *max);
/* Validity of a row's latency. If the run decided whether it is stationary, that determines it; otherwise a censored
 * latency is a lower bound, saturated or not. */
enum xp_worth {
	XP_LATENCY_KNOWN,
	XP_LATENCY_BOUND, /* the true one is larger */
	XP_LATENCY_NONE,  /* past saturation: it grows with the length of the run */
};
enum xp_worth xp_latency_worth(const json_t *row);
/* The x value of a row: its label on the x axis as a number. NAN if it is not one. */
double xp_row_x(const struct xp_experiment *e, const json_t *row);

/* --- between the files of the reader ---------------------------------------------------------------- */

/* The axes. */
void xp_read_grid(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root);
void xp_free_grid(struct xp_experiment *e);
/* A value of an axis that sets one configuration key, with its location `at` ("FILE:LINE"). */
struct xp_value xp_path_value(const char *path, const char *text, const char *at);
/* Reads the selection of points; `x_node` is the x axis as written in the file. */
void xp_read_choice(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root,
                    const struct xp_node *x_node);
/* Published curves and expected ranges of an experiment. */
void xp_read_claims(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root);
void xp_free_claims(struct xp_experiment *e);

#endif
