/* experiments/report/comparison.c - see comparison.h: what compare.json holds, and the order of its section. */
#include "experiments/report/comparison.h"
#include "experiments/report/network.h"
#include "experiments/report/page.h"
#include "experiments/report/read.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const xp_reach_names[XP_REACHES] = { "failed", "by bounds alone", "until it could not be first",
	                                         "by short runs", "by long runs" };

/* --- what the file holds ---------------------------------------------------------------------------------- */

double xp_nth(const json_t *object, const char *member, size_t k)
{
	const json_t *v = json_array_get(json_object_get(object, member), k);
	return json_is_number(v) ? json_number_value(v) : NAN;
}

const json_t *xp_comparison_series(const struct xp_comparison *c, size_t design, size_t column)
{
	return json_array_get(json_object_get(json_array_get(c->designs, design), "series"), column);
}

const char *xp_comparison_name(const json_t *design, char out[300])
{
	const char *routing = xp_text(design, "routing"), *congestion = xp_text(design, "congestion");
	snprintf(out, 300, "%.90s%s%.90s%s%.90s", xp_text(design, "network"), *routing ? ", " : "", routing,
	         *congestion ? ", " : "", congestion);
	return out;
}

const char *xp_comparison_column(const struct xp_comparison *c, size_t column, char out[300])
{
	const json_t *series = xp_comparison_series(c, 0, column);
	const char *message = xp_text(series, "message");
	snprintf(out, 300, "%.120s%s%.120s", xp_text(series, "traffic"), *message ? ", messages of " : "", message);
	return out;
}

const char *xp_comparison_unit(const struct xp_comparison *c, char out[200])
{
	snprintf(out, 200, "Gb/s delivered per %s%.100s", c->per > 1 ? "1,000 " : "", xp_text(c->root, "worth_per"));
	return out;
}

const char *xp_comparison_failure(const json_t *design, const json_t *series)
{
	const json_t *points = json_object_get(series, "points"), *point;
	const char *why = xp_text(design, "failed");
	size_t i;
	if (!*why)
		why = xp_text(series, "impossible");
	json_array_foreach (points, i, point)
		if (!*why)
			why = xp_text(point, "failed");
	return why;
}

enum xp_reach xp_comparison_reach(const json_t *design, const json_t *series)
{
	const json_t *points = json_object_get(series, "points"), *point;
	size_t i;
	enum xp_reach reach = XP_REACH_SHORT;
	if (*xp_comparison_failure(design, series) || !strcmp(xp_text(series, "state"), "failed") || !series)
		return XP_REACH_FAILED;
	if (!json_array_size(points))
		return XP_REACH_BOUND;
	if (!(xp_nth(series, "saturation", 0) > 0))
		return XP_REACH_DROPPED;
	json_array_foreach (points, i, point)
		if (!strcmp(xp_text(point, "fidelity"), "long"))
			reach = XP_REACH_LONG;
	return reach;
}

/* --- places ----------------------------------------------------------------------------------------------- */

struct placed {
	double place, middle;
	size_t design;
};

static int by_place(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;
	if (x->place < y->place || y->place < x->place)
		return x->place < y->place ? -1 : 1;
	if (x->middle < y->middle || y->middle < x->middle)
		return x->middle > y->middle ? -1 : 1;
	return x->design < y->design ? -1 : x->design > y->design;
}

size_t *xp_comparison_order(const struct xp_comparison *c, size_t column)
{
	size_t n = json_array_size(c->designs), *order = base_calloc(n + 1, sizeof *order);
	struct placed *placed = base_calloc(n + 1, sizeof *placed);
	for (size_t i = 0; i < n; i++) {
		const json_t *series = xp_comparison_series(c, i, column);
		double place = xp_number(series, "place", NULL),
		       middle = xp_nth(series, "worth", 0) + xp_nth(series, "worth", 1);
		placed[i] = (struct placed){ place >= 1 ? place : INFINITY, isfinite(middle) ? middle : 0, i };
	}
	qsort(placed, n, sizeof *placed, by_place);
	for (size_t i = 0; i < n; i++)
		order[i] = placed[i].design;
	free(placed);
	return order;
}

/* --- networks --------------------------------------------------------------------------------------------- */

/* The manifest of any run of a design, a new reference; NULL if there is none. */
static json_t *manifest_of(const struct xp_comparison *c, const json_t *design)
{
	char path[8192];
	for (size_t k = 0; k < c->columns; k++) {
		const json_t *points = json_object_get(json_array_get(json_object_get(design, "series"), k), "points");
		const char *file = xp_text(json_array_get(points, 0), "file");
		if (strncmp(file, "points/", 7) != 0 || strchr(file + 7, '/'))
			continue;
		snprintf(path, sizeof path, "%s/%s", c->folder, file);
		struct xp_log *log = xp_log_open(path, NULL);
		json_t *manifest = log ? xp_log_next(log) : NULL;
		xp_log_close(log);
		if (manifest)
			return manifest;
	}
	return NULL;
}

/* Drawings of as many networks as a page has, those first that stand first. */
static void keep_networks(const struct xp_comparison *c)
{
	size_t n = json_array_size(c->designs), *order = xp_comparison_order(c, 0);
	json_t *kept = json_object();
	for (size_t i = 0; i < n; i++) {
		const json_t *design = json_array_get(c->designs, order[i]);
		const char *network = xp_text(design, "network");
		json_t *manifest = json_object_get(kept, network) ? NULL : manifest_of(c, design);
		if (!manifest)
			continue;
		json_object_set_new(kept, network, json_true());
		xp_network_keep_drawing(c->report, network, manifest);
		json_decref(manifest);
	}
	json_decref(kept);
	free(order);
}

/* --- the section ------------------------------------------------------------------------------------------ */

static void write_basis(const struct xp_comparison *c)
{
	FILE *page = c->report->page;
	const char *equal = xp_text(c->root, "equal"), *model = xp_text(c->root, "cost_model");
	double budget = xp_number(c->root, "budget", NULL), gbps = xp_number(c->root, "link_gbps", NULL);
	char text[64];
	fputs("<p class=\"soft\">", page);
	if (*equal) {
		fputs("Equal ", page);
		xp_page_text(page, equal);
		if (budget > 0)
			fprintf(page, ": %s ", xp_plain(budget, 12, text));
		if (budget > 0 && strcmp(equal, "ports") != 0 && strcmp(equal, "cables") != 0)
			xp_page_text(page, !strcmp(equal, "watts") ? "W" : xp_text(c->root, "worth_per"));
		fputs("; ", page);
	} else {
		fputs("Networks as given; ", page);
	}
	if (*model) {
		fputs("cost model ", page);
		xp_page_text(page, model);
		fputs("; ", page);
	}
	fprintf(page, "links of %s Gb/s. Digest ", xp_plain(gbps, 6, text));
	xp_page_text(page, xp_text(c->root, "digest"));
	fputs(".</p>\n", page);
	if (!json_is_true(json_object_get(c->root, "complete")))
		fputs("<p class=\"mark\">This comparison is not complete (it was interrupted, or is still running): "
		      "the figures cover the finished runs.</p>\n",
		      page);
}

static void write_rankings(const struct xp_comparison *c)
{
	FILE *page = c->report->page;
	char title[300];
	fputs("<h3>Who is first</h3>\n", page);
	xp_comparison_answer(c);
	xp_figures(c->report, "comparison.worth", c->folder);
	for (size_t k = 0; k < c->columns; k++) {
		fprintf(page, "<details%s><summary>The ranking under ", k ? "" : " open");
		xp_page_text(page, xp_comparison_column(c, k, title));
		fputs("</summary>\n", page);
		xp_comparison_ranking(c, k);
		fputs("</details>\n", page);
	}
	xp_comparison_failed(c);
	fputs("<h3>Saturation</h3>\n", page);
	xp_figures(c->report, "comparison.saturation", c->folder);
}

static void write_section(const struct xp_comparison *c)
{
	FILE *page = c->report->page;
	const char *title = xp_text(c->root, "title"), *description = xp_text(c->root, "description");
	xp_page_section(c->report, *title ? title : xp_last_part(c->folder));
	fputs("<p>", page);
	xp_page_text(page, description);
	fputs("</p>\n", page);
	write_basis(c);
	write_rankings(c);
	fputs("<h3>The networks</h3>\n", page);
	xp_comparison_networks(c);
	xp_figures(c->report, "comparison.networks", c->folder);
	fputs("<h3>Latency and collectives</h3>\n", page);
	xp_figures(c->report, "comparison.latency", c->folder);
	xp_comparison_latency(c);
	xp_figures(c->report, "comparison.collectives", c->folder);
	fputs("<h3>When cables fail</h3>\n", page);
	xp_figures(c->report, "comparison.failures", c->folder);
	xp_comparison_resilience(c);
	fputs("<h3>What was spent on what</h3>\n", page);
	xp_figures(c->report, "comparison.spent", c->folder);
	xp_comparison_spent(c);
	if (!c->report->interactive)
		fputs("<p class=\"soft\">Left out of a page without a script: what a point says when it is pointed at, "
		      "and "
		      "sorting.</p>\n",
		      page);
}

bool xp_is_comparison(const char *folder)
{
	return xp_is_in(folder, "compare.json");
}

int xp_report_comparison(struct xp_report *report, const char *folder)
{
	struct xp_comparison c = { .report = report, .folder = folder, .per = 1 };
	size_t before = report->errors->errors;
	c.root = xp_read_object(folder, "compare.json", "comparison", report->errors);
	if (!c.root) {
		report->refused = true;
		return -1;
	}
	c.networks = json_object_get(c.root, "networks");
	c.designs = json_object_get(c.root, "designs");
	c.columns = json_array_size(json_object_get(json_array_get(c.designs, 0), "series"));
	const char *equal = xp_text(c.root, "equal");
	if (*xp_text(c.root, "cost_model") && strcmp(equal, "ports") != 0 && strcmp(equal, "watts") != 0 &&
	    strcmp(equal, "cables") != 0)
		c.per = 1000;
	xp_records(report, folder, json_incref(c.root));
	write_section(&c);
	keep_networks(&c);
	json_decref(c.root);
	return report->errors->errors > before ? -1 : 0;
}
