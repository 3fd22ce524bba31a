/* routing/proof/walk.h - walks a routing function through the outcomes of all its choices, state by state, and notes
 * the channel dependencies that it makes.
 *
 * A state is a packet at a switch, as far as route() can tell packets apart. Packets that look alike from here on are
 * one state, wherever they came from: that is what makes enumeration affordable. What looks alike is what ops->legs
 * promises; without a promise every field counts. */
#ifndef ROUTING_WALK_H
#define ROUTING_WALK_H

#include "routing/proof/cdg.h"

#define RT_NOWHERE UINT32_MAX

struct rt_state {
	topo_switch here;
	topo_port in_port;
	topo_switch via;
	topo_switch src; /* RT_NOWHERE once it does not matter */
	uint8_t vc, route;
	uint8_t hops; /* 0 once it does not matter */
	uint8_t zero;
};

/* A set of states, numbered from 0 in order of arrival. All-zero is an empty set. */
struct rt_state_set {
	struct rt_state *v;
	uint32_t n, cap;
	uint32_t *slot;
	uint32_t room;
};

/* The number of `state`; *fresh says whether it is new. */
uint32_t rt_state_add(struct rt_state_set *set, const struct rt_state *state, bool *fresh);
void rt_state_free(struct rt_state_set *set);

/* "routing "NAME"" for messages; where only the topology comes from a shared object, that is named as well. */
void rt_suspects(const struct rt *rt, char *out, size_t room);

/* A non-minimal packet that has just left the switch where that was decided. */
struct rt_seed {
	struct rt_state at; /* where it is now; src: its source */
	uint8_t hops;       /* so far */
};

struct rt_walk_node {
	uint32_t first, n;  /* successors, in walk.next */
	uint16_t remaining; /* most hops from here to the end of the walk */
	bool done;
	bool turns; /* RT_WALK_FIRST_LEG: has reached its intermediate */
};

enum rt_walk_mode {
	RT_WALK_ALL,       /* to the destination */
	RT_WALK_DECIDING,  /* minimal packets to the destination; diverted ones are put into walk.seed */
	RT_WALK_FIRST_LEG, /* to the intermediate; the destination is a stand-in */
};

struct rt_walk {
	const struct rt *rt;
	uint32_t vcs;
	enum rt_legs legs;
	struct rt_cdg *cdg; /* may be NULL: dependencies are not noted */
	struct base_errors *errors;
	bool check_vc; /* a VC beyond rt->vcs is the routing's fault */
	enum rt_walk_mode mode;
	topo_switch dst;
	topo_switch other;        /* RT_WALK_FIRST_LEG: a second stand-in, which must make no difference */
	uint32_t narrow;          /* as rt_oracle.narrow, in every mode */
	struct rt_state_set wide; /* deciding states whose intermediates have all been looked at ... */
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
/* Forgets states, but not seeds; sets mode and destination. */
void rt_walk_start(struct rt_walk *walk, enum rt_walk_mode mode, topo_switch dst);
/* Walks from a state to all ends. Returns its number; RT_NOWHERE, with an error, when the routing misbehaves: ejects at
 * a wrong switch, runs in circles, takes more than rt->max_hops, needs more than rt->vcs. Cost: O(new states). */
uint32_t rt_walk_from(struct rt_walk *walk, const struct rt_state *state);
/* A packet just injected at `src`. */
struct rt_state rt_walk_source(topo_switch src);

/* What must differ between source, intermediate and destination: the switch or the group. */
uint32_t rt_walk_class(const struct rt_walk *walk, topo_switch s);

#endif
