/* experiments/report/sweep.c - the section of a sweep: throughput and latency against load, distributions, the table.
 */
#include "experiments/config/message.h"
#include "experiments/report/figure.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/report/report.h"
#include "experiments/report/saturation.h"
#include "experiments/results/reader.h"
#include "experiments/sweep/experiment.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The figures' order: one panel for each value of the first axis that is not x; in a panel, one series for each
 * combination of the others. A grid with one such axis has one panel and a series for each value. */
struct view {
	struct xp_report *report;
	struct xp_experiment *e;
	const char *folder;
	json_t *rows;     /* array */
	json_t *panels;   /* array of labels on the panel axis, in order of appearance; [""] if there is no such axis */
	json_t *series;   /* array of names, in order of appearance */
	ptrdiff_t panel;  /* index of the panel axis, or -1 */
	bool unit;        /* x runs from 0 to 1 */
	size_t latencies; /* points whose latency is drawn */
	size_t saturated; /* points past saturation */
	struct range {
		double low, high; /* of positive values */
	} x, accepted, latency;
};

static const char *label_on(const struct view *v, const json_t *row, ptrdiff_t axis)
{
	return axis < 0 ? "" : xp_text(json_object_get(row, "labels"), v->e->axis[axis].name);
}

/* The labels that are neither x nor panel, joined. */
static void series_name(const struct view *v, const json_t *row, char *out, size_t room)
{
	size_t n = 0;
	out[0] = 0;
	for (size_t a = 0; a < v->e->naxes && n < room; a++)
		if (a != v->e->x && (ptrdiff_t)a != v->panel)
			n += (size_t)snprintf(out + n, room - n, "%s%s", n ? ", " : "", label_on(v, row, (ptrdiff_t)a));
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

static void widen(struct range *r, double value)
{
	if (value > 0 && isfinite(value)) {
		r->low = r->low > 0 ? fmin(r->low, value) : value;
		r->high = fmax(r->high, value);
	}
}

/* What all panels must show, so that they share their axes. */
static void find_ranges(struct view *v)
{
	size_t i;
	json_t *row;
	v->unit = true;
	json_array_foreach (v->rows, i, row) {
		double x = xp_row_x(v->e, row), known = xp_published(v->e, json_object_get(row, "labels"), x);
		v->unit = v->unit && x >= 0 && x <= 1;
		widen(&v->x, x);
		widen(&v->accepted, xp_number(row, "accepted_load", NULL));
		for (size_t k = 0; k < v->e->nscales; k++)
			widen(&v->accepted, known * v->e->scale[k].factor);
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

static void find_panels(struct view *v)
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
		series_name(v, row, name, sizeof name);
		add_once(v->panels, label_on(v, row, v->panel));
		add_once(v->series, name);
	}
}

static bool in_series(const struct view *v, const json_t *row, const char *panel, const char *series)
{
	char name[512];
	series_name(v, row, name, sizeof name);
	return !strcmp(label_on(v, row, v->panel), panel) && !strcmp(name, series);
}

struct block {
	size_t n;                     /* rows that have a result */
	bool published, intervals[2]; /* some row has: a published value, an interval of load, of latency */
};

/* One data block: x, accepted, mean, p99, enum xp_worth, published, intervals of accepted, mean and p99. */
static struct block write_block(const struct view *v, FILE *out, size_t p, size_t s)
{
	const char *panel = json_string_value(json_array_get(v->panels, p));
	const char *series = json_string_value(json_array_get(v->series, s));
	static const char *const ends[] = { "accepted_load_low",    "accepted_load_high", "latency_mean_low_ns",
		                            "latency_mean_high_ns", "latency_p99_low_ns", "latency_p99_high_ns" };
	struct block block = { 0 };
	size_t i;
	json_t *row;
	fprintf(out, "$d%zu_%zu << EOD\n", p, s);
	json_array_foreach (v->rows, i, row) {
		if (!in_series(v, row, panel, series) || !json_object_get(row, "accepted_load"))
			continue;
		double x = xp_row_x(v->e, row), known = xp_published(v->e, json_object_get(row, "labels"), x);
		block.published |= isfinite(known);
		fprintf(out, "%.9g %.9g %.9g %.9g %d %.9g", x, xp_number(row, "accepted_load", NULL),
		        xp_number(row, "latency_mean_ns", NULL), xp_number(row, "latency_p99_ns", NULL),
		        (int)xp_latency_worth(row), known);
		for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
			double end = xp_number(row, ends[k], NULL);
			block.intervals[k >= 2] |= isfinite(end);
			fprintf(out, " %.9g", end);
		}
		fputc('\n', out);
		block.n++;
	}
	fputs("EOD\n", out);
	return block;
}

enum quantity { THROUGHPUT, LATENCY };

/* Error bars: column `y` with its interval in the columns `low` and the next. */
static void plot_bars(FILE *out, size_t p, size_t s, enum quantity what, int y, int low, const char *hue)
{
	const char *drawn = what == LATENCY ? "$5>0?NaN:" : "";
	fprintf(out, ", $d%zu_%zu using 1:(%s$%d):%d:%d with yerrorbars pt 7 ps 0.5 lw 1.2 lc rgb '%s' notitle", p, s,
	        drawn, y, low, low + 1, hue);
}

/* The lines of one series in one panel; returns the number of plot elements written. */
static size_t plot_series(const struct view *v, FILE *out, size_t p, size_t s, enum quantity what,
                          const struct block *block, size_t before)
{
	const char *name = json_string_value(json_array_get(v->series, s)), *hue = xp_hue((unsigned)s);
	const char *comma = before ? ", \\\n" : "";
	if (what == LATENCY) {
		fprintf(out, "%s$d%zu_%zu using 1:($5>0?NaN:$3) with lines lw 2 lc rgb '%s' title ", comma, p, s, hue);
		xp_plot_string(out, *name ? name : "mean");
		fprintf(out, ", $d%zu_%zu using 1:($5>0?NaN:$3) with points pt 7 ps 0.7 lc rgb '%s' notitle", p, s,
		        hue);
		fprintf(out, ", $d%zu_%zu using 1:($5==1?$3:NaN) with points pt 6 ps 0.9 lw 1.4 lc rgb '%s' notitle", p,
		        s, hue);
		fprintf(out, ", $d%zu_%zu using 1:($5>0?NaN:$4) with lines lw 1.4 dt 2 lc rgb '%s' notitle", p, s, hue);
		if (block->intervals[1]) {
			plot_bars(out, p, s, what, 3, 9, hue);
			plot_bars(out, p, s, what, 4, 11, hue);
		}
		return 4;
	}
	/* later lines are thinner, so that one that lies on another does not hide it */
	fprintf(out, "%s$d%zu_%zu using 1:2 with linespoints lw %.2g pt 7 ps 0.45 lc rgb '%s' title ", comma, p, s,
	        fmax(3.2 - 0.9 * (double)s, 1.3), hue);
	xp_plot_string(out, *name ? name : "accepted");
	static const int marks[] = { 6, 4, 8, 12 };
	if (block->intervals[0])
		plot_bars(out, p, s, what, 2, 7, hue);
	for (size_t k = 0; block->published && k < v->e->nscales; k++)
		fprintf(out, ", $d%zu_%zu using 1:($6*%.9g) with points pt %d ps 1.2 lw 1.4 lc rgb '%s' notitle", p, s,
		        v->e->scale[k].factor, marks[k % 4], hue);
	return 1;
}

/* Where an axis from 0 to 1 may begin, if nothing is below `low`. */
static double unit_from(double low)
{
	return low >= 0.3 ? floor(10 * low + 1e-9) / 10 : 0;
}

static void throughput_axis(const struct view *v, FILE *out)
{
	const struct range *a = &v->accepted;
	fputs("set ylabel 'accepted load (fraction of injection bandwidth)'\n", out);
	if (v->unit)
		fprintf(out, "set yrange [%g:1.02]\nset ytics %g\n", unit_from(fmin(a->low, v->x.low)),
		        unit_from(fmin(a->low, v->x.low)) > 0 ? 0.1 : 0.2);
	else if (a->high > 0)
		fprintf(out, "set yrange [%g:%g]\n", a->low > 0.5 ? floor(20 * a->low - 0.2) / 20 : 0,
		        a->high > 0.85 ? 1.02 : a->high * 1.1);
}

/* Logarithmic if the values differ enough. */
static void latency_axis(const struct view *v, FILE *out)
{
	const struct range *a = &v->latency;
	fputs("set ylabel 'packet latency (ns)'\n", out);
	if (a->high >= 6 * a->low)
		fprintf(out, "set logscale y\nset yrange [%g:%g]\n", pow(10, floor(log10(a->low))),
		        pow(10, ceil(log10(a->high))));
	else if (a->high > 0)
		fprintf(out, "set yrange [0:%g]\n", 1.1 * a->high);
}

/* 1, 2 or 5 times a power of ten, so that six or fewer fit. */
static double tic_step(double span)
{
	double step = pow(10, floor(log10(span / 6)));
	return span > 30 * step ? 10 * step : span > 12 * step ? 5 * step : span > 6 * step ? 2 * step : step;
}

static void panel_frame(const struct view *v, FILE *out, size_t p, enum quantity what)
{
	const char *panel = json_string_value(json_array_get(v->panels, p));
	fputs("set title ", out);
	xp_plot_string(out, panel);
	fputs("\nset xlabel ", out);
	xp_plot_string(out, v->e->axis[v->e->x].title);
	fputs("\n", out);
	if (what == LATENCY)
		latency_axis(v, out);
	else
		throughput_axis(v, out);
	if (v->unit)
		fprintf(out, "set xrange [%g:1.02]\nset xtics %g\n", unit_from(v->x.low),
		        unit_from(v->x.low) > 0 ? 0.1 : 0.2);
	else if (v->x.low >= 1 && v->x.high >= 16 * v->x.low)
		fputs("set logscale x 2\n", out);
	else if (v->x.high > v->x.low)
		fprintf(out, "set xtics %g\n", tic_step(v->x.high - v->x.low));
	/* throughput against load leaves its upper left corner free for a few series, nothing else does */
	fprintf(out, "set key %s reverse Left samplen 1.6 spacing 1.05\n",
	        what == LATENCY || !v->unit || json_array_size(v->series) > 5 ? "tmargin center horizontal"
	                                                                      : "top left");
}

static void draw_panels(struct view *v, enum quantity what, const char *name, const char *caption)
{
	char *script = NULL;
	size_t bytes = 0, panels = json_array_size(v->panels), series = json_array_size(v->series);
	size_t columns = panels == 4 ? 2 : panels < 3 ? panels : 3, rows = (panels + columns - 1) / columns;
	struct block *block = base_calloc(panels * series + 1, sizeof *block);
	FILE *out = open_memstream(&script, &bytes);
	for (size_t i = 0; i < panels * series; i++)
		block[i] = write_block(v, out, i / series, i % series);
	fprintf(out, "set multiplot layout %zu,%zu\n", rows, columns);
	for (size_t p = 0; p < panels; p++) {
		size_t n = 0, k;
		bool any = false;
		panel_frame(v, out, p, what);
		for (size_t s = 0; s < series; s++)
			n += block[p * series + s].n != 0;
		if (!n)
			continue; /* nothing of this panel has run yet */
		fputs("plot ", out);
		for (size_t s = n = 0; s < series; s++) {
			if (block[p * series + s].n)
				n += plot_series(v, out, p, s, what, &block[p * series + s], n);
			any |= block[p * series + s].published;
		}
		static const int marks[] = { 6, 4, 8, 12 };
		for (k = 0; any && what == THROUGHPUT && k < v->e->nscales; k++) { /* legend of the published points */
			fprintf(out, ", NaN with points pt %d ps 1.2 lw 1.4 lc rgb '#808080' title ", marks[k % 4]);
			xp_plot_string(out, v->e->scale[k].label);
		}
		if (what == LATENCY)
			fputs(", NaN with lines lw 1.4 dt 2 lc rgb '#808080' title 'p99'", out);
		fputc('\n', out);
	}
	fputs("unset multiplot\n", out);
	fclose(out);
	int width = panels == 1 ? 640 : (int)(400 * columns);
	xp_figure(v->report, name, caption, width, (int)(400 * rows), script);
	free(script);
	free(block);
}

/* The x value nearest to the middle of the axis. */
static double middle_x(const struct view *v)
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

static void draw_distribution(struct view *v)
{
	double x = middle_x(v);
	char *script = NULL, *plots = NULL, caption[512];
	size_t bytes = 0, plot_bytes = 0, n = 0, i;
	FILE *out = open_memstream(&script, &bytes), *plot = open_memstream(&plots, &plot_bytes);
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		if (xp_row_x(v->e, row) != x || !json_object_get(row, "accepted_load"))
			continue;
		char path[8192];
		snprintf(path, sizeof path, "%s/points/%s.jsonl.gz", v->folder, xp_text(row, "name"));
		json_t *histogram = xp_read_latency_histogram(path);
		if (!histogram)
			continue;
		char name[512], title[1100];
		const char *panel = label_on(v, row, v->panel);
		series_name(v, row, name, sizeof name);
		snprintf(title, sizeof title, "%s%s%s", panel, *panel && *name ? ", " : "", name);
		fprintf(out, "$h%zu << EOD\n", n);
		xp_write_ccdf(out, histogram);
		fputs("EOD\n", out);
		fprintf(plot, "%s$h%zu using 1:2 with steps lw 2 lc rgb '%s' title ", n ? ", \\\n" : "plot ", n,
		        xp_hue((unsigned)n));
		xp_plot_string(plot, title);
		json_decref(histogram);
		n++;
	}
	fclose(plot);
	fprintf(out,
	        "set logscale xy\nset xlabel 'packet latency (ns)'\nset ylabel 'share of packets above'\n"
	        "set format y '10^{%%T}'\nset key outside right top reverse Left samplen 1.6\n"
	        "set format y '%%g'\n%s\n",
	        plots);
	fclose(out);
	snprintf(caption, sizeof caption,
	         "Distribution of packet latency at %s = %g: the share of measured packets that took longer.",
	         v->e->axis[v->e->x].name, x);
	if (n)
		xp_figure(v->report, "latency-distribution", caption, 900, 420, script);
	free(script);
	free(plots);
}

static void table_head(const struct view *v, FILE *page)
{
	fputs("<h3>Results</h3>\n<div class=\"scroll\"><table>\n<tr>", page);
	for (size_t a = 0; a < v->e->naxes; a++) {
		fputs("<th class=\"l\">", page);
		xp_page_text(page, v->e->axis[a].name);
		fputs("</th>", page);
	}
	fputs("<th>offered</th><th>accepted</th>", page);
	for (size_t s = 0; s < v->e->nscales; s++) {
		fputs("<th>", page);
		xp_page_text(page, v->e->scale[s].label);
		fputs("</th>", page);
	}
	if (v->e->nexpects)
		fputs("<th>expected range</th>", page);
	fputs("<th>latency mean (ns)</th><th>median (ns)</th><th>p99 (ns)</th><th>hops</th><th>minimal</th>"
	      "<th>wall (s)</th><th class=\"l\">digest</th></tr>\n",
	      page);
}

static void table_row(const struct view *v, FILE *page, const json_t *row)
{
	fputs("<tr>", page);
	for (size_t a = 0; a < v->e->naxes; a++) {
		fputs("<td class=\"l\">", page);
		xp_page_text(page, label_on(v, row, (ptrdiff_t)a));
		fputs("</td>", page);
	}
	if (!json_object_get(row, "accepted_load")) {
		fputs("<td class=\"l bad\" colspan=\"9\">", page);
		xp_page_text(page, xp_text(row, "state"));
		if (*xp_text(row, "message"))
			fputs(": ", page);
		xp_page_text(page, xp_text(row, "message"));
		fputs("</td></tr>\n", page);
		return;
	}
	xp_page_number(page, xp_number(row, "offered_load", NULL), "%.4f");
	xp_page_number(page, xp_number(row, "accepted_load", NULL), "%.4f");
	double known = xp_published(v->e, json_object_get(row, "labels"), xp_row_x(v->e, row)), min = 0, max = 0;
	for (size_t s = 0; s < v->e->nscales; s++)
		xp_page_number(page, known * v->e->scale[s].factor, "%.4f");
	int ok = v->e->nexpects ? xp_expected(v->e, row, &min, &max) : -1;
	if (ok >= 0)
		fprintf(page, "<td%s>%.3f – %.3f%s</td>", ok ? "" : " class=\"bad\"", min, max, ok ? "" : " missed");
	else if (v->e->nexpects)
		fputs("<td></td>", page);
	const char *at_least = json_is_true(json_object_get(row, "latency_censored")) ? "&gt; %.0f" : "%.1f";
	xp_page_number(page, xp_number(row, "latency_mean_ns", NULL), at_least);
	xp_page_number(page, xp_number(row, "latency_p50_ns", NULL), at_least);
	xp_page_number(page, xp_number(row, "latency_p99_ns", NULL), at_least);
	bool any = isfinite(xp_number(row, "latency_mean_ns", NULL)); /* measured packets that arrived */
	xp_page_number(page, any ? xp_number(row, "hops_mean", NULL) : NAN, "%.3f");
	xp_page_number(page, any ? xp_number(row, "minimal_fraction", NULL) : NAN, "%.3f");
	xp_page_number(page, xp_number(row, "wall_s", NULL), "%.2f");
	fputs("<td class=\"l\"><code>", page);
	xp_page_text(page, xp_text(row, "digest"));
	fprintf(page, "</code>%s%s</td></tr>\n",
	        xp_latency_worth(row) != XP_LATENCY_NONE              ? ""
	        : json_is_true(json_object_get(row, "still_filling")) ? " <span class=\"mark\">not stationary, still "
	                                                                "filling</span>"
	                                                              : " <span class=\"mark\">not stationary</span>",
	        json_is_true(json_object_get(row, "complete")) ? "" : " <span class=\"mark\">incomplete</span>");
}

static void write_table(const struct view *v)
{
	FILE *page = v->report->page;
	size_t i;
	json_t *row;
	table_head(v, page);
	json_array_foreach (v->rows, i, row)
		table_row(v, page, row);
	fputs("</table></div>\n<p class=\"soft\">Loads are fractions of the injection bandwidth. &gt; marks lower "
	      "bounds: more "
	      "than 1 % of the measured packets were still under way at the end. Equal digests mean equal results, "
	      "packet by "
	      "packet.</p>\n",
	      page);
	if (v->e->ncurves) {
		fputs("<details><summary>What is published</summary><ul>\n", page);
		for (size_t k = 0; k < v->e->ncurves; k++) {
			fputs("<li>", page);
			for (size_t a = 0; a < v->e->naxes; a++)
				if (v->e->curve[k].where.label[a]) {
					xp_page_text(page, v->e->curve[k].where.label[a]);
					fputc(' ', page);
				}
			fputs(": ", page);
			xp_page_text(page, v->e->curve[k].note ? v->e->curve[k].note : "");
			fputs("</li>\n", page);
		}
		fputs("</ul></details>\n", page);
	}
}

/* Configuration and manifest of the first point that has a result. */
static void write_manifest(const struct view *v)
{
	size_t i;
	json_t *row, *manifest = NULL;
	json_array_foreach (v->rows, i, row) {
		char path[8192];
		snprintf(path, sizeof path, "%s/points/%s.jsonl.gz", v->folder, xp_text(row, "name"));
		struct xp_log *log = xp_log_open(path, NULL);
		if (!log)
			continue;
		manifest = xp_log_next(log);
		xp_log_close(log);
		if (manifest)
			break;
	}
	if (!manifest)
		return;
	fputs("<h3>Provenance</h3>\n<p class=\"soft\">Of the point ", v->report->page);
	xp_page_text(v->report->page, xp_text(row, "name"));
	fputs("; every point's own file holds its own.</p>\n", v->report->page);
	xp_page_manifest(v->report->page, manifest);
	json_decref(manifest);
}

int xp_report_sweep(struct xp_report *report, const char *folder)
{
	static const char latency_rest[] = "from creation to the last byte's arrival; mean (solid) and 99th percentile "
					   "(dashed). Open marks without a line: "
					   "means that are lower bounds, because more than 1 % of the measured packets "
					   "were still under way at the end. Bars: 95 % "
					   "intervals, where a run knows them. Points past saturation, where latency "
					   "grows with the length of the run, are left out.";
	char accepted_caption[512], latency_caption[768];
	struct xp_experiment e;
	char path[8192];
	snprintf(path, sizeof path, "%s/experiment.cfg", folder);
	struct view v = { .report = report, .e = &e, .folder = folder };
	int status = xp_experiment_read(&e, path, report->errors);
	if (!status && !(v.rows = xp_read_rows(folder, report->errors)))
		status = -1;
	if (!status) {
		fputs("<h2>", report->page);
		xp_page_text(report->page, e.title);
		fputs("</h2>\n<p>", report->page);
		xp_page_text(report->page, e.description ? e.description : "");
		fputs("</p>\n", report->page);
		find_panels(&v);
		find_ranges(&v);
		const char *x = e.axis[e.x].title;
		snprintf(accepted_caption, sizeof accepted_caption, "Accepted load against %.200s.%s", x,
		         e.ncurves ? " Lines: this program. Open marks: published values, where they are stated." : "");
		snprintf(latency_caption, sizeof latency_caption, "Packet latency against %.200s, %s", x, latency_rest);
		draw_panels(&v, THROUGHPUT, "accepted-load", accepted_caption);
		if (v.saturated)
			fprintf(
			    report->page,
			    "<p class=\"soft\">%zu of %zu points are past saturation (not stationary), where latency "
			    "grows with the length of the run: theirs is not drawn.</p>\n",
			    v.saturated, json_array_size(v.rows));
		if (v.latencies)
			draw_panels(&v, LATENCY, "latency", latency_caption);
		draw_distribution(&v);
		if (e.choice != XP_ALL)
			xp_page_saturation(report->page, &e, v.rows);
		write_table(&v);
		if (e.source) {
			fputs("<p class=\"soft\">Published: ", report->page);
			xp_page_text(report->page, e.source);
			fputs(".</p>\n", report->page);
		}
		write_manifest(&v);
		status = report->errors->errors ? -1 : 0;
	}
	json_decref(v.rows);
	json_decref(v.panels);
	json_decref(v.series);
	xp_experiment_free(&e);
	return status;
}
