/* routing/bounds/bounds.h - throughput bounds of a routing on a topology, without simulation: channel loads, saturation
 * under uniform traffic, and the worst permutation.
 *
 * A load is in units of one endpoint's injection, divided by the bandwidth of the channel (relative to an endpoint's
 * link): traffic saturates at 1 / the largest load, or at 1 if the endpoints' own links are full first. Channels are
 * directed, switch to switch; channel i is entry i of the topology's adjacency lists (struct topo_graph): the channel
 * of port p of switch s is first[s] + p. */
#ifndef ROUTING_BOUNDS_BOUNDS_H
#define ROUTING_BOUNDS_BOUNDS_H

#include "routing/bounds/ways.h"
#include "routing/routing.h"

/* How an oblivious routing, which ignores queues, distributes the traffic of a pair of endpoints. */
enum rt_spread {
	RT_SPREAD_MINIMAL,   /* one leg */
	RT_SPREAD_BY_SWITCH, /* by a random third switch */
	RT_SPREAD_BY_REMOTE, /* by a random switch of a random third group; within a group minimal */
	RT_SPREAD_BY_GROUP,  /* the same, and the second leg starts at the switch where the packet enters that group */
};

struct rt_flows {
	const struct topo *topo;
	struct topo_graph graph;
	enum rt_split split;
	enum rt_spread spread;
	double rate[TOPO_LINK_CLASSES]; /* bandwidth of links of a class, relative to that of an endpoint's link */
	uint32_t vias;                  /* number of switches with endpoints, or of groups */
	uint32_t *members;              /* [groups] switches with endpoints; by groups only; owned */
	uint32_t *inhabitants;          /* [groups] endpoints; by groups only; owned */
	uint32_t compared;              /* pairs of switches whose loads have been compared with those of route() */
};

/* Determines how a routing distributes its flows. Returns -1 with a reason in *why if that is unknown: for adaptive
 * routings, routings of plug-ins that do not describe their legs, and topologies without routes. The result is verified
 * against ops->route() for `pairs` random pairs of switches, drawn with `seed` (0 pairs: not verified). rate: [link
 * classes] bandwidth relative to an endpoint's link. */
int rt_flows_of_routing(struct rt_flows *f, const struct rt *rt, const double *rate, uint32_t pairs, uint64_t seed,
                        const char **why);
/* Sets *f to flows on the shortest paths of the graph, regardless of the topology's routing. */
void rt_flows_of_graph(struct rt_flows *f, const struct topo *topo, enum rt_split split, const double *rate);
void rt_flows_free(struct rt_flows *f);

/* Computes load[channel], in units of one endpoint's injection and not divided by bandwidths, when every endpoint sends
 * uniformly to all others. Returns -1 with a reason in *why if that takes too long. Cost: O(switches^2 * paths). */
int rt_uniform_loads(const struct rt_flows *f, double *load, const char **why);
/* Adds to load[channel] the loads of one unit of traffic from switch s to another switch d. For tests and comparisons;
 * cost: O(switches * paths) for routings with intermediate switches. */
void rt_pair_loads(const struct rt_flows *f, topo_switch s, topo_switch d, double *load);
/* Adds the loads of one unit of traffic by walking ops->route() through all outcomes of its random choices. Returns -1
 * if the routing reads queues or misroutes; 1 if there are too many paths. */
int rt_walk_loads(const struct rt *rt, const struct topo_graph *graph, topo_switch s, topo_switch d, double *load);

struct rt_worst {
	double load;    /* of the most loaded channel under the worst permutation, divided by its bandwidth */
	topo_switch at; /* that channel */
	topo_port port;
	bool exact;        /* false: `load` is only a lower bound of the worst, because some problem was too large */
	uint64_t channels; /* representatives of all channels: those of one switch of each orbit */
	uint64_t solved;   /* assignment problems solved; bounds exclude the other channels */
	uint32_t *to;      /* [endpoints]: destination of each; itself: idle. Owned */
	bool *takes;       /* [endpoints]: does its flow take the channel, at least in part? Owned */
	uint32_t through;  /* endpoints whose flows take the channel; the others complete the permutation */
};

/* Finds the worst permutation of endpoints. For each channel this is an assignment problem between source and
 * destination switches, whose weights are the loads of the pairs on the channel (Towles and Dally, "Worst-case traffic
 * for oblivious routing functions", SPAA 2002); of channels that are equivalent by symmetry (topo_ops.orbits) only one
 * is examined. Endpoints without flows over the channel are paired at random, drawn by counters with seed 0. Returns -1
 * with a reason if that takes too much time or memory. */
int rt_worst_permutation(const struct rt_flows *f, struct rt_worst *worst, const char **why);
void rt_worst_free(struct rt_worst *worst);
/* Computes load[channel] under a permutation, in units of one endpoint's injection, not divided by bandwidths. */
void rt_permutation_loads(const struct rt_flows *f, const uint32_t *to, double *load);

/* Returns the uniform throughput after a fraction of the cables has been removed at random, relative to that of the
 * whole network: the mean over those of the `draws` draws of topo_damage() that leave all switches with endpoints
 * connected. *whole: the number of these draws. Routes are shortest paths of the remaining graph, split evenly at every
 * switch. Negative result: no such draw, or it takes too long. */
double rt_throughput_left(const struct topo *topo, const double *rate, double removed, uint32_t draws, uint64_t seed,
                          uint32_t *whole);

#endif
