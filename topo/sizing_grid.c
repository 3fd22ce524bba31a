/* topo/sizing_grid.c - members of HyperX with one to three dimensions, each with its own trunk.
 *
 * Every route crosses a dimension at most once, so dimension i saturates at S_i K_i (e - 1) / (e T) of injection
 * bandwidth, independent of the others: enumerated are, for each dimension, the least sufficient number of cables and
 * more. */
#include "topo/sizing_each.h"

#include <math.h>

#define MOST_DIMS 3

struct sizing_grid {
	int n;
	uint32_t size[MOST_DIMS], trunk[MOST_DIMS], endpoints;
	uint64_t switches;
};

static uint32_t ports_of(const struct sizing_grid *g)
{
	uint32_t ports = 0;
	for (int i = 0; i < g->n; i++)
		ports += (g->size[i] - 1) * g->trunk[i];
	return ports;
}

/* The part with these sizes and at least these trunks, and at least `endpoints` per switch. */
static struct topo_box grids_from(const struct topo_family *f, const struct topo_sizing *s, const struct sizing_grid *g,
                                  uint32_t least, uint32_t most)
{
	uint32_t ports = ports_of(g), offered = 0;
	double uniform = INFINITY, n = (double)g->switches;
	for (int i = 0; i < g->n; i++)
		offered += g->trunk[i];
	for (int i = 0; i < g->n; i++) {
		uint32_t others = ports - (g->size[i] - 1) * g->trunk[i] + least;
		uint32_t trunk = others < s->radix ? topo_most_trunk(s, (s->radix - others) / (g->size[i] - 1)) : 0;
		uint32_t free = TOPO_MAX_NEXT - (offered - g->trunk[i]);
		trunk = trunk < free ? trunk : free;
		uniform = fmin(uniform, (double)g->size[i] * trunk * (n * least - 1) / (n * least * least));
	}
	return (struct topo_box){ f,
		                  g->switches * least,
		                  g->switches * most,
		                  g->switches,
		                  g->switches * ports / 2,
		                  ports + least,
		                  ports + least,
		                  n * least > 1 ? uniform : INFINITY };
}

static void visit_grid(const struct topo_family *f, const struct topo_sizing *s, const struct sizing_grid *g)
{
	uint32_t ports = ports_of(g), p = g->endpoints;
	double e = (double)g->switches * p, least = INFINITY;
	struct topo_member m = { .family = f,
		                 .endpoints = g->switches * p,
		                 .switches = g->switches,
		                 .cables = g->switches * ports / 2,
		                 .radix = p + ports };
	for (int i = 0; i < g->n; i++) {
		m.v[i] = g->size[i];
		m.v[g->n + i] = g->trunk[i];
		least = fmin(least, (double)g->size[i] * g->trunk[i]);
	}
	m.v[2 * g->n] = p;
	m.narrow = m.wide = m.radix;
	m.uniform = least * (e - 1) / (e * p);
	topo_visit(s, m);
}

/* Enumerates trunks of dimensions i and higher; the lower ones are set. */
static void each_trunk(const struct topo_family *f, const struct topo_sizing *s, struct sizing_grid *g, int i)
{
	if (i == g->n || i == MOST_DIMS) {
		visit_grid(f, s, g);
		return;
	}
	uint32_t first = g->trunk[i];
	for (;; g->trunk[i]++) {
		struct topo_box rest = grids_from(f, s, g, g->endpoints, g->endpoints);
		uint32_t offered = 0;
		for (int k = 0; k < g->n; k++)
			offered += g->trunk[k];
		if (rest.radix > s->radix || offered > TOPO_MAX_NEXT || (s->trunk && g->trunk[i] > s->trunk) ||
		    topo_cut(s, &rest))
			break;
		each_trunk(f, s, g, i + 1);
	}
	g->trunk[i] = first;
}

static void each_endpoints(const struct topo_family *f, const struct topo_sizing *s, struct sizing_grid *g)
{
	for (int i = 0; i < g->n; i++)
		g->trunk[i] = 1;
	uint32_t ports = ports_of(g);
	uint64_t least = s->endpoints ? (s->endpoints + g->switches - 1) / g->switches : 1;
	if (ports + least > s->radix)
		return;
	for (uint32_t p = (uint32_t)least; ports + p <= s->radix; p++) {
		for (int i = 0; i < g->n; i++)
			g->trunk[i] = 1;
		struct topo_box rest = grids_from(f, s, g, p, s->radix - ports);
		if (topo_cut(s, &rest))
			return;
		double e = (double)g->switches * p, per = s->uniform * p * e / fmax(1, e - 1);
		for (int i = 0; i < g->n; i++) {
			double trunk = floor(per / g->size[i]);
			g->trunk[i] = trunk > 1 ? (uint32_t)fmin(trunk, s->radix) : 1;
		}
		g->endpoints = p;
		each_trunk(f, s, g, 0);
	}
}

/* Enumerates sizes of dimensions i and higher, in non-increasing order. */
static void each_size(const struct topo_family *f, const struct topo_sizing *s, struct sizing_grid *g, int i,
                      uint32_t ports)
{
	if (i == g->n || i == MOST_DIMS) {
		g->switches = 1;
		for (int k = 0; k < g->n; k++)
			g->switches *= g->size[k];
		each_endpoints(f, s, g);
		return;
	}
	uint32_t most = i ? g->size[i - 1] : s->radix;
	for (g->size[i] = 2; g->size[i] <= most && ports + g->size[i] - 1 < s->radix; g->size[i]++)
		each_size(f, s, g, i + 1, ports + g->size[i] - 1);
}

const char *topo_each_hyperx_1d(const struct topo_family *f, const struct topo_sizing *s)
{
	each_size(f, s, &(struct sizing_grid){ .n = 1 }, 0, 0);
	return NULL;
}

const char *topo_each_hyperx_2d(const struct topo_family *f, const struct topo_sizing *s)
{
	each_size(f, s, &(struct sizing_grid){ .n = 2 }, 0, 0);
	return NULL;
}

const char *topo_each_hyperx_3d(const struct topo_family *f, const struct topo_sizing *s)
{
	each_size(f, s, &(struct sizing_grid){ .n = 3 }, 0, 0);
	return NULL;
}
