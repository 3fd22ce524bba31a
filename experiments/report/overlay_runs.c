/* experiments/report/overlay_runs.c - several runs in one figure; see overlay.h. */
#include "experiments/report/overlay.h"

#include "base/format.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/report/records.h"
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

/* [value, low, high] of an estimate. */
static json_t *estimate_of(const json_t *summary, const char *quantity, const char *estimate)
{
	double value = xp_number(summary, quantity, estimate, NULL);
	return json_pack("[o, o, o]", xp_json_number(value), xp_json_number(end_of(summary, quantity, estimate, 0)),
	                 xp_json_number(end_of(summary, quantity, estimate, 1)));
}

#define TOGETHER 60 /* most distributions in one chart: those of more runs are in their sections only */

/* A run as web/run.js takes it. */
static json_t *records_of_run(struct xp_report *report, const char *path, const char *name, const json_t *summary,
                              bool together)
{
	json_t *histogram = together ? xp_read_latency_histogram(path) : NULL;
	json_t *run = json_pack("{s:o, s:o, s:o, s:o}", "name", xp_json_text(name), "load",
	                        estimate_of(summary, "accepted_load", NULL), "latency",
	                        estimate_of(summary, "latency_ns", "mean"), "points",
	                        histogram ? xp_ccdf(report, histogram) : json_null());
	json_decref(histogram);
	return run;
}

/* Every run as a row of the table and in the figures above it. */
static void write_table(struct xp_report *report, char *const *paths, size_t n)
{
	char *rows = NULL;
	size_t bytes = 0;
	FILE *page = report->page, *table = base_memory_stream(&rows, &bytes);
	json_t *runs = json_array();
	for (size_t i = 0; i < n; i++) {
		json_t *s = read_summary(paths[i]);
		char name[1024];
		if (!s)
			continue;
		name_of(paths, n, i, name, sizeof name);
		write_row(table, name, s);
		json_array_append_new(runs, records_of_run(report, paths[i], name, s, n <= TOGETHER));
		json_decref(s);
	}
	fclose(table);
	xp_records(report, "runs", json_pack("{s:o}", "runs", runs));
	xp_figures(report, "runs", "runs");
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

void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n)
{
	xp_page_section(report, "Runs compared");
	write_table(report, paths, n);
}
