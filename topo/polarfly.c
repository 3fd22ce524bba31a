/* topo/polarfly.c - PolarFly: Erdos-Renyi polarity graphs of diameter two, for every prime power q.
 *
 * Lakhotia, Besta, Monroe, Isham, Iff, Hoefler, Petrini, "PolarFly: A Cost-Effective and Flexible Low-Diameter
 * Topology", SC22; Erdos and Renyi 1962; Brown 1966.
 *
 * Switches are the q^2 + q + 1 points of the projective plane over GF(q) (plane.h); two are neighbours iff their dot
 * product is 0. So the neighbours of v are the points of the line v1 X + v2 Y + v3 Z = 0: q + 1 of them, one less for
 * the q + 1 quadrics, which lie on their own line. Two switches have the one common neighbour in which their lines
 * meet, their cross product.
 *
 * A port is the position of the neighbour on the line, not counting the switch itself if it lies on that line. */
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/plane.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>

struct polarfly {
	struct topo_plane plane;
	topo_switch quadric; /* the first quadric */
};

/* The position of the switch on its own line; UINT32_MAX unless it is a quadric. */
static inline uint32_t own_position(const struct topo_plane *f, struct topo_vector a)
{
	return topo_vector_dot(f, a, a) ? UINT32_MAX : topo_vector_position(f, a, a);
}

static inline topo_port port_to(const struct topo_plane *f, struct topo_vector here, struct topo_vector neighbour)
{
	uint32_t i = topo_vector_position(f, here, neighbour);
	return i - (i > own_position(f, here));
}

static uint32_t polarfly_ports(const struct topo *topo, topo_switch s)
{
	const struct topo_plane *f = &((const struct polarfly *)topo->impl)->plane;
	return f->q + (own_position(f, topo_vector_of(f, s)) == UINT32_MAX);
}

static struct topo_hop polarfly_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct topo_plane *f = &((const struct polarfly *)topo->impl)->plane;
	struct topo_vector here = topo_vector_of(f, s),
			   there = topo_vector_at(f, here, port + (port >= own_position(f, here)));
	return (struct topo_hop){ .to = topo_vector_number(f, there), .port = port_to(f, there, here) };
}

/* A common neighbour of two switches that are not neighbours differs from both. */
static int polarfly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct topo_plane *f = &((const struct polarfly *)topo->impl)->plane;
	struct topo_vector a = topo_vector_of(f, here), b = topo_vector_of(f, to);
	out[0] = port_to(f, a, topo_vector_dot(f, a, b) ? topo_vector_cross(f, a, b) : b);
	return 1;
}

static unsigned polarfly_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct topo_plane *f = &((const struct polarfly *)topo->impl)->plane;
	return from == to ? 0 : topo_vector_dot(f, topo_vector_of(f, from), topo_vector_of(f, to)) ? 2 : 1;
}

static unsigned polarfly_max_distance(const struct topo *topo)
{
	(void)topo;
	return 2;
}

/* Worst case: chains a - b - c - d as in slimfly.c: a and c exchange all their traffic, and b and d, so that 2p flows
 * share the middle cable. Chains are chosen greedily, with b in order; switches without partners are idle. */
static bool add_chain(const struct topo *topo, topo_switch b, topo_switch *to)
{
	for (topo_port i = 0; i < topo_ports(topo, b); i++) {
		topo_switch c = topo_peer(topo, b, i).to, a = TOPO_NONE, d = TOPO_NONE;
		if (to[c] != TOPO_NONE)
			continue;
		for (topo_port j = 0; j < topo_ports(topo, b) && a == TOPO_NONE; j++) {
			topo_switch s = topo_peer(topo, b, j).to;
			if (s != c && to[s] == TOPO_NONE && polarfly_distance(topo, s, c) == 2)
				a = s;
		}
		for (topo_port j = 0; j < topo_ports(topo, c) && a != TOPO_NONE && d == TOPO_NONE; j++) {
			topo_switch s = topo_peer(topo, c, j).to;
			if (s != a && s != b && to[s] == TOPO_NONE && polarfly_distance(topo, s, b) == 2)
				d = s;
		}
		if (d == TOPO_NONE)
			continue;
		to[a] = c;
		to[c] = a;
		to[b] = d;
		to[d] = b;
		return true;
	}
	return false;
}

static uint32_t polarfly_worst_case(const struct topo *topo, topo_switch *to)
{
	uint32_t idle = topo->switches;
	for (topo_switch s = 0; s < topo->switches; s++)
		to[s] = TOPO_NONE;
	for (topo_switch s = 0; s < topo->switches; s++)
		if (to[s] == TOPO_NONE && add_chain(topo, s, to))
			idle -= 4;
	return idle;
}

/* q (q + 1)^2 / 2 cables. A channel u -> v carries the flow of (u, v), those from u to the neighbours of v that are not
 * neighbours of u, and those to v likewise. If neither is a quadric the two share one neighbour, so that these are 1 +
 * (q - 1) + (q - 1); if one is a quadric, which has one cable less, they share none: 1 + (q - 1) + q = 2q, the
 * maximum. */
static void polarfly_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct topo_plane *f = &((const struct polarfly *)topo->impl)->plane;
	double n = topo->switches, p = topo->max_endpoints, q = f->q;
	facts->links = (uint64_t)f->q * (f->q + 1) * (f->q + 1) / 2;
	facts->links_by_class[0] = facts->links;
	facts->diameter = 2;
	facts->mean_distance = 2 - 2 * (double)facts->links / (n * (n - 1));
	if (topo->endpoints > 1) {
		facts->max_channel_load_uniform = 2 * q * p * p / (topo->endpoints - 1.0);
		facts->mean_minimal_hops = facts->mean_distance * p * (n - 1) / (topo->endpoints - 1.0);
	}
}

/* --- building -------------------------------------------------------------------------------------------- */

static bool usable(int64_t q)
{
	return q >= 2 && q <= TOPO_GF_MAX && topo_prime_power((uint32_t)q, NULL, NULL);
}

static int check_q(int64_t q, struct base_errors *errors)
{
	if (usable(q))
		return 0;
	int64_t below = q > TOPO_GF_MAX ? TOPO_GF_MAX : q, above = q < 2 ? 2 : q;
	while (below >= 2 && !usable(below))
		below--;
	while (above <= TOPO_GF_MAX && !usable(above))
		above++;
	if (below < 2)
		return base_errorf(errors, "q", "%lld is too small; the minimum is %lld", (long long)q,
		                   (long long)above);
	if (above > TOPO_GF_MAX)
		return base_errorf(errors, "q", "%lld is too large; the maximum is %lld", (long long)q,
		                   (long long)below);
	return base_errorf(errors, "q", "%lld is not a prime power; the nearest are %lld and %lld", (long long)q,
	                   (long long)below, (long long)above);
}

static void polarfly_destroy(struct topo *topo)
{
	struct polarfly *f = topo->impl;
	topo_plane_free(&f->plane);
	free(f);
}

static const char *const polarfly_classes[] = { "local", NULL };

static int polarfly_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_polarfly_params *in = params;
	int64_t q = in->q, p = in->endpoints;
	if (p != BASE_AUTO && p < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld", (long long)p);
	if (check_q(q, errors) || (p != BASE_AUTO && p < 1))
		return -1;
	struct polarfly *f = base_alloc(sizeof *f);
	topo->impl = f;
	topo_plane_build(&f->plane, (uint32_t)q);
	while (own_position(&f->plane, topo_vector_of(&f->plane, f->quadric)) == UINT32_MAX)
		f->quadric++;
	topo->max_ports = f->plane.q + 1;
	topo->link_classes = 1;
	topo->link_class_name = polarfly_classes;
	topo->vc_rule = TOPO_VC_HOP;
	topo->one_way = true;
	return topo_set_size(topo, f->plane.n, p == BASE_AUTO ? ((uint64_t)q + 1) / 2 : (uint64_t)p, errors);
}

static const struct base_param polarfly_params[] = {
	{ BASE_KEY(INT, struct topo_polarfly_params, q, NULL), .min = 2, .max = TOPO_GF_MAX,
	  .help = "prime power; makes q^2 + q + 1 switches of q + 1 network ports, or q for the q + 1 quadrics",
	  .source = "SC22 PolarFly, IV" },
	TOPO_ENDPOINTS_BY(struct topo_polarfly_params, "half"),
	TOPO_TRUNK(struct topo_polarfly_params),
	{ 0 }
};

/* Racks: a quadric w has q neighbours, and every other switch shares exactly one neighbour with w: q racks, each with a
 * neighbour of w and its other neighbours, w itself in the first. */
static uint32_t polarfly_rack(const struct topo *topo, topo_switch s)
{
	const struct polarfly *p = topo->impl;
	const struct topo_plane *f = &p->plane;
	struct topo_vector a = topo_vector_of(f, s), w = topo_vector_of(f, p->quadric);
	if (s == p->quadric)
		return 0;
	return port_to(f, w, topo_vector_dot(f, a, w) ? topo_vector_cross(f, a, w) : a);
}

static const struct topo_ops polarfly_ops = {
	.trunk_at = offsetof(struct topo_polarfly_params, trunk),
	.build = polarfly_build,
	.destroy = polarfly_destroy,
	.ports = polarfly_ports,
	.peer = polarfly_peer,
	.next = polarfly_next,
	.distance = polarfly_distance,
	.max_distance = polarfly_max_distance,
	.worst_case = polarfly_worst_case,
	.rack = polarfly_rack,
	.facts = polarfly_facts,
	.link_classes = polarfly_classes,
};

const struct base_plugin topo_polarfly = {
	BASE_DESCRIBE("topology", "polarfly", polarfly_params, struct topo_polarfly_params, &polarfly_ops),
	.summary = "PolarFly (Erdos-Renyi polarity graph): diameter two, near the Moore bound",
	.source = "Lakhotia et al.: PolarFly, SC22",
};
