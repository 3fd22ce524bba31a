/* topo/sizing.c - see sizing.h. Closed forms: docs/topologies.md, and the headers of the builders. */
#include "topo/sizing.h"

#include "base/memory.h"
#include "topo/params.h"
#include "topo/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void visit(const struct topo_sizing *s, struct topo_member m)
{
	if (m.radix <= s->radix && m.switches <= TOPO_MAX_SWITCHES && m.endpoints <= TOPO_MAX_ENDPOINTS &&
	    m.endpoints > 1)
		s->visit(s->arg, &m);
}

static bool is_prime(uint32_t n)
{
	for (uint32_t d = 2; d * d <= n; d++)
		if (n % d == 0)
			return false;
	return n > 1;
}

static bool is_prime_power(uint32_t n)
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
		if (!is_prime_power(q) || q == 2)
			continue;
		for (uint32_t p = 1; p + degree <= s->radix; p++) {
			uint64_t n = 2ull * q * q;
			visit(s, (struct topo_member){ f,
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
		for (uint32_t p = 1; is_prime_power(q) && p + q + 1 <= s->radix; p++) {
			uint64_t n = (uint64_t)q * q + q + 1;
			visit(s, (struct topo_member){ f,
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
				visit(s, (struct topo_member){ f,
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
		visit(s,
		      (struct topo_member){
			  f, { h, h, h, h }, n, 2 * g * h, g * h * h + g * (g - 1) / 2, 2 * h, fmin(local, global) });
	}
	return NULL;
}

static const char *each_hyperx_1d(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t a = 2; a <= s->radix; a++)
		for (uint32_t t = 1; t + a - 1 <= s->radix; t++) {
			uint64_t n = (uint64_t)a * t;
			visit(s, (struct topo_member){ f,
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
				visit(s, (struct topo_member){ f,
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
					visit(s, (struct topo_member){ f,
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
		visit(s, (struct topo_member){ f,
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
			visit(s, (struct topo_member){ f,
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
		visit(s, (struct topo_member){ f,
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
		if (is_prime_power(k - 1))
			visit(
			    s,
			    (struct topo_member){
				f, { k }, n, 3 * points, n, 2 * k, ((double)n - 1) / (k * (2. * k * k - 2. * k + 1)) });
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
					visit(s, (struct topo_member){ f,
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
			visit(s, m);
		}
	return NULL;
}

/* --- by search ------------------------------------------------------------------------------------------- */

#define MOST_SEARCHED 4000 /* switches */

static double searched_load(const struct topo *topo)
{
	struct topo_graph graph;
	double most = 0;
	topo_graph_of(&graph, topo);
	double *load = base_calloc(graph.first[graph.n], sizeof *load);
	if (topo->switches > MOST_SEARCHED || topo_uniform_loads(topo, &graph, load))
		most = -1;
	for (size_t i = 0; i < graph.first[graph.n] && most >= 0; i++)
		most = fmax(most, load[i]);
	free(load);
	topo_graph_free(&graph);
	return most;
}

/* The fullest channel's load, if one unit goes from each switch to each other. params: with one endpoint a switch.
 * Negative: such a network cannot be built, or is too large. */
static double pair_load(const struct base_plugin *plugin, const void *params)
{
	struct base_errors errors = { 0 };
	struct topo topo;
	struct topo_facts facts;
	double load = -1;
	if (!topo_build(&topo, plugin, params, &errors)) {
		topo_quick_facts(&topo, &facts);
		load = facts.max_channel_load_uniform;
		load = load < 0 ? searched_load(&topo) : load;
		load *= load < 0 ? 1 : topo.endpoints - 1.0;
		topo_destroy(&topo);
	}
	base_errors_free(&errors);
	return load;
}

static uint64_t power_mod(uint64_t base, uint32_t exponent, uint32_t q)
{
	uint64_t out = 1;
	for (base %= q; exponent; exponent /= 2, base = base * base % q)
		out = exponent % 2 ? out * base % q : out;
	return out;
}

/* Vertex transitive, so that p endpoints a switch load channels p^2 times as much as one. */
static const char *each_spectralfly(const struct topo_family *f, const struct topo_sizing *s)
{
	for (uint32_t p = 3; p + 2 <= s->radix; p += 2)
		for (uint32_t q = 3; is_prime(p) && q <= 31; q += 2) {
			uint64_t group = (uint64_t)q * (q * q - 1), n;
			if (!is_prime(q) || q == p || (uint64_t)q * q <= 4ull * p)
				continue;
			n = power_mod(p, (q - 1) / 2, q) == 1 ? group / 2 : group;
			if (n > MOST_SEARCHED)
				continue;
			double load = pair_load(&topo_spectralfly, &(struct topo_spectralfly_params){ p, q, 1 });
			for (uint32_t e = 1; load > 0 && e + p + 1 <= s->radix; e++)
				visit(s, (struct topo_member){ f,
				                               { p, q, e },
				                               n * e,
				                               n,
				                               n * (p + 1) / 2,
				                               p + 1 + e,
				                               ((double)(n * e) - 1) / (load * e * e) });
		}
	return NULL;
}

#define MOST_JELLYFISH 1500 /* switches; each takes a search of all pairs */

/* Visits the member with p endpoints a switch, as few switches as hold those that are wanted, and that degree. Returns
 * where it saturates, 0 if there is none. */
static double try_jellyfish(const struct topo_family *f, const struct topo_sizing *s, uint32_t p, uint32_t degree)
{
	uint64_t n = (s->endpoints + p - 1) / p;
	n += n * degree % 2;
	if (n > MOST_JELLYFISH || degree < 3 || degree + 2 > n)
		return 0;
	double load = pair_load(&topo_jellyfish, &(struct topo_jellyfish_params){ (int64_t)n, degree, 1, 1 });
	double uniform = load > 0 ? ((double)(n * p) - 1) / (load * p * p) : 0;
	if (load > 0)
		visit(s, (struct topo_member){
			     f, { (uint32_t)n, degree, p }, n * p, n, n * degree / 2, degree + p, uniform });
	return uniform;
}

/* The largest degree for p endpoints a switch; near a full mesh there is nothing left to draw. */
static uint32_t largest_degree(const struct topo_sizing *s, uint32_t p)
{
	uint64_t n = (s->endpoints + p - 1) / p;
	return n < 5 ? 0 : n - 2 < s->radix - p ? (uint32_t)n - 2 : s->radix - p;
}

/* The number of switches is free. More endpoints a switch are fewer switches and less throughput: the most that are
 * fast enough with as many cables as there can be, and then the least degree that still is, each by halving an
 * interval. */
static const char *each_jellyfish(const struct topo_family *f, const struct topo_sizing *s)
{
	uint32_t low = 1, high = s->radix > 4 ? s->radix - 3 : 0, best = 0;
	if (!s->endpoints)
		return "its size is free: say how many endpoints (--endpoints)";
	while (low <= high) {
		uint32_t p = (low + high) / 2;
		bool too_many = (s->endpoints + p - 1) / p >= MOST_JELLYFISH;
		if (too_many || try_jellyfish(f, s, p, largest_degree(s, p)) >= s->uniform) {
			best = too_many ? best : p;
			low = p + 1;
		} else {
			high = p - 1;
		}
	}
	for (low = 3, high = best ? largest_degree(s, best) : 0; low < high;) {
		uint32_t degree = (low + high) / 2;
		if (try_jellyfish(f, s, best, degree) >= s->uniform)
			high = degree;
		else
			low = degree + 1;
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
	  each_spectralfly },
	{ "jellyfish", "jellyfish", "switches = %u; degree = %u; endpoints = %u",
	  "seed 1; by search, up to 1,500 switches", true, each_jellyfish },
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
