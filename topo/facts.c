/* topo/facts.c - computes the facts of a topology. A fact is taken from the closed form of the topology's builder or,
 * if there is none, found by a search of the graph, which starts from one switch of each orbit if the symmetry is
 * known. If the search would take too long, the fact is a negative number with a reason. */
#include "topo/search.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define MOST_ORBITS 65536
#define MOST_SEARCHED ((uint64_t)64 << 20) /* channels of a graph that is worth keeping in memory */
#define QUICKLY UINT64_C(2000000000)       /* channels times switches whose search takes 0.1 s, if paths are short */

static const char too_large[] =
    "no closed form is known, and an all-pairs search of a graph of this size takes too long";

static void count_links(const struct topo *topo, struct topo_facts *facts)
{
	uint64_t ends = 0, by_class[TOPO_LINK_CLASSES] = { 0 };
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			ends++;
			by_class[topo_named_class(topo, topo_peer(topo, s, p).link_class)]++;
		}
	facts->links = ends / 2;
	for (int i = 0; i < topo->link_classes; i++)
		facts->links_by_class[i] = by_class[i] / 2;
}

static void count_radix(const struct topo *topo, struct topo_facts *facts)
{
	facts->network_radix = topo->max_ports;
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t radix = topo_ports(topo, s) + topo_endpoints_at(topo, s);
		facts->radix = radix > facts->radix ? radix : facts->radix;
	}
}

static void search_distances(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits,
                             struct topo_facts *facts)
{
	int diameter;
	uint64_t sum;
	if (topo_distances(graph, orbits, norbits, &diameter, &sum)) {
		facts->diameter_why = facts->diameter < 0 ? too_large : NULL;
		facts->mean_distance_why = facts->mean_distance < 0 ? too_large : NULL;
		return;
	}
	facts->diameter = diameter;
	facts->mean_distance = graph->n > 1 ? (double)sum / ((double)graph->n * (graph->n - 1.0)) : 0;
}

static void search_girth(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits,
                         struct topo_facts *facts)
{
	int girth = topo_girth(graph, orbits, norbits);
	facts->girth = girth > 0 ? girth : -1;
	facts->girth_why = girth > 0 ? NULL : girth == 0 ? "there is no cycle" : too_large;
}

static void loads_by_class(const struct topo *topo, const struct topo_graph *graph, const double *load,
                           struct topo_facts *facts)
{
	for (int k = 0; k < topo->link_classes; k++)
		facts->max_load_by_class[k] = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0; p < topo_ports(topo, s); p++) {
			double *most = &facts->max_load_by_class[topo_peer(topo, s, p).link_class];
			double here = load[graph->first[s] + p];
			*most = here > *most ? here : *most;
		}
}

static void search_loads(const struct topo *topo, const struct topo_graph *graph, struct topo_facts *facts)
{
	size_t channels = graph->first[graph->n];
	if (topo->endpoints < 2 || topo->no_routes) {
		facts->max_channel_load_why = topo->no_routes ? topo->no_routes : "there are no two endpoints";
		return;
	}
	double *load = base_calloc(channels, sizeof *load);
	if (topo_uniform_loads(topo, graph, load)) {
		facts->max_channel_load_why = too_large;
	} else {
		double most = 0, sum = 0;
		for (size_t i = 0; i < channels; i++) {
			most = load[i] > most ? load[i] : most;
			sum += load[i];
		}
		facts->max_channel_load_uniform = most;
		facts->mean_minimal_hops = sum / topo->endpoints;
		loads_by_class(topo, graph, load, facts);
	}
	free(load);
}

static bool equally_loaded(const struct topo *topo)
{
	return !topo->bare && (uint64_t)topo->switches * topo->max_endpoints == topo->endpoints;
}

static void search_bisections(const struct topo *topo, const struct topo_graph *graph, struct topo_facts *facts)
{
	uint32_t *weight = base_calloc(graph->n, sizeof *weight);
	for (topo_switch s = 0; s < graph->n; s++)
		weight[s] = 1;
	if (facts->bisection_links < 0)
		facts->bisection_links = topo_bisect(graph, weight, &facts->bisection_how);
	for (topo_switch s = 0; s < graph->n; s++)
		weight[s] = topo_endpoints_at(topo, s);
	if (facts->endpoint_bisection_links < 0 && !equally_loaded(topo) && topo->endpoints)
		facts->endpoint_bisection_links = topo_bisect(graph, weight, &facts->endpoint_bisection_how);
	free(weight);
}

/* If all switches have equal numbers of endpoints, halves of the switches are halves of the endpoints. */
static void share_bisection(const struct topo *topo, struct topo_facts *facts)
{
	if (!equally_loaded(topo) || facts->endpoint_bisection_links >= 0)
		return;
	facts->endpoint_bisection_links = facts->bisection_links;
	facts->endpoint_bisection_how = facts->bisection_how;
}

static void search_from_all(const struct topo *topo, struct topo_facts *facts)
{
	struct topo_orbit *orbits = base_calloc(MOST_ORBITS, sizeof *orbits);
	size_t norbits = topo->ops->orbits ? topo->ops->orbits(topo, orbits, MOST_ORBITS) : 0;
	struct topo_graph graph;
	topo_graph_of(&graph, topo);
	if (facts->diameter < 0 || facts->mean_distance < 0)
		search_distances(&graph, orbits, norbits, facts);
	if (facts->girth < 0)
		search_girth(&graph, orbits, norbits, facts);
	search_bisections(topo, &graph, facts);
	if (facts->max_channel_load_uniform < 0)
		search_loads(topo, &graph, facts);
	topo_graph_free(&graph);
	free(orbits);
}

void topo_said_facts(const struct topo *topo, struct topo_facts *facts)
{
	*facts = (struct topo_facts){ .switches = topo->switches,
		                      .endpoints = topo->endpoints,
		                      .diameter = -1,
		                      .mean_distance = -1,
		                      .girth = -1,
		                      .bisection_links = -1,
		                      .endpoint_bisection_links = -1,
		                      .max_channel_load_uniform = -1,
		                      .mean_minimal_hops = -1 };
	for (int k = 0; k < topo->link_classes; k++)
		facts->max_load_by_class[k] = -1;
	count_radix(topo, facts);
	if (topo->ops->facts)
		topo->ops->facts(topo, facts);
}

static void know(const struct topo *topo, struct topo_facts *facts)
{
	topo_said_facts(topo, facts);
	if (facts->links == 0)
		count_links(topo, facts);
}

void topo_quick_facts(const struct topo *topo, struct topo_facts *facts)
{
	know(topo, facts);
	if (facts->diameter >= 0 || 2 * facts->links * topo->switches > QUICKLY)
		return;
	struct topo_graph graph;
	topo_graph_of(&graph, topo);
	search_distances(&graph, NULL, 0, facts);
	topo_graph_free(&graph);
}

void topo_load_facts(const struct topo *topo, struct topo_facts *facts)
{
	struct topo_graph graph;
	if (facts->max_channel_load_uniform >= 0)
		return;
	facts->max_channel_load_why = too_large;
	if (2 * facts->links > MOST_SEARCHED)
		return;
	topo_graph_of(&graph, topo);
	search_loads(topo, &graph, facts);
	topo_graph_free(&graph);
}

void topo_compute_facts(const struct topo *topo, struct topo_facts *facts)
{
	know(topo, facts);
	if (2 * facts->links <= MOST_SEARCHED) {
		search_from_all(topo, facts);
		share_bisection(topo, facts);
		return;
	}
	facts->diameter_why = facts->diameter < 0 ? too_large : NULL;
	facts->mean_distance_why = facts->mean_distance < 0 ? too_large : NULL;
	facts->girth_why = facts->girth < 0 ? too_large : NULL;
	facts->bisection_how = facts->bisection_links < 0 && !facts->bisection_how ? too_large : facts->bisection_how;
	if (facts->endpoint_bisection_links < 0 && !facts->endpoint_bisection_how)
		facts->endpoint_bisection_how = too_large;
	facts->max_channel_load_why = facts->max_channel_load_uniform < 0 ? too_large : NULL;
	share_bisection(topo, facts);
}

static bool knows_classes(const struct topo *topo, const struct topo_facts *facts)
{
	for (int k = 0; k < topo->link_classes; k++)
		if (facts->max_load_by_class[k] < 0)
			return false;
	return true;
}

/* Loads by class, if only the maximum over all classes is known. */
static void search_classes(const struct topo *topo, struct topo_facts *facts)
{
	struct topo_facts found = *facts;
	struct topo_graph graph;
	if (2 * facts->links > MOST_SEARCHED)
		return;
	topo_graph_of(&graph, topo);
	search_loads(topo, &graph, &found);
	for (int k = 0; k < topo->link_classes; k++)
		facts->max_load_by_class[k] = found.max_load_by_class[k];
	topo_graph_free(&graph);
}

double topo_saturation(const struct topo *topo, struct topo_facts *facts, const double *rate, int *limit,
                       const char **why)
{
	bool equal = true;
	double share = 1;
	*limit = -1;
	*why = facts->max_channel_load_why;
	if (facts->max_channel_load_uniform < 0)
		return -1;
	for (int k = 1; k < topo->link_classes; k++)
		equal = equal && rate[k] == rate[0];
	if (!equal && !knows_classes(topo, facts))
		search_classes(topo, facts);
	if (!knows_classes(topo, facts)) {
		*why = "links differ in bandwidth, and a search for the load of each class takes too long";
		return !equal ? -1 : fmin(1, rate[0] / facts->max_channel_load_uniform);
	}
	for (int k = 0; k < topo->link_classes; k++)
		if (facts->max_load_by_class[k] * share > rate[k]) {
			share = rate[k] / facts->max_load_by_class[k];
			*limit = k;
		}
	return share;
}
