/* experiments/report/front_table.c - tables of a search for designs. */
#include "base/memory.h"
#include "experiments/report/front.h"
#include "experiments/report/page.h"
#include "experiments/report/readable.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROWS 2000

static void head_objectives(const struct xp_front *f)
{
	size_t i;
	json_t *objective;
	json_array_foreach (f->objectives, i, objective) {
		char title[120], unit[64], term[64], head[200];
		xp_objective_title(f, objective, title, unit);
		bool scaled = !strcmp(unit, "ns") || !strcmp(unit, "B"); /* cells have their own units */
		snprintf(head, sizeof head, "%s%s%s%s", title, *unit && !scaled ? " (" : "", scaled ? "" : unit,
		         *unit && !scaled ? ")" : "");
		snprintf(term, sizeof term, "objective.%.50s", xp_text(objective, "name"));
		xp_page_head(f->report, term, head, false);
	}
}

static void head_variables(const struct xp_front *f)
{
	size_t i;
	json_t *path;
	json_array_foreach (f->varying, i, path)
		xp_page_head(f->report, "candidate.variable", json_string_value(path), true);
}

/* A table cell with both ends of a latency, or of a number of bytes. */
static void write_scaled(FILE *page, double low, double high, const char *unit)
{
	static const struct {
		double from;
		const char *time, *bytes;
	} steps[] = { { 1e9, "s", "GB" }, { 1e6, "ms", "MB" }, { 1e3, "µs", "KB" }, { 0, "ns", "B" } };
	size_t s = 0;
	while (s < 3 && !(high >= steps[s].from))
		s++;
	xp_page_interval_in(page, low, high, 4, steps[s].from > 0 ? steps[s].from : 1,
	                    !strcmp(unit, "B") ? steps[s].bytes : steps[s].time);
}

static void write_objectives(const struct xp_front *f, const json_t *candidate)
{
	FILE *page = f->report->page;
	size_t i;
	json_t *objective;
	json_array_foreach (f->objectives, i, objective) {
		const char *name = xp_text(objective, "name");
		char title[120], unit[64];
		xp_objective_title(f, objective, title, unit);
		double low = xp_candidate_end(candidate, name, 0), high = xp_candidate_end(candidate, name, 1);
		bool runs = xp_number(candidate, "short_runs", NULL) + xp_number(candidate, "long_runs", NULL) > 0;
		if (runs && isnan(low) && isnan(high) && !strcmp(unit, "ns"))
			fputs("<td>load not carried</td>", page);
		else if (!strcmp(unit, "ns") || !strcmp(unit, "B"))
			write_scaled(page, low, high, unit);
		else
			xp_page_interval(page, low, high, 5);
	}
}

static void write_variables(const struct xp_front *f, const json_t *candidate)
{
	size_t i;
	json_t *path;
	json_array_foreach (f->varying, i, path) {
		const char *value = xp_text(json_object_get(candidate, "variables"), json_string_value(path));
		char *readable = xp_readable(value);
		xp_page_cell(f->report->page, *value ? readable : "–");
		free(readable);
	}
}

/* Those of one fate, in the order of the first objective. */
struct ranked {
	const json_t *candidate;
	double first;
};

static int by_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	if (x->first < y->first || y->first < x->first)
		return x->first < y->first ? -1 : 1;
	return strcmp(xp_text(x->candidate, "name"), xp_text(y->candidate, "name"));
}

void xp_front_table(const struct xp_front *f, enum xp_fate fate)
{
	FILE *page = f->report->page;
	size_t all = json_array_size(f->candidates), n = 0;
	struct ranked *v = base_calloc(all + 1, sizeof *v);
	const char *objective = xp_text(json_array_get(f->objectives, 0), "name");
	for (size_t i = 0; v && i < all; i++) {
		const json_t *candidate = json_array_get(f->candidates, i);
		double first = xp_candidate_end(candidate, objective, 0);
		if (xp_fate_of(candidate) == fate)
			v[n++] = (struct ranked){ candidate, isfinite(first) ? first : INFINITY };
	}
	if (!n) {
		fputs("<p>There is none.</p>\n", page);
		free(v);
		return;
	}
	qsort(v, n, sizeof *v, by_first);
	fputs("<div class=\"scroll\"><table class=\"sortable wrap\">\n<tr>", page);
	xp_page_head(f->report, "candidate.number", "candidate", true);
	xp_page_head(f->report, "net.endpoints", "endpoints", false);
	head_objectives(f);
	head_variables(f);
	if (fate == XP_FATE_FRONT)
		xp_page_head(f->report, "candidate.file", "configuration file", true);
	fputs("</tr>\n", page);
	for (size_t i = 0; i < n; i++) {
		char text[400];
		fputs("<tr>", page);
		xp_page_cell(page, xp_candidate_number(v[i].candidate, text));
		xp_page_count(page, xp_number(v[i].candidate, "endpoints", NULL));
		write_objectives(f, v[i].candidate);
		write_variables(f, v[i].candidate);
		snprintf(text, sizeof text, "configs/%.380s.cfg", xp_text(v[i].candidate, "name"));
		if (fate == XP_FATE_FRONT)
			xp_page_cell(page, text);
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
	free(v);
}

/* --- the others ------------------------------------------------------------------------------------------- */

static void write_why(FILE *page, const json_t *candidate, enum xp_fate fate)
{
	const char *by = xp_text(candidate, "beaten_by");
	fputs("<td class=\"l message\">", page);
	if (fate == XP_FATE_REJECTED)
		xp_page_text(page, xp_without_place(xp_text(candidate, "rejected")));
	else if (*by)
		fprintf(page, "%.*s is better", (int)strcspn(by, "_<&"), by);
	else
		fputs("the search did not come so far", page);
	fputs("</td>", page);
}

void xp_front_eliminated(const struct xp_front *f)
{
	FILE *page = f->report->page;
	size_t n[XP_FATES] = { 0 }, i, rows = 0;
	json_t *candidate;
	json_array_foreach (f->candidates, i, candidate)
		n[xp_fate_of(candidate)]++;
	fputs("<ul>\n", page);
	for (size_t k = 0; k < XP_FATES; k++)
		if (n[k])
			fprintf(page, "<li>%zu %s</li>\n", n[k], xp_fate_names[k]);
	fputs("</ul>\n<details><summary>All that are not on the front</summary>\n<div class=\"scroll\"><table "
	      "class=\"sortable wrap\">\n<tr>",
	      page);
	xp_page_head(f->report, "candidate.number", "candidate", true);
	xp_page_head(f->report, "candidate.fate", "where", true);
	xp_page_head(f->report, "candidate.why", "why", true);
	head_objectives(f);
	head_variables(f);
	fputs("</tr>\n", page);
	json_array_foreach (f->candidates, i, candidate) {
		enum xp_fate fate = xp_fate_of(candidate);
		char number[64];
		if (fate == XP_FATE_FRONT || fate == XP_FATE_TIED || rows++ >= MOST_ROWS)
			continue;
		fputs("<tr>", page);
		xp_page_cell(page, xp_candidate_number(candidate, number));
		xp_page_cell(page, xp_fate_names[fate]);
		write_why(page, candidate, fate);
		write_objectives(f, candidate);
		write_variables(f, candidate);
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n", page);
	if (rows > MOST_ROWS)
		fprintf(page, "<p class=\"soft\">The first %d of %zu; design.json has all.</p>\n", MOST_ROWS, rows);
	fputs("</details>\n", page);
}

void xp_front_spent(const struct xp_front *f)
{
	static const char *const heads[][2] = { { "spent.what", "what" },
		                                { "spent.runs", "runs" },
		                                { "spent.events", "events" },
		                                { "spent.simulated", "simulated" } };
	FILE *page = f->report->page;
	const char *what;
	json_t *spent;
	fputs("<div class=\"scroll\"><table class=\"sortable wrap\">\n<tr>", page);
	for (size_t i = 0; i < 4; i++)
		xp_page_head(f->report, heads[i][0], heads[i][1], !i);
	fputs("</tr>\n", page);
	json_object_foreach(json_object_get(f->root, "spent"), what, spent)
	{
		double runs = xp_number(spent, "runs", NULL);
		if (!(runs >= 1))
			continue;
		fputs("<tr>", page);
		xp_page_cell(page, what);
		xp_page_count(page, runs);
		xp_page_count(page, xp_number(spent, "events", NULL));
		xp_page_time(page, xp_number(spent, "simulated_ns", NULL), false);
		fputs("</tr>\n", page);
	}
	fputs("</table></div>\n<p class=\"soft\">front: runs of the front's own seed, which give its intervals and "
	      "took no "
	      "part in choosing it.</p>\n",
	      page);
}
