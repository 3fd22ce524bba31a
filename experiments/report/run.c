/* experiments/report/run.c - the section of one run: facts, distribution, throughput over time, occupancy and activity.
 *
 * The file is streamed once; what the heat maps need is summed into at most GRID_ROWS x GRID_COLUMNS cells as it
 * passes, so that a million-endpoint result takes no more memory than a small one. */
#include "experiments/config/message.h"
#include "experiments/report/figure.h"
#include "experiments/report/page.h"
#include "experiments/report/report.h"
#include "experiments/report/switch.h"
#include "experiments/results/reader.h"

#include "base/memory.h"
#include "base/param.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRID_ROWS 400
#define GRID_COLUMNS 512
#define MAX_VCS 8
#define MAX_LINK_CLASSES 8

/* Means over cells: y is a switch (or a run of them), x a port or a time bin. */
struct grid {
	double *sum, *count; /* GRID_ROWS x GRID_COLUMNS, made at first use */
	size_t rows, columns;
};

struct link_class {
	char name[32];
	double ports, packets, utilization, most;
};

struct run {
	struct xp_report *report;
	const char *path;
	json_t *manifest, *summary, *histograms, *timeline; /* the latter two are arrays of records */
	double switches;
	struct grid vc[MAX_VCS], activity[4];
	double activity_bin_ns;
	size_t activity_bins;
	struct link_class link[MAX_LINK_CLASSES];
	size_t nlinks;
	struct xp_inside inside;
	bool whole;
};

static const char *const activity_names[4] = { "endpoint_sends", "endpoint_receives", "switch_sends",
	                                       "switch_receives" };
static const char *const activity_titles[4] = { "endpoint sends", "endpoint receives", "switch sends",
	                                        "switch receives" };

static void grid_add(struct grid *g, size_t row, size_t column, double value)
{
	if (row >= GRID_ROWS || column >= GRID_COLUMNS || !isfinite(value))
		return;
	if (!g->sum) {
		g->sum = base_calloc(GRID_ROWS * GRID_COLUMNS, sizeof *g->sum);
		g->count = base_calloc(GRID_ROWS * GRID_COLUMNS, sizeof *g->count);
	}
	g->sum[row * GRID_COLUMNS + column] += value;
	g->count[row * GRID_COLUMNS + column] += 1;
	g->rows = row >= g->rows ? row + 1 : g->rows;
	g->columns = column >= g->columns ? column + 1 : g->columns;
}

/* How many switches share a row of a heat map. */
static double per_row(const struct run *run)
{
	return run->switches > GRID_ROWS ? ceil(run->switches / GRID_ROWS) : 1;
}

/* A switch's row; out of range if the record is nonsense. */
static size_t row_of(const struct run *run, const json_t *record)
{
	double s = xp_number(record, "switch", NULL);
	return s >= 0 && s < 1e9 ? (size_t)(s / per_row(run)) : GRID_ROWS;
}

static void take_port(struct run *run, const json_t *record)
{
	double port = xp_number(record, "port", NULL);
	const json_t *queued = json_object_get(record, "vc_mean_bytes");
	for (size_t vc = 0; vc < json_array_size(queued) && vc < MAX_VCS && port >= 0 && port < GRID_COLUMNS; vc++)
		grid_add(&run->vc[vc], row_of(run, record), (size_t)port,
		         json_number_value(json_array_get(queued, vc)));
	size_t i = 0;
	const char *name = xp_text(record, "class");
	while (i < run->nlinks && strcmp(run->link[i].name, name) != 0)
		i++;
	if (i == MAX_LINK_CLASSES)
		return;
	struct link_class *link = &run->link[i];
	if (i == run->nlinks)
		snprintf(run->link[run->nlinks++].name, sizeof link->name, "%s", name);
	double packets = xp_number(record, "packets", NULL), utilization = xp_number(record, "utilization", NULL);
	link->ports++;
	link->packets += isfinite(packets) ? packets : 0;
	link->utilization += isfinite(utilization) ? utilization : 0;
	link->most = fmax(link->most, utilization);
}

static void take_activity(struct run *run, const json_t *record)
{
	run->activity_bin_ns = xp_number(record, "bin_ns", NULL);
	for (size_t k = 0; k < 4; k++) {
		const json_t *list = json_object_get(record, activity_names[k]);
		size_t n = json_array_size(list);
		if (!run->activity_bins)
			run->activity_bins = n; /* every record has as many */
		size_t group = (run->activity_bins + GRID_COLUMNS - 1) / GRID_COLUMNS;
		for (size_t b = 0; b < n; b++)
			grid_add(&run->activity[k], row_of(run, record), b / (group ? group : 1),
			         json_number_value(json_array_get(list, b)));
	}
}

static void take(struct run *run, json_t *record)
{
	const char *kind = xp_record_kind(record);
	if (!strcmp(kind, "manifest") && !run->manifest) {
		run->manifest = json_incref(record);
	} else if (!strcmp(kind, "summary") && !run->summary) {
		run->summary = json_incref(record);
		run->switches = xp_number(record, "topology", "switches", NULL);
	} else if (!strcmp(kind, "histogram")) {
		json_array_append(run->histograms, record);
	} else if (!strcmp(kind, "timeline")) {
		json_array_append(run->timeline, record);
	} else if (!strcmp(kind, "port")) {
		take_port(run, record);
	} else if (!strcmp(kind, "activity")) {
		take_activity(run, record);
	} else if (!strcmp(kind, "switch")) {
		xp_inside_take(&run->inside, record);
	} else if (!strcmp(kind, "end")) {
		run->whole = json_is_true(json_object_get(record, "complete"));
	}
}

static void fact(FILE *page, const char *name, double value, const char *format)
{
	fprintf(page, "<tr><th class=\"l\">%s</th>", name);
	xp_page_number(page, value, format);
	fputs("</tr>\n", page);
}

static void write_facts(const struct run *run)
{
	FILE *page = run->report->page;
	const json_t *s = run->summary;
	fputs("<div class=\"scroll\"><table class=\"facts\">\n<tr><th class=\"l\">topology</th><td>", page);
	xp_page_text(page, xp_text(json_object_get(s, "topology"), "kind"));
	fprintf(page, ", %.0f switches, %.0f endpoints</td></tr>\n", run->switches,
	        xp_number(s, "topology", "endpoints", NULL));
	fact(page, "offered load", xp_number(s, "offered_load", NULL), "%.5f");
	fact(page, "accepted load", xp_number(s, "accepted_load", NULL), "%.5f");
	fact(page, "packets delivered", xp_number(s, "packets", "delivered", NULL), "%.0f");
	bool censored = json_is_true(json_object_get(s, "latency_censored"));
	fact(page, "latency, mean (ns)", xp_number(s, "latency_ns", "mean", NULL), censored ? "&gt; %.1f" : "%.1f");
	fact(page, "latency, median (ns)", xp_number(s, "latency_ns", "p50", NULL), censored ? "&gt; %.1f" : "%.1f");
	fact(page, "latency, p99 (ns)", xp_number(s, "latency_ns", "p99", NULL), censored ? "&gt; %.1f" : "%.1f");
	fact(page, "network latency, mean (ns)", xp_number(s, "network_latency_ns", "mean", NULL), "%.1f");
	fact(page, "hops, mean", xp_number(s, "hops", "mean", NULL), "%.4f");
	fact(page, "minimal fraction", xp_number(s, "minimal_fraction", NULL), "%.4f");
	fact(page, "wall time (s)", xp_number(s, "engine", "wall_s", NULL), "%.3f");
	fact(page, "packet hops per second", xp_number(s, "engine", "packet_hops_per_s", NULL), "%.3g");
	fputs("<tr><th class=\"l\">digest</th><td><code>", page);
	xp_page_text(page, xp_text(s, "digest"));
	fputs("</code></td></tr>\n</table></div>\n", page);
}

static void write_jobs(const struct run *run)
{
	FILE *page = run->report->page;
	const json_t *jobs = json_object_get(run->summary, "jobs"), *job;
	size_t i;
	if (json_array_size(jobs) < 2)
		return;
	fputs("<h3>Jobs</h3><div class=\"scroll\"><table><tr><th class=\"l\">job</th><th>offered</th><th>accepted</th>"
	      "<th>latency mean (ns)</th><th>p99 (ns)</th><th>hops</th></tr>\n",
	      page);
	json_array_foreach (jobs, i, job) {
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, xp_text(job, "name"));
		fputs("</td>", page);
		xp_page_number(page, xp_number(job, "offered_load", NULL), "%.4f");
		xp_page_number(page, xp_number(job, "accepted_load", NULL), "%.4f");
		xp_page_number(page, xp_number(job, "latency_ns", "mean", NULL), "%.1f");
		xp_page_number(page, xp_number(job, "latency_ns", "p99", NULL), "%.1f");
		xp_page_number(page, xp_number(job, "hops", "mean", NULL), "%.3f");
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

static void write_links(const struct run *run)
{
	FILE *page = run->report->page;
	if (!run->nlinks)
		return;
	fputs("<h3>Links</h3><div class=\"scroll\"><table><tr><th class=\"l\">class</th><th>output "
	      "ports</th><th>packets</th>"
	      "<th>mean utilisation</th><th>highest</th></tr>\n",
	      page);
	for (size_t i = 0; i < run->nlinks; i++) {
		const struct link_class *link = &run->link[i];
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, link->name);
		fputs("</td>", page);
		xp_page_number(page, link->ports, "%.0f");
		xp_page_number(page, link->packets, "%.0f");
		xp_page_number(page, link->utilization / link->ports, "%.4f");
		xp_page_number(page, link->most, "%.4f");
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

/* Jobs have a hue each, quantities a dash. */
static void plot_histogram(FILE *plot, const struct run *run, size_t i)
{
	static const struct {
		const char *name, *title;
		int dash;
	} quantities[] = {
		{ "latency", "from creation", 1 },
		{ "network_latency", "from injection", 2 },
		{ "message_latency", "whole messages", 3 },
	};
	const json_t *histogram = json_array_get(run->histograms, i);
	const char *job = xp_text(histogram, "job"), *quantity = xp_text(histogram, "quantity");
	unsigned hue = 0, q = 0;
	for (size_t k = 0; k < i; k++) /* a new job: a new hue */
		hue += strcmp(xp_text(json_array_get(run->histograms, k), "job"),
		              xp_text(json_array_get(run->histograms, k + 1), "job")) != 0;
	while (q < 2 && strcmp(quantities[q].name, quantity) != 0)
		q++;
	char title[256];
	snprintf(title, sizeof title, "%.200s, %s", job, quantities[q].title);
	fprintf(plot, "%s$h%zu using 1:2 with steps lw 2 dt %d lc rgb '%s' title ", i ? ", \\\n" : "plot ", i,
	        quantities[q].dash, xp_hue(hue));
	xp_plot_string(plot, title);
}

static void draw_distribution(const struct run *run, const char *name)
{
	char *script = NULL;
	size_t bytes = 0, i;
	FILE *out = open_memstream(&script, &bytes);
	json_t *histogram;
	json_array_foreach (run->histograms, i, histogram) {
		fprintf(out, "$h%zu << EOD\n", i);
		xp_write_ccdf(out, histogram);
		fputs("EOD\n", out);
	}
	fputs("set logscale xy\nset format y '%g'\nset xlabel 'packet latency (ns)'\nset ylabel 'share of packets "
	      "above'\n"
	      "set key outside right top reverse Left samplen 1.6\n",
	      out);
	json_array_foreach (run->histograms, i, histogram)
		plot_histogram(out, run, i);
	fputc('\n', out);
	fclose(out);
	char file[300];
	snprintf(file, sizeof file, "%s-latency-distribution", name);
	if (json_array_size(run->histograms))
		xp_figure(
		    run->report, file,
		    "Distribution of packet latency: the share of measured packets that took longer; from creation "
		    "(waiting at the source included) and from injection.",
		    900, 400, script);
	free(script);
}

/* Draws the measured window's edges, in us. */
static void mark_window(const struct run *run, FILE *out)
{
	const json_t *time = json_object_get(json_object_get(run->manifest, "config"), "time");
	uint64_t warmup = 0, measure = 0;
	const char *why;
	if (base_parse_time(xp_text(time, "warmup"), &warmup, &why) ||
	    base_parse_time(xp_text(time, "measure"), &measure, &why))
		return;
	fprintf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead dt 3 lc rgb '#808080'\n", (double)warmup / 1e6,
	        (double)warmup / 1e6);
	fprintf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead dt 3 lc rgb '#808080'\n",
	        (double)(warmup + measure) / 1e6, (double)(warmup + measure) / 1e6);
}

static void draw_timeline(const struct run *run, const char *name)
{
	double endpoints = xp_number(run->summary, "topology", "endpoints", NULL);
	char *script = NULL, file[300];
	size_t bytes = 0, i;
	if (!json_array_size(run->timeline) || !(endpoints > 0))
		return;
	FILE *out = open_memstream(&script, &bytes);
	json_t *bin;
	fputs("$t << EOD\n", out);
	json_array_foreach (run->timeline, i, bin) {
		double length = xp_number(bin, "bin_ns", NULL), start = xp_number(bin, "t_ns", NULL);
		double scale = 8 / (length * endpoints); /* bytes a bin to Gb/s an endpoint */
		fprintf(out, "%.9g %.6g %.6g\n", (start + length / 2) / 1000,
		        scale * xp_number(bin, "created_bytes", NULL), scale * xp_number(bin, "delivered_bytes", NULL));
	}
	fputs("EOD\nset xlabel 'simulated time (us)'\nset ylabel 'throughput (Gb/s an endpoint)'\nset yrange [0:]\nset "
	      "autoscale xfix\n"
	      "set key outside right top reverse Left samplen 1.6\n",
	      out);
	mark_window(run, out);
	fprintf(out,
	        "plot $t using 1:2 with lines lw 1.6 lc rgb '%s' title 'created', "
	        "$t using 1:3 with lines lw 2 lc rgb '%s' title 'delivered'\n",
	        xp_hue(1), xp_hue(0));
	fclose(out);
	snprintf(file, sizeof file, "%s-timeline", name);
	xp_figure(run->report, file,
	          "Throughput over time, all endpoints together. The measured window lies between the dotted lines.",
	          900, 340, script);
	free(script);
}

/* One heat map as a matrix block, empty cells as NaN; returns its largest value. */
static double write_grid(FILE *out, const struct grid *g, const char *name)
{
	double most = 0;
	fprintf(out, "$%s << EOD\n", name);
	for (size_t y = 0; y < g->rows; y++) {
		for (size_t x = 0; x < g->columns; x++) {
			size_t i = y * GRID_COLUMNS + x;
			double value = g->count[i] > 0 ? g->sum[i] / g->count[i] : NAN;
			fprintf(out, isnan(value) ? "NaN " : "%.5g ", value);
			most = fmax(most, value);
		}
		fputc('\n', out);
	}
	fputs("EOD\n", out);
	return most;
}

static void heat_setup(FILE *out, const struct run *run, double most, size_t panels, size_t columns)
{
	fputs(XP_VIRIDIS "unset grid\nunset key\nset ylabel 'switch'\n", out);
	fprintf(out, "set cbrange [0:%g]\nset yrange [-0.5:%g]\n", most > 0 ? most : 1, run->switches - 0.5);
	fprintf(out, "set multiplot layout %zu,%zu\n", (panels + columns - 1) / columns, columns);
}

static void draw_occupancy(const struct run *run, const char *name)
{
	char *script = NULL, file[300];
	size_t bytes = 0, panels = 0;
	double most = 0;
	FILE *out = open_memstream(&script, &bytes);
	for (size_t vc = 0; vc < MAX_VCS; vc++) {
		char block[16];
		snprintf(block, sizeof block, "vc%zu", vc);
		if (run->vc[vc].sum && (panels = vc + 1))
			most = fmax(most, write_grid(out, &run->vc[vc], block));
	}
	size_t columns = panels < 4 ? panels : 4;
	heat_setup(out, run, most / 1000, panels, columns ? columns : 1);
	fputs("set xlabel 'output port'\nset cblabel 'mean queue (KB)'\n", out);
	for (size_t vc = 0; vc < panels; vc++)
		if (run->vc[vc].sum)
			fprintf(out,
			        "set title 'virtual channel %zu'\nset xrange [-0.5:%g]\n"
			        "%splot $vc%zu matrix using 1:($2*%g+%g):($3/1000) with image\n",
			        vc, (double)run->vc[vc].columns - 0.5, run->vc[vc].columns < 12 ? "set xtics 1\n" : "",
			        vc, per_row(run), (per_row(run) - 1) / 2);
	fputs("unset multiplot\n", out);
	fclose(out);
	snprintf(file, sizeof file, "%s-occupancy", name);
	if (panels)
		xp_figure(run->report, file,
		          "Occupancy: bytes queued for each output port and virtual channel, averaged over the "
		          "run. Ports beyond the network ports lead to endpoints.",
		          (int)(360 * columns), (int)(420 * ((panels + columns - 1) / columns)), script);
	free(script);
}

static void draw_activity(const struct run *run, const char *name)
{
	char *script = NULL, file[300];
	size_t bytes = 0;
	if (!run->activity[0].sum || !run->activity_bins)
		return;
	size_t group = (run->activity_bins + GRID_COLUMNS - 1) / GRID_COLUMNS;
	double simulated = xp_number(run->summary, "simulated_ns", NULL), recorded;
	recorded = run->activity_bin_ns * (double)run->activity_bins;
	double bin_us = run->activity_bin_ns * (double)group / 1000, most[4] = { 0 };
	FILE *out = open_memstream(&script, &bytes);
	for (size_t k = 0; k < 4; k++)
		most[k] = run->activity[k].sum ? write_grid(out, &run->activity[k], activity_names[k]) : 0;
	heat_setup(out, run, 1, 4, 2);
	fprintf(out, "set xlabel 'simulated time (us)'\nset cblabel 'packets a switch in %g us'\nset xrange [0:%g]\n",
	        run->activity_bin_ns / 1000, fmin(recorded, simulated) / 1000); /* fmin passes over NAN */
	for (size_t k = 0; k < 4; k++) {
		/* sends and receives of a kind share their scale */
		double scale = fmax(most[k & 2], most[(k & 2) + 1]);
		if (run->activity[k].sum)
			fprintf(out,
			        "set title '%s'\nset cbrange [0:%g]\nplot $%s matrix using (($1+0.5)*%g):($2*%g+%g):3 "
			        "with image\n",
			        activity_titles[k], scale > 0 ? scale : 1, activity_names[k], bin_us, per_row(run),
			        (per_row(run) - 1) / 2);
	}
	fputs("unset multiplot\n", out);
	fclose(out);
	snprintf(file, sizeof file, "%s-activity", name);
	xp_figure(run->report, file,
	          "Sends and receives over time, by switch; endpoints are counted at the switch they sit on.", 1000,
	          800, script);
	free(script);
}

static void write_section(const struct run *run, const char *problem)
{
	FILE *page = run->report->page;
	const char *slash = strrchr(run->path, '/');
	char name[256];
	snprintf(name, sizeof name, "%s", slash ? slash + 1 : run->path);
	char *suffix = strstr(name, ".jsonl");
	if (suffix)
		*suffix = 0;
	fputs("<h2>", page);
	xp_page_text(page, name);
	fputs("</h2>\n", page);
	if (problem)
		fprintf(
		    page,
		    "<p class=\"mark\">This file is not whole (%s): what follows is drawn from what it holds.</p>\n",
		    problem);
	else if (!run->whole)
		fputs("<p class=\"mark\">This run was interrupted: what follows covers the time it simulated.</p>\n",
		      page);
	if (run->summary) {
		write_facts(run);
		write_jobs(run);
	}
	draw_distribution(run, name);
	draw_timeline(run, name);
	draw_occupancy(run, name);
	draw_activity(run, name);
	xp_inside_section(&run->inside, run->report, name);
	write_links(run);
	fputs("<h3>Provenance</h3>\n", page);
	xp_page_manifest(page, run->manifest);
}

int xp_report_run(struct xp_report *report, const char *path)
{
	const char *why;
	struct xp_log *log = xp_log_open(path, &why);
	if (!log)
		return xp_error_at(report->errors, path, "%s", why);
	struct run run = { .report = report, .path = path, .histograms = json_array(), .timeline = json_array() };
	json_t *record;
	size_t before = report->errors->errors;
	while ((record = xp_log_next(log))) {
		take(&run, record);
		json_decref(record);
	}
	bool result = run.manifest || run.summary, torn = result && !xp_log_readable(log);
	report->refused |= xp_log_refused(log) || torn;
	if (xp_log_refused(log) || torn)
		xp_error_at(report->errors, path, "%s", xp_log_problem(log));
	else if (!result)
		xp_error_at(report->errors, path, "this is not a result of tilefly%s%s",
		            xp_log_problem(log) ? ": " : "", xp_log_problem(log) ? xp_log_problem(log) : "");
	else
		write_section(&run, xp_log_problem(log));
	xp_log_close(log);
	for (size_t i = 0; i < MAX_VCS; i++) {
		free(run.vc[i].sum);
		free(run.vc[i].count);
	}
	for (size_t i = 0; i < 4; i++) {
		free(run.activity[i].sum);
		free(run.activity[i].count);
	}
	xp_inside_free(&run.inside);
	json_decref(run.manifest);
	json_decref(run.summary);
	json_decref(run.histograms);
	json_decref(run.timeline);
	return report->errors->errors > before ? -1 : 0;
}
