/* topo/dragonfly.c - dragonflies whose groups are full meshes or grids; `trunk` parallel cables connect every pair of
 * groups.
 *
 * Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology", ISCA'08. Minimal routing is
 * local-global-local, which is not always the shortest path of the graph (two global hops may be). All cables between
 * the two groups are taken equally often; after a local hop to a switch with such a cable, the packet takes a cable of
 * that switch. In a grid a local route is one row hop, then one column hop; after the row hop only cables of that
 * column remain as choices, so that the choice is made once (dragonfly_trunk.c). */
#include "topo/dragonfly.h"
#include "topo/params.h"

#include "base/memory.h"

#include <stdlib.h>

static inline uint32_t group_of_switch(const struct dragonfly *d, topo_switch s)
{
	return topo_divide(&d->by_a, s);
}

static inline uint32_t position_of(const struct dragonfly *d, topo_switch s)
{
	return topo_remainder(&d->by_a, s, group_of_switch(d, s));
}

static uint32_t dragonfly_ports(const struct topo *topo, topo_switch s)
{
	const struct dragonfly *d = topo->impl;
	uint32_t i = position_of(d, s);
	return d->local_ports + d->first_slot[i + 1] - d->first_slot[i];
}

static struct topo_hop dragonfly_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct dragonfly *d = topo->impl;
	if (port < d->local_ports)
		return dragonfly_local_peer(d, s, port);
	uint32_t group = group_of_switch(d, s), i = topo_remainder(&d->by_a, s, group);
	uint32_t slot = d->first_slot[i] + port - d->local_ports;
	struct dragonfly_exit exit = dragonfly_exit_at(d, group, slot);
	return (struct topo_hop){ .to = exit.to, .port = exit.to_port, .link_class = 1 };
}

static int dragonfly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	const struct dragonfly *d = topo->impl;
	uint32_t group = group_of_switch(d, here), to_group = group_of_switch(d, to);
	if (group == to_group)
		return dragonfly_local_next(d, topo_remainder(&d->by_a, here, group),
		                            topo_remainder(&d->by_a, to, group), out);
	uint32_t position = topo_remainder(&d->by_a, here, group), k = dragonfly_trunk_to(d, group, to_group);
	if (d->trunk == 1) {
		uint32_t exit = dragonfly_exit_position(d, k, 0);
		if (exit != position)
			return dragonfly_local_next(d, position, exit, out);
		out[0] = dragonfly_exit_port(d, k, 0);
		return 1;
	}
	uint32_t end = topo_remainder(&d->by_a, to, to_group);
	if (leg_hops > 0) {
		int n = dragonfly_offer_own(d, position, end, k, out);
		if (n == 0 && d->grid)
			n = dragonfly_offer_column(d, position, end, k, out);
		if (n > 0)
			return n;
	}
	return dragonfly_offer_any(d, position, end, k, out);
}

static unsigned dragonfly_max_distance(const struct topo *topo)
{
	const struct dragonfly *d = topo->impl;
	unsigned local = d->grid ? (unsigned)(d->rows > 1) + (unsigned)(d->columns > 1) : d->a > 1;
	return d->g > 1 ? 2 * local + 1 : local;
}

static unsigned dragonfly_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct dragonfly *d = topo->impl;
	uint32_t group = group_of_switch(d, from), to_group = group_of_switch(d, to);
	uint32_t a = topo_remainder(&d->by_a, from, group), b = topo_remainder(&d->by_a, to, to_group);
	if (group == to_group)
		return dragonfly_local_distance(d, a, b);
	uint32_t k = dragonfly_trunk_to(d, group, to_group), k_back = dragonfly_trunk_to(d, to_group, group);
	if (d->trunk > 1 && !d->grid)
		return dragonfly_trunk_distance(d, a, k, b, k_back);
	unsigned longest = 0, most = dragonfly_max_distance(topo);
	for (uint32_t c = 0; c < d->trunk && longest < most; c++) {
		unsigned hops = 1 + dragonfly_local_distance(d, a, dragonfly_exit_position(d, k, c)) +
		                dragonfly_local_distance(d, dragonfly_exit_position(d, k_back, c), b);
		longest = hops > longest ? hops : longest;
	}
	return longest;
}

static uint32_t dragonfly_group(const struct topo *topo, topo_switch s)
{
	return group_of_switch(topo->impl, s);
}

/* Worst-case traffic: every switch sends to the switch at the same position of the next group or, if there is only one
 * group, to the next switch. */
static uint32_t dragonfly_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct dragonfly *d = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++)
		to[s] = topo->switches == 1 ? TOPO_NONE : (s + (d->g > 1 ? d->a : 1)) % topo->switches;
	return topo->switches == 1;
}

/* Every arrangement but the absolute one looks the same from each group. */
static size_t dragonfly_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	const struct dragonfly *d = topo->impl;
	if ((d->arrangement == TOPO_ABSOLUTE && d->g > 2) || capacity < d->a)
		return 0;
	for (uint32_t i = 0; i < d->a; i++)
		out[i] = (struct topo_orbit){ .representative = i, .size = d->g };
	return d->a;
}

/* Channel loads in a dragonfly of fully meshed groups, in flows, where every ordered pair of switches has one flow. The
 * local channel u -> v carries the flow from u to v, the flows from u that leave the group by global cables of v (a /
 * trunk for each cable), and the flows to v that arrive by global cables of u. A global channel carries a^2 / trunk.
 * Exact as long as next() can offer the whole trunk. */
static void full_group_loads(const struct topo *topo, struct topo_facts *facts)
{
	const struct dragonfly *d = topo->impl;
	double a = d->a, g = d->g, p = topo->max_endpoints, trunk = d->trunk, e = topo->endpoints;
	uint32_t most = 0, second = 0; /* global ports of the two switches with the most */
	for (uint32_t i = 0; i < d->a; i++) {
		uint32_t own = d->first_slot[i + 1] - d->first_slot[i];
		if (own > most) {
			second = most;
			most = own;
		} else if (own > second) {
			second = own;
		}
	}
	double global = d->g > 1 ? a * a / trunk : 0;
	double local = d->a > 1 ? 1 + (d->g > 1 ? a * (most + second) / trunk : 0) : 0;
	facts->max_channel_load_uniform = (local > global ? local : global) * p * p / (e - 1);
	facts->max_load_by_class[0] = local * p * p / (e - 1);
	facts->max_load_by_class[1] = global * p * p / (e - 1);
	double per_group = a * (a - 1) + 2 * a * (a - 1) * (g - 1) + a * a * (g - 1);
	facts->mean_minimal_hops = g * per_group * p * p / (e * (e - 1));
}

static void grid_loads(const struct topo *topo, struct topo_facts *facts)
{
	const struct dragonfly *d = topo->impl;
	double p = topo->max_endpoints, e = topo->endpoints, per_flow = p * p / (e - 1);
	struct dragonfly_loads loads = dragonfly_grid_loads(d);
	facts->max_load_by_class[0] = loads.local * per_flow;
	facts->max_load_by_class[1] = loads.global * per_flow;
	facts->max_channel_load_uniform = (loads.local > loads.global ? loads.local : loads.global) * per_flow;
	facts->mean_minimal_hops = d->g * loads.hops * per_flow / e;
}

/* The diameter: 3 if there are more switches than two hops can reach, otherwise -1, which means unknown. (Two local
 * hops reach only neighbours again, so they do not count.) */
static int full_group_diameter(const struct topo *topo)
{
	const struct dragonfly *d = topo->impl;
	uint64_t local = d->a - 1, global = topo->max_ports - local;
	uint64_t within_two = 1 + local + global + 2 * local * global + (global ? global * (global - 1) : 0);
	return topo->switches > within_two ? 3 : -1;
}

static void dragonfly_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct dragonfly *d = topo->impl;
	if (!d->grid)
		facts->diameter = full_group_diameter(topo);
	facts->links_by_class[1] = (uint64_t)d->g * d->slots / 2;
	facts->links_by_class[0] = (uint64_t)topo->switches * d->local_ports / 2;
	facts->links = facts->links_by_class[0] + facts->links_by_class[1];
	if (d->g % 2 == 0) {
		facts->bisection_links = (int64_t)(d->g / 2) * (d->g / 2) * d->trunk;
		facts->bisection_how = "half of the groups against the other half (upper bound)";
	}
	bool whole =
	    (uint64_t)d->trunk * dragonfly_repeat(d) <= TOPO_MAX_NEXT; /* next() offers each cable of a trunk */
	if (whole && topo->endpoints > 1 && !d->grid)
		full_group_loads(topo, facts);
	else if (whole && topo->endpoints > 1 && (d->arrangement != TOPO_ABSOLUTE || d->g == 1))
		grid_loads(topo, facts);
}

static void dragonfly_destroy(struct topo *topo)
{
	struct dragonfly *d = topo->impl;
	free(d->position);
	free(d->first_slot);
	free(d->toward);
	free(d);
}

static const char *const dragonfly_classes[] = { "local", "global", NULL };

static int dragonfly_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	struct dragonfly *d = base_alloc(sizeof *d);
	topo->impl = d;
	uint32_t endpoints;
	if (dragonfly_read(d, params, &endpoints, errors) ||
	    topo_set_size(topo, (uint64_t)d->g * d->a, endpoints, errors))
		return -1;
	d->by_a = topo_divider_of(d->a);
	d->by_columns = topo_divider_of(d->columns);
	d->by_black = topo_divider_of(d->black);
	d->by_pairs = topo_divider_of(d->g > 1 ? d->g - 1 : 1);
	dragonfly_wire(d);
	dragonfly_tabulate(d);
	for (uint32_t i = 0; i < d->a; i++) {
		uint32_t ports = d->local_ports + d->first_slot[i + 1] - d->first_slot[i];
		topo->max_ports = ports > topo->max_ports ? ports : topo->max_ports;
	}
	topo->groups = d->g;
	topo->link_classes = d->g > 1 ? 2 : 1;
	topo->link_class_name = dragonfly_classes;
	topo->vc_rule = TOPO_VC_GROUPS;
	topo->one_way = d->trunk <= 1 && dragonfly_repeat(d) == 1;
	return 0;
}

static const struct topo_ops dragonfly_ops = {
	.build = dragonfly_build,
	.destroy = dragonfly_destroy,
	.ports = dragonfly_ports,
	.peer = dragonfly_peer,
	.next = dragonfly_next,
	.distance = dragonfly_distance,
	.max_distance = dragonfly_max_distance,
	.group = dragonfly_group,
	.worst_case = dragonfly_worst_case,
	.orbits = dragonfly_orbits,
	.facts = dragonfly_facts,
	.link_classes = dragonfly_classes,
};

const struct base_plugin topo_dragonfly = {
	BASE_DESCRIBE("topology", "dragonfly", dragonfly_params, struct topo_dragonfly_params, &dragonfly_ops),
	.summary = "dragonfly: groups of switches, every pair of groups joined by global cables",
	.source = "Kim, Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA'08",
	.conditions = dragonfly_conditions,
};
