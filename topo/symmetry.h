/* topo/symmetry.h - the most loaded channel of a graph with symmetries, computed from one destination of each
 * equivalence class.
 *
 * A map is a permutation of the switches that takes cables to cables, no two of them parallel; the maps generate a
 * group. Switches in one orbit of it are equivalent as destinations, and channels in one orbit have equal loads when
 * every switch sends equally to all others: the sum over a class of destinations of the loads of one channel is the
 * number of these destinations times the mean, over the channel's class, of the loads of any one of them. */
#ifndef TOPO_SYMMETRY_H
#define TOPO_SYMMETRY_H

#include "topo/search.h"

/* The load of the most loaded channel if each switch sends one unit to each other switch, and every switch splits its
 * traffic evenly over all ports that lead nearer to the destination. map[i][graph->n] is one of `maps` symmetries;
 * without any, every switch is used as a destination. Negative if the graph is not connected, if a switch has more than
 * TOPO_MAX_NEXT ports that lead nearer, or if a map does not preserve cables. Cost: O(cables * (classes of switches +
 * maps * ports)). */
double topo_pair_load(const struct topo_graph *graph, topo_switch *const *map, size_t maps);

#endif
