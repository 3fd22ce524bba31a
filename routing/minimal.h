/* routing/minimal.h - one hop of minimal routing, inline: network/lp.c asks for the way of every packet ahead of its event. */
#ifndef ROUTING_MINIMAL_H
#define ROUTING_MINIMAL_H

#include "routing/leg.h"

/* Is rt_minimal_hop() all that this routing's ops->route does? */
bool rt_is_minimal_hop(const struct rt *rt);

static inline struct rt_decision rt_minimal_hop(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	if (env->here == to)
		return (struct rt_decision){ .port = RT_EJECT };
	packet->route |= SW_ROUTE_DECIDED;
	return rt_step(rt, rt->impl, env, packet, to, RT_LEG_MINIMAL);
}

#endif
