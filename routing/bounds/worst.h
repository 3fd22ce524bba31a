/* routing/bounds/worst.h - internal to this folder: the worst permutation channel by channel. */
#ifndef ROUTING_BOUNDS_WORST_H
#define ROUTING_BOUNDS_WORST_H

#include "routing/bounds/assign.h"
#include "routing/bounds/bounds.h"

/* The error text for a topology in which next(), or the graph, does not lead to some destination. */
#define RT_NO_WAY "the topology's minimal routing does not lead to every switch with endpoints"

/* An entry of group g from switch s: a switch where a first leg from s to a random switch of g may end, with the
 * probability of that. */
struct rt_entry {
	topo_switch from, at;
	uint32_t group;
	double share;
};
/* Computes all entries, ordered by `at`; those at switch s are numbers first[s] to first[s + 1] - 1. For
 * RT_SPREAD_BY_GROUP only. The caller owns both arrays. */
struct rt_entry *rt_entries(const struct rt_flows *f, size_t **first);
/* Does traffic from switch s to switch d use an intermediate switch (Valiant)? */
bool rt_goes_by_via(const struct rt_flows *f, topo_switch s, topo_switch d);

/* The fraction of the flow from switch s to switch d that uses one channel. */
struct rt_pair {
	topo_switch s, d;
	double share;
};

struct rt_pairs {
	struct rt_pair *v;
	size_t n, cap;
};

/* A channel, and all loads that legs from a switch s to a switch d may put on it, in order of d. */
struct rt_channel {
	topo_switch at;
	topo_port port;
	double rate;
	struct rt_pairs legs;  /* one-leg and second-leg routes; for RT_SPREAD_BY_SWITCH and _REMOTE also first legs */
	struct rt_pairs first; /* RT_SPREAD_BY_GROUP: first legs towards a random switch d of its group */
	double upper;          /* upper bound of its load under any permutation; divided by its bandwidth */
};

/* Finds the worst permutation, between switches, for one channel: *out with *n elements (see assign.h), owned by the
 * caller. Returns its load on the channel, not divided by the bandwidth; pairs that are not listed do not load the
 * channel. *exact is set to false if the problem is too large for an exact solution. entry, first: from rt_entries(),
 * or NULL. worst_channel.c */
double rt_worst_of_channel(const struct rt_flows *f, const struct rt_channel *c, const struct rt_entry *entry,
                           const size_t *first, struct rt_shipment **out, size_t *n, bool *exact);
/* Returns an upper bound of the load of a channel under any permutation, not divided by the bandwidth. */
double rt_upper_of_channel(const struct rt_flows *f, const struct rt_channel *c);
/* For routing by a random intermediate switch: finds a permutation in which every pair puts as much load on the channel
 * as the upper bound assumes, so that its load equals the bound (no pair has a loss in the sense of worst_channel.c).
 * The caller owns it. false: there is none. worst_avoid.c */
bool rt_avoid_losses(const struct rt_flows *f, const struct rt_channel *c, struct rt_shipment **out, size_t *n);

#endif
