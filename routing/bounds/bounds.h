/* routing/bounds/bounds.h - what a routing can carry on a topology, without simulating: loads of channels, where
 * uniform traffic saturates, and the worst permutation.
 *
 * A load is in units of what one endpoint injects, divided by the bandwidth of the channel (in that of an endpoint's
 * link): traffic saturates at 1 / the largest load, or at 1 where the endpoints' own links are full before. Channels
 * are directed, switch to switch; channel i is entry i of the topology's adjacency lists (struct topo_graph): the
 * channel of port p of switch s is first[s] + p. */
#ifndef ROUTING_BOUNDS_BOUNDS_H
#define ROUTING_BOUNDS_BOUNDS_H

#include "routing/bounds/ways.h"
#include "routing/routing.h"

/* How an oblivious routing, which looks at no queue, spreads what one endpoint sends to another. */
enum rt_spread {
	RT_SPREAD_MINIMAL,   /* one leg */
	RT_SPREAD_BY_SWITCH, /* by a random third switch */
	RT_SPREAD_BY_REMOTE, /* by a random switch of a random third group; within a group minimal */
	RT_SPREAD_BY_GROUP,  /* the same, and the second leg starts where the packet enters that group */
};

struct rt_flows {
	const struct topo *topo;
	struct topo_graph graph;
	enum rt_split split;
	enum rt_spread spread;
	double rate[TOPO_LINK_CLASSES]; /* bandwidth of links of a class, in that of an endpoint's */
	uint32_t vias;                  /* switches with endpoints, or groups */
	uint32_t *members;              /* [groups] switches with endpoints; by groups only; owned */
	uint32_t *inhabitants;          /* [groups] endpoints; by groups only; owned */
	uint32_t compared;              /* pairs of switches whose loads are those that route() makes */
};

/* The flows of a routing as it runs. *why gets a reason, and -1 is returned, where they are not known: adaptive
 * routings, those of plug-ins that do not go by legs, topologies without routes. What it says is compared with what
 * ops->route() does, for `pairs` pairs of switches drawn by `seed` (0: not compared). rate: [link classes]. */
int rt_flows_of_routing(struct rt_flows *f, const struct rt *rt, const double *rate, uint32_t pairs, uint64_t seed,
                        const char **why);
/* Those of shortest paths of the graph, whatever the topology's routing. */
void rt_flows_of_graph(struct rt_flows *f, const struct topo *topo, enum rt_split split, const double *rate);
void rt_flows_free(struct rt_flows *f);

/* load[channel] (in units of one endpoint's injection, not divided by bandwidths) when every endpoint sends uniformly
 * to all others. Returns -1 with a reason where that takes too long. Cost: O(switches^2 * ways). */
int rt_uniform_loads(const struct rt_flows *f, double *load, const char **why);
/* Adds to load[channel] what a flow of 1 from switch s to another one, d, gives. For tests and comparisons: O(switches
 * * ways) for routings by an intermediate. */
void rt_pair_loads(const struct rt_flows *f, topo_switch s, topo_switch d, double *load);
/* The same by walking ops->route() through the outcomes of all its choices. Returns -1 if it looks at queues, or goes
 * astray; 1 if its ways are too many. */
int rt_walk_loads(const struct rt *rt, const struct topo_graph *graph, topo_switch s, topo_switch d, double *load);

struct rt_worst {
	double load;    /* of the fullest channel under the worst permutation, divided by its bandwidth */
	topo_switch at; /* that channel */
	topo_port port;
	bool exact;        /* false: `load` is a lower bound of the worst, for some problem was too large */
	uint64_t channels; /* that stand for all: of one switch of each orbit */
	uint64_t solved;   /* assignment problems; the other channels cannot be worse by a bound */
	uint32_t *to;      /* [endpoints]: whom each sends to; itself: idle. Owned */
	bool *takes;       /* [endpoints]: its flow takes the channel, at least in part. Owned */
	uint32_t through;  /* endpoints whose flows take the channel; the others fill the permutation up */
};

/* The worst permutation of endpoints: for each channel an assignment problem between source and destination switches,
 * whose weights are what a pair puts on it (Towles and Dally, "Worst-case traffic for oblivious routing functions",
 * SPAA 2002), one channel for all that symmetry makes alike (topo_ops.orbits). Endpoints that the channel leaves free
 * are paired at random, drawn by counters with seed 0. Returns -1 with a reason where that takes too much time or
 * memory. */
int rt_worst_permutation(const struct rt_flows *f, struct rt_worst *worst, const char **why);
void rt_worst_free(struct rt_worst *worst);
/* load[channel] under a permutation, not divided by bandwidths. */
void rt_permutation_loads(const struct rt_flows *f, const uint32_t *to, double *load);

/* What is left of the uniform throughput when a share of the cables is removed at random, over what it was: the mean
 * over `draws` draws, those of topo_damage(), but for those that cut a switch with endpoints off; *whole of them are
 * left. Routes are shortest paths of what remains, split evenly at every switch. Negative: nothing is left, or it takes
 * too long. */
double rt_throughput_left(const struct topo *topo, const double *rate, double removed, uint32_t draws, uint64_t seed,
                          uint32_t *whole);

#endif
