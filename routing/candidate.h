/* routing/candidate.h - what adaptive routings compare: candidate routes with their first port and length.
 *
 * A candidate is a minimal route, or a non-minimal one by a random intermediate. Its depth is what the local switch
 * knows about it: the bytes queued for its first port; with published depths or those of neighbours, the
 * following switch's too.
 *
 * In a proof (env->oracle) nothing is compared: a comparison may go either way, any number of non-minimal candidates
 * are drawn from the same set, and a candidate that loses leaves no trace; so the outcomes are those of
 * rt_candidate_either(). */
#ifndef ROUTING_CANDIDATE_H
#define ROUTING_CANDIDATE_H

#include "routing/leg.h"

/* What a candidate's depth is measured in: RT_BY_QUEUE bytes queued, RT_BY_CREDITS bytes of credits in use. */
enum rt_estimate { RT_BY_QUEUE, RT_BY_CREDITS };

/* The key of a routing whose parameters, struct `of`, have an int `estimate`. */
#define RT_ESTIMATE_PARAM(of)                                                                                          \
	{                                                                                                              \
		.name = "estimate", .type = BASE_ENUM, .offset = offsetof(of, estimate), .standard = "queue",          \
		.choices = "queue|credits",                                                                            \
		.help = "what a port's depth is: the bytes queued for it, or those sent by it whose credits have not " \
			"come back",                                                                                   \
		.source = "queue: Kim et al., ISCA 2008; credits: BookSim 2, Jiang et al., ISPASS 2013"                \
	}

struct rt_candidate {
	topo_port port;  /* first hop */
	topo_switch via; /* SW_NO_VIA: minimal */
	unsigned hops;   /* from here to the destination's switch */
};

/* The minimal route from here to `to` (here != to), its first port at random among equals. */
struct rt_candidate rt_candidate_minimal(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet,
                                         topo_switch to);

/* A non-minimal route by a random intermediate. Returns false where there is none. With groups, the length
 * is that of the route over the first of several parallel cables. */
bool rt_candidate_any(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                      const struct sw_packet *packet, topo_switch to, struct rt_candidate *out);

/* The same; inline for small networks, whose routes are in tables, at the source switch. */
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

/* Fills `few` with the minimal candidate and n non-minimal ones, as rt_candidate_minimal() and n calls of
 * rt_candidate_nonminimal() would give them, at a fraction of the price. Returns false where only those can do it: the
 * network is not small, the routing draws by group, a port is to be chosen among equals, or it is a proof. */
static inline bool rt_candidates_few(const struct rt_common *c, const struct rt_env *env,
                                     const struct sw_packet *packet, topo_switch to, uint32_t n, struct rt_few *few)
{
	topo_switch here = env->here;
	if (!c->in_bytes || env->in_port != RT_FROM_ENDPOINT || here == to || n >= RT_FEW || env->oracle)
		return false;
	const uint8_t *only = c->only + (size_t)here * c->only_row, *far_here = c->far + (size_t)here * c->far_row,
		      *far_to = c->far + (size_t)to * c->far_row;
	uint32_t vias = c->vias - 2, choices = only[to] >= c->equals_at, word[SIM_DRAWS];
	sim_draw_each(env->seed, packet->src, packet->seq, SIM_DRAW_ROUTE, rt_draw_sub(env, packet), word);
	few->n = n + 1;
	few->port[0] = only[to];
	few->via[0] = SW_NO_VIA;
	few->hops[0] = far_here[to];
	for (uint32_t i = 0; i < n; i++) {
		topo_switch via = rt_except(sim_below(word[i], vias), here, to);
		few->port[i + 1] = only[via];
		few->via[i + 1] = via;
		few->hops[i + 1] = (uint32_t)far_here[via] + far_to[via];
		choices += only[via] >= c->equals_at;
	}
	return choices == 0;
}

/* Bytes queued here for the candidate's first port, or credits of it in use: see rt.by_credits. */
static inline uint64_t rt_candidate_depth(const struct rt_env *env, const struct rt_candidate *candidate)
{
	return env->queue_bytes(env->sw, candidate->port, env->now);
}

/* The same plus, where it can be known, what the following switch of the route had queued for its next hop when it last
 * published: where that switch is in the group of env->here, or, in topologies without groups, always. The mean
 * over equally good ports. `to`: the destination's switch. Calls env->published_bytes. */
uint64_t rt_candidate_depth_global(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                   const struct sw_packet *packet, const struct rt_candidate *candidate,
                                   topo_switch to);

/* What the following switch of the route, wherever it is, had queued for its next hop when it last reported to this one
 * (ops->wants_neighbours). The mean over equally good ports. Calls env->neighbour_bytes. */
uint64_t rt_candidate_depth_beyond(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                   const struct sw_packet *packet, const struct rt_candidate *candidate,
                                   topo_switch to);

/* In a proof: a minimal or a non-minimal candidate, as the oracle says. */
struct rt_candidate rt_candidate_either(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                        const struct sw_packet *packet, topo_switch to);

/* Takes a candidate's first hop. `final`: a minimal choice may not be changed later. */
struct rt_decision rt_candidate_take(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                     struct sw_packet *packet, const struct rt_candidate *candidate, bool final);

#endif
