/* topo/spectralfly.c - SpectralFly: the Ramanujan graphs of Lubotzky, Phillips and Sarnak, X^{p,q}.
 *
 * Lubotzky, Phillips, Sarnak, "Ramanujan graphs", Combinatorica 8, 1988; Young, Aksoy, Firoz, Gioiosa, Hagge, Kempton,
 * Escobedo, Raugas, "SpectralFly: Ramanujan Graphs as Flexible and Efficient Interconnection Networks", IPDPS 2022. For
 * odd primes p and q > 2 sqrt(p) the p + 1 solutions of a0^2 + a1^2 + a2^2 + a3^2 = p, with a0 > 0 odd (p = 1 mod 4),
 * or a0 even and the first nonzero one positive (p = 3 mod 4), give matrices over GF(q), where x^2 + y^2 = -1:
 *      a0 + a1 x + a3 y     -a1 y + a2 + a3 x
 *     -a1 y - a2 + a3 x      a0 - a1 x - a3 y
 * Switches are the matrices that these generate, up to a factor: all of PGL(2, q), q (q^2 - 1), or, if p is a square
 * modulo q, PSL(2, q), half of them. Port i of g leads to g s_i.
 *
 * So routes from g to h are those from 1 to g^-1 h, and a table of one row suffices: for every element a bit mask of
 * the first steps of its shortest paths, and its distance. Elements are numbered in the order of a search from 1.
 * Memory: 17 bytes per switch, and 4 (q^3 + q^2) bytes for the numbers of matrices. */
#include "topo/divide.h"
#include "topo/gf.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/check.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define LPS_MAX_P 61 /* steps are bits of a 64-bit mask */
#define LPS_MAX_Q 257

struct matrix {
	uint16_t a, b, c, d; /* the first nonzero one of a, b is 1 */
};

struct lps {
	uint32_t p, q, n;
	struct topo_divider by_q;
	uint16_t inverse[LPS_MAX_Q]; /* modulo q */
	struct matrix step[LPS_MAX_P + 1];
	uint8_t back[LPS_MAX_P + 1]; /* the step that is the inverse of this one */
	uint32_t *number;            /* [q^3 + q^2]: number of a matrix, or TOPO_NONE */
	struct matrix *element;      /* [n] */
	uint64_t *first;             /* [n]: bit i: s_i begins a shortest path */
	uint8_t *distance;           /* [n] from 1 */
	uint8_t diameter;
};

static inline uint32_t modulo(const struct lps *l, uint32_t x)
{
	return topo_remainder(&l->by_q, x, topo_divide(&l->by_q, x));
}

static inline struct matrix scaled(const struct lps *l, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
	uint32_t by = l->inverse[a ? a : b];
	return (struct matrix){ (uint16_t)modulo(l, a * by), (uint16_t)modulo(l, b * by), (uint16_t)modulo(l, c * by),
		                (uint16_t)modulo(l, d * by) };
}

static inline struct matrix times(const struct lps *l, struct matrix x, struct matrix y)
{
	return scaled(l, modulo(l, (uint32_t)x.a * y.a + (uint32_t)x.b * y.c),
	              modulo(l, (uint32_t)x.a * y.b + (uint32_t)x.b * y.d),
	              modulo(l, (uint32_t)x.c * y.a + (uint32_t)x.d * y.c),
	              modulo(l, (uint32_t)x.c * y.b + (uint32_t)x.d * y.d));
}

/* x^-1 y, up to a factor. */
static inline struct matrix apart(const struct lps *l, struct matrix x, struct matrix y)
{
	uint32_t b = l->q - x.b, c = l->q - x.c;
	return scaled(l, modulo(l, (uint32_t)x.d * y.a + b * y.c), modulo(l, (uint32_t)x.d * y.b + b * y.d),
	              modulo(l, c * y.a + (uint32_t)x.a * y.c), modulo(l, c * y.b + (uint32_t)x.a * y.d));
}

static inline uint32_t *slot(const struct lps *l, struct matrix m)
{
	return &l->number[m.a ? (m.b * l->q + m.c) * l->q + m.d : (l->q * l->q + m.c) * l->q + m.d];
}

static inline uint32_t difference(const struct lps *l, topo_switch from, topo_switch to)
{
	return *slot(l, apart(l, l->element[from], l->element[to]));
}

static uint32_t lps_ports(const struct topo *topo, topo_switch s)
{
	(void)s;
	return topo->max_ports;
}

static struct topo_hop lps_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct lps *l = topo->impl;
	return (struct topo_hop){ .to = *slot(l, times(l, l->element[s], l->step[port])), .port = l->back[port] };
}

static int lps_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct lps *l = topo->impl;
	int n = 0;
	for (uint64_t bits = l->first[difference(l, here, to)]; bits; bits &= bits - 1)
		out[n++] = (topo_port)__builtin_ctzll(bits);
	return n;
}

static unsigned lps_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct lps *l = topo->impl;
	return l->distance[difference(l, from, to)];
}

static unsigned lps_max_distance(const struct topo *topo)
{
	return ((const struct lps *)topo->impl)->diameter;
}

static size_t lps_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	if (capacity < 1)
		return 0;
	out[0] = (struct topo_orbit){ .representative = 0, .size = topo->switches };
	return 1;
}

/* Loads per step of one flow from 1 to every element, each hop split evenly over the first steps. All channels of a
 * step are equivalent. Elements are in order of their distance. */
static double most_by_a_step(const struct lps *l, double *sum)
{
	double *left = base_calloc(l->n, sizeof *left), load[LPS_MAX_P + 1] = { 0 }, most = 0;
	for (uint32_t i = l->n; i-- > 1;) {
		double share = (left[i] + 1) / __builtin_popcountll(l->first[i]);
		for (uint64_t bits = l->first[i]; bits; bits &= bits - 1) {
			int k = __builtin_ctzll(bits);
			load[k] += share;
			left[*slot(l, times(l, l->step[l->back[k]], l->element[i]))] += share;
		}
	}
	*sum = 0;
	for (uint32_t k = 0; k <= l->p; k++) {
		most = load[k] > most ? load[k] : most;
		*sum += load[k];
	}
	free(left);
	return most;
}

static void lps_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct lps *l = topo->impl;
	double n = l->n, e = topo->endpoints, p = topo->max_endpoints, sum, most = most_by_a_step(l, &sum);
	facts->links = (uint64_t)l->n * (l->p + 1) / 2;
	facts->links_by_class[0] = facts->links;
	facts->diameter = l->diameter;
	facts->mean_distance = sum / (n - 1);
	facts->max_channel_load_uniform = most * p * p / (e - 1);
	facts->mean_minimal_hops = sum * p / (e - 1);
}

/* --- building -------------------------------------------------------------------------------------------- */

/* x^2 + y^2 = -1 modulo q, the first in order of x. */
static void find_root(uint32_t q, uint32_t *x, uint32_t *y)
{
	for (*x = 0; *x < q; ++*x)
		for (*y = 0; *y < q; ++*y)
			if ((*x * *x + *y * *y + 1) % q == 0)
				return;
}

static uint32_t residue(int64_t x, uint32_t q)
{
	int64_t r = x % (int64_t)q;
	return (uint32_t)(r < 0 ? r + q : r);
}

static bool is_step(const int *a, uint32_t p)
{
	if ((uint32_t)(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) != p)
		return false;
	if (p % 4 == 1)
		return a[0] > 0 && a[0] % 2;
	if (a[0] % 2)
		return false;
	for (int i = 0; i < 4; i++)
		if (a[i])
			return a[i] > 0;
	return false;
}

static uint32_t list_steps(struct lps *l)
{
	uint32_t x = 0, y = 0, n = 0;
	int most = 0;
	find_root(l->q, &x, &y);
	while ((uint32_t)((most + 1) * (most + 1)) <= l->p)
		most++;
	int side = 2 * most + 1;
	for (int i = 0; i < side * side * side * side; i++) {
		int a[4] = { i / side / side / side - most, i / side / side % side - most, i / side % side - most,
			     i % side - most };
		if (!is_step(a, l->p))
			continue;
		int64_t r = x, t = y;
		l->step[n++] =
		    scaled(l, residue(a[0] + a[1] * r + a[3] * t, l->q), residue(-a[1] * t + a[2] + a[3] * r, l->q),
		           residue(-a[1] * t - a[2] + a[3] * r, l->q), residue(a[0] - a[1] * r - a[3] * t, l->q));
	}
	return n;
}

static bool same(struct matrix x, struct matrix y)
{
	return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
}

static const struct matrix one = { 1, 0, 0, 1 };

static void pair_steps(struct lps *l)
{
	for (uint32_t i = 0; i <= l->p; i++)
		for (uint32_t j = 0; j <= l->p; j++)
			if (same(times(l, l->step[i], l->step[j]), one))
				l->back[i] = (uint8_t)j;
}

/* Breadth first from 1. An element is first reached from an element one hop nearer; its neighbours at that smaller
 * distance, read from the left, give the first steps of its shortest paths. */
static void search_products(struct lps *l, uint32_t most)
{
	size_t slots = (size_t)l->q * l->q * (l->q + 1);
	l->number = base_calloc(slots, sizeof *l->number);
	memset(l->number, 0xff, slots * sizeof *l->number);
	l->element = base_calloc(most, sizeof *l->element);
	l->distance = base_calloc(most, sizeof *l->distance);
	l->element[0] = one;
	*slot(l, one) = 0;
	l->n = 1;
	for (uint32_t at = 0; at < l->n; at++)
		for (uint32_t i = 0; i <= l->p; i++) {
			struct matrix to = times(l, l->element[at], l->step[i]);
			if (*slot(l, to) != TOPO_NONE)
				continue;
			*slot(l, to) = l->n;
			l->distance[l->n] = (uint8_t)(l->distance[at] + 1);
			l->element[l->n++] = to;
		}
	l->diameter = l->distance[l->n - 1];
	l->first = base_calloc(l->n, sizeof *l->first);
	for (uint32_t e = 1; e < l->n; e++)
		for (uint32_t i = 0; i <= l->p; i++)
			if (l->distance[*slot(l, times(l, l->step[l->back[i]], l->element[e]))] + 1 == l->distance[e])
				l->first[e] |= UINT64_C(1) << i;
}

static bool odd_prime(int64_t x)
{
	uint32_t k;
	return x > 2 && x < 65536 && topo_prime_power((uint32_t)x, NULL, &k) && k == 1;
}

static int check_prime(const char *key, int64_t value, int64_t least, int64_t most, struct base_errors *errors)
{
	int64_t below = value > most ? most : value, above = value < least ? least : value;
	if (value >= least && value <= most && odd_prime(value))
		return 0;
	while (below >= least && !odd_prime(below))
		below--;
	while (above <= most && !odd_prime(above))
		above++;
	if (below < least)
		return base_errorf(errors, key, "%lld is too small; the minimum is %lld", (long long)value,
		                   (long long)above);
	if (above > most)
		return base_errorf(errors, key, "%lld is too large; the maximum is %lld", (long long)value,
		                   (long long)below);
	return base_errorf(errors, key, "%lld is not an odd prime; the nearest are %lld and %lld", (long long)value,
	                   (long long)below, (long long)above);
}

static int lps_check(const struct topo_spectralfly_params *in, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (in->endpoints < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	int64_t least = 3; /* q > 2 sqrt(p) */
	if (!check_prime("p", in->p, 3, LPS_MAX_P, errors))
		while (least * least <= 4 * in->p || !odd_prime(least))
			least++;
	if (in->q < least && odd_prime(in->q))
		base_errorf(errors, "q", "%lld is not above 2 sqrt(p); the minimum is %lld", (long long)in->q,
		            (long long)least);
	else
		check_prime("q", in->q, least, LPS_MAX_Q, errors);
	if (in->p == in->q)
		base_errorf(errors, "q", "%lld equals p; they must differ", (long long)in->q);
	return errors->errors > before ? -1 : 0;
}

static void lps_destroy(struct topo *topo)
{
	struct lps *l = topo->impl;
	free(l->number);
	free(l->element);
	free(l->first);
	free(l->distance);
	free(l);
}

static const char *const lps_classes[] = { "local", NULL };

static int lps_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_spectralfly_params *in = params;
	if (lps_check(in, errors))
		return -1;
	struct lps *l = base_alloc(sizeof *l);
	topo->impl = l;
	l->p = (uint32_t)in->p;
	l->q = (uint32_t)in->q;
	l->by_q = topo_divider_of(l->q);
	for (uint32_t a = 1; a < l->q; a++)
		for (uint32_t b = 1; b < l->q; b++)
			if (a * b % l->q == 1)
				l->inverse[a] = (uint16_t)b;
	uint64_t most = (uint64_t)l->q * (l->q * l->q - 1);
	bool square = false;
	for (uint32_t a = 1; a < l->q; a++)
		square = square || a * a % l->q == l->p % l->q;
	if (topo_set_size(topo, square ? most / 2 : most, (uint64_t)in->endpoints, errors))
		return -1;
	uint32_t steps = list_steps(l);
	base_checkf(steps == l->p + 1, "%u solutions", steps);
	pair_steps(l);
	search_products(l, topo->switches);
	base_checkf(l->n == topo->switches, "%u elements", l->n);
	topo->max_ports = l->p + 1;
	topo->link_classes = 1;
	topo->link_class_name = lps_classes;
	topo->vc_rule = TOPO_VC_HOP;
	return 0;
}

static const struct base_param lps_params[] = {
	{ BASE_KEY(INT, struct topo_spectralfly_params, p, NULL), .min = 3, .max = LPS_MAX_P,
	  .help = "odd prime; makes switches of p + 1 network ports",
	  .source = "IPDPS 2022 SpectralFly; Combinatorica 1988 LPS" },
	{ BASE_KEY(INT, struct topo_spectralfly_params, q, NULL), .min = 3, .max = LPS_MAX_Q,
	  .help = "another odd prime, above 2 sqrt(p); makes q (q^2 - 1) "
	          "switches, half as many if p is a square modulo q" },
	{ BASE_KEY(INT, struct topo_spectralfly_params, endpoints, NULL), .unit = "endpoints", .min = 1, .max = 65535,
	  .help = "endpoints per switch" },
	TOPO_TRUNK(struct topo_spectralfly_params),
	{ 0 }
};

static const struct topo_ops lps_ops = {
	.trunk_at = offsetof(struct topo_spectralfly_params, trunk),
	.build = lps_build,
	.destroy = lps_destroy,
	.ports = lps_ports,
	.peer = lps_peer,
	.next = lps_next,
	.distance = lps_distance,
	.max_distance = lps_max_distance,
	.orbits = lps_orbits,
	.facts = lps_facts,
	.link_classes = lps_classes,
};

const struct base_plugin topo_spectralfly = {
	BASE_DESCRIBE("topology", "spectralfly", lps_params, struct topo_spectralfly_params, &lps_ops),
	.summary = "SpectralFly: Ramanujan graphs of Lubotzky, Phillips and Sarnak",
	.source = "Young et al.: SpectralFly, IPDPS 2022; Lubotzky, Phillips, Sarnak 1988",
};
