/* topo/hyperx.c - HyperX: switches on a grid of any number of dimensions, fully connected along every line.
 *
 * Ahn, Binkert, Davis, McLaren, Schreiber, "HyperX: Topology, Routing, and Packaging of Efficient Large-Scale
 * Networks", SC09. S_i switches in dimension i, K_i cables per pair (trunk), T endpoints per switch; two switches that
 * differ in one coordinate are neighbours. With L = 1 it is a full mesh, with all S_i = 2 a hypercube, with L = 2 a
 * rook's graph.
 *
 * Switch number: c0 + S0 (c1 + S1 (c2 + ...)). Ports in order of dimension: those to the coordinate c + 1, c + 2, ...
 * around the line, K_i each; so the way back from c + j is the j-th of the S_i - 1 from the end.
 *
 * Minimal routes correct each differing coordinate once: in any order (order = "any": every cable of every such
 * dimension is equally good, and the VC increases with every hop), or in the listed order of dimensions (order =
 * "dimension": one VC per leg). */
#include "topo/divide.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>

#define HYPERX_MAX_DIMS 32
#define HYPERX_MAX_RADIX 65535

struct hyperx_line {
	uint32_t size, stride, trunk;
	uint32_t port; /* the first port of this dimension */
	struct topo_divider by_size, by_stride, by_trunk;
};

struct hyperx {
	uint32_t n;
	enum topo_hyperx_order order;
	struct hyperx_line line[HYPERX_MAX_DIMS];
	uint8_t
	    number[HYPERX_MAX_DIMS]; /* the dimension's number in the configuration, which includes those of size 1 */
};

/* (a + b) mod n for a < n and b <= n. */
static inline uint32_t around(uint32_t a, uint32_t b, uint32_t n)
{
	return a + b >= n ? a + b - n : a + b;
}

static uint32_t hyperx_ports(const struct topo *topo, topo_switch s)
{
	(void)s;
	return topo->max_ports;
}

static struct topo_hop hyperx_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct hyperx *h = topo->impl;
	uint32_t i = 0;
	while (i + 1 < h->n && port >= h->line[i + 1].port)
		i++;
	const struct hyperx_line *l = &h->line[i];
	uint32_t above = topo_divide(&l->by_stride, s);
	uint32_t c = topo_remainder(&l->by_size, above, topo_divide(&l->by_size, above));
	uint32_t on = topo_divide(&l->by_trunk, port - l->port), cable = port - l->port - on * l->trunk; /* on + 1 */
	uint32_t to = around(c, on + 1, l->size);
	return (struct topo_hop){ .to = s - c * l->stride + to * l->stride,
		                  .port = l->port + (l->size - 2 - on) * l->trunk + cable,
		                  .dimension = h->number[i],
		                  .rank = (uint8_t)i };
}

static int hyperx_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct hyperx *h = topo->impl;
	uint32_t from_rest = here, to_rest = to;
	int n = 0;
	for (uint32_t i = 0; from_rest != to_rest; i++) {
		const struct hyperx_line *l = &h->line[i];
		uint32_t from_above = topo_divide(&l->by_size, from_rest), to_above = topo_divide(&l->by_size, to_rest);
		uint32_t a = topo_remainder(&l->by_size, from_rest, from_above);
		uint32_t b = topo_remainder(&l->by_size, to_rest, to_above);
		from_rest = from_above;
		to_rest = to_above;
		if (a == b)
			continue;
		topo_port first = l->port + (around(b, l->size - a, l->size) - 1) * l->trunk;
		for (uint32_t k = 0; k < l->trunk; k++)
			out[n++] = first + k;
		if (h->order == TOPO_HYPERX_DIMENSION)
			break;
	}
	return n;
}

static unsigned hyperx_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct hyperx *h = topo->impl;
	unsigned hops = 0;
	for (uint32_t i = 0; from != to; i++) {
		const struct hyperx_line *l = &h->line[i];
		uint32_t from_above = topo_divide(&l->by_size, from), to_above = topo_divide(&l->by_size, to);
		hops += topo_remainder(&l->by_size, from, from_above) != topo_remainder(&l->by_size, to, to_above);
		from = from_above;
		to = to_above;
	}
	return hops;
}

static unsigned hyperx_max_distance(const struct topo *topo)
{
	return ((const struct hyperx *)topo->impl)->n;
}

/* Each rack holds the switches that agree in all dimensions but the last: a row, a plane. */
static uint32_t hyperx_rack(const struct topo *topo, topo_switch s)
{
	const struct hyperx *h = topo->impl;
	return h->n > 1 ? topo_divide(&h->line[h->n - 1].by_stride, s) : 0;
}

static int hyperx_dims(const struct topo *topo, uint32_t *out, int capacity)
{
	const struct hyperx *h = topo->impl;
	for (int i = 0; i < capacity && i < (int)h->n; i++)
		out[i] = h->line[i].size;
	return (int)h->n;
}

static size_t hyperx_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	if (capacity < 1)
		return 0;
	out[0] = (struct topo_orbit){ .representative = 0, .size = topo->switches };
	return 1;
}

/* --- worst case ------------------------------------------------------------------------------------------ */

/* Worst-case traffic: every switch sends to the switch with the next coordinate in every dimension. In one or two
 * dimensions no permutation loads a channel with more than T flows, because all flows of a channel have the same source
 * switch or the same destination switch. */
static uint32_t one_on(const struct topo *topo, topo_switch *to)
{
	const struct hyperx *h = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++) {
		to[s] = s;
		for (uint32_t i = 0, rest = s; i < h->n; i++) {
			uint32_t c = rest % h->line[i].size;
			to[s] += (around(c, 1, h->line[i].size) - c) * h->line[i].stride;
			rest /= h->line[i].size;
		}
	}
	return 0;
}

/* Worst-case traffic for dimension-order routing with an odd number of dimensions whose sizes are a palindrome: the
 * coordinates are reversed, and the middle one is incremented. Then the flows of all S_0 switches that differ in c_0
 * only meet in the second dimension. */
static uint32_t reversed(const struct topo *topo, topo_switch *to)
{
	const struct hyperx *h = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++) {
		to[s] = 0;
		for (uint32_t i = 0, rest = s; i < h->n; i++) {
			uint32_t c = rest % h->line[i].size, mirror = h->n - 1 - i;
			to[s] += (mirror == i ? around(c, 1, h->line[i].size) : c) * h->line[mirror].stride;
			rest /= h->line[i].size;
		}
	}
	return 0;
}

static bool reversible(const struct hyperx *h)
{
	bool same = h->n % 2 == 1 && h->order == TOPO_HYPERX_DIMENSION;
	for (uint32_t i = 0; i < h->n; i++)
		same = same && h->line[i].size == h->line[h->n - 1 - i].size;
	return same;
}

/* --- facts ----------------------------------------------------------------------------------------------- */

/* The Laplacian's spectral gap is the least S_i K_i, so that a bisection cuts at least that times n / 4 cables; a cut
 * across an even dimension with this product attains it. */
static void hyperx_bisection(const struct hyperx *h, uint32_t switches, struct topo_facts *facts)
{
	uint64_t gap = UINT64_MAX;
	bool even = false;
	for (uint32_t i = 0; i < h->n; i++) {
		uint64_t here = (uint64_t)h->line[i].size * h->line[i].trunk;
		bool is_even = h->line[i].size % 2 == 0;
		even = here < gap ? is_even : even || (here == gap && is_even);
		gap = here < gap ? here : gap;
	}
	if (!even)
		return;
	facts->bisection_links = (int64_t)(gap * switches / 4);
	facts->bisection_how = "closed form (equal to the spectral bound)";
}

/* With dimensions in any order, a route that crosses dimension i does so once, and by symmetry all channels of the
 * dimension carry the same load T N / (S_i K_i (N - 1)), with N endpoints, T per switch, and dimensions of S_i switches
 * with K_i cables per pair. */
static void hyperx_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct hyperx *h = topo->impl;
	double n = topo->switches, e = topo->endpoints, p = topo->max_endpoints, hops = 0, load = 0;
	facts->links = (uint64_t)topo->switches * topo->max_ports / 2;
	facts->links_by_class[0] = facts->links;
	facts->diameter = (int)h->n;
	facts->girth = h->n > 1 ? 4 : -1;
	for (uint32_t i = 0; i < h->n; i++) {
		const struct hyperx_line *l = &h->line[i];
		double s = l->size;
		hops += 1 - 1 / s;
		load = load > 1 / (s * l->trunk) ? load : 1 / (s * l->trunk);
		if (l->trunk > 1 || (l->size > 2 && facts->girth != 2))
			facts->girth = l->trunk > 1 ? 2 : 3;
	}
	facts->mean_distance = hops * n / (n - 1);
	hyperx_bisection(h, topo->switches, facts);
	if (topo->endpoints > 1) {
		facts->max_channel_load_uniform = load * p * e / (e - 1);
		facts->mean_minimal_hops = hops * e / (e - 1);
	}
}

/* --- building -------------------------------------------------------------------------------------------- */

static int64_t trunk_of(const struct topo_hyperx_params *in, size_t dimension)
{
	return in->trunk.n == 0 ? 1 : in->trunk.v[in->trunk.n > 1 ? dimension : 0];
}

static void check_dims(const struct topo_hyperx_params *in, struct base_errors *errors)
{
	uint64_t switches = 1;
	if (in->dims.n == 0 || in->dims.n > HYPERX_MAX_DIMS)
		base_errorf(errors, "dims", "1 to %d dimensions are supported, not %zu", HYPERX_MAX_DIMS, in->dims.n);
	for (size_t i = 0; i < in->dims.n && switches <= TOPO_MAX_SWITCHES; i++) {
		if (in->dims.v[i] < 1)
			base_errorf(errors, "dims", "dimension %zu has %lld switches; it needs at least one", i,
			            (long long)in->dims.v[i]);
		else
			switches = in->dims.v[i] > TOPO_MAX_SWITCHES ? UINT64_MAX : switches * (uint64_t)in->dims.v[i];
	}
	if (switches > TOPO_MAX_SWITCHES)
		base_errorf(errors, "dims", "more than %u switches are not supported", TOPO_MAX_SWITCHES);
	if (in->dims.n > 0 && in->dims.n <= HYPERX_MAX_DIMS && switches == 1)
		base_errorf(errors, "dims", "one switch has no cables; topology \"single\" is one switch");
}

/* Ports of a switch, and the number of ports that next() may offer. */
static void check_cables(const struct topo_hyperx_params *in, struct base_errors *errors)
{
	int64_t ports = in->endpoints == BASE_AUTO ? 0 : in->endpoints, offered = 0;
	if (in->trunk.n > 1 && in->trunk.n != in->dims.n) {
		base_errorf(errors, "trunk", "%zu values for %zu dimensions; give one for all or one each", in->trunk.n,
		            in->dims.n);
		return;
	}
	for (size_t i = 0; i < in->dims.n; i++) {
		int64_t size = in->dims.v[i], trunk = trunk_of(in, i);
		if (trunk < 1 || trunk > TOPO_MAX_NEXT) {
			base_errorf(errors, "trunk", "%lld cables per pair; 1 to %d are supported", (long long)trunk,
			            TOPO_MAX_NEXT);
			return;
		}
		if (size < 2)
			continue;
		if (size > HYPERX_MAX_RADIX)
			return; /* too many switches or ports: reported already */
		ports += (size - 1) * trunk;
		offered += trunk;
	}
	if (offered > TOPO_MAX_NEXT && in->order == TOPO_HYPERX_ANY)
		base_errorf(errors, "trunk",
		            "minimal routes would choose among %lld cables at a switch; at most %d are supported, "
		            "unless order = \"dimension\"",
		            (long long)offered, TOPO_MAX_NEXT);
	if (ports > HYPERX_MAX_RADIX)
		base_errorf(errors, "dims", "this makes switches of %lld ports; at most %d are supported",
		            (long long)ports, HYPERX_MAX_RADIX);
}

static int hyperx_check(const struct topo_hyperx_params *in, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (in->endpoints != BASE_AUTO && in->endpoints < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	check_dims(in, errors);
	for (size_t i = 0; i < in->dims.n; i++)
		if (in->dims.v[i] > HYPERX_MAX_RADIX)
			base_errorf(errors, "dims",
			            "a line of %lld switches makes switches of as many ports; at most %d are supported",
			            (long long)in->dims.v[i], HYPERX_MAX_RADIX);
	check_cables(in, errors);
	return errors->errors > before ? -1 : 0;
}

static void hyperx_destroy(struct topo *topo)
{
	free(topo->impl);
}

static const char *const hyperx_classes[] = { "local", NULL };
static const struct topo_ops ops_of_one_on, ops_of_reversed;

static int hyperx_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_hyperx_params *in = params;
	if (hyperx_check(in, errors))
		return -1;
	struct hyperx *h = base_alloc(sizeof *h);
	topo->impl = h;
	h->order = (enum topo_hyperx_order)in->order;
	topo->one_way = true;
	uint32_t switches = 1, least = UINT32_MAX;
	for (size_t i = 0; i < in->dims.n; i++) {
		uint32_t size = (uint32_t)in->dims.v[i], trunk = (uint32_t)trunk_of(in, i);
		if (size == 1)
			continue;
		h->number[h->n] = (uint8_t)i;
		h->line[h->n++] = (struct hyperx_line){ .size = size,
			                                .stride = switches,
			                                .trunk = trunk,
			                                .port = topo->max_ports,
			                                .by_size = topo_divider_of(size),
			                                .by_stride = topo_divider_of(switches),
			                                .by_trunk = topo_divider_of(trunk) };
		topo->max_ports += (size - 1) * trunk;
		switches *= size;
		topo->one_way = topo->one_way && trunk == 1;
		least = size * trunk < least ? size * trunk : least;
	}
	topo->link_classes = 1;
	topo->link_class_name = hyperx_classes;
	topo->vc_rule = h->order == TOPO_HYPERX_ANY ? TOPO_VC_HOP : TOPO_VC_LEG;
	topo->one_way = topo->one_way && (h->n == 1 || h->order == TOPO_HYPERX_DIMENSION);
	if (h->n <= 2)
		topo->ops = &ops_of_one_on;
	else if (reversible(h))
		topo->ops = &ops_of_reversed;
	return topo_set_size(topo, switches, in->endpoints == BASE_AUTO ? least : (uint64_t)in->endpoints, errors);
}

static const struct base_param hyperx_params[] = {
	{ BASE_KEY(INTS, struct topo_hyperx_params, dims, NULL), .unit = "switches", .min = 1, .max = TOPO_MAX_SWITCHES,
	  .help = "switches in each dimension (S)", .source = "SC09 HyperX, II" },
	{ BASE_KEY(INTS, struct topo_hyperx_params, trunk, "1"), .unit = "cables", .min = 1, .max = TOPO_MAX_NEXT,
	  .help = "cables between two switches of a line (K); one value, or one per dimension" },
	{ BASE_KEY(AUTO_INT, struct topo_hyperx_params, endpoints, "auto"), .unit = "endpoints", .min = 1, .max = 65535,
	  .help =
	      "endpoints per switch (T); auto: the least product of S and K, at which uniform traffic just saturates" },
	{ BASE_KEY(ENUM, struct topo_hyperx_params, order, "any"), .choices = "any|dimension",
	  .help =
	      "minimal routes cross dimensions in any order (one VC per hop), or in the listed order (one VC per leg)",
	  .source = "SC09 HyperX, III" },
	{ 0 }
};

static bool has_orders(const void *params)
{
	const struct topo_hyperx_params *p = params;
	size_t n = 0;
	for (size_t i = 0; i < p->dims.n; i++)
		n += p->dims.v[i] > 1;
	return n > 1;
}

static const struct base_condition hyperx_conditions[] = {
	{ "order", "with more than one dimension of more than one switch", has_orders, NULL },
	{ 0 },
};

#define HYPERX_OPS                                                                                                  \
	.build = hyperx_build, .destroy = hyperx_destroy, .ports = hyperx_ports, .peer = hyperx_peer,               \
	.next = hyperx_next, .distance = hyperx_distance, .max_distance = hyperx_max_distance, .dims = hyperx_dims, \
	.rack = hyperx_rack, .orbits = hyperx_orbits, .facts = hyperx_facts, .link_classes = hyperx_classes

static const struct topo_ops hyperx_ops = { HYPERX_OPS }; /* no worst permutation is known */
static const struct topo_ops ops_of_one_on = { HYPERX_OPS, .worst_case = one_on };
static const struct topo_ops ops_of_reversed = { HYPERX_OPS, .worst_case = reversed };

const struct base_plugin topo_hyperx = {
	BASE_DESCRIBE("topology", "hyperx", hyperx_params, struct topo_hyperx_params, &hyperx_ops),
	.summary = "HyperX: a grid of any number of dimensions, fully connected along every line",
	.source = "Ahn, Binkert, Davis, McLaren, Schreiber: HyperX, SC09",
	.conditions = hyperx_conditions,
};
