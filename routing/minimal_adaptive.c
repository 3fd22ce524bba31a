/* routing/minimal_adaptive.c - minimal adaptive routing on a torus or mesh: any shortest way, by queues, with dimension
 * order as the escape.
 *
 * Two sorts of VCs. The last class is adaptive: on it a packet may take any port that leads nearer to its destination;
 * route() gives the one with the least depth, at random among equals. No packet waits for such a channel: without
 * credits there at once it turns to the escape, the classes of dimension order with datelines (routing/vc.h). From
 * there it may go on adaptively at the next switch.
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

static int build(struct rt *rt, struct base_errors *errors)
{
	const struct minadapt_params *p = rt->params;
	if (rt->topo->vc_rule != TOPO_VC_DATELINE)
		return base_errorf(errors, "kind",
		                   "minimal-adaptive is for tori and meshes; a %s has no dimension order",
		                   rt->topo->kind);
	if (rt_common_build(rt, &(struct rt_shape){ .bytes = sizeof(struct minadapt) }, errors))
		return -1;
	struct minadapt *m = rt->impl;
	m->adaptive = (uint8_t)rt->vcs++;
	rt->by_credits = p->estimate == RT_BY_CREDITS;
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

static struct rt_decision route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
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

static struct rt_decision turn(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct minadapt *m = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (packet->vc == m->adaptive)
		packet->vc = 0; /* comes to the escape here */
	return rt_step(rt, &m->common, env, packet, to, RT_LEG_MINIMAL);
}

static const struct rt_ops ops = {
	.build = build,
	.destroy = rt_common_destroy,
	.route = route,
	.turn = turn,
	.wants_queues = true,
	.legs = rt_common_one_leg,
};

const struct base_plugin rt_minimal_adaptive = {
	.kind = "routing",
	.name = "minimal-adaptive",
	.summary = "torus and mesh: any shortest way, by the local queues; dimension order rather than wait",
	.source = "Duato, IEEE TPDS 7(8), 1996; Dally & Towles 2004, section 14.3",
	.params = params,
	.params_bytes = sizeof(struct minadapt_params),
	.ops = &ops,
};
