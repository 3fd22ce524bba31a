/* routing/bounds/ways.h - all paths to one destination, with the fraction of the flow that takes each hop.
 *
 * States are (switch, hops taken on the leg) if the topology's minimal routing counts hops (TOPO_VC_GROUPS), else
 * switches. They are numbered so that every hop leads to a lower number: loads, and flows that reach a channel, take
 * one pass. Channel i of the network is entry i of the topology's adjacency lists (struct topo_graph). */
#ifndef ROUTING_BOUNDS_WAYS_H
#define ROUTING_BOUNDS_WAYS_H

#include "topo/search.h"
#include "topo/topo.h"

enum rt_split {
	RT_SPLIT_ROUTING, /* the topology's minimal routing: each switch draws evenly among next() or run() */
	RT_SPLIT_HOPS, /* shortest paths of the graph, split evenly among the cables that lead nearer at every switch */
	RT_SPLIT_PATHS, /* split evenly among all shortest paths of the graph; parallel cables give different paths */
};

struct rt_way_hop {
	uint32_t to;      /* state, or RT_WAYS_END */
	double share;     /* fraction of the flow at the state where the hop starts */
	uint64_t channel; /* in the graph */
};

#define RT_WAYS_END UINT32_MAX

struct rt_ways {
	const struct topo *topo;
	const struct topo_graph *graph;
	enum rt_split split;
	bool to_group; /* a leg ends where it enters the destination's group */
	uint32_t layers;
	/* for the current destination: */
	topo_switch to;
	uint32_t n;             /* states */
	topo_switch *at;        /* [n] */
	bool *starts;           /* [n]: flows begin here */
	size_t *first;          /* [n + 1] into hop */
	struct rt_way_hop *hop; /* the target state has been numbered before the start */
	uint32_t *state_of;     /* [layers * switches], valid where stamp is `stamped` */
	uint32_t *stamp, stamped;
	bool turned;      /* in_* are valid for these paths */
	size_t *in_first; /* [n + 1] into in_from: states with a hop to this one, once per parallel hop */
	uint32_t *in_from;
	double *value;      /* [n], 0 between calls */
	uint32_t *reached;  /* [n] */
	uint32_t *distance; /* graph splits: from `to` */
	double *paths;      /* graph splits: number of shortest paths */
	topo_switch *queue;
	size_t hops, hops_cap;
	uint32_t states_cap;
};

void rt_ways_open(struct rt_ways *w, const struct topo *topo, const struct topo_graph *graph, enum rt_split split);
/* Finds all paths from all switches with endpoints to switch `to`. Returns -1 if next() leads in circles, or a switch
 * is not connected to `to`. */
int rt_ways_to(struct rt_ways *w, topo_switch to);
/* Finds the paths to `to` from one switch, which is then the only source of flows: this takes less work if the
 * topology's routing defines the paths. */
int rt_ways_between(struct rt_ways *w, topo_switch from, topo_switch to);
void rt_ways_close(struct rt_ways *w);

/* Adds to load[channel] the flows of weight[s] from each switch s other than `to`. end[s] (NULL: not wanted) gets the
 * flow that ends at switch s; that is other switches than `to` only if paths end where they enter the destination's
 * group. Cost: O(hops found). */
void rt_ways_load(struct rt_ways *w, const double *weight, double *load, double *end);
/* Finds the switches with endpoints whose flows to `to` take port `port` of switch `tail`, and the fraction of each
 * flow that does: from[i] and share[i], arrays of [switches]. Returns the number of these switches. Cost: O(states on
 * paths to the channel). */
uint32_t rt_ways_through(struct rt_ways *w, topo_switch tail, topo_port port, topo_switch *from, double *share);

#endif
