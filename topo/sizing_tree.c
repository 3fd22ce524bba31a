/* topo/sizing_tree.c - members of practical fat trees: leaf and spine, and three levels, tapered or not, with any
 * number of pods, and parallel cables.
 *
 * A subtree of level i with H endpoints sends H (N - H) / (N - 1) upwards over all its cables in equal parts
 * (xgft.c). */
#include "topo/sizing_each.h"

#include <math.h>

/* Saturation throughput of a subtree of `below` of n endpoints with this number of cables upwards. */
static double level_uniform(double below, double n, double cables)
{
	return n > below ? cables * (n - 1) / (below * (n - below)) : INFINITY;
}

static uint32_t more(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static uint32_t fewer(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* --- two levels ------------------------------------------------------------------------------------------ */

static struct topo_member leaf_spine(const struct topo_family *f, uint32_t p, uint32_t leaves, uint32_t spines,
                                     uint32_t t)
{
	uint32_t leaf = p + spines * t, spine = leaves * t;
	return (struct topo_member){ .family = f,
		                     .v = { p, leaves, spines, t },
		                     .endpoints = (uint64_t)p * leaves,
		                     .switches = leaves + spines,
		                     .cables = (uint64_t)leaves * spines * t,
		                     .radix = more(leaf, spine),
		                     .narrow = fewer(leaf, spine),
		                     .wide = more(leaf, spine),
		                     .uniform = level_uniform(p, (double)p * leaves, spines * t) };
}

const char *topo_each_leaf_spine(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t t = 1; t <= topo_most_trunk(s, s->radix); t++)
		for (uint32_t leaves = 2; leaves * t <= s->radix; leaves++)
			for (uint32_t spines = 1; spines * t < s->radix; spines++) {
				uint64_t least = s->endpoints ? (s->endpoints + leaves - 1) / leaves : 1;
				uint32_t most = s->radix - spines * t;
				if (least > most)
					continue;
				struct topo_member m = leaf_spine(f, (uint32_t)least, leaves, spines, t);
				struct topo_box box = { f,          m.endpoints, (uint64_t)most * leaves,
					                m.switches, m.cables,    m.radix,
					                m.narrow,   m.uniform };
				if (topo_cut(s, &box))
					continue;
				for (uint32_t p = (uint32_t)least; p <= most; p++) {
					m = leaf_spine(f, p, leaves, spines, t);
					if (m.uniform < s->uniform)
						break; /* throughput falls with every endpoint */
					topo_visit(s, m);
				}
			}
	return NULL;
}

/* --- three levels ---------------------------------------------------------------------------------------- */

/* m and w: children and parents of levels 2 and 3; t: cables to each parent there. */
struct tree {
	uint32_t p, m2, m3, w2, w3, t2, t3;
};

static struct topo_member member_of(const struct topo_family *f, const struct tree *t)
{
	uint64_t leaves = (uint64_t)t->m2 * t->m3, middle = (uint64_t)t->w2 * t->m3, top = (uint64_t)t->w2 * t->w3;
	uint32_t leaf = t->p + t->w2 * t->t2, pod = t->m2 * t->t2 + t->w3 * t->t3, root = t->m3 * t->t3;
	double n = (double)leaves * t->p;
	double first = level_uniform(t->p, n, (double)t->w2 * t->t2);
	double second = level_uniform((double)t->p * t->m2, n, (double)t->w2 * t->w3 * t->t3);
	struct topo_member m = { .family = f,
		                 .v = { t->p, t->m2, t->m3, t->w2, t->w3, t->t2, t->t3 },
		                 .endpoints = leaves * t->p,
		                 .switches = leaves + middle + top,
		                 .cables = leaves * t->w2 * t->t2 + middle * t->w3 * t->t3,
		                 .radix = more(leaf, more(pod, root)),
		                 .narrow = fewer(leaf, fewer(pod, root)),
		                 .uniform = fmin(first, second) };
	m.wide = m.radix;
	return m;
}

/* The part from a member on: with at least its endpoints, parents and cables, and at most the endpoints and cables that
 * the ports of a switch allow. */
static bool is_cut(const struct topo_family *f, const struct topo_sizing *s, const struct tree *t)
{
	struct topo_member m = member_of(f, t);
	uint32_t most = s->radix - t->w2 * t->t2;
	double n = (double)m.endpoints, first = level_uniform(t->p, n, (double)t->w2 * t->t2);
	double second = level_uniform((double)t->p * t->m2, n, (double)t->w2 * (s->radix - t->m2 * t->t2));
	struct topo_box box = { f,          m.endpoints,        (uint64_t)t->m2 * t->m3 * most,
		                m.switches, m.cables,           m.radix,
		                m.narrow,   fmin(first, second) };
	return topo_cut(s, &box);
}

/* With these endpoints and parents: roots and their cables, from the fewest that are fast enough. */
static void each_root(const struct topo_family *f, const struct topo_sizing *s, struct tree *t)
{
	double n = (double)t->p * t->m2 * t->m3, below = (double)t->p * t->m2;
	double cables = floor(s->uniform * below * (n - below) / (n - 1) / t->w2);
	for (t->t3 = 1; t->t3 * t->m3 <= s->radix && t->t3 <= topo_most_trunk(s, s->radix); t->t3++) {
		double least = ceil(cables / t->t3);
		t->w3 = least > 1 ? (uint32_t)fmin(least, s->radix) : 1;
		for (; t->m2 * t->t2 + t->w3 * t->t3 <= s->radix; t->w3++) {
			struct topo_member m = member_of(f, t);
			struct topo_box rest = { f,           m.endpoints,
				                 m.endpoints, m.switches,
				                 m.cables,    m.radix,
				                 m.narrow,    level_uniform(t->p, n, (double)t->w2 * t->t2) };
			if (topo_cut(s, &rest))
				break;
			topo_visit(s, m);
		}
	}
	t->w3 = t->t3 = 1;
}

static void each_endpoints(const struct topo_family *f, const struct topo_sizing *s, struct tree *t)
{
	uint64_t leaves = (uint64_t)t->m2 * t->m3;
	uint64_t least = s->endpoints ? (s->endpoints + leaves - 1) / leaves : 1;
	for (uint64_t p = least; p + t->w2 * t->t2 <= s->radix; p++) {
		t->p = (uint32_t)p;
		if (is_cut(f, s, t))
			return;
		each_root(f, s, t);
	}
}

const char *topo_each_xgft_3(const struct topo_family *f, const struct topo_sizing *s)
{
	struct tree t = { .w3 = 1, .t3 = 1 };
	for (t.m3 = s->radix; t.m3 >= 2; t.m3--)
		for (t.t2 = 1; t.t2 <= topo_most_trunk(s, s->radix); t.t2++)
			for (t.m2 = 1; t.m2 * t.t2 < s->radix; t.m2++)
				for (t.w2 = 1; t.w2 * t.t2 < s->radix; t.w2++)
					each_endpoints(f, s, &t);
	return NULL;
}
