/* topo/polarstar.c - PolarStar: the star product of a polarity graph with a supernode, diameter three.
 *
 * Lakhotia, Isham, Monroe, Besta, Hoefler, Petrini, "PolarStar: Expanding the Scalability Horizon of Diameter-3
 * Networks", 2023; star products: Bermond, Delorme, Farhi 1982; EvalNet's constructions.
 *
 * Supernodes are the q^2 + q + 1 points of the projective plane over GF(q) (plane.h), each a copy of a joiner graph
 * with a permutation f of its vertices; where two points are orthogonal, (u, a) is joined to (v, f(a)), from the
 * smaller number u to the larger v. Switch number: supernode by supernode.
 *
 *   iq      inductive quad of degree d = 0 or 3 modulo 4, 2 d + 2 vertices; f is an involution, and of a - b and f(a) -
 *           f(b) one is a cable for any two a and b that f does not swap. Quadrics, which have a neighbour less, get
 * the cables a - f(a) instead, so that all switches have q + 1 + d ports. paley   of 2 d + 1 vertices, the elements of
 * a field: a - b iff their difference is a square; f(a) is a times a primitive element. Quadrics stay a port short.
 *
 * Minimal routes are all shortest ones, from a table of distances (table.h). Beyond TOPO_MAX_TABLED switches there is
 * the graph, and no routing. */
#include "topo/params.h"
#include "topo/plane.h"
#include "topo/table.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_Q 255
#define MOST_DEGREE 255

struct polarstar {
	struct topo_table table;
	uint32_t vertices; /* of a supernode */
	struct topo_divider by_vertices;
	char why[200]; /* no_routes */
};

/* A joiner graph. */
struct joiner {
	uint32_t n;
	topo_switch *to; /* [n] f */
	struct topo_cable *cable;
	size_t cables;
	bool loops; /* quadrics get a - f(a) */
};

/* --- joiners --------------------------------------------------------------------------------------------- */

static void join(struct joiner *j, uint32_t a, uint32_t b)
{
	j->cable[j->cables++] = (struct topo_cable){ a, b, 0 };
}

/* The quad of degree 3 on vertices first .. first + 7; f swaps i and i + 4. */
static void add_quad(struct joiner *j, uint32_t first)
{
	static const uint8_t ends[12][2] = { { 0, 7 }, { 4, 7 }, { 0, 1 }, { 4, 1 }, { 0, 2 }, { 4, 2 },
		                             { 1, 6 }, { 5, 6 }, { 5, 3 }, { 5, 7 }, { 2, 3 }, { 6, 3 } };
	for (size_t i = 0; i < 12; i++)
		join(j, first + ends[i][0], first + ends[i][1]);
	for (uint32_t i = 0; i < 8; i++)
		j->to[first + i] = first + (i + 4) % 8;
}

/* From degree d to d + 4: a fresh quad, of which 0, 1, 4 and 5 are joined to one half of the vertices, and the others
 * to the other half, which f swaps; then each half gains four of the quad. half[v]: which of the two. */
static void make_iq(struct joiner *j, uint32_t d)
{
	static const uint8_t ends[8][2] = { { 8, 0 }, { 8, 4 }, { 8, 1 }, { 8, 5 },
		                            { 9, 2 }, { 9, 6 }, { 9, 3 }, { 9, 7 } };
	uint32_t n = 2 * d + 2, have = 8;
	uint8_t *half = base_alloc(n);
	*j = (struct joiner){ n, base_calloc(n, sizeof *j->to), base_calloc((size_t)n * d / 2, sizeof *j->cable), 0,
		              true };
	add_quad(j, 0);
	for (uint32_t i = 4; i < 8; i++)
		half[i] = 1;
	if (d % 4 == 0) {
		for (size_t i = 0; i < 8; i++)
			join(j, ends[i][0], ends[i][1]);
		j->to[8] = 9;
		j->to[9] = 8;
		half[9] = 1;
		have = 10;
	}
	for (; have < n; have += 8) {
		add_quad(j, have);
		for (uint32_t i = 0; i < 8; i++)
			for (uint32_t v = 0; v < have; v++)
				if (half[v] == i / 2 % 2)
					join(j, have + i, v);
		for (uint32_t i = 4; i < 8; i++)
			half[have + i] = 1;
	}
	free(half);
}

static void make_paley(struct joiner *j, uint32_t d)
{
	struct topo_gf g;
	uint32_t n = 2 * d + 1;
	*j = (struct joiner){ n, base_calloc(n, sizeof *j->to), base_calloc((size_t)n * d / 2, sizeof *j->cable), 0,
		              false };
	topo_gf_build(&g, n);
	for (uint32_t a = 0; a < n; a++) {
		j->to[a] = topo_gf_mul(&g, g.primitive, a);
		for (uint32_t b = 0; b < a; b++)
			if (g.log[topo_gf_sub(&g, a, b)] % 2 == 0) /* -1 is a square, as n = 1 mod 4 */
				join(j, b, a);
	}
	topo_gf_free(&g);
}

/* --- the product ----------------------------------------------------------------------------------------- */

/* Ports of a switch: those inside the supernode first, then by the number of the other one. */
static struct topo_cable *product(const struct topo_plane *f, const struct joiner *j, size_t *cables)
{
	size_t across = (size_t)f->q * (f->q + 1) * (f->q + 1) / 2, n = 0;
	size_t loops = j->loops ? (size_t)(f->q + 1) * (j->n / 2) : 0;
	struct topo_cable *cable = base_calloc((size_t)f->n * j->cables + across * j->n + loops, sizeof *cable);
	for (uint32_t u = 0; u < f->n; u++) {
		struct topo_vector a = topo_vector_of(f, u);
		for (size_t i = 0; i < j->cables; i++)
			cable[n++] = (struct topo_cable){ u * j->n + j->cable[i].a, u * j->n + j->cable[i].b, 0 };
		for (uint32_t v = 0; j->loops && v < j->n && !topo_vector_dot(f, a, a); v++)
			if (v < j->to[v])
				cable[n++] = (struct topo_cable){ u * j->n + v, u * j->n + j->to[v], 0 };
	}
	for (uint32_t u = 0; u < f->n; u++)
		for (uint32_t i = 0; i <= f->q; i++) {
			uint32_t w = topo_vector_number(f, topo_vector_at(f, topo_vector_of(f, u), i));
			for (uint32_t v = 0; w > u && v < j->n; v++)
				cable[n++] = (struct topo_cable){ u * j->n + v, w * j->n + j->to[v], 1 };
		}
	*cables = n;
	return cable;
}

static uint32_t polarstar_group(const struct topo *topo, topo_switch s)
{
	return topo_divide(&((const struct polarstar *)topo->impl)->by_vertices, s);
}

/* Of any two supernodes there is a way of two cables in the plane, and with one more inside a supernode every vertex is
 * reached, by either f or the joiner. */
static void polarstar_facts(const struct topo *topo, struct topo_facts *facts)
{
	(void)topo;
	facts->diameter = 3;
}

/* --- building -------------------------------------------------------------------------------------------- */

static int check(const struct topo_polarstar_params *in, struct base_errors *errors)
{
	size_t before = errors->errors;
	int64_t d = in->degree;
	if (in->endpoints != BASE_AUTO && in->endpoints < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	if (in->q < 2 || in->q > MOST_Q || !topo_prime_power((uint32_t)in->q, NULL, NULL))
		base_errorf(errors, "q", "%lld is not a prime power from 2 to %d", (long long)in->q, MOST_Q);
	if (in->supernode == TOPO_SUPERNODE_IQ && (d < 3 || d > MOST_DEGREE || d % 4 == 1 || d % 4 == 2))
		base_errorf(errors, "degree",
		            "%lld: an inductive quad has degree 3, 4, 7, 8, ...: 0 or 3 modulo 4, at most %d",
		            (long long)d, MOST_DEGREE);
	if (in->supernode == TOPO_SUPERNODE_PALEY &&
	    (d < 2 || d > MOST_DEGREE || d % 2 || !topo_prime_power((uint32_t)(2 * d + 1), NULL, NULL)))
		base_errorf(
		    errors, "degree",
		    "%lld: a Paley graph has an even degree, at most %d, and 2 x degree + 1, here %lld, is a prime "
		    "power",
		    (long long)d, MOST_DEGREE, (long long)(2 * d + 1));
	return errors->errors > before ? -1 : 0;
}

static void polarstar_destroy(struct topo *topo)
{
	struct polarstar *p = topo->impl;
	topo_table_free(&p->table);
	free(p);
}

static int find_routes(struct topo *topo, struct polarstar *p, struct base_errors *errors)
{
	uint64_t n = topo->switches;
	if (n <= TOPO_MAX_TABLED)
		return topo_table_distances(&p->table) ? base_errorf(errors, NULL, "the graph is not connected") : 0;
	snprintf(
	    p->why, sizeof p->why,
	    "routes of a polarstar are a table of switches^2 bytes, %llu for %llu; at most %u switches are supported",
	    (unsigned long long)(n * n), (unsigned long long)n, TOPO_MAX_TABLED);
	topo->no_routes = p->why;
	return 0;
}

static const char *const polarstar_classes[] = { "local", "global", NULL };

static int polarstar_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_polarstar_params *in = params;
	if (check(in, errors))
		return -1;
	uint32_t q = (uint32_t)in->q, d = (uint32_t)in->degree, degree = q + 1 + d;
	struct topo_plane plane;
	struct joiner joiner;
	size_t cables;
	struct polarstar *p = base_alloc(sizeof *p);
	topo->impl = p;
	p->vertices = in->supernode == TOPO_SUPERNODE_IQ ? 2 * d + 2 : 2 * d + 1;
	p->by_vertices = topo_divider_of(p->vertices);
	if (topo_set_size(topo, (uint64_t)p->vertices * (q * q + q + 1),
	                  in->endpoints == BASE_AUTO ? degree / 3 : (uint64_t)in->endpoints, errors))
		return -1;
	topo_plane_build(&plane, q);
	if (in->supernode == TOPO_SUPERNODE_IQ)
		make_iq(&joiner, d);
	else
		make_paley(&joiner, d);
	struct topo_cable *cable = product(&plane, &joiner, &cables);
	topo_table_connect(&p->table, topo->switches, cable, cables);
	free(cable);
	free(joiner.to);
	free(joiner.cable);
	topo->groups = plane.n;
	topo_plane_free(&plane);
	topo->max_ports = degree;
	topo->link_classes = 2;
	topo->link_class_name = polarstar_classes;
	topo->vc_rule = TOPO_VC_HOP;
	return find_routes(topo, p, errors);
}

static const struct base_param polarstar_params[] = {
	{ .name = "q",
	  .type = BASE_INT,
	  .offset = offsetof(struct topo_polarstar_params, q),
	  .min = 2,
	  .max = MOST_Q,
	  .help =
	      "prime power; makes q^2 + q + 1 supernodes, each with a cable from every switch to q + 1 others, or q" },
	{ .name = "supernode",
	  .type = BASE_ENUM,
	  .offset = offsetof(struct topo_polarstar_params, supernode),
	  .standard = "iq",
	  .choices = "iq|paley",
	  .help = "iq: inductive quad of 2 degree + 2 switches; paley: Paley graph of 2 degree + 1" },
	{ .name = "degree",
	  .type = BASE_INT,
	  .offset = offsetof(struct topo_polarstar_params, degree),
	  .unit = "ports",
	  .min = 2,
	  .max = MOST_DEGREE,
	  .help = "ports of a switch inside its supernode; iq: 0 or 3 modulo 4; paley: even, and 2 degree + 1 a prime "
	          "power" },
	{ .name = "endpoints",
	  .type = BASE_AUTO_INT,
	  .offset = offsetof(struct topo_polarstar_params, endpoints),
	  .standard = "auto",
	  .unit = "endpoints",
	  .min = 1,
	  .max = 65535,
	  .help = "endpoints per switch; auto: a third of the network ports, rounded down" },
	{ 0 }
};

static const struct topo_ops polarstar_ops = {
	.build = polarstar_build,
	.destroy = polarstar_destroy,
	TOPO_TABLE_OPS,
	.group = polarstar_group,
	.facts = polarstar_facts,
	.link_classes = polarstar_classes,
};

const struct base_plugin topo_polarstar = {
	.kind = "topology",
	.name = "polarstar",
	.summary = "PolarStar: a polarity graph whose vertices are small dense graphs, diameter three",
	.source = "Lakhotia et al.: PolarStar, 2023; Bermond, Delorme, Farhi 1982",
	.params = polarstar_params,
	.params_bytes = sizeof(struct topo_polarstar_params),
	.ops = &polarstar_ops,
};
