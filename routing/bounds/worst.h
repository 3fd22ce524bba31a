/* routing/bounds/worst.h - internal to this folder: the worst permutation channel by channel. */
#ifndef ROUTING_BOUNDS_WORST_H
#define ROUTING_BOUNDS_WORST_H

#include "routing/bounds/assign.h"
#include "routing/bounds/bounds.h"

/* The error text for a topology whose next() or graph leads to no path to a destination. */
#define RT_NO_WAY "the topology's minimal routing does not lead to every switch with endpoints"

/* Entries of group g from switch s: the switches where a first leg to a random switch of g ends, with their
 * probabilities. */
struct rt_entry {
	topo_switch from, at;
	uint32_t group;
	double share;
};
/* All entries, ordered by `at`; first: [switches + 1]. RT_SPREAD_BY_GROUP only. Both owned by the caller. */
struct rt_entry *rt_entries(const struct rt_flows *f, size_t **first);
/* Does traffic from switch s to switch d use an intermediate switch (Valiant)? */
bool rt_goes_by_via(const struct rt_flows *f, topo_switch s, topo_switch d);

/* Load of the flow from s to d on one channel. */
struct rt_pair {
	topo_switch s, d;
	double share;
};

struct rt_pairs {
	struct rt_pair *v;
	size_t n, cap;
};

/* A channel, and all its potential loads: legs from s to d, in order of d. */
struct rt_channel {
	topo_switch at;
	topo_port port;
	double rate;
	struct rt_pairs legs;  /* one-leg and second-leg routes; for RT_SPREAD_BY_SWITCH and _REMOTE also first legs */
	struct rt_pairs first; /* RT_SPREAD_BY_GROUP: first legs towards a random switch d of its group */
	double upper;          /* upper bound of its load under any permutation; divided by its bandwidth */
};

/* Worst permutation for one channel, between switches: *out, *n (assign.h), owned by the caller; returns its load, not
 * divided by the bandwidth. Omitted pairs do not load it. *exact is set to false if the problem is too large. entry,
 * first: from rt_entries(), or NULL. worst_channel.c */
double rt_worst_of_channel(const struct rt_flows *f, const struct rt_channel *c, const struct rt_entry *entry,
                           const size_t *first, struct rt_shipment **out, size_t *n, bool *exact);
/* An upper bound of the load of the flow from s to d on one channel. */
double rt_upper_of_channel(const struct rt_flows *f, const struct rt_channel *c);
/* For routing by a random switch: finds a permutation in which every pair puts as much load on the channel as the
 * upper bound assumes (no pair has a loss, see worst_channel.c); the caller owns it. False: there is none. If there is
 * one, its load equals the upper bound. worst_avoid.c */
bool rt_avoid_losses(const struct rt_flows *f, const struct rt_channel *c, struct rt_shipment **out, size_t *n);

#endif
