/* experiments/report/run_chart.c - charts of a run: distribution, throughput over time, occupancy, activity. */
#include "experiments/report/chart.h"
#include "experiments/report/run.h"
#include "experiments/results/reader.h"

#include "base/memory.h"
#include "base/param.h"

#include <stdlib.h>
#include <string.h>

#define TIMES 1500      /* points of a line over time */
#define TIMES_FOLDED 60 /* in a page of many runs */

static const char distribution_caption[] = "Distribution of packet latency: the share of measured packets that took "
					   "longer; from creation (waiting at the source "
					   "included) and from injection.";
static const char timeline_caption[] =
    "Bytes created and delivered over time, all endpoints and jobs together. Created ones may wait at their source, so "
    "their rate is not bounded by the links. The measured window lies between the dashed lines; what comes after it is "
    "left out.";
static const char occupancy_caption[] =
    "Occupancy: bytes queued for each output port and virtual channel, averaged over the "
    "run. Ports beyond the network ports lead to endpoints.";
static const char activity_caption[] =
    "Sends and receives over time, by switch; endpoints are counted at the switch they sit on.";

static void histogram_title(const struct xp_run_page *run, size_t i, unsigned *quantity, unsigned *job, char title[256])
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

static void chart_distribution(const struct xp_run_page *run, const char *file)
{
	json_t *figure = xp_charts(file, distribution_caption), *chart = xp_chart(figure, "lines", ""), *histogram;
	size_t i;
	xp_chart_axis(chart, "x", "packet latency", "ns", XP_AXIS_LOG);
	xp_chart_axis(chart, "y", "share of packets above", "share", XP_AXIS_LOG);
	json_array_foreach (run->histograms, i, histogram) {
		unsigned quantity, job;
		char title[256];
		histogram_title(run, i, &quantity, &job, title);
		json_t *series = xp_chart_series(chart, xp_text(histogram, "job"), title, "steps");
		if (quantity)
			xp_series_dash(series, quantity);
		json_object_set_new(series, "points", xp_ccdf(run->report, histogram));
	}
	xp_chart_drop_empty(chart);
	if (xp_any_ccdf(run->histograms))
		xp_charts_write(run->report, figure);
	else
		json_decref(figure);
}

/* Bytes of `member` of the bins [from, to) as Gb/s an endpoint. */
static double rate(const struct xp_run_page *run, const char *member, size_t from, size_t to, double endpoints)
{
	double bytes = 0, ns = 0;
	for (size_t i = from; i < to; i++) {
		const json_t *bin = json_array_get(run->timeline, i);
		bytes += xp_number(bin, member, NULL);
		ns += xp_number(bin, "bin_ns", NULL);
	}
	return 8 * bytes / (ns * endpoints);
}

/* Start and length of the measured window in ps; false if the manifest does not say. */
static bool window_of(const struct xp_run_page *run, uint64_t *warmup, uint64_t *measure)
{
	const json_t *time = json_object_get(json_object_get(run->manifest, "config"), "time");
	const char *why;
	*warmup = *measure = 0;
	return !base_parse_time(xp_text(time, "warmup"), warmup, &why) &&
	       !base_parse_time(xp_text(time, "measure"), measure, &why);
}

static void chart_timeline(const struct xp_run_page *run, const char *file)
{
	static const char *const lines[][2] = { { "created", "created_bytes" }, { "delivered", "delivered_bytes" } };
	double endpoints = xp_number(run->summary, "topology", "endpoints", NULL);
	size_t n = json_array_size(run->timeline), most = run->report->several ? TIMES_FOLDED : TIMES;
	size_t step = (n + most - 1) / most;
	uint64_t warmup, measure;
	if (!n || !(endpoints > 0))
		return;
	json_t *figure = xp_charts(file, timeline_caption), *chart = xp_chart(figure, "lines", "");
	xp_chart_axis(chart, "x", "simulated time", "ns", 0);
	xp_chart_axis(chart, "y", "bytes created and delivered, an endpoint in the mean", "Gb/s", XP_AXIS_ZERO);
	for (size_t k = 0; k < 2; k++) {
		json_t *series = xp_chart_series(chart, lines[k][0], lines[k][0], "plain");
		for (size_t i = 0; i < n; i += step) {
			size_t end = i + step < n ? i + step : n;
			const json_t *first = json_array_get(run->timeline, i),
				     *last = json_array_get(run->timeline, end - 1);
			double from = xp_number(first, "t_ns", NULL);
			double to = xp_number(last, "t_ns", NULL) + xp_number(last, "bin_ns", NULL);
			xp_series_point(series, (from + to) / 2,
			                xp_shown(run->report, rate(run, lines[k][1], i, end, endpoints)), NAN, NAN);
		}
	}
	if (window_of(run, &warmup, &measure))
		xp_chart_window(chart, (double)warmup / 1000, (double)(warmup + measure) / 1000);
	xp_charts_write(run->report, figure);
}

/* --- heat maps ---------------------------------------------------------------------------------------------- */

/* A grid's means, cells put together so that at most `most` remain. */
struct map {
	double *value, top;
	size_t rows, columns, down, across; /* down x across cells of the grid are one */
};

static double cell_mean(const struct xp_grid *g, const struct map *m, size_t row, size_t column)
{
	double sum = 0, count = 0;
	for (size_t y = row * m->down; y < (row + 1) * m->down && y < g->rows; y++)
		for (size_t x = column * m->across; x < (column + 1) * m->across && x < g->columns; x++) {
			sum += g->sum[y * XP_GRID_COLUMNS + x];
			count += g->count[y * XP_GRID_COLUMNS + x];
		}
	return count > 0 ? sum / count : NAN;
}

static struct map map_of(const struct xp_grid *g, size_t most, bool time)
{
	struct map m = { .down = 1, .across = 1 };
	for (;;) {
		m.rows = (g->rows + m.down - 1) / m.down;
		m.columns = (g->columns + m.across - 1) / m.across;
		if (m.rows * m.columns <= most || (m.rows < 2 && m.columns < 2))
			break;
		if (time && m.columns > 2 * m.rows)
			m.across++;
		else
			m.down++;
	}
	m.value = base_calloc(m.rows * m.columns + 1, sizeof *m.value);
	for (size_t i = 0; i < m.rows * m.columns; i++) {
		m.value[i] = cell_mean(g, &m, i / m.columns, i % m.columns);
		m.top = fmax(m.top, m.value[i]);
	}
	return m;
}

static void chart_occupancy(const struct xp_run_page *run, const char *file)
{
	json_t *figure = xp_charts(file, occupancy_caption);
	struct map map[XP_RUN_VCS] = { { 0 } };
	size_t panels = 0;
	double top = 0;
	for (size_t vc = 0; vc < XP_RUN_VCS; vc++) {
		const struct xp_grid *g = &run->vc[vc];
		if (!g->sum)
			continue;
		map[vc] = map_of(g, xp_heat_cells(run->report, g->rows * g->columns), false);
		top = fmax(top, map[vc].top);
		panels++;
	}
	for (size_t vc = 0; vc < XP_RUN_VCS; vc++) {
		char title[64];
		snprintf(title, sizeof title, "virtual channel %zu", vc);
		if (!map[vc].value)
			continue;
		json_t *chart = xp_chart(figure, "heat", title);
		xp_chart_axis(chart, "x", "output port", "", 0);
		xp_chart_axis(chart, "y", "switch", "", 0);
		xp_chart_heat(chart, "mean queue", "B", map[vc].value, map[vc].rows, map[vc].columns, 0,
		              (double)map[vc].across, 0, xp_run_per_row(run) * (double)map[vc].down, top);
		free(map[vc].value);
	}
	if (panels)
		xp_charts_write(run->report, figure);
	else
		json_decref(figure);
}

static void chart_activity(const struct xp_run_page *run, const char *file)
{
	char title[96];
	if (!run->activity[0].sum || !run->activity_bins)
		return;
	size_t group = (run->activity_bins + XP_GRID_COLUMNS - 1) / XP_GRID_COLUMNS;
	double bin_ns = run->activity_bin_ns * (double)group;
	json_t *figure = xp_charts(file, activity_caption);
	struct map map[4] = { { 0 } };
	for (size_t k = 0; k < 4; k++)
		if (run->activity[k].sum)
			map[k] =
			    map_of(&run->activity[k],
			           xp_heat_cells(run->report, run->activity[k].rows * run->activity[k].columns), true);
	snprintf(title, sizeof title, "packets a switch in %g µs", run->activity_bin_ns / 1000);
	for (size_t k = 0; k < 4; k++) {
		if (!map[k].value)
			continue;
		json_t *chart = xp_chart(figure, "heat", xp_activity_titles[k]);
		xp_chart_axis(chart, "x", "simulated time", "ns", 0);
		xp_chart_axis(chart, "y", "switch", "", 0);
		/* sends and receives of a kind share their scale */
		xp_chart_heat(chart, title, "count", map[k].value, map[k].rows, map[k].columns,
		              bin_ns * (double)map[k].across / 2, bin_ns * (double)map[k].across, 0,
		              xp_run_per_row(run) * (double)map[k].down, fmax(map[k & 2].top, map[(k & 2) + 1].top));
	}
	for (size_t k = 0; k < 4; k++)
		free(map[k].value);
	xp_charts_write(run->report, figure);
}

/* --- applications ------------------------------------------------------------------------------------------- */

static void chart_ranks(const struct xp_run_page *run, const struct xp_application *a, const char *file)
{
	if (!a->time[0].sum)
		return;
	json_t *figure = xp_charts(file, xp_ranks_caption);
	for (size_t k = 0; k < 3; k++) {
		struct map m =
		    map_of(&a->time[k], xp_heat_cells(run->report, a->time[k].rows * a->time[k].columns), true);
		double bin_ns = a->bin_ns * (double)m.across, ranks = a->per_row * (double)m.down;
		json_t *chart = xp_chart(figure, "heat", xp_rank_titles[k]);
		xp_chart_axis(chart, "x", "simulated time", "ns", 0);
		xp_chart_axis(chart, "y", "rank", "", 0);
		xp_chart_heat(chart, "of the time", "share", m.value, m.rows, m.columns, bin_ns / 2, bin_ns, 0, ranks,
		              1);
		free(m.value);
	}
	xp_charts_write(run->report, figure);
}

#define PATH_POINTS 2000u

static void chart_path(const struct xp_run_page *run, const struct xp_application *a, const char *file)
{
	size_t n = json_array_size(a->path), step = (n + PATH_POINTS - 1) / PATH_POINTS;
	if (!n)
		return;
	json_t *figure = xp_charts(file, xp_path_caption), *chart = xp_chart(figure, "lines", "");
	xp_chart_axis(chart, "x", "simulated time", "ns", 0);
	xp_chart_axis(chart, "y", "rank", "", XP_AXIS_ZERO);
	json_t *series = xp_chart_series(chart, a->name, "critical path", "steps");
	for (size_t i = 0; i < n; i += step) {
		const json_t *stay = json_array_get(a->path, i);
		xp_series_point(series, xp_number(stay, "from_ns", NULL), xp_number(stay, "rank", NULL), NAN, NAN);
	}
	const json_t *last = json_array_get(a->path, n - 1);
	xp_series_point(series, xp_number(last, "to_ns", NULL), xp_number(last, "rank", NULL), NAN, NAN);
	xp_charts_write(run->report, figure);
}

void xp_application_charts(const struct xp_run_page *run, const char *name)
{
	char file[400];
	for (size_t i = 0; i < run->napplications; i++) {
		const struct xp_application *a = &run->application[i];
		snprintf(file, sizeof file, "%s-%.60s-ranks", name, a->name);
		chart_ranks(run, a, file);
		snprintf(file, sizeof file, "%s-%.60s-path", name, a->name);
		chart_path(run, a, file);
	}
}

void xp_run_chart(const struct xp_run_page *run, const char *name)
{
	char file[300];
	snprintf(file, sizeof file, "%s-latency-distribution", name);
	chart_distribution(run, file);
	snprintf(file, sizeof file, "%s-timeline", name);
	chart_timeline(run, file);
	snprintf(file, sizeof file, "%s-occupancy", name);
	chart_occupancy(run, file);
	snprintf(file, sizeof file, "%s-activity", name);
	chart_activity(run, file);
}
