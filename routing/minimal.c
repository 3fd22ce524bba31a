/* routing/minimal.c - the topology's own minimal routing: Slim Fly at most two hops, dragonfly local-global-local,
 * torus dimension order; a random one of equally good ports.
 *
 * On a torus, `deadlock = "bubble"` replaces the datelines. With one VC the channel-dependency graph has cycles, one in
 * every unidirectional ring, and no others: dimension order makes the rings a partial order. A packet that enters a
 * ring (by injection or by a turn) needs space for itself and one more packet in the buffer that it enters; a packet
 * that continues straight in the ring needs space for itself only. So a ring is never full, some packet in it can
 * always advance, and rings drain in dimension order (Carrion, Beivide, Gregorio, Vallejo, HiPC 1997; Puente et al.,
 * ICPP 1999). Assumes whole-packet buffers (virtual cut-through or store-and-forward).
 *
 * `deadlock = "partition"` chooses the VC where a packet enters a ring and keeps it within the ring: 1 if its path
 * crosses the dateline, else 0 (BookSim 2's dim_order_torus). A path covers at most half a ring, so on VC 0 no packet
 * crosses the dateline, on VC 1 none passes the opposite side, and neither VC closes a cycle; VC 1 carries more load
 * than with `dateline`. */
#include "routing/leg.h"
#include "routing/vc.h"

enum { DEADLOCK_DATELINE, DEADLOCK_BUBBLE, DEADLOCK_PARTITION };

struct minimal_params {
	int deadlock;
};

static const struct base_param params[] = {
	{ BASE_KEY(ENUM, struct minimal_params, deadlock, "dateline"), .choices = "dateline|bubble|partition",
	  .help = "dateline: two VCs and a dateline in each ring; bubble: one VC and the bubble rule; partition: two "
	          "VCs, chosen when entering a ring",
	  .source = "Dally & Seitz, IEEE ToC 1987; Carrion et al., HiPC 1997" },
	{ 0 },
};

static bool has_rings(const void *values, const void *topo)
{
	(void)values;
	const struct topo *t = topo;
	return t->vc_rule == TOPO_VC_DATELINE && rt_vc_rings(t);
}

static const struct base_condition conditions[] = {
	{ "deadlock", "on a torus with rings of at least four switches", NULL, has_rings },
	{ 0 },
};

static int build_minimal(struct rt *rt, struct base_errors *errors)
{
	const struct minimal_params *p = rt->params;
	bool bubble = p->deadlock == DEADLOCK_BUBBLE;
	if (p->deadlock != DEADLOCK_DATELINE && rt->topo->vc_rule != TOPO_VC_DATELINE)
		return base_errorf(errors, "deadlock", "the %s rule requires complete rings; a %s%s has none",
		                   bubble ? "bubble" : "partition", rt->topo->kind,
		                   rt->topo->reduced ? " without some of its cables" : "");
	if (bubble && rt->topo->parallel)
		return base_errorf(
		    errors, "deadlock",
		    "\"bubble\" counts the free buffers of one ring; with trunk = %u there are several parallel rings",
		    rt->topo->parallel);
	if (rt_common_build(rt, &(struct rt_shape){ .bubble = bubble }, errors))
		return -1;
	if (bubble)
		rt->proof_note = "bubble rule: the only cycles are the rings themselves, and a packet enters a ring "
				 "only if space for one more packet remains free, so no ring fills up";
	return 0;
}

/* Does the path from here by `port` cross the dateline before it leaves the ring? */
static bool crosses(const struct rt *rt, topo_switch here, topo_port port, topo_switch to)
{
	struct topo_hop hop = topo_peer(rt->topo, here, port);
	uint8_t dimension = hop.dimension;
	topo_port out[TOPO_MAX_NEXT];
	while (!hop.dateline) {
		if (hop.to == to || rt->topo->ops->next(rt->topo, hop.to, to, 0, out) == 0)
			return false;
		here = hop.to;
		hop = topo_peer(rt->topo, here, out[0]);
		if (hop.dimension != dimension)
			return false;
	}
	return true;
}

/* The VC of the partition rule; `before`: the VC of the input buffer. */
static uint8_t partition_vc(const struct rt *rt, const struct rt_env *env, topo_port port, topo_switch to,
                            uint8_t before)
{
	const struct rt_common *c = rt->impl;
	uint8_t dimension = rt_port_kind(rt, c, env->here, port).dimension;
	if (!(c->rings >> (dimension & 63) & 1))
		return 0;
	if (env->in_port != RT_FROM_ENDPOINT && rt_port_kind(rt, c, env->here, env->in_port).dimension == dimension)
		return before;
	return crosses(rt, env->here, port, to);
}

static bool partitions(const struct rt *rt)
{
	return ((const struct minimal_params *)rt->params)->deadlock == DEADLOCK_PARTITION;
}

static struct rt_decision route_minimal(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	uint8_t before = packet->vc;
	packet->route |= SW_ROUTE_DECIDED;
	struct rt_decision decision =
	    rt_step(rt, rt->impl, env, packet, to, RT_LEG_MINIMAL); /* all that rt_go_on() would do */
	if (partitions(rt))
		packet->vc = partition_vc(rt, env, decision.port, to, before);
	return decision;
}

static bool goes_on(const struct rt *rt)
{
	return !partitions(rt);
}

static const struct rt_ops ops = {
	.build = build_minimal,
	.destroy = rt_common_destroy,
	.route = route_minimal,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_one_leg,
	.goes_on = goes_on,
};

const struct base_plugin rt_minimal = {
	BASE_DESCRIBE("routing", "minimal", params, struct minimal_params, &ops),
	.summary = "the topology's minimal routing; dragonfly: local-global-local; torus: dimension order",
	.source = "Kim et al., ISCA 2008; Besta & Hoefler, SC 2014; Dally & Seitz, IEEE ToC 1987",
	.conditions = conditions,
};
