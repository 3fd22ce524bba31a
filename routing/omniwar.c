/* routing/omniwar.c - OmniWAR: dimensions in any order, with lateral hops as long as virtual channels remain.
 *
 * McDonald, Isaev, Flores, Davis, Kim, "Practical and Efficient Incremental Adaptive Routing for HyperX Networks",
 * SC19; SuperSim's variable-deroute adaptive HyperX routing.
 *
 * At every switch the aligning hops of all dimensions in which the packet is not aligned are compared with the lateral
 * hops in these dimensions (grid.h). The VC is the number of hops taken so far, so it increases with every hop. With L
 * dimensions and M = `deroutes` a route has at most L + M hops. A lateral hop leaves the distance to the destination
 * unchanged, and is allowed while the remaining hops of these L + M exceed the distance. So packets with fewer
 * differing dimensions may take more lateral hops. */
#include "routing/grid.h"

#include "routing/candidate.h"

struct omniwar_params {
	int64_t deroutes;
	uint64_t bias; /* BASE_AUTO_SIZE */
	int estimate;
};

static int build_omniwar(struct rt *rt, struct base_errors *errors)
{
	const struct omniwar_params *p = rt->params;
	const struct rt_grid *grid = rt_grid_build(rt, p->bias, p->estimate, errors);
	if (!grid)
		return -1;
	rt->vcs = rt->max_hops = grid->dims + (p->deroutes == BASE_AUTO ? grid->dims : (uint32_t)p->deroutes);
	return 0;
}

static struct rt_decision route_omniwar(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_grid *grid = rt->impl;
	struct rt_off off[RT_GRID_DIMS];
	struct rt_ports aligning[RT_GRID_DIMS], lateral[RT_GRID_DIMS];
	uint32_t hops = rt_grid_off(grid, env->here, topo_switch_of(rt->topo, packet->dst), off);
	if (!hops)
		return (struct rt_decision){ .port = RT_EJECT };
	for (uint32_t i = 0; i < hops; i++) {
		aligning[i] = rt_grid_aligning(grid, &off[i]);
		lateral[i] = rt_grid_lateral(grid, &off[i]);
	}
	bool aside, may = packet->hops + 1 + hops <= rt->max_hops;
	topo_port port = rt_grid_weigh(rt, env, packet, aligning, hops, lateral, may ? hops : 0, hops, &aside);
	return rt_grid_take(packet, port, packet->hops, aside);
}

static bool vc_climbs(const struct rt *rt)
{
	(void)rt;
	return true;
}

/* The number of hops taken matters, which the promise of one leg allows under TOPO_VC_HOP only. */
static enum rt_legs legs(const struct rt *rt)
{
	return rt->topo->vc_rule == TOPO_VC_HOP ? RT_LEGS_ONE : RT_LEGS_UNKNOWN;
}

static const struct base_param params[] = {
	{ BASE_KEY(AUTO_INT, struct omniwar_params, deroutes, "auto"), .unit = "hops", .min = 0, .max = 64,
	  .help =
	      "lateral hops allowed for a packet whose source and destination switches differ in all dimensions; one "
	      "more for each dimension in which they agree. Also the number of VCs beyond one per dimension. auto: the "
	      "number of dimensions" },
	{ BASE_KEY(AUTO_SIZE, struct omniwar_params, bias, "auto"), .max = 1e12,
	  .help = "added to the weight (depth times hops) of a lateral hop, so that aligning ones are preferred; 0B in "
	          "the paper. " RT_AUTO_BIAS },
	RT_ESTIMATE_PARAM(struct omniwar_params),
	{ 0 },
};

static const struct rt_ops ops = {
	.build = build_omniwar,
	.destroy = rt_grid_destroy,
	.route = route_omniwar,
	.wants_queues = true,
	.has_bias = true,
	.legs = legs,
	.vc_climbs = vc_climbs,
};

const struct base_plugin rt_omniwar = {
	BASE_DESCRIBE("routing", "omniwar", params, struct omniwar_params, &ops),
	.summary = "HyperX: dimensions in any order, at every switch an aligning or a lateral hop by the local queues",
	.source = "McDonald et al., SC19",
};
