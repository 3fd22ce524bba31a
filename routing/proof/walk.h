/* routing/proof/walk.h - walks a routing function through all outcomes of its choices, state by state, and records its
 * channel dependencies.
 *
 * A state is a packet at a switch, reduced to the fields that route() depends on. Packets with equal fields are one
 * state, regardless of their origin, which makes enumeration affordable. ops->legs promises which fields matter;
 * without a promise all do. */
#ifndef ROUTING_WALK_H
#define ROUTING_WALK_H

#include "routing/proof/cdg.h"

#define RT_NOWHERE UINT32_MAX

struct rt_state {
	topo_switch here;
	topo_port in_port;
	topo_switch via;
	topo_switch src; /* RT_NOWHERE when it no longer matters */
	uint8_t vc, route;
	uint8_t hops; /* 0 when it no longer matters */
	uint8_t zero;
};

/* A set of states, numbered from 0 in order of insertion. All-zero is an empty set. */
struct rt_state_set {
	struct rt_state *v;
	uint32_t n, cap;
	uint32_t *slot;
	uint32_t capacity;
};

/* Inserts `state` into the set unless it is there. Returns its number; *fresh: it was not there before. */
uint32_t rt_state_add(struct rt_state_set *set, const struct rt_state *state, bool *fresh);
void rt_state_free(struct rt_state_set *set);

/* Writes "routing "NAME"", for error messages. If only the topology comes from a shared object, the text names the
 * topology as well, as it may be the cause. */
void rt_suspects(const struct rt *rt, char *out, size_t size);

/* The state of a non-minimal packet that has just left the switch that decided its route. */
struct rt_seed {
	struct rt_state at; /* its current state; src: its source */
	uint8_t hops;       /* so far */
};

struct rt_walk_node {
	uint32_t first, n;  /* successors, in walk.next */
	uint16_t remaining; /* maximum hops from here to the end of the walk */
	bool done;
	bool turns; /* RT_WALK_FIRST_LEG: has reached its intermediate */
};

enum rt_walk_mode {
	RT_WALK_ALL,       /* to the destination */
	RT_WALK_DECIDING,  /* minimal packets to the destination; diverted ones are added to walk.seed */
	RT_WALK_FIRST_LEG, /* to the intermediate; the destination is a placeholder */
};

struct rt_walk {
	const struct rt *rt;
	uint32_t vcs;
	enum rt_legs legs;
	struct rt_cdg *cdg; /* may be NULL: dependencies are not recorded */
	struct base_errors *errors;
	bool check_vc; /* a VC beyond rt->vcs is an error of the routing */
	enum rt_walk_mode mode;
	topo_switch dst;
	topo_switch other;        /* RT_WALK_FIRST_LEG: a second placeholder, which must make no difference */
	uint32_t narrow;          /* as rt_oracle.narrow, in every mode */
	struct rt_state_set wide; /* deciding states whose intermediates have all been tried ... */
	uint32_t *wide_class;     /* ... once for a destination in this class, or RT_NOWHERE: for two classes */
	uint64_t calls;           /* of route() */

	struct rt_state_set states;
	struct rt_walk_node *node;
	uint32_t nodes_cap;
	uint32_t *next;
	uint32_t next_n, next_cap;
	uint32_t *order; /* nodes, each after all its successors */
	uint32_t order_n;
	struct rt_seed *seed;
	size_t seeds, seeds_cap;
};

void rt_walk_free(struct rt_walk *walk);
/* Starts a new walk: removes all states, but not the seeds, and sets mode and destination. */
void rt_walk_start(struct rt_walk *walk, enum rt_walk_mode mode, topo_switch dst);
/* Walks from a state through all outcomes to all ends of routes. Returns the number of the state; RT_NOWHERE, with an
 * error, if the routing misbehaves: if it ejects a packet at a wrong switch, leads in circles, takes more than
 * rt->max_hops, or uses more VCs than rt->vcs. Cost: O(new states). */
uint32_t rt_walk_from(struct rt_walk *walk, const struct rt_state *state);
/* The state of a packet that was just injected at switch `src`. */
struct rt_state rt_walk_source(topo_switch src);

/* Returns the number of the switch or, if intermediates are groups, of its group: source, intermediate and destination
 * of a route must differ in it. */
uint32_t rt_walk_class(const struct rt_walk *walk, topo_switch s);

#endif
