/* experiments/report/comparison_table.c - tables and sentences of a comparison. */
#include "experiments/report/comparison.h"
#include "experiments/report/page.h"
#include "experiments/report/readable.h"
#include "experiments/results/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void begin_table(const struct xp_comparison *c, const char *const (*heads)[2], size_t n, size_t left)
{
	fputs("<div class=\"scroll\"><table class=\"sortable wrap\">\n<tr>", c->report->page);
	for (size_t i = 0; i < n; i++)
		xp_page_head(c->report, heads[i][0], heads[i][1], i < left);
	fputs("</tr>\n", c->report->page);
}

static void end_table(const struct xp_comparison *c, const char *note)
{
	fputs("</table></div>\n", c->report->page);
	if (note)
		fprintf(c->report->page, "<p class=\"soft\">%s</p>\n", note);
}

/* --- the answer ------------------------------------------------------------------------------------------- */

static bool was_run(const json_t *design, const json_t *series)
{
	enum xp_reach reach = xp_comparison_reach(design, series);
	return reach == XP_REACH_SHORT || reach == XP_REACH_LONG;
}

static void say_worth(const struct xp_comparison *c, const json_t *design, const json_t *series)
{
	FILE *page = c->report->page;
	char name[300], low[64], high[64];
	fputs("<strong>", page);
	xp_page_text(page, xp_comparison_name(design, name));
	fprintf(page, "</strong> (%s to %s)", xp_plain(c->per * xp_nth(series, "worth", 0), 4, low),
	        xp_plain(c->per * xp_nth(series, "worth", 1), 4, high));
}

/* The designs of the first place, and the next one. */
static void say_first(const struct xp_comparison *c, size_t column)
{
	FILE *page = c->report->page;
	size_t n = json_array_size(c->designs), *order = xp_comparison_order(c, column), first = 0, next = n;
	for (size_t i = 0; i < n; i++) {
		const json_t *design = json_array_get(c->designs, order[i]),
			     *series = xp_comparison_series(c, order[i], column);
		double place = xp_number(series, "place", NULL);
		if (!was_run(design, series))
			continue;
		if (place <= 1) {
			fputs(first++ ? ", " : "", page);
			say_worth(c, design, series);
		} else if (next == n) {
			next = i;
		}
	}
	if (!first)
		fputs("nothing was simulated", page);
	if (first > 1)
		fputs(" cannot be distinguished", page);
	if (first && next < n) {
		fputs(first > 1 ? "; surely behind them, next: " : "; surely behind it, next: ", page);
		say_worth(c, json_array_get(c->designs, order[next]), xp_comparison_series(c, order[next], column));
	}
	fputs(".", page);
	free(order);
}

/* A design by its name in the file, as people read it. */
static void write_named(const struct xp_comparison *c, const char *name)
{
	char readable[300];
	for (size_t i = 0; i < json_array_size(c->designs); i++) {
		const json_t *design = json_array_get(c->designs, i);
		if (!strcmp(xp_text(design, "name"), name))
			name = xp_comparison_name(design, readable);
	}
	xp_page_text(c->report->page, name);
}

static void say_change(const struct xp_comparison *c, const json_t *tie, const char *side, bool *any)
{
	FILE *page = c->report->page;
	char member[32], text[64];
	snprintf(member, sizeof member, "%s_factor", side);
	double factor = xp_number(tie, member, NULL);
	if (!(factor > 0))
		return;
	fprintf(page, "%s %s times ", *any ? ", and at" : " First place changes at", xp_plain(factor, 3, text));
	if (*any) {
		fputs("it", page);
	} else {
		fputs("the price of ", page);
		xp_page_text(page, xp_text(tie, "price_of"));
	}
	fputs(" (to ", page);
	snprintf(member, sizeof member, "%s_first", side);
	write_named(c, xp_text(tie, member));
	fputs(")", page);
	*any = true;
}

/* At what factors on prices the first place of a column changes. */
static void say_ties(const struct xp_comparison *c, size_t column)
{
	FILE *page = c->report->page;
	const json_t *ties = json_object_get(c->root, "first_place_changes"), *tie;
	const json_t *of = xp_comparison_series(c, 0, column);
	size_t i;
	json_array_foreach (ties, i, tie) {
		bool any = false;
		if (strcmp(xp_text(tie, "traffic"), xp_text(of, "traffic")) != 0 ||
		    strcmp(xp_text(tie, "message"), xp_text(of, "message")) != 0)
			continue;
		say_change(c, tie, "above", &any);
		say_change(c, tie, "below", &any);
		if (!any) {
			fputs(" No factor on the price of ", page);
			xp_page_text(page, xp_text(tie, "price_of"));
			fputs(" changes first place", page);
		}
		fputs(".", page);
	}
}

void xp_comparison_answer(const struct xp_comparison *c)
{
	FILE *page = c->report->page;
	char title[300], unit[200];
	fputs("<ul>\n", page);
	for (size_t k = 0; k < c->columns; k++) {
		fputs("<li>Under ", page);
		xp_page_text(page, xp_comparison_column(c, k, title));
		fputs(": ", page);
		say_first(c, k);
		say_ties(c, k);
		fputs("</li>\n", page);
	}
	fputs("</ul>\n<p class=\"soft\">In brackets: ", page);
	xp_page_text(page, xp_comparison_unit(c, unit));
	fputs(json_array_size(json_object_get(c->root, "first_place_changes"))
	          ? ". Factors on prices are those of the middles of intervals, among the designs that were "
	            "simulated.</p>\n"
	          : ".</p>\n",
	      page);
}

/* --- rankings --------------------------------------------------------------------------------------------- */

static void write_place(FILE *page, const json_t *series)
{
	double place = xp_number(series, "place", NULL), shared = xp_number(series, "shared_by", NULL);
	if (place >= 1)
		fprintf(page, "<td data-value=\"%.0f\">%.0f%s</td>", place, place, shared > 1 ? " =" : "");
	else
		fputs("<td>–</td>", page);
}

static void write_how(FILE *page, const json_t *design, const json_t *series)
{
	const json_t *points = json_object_get(series, "points"), *point;
	size_t i, few = 0, all = json_array_size(points);
	char text[120];
	enum xp_reach reach = xp_comparison_reach(design, series);
	if (reach == XP_REACH_FAILED) {
		const char *why = xp_without_place(xp_comparison_failure(design, series));
		fputs("<td class=\"l message\"><span class=\"bad\">failed</span>: ", page);
		xp_page_text(page, *why ? why : "no reason is known");
		fputs("</td>", page);
		return;
	}
	json_array_foreach (points, i, point)
		few += !strcmp(xp_text(point, "fidelity"), "short");
	if (reach == XP_REACH_BOUND)
		snprintf(text, sizeof text, "%s",
		         !strcmp(xp_text(series, "state"), "eliminated") ? "bound alone: it cannot be first"
		                                                         : "not run yet");
	else
		snprintf(text, sizeof text, "%zu short, %zu long%s", few, all - few,
		         reach == XP_REACH_DROPPED ? ": it cannot be first" : "");
	xp_page_cell(page, text);
}

static void write_row(const struct xp_comparison *c, const json_t *design, const json_t *series)
{
	FILE *page = c->report->page;
	char name[300];
	double worth = c->per * xp_nth(series, "worth", 1);
	fputs("<tr>", page);
	write_place(page, series);
	xp_page_cell(page, xp_comparison_name(design, name));
	if (was_run(design, series)) {
		xp_page_interval(page, c->per * xp_nth(series, "worth", 0), worth, 4);
		xp_page_interval(page, xp_nth(series, "delivered_gbps", 0) / 1e3,
		                 xp_nth(series, "delivered_gbps", 1) / 1e3, 4);
		xp_page_interval(page, xp_nth(series, "saturation", 0), xp_nth(series, "saturation", 1), 4);
		xp_page_number(page, xp_number(series, "watts_per_gbps", NULL), "%.3f");
	} else if (worth > 0) {
		char text[64];
		fprintf(page, "<td data-value=\"%.10g\">&lt;&nbsp;%s</td><td>–</td><td>–</td><td>–</td>", worth,
		        xp_plain(worth, 4, text));
	} else {
		fputs("<td>–</td><td>–</td><td>–</td><td>–</td>", page);
	}
	xp_page_number(page, xp_number(series, "bound", NULL), "%.4f");
	write_how(page, design, series);
	fputs("</tr>\n", page);
}

void xp_comparison_ranking(const struct xp_comparison *c, size_t column)
{
	char unit[200];
	const char *heads[][2] = { { "compare.place", "place" },
		                   { "compare.design", "design" },
		                   { "compare.worth", xp_comparison_unit(c, unit) },
		                   { "compare.delivered", "delivered (Tb/s)" },
		                   { "compare.saturation", "saturation" },
		                   { "compare.watts", "W per Gb/s" },
		                   { "compare.bound", "bound" },
		                   { "compare.how", "known by" } };
	size_t n = json_array_size(c->designs), *order = xp_comparison_order(c, column);
	FILE *page = c->report->page;
	fputs("<div class=\"scroll\"><table class=\"sortable wrap\">\n<tr>", page);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		xp_page_head(c->report, heads[i][0], heads[i][1], i == 1 || i == 7);
	fputs("</tr>\n", page);
	for (size_t i = 0; i < n; i++)
		write_row(c, json_array_get(c->designs, order[i]), xp_comparison_series(c, order[i], column));
	end_table(c, "=: designs that share a place, as their intervals overlap. &lt;: at most.");
	free(order);
}

/* --- what failed ------------------------------------------------------------------------------------------ */

static bool of_network(const struct xp_comparison *c, const char *why)
{
	for (size_t i = 0; i < json_array_size(c->networks); i++)
		if (!strcmp(xp_text(json_array_get(c->networks, i), "failed"), why))
			return true;
	return false;
}

/* Designs with the same reason are one entry: reasons are members of `found`, lists of who it was. */
static json_t *gather_failures(const struct xp_comparison *c)
{
	json_t *found = json_object();
	for (size_t i = 0; i < json_array_size(c->designs); i++)
		for (size_t k = 0; k < c->columns; k++) {
			const json_t *design = json_array_get(c->designs, i);
			const char *why = xp_comparison_failure(design, xp_comparison_series(c, i, k));
			char name[300], column[300], who[640];
			bool whole = *xp_text(design, "failed") != 0;
			if (!*why || of_network(c, why) || (whole && k))
				continue;
			snprintf(who, sizeof who, "%s%s%s", xp_comparison_name(design, name), whole ? "" : " under ",
			         whole ? "" : xp_comparison_column(c, k, column));
			json_t *list = json_object_get(found, xp_without_place(why));
			if (!list)
				json_object_set_new(found, xp_without_place(why), list = json_array());
			json_array_append_new(list, json_string(who));
		}
	return found;
}

static void write_failure(FILE *page, const json_t *who, const char *why)
{
	const json_t *one;
	size_t i;
	fputs("<li>", page);
	json_array_foreach (who, i, one) {
		fputs(i ? "; <span class=\"bad\">" : "<span class=\"bad\">", page);
		xp_page_text(page, json_string_value(one));
		fputs("</span>", page);
	}
	fputs(": ", page);
	xp_page_text(page, why);
	fputs("</li>\n", page);
}

void xp_comparison_failed(const struct xp_comparison *c)
{
	json_t *found = gather_failures(c), *who;
	FILE *page = c->report->page;
	const char *why;
	bool any = json_object_size(found) > 0;
	for (size_t i = 0; i < json_array_size(c->networks); i++)
		any |= *xp_text(json_array_get(c->networks, i), "failed") != 0;
	if (any)
		fputs("<h3>What failed, and why</h3>\n<ul>\n", page);
	for (size_t i = 0; i < json_array_size(c->networks); i++) {
		const json_t *net = json_array_get(c->networks, i);
		json_t *name = json_pack("[O]", json_object_get(net, "name"));
		if (*xp_text(net, "failed"))
			write_failure(page, name, xp_text(net, "failed"));
		json_decref(name);
	}
	json_object_foreach(found, why, who) write_failure(page, who, why);
	if (any)
		fputs("</ul>\n", page);
	json_decref(found);
}

/* --- networks --------------------------------------------------------------------------------------------- */

static void write_topology(FILE *page, const char *text)
{
	char *readable = xp_readable(text);
	xp_page_cell(page, readable);
	free(readable);
}

void xp_comparison_networks(const struct xp_comparison *c)
{
	static const char *const heads[][2] = { { "net.name", "network" },
		                                { "net.topology", "topology" },
		                                { "net.endpoints", "endpoints" },
		                                { "net.switches", "switches" },
		                                { "net.cables", "cables" },
		                                { "net.radix", "radix" },
		                                { "net.ports_per", "ports per endpoint" },
		                                { "net.cables_per", "cables per endpoint" },
		                                { "net.optics_per", "optics per endpoint (m)" },
		                                { "net.watts_per", "W per endpoint" },
		                                { "net.left", "budget left" },
		                                { "net.cost_per", "cost per endpoint" } };
	FILE *page = c->report->page;
	bool priced = c->per > 1 || *xp_text(c->root, "cost_model");
	bool budget = xp_number(c->root, "budget", NULL) > 0;
	begin_table(c, heads, priced ? 12 : 11, 2);
	for (size_t i = 0; i < json_array_size(c->networks); i++) {
		const json_t *net = json_array_get(c->networks, i);
		double left = xp_number(net, "budget_left", NULL);
		fputs("<tr>", page);
		xp_page_cell(page, xp_text(net, "name"));
		write_topology(page, xp_text(net, "topology"));
		xp_page_count(page, xp_number(net, "endpoints", NULL));
		xp_page_count(page, xp_number(net, "switches", NULL));
		xp_page_count(page, xp_number(net, "cables", NULL));
		xp_page_count(page, xp_number(net, "radix", NULL));
		xp_page_number(page, xp_number(net, "ports_per_endpoint", NULL), "%.3f");
		xp_page_number(page, xp_number(net, "cables_per_endpoint", NULL), "%.3f");
		xp_page_number(page, xp_number(net, "optical_m_per_endpoint", NULL), "%.3f");
		xp_page_number(page, xp_number(net, "watts_per_endpoint", NULL), "%.2f");
		if (isfinite(left))
			fprintf(page, "<td data-value=\"%.10g\">%.1f&nbsp;%%%s</td>", left, 100 * left,
			        left > .05 ? " *" : "");
		else
			fputs("<td>–</td>", page);
		if (priced)
			xp_page_number(page, xp_number(net, "cost_per_endpoint", NULL), "%.2f");
		fputs("</tr>\n", page);
	}
	end_table(c, budget ? "*: more than 5 % of the budget is left, as members of the family come in steps." : NULL);
}

/* --- latency, failures ------------------------------------------------------------------------------------ */

static void write_half(FILE *page, double ns, double half)
{
	if (isfinite(half) && ns > 0) {
		char text[64];
		fprintf(page, "<td data-value=\"%.6g\">%s&nbsp;%%</td>", half / ns, xp_plain(100 * half / ns, 2, text));
	} else {
		fputs("<td>–</td>", page);
	}
}

void xp_comparison_latency(const struct xp_comparison *c)
{
	static const char *const heads[][2] = { { "compare.design", "design" }, { "compare.load", "load" },
		                                { "latency_ns.mean", "mean" },  { "compare.half", "±" },
		                                { "latency_ns.p99", "p99" },    { "compare.half", "±" },
		                                { "latency_ns.p999", "p99.9" } };
	FILE *page = c->report->page;
	bool any = false;
	for (size_t i = 0; i < json_array_size(c->designs); i++) {
		const json_t *design = json_array_get(c->designs, i), *l = json_object_get(design, "latency");
		char name[300];
		if (!json_is_object(l))
			continue;
		if (!any)
			begin_table(c, heads, 7, 1);
		any = true;
		bool carried = json_is_true(json_object_get(l, "stationary")); /* null: too short to decide */
		double mean = carried ? xp_number(l, "mean_ns", NULL) : NAN;
		double p99 = carried ? xp_number(l, "p99_ns", NULL) : NAN;
		fputs("<tr>", page);
		xp_page_cell(page, xp_comparison_name(design, name));
		xp_page_plain(page, xp_number(l, "load", NULL), 3);
		xp_page_time(page, mean, false);
		write_half(page, mean, xp_number(l, "mean_half_width_ns", NULL));
		xp_page_time(page, p99, false);
		write_half(page, p99, xp_number(l, "p99_half_width_ns", NULL));
		xp_page_time(page, carried ? xp_number(l, "p999_ns", NULL) : NAN, false);
		fputs("</tr>\n", page);
	}
	if (any)
		end_table(c, "Of designs that were simulated and carry the load. ±: half of a 95 % interval.");
}

void xp_comparison_resilience(const struct xp_comparison *c)
{
	static const char *const heads[][2] = { { "net.name", "network" },
		                                { "failures.median", "cut off at" },
		                                { "failures.range", "5 % to 95 % of orders" },
		                                { "failures.form", "by degrees" } };
	FILE *page = c->report->page;
	const json_t *removed = NULL, *one;
	char text[64];
	size_t k;
	for (size_t i = 0; i < json_array_size(c->networks) && !json_array_size(removed); i++)
		removed = json_object_get(json_object_get(json_array_get(c->networks, i), "resilience"), "removed");
	fputs("<div class=\"scroll\"><table class=\"sortable wrap\">\n<tr>", page);
	for (size_t i = 0; i < 4; i++)
		xp_page_head(c->report, heads[i][0], heads[i][1], !i);
	json_array_foreach (removed, k, one) {
		char head[80];
		snprintf(head, sizeof head, "left without %s %%",
		         xp_plain(100 * xp_number(one, "share", NULL), 3, text));
		xp_page_head(c->report, "failures.left", head, false);
	}
	fputs("</tr>\n", page);
	for (size_t i = 0; i < json_array_size(c->networks); i++) {
		const json_t *net = json_array_get(c->networks, i), *r = json_object_get(net, "resilience");
		if (!json_is_object(r))
			continue;
		fputs("<tr>", page);
		xp_page_cell(page, xp_text(net, "name"));
		xp_page_number(page, xp_number(r, "disconnected_median", NULL), "%.3f");
		xp_page_interval(page, xp_number(r, "disconnected_p05", NULL), xp_number(r, "disconnected_p95", NULL),
		                 3);
		xp_page_number(page, xp_number(r, "disconnected_form", NULL), "%.3f");
		for (k = 0; k < json_array_size(removed); k++)
			xp_page_number(
			    page, xp_number(json_array_get(json_object_get(r, "removed"), k), "uniform_left", NULL),
			    "%.3f");
		fputs("</tr>\n", page);
	}
	end_table(c, "Shares of the cables between switches, and of the uniform throughput of the whole network.");
}

/* --- what was spent --------------------------------------------------------------------------------------- */

void xp_comparison_spent(const struct xp_comparison *c)
{
	static const char *const heads[][2] = { { "spent.what", "what" },           { "spent.runs", "runs" },
		                                { "spent.hops", "packet-hops" },    { "spent.events", "events" },
		                                { "spent.simulated", "simulated" }, { "spent.wall", "on the clock" } };
	FILE *page = c->report->page;
	const char *what;
	json_t *spent;
	begin_table(c, heads, 6, 1);
	json_object_foreach(json_object_get(c->root, "spent"), what, spent)
	{
		double runs = xp_number(spent, "runs", NULL);
		if (runs < 1)
			continue;
		fputs("<tr>", page);
		xp_page_cell(page, what);
		xp_page_count(page, runs);
		xp_page_count(page, xp_number(spent, "packet_hops", NULL));
		xp_page_count(page, xp_number(spent, "events", NULL));
		xp_page_time(page, xp_number(spent, "simulated_ns", NULL), false);
		xp_page_time(page, 1e9 * xp_number(spent, "wall_s", NULL), false);
		fputs("</tr>\n", page);
	}
	end_table(c, "Short and long runs search for saturation; what is run depends on results alone, so all but the "
	             "time is the same again.");
}
