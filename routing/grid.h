/* routing/grid.h - the grid of a HyperX, for routings that deviate from a minimal route within a dimension.
 *
 * Switches are numbered by their coordinates, dimension 0 fastest (topo_ops.dims), and all have the same ports:
 * dimension by dimension the cables to the coordinates +1, +2, ... around the line, `trunk` each (topo/hyperx.c). A hop
 * in a dimension in which the switch and the destination differ is aligning, to the destination's coordinate, or
 * lateral, to any other, which leaves the distance unchanged. */
#ifndef ROUTING_GRID_H
#define ROUTING_GRID_H

#include "routing/routing.h"

#define RT_GRID_DIMS 32u

struct rt_axis {
	uint32_t size, trunk;
	topo_port first, ports; /* of this dimension */
	struct topo_divider by_size;
};

struct rt_grid {
	uint32_t dims;
	struct rt_axis axis[RT_GRID_DIMS];
};

/* A dimension in which the packet's switch and its destination differ. */
struct rt_off {
	uint32_t dim;
	topo_port aligning; /* the first of axis->trunk ports */
};

/* Builds the grid in rt->impl, and selects the measure of queues to compare; `estimate` is an enum rt_estimate. Returns
 * NULL with an error if the topology is not a HyperX. rt_grid_destroy() frees the grid; it may also be called after
 * rt_grid_build() has failed. */
struct rt_grid *rt_grid_build(struct rt *rt, uint64_t bias, int estimate, struct base_errors *errors);
void rt_grid_destroy(struct rt *rt);

/* Writes the dimensions in which two switches differ, in ascending order. Returns their number, which is the distance
 * in hops. */
static inline uint32_t rt_grid_off(const struct rt_grid *g, topo_switch here, topo_switch to, struct rt_off *off)
{
	uint32_t n = 0;
	for (uint32_t i = 0; here != to; i++) {
		const struct rt_axis *x = &g->axis[i];
		uint32_t here_above = topo_divide(&x->by_size, here), to_above = topo_divide(&x->by_size, to);
		uint32_t a = topo_remainder(&x->by_size, here, here_above);
		uint32_t b = topo_remainder(&x->by_size, to, to_above);
		if (a != b)
			off[n++] = (struct rt_off){ i, x->first + ((b > a ? b - a : b + x->size - a) - 1) * x->trunk };
		here = here_above;
		to = to_above;
	}
	return n;
}

/* --- comparison of ports --------------------------------------------------------------------------------- */

/* The set of ports first .. first + n - 1, except the but_n ports from `but` on, which are among them. */
struct rt_ports {
	topo_port first;
	uint32_t n;
	topo_port but;
	uint32_t but_n;
};

static inline struct rt_ports rt_grid_aligning(const struct rt_grid *g, const struct rt_off *off)
{
	return (struct rt_ports){ .first = off->aligning, .n = g->axis[off->dim].trunk };
}

static inline struct rt_ports rt_grid_lateral(const struct rt_grid *g, const struct rt_off *off)
{
	const struct rt_axis *x = &g->axis[off->dim];
	return (struct rt_ports){ x->first, x->ports, off->aligning, x->trunk };
}

/* Compares the aligning ports, whose routes have `hops` hops left, with the lateral ones, one hop more:
 *      aligning  iff  q_a hops <= q_l (hops + 1) + bias
 * where q_a and q_l are the least queues of both kinds (McDonald et al., SC19; candidates and bias as in
 * routing/ugal.c, including the bias of the packet's class). Returns a random one of the ports with the least depth of
 * the chosen kind, in a proof any port; *lateral: it is a lateral one. `laterals` may be 0. */
topo_port rt_grid_weigh(const struct rt *rt, struct rt_env *env, const struct sw_packet *packet,
                        const struct rt_ports *aligning, uint32_t aligns, const struct rt_ports *lateral,
                        uint32_t laterals, uint32_t hops, bool *is_lateral);

/* Updates the packet for the chosen port. A lateral hop makes the route non-minimal, but it has no intermediate switch,
 * and the rest of the route no longer depends on the source. */
static inline struct rt_decision rt_grid_take(struct sw_packet *packet, topo_port port, uint32_t vc, bool lateral)
{
	packet->vc = (uint8_t)vc;
	packet->route |= SW_ROUTE_DECIDED | (lateral ? SW_ROUTE_NONMINIMAL | SW_ROUTE_PASSED_VIA : 0);
	return (struct rt_decision){ .port = port };
}

#endif
