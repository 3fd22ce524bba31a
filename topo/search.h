/* topo/search.h - searches of a topology's graph: distances, diameter, girth, channel loads, bisection. Used by
 * topo/facts.c, topo/edges.c and the tests. */
#ifndef TOPO_SEARCH_H
#define TOPO_SEARCH_H

#include "topo/topo.h"

/* Adjacency lists: the neighbours of s, by port, are to[first[s]] .. to[first[s + 1] - 1]. */
struct topo_graph {
	uint32_t n;
	size_t *first; /* n + 1 */
	topo_switch *to;
};

/* Builds the adjacency lists of a topology by calling peer() for all ports. Cost and memory: O(cables). Free with
 * topo_graph_free. */
void topo_graph_of(struct topo_graph *graph, const struct topo *topo);
void topo_graph_free(struct topo_graph *graph);

/* Breadth-first distances from one switch to all (UINT32_MAX: unreachable); queue has n elements. Returns the number of
 * switches reached. */
uint32_t topo_bfs(const struct topo_graph *graph, topo_switch from, uint32_t *distance, topo_switch *queue);

/* Finds the diameter and the sum of distances over all ordered pairs of switches. If `orbits` is given (it may be
 * NULL), the search starts from one switch of each; otherwise from all switches, 256 at a time. Returns -1 if that
 * would take more than about ten thousand million steps or if the graph is not connected. */
int topo_distances(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits, int *diameter,
                   uint64_t *sum);

/* Writes the distances between all switches to table[v n + u], which the caller has zeroed, or part number `part` of
 * `parts` of the table; parts may be built concurrently. *diameter becomes the largest distance of the part. Returns -1
 * if a distance exceeds TOPO_FARTHEST or if the graph is not connected. With `apart` the graph need not be connected,
 * and the distance between switches without a path is 255. */
#define TOPO_FARTHEST 254
int topo_distance_table(const struct topo_graph *graph, uint32_t part, uint32_t parts, bool apart, uint8_t *table,
                        int *diameter);

/* Length of the shortest cycle, where two parallel cables form a cycle of length 2. 0 if there is no cycle, -1 if the
 * search would take too long. */
int topo_girth(const struct topo_graph *graph, const struct topo_orbit *orbits, size_t norbits);

/* Loads of all directed channels, in units of one endpoint's injection rate, when every endpoint sends uniformly to all
 * others and each switch splits equally over next(): load[graph->first[s] + port]. Returns -1 if it would take too
 * long. Cost: O(switches^2 * hops) calls of next(). */
int topo_uniform_loads(const struct topo *topo, const struct topo_graph *graph, double *load);

/* Fills those facts that follow from the numbers of the built topology and from the closed forms of its builder. All
 * other facts become negative, and unknown numbers of links 0. Cost: O(switches). */
void topo_said_facts(const struct topo *topo, struct topo_facts *facts);

/* Returns the number of cables between two halves of the graph, the fewest that a heuristic search finds. weight[s] is
 * the weight of switch s; not all may be 0. The halves have equal weight or, if that is impossible, differ by at most
 * the largest weight of a switch. *how becomes a static text that names the method. Returns -1, with the reason in
 * *how, if the graph is too large. */
int64_t topo_bisect(const struct topo_graph *graph, const uint32_t *weight, const char **how);

#endif
