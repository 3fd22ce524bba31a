/* experiments/report/run_plot.c - figures of a run by gnuplot: distribution, throughput over time, occupancy, activity.
 */
#include "experiments/report/figure.h"
#include "experiments/report/run.h"
#include "experiments/results/reader.h"

#include "base/format.h"
#include "base/param.h"

#include <stdlib.h>
#include <string.h>

const char xp_distribution_caption[] = "Distribution of packet latency: the share of measured packets that took "
				       "longer; from creation (waiting at the source "
				       "included) and from injection.";
const char xp_timeline_caption[] =
    "Bytes created and delivered over time, all endpoints and jobs together. Created ones may wait at their source, so "
    "their rate is not bounded by the links. The measured window lies between the dotted lines; what comes after it is "
    "left out.";
const char xp_occupancy_caption[] =
    "Occupancy: bytes queued for each output port and virtual channel, averaged over the "
    "run. Ports beyond the network ports lead to endpoints.";
const char xp_activity_caption[] =
    "Sends and receives over time, by switch; endpoints are counted at the switch they sit on.";

void xp_run_histogram_title(const struct xp_run_page *run, size_t i, unsigned *quantity, unsigned *job, char title[256])
{
	static const struct {
		const char *name, *title;
	} quantities[] = {
		{ "latency", "from creation" },
		{ "network_latency", "from injection" },
		{ "message_latency", "whole messages" },
	};
	const json_t *histogram = json_array_get(run->histograms, i);
	*quantity = *job = 0;
	for (size_t k = 0; k < i; k++) /* a new job: a new hue */
		*job += strcmp(xp_text(json_array_get(run->histograms, k), "job"),
		               xp_text(json_array_get(run->histograms, k + 1), "job")) != 0;
	while (*quantity < 2 && strcmp(quantities[*quantity].name, xp_text(histogram, "quantity")) != 0)
		++*quantity;
	snprintf(title, 256, "%.200s, %s", xp_text(histogram, "job"), quantities[*quantity].title);
}

/* Jobs have a hue each, quantities a dash. */
static void plot_histogram(FILE *plot, const struct xp_run_page *run, size_t i, bool first)
{
	unsigned hue, q;
	char title[256];
	xp_run_histogram_title(run, i, &q, &hue, title);
	fprintf(plot, "%s$h%zu using 1:2 with steps lw 2 dt %u lc rgb '%s' title ", first ? "plot " : ", \\\n", i,
	        q + 1, xp_hue(hue));
	xp_plot_string(plot, title);
}

static void draw_distribution(const struct xp_run_page *run, const char *name)
{
	char *script = NULL;
	size_t bytes = 0, i;
	bool first = true;
	json_t *histogram;
	if (!xp_any_ccdf(run->histograms))
		return;
	FILE *out = base_memory_stream(&script, &bytes);
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
		if (xp_has_ccdf(histogram)) {
			plot_histogram(out, run, i, first);
			first = false;
		}
	fputc('\n', out);
	fclose(out);
	char file[300];
	snprintf(file, sizeof file, "%s-latency-distribution", name);
	xp_figure(run->report, file, xp_distribution_caption, 900, 400, script);
	free(script);
}

bool xp_run_window(const struct xp_run_page *run, uint64_t *warmup, uint64_t *measure)
{
	const json_t *time = json_object_get(json_object_get(run->manifest, "config"), "time");
	const char *why;
	*warmup = *measure = 0;
	return !base_parse_time(xp_text(time, "warmup"), warmup, &why) &&
	       !base_parse_time(xp_text(time, "measure"), measure, &why);
}

/* Draws the measured window's edges, in us. */
static void mark_window(const struct xp_run_page *run, FILE *out)
{
	uint64_t warmup, measure;
	if (!xp_run_window(run, &warmup, &measure))
		return;
	fprintf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead dt 3 lc rgb '#808080'\n", (double)warmup / 1e6,
	        (double)warmup / 1e6);
	fprintf(out, "set arrow from %g, graph 0 to %g, graph 1 nohead dt 3 lc rgb '#808080'\n",
	        (double)(warmup + measure) / 1e6, (double)(warmup + measure) / 1e6);
}

static void draw_timeline(const struct xp_run_page *run, const char *name)
{
	double endpoints = xp_number(run->summary, "topology", "endpoints", NULL);
	char *script = NULL, file[300];
	size_t bytes = 0, i;
	if (!json_array_size(run->timeline) || !(endpoints > 0))
		return;
	FILE *out = base_memory_stream(&script, &bytes);
	json_t *bin;
	fputs("$t << EOD\n", out);
	json_array_foreach (run->timeline, i, bin) {
		double length = xp_number(bin, "bin_ns", NULL), start = xp_number(bin, "t_ns", NULL);
		double scale = 8 / (length * endpoints); /* bytes a bin to Gb/s an endpoint */
		fprintf(out, "%.9g %.6g %.6g\n", (start + length / 2) / 1000,
		        scale * xp_number(bin, "created_bytes", NULL), scale * xp_number(bin, "delivered_bytes", NULL));
	}
	fputs("EOD\nset xlabel 'simulated time (us)'\nset ylabel 'created and delivered (Gb/s an endpoint)'\nset "
	      "yrange [0:]\nset "
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
	xp_figure(run->report, file, xp_timeline_caption, 900, 340, script);
	free(script);
}

/* One heat map as a matrix block, empty cells as NaN; returns its largest value. */
static double write_grid(FILE *out, const struct xp_grid *g, const char *name)
{
	double most = 0;
	fprintf(out, "$%s << EOD\n", name);
	for (size_t y = 0; y < g->rows; y++) {
		for (size_t x = 0; x < g->columns; x++) {
			size_t i = y * XP_GRID_COLUMNS + x;
			double value = g->count[i] > 0 ? g->sum[i] / g->count[i] : NAN;
			fprintf(out, isnan(value) ? "NaN " : "%.5g ", value);
			most = fmax(most, value);
		}
		fputc('\n', out);
	}
	fputs("EOD\n", out);
	return most;
}

static void heat_setup(FILE *out, const struct xp_run_page *run, double most, size_t panels, size_t columns)
{
	fputs(XP_VIRIDIS "unset grid\nunset key\nset ylabel 'switch'\n", out);
	fprintf(out, "set cbrange [0:%g]\nset yrange [-0.5:%g]\n", most > 0 ? most : 1, run->switches - 0.5);
	fprintf(out, "set multiplot layout %zu,%zu\n", (panels + columns - 1) / columns, columns);
}

static void draw_occupancy(const struct xp_run_page *run, const char *name)
{
	char *script = NULL, file[300];
	size_t bytes = 0, panels = 0;
	double most = 0;
	FILE *out = base_memory_stream(&script, &bytes);
	for (size_t vc = 0; vc < XP_RUN_VCS; vc++) {
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
			        vc, xp_run_per_row(run), (xp_run_per_row(run) - 1) / 2);
	fputs("unset multiplot\n", out);
	fclose(out);
	snprintf(file, sizeof file, "%s-occupancy", name);
	if (panels)
		xp_figure(run->report, file, xp_occupancy_caption, (int)(360 * columns),
		          (int)(420 * ((panels + columns - 1) / columns)), script);
	free(script);
}

static void draw_activity(const struct xp_run_page *run, const char *name)
{
	char *script = NULL, file[300];
	size_t bytes = 0;
	if (!run->activity[0].sum || !run->activity_bins)
		return;
	size_t group = (run->activity_bins + XP_GRID_COLUMNS - 1) / XP_GRID_COLUMNS;
	double simulated = xp_number(run->summary, "simulated_ns", NULL), recorded;
	recorded = run->activity_bin_ns * (double)run->activity_bins;
	double bin_us = run->activity_bin_ns * (double)group / 1000, most[4] = { 0 };
	FILE *out = base_memory_stream(&script, &bytes);
	for (size_t k = 0; k < 4; k++)
		most[k] = run->activity[k].sum ? write_grid(out, &run->activity[k], xp_activity_names[k]) : 0;
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
			        xp_activity_titles[k], scale > 0 ? scale : 1, xp_activity_names[k], bin_us,
			        xp_run_per_row(run), (xp_run_per_row(run) - 1) / 2);
	}
	fputs("unset multiplot\n", out);
	fclose(out);
	snprintf(file, sizeof file, "%s-activity", name);
	xp_figure(run->report, file, xp_activity_caption, 1000, 800, script);
	free(script);
}

void xp_ranks_plot(const struct xp_run_page *run, const struct xp_application *a, const char *file)
{
	static const char *const blocks[3] = { "computing", "sending", "waiting" };
	char *script = NULL;
	size_t bytes = 0;
	if (!a->time[0].sum)
		return;
	FILE *out = base_memory_stream(&script, &bytes);
	double us = a->bin_ns / 1000, each = a->per_row;
	for (size_t k = 0; k < 3; k++)
		write_grid(out, &a->time[k], blocks[k]);
	fputs(XP_VIRIDIS "unset grid\nunset key\nset xlabel 'simulated time (us)'\nset ylabel 'rank'\n"
	                 "set cblabel 'share of the time'\nset cbrange [0:1]\n",
	      out);
	fprintf(out, "set xrange [0:%g]\nset yrange [-0.5:%g]\nset multiplot layout 1,3\n",
	        us * (double)a->time[0].columns, a->ranks - 0.5);
	for (size_t k = 0; k < 3; k++)
		fprintf(out, "set title '%s'\nplot $%s matrix using (($1+0.5)*%g):($2*%g+%g):3 with image\n",
		        xp_rank_titles[k], blocks[k], us, each, (each - 1) / 2);
	fputs("unset multiplot\n", out);
	fclose(out);
	xp_figure(run->report, file, xp_ranks_caption, 1300, 420, script);
	free(script);
}

void xp_run_plot(const struct xp_run_page *run, const char *name)
{
	if (!xp_figure_wanted(run->report))
		return;
	draw_distribution(run, name);
	draw_timeline(run, name);
	draw_occupancy(run, name);
	draw_activity(run, name);
}
