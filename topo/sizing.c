/* topo/sizing.c - see sizing.h. Closed forms: docs/topologies.md, and the headers of the builders. */
#include "topo/sizing_each.h"

#include <math.h>
#include <stdio.h>

void topo_visit(const struct topo_sizing *s, struct topo_member m)
{
	if (m.radix <= s->radix && m.switches <= TOPO_MAX_SWITCHES && m.endpoints <= TOPO_MAX_ENDPOINTS &&
	    m.endpoints > 1)
		s->visit(s->arg, &m);
}

bool topo_is_prime_power(uint32_t n)
{
	uint32_t p = 2;
	while (p * p <= n && n % p)
		p++;
	if (p * p > n)
		return n > 1; /* a prime */
	while (n % p == 0)
		n /= p;
	return n == 1;
}

/* The member of a family with p endpoints per switch and `trunk` parallel cables. With p endpoints per switch channels
 * carry p^2 times as many flows as with one, and each of n parallel cables carries a fraction 1/n. */
static struct topo_member member_of(const struct topo_graph_sizes *g, uint32_t p, uint32_t trunk)
{
	double e = (double)(g->carrying * p);
	uint32_t here = g->degree * trunk + p, there = g->other_degree * trunk, least = g->least_degree * trunk + p;
	struct topo_member m = { .family = g->family,
		                 .endpoints = g->carrying * p,
		                 .switches = g->carrying + g->others,
		                 .cables = g->cables * trunk,
		                 .radix = here > there ? here : there,
		                 .narrow = g->others && there < least ? there : least,
		                 .uniform = trunk * (e - 1) / (g->load * p * p) };
	m.wide = m.radix;
	for (uint32_t i = 0; i < g->n; i++)
		m.v[i] = g->v[i];
	m.v[g->n] = p;
	m.v[g->n + 1] = trunk;
	return m;
}

void topo_visit_graph(const struct topo_sizing *s, const struct topo_graph_sizes *g)
{
	uint64_t fewest = s->endpoints ? (s->endpoints + g->carrying - 1) / g->carrying : 1;
	uint32_t wide = g->degree > g->other_degree ? g->degree : g->other_degree, ways = g->ways ? g->ways : 1;
	if (g->degree + fewest > s->radix || wide > s->radix || g->load <= 0)
		return;
	uint32_t most = topo_most_trunk(s, s->radix / wide), offered = TOPO_MAX_NEXT / ways;
	most = most < offered || offered == 0 ? most : offered;
	for (uint32_t trunk = 1; trunk <= most && g->degree * trunk + fewest <= s->radix; trunk++) {
		uint32_t p = (uint32_t)fewest, free_ports = s->radix - g->degree * trunk;
		struct topo_member least = member_of(g, p, trunk);
		struct topo_box box = { g->family,
			                least.endpoints,
			                g->carrying * free_ports,
			                least.switches,
			                least.cables,
			                least.radix,
			                least.narrow,
			                least.endpoints > 1 ? least.uniform : INFINITY };
		if (topo_cut(s, &box))
			continue;
		for (; p <= free_ports; p++) {
			struct topo_member m = member_of(g, p, trunk);
			if (m.uniform < s->uniform && m.endpoints > 1)
				break; /* throughput falls with every endpoint */
			topo_visit(s, m);
		}
	}
}

static const char *each_slimfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t q = 3; q <= s->radix; q++) {
		uint32_t degree = q % 4 == 1 ? (3 * q - 1) / 2 : q % 4 == 3 ? (3 * q + 1) / 2 : 3 * q / 2;
		uint64_t n = 2ull * q * q;
		if (topo_is_prime_power(q))
			TOPO_VISIT_GRAPH(s, .family = f, .v = { q }, .n = 1, .carrying = n, .cables = n * degree / 2,
			                 .degree = degree, .least_degree = degree, .load = 3. * q - 2);
	}
	return NULL;
}

static const char *each_polarfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t q = 2; q + 2 <= s->radix; q++)
		if (topo_is_prime_power(q))
			TOPO_VISIT_GRAPH(s, .family = f, .v = { q }, .n = 1, .carrying = (uint64_t)q * q + q + 1,
			                 .cables = (uint64_t)q * (q + 1) * (q + 1) / 2, .degree = q + 1,
			                 .least_degree = q, .load = 2. * q);
	return NULL;
}

/* 2 (k/2)^levels endpoints; the most loaded channels are above the leaves: they carry the flows of a leaf's k/2
 * endpoints to all others, over k/2 cables. */
static void each_fattree(const struct topo_family *f, const struct topo_sizing *s, uint32_t levels)
{
	for (uint32_t k = 4; k <= s->radix; k += 2) {
		uint64_t h = k / 2, n = 2;
		for (uint32_t i = 0; i < levels; i++)
			n *= h;
		TOPO_VISIT(s, .family = f, { k }, n, n / h * (levels - 1) + n / k, (levels - 1) * n, k,
		           ((double)n - 1) / ((double)n - (double)h));
	}
}

static const char *each_fattree_2(const struct topo_family *f, const struct topo_sizing *s)
{
	each_fattree(f, s, 2);
	return NULL;
}

static const char *each_fattree_3(const struct topo_family *f, const struct topo_sizing *s)
{
	each_fattree(f, s, 3);
	return NULL;
}

static const char *each_kary_ntree(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = 2; 2 * k <= s->radix; k++)
		for (uint64_t n = 2, all = (uint64_t)k * k; n <= 4; n++, all *= k)
			TOPO_VISIT(s, .family = f, { k, (uint32_t)n }, all, n * all / k, (n - 1) * all, 2 * k,
			           ((double)all - 1) / ((double)all - k));
	return NULL;
}

static const char *each_mlfm(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t h = 2; 2 * h <= s->radix; h++) {
		uint64_t locals = (uint64_t)h * (h + 1);
		TOPO_VISIT_GRAPH(s, .family = f, .v = { h }, .n = 1, .carrying = locals, .others = locals / 2,
		                 .cables = locals * h, .degree = h, .least_degree = h, .other_degree = 2 * h,
		                 .load = ((double)locals - 1) / h, .ways = h);
	}
	return NULL;
}

static const char *each_oft(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = 3; 2 * k <= s->radix; k++) {
		uint64_t points = (uint64_t)k * k - k + 1;
		if (topo_is_prime_power(k - 1))
			TOPO_VISIT_GRAPH(s, .family = f, .v = { k }, .n = 1, .carrying = 2 * points, .others = points,
			                 .cables = 2 * points * k, .degree = k, .least_degree = k,
			                 .other_degree = 2 * k, .load = (2 * (double)points - 1) / k, .ways = k);
	}
	return NULL;
}

/* Channel load of a ring of k under uniform traffic, ties split over both directions, in units of a switch's injection:
 * k / 8, less 1 / 8k if k is odd. */
static double ring_load(uint32_t k)
{
	return k % 2 ? (k - 1. / k) / 8 : k / 8.;
}

#define LONGEST_RING 64

/* Routes go dimension by dimension, at most half way round: among n switches, a channel of a ring of k carries k n / k
 * of their flows times ring_load(). */
static void visit_torus(const struct topo_family *f, const struct topo_sizing *s, const uint32_t *k, uint32_t dims,
                        uint32_t longest)
{
	struct topo_graph_sizes g = {
		.family = f, .n = dims, .carrying = 1, .degree = 2 * dims, .least_degree = 2 * dims, .ways = 2
	};
	for (uint32_t i = 0; i < dims; i++)
		g.carrying *= g.v[i] = k[i];
	g.cables = dims * g.carrying;
	g.load = (double)g.carrying * ring_load(longest);
	topo_visit_graph(s, &g);
}

static const char *each_torus_3d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 3; a <= LONGEST_RING; a++)
		for (uint32_t b = 3; b <= a; b++)
			for (uint32_t c = 3; c <= b; c++)
				visit_torus(f, s, (uint32_t[]){ a, b, c }, 3, a);
	return NULL;
}

/* Rings of two sizes, k and k + 1. */
static const char *each_torus_5d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = 3; k < 16; k++)
		for (uint32_t larger = 0; larger < 5; larger++) {
			uint32_t size[5];
			for (uint32_t i = 0; i < 5; i++)
				size[i] = k + (i < larger);
			visit_torus(f, s, size, 5, k + (larger > 0));
		}
	return NULL;
}

/* --- the families ---------------------------------------------------------------------------------------- */

const struct topo_family topo_families[] = {
	{ "slimfly", "slimfly", "q = %u; endpoints = %u; trunk = %u", "every prime power q", false, each_slimfly },
	{ "polarfly", "polarfly", "q = %u; endpoints = %u; trunk = %u", "every prime power q", false, each_polarfly },
	{ "dragonfly", "dragonfly", "p = %u; a = %u; h = %u; g = %u; trunk = %u",
	  "groups of two or more fully connected switches, any number of groups, 1 to 512 cables for each pair of them",
	  false, topo_each_dragonfly },
	{ "dragonfly-grid", "dragonfly",
	  "p = %u; rows = %u; columns = %u; black = %u; h = %u; g = %u; trunk = %u; arrangement = \"relative\"",
	  "groups of rows and columns, or of one column, with parallel cables in columns; "
	  "up to 512 cables for each pair of groups",
	  false, topo_each_dragonfly_grid },
	{ "dragonfly-plus", "dragonfly-plus", "leaves = %u; spines = %u; p = %u; h = %u; g = %u; trunk = %u",
	  "any leaves, spines and groups, 1 to 512 cables for each pair of groups", false, topo_each_dragonfly_plus },
	{ "hyperx-1d", "hyperx", "dims = [%u]; trunk = [%u]; endpoints = %u", "a full mesh, 1 to 512 cables per pair",
	  false, topo_each_hyperx_1d },
	{ "hyperx-2d", "hyperx", "dims = [%u, %u]; trunk = [%u, %u]; endpoints = %u",
	  "non-increasing sizes, any cables per pair, 512 in all at most", false, topo_each_hyperx_2d },
	{ "hyperx-3d", "hyperx", "dims = [%u, %u, %u]; trunk = [%u, %u, %u]; endpoints = %u",
	  "non-increasing sizes, any cables per pair, 512 in all at most", false, topo_each_hyperx_3d },
	{ "fattree-2", "fattree", "k = %u; levels = 2", "two levels", false, each_fattree_2 },
	{ "fattree-3", "fattree", "k = %u", "three levels", false, each_fattree_3 },
	{ "leaf-spine", "xgft", "children = [%u, %u]; parents = [1, %u]; trunk = [1, %u]",
	  "two levels, leaves connected to all spines by any number of cables, any endpoints per leaf, so tapered or "
	  "not",
	  false, topo_each_leaf_spine },
	{ "xgft-3", "xgft", "children = [%u, %u, %u]; parents = [1, %u, %u]; trunk = [1, %u, %u]",
	  "three levels, any number of children, parents and cables on each, so tapered or not, and any number of pods",
	  false, topo_each_xgft_3 },
	{ "kary-ntree", "kary-ntree", "k = %u; n = %u", "up to four levels", false, each_kary_ntree },
	{ "mlfm", "mlfm", "h = %u; endpoints = %u; trunk = %u", "every h", false, each_mlfm },
	{ "oft", "oft", "k = %u; endpoints = %u; trunk = %u", "every k - 1 that is a prime power", false, each_oft },
	{ "torus-3d", "torus", "dims = [%u, %u, %u]; endpoints = %u; trunk = %u", "rings of 3 to 64", false,
	  each_torus_3d },
	{ "torus-5d", "torus", "dims = [%u, %u, %u, %u, %u]; endpoints = %u; trunk = %u",
	  "rings of 3 to 16 that differ by at most one", false, each_torus_5d },
	{ "spectralfly", "spectralfly", "p = %u; q = %u; endpoints = %u; trunk = %u",
	  "q up to 31, up to 4,000 switches", true, topo_each_spectralfly },
	{ "bundlefly", "bundlefly", "q = %u; supernode = %u; endpoints = %u; trunk = %u",
	  "up to 2,500 switches, at most as many as the requested endpoints", true, topo_each_bundlefly },
	{ "polarstar", "polarstar", "q = %u; supernode = \"iq\"; degree = %u; endpoints = %u; trunk = %u",
	  "up to 2,500 switches, at most as many as the requested endpoints", true, topo_each_polarstar },
	{ "polarstar-paley", "polarstar", "q = %u; supernode = \"paley\"; degree = %u; endpoints = %u; trunk = %u",
	  "up to 2,500 switches, at most as many as the requested endpoints", true, topo_each_polarstar_paley },
	{ "hammingmesh", "hammingmesh", "board = [%u, %u]; boards = [%u, %u]",
	  "boards of up to 4 by 4, one switch for each row and column", false, topo_each_hammingmesh },
	{ "jellyfish", "jellyfish", "switches = %u; degree = %u; endpoints = %u; trunk = %u",
	  "seed 1, single cables; for each number of endpoints per switch the fewest switches, up to 1,500, and the "
	  "least degree, found by bisection under the assumption that throughput rises with it",
	  true, topo_each_jellyfish },
	{ 0 },
};

void topo_member_print(const struct topo_member *m, char *out, size_t capacity)
{
	size_t used = 0;
	int k = 0;
	for (const char *p = m->family->form; *p && used + 12 < capacity; p++) {
		if (p[0] == '%' && p[1] == 'u') {
			used += (size_t)snprintf(out + used, capacity - used, "%u", m->v[k++]);
			p++;
		} else {
			out[used++] = *p;
		}
	}
	out[used] = 0;
}
