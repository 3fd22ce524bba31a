/* topo/polarstar.c - PolarStar: the star product of a polarity graph with a supernode, diameter three.
 *
 * Lakhotia, Isham, Monroe, Besta, Hoefler, Petrini, "PolarStar: Expanding the Scalability Horizon of Diameter-3
 * Networks", 2023; star products: Bermond, Delorme, Farhi 1982; EvalNet's constructions.
 *
 * Supernodes are the q^2 + q + 1 points of the projective plane over GF(q) (plane.h), each a copy of a joiner graph
 * with a permutation f of its vertices; if two points are orthogonal, (u, a) is connected to (v, f(a)), from the
 * smaller number u to the larger v. Switches are numbered supernode by supernode. Joiner graphs:
 *   iq      inductive quad of degree d = 0 or 3 modulo 4, 2 d + 2 vertices; f is an involution, and for any a and b
 *           that f does not swap, a - b or f(a) - f(b) is a cable. Quadrics, which have one neighbour less, get the
 *           cables a - f(a) instead, so that all switches have q + 1 + d ports.
 *   paley   of 2 d + 1 vertices, the elements of a field: a - b iff their difference is a square; f(a) is a times a
 *           primitive element. Quadrics have one port less.
 *
 * Minimal routes are all shortest ones: up to TOPO_MAX_TABLED switches from a table of distances (table.h), beyond that
 * by testing for every port whether it reduces the distance. Distances of one or two hops follow from the plane, in
 * which two points have one common neighbour, their cross product, and from the joiner graph. */
#include "topo/polarstar.h"

#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/plane.h"
#include "topo/table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MOST_Q 255
#define MOST_DEGREE 255

struct polarstar {
	struct topo_table table; /* first */
	struct topo_plane plane;
	uint32_t vertices; /* per supernode */
	struct topo_divider by_vertices;
	topo_switch *to, *from; /* [vertices] f, and its inverse */
	bool loops;             /* quadrics have the cables a - f(a) */
	uint8_t *inside[2];     /* [vertices][vertices] hops without leaving the supernode, 3: more; [1]: in quadrics */
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

static void join_vertices(struct joiner *j, uint32_t a, uint32_t b)
{
	j->cable[j->cables++] = (struct topo_cable){ .a = a, .b = b };
}

/* The quad of degree 3 on vertices first .. first + 7; f swaps i and i + 4. */
static void add_quad(struct joiner *j, uint32_t first)
{
	static const uint8_t ends[12][2] = { { 0, 7 }, { 4, 7 }, { 0, 1 }, { 4, 1 }, { 0, 2 }, { 4, 2 },
		                             { 1, 6 }, { 5, 6 }, { 5, 3 }, { 5, 7 }, { 2, 3 }, { 6, 3 } };
	for (size_t i = 0; i < 12; i++)
		join_vertices(j, first + ends[i][0], first + ends[i][1]);
	for (uint32_t i = 0; i < 8; i++)
		j->to[first + i] = first + (i + 4) % 8;
}

/* Builds the inductive quad of degree d. A step from degree d to d + 4 adds a quad of eight vertices: 0, 1, 4 and 5 of
 * these are connected to one half of the existing vertices, the others to the other half, where f swaps the halves.
 * Then each half gains four vertices of the quad. half[v] says to which half vertex v belongs. */
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
			join_vertices(j, ends[i][0], ends[i][1]);
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
					join_vertices(j, have + i, v);
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
				join_vertices(j, b, a);
	}
	topo_gf_free(&g);
}

/* --- the product ----------------------------------------------------------------------------------------- */

/* Ports of a switch: first those inside the supernode, then by the number of the other supernode. */
static struct topo_cable *product(const struct topo_plane *f, const struct joiner *j, size_t *cables)
{
	size_t across = (size_t)f->q * (f->q + 1) * (f->q + 1) / 2, n = 0;
	size_t loops = j->loops ? (size_t)(f->q + 1) * (j->n / 2) : 0;
	struct topo_cable *cable = base_calloc((size_t)f->n * j->cables + across * j->n + loops, sizeof *cable);
	for (uint32_t u = 0; u < f->n; u++) {
		struct topo_vector a = topo_vector_of(f, u);
		for (size_t i = 0; i < j->cables; i++)
			cable[n++] =
			    (struct topo_cable){ .a = u * j->n + j->cable[i].a, .b = u * j->n + j->cable[i].b };
		for (uint32_t v = 0; j->loops && v < j->n && !topo_vector_dot(f, a, a); v++)
			if (v < j->to[v])
				cable[n++] = (struct topo_cable){ .a = u * j->n + v, .b = u * j->n + j->to[v] };
	}
	for (uint32_t u = 0; u < f->n; u++)
		for (uint32_t i = 0; i <= f->q; i++) {
			uint32_t w = topo_vector_number(f, topo_vector_at(f, topo_vector_of(f, u), i));
			for (uint32_t v = 0; w > u && v < j->n; v++)
				cable[n++] =
				    (struct topo_cable){ .a = u * j->n + v, .b = w * j->n + j->to[v], .link_class = 1 };
		}
	*cables = n;
	return cable;
}

/* --- routes without a table ------------------------------------------------------------------------------ */

struct polarstar_place {
	topo_switch u;
	uint32_t a;
};

static struct polarstar_place place_of_switch(const struct polarstar *p, topo_switch s)
{
	uint32_t u = topo_divide(&p->by_vertices, s);
	return (struct polarstar_place){ u, topo_remainder(&p->by_vertices, s, u) };
}

/* The vertex reached from a over the cable from u to v. */
static uint32_t across(const struct polarstar *p, topo_switch u, topo_switch v, uint32_t a)
{
	return u < v ? p->to[a] : p->from[a];
}

static unsigned within(const struct polarstar *p, struct topo_vector u, uint32_t a, uint32_t b)
{
	bool quadric = p->loops && !topo_vector_dot(&p->plane, u, u);
	return p->inside[quadric][(size_t)a * p->vertices + b];
}

/* Hops between two switches; 3 means more than two. Between adjacent supernodes a route takes one cable, or one cable
 * and a step inside the supernode at either end, or two cables over the supernode that is adjacent to both. Between
 * others it takes two cables over their common neighbour. */
static unsigned hops_between(const struct polarstar *p, struct polarstar_place s, struct polarstar_place t)
{
	struct topo_vector u = topo_vector_of(&p->plane, s.u), v = topo_vector_of(&p->plane, t.u);
	if (s.u == t.u)
		return within(p, u, s.a, t.a);
	if (!topo_vector_dot(&p->plane, u, v)) {
		uint32_t there = across(p, s.u, t.u, s.a);
		if (there == t.a)
			return 1;
		if (within(p, v, there, t.a) == 1 || within(p, u, s.a, across(p, t.u, s.u, t.a)) == 1)
			return 2;
	}
	topo_switch w = topo_vector_number(&p->plane, topo_vector_cross(&p->plane, u, v));
	if (w == s.u || w == t.u)
		return 3;
	return across(p, w, t.u, across(p, s.u, w, s.a)) == t.a ? 2 : 3;
}

unsigned topo_polarstar_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct polarstar *p = topo->impl;
	return hops_between(p, place_of_switch(p, from), place_of_switch(p, to));
}

int topo_polarstar_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct polarstar *p = topo->impl;
	const topo_switch *peer = p->table.graph.to + p->table.graph.first[here];
	uint32_t ports = topo_table_ports(topo, here);
	struct polarstar_place t = place_of_switch(p, to);
	unsigned far = hops_between(p, place_of_switch(p, here), t);
	int n = 0;
	for (topo_port i = 0; i < ports && n < TOPO_MAX_NEXT; i++)
		if (hops_between(p, place_of_switch(p, peer[i]), t) + 1 == far)
			out[n++] = i;
	return n;
}

static unsigned polarstar_max_distance(const struct topo *topo)
{
	(void)topo;
	return 3;
}

/* --- symmetries ------------------------------------------------------------------------------------------ */

/* The point of a nonzero vector. */
static uint32_t point_of(const struct topo_plane *f, struct topo_vector a)
{
	uint32_t first = a.v[0] ? a.v[0] : a.v[1] ? a.v[1] : a.v[2];
	for (int i = 0; i < 3; i++)
		a.v[i] = topo_gf_div(&f->field, a.v[i], first);
	return topo_vector_number(f, a);
}

/* x - c (x v) v preserves dot products if c (v v) = 2, and with any c if v v = 0 in a field with 2 = 0. */
static bool keeps_dots(const struct topo_plane *f, struct topo_vector v, uint32_t *c)
{
	uint32_t square = topo_vector_dot(f, v, v), two = topo_gf_add(&f->field, 1, 1);
	if (!square != !two)
		return false;
	*c = two ? topo_gf_div(&f->field, two, square) : f->field.primitive;
	return true;
}

static void map_points(const struct polarstar *p, struct topo_vector v, uint32_t c, topo_switch *map)
{
	const struct topo_plane *f = &p->plane;
	for (uint32_t u = 0; u < f->n; u++) {
		struct topo_vector x = topo_vector_of(f, u);
		uint32_t by = topo_gf_mul(&f->field, c, topo_vector_dot(f, x, v));
		for (int i = 0; i < 3; i++)
			x.v[i] = topo_gf_sub(&f->field, x.v[i], topo_gf_mul(&f->field, by, v.v[i]));
		for (uint32_t a = 0, to = point_of(f, x); a < p->vertices; a++)
			map[u * p->vertices + a] = to * p->vertices + a;
	}
}

size_t topo_polarstar_maps(const struct topo *topo, topo_switch *map[TOPO_POLARSTAR_MAPS])
{
	const struct polarstar *p = topo->impl;
	const struct topo_gf *g = &p->plane.field;
	size_t n = 0;
	if (!p->loops) { /* Paley: f is multiplication by a primitive element */
		for (topo_switch s = 0; s < topo->switches; s++) {
			struct polarstar_place at = place_of_switch(p, s);
			map[0][s] = at.u * p->vertices + p->to[p->to[at.a]];
		}
		return 1;
	}
	uint32_t minus = g->neg[1], x = g->primitive, c;
	/* the first two swap coordinates, as v v = 2; in a field with 2 = 0 c must then be 1 */
	const struct topo_vector v[] = { { { 1, minus, 0 } }, { { 0, 1, minus } }, { { 1, x, topo_gf_add(g, 1, x) } },
		                         { { 1, x, 0 } },     { { 1, 1, x } },     { { 1, 1, 1 } } };
	for (size_t i = 0; i < sizeof v / sizeof *v && n < TOPO_POLARSTAR_MAPS; i++)
		if (keeps_dots(&p->plane, v[i], &c))
			map_points(p, v[i], i < 2 ? 1 : c, map[n++]);
	return n;
}

/* Hops inside a supernode, with the loops of a quadric or without. */
static uint8_t *hops_inside(const struct joiner *j, bool loops)
{
	size_t n = j->n;
	uint8_t *hops = base_alloc(n * n);
	memset(hops, 3, n * n);
	for (size_t i = 0; i < j->cables; i++)
		hops[j->cable[i].a * n + j->cable[i].b] = hops[j->cable[i].b * n + j->cable[i].a] = 1;
	for (size_t a = 0; loops && a < n; a++)
		hops[a * n + j->to[a]] = 1;
	for (size_t a = 0; a < n; a++)
		for (size_t m = 0; m < n; m++)
			for (size_t b = 0; hops[a * n + m] == 1 && b < n; b++)
				if (hops[m * n + b] == 1 && hops[a * n + b] == 3)
					hops[a * n + b] = 2;
	for (size_t a = 0; a < n; a++)
		hops[a * n + a] = 0;
	return hops;
}

/* --- the rest -------------------------------------------------------------------------------------------- */

static uint32_t polarstar_group(const struct topo *topo, topo_switch s)
{
	return topo_divide(&((const struct polarstar *)topo->impl)->by_vertices, s);
}

/* Diameter 3: any two supernodes have a path of two cables in the plane, and with one more cable inside a supernode
 * every vertex is reached, by f or by the joiner. */
static void polarstar_facts(const struct topo *topo, struct topo_facts *facts)
{
	(void)topo;
	facts->diameter = 3;
}

/* --- building -------------------------------------------------------------------------------------------- */

static int check_polarstar(const struct topo_polarstar_params *in, struct base_errors *errors)
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
		base_errorf(errors, "degree",
		            "%lld: a Paley graph needs an even degree of at most %d for which 2 x degree + 1, here "
		            "%lld, is a prime power",
		            (long long)d, MOST_DEGREE, (long long)(2 * d + 1));
	return errors->errors > before ? -1 : 0;
}

static void polarstar_destroy(struct topo *topo)
{
	struct polarstar *p = topo->impl;
	topo_table_free(&p->table);
	topo_plane_free(&p->plane);
	free(p->to);
	free(p->from);
	free(p->inside[0]);
	free(p->inside[1]);
	free(p);
}

/* Prepares the joiner graph for routing; takes ownership of it. */
static void keep_joiner(struct polarstar *p, struct joiner *j)
{
	p->loops = j->loops;
	p->to = j->to;
	p->from = base_calloc(j->n, sizeof *p->from);
	for (uint32_t a = 0; a < j->n; a++)
		p->from[j->to[a]] = a;
	for (int quadric = 0; quadric < 2; quadric++)
		p->inside[quadric] = hops_inside(j, quadric && j->loops);
	free(j->cable);
}

static const char *const polarstar_classes[] = { "local", "global", NULL };
static const struct topo_ops ops_by_table;

static int polarstar_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_polarstar_params *in = params;
	if (check_polarstar(in, errors))
		return -1;
	uint32_t q = (uint32_t)in->q, d = (uint32_t)in->degree, degree = q + 1 + d;
	struct joiner joiner;
	size_t cables;
	struct polarstar *p = base_alloc(sizeof *p);
	topo->impl = p;
	p->vertices = in->supernode == TOPO_SUPERNODE_IQ ? 2 * d + 2 : 2 * d + 1;
	p->by_vertices = topo_divider_of(p->vertices);
	if (topo_set_size(topo, (uint64_t)p->vertices * (q * q + q + 1),
	                  in->endpoints == BASE_AUTO ? degree / 3 : (uint64_t)in->endpoints, errors))
		return -1;
	topo_plane_build(&p->plane, q);
	if (in->supernode == TOPO_SUPERNODE_IQ)
		make_iq(&joiner, d);
	else
		make_paley(&joiner, d);
	struct topo_cable *cable = product(&p->plane, &joiner, &cables);
	topo_table_connect(&p->table, topo->switches, cable, cables);
	free(cable);
	keep_joiner(p, &joiner);
	topo->groups = p->plane.n;
	topo->max_ports = degree;
	topo->link_classes = 2;
	topo->link_class_name = polarstar_classes;
	topo->vc_rule = TOPO_VC_HOP;
	if (topo->switches > TOPO_MAX_TABLED)
		return 0;
	topo->ops = &ops_by_table;
	return topo_table_distances(&p->table);
}

static const struct base_param polarstar_params[] = {
	{ BASE_KEY(INT, struct topo_polarstar_params, q, NULL), .min = 2, .max = MOST_Q,
	  .help = "prime power; makes q^2 + q + 1 supernodes, in which every switch has q + 1 cables to other "
	          "supernodes, or q" },
	{ BASE_KEY(ENUM, struct topo_polarstar_params, supernode, "iq"), .choices = "iq|paley",
	  .help = "iq: inductive quad of 2 degree + 2 switches; paley: Paley graph of 2 degree + 1 switches" },
	{ BASE_KEY(INT, struct topo_polarstar_params, degree, NULL), .unit = "ports", .min = 2, .max = MOST_DEGREE,
	  .help = "ports of a switch inside its supernode; iq: 0 or 3 modulo 4; paley: even, and 2 degree + 1 a prime "
	          "power" },
	TOPO_ENDPOINTS_BY(struct topo_polarstar_params, "a third"),
	TOPO_TRUNK(struct topo_polarstar_params),
	{ 0 }
};

#define POLARSTAR_OPS                                                                               \
	.trunk_at = offsetof(struct topo_polarstar_params, trunk), .build = polarstar_build,        \
	.destroy = polarstar_destroy, .ports = topo_table_ports, .peer = topo_table_peer,           \
	.max_distance = polarstar_max_distance, .group = polarstar_group, .facts = polarstar_facts, \
	.link_classes = polarstar_classes

static const struct topo_ops polarstar_ops = { POLARSTAR_OPS, .next = topo_polarstar_next,
	                                       .distance = topo_polarstar_distance };
static const struct topo_ops ops_by_table = { POLARSTAR_OPS, .next = topo_table_next, .distance = topo_table_distance };

const struct base_plugin topo_polarstar = {
	BASE_DESCRIBE("topology", "polarstar", polarstar_params, struct topo_polarstar_params, &polarstar_ops),
	.summary = "PolarStar: a polarity graph whose vertices are small dense graphs, diameter three",
	.source = "Lakhotia et al.: PolarStar, 2023; Bermond, Delorme, Farhi 1982",
};
