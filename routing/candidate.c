/* routing/candidate.c - see candidate.h */
#include "routing/candidate.h"

struct rt_candidate rt_candidate_minimal(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet,
                                         topo_switch to)
{
	return (struct rt_candidate){
		.port = rt_next(rt, env, packet, to, packet->route >> SW_ROUTE_LEG_SHIFT),
		.via = SW_NO_VIA,
		.hops = rt_distance(rt, rt->impl, env->here, to),
	};
}

/* Length of the route that leaves by `port`, enters the group of `via` and continues to `to` from its entry. */
static unsigned length_by_group(const struct rt *rt, topo_switch here, topo_port port, topo_switch via, topo_switch to)
{
	const struct topo *topo = rt->topo;
	uint32_t group = topo_group(topo, via);
	topo_port out[TOPO_MAX_NEXT];
	unsigned hops = 1;
	topo_switch s = topo_peer(topo, here, port).to;
	while (topo_group(topo, s) != group) {
		topo->ops->next(topo, s, via, hops++, out);
		s = topo_peer(topo, s, out[0]).to;
	}
	return hops + rt_distance(rt, rt->impl, s, to);
}

bool rt_candidate_any(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                      const struct sw_packet *packet, topo_switch to, struct rt_candidate *out)
{
	out->via = rt_pick_intermediate(rt, c, env, packet, to);
	if (out->via == SW_NO_VIA)
		return false;
	out->port = rt_next(rt, env, packet, out->via, 0);
	if (c->via_group)
		out->hops = length_by_group(rt, env->here, out->port, out->via, to);
	else
		out->hops = rt_distance(rt, c, env->here, out->via) + rt_distance(rt, c, out->via, to);
	return true;
}

struct rt_candidate rt_candidate_either(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                        const struct sw_packet *packet, topo_switch to)
{
	struct rt_candidate candidate;
	if (rt_cheaper(env, 0, 0) && rt_candidate_nonminimal(rt, c, env, packet, to, &candidate))
		return candidate;
	return rt_candidate_minimal(rt, env, packet, to);
}

/* Writes the ports by which the candidate's route may continue from its second switch, `there`. Returns their number, 0
 * if the route ends at that switch. */
static int following(const struct rt *rt, const struct rt_common *c, const struct sw_packet *packet,
                     const struct rt_candidate *candidate, topo_switch there, topo_switch to, topo_port *out)
{
	topo_switch target = to;
	unsigned leg_hops = candidate->via == SW_NO_VIA ? (packet->route >> SW_ROUTE_LEG_SHIFT) + 1 : 1;
	if (candidate->via != SW_NO_VIA) {
		if (rt_at_via(rt, c, there, candidate->via))
			leg_hops = 0; /* the second leg starts at this switch */
		else
			target = candidate->via;
	}
	if (there == target)
		return 0;
	uint32_t entry = c->only ? rt_only(c, there, target, leg_hops) : RT_CHOICE;
	if (entry < c->equals_at) {
		out[0] = entry;
		return 1;
	}
	const struct rt_equals *equals = entry != RT_CHOICE ? &c->equals[entry - c->equals_at] : NULL;
	if (!equals || equals->run)
		return rt->topo->ops->next(rt->topo, there, target, leg_hops, out);
	for (unsigned i = 0; i < RT_EQUALS; i++)
		out[i] = equals->port[i];
	return equals->n;
}

uint64_t rt_candidate_depth_global(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                   const struct sw_packet *packet, const struct rt_candidate *candidate, topo_switch to)
{
	const struct topo *topo = rt->topo;
	uint64_t depth = rt_candidate_depth(env, candidate), sum = 0;
	topo_switch there = topo_peer(topo, env->here, candidate->port).to;
	if (topo->vc_rule == TOPO_VC_GROUPS && topo_group(topo, there) != topo_group(topo, env->here))
		return depth;
	topo_port out[TOPO_MAX_NEXT];
	int n = following(rt, c, packet, candidate, there, to, out);
	for (int i = 0; i < n; i++)
		sum += env->published_bytes(env->host, there, out[i]);
	return depth + (n > 1 ? sum / (unsigned)n : sum);
}

uint64_t rt_candidate_depth_beyond(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                   const struct sw_packet *packet, const struct rt_candidate *candidate, topo_switch to)
{
	uint64_t sum = 0;
	topo_switch there = topo_peer(rt->topo, env->here, candidate->port).to;
	topo_port out[TOPO_MAX_NEXT];
	int n = following(rt, c, packet, candidate, there, to, out);
	for (int i = 0; i < n; i++)
		sum += env->neighbour_bytes(env->host, candidate->port, out[i], env->now);
	return n > 1 ? sum / (unsigned)n : sum;
}

struct rt_decision rt_candidate_take(const struct rt *rt, const struct rt_common *c, const struct rt_env *env,
                                     struct sw_packet *packet, const struct rt_candidate *candidate, bool final)
{
	if (candidate->via != SW_NO_VIA) {
		rt_divert(packet, candidate->via);
		return rt_take(rt, c, env, packet, candidate->port, RT_LEG_FIRST);
	}
	if (final)
		packet->route |= SW_ROUTE_DECIDED;
	return rt_take(rt, c, env, packet, candidate->port, RT_LEG_MINIMAL);
}
