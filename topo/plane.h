/* topo/plane.h - points and lines of the projective plane over GF(q), for polarfly.c and oft.c.
 *
 * A point is a vector whose first nonzero coordinate is 1; a line is given by such a vector, too, and consists of the
 * points orthogonal to it. There are q^2 + q + 1 of each, q + 1 points on a line and q + 1 lines through a point. Two
 * points are on one line, two lines meet in one point: their cross product.
 *
 * Numbers: (1, x, y) is x q + y, (0, 1, y) is q^2 + y, (0, 0, 1) is q^2 + q. No table has more than q entries, except
 * that of sums in GF(q) for odd q that are not prime (gf.h). */
#ifndef TOPO_PLANE_H
#define TOPO_PLANE_H

#include "topo/divide.h"
#include "topo/gf.h"

struct topo_plane {
	struct topo_gf field;
	uint32_t q, qq, n;
	struct topo_divider by_q;
};

struct topo_vector {
	uint32_t v[3];
};

/* Builds the plane over GF(q), where q must be a prime power of at most TOPO_GF_MAX. Free with topo_plane_free(). */
static inline void topo_plane_build(struct topo_plane *f, uint32_t q)
{
	*f = (struct topo_plane){ .q = q, .qq = q * q, .n = q * q + q + 1, .by_q = topo_divider_of(q) };
	topo_gf_build(&f->field, q);
}

static inline void topo_plane_free(struct topo_plane *f)
{
	topo_gf_free(&f->field);
}

static inline struct topo_vector topo_vector_of(const struct topo_plane *f, uint32_t number)
{
	if (number < f->qq) {
		uint32_t x = topo_divide(&f->by_q, number);
		return (struct topo_vector){ { 1, x, topo_remainder(&f->by_q, number, x) } };
	}
	return number < f->qq + f->q ? (struct topo_vector){ { 0, 1, number - f->qq } }
	                             : (struct topo_vector){ { 0, 0, 1 } };
}

static inline uint32_t topo_vector_number(const struct topo_plane *f, struct topo_vector a)
{
	return a.v[0] ? a.v[1] * f->q + a.v[2] : a.v[1] ? f->qq + a.v[2] : f->n - 1;
}

static inline uint32_t topo_vector_dot(const struct topo_plane *f, struct topo_vector a, struct topo_vector b)
{
	const struct topo_gf *g = &f->field;
	return topo_gf_add(g, topo_gf_add(g, topo_gf_mul(g, a.v[0], b.v[0]), topo_gf_mul(g, a.v[1], b.v[1])),
	                   topo_gf_mul(g, a.v[2], b.v[2]));
}

/* a1 b2 - a2 b1 */
static inline uint32_t topo_vector_minor(const struct topo_gf *g, uint32_t a1, uint32_t a2, uint32_t b1, uint32_t b2)
{
	return topo_gf_sub(g, topo_gf_mul(g, a1, b2), topo_gf_mul(g, a2, b1));
}

/* The vector orthogonal to two different vectors. */
static inline struct topo_vector topo_vector_cross(const struct topo_plane *f, struct topo_vector a,
                                                   struct topo_vector b)
{
	const struct topo_gf *g = &f->field;
	uint32_t x = topo_vector_minor(g, a.v[1], a.v[2], b.v[1], b.v[2]);
	uint32_t y = topo_vector_minor(g, a.v[2], a.v[0], b.v[2], b.v[0]);
	uint32_t z = topo_vector_minor(g, a.v[0], a.v[1], b.v[0], b.v[1]);
	if (x)
		return (struct topo_vector){ { 1, topo_gf_div(g, y, x), topo_gf_div(g, z, x) } };
	return y ? (struct topo_vector){ { 0, 1, topo_gf_div(g, z, y) } } : (struct topo_vector){ { 0, 0, 1 } };
}

/* The position of a point among the q + 1 points of line `l`: by x where (1, x, y) has y = -(l1 + l2 x) / l3; else by
 * y, where x is fixed, or on the line of the points (0, 1, y). The remaining point is the last one. */
static inline uint32_t topo_vector_position(const struct topo_plane *f, struct topo_vector l, struct topo_vector a)
{
	if (l.v[2])
		return a.v[0] ? a.v[1] : f->q;
	return a.v[0] || a.v[1] ? a.v[2] : f->q;
}

/* The inverse of topo_vector_position(). */
static inline struct topo_vector topo_vector_at(const struct topo_plane *f, struct topo_vector l, uint32_t i)
{
	const struct topo_gf *g = &f->field;
	if (l.v[2]) {
		if (i == f->q)
			return (struct topo_vector){ { 0, 1, g->neg[topo_gf_div(g, l.v[1], l.v[2])] } };
		uint32_t sum = topo_gf_add(g, l.v[0], topo_gf_mul(g, l.v[1], i));
		return (struct topo_vector){ { 1, i, g->neg[topo_gf_div(g, sum, l.v[2])] } };
	}
	if (i == f->q)
		return (struct topo_vector){ { 0, 0, 1 } };
	return l.v[1] ? (struct topo_vector){ { 1, g->neg[topo_gf_div(g, l.v[0], l.v[1])], i } }
	              : (struct topo_vector){ { 0, 1, i } };
}

#endif
