/* topo/search.h - facts found by searching the graph. For topo/facts.c, topo/edges.c and the tests. */
#ifndef TOPO_SEARCH_H
#define TOPO_SEARCH_H

#include "topo/topo.h"

/* Adjacency lists: the neighbours of s, by port, are to[first[s]] .. to[first[s + 1] - 1]. */
struct topo_graph {
	uint32_t n;
	size_t *first; /* n + 1 */
	topo_switch *to;
};

/* Builds the lists from all peers of a topology. Cost and memory: O(cables). Free with topo_graph_free. */
void topo_graph_of(struct topo_graph *graph, const struct topo *topo);
void topo_graph_free(struct topo_graph *graph);

/* Breadth-first distances from one switch to all (UINT32_MAX: unreachable); queue has n elements. Returns the number of
 * switches reached. */
uint32_t topo_bfs(const struct topo_graph *graph, topo_switch from, uint32_t *distance, topo_switch *queue);

/* Diameter, and the sum of distances over ordered pairs. `orbits` (may be 0) represent all switches; without them all
 * switches are sources, 256 at a time. Returns -1 if that would take more than about ten thousand million steps or if
 * the graph is not connected. */
int topo_distances(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits, int *diameter,
                   uint64_t *sum);

/* All distances: table[v n + u], zeroed by the caller; or one of several parts, which may be built concurrently in one
 * table. *diameter: of the part. Returns -1 if some distance is over TOPO_FARTHEST, or the graph is not connected,
 * unless `apart`: then it is 255 between switches without a path. */
#define TOPO_FARTHEST 254
int topo_distance_table(const struct topo_graph *graph, uint32_t part, uint32_t parts, bool apart, uint8_t *table,
                        int *diameter);

/* Length of the shortest cycle, where parallel cables form one of 2; 0 if there is none; -1 if the search would take
 * too long. */
int topo_girth(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits);

/* Loads of all directed channels, in units of one endpoint's injection rate, when every endpoint sends uniformly to all
 * others and each switch splits equally over next(): load[graph->first[s] + port]. Returns -1 if it would take too
 * long. Cost: O(switches^2 * hops) calls of next(). */
int topo_uniform_loads(const struct topo *topo, const struct topo_graph *graph, double *load);

/* Facts from the numbers of the built topology and from the builder's closed forms; all other facts are negative, and
 * unknown link counts 0. Cost: O(switches). */
void topo_said_facts(const struct topo *topo, struct topo_facts *facts);

/* Cables between two halves, as few as a quick search finds. The halves weigh the same or, if that is impossible,
 * differ by at most the largest weight. `weight` by switch; not all may be 0. `how` gets a static text. Returns -1,
 * with the reason, if the graph is too large. */
int64_t topo_bisect(const struct topo_graph *graph, const uint32_t *weight, const char **how);

#endif
