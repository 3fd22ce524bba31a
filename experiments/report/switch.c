/* experiments/report/switch.c - the inside of switches: the floor plan of tiles as a heat map, and the latency by stage
 * as stacked bars.
 *
 * Records of kind "switch" are summed as they pass; of the one whose links are busiest a reference is kept, for the
 * floor plan. Nothing in a record is trusted: what is missing counts as 0, a floor that makes no sense is not drawn. */
#include "experiments/report/switch.h"
#include "base/format.h"
#include "base/memory.h"
#include "experiments/report/chart.h"
#include "experiments/report/figure.h"
#include "experiments/report/page.h"

#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CELL_PX 22 /* the narrowest cell into which a number is written */

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
	size_t *port_at;       /* [rows * columns * per_tile] a place's port; `ports`: there is none */
	double tile_px, width; /* of a tile; of the figure */
	FILE *boxes, *numbers;
	json_t *chart; /* of the page */
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
	double x = (left + right) / 2, y = (low + high) / 2;
	if (isnan(value))
		return;
	value = fmin(fmax(value, 0), 100);
	int length = snprintf(label, sizeof label, "tile row %zu, column %zu: %s", r, c, labels[band]);
	if (band != CROSSBAR)
		snprintf(label + length, sizeof label - (size_t)length, " %zu", port);
	xp_chart_cell(f->chart, left, low, right, high, value / 100, label);
	fprintf(f->boxes, "%.4f %.4f %.4f %.4f %.4f %.4f %.4g\n", x, y, left, right, low, high, value);
	if (band != OUTPUTS && (right - left) * f->tile_px >= CELL_PX)
		fprintf(f->numbers, "%.4f %.4f %.0f %d\n", x, y, value, value < 52 ? 0xffffff : 0x010101);
}

static double share(const struct floor *f, const char *name, size_t port)
{
	return port < f->ports ? 100 * item(json_object_get(f->record, name), port) : NAN;
}

static void draw_tile(struct floor *f, size_t r, size_t c, FILE *ports)
{
	size_t first = (r * f->columns + c) * f->per_tile, outputs = 0, n = 0;
	const json_t *crossbar = json_object_get(f->record, "crossbar_utilization");
	double sum = 0, margin = 5 / f->tile_px, width = (1 - 2 * margin) / (double)f->per_tile;
	for (size_t k = 0; k < f->per_tile; k++) {
		size_t port = f->port_at[first + k];
		cell(f, r, c, BUSES, k, f->per_tile, port, share(f, "bus_utilization", port));
		cell(f, r, c, MUXES, k, f->per_tile, port, share(f, "mux_utilization", port));
		if (port < f->ports && width * f->tile_px >= CELL_PX)
			fprintf(ports, "%.4f %.4f %zu\n", (double)c + margin + width * ((double)k + 0.5),
			        -(double)r - 0.07, port);
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

static void write_axes(const struct floor *f, FILE *out)
{
	double columns = (double)f->columns, rows = (double)f->used_rows;
	fprintf(out, "set xrange [0:%g]\nset yrange [%g:0]\nunset grid\nunset border\nunset tics\nunset key\n", columns,
	        -rows);
	fputs("set cbtics out\nset cbrange [0:100]\nset cblabel 'time in use (%)'\n" XP_VIRIDIS, out);
	for (size_t r = 0; r < f->used_rows; r++) {
		for (int b = 0; b < BANDS; b++)
			fprintf(out, "set label '%s' at first -0.04, first %g right font ',10'\n", bands[b].label,
			        (bands[b].top + bands[b].bottom) / 2 - (double)r - 1);
		fprintf(out, "set label 'row %zu' at screen %g, first %g center rotate by 90\n", r, 28.0 / f->width,
		        -(double)r - 0.5);
	}
	for (size_t c = 0; c < f->columns; c++)
		fprintf(out, "set label '%s%zu' at first %g, graph 1 offset 0,0.7 center\n",
		        f->tile_px >= 66 ? "column " : "", c, (double)c + 0.5);
	for (size_t c = 0; c <= f->columns; c++)
		fprintf(out, "set arrow from %zu,0 to %zu,%g nohead lc rgb '#808080' lw 0.6\n", c, c, -rows);
	for (size_t r = 0; r <= f->used_rows; r++)
		fprintf(out, "set arrow from 0,%g to %g,%g nohead lc rgb '#808080' lw 0.6\n", -(double)r, columns,
		        -(double)r);
}

static void draw_floor(const struct xp_inside *in, struct xp_report *report, const char *name)
{
	struct floor f;
	char *boxes = NULL, *numbers = NULL, *ports = NULL, *script = NULL, file[300], caption[700];
	size_t n[4];
	if (!read_floor(&f, in->busiest))
		return;
	double across = (double)f.columns, down = (double)f.used_rows;
	json_t *figure = xp_charts("", "");
	f.chart = xp_chart(figure, "cells", "");
	xp_chart_cells(f.chart, "time in use", "share", 1, 0, -down, across, 0, 0.9 * down / across);
	f.boxes = base_memory_stream(&boxes, &n[0]);
	f.numbers = base_memory_stream(&numbers, &n[1]);
	FILE *labels = base_memory_stream(&ports, &n[2]), *out = base_memory_stream(&script, &n[3]);
	for (size_t r = 0; r < f.used_rows; r++)
		for (size_t c = 0; c < f.columns; c++)
			draw_tile(&f, r, c, labels);
	fclose(f.boxes);
	fclose(f.numbers);
	fclose(labels);
	int width = (int)(f.tile_px * (double)f.columns) + 250, height = (int)(112 * (double)f.used_rows) + 60;
	fprintf(out, "$boxes << EOD\n%sEOD\n$numbers << EOD\n%sEOD\n$ports << EOD\n%sEOD\n", boxes, numbers, ports);
	fprintf(
	    out,
	    "set lmargin at screen %g\nset rmargin at screen %g\nset tmargin at screen %g\nset bmargin at screen %g\n",
	    130.0 / width, 1 - 120.0 / width, 1 - 36.0 / height, 16.0 / height);
	fprintf(out, "set colorbox user origin screen %g, screen %g size screen %g, screen %g\n", 1 - 100.0 / width,
	        16.0 / height, 16.0 / width, 1 - 52.0 / height);
	f.width = width;
	write_axes(&f, out);
	fputs("plot $boxes using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc palette", out);
	if (*numbers)
		fputs(", $numbers using 1:2:3:4 with labels tc rgb variable font ',10'", out);
	if (*ports)
		fputs(", $ports using 1:2:3 with labels tc rgb '#808080' font ',9'", out);
	fputc('\n', out);
	fclose(out);
	snprintf(file, sizeof file, "%s-floor", name);
	static const char text[] = "Floor plan of switch %.0f%s: share of the time in use, per cent. A tile, from its "
				   "top: its ports'%s "
				   "row buses; its crossbar (mean of its outputs); its outputs, at most %zu, with the "
				   "column channels behind them, to the "
				   "column's ports from the first row to the last; the multiplexers where the column "
				   "channels reach the tile's own ports.%s";
	snprintf(caption, sizeof caption, text, xp_number(in->busiest, "switch", NULL),
	         in->switches > 1 ? ", the busiest of those recorded" : "",
	         report->interactive ? "" : " numbers (grey) and their", f.used_rows * f.per_tile,
	         f.used_rows < f.rows ? " Rows without ports are left out." : "");
	json_object_set_new(figure, "name", xp_json_text(file));
	json_object_set_new(figure, "caption", xp_json_text(caption));
	xp_charts_write(report, figure);
	xp_figure(report, file, caption, width, height, script);
	free(f.port_at);
	free(boxes);
	free(numbers);
	free(ports);
	free(script);
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

/* Nearly black on a pale hue, white on a dark one. (Black itself is what the page turns light in the dark.) */
static int ink_on(const char *hue)
{
	long rgb = strtol(hue + 1, NULL, 16);
	long luma = 299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255);
	return luma > 140000 ? 0x010101 : 0xffffff;
}

/* One bar at height y. widest: of all bars, in ns. */
static void draw_bar(FILE *boxes, FILE *numbers, const struct inside_class *c, bool slowest, double y, double widest)
{
	double x = 0;
	for (size_t k = 0; k < c->nstages; k++) {
		double ns = (slowest ? c->stage[k].slowest : c->stage[k].sum / c->packets) / 1000;
		const char *hue = stage_hue(c, k);
		if (!(ns > 0))
			continue;
		fprintf(boxes, "%.6g %g %.6g %.6g %g %g 0x%s\n", x + ns / 2, y, x, x + ns, y - 0.3, y + 0.3, hue + 1);
		if (ns > 0.06 * widest)
			fprintf(numbers, "%.6g %g %.*f %d\n", x + ns / 2, y, ns < 99.95 ? 1 : 0, ns, ink_on(hue));
		x += ns;
	}
}

static void legend(FILE *out, const struct inside_class *c)
{
	for (size_t k = 0; k < c->nstages; k++) {
		double ns = c->stage[k].sum / c->packets / 1000;
		char title[120];
		if (!(ns > 0) && !(c->stage[k].slowest > 0))
			continue;
		snprintf(title, sizeof title, "%s, %.1f", c->stage[k].name, ns);
		fprintf(out, ", NaN with boxes fs solid noborder lc rgb '%s' title ", stage_hue(c, k));
		xp_plot_string(out, title);
	}
}

static void bar_label(FILE *out, double y, const char *text, double end, double ns)
{
	fputs("set label ", out);
	xp_plot_string(out, text);
	fprintf(
	    out,
	    " at graph 0, first %g offset -1,0 right\nset label '%.1f ns' at first %.6g, first %g offset 0.7,0 left\n",
	    y, ns, end, y);
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
static void chart_class(const struct xp_inside *in, struct xp_report *report, json_t *chart,
                        const struct inside_class *c)
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
			series = xp_chart_series(report, chart, c->stage[k].name, c->stage[k].name, "");
			xp_series_colour(series, stage_hue(c, k));
		}
		xp_series_point(series, (double)bar[0], c->stage[k].sum / c->packets / 1000, NAN, NAN);
		if (c->slowest > 0)
			xp_series_point(series, (double)bar[1], c->stage[k].slowest / 1000, NAN, NAN);
	}
}

static void chart_stack(const struct xp_inside *in, struct xp_report *report, const char *file)
{
	json_t *figure = xp_charts(file, stack_caption), *chart = xp_chart(figure, "stack", "");
	xp_chart_axis(chart, "x", "mean time in the switch", "ns", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	for (size_t i = 0; i < in->nclasses; i++)
		if (in->class[i].packets > 0 && in->class[i].nstages)
			chart_class(in, report, chart, &in->class[i]);
	xp_charts_write(report, figure);
}

static void draw_stack(const struct xp_inside *in, struct xp_report *report, const char *name)
{
	char *boxes = NULL, *numbers = NULL, *script = NULL, file[300], text[160];
	size_t n[3], bars = 0;
	double widest = 0, y = 0;
	const struct inside_class *first = NULL;
	for (size_t i = 0; i < in->nclasses; i++) {
		const struct inside_class *c = &in->class[i];
		if (!(c->packets > 0) || !c->nstages)
			continue;
		first = first ? first : c;
		bars += c->slowest > 0 ? 2 : 1;
		widest = fmax(widest, fmax(c->latency / c->packets, c->slowest) / 1000);
	}
	if (!first || !(widest > 0 && widest < 1e15))
		return;
	FILE *box = base_memory_stream(&boxes, &n[0]), *number = base_memory_stream(&numbers, &n[1]),
	     *out = base_memory_stream(&script, &n[2]);
	fputs("unset grid\nset grid x ls 100\nunset ytics\nset border 1\n", out);
	for (size_t i = 0; i < in->nclasses; i++) {
		const struct inside_class *c = &in->class[i];
		if (!(c->packets > 0) || !c->nstages)
			continue;
		for (int slowest = 0; slowest < (c->slowest > 0 ? 2 : 1); slowest++, y -= 1) {
			double ns = (slowest ? c->slowest : c->latency / c->packets) / 1000;
			draw_bar(box, number, c, slowest, y, widest);
			bar_name(in, c, slowest, text, sizeof text);
			bar_label(out, y, text, ns, ns);
		}
	}
	fclose(box);
	fclose(number);
	int height = 110 + (int)(56 * bars), key = 70 + (int)(20 * first->nstages);
	height = height < key ? key : height;
	fprintf(out, "$boxes << EOD\n%sEOD\n$numbers << EOD\n%sEOD\n", boxes, numbers);
	fprintf(out,
	        "set lmargin at screen 0.2\nset xrange [0:%.6g]\nset yrange [%g:0.6]\nset xlabel 'mean time in the "
	        "switch (ns)'\n"
	        "set key outside right top reverse Left samplen 1 maxcols 1 title ",
	        widest * 1.2, y + 0.4);
	snprintf(text, sizeof text, "stage, mean of %.40s (ns)", in->nclasses > 1 ? first->name : "all outputs");
	xp_plot_string(out, text);
	fputs(" left\nplot $boxes using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable notitle", out);
	if (*numbers)
		fputs(", $numbers using 1:2:3:4 with labels tc rgb variable font ',10' notitle", out);
	legend(out, first);
	fputc('\n', out);
	fclose(out);
	snprintf(file, sizeof file, "%s-latency-stack", name);
	chart_stack(in, report, file);
	xp_figure(report, file, stack_caption, 1060, height, script);
	free(boxes);
	free(numbers);
	free(script);
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
