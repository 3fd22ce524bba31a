/* topo/symmetry.h - the fullest channel of a graph with symmetries, from one destination of each class of alike ones.
 *
 * A map is a permutation of the switches that takes cables to cables, of which no two are parallel; maps and what they
 * make together are a group. Switches that it takes to each other are alike as destinations, and channels that it takes
 * to each other carry the same when every switch sends the same to each: the sum over a class of destinations of the
 * loads of one channel is the number of these destinations times the mean, over the channel's class, of the loads of
 * any one of them. */
#ifndef TOPO_SYMMETRY_H
#define TOPO_SYMMETRY_H

#include "topo/search.h"

/* The load of the fullest channel when one unit goes from each switch to each other, and every switch splits evenly
 * over all ports that lead nearer. Each of the maps[] is [graph->n]; without any, all switches are destinations.
 * Negative: the graph is not connected, some switch has more than TOPO_MAX_NEXT ports that lead nearer, or a map takes
 * some cable to none. Cost: O(cables * (classes of switches + maps * ports)). */
double topo_pair_load(const struct topo_graph *graph, topo_switch *const *map, size_t maps);

#endif
