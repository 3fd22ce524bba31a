/* experiments/report/front.c - see front.h: what design.json holds, and the order of its section. */
#include "experiments/report/front.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <string.h>

const char *const xp_fate_names[XP_FATES] = { "on the front",         "not surely worse", "beaten in long runs",
	                                      "beaten in short runs", "beaten by bounds", "rejected" };

/* --- what the file holds ---------------------------------------------------------------------------------- */

enum xp_fate xp_fate_of(const json_t *candidate)
{
	const char *state = xp_text(candidate, "state");
	if (!strcmp(state, "front"))
		return XP_FATE_FRONT;
	if (!strcmp(state, "tied"))
		return XP_FATE_TIED;
	if (!strcmp(state, "rejected"))
		return XP_FATE_REJECTED;
	if (xp_number(candidate, "long_runs", NULL) > 0)
		return XP_FATE_LONG;
	return xp_number(candidate, "short_runs", NULL) > 0 ? XP_FATE_SHORT : XP_FATE_BOUNDS;
}

const char *xp_candidate_number(const json_t *candidate, char out[64])
{
	const char *name = xp_text(candidate, "name");
	snprintf(out, 64, "%.*s", (int)strcspn(name, "_"), name);
	return out;
}

double xp_candidate_end(const json_t *candidate, const char *objective, size_t end)
{
	const json_t *v = json_array_get(json_object_get(json_object_get(candidate, "objectives"), objective), end);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

void xp_objective_title(const struct xp_front *f, const json_t *objective, char title[120], char unit[64])
{
	static const struct {
		const char *name, *title, *unit;
	} known[] = {
		{ "cost", "cost of an endpoint", NULL },
		{ "watts", "power of an endpoint", "W" },
		{ "cables", "cables of an endpoint", "" },
		{ "ports", "switch ports of an endpoint", "" },
		{ "buffers", "input buffers of switches for an endpoint", "B" },
		{ "saturation", "saturation of the mix", "" },
		{ "mean", "mean latency", "ns" },
		{ "p99", "99th percentile of latency", "ns" },
	};
	const char *name = xp_text(objective, "name"), *of = xp_text(objective, "unit");
	double load = xp_number(f->root, "latency_load", NULL);
	snprintf(title, 120, "%.100s", name);
	snprintf(unit, 64, "%.60s", of);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		bool timed = known[i].unit && !strcmp(known[i].unit, "ns") && isfinite(load);
		snprintf(title, 120, timed ? "%s at a load of %.4g" : "%s", known[i].title, load);
		if (known[i].unit)
			snprintf(unit, 64, "%s", known[i].unit);
		else
			unit[strcspn(unit, " ")] = 0; /* "USD per endpoint" */
	}
	if (!strcmp(unit, "per"))
		*unit = 0;
}

/* Paths of variables that candidates differ in, in the order of the study. */
static json_t *find_varying(const json_t *candidates)
{
	json_t *seen = json_object(), *varying = json_array(), *value, *candidate;
	const char *path;
	size_t i;
	json_array_foreach (candidates, i, candidate)
		json_object_foreach(json_object_get(candidate, "variables"), path, value)
		{
			json_t *first = json_object_get(seen, path);
			if (json_is_null(value))
				continue;
			if (!first)
				json_object_set(seen, path, value);
			else if (!json_equal(first, value))
				json_object_set_new(seen, path, json_true());
		}
	json_object_foreach(json_object_get(json_array_get(candidates, 0), "variables"), path,
	                    value) if (json_is_true(json_object_get(seen, path)))
	    json_array_append_new(varying, json_string(path));
	json_decref(seen);
	return varying;
}

/* --- the section ------------------------------------------------------------------------------------------ */

static size_t count(const struct xp_front *f, enum xp_fate fate)
{
	size_t i, n = 0;
	json_t *candidate;
	json_array_foreach (f->candidates, i, candidate)
		n += xp_fate_of(candidate) == fate;
	return n;
}

static void write_mix(const struct xp_front *f)
{
	FILE *page = f->report->page;
	const json_t *mix = json_object_get(f->root, "mix"), *part;
	double all = 0;
	size_t i;
	char text[64];
	json_array_foreach (mix, i, part)
		all += xp_number(part, "weight", NULL);
	if (!json_array_size(mix) || !(all > 0))
		return;
	fputs(" Traffic: ", page);
	json_array_foreach (mix, i, part) {
		fprintf(page, "%s%s&nbsp;%% ", i ? ", " : "",
		        xp_plain(100 * xp_number(part, "weight", NULL) / all, 3, text));
		xp_page_text(page, xp_text(part, "traffic"));
	}
	fputs(json_array_size(mix) > 1 ? ", of the bytes, one after the other." : ".", page);
}

static void write_head(const struct xp_front *f)
{
	FILE *page = f->report->page;
	char listed[64], space[64];
	const char *title = xp_text(f->root, "title");
	xp_page_section(f->report, *title ? title : xp_last_part(f->folder));
	fputs("<p>", page);
	xp_page_text(page, xp_text(f->root, "description"));
	fprintf(page, "</p>\n<p class=\"soft\">%s candidates of %s in the space.",
	        xp_plain((double)json_array_size(f->candidates), 12, listed),
	        xp_plain(xp_number(f->root, "space", NULL), 12, space));
	write_mix(f);
	fputs(" Digest ", page);
	xp_page_text(page, xp_text(f->root, "digest"));
	fputs(".</p>\n", page);
	if (!json_is_true(json_object_get(f->root, "complete")))
		fputs(
		    "<p class=\"mark\">This search was interrupted, or is going on: there is no front of it yet.</p>\n",
		    page);
}

static void write_section(const struct xp_front *f)
{
	FILE *page = f->report->page;
	write_head(f);
	fputs("<h3>The front</h3>\n", page);
	xp_figures(f->report, "design.front", f->folder);
	xp_front_table(f, XP_FATE_FRONT);
	if (count(f, XP_FATE_TIED)) {
		fputs(
		    "<h3>Not surely worse</h3>\n<p>By the runs that chose the front no candidate is surely better than "
		    "these.</p>\n",
		    page);
		xp_front_table(f, XP_FATE_TIED);
	}
	fputs("<h3>What was eliminated, where and why</h3>\n", page);
	xp_figures(f->report, "design.fates", f->folder);
	xp_front_eliminated(f);
	fputs("<h3>What was spent on what</h3>\n", page);
	xp_front_spent(f);
	if (!f->report->interactive)
		fputs("<p class=\"soft\">Left out of a page without a script: what a point says when it is pointed at, "
		      "and "
		      "sorting.</p>\n",
		      page);
}

bool xp_is_design(const char *folder)
{
	return xp_is_in(folder, "design.json");
}

int xp_report_design(struct xp_report *report, const char *folder)
{
	struct xp_front f = { .report = report, .folder = folder };
	size_t before = report->errors->errors;
	f.root = xp_read_object(folder, "design.json", "design", report->errors);
	if (!f.root) {
		report->refused = true;
		return -1;
	}
	f.objectives = json_object_get(f.root, "objectives");
	f.candidates = json_object_get(f.root, "candidates");
	f.varying = find_varying(f.candidates);
	xp_records(report, folder, json_incref(f.root));
	write_section(&f);
	json_decref(f.varying);
	json_decref(f.root);
	return report->errors->errors > before ? -1 : 0;
}
