/* experiments/report/chart_plot.c - a figure of chart.h drawn by gnuplot, for static pages and for folders. Lines,
 * scattered points and bars; what only a screen can show (heat maps, floor plans, networks) is left out. */
#include "base/format.h"
#include "base/memory.h"
#include "experiments/report/chart.h"
#include "experiments/report/figure.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values are divided by `factor` and then in `name`. */
struct scale {
	double factor;
	const char *name;
};

static const json_t *list_of(const json_t *object, const char *member)
{
	return json_object_get(object, member);
}

static double at(const json_t *point, size_t i)
{
	const json_t *v = json_array_get(point, i);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

/* The largest of the k-th values of all points. */
static double most_of(const json_t *chart, size_t k)
{
	double most = 0;
	size_t i, p;
	json_t *series, *point;
	json_array_foreach (list_of(chart, "series"), i, series)
		json_array_foreach (list_of(series, "points"), p, point)
			most = fmax(most, fabs(at(point, k)));
	return most;
}

static struct scale scale_of(const char *unit, double most)
{
	static const struct {
		const char *unit;
		double from;
		struct scale scale;
	} scales[] = {
		{ "ns", 1e9, { 1e9, "s" } },
		{ "ns", 1e6, { 1e6, "ms" } },
		{ "ns", 2e3, { 1e3, "µs" } },
		{ "ns", 0, { 1, "ns" } },
		{ "s", 1, { 1, "s" } },
		{ "s", 1e-3, { 1e-3, "ms" } },
		{ "s", 0, { 1e-6, "µs" } },
		{ "B", 1e9, { 1e9, "GB" } },
		{ "B", 1e6, { 1e6, "MB" } },
		{ "B", 1e3, { 1e3, "KB" } },
		{ "share", 0, { 0.01, "%" } },
		{ "/s", 1e6, { 1e6, "million/s" } },
		{ "/s", 1e3, { 1e3, "thousand/s" } },
		{ "W", 1e6, { 1e6, "MW" } },
		{ "W", 1e4, { 1e3, "kW" } },
		{ "m", 1e4, { 1e3, "km" } },
		{ "count", 1e6, { 1e6, "million" } },
		{ "count", 0, { 1, "" } },
	};
	for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
		if (!strcmp(scales[i].unit, unit) && most >= scales[i].from)
			return scales[i].scale;
	return (struct scale){ 1, unit };
}

static void axis(FILE *out, const json_t *chart, const char *which, struct scale scale)
{
	const json_t *a = list_of(chart, which);
	char text[400];
	const char *title = xp_text(a, "title");
	snprintf(text, sizeof text, "%.300s%s%s%s", title, *scale.name && *title ? " (" : "", scale.name,
	         *scale.name && *title ? ")" : "");
	fprintf(out, "set %slabel ", which);
	xp_plot_string(out, text);
	fprintf(out, "\nset format %s '%%g'\n", which);
	if (json_is_true(list_of(a, "log")))
		fprintf(out, "set logscale %s\n", which);
	else if (json_is_true(list_of(a, "zero")))
		fprintf(out, "set %srange [0:*]\n", which);
}

static void write_points(FILE *out, const json_t *series, size_t i, struct scale x, struct scale y, bool spots)
{
	size_t p;
	json_t *point;
	fprintf(out, "$s%zu << EOD\nNaN NaN NaN NaN NaN NaN\n", i);
	json_array_foreach (list_of(series, "points"), p, point) {
		double px = at(point, 0) / x.factor, py = at(point, 1) / y.factor;
		double low[2] = { spots ? at(point, 2) / x.factor : px, at(point, spots ? 4 : 2) / y.factor };
		double high[2] = { spots ? at(point, 3) / x.factor : px, at(point, spots ? 5 : 3) / y.factor };
		fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g\n", px, py, isnan(low[0]) ? px : low[0],
		        isnan(high[0]) ? px : high[0], isnan(low[1]) ? py : low[1], isnan(high[1]) ? py : high[1]);
	}
	fputs("EOD\n", out);
}

static const char *colour_of(const json_t *series)
{
	const char *own = xp_text(series, "colour");
	return *own ? own : xp_hue((unsigned)json_integer_value(list_of(series, "hue")));
}

static void plot_plane(FILE *out, const json_t *chart)
{
	bool spots = !strcmp(xp_text(chart, "kind"), "scatter");
	struct scale x = scale_of(xp_text(list_of(chart, "x"), "unit"), most_of(chart, 0));
	struct scale y = scale_of(xp_text(list_of(chart, "y"), "unit"), most_of(chart, 1));
	size_t i;
	json_t *series;
	axis(out, chart, "x", x);
	axis(out, chart, "y", y);
	json_array_foreach (list_of(chart, "series"), i, series)
		write_points(out, series, i, x, y, spots);
	json_array_foreach (list_of(chart, "series"), i, series) {
		const char *style = xp_text(series, "style");
		const char *hue = colour_of(series);
		bool steps = !strcmp(style, "steps") || !strcmp(style, "front");
		const char *with = steps                              ? "steps"
		                   : !strcmp(style, "plain")          ? "lines"
		                   : spots || !strcmp(style, "marks") ? "points"
		                                                      : "linespoints";
		fprintf(out, "%s$s%zu using 1:2 with %s lw 2 dt %d%s lc rgb '%s' title ", i ? ", \\\n" : "plot ", i,
		        with, (int)json_integer_value(list_of(series, "dash")) % 5 + 1,
		        steps || !strcmp(style, "plain") ? "" : " pt 7 ps 0.7", hue);
		xp_plot_string(out, xp_text(series, "name"));
		if (!steps)
			fprintf(out, ", $s%zu using 1:2:3:4:5:6 with xyerrorbars pt 0 lw 1.2 lc rgb '%s' notitle", i,
			        hue);
	}
	fputc('\n', out);
}

/* Where a series' bar of a name is, from the top down; single: a name has one bar. */
static double row_of(double name, size_t series, size_t n, bool single)
{
	return single ? -name : -name - 0.4 + 0.8 * ((double)(n - 1 - series) + 0.5) / (double)n;
}

static void write_bars(FILE *out, const json_t *chart, struct scale x, bool stacked, bool single)
{
	size_t i, p, n = json_array_size(list_of(chart, "series"));
	size_t names = json_array_size(list_of(list_of(chart, "y"), "names"));
	double half = single ? 0.35 : 0.36 / (double)n, *end = base_calloc(names + 1, sizeof *end);
	json_t *series, *point;
	json_array_foreach (list_of(chart, "series"), i, series) {
		fprintf(out, "$s%zu << EOD\nNaN NaN NaN NaN NaN NaN NaN NaN\n", i);
		json_array_foreach (list_of(series, "points"), p, point) {
			size_t name = (size_t)at(point, 0);
			double value = at(point, 1) / x.factor, from = end && stacked && name < names ? end[name] : 0;
			double y = row_of((double)name, i, n, single);
			double low = at(point, 2) / x.factor, high = at(point, 3) / x.factor;
			fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g", from + value / 2, y, from, from + value, y - half,
			        y + half);
			if (isnan(low) || isnan(high))
				fputs(" NaN NaN\n", out);
			else
				fprintf(out, " %.9g %.9g\n", low, high);
			if (end && stacked && name < names)
				end[name] += value;
		}
		fputs("EOD\n", out);
	}
	free(end);
}

static void plot_bars(FILE *out, const json_t *chart)
{
	bool stacked = !strcmp(xp_text(chart, "kind"), "stack");
	bool single = stacked || json_is_true(list_of(chart, "single"));
	struct scale x = scale_of(xp_text(list_of(chart, "x"), "unit"), most_of(chart, 1));
	const json_t *names = list_of(list_of(chart, "y"), "names");
	size_t i;
	json_t *series, *name;
	axis(out, chart, "x", x);
	if (!(most_of(chart, 1) > 0))
		fputs("set xrange [0:1]\n", out);
	fputs("set ytics (", out);
	json_array_foreach (names, i, name) {
		fputs(i ? ", " : "", out);
		xp_plot_string(out, json_string_value(name));
		fprintf(out, " -%zu", i);
	}
	fprintf(out, ") scale 0\nset yrange [-%zu.4:0.6]\nset style fill solid 1 noborder\n",
	        json_array_size(names) - 1);
	write_bars(out, chart, x, stacked, single);
	json_array_foreach (list_of(chart, "series"), i, series) {
		fprintf(out, "%s$s%zu using 1:2:3:4:5:6 with boxxyerror lc rgb '%s' title ", i ? ", \\\n" : "plot ", i,
		        colour_of(series));
		xp_plot_string(out, xp_text(series, "name"));
		if (!stacked)
			fprintf(out, ", $s%zu using 4:2:7:8 with xerrorbars pt 0 lw 1.2 lc rgb 'black' notitle", i);
	}
	fputc('\n', out);
}

static bool has_points(const json_t *chart)
{
	size_t i;
	json_t *series;
	json_array_foreach (list_of(chart, "series"), i, series)
		if (json_array_size(list_of(series, "points")))
			return true;
	return false;
}

static bool is_drawn(const json_t *chart)
{
	const char *kind = xp_text(chart, "kind");
	bool bars = !strcmp(kind, "bars") || !strcmp(kind, "stack");
	if (!has_points(chart))
		return false;
	return bars ? json_array_size(list_of(list_of(chart, "y"), "names")) > 0
	            : !strcmp(kind, "lines") || !strcmp(kind, "scatter");
}

static double height_of(const json_t *chart)
{
	const json_t *names = list_of(list_of(chart, "y"), "names");
	double series = (double)json_array_size(list_of(chart, "series"));
	bool single = !strcmp(xp_text(chart, "kind"), "stack") || json_is_true(list_of(chart, "single"));
	return names ? 130 + (double)json_array_size(names) * (single ? 30 : 14 + 14 * series) : 420;
}

int xp_charts_draw(struct xp_report *report, json_t *figure)
{
	const json_t *charts = list_of(figure, "charts");
	size_t i, n = 0, bytes = 0;
	double height = 0;
	char *script = NULL;
	json_t *chart;
	int status = 0;
	json_array_foreach (charts, i, chart) {
		n += is_drawn(chart);
		height = fmax(height, height_of(chart));
	}
	if (n && xp_figure_wanted(report)) {
		size_t columns = n < 3 ? n : 2, rows = (n + columns - 1) / columns;
		FILE *out = base_memory_stream(&script, &bytes);
		fprintf(
		    out,
		    "set multiplot layout %zu,%zu\nset key outside center bottom horizontal reverse Left samplen 2\n",
		    rows, columns);
		json_array_foreach (charts, i, chart) {
			if (!is_drawn(chart))
				continue;
			fputs("unset logscale\nset autoscale\nset ytics auto\nset title ", out);
			xp_plot_string(out, xp_text(chart, "title"));
			fputc('\n', out);
			if (!strcmp(xp_text(chart, "kind"), "lines") || !strcmp(xp_text(chart, "kind"), "scatter"))
				plot_plane(out, chart);
			else
				plot_bars(out, chart);
		}
		fputs("unset multiplot\n", out);
		fclose(out);
		status = xp_figure(report, xp_text(figure, "name"), xp_text(figure, "caption"), n == 1 ? 900 : 1160,
		                   (int)(height * (double)rows), script);
		free(script);
	}
	xp_charts_write(report, figure);
	return status;
}
