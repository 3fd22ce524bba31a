/* topo/checked_facts.c - checks facts() of a topology from a shared object: at every call it compares them with the
 * numbers that build() has set and with the limits that hold for any graph of that size, and at the start, if the
 * search is affordable, with the graph itself. */
#include "topo/checked.h"
#include "topo/search.h"

#include <inttypes.h>
#include <math.h>

#define ROUNDING 1e-9 /* for sums in another order */

static void check_parts(const struct topo *t, const struct topo_facts *built, const struct topo_facts *f)
{
	if (f->switches != built->switches || f->endpoints != built->endpoints)
		base_refute(t->plugin, "facts() reports %u switches and %u endpoints, but build() created %u and %u",
		            f->switches, f->endpoints, built->switches, built->endpoints);
	else if (f->radix != built->radix || f->network_radix != built->network_radix)
		base_refute(
		    t->plugin,
		    "facts() reports a radix of %u with %u ports to other switches, but build() created %u and %u",
		    f->radix, f->network_radix, built->radix, built->network_radix);
}

/* No bisection has more cables than there are. */
static void check_cables(const struct topo *t, const struct topo_facts *f)
{
	uint64_t most = (uint64_t)t->switches * t->max_ports / 2;
	if (f->links && f->links < most)
		most = f->links;
	if (f->links > most)
		base_refute(t->plugin, "facts() reports %" PRIu64 " links, but the ports suffice for at most %" PRIu64,
		            f->links, most);
	else if (f->bisection_links > 0 && (uint64_t)f->bisection_links > most)
		base_refute(t->plugin,
		            "facts() reports a bisection of %" PRId64 " links; at most %" PRIu64 " are possible",
		            f->bisection_links, most);
	else if (f->endpoint_bisection_links > 0 && (uint64_t)f->endpoint_bisection_links > most)
		base_refute(t->plugin,
		            "facts() reports a bisection of the endpoints of %" PRId64 " links; at most %" PRIu64
		            " are possible",
		            f->endpoint_bisection_links, most);
}

/* The two farthest switches of the shortest cycle are no farther apart than the diameter. */
static void check_distances(const struct topo *t, const struct topo_facts *f)
{
	if (f->diameter > 0 && (uint32_t)f->diameter >= t->switches)
		base_refute(t->plugin,
		            "facts() reports a diameter of %d; it must be less than the number of switches, %u",
		            f->diameter, t->switches);
	else if (!isfinite(f->mean_distance) || f->mean_distance >= t->switches)
		base_refute(t->plugin,
		            "facts() reports a mean distance of %g; it must be less than the number of switches, %u",
		            f->mean_distance, t->switches);
	else if (f->girth == 1 || (f->girth > 0 && (uint32_t)f->girth > t->switches))
		base_refute(
		    t->plugin,
		    "facts() reports a girth of %d; it must be at least 2 and at most the number of switches, %u",
		    f->girth, t->switches);
	else if (f->girth > 0 && f->diameter >= 0 && f->girth > 2 * f->diameter + 1)
		base_refute(
		    t->plugin,
		    "facts() reports a girth of %d and a diameter of %d; with this diameter the girth is at most %d",
		    f->girth, f->diameter, 2 * f->diameter + 1);
}

/* All traffic leaves its switch by at least one channel; at most all traffic takes the same one. */
static double least_load(const struct topo *t)
{
	double e = t->endpoints, channels = (double)t->switches * t->max_ports;
	return t->endpoints < 2 || channels == 0 ? 0 : e * (e - t->max_endpoints) / (e - 1) / channels;
}

static bool is_share(double load, double least, double most)
{
	return load < 0 || (load >= least * (1 - ROUNDING) && load <= most * (1 + ROUNDING));
}

static void check_loads(const struct topo *t, const struct topo_facts *f)
{
	double least = least_load(t), load = f->max_channel_load_uniform, most = load >= 0 ? load : t->endpoints;
	if (!is_share(load, least, t->endpoints)) {
		base_refute(t->plugin, "facts() reports a largest channel load of %g; it must be from %.6g to %u", load,
		            least, t->endpoints);
		return;
	}
	for (int k = 0; k < TOPO_LINK_CLASSES; k++)
		if (!is_share(f->max_load_by_class[k], 0, most))
			base_refute(t->plugin,
			            "facts() reports a largest channel load of %g on links of class %d, but the "
			            "largest one on all links is %g",
			            f->max_load_by_class[k], k, most);
	if (isnan(f->mean_minimal_hops) || f->mean_minimal_hops > t->switches)
		base_refute(t->plugin,
		            "facts() reports minimal routes of %g hops on average; they must not be longer than the "
		            "number of switches, %u",
		            f->mean_minimal_hops, t->switches);
}

void topo_check_facts(const struct topo *t, const struct topo_facts *built, const struct topo_facts *f)
{
	check_parts(t, built, f);
	check_cables(t, f);
	check_distances(t, f);
	check_loads(t, f);
}

/* Both the same number, or both unknown. */
static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

void topo_check_same_facts(const struct topo *t, const struct topo_facts *first, const struct topo_facts *f)
{
	const struct {
		const char *what;
		double before, now;
	} pair[] = {
		{ "switches", first->switches, f->switches },
		{ "endpoints", first->endpoints, f->endpoints },
		{ "radix", first->radix, f->radix },
		{ "network radix", first->network_radix, f->network_radix },
		{ "links", (double)first->links, (double)f->links },
		{ "diameter", first->diameter, f->diameter },
		{ "mean distance", first->mean_distance, f->mean_distance },
		{ "girth", first->girth, f->girth },
		{ "bisection", (double)first->bisection_links, (double)f->bisection_links },
		{ "bisection of the endpoints", (double)first->endpoint_bisection_links,
		  (double)f->endpoint_bisection_links },
		{ "largest channel load", first->max_channel_load_uniform, f->max_channel_load_uniform },
		{ "mean number of minimal hops", first->mean_minimal_hops, f->mean_minimal_hops },
	};
	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
		if (!same(pair[i].before, pair[i].now)) {
			base_refute(t->plugin, "facts() reports %.9g as %s, but an earlier call reported %.9g",
			            pair[i].now, pair[i].what, pair[i].before);
			return;
		}
	for (int k = 0; k < TOPO_LINK_CLASSES; k++)
		if (first->links_by_class[k] != f->links_by_class[k] ||
		    !same(first->max_load_by_class[k], f->max_load_by_class[k])) {
			base_refute(t->plugin,
			            "facts() reports a number of links or a channel load of link class %d that differs "
			            "from an earlier call",
			            k);
			return;
		}
}

/* --- against the graph ----------------------------------------------------------------------------------- */

static void check_links(const struct topo *t, const struct topo_graph *graph, const struct topo_facts *f)
{
	uint64_t links = graph->first[graph->n] / 2, ends[TOPO_LINK_CLASSES] = { 0 };
	if (!f->links)
		return;
	if (f->links != links)
		base_refute(t->plugin, "facts() reports %" PRIu64 " links, but the graph has %" PRIu64, f->links,
		            links);
	for (topo_switch s = 0; s < t->switches; s++)
		for (topo_port p = 0; p < topo_ports(t, s); p++)
			ends[topo_peer(t, s, p).link_class]++;
	for (int k = 0; k < t->link_classes; k++)
		if (f->links_by_class[k] != ends[k] / 2)
			base_refute(t->plugin,
			            "facts() reports %" PRIu64 " links of class %d, but the graph has %" PRIu64,
			            f->links_by_class[k], k, ends[k] / 2);
}

static void check_ways(const struct topo *t, const struct topo_graph *graph, const struct topo_facts *f)
{
	int diameter;
	uint64_t sum;
	if (topo_distances(graph, NULL, 0, &diameter, &sum))
		return;
	if (graph->n > 1 && f->bisection_links == 0)
		base_refute(t->plugin,
		            "facts() reports a bisection of 0 links, but every switch can reach every other");
	if (t->endpoints > t->max_endpoints && f->endpoint_bisection_links == 0)
		base_refute(
		    t->plugin,
		    "facts() reports a bisection of the endpoints of 0 links, but every switch can reach every other");
	double pairs = (double)graph->n * (graph->n - 1.0), mean = graph->n > 1 ? (double)sum / pairs : 0;
	if (f->diameter >= 0 && f->diameter != diameter)
		base_refute(t->plugin, "facts() reports a diameter of %d, but that of the graph is %d", f->diameter,
		            diameter);
	if (f->mean_distance >= 0 &&
	    (f->mean_distance > mean * (1 + ROUNDING) || f->mean_distance < mean * (1 - ROUNDING)))
		base_refute(t->plugin, "facts() reports a mean distance of %.9g, but that of the graph is %.9g",
		            f->mean_distance, mean);
	int girth = f->girth >= 0 ? topo_girth(graph, NULL, 0) : -1;
	if (girth >= 0 && f->girth != girth)
		base_refute(t->plugin, "facts() reports a girth of %d, but that of the graph is %d", f->girth, girth);
}

void topo_check_facts_whole(const struct topo *t)
{
	struct topo_facts f;
	struct topo_graph graph;
	topo_said_facts(t, &f);
	topo_graph_of(&graph, t);
	check_links(t, &graph, &f);
	check_ways(t, &graph, &f);
	topo_graph_free(&graph);
}
