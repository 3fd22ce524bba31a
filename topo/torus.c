/* topo/torus.c - k-ary n-cubes with any number of dimensions, each a ring or (wrap = false) a line.
 *
 * Dally and Towles, "Principles and Practices of Interconnection Networks", chapter 5. Switch number: c0 + k0 (c1 + k1
 * (c2 + ...)). Ports in order of dimension, "+" before "-", if they exist: the ends of a line have one, and so does
 * every switch of a ring of two, unless pairs = "double" gives it both of its cables. Minimal routing is dimension
 * order, dimension 0 first; half way round a ring both directions are offered. */
#include "topo/divide.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>

#define TORUS_MAX_DIMS 32

struct ring {
	uint32_t k;
	uint32_t stride;
	bool wrap;         /* has a cable between coordinates k - 1 and 0; if k is 2, beside that from 0 to 1 */
	uint8_t dimension; /* the dimension's number in the configuration, which includes those of size 1 */
	struct topo_divider by_k, by_stride;
};

struct torus {
	uint32_t n;
	bool all_wrap; /* then port 2 i is "+" in ring i, 2 i + 1 is "-" */
	struct ring ring[TORUS_MAX_DIMS];
};

static inline uint32_t coordinate(const struct ring *r, topo_switch s)
{
	uint32_t above = topo_divide(&r->by_stride, s);
	return topo_remainder(&r->by_k, above, topo_divide(&r->by_k, above));
}

static inline bool has_plus(const struct ring *r, uint32_t c)
{
	return r->wrap || c + 1 < r->k;
}

static inline bool has_minus(const struct ring *r, uint32_t c)
{
	return r->wrap || c > 0;
}

/* The number of ports of s in rings below `ring`. */
static uint32_t ports_below(const struct torus *t, topo_switch s, uint32_t ring)
{
	if (t->all_wrap)
		return 2 * ring;
	uint32_t n = 0;
	for (uint32_t i = 0; i < ring; i++) {
		uint32_t c = coordinate(&t->ring[i], s);
		n += (uint32_t)has_plus(&t->ring[i], c) + (uint32_t)has_minus(&t->ring[i], c);
	}
	return n;
}

static inline topo_port port_of(const struct torus *t, topo_switch s, uint32_t ring, uint32_t c, bool minus)
{
	return ports_below(t, s, ring) + (uint32_t)(minus && has_plus(&t->ring[ring], c));
}

static uint32_t torus_ports(const struct topo *topo, topo_switch s)
{
	const struct torus *t = topo->impl;
	return ports_below(t, s, t->n);
}

static struct topo_hop torus_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct torus *t = topo->impl;
	uint32_t i = 0, c;
	bool minus;
	if (t->all_wrap) {
		i = port >> 1;
		minus = port & 1;
		c = coordinate(&t->ring[i], s);
	} else {
		for (uint32_t left = port;; i++) {
			c = coordinate(&t->ring[i], s);
			uint32_t here = (uint32_t)has_plus(&t->ring[i], c) + (uint32_t)has_minus(&t->ring[i], c);
			if (left < here) {
				minus = left == 1 || !has_plus(&t->ring[i], c);
				break;
			}
			left -= here;
		}
	}
	const struct ring *r = &t->ring[i];
	bool over = minus ? c == 0 : c + 1 == r->k;
	uint32_t to_c = minus ? (over ? r->k - 1 : c - 1) : (over ? 0 : c + 1);
	topo_switch to = s - c * r->stride + to_c * r->stride;
	return (struct topo_hop){
		.to = to, .port = port_of(t, to, i, to_c, !minus), .dimension = r->dimension, .dateline = over
	};
}

static int torus_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct torus *t = topo->impl;
	uint32_t from_rest = here, to_rest = to, base = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct ring *r = &t->ring[i];
		uint32_t from_above = topo_divide(&r->by_k, from_rest), to_above = topo_divide(&r->by_k, to_rest);
		uint32_t a = topo_remainder(&r->by_k, from_rest, from_above);
		uint32_t b = topo_remainder(&r->by_k, to_rest, to_above);
		if (a != b) {
			uint32_t ahead = b > a ? b - a : b + r->k - a; /* hops in the + direction */
			bool plus = r->wrap ? 2 * ahead <= r->k : b > a;
			bool minus = r->wrap ? 2 * ahead >= r->k : b < a;
			int n = 0;
			if (plus)
				out[n++] = base;
			if (minus)
				out[n++] = base + (uint32_t)has_plus(r, a);
			return n;
		}
		base += (uint32_t)has_plus(r, a) + (uint32_t)has_minus(r, a);
		from_rest = from_above;
		to_rest = to_above;
	}
	return 0; /* here == to */
}

static unsigned torus_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct torus *t = topo->impl;
	unsigned hops = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct ring *r = &t->ring[i];
		uint32_t from_above = topo_divide(&r->by_k, from), to_above = topo_divide(&r->by_k, to);
		uint32_t a = topo_remainder(&r->by_k, from, from_above), b = topo_remainder(&r->by_k, to, to_above);
		uint32_t apart = a > b ? a - b : b - a;
		hops += r->wrap && r->k - apart < apart ? r->k - apart : apart;
		from = from_above;
		to = to_above;
	}
	return hops;
}

static unsigned torus_max_distance(const struct topo *topo)
{
	const struct torus *t = topo->impl;
	unsigned hops = 0;
	for (uint32_t i = 0; i < t->n; i++)
		hops += t->ring[i].wrap ? t->ring[i].k / 2 : t->ring[i].k - 1;
	return hops;
}

/* Tornado: ceil(k/2) - 1 positions ahead in every dimension (Dally and Towles, table 3.1), all in one direction; in a
 * ring or line of two, where that would be the switch itself, the other switch. A single switch is idle. */
static uint32_t torus_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct torus *t = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++) {
		topo_switch target = s;
		for (uint32_t i = 0; i < t->n; i++) {
			const struct ring *r = &t->ring[i];
			uint32_t c = coordinate(r, s), on = r->k == 2 ? 1 : (r->k + 1) / 2 - 1;
			target += ((c + on) % r->k - c) * r->stride;
		}
		to[s] = target == s ? TOPO_NONE : target;
	}
	return t->n ? 0 : 1;
}

static int torus_dims(const struct topo *topo, uint32_t *out, int capacity)
{
	const struct torus *t = topo->impl;
	for (int i = 0; i < capacity && i < (int)t->n; i++)
		out[i] = t->ring[i].k;
	return (int)t->n;
}

/* Translations along every ring make a torus one orbit. */
static size_t torus_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	const struct torus *t = topo->impl;
	for (uint32_t i = 0; i < t->n; i++)
		if (!t->ring[i].wrap && t->ring[i].k > 2)
			return 0;
	if (capacity < 1)
		return 0;
	out[0] = (struct topo_orbit){ .representative = 0, .size = topo->switches };
	return 1;
}

/* Bisection of a product of lines, or of rings: with k1 >= k2 >= ..., the sum over i, up to the first even k_i, of the
 * product of all sizes after k_i; twice that for rings (Azizoglu and Egecioglu 2004). Mixed: the best cut across one
 * dimension. */
static void torus_bisection(const struct torus *t, uint32_t switches, struct topo_facts *facts)
{
	uint32_t rings = 0, sorted[TORUS_MAX_DIMS];
	int64_t best_plane = -1;
	for (uint32_t i = 0; i < t->n; i++) {
		rings += t->ring[i].wrap;
		uint32_t at = i;
		for (; at > 0 && sorted[at - 1] < t->ring[i].k; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = t->ring[i].k;
		int64_t plane = (int64_t)(switches / t->ring[i].k) * (t->ring[i].wrap ? 2 : 1);
		if (t->ring[i].k % 2 == 0 && (best_plane < 0 || plane < best_plane))
			best_plane = plane;
	}
	if (rings == 0 || rings == t->n) {
		int64_t cut = 0, after = switches;
		for (uint32_t i = 0; i < t->n; i++) {
			after /= sorted[i];
			cut += after;
			if (sorted[i] % 2 == 0)
				break;
		}
		facts->bisection_links = rings ? 2 * cut : cut;
		facts->bisection_how = "closed form";
	} else {
		facts->bisection_links = best_plane;
		facts->bisection_how = best_plane < 0 ? "no closed form for rings and lines of odd length mixed"
		                                      : "cut across one dimension (upper bound)";
	}
}

/* The load of a channel of a ring is the mean number of hops in this dimension to a uniform destination, divided by the
 * channels per switch. The most loaded channel of a line is the middle one, which the flows of all pairs on different
 * sides of it cross. */
static void torus_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct torus *t = topo->impl;
	double n = topo->switches, p = topo->max_endpoints, hops = 0, load = 0;
	facts->links = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct ring *r = &t->ring[i];
		uint64_t half = r->k / 2;
		double k = r->k, far = (double)(half * (r->k - half)); /* floor(k^2 / 4) */
		hops += r->wrap ? far / k : (k * k - 1) / (3 * k);
		double here = r->wrap ? far / k / 2 : far / k;
		load = here > load ? here : load;
		facts->links += (uint64_t)(topo->switches / r->k) * (r->wrap ? r->k : r->k - 1);
	}
	facts->links_by_class[0] = facts->links;
	facts->diameter = (int)torus_max_distance(topo);
	facts->mean_distance = n > 1 ? hops * n / (n - 1) : 0;
	torus_bisection(t, topo->switches, facts);
	if (topo->endpoints > 1) {
		double e = topo->endpoints;
		facts->max_channel_load_uniform = load * p * e / (e - 1);
		facts->mean_minimal_hops = hops * e / (e - 1);
	}
}

static void torus_destroy(struct topo *topo)
{
	free(topo->impl);
}

static int torus_check(const struct topo_torus_params *in, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (in->dims.n == 0 || in->dims.n > TORUS_MAX_DIMS)
		base_errorf(errors, "dims", "1 to %d dimensions are supported, not %zu", TORUS_MAX_DIMS, in->dims.n);
	uint64_t switches = 1;
	for (size_t i = 0; i < in->dims.n && switches <= TOPO_MAX_SWITCHES; i++) {
		if (in->dims.v[i] < 1) {
			base_errorf(errors, "dims", "dimension %zu has %lld switches; it needs at least one", i,
			            (long long)in->dims.v[i]);
			continue;
		}
		switches = in->dims.v[i] > TOPO_MAX_SWITCHES ? UINT64_MAX : switches * (uint64_t)in->dims.v[i];
	}
	if (switches > TOPO_MAX_SWITCHES)
		base_errorf(errors, "dims", "more than %u switches are not supported", TOPO_MAX_SWITCHES);
	if (in->wrap.n > 1 && in->wrap.n != in->dims.n)
		base_errorf(errors, "wrap", "%zu values for %zu dimensions; give one for all or one each", in->wrap.n,
		            in->dims.n);
	if (in->endpoints < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	return errors->errors > before ? -1 : 0;
}

static const char *const torus_classes[] = { "local", NULL };

static int torus_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_torus_params *in = params;
	if (torus_check(in, errors))
		return -1;
	struct torus *t = base_alloc(sizeof *t);
	topo->impl = t;
	t->all_wrap = topo->one_way = true;
	uint32_t switches = 1;
	for (size_t i = 0; i < in->dims.n; i++) {
		uint32_t k = (uint32_t)in->dims.v[i];
		bool wrap = in->wrap.n == 0 || in->wrap.v[in->wrap.n > 1 ? i : 0];
		if (k == 1)
			continue;
		t->ring[t->n] = (struct ring){ .k = k,
			                       .stride = switches,
			                       .wrap = wrap && (k > 2 || in->pairs == TOPO_PAIRS_DOUBLE),
			                       .dimension = (uint8_t)i,
			                       .by_k = topo_divider_of(k),
			                       .by_stride = topo_divider_of(switches) };
		t->all_wrap = t->all_wrap && t->ring[t->n].wrap;
		topo->one_way = topo->one_way && (k % 2 || !t->ring[t->n].wrap);
		topo->max_ports += k > 2 || t->ring[t->n].wrap ? 2 : 1;
		t->n++;
		switches *= k;
	}
	topo->link_classes = 1;
	topo->link_class_name = torus_classes;
	topo->vc_rule = TOPO_VC_DATELINE;
	topo->rings = true;
	topo->ordered = t->all_wrap;
	return topo_set_size(topo, switches, (uint64_t)in->endpoints, errors);
}

static const struct base_param torus_params[] = {
	{ BASE_KEY(INTS, struct topo_torus_params, dims, NULL), .unit = "switches", .min = 1, .max = TOPO_MAX_SWITCHES,
	  .help = "switches in each dimension" },
	{ BASE_KEY(INT, struct topo_torus_params, endpoints, "1"), .unit = "endpoints", .min = 1, .max = 65535,
	  .help = "endpoints per switch" },
	{ BASE_KEY(BOOLS, struct topo_torus_params, wrap, "true"),
	  .help = "rings (true) or lines (false); one value, or one per dimension" },
	TOPO_TRUNK(struct topo_torus_params),
	{ .name = "pairs",
	  .type = BASE_ENUM,
	  .offset = offsetof(struct topo_torus_params, pairs),
	  .default_value = "single",
	  .choices = "single|double",
	  .help = "a ring of two switches: single: one cable; double: two, as every switch of a larger ring has" },
	{ 0 }
};

static bool may_wrap(const void *params)
{
	const struct topo_torus_params *p = params;
	bool lines = false;
	for (size_t i = 0; i < p->dims.n; i++) {
		bool line = p->wrap.n && !p->wrap.v[p->wrap.n > 1 && i < p->wrap.n ? i : 0];
		if (line && p->dims.v[i] > (p->pairs == TOPO_PAIRS_DOUBLE ? 1 : 2))
			return true;
		lines |= line;
	}
	return !lines;
}

static bool has_pair(const void *params)
{
	const struct topo_torus_params *p = params;
	for (size_t i = 0; i < p->dims.n; i++)
		if (p->dims.v[i] == 2 && (!p->wrap.n || p->wrap.v[p->wrap.n > 1 && i < p->wrap.n ? i : 0]))
			return true;
	return false;
}

static const struct base_condition torus_conditions[] = {
	{ "wrap", "in a dimension of more than two switches, or of two with pairs = \"double\"", may_wrap, NULL },
	{ "pairs", "in a ring of two switches", has_pair, NULL },
	{ 0 },
};

/* A rack: a row of the first dimension. */
static uint32_t torus_rack(const struct topo *topo, topo_switch s)
{
	const struct torus *t = topo->impl;
	return t->n ? topo_divide(&t->ring[0].by_k, s) : 0;
}

static const struct topo_ops torus_ops = {
	.trunk_at = offsetof(struct topo_torus_params, trunk),
	.build = torus_build,
	.destroy = torus_destroy,
	.ports = torus_ports,
	.peer = torus_peer,
	.next = torus_next,
	.distance = torus_distance,
	.max_distance = torus_max_distance,
	.worst_case = torus_worst_case,
	.rack = torus_rack,
	.dims = torus_dims,
	.orbits = torus_orbits,
	.facts = torus_facts,
	.link_classes = torus_classes,
};

const struct base_plugin topo_torus = {
	BASE_DESCRIBE("topology", "torus", torus_params, struct topo_torus_params, &torus_ops),
	.summary = "torus or mesh with any number of dimensions (k-ary n-cube)",
	.source = "Dally, Towles: Principles and Practices of Interconnection Networks, chapter 5",
	.conditions = torus_conditions,
};
