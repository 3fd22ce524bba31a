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

static const char *each_slimfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t q = 3; q <= s->radix; q++) {
		uint32_t degree = q % 4 == 1 ? (3 * q - 1) / 2 : q % 4 == 3 ? (3 * q + 1) / 2 : 3 * q / 2;
		if (!topo_is_prime_power(q) || q == 2)
			continue;
		for (uint32_t p = 1; p + degree <= s->radix; p++) {
			uint64_t n = 2ull * q * q;
			topo_visit(s, (struct topo_member){ .family = f,
			                                    { q, p },
			                                    n * p,
			                                    n,
			                                    n * degree / 2,
			                                    p + degree,
			                                    ((double)(n * p) - 1) / ((double)p * p * (3. * q - 2)) });
		}
	}
	return NULL;
}

static const char *each_polarfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t q = 2; q + 2 <= s->radix; q++)
		for (uint32_t p = 1; topo_is_prime_power(q) && p + q + 1 <= s->radix; p++) {
			uint64_t n = (uint64_t)q * q + q + 1;
			topo_visit(s, (struct topo_member){ .family = f,
			                                    { q, p },
			                                    n * p,
			                                    n,
			                                    (uint64_t)q * (q + 1) * (q + 1) / 2,
			                                    p + q + 1,
			                                    ((double)(n * p) - 1) / (2. * q * p * p) });
		}
	return NULL;
}

/* Local and global channels, one cable for each pair of groups. */
static const char *each_dragonfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 2; a <= s->radix; a++)
		for (uint32_t h = 1; a + h <= s->radix; h++)
			for (uint32_t p = 1; p + a + h - 1 <= s->radix; p++) {
				uint64_t g = (uint64_t)a * h + 1, n = a * g;
				double traffic = (double)(n * p) - 1, pp = (double)p * p;
				topo_visit(s,
				           (struct topo_member){ .family = f,
				                                 { p, a, h, (uint32_t)g },
				                                 n * p,
				                                 n,
				                                 g * a * (a - 1) / 2 + a * h * g / 2,
				                                 p + a + h - 1,
				                                 traffic / fmax(pp * a * a, pp * (1 + 2. * a * h)) });
			}
	return NULL;
}

static const char *each_dragonfly_plus(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t h = 1; 2 * h <= s->radix; h++) {
		uint64_t g = (uint64_t)h * h + 1, n = g * h * h;
		double local = h * ((double)n - 1) / ((double)h * h * ((double)(g * h) - 1));
		double global = ((double)n - 1) / pow(h, 4);
		topo_visit(s, (struct topo_member){ .family = f,
		                                    { h, h, h, h },
		                                    n,
		                                    2 * g * h,
		                                    g * h * h + g * (g - 1) / 2,
		                                    2 * h,
		                                    fmin(local, global) });
	}
	return NULL;
}

static const char *each_hyperx_1d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 2; a <= s->radix; a++)
		for (uint32_t t = 1; t + a - 1 <= s->radix; t++) {
			uint64_t n = (uint64_t)a * t;
			topo_visit(s, (struct topo_member){ .family = f,
			                                    { a, t },
			                                    n,
			                                    a,
			                                    (uint64_t)a * (a - 1) / 2,
			                                    t + a - 1,
			                                    ((double)n - 1) / ((double)t * t) });
		}
	return NULL;
}

static const char *each_hyperx_2d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 2; a <= s->radix; a++)
		for (uint32_t b = 2; b <= a && a + b - 2 < s->radix; b++)
			for (uint32_t t = 1; t + a + b - 2 <= s->radix; t++) {
				uint64_t n = (uint64_t)a * b;
				topo_visit(s,
				           (struct topo_member){ .family = f,
				                                 { a, b, t },
				                                 n * t,
				                                 n,
				                                 n * (a + b - 2) / 2,
				                                 t + a + b - 2,
				                                 b * ((double)(n * t) - 1) / ((double)(n * t) * t) });
			}
	return NULL;
}

static const char *each_hyperx_3d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 2; a <= s->radix; a++)
		for (uint32_t b = 2; b <= a && a + b - 2 < s->radix; b++)
			for (uint32_t c = 2; c <= b && a + b + c - 3 < s->radix; c++)
				for (uint32_t t = 1; t + a + b + c - 3 <= s->radix; t++) {
					uint64_t n = (uint64_t)a * b * c;
					topo_visit(s, (struct topo_member){ .family = f,
					                                    { a, b, c, t },
					                                    n * t,
					                                    n,
					                                    n * (a + b + c - 3) / 2,
					                                    t + a + b + c - 3,
					                                    c * ((double)(n * t) - 1) /
					                                        ((double)(n * t) * t) });
				}
	return NULL;
}

/* 2 (k/2)^levels endpoints; the channels above the leaves carry the most: those of a leaf's k/2 endpoints to all
 * others, over as many cables. */
static void each_fattree(const struct topo_family *f, const struct topo_sizing *s, uint32_t levels)
{
	for (uint32_t k = 4; k <= s->radix; k += 2) {
		uint64_t h = k / 2, n = 2;
		for (uint32_t i = 0; i < levels; i++)
			n *= h;
		topo_visit(s, (struct topo_member){ .family = f,
		                                    { k },
		                                    n,
		                                    n / h * (levels - 1) + n / k,
		                                    (levels - 1) * n,
		                                    k,
		                                    ((double)n - 1) / ((double)n - (double)h) });
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
			topo_visit(s, (struct topo_member){ .family = f,
			                                    { k, (uint32_t)n },
			                                    all,
			                                    n * all / k,
			                                    (n - 1) * all,
			                                    2 * k,
			                                    ((double)all - 1) / ((double)all - k) });
	return NULL;
}

static const char *each_mlfm(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t h = 2; 2 * h <= s->radix; h++) {
		uint64_t n = (uint64_t)h * h * (h + 1);
		topo_visit(s, (struct topo_member){ .family = f,
		                                    { h },
		                                    n,
		                                    3ull * h * (h + 1) / 2,
		                                    n,
		                                    2 * h,
		                                    ((double)n - 1) / (h * ((double)h * h + h - 1)) });
	}
	return NULL;
}

static const char *each_oft(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = 3; 2 * k <= s->radix; k++) {
		uint64_t points = (uint64_t)k * k - k + 1, n = 2 * k * points;
		if (topo_is_prime_power(k - 1))
			topo_visit(s, (struct topo_member){ .family = f,
			                                    { k },
			                                    n,
			                                    3 * points,
			                                    n,
			                                    2 * k,
			                                    ((double)n - 1) / (k * (2. * k * k - 2. * k + 1)) });
	}
	return NULL;
}

/* Of a ring of k under uniform traffic, ties both ways, in units of a switch's injection: k / 8, less 1 / 8k if odd. */
static double ring_load(uint32_t k)
{
	return k % 2 ? (k - 1. / k) / 8 : k / 8.;
}

#define LONGEST_RING 64

static const char *each_torus_3d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 3; a <= LONGEST_RING; a++)
		for (uint32_t b = 3; b <= a; b++)
			for (uint32_t c = 3; c <= b; c++)
				for (uint32_t p = 1; p + 6 <= s->radix && p <= 16; p++) {
					uint64_t n = (uint64_t)a * b * c;
					double e = (double)(n * p);
					topo_visit(s, (struct topo_member){ .family = f,
					                                    { a, b, c, p },
					                                    n * p,
					                                    n,
					                                    3 * n,
					                                    p + 6,
					                                    (e - 1) / (e * p * ring_load(a)) });
				}
	return NULL;
}

/* Rings of two sizes, k and k + 1. */
static const char *each_torus_5d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t k = 3; k < 16; k++)
		for (uint32_t larger = 0; larger < 5; larger++) {
			struct topo_member m = { .family = f, .radix = 11 };
			uint64_t n = 1;
			for (uint32_t i = 0; i < 5; i++)
				n *= m.v[i] = k + (i < larger);
			m.switches = m.endpoints = n;
			m.cables = 5 * n;
			m.uniform = ((double)n - 1) / ((double)n * ring_load(k + (larger > 0)));
			topo_visit(s, m);
		}
	return NULL;
}

/* --- all of them ----------------------------------------------------------------------------------------- */

const struct topo_family topo_families[] = {
	{ "slimfly", "slimfly", "q = %u; endpoints = %u", "every prime power q", false, each_slimfly },
	{ "polarfly", "polarfly", "q = %u; endpoints = %u", "every prime power q", false, each_polarfly },
	{ "dragonfly", "dragonfly", "p = %u; a = %u; h = %u; g = %u", "one cable for each pair of groups, g = a h + 1",
	  false, each_dragonfly },
	{ "dragonfly-plus", "dragonfly-plus", "leaves = %u; spines = %u; p = %u; h = %u",
	  "one cable for each pair of groups, leaves = spines = p = h", false, each_dragonfly_plus },
	{ "hyperx-1d", "hyperx", "dims = [%u]; endpoints = %u", "a full mesh, one cable a pair", false,
	  each_hyperx_1d },
	{ "hyperx-2d", "hyperx", "dims = [%u, %u]; endpoints = %u", "one cable a pair", false, each_hyperx_2d },
	{ "hyperx-3d", "hyperx", "dims = [%u, %u, %u]; endpoints = %u", "one cable a pair", false, each_hyperx_3d },
	{ "fattree-2", "fattree", "k = %u; levels = 2", "two levels", false, each_fattree_2 },
	{ "fattree-3", "fattree", "k = %u", "three levels", false, each_fattree_3 },
	{ "kary-ntree", "kary-ntree", "k = %u; n = %u", "up to four levels", false, each_kary_ntree },
	{ "mlfm", "mlfm", "h = %u", "every h", false, each_mlfm },
	{ "oft", "oft", "k = %u", "every k - 1 that is a prime power", false, each_oft },
	{ "torus-3d", "torus", "dims = [%u, %u, %u]; endpoints = %u", "rings of 3 to 64", false, each_torus_3d },
	{ "torus-5d", "torus", "dims = [%u, %u, %u, %u, %u]",
	  "rings of 3 to 16 that differ by one at most, an endpoint each", false, each_torus_5d },
	{ "spectralfly", "spectralfly", "p = %u; q = %u; endpoints = %u", "q up to 31, up to 4,000 switches", true,
	  topo_each_spectralfly },
	{ "bundlefly", "bundlefly", "q = %u; supernode = %u; endpoints = %u",
	  "up to 2,500 switches, no more than endpoints are wanted", true, topo_each_bundlefly },
	{ "polarstar", "polarstar", "q = %u; supernode = \"iq\"; degree = %u; endpoints = %u",
	  "up to 2,500 switches, no more than endpoints are wanted", true, topo_each_polarstar },
	{ "polarstar-paley", "polarstar", "q = %u; supernode = \"paley\"; degree = %u; endpoints = %u",
	  "up to 2,500 switches, no more than endpoints are wanted", true, topo_each_polarstar_paley },
	{ "hammingmesh", "hammingmesh", "board = [%u, %u]; boards = [%u, %u]",
	  "boards of up to 4 by 4, one switch for each row and column", false, topo_each_hammingmesh },
	{ "jellyfish", "jellyfish", "switches = %u; degree = %u; endpoints = %u",
	  "seed 1; by search, up to 1,500 switches", true, topo_each_jellyfish },
	{ 0 },
};

void topo_member_print(const struct topo_member *m, char *out, size_t room)
{
	size_t used = 0;
	int k = 0;
	for (const char *p = m->family->form; *p && used + 12 < room; p++) {
		if (p[0] == '%' && p[1] == 'u') {
			used += (size_t)snprintf(out + used, room - used, "%u", m->v[k++]);
			p++;
		} else {
			out[used++] = *p;
		}
	}
	out[used] = 0;
}
