/* experiments/report/view.c - see view.h */
#include "experiments/report/view.h"
#include "experiments/report/read.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *xp_view_label(const struct xp_view *v, const json_t *row, ptrdiff_t axis)
{
	return axis < 0 ? "" : xp_text(json_object_get(row, "labels"), v->e->axis[axis].name);
}

void xp_view_series_name(const struct xp_view *v, const json_t *row, char *out, size_t room)
{
	size_t n = 0;
	out[0] = 0;
	for (size_t a = 0; a < v->e->naxes && n < room; a++)
		if (a != v->e->x && (ptrdiff_t)a != v->panel)
			n += (size_t)snprintf(out + n, room - n, "%s%s", n ? ", " : "",
			                      xp_view_label(v, row, (ptrdiff_t)a));
}

static void add_once(json_t *array, const char *text)
{
	size_t i;
	json_t *entry;
	json_array_foreach (array, i, entry)
		if (!strcmp(json_string_value(entry), text))
			return;
	json_array_append_new(array, json_string(text));
}

static void widen(struct xp_range *r, double value)
{
	if (value > 0 && isfinite(value)) {
		r->low = r->low > 0 ? fmin(r->low, value) : value;
		r->high = fmax(r->high, value);
	}
}

/* What all panels must show, so that they share their axes. */
static void find_ranges(struct xp_view *v)
{
	size_t i;
	json_t *row;
	v->unit = true;
	v->duration = xp_rows_duration(v->rows);
	json_array_foreach (v->rows, i, row) {
		double x = xp_row_x(v->e, row), known = xp_published(v->e, json_object_get(row, "labels"), x);
		v->unit = v->unit && x >= 0 && x <= 1;
		widen(&v->x, x);
		widen(&v->accepted, xp_number(row, "accepted_load", NULL));
		for (size_t k = 0; k < v->e->nscales; k++)
			widen(&v->accepted, known * v->e->scale[k].factor);
		for (int end = -1; end <= 1; end++)
			widen(&v->time, xp_number(row, xp_duration_column(v->duration, end), NULL));
		enum xp_worth worth = xp_latency_worth(row);
		v->saturated += worth == XP_LATENCY_NONE;
		if (worth == XP_LATENCY_NONE)
			continue;
		v->latencies += isfinite(xp_number(row, "latency_mean_ns", NULL)) ? 1 : 0;
		widen(&v->latency, xp_number(row, "latency_mean_ns", NULL));
		if (worth == XP_LATENCY_BOUND)
			continue;
		widen(&v->latency, xp_number(row, "latency_p99_ns", NULL));
		widen(&v->latency, xp_number(row, "latency_p99_high_ns", NULL));
	}
	v->unit = v->unit && v->x.high >= 0.5;
}

static void find_panels(struct xp_view *v)
{
	size_t others = v->e->naxes - 1, i;
	v->panel = -1;
	for (size_t a = v->e->naxes; others > 1 && a-- > 0;)
		if (a != v->e->x)
			v->panel = (ptrdiff_t)a;
	if (v->e->panels >= 0)
		v->panel = v->e->panels;
	v->panels = json_array();
	v->series = json_array();
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		char name[512];
		xp_view_series_name(v, row, name, sizeof name);
		add_once(v->panels, xp_view_label(v, row, v->panel));
		add_once(v->series, name);
	}
}

bool xp_view_holds(const struct xp_view *v, const json_t *row, const char *panel, const char *series)
{
	char name[512];
	xp_view_series_name(v, row, name, sizeof name);
	return !strcmp(xp_view_label(v, row, v->panel), panel) && !strcmp(name, series);
}

double xp_view_middle(const struct xp_view *v)
{
	double low = INFINITY, high = -INFINITY, best = NAN;
	size_t i;
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		low = fmin(low, xp_row_x(v->e, row));
		high = fmax(high, xp_row_x(v->e, row));
	}
	json_array_foreach (v->rows, i, row) {
		double x = xp_row_x(v->e, row), middle = v->unit ? 0.5 : (low + high) / 2;
		if (!(fabs(x - middle) >= fabs(best - middle)))
			best = x;
	}
	return best;
}

json_t *xp_view_histogram(const struct xp_view *v, const json_t *row)
{
	char path[8192];
	snprintf(path, sizeof path, "%s/points/%s.jsonl.gz", v->folder, xp_text(row, "name"));
	return xp_read_latency_histogram(path);
}

void xp_view_find(struct xp_view *v)
{
	find_panels(v);
	find_ranges(v);
}

void xp_view_free(struct xp_view *v)
{
	json_decref(v->rows);
	json_decref(v->panels);
	json_decref(v->series);
}
