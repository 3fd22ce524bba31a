/* experiments/sweep/choice.c - which points of the grid are run, and how often: `stop`, `find`, `width`, `repeat`. */
#include "experiments/runs/fields.h"
#include "experiments/sweep/experiment.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 1000 /* of a bisection */
#define MOST_REPEATS 1000
#define MOST_TOLD 1e9 /* steps that a message counts */

/* The x axis of a bisection: all values from the first to the last at distance `width`. */
static void fill_values(struct xp_fields *r, const char *path, const char *unit, double width, struct xp_value **values,
                        size_t *n)
{
	struct xp_value *ends = *values;
	if (*n != 2 || !(ends[0].x < ends[1].x)) {
		base_errorf(r->errors, "find", "requires two numbers on the x axis, the second one being larger");
		return;
	}
	double steps = fmax(1, ceil((ends[1].x - ends[0].x) / width - 1e-9));
	if (steps > MOST_STEPS) {
		base_errorf(r->errors, "width",
		            "is too small: %s%.0f values lie between %s and %s, but at most %d are possible",
		            steps > MOST_TOLD ? "more than " : "", fmin(steps, MOST_TOLD), ends[0].label, ends[1].label,
		            MOST_STEPS);
		return;
	}
	struct xp_value *v = base_calloc((size_t)steps + 2, sizeof *v);
	v[0] = ends[0];
	for (size_t i = 1; i < (size_t)steps; i++) {
		char label[64];
		double x = ends[0].x + width * (double)i;
		snprintf(label, sizeof label, "%.10g%s", x, unit);
		v[i] = xp_path_value(path, label, ends[0].at[0]);
		v[i].x = x;
	}
	v[(size_t)steps] = ends[1];
	free(ends);
	*values = v;
	*n = (size_t)steps + 1;
}

/* A member that can only be "saturation". */
static bool goes_by_saturation(struct xp_fields *r, const struct xp_node *root, const char *key)
{
	char *text = xp_field_text(r, root, "", key, false);
	bool given = text != NULL;
	if (given && strcmp(text, "saturation") != 0)
		base_errorf(r->errors, key, "\"%s\" must be \"saturation\", the only possible value", text);
	free(text);
	return given;
}

/* The key of an axis with `path`; NULL if it sets several. */
static char *path_of(const struct xp_axis *axis, const struct xp_node *node)
{
	const struct xp_node *path = xp_member(node, "path");
	return axis->n && path && path->text ? base_strdup(path->text) : NULL;
}

static void check_rising(struct xp_fields *r, const struct xp_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(v[i].x) || (i && !(v[i].x > v[i - 1].x))) {
			base_errorf(r->errors, "stop",
			            "requires increasing numbers on the x axis, but it has the value \"%s\"",
			            v[i].label);
			return;
		}
}

static void read_width(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root)
{
	char *width = xp_field_text(r, root, "", "width", false);
	if (e->choice == XP_FIND && !xp_member(root, "width"))
		base_errorf(r->errors, "find",
		            "requires \"width\", the width to which the saturation load is bracketed");
	else if (width && e->choice != XP_FIND)
		base_errorf(r->errors, "width", "has no effect without find = \"saturation\"");
	else if (width && (!xp_is_number(width, &e->width) || !(e->width > 0)))
		base_errorf(r->errors, "width", "must be a number above 0, not \"%s\"", width);
	free(width);
}

/* saturation.csv has a column for each axis but x, and its own. */
static void check_columns(struct xp_fields *r, const struct xp_experiment *e)
{
	for (size_t a = 0; a < e->naxes; a++) {
		const char *name = e->axis[a].name;
		char key[64];
		snprintf(key, sizeof key, "grid.[%zu]", a);
		if (a != e->x && (!strcmp(name, "low") || !strcmp(name, "high")))
			base_errorf(
			    r->errors, key,
			    "no axis can be named \"%s\", which is a column of saturation.csv: set another \"name\"",
			    name);
	}
}

static void read_saturation(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root,
                            const struct xp_node *x_node)
{
	struct xp_axis *x = &e->axis[e->x];
	bool stop = goes_by_saturation(r, root, "stop"), find = goes_by_saturation(r, root, "find");
	e->choice = find ? XP_FIND : stop ? XP_STOP : XP_ALL;
	if (stop && find)
		base_errorf(r->errors, "stop", "has no effect with \"find\", which chooses the runs itself");
	read_width(r, e, root);
	if (e->choice != XP_ALL)
		check_columns(r, e);
	char *path = path_of(x, x_node);
	if (find && !path) {
		base_errorf(r->errors, "find", "requires an x axis with \"path\" and two values");
	} else if (find && e->width > 0) {
		fill_values(r, path, x->unit, e->width, &x->v, &x->n);
		if (x->brief)
			fill_values(r, path, x->unit, e->width, &x->brief, &x->nbrief);
	} else if (stop) {
		check_rising(r, x->v, x->n);
		check_rising(r, x->brief, x->nbrief);
	}
	free(path);
}

static bool sets_seed(const struct xp_value *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i].nset; k++)
			if (!strncmp(v[i].set[k], "seed=", 5))
				return true;
	return false;
}

static void read_repeat(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root)
{
	char *text = xp_field_text(r, root, "", "repeat", false);
	double repeat = 1;
	if (text && (!xp_is_number(text, &repeat) || repeat != floor(repeat) || repeat < 1 || repeat > MOST_REPEATS))
		base_errorf(r->errors, "repeat", "must be a whole number from 1 to %d, not \"%s\"", MOST_REPEATS, text);
	else
		e->repeat = (size_t)repeat;
	for (size_t a = 0; a < e->naxes && repeat > 1; a++)
		if (sets_seed(e->axis[a].v, e->axis[a].n) || sets_seed(e->axis[a].brief, e->axis[a].nbrief))
			base_errorf(r->errors, "repeat",
			            "repeats runs with different seeds, but the axis \"%s\" also sets the seed: remove "
			            "one of the two",
			            e->axis[a].name);
	free(text);
}

void xp_read_choice(struct xp_fields *r, struct xp_experiment *e, const struct xp_node *root,
                    const struct xp_node *x_node)
{
	read_saturation(r, e, root, x_node);
	read_repeat(r, e, root);
}
