/* experiments/report/ranks.c - the part of a run's section on its applications: how their ranks spent their time, by
 * kind of call and over time, and their critical paths. */
#include "experiments/report/page.h"
#include "experiments/report/run.h"
#include "experiments/results/reader.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static struct xp_application *application_of(struct xp_run_page *run, const json_t *record)
{
	const char *name = xp_text(record, "job");
	for (size_t i = 0; i < run->napplications; i++)
		if (!strcmp(run->application[i].name, name))
			return &run->application[i];
	run->application = base_realloc(run->application, (run->napplications + 1) * sizeof *run->application);
	struct xp_application *a = &run->application[run->napplications++];
	*a = (struct xp_application){ .name = base_strdup(name), .path = json_array() };
	return a;
}

void xp_ranks_take(struct xp_run_page *run, json_t *record)
{
	static const char *const times[3] = { "compute_ns", "send_ns", "wait_ns" };
	struct xp_application *a = application_of(run, record);
	double first = xp_number(record, "first_rank", NULL), last = xp_number(record, "last_rank", NULL);
	double bin_ns = xp_number(record, "bin_ns", NULL);
	if (!(last >= first) || !(bin_ns > 0))
		return;
	a->bin_ns = bin_ns;
	a->ranks = fmax(a->ranks, last + 1);
	a->per_row = fmax(a->per_row, last - first + 1);
	for (size_t k = 0; k < 3; k++) {
		const json_t *list = json_object_get(record, times[k]);
		for (size_t b = 0; b < json_array_size(list); b++)
			xp_grid_add(&a->time[k], a->rows, b,
			            json_number_value(json_array_get(list, b)) / (bin_ns * (last - first + 1)));
	}
	a->rows++;
}

void xp_path_take(struct xp_run_page *run, json_t *record)
{
	json_array_append(application_of(run, record)->path, record);
}

void xp_ranks_free(struct xp_run_page *run)
{
	for (size_t i = 0; i < run->napplications; i++) {
		struct xp_application *a = &run->application[i];
		for (size_t k = 0; k < 3; k++) {
			free(a->time[k].sum);
			free(a->time[k].count);
		}
		free(a->name);
		json_decref(a->path);
	}
	free(run->application);
}

/* --- tables ------------------------------------------------------------------------------------------------- */

static void begin_row(const struct xp_run_page *run, const char *term, const char *name)
{
	fputs("<tr><th class=\"l\" scope=\"row\">", run->report->page);
	xp_page_term(run->report, term, name);
	fputs("</th>", run->report->page);
}

static void time_row(const struct xp_run_page *run, const char *term, const char *name, double ns)
{
	begin_row(run, term, name);
	xp_page_time(run->report->page, ns, false);
	fputs("</tr>\n", run->report->page);
}

static void write_facts(const struct xp_run_page *run, const json_t *job, const json_t *a)
{
	FILE *page = run->report->page;
	const json_t *path = json_object_get(a, "path");
	fputs("<div class=\"scroll\"><table class=\"facts\">\n", page);
	begin_row(run, "jobs[].application.ranks", "ranks");
	xp_page_count(page, xp_number(a, "ranks", NULL));
	fputs("</tr>\n", page);
	if (json_object_get(job, "completion_ns"))
		time_row(run, "completion_ns", "completion", xp_number(job, "completion_ns", NULL));
	time_row(run, "jobs[].application.compute_ns.mean", "computing, mean of ranks",
	         xp_number(a, "compute_ns", "mean", NULL));
	time_row(run, "jobs[].application.send_ns.mean", "sending", xp_number(a, "send_ns", "mean", NULL));
	time_row(run, "jobs[].application.wait_ns.mean", "waiting", xp_number(a, "wait_ns", "mean", NULL));
	time_row(run, "jobs[].application.idle_ns.mean", "idle", xp_number(a, "idle_ns", "mean", NULL));
	begin_row(run, "jobs[].application.communication_share", "communication share");
	xp_page_number(page, xp_number(a, "communication_share", NULL), "%.4f");
	fputs("</tr>\n", page);
	if (path) {
		time_row(run, "jobs[].application.path.length_ns", "critical path", xp_number(path, "length_ns", NULL));
		time_row(run, "jobs[].application.path.compute_ns", "of it, computing",
		         xp_number(path, "compute_ns", NULL));
		time_row(run, "jobs[].application.path.overhead_ns", "overhead", xp_number(path, "overhead_ns", NULL));
		time_row(run, "jobs[].application.path.network_ns", "network", xp_number(path, "network_ns", NULL));
		begin_row(run, "jobs[].application.path.messages", "messages on it");
		xp_page_count(page, xp_number(path, "messages", NULL));
		fputs("</tr>\n", page);
		begin_row(run, "jobs[].application.path.ranks", "ranks on it");
		xp_page_count(page, xp_number(path, "ranks", NULL));
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

static void write_calls(const struct xp_run_page *run, const json_t *a)
{
	FILE *page = run->report->page;
	const json_t *calls = json_object_get(a, "calls"), *call;
	size_t i;
	if (!json_array_size(calls))
		return;
	fputs("<div class=\"scroll\"><table class=\"sortable\"><tr>", page);
	xp_page_head(run->report, "jobs[].application.calls[].call", "call", true);
	xp_page_head(run->report, "jobs[].application.calls[].calls", "calls", false);
	xp_page_head(run->report, "jobs[].application.calls[].time_ns.mean", "time, mean of ranks", false);
	xp_page_head(run->report, "jobs[].application.calls[].time_ns.max", "most", false);
	fputs("</tr>\n", page);
	json_array_foreach (calls, i, call) {
		fputs("<tr><td class=\"l\">", page);
		xp_page_text(page, xp_text(call, "call"));
		fputs("</td>", page);
		xp_page_count(page, xp_number(call, "calls", NULL));
		xp_page_time(page, xp_number(call, "time_ns", "mean", NULL), false);
		xp_page_time(page, xp_number(call, "time_ns", "max", NULL), false);
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
}

void xp_ranks_section(const struct xp_run_page *run)
{
	FILE *page = run->report->page;
	const json_t *jobs = json_object_get(run->summary, "jobs"), *job;
	size_t i;
	json_array_foreach (jobs, i, job) {
		const json_t *a = json_object_get(job, "application");
		if (!a)
			continue;
		fputs("<h3>Application ", page);
		xp_page_text(page, xp_text(job, "name"));
		fputs("</h3>", page);
		write_facts(run, job, a);
		write_calls(run, a);
	}
}
