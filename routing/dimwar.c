/* routing/dimwar.c - DimWAR: dimension order, with at most one lateral hop in each dimension.
 *
 * McDonald, Isaev, Flores, Davis, Kim, "Practical and Efficient Incremental Adaptive Routing for HyperX Networks",
 * SC19; SuperSim's dimension-ordered adaptive HyperX routing.
 *
 * At every switch a packet moves in the first dimension in which it is not aligned: to its destination's coordinate, or
 * laterally to any other coordinate, if that has a lower weight (grid.h) and the packet has not just made a lateral hop
 * in this dimension. The input port shows that, because an aligning hop would have finished its dimension. The source
 * decides nothing in advance: a packet that meets a queue in the last dimension may deviate there.
 *
 * Lateral hops use VC 0 and aligning ones VC 1, for any number of dimensions. The rank of channels in the deadlock
 * proof is (dimension, VC): a lateral hop is followed by the aligning one of its dimension, and that by hops of higher
 * dimensions. */
#include "routing/grid.h"

#include "routing/candidate.h"

enum { VC_ASIDE, VC_ALIGNING, VCS };

struct dimwar_params {
	uint64_t bias; /* BASE_AUTO_SIZE */
	int estimate;
};

static int build_dimwar(struct rt *rt, struct base_errors *errors)
{
	const struct dimwar_params *p = rt->params;
	const struct rt_grid *grid = rt_grid_build(rt, p->bias, p->estimate, errors);
	if (!grid)
		return -1;
	rt->vcs = VCS;
	rt->max_hops = 2 * grid->dims;
	return 0;
}

static struct rt_decision route_dimwar(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_grid *grid = rt->impl;
	struct rt_off off[RT_GRID_DIMS];
	uint32_t hops = rt_grid_off(grid, env->here, topo_switch_of(rt->topo, packet->dst), off);
	if (!hops)
		return (struct rt_decision){ .port = RT_EJECT };
	const struct rt_axis *x = &grid->axis[off->dim];
	bool came_aside = env->in_port != RT_FROM_ENDPOINT && env->in_port - x->first < x->ports, aside;
	struct rt_ports aligning = rt_grid_aligning(grid, off), lateral = rt_grid_lateral(grid, off);
	topo_port port = rt_grid_weigh(rt, env, packet, &aligning, 1, &lateral, !came_aside, hops, &aside);
	return rt_grid_take(packet, port, aside ? VC_ASIDE : VC_ALIGNING, aside);
}

static enum rt_legs legs(const struct rt *rt)
{
	(void)rt;
	return RT_LEGS_ONE;
}

static bool dimensions_climb(const struct rt *rt)
{
	(void)rt;
	return true;
}

static const struct base_param params[] = {
	{ BASE_KEY(AUTO_SIZE, struct dimwar_params, bias, "auto"), .max = 1e12,
	  .help = "added to the weight (depth times hops) of a lateral hop, so that the aligning one is preferred; 0B "
	          "in the paper. " RT_AUTO_BIAS },
	RT_ESTIMATE_PARAM(struct dimwar_params),
	{ 0 },
};

static const struct rt_ops ops = {
	.build = build_dimwar,
	.destroy = rt_grid_destroy,
	.route = route_dimwar,
	.wants_queues = true,
	.has_bias = true,
	.legs = legs,
	.dimensions_climb = dimensions_climb,
};

const struct base_plugin rt_dimwar = {
	BASE_DESCRIBE("routing", "dimwar", params, struct dimwar_params, &ops),
	.summary = "HyperX: dimension order, at every switch an aligning or a lateral hop by the local queues",
	.source = "McDonald et al., SC19",
};
