/* experiments/report/view_chart.c - charts of a sweep: throughput and latency against load, distributions. */
#include "experiments/report/chart.h"
#include "experiments/report/view.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SHOWN 10 /* distributions that are not hidden at first */

static const char *text_at(const json_t *list, size_t i)
{
	return json_string_value(json_array_get(list, i));
}

/* What gives a series its colour: its name, or what the sweep has in its place. */
static const char *key_of(const struct xp_view *v, const char *series)
{
	return *series ? series : v->e->ground.title;
}

static void axes(const struct xp_view *v, json_t *chart, enum xp_quantity what)
{
	bool wide = v->x.low >= 1 && v->x.high >= 16 * v->x.low;
	xp_chart_axis(chart, "x", v->e->axis[v->e->x].title, "", wide ? XP_AXIS_LOG : v->unit ? XP_AXIS_ZERO : 0);
	if (what == XP_LATENCY)
		xp_chart_axis(chart, "y", "packet latency", "ns", xp_is_wide(v->latency) ? XP_AXIS_LOG : XP_AXIS_ZERO);
	else if (what == XP_TIME)
		xp_chart_axis(chart, "y", v->duration == XP_COMPLETION ? "completion" : "time of an iteration", "ns",
		              xp_is_wide(v->time) ? XP_AXIS_LOG : XP_AXIS_ZERO);
	else
		xp_chart_axis(chart, "y", "accepted load (of injection bandwidth)", "", XP_AXIS_ZERO);
}

static void add_throughput(const struct xp_view *v, json_t *series, const json_t *row)
{
	xp_series_point(series, xp_row_x(v->e, row), xp_number(row, "accepted_load", NULL),
	                xp_number(row, "accepted_load_low", NULL), xp_number(row, "accepted_load_high", NULL));
}

static void add_time(const struct xp_view *v, json_t *series, const json_t *row)
{
	xp_series_point(series, xp_row_x(v->e, row), xp_number(row, xp_duration_column(v->duration, 0), NULL),
	                xp_number(row, xp_duration_column(v->duration, -1), NULL),
	                xp_number(row, xp_duration_column(v->duration, 1), NULL));
}

static void add_published(const struct xp_view *v, json_t *series, const json_t *row, double factor)
{
	double x = xp_row_x(v->e, row);
	xp_series_point(series, x, factor * xp_published(v->e, json_object_get(row, "labels"), x), NAN, NAN);
}

static void add_latency(const struct xp_view *v, json_t *series, const json_t *row, bool p99, enum xp_worth worth)
{
	if (xp_latency_worth(row) != worth)
		return;
	xp_series_point(series, xp_row_x(v->e, row), xp_number(row, p99 ? "latency_p99_ns" : "latency_mean_ns", NULL),
	                xp_number(row, p99 ? "latency_p99_low_ns" : "latency_mean_low_ns", NULL),
	                xp_number(row, p99 ? "latency_p99_high_ns" : "latency_mean_high_ns", NULL));
}

static void chart_series(const struct xp_view *v, json_t *chart, enum xp_quantity what, const char *panel,
                         const char *name)
{
	char title[600];
	const char *key = key_of(v, name);
	json_t *line = xp_chart_series(v->report, chart, key,
	                               *name                ? name
	                               : what == XP_LATENCY ? "mean"
	                               : what == XP_TIME    ? "time"
	                                                    : "accepted",
	                               "line");
	json_t *tail = NULL, *bound = NULL, *known[4] = { NULL };
	size_t i, scales = v->e->nscales < 4 ? v->e->nscales : 4;
	json_t *row;
	if (what == XP_LATENCY) {
		snprintf(title, sizeof title, "%s%s99th percentile", name, *name ? ", " : "");
		tail = xp_chart_series(v->report, chart, key, title, "line");
		xp_series_dash(tail, 1);
		snprintf(title, sizeof title, "%s%slower bound of the mean", name, *name ? ", " : "");
		bound = xp_chart_series(v->report, chart, key, title, "marks");
		xp_series_mark(bound, 4);
	}
	for (size_t k = 0; what == XP_THROUGHPUT && k < scales; k++) {
		snprintf(title, sizeof title, "%s%s%s", name, *name ? ", " : "", v->e->scale[k].label);
		known[k] = xp_chart_series(v->report, chart, key, title, "marks");
		xp_series_mark(known[k], 4 + (unsigned)k);
	}
	json_array_foreach (v->rows, i, row) {
		if (!xp_view_holds(v, row, panel, name) || !xp_row_ran(row))
			continue;
		if (what == XP_LATENCY) {
			add_latency(v, line, row, false, XP_LATENCY_KNOWN);
			add_latency(v, tail, row, true, XP_LATENCY_KNOWN);
			add_latency(v, bound, row, false, XP_LATENCY_BOUND);
			continue;
		}
		if (what == XP_TIME) {
			add_time(v, line, row);
			continue;
		}
		add_throughput(v, line, row);
		for (size_t k = 0; k < scales; k++)
			add_published(v, known[k], row, v->e->scale[k].factor);
	}
}

void xp_view_chart(const struct xp_view *v, enum xp_quantity what, const char *name, const char *caption)
{
	size_t panels = json_array_size(v->panels), series = json_array_size(v->series);
	json_t *figure = xp_charts(name, caption);
	for (size_t p = 0; p < panels; p++) {
		json_t *chart = xp_chart(figure, "lines", text_at(v->panels, p));
		axes(v, chart, what);
		for (size_t s = 0; s < series; s++)
			chart_series(v, chart, what, text_at(v->panels, p), text_at(v->series, s));
		xp_chart_drop_empty(chart);
	}
	xp_charts_write(v->report, figure);
}

static unsigned index_in(const json_t *list, const char *text)
{
	unsigned i = 0;
	while (i < json_array_size(list) && strcmp(text_at(list, i), text) != 0)
		i++;
	return i;
}

void xp_view_chart_distribution(const struct xp_view *v, const char *caption)
{
	double x = xp_view_middle(v);
	json_t *figure = xp_charts("latency-distribution", caption), *chart = xp_chart(figure, "lines", ""), *row;
	size_t i, n = 0;
	xp_chart_axis(chart, "x", "packet latency", "ns", XP_AXIS_LOG);
	xp_chart_axis(chart, "y", "share of packets above", "share", XP_AXIS_LOG);
	json_array_foreach (v->rows, i, row) {
		json_t *histogram = xp_row_x(v->e, row) == x && xp_row_ran(row) ? xp_view_histogram(v, row) : NULL;
		if (!histogram)
			continue;
		char name[512], title[1100];
		const char *panel = xp_view_label(v, row, v->panel);
		xp_view_series_name(v, row, name, sizeof name);
		snprintf(title, sizeof title, "%s%s%s", panel, *panel && *name ? ", " : "", name);
		json_t *series = xp_chart_series(v->report, chart,
		                                 *name    ? name
		                                 : *panel ? panel
		                                          : v->e->ground.title,
		                                 *title ? title : v->e->ground.title, "steps");
		if (*name)
			xp_series_dash(series, index_in(v->panels, panel));
		xp_series_ccdf(v->report, series, histogram);
		if (n++ >= SHOWN)
			xp_charts_hide(figure, title);
		json_decref(histogram);
	}
	if (!n)
		json_array_clear(json_object_get(figure, "charts"));
	xp_charts_write(v->report, figure);
}
