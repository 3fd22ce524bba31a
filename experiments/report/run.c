/* experiments/report/run.c - the section of one run; see run.h. */
#include "experiments/report/run.h"
#include "experiments/config/message.h"
#include "experiments/report/network.h"
#include "experiments/report/page.h"
#include "experiments/report/provenance.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const xp_activity_names[4] = { "endpoint_sends", "endpoint_receives", "switch_sends", "switch_receives" };

void xp_grid_add(struct xp_grid *g, size_t row, size_t column, double value)
{
	if (row >= XP_GRID_ROWS || column >= XP_GRID_COLUMNS || !isfinite(value))
		return;
	if (!g->sum) {
		g->sum = base_calloc(XP_GRID_ROWS * XP_GRID_COLUMNS, sizeof *g->sum);
		g->count = base_calloc(XP_GRID_ROWS * XP_GRID_COLUMNS, sizeof *g->count);
	}
	g->sum[row * XP_GRID_COLUMNS + column] += value;
	g->count[row * XP_GRID_COLUMNS + column] += 1;
	g->rows = row >= g->rows ? row + 1 : g->rows;
	g->columns = column >= g->columns ? column + 1 : g->columns;
}

/* A switch's row; out of range if the record is nonsense. */
static size_t row_of(const struct xp_run_page *run, const json_t *record)
{
	double s = xp_number(record, "switch", NULL);
	return s >= 0 && s < 1e9 ? (size_t)(s / xp_run_per_row(run)) : XP_GRID_ROWS;
}

static void take_port(struct xp_run_page *run, const json_t *record)
{
	double port = xp_number(record, "port", NULL);
	const json_t *queued = json_object_get(record, "vc_mean_bytes");
	for (size_t vc = 0; vc < json_array_size(queued) && vc < XP_RUN_VCS && port >= 0 && port < XP_GRID_COLUMNS;
	     vc++)
		xp_grid_add(&run->vc[vc], row_of(run, record), (size_t)port,
		            json_number_value(json_array_get(queued, vc)));
	size_t i = 0;
	const char *name = xp_text(record, "class");
	while (i < run->nlinks && strcmp(run->link[i].name, name) != 0)
		i++;
	if (i == XP_RUN_LINK_CLASSES)
		return;
	struct xp_link_class *link = &run->link[i];
	if (i == run->nlinks)
		snprintf(run->link[run->nlinks++].name, sizeof link->name, "%s", name);
	double packets = xp_number(record, "packets", NULL), utilization = xp_number(record, "utilization", NULL);
	link->ports++;
	link->packets += isfinite(packets) ? packets : 0;
	link->utilization += isfinite(utilization) ? utilization : 0;
	link->most = fmax(link->most, utilization);
}

/* Returns whether a time bin ends after the measured window. Such bins are not drawn: the last bin of a run also counts
 * all later packets, and the last bin of an interrupted run is incomplete, so bytes divided by the bin width would not
 * be a throughput. */
static bool leaves_window(const struct xp_run_page *run, double from_ns, double width_ns)
{
	double end = run->summary ? xp_number(run->summary, "measured_to_ns", NULL) : 0;
	return end > 0 && from_ns + width_ns > end * (1 + 1e-12);
}

static void take_activity(struct xp_run_page *run, const json_t *record)
{
	run->activity_bin_ns = xp_number(record, "bin_ns", NULL);
	for (size_t k = 0; k < 4; k++) {
		const json_t *list = json_object_get(record, xp_activity_names[k]);
		size_t n = json_array_size(list);
		while (n > 0 && leaves_window(run, (double)(n - 1) * run->activity_bin_ns, run->activity_bin_ns))
			n--;
		if (!run->activity_bins)
			run->activity_bins = n; /* every record has as many */
		size_t group = (run->activity_bins + XP_GRID_COLUMNS - 1) / XP_GRID_COLUMNS;
		for (size_t b = 0; b < n; b++)
			xp_grid_add(&run->activity[k], row_of(run, record), b / (group ? group : 1),
			            json_number_value(json_array_get(list, b)));
	}
}

static void take(struct xp_run_page *run, json_t *record)
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
		if (!leaves_window(run, xp_number(record, "t_ns", NULL), xp_number(record, "bin_ns", NULL)))
			json_array_append(run->timeline, record);
	} else if (!strcmp(kind, "port")) {
		take_port(run, record);
	} else if (!strcmp(kind, "activity")) {
		take_activity(run, record);
	} else if (!strcmp(kind, "rank_timeline")) {
		xp_ranks_take(run, record);
	} else if (!strcmp(kind, "path")) {
		xp_path_take(run, record);
	} else if (!strcmp(kind, "switch")) {
		xp_inside_take(&run->inside, record);
	} else if (!strcmp(kind, "end")) {
		run->whole = json_is_true(json_object_get(record, "complete"));
	}
}

static void begin_fact(const struct xp_run_page *run, const char *term, const char *name)
{
	fputs("<tr><th class=\"l\" scope=\"row\">", run->report->page);
	xp_page_term(run->report, term, name);
	fputs("</th>", run->report->page);
}

static void fact(const struct xp_run_page *run, const char *term, const char *name, double value, const char *format)
{
	begin_fact(run, term, name);
	xp_page_number(run->report->page, value, format);
	fputs("</tr>\n", run->report->page);
}

static void time_fact(const struct xp_run_page *run, const char *term, const char *name, double ns)
{
	bool censored = json_is_true(json_object_get(run->summary, "latency_censored"));
	begin_fact(run, term, name);
	xp_page_time(run->report->page, ns, censored && strncmp(term, "latency_ns", 10) == 0);
	fputs("</tr>\n", run->report->page);
}

static void write_facts(const struct xp_run_page *run)
{
	FILE *page = run->report->page;
	const json_t *s = run->summary;
	fputs("<div class=\"scroll\"><table class=\"facts\">\n", page);
	begin_fact(run, "topology.kind", "topology");
	fputs("<td>", page);
	xp_page_text(page, xp_text(json_object_get(s, "topology"), "kind"));
	fprintf(page, ", %.0f switches, %.0f endpoints</td></tr>\n", run->switches,
	        xp_number(s, "topology", "endpoints", NULL));
	fact(run, "offered_load", "offered load", xp_number(s, "offered_load", NULL), "%.5f");
	fact(run, "accepted_load", "accepted load", xp_number(s, "accepted_load", NULL), "%.5f");
	begin_fact(run, "packets.delivered", "packets delivered");
	xp_page_count(page, xp_number(s, "packets", "delivered", NULL));
	fputs("</tr>\n", page);
	time_fact(run, "latency_ns.mean", "latency, mean", xp_number(s, "latency_ns", "mean", NULL));
	time_fact(run, "latency_ns.p50", "latency, median", xp_number(s, "latency_ns", "p50", NULL));
	time_fact(run, "latency_ns.p99", "latency, p99", xp_number(s, "latency_ns", "p99", NULL));
	time_fact(run, "network_latency_ns.mean", "network latency, mean",
	          xp_number(s, "network_latency_ns", "mean", NULL));
	if (json_object_get(s, "slowdown")) {
		fact(run, "slowdown.p50", "slowdown of messages, median", xp_number(s, "slowdown", "p50", NULL),
		     "%.4f");
		fact(run, "slowdown.p99", "slowdown of messages, p99", xp_number(s, "slowdown", "p99", NULL), "%.4f");
	}
	fact(run, "hops.mean", "hops, mean", xp_number(s, "hops", "mean", NULL), "%.4f");
	fact(run, "minimal_fraction", "minimal fraction", xp_number(s, "minimal_fraction", NULL), "%.4f");
	time_fact(run, "engine.wall_s", "wall time", 1e9 * xp_number(s, "engine", "wall_s", NULL));
	fact(run, "engine.packet_hops_per_s", "packet-hops per second",
	     xp_number(s, "engine", "packet_hops_per_s", NULL) / 1e6, "%.3f million");
	begin_fact(run, "digest", "digest");
	fputs("<td><code>", page);
	xp_page_text(page, xp_text(s, "digest"));
	fputs("</code></td></tr>\n</table></div>\n", page);
}

/* Is one of the jobs shown beside a run of its own? */
static bool has_impact(const json_t *jobs)
{
	const json_t *job;
	size_t i;
	json_array_foreach (jobs, i, job)
		if (json_object_get(job, "impact"))
			return true;
	return false;
}

static void write_jobs(const struct xp_run_page *run)
{
	FILE *page = run->report->page;
	const json_t *jobs = json_object_get(run->summary, "jobs"), *job;
	bool impact = has_impact(jobs);
	size_t i;
	if (json_array_size(jobs) < 2)
		return;
	fputs("<h3>Jobs</h3><div class=\"scroll\"><table class=\"sortable\"><tr>", page);
	xp_page_head(run->report, NULL, "job", true);
	xp_page_head(run->report, "offered_load", "offered", false);
	xp_page_head(run->report, "accepted_load", "accepted", false);
	xp_page_head(run->report, "latency_ns.mean", "latency, mean", false);
	xp_page_head(run->report, "latency_ns.p99", "p99", false);
	xp_page_head(run->report, "hops.mean", "hops", false);
	if (impact) {
		xp_page_head(run->report, "jobs[].impact.mean", "impact", false);
		xp_page_head(run->report, "jobs[].impact.p99", "impact, p99", false);
	}
	fputs("</tr>\n", page);
	json_array_foreach (jobs, i, job) {
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, xp_text(job, "name"));
		fputs("</td>", page);
		xp_page_number(page, xp_number(job, "offered_load", NULL), "%.4f");
		xp_page_number(page, xp_number(job, "accepted_load", NULL), "%.4f");
		xp_page_time(page, xp_number(job, "latency_ns", "mean", NULL), false);
		xp_page_time(page, xp_number(job, "latency_ns", "p99", NULL), false);
		xp_page_number(page, xp_number(job, "hops", "mean", NULL), "%.3f");
		if (impact) {
			xp_page_number(page, xp_number(job, "impact", "mean", NULL), "%.3f");
			xp_page_number(page, xp_number(job, "impact", "p99", NULL), "%.3f");
		}
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

static void write_links(const struct xp_run_page *run)
{
	FILE *page = run->report->page;
	if (!run->nlinks)
		return;
	fputs("<h3>Links</h3><div class=\"scroll\"><table class=\"sortable\"><tr>", page);
	xp_page_head(run->report, NULL, "class", true);
	xp_page_head(run->report, "port.ports", "output ports", false);
	xp_page_head(run->report, "port.packets", "packets", false);
	xp_page_head(run->report, "port.utilization", "mean utilisation", false);
	xp_page_head(run->report, "port.most", "highest", false);
	fputs("</tr>\n", page);
	for (size_t i = 0; i < run->nlinks; i++) {
		const struct xp_link_class *link = &run->link[i];
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, link->name);
		fputs("</td>", page);
		xp_page_count(page, link->ports);
		xp_page_count(page, link->packets);
		xp_page_number(page, link->utilization / link->ports, "%.4f");
		xp_page_number(page, link->most, "%.4f");
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

static void write_section(const struct xp_run_page *run, const char *problem)
{
	FILE *page = run->report->page;
	const char *slash = strrchr(run->path, '/');
	char name[256];
	snprintf(name, sizeof name, "%s", slash ? slash + 1 : run->path);
	char *suffix = strstr(name, ".jsonl");
	if (suffix)
		*suffix = 0;
	if (run->report->several)
		fputs("<details class=\"run\"><summary>", page);
	xp_page_section(run->report, name);
	if (run->report->several)
		fputs("</summary>\n", page);
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
		xp_ranks_section(run);
	}
	if (json_array_size(run->histograms) && !xp_any_ccdf(run->histograms))
		fputs("<p class=\"soft\">No distribution of latency is drawn: no packet was measured.</p>\n", page);
	xp_records(run->report, run->path, xp_run_records(run, name));
	xp_figures(run->report, "run", run->path);
	xp_inside_section(&run->inside, run->report, run->path, name);
	write_links(run);
	xp_network_keep(run->report, name, run->manifest);
	xp_page_provenance(run->report, run->manifest);
	if (run->report->several)
		fputs("</details>\n", page);
}

int xp_report_run(struct xp_report *report, const char *path)
{
	const char *why;
	struct xp_log *log = xp_log_open(path, &why);
	if (!log)
		return xp_error_at(report->errors, path, "%s", why);
	struct xp_run_page run = {
		.report = report, .path = path, .histograms = json_array(), .timeline = json_array()
	};
	json_t *record;
	size_t before = report->errors->errors;
	while ((record = xp_log_next(log))) {
		take(&run, record);
		json_decref(record);
	}
	bool result = run.manifest || run.summary, torn = result && !xp_log_readable(log);
	report->refused |= xp_log_refused(log) || torn || !result;
	if (xp_log_refused(log) || torn)
		xp_error_at(report->errors, path, "%s", xp_log_problem(log));
	else if (!result)
		xp_error_at(report->errors, path, "is not a result of tilefly%s%s", xp_log_problem(log) ? ": " : "",
		            xp_log_problem(log) ? xp_log_problem(log) : "");
	else
		write_section(&run, xp_log_problem(log));
	xp_log_close(log);
	for (size_t i = 0; i < XP_RUN_VCS; i++) {
		free(run.vc[i].sum);
		free(run.vc[i].count);
	}
	for (size_t i = 0; i < 4; i++) {
		free(run.activity[i].sum);
		free(run.activity[i].count);
	}
	xp_inside_free(&run.inside);
	xp_ranks_free(&run);
	json_decref(run.manifest);
	json_decref(run.summary);
	json_decref(run.histograms);
	json_decref(run.timeline);
	return report->errors->errors > before ? -1 : 0;
}
