/* topo/diversity.h - path diversity: length and number of the shortest paths between switches with endpoints, and the
 * number of those that share no cable; also upper bounds of throughput for any routing. Distances are those of the
 * graph, whatever minimal routing the topology has. */
#ifndef TOPO_DIVERSITY_H
#define TOPO_DIVERSITY_H

#include "topo/search.h"

struct topo_diversity {
	double mean_hops; /* switch to switch, of uniform traffic between different endpoints */
	double paths_mean,
	    paths_min;        /* shortest paths between two different switches; parallel cables count as different */
	double disjoint_mean; /* the same for the largest set of cable-disjoint shortest paths */
	uint32_t disjoint_min;
	uint64_t disjoint_pairs; /* number of pairs behind disjoint_* */
	bool disjoint_sampled;   /* not all pairs, up to symmetry: drawn by counters with seed 0 */
};

/* Fills *out. Returns -1 with a reason in *why if the search would take too long or the graph is not connected. Cost:
 * O(switches * cables), less if symmetries are known (topo_ops.orbits). */
int topo_diversity(const struct topo *topo, const struct topo_graph *graph, struct topo_diversity *out,
                   const char **why);

/* Upper bounds of throughput under uniform traffic, and under the worst permutation, that hold for every routing,
 * relative to injection bandwidth; not limited to 1. */
struct topo_limits {
	double by_hops;            /* capacity of all channels over the capacity used by uniform traffic */
	double by_cut;             /* halves of the endpoints: cut capacity over uniform traffic across the cut */
	double by_switch;          /* the cables of a switch over its endpoints */
	double permutation_by_cut; /* the permutation between the two halves */
	double permutation_by_switch;
	int64_t cut; /* cables of that cut: the fewest found; negative: unknown */
	const char *cut_how;
};

/* Fills *out. rate[k] is the bandwidth of a link of class k divided by that of an endpoint's link; mean_hops is that of
 * topo_diversity(). */
void topo_limits(const struct topo *topo, const struct topo_graph *graph, double mean_hops, const double *rate,
                 struct topo_limits *out);

#endif
