/* routing/vc.c - see vc.h */
#include "routing/vc.h"

/* For the rule TOPO_VC_GROUPS: the VCs and hops of a route with n runs of local hops, of length run[0] to run[n - 1],
 * and one global hop between any two consecutive runs. */
static struct rt_vc_plan runs_plan(const unsigned *run, unsigned n)
{
	struct rt_vc_plan plan = { .vcs = n, .hops = n - 1 };
	for (unsigned i = 0; i < n; i++) {
		plan.vcs += run[i] > 1 ? run[i] - 1 : 0;
		plan.hops += run[i];
	}
	if (n > 1 && !run[n - 1])
		plan.vcs--; /* no hop follows the last global one */
	return plan;
}

/* `far`: hops of the longest minimal route: 2 local + 1, or all local in one group. */
static struct rt_vc_plan groups_plan(const struct topo *topo, const struct rt_shape *shape, unsigned far)
{
	if (topo->groups == 1) {
		unsigned hops = shape->nonminimal ? 2 * far : far;
		return runs_plan(&(unsigned){ hops + (shape->reroutes ? far - 1 : 0) }, 1);
	}
	unsigned local = far / 2; /* the longest local run of a minimal route */
	unsigned first = shape->reroutes ? 2 * local : local;
	if (!shape->nonminimal)
		return runs_plan((unsigned[]){ local, local }, 2);
	return runs_plan((unsigned[]){ first, shape->via_group ? local : 2 * local, local }, 3);
}

struct rt_vc_plan rt_vc_plan(const struct topo *topo, const struct rt_shape *shape, uint64_t rings, bool grid)
{
	struct rt_vc_plan plan;
	unsigned far = topo->ops->max_distance(topo);
	unsigned legs = shape->nonminimal ? 2 : 1;
	plan.hops = legs * far + shape->reroutes;
	switch (topo->vc_rule) {
	case TOPO_VC_GROUPS:
		plan = groups_plan(topo, shape, far);
		if (grid) /* the local hops of a run share a VC, as if the run were one hop */
			plan.vcs = topo->groups == 1 ? legs + shape->reroutes : groups_plan(topo, shape, 3).vcs;
		break;
	case TOPO_VC_DATELINE:
		plan.vcs = (legs + shape->reroutes) * (rings && !shape->bubble ? 2 : 1);
		break;
	case TOPO_VC_LEG:
		plan.vcs = legs + shape->reroutes;
		break;
	case TOPO_VC_HOP:
	default:
		plan.vcs = plan.hops;
		break;
	}
	if (!plan.vcs)
		plan.vcs = 1;
	return plan;
}

bool rt_vc_grid(const struct topo *topo)
{
	for (topo_port p = 0; p < topo_ports(topo, 0); p++) {
		struct topo_hop hop = topo_peer(topo, 0, p);
		if (hop.dimension && topo_group(topo, hop.to) == topo_group(topo, 0))
			return true;
	}
	return false;
}

/* The other port of `s` in the same dimension, or TOPO_NONE. */
static topo_port straight_on(const struct topo *topo, topo_switch s, topo_port in, uint8_t dimension)
{
	for (topo_port p = 0; p < topo_ports(topo, s); p++)
		if (p != in && topo_peer(topo, s, p).dimension == dimension)
			return p;
	return TOPO_NONE;
}

uint64_t rt_vc_rings(const struct topo *topo)
{
	uint64_t rings = 0;
	for (topo_port p = 0; p < topo_ports(topo, 0); p++) {
		uint8_t dimension = topo_peer(topo, 0, p).dimension;
		topo_switch s = 0;
		topo_port out = p;
		uint32_t length = 0;
		do {
			struct topo_hop hop = topo_peer(topo, s, out);
			s = hop.to;
			out = straight_on(topo, s, hop.port, dimension);
			length++;
		} while (s != 0 && out != TOPO_NONE && length < topo->switches);
		if (s == 0 && length >= 4)
			rings |= (uint64_t)1 << (dimension & 63);
	}
	return rings;
}
