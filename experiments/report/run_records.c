/* experiments/report/run_records.c - the records from which web/run.js draws the figures of a run; run.js documents
 * them. Lines and heat maps are coarsened here such that a page of many or large runs stays small. */
#include "experiments/report/records.h"
#include "experiments/report/run.h"
#include "experiments/results/reader.h"

#include "base/param.h"

#define TIMES 1500      /* points of a line over time */
#define TIMES_FOLDED 60 /* in a page of many runs */
#define PATH_POINTS 2000u

static json_t *histograms_of(const struct xp_run_page *run)
{
	json_t *list = json_array(), *histogram;
	size_t i;
	json_array_foreach (run->histograms, i, histogram)
		json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "job", xp_json_text(xp_text(histogram, "job")),
		                                      "quantity", xp_json_text(xp_text(histogram, "quantity")),
		                                      "points", xp_ccdf(run->report, histogram)));
	return list;
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

/* [middle, created, delivered] of neighbouring bins together. */
static json_t *timeline_of(const struct xp_run_page *run)
{
	double endpoints = xp_number(run->summary, "topology", "endpoints", NULL);
	size_t n = json_array_size(run->timeline), most = run->report->several ? TIMES_FOLDED : TIMES;
	size_t step = (n + most - 1) / most;
	json_t *list = json_array();
	for (size_t i = 0; endpoints > 0 && i < n; i += step) {
		size_t end = i + step < n ? i + step : n;
		const json_t *first = json_array_get(run->timeline, i), *last = json_array_get(run->timeline, end - 1);
		double from = xp_number(first, "t_ns", NULL);
		double to = xp_number(last, "t_ns", NULL) + xp_number(last, "bin_ns", NULL);
		double created = xp_shown(run->report, rate(run, "created_bytes", i, end, endpoints));
		double delivered = xp_shown(run->report, rate(run, "delivered_bytes", i, end, endpoints));
		json_array_append_new(list, json_pack("[o, o, o]", xp_json_number((from + to) / 2),
		                                      xp_json_number(created), xp_json_number(delivered)));
	}
	return list;
}

/* Start and end of the measured window in ns; null if the manifest does not say. */
static json_t *window_of(const struct xp_run_page *run)
{
	const json_t *time = json_object_get(json_object_get(run->manifest, "config"), "time");
	uint64_t warmup = 0, measure = 0;
	const char *why;
	if (base_parse_time(xp_text(time, "warmup"), &warmup, &why) ||
	    base_parse_time(xp_text(time, "measure"), &measure, &why))
		return json_null();
	return json_pack("[f, f]", (double)warmup / 1000, (double)(warmup + measure) / 1000);
}

static double mean_bytes(const json_t *size)
{
	return xp_number(size, "bytes", NULL) / xp_number(size, "messages", NULL);
}

/* [mean bytes, messages, median, 99th percentile] by size of message, of each job. */
static json_t *slowdowns_of(const struct xp_run_page *run)
{
	json_t *list = json_array(), *job, *size;
	size_t i, k;
	json_array_foreach (json_object_get(run->summary, "jobs"), i, job) {
		json_t *points = json_array();
		json_array_foreach (json_object_get(job, "slowdown_by_size"), k, size)
			json_array_append_new(
			    points, json_pack("[o, o, o, o]", xp_json_number(mean_bytes(size)),
			                      xp_json_number(xp_number(size, "messages", NULL)),
			                      xp_json_number(xp_shown(run->report, xp_number(size, "p50", NULL))),
			                      xp_json_number(xp_shown(run->report, xp_number(size, "p99", NULL)))));
		if (json_array_size(points))
			json_array_append_new(
			    list, json_pack("{s:o, s:O}", "job", xp_json_text(xp_text(job, "name")), "points", points));
		json_decref(points);
	}
	return list;
}

/* --- heat maps ---------------------------------------------------------------------------------------------- */

/* down x across cells of a grid are one. */
static double cell_mean(const struct xp_grid *g, size_t down, size_t across, size_t row, size_t column)
{
	double sum = 0, count = 0;
	for (size_t y = row * down; y < (row + 1) * down && y < g->rows; y++)
		for (size_t x = column * across; x < (column + 1) * across && x < g->columns; x++) {
			sum += g->sum[y * XP_GRID_COLUMNS + x];
			count += g->count[y * XP_GRID_COLUMNS + x];
		}
	return count > 0 ? sum / count : NAN;
}

/* Returns the means of a grid as a record for a heat map, or JSON null if there is no grid. Cells are merged so that
 * all heat maps of the page stay small. step: distance in x between two columns; if x is time, columns are centred on
 * their bins. per_row: number of switches or ranks in a row. */
static json_t *map_of(const struct xp_run_page *run, const struct xp_grid *g, double step, bool time, double per_row)
{
	size_t down = 1, across = 1, rows = g->rows, columns = g->columns;
	size_t most = g->sum ? xp_heat_cells(run->report, rows * columns) : 0;
	double top = 0;
	if (!g->sum)
		return json_null();
	while (rows * columns > most && (rows > 1 || columns > 1)) {
		if (time && columns > 2 * rows)
			across++;
		else
			down++;
		rows = (g->rows + down - 1) / down;
		columns = (g->columns + across - 1) / across;
	}
	json_t *values = json_array();
	for (size_t i = 0; i < rows * columns; i++) {
		double value = cell_mean(g, down, across, i / columns, i % columns);
		top = fmax(top, value);
		json_array_append_new(values, xp_json_short(value));
	}
	step *= (double)across;
	return json_pack("{s:I, s:I, s:o, s:f, s:f, s:f, s:f}", "rows", (json_int_t)rows, "columns",
	                 (json_int_t)columns, "values", values, "top", top, "x_from", time ? step / 2 : 0, "x_step",
	                 step, "y_step", per_row * (double)down);
}

static json_t *occupancy_of(const struct xp_run_page *run)
{
	json_t *list = json_array();
	for (size_t vc = 0; vc < XP_RUN_VCS; vc++)
		if (run->vc[vc].sum)
			json_array_append_new(list,
			                      json_pack("{s:I, s:o}", "vc", (json_int_t)vc, "map",
			                                map_of(run, &run->vc[vc], 1, false, xp_run_per_row(run))));
	return list;
}

static json_t *activity_of(const struct xp_run_page *run)
{
	size_t group = (run->activity_bins + XP_GRID_COLUMNS - 1) / XP_GRID_COLUMNS;
	json_t *maps = json_array();
	for (size_t k = 0; k < 4; k++)
		json_array_append_new(maps, map_of(run, &run->activity[k], run->activity_bin_ns * (double)group, true,
		                                   xp_run_per_row(run)));
	return json_pack("{s:o, s:o}", "bin_ns", xp_json_number(run->activity_bin_ns), "maps", maps);
}

/* --- applications ------------------------------------------------------------------------------------------- */

/* [time, rank] where the critical path changes, and its end. */
static json_t *path_of(const struct xp_application *a)
{
	size_t n = json_array_size(a->path), step = (n + PATH_POINTS - 1) / PATH_POINTS;
	json_t *list = json_array();
	for (size_t i = 0; i < n; i += step) {
		const json_t *stay = json_array_get(a->path, i);
		json_array_append_new(list, json_pack("[o, o]", xp_json_number(xp_number(stay, "from_ns", NULL)),
		                                      xp_json_number(xp_number(stay, "rank", NULL))));
	}
	const json_t *last = json_array_get(a->path, n ? n - 1 : 0);
	if (n)
		json_array_append_new(list, json_pack("[o, o]", xp_json_number(xp_number(last, "to_ns", NULL)),
		                                      xp_json_number(xp_number(last, "rank", NULL))));
	return list;
}

static json_t *applications_of(const struct xp_run_page *run)
{
	json_t *list = json_array();
	for (size_t i = 0; i < run->napplications; i++) {
		const struct xp_application *a = &run->application[i];
		json_t *maps = json_array();
		for (size_t k = 0; k < 3; k++)
			json_array_append_new(maps, map_of(run, &a->time[k], a->bin_ns, true, a->per_row));
		json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "name", xp_json_text(a->name), "maps", maps,
		                                      "path", path_of(a)));
	}
	return list;
}

json_t *xp_run_records(const struct xp_run_page *run, const char *name)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", xp_json_text(name), "window",
	                 window_of(run), "histograms", histograms_of(run), "slowdowns", slowdowns_of(run), "timeline",
	                 timeline_of(run), "occupancy", occupancy_of(run), "activity", activity_of(run), "applications",
	                 applications_of(run));
}
