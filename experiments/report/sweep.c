/* experiments/report/sweep.c - the page's section on a sweep: its figures, the saturation of its series, and the table
 * of all points. */
#include "experiments/report/impact.h"
#include "experiments/report/network.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/report/records.h"
#include "experiments/report/report.h"
#include "experiments/report/saturation.h"
#include "experiments/report/view.h"
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "experiments/sweep/plan.h"
#include "experiments/sweep/table.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

static void table_head(const struct xp_view *v)
{
	static const char *const terms[][2] = {
		{ "latency_ns.mean", "latency, mean" },
		{ "latency_ns.p50", "median" },
		{ "latency_ns.p99", "p99" },
		{ "hops.mean", "hops" },
		{ "minimal_fraction", "minimal" },
		{ "engine.wall_s", "wall" },
	};
	FILE *page = v->report->page;
	fputs("<h3>Results</h3>\n<div class=\"scroll\"><table class=\"sortable\">\n<tr>", page);
	for (size_t a = 0; a < v->e->naxes; a++)
		xp_page_head(v->report, NULL, v->e->axis[a].name, true);
	xp_page_head(v->report, "offered_load", "offered", false);
	xp_page_head(v->report, "accepted_load", "accepted", false);
	if (v->duration == XP_COMPLETION)
		xp_page_head(v->report, "completion_ns", "completion", false);
	else if (v->duration)
		xp_page_head(v->report, "iteration_ns.mean", "iteration, mean", false);
	for (size_t s = 0; s < v->e->nscales; s++)
		xp_page_head(v->report, "published", v->e->scale[s].label, false);
	if (v->e->nexpects)
		xp_page_head(v->report, "expected", "expected range", false);
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++)
		xp_page_head(v->report, terms[i][0], terms[i][1], false);
	xp_page_head(v->report, "digest", "digest", true);
	fputs("</tr>\n", page);
}

static void table_row(const struct xp_view *v, FILE *page, const json_t *row)
{
	fputs("<tr>", page);
	for (size_t a = 0; a < v->e->naxes; a++) {
		fputs("<td class=\"l\">", page);
		xp_page_text(page, xp_view_label(v, row, (ptrdiff_t)a));
		fputs("</td>", page);
	}
	if (!xp_row_ran(row)) {
		fprintf(page, "<td class=\"l bad message\" colspan=\"%zu\">",
		        9 + v->e->nscales + (v->e->nexpects > 0) + (v->duration > 0));
		xp_page_text(page, xp_text(row, "state"));
		if (*xp_text(row, "message"))
			fputs(": ", page);
		xp_page_text(page, xp_text(row, "message"));
		fputs("</td></tr>\n", page);
		return;
	}
	xp_page_number(page, xp_number(row, "offered_load", NULL), "%.4f");
	xp_page_number(page, xp_number(row, "accepted_load", NULL), "%.4f");
	if (v->duration)
		xp_page_time(page, xp_number(row, xp_duration_column(v->duration, 0), NULL), false);
	double known = xp_published(v->e, json_object_get(row, "labels"), xp_row_x(v->e, row)), min = 0, max = 0;
	for (size_t s = 0; s < v->e->nscales; s++)
		xp_page_number(page, known * v->e->scale[s].factor, "%.4f");
	int ok = v->e->nexpects ? xp_expected(v->e, row, &min, &max) : -1;
	if (ok >= 0)
		fprintf(page, "<td%s>%.3f – %.3f%s</td>", ok ? "" : " class=\"bad\"", min, max, ok ? "" : " missed");
	else if (v->e->nexpects)
		fputs("<td></td>", page);
	bool at_least = json_is_true(json_object_get(row, "latency_censored"));
	xp_page_time(page, xp_number(row, "latency_mean_ns", NULL), at_least);
	xp_page_time(page, xp_number(row, "latency_p50_ns", NULL), at_least);
	xp_page_time(page, xp_number(row, "latency_p99_ns", NULL), at_least);
	xp_page_number(page, xp_number(row, "hops_mean", NULL), "%.3f");
	xp_page_number(page, xp_number(row, "minimal_fraction", NULL), "%.3f");
	xp_page_time(page, 1e9 * xp_number(row, "wall_s", NULL), false);
	fputs("<td class=\"l\"><code>", page);
	xp_page_text(page, xp_text(row, "digest"));
	fprintf(page, "</code>%s%s</td></tr>\n",
	        xp_latency_worth(row) != XP_LATENCY_NONE              ? ""
	        : json_is_true(json_object_get(row, "still_filling")) ? " <span class=\"mark\">not stationary, still "
	                                                                "filling</span>"
	                                                              : " <span class=\"mark\">not stationary</span>",
	        json_is_true(json_object_get(row, "complete")) ? "" : " <span class=\"mark\">incomplete</span>");
}

/* A row for each job, or class, of each point. */
static void write_parts(const struct xp_view *v, const char *kind, const char *one)
{
	FILE *page = v->report->page;
	json_t *names = xp_parts_names(v->rows, kind), *name, *row;
	size_t i, k;
	if (!json_array_size(names)) {
		json_decref(names);
		return;
	}
	fprintf(page, "<h4>By %s</h4>\n<div class=\"scroll\"><table class=\"sortable\">\n<tr>", one);
	for (size_t a = 0; a < v->e->naxes; a++)
		xp_page_head(v->report, NULL, v->e->axis[a].name, true);
	xp_page_head(v->report, NULL, one, true);
	xp_page_head(v->report, "offered_load", "offered", false);
	xp_page_head(v->report, "accepted_load", "accepted", false);
	xp_page_head(v->report, "latency_ns.mean", "latency, mean", false);
	xp_page_head(v->report, "latency_ns.p99", "p99", false);
	fputs("</tr>\n", page);
	json_array_foreach (v->rows, i, row)
		json_array_foreach (names, k, name) {
			const char *text = json_string_value(name);
			double offered = xp_part_number(row, kind, text, "offered_load");
			bool at_least = xp_part_censored(row, kind, text);
			if (!isfinite(offered))
				continue;
			fputs("<tr>", page);
			for (size_t a = 0; a < v->e->naxes; a++) {
				fputs("<td class=\"l\">", page);
				xp_page_text(page, xp_view_label(v, row, (ptrdiff_t)a));
				fputs("</td>", page);
			}
			fputs("<td class=\"l\">", page);
			xp_page_text(page, text);
			fputs("</td>", page);
			xp_page_number(page, offered, "%.4f");
			xp_page_number(page, xp_part_number(row, kind, text, "accepted_load"), "%.4f");
			xp_page_time(page, xp_part_number(row, kind, text, "latency_mean_ns"), at_least);
			xp_page_time(page, xp_part_number(row, kind, text, "latency_p99_ns"), at_least);
			fputs("</tr>\n", page);
		}
	fprintf(
	    page,
	    "</table></div>\n<p class=\"soft\">The figures and the table above do not tell %s apart: their loads and "
	    "latencies are of all packets together.</p>\n",
	    kind);
	json_decref(names);
}

static void write_table(const struct xp_view *v)
{
	FILE *page = v->report->page;
	size_t i;
	json_t *row;
	table_head(v);
	json_array_foreach (v->rows, i, row)
		table_row(v, page, row);
	fputs("</table></div>\n<p class=\"soft\">Loads are fractions of the injection bandwidth. &gt; marks lower "
	      "bounds: more "
	      "than 1 % of the measured packets were still under way at the end. Equal digests mean equal results, "
	      "packet by "
	      "packet.</p>\n",
	      page);
	write_parts(v, "jobs", "job");
	write_parts(v, "classes", "class");
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

#define LOGS_TOLD 5

/* What a row says, or one of its runs, against the log of it in the folder; null: they agree. */
static const char *disagreement(const char *path, const json_t *said)
{
	struct stat there;
	const char *digest = xp_text(said, "digest"), *why = NULL;
	if (!*digest)
		return NULL;
	if (stat(path, &there))
		return "is missing";
	json_t *row = xp_row_read(path, NULL, NULL, NULL);
	if (!row)
		why = "has no readable result";
	else if (strcmp(xp_text(row, "digest"), digest) != 0)
		why = "has a digest that differs from that in summary.jsonl: the two belong to different sweeps";
	else if (json_is_true(json_object_get(said, "complete")) && !json_is_true(json_object_get(row, "complete")))
		why = "is truncated or damaged";
	json_decref(row);
	return why;
}

/* Warns of logs that are not those that the table was made from. */
static void check_logs(const struct xp_view *v)
{
	char path[8192];
	size_t wrong = 0, i, k;
	json_t *row, *run;
	json_array_foreach (v->rows, i, row) {
		json_t *runs = json_object_get(row, "runs"), *list = runs ? json_incref(runs) : json_pack("[O]", row);
		json_array_foreach (list, k, run) {
			snprintf(path, sizeof path, "@%s/points/%s.jsonl.gz", v->folder, xp_text(run, "name"));
			const char *why = disagreement(path + 1, run);
			if (why && wrong++ < LOGS_TOLD)
				base_warnf(v->report->errors, path, "%s", why);
		}
		json_decref(list);
	}
	if (wrong)
		fprintf(v->report->page,
		        "<p class=\"bad\">%zu of the logs of points are missing, damaged, or not those that this table "
		        "was made from.</p>\n",
		        wrong);
	if (wrong > LOGS_TOLD)
		base_warnf(v->report->errors, NULL,
		           "the logs of %zu points do not agree with summary.jsonl; the first ones are listed", wrong);
}

/* The first record of a point's own file, a new reference; NULL if there is none. */
static json_t *manifest_of(const struct xp_view *v, const json_t *row)
{
	char path[8192];
	snprintf(path, sizeof path, "%s/points/%s.jsonl.gz", v->folder, xp_text(row, "name"));
	struct xp_log *log = xp_log_open(path, NULL);
	json_t *manifest = log ? xp_log_next(log) : NULL;
	xp_log_close(log);
	return manifest;
}

/* Does some axis change the network? */
static bool networks_differ(const struct xp_experiment *e)
{
	for (size_t a = 0; a < e->naxes; a++)
		for (size_t i = 0; i < e->axis[a].n; i++)
			for (size_t k = 0; k < e->axis[a].v[i].nset; k++)
				if (!strncmp(e->axis[a].v[i].set[k], "topology", 8))
					return true;
	return false;
}

/* What the network of a point is called: its labels on the axes that change it. */
static void network_name(const struct xp_view *v, const json_t *row, char *out, size_t room)
{
	size_t n = 0;
	snprintf(out, room, "%s", v->e->ground.title);
	for (size_t a = 0; a < v->e->naxes && n < room; a++)
		if (v->e->axis[a].n && v->e->axis[a].v[0].nset && !strncmp(v->e->axis[a].v[0].set[0], "topology", 8))
			n += (size_t)snprintf(out + n, room - n, "%s%s", n ? ", " : "",
			                      xp_view_label(v, row, (ptrdiff_t)a));
}

/* Configuration and manifest of the first point that has a result; the networks of all. */
static void write_manifest(const struct xp_view *v)
{
	bool differ = networks_differ(v->e), first = true;
	size_t i;
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		char name[300];
		json_t *manifest = first || differ ? manifest_of(v, row) : NULL;
		if (!manifest)
			continue;
		network_name(v, row, name, sizeof name);
		xp_network_keep(v->report, name, manifest);
		if (first) {
			fputs("<h3>Provenance</h3>\n<p class=\"soft\">Of the point ", v->report->page);
			xp_page_text(v->report->page, xp_text(row, "name"));
			fputs("; every point's own file holds its own.</p>\n", v->report->page);
			xp_page_manifest(v->report->page, manifest);
		}
		first = false;
		json_decref(manifest);
	}
}

/* What is left out of figures, and why. */
static void write_absent(const struct xp_view *v)
{
	size_t i, saturated = 0, latencies = 0;
	json_t *row;
	json_array_foreach (v->rows, i, row) {
		saturated += xp_latency_worth(row) == XP_LATENCY_NONE;
		latencies +=
		    xp_latency_worth(row) != XP_LATENCY_NONE && isfinite(xp_number(row, "latency_mean_ns", NULL));
	}
	if (saturated)
		fprintf(v->report->page,
		        "<p class=\"soft\">%zu of %zu points are past saturation (not stationary), where latency "
		        "grows with the length of the run: theirs is not drawn.</p>\n",
		        saturated, json_array_size(v->rows));
	else if (!latencies)
		fputs("<p class=\"soft\">No latency is drawn: no point has measured one.</p>\n", v->report->page);
}

int xp_report_sweep(struct xp_report *report, const char *folder)
{
	struct xp_experiment e;
	char path[8192];
	snprintf(path, sizeof path, "%s/experiment.cfg", folder);
	struct xp_view v = { .report = report, .e = &e, .folder = folder };
	size_t before = report->errors->errors;
	if (xp_has_lost(folder, report->errors))
		return -1;
	int status = xp_experiment_read(&e, path, report->errors);
	if (!status && !(v.rows = xp_read_rows(folder, report->errors))) {
		report->refused |= xp_is_in(folder, "summary.jsonl");
		status = -1;
	}
	if (!status) {
		xp_page_section(report, e.ground.title);
		fputs("<p>", report->page);
		xp_page_text(report->page, e.ground.description ? e.ground.description : "");
		fputs("</p>\n", report->page);
		check_logs(&v);
		v.duration = xp_rows_duration(v.rows);
		v.saturation = e.choice == XP_ALL ? NULL : xp_saturation(&e, v.rows);
		xp_records(report, folder, xp_view_records(&v));
		xp_impact_write(&v);
		xp_figures(report, "sweep", folder);
		write_absent(&v);
		if (v.saturation) {
			fputs("<h3>Saturation</h3>\n", report->page);
			xp_figures(report, "saturation", folder);
			xp_page_saturation(report, &e, v.saturation);
		}
		write_table(&v);
		if (e.source) {
			fputs("<p class=\"soft\">Published: ", report->page);
			xp_page_text(report->page, e.source);
			fputs(".</p>\n", report->page);
		}
		write_manifest(&v);
		status = report->errors->errors > before ? -1 : 0;
	}
	json_decref(v.rows);
	json_decref(v.saturation);
	xp_experiment_free(&e);
	return status;
}
