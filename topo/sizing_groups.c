/* topo/sizing_groups.c - members of the dragonfly and of the dragonfly+: the number of groups and the cables per pair
 * of groups are free. Closed forms of loads: dragonfly.c and dragonfly_plus.c, exact up to TOPO_MAX_NEXT cables per
 * pair.
 *
 * Once a member is fast enough, more cables only make it more expensive, so cables are enumerated upwards; topo_cut()
 * decides which members may still be better. */
#include "topo/sizing_each.h"

#include <math.h>

/* --- dragonfly ------------------------------------------------------------------------------------------- */

/* Members with p, a, g: trunks from the minimum upwards. A group's (g - 1) trunk cables are distributed evenly over its
 * switches. */
static void visit_dragonflies(const struct topo_family *f, const struct topo_sizing *s, uint32_t p, uint32_t a,
                              uint64_t g)
{
	uint64_t n = a * g, ports = (uint64_t)a * (s->radix - p - a + 1), local = n * (a - 1) / 2;
	uint32_t most = topo_most_trunk(s, ports / (g - 1));
	double e = (double)(n * p), pp = (double)p * p, aa = (double)a * a;
	double inside = (e - 1) / (pp * (2. * (double)g - 1));
	for (uint32_t t = topo_least_trunk(s, pp * aa, e); t <= most; t++) {
		uint64_t slots = (g - 1) * t, cables = local + g * slots / 2;
		uint32_t h = (uint32_t)topo_round_up(slots, a), second = slots % a == 1 ? h - 1 : h;
		struct topo_box rest = { f,
			                 n * p,
			                 n * p,
			                 n,
			                 cables,
			                 p + a - 1 + h,
			                 p + a - 1 + (uint32_t)(slots / a),
			                 fmin(inside, most * (e - 1) / (pp * aa)) };
		if (topo_cut(s, &rest))
			return;
		double fullest = fmax(aa / t, 1 + a * ((double)h + second) / t);
		TOPO_VISIT(s, .family = f, .v = { p, a, h, (uint32_t)g, t }, .endpoints = n * p, .switches = n,
		           .cables = cables, .radix = rest.radix, .narrow = rest.narrow, .wide = rest.radix,
		           .uniform = (e - 1) / (pp * fullest));
	}
}

/* The part with p, a and at least g groups. A local channel carries p^2 (1 + a (most + second) / trunk), at least p^2
 * (2 g - 1), of e - 1 flows; the ratio over p a g - 1 rises with g. */
static struct topo_box dragonflies_from(const struct topo_family *f, const struct topo_sizing *s, uint32_t p,
                                        uint32_t a, uint64_t g)
{
	uint64_t most = (uint64_t)a * (s->radix - p - a + 1) + 1, n = a * g;
	return (struct topo_box){ f,
		                  n * p,
		                  a * most * p,
		                  n,
		                  n * (a - 1) / 2 + g * (g - 1) / 2,
		                  p + a - 1 + (uint32_t)topo_round_up(g - 1, a),
		                  p + a - 1,
		                  ((double)(n * p) - 1) / ((double)p * p * (2. * (double)g - 1)) };
}

/* If the size is free, the largest members with one cable per pair come first: they exclude many smaller ones. */
const char *topo_each_dragonfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (int round = s->endpoints ? 1 : 0; round < 2; round++)
		for (uint32_t a = 2; a <= s->radix; a++)
			for (uint32_t p = 1; p + a <= s->radix; p++) {
				uint64_t most = (uint64_t)a * (s->radix - p - a + 1) + 1;
				uint64_t g = topo_at_least(2, topo_round_up(s->endpoints, (uint64_t)p * a));
				if (!round)
					visit_dragonflies(f, s, p, a, most);
				for (; round && g <= most; g++) {
					struct topo_box rest = dragonflies_from(f, s, p, a, g);
					if (topo_cut(s, &rest))
						break;
					if (g < most || s->endpoints)
						visit_dragonflies(f, s, p, a, g);
				}
			}
	return NULL;
}

/* --- dragonfly+ ------------------------------------------------------------------------------------------ */

struct sizing_plus {
	uint32_t leaves, spines, p;
	uint64_t g;
};

/* Members with these numbers: a group's cables are distributed evenly over its spines. */
static void visit_plus(const struct topo_family *f, const struct topo_sizing *s, const struct sizing_plus *d)
{
	uint64_t g = d->g, n = g * (d->leaves + d->spines), inside = g * d->leaves * d->spines;
	uint32_t most = topo_most_trunk(s, (uint64_t)d->spines * (s->radix - d->leaves) / (g - 1)),
		 leaf = d->p + d->spines;
	double l = d->leaves, p = d->p, e = l * p * (double)g, over = l * p * l * p;
	double local = p * p * (l * (double)g - 1) / d->spines; /* lower bound */
	for (uint32_t t = topo_least_trunk(s, over, e); t <= most; t++) {
		uint64_t ends = (g - 1) * t, cables = inside + g * ends / 2;
		uint32_t h = (uint32_t)topo_round_up(ends, d->spines), spine = d->leaves + h;
		uint32_t narrow = d->leaves + (uint32_t)(ends / d->spines);
		struct topo_box rest = { f,
			                 g * d->leaves * d->p,
			                 g * d->leaves * d->p,
			                 n,
			                 cables,
			                 leaf > spine ? leaf : spine,
			                 leaf < narrow ? leaf : narrow,
			                 (e - 1) / fmax(local, over / most) };
		if (topo_cut(s, &rest))
			return;
		double up = p * p * ((l - 1) / d->spines + l * (double)(g - 1) * h / (double)ends);
		TOPO_VISIT(s, .family = f, .v = { d->leaves, d->spines, d->p, h, (uint32_t)g, t },
		           .endpoints = rest.endpoints, .switches = n, .cables = cables, .radix = rest.radix,
		           .narrow = rest.narrow, .wide = rest.radix, .uniform = (e - 1) / fmax(up, over / t));
	}
}

/* The part with these leaves, spines and p, and at least g groups. The load of a leaf's cables, p^2 (l g - 1) / spines
 * of p l g - 1 flows, rises with g. */
static struct topo_box plus_from(const struct topo_family *f, const struct topo_sizing *s, const struct sizing_plus *d)
{
	uint64_t most = (uint64_t)d->spines * (s->radix - d->leaves) + 1, e = (uint64_t)d->leaves * d->p;
	uint32_t leaf = d->p + d->spines, spine = d->leaves + (uint32_t)topo_round_up(d->g - 1, d->spines);
	uint32_t narrow = d->leaves + (uint32_t)((d->g - 1) / d->spines);
	return (struct topo_box){ f,
		                  e * d->g,
		                  e * most,
		                  d->g * (d->leaves + d->spines),
		                  d->g * d->leaves * d->spines + d->g * (d->g - 1) / 2,
		                  leaf > spine ? leaf : spine,
		                  leaf < narrow ? leaf : narrow,
		                  ((double)(e * d->g) - 1) * d->spines /
		                      ((double)d->p * d->p * ((double)(d->leaves * d->g) - 1)) };
}

static void each_plus(const struct topo_family *f, const struct topo_sizing *s, struct sizing_plus *d, int round)
{
	uint64_t most = (uint64_t)d->spines * (s->radix - d->leaves) + 1;
	if (!round) {
		d->g = most;
		visit_plus(f, s, d);
		return;
	}
	for (d->g = topo_at_least(2, topo_round_up(s->endpoints, (uint64_t)d->leaves * d->p)); d->g <= most; d->g++) {
		struct topo_box rest = plus_from(f, s, d);
		if (topo_cut(s, &rest))
			return;
		visit_plus(f, s, d);
	}
}

/* First members with as many leaves as spines and one cable per pair, as in dragonflies. */
const char *topo_each_dragonfly_plus(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = 1; !s->endpoints && 2 * k <= s->radix && k <= TOPO_MAX_NEXT; k++)
		each_plus(f, s, &(struct sizing_plus){ k, k, k, 0 }, 0);
	for (uint32_t spines = 1; spines < s->radix && spines <= TOPO_MAX_NEXT; spines++)
		for (uint32_t p = 1; p + spines <= s->radix; p++)
			for (uint32_t leaves = 1; leaves < s->radix; leaves++)
				each_plus(f, s, &(struct sizing_plus){ leaves, spines, p, 0 }, 1);
	return NULL;
}
