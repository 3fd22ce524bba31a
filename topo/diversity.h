/* topo/diversity.h - shortest paths between switches with endpoints: how long, how many, how many without a common
 * cable; and what no routing can exceed. Graph distances, whatever the topology's minimal routing is. */
#ifndef TOPO_DIVERSITY_H
#define TOPO_DIVERSITY_H

#include "topo/search.h"

struct topo_diversity {
	double mean_hops; /* switch to switch, of uniform traffic between different endpoints */
	double paths_mean,
	    paths_min;        /* shortest paths of a pair of different switches; parallel cables are different */
	double disjoint_mean; /* the same, the most of them that have no cable in common */
	uint32_t disjoint_min;
	uint64_t disjoint_pairs; /* that disjoint_* were found from */
	bool disjoint_sampled;   /* not all pairs, up to symmetry: drawn by counters with seed 0 */
};

/* Cost: O(switches * cables), less where there is symmetry (topo_ops.orbits). Returns -1 with a reason where that is
 * too much, or where the graph is not connected. */
int topo_diversity(const struct topo *topo, const struct topo_graph *graph, struct topo_diversity *out,
                   const char **why);

/* Bounds of uniform throughput, and of the worst permutation's, that hold for every routing, as shares of what
 * endpoints inject; not cut off at 1. */
struct topo_limits {
	double by_hops;            /* capacity of all channels over what uniform traffic takes of it */
	double by_cut;             /* halves of the endpoints: what uniform traffic sends across a cut */
	double by_switch;          /* the cables of a switch against its endpoints */
	double permutation_by_cut; /* the permutation between the two halves */
	double permutation_by_switch;
	int64_t cut; /* cables of that cut: the fewest found; negative: not known */
	const char *cut_how;
};

/* rate[k]: bandwidth of a link of class k over that of an endpoint's. mean_hops: of topo_diversity(). */
void topo_limits(const struct topo *topo, const struct topo_graph *graph, double mean_hops, const double *rate,
                 struct topo_limits *out);

#endif
