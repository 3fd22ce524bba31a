/* routing/valiant.c - Valiant's algorithm: minimal to a random intermediate, and minimal from there.
 *
 * via = "switch": the intermediate is any switch but the source's and the destination's. via = "group": it is a random
 * group other than theirs; the second leg starts at the switch where the packet enters that group; traffic within a
 * group is minimal. via = "remote-switch": it is a random switch of a random group other than theirs, so that both legs
 * leave their group; this interpretation gives the bound 31/64 for the 1,056-endpoint dragonfly; with "switch" one
 * intermediate in 17 is in the source's or destination's group. Packets between endpoints of one switch leave at once;
 * if there is no intermediate (two switches, two groups) routes are minimal. A first leg that passes the destination's
 * switch continues, as in Valiant's algorithm. */
#include "routing/leg.h"

struct valiant_params {
	int via;
};

static const struct base_param params[] = {
	{ BASE_KEY(ENUM, struct valiant_params, via, "switch"), .choices = "switch|group|remote-switch",
	  .help = "the intermediate: a random switch, (dragonfly) a random group, or a random switch of a random group",
	  .source = "Kim et al., ISCA 2008, section 4.1" },
	{ 0 },
};

static int build_valiant(struct rt *rt, struct base_errors *errors)
{
	const struct valiant_params *p = rt->params;
	struct rt_shape shape = { .nonminimal = true, .via_group = p->via == 1, .remote_switch = p->via == 2 };
	return rt_common_build(rt, &shape, errors);
}

static struct rt_decision route_valiant(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_common *c = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->in_port == RT_FROM_ENDPOINT && env->here != to) {
		topo_switch via = rt_pick_intermediate(rt, c, env, packet, to);
		if (via != SW_NO_VIA)
			rt_divert(packet, via);
		packet->route |= SW_ROUTE_DECIDED;
	}
	return rt_go_on(rt, c, env, packet, to);
}

static const struct rt_ops ops = {
	.build = build_valiant,
	.destroy = rt_common_destroy,
	.route = route_valiant,
	.vc_climbs = rt_common_vc_climbs,
	.legs = rt_common_legs,
	.goes_on = rt_common_goes_on,
};

const struct base_plugin rt_valiant = {
	BASE_DESCRIBE("routing", "valiant", params, struct valiant_params, &ops),
	.summary = "over a random intermediate switch or group",
	.source = "Valiant, SIAM J. Comput. 11(2), 1982",
};
