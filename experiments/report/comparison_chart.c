/* experiments/report/comparison_chart.c - charts of a comparison. A network has one colour on the page, whatever its
 * routing; what was not simulated is grey. */
#include "experiments/report/bill_chart.h"
#include "experiments/report/chart.h"
#include "experiments/report/comparison.h"
#include "experiments/report/page.h"
#include "experiments/results/reader.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN 60 /* designs of a chart; tables have all */
#define GREY "#8c8c8c"

/* --- designs of a column, ranked --------------------------------------------------------------------------- */

/* One series for each network, in the order of the file, and one for those that were not simulated. */
struct coloured {
	json_t **network, *other;
};

static struct coloured begin_coloured(const struct xp_comparison *c, json_t *chart, const char *other)
{
	size_t n = json_array_size(c->networks);
	struct coloured k = { .network = base_calloc(n + 1, sizeof(json_t *)) };
	for (size_t i = 0; i < n; i++) {
		const char *name = xp_text(json_array_get(c->networks, i), "name");
		k.network[i] = xp_chart_series(chart, name, name, "");
	}
	if (other) {
		k.other = xp_chart_series(chart, other, other, "");
		xp_series_colour(k.other, GREY);
	}
	return k;
}

static json_t *colour_of(const struct xp_comparison *c, const struct coloured *k, const json_t *design)
{
	for (size_t i = 0; i < json_array_size(c->networks); i++)
		if (!strcmp(xp_text(json_array_get(c->networks, i), "name"), xp_text(design, "network")))
			return k->network[i];
	return k->other;
}

static void count_runs(const json_t *series, char out[64])
{
	const json_t *points = json_object_get(series, "points"), *point;
	size_t i, few = 0, all = json_array_size(points);
	json_array_foreach (points, i, point)
		few += !strcmp(xp_text(point, "fidelity"), "short");
	snprintf(out, 64, "%zu short, %zu long", few, all - few);
}

/* A bar of one design: from what is sure, or up to what its bound allows. */
static void add_bar(const struct xp_comparison *c, json_t *chart, const struct coloured *colours, const json_t *design,
                    const json_t *series, const char *member, double factor)
{
	char name[300], label[400], runs[64];
	enum xp_reach reach = xp_comparison_reach(design, series);
	double low = factor * xp_nth(series, member, 0), high = factor * xp_nth(series, member, 1);
	bool run = reach == XP_REACH_SHORT || reach == XP_REACH_LONG;
	snprintf(label, sizeof label, "%s%s", xp_comparison_name(design, name),
	         reach == XP_REACH_FAILED ? " (failed)" : "");
	double row = (double)xp_chart_name(chart, "y", label);
	json_t *of = run ? colour_of(c, colours, design) : colours->other;
	if (reach == XP_REACH_FAILED || !of || !isfinite(low) || !isfinite(high))
		return;
	xp_series_point(of, row, run ? low : high, run ? low : NAN, run ? high : NAN);
	count_runs(series, runs);
	xp_series_note(of, "known", xp_reach_names[reach]);
	xp_series_note(of, "runs", runs);
	if (run && xp_number(series, "bound", NULL) > 0) {
		char bound[64];
		xp_series_note(of, "bound of saturation",
		               xp_plain(fmin(xp_number(series, "bound", NULL), 1), 4, bound));
	}
}

static void draw_ranked(const struct xp_comparison *c, const char *name, const char *caption, const char *member,
                        double factor, const char *axis)
{
	json_t *figure = xp_charts(name, caption);
	char title[300];
	xp_charts_width(figure, "24rem");
	for (size_t k = 0; k < c->columns; k++) {
		size_t n = json_array_size(c->designs), *order = xp_comparison_order(c, k);
		json_t *chart = xp_chart(figure, "bars", xp_comparison_column(c, k, title));
		xp_chart_axis(chart, "x", axis, "", XP_AXIS_ZERO);
		xp_chart_axis(chart, "y", "", "", 0);
		xp_chart_interval(chart, "between");
		xp_chart_single(chart);
		struct coloured colours = begin_coloured(c, chart, "not simulated to the end: at most");
		for (size_t i = 0; i < n && i < SHOWN; i++)
			add_bar(c, chart, &colours, json_array_get(c->designs, order[i]),
			        xp_comparison_series(c, order[i], k), member, factor);
		xp_chart_drop_empty(chart);
		free(colours.network);
		free(order);
	}
	xp_charts_write(c->report, figure);
}

#define RANKED                                                                                                         \
	" In the order of places. A bar is what is surely delivered, its mark reaches to the most that may be. Grey: " \
	"not "                                                                                                         \
	"simulated, or not to the end, as it cannot be first; at most so much, by its bound."

void xp_comparison_draw_worth(const struct xp_comparison *c)
{
	char unit[200], caption[600];
	xp_comparison_unit(c, unit);
	snprintf(caption, sizeof caption, "%s." RANKED "%s", unit,
	         json_array_size(c->designs) > SHOWN ? " The first 60; the tables have all." : "");
	draw_ranked(c, "worth", caption, "worth", c->per, unit);
}

void xp_comparison_draw_saturation(const struct xp_comparison *c)
{
	draw_ranked(
	    c, "saturation",
	    "Saturation, as a share of what endpoints can inject: the largest load at which every job gets 98 % of "
	    "what it offers." RANKED,
	    "saturation", 1, "saturation (of injection bandwidth)");
}

/* --- networks --------------------------------------------------------------------------------------------- */

void xp_comparison_draw_networks(const struct xp_comparison *c)
{
	size_t n = json_array_size(c->networks), rows = 0;
	struct xp_bill_row *row = base_calloc(n + 1, sizeof *row);
	for (size_t i = 0; i < n; i++) {
		const json_t *net = json_array_get(c->networks, i);
		const char *parts = "cost_parts_per_endpoint", *name = xp_text(net, "name");
		if (!(xp_number(net, "endpoints", NULL) > 0))
			continue;
		row[rows++] = (struct xp_bill_row){
			.name = name,
			.key = name,
			.part = { xp_number(net, "ports_per_endpoint", NULL),
			          xp_number(net, "cables_per_endpoint", NULL),
			          xp_number(net, "optical_m_per_endpoint", NULL),
			          xp_number(net, "watts_per_endpoint", NULL) },
			.cost = { xp_number(net, parts, "switches", NULL) + xp_number(net, parts, "ports", NULL),
			          xp_number(net, parts, "copper_cables", NULL),
			          xp_number(net, parts, "optical_cables", NULL),
			          xp_number(net, parts, "endpoint_cables", NULL),
			          xp_number(net, parts, "energy", NULL) },
			.priced = xp_number(net, "cost_total", NULL) > 0,
		};
	}
	xp_bill_charts(c->report, row, rows, c->per > 1 ? xp_text(c->root, "worth_per") : "");
	free(row);
}

/* --- latency ---------------------------------------------------------------------------------------------- */

static int by_load(const void *a, const void *b)
{
	double x = xp_number(*(json_t *const *)a, "load", NULL), y = xp_number(*(json_t *const *)b, "load", NULL);
	return (x > y) - (x < y);
}

/* The runs of a design that measured latency, by load; the caller's. */
static json_t **latencies(const json_t *design, size_t *n)
{
	const json_t *curve = json_object_get(design, "curve");
	json_t *own = json_object_get(design, "latency"),
	       **v = base_calloc(json_array_size(curve) + 2, sizeof(json_t *));
	bool known = !json_is_object(own);
	*n = 0;
	for (size_t i = 0; i < json_array_size(curve); i++) {
		json_t *point = json_array_get(curve, i);
		known |= fabs(xp_number(point, "load", NULL) - xp_number(own, "load", NULL)) < 1e-9;
		if (isfinite(xp_number(point, "load", NULL)))
			v[(*n)++] = point;
	}
	if (!known && isfinite(xp_number(own, "load", NULL)))
		v[(*n)++] = own;
	qsort(v, *n, sizeof(json_t *), by_load);
	return v;
}

/* "minimal", "ugal-l, nscc": what a design is beside its network. */
static void variant_of(const json_t *design, char out[200])
{
	const char *routing = xp_text(design, "routing"), *congestion = xp_text(design, "congestion");
	snprintf(out, 200, "%.90s%s%.90s", routing, *routing && *congestion ? ", " : "", congestion);
}

struct charted_quantity {
	const char *value, *half, *name;
	bool wide; /* over decades */
};

static void chart_variant(const struct xp_comparison *c, json_t *figure, const char *variant, struct charted_quantity q)
{
	json_t *chart = xp_chart(figure, "lines", variant);
	char own[200];
	xp_chart_axis(chart, "x", "offered load", "", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", q.name, "ns", q.wide ? XP_AXIS_LOG : XP_AXIS_ZERO);
	for (size_t i = 0; i < json_array_size(c->designs); i++) {
		const json_t *design = json_array_get(c->designs, i);
		const char *network = xp_text(design, "network");
		variant_of(design, own);
		if (strcmp(own, variant) != 0)
			continue;
		size_t n;
		json_t **at = latencies(design, &n), *series = xp_chart_series(chart, network, network, "line");
		for (size_t k = 0; k < n; k++) {
			double y = xp_number(at[k], q.value, NULL), half = xp_number(at[k], q.half, NULL);
			if (y > 0 && !json_is_false(json_object_get(at[k], "stationary")))
				xp_series_point(series, xp_number(at[k], "load", NULL), y, fmax(y - half, y / 100),
				                y + half);
		}
		free(at);
	}
	xp_chart_drop_empty(chart);
}

struct latency_span {
	double low, high;
};

static bool is_wide_over_all(const struct xp_comparison *c, const char *value)
{
	struct latency_span range = { INFINITY, 0 };
	for (size_t i = 0; i < json_array_size(c->designs); i++) {
		size_t n;
		json_t **at = latencies(json_array_get(c->designs, i), &n);
		for (size_t k = 0; k < n; k++) {
			double y = xp_number(at[k], value, NULL);
			range.low = y > 0 ? fmin(range.low, y) : range.low;
			range.high = y > 0 ? fmax(range.high, y) : range.high;
		}
		free(at);
	}
	return range.low > 0 && range.high >= 6 * range.low;
}

/* The charts of a figure that nothing is on. */
static void drop_empty_charts(json_t *figure)
{
	json_t *charts = json_object_get(figure, "charts");
	for (size_t i = json_array_size(charts); i-- > 0;)
		if (!json_array_size(json_object_get(json_array_get(charts, i), "series")))
			json_array_remove(charts, i);
}

static void draw_or_drop(const struct xp_comparison *c, json_t *figure)
{
	drop_empty_charts(figure);
	if (json_array_size(json_object_get(figure, "charts")))
		xp_charts_write(c->report, figure);
	else
		json_decref(figure);
}

void xp_comparison_draw_latency(const struct xp_comparison *c)
{
	struct charted_quantity quantities[] = {
		{ "mean_ns", "mean_half_width_ns", "mean packet latency", false },
		{ "p99_ns", "p99_half_width_ns", "99th percentile of packet latency", false },
	};
	for (size_t q = 0; q < 2; q++) {
		char variant[200], caption[500];
		quantities[q].wide = is_wide_over_all(c, quantities[q].value);
		json_t *seen = json_object();
		snprintf(
		    caption, sizeof caption,
		    "%s against load, under the traffic that ranks (%.100s); bars are 95 %% intervals. Of designs that "
		    "were simulated; a line ends at the last of the study's loads that is carried.",
		    q ? "99th percentile of packet latency" : "Mean packet latency", xp_text(c->root, "ranked_by"));
		json_t *figure = xp_charts(q ? "latency-p99" : "latency-load", caption);
		for (size_t i = 0; i < json_array_size(c->designs); i++) {
			variant_of(json_array_get(c->designs, i), variant);
			if (json_object_get(seen, variant))
				continue;
			json_object_set_new(seen, variant, json_true());
			chart_variant(c, figure, variant, quantities[q]);
		}
		json_decref(seen);
		draw_or_drop(c, figure);
	}
}

/* --- collectives ------------------------------------------------------------------------------------------ */

struct timed {
	const json_t *design;
	double ns;
};

static int by_time(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;
	return (x->ns > y->ns) - (x->ns < y->ns);
}

static const json_t *same_collective(const json_t *design, const char *name, const char *size)
{
	const json_t *all = json_object_get(design, "collectives"), *one;
	size_t i;
	json_array_foreach (all, i, one)
		if (!strcmp(xp_text(one, "name"), name) && !strcmp(xp_text(one, "size"), size))
			return one;
	return NULL;
}

static void chart_collective(const struct xp_comparison *c, json_t *figure, const char *name, const char *size)
{
	size_t n = 0, all = json_array_size(c->designs);
	struct timed *timed = base_calloc(all + 1, sizeof *timed);
	char title[300];
	for (size_t i = 0; i < all; i++) {
		const json_t *design = json_array_get(c->designs, i), *one = same_collective(design, name, size);
		double ns = xp_number(one, "time_ns", NULL);
		if (one)
			timed[n++] = (struct timed){ design, ns > 0 ? ns : INFINITY };
	}
	qsort(timed, n, sizeof *timed, by_time);
	snprintf(title, sizeof title, "%.120s of %.120s", name, size);
	json_t *chart = xp_chart(figure, "bars", title);
	xp_chart_axis(chart, "x", "until the last member has ended", "ns", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	xp_chart_single(chart);
	struct coloured colours = begin_coloured(c, chart, NULL);
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		char label[400];
		json_t *of = colour_of(c, &colours, timed[i].design);
		xp_comparison_name(timed[i].design, label);
		if (isinf(timed[i].ns))
			strcat(label, " (not ended)");
		double row = (double)xp_chart_name(chart, "y", label);
		if (of && isfinite(timed[i].ns))
			xp_series_point(of, row, timed[i].ns, NAN, NAN);
	}
	xp_chart_drop_empty(chart);
	free(colours.network);
	free(timed);
}

void xp_comparison_draw_collectives(const struct xp_comparison *c)
{
	json_t *seen = json_object();
	json_t *figure =
	    xp_charts("collectives", "Collectives alone on the network: all members begin at once; until the "
	                             "last one has ended, all phases. Of designs that were simulated, or of "
	                             "finalists, as the study says.");
	xp_charts_width(figure, "24rem");
	for (size_t i = 0; i < json_array_size(c->designs); i++) {
		const json_t *all = json_object_get(json_array_get(c->designs, i), "collectives"), *one;
		size_t k;
		json_array_foreach (all, k, one) {
			char key[300];
			snprintf(key, sizeof key, "%.140s %.140s", xp_text(one, "name"), xp_text(one, "size"));
			if (json_object_get(seen, key))
				continue;
			json_object_set_new(seen, key, json_true());
			chart_collective(c, figure, xp_text(one, "name"), xp_text(one, "size"));
		}
	}
	json_decref(seen);
	draw_or_drop(c, figure);
}

/* --- failures --------------------------------------------------------------------------------------------- */

static void draw_cut_off(const struct xp_comparison *c)
{
	json_t *figure =
	    xp_charts("cut-off", "The share of the cables, taken out one by one at random, after which some "
	                         "switch with endpoints is cut off from another: median over the orders; the "
	                         "mark reaches from the 5 % to the 95 % of them.");
	json_t *chart = xp_chart(figure, "bars", "");
	xp_chart_axis(chart, "x", "share of the cables", "share", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	xp_chart_interval(chart, "5 % and 95 % of orders");
	xp_chart_single(chart);
	struct coloured colours = begin_coloured(c, chart, NULL);
	for (size_t i = 0; i < json_array_size(c->networks); i++) {
		const json_t *net = json_array_get(c->networks, i);
		double median = xp_number(net, "resilience", "disconnected_median", NULL);
		if (!isfinite(median))
			continue;
		double row = (double)xp_chart_name(chart, "y", xp_text(net, "name"));
		xp_series_point(colours.network[i], row, median, xp_number(net, "resilience", "disconnected_p05", NULL),
		                xp_number(net, "resilience", "disconnected_p95", NULL));
		char form[64], percent[80];
		xp_plain(100 * xp_number(net, "resilience", "disconnected_form", NULL), 4, form);
		snprintf(percent, sizeof percent, "%s %%", form);
		xp_series_note(colours.network[i], "by the degrees of switches", percent);
	}
	free(colours.network);
	xp_chart_drop_empty(chart);
	draw_or_drop(c, figure);
}

void xp_comparison_draw_failures(const struct xp_comparison *c)
{
	json_t *figure =
	    xp_charts("failures", "Uniform throughput that is left when a share of the cables has failed at "
	                          "random, over what it was, by the loads of channels on shortest paths: mean "
	                          "over the draws that cut no switch off. Nothing of it is simulated.");
	json_t *chart = xp_chart(figure, "lines", "");
	draw_cut_off(c);
	xp_chart_axis(chart, "x", "share of the cables that failed", "share", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "uniform throughput left", "share", XP_AXIS_ZERO);
	for (size_t i = 0; i < json_array_size(c->networks); i++) {
		const json_t *net = json_array_get(c->networks, i), *removed, *one;
		const char *name = xp_text(net, "name");
		size_t k;
		json_t *series = xp_chart_series(chart, name, name, "line");
		removed = json_object_get(json_object_get(net, "resilience"), "removed");
		if (json_array_size(removed))
			xp_series_point(series, 0, 1, NAN, NAN);
		json_array_foreach (removed, k, one)
			xp_series_point(series, xp_number(one, "share", NULL), xp_number(one, "uniform_left", NULL),
			                NAN, NAN);
	}
	xp_chart_drop_empty(chart);
	draw_or_drop(c, figure);
}

/* --- what was spent --------------------------------------------------------------------------------------- */

void xp_comparison_draw_spent(const struct xp_comparison *c)
{
	static const char *const colours[XP_REACHES] = { "#b3261e", GREY, "#c9a227", "#2f86bd", "#00805c" };
	json_t *figure =
	    xp_charts("reach", "How far designs were taken: most are known well enough by bounds or few runs.");
	json_t *chart = xp_chart(figure, "stack", ""), *series[XP_REACHES];
	xp_chart_axis(chart, "x", "designs", "count", XP_AXIS_ZERO);
	xp_chart_axis(chart, "y", "", "", 0);
	for (size_t r = XP_REACHES; r-- > 0;) {
		series[r] = xp_chart_series(chart, xp_reach_names[r], xp_reach_names[r], "");
		xp_series_colour(series[r], colours[r]);
	}
	for (size_t k = 0; k < c->columns; k++) {
		double n[XP_REACHES] = { 0 };
		char title[300];
		for (size_t i = 0; i < json_array_size(c->designs); i++)
			n[xp_comparison_reach(json_array_get(c->designs, i), xp_comparison_series(c, i, k))]++;
		double row = (double)xp_chart_name(chart, "y", xp_comparison_column(c, k, title));
		for (size_t r = 0; r < XP_REACHES; r++)
			if (n[r] > 0)
				xp_series_point(series[r], row, n[r], NAN, NAN);
	}
	xp_chart_drop_empty(chart);
	draw_or_drop(c, figure);
}
