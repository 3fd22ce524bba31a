/* routing/leg.h - one hop of one leg, the building block of every built-in routing.
 *
 * A route is one leg (minimal: source to destination) or two (non-minimal: source to an intermediate switch or group,
 * then to the destination). Along a leg the topology's own minimal routing, topo->ops->next(), picks the port; the
 * topology's VC rule picks the virtual channel (routing/vc.h has the rules and their proof).
 *
 * Invariants that the deadlock prover relies on (ops->legs, routing.h): with SW_ROUTE_DECIDED set, a first leg reads
 * packet->via and never packet->dst; a second leg has via = SW_NO_VIA and reads dst; neither reads packet->src, and
 * packet->hops matters under TOPO_VC_HOP only. */
#ifndef ROUTING_LEG_H
#define ROUTING_LEG_H

#include "base/select.h"
#include "routing/routing.h"

/* Kind of a port number, if it is the same at every switch; this saves a call of peer() at every hop. */
struct rt_port_kind {
	bool global;       /* leads to another group */
	uint8_t dimension; /* torus: which ring; grid groups: rows 0, columns 1 */
};

#define RT_CHOICE 0xffu
#define RT_RING_DATELINE 0x80u
#define RT_EQUALS 14u
#define RT_AXES 8u

/* Equally good ports, one of which is drawn: either consecutive ones, as the topology's run() gives them, or a list, as
 * next() does. */
struct rt_equals {
	uint8_t n;
	bool run;                /* port[0] and the n - 1 after it */
	uint8_t port[RT_EQUALS]; /* [n] */
};

extern size_t rt_only_bytes; /* maximum size of rt_common.only; tests change it */

enum rt_leg { RT_LEG_MINIMAL, RT_LEG_FIRST, RT_LEG_SECOND };

/* The common state of the built-in routings, which is the first member of the `impl` struct of each of them. */
struct rt_common {
	enum topo_vc_rule rule;
	bool via_group;    /* intermediates are groups; LEG: never, a leg ends at a switch with endpoints */
	bool by_group;     /* an intermediate is drawn in two steps: a group other than those of source and destination,
	                      then a switch of that group */
	bool bubble;       /* torus: the bubble rule in place of datelines */
	bool grid;         /* GROUPS: local hops have dimensions, which increase along a leg */
	uint8_t leg_vc[3]; /* DATELINE, LEG: first VC of each enum rt_leg; of the minimal one 0 */
	uint64_t rings;    /* DATELINE: bit d: the rings of dimension d have a wrap cable and 4 switches or more */
	struct rt_port_kind *port; /* [max_ports], or NULL when ports differ between switches; owned */
	uint8_t *only;     /* [switches][only_row] output port towards a switch with endpoints, if next() gives a single
	                      one; if it gives several, equals_at + an index of `equals`, or RT_CHOICE if they do not fit
	                      there; 0 for the switch itself. NULL: the table would be slower than next(). Owned */
	size_t only_later; /* offset in `only` of the same table for all hops of a leg except the first; 0: `only` holds
	                      for them, too */
	uint32_t only_row, equals_at;
	/* Smaller tables that replace `only` if it would be too large and the topology is `ordered`; owned. place:
	 * [switches] coordinates, one byte per dimension, the first dimension in the lowest byte. toward[toward_at[d] +
	 * a * size + b]: an entry as in `only`, from coordinate a to coordinate b of dimension d. NULL: not used. */
	uint64_t *place;
	uint8_t *toward;
	struct rt_toward {
		uint32_t toward_at, size;
	} axis[RT_AXES];
	bool one_way;      /* `only` exists and has no choices: all packets between two switches take the same path */
	bool only_decides; /* at most a quarter of the entries, for later hops, are RT_CHOICE */
	struct rt_equals *equals; /* [up to RT_CHOICE - equals_at], each once; owned */
	uint8_t *far; /* [switches][far_row bytes] distance() in hops, for routings that compare lengths: 1 << far_shift
	                 entries per byte. NULL: there are too many switches, or distances are too large. Owned */
	uint32_t far_row;
	uint8_t far_shift;  /* 0: entries of eight bits, 1: of four, 2: of two. Only if every switch has endpoints */
	bool far_both_ways; /* distance() is symmetric */
	bool in_bytes; /* true: `far` has one byte per entry and is symmetric, `only` exists, and any third switch may
	                  be an intermediate */
	/* With DATELINE: [switches][max_ports] the port's dimension, plus RT_RING_DATELINE if its link crosses the
	 * dateline and `rings` has the dimension. NULL: the table would be too large. Owned. */
	uint8_t *ring;
	uint32_t *group;           /* via_group, with `only`: [switches]; owned */
	uint32_t vias;             /* number of possible intermediates: switches or, with via_group, groups */
	topo_switch *via_switch;   /* [vias] those with endpoints, or NULL: all; owned */
	uint32_t *group_first;     /* via_group: [vias + 1] into group_member; owned */
	topo_switch *group_member; /* switches with endpoints, by group; owned */
};

/* Which kinds of routes a routing uses: the input of rt_common_build(). */
struct rt_shape {
	bool nonminimal; /* may use an intermediate */
	bool via_group;
	bool remote_switch; /* intermediates are switches outside the source's and destination's groups */
	bool reroutes;      /* PAR: may become non-minimal after the source switch */
	bool bubble;        /* only on topologies made of rings */
	bool other_ports;   /* ports are not those of next(): no tables of them */
	size_t bytes;       /* size of the impl struct, whose first member is a struct rt_common; 0: just that */
};

/* Allocates rt->impl, and fills its struct rt_common, rt->vcs and rt->max_hops. It is an error if via = "group" on a
 * topology without groups, or if routes are longer than 255 hops. Cost: O(links). */
int rt_common_build(struct rt *rt, const struct rt_shape *shape, struct base_errors *errors);
/* Frees the common state. It also serves as ops->destroy of routings that allocate nothing else. */
void rt_common_destroy(struct rt *rt);

/* Implementations of ops->vc_climbs, ops->goes_on and ops->legs for the built-in routings. */
bool rt_common_vc_climbs(const struct rt *rt);
bool rt_common_goes_on(const struct rt *rt);
enum rt_legs rt_common_legs(const struct rt *rt);
enum rt_legs rt_common_one_leg(const struct rt *rt);

static inline struct rt_port_kind rt_port_kind(const struct rt *rt, const struct rt_common *c, topo_switch s,
                                               topo_port port)
{
	if (c->port)
		return c->port[port];
	struct topo_hop hop = topo_peer(rt->topo, s, port);
	return (struct rt_port_kind){ topo_group(rt->topo, s) != topo_group(rt->topo, hop.to), hop.dimension };
}

/* Sets the VC by the rule TOPO_VC_GROUPS: it increases by one after every global hop, and between two consecutive local
 * hops unless the second one is in a higher dimension. */
static inline void rt_vc_groups(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                struct sw_packet *packet, topo_port port)
{
	struct rt_port_kind out = rt_port_kind(rt, c, env->here, port);
	if (env->in_port != RT_FROM_ENDPOINT) {
		bool last_local = packet->route & SW_ROUTE_LAST_LOCAL;
		bool climbs =
		    out.global || (c->grid && out.dimension > rt_port_kind(rt, c, env->here, env->in_port).dimension);
		packet->vc = (uint8_t)(packet->vc + !(last_local && climbs));
	}
	packet->route = (uint8_t)((packet->route & ~SW_ROUTE_LAST_LOCAL) | (out.global ? 0 : SW_ROUTE_LAST_LOCAL));
}

/* Returns the ring (dimension) of a torus port, with the flag RT_RING_DATELINE if its link crosses the dateline. */
static inline uint8_t rt_ring(const struct rt *rt, const struct rt_common *c, topo_switch s, topo_port port)
{
	if (c->ring)
		return c->ring[(size_t)s * rt->topo->max_ports + port];
	struct topo_hop hop = topo_peer(rt->topo, s, port);
	return (uint8_t)((hop.dimension & 63) | (hop.dateline ? RT_RING_DATELINE : 0));
}

/* The value of in_port with which rt_way_ahead() must be called for a packet from an endpoint. */
static inline uint32_t rt_in_from_endpoint(bool one_leg, enum topo_vc_rule rule)
{
	return one_leg && rule == TOPO_VC_DATELINE ? 0 : RT_FROM_ENDPOINT;
}

/* Returns the same VC as rt_vc_dateline(), from the table c->ring. It needs no special case for dimensions without a
 * dateline: there no port has the flag, so no packet that continues straight is above its leg's first VC. `one_leg`
 * must be a compile-time constant; if it is set, the in_port of a packet from an endpoint does not matter, because the
 * packet is on VC 0, the first VC of a single leg. */
static inline uint32_t rt_vc_in_tables(const struct rt *rt, const struct rt_common *c, topo_switch here,
                                       uint32_t in_port, uint32_t before, topo_port port, uint32_t base, bool one_leg)
{
	const uint8_t *ring = c->ring + (size_t)here * rt->topo->max_ports;
	uint32_t out = ring[port], above = before > base, enters = 0;
	if (one_leg) {
		base_check(in_port < topo_ports(rt->topo, here) && !base && before <= 1);
		above = before;
	} else {
		enters = base_if_equal32(in_port, RT_FROM_ENDPOINT, 1, 0);
		in_port = base_if_equal32(in_port, RT_FROM_ENDPOINT, 0, in_port);
	}
	uint32_t turns = (ring[in_port] ^ out) & (RT_RING_DATELINE - 1);
	return base + (base_if_equal32(turns | enters, 0, above, 0) | out / RT_RING_DATELINE);
}

/* Sets the VC by the rule TOPO_VC_DATELINE: the leg's first VC or, from the hop over the dateline to the end of the
 * ring, the next one. Returns the slack that the bubble rule requires: further packets of the largest size that must
 * fit downstream. */
static inline uint8_t rt_vc_dateline(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                     struct sw_packet *packet, topo_port port, enum rt_leg leg)
{
	uint8_t base = c->leg_vc[leg];
	uint8_t before = packet->vc;
	if (c->ring && !c->bubble) {
		packet->vc = (uint8_t)rt_vc_in_tables(rt, c, env->here, env->in_port, before, port, base, false);
		return 0;
	}
	uint8_t ring = rt_ring(rt, c, env->here, port), dimension = ring & (RT_RING_DATELINE - 1);
	packet->vc = base;
	if (!(c->rings >> dimension & 1))
		return 0;
	bool straight = env->in_port != RT_FROM_ENDPOINT &&
	                (rt_ring(rt, c, env->here, env->in_port) & (RT_RING_DATELINE - 1)) == dimension;
	if (c->bubble)
		return !straight;
	/* If the packet starts a new leg, `before` is at most `base`, so that a crossing of the dateline on the
	 * previous leg has no effect. */
	if (ring & RT_RING_DATELINE || (straight && before > base))
		packet->vc++;
	return 0;
}

/* Sends the packet out by `port`: sets its VC and counts the hop of its leg. */
static inline __attribute__((always_inline)) struct rt_decision rt_take(const struct rt *rt, const struct rt_common *c,
                                                                        const struct rt_env *env,
                                                                        struct sw_packet *packet, topo_port port,
                                                                        enum rt_leg leg)
{
	struct rt_decision decision = { .port = port };
	if (c->rule == TOPO_VC_DATELINE) { /* next() of a torus ignores leg_hops: not counted */
		decision.slack = rt_vc_dateline(rt, c, env, packet, port, leg);
		return decision;
	}
	if (c->rule == TOPO_VC_LEG) {
		packet->vc = c->leg_vc[leg];
		return decision;
	}
	if (c->rule == TOPO_VC_HOP)
		packet->vc = packet->hops;
	else
		rt_vc_groups(rt, c, env, packet, port);
	if (packet->route >> SW_ROUTE_LEG_SHIFT < 15)
		packet->route = (uint8_t)(packet->route + (1 << SW_ROUTE_LEG_SHIFT));
	return decision;
}

/* Returns the result of rt_pick() for a packet with this source, number, job and hops. Not inlined, because a choice
 * among ports is rare where it is called, and the code of the draw is long. */
uint32_t rt_pick_port(struct rt_env *env, uint32_t src, uint32_t seq, uint8_t job, uint8_t hops, uint32_t n);

/* The entry of the table c->only for a pair of switches (see struct rt_common). The table must exist. */
static inline uint8_t rt_only(const struct rt_common *c, topo_switch here, topo_switch to, unsigned leg_hops)
{
	return c->only[(leg_hops ? c->only_later : 0) + (size_t)here * c->only_row + to];
}

/* Draws a port for an entry of the table c->only that refers to several equally good ports. */
static inline topo_port rt_pick_equal(const struct rt_common *c, struct rt_env *env, const struct sw_packet *packet,
                                      uint32_t entry)
{
	const struct rt_equals *e = &c->equals[entry - c->equals_at];
	if (e->run)
		return e->port[0] + rt_pick_quick(env, packet, e->n);
	return e->port[rt_pick_port(env, packet->src, packet->seq, packet->job, packet->hops, e->n)];
}

/* The same, not inlined. */
topo_port rt_pick_listed(const struct rt_common *c, struct rt_env *env, const struct sw_packet *packet, uint32_t entry);

/* Returns a port of the minimal route from here to `to` (here != to), a random one of equally good ports. */
static inline __attribute__((always_inline)) topo_port
rt_next(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet, topo_switch to, unsigned leg_hops)
{
	const struct rt_common *c = rt->impl;
	if (c->only) {
		uint8_t only = rt_only(c, env->here, to, leg_hops);
		if (only != RT_CHOICE)
			return only < c->equals_at ? only : rt_pick_listed(c, env, packet, only);
	}
	if (rt->topo->ops->run) {
		struct topo_run run = rt->topo->ops->run(rt->topo, env->here, to);
		return run.first + rt_pick_quick(env, packet, run.n);
	}
	topo_port out[TOPO_MAX_NEXT];
	int n = rt->topo->ops->next(rt->topo, env->here, to, leg_hops, out);
	return n == 1 ? out[0]
	              : out[rt_pick_port(env, packet->src, packet->seq, packet->job, packet->hops, (uint32_t)n)];
}

/* The distance in hops from a switch, given by its row of the table c->far, to switch `to`. */
static inline unsigned rt_far(const struct rt_common *c, const uint8_t *row, topo_switch to)
{
	unsigned in_byte = to & ((1u << c->far_shift) - 1), bits = 8u >> c->far_shift;
	return (unsigned)row[to >> c->far_shift] >> (in_byte * bits) & ((1u << bits) - 1);
}

static inline unsigned rt_distance(const struct rt *rt, const struct rt_common *c, topo_switch from, topo_switch to)
{
	if (!c->far)
		return rt->topo->ops->distance(rt->topo, from, to);
	return rt_far(c, c->far + (size_t)from * c->far_row, to);
}

/* Returns number x, counted from 0, of the natural numbers other than a and b, for a != b. */
static inline uint32_t rt_except(uint32_t x, uint32_t a, uint32_t b)
{
	uint32_t least = a < b ? a : b;
	x += x >= least;
	return x + (x >= (a ^ b ^ least));
}

/* Draws a number below `total` other than a and b, which differ and are below `total`; `total` must be above 2. */
static inline uint32_t rt_pick_except(struct rt_env *env, const struct sw_packet *packet, uint32_t total, uint32_t a,
                                      uint32_t b)
{
	return rt_except(rt_pick_via(env, packet, total - 2), a, b);
}

/* Routes the packet one hop towards switch `to`. */
static inline __attribute__((always_inline)) struct rt_decision rt_step(const struct rt *rt, const struct rt_common *c,
                                                                        struct rt_env *env, struct sw_packet *packet,
                                                                        topo_switch to, enum rt_leg leg)
{
	topo_port port = rt_next(rt, env, packet, to, packet->route >> SW_ROUTE_LEG_SHIFT);
	return rt_take(rt, c, env, packet, port, leg);
}

/* Has a packet on its first leg reached its intermediate switch or group? */
static inline bool rt_at_via(const struct rt *rt, const struct rt_common *c, topo_switch here, topo_switch via)
{
	return here == via || (c->via_group && topo_group(rt->topo, here) == topo_group(rt->topo, via));
}

/* Computes the next hop of a packet whose kind of route is decided: to its intermediate, from there to `to`, and there
 * to the endpoint. */
static inline struct rt_decision rt_go_on(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                          struct sw_packet *packet, topo_switch to)
{
	enum rt_leg leg = packet->route & SW_ROUTE_NONMINIMAL ? RT_LEG_SECOND : RT_LEG_MINIMAL;
	if ((packet->route & (SW_ROUTE_NONMINIMAL | SW_ROUTE_PASSED_VIA)) == SW_ROUTE_NONMINIMAL) {
		if (rt_at_via(rt, c, env->here, packet->via)) {
			packet->route &= (1 << SW_ROUTE_LEG_SHIFT) - 1;
			packet->route |= SW_ROUTE_PASSED_VIA;
			packet->via = SW_NO_VIA;
		} else {
			leg = RT_LEG_FIRST;
			to = packet->via;
		}
	}
	if (env->here == to) /* not at its intermediate, or at_via would be set */
		return (struct rt_decision){ .port = RT_EJECT };
	return rt_step(rt, c, env, packet, to, leg);
}

/* Where rt_way_ahead() finds a port: in c->only, in c->place and c->toward, or by asking the topology. */
enum rt_lookup { RT_LOOKUP_NONE, RT_LOOKUP_PAIR, RT_LOOKUP_AXES, RT_LOOKUP_TOPOLOGY };

struct rt_way {
	bool unknown;       /* call rt_go_on() instead: the other members are not valid */
	topo_port port;     /* or RT_EJECT */
	uint32_t vc, route; /* of the packet after the hop, unless it is ejected */
};

/* Returns where rt_way_ahead() has to find ports. RT_LOOKUP_NONE: it must not be called for this routing. */
static inline enum rt_lookup rt_lookup_of(const struct rt *rt)
{
	const struct rt_common *c = rt->impl;
	if (c->bubble || rt->topo->endpoint_first || (c->rule == TOPO_VC_DATELINE && !c->ring) ||
	    (c->rule == TOPO_VC_GROUPS && !c->port))
		return RT_LOOKUP_NONE;
	return c->only_decides                           ? RT_LOOKUP_PAIR
	       : c->place && c->rule == TOPO_VC_DATELINE ? RT_LOOKUP_AXES
	                                                 : RT_LOOKUP_TOPOLOGY;
}

/* Do all packets between two switches take the same path? Only for routings with ops->goes_on and one leg. */
static inline bool rt_goes_one_way(const struct rt *rt)
{
	return rt->topo->one_way || ((const struct rt_common *)rt->impl)->one_way;
}

/* Computes the VC of a hop, which it returns, and its flags, with the same result as rt_vc_groups(). */
static inline uint32_t rt_vc_by_groups(const struct rt_common *c, uint32_t in_port, uint32_t before, topo_port port,
                                       uint32_t *route)
{
	struct rt_port_kind out = c->port[port];
	uint32_t climbs = out.global, local = *route / SW_ROUTE_LAST_LOCAL & 1;
	if (c->grid)
		climbs |= out.dimension > c->port[base_if_equal32(in_port, RT_FROM_ENDPOINT, port, in_port)].dimension;
	*route = (*route & ~(uint32_t)SW_ROUTE_LAST_LOCAL) | (out.global ^ 1u) * SW_ROUTE_LAST_LOCAL;
	return before + base_if_equal32(in_port, RT_FROM_ENDPOINT, 0, 1 ^ (local & climbs));
}

/* The entry of the port table c->toward from this switch to switch `to`; 0 if both are the same. */
static inline uint32_t rt_toward(const struct rt_common *c, topo_switch here, topo_switch to)
{
	uint64_t a = c->place[here], b = c->place[to];
	uint32_t bit = (uint32_t)__builtin_ctzll((a ^ b) | UINT64_C(1) << 63) & ~7u;
	const struct rt_toward *x = &c->axis[bit >> 3];
	return c->toward[x->toward_at + (a >> bit & 255) * x->size + (b >> bit & 255)];
}

/* Computes the same hop as rt_go_on(), from tables and with few branches, for a packet with route flags `route` that
 * arrived at switch `here` by in_port and goes to switch `to`. If `draws` is set, it draws from env->seed; otherwise
 * the result is `unknown` if the hop involves a choice. Compile-time constants: `draws`; `one_leg` (every packet has
 * one leg); `rule`, which is c->rule; `by`, which is rt_lookup_of(). in_port: see rt_in_from_endpoint(). */
static inline __attribute__((always_inline)) struct rt_way
rt_way_ahead(const struct rt *rt, const struct rt_common *c, struct rt_env *env, topo_switch here, uint32_t in_port,
             const struct sw_packet *p, uint32_t route, topo_switch to, bool one_leg, enum topo_vc_rule rule,
             enum rt_lookup by, bool draws)
{
	const uint32_t leg = 1u << SW_ROUTE_LEG_SHIFT, kind = SW_ROUTE_NONMINIMAL | SW_ROUTE_PASSED_VIA;
	topo_switch target = to;
	if (!one_leg) {
		uint32_t second = (route & kind) ^ SW_ROUTE_NONMINIMAL, away = second | (p->via ^ here);
		if (c->via_group) {
			const uint32_t *group = c->group;
			topo_switch via = base_if_equal32(second, 0, p->via, here);
			away = second | (group ? group[via] ^ group[here]
			                       : topo_group(rt->topo, via) ^ topo_group(rt->topo, here));
		}
		target = base_if_equal32(second, 0, p->via, to);
		target = base_if_equal32(away, 0, to, target); /* away = 0: the second leg starts here */
		route = base_if_equal32(away, 0, (route & (leg - 1)) | SW_ROUTE_PASSED_VIA, route);
	}
	uint32_t port = 0, vc = p->hops;
	if (by == RT_LOOKUP_TOPOLOGY) {
		env->drawn = 0;
		env->here = here;
		if (target != here)
			port = rt_next(rt, env, p, target, route >> SW_ROUTE_LEG_SHIFT);
	} else {
		port = by == RT_LOOKUP_AXES
		           ? rt_toward(c, here, target)
		           : rt_only(c, here, target, rule == TOPO_VC_GROUPS ? route >> SW_ROUTE_LEG_SHIFT : 0);
		if (port >= (draws ? RT_CHOICE : c->equals_at))
			return (struct rt_way){ .unknown = true };
		if (draws && port >= c->equals_at) {
			env->drawn = 0;
			port = rt_pick_equal(c, env, p, port);
		}
	}
	if (rule == TOPO_VC_GROUPS)
		vc = rt_vc_by_groups(c, in_port, p->vc, port, &route);
	if (rule == TOPO_VC_HOP || rule == TOPO_VC_GROUPS) {
		route += (uint32_t)(route < 15 * leg) << SW_ROUTE_LEG_SHIFT;
	} else {
		uint32_t first = base_if_equal32(route & kind, SW_ROUTE_NONMINIMAL, RT_LEG_FIRST, RT_LEG_SECOND);
		vc = one_leg ? 0 : c->leg_vc[base_if_equal32(route & kind, 0, RT_LEG_MINIMAL, first)];
		if (rule == TOPO_VC_DATELINE)
			vc = rt_vc_in_tables(rt, c, here, in_port, p->vc, port, vc, one_leg);
	}
	return (struct rt_way){ .port = base_if_equal32(target, here, RT_EJECT, port), .vc = vc, .route = route };
}

/* Draws an intermediate for a packet at env->here to switch `to`. It is never the switch (with via_group: never in the
 * group) of the packet's source, of `to`, or of env->here. SW_NO_VIA: there is none. With via_group the result is some
 * switch of the drawn group, and the leg ends where it first enters that group. */
topo_switch rt_pick_intermediate(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                 const struct sw_packet *packet, topo_switch to);

/* Draws a number below `total` that differs from the three in `not`; elements of `not` that are `total` or more exclude
 * nothing. UINT32_MAX: there is no such number. */
uint32_t rt_pick_other(struct rt_env *env, const struct sw_packet *packet, uint32_t total, const uint32_t not [3]);
/* Returns the index of a switch in a list in ascending order; UINT32_MAX: it is not in the list. */
uint32_t rt_position(const topo_switch *list, uint32_t n, topo_switch s);

/* Puts a packet on a non-minimal route whose first leg starts here: sets its intermediate switch and its flags. */
static inline void rt_divert(struct sw_packet *packet, topo_switch via)
{
	packet->route &= (1 << SW_ROUTE_LEG_SHIFT) - 1;
	packet->route |= SW_ROUTE_NONMINIMAL | SW_ROUTE_DECIDED;
	packet->via = via;
}

#endif
