/* experiments/report/front_chart.c - the Pareto front, and where candidates left by the values of their variables. */
#include "base/memory.h"
#include "experiments/report/chart.h"
#include "experiments/report/front.h"
#include "experiments/report/readable.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOTED 1000      /* more candidates than this are drawn without what else is known of them */
#define MOST_PANELS 12u /* variables of the figure of fates */

static const char *const colours[XP_FATES] = { "#18a06f", "#c9a227", "#2f86bd", "#7fb2d6", "#8c8c8c", "#b3261e" };

/* --- the front -------------------------------------------------------------------------------------------- */

static void add_notes(const struct xp_front *f, json_t *series, const json_t *candidate, enum xp_fate fate)
{
	size_t i;
	json_t *path;
	char text[300];
	const char *by = xp_text(candidate, "beaten_by");
	json_array_foreach (f->varying, i, path) {
		const char *value = xp_text(json_object_get(candidate, "variables"), json_string_value(path));
		char *readable = xp_readable(value);
		if (*value)
			xp_series_note(series, json_string_value(path), readable);
		free(readable);
	}
	if (fate == XP_FATE_FRONT) {
		snprintf(text, sizeof text, "configs/%.280s.cfg", xp_text(candidate, "name"));
		xp_series_note(series, "configuration file", text);
	}
	if (*by) {
		snprintf(text, sizeof text, "%.*s", (int)strcspn(by, "_"), by);
		xp_series_note(series, "beaten by", text);
	}
}

struct ends {
	double low, high, middle;
};

/* Of an objective. A bound alone says what a candidate is at best. */
static struct ends ends_of(const json_t *candidate, const json_t *objective, enum xp_fate fate)
{
	const char *name = xp_text(objective, "name");
	struct ends e = { xp_candidate_end(candidate, name, 0), xp_candidate_end(candidate, name, 1), NAN };
	bool most = !strcmp(xp_text(objective, "best"), "most");
	e.middle = (e.low + e.high) / 2;
	bool best = fate == XP_FATE_BOUNDS || (most && !(e.low > 0)); /* the other end is not known */
	if (best)
		e.middle = most ? e.high : e.low > 0 ? e.low : NAN;
	if (best || !(e.high > e.low))
		e.low = e.high = NAN;
	return e;
}

struct value_span {
	double low, high;
};

static bool is_wide(const struct xp_front *f, const json_t *objective)
{
	struct value_span range = { INFINITY, 0 };
	size_t i;
	json_t *candidate;
	json_array_foreach (f->candidates, i, candidate) {
		double value = ends_of(candidate, objective, xp_fate_of(candidate)).middle;
		range.low = value > 0 ? fmin(range.low, value) : isfinite(value) ? 0 : range.low;
		range.high = value > 0 ? fmax(range.high, value) : range.high;
	}
	return range.low > 0 && range.high >= 6 * range.low;
}

static void set_axis(const struct xp_front *f, json_t *chart, const char *axis, const json_t *objective)
{
	char title[120], unit[64];
	xp_objective_title(f, objective, title, unit);
	xp_chart_axis(chart, axis, title, unit, is_wide(f, objective) ? XP_AXIS_LOG : 0);
}

static int by_x(const void *a, const void *b)
{
	double x = json_number_value(json_array_get(*(json_t *const *)a, 0)),
	       y = json_number_value(json_array_get(*(json_t *const *)b, 0));
	return (x > y) - (x < y);
}

/* Keys go from one to its neighbour, and steps lead through them. */
static void sort_points(json_t *series)
{
	json_t *points = json_object_get(series, "points"), *sorted = json_array();
	size_t n = json_array_size(points);
	json_t **v = base_calloc(n + 1, sizeof(json_t *));
	for (size_t i = 0; v && i < n; i++)
		v[i] = json_array_get(points, i);
	if (v)
		qsort(v, n, sizeof(json_t *), by_x);
	for (size_t i = 0; v && i < n; i++)
		json_array_append(sorted, v[i]);
	json_object_set_new(series, "points", sorted);
	free(v);
}

/* Returns how many of the front are on it. */
static size_t draw_pair(const struct xp_front *f, json_t *figure, const json_t *x, const json_t *y)
{
	json_t *chart = xp_chart(figure, "scatter", ""), *candidate, *fronts = NULL;
	size_t i, on_front = 0, all = json_array_size(f->candidates);
	set_axis(f, chart, "x", x);
	set_axis(f, chart, "y", y);
	for (int fate = 0; fate < XP_FATE_REJECTED; fate++) {
		const char *name = xp_fate_names[fate];
		bool steps = fate == XP_FATE_FRONT && json_array_size(f->objectives) == 2;
		json_t *series = xp_chart_series(chart, name, name, steps ? "front" : "");
		xp_series_colour(series, colours[fate]);
		xp_series_mark(series, (unsigned)fate % 4);
		json_array_foreach (f->candidates, i, candidate) {
			struct ends h = ends_of(candidate, x, (enum xp_fate)fate),
				    v = ends_of(candidate, y, (enum xp_fate)fate);
			char number[64];
			if (xp_fate_of(candidate) != (enum xp_fate)fate || !isfinite(h.middle) || !isfinite(v.middle))
				continue;
			xp_series_spot(series, xp_candidate_number(candidate, number), h.middle, h.low, h.high,
			               v.middle, v.low, v.high);
			if (fate == XP_FATE_FRONT || all <= NOTED)
				add_notes(f, series, candidate, (enum xp_fate)fate);
			on_front += fate == XP_FATE_FRONT;
		}
		if (fate == XP_FATE_FRONT)
			fronts = series;
		if (json_array_size(json_object_get(series, "points")))
			sort_points(series);
	}
	/* drawn last, on top of the others */
	if (fronts) {
		json_t *list = json_object_get(chart, "series");
		json_incref(fronts);
		json_array_remove(list, 0);
		json_array_append_new(list, fronts);
	}
	xp_chart_drop_empty(chart);
	return on_front;
}

void xp_front_draw(const struct xp_front *f)
{
	size_t n = json_array_size(f->objectives), front = 0, least = SIZE_MAX;
	char caption[800];
	if (n < 2)
		return;
	for (size_t i = 0; i < json_array_size(f->candidates); i++)
		front += xp_fate_of(json_array_get(f->candidates, i)) == XP_FATE_FRONT;
	json_t *figure = xp_charts("front", "");
	xp_charts_width(figure, "22rem");
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n && (i == 0 || n == 3); k++) {
			size_t drawn =
			    draw_pair(f, figure, json_array_get(f->objectives, i), json_array_get(f->objectives, k));
			least = drawn < least ? drawn : least;
		}
	snprintf(
	    caption, sizeof caption,
	    "What candidates are worth, with intervals: on the front by runs of seeds that took no part in choosing "
	    "it, else by the runs that eliminated them. What was beaten before both ends were known is drawn at the "
	    "best that it can "
	    "be; what bounds beat is hidden at first.%s%s",
	    n > 2 ? " Each panel is the front seen from one side: a point may be beaten in it and yet be on the front."
		  : "",
	    front > least ? " A candidate that does not carry the load at which latency is measured has none." : "");
	json_object_set_new(figure, "caption", xp_json_text(caption));
	xp_charts_hide(figure, xp_fate_names[XP_FATE_BOUNDS]);
	xp_charts_write(f->report, figure);
}

/* --- where candidates left -------------------------------------------------------------------------------- */

/* The values of a variable in the order in which they come, each with the number of candidates of each fate. */
static json_t *tally(const struct xp_front *f, const char *path)
{
	json_t *values = json_object(), *candidate;
	size_t i;
	json_array_foreach (f->candidates, i, candidate) {
		const char *value = xp_text(json_object_get(candidate, "variables"), path);
		json_t *n = json_object_get(values, value);
		size_t fate = xp_fate_of(candidate);
		if (!*value)
			continue;
		if (!n) {
			json_object_set_new(values, value, n = json_array());
			for (size_t k = 0; k < XP_FATES; k++)
				json_array_append_new(n, json_integer(0));
		}
		json_array_set_new(n, fate, json_integer(json_integer_value(json_array_get(n, fate)) + 1));
	}
	return values;
}

void xp_front_draw_fates(const struct xp_front *f)
{
	json_t *figure =
	    xp_charts("fates", "Where candidates left, by the values of their variables: how many of those that "
	                       "have a value are on the front, and how far the others came.");
	size_t i;
	json_t *path;
	xp_charts_width(figure, "24rem");
	json_array_foreach (f->varying, i, path) {
		json_t *chart = i < MOST_PANELS ? xp_chart(figure, "stack", json_string_value(path)) : NULL;
		json_t *values = tally(f, json_string_value(path)), *n, *series[XP_FATES];
		const char *value;
		if (!chart) {
			json_decref(values);
			continue;
		}
		xp_chart_axis(chart, "x", "candidates", "count", XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", "", "", 0);
		for (size_t k = 0; k < XP_FATES; k++) {
			series[k] = xp_chart_series(chart, xp_fate_names[k], xp_fate_names[k], "");
			xp_series_colour(series[k], colours[k]);
		}
		json_object_foreach(values, value, n)
		{
			char *readable = xp_readable(value);
			double row = (double)xp_chart_name(chart, "y", readable);
			for (size_t k = 0; k < XP_FATES; k++) {
				double many = json_number_value(json_array_get(n, k));
				if (many > 0)
					xp_series_point(series[k], row, many, NAN, NAN);
			}
			free(readable);
		}
		xp_chart_drop_empty(chart);
		json_decref(values);
	}
	if (json_array_size(f->varying))
		xp_charts_write(f->report, figure);
	else
		json_decref(figure);
}
