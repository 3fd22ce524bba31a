/* topo/survive.h - what is left of a network when cables fail at random. */
#ifndef TOPO_SURVIVE_H
#define TOPO_SURVIVE_H

#include "topo/search.h"

/* The two channels of each cable; owned by the caller. Returns how many cables there are. */
size_t topo_list_cables(const struct topo *topo, const struct topo_graph *graph, size_t (**out)[2]);

struct topo_survival {
	uint32_t orders;
	double p05, median, p95; /* share of the cables, taken out one by one at random, after which some switch with
	                            endpoints is cut off from another */
	double form; /* the share f at which sum over switches with endpoints of f^cables = ln 2: half of the
	                orders have isolated one by then, if they fall off one by one */
};

/* Orders of removal are drawn by counters from `seed`. Orders: 400, fewer (at least 20) for more than half a million
 * cables. Cost: O(orders * cables). */
void topo_survival(const struct topo *topo, const struct topo_graph *graph, uint64_t seed, struct topo_survival *out);

struct topo_damage {
	double removed;                 /* share of the cables */
	uint32_t draws;                 /* cables drawn anew for each */
	double disconnected;            /* share of the draws that cut a switch with endpoints off from another */
	double diameter, mean_distance; /* of switches with endpoints: means over the other draws; negative: none */
};

/* Takes cables out at random. Returns -1 with a reason where a search of all pairs is too much. */
int topo_damage(const struct topo *topo, const struct topo_graph *graph, double removed, uint32_t draws, uint64_t seed,
                struct topo_damage *out, const char **why);
/* The graph without the cables of draw number `draw` above. Free with topo_graph_free. map (may be NULL; owned by the
 * caller) gets the channel in `graph` that each channel is. */
void topo_graph_damaged(const struct topo_graph *graph, const size_t (*cable)[2], size_t cables, double removed,
                        uint32_t draw, uint64_t seed, struct topo_graph *out, size_t **map);

#endif
