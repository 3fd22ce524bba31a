/* routing/minimal_adaptive.c - minimal adaptive routing: chooses the minimal path with the shortest queue.
 *
 * If every port that next() offers climbs in the topology's rank of channels (rules TOPO_VC_HOP, TOPO_VC_GROUPS and
 * TOPO_VC_LEG; in a tree these are the ports to all switches above), the port with the least depth is taken, at random
 * among equals, on the VCs of minimal routing, whose deadlock proof applies.
 *
 * On a torus or mesh next() offers dimension order only. There a packet may take any shortest path, with dimension
 * order as the escape path, on two kinds of VCs. The last VC is adaptive: on it a packet may take any port that leads
 * nearer to its destination; route() gives the one with the least depth, at random among equals. No packet waits for an
 * adaptive channel: if it has no credits there, it immediately takes the escape path on the VCs of dimension order with
 * datelines (routing/vc.h). At the next switch it may continue adaptively.
 *
 * Deadlock freedom: packets wait for escape channels only. A packet in an escape channel waits for another one that is
 * higher in (dimension, VC, hops from the dateline), because it has finished all lower dimensions, and minimal hops,
 * including adaptive ones, do not undo that. A packet that has crossed a dateline adaptively and takes the escape later
 * starts on VC 0 after the dateline and does not cross it again. A packet in an adaptive channel waits for escape
 * channels, and no packet waits for an adaptive channel, so adaptive channels close no cycle. As buffers hold whole
 * packets, a waiting packet holds one buffer only, so there are no other dependencies (Duato, IEEE TPDS 7(8), 1996).
 * (In BookSim 2's min_adapt_mesh a packet stays in the escape VCs once it has entered them.) */
#include "routing/candidate.h"

#define MINADAPT_PORTS 64u /* two for each of a torus' 32 dimensions */

struct minadapt_params {
	int estimate;
};

struct minadapt {
	struct rt_common common; /* first */
	uint8_t adaptive;        /* number of the adaptive VC */
};

static const struct base_param params[] = {
	RT_ESTIMATE_PARAM(struct minadapt_params),
	{ 0 },
};

static const struct rt_ops ops_without_turn;

static int build_minimal_adaptive(struct rt *rt, struct base_errors *errors)
{
	const struct minadapt_params *p = rt->params;
	rt->by_credits = p->estimate == RT_BY_CREDITS;
	if (rt->topo->vc_rule != TOPO_VC_DATELINE) {
		rt->ops = &ops_without_turn;
		return rt_common_build(rt, &(struct rt_shape){ .bytes = sizeof(struct minadapt) }, errors);
	}
	if (rt_common_build(rt, &(struct rt_shape){ .bytes = sizeof(struct minadapt) }, errors))
		return -1;
	struct minadapt *m = rt->impl;
	m->adaptive = (uint8_t)rt->vcs++;
	return 0;
}

/* The ports that lead nearer to `to`; among several the one with the least depth, in a proof all. */
static uint32_t nearer(const struct rt *rt, const struct rt_env *env, topo_switch to, topo_port *out)
{
	const struct topo *topo = rt->topo;
	unsigned far = rt_distance(rt, rt->impl, env->here, to);
	uint64_t least = UINT64_MAX;
	uint32_t n = 0;
	for (topo_port p = 0, ports = topo_ports(topo, env->here); p < ports; p++) {
		if (rt_distance(rt, rt->impl, topo_peer(topo, env->here, p).to, to) >= far)
			continue;
		uint64_t depth = env->oracle ? 0 : env->queue_bytes(env->sw, p, env->now);
		if (depth < least)
			n = 0;
		if (depth <= least)
			out[n++] = p;
		least = depth < least ? depth : least;
	}
	base_checkf(n > 0 && n <= MINADAPT_PORTS, "%u minimal ports from switch %u to %u", n, env->here, to);
	return n;
}

static struct rt_decision route_minimal_adaptive(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct minadapt *m = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	topo_port out[MINADAPT_PORTS];
	uint32_t n = nearer(rt, env, to, out);
	packet->route |= SW_ROUTE_DECIDED; /* the route no longer depends on its source */
	packet->vc = m->adaptive;
	return (struct rt_decision){ .port = out[rt_pick(env, packet, n)], .slack = RT_MAY_TURN };
}

/* Keeps the ports of the n in `out` with the least depth, in a proof all; returns their number. */
static uint32_t shallowest(const struct rt_env *env, topo_port *out, uint32_t n)
{
	uint64_t least = UINT64_MAX;
	uint32_t kept = 0;
	if (env->oracle)
		return n;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t depth = env->queue_bytes(env->sw, out[i], env->now);
		if (depth < least)
			kept = 0;
		if (depth <= least)
			out[kept++] = out[i];
		least = depth < least ? depth : least;
	}
	return kept;
}

static struct rt_decision route_climbing(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_common *c = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	topo_port out[TOPO_MAX_NEXT];
	uint32_t n = (uint32_t)rt->topo->ops->next(rt->topo, env->here, to, packet->route >> SW_ROUTE_LEG_SHIFT, out);
	packet->route |= SW_ROUTE_DECIDED; /* the route no longer depends on its source */
	if (n > 1)
		n = shallowest(env, out, n);
	return rt_take(rt, c, env, packet, out[rt_pick(env, packet, n)], RT_LEG_MINIMAL);
}

static struct rt_decision turn(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct minadapt *m = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (packet->vc == m->adaptive)
		packet->vc = 0; /* enters the escape here */
	return rt_step(rt, &m->common, env, packet, to, RT_LEG_MINIMAL);
}

static const struct rt_ops ops = {
	.build = build_minimal_adaptive,
	.destroy = rt_common_destroy,
	.route = route_minimal_adaptive,
	.turn = turn,
	.wants_queues = true,
	.legs = rt_common_one_leg,
};

static const struct rt_ops ops_without_turn = {
	.build = build_minimal_adaptive,
	.destroy = rt_common_destroy,
	.route = route_climbing,
	.wants_queues = true,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_one_leg,
};

const struct base_plugin rt_minimal_adaptive = {
	BASE_DESCRIBE("routing", "minimal-adaptive", params, struct minadapt_params, &ops),
	.summary = "the minimal path with the shortest local queue; torus and mesh: any shortest path, or dimension "
		   "order instead of waiting",
	.source = "Duato, IEEE TPDS 7(8), 1996; Dally & Towles 2004, sections 11.1 and 14.3",
};
