/* network/joined/ahead.h - computes the output of a packet before its arrival event is executed.
 *
 * The functions are inline, for network/joined/, because they run once per packet and switch. */
#ifndef NETWORK_AHEAD_H
#define NETWORK_AHEAD_H

#include "network/net.h"
#include "routing/leg.h"

/* Returns the routing candidates that were computed in advance for a packet; NULL: they have been overwritten by those
 * of later packets. */
static inline const struct rt_candidates *net_foreseen(const struct net *n, uint32_t hint, const struct sw_packet *p)
{
	const struct net_few *f = &n->ahead.few[hint];
	base_checkf(hint < NET_FEW, "hint %u", hint);
	return f->seq == p->seq && f->src == p->src && f->job == p->job ? &f->few : NULL;
}

#define NET_LATER (UINT32_MAX - 2)

/* Returns the output of a packet whose routing was already decided, and updates *p. NET_LATER: its routing is not
 * decided yet. */
static inline __attribute__((always_inline)) uint32_t
net_way_ahead(struct net *n, const struct net_lp *lp, const struct sim_event *ev, struct sw_packet *p, bool one_leg)
{
	topo_switch to = topo_switch_of(&n->topo, p->dst);
	struct rt_env *env = &n->env; /* what does not change was filled at the start */
	env->here = lp->id;
	env->in_port = ev->kind == NET_INJECT ? RT_FROM_ENDPOINT : ev->aux;
	env->drawn = 0;
	uint32_t out;
	if (one_leg) {
		p->route |= SW_ROUTE_DECIDED;
		out = lp->id == to ? RT_EJECT : rt_step(&n->rt, n->rt.impl, env, p, to, RT_LEG_MINIMAL).port;
	} else if (p->route & SW_ROUTE_DECIDED) {
		out = rt_go_on(&n->rt, n->rt.impl, env, p, to).port;
	} else {
		return NET_LATER;
	}
	base_checkf(out != RT_EJECT || lp->id == to, "switch %u: not the end of the way to %u", lp->id, to);
	if (out == RT_EJECT)
		return lp->net_ports + (p->dst - lp->first_endpoint);
	if (sim_unlikely(p->vc >= n->common.vcs))
		p->vc = (uint8_t)(n->common.vcs - 1); /* as in net_route() */
	return out;
}

#endif
