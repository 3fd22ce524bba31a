/* routing/minimal_adaptive.c - minimal adaptive routing: of the minimal ways the one whose queue is shortest.
 *
 * Where every way that next() offers climbs in the topology's rank of channels (TOPO_VC_HOP, TOPO_VC_GROUPS,
 * TOPO_VC_LEG: in a tree, any of the switches above), it is the one with the least depth, at random among equals, on
 * the VCs of minimal routing, whose proof holds.
 *
 * On a torus or mesh next() offers dimension order only. There any shortest way is taken, with dimension order as the
 * escape. Two sorts of VCs. The last class is adaptive: on it a packet may take any port that leads nearer to its
 * destination; route() gives the one with the least depth, at random among equals. No packet waits for such a channel:
 * without credits there at once it turns to the escape, the classes of dimension order with datelines (routing/vc.h).
 * From there it may go on adaptively at the next switch.
 *
 * Why no deadlock. What packets wait for are escape channels only. A packet in one waits for another that is higher
 * in (dimension, VC, hops from the dateline): it is there because all lower dimensions are done, and minimal hops,
 * adaptive ones too, do not undo that. One that has crossed a dateline adaptively and comes to the escape later begins
 * on VC 0 behind the dateline and does not cross it again. A packet in an adaptive channel waits for escape channels
 * and nothing waits for it, so it closes no cycle. With buffers of whole packets a packet holds one buffer while it
 * waits, so these are all dependencies (Duato, IEEE TPDS 7(8), 1996). In BookSim 2's min_adapt_mesh a packet stays in
 * the escape once it is there. */
#include "routing/candidate.h"

#define MINADAPT_PORTS 64u /* two for each of a torus' 32 dimensions */

struct minadapt_params {
	int estimate;
};

struct minadapt {
	struct rt_common common; /* first */
	uint8_t adaptive;        /* VC */
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

/* The ports that lead nearer to `to`; of several the cheapest, all if it is a proof. */
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
	base_checkf(n > 0 && n <= MINADAPT_PORTS, "%u ways from switch %u to %u", n, env->here, to);
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
	packet->route |= SW_ROUTE_DECIDED; /* nothing depends on its source */
	packet->vc = m->adaptive;
	return (struct rt_decision){ .port = out[rt_pick(env, packet, n)], .slack = RT_MAY_TURN };
}

/* Of the n ports in `out` those with the least depth, all if it is a proof; returns how many. */
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
	packet->route |= SW_ROUTE_DECIDED; /* nothing depends on its source */
	if (n > 1)
		n = shallowest(env, out, n);
	return rt_take(rt, c, env, packet, out[rt_pick(env, packet, n)], RT_LEG_MINIMAL);
}

static struct rt_decision turn(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct minadapt *m = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (packet->vc == m->adaptive)
		packet->vc = 0; /* comes to the escape here */
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
	.kind = "routing",
	.name = "minimal-adaptive",
	.summary =
	    "a minimal way by the local queues; torus and mesh: any shortest one, dimension order rather than wait",
	.source = "Duato, IEEE TPDS 7(8), 1996; Dally & Towles 2004, sections 11.1 and 14.3",
	.params = params,
	.params_bytes = sizeof(struct minadapt_params),
	.ops = &ops,
};
