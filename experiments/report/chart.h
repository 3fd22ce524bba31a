/* experiments/report/chart.h - charts of an interactive page: from C their data, with titles and units; web/charts.js
 * draws them. See report.h for a page of them.
 *
 * A figure is one chart or several panels, with one legend, one caption and one CSV file. Its charts have a kind:
 *
 *   "lines"    lines, steps or marks over numbers; xp_series_point(), with an interval of y
 *   "scatter"  points with intervals both ways and names; xp_series_spot()
 *   "bars"     ranked bars: a bar for each name of the y axis and series; xp_series_point() with x the number of the
 *              name and y its value, with an interval; xp_chart_single(): a name has a bar of one series alone
 *   "stack"    one bar a name, the series one after another
 *   "heat"     a heat map; xp_chart_heat()
 *   "cells"    rectangles with values; xp_chart_cells()
 *   "network"  nodes at given places and cables between them; xp_chart_node(), xp_chart_cable()
 *
 * Numbers are written for people by their unit: "ns", "s", "B", "Gb/s", "/s", "W", "m" (all of these with prefixes as
 * the value needs them, 1250 ns being 1.25 µs), "share" (0.5 is 50 %), "count", "" (as it is), or any other text, which
 * stands behind the number.
 *
 * A series has a key: what is the same thing has the same key, and the same colour on the whole page. NAN is no value.
 * All json_t are of jansson; those returned by xp_chart() and xp_chart_series() belong to their figure. */
#ifndef EXPERIMENTS_REPORT_CHART_H
#define EXPERIMENTS_REPORT_CHART_H

#include "experiments/report/report.h"

enum xp_axis_flags {
	XP_AXIS_LOG = 1,  /* logarithmic: values are positive */
	XP_AXIS_ZERO = 2, /* begins at 0 */
};

/* A new figure; `name` is that of saved files. The caller owns it until xp_charts_write(). */
json_t *xp_charts(const char *name, const char *caption);
json_t *xp_chart(json_t *figure, const char *kind, const char *title);
/* Panels are at least so wide; without it 22 rem. */
void xp_charts_width(json_t *figure, const char *css_length);

/* axis: "x" or "y". */
void xp_chart_axis(json_t *chart, const char *axis, const char *title, const char *unit, unsigned flags);
/* NAN: as the data need it. */
void xp_chart_range(json_t *chart, const char *axis, double min, double max);
/* The next name of an axis of names; the first one makes it so. Returns its number. */
size_t xp_chart_name(json_t *chart, const char *axis, const char *name);

/* A series of a chart, shown as `name`. style: "line", "steps" (to the right of a point its value holds), "plain" (a
 * line without marks), "marks", for scatter "" or "front" (steps between the points, which are in order of x). */
json_t *xp_chart_series(json_t *chart, const char *key, const char *name, const char *style);
/* Another dash and other marks than its key's: the n-th. */
void xp_series_dash(json_t *series, unsigned n);
void xp_series_mark(json_t *series, unsigned n);
/* A colour of its own, "#rrggbb", where colours mean something. */
void xp_series_colour(json_t *series, const char *colour);
/* low and high: NAN if there is no interval. */
void xp_series_point(json_t *series, double x, double y, double low, double high);
void xp_series_spot(json_t *series, const char *name, double x, double x_low, double x_high, double y, double y_low,
                    double y_high);
/* What else there is to know of the last point, a line of a bubble and a column of tables: "routing", "minimal". */
void xp_series_note(json_t *series, const char *name, const char *value);
/* Takes out the series that got no point. */
void xp_chart_drop_empty(json_t *chart);
/* Is not shown at first. */
void xp_charts_hide(json_t *figure, const char *name);

/* Of bars: each name has one bar, of whatever series: a series is a colour. */
void xp_chart_single(json_t *chart);
/* What the intervals of a chart's points are, if not 95 % intervals of a mean: "least and best". */
void xp_chart_interval(json_t *chart, const char *what);
/* Vertical dashed lines at two x. */
void xp_chart_window(json_t *chart, double from, double to);

/* The number of cells that a heat map may have: all together stay within a page's. */
size_t xp_heat_cells(struct xp_report *report, size_t wanted);
/* values[rows * columns], row after row, the lowest first; NAN: an empty cell. Cell (row, column) is at x_from + column
 * * x_step, and as y. The axes must be set before. */
void xp_chart_heat(json_t *chart, const char *title, const char *unit, const double *values, size_t rows,
                   size_t columns, double x_from, double x_step, double y_from, double y_step, double most);

/* A floor of rows x columns places of 1 x 1 with rectangles inside, on a common scale; row r lies from -r - 1 to -r.
 * aspect is height over width; width in px, of drawings. */
void xp_chart_cells(json_t *chart, const char *title, const char *unit, double most, size_t rows, size_t columns,
                    double aspect, double width);
void xp_chart_cell(json_t *chart, double left, double bottom, double right, double top, double value,
                   const char *label);

/* A text in the middle of a place that is so wide, left out where that is too narrow on the screen; width 0: to the
 * right of (x, y). */
void xp_chart_cell_text(json_t *chart, double x, double y, double width, const char *text);

/* A drawing of nodes `size` px wide, symbol "circle" or "rect". */
void xp_chart_network(json_t *chart, double aspect, const char *symbol, double size, double opacity);
/* group: its colour, -1 for ink; note: what else is known of it, or NULL. */
size_t xp_chart_node(json_t *chart, double x, double y, const char *name, int group, const char *note);
/* n cables between two nodes; metres: NAN if not known. */
void xp_chart_cable(json_t *series, size_t a, size_t b, double n, double metres);

/* Puts the figure into the page, and into the folders where it is wanted as a file, and releases it. A figure without
 * anything on its axes is left out. */
void xp_charts_write(struct xp_report *report, json_t *figure);

/* Records of this name, from which figures are made; they are released. */
void xp_records(struct xp_report *report, const char *id, json_t *records);
/* The figures that the maker in web/ makes of records, here. xp_figures_of(): of several, an array of names, released.
 */
void xp_figures(struct xp_report *report, const char *maker, const char *id);
void xp_figures_of(struct xp_report *report, const char *maker, json_t *ids);

/* As many digits as a chart of this page shows: all, or four where there are many runs. */
double xp_shown(const struct xp_report *report, double value);
/* Has the distribution of a `histogram` record a point, on axes that are logarithmic? Has one of an array's? */
bool xp_has_ccdf(const json_t *histogram);
bool xp_any_ccdf(const json_t *histograms);
/* The complementary distribution of a `histogram` record as points of steps: latency in ns, share above. Values between
 * which nothing could be seen are left out. The caller's. */
json_t *xp_ccdf(const struct xp_report *report, const json_t *histogram);

/* Any bytes as a JSON text. */
json_t *xp_json_text(const char *text);
/* A JSON value into an element <script type="application/json">. */
void xp_write_json(FILE *page, const json_t *value, const char *id);

#endif
