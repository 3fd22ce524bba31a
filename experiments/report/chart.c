/* experiments/report/chart.c - see chart.h; the members that are set here are those that web/charts.js reads. */
#include "experiments/report/chart.h"
#include "experiments/report/draw.h"
#include "experiments/report/page.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

json_t *xp_json_text(const char *text)
{
	json_t *value = json_string(text);
	if (value)
		return value;
	char *copy = base_strdup(text); /* it is not UTF-8 */
	for (char *p = copy; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	value = json_string(copy);
	free(copy);
	return value;
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Numbers without a fraction are shorter as integers. */
static void append(json_t *list, double value)
{
	if (isfinite(value) && fabs(value) < 1e15 && floor(value) >= value)
		json_array_append_new(list, json_integer((json_int_t)value));
	else
		json_array_append_new(list, number(value));
}

json_t *xp_charts(const char *name, const char *caption)
{
	return json_pack("{s:o, s:o, s:[]}", "name", xp_json_text(name), "caption", xp_json_text(caption), "charts");
}

void xp_charts_width(json_t *figure, const char *css_length)
{
	json_object_set_new(figure, "narrow", json_string(css_length));
}

json_t *xp_chart(json_t *figure, const char *kind, const char *title)
{
	json_t *chart = json_pack("{s:s, s:o, s:[]}", "kind", kind, "title", xp_json_text(title), "series");
	json_array_append_new(json_object_get(figure, "charts"), chart);
	return chart;
}

void xp_chart_axis(json_t *chart, const char *axis, const char *title, const char *unit, unsigned flags)
{
	json_t *a = json_pack("{s:o, s:s}", "title", xp_json_text(title), "unit", unit);
	if (flags & XP_AXIS_LOG)
		json_object_set_new(a, "log", json_true());
	if (flags & XP_AXIS_ZERO)
		json_object_set_new(a, "zero", json_true());
	json_object_set_new(chart, axis, a);
}

void xp_chart_range(json_t *chart, const char *axis, double min, double max)
{
	json_t *a = json_object_get(chart, axis);
	if (isfinite(min))
		json_object_set_new(a, "min", json_real(min));
	if (isfinite(max))
		json_object_set_new(a, "max", json_real(max));
}

size_t xp_chart_name(json_t *chart, const char *axis, const char *name)
{
	json_t *a = json_object_get(chart, axis), *names = json_object_get(a, "names");
	if (!names) {
		names = json_array();
		json_object_set_new(a, "names", names);
	}
	json_array_append_new(names, xp_json_text(name));
	return json_array_size(names) - 1;
}

json_t *xp_chart_series(json_t *chart, const char *key, const char *name, const char *style)
{
	json_t *series = json_pack("{s:o, s:o, s:s, s:[]}", "key", xp_json_text(key), "name", xp_json_text(name),
	                           "style", style, "points");
	json_array_append_new(json_object_get(chart, "series"), series);
	return series;
}

void xp_series_dash(json_t *series, unsigned n)
{
	json_object_set_new(series, "dash", json_integer(n));
}

void xp_series_mark(json_t *series, unsigned n)
{
	json_object_set_new(series, "mark", json_integer(n));
}

void xp_series_colour(json_t *series, const char *colour)
{
	json_object_set_new(series, "colour", json_string(colour));
}

void xp_series_point(json_t *series, double x, double y, double low, double high)
{
	json_t *point = json_array();
	if (!isfinite(x) || !isfinite(y)) {
		json_decref(point);
		return;
	}
	append(point, x);
	append(point, y);
	if (isfinite(low) && isfinite(high)) {
		append(point, low);
		append(point, high);
	}
	json_array_append_new(json_object_get(series, "points"), point);
}

void xp_series_spot(json_t *series, const char *name, double x, double x_low, double x_high, double y, double y_low,
                    double y_high)
{
	const double values[] = { x, y, x_low, x_high, y_low, y_high };
	json_t *point = json_array();
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		append(point, values[i]);
	json_array_append_new(point, xp_json_text(name));
	json_array_append_new(json_object_get(series, "points"), point);
}

/* Notes stand behind the numbers, and the name, of a point. */
void xp_series_note(json_t *series, const char *name, const char *value)
{
	json_t *points = json_object_get(series, "points");
	json_t *point = json_array_get(points, json_array_size(points) - 1);
	size_t last = json_array_size(point);
	json_t *notes = last ? json_array_get(point, last - 1) : NULL;
	if (!last)
		return;
	if (!json_is_array(notes)) {
		size_t place = json_is_string(notes) ? last : 4;
		while (json_array_size(point) < place)
			json_array_append_new(point, json_null());
		json_array_append_new(point, notes = json_array());
	}
	json_array_append_new(notes, json_pack("[o, o]", xp_json_text(name), xp_json_text(value)));
}

void xp_chart_single(json_t *chart)
{
	json_object_set_new(chart, "single", json_true());
}

void xp_charts_hide(json_t *figure, const char *name)
{
	json_t *hidden = json_object_get(figure, "hidden");
	if (!hidden) {
		hidden = json_array();
		json_object_set_new(figure, "hidden", hidden);
	}
	json_array_append_new(hidden, xp_json_text(name));
}

void xp_chart_interval(json_t *chart, const char *what)
{
	json_object_set_new(chart, "interval", xp_json_text(what));
}

void xp_chart_window(json_t *chart, double from, double to)
{
	json_object_set_new(chart, "edges", json_pack("[f, f]", from, to));
}

/* --- heat maps, floor plans, networks ---------------------------------------------------------------------- */

/* Of a page all together; one map always gets a few. */
#define LEAST_CELLS 900
#define MOST_CELLS 60000

size_t xp_heat_cells(struct xp_report *report, size_t wanted)
{
	size_t most = report->cells / 4 > LEAST_CELLS ? report->cells / 4 : LEAST_CELLS;
	size_t given = wanted < most ? wanted : most;
	given = given < MOST_CELLS ? given : MOST_CELLS;
	report->cells -= given < report->cells ? given : report->cells;
	return given;
}

static void place(json_t *chart, const char *axis, double from, double step)
{
	json_t *a = json_object_get(chart, axis);
	json_object_set_new(a, "from", json_real(from));
	json_object_set_new(a, "step", json_real(step));
}

/* Three digits: a cell is read by its colour. */
static double rounded(double value)
{
	char text[40];
	snprintf(text, sizeof text, "%.3g", value);
	return strtod(text, NULL);
}

void xp_chart_heat(json_t *chart, const char *title, const char *unit, const double *values, size_t rows,
                   size_t columns, double x_from, double x_step, double y_from, double y_step, double most)
{
	json_t *list = json_array();
	for (size_t i = 0; i < rows * columns; i++)
		append(list, isfinite(values[i]) ? rounded(values[i]) : NAN);
	json_t *heat =
	    json_pack("{s:o, s:s, s:I, s:I, s:f, s:o}", "title", xp_json_text(title), "unit", unit, "rows",
	              (json_int_t)rows, "columns", (json_int_t)columns, "max", most > 0 ? most : 1.0, "values", list);
	json_object_set_new(chart, "heat", heat);
	place(chart, "x", x_from, x_step);
	place(chart, "y", y_from, y_step);
}

void xp_chart_cells(json_t *chart, const char *title, const char *unit, double most, size_t rows, size_t columns,
                    double aspect, double width)
{
	json_t *cells =
	    json_pack("{s:o, s:s, s:f, s:[i, f, f, i], s:f, s:f, s:[], s:[], s:[], s:[]}", "title", xp_json_text(title),
	              "unit", unit, "max", most, "box", 0, -(double)rows, (double)columns, 0, "aspect", aspect, "width",
	              width, "rows", "columns", "values", "texts");
	char name[40];
	for (size_t r = 0; r < rows; r++) {
		snprintf(name, sizeof name, "row %zu", r);
		json_array_append_new(json_object_get(cells, "rows"), json_string(name));
	}
	for (size_t c = 0; c < columns; c++) {
		snprintf(name, sizeof name, "column %zu", c);
		json_array_append_new(json_object_get(cells, "columns"), json_string(name));
	}
	json_object_set_new(chart, "cells", cells);
}

void xp_chart_cell_text(json_t *chart, double x, double y, double width, const char *text)
{
	json_array_append_new(json_object_get(json_object_get(chart, "cells"), "texts"),
	                      json_pack("[f, f, o, f]", x, y, xp_json_text(text), width));
}

void xp_chart_cell(json_t *chart, double left, double bottom, double right, double top, double value, const char *label)
{
	const double values[] = { left, bottom, right, top, value };
	json_t *cell = json_array();
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		append(cell, values[i]);
	json_array_append_new(cell, xp_json_text(label));
	json_array_append_new(json_object_get(json_object_get(chart, "cells"), "values"), cell);
}

void xp_chart_network(json_t *chart, double aspect, const char *symbol, double size, double opacity)
{
	json_object_set_new(chart, "network",
	                    json_pack("{s:f, s:s, s:f, s:f, s:[]}", "aspect", aspect, "symbol", symbol, "size", size,
	                              "opacity", opacity, "nodes"));
}

size_t xp_chart_node(json_t *chart, double x, double y, const char *name, int group, const char *note)
{
	json_t *nodes = json_object_get(json_object_get(chart, "network"), "nodes"), *node = json_array();
	append(node, x);
	append(node, y);
	json_array_append_new(node, xp_json_text(name));
	if (group >= 0 || note)
		append(node, group);
	if (note)
		json_array_append_new(node, xp_json_text(note));
	json_array_append_new(nodes, node);
	return json_array_size(nodes) - 1;
}

void xp_chart_cable(json_t *series, size_t a, size_t b, double n, double metres)
{
	json_t *cable = json_array();
	append(cable, (double)a);
	append(cable, (double)b);
	append(cable, n);
	if (isfinite(metres))
		append(cable, metres);
	json_array_append_new(json_object_get(series, "points"), cable);
}

/* Series that got no point are of no use in a legend. */
void xp_chart_drop_empty(json_t *chart)
{
	json_t *all = json_object_get(chart, "series");
	for (size_t i = json_array_size(all); i-- > 0;)
		if (!json_array_size(json_object_get(json_array_get(all, i), "points")))
			json_array_remove(all, i);
}

/* --- into the page ------------------------------------------------------------------------------------------ */

/* Nothing in the text can end its element. */
static void write_json_text(FILE *page, const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(7));
	for (const char *p = text ? text : "{}"; *p; p++)
		if (*p == '<')
			fputs("\\u003c", page);
		else
			fputc(*p, page);
	free(text);
}

void xp_write_json(FILE *page, const json_t *value, const char *id)
{
	fputs("<script type=\"application/json\"", page);
	if (id)
		fprintf(page, " id=\"%s\"", id);
	fputc('>', page);
	write_json_text(page, value);
	fputs("</script>", page);
}

/* A place of the page for figures, said by `place`, which is released. */
static void write_place(struct xp_report *report, json_t *place)
{
	if (xp_is_drawing(report))
		xp_draw_later(report, place);
	if (report->interactive) {
		fputs("<div class=\"figures\">", report->page);
		xp_write_json(report->page, place, NULL);
		fputs("</div>\n", report->page);
	}
	json_decref(place);
}

void xp_charts_write(struct xp_report *report, json_t *figure)
{
	write_place(report, figure);
}

void xp_records(struct xp_report *report, const char *id, json_t *records)
{
	if (xp_is_drawing(report)) {
		report->records = report->records ? report->records : json_object();
		json_object_set(report->records, id, records);
	}
	if (report->interactive) {
		fputs("<script type=\"application/json\" class=\"records\" data-id=\"", report->page);
		xp_page_text(report->page, id);
		fputs("\">", report->page);
		write_json_text(report->page, records);
		fputs("</script>\n", report->page);
	}
	json_decref(records);
}

void xp_figures(struct xp_report *report, const char *maker, const char *id)
{
	write_place(report, json_pack("{s:s, s:o}", "make", maker, "of", xp_json_text(id)));
}

void xp_figures_of(struct xp_report *report, const char *maker, json_t *ids)
{
	write_place(report, json_pack("{s:s, s:o}", "make", maker, "of", ids));
}

double xp_shown(const struct xp_report *report, double value)
{
	char text[40];
	if (!report->several || !isfinite(value))
		return value;
	snprintf(text, sizeof text, "%.4g", value);
	return strtod(text, NULL);
}

static double packets_of(const json_t *bins)
{
	double total = 0;
	size_t i;
	json_t *bin;
	json_array_foreach (bins, i, bin)
		total += json_number_value(json_array_get(bin, 2));
	return total;
}

bool xp_has_ccdf(const json_t *histogram)
{
	const json_t *bins = json_object_get(histogram, "bins");
	return packets_of(bins) > 0 &&
	       (json_number_value(json_array_get(json_array_get(bins, 0), 0)) > 0 || json_array_size(bins) > 1);
}

bool xp_any_ccdf(const json_t *histograms)
{
	size_t i;
	json_t *histogram;
	json_array_foreach (histograms, i, histogram)
		if (xp_has_ccdf(histogram))
			return true;
	return false;
}

/* Steps of a hundredth of a decade in latency, or of a fiftieth in share, are seen; in the folded charts of many runs
 * those of three hundredths, or of an eighth. */
json_t *xp_ccdf(const struct xp_report *report, const json_t *histogram)
{
	json_t *series = json_pack("{s:[]}", "points"), *points = json_incref(json_object_get(series, "points"));
	const json_t *bins = json_object_get(histogram, "bins"), *bin;
	double total = packets_of(bins), below = 0, last_x = 0, last_y = 0, seen[2] = { 0.01, 0.02 };
	size_t i, n = json_array_size(bins);
	if (!xp_has_ccdf(histogram)) {
		json_decref(series);
		return points;
	}
	if (report->several) {
		seen[0] = 0.03;
		seen[1] = 0.125;
	}
	double first = json_number_value(json_array_get(json_array_get(bins, 0), 0)) / 1000;
	if (first > 0)
		xp_series_point(series, last_x = first, last_y = 1, NAN, NAN);
	json_array_foreach (bins, i, bin) {
		below += json_number_value(json_array_get(bin, 2));
		double x = json_number_value(json_array_get(bin, 1)) / 1000, y = (total - below) / total;
		if (!(y > 0) || !(x > 0))
			continue;
		if (i + 2 < n && log10(x / last_x) < seen[0] && log10(last_y / y) < seen[1])
			continue;
		last_x = x;
		last_y = y;
		xp_series_point(series, xp_shown(report, x), xp_shown(report, y), NAN, NAN);
	}
	json_decref(series);
	return points;
}
