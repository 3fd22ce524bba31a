/* topo/bundlefly.c - Bundlefly: the star product of a Slim Fly with Paley graphs, diameter three.
 *
 * Lei, Dong, Liao, Duato, "Bundlefly: A Low-Diameter Topology for Multicore Fiber", ICS 2020; star products: Bermond,
 * Delorme, Farhi 1982; EvalNet's construction.
 *
 * Every switch u of the Slim Fly over GF(q) (slimfly.c) is a supernode: a copy of the Paley graph of r vertices, the
 * elements of GF(r), a - b iff the difference is a square (r = 1 mod 4, so that -1 is a square). Where u and v are
 * neighbours and u < v, (u, a) is connected to (v, xi a) with a primitive element xi: multiplication by xi swaps
 * squares and nonsquares. A walk over supernodes multiplies by xi^t; its twist t is the number of cables to a larger
 * supernode number minus that to a smaller one.
 *
 * Switch number: u r + a. Ports: first those inside the supernode, port i of a to a + square[i], then those of u in the
 * Slim Fly, in the same order.
 *
 * Minimal routes are all shortest ones: up to TOPO_MAX_TABLED switches from a table of distances (table.h), which is
 * faster, beyond that computed at every hop. From (u, a) to (v, b):
 *   u = v       one step by a square, or two
 *   u - v       one cable if b = xi^t a; else a step on either side of it, the one whose difference is a square, and
 *               over a third supernode adjacent to both, if the twist of that path is right
 *   else        over a common neighbour alone if its twist is right; else with one more step, before, between or
 *               after, or by a walk of three cables with the right twist
 * A twist can only be right if b / a is a small power of xi, so most pairs need no search for such walks. */
#include "topo/bundlefly.h"

#include "topo/divide.h"
#include "topo/gf.h"
#include "topo/parallel.h"
#include "topo/params.h"
#include "topo/table.h"

#include "base/memory.h"

#include <stdlib.h>

#define MOST_SUPERNODE \
	257 /* from 277 on, two switches of a supernode have more than 64 common neighbours: not supported */
#define NO_PORT UINT16_MAX
#define LONGEST 3 /* supernode hops of a minimal route at most */

struct bundlefly {
	struct topo_table table; /* first: of the graph and its distances only; empty beyond TOPO_MAX_TABLED */
	struct topo frame;       /* the Slim Fly */
	struct topo_gf field;
	uint32_t r, d; /* switches of a supernode, ports inside */
	struct topo_divider by_r;
	uint16_t power[2 * LONGEST + 1]; /* xi^-3 .. xi^3 */
	uint16_t *square;                /* [d] ascending */
	uint16_t *port_of;               /* [r] index in `square` of this difference, or NO_PORT */
	uint32_t *via_first;             /* [r + 1] for each difference, its first entry in via[] */
	uint16_t *via; /* ports i for which square[i] and the difference minus square[i] are squares */
};

struct bundlefly_place {
	topo_switch u;
	uint32_t a;
};

static inline struct bundlefly_place place_of_switch(const struct bundlefly *f, topo_switch s)
{
	uint32_t u = topo_divide(&f->by_r, s);
	return (struct bundlefly_place){ u, topo_remainder(&f->by_r, s, u) };
}

static inline int twist(topo_switch from, topo_switch to)
{
	return from < to ? 1 : -1;
}

static inline uint32_t twisted(const struct bundlefly *f, uint32_t a, int t)
{
	return topo_gf_mul(&f->field, a, f->power[t + LONGEST]);
}

static inline bool joined(const struct bundlefly *f, topo_switch u, topo_switch v)
{
	return f->frame.ops->distance(&f->frame, u, v) == 1;
}

/* The t with b = xi^t a, for nonzero a and b, as t + LONGEST; more than 2 LONGEST: no such small power. */
static inline uint32_t ratio(const struct bundlefly *f, uint32_t a, uint32_t b)
{
	uint32_t order = f->r - 1, t = f->field.log[b] + order - f->field.log[a] + LONGEST;
	t -= t >= order ? order : 0;
	return t >= order ? t - order : t;
}

static uint32_t bundlefly_ports(const struct topo *topo, topo_switch s)
{
	(void)s;
	return topo->max_ports;
}

static struct topo_hop bundlefly_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct bundlefly *f = topo->impl;
	struct bundlefly_place at = place_of_switch(f, s);
	if (port < f->d) {
		uint32_t step = f->square[port];
		return (struct topo_hop){ .to = at.u * f->r + topo_gf_add(&f->field, at.a, step),
			                  .port = f->port_of[f->field.neg[step]] };
	}
	struct topo_hop hop = topo_peer(&f->frame, at.u, port - f->d);
	return (struct topo_hop){ .to = hop.to * f->r + twisted(f, at.a, twist(at.u, hop.to)),
		                  .port = f->d + hop.port,
		                  .link_class = 1 };
}

/* --- routes ---------------------------------------------------------------------------------------------- */

/* Inside a supernode. */
static int next_inside(const struct bundlefly *f, uint32_t difference, topo_port *out)
{
	if (f->port_of[difference] != NO_PORT) {
		out[0] = f->port_of[difference];
		return 1;
	}
	uint32_t first = f->via_first[difference], n = f->via_first[difference + 1] - first;
	if (n > TOPO_MAX_NEXT)
		n = TOPO_MAX_NEXT;
	for (uint32_t i = 0; i < n; i++)
		out[i] = f->via[first + i];
	return (int)n;
}

static int offer(topo_port *out, int n, topo_port port)
{
	for (int i = 0; i < n; i++)
		if (out[i] == port)
			return n;
	if (n < TOPO_MAX_NEXT)
		out[n++] = port;
	return n;
}

/* Can a walk of `cables` cables have the twist t, a value returned by ratio()? A walk's twist has the parity of its
 * length. But twists are numbers modulo the order of xi, r - 1, so if that is small (4 for r = 5), several of them
 * coincide. */
static bool may_be_twist(const struct bundlefly *f, uint32_t t, int cables)
{
	uint32_t order = f->r - 1;
	for (int i = -cables; i <= cables; i += 2)
		if ((uint32_t)(i + LONGEST) % order == t)
			return true;
	return false;
}

/* u and v are adjacent, but their cable has the wrong twist: adds paths by a third supernode. */
static int next_by_third(const struct bundlefly *f, struct bundlefly_place from, struct bundlefly_place to,
                         topo_port *out, int n)
{
	if (!from.a || !to.a || !may_be_twist(f, ratio(f, from.a, to.a), 2))
		return n;
	for (topo_port p = 0; p < f->frame.max_ports; p++) {
		topo_switch w = topo_peer(&f->frame, from.u, p).to;
		if (w != to.u && joined(f, w, to.u) && twisted(f, from.a, twist(from.u, w) + twist(w, to.u)) == to.a)
			n = offer(out, n, f->d + p);
	}
	return n;
}

/* u and v are not adjacent, and no path of two cables has the right twist: adds the walks of three cables. */
static int next_by_walk(const struct bundlefly *f, struct bundlefly_place from, struct bundlefly_place to,
                        topo_port *out, int n)
{
	if (!from.a || !to.a || !may_be_twist(f, ratio(f, from.a, to.a), 3))
		return n;
	for (topo_port p = 0; p < f->frame.max_ports; p++) {
		topo_switch w = topo_peer(&f->frame, from.u, p).to;
		topo_port on[TOPO_MAX_NEXT];
		int ways = joined(f, w, to.u) ? 0 : f->frame.ops->next(&f->frame, w, to.u, 1, on);
		for (int i = 0; i < ways; i++) {
			topo_switch x = topo_peer(&f->frame, w, on[i]).to;
			if (twisted(f, from.a, twist(from.u, w) + twist(w, x) + twist(x, to.u)) != to.a)
				continue;
			n = offer(out, n, f->d + p);
			break;
		}
	}
	return n;
}

/* u and v are adjacent. */
static int next_across(const struct bundlefly *f, struct bundlefly_place from, struct bundlefly_place to,
                       topo_port cable, topo_port *out)
{
	int t = twist(from.u, to.u);
	out[0] = f->d + cable;
	if (twisted(f, from.a, t) == to.a)
		return 1;
	uint16_t step = f->port_of[topo_gf_sub(&f->field, twisted(f, to.a, -t), from.a)];
	if (step != NO_PORT) /* else the step at the other end is by a square */
		out[0] = step;
	return next_by_third(f, from, to, out, 1);
}

/* Shortest next hops if the supernodes u and v of `from` and `to` are not adjacent; they have `ways` common neighbours.
 * If no path of two cables over a common neighbour ends at `to`, each of them does with one more step inside a
 * supernode: in u or v if the remaining difference is a square, otherwise in the common neighbour. So all these paths
 * of three hops are shortest. */
static int next_far(const struct bundlefly *f, struct bundlefly_place from, struct bundlefly_place to, topo_port *on,
                    int ways, topo_port *out)
{
	int t[TOPO_MAX_NEXT], n = 0;
	for (int i = 0; i < ways; i++) {
		topo_switch w = topo_peer(&f->frame, from.u, on[i]).to;
		t[i] = twist(from.u, w) + twist(w, to.u);
		if (twisted(f, from.a, t[i]) == to.a)
			out[n++] = f->d + on[i];
	}
	if (n)
		return n;
	for (int i = 0; i < ways; i++)
		out[n++] = f->d + on[i];
	for (int i = 0; i < ways; i++) {
		uint16_t step = f->port_of[topo_gf_sub(&f->field, twisted(f, to.a, -t[i]), from.a)];
		if (step != NO_PORT)
			n = offer(out, n, step);
	}
	return next_by_walk(f, from, to, out, n);
}

int topo_bundlefly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct bundlefly *f = topo->impl;
	struct bundlefly_place a = place_of_switch(f, here), b = place_of_switch(f, to);
	if (a.u == b.u)
		return next_inside(f, topo_gf_sub(&f->field, b.a, a.a), out);
	topo_port on[TOPO_MAX_NEXT];
	int ways = f->frame.ops->next(&f->frame, a.u, b.u, 0, on);
	if (joined(f, a.u, b.u))
		return next_across(f, a, b, on[0], out);
	return next_far(f, a, b, on, ways, out);
}

unsigned topo_bundlefly_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct bundlefly *f = topo->impl;
	struct bundlefly_place a = place_of_switch(f, from), b = place_of_switch(f, to);
	if (a.u == b.u)
		return a.a == b.a ? 0 : f->port_of[topo_gf_sub(&f->field, b.a, a.a)] != NO_PORT ? 1 : 2;
	if (joined(f, a.u, b.u))
		return twisted(f, a.a, twist(a.u, b.u)) == b.a ? 1 : 2;
	topo_port on[TOPO_MAX_NEXT];
	int ways = f->frame.ops->next(&f->frame, a.u, b.u, 0, on);
	for (int i = 0; i < ways; i++) {
		topo_switch w = topo_peer(&f->frame, a.u, on[i]).to;
		if (twisted(f, a.a, twist(a.u, w) + twist(w, b.u)) == b.a)
			return 2;
	}
	return 3;
}

void topo_bundlefly_map(const struct topo *topo, topo_switch *map)
{
	const struct bundlefly *f = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++) {
		struct bundlefly_place at = place_of_switch(f, s);
		map[s] = at.u * f->r + twisted(f, at.a, 2);
	}
}

static unsigned bundlefly_max_distance(const struct topo *topo)
{
	(void)topo;
	return 3;
}

/* --- the rest -------------------------------------------------------------------------------------------- */

static uint32_t bundlefly_group(const struct topo *topo, topo_switch s)
{
	return topo_divide(&((const struct bundlefly *)topo->impl)->by_r, s);
}

/* Those of the Slim Fly, for all copies. */
static uint32_t bundlefly_rack(const struct topo *topo, topo_switch s)
{
	const struct bundlefly *f = topo->impl;
	return f->frame.ops->rack(&f->frame, topo_divide(&f->by_r, s));
}

static topo_switch bundlefly_order(const struct topo *topo, uint32_t i)
{
	const struct bundlefly *f = topo->impl;
	struct bundlefly_place at = place_of_switch(f, i);
	return f->frame.ops->order(&f->frame, at.u) * f->r + at.a;
}

static void bundlefly_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct bundlefly *f = topo->impl;
	facts->links = (uint64_t)topo->switches * topo->max_ports / 2;
	facts->links_by_class[0] = (uint64_t)topo->switches * f->d / 2;
	facts->links_by_class[1] = facts->links - facts->links_by_class[0];
	facts->diameter = 3;
}

/* --- building -------------------------------------------------------------------------------------------- */

static void find_squares(struct bundlefly *f)
{
	uint32_t n = 0;
	f->square = base_calloc(f->d, sizeof *f->square);
	f->port_of = base_calloc(f->r, sizeof *f->port_of);
	f->via_first = base_calloc((size_t)f->r + 1, sizeof *f->via_first);
	f->via = base_calloc((size_t)f->d * f->d, sizeof *f->via);
	f->port_of[0] = NO_PORT;
	for (uint32_t e = 1; e < f->r; e++) {
		bool square = f->field.log[e] % 2 == 0;
		f->port_of[e] = square ? (uint16_t)n : NO_PORT;
		if (square)
			f->square[n++] = (uint16_t)e;
	}
	n = 0;
	for (uint32_t e = 0; e < f->r; e++) {
		f->via_first[e] = n;
		for (uint32_t i = 0; i < f->d && e && f->port_of[e] == NO_PORT; i++)
			if (f->port_of[topo_gf_sub(&f->field, e, f->square[i])] != NO_PORT)
				f->via[n++] = (uint16_t)i;
	}
	f->via_first[f->r] = n;
	for (int t = -LONGEST; t <= LONGEST; t++)
		f->power[t + LONGEST] = f->field.exp[((uint32_t)t + LONGEST * (f->r - 1)) % (f->r - 1)];
}

static bool is_paley(int64_t r)
{
	return r >= 5 && r <= MOST_SUPERNODE && r % 4 == 1 && topo_prime_power((uint32_t)r, NULL, NULL);
}

static int check_supernode(int64_t r, struct base_errors *errors)
{
	if (is_paley(r))
		return 0;
	int64_t below = r > MOST_SUPERNODE ? MOST_SUPERNODE : r, above = r < 5 ? 5 : r;
	while (below >= 5 && !is_paley(below))
		below--;
	while (above <= MOST_SUPERNODE && !is_paley(above))
		above++;
	if (below >= 5 && above <= MOST_SUPERNODE)
		return base_errorf(errors, "supernode",
		                   "no Paley graph has %lld switches: it needs a prime power that is 1 modulo 4; the "
		                   "nearest are %lld and %lld",
		                   (long long)r, (long long)below, (long long)above);
	return base_errorf(
	    errors, "supernode",
	    "%lld switches: the number of switches of a Paley graph is a prime power that is 1 modulo 4, from 5 to %d",
	    (long long)r, MOST_SUPERNODE);
}

static void bundlefly_destroy(struct topo *topo)
{
	struct bundlefly *f = topo->impl;
	topo_table_free(&f->table);
	topo_destroy(&f->frame);
	topo_gf_free(&f->field);
	free(f->square);
	free(f->port_of);
	free(f->via_first);
	free(f->via);
	free(f);
}

static const char *const bundlefly_classes[] = { "local", "global", NULL };
static const struct topo_ops ops_by_table;

static int bundlefly_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_bundlefly_params *in = params;
	size_t before = errors->errors;
	struct bundlefly *f = base_alloc(sizeof *f);
	topo->impl = f;
	if (in->endpoints != BASE_AUTO && in->endpoints < 1)
		base_errorf(errors, "endpoints", "a switch needs at least one endpoint, not %lld",
		            (long long)in->endpoints);
	check_supernode(in->supernode, errors);
	topo_build(&f->frame, &topo_slimfly, &(struct topo_slimfly_params){ .q = in->q, .endpoints = 1 }, errors);
	if (errors->errors > before)
		return -1;
	f->r = (uint32_t)in->supernode;
	f->d = (f->r - 1) / 2;
	f->by_r = topo_divider_of(f->r);
	topo_gf_build(&f->field, f->r);
	find_squares(f);
	topo->max_ports = f->d + f->frame.max_ports;
	topo->groups = f->frame.switches;
	topo->link_classes = 2;
	topo->link_class_name = bundlefly_classes;
	topo->vc_rule = TOPO_VC_HOP;
	if (topo_set_size(topo, (uint64_t)f->frame.switches * f->r,
	                  in->endpoints == BASE_AUTO ? topo->max_ports / 3 : (uint64_t)in->endpoints, errors))
		return -1;
	if (topo->switches > TOPO_MAX_TABLED)
		return 0;
	topo_graph_of(&f->table.graph, topo);
	topo->ops = &ops_by_table;
	return topo_table_distances(&f->table);
}

static const struct base_param bundlefly_params[] = {
	{ BASE_KEY(INT, struct topo_bundlefly_params, q, NULL), .min = 2, .max = 211,
	  .help =
	      "prime power; makes 2 q^2 supernodes, each of whose switches has about 3q/2 cables to other supernodes" },
	{ BASE_KEY(INT, struct topo_bundlefly_params, supernode, NULL), .unit = "switches", .min = 5,
	  .max = MOST_SUPERNODE,
	  .help = "switches of a supernode, a Paley graph: a prime power that is 1 modulo 4; each has (supernode - 1) "
	          "/ 2 neighbours in it" },
	TOPO_ENDPOINTS_BY(struct topo_bundlefly_params, "a third"),
	TOPO_TRUNK(struct topo_bundlefly_params),
	{ 0 }
};

#define BUNDLEFLY_OPS                                                                               \
	.trunk_at = offsetof(struct topo_bundlefly_params, trunk), .build = bundlefly_build,        \
	.destroy = bundlefly_destroy, .ports = bundlefly_ports, .peer = bundlefly_peer,             \
	.max_distance = bundlefly_max_distance, .group = bundlefly_group, .order = bundlefly_order, \
	.rack = bundlefly_rack, .facts = bundlefly_facts, .link_classes = bundlefly_classes

static const struct topo_ops bundlefly_ops = { BUNDLEFLY_OPS, .next = topo_bundlefly_next,
	                                       .distance = topo_bundlefly_distance };
static const struct topo_ops ops_by_table = { BUNDLEFLY_OPS, .next = topo_table_next, .distance = topo_table_distance };

const struct base_plugin topo_bundlefly = {
	BASE_DESCRIBE("topology", "bundlefly", bundlefly_params, struct topo_bundlefly_params, &bundlefly_ops),
	.summary = "Bundlefly: a Slim Fly whose switches are Paley graphs, diameter three",
	.source = "Lei et al.: Bundlefly, ICS 2020; Bermond, Delorme, Farhi 1982",
};
