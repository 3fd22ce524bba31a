/* experiments/report/overlay_runs.c - several runs in one figure; see overlay.h. */
#include "experiments/report/overlay.h"

#include "base/format.h"
#include "experiments/report/chart.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The summary of a log, a new reference; NULL if it has none, or is no log that can be read. */
static json_t *read_summary(const char *path)
{
	struct xp_log *log = xp_log_open(path, NULL);
	json_t *record, *summary = NULL;
	while (log && (record = xp_log_next(log))) {
		if (!summary && !strcmp(xp_record_kind(record), "summary"))
			summary = json_incref(record);
		json_decref(record);
	}
	if (log && !xp_log_readable(log)) {
		json_decref(summary);
		summary = NULL;
	}
	xp_log_close(log);
	return summary;
}

static bool same_names(char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(xp_last_part(paths[i]), xp_last_part(paths[k])))
				return true;
	return false;
}

/* The file's name without what all result logs end in; the path where names are the same. */
static void name_of(char *const *paths, size_t n, size_t i, char *out, size_t room)
{
	snprintf(out, room, "%s", same_names(paths, n) ? paths[i] : xp_last_part(paths[i]));
	char *suffix = strstr(out, ".jsonl");
	if (suffix)
		*suffix = 0;
}

static void write_row(FILE *page, const char *name, const json_t *s)
{
	bool censored = json_is_true(json_object_get(s, "latency_censored"));
	fputs("<tr><td class=\"l\">", page);
	xp_page_text(page, name);
	fputs("</td>", page);
	xp_page_number(page, xp_number(s, "offered_load", NULL), "%.4f");
	xp_page_number(page, xp_number(s, "accepted_load", NULL), "%.4f");
	xp_page_time(page, xp_number(s, "latency_ns", "mean", NULL), censored);
	xp_page_time(page, xp_number(s, "latency_ns", "p50", NULL), censored);
	xp_page_time(page, xp_number(s, "latency_ns", "p99", NULL), censored);
	xp_page_number(page, xp_number(s, "hops", "mean", NULL), "%.3f");
	fputs("<td class=\"l\"><code>", page);
	xp_page_text(page, xp_text(s, "digest"));
	fputs("</code></td></tr>\n", page);
}

/* The end of an interval that a summary may have: k 0 the lower, 1 the upper. */
static double end_of(const json_t *summary, const char *quantity, const char *estimate, size_t k)
{
	const json_t *at = json_object_get(json_object_get(summary, "interval"), quantity);
	at = estimate ? json_object_get(at, estimate) : at;
	return json_is_number(json_array_get(at, k)) ? json_number_value(json_array_get(at, k)) : NAN;
}

static void add_spot(json_t *series, const char *name, const json_t *s)
{
	double load = xp_number(s, "accepted_load", NULL), latency = xp_number(s, "latency_ns", "mean", NULL);
	if (isfinite(load) && isfinite(latency))
		xp_series_spot(series, name, load, end_of(s, "accepted_load", NULL, 0),
		               end_of(s, "accepted_load", NULL, 1), latency, end_of(s, "latency_ns", "mean", 0),
		               end_of(s, "latency_ns", "mean", 1));
}

/* Every run as a row of the table and as a point of the chart above it. */
static void write_table(struct xp_report *report, char *const *paths, size_t n)
{
	char *rows = NULL;
	size_t bytes = 0;
	FILE *page = report->page, *table = base_memory_stream(&rows, &bytes);
	json_t *figure =
	    xp_charts("compared-runs", "Every run as a point: mean packet latency and accepted load; bars: "
	                               "95 % intervals, where a run knows them.");
	json_t *chart = xp_chart(figure, "scatter", "");
	xp_chart_axis(chart, "x", "accepted load (of injection bandwidth)", "", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "mean packet latency", "ns", XP_AXIS_LOG);
	json_t *series = xp_chart_series(chart, "runs", "runs", "");
	for (size_t i = 0; i < n; i++) {
		json_t *s = read_summary(paths[i]);
		char name[1024];
		if (!s)
			continue;
		name_of(paths, n, i, name, sizeof name);
		write_row(table, name, s);
		add_spot(series, name, s);
		json_decref(s);
	}
	fclose(table);
	xp_charts_write(report, figure);
	fputs("<div class=\"scroll\"><table class=\"sortable\">\n<tr>", page);
	xp_page_head(report, NULL, "run", true);
	xp_page_head(report, "offered_load", "offered", false);
	xp_page_head(report, "accepted_load", "accepted", false);
	xp_page_head(report, "latency_ns.mean", "latency, mean", false);
	xp_page_head(report, "latency_ns.p50", "median", false);
	xp_page_head(report, "latency_ns.p99", "p99", false);
	xp_page_head(report, "hops.mean", "hops", false);
	xp_page_head(report, "digest", "digest", true);
	fprintf(page, "</tr>\n%s</table></div>\n", rows);
	free(rows);
}

static const char distribution_caption[] = "Distribution of packet latency of several runs, all jobs together: the "
					   "share of measured packets that took longer, from "
					   "creation to the last byte's arrival.";

#define SHOWN 8     /* distributions that are not hidden at first */
#define TOGETHER 60 /* most distributions in one chart: those of more runs are in their sections only */

static void chart_distributions(struct xp_report *report, char *const *paths, size_t n)
{
	json_t *figure = xp_charts("compared-latency-distribution", distribution_caption);
	json_t *chart = xp_chart(figure, "lines", "");
	size_t drawn = 0;
	xp_chart_axis(chart, "x", "packet latency", "ns", XP_AXIS_LOG);
	xp_chart_axis(chart, "y", "share of packets above", "share", XP_AXIS_LOG);
	for (size_t i = 0; n <= TOGETHER && i < n; i++) {
		json_t *histogram = xp_read_latency_histogram(paths[i]);
		char name[1024];
		if (!histogram)
			continue;
		name_of(paths, n, i, name, sizeof name);
		json_object_set_new(xp_chart_series(chart, name, name, "steps"), "points", xp_ccdf(report, histogram));
		if (drawn++ >= SHOWN)
			xp_charts_hide(figure, name);
		json_decref(histogram);
	}
	if (!drawn)
		json_array_clear(json_object_get(figure, "charts"));
	xp_charts_write(report, figure);
}

void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n)
{
	xp_page_section(report, "Runs compared");
	write_table(report, paths, n);
	chart_distributions(report, paths, n);
}
