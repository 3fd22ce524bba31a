/* experiments/report/overlay_runs.c - several runs in one figure; see overlay.h. */
#include "experiments/report/overlay.h"

#include "base/memory.h"
#include "experiments/report/figure.h"
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

static void write_table(FILE *page, char *const *paths, size_t n)
{
	fputs("<div class=\"scroll\"><table>\n<tr><th class=\"l\">run</th><th>offered</th><th>accepted</th>"
	      "<th>latency mean (ns)</th><th>median (ns)</th><th>p99 (ns)</th><th>hops</th><th class=\"l\">digest</th>"
	      "</tr>\n",
	      page);
	for (size_t i = 0; i < n; i++) {
		json_t *s = read_summary(paths[i]);
		char name[1024];
		if (!s)
			continue;
		name_of(paths, n, i, name, sizeof name);
		bool censored = json_is_true(json_object_get(s, "latency_censored"));
		const char *latency = censored ? "&gt; %.1f" : "%.1f";
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, name);
		fputs("</td>", page);
		xp_page_number(page, xp_number(s, "offered_load", NULL), "%.4f");
		xp_page_number(page, xp_number(s, "accepted_load", NULL), "%.4f");
		xp_page_number(page, xp_number(s, "latency_ns", "mean", NULL), latency);
		xp_page_number(page, xp_number(s, "latency_ns", "p50", NULL), latency);
		xp_page_number(page, xp_number(s, "latency_ns", "p99", NULL), latency);
		xp_page_number(page, xp_number(s, "hops", "mean", NULL), "%.3f");
		fputs("<td class=\"l\"><code>", page);
		xp_page_text(page, xp_text(s, "digest"));
		fputs("</code></td></tr>\n", page);
		json_decref(s);
	}
	fputs("</table></div>\n", page);
}

void xp_overlay_runs(struct xp_report *report, char *const *paths, size_t n)
{
	char *script = NULL, *plots = NULL;
	size_t bytes = 0, plot_bytes = 0, drawn = 0;
	FILE *out = open_memstream(&script, &bytes), *plot = open_memstream(&plots, &plot_bytes);
	for (size_t i = 0; i < n; i++) {
		json_t *histogram = xp_read_latency_histogram(paths[i]);
		char name[1024];
		if (!histogram)
			continue;
		name_of(paths, n, i, name, sizeof name);
		fprintf(out, "$h%zu << EOD\n", drawn);
		xp_write_ccdf(out, histogram);
		fputs("EOD\n", out);
		fprintf(plot, "%s$h%zu using 1:2 with steps lw 2 dt %zu lc rgb '%s' title ", drawn ? ", \\\n" : "plot ",
		        drawn, drawn / XP_HUES % 5 + 1, xp_hue((unsigned)drawn));
		xp_plot_string(plot, name);
		json_decref(histogram);
		drawn++;
	}
	fclose(plot);
	fprintf(out,
	        "set logscale xy\nset format y '%%g'\nset xlabel 'packet latency (ns)'\n"
	        "set ylabel 'share of packets above'\nset key outside right top reverse Left samplen 1.6\n%s\n",
	        plots);
	fclose(out);
	fputs("<h2>Runs compared</h2>\n", report->page);
	write_table(report->page, paths, n);
	if (drawn)
		xp_figure(report, "compared-latency-distribution",
		          "Distribution of packet latency of several runs, all jobs together: the share of measured "
		          "packets that took longer, from creation to the last byte's arrival.",
		          900, 420, script);
	free(script);
	free(plots);
}
