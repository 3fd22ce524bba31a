/* topo/slimfly.c - the Slim Fly: McKay-Miller-Siran graphs of diameter two, for every prime power q.
 *
 * Besta and Hoefler, "Slim Fly: A Cost Effective Low-Diameter Network Topology", SC14, section II-B; McKay, Miller and
 * Siran, J. Combin. Theory B 74 (1998); Hafner, J. Combin. Theory B 90 (2004).
 *
 * With q = 4w + delta, delta in {-1, 0, 1}, there are 2 q^2 switches (s, x, y), s in {0, 1}, x and y in GF(q), numbered
 * s q^2 + x q + y, and two sets X, X' of (q - delta) / 2 nonzero elements, each closed under negation, that cover
 * GF(q) \ {0} together. For each s the q switches of equal x are a group:
 *   (0, x, y) - (0, x, y')  iff  y - y' in X        (1, m, c) - (1, m, c')  iff  c - c' in X'
 *   (0, x, y) - (1, m, c)   iff  y = m x + c
 * So (0, x, y) is a point, (1, m, c) a line, and a cross cable is an incidence.
 *
 * Ports: 0 .. d-1 stay in the group, d = |X| = |X'|: port i of (s, x, y) leads to y + element[s][i]. Port d + j leads
 * to the other subgraph's group j. No table has more than a few q entries, except that of two-hop paths inside a group
 * (q lists of about q / 4 ports for each s). */
#include "topo/divide.h"
#include "topo/gf.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/memory.h"
#include "base/select.h"

#include <stdlib.h>

#define SLIMFLY_MAX_Q 211 /* from 223 on, a pair may have more than 64 shortest paths: not supported */
#define NO_PORT UINT16_MAX

struct slimfly {
	struct topo_gf field;
	uint32_t q, qq, d;
	int delta;
	struct topo_divider by_q;
	uint16_t *element[2];   /* d entries, ascending: X, X' */
	uint16_t *port_of[2];   /* q entries: index in `element` of this difference, or NO_PORT */
	uint32_t *via_first[2]; /* q + 1 entries: for each difference, its first entry in via[] */
	uint16_t *via[2];       /* ports whose element e is in the set and difference - e too */
};

struct slimfly_place {
	uint32_t s, x, y;
};

static inline struct slimfly_place place_of_switch(const struct slimfly *f, topo_switch id)
{
	uint32_t s = id >= f->qq;
	uint32_t rest = id - (s ? f->qq : 0);
	uint32_t x = topo_divide(&f->by_q, rest);
	return (struct slimfly_place){ .s = s, .x = x, .y = topo_remainder(&f->by_q, rest, x) };
}

static inline topo_switch id_of(const struct slimfly *f, uint32_t s, uint32_t x, uint32_t y)
{
	return (s ? f->qq : 0) + x * f->q + y;
}

/* The y of the only switch in group j of the other subgraph that is a neighbour of `at`. */
static inline uint32_t across(const struct slimfly *f, struct slimfly_place at, uint32_t j)
{
	uint32_t product = topo_gf_mul(&f->field, at.x, j);
	return topo_gf_add(&f->field, at.y, base_if_equal32(at.s, 0, f->field.neg[product], product));
}

/* For `from` and `to` in different subgraphs: the field element that a step inside the group of `from` has to add, so
 * that a cross cable then leads to `to`. If the packet crosses first, the step inside the group of `to` has the same
 * element. 0 if the two switches are neighbours. */
static inline uint32_t offset_across(const struct slimfly *f, struct slimfly_place from, struct slimfly_place to)
{
	return topo_gf_sub(&f->field, across(f, to, from.x), from.y);
}

static uint32_t slimfly_ports(const struct topo *topo, topo_switch s)
{
	(void)s;
	return topo->max_ports;
}

static struct topo_hop slimfly_peer(const struct topo *topo, topo_switch id, topo_port port)
{
	const struct slimfly *f = topo->impl;
	struct slimfly_place at = place_of_switch(f, id);
	if (port < f->d) {
		uint32_t step = f->element[at.s][port];
		return (struct topo_hop){ .to = id_of(f, at.s, at.x, topo_gf_add(&f->field, at.y, step)),
			                  .port = f->port_of[at.s][f->field.neg[step]] };
	}
	uint32_t j = port - f->d;
	return (struct topo_hop){ .to = id_of(f, !at.s, j, across(f, at, j)), .port = f->d + at.x, .link_class = 1 };
}

/* Inside a group: one port, or the first ports of the two-hop paths. */
static __attribute__((noinline)) int next_in_group(const struct slimfly *f, uint32_t s, uint32_t dy, topo_port *out)
{
	if (f->port_of[s][dy] != NO_PORT) {
		out[0] = f->port_of[s][dy];
		return 1;
	}
	uint32_t first = f->via_first[s][dy], n = f->via_first[s][dy + 1] - first;
	for (uint32_t i = 0; i < n; i++)
		out[i] = f->via[s][first + i];
	return (int)n;
}

/* Whether `to` is in the other subgraph, and on which side of the cross cable the local step comes, is unpredictable,
 * so all cases are computed and one is selected without branches. */
static int slimfly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct slimfly *f = topo->impl;
	struct slimfly_place a = place_of_switch(f, here), b = place_of_switch(f, to);
	uint32_t dx = topo_gf_sub(&f->field, b.x, a.x), dy = topo_gf_sub(&f->field, b.y, a.y), crosses = a.s ^ b.s;
	if (!(dx | crosses))
		return next_in_group(f, a.s, dy, out);
	/* Same subgraph: one common neighbour, the line through two points or the point on two lines. */
	uint32_t j = topo_gf_div(&f->field, dy, dx + !dx);
	uint32_t common = f->d + base_if_equal32(a.s, 0, j, f->field.neg[j]);
	/* Other subgraph: a step inside this group or the same step in the other group; 0: none. */
	uint32_t step = offset_across(f, a, b), cross = f->d + b.x;
	uint32_t first = f->port_of[a.s][step], second = f->port_of[b.s][step];
	out[0] = base_if_equal32(crosses, 0, common, base_if_equal32(first, NO_PORT, cross, first));
	out[1] = cross;
	return 1 + ((crosses != 0) & (first != NO_PORT) & (second != NO_PORT));
}

static unsigned slimfly_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct slimfly *f = topo->impl;
	if (from == to)
		return 0;
	struct slimfly_place a = place_of_switch(f, from), b = place_of_switch(f, to);
	if (a.s != b.s)
		return offset_across(f, a, b) ? 2 : 1;
	return a.x == b.x && f->port_of[a.s][topo_gf_sub(&f->field, b.y, a.y)] != NO_PORT ? 1 : 2;
}

static unsigned slimfly_max_distance(const struct topo *topo)
{
	(void)topo;
	return 2;
}

/* The paper's rack layout pairs the groups (0, i) and (1, i); for routing a group is one (s, x). */
static uint32_t slimfly_group(const struct topo *topo, topo_switch id)
{
	const struct slimfly *f = topo->impl;
	return topo_divide(&f->by_q, id);
}

/* Groups (0, x) and (1, x) are adjacent in the order: a piece keeps its local cables, and with k equal pieces one cross
 * cable in k. For two pieces a third of all cables remains between them, which is the spectral bound on any
 * bisection. */
static topo_switch slimfly_order(const struct topo *topo, uint32_t i)
{
	const struct slimfly *f = topo->impl;
	uint32_t x = i / (2 * f->q), rest = i % (2 * f->q), s = rest >= f->q;
	return id_of(f, s, x, rest - (s ? f->q : 0));
}

/* Racks: groups (0, x) and (1, x). */
static uint32_t slimfly_rack(const struct topo *topo, topo_switch s)
{
	return place_of_switch(topo->impl, s).x;
}

/* --- worst case ------------------------------------------------------------------------------------------ */

/* Chain a - b - c - d: a and c exchange all their traffic, and b and d. */
static void add_chain(topo_switch *to, topo_switch a, topo_switch b, topo_switch c, topo_switch d)
{
	to[a] = c;
	to[c] = a;
	to[b] = d;
	to[d] = b;
}

/* Chains in the groups (0, i) and (1, i) alone, q odd. Switch (0, i, y) has its cross cable to (1, i, y - i i). The
 * chain (1, i, u - ii) - (0, i, u) - (0, i, v) - (1, i, v - ii) has unique two-hop paths when v - u is in X and not in
 * X'. So all but one u are paired by such steps: along a walk through all of GF(q), built dimension by dimension over
 * GF(p), there and back alternately, every step an element of X \ X'. Returns the number of idle switches. */
static uint32_t chains_in_group(const struct slimfly *f, uint32_t i, topo_switch *to)
{
	const struct topo_gf *g = &f->field;
	uint32_t *walk = base_calloc(f->q, sizeof *walk);
	bool *reached = base_calloc(f->q, sizeof *reached);
	uint32_t n = 1; /* the walk has n places, a subspace; it starts at 0 */
	reached[0] = true;
	for (uint32_t k = 0; k < f->d && n < f->q; k++) {
		uint32_t step = f->element[0][k];
		if (reached[step] || f->port_of[1][step] != NO_PORT)
			continue;
		for (uint32_t at = n; at < n * g->p; at++) {
			/* Place `at` mirrors the place equally far before the turn, plus one step. */
			uint32_t turn = at / n * n;
			walk[at] = topo_gf_add(g, walk[2 * turn - 1 - at], step);
			reached[walk[at]] = true;
		}
		n *= g->p;
	}
	uint32_t down = topo_gf_mul(g, i, i);
	uint32_t paired = n == f->q ? f->q - 1 : 0;
	for (uint32_t at = 0; at < paired; at += 2) {
		uint32_t u = walk[at], v = walk[at + 1];
		add_chain(to, id_of(f, 1, i, topo_gf_sub(g, u, down)), id_of(f, 0, i, u), id_of(f, 0, i, v),
		          id_of(f, 1, i, topo_gf_sub(g, v, down)));
	}
	free(walk);
	free(reached);
	return 2 * (f->q - paired);
}

/* The four-switch chains of Wolfe et al. (PADS'17), figure 3, over all switches but 2 q^2 mod 4 (six for q = 3, whose
 * last group has no unique paths). Groups pair up: for each point P = (a, y), the line L of slope a through it, the
 * point P' of L in group b, and the line of slope b through P' form a chain. Two points lie on one line and two lines
 * meet in one point, so both two-hop paths are unique and the middle cable carries 2p flows each way. */
static uint32_t slimfly_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct slimfly *f = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++)
		to[s] = TOPO_NONE;
	for (uint32_t a = 0; a + 1 < f->q; a += 2)
		for (uint32_t y = 0; y < f->q; y++) {
			uint32_t b = a + 1;
			struct slimfly_place line = { .s = 1,
				                      .x = a,
				                      .y = across(f, (struct slimfly_place){ 0, a, y }, a) };
			struct slimfly_place point = { .s = 0, .x = b, .y = across(f, line, b) };
			add_chain(to, id_of(f, 0, a, y), id_of(f, 1, a, line.y), id_of(f, 0, b, point.y),
			          id_of(f, 1, b, across(f, point, b)));
		}
	return f->q % 2 ? chains_in_group(f, f->q - 1, to) : 0;
}

/* --- facts ----------------------------------------------------------------------------------------------- */

/* Automorphisms: (x, c) -> (x + a, c - m a), (m, y) -> (m + b, y + b x), (y, c) -> (y + e, c + e). */
static size_t slimfly_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	const struct slimfly *f = topo->impl;
	if (capacity < 2)
		return 0;
	out[0] = (struct topo_orbit){ .representative = 0, .size = f->qq };
	out[1] = (struct topo_orbit){ .representative = f->qq, .size = f->qq };
	return 2;
}

/* Load of a cross channel u -> v, in flows of one per ordered pair of switches: 1 for (u, v); 2 (q - 1) for the unique
 * paths u -> v -> w and w -> u -> v with two cross cables; and q - 1 for those with one local cable, since each of the
 * q - 1 offsets between u's and v's groups is served by a local cable on v's side, or on u's, or half by each. In all
 * 3q - 2, exactly. Local channels carry less (as much for q = 4 and 5). */
static void slimfly_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct slimfly *f = topo->impl;
	double n = topo->switches, p = topo->max_endpoints, k = topo->max_ports;
	facts->links = (uint64_t)topo->switches * topo->max_ports / 2;
	facts->links_by_class[0] = (uint64_t)f->qq * f->d;
	facts->links_by_class[1] = (uint64_t)f->qq * f->q;
	facts->diameter = 2;
	facts->mean_distance = (k + 2 * (n - 1 - k)) / (n - 1);
	/* The Laplacian's spectral gap is q, so that a bisection cuts at least q n / 4 cables. */
	facts->bisection_links = ((int64_t)f->q * topo->switches + 3) / 4;
	facts->bisection_how = "spectral bound (lower bound; Laplacian gap q)";
	if (topo->endpoints > 1) {
		facts->max_channel_load_uniform = p * p * (3.0 * f->q - 2) / (topo->endpoints - 1.0);
		facts->mean_minimal_hops = facts->mean_distance * p * (n - 1) / (topo->endpoints - 1.0);
	}
}

/* --- building -------------------------------------------------------------------------------------------- */

/* X for s = 0, X' for s = 1; Hafner's sets by powers of the primitive element. */
static void choose_elements(struct slimfly *f, uint32_t s)
{
	bool *in = base_calloc(f->q, sizeof *in);
	uint32_t w = (f->q + 1) / 4;
	for (uint32_t i = 0; i < f->d; i++) {
		/* delta = -1: exponents 0, 2 .. 2w-2, then 2w-1, 2w+1 .. 4w-3; X' has all of them one higher. */
		uint32_t exponent = f->delta == -1 && i >= w ? 2 * i - 1 : 2 * i;
		in[f->field.exp[exponent + s]] = true;
	}
	f->element[s] = base_calloc(f->d, sizeof *f->element[s]);
	f->port_of[s] = base_calloc(f->q, sizeof *f->port_of[s]);
	uint32_t n = 0;
	for (uint32_t e = 0; e < f->q; e++) {
		f->port_of[s][e] = in[e] ? (uint16_t)n : NO_PORT;
		if (in[e])
			f->element[s][n++] = (uint16_t)e;
	}
	free(in);
}

/* Two-hop paths inside a group: at most 64 of them up to SLIMFLY_MAX_Q. */
static void list_vias(struct slimfly *f, uint32_t s)
{
	f->via_first[s] = base_calloc(f->q + 1, sizeof *f->via_first[s]);
	f->via[s] = base_calloc((size_t)f->d * f->d, sizeof *f->via[s]);
	uint32_t n = 0;
	for (uint32_t dy = 0; dy < f->q; dy++) {
		f->via_first[s][dy] = n;
		if (dy == 0 || f->port_of[s][dy] != NO_PORT)
			continue;
		for (uint32_t i = 0; i < f->d; i++)
			if (f->port_of[s][topo_gf_sub(&f->field, dy, f->element[s][i])] != NO_PORT)
				f->via[s][n++] = (uint16_t)i;
	}
	f->via_first[s][f->q] = n;
}

static bool usable(int64_t q)
{
	return q >= 3 && q <= SLIMFLY_MAX_Q && topo_prime_power((uint32_t)q, NULL, NULL);
}

static int check_q(int64_t q, struct base_errors *errors)
{
	if (usable(q))
		return 0;
	int64_t below = q, above = q;
	while (below >= 3 && !usable(below))
		below = below > SLIMFLY_MAX_Q ? SLIMFLY_MAX_Q : below - 1;
	while (above <= SLIMFLY_MAX_Q && !usable(above))
		above = above < 3 ? 3 : above + 1;
	if (below < 3)
		return base_errorf(errors, "q", "%lld is too small; the minimum is %lld", (long long)q,
		                   (long long)above);
	if (above > SLIMFLY_MAX_Q)
		return base_errorf(errors, "q", "%lld is too large; the maximum is %lld", (long long)q,
		                   (long long)below);
	return base_errorf(errors, "q", "%lld is not a prime power; the nearest are %lld and %lld", (long long)q,
	                   (long long)below, (long long)above);
}

static void slimfly_destroy(struct topo *topo)
{
	struct slimfly *f = topo->impl;
	for (int s = 0; s < 2; s++) {
		free(f->element[s]);
		free(f->port_of[s]);
		free(f->via_first[s]);
		free(f->via[s]);
	}
	topo_gf_free(&f->field);
	free(f);
}

static const char *const slimfly_classes[] = { "local", "global", NULL };

static int slimfly_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_slimfly_params *in = params;
	int64_t q = in->q, p = in->endpoints;
	if (p != BASE_AUTO && p < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld", (long long)p);
	if (check_q(q, errors) || (p != BASE_AUTO && p < 1))
		return -1;
	struct slimfly *f = base_alloc(sizeof *f);
	topo->impl = f;
	f->q = (uint32_t)q;
	f->qq = f->q * f->q;
	f->delta = q % 4 == 3 ? -1 : (int)(q % 4);
	f->d = (uint32_t)((q - f->delta) / 2);
	f->by_q = topo_divider_of(f->q);
	topo_gf_build(&f->field, f->q);
	for (uint32_t s = 0; s < 2; s++) {
		choose_elements(f, s);
		list_vias(f, s);
	}
	topo->max_ports = f->d + f->q;
	topo->groups = 2 * f->q;
	topo->link_classes = 2;
	topo->link_class_name = slimfly_classes;
	topo->vc_rule = TOPO_VC_HOP;
	return topo_set_size(topo, 2 * (uint64_t)f->qq, p == BASE_AUTO ? topo->max_ports / 2 : (uint64_t)p, errors);
}

static const struct base_param slimfly_params[] = {
	{ BASE_KEY(INT, struct topo_slimfly_params, q, NULL), .min = 2, .max = SLIMFLY_MAX_Q,
	  .help = "prime power; makes 2 q^2 switches of about 3q/2 network ports", .source = "SC14 Slim Fly, II-B" },
	TOPO_ENDPOINTS_BY(struct topo_slimfly_params, "half"),
	TOPO_TRUNK(struct topo_slimfly_params),
	{ 0 }
};

static const struct topo_ops slimfly_ops = {
	.trunk_at = offsetof(struct topo_slimfly_params, trunk),
	.build = slimfly_build,
	.destroy = slimfly_destroy,
	.ports = slimfly_ports,
	.peer = slimfly_peer,
	.next = slimfly_next,
	.distance = slimfly_distance,
	.max_distance = slimfly_max_distance,
	.group = slimfly_group,
	.worst_case = slimfly_worst_case,
	.order = slimfly_order,
	.rack = slimfly_rack,
	.orbits = slimfly_orbits,
	.facts = slimfly_facts,
	.link_classes = slimfly_classes,
};

const struct base_plugin topo_slimfly = {
	BASE_DESCRIBE("topology", "slimfly", slimfly_params, struct topo_slimfly_params, &slimfly_ops),
	.summary = "Slim Fly (MMS graph): diameter two with close to the most switches possible",
	.source = "Besta, Hoefler: Slim Fly, SC14; McKay, Miller, Siran 1998; Hafner 2004",
};
