/* topo/survive.h - connectivity and distances of a network when cables fail at random. */
#ifndef TOPO_SURVIVE_H
#define TOPO_SURVIVE_H

#include "topo/search.h"

/* Lists the two channels of each cable in *out, which the caller frees. Returns the number of cables. */
size_t topo_list_cables(const struct topo *topo, const struct topo_graph *graph, size_t (**out)[2]);

struct topo_survival {
	uint32_t orders;
	double p05, median,
	    p95; /* 5 % quantile, median and 95 % quantile, over the orders of removal, of the fraction of cables after
	            whose removal some switch with endpoints is disconnected from another */
	double form; /* the fraction f at which sum over switches with endpoints of f^cables = ln 2: by then half of the
	                orders have isolated a switch, if switches are disconnected one at a time */
};

/* Orders of removal are drawn by counters from `seed`: 400 orders, fewer (at least 20) for more than half a million
 * cables. Cost: O(orders * cables). */
void topo_survival(const struct topo *topo, const struct topo_graph *graph, uint64_t seed, struct topo_survival *out);

struct topo_damage {
	double removed;                 /* fraction of the cables */
	uint32_t draws;                 /* random sets of removed cables */
	double disconnected;            /* fraction of the draws that disconnect a switch with endpoints from another */
	double diameter, mean_distance; /* of switches with endpoints: means over the connected draws; negative: none */
};

/* Removes random cables. Returns -1 with a reason if an all-pairs search takes too long. */
int topo_damage(const struct topo *topo, const struct topo_graph *graph, double removed, uint32_t draws, uint64_t seed,
                struct topo_damage *out, const char **why);
/* Builds the graph without the cables that draw number `draw` of topo_damage() removes. Free with topo_graph_free(). If
 * `map` is not NULL, *map becomes an array, which the caller frees, with the index in `graph` of each channel of
 * *out. */
void topo_graph_damaged(const struct topo_graph *graph, const size_t (*cable)[2], size_t cables, double removed,
                        uint32_t draw, uint64_t seed, struct topo_graph *out, size_t **map);

#endif
