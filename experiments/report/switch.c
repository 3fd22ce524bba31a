/* experiments/report/switch.c - the inside of switches: the floor plan of tiles as a heat map, and the latency by stage
 * as stacked bars.
 *
 * Records of kind "switch" are summed as they pass; of the one whose links are busiest a reference is kept, for the
 * floor plan. Nothing in a record is trusted: what is missing counts as 0, a floor that makes no sense is not drawn. */
#include "experiments/report/switch.h"
#include "base/memory.h"
#include "experiments/report/chart.h"
#include "experiments/report/page.h"

#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double item(const json_t *list, size_t i)
{
	const json_t *v = json_array_get(list, i);
	return json_is_number(v) ? json_number_value(v) : 0;
}

static double total(const json_t *list)
{
	double sum = 0;
	for (size_t i = 0; i < json_array_size(list); i++)
		sum += item(list, i);
	return sum;
}

/* --- reading ---------------------------------------------------------------------------------------- */

static struct inside_class *class_named(struct xp_inside *in, const char *name)
{
	for (size_t i = 0; i < in->nclasses; i++)
		if (!strcmp(in->class[i].name, name))
			return &in->class[i];
	if (in->nclasses == XP_INSIDE_CLASSES)
		return NULL;
	snprintf(in->class[in->nclasses].name, sizeof in->class->name, "%s", name);
	return &in->class[in->nclasses++];
}

/* Is this output the slowest of the class so far? Keeps its stages then. */
static void compare_output(struct inside_class *c, const json_t *class, double sw, size_t port)
{
	double packets = item(json_object_get(class, "packets"), port);
	double mean = item(json_object_get(class, "latency_ps"), port) / packets;
	if (!(packets >= 10) || !(mean > c->slowest))
		return;
	const json_t *stages = json_object_get(class, "stages");
	c->slowest = mean;
	c->slowest_switch = sw;
	c->slowest_port = port;
	for (size_t k = 0; k < c->nstages; k++)
		c->stage[k].slowest = item(json_object_get(json_array_get(stages, k), "ps"), port) / packets;
}

static void take_class(struct xp_inside *in, const json_t *class, double sw)
{
	struct inside_class *c = class_named(in, xp_text(class, "class"));
	const json_t *stages = json_object_get(class, "stages"), *packets = json_object_get(class, "packets");
	if (!c)
		return;
	if (!c->nstages)
		for (; c->nstages < json_array_size(stages) && c->nstages < XP_INSIDE_STAGES; c->nstages++) {
			const json_t *s = json_array_get(stages, c->nstages);
			snprintf(c->stage[c->nstages].name, sizeof c->stage->name, "%s", xp_text(s, "stage"));
			c->stage[c->nstages].wait = json_is_true(json_object_get(s, "wait"));
		}
	c->packets += total(packets);
	c->latency += total(json_object_get(class, "latency_ps"));
	for (size_t k = 0; k < c->nstages; k++) {
		const json_t *s = json_array_get(stages, k);
		double inside = xp_number(s, "mean_packets", NULL);
		c->stage[k].sum += total(json_object_get(s, "ps"));
		c->stage[k].inside += isfinite(inside) ? inside : 0;
	}
	for (size_t i = 0; i < json_array_size(packets); i++)
		compare_output(c, class, sw, i);
}

void xp_inside_take(struct xp_inside *in, const json_t *record)
{
	const json_t *classes = json_object_get(record, "classes");
	double busy = total(json_object_get(record, "link_utilization")), sw = xp_number(record, "switch", NULL);
	in->switches++;
	for (size_t i = 0; i < json_array_size(classes); i++)
		take_class(in, json_array_get(classes, i), sw);
	if (in->busiest && busy <= in->most)
		return;
	json_decref(in->busiest);
	in->busiest = json_incref((json_t *)record);
	in->most = busy;
}

void xp_inside_free(struct xp_inside *in)
{
	json_decref(in->busiest);
}

/* --- the floor plan --------------------------------------------------------------------------------- */

/* A tile is 1 x 1, tile (row r, column c) has its lower left corner at (c, -r - 1). From its top down: numbers of
 * ports, row buses, the crossbar, its outputs, multiplexers. */
enum band { BUSES, CROSSBAR, OUTPUTS, MUXES, BANDS };
static const struct {
	double top, bottom;
	const char *label;
} bands[BANDS] = { { 0.86, 0.64, "row buses" },
	           { 0.62, 0.40, "crossbar" },
	           { 0.385, 0.295, "its outputs" },
	           { 0.28, 0.06, "to ports" } };

struct floor {
	const json_t *record;
	size_t rows, used_rows, columns, per_tile, ports;
	size_t *port_at; /* [rows * columns * per_tile] a place's port; `ports`: there is none */
	double tile_px;  /* width of a tile in a drawing */
	json_t *chart;
};

static bool whole(double v, double most)
{
	return v >= 1 && v <= most && floor(v) >= v;
}

static bool read_floor(struct floor *f, const json_t *record)
{
	double rows = xp_number(record, "tiles", "rows", NULL), columns = xp_number(record, "tiles", "columns", NULL);
	double per = xp_number(record, "tiles", "ports_per_tile", NULL), ports = xp_number(record, "ports", NULL);
	const json_t *places = json_object_get(json_object_get(record, "tiles"), "places");
	if (!whole(rows, 64) || !whole(columns, 128) || !whole(per, 128) || !whole(ports, rows * columns * per))
		return false;
	*f = (struct floor){ .record = record,
		             .rows = (size_t)rows,
		             .columns = (size_t)columns,
		             .per_tile = (size_t)per,
		             .ports = (size_t)ports };
	size_t row = f->columns * f->per_tile, all = f->rows * row;
	f->port_at = base_calloc(all, sizeof *f->port_at);
	for (size_t at = 0; at < all; at++)
		f->port_at[at] = f->ports;
	for (size_t port = 0; port < f->ports; port++) {
		double place = places ? item(places, port) : (double)port; /* older records: in order */
		size_t at = place >= 0 && place < (double)all ? (size_t)place : port;
		f->port_at[at] = port;
		f->used_rows = at / row + 1 > f->used_rows ? at / row + 1 : f->used_rows;
	}
	f->tile_px = fmin(fmax(fmax(per * 34, 74), rows * 16), fmax(1000 / columns, 30));
	return true;
}

/* The n-th of `of` cells of a band of tile (r, c), that of `port`; value in per cent, NAN: no port there. */
static void cell(struct floor *f, size_t r, size_t c, enum band band, size_t n, size_t of, size_t port, double value)
{
	static const char *const labels[BANDS] = { "row bus of port", "crossbar, mean of its outputs",
		                                   "output towards port", "column multiplexer of port" };
	char label[120];
	double margin = 5 / f->tile_px, width = (1 - 2 * margin) / (double)of,
	       gap = band == OUTPUTS ? 0 : 1 / f->tile_px;
	double left = (double)c + margin + (double)n * width + gap, right = left + width - 2 * gap;
	double low = bands[band].bottom - (double)r - 1, high = bands[band].top - (double)r - 1;
	if (isnan(value))
		return;
	value = fmin(fmax(value, 0), 100);
	int length = snprintf(label, sizeof label, "tile row %zu, column %zu: %s", r, c, labels[band]);
	if (band != CROSSBAR)
		snprintf(label + length, sizeof label - (size_t)length, " %zu", port);
	xp_chart_cell(f->chart, left, low, right, high, value / 100, label);
}

static double share(const struct floor *f, const char *name, size_t port)
{
	return port < f->ports ? 100 * item(json_object_get(f->record, name), port) : NAN;
}

static void draw_tile(struct floor *f, size_t r, size_t c)
{
	size_t first = (r * f->columns + c) * f->per_tile, outputs = 0, n = 0;
	const json_t *crossbar = json_object_get(f->record, "crossbar_utilization");
	double sum = 0, margin = 5 / f->tile_px, width = (1 - 2 * margin) / (double)f->per_tile;
	for (size_t k = 0; k < f->per_tile; k++) {
		size_t port = f->port_at[first + k];
		cell(f, r, c, BUSES, k, f->per_tile, port, share(f, "bus_utilization", port));
		cell(f, r, c, MUXES, k, f->per_tile, port, share(f, "mux_utilization", port));
		char number[32];
		snprintf(number, sizeof number, "%zu", port);
		if (port < f->ports)
			xp_chart_cell_text(f->chart, (double)c + margin + width * ((double)k + 0.5), -(double)r - 0.07,
			                   width, number);
	}
	for (size_t row = 0; row < f->used_rows; row++) /* ports of this column, row by row */
		for (size_t k = 0; k < f->per_tile; k++)
			outputs += f->port_at[(row * f->columns + c) * f->per_tile + k] < f->ports;
	for (size_t row = 0; row < f->used_rows; row++)
		for (size_t k = 0; k < f->per_tile; k++) {
			size_t port = f->port_at[(row * f->columns + c) * f->per_tile + k];
			if (port >= f->ports)
				continue;
			double value = 100 * item(json_array_get(crossbar, port), r);
			cell(f, r, c, OUTPUTS, n++, outputs, port, value);
			sum += value;
		}
	cell(f, r, c, CROSSBAR, 0, 1, 0, outputs ? sum / (double)outputs : NAN);
}

static void draw_floor(const struct xp_inside *in, struct xp_report *report, const char *name)
{
	static const char text[] = "Floor plan of switch %.0f%s: share of the time in use, per cent. A tile, from its "
				   "top: its ports' numbers (grey) and their row buses; its crossbar (mean of its "
				   "outputs); its outputs, at most %zu, with the column channels behind them, to the "
				   "column's ports from the first row to the last; the multiplexers where the column "
				   "channels reach the tile's own ports.%s";
	struct floor f;
	char file[300], caption[700];
	if (!read_floor(&f, in->busiest))
		return;
	snprintf(file, sizeof file, "%s-floor", name);
	snprintf(caption, sizeof caption, text, xp_number(in->busiest, "switch", NULL),
	         in->switches > 1 ? ", the busiest of those recorded" : "", f.used_rows * f.per_tile,
	         f.used_rows < f.rows ? " Rows without ports are left out." : "");
	json_t *figure = xp_charts(file, caption);
	f.chart = xp_chart(figure, "cells", "");
	xp_chart_cells(f.chart, "time in use", "share", 1, f.used_rows, f.columns,
	               1.1 * (double)f.used_rows / (double)f.columns, f.tile_px * (double)f.columns + 130);
	for (size_t r = 0; r < f.used_rows; r++)
		for (size_t c = 0; c < f.columns; c++)
			draw_tile(&f, r, c);
	for (size_t r = 0; r < f.used_rows; r++)
		for (int b = 0; b < BANDS; b++)
			xp_chart_cell_text(f.chart, (double)f.columns + 0.02,
			                   (bands[b].top + bands[b].bottom) / 2 - (double)r - 1, 0, bands[b].label);
	xp_charts_write(report, figure);
	free(f.port_at);
}

/* --- the latency stack ------------------------------------------------------------------------------ */

/* Constants of the pipeline are blue, waits orange to red, paler where the packet comes first (ColorBrewer's Blues and
 * OrRd). */
static const char *stage_hue(const struct inside_class *c, size_t stage)
{
	static const char *const constant[] = { "#C6DBEF", "#9ECAE1", "#6BAED6", "#4292C6", "#2171B5", "#08519C" };
	static const char *const wait[] = { "#FDD49E", "#FDBB84", "#FC8D59", "#EF6548", "#D7301F", "#990000" };
	size_t n = 0;
	for (size_t k = 0; k < stage; k++)
		n += c->stage[k].wait == c->stage[stage].wait;
	return (c->stage[stage].wait ? wait : constant)[n % 6];
}

static const char stack_caption[] =
    "Where the time in a switch goes: mean over the packets that left, from the header's arrival to the first bit on "
    "the next "
    "link. Blue: constants of the pipeline; orange and red: waits. The stages of each packet sum to its time exactly.";

static void bar_name(const struct xp_inside *in, const struct inside_class *c, bool slowest, char *text, size_t room)
{
	if (slowest)
		snprintf(text, room, "slowest: switch %.0f, port %zu", c->slowest_switch, c->slowest_port);
	else
		snprintf(text, room, "%.40s%sall outputs", in->nclasses > 1 ? c->name : "",
		         in->nclasses > 1 ? ", " : "");
}

/* The bars of one class. Stages of all classes that have one name are one series. */
static void chart_class(const struct xp_inside *in, json_t *chart, const struct inside_class *c)
{
	size_t bar[2], i;
	char text[160];
	for (int slowest = 0; slowest < (c->slowest > 0 ? 2 : 1); slowest++) {
		bar_name(in, c, slowest, text, sizeof text);
		bar[slowest] = xp_chart_name(chart, "y", text);
	}
	for (size_t k = 0; k < c->nstages; k++) {
		json_t *entry, *series = NULL;
		json_array_foreach (json_object_get(chart, "series"), i, entry)
			if (!strcmp(xp_text(entry, "name"), c->stage[k].name))
				series = entry;
		if (!series) {
			series = xp_chart_series(chart, c->stage[k].name, c->stage[k].name, "");
			xp_series_colour(series, stage_hue(c, k));
		}
		xp_series_point(series, (double)bar[0], c->stage[k].sum / c->packets / 1000, NAN, NAN);
		if (c->slowest > 0)
			xp_series_point(series, (double)bar[1], c->stage[k].slowest / 1000, NAN, NAN);
	}
}

static void draw_stack(const struct xp_inside *in, struct xp_report *report, const char *name)
{
	char file[300];
	snprintf(file, sizeof file, "%s-latency-stack", name);
	json_t *figure = xp_charts(file, stack_caption), *chart = xp_chart(figure, "stack", "");
	xp_chart_axis(chart, "x", "mean time in the switch", "ns", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	for (size_t i = 0; i < in->nclasses; i++)
		if (in->class[i].packets > 0 && in->class[i].nstages)
			chart_class(in, chart, &in->class[i]);
	if (!json_array_size(json_object_get(chart, "series")))
		json_array_clear(json_object_get(figure, "charts"));
	xp_charts_write(report, figure);
}

/* --- the section ------------------------------------------------------------------------------------ */

static void write_stages(const struct xp_inside *in, struct xp_report *report)
{
	FILE *page = report->page;
	fputs("<details><summary>Stages in numbers</summary><div class=\"scroll\"><table class=\"sortable\">\n<tr>",
	      page);
	xp_page_head(report, NULL, "class", true);
	xp_page_head(report, NULL, "stage", true);
	xp_page_head(report, "stage.mean", "mean", false);
	xp_page_head(report, "stage.share", "share (%)", false);
	xp_page_head(report, "stage.packets", "packets in it, mean", false);
	fputs("</tr>\n", page);
	for (size_t i = 0; i < in->nclasses; i++) {
		const struct inside_class *c = &in->class[i];
		for (size_t k = 0; k < c->nstages; k++) {
			fputs("<tr><td class=\"l\">", page);
			xp_page_text(page, c->name);
			fputs("</td><td class=\"l\">", page);
			xp_page_text(page, c->stage[k].name);
			fputs("</td>", page);
			xp_page_time(page, c->stage[k].sum / c->packets / 1000, false);
			xp_page_number(page, 100 * c->stage[k].sum / c->latency, "%.1f");
			xp_page_number(page, c->stage[k].inside, "%.2f");
			fputs("</tr>\n", page);
		}
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, c->name);
		fputs("</td><td class=\"l\">all</td>", page);
		xp_page_time(page, c->latency / c->packets / 1000, false);
		fputs("<td>100</td><td></td></tr>\n", page);
	}
	fputs("</table></div></details>\n", page);
}

void xp_inside_section(const struct xp_inside *in, struct xp_report *report, const char *name)
{
	if (!in->switches)
		return;
	fprintf(report->page, "<h3>Inside the switches</h3>\n<p class=\"soft\">%zu switch%s with instruments.</p>\n",
	        in->switches, in->switches > 1 ? "es" : "");
	draw_floor(in, report, name);
	draw_stack(in, report, name);
	write_stages(in, report);
}
