/* routing/minimal.c - the topology's own minimal routing: Slim Fly at most two hops, dragonfly local-global-local,
 * torus dimension order; a random one of equally good ports.
 *
 * On a torus, `deadlock = "bubble"` replaces the datelines. With one VC the channel-dependency graph has cycles, one in
 * every unidirectional ring, and no other: dimension order makes the rings themselves a partial order. A packet
 * that enters a ring (by injection or by a turn) needs room for itself and one packet more in the buffer that
 * it enters, one that goes straight on needs room for itself only. So a ring is never full, some packet in it
 * always moves on, and rings drain in dimension order (Carrion, Beivide, Gregorio, Vallejo, HiPC 1997; Puente
 * et al., ICPP 1999). Assumes whole-packet buffers (virtual cut-through or store-and-forward). */
#include "routing/leg.h"

enum { DEADLOCK_DATELINE, DEADLOCK_BUBBLE };

struct minimal_params {
	int deadlock;
};

static const struct base_param params[] = {
	{ .name = "deadlock",
	  .type = BASE_ENUM,
	  .offset = offsetof(struct minimal_params, deadlock),
	  .standard = "dateline",
	  .choices = "dateline|bubble",
	  .help = "torus only: two VCs and a dateline in each ring, or one VC and the bubble rule",
	  .source = "Dally & Seitz, IEEE ToC 1987; Carrion et al., HiPC 1997" },
	{ 0 },
};

static int build(struct rt *rt, struct base_errors *errors)
{
	const struct minimal_params *p = rt->params;
	bool bubble = p->deadlock == DEADLOCK_BUBBLE;
	if (rt_common_build(rt, &(struct rt_shape){ .bubble = bubble }, errors))
		return -1;
	if (bubble)
		rt->proof_note =
		    "bubble rule: the only cycles are the rings themselves, and a packet enters a ring only where "
		    "room for one more packet stays free, so no ring fills up";
	return 0;
}

static struct rt_decision route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	packet->route |= SW_ROUTE_DECIDED;
	return rt_step(rt, rt->impl, env, packet, to, RT_LEG_MINIMAL);
}

static const struct rt_ops ops = {
	.build = build,
	.destroy = rt_common_destroy,
	.route = route,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_one_leg,
};

const struct base_plugin rt_minimal = {
	.kind = "routing",
	.name = "minimal",
	.summary = "the topology's minimal routing; dragonfly: local-global-local; torus: dimension order",
	.source = "Kim et al., ISCA 2008; Besta & Hoefler, SC 2014; Dally & Seitz, IEEE ToC 1987",
	.params = params,
	.params_bytes = sizeof(struct minimal_params),
	.ops = &ops,
};
