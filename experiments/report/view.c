/* experiments/report/view.c - see view.h; web/sweep.js says what the records are. */
#include "experiments/report/view.h"
#include "experiments/report/read.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdio.h>

const char *xp_view_label(const struct xp_view *v, const json_t *row, ptrdiff_t axis)
{
	return axis < 0 ? "" : xp_text(json_object_get(row, "labels"), v->e->axis[axis].name);
}

static json_t *axes_of(const struct xp_experiment *e)
{
	json_t *axes = json_array();
	for (size_t a = 0; a < e->naxes; a++)
		json_array_append_new(axes, json_pack("{s:o, s:o, s:b}", "name", xp_json_text(e->axis[a].name), "title",
		                                      xp_json_text(e->axis[a].title), "points", !e->axis[a].by_path));
	return axes;
}

/* A row with what only the experiment knows of it. */
static json_t *row_of(const struct xp_view *v, const json_t *row)
{
	static const char *const worth[] = {
		[XP_LATENCY_KNOWN] = "known", [XP_LATENCY_BOUND] = "bound", [XP_LATENCY_NONE] = "none"
	};
	json_t *own = json_copy((json_t *)row);
	double x = xp_row_x(v->e, row);
	json_object_del(own, "runs");
	json_object_set_new(own, "x", xp_json_number(x));
	json_object_set_new(own, "published", xp_json_number(xp_published(v->e, json_object_get(row, "labels"), x)));
	json_object_set_new(own, "worth", json_string(worth[xp_latency_worth(row)]));
	json_object_set_new(own, "ran", json_boolean(xp_row_ran(row)));
	return own;
}

static json_t *duration_of(enum xp_duration duration)
{
	bool completion = duration == XP_COMPLETION;
	if (!duration)
		return json_null();
	return json_pack("{s:s, s:[s, s], s:s, s:s}", "column", xp_duration_column(duration, 0), "ends",
	                 xp_duration_column(duration, -1), xp_duration_column(duration, 1), "title",
	                 completion ? "completion" : "time of an iteration", "caption",
	                 completion ? "When the last application has ended"
	                            : "What an iteration of a process takes on average");
}

/* The x value nearest to the middle of the axis: a load of 0.5. NAN: there is none. */
static double middle_of(const struct xp_view *v)
{
	double low = INFINITY, high = -INFINITY, best = NAN;
	size_t i;
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		low = fmin(low, xp_row_x(v->e, row));
		high = fmax(high, xp_row_x(v->e, row));
	}
	double middle = low >= 0 && high >= 0.5 && high <= 1 ? 0.5 : (low + high) / 2;
	json_array_foreach (v->rows, i, row) {
		double x = xp_row_x(v->e, row);
		if (!(fabs(x - middle) >= fabs(best - middle)))
			best = x;
	}
	return best;
}

/* The distributions of latency at the middle of the x axis, from the points' own files. */
static json_t *distributions_of(const struct xp_view *v)
{
	double x = middle_of(v);
	json_t *lines = json_array(), *row;
	char path[8192];
	size_t i;
	json_array_foreach (v->rows, i, row) {
		snprintf(path, sizeof path, "%s/points/%s.jsonl.gz", v->folder, xp_text(row, "name"));
		json_t *histogram =
		    xp_row_x(v->e, row) == x && xp_row_ran(row) ? xp_read_latency_histogram(path) : NULL;
		if (histogram)
			json_array_append_new(lines, json_pack("{s:O, s:o}", "labels", json_object_get(row, "labels"),
			                                       "points", xp_ccdf(v->report, histogram)));
		json_decref(histogram);
	}
	return json_pack("{s:o, s:o}", "x", xp_json_number(x), "lines", lines);
}

json_t *xp_view_records(const struct xp_view *v)
{
	const struct xp_experiment *e = v->e;
	json_t *scales = json_array(), *rows = json_array(), *row;
	size_t i;
	for (size_t k = 0; k < e->nscales; k++)
		json_array_append_new(scales, json_pack("{s:o, s:f}", "label", xp_json_text(e->scale[k].label),
		                                        "factor", e->scale[k].factor));
	json_array_foreach (v->rows, i, row)
		json_array_append_new(rows, row_of(v, row));
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:b, s:o, s:o, s:o, s:O?, s:o}", "title",
	                 xp_json_text(e->ground.title), "path", xp_json_text(v->folder), "file",
	                 xp_json_text(xp_last_part(v->folder)), "axes", axes_of(e), "x", (json_int_t)e->x, "panels",
	                 (json_int_t)e->panels, "repeat", (json_int_t)e->repeat, "published", e->ncurves > 0, "scales",
	                 scales, "rows", rows, "duration", duration_of(v->duration), "saturation", v->saturation,
	                 "distribution", distributions_of(v));
}
