/* topo/oft.c - two-level orthogonal fat tree: leaf switches are the points of a projective plane, twice, spine switches
 * its lines.
 *
 * Valerio, Moser, Melliar-Smith, "Recursively Scalable Fat-Trees as Interconnection Networks", IPCCC 1994; Kathareios,
 * Minkenberg, Prisacari, Rodriguez, Hoefler, "Cost-Effective Diameter-Two Topologies: Analysis and Evaluation", SC15.
 * With q = k - 1 a prime power there are 2 (q^2 + q + 1) leaves of k cables up, by default with k endpoints each, and
 * q^2 + q + 1 spines of 2k cables down. A leaf is connected to the lines through its point.
 *
 * Numbers: leaves (layer, point), then spines. Ports: of a leaf the place of the line among those through its point, of
 * a spine layer k + the place of the point on it. Minimal routes go up to the only line through both points, or to any
 * line through the point that two leaves share, and down: one VC per leg. */
#include "topo/offer.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/plane.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>

#define OFT_MAX_K 1025

struct oft {
	struct topo_plane plane;
	uint32_t k;
};

static uint32_t oft_ports(const struct topo *topo, topo_switch s)
{
	const struct oft *o = topo->impl;
	return s < 2 * o->plane.n ? o->k : 2 * o->k;
}

static struct topo_hop oft_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct oft *o = topo->impl;
	const struct topo_plane *f = &o->plane;
	uint32_t layer = s >= f->n;
	if (s < 2 * f->n) {
		struct topo_vector point = topo_vector_of(f, s - layer * f->n), line = topo_vector_at(f, point, port);
		return (struct topo_hop){ .to = 2 * f->n + topo_vector_number(f, line),
			                  .port = layer * o->k + topo_vector_position(f, line, point) };
	}
	layer = port >= o->k;
	struct topo_vector line = topo_vector_of(f, s - 2 * f->n), point = topo_vector_at(f, line, port - layer * o->k);
	return (struct topo_hop){ .to = layer * f->n + topo_vector_number(f, point),
		                  .port = topo_vector_position(f, point, line),
		                  .rank = 1 };
}

/* A spine without a cable to the leaf, which no minimal route between endpoints visits, offers all leaves. */
static struct topo_run oft_run(const struct topo *topo, topo_switch here, topo_switch to)
{
	const struct oft *o = topo->impl;
	const struct topo_plane *f = &o->plane;
	uint32_t layer = to >= f->n;
	struct topo_vector b = topo_vector_of(f, to - layer * f->n);
	if (here >= 2 * f->n) {
		struct topo_vector line = topo_vector_of(f, here - 2 * f->n);
		if (topo_vector_dot(f, line, b))
			return (struct topo_run){ 0, 2 * o->k };
		return (struct topo_run){ layer * o->k + topo_vector_position(f, line, b), 1 };
	}
	if (here == to + f->n || to == here + f->n)
		return (struct topo_run){ 0, o->k };
	struct topo_vector a = topo_vector_of(f, here - (here >= f->n ? f->n : 0));
	return (struct topo_run){ topo_vector_position(f, a, topo_vector_cross(f, a, b)), 1 };
}

static int oft_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	return topo_offer(out, oft_run(topo, here, to), here, to);
}

/* `to` is a leaf. */
static unsigned oft_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct oft *o = topo->impl;
	const struct topo_plane *f = &o->plane;
	if (from < 2 * f->n)
		return from == to ? 0 : 2;
	struct topo_vector line = topo_vector_of(f, from - 2 * f->n);
	return topo_vector_dot(f, line, topo_vector_of(f, to - (to >= f->n ? f->n : 0))) ? 3 : 1;
}

static unsigned oft_max_distance(const struct topo *topo)
{
	(void)topo;
	return 2;
}

/* Worst case: every point sends to the next one of its layer: the p flows of a leaf share one cable, the maximum. */
static uint32_t oft_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct oft *o = topo->impl;
	uint32_t n = o->plane.n;
	for (topo_switch s = 0; s < topo->switches; s++)
		to[s] = s >= 2 * n ? TOPO_NONE : (s + 1) % n + (s >= n ? n : 0);
	return 0;
}

/* Flows of uniform traffic that leave a leaf over one of its cables: p^2 to each of the q other points of the line to
 * which it leads, in both layers, and a fraction 1/k of the p^2 flows to the leaf of the same point in the other
 * layer. */
static void oft_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct oft *o = topo->impl;
	double k = o->k, p = topo->max_endpoints, e = topo->endpoints, leaves = 2.0 * o->plane.n;
	facts->links = (uint64_t)2 * o->plane.n * o->k;
	facts->links_by_class[0] = facts->links;
	if (topo->endpoints > 1) {
		facts->max_channel_load_uniform = p * p * (2 * (k - 1) + 1 / k) / (e - 1);
		facts->mean_minimal_hops = 2 * p * (leaves - 1) / (e - 1);
	}
	facts->diameter = 3;
}

static bool usable(int64_t k)
{
	return k >= 3 && k <= OFT_MAX_K && topo_prime_power((uint32_t)k - 1, NULL, NULL);
}

static int check_k(int64_t k, struct base_errors *errors)
{
	if (usable(k))
		return 0;
	int64_t below = k > OFT_MAX_K ? OFT_MAX_K : k, above = k < 3 ? 3 : k;
	while (below >= 3 && !usable(below))
		below--;
	while (above <= OFT_MAX_K && !usable(above))
		above++;
	if (below < 3)
		return base_errorf(errors, "k", "%lld is too small; the minimum is %lld", (long long)k,
		                   (long long)above);
	if (above > OFT_MAX_K)
		return base_errorf(errors, "k", "%lld is too large; the maximum is %lld", (long long)k,
		                   (long long)below);
	return base_errorf(errors, "k", "%lld is not one more than a prime power; the nearest are %lld and %lld",
	                   (long long)k, (long long)below, (long long)above);
}

static void oft_destroy(struct topo *topo)
{
	struct oft *o = topo->impl;
	topo_plane_free(&o->plane);
	free(o);
}

static const char *const oft_classes[] = { "local", NULL };

static int oft_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_oft_params *in = params;
	int64_t p = in->endpoints;
	if (p != BASE_AUTO && p < 1)
		base_errorf(errors, "endpoints", "a leaf needs at least one endpoint, not %lld", (long long)p);
	if (check_k(in->k, errors) || (p != BASE_AUTO && p < 1))
		return -1;
	struct oft *o = base_alloc(sizeof *o);
	topo->impl = o;
	o->k = (uint32_t)in->k;
	topo_plane_build(&o->plane, o->k - 1);
	topo->max_ports = 2 * o->k;
	topo->link_classes = 1;
	topo->link_class_name = oft_classes;
	topo->vc_rule = TOPO_VC_LEG;
	uint64_t n = o->plane.n;
	return topo_set_sizes(topo, 3 * n, 2 * n, p == BASE_AUTO ? o->k : (uint64_t)p, errors);
}

static const struct base_param oft_params[] = {
	{ BASE_KEY(INT, struct topo_oft_params, k, NULL), .unit = "cables", .min = 3, .max = OFT_MAX_K,
	  .help =
	      "cables of a leaf switch, one more than a prime power; makes 2 (k^2 - k + 1) leaves, half as many spines",
	  .source = "SC15 Kathareios et al." },
	{ BASE_KEY(AUTO_INT, struct topo_oft_params, endpoints, "auto"), .unit = "endpoints", .min = 1, .max = 65535,
	  .help = "endpoints per leaf switch; auto: k" },
	TOPO_TRUNK(struct topo_oft_params),
	{ 0 }
};

/* Racks by number: both leaves of a point, and the line of that number. */
static uint32_t oft_rack(const struct topo *topo, topo_switch s)
{
	const struct oft *o = topo->impl;
	return s % o->plane.n / o->k;
}

static const struct topo_ops oft_ops = {
	.trunk_at = offsetof(struct topo_oft_params, trunk),
	.build = oft_build,
	.destroy = oft_destroy,
	.ports = oft_ports,
	.peer = oft_peer,
	.next = oft_next,
	.run = oft_run,
	.distance = oft_distance,
	.max_distance = oft_max_distance,
	.worst_case = oft_worst_case,
	.rack = oft_rack,
	.facts = oft_facts,
	.link_classes = oft_classes,
};

const struct base_plugin topo_oft = {
	BASE_DESCRIBE("topology", "oft", oft_params, struct topo_oft_params, &oft_ops),
	.summary = "two-level orthogonal fat tree: points of a projective plane as leaves, its lines as spines",
	.source = "Valerio, Moser, Melliar-Smith, IPCCC 1994; Kathareios et al., SC15",
};
