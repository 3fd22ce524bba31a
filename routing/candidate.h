/* routing/candidate.h - candidate routes that adaptive routings compare, with their first port and length.
 *
 * A candidate is a minimal route, or a non-minimal one by a random intermediate. Its depth is the congestion known to
 * the local switch: the bytes queued for its first port; with published or neighbours' depths, also those of the next
 * switch.
 *
 * In a proof (env->oracle) depths are not compared: a comparison may have either result, all non-minimal candidates are
 * drawn from the same set, and a losing candidate has no effect, so the possible outcomes are those of
 * rt_candidate_either(). */
#ifndef ROUTING_CANDIDATE_H
#define ROUTING_CANDIDATE_H

#include "routing/leg.h"

/* Measure of a candidate's depth. RT_BY_QUEUE: bytes queued for its first port. RT_BY_CREDITS: bytes sent by that port
 * whose credits have not returned. */
enum rt_estimate { RT_BY_QUEUE, RT_BY_CREDITS };

/* Descriptor of the parameter `estimate` of a routing, whose parameter struct `of` must have a member int estimate. */
#define RT_ESTIMATE_PARAM(of)                                                                                      \
	{                                                                                                          \
		.name = "estimate", .type = BASE_ENUM, .offset = offsetof(of, estimate), .default_value = "queue", \
		.choices = "queue|credits",                                                                        \
		.help = "measure of a port's depth. queue: bytes queued for it; credits: bytes sent by it whose "  \
			"credits have not returned",                                                               \
		.source = "queue: Kim et al., ISCA 2008; credits: BookSim 2, Jiang et al., ISPASS 2013"            \
	}

struct rt_candidate {
	topo_port port;  /* first hop */
	topo_switch via; /* SW_NO_VIA: minimal */
	unsigned hops;   /* from here to the destination's switch */
};

/* Returns the minimal route from env->here to `to` (which differs from env->here), with a random one of its equally
 * good first ports. */
struct rt_candidate rt_candidate_minimal(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet,
                                         topo_switch to);

/* Draws a non-minimal route over a random intermediate. Returns false if there is none. If the intermediate is a group,
 * the route's length is computed with the first of several parallel cables to that group. */
bool rt_candidate_any(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                      const struct sw_packet *packet, topo_switch to, struct rt_candidate *out);

/* Draws a non-minimal candidate as rt_candidate_any() does, but inline: for the source switch in small networks, whose
 * routes are in tables. Otherwise it calls rt_candidate_any(). */
static inline bool rt_candidate_nonminimal(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                           const struct sw_packet *packet, topo_switch to, struct rt_candidate *out)
{
	if (!c->in_bytes || env->in_port != RT_FROM_ENDPOINT || env->here == to)
		return rt_candidate_any(rt, c, env, packet, to, out);
	out->via = rt_pick_except(env, packet, c->vias, env->here, to);
	out->port = rt_next(rt, env, packet, out->via, 0);
	out->hops = rt_distance(rt, c, env->here, out->via) + rt_distance(rt, c, out->via, to);
	return true;
}

/* Fills `candidates` with the minimal one and n non-minimal ones, as rt_candidate_minimal() and n calls of
 * rt_candidate_nonminimal() would, at a fraction of the cost. Returns false if those functions must be called instead:
 * if the network is not small, the routing draws intermediates by group, one of several equally good ports must be
 * drawn, or this is a proof. */
static inline bool rt_candidates_fill(const struct rt_common *c, const struct rt_env *env,
                                      const struct sw_packet *packet, topo_switch to, uint32_t n,
                                      struct rt_candidates *candidates)
{
	topo_switch here = env->here;
	if (!c->in_bytes || env->in_port != RT_FROM_ENDPOINT || here == to || n >= RT_MOST_CANDIDATES || env->oracle)
		return false;
	const uint8_t *only = c->only + (size_t)here * c->only_row, *far_here = c->far + (size_t)here * c->far_row,
		      *far_to = c->far + (size_t)to * c->far_row;
	uint32_t vias = c->vias - 2, choices = only[to] >= c->equals_at, word[SIM_DRAWS];
	sim_draw_each(env->seed, packet->src, packet->seq, SIM_DRAW_ROUTE, rt_draw_sub(env, packet), word);
	candidates->n = n + 1;
	candidates->port[0] = only[to];
	candidates->via[0] = SW_NO_VIA;
	candidates->hops[0] = far_here[to];
	for (uint32_t i = 0; i < n; i++) {
		topo_switch via = rt_except(sim_below(word[i], vias), here, to);
		candidates->port[i + 1] = only[via];
		candidates->via[i + 1] = via;
		candidates->hops[i + 1] = (uint32_t)far_here[via] + far_to[via];
		choices += only[via] >= c->equals_at;
	}
	return choices == 0;
}

/* Bytes queued at this switch for the candidate's first port or, with rt.by_credits, bytes sent by it whose credits
 * have not returned. */
static inline uint64_t rt_candidate_depth(const struct rt_env *env, const struct rt_candidate *candidate)
{
	return env->queue_bytes(env->sw, candidate->port, env->now);
}

/* Bytes queued here for the candidate's first port, plus the bytes that the route's next switch had queued for the
 * route's next hop when it last published its depths, if that switch is in the group of env->here or the topology has
 * no groups. If several ports of the next switch are equally good, the mean over them. `to`: the destination's switch.
 * Calls env->published_bytes. */
uint64_t rt_candidate_depth_global(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                   const struct sw_packet *packet, const struct rt_candidate *candidate,
                                   topo_switch to);

/* Bytes that the route's next switch had queued for the route's next hop when it last reported to this switch
 * (ops->wants_neighbours). If several ports of that switch are equally good, the mean over them. Calls
 * env->neighbour_bytes. */
uint64_t rt_candidate_depth_beyond(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                   const struct sw_packet *packet, const struct rt_candidate *candidate,
                                   topo_switch to);

/* In a proof: returns the minimal or a non-minimal candidate, as the oracle decides. */
struct rt_candidate rt_candidate_either(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                        const struct sw_packet *packet, topo_switch to);

/* Writes minimal candidates with different first ports, starting from a random one; returns their number, at most
 * `most`. hops: the distance, which becomes the length of each. Elements of `out` beyond the returned number are not
 * written. */
static inline uint32_t rt_candidates_minimal(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet,
                                             topo_switch to, unsigned hops, uint32_t most, struct rt_candidate *out)
{
	topo_port port[TOPO_MAX_NEXT];
	uint32_t leg_hops = packet->route >> SW_ROUTE_LEG_SHIFT, count = 0;
	uint32_t n = (uint32_t)rt->topo->ops->next(rt->topo, env->here, to, leg_hops, port);
	for (uint32_t k = 0, at = rt_pick(env, packet, n); k < n && count < most; k++, at++) {
		topo_port next = port[at < n ? at : at - n];
		bool again = false; /* an entry may be repeated */
		for (uint32_t i = 0; i < count; i++)
			again |= out[i].port == next;
		if (!again)
			out[count++] = (struct rt_candidate){ .port = next, .via = SW_NO_VIA, .hops = hops };
	}
	return count;
}

/* Some routings decide again as long as a packet is on a minimal route: until its first global hop or, without groups,
 * at its second switch. If a packet now leaves minimally by `port`, was this its last decision? */
static inline bool rt_is_last_chance(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                     topo_port port)
{
	if (c->rule == TOPO_VC_GROUPS)
		return rt_port_kind(rt, c, env->here, port).global;
	return env->in_port != RT_FROM_ENDPOINT;
}

/* Takes a candidate's first hop: updates the packet and returns the decision. `final`: later switches must not change
 * the choice, even if it is minimal. */
struct rt_decision rt_candidate_take(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                     struct sw_packet *packet, const struct rt_candidate *candidate, bool final);

#endif
