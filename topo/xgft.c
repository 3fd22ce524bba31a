/* topo/xgft.c - extended generalised fat trees: up to a common ancestor, down to the destination.
 *
 * Öhring, Ibel, Das, Kumar, "On Generalized Fat Trees", IPPS 1995; notation of Zahavi, "D-Mod-K routing providing
 * non-blocking traffic for shift permutations on real life fat trees", 2010. XGFT(h; m_1 .. m_h; w_1 .. w_h): switches
 * are on levels 1 .. h; a switch of level i has m_i children, and each node of level i - 1 has w_i parents. Endpoints
 * are on level 0, with one link: w_1 = 1.
 *
 * A switch of level i is (b, a): b = (b_1 .. b_i), b_j < w_j, one of W_i = w_1 .. w_i copies, and a = (a_i+1 .. a_h),
 * a_j < m_j, the subtree. It is a neighbour of (b', a') on level i + 1 iff they agree in all common digits. Numbers:
 * leaves (level 1) first, which alone have endpoints, m_1 each; level by level b + W_i a, with b = b_1 + w_1 (b_2 + w_2
 * ...) and a likewise. Ports: m_i to the children in order of a_i (level 1: none), then w_i+1 to the parents in order
 * of b_i+1.
 *
 * Minimal routes go up by any parent until the leaf is below, then down the only way; so ranks of links, 1 to h - 1
 * upwards and further increasing downwards, increase along a route, and one VC per leg suffices. */
#include "topo/xgft.h"
#include "topo/divide.h"
#include "topo/offer.h"
#include "topo/params.h"

#include "base/memory.h"

#include <stdlib.h>

#define TREE_MAX_RADIX 65535

struct level {
	uint32_t start, switches;                      /* number of the first switch of the level, and their number */
	uint32_t down, up;                             /* ports: m_i (0 on level 1), w_i+1 (0 on level h) */
	uint32_t trunk_down, trunk_up;                 /* cables to each child, and to each parent */
	uint32_t copies;                               /* W_i */
	struct topo_divider by_copies, by_up_children; /* W_i, m_i+1 */
	struct topo_divider by_leaves;                 /* m_2 .. m_i: leaves of a subtree of this level */
};

struct xgft {
	uint32_t h;
	uint64_t endpoints_below[TOPO_XGFT_LEVELS + 1]; /* H_i = m_1 .. m_i */
	struct level level[TOPO_XGFT_LEVELS + 1];       /* from 1 on */
};

static inline uint32_t level_of(const struct xgft *t, topo_switch s)
{
	uint32_t i = 1;
	while (s - t->level[i].start >= t->level[i].switches)
		i++;
	return i;
}

uint32_t topo_xgft_ports(const struct topo *topo, topo_switch s)
{
	const struct xgft *t = topo->impl;
	const struct level *l = &t->level[level_of(t, s)];
	return l->down + l->up;
}

static uint8_t class_of(uint32_t lower)
{
	return (uint8_t)(lower < TOPO_XGFT_CLASSES ? lower - 1 : TOPO_XGFT_CLASSES - 1);
}

struct topo_hop topo_xgft_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct xgft *t = topo->impl;
	uint32_t i = level_of(t, s);
	const struct level *l = &t->level[i];
	uint32_t a = topo_divide(&l->by_copies, s - l->start), b = s - l->start - a * l->copies;
	if (port < l->down) {
		const struct level *below = l - 1;
		uint32_t parent = topo_divide(&below->by_copies, b);
		return (struct topo_hop){ .to = below->start + (b - parent * below->copies) +
			                        below->copies * (port + l->down * a),
			                  .port = below->down + parent,
			                  .link_class = class_of(i - 1),
			                  .rank = (uint8_t)(2 * t->h - i) };
	}
	const struct level *above = l + 1;
	uint32_t subtree = topo_divide(&l->by_up_children, a);
	return (struct topo_hop){ .to = above->start + b + l->copies * (port - l->down) + above->copies * subtree,
		                  .port = a - subtree * above->down,
		                  .link_class = class_of(i),
		                  .rank = (uint8_t)i };
}

struct topo_run topo_xgft_run(const struct topo *topo, topo_switch here, topo_switch to)
{
	const struct xgft *t = topo->impl;
	const struct level *l = &t->level[level_of(t, here)];
	uint32_t subtree = topo_divide(&l->by_leaves, to);
	if (subtree != topo_divide(&l->by_copies, here - l->start))
		return (struct topo_run){ l->down, l->up };
	return (struct topo_run){ topo_divide(&(l - 1)->by_leaves, to) - subtree * l->down, 1 };
}

int topo_xgft_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	return topo_offer(out, topo_xgft_run(topo, here, to), here, to);
}

/* `to` is a leaf. */
unsigned topo_xgft_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct xgft *t = topo->impl;
	uint32_t i = level_of(t, from), top = i;
	uint32_t a = topo_divide(&t->level[i].by_copies, from - t->level[i].start);
	while (a != topo_divide(&t->level[top].by_leaves, to))
		a = topo_divide(&t->level[top++].by_up_children, a);
	return (top - i) + (top - 1);
}

/* Racks: subtrees of the roots' children; then the roots, grouped by their children. */
uint32_t topo_xgft_rack(const struct topo *topo, topo_switch s)
{
	const struct xgft *t = topo->impl;
	uint32_t i = level_of(t, s), leaves = t->level[t->h - 1].by_leaves.d;
	const struct level *l = &t->level[i];
	if (i < t->h)
		return (s - l->start) / l->copies * l->by_leaves.d / leaves;
	return t->level[t->h].down + (s - l->start) % t->level[t->h - 1].copies;
}

unsigned topo_xgft_max_distance(const struct topo *topo)
{
	const struct xgft *t = topo->impl;
	return 2 * (t->h - 1);
}

/* Worst-case traffic: every leaf sends to the leaf at the same position of the next of the largest subtrees. So all
 * traffic crosses the top level, which is the maximum load for the links of every level. */
uint32_t topo_xgft_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct xgft *t = topo->impl;
	uint32_t leaves = t->level[1].switches, on = t->h > 1 ? t->level[t->h - 1].by_leaves.d : 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		to[s] = s >= leaves || on == leaves ? TOPO_NONE : (s + on) % leaves;
	return on == leaves ? leaves : 0;
}

/* Order: subtree after subtree of the level below the top, each with its share of the top switches. */
topo_switch topo_xgft_order(const struct topo *topo, uint32_t i)
{
	const struct xgft *t = topo->impl;
	const struct level *top = &t->level[t->h];
	uint64_t subtrees = top->down, below = top->start / subtrees, roots = top->switches;
	uint64_t d = (uint64_t)i * subtrees / topo->switches;
	while (d > 0 && d * below + d * roots / subtrees > i)
		d--;
	while (d + 1 < subtrees && (d + 1) * below + (d + 1) * roots / subtrees <= i)
		d++;
	uint64_t rest = i - (d * below + d * roots / subtrees);
	for (uint32_t k = 1; k < t->h; k++) {
		uint64_t here = t->level[k].switches / subtrees;
		if (rest < here)
			return (topo_switch)(t->level[k].start + d * here + rest);
		rest -= here;
	}
	return (topo_switch)(top->start + d * roots / subtrees + rest);
}

/* Any permutation of the values of one digit is a symmetry, so all switches of a level are equivalent. */
size_t topo_xgft_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity)
{
	const struct xgft *t = topo->impl;
	if (capacity < t->h)
		return 0;
	for (uint32_t i = 0; i < t->h; i++)
		out[i] =
		    (struct topo_orbit){ .representative = t->level[i + 1].start, .size = t->level[i + 1].switches };
	return t->h;
}

/* A subtree of level i sends H_i (N - H_i) / (N - 1) over U_i = w_1 .. w_i+1 cables in equal parts, and receives the
 * same. */
void topo_xgft_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct xgft *t = topo->impl;
	double n = topo->endpoints, hops = 0, most = 0;
	for (int k = 0; k < topo->link_classes; k++)
		facts->max_load_by_class[k] = 0;
	for (uint32_t i = 1; i < t->h; i++) {
		const struct level *l = &t->level[i];
		double below = (double)t->endpoints_below[i], load = 0;
		if (n > 1) {
			hops += 2 * (n - below) / (n - 1);
			load = below * (n - below) / (n - 1) / ((double)l->copies * l->up * l->trunk_up);
		}
		uint8_t class = class_of(i);
		facts->links += (uint64_t)l->switches * l->up * l->trunk_up;
		facts->links_by_class[class] += (uint64_t)l->switches * l->up * l->trunk_up;
		facts->max_load_by_class[class] =
		    load > facts->max_load_by_class[class] ? load : facts->max_load_by_class[class];
		most = load > most ? load : most;
	}
	if (t->level[t->h].down > 1) /* some pair needs the top level */
		facts->diameter = (int)topo_xgft_max_distance(topo);
	if (n > 1) {
		facts->max_channel_load_uniform = most;
		facts->mean_minimal_hops = hops;
	}
}

void topo_xgft_destroy(struct topo *topo)
{
	free(topo->impl);
}

const char *const topo_xgft_classes[] = { "level1", "level2", "level3", "level4", "level5",
	                                  "level6", "level7", "level8", NULL };

/* Switches of each level: products of children above and parents up to it. Returns 0 if there are too many. */
static uint64_t count_switches(struct xgft *t, const uint64_t *children, const uint64_t *parents)
{
	uint64_t total = 0;
	for (uint32_t i = 1; i <= t->h; i++) {
		uint64_t here = 1;
		for (uint32_t j = 1; j <= t->h && here <= TOPO_MAX_SWITCHES; j++) {
			uint64_t factor = j > i ? children[j - 1] : parents[j - 1];
			here = factor > TOPO_MAX_SWITCHES ? UINT64_MAX : here * factor;
		}
		if (here > TOPO_MAX_SWITCHES || total + here > TOPO_MAX_SWITCHES)
			return 0;
		t->level[i].start = (uint32_t)total;
		t->level[i].switches = (uint32_t)here;
		total += here;
	}
	return total;
}

int topo_xgft_make(struct topo *topo, uint32_t levels, const uint64_t *children, const uint64_t *parents,
                   const uint64_t *trunk, struct base_errors *errors)
{
	struct xgft *t = base_alloc(sizeof *t);
	topo->impl = t;
	t->h = levels;
	uint64_t total = count_switches(t, children, parents);
	if (!total)
		return base_errorf(errors, NULL, "this makes more than %u switches, which is not supported",
		                   TOPO_MAX_SWITCHES);
	uint64_t copies = 1, leaves = 1;
	t->endpoints_below[0] = 1;
	for (uint32_t i = 1; i <= levels; i++) {
		struct level *l = &t->level[i];
		uint64_t down = i > 1 ? children[i - 1] : 0, up = i < levels ? parents[i] : 0;
		uint64_t below = trunk && i > 1 ? trunk[i - 1] : 1, above = trunk && i < levels ? trunk[i] : 1;
		uint64_t radix = up * above + children[i - 1] * below;
		if (radix > TREE_MAX_RADIX)
			return base_errorf(errors, NULL,
			                   "this makes switches of %llu ports on level %u; at most %d are supported",
			                   (unsigned long long)radix, i, TREE_MAX_RADIX);
		copies *= parents[i - 1];
		leaves *= i > 1 ? children[i - 1] : 1;
		t->endpoints_below[i] = t->endpoints_below[i - 1] * children[i - 1];
		l->down = (uint32_t)down;
		l->up = (uint32_t)up;
		l->trunk_down = (uint32_t)below;
		l->trunk_up = (uint32_t)above;
		l->copies = (uint32_t)copies;
		l->by_copies = topo_divider_of(l->copies);
		l->by_up_children = topo_divider_of((uint32_t)(i < levels ? children[i] : 1));
		l->by_leaves = topo_divider_of((uint32_t)leaves);
		uint64_t ports = down * below + up * above;
		topo->max_ports = ports > topo->max_ports ? (uint32_t)ports : topo->max_ports;
	}
	topo->link_classes = (int)(levels > TOPO_XGFT_CLASSES ? TOPO_XGFT_CLASSES : levels - 1);
	topo->link_class_name = topo_xgft_classes;
	topo->vc_rule = TOPO_VC_LEG;
	return topo_set_sizes(topo, total, t->level[1].switches, children[0], errors);
}

/* --- the general kind ------------------------------------------------------------------------------------ */

/* Functions for trees with several cables between a switch and each of its parents. The cables that replace port p of
 * the tree with single cables are numbered after those of lower ports. Trees with single cables have functions of their
 * own, without this overhead. */

static uint32_t down_ports(const struct level *l)
{
	return l->down * l->trunk_down;
}

/* D-Mod-K routing (Zahavi): on the way up from level i a packet to endpoint d takes cable number floor(d / W_i) mod
 * (number of cables upwards), where cables are numbered so that the parent changes first. On the way down it takes the
 * cable that D-Mod-K takes upwards for d between the same two switches. */
topo_port topo_xgft_by_destination(const struct topo *topo, topo_switch here, uint32_t endpoint)
{
	const struct xgft *t = topo->impl;
	const struct level *l = &t->level[level_of(t, here)];
	struct topo_run run = topo_xgft_run(topo, here, topo_switch_of(topo, endpoint));
	bool rises = run.first >= l->down;
	const struct level *lower = rises ? l : l - 1;
	uint32_t cable = endpoint / lower->copies % (lower->up * lower->trunk_up);
	if (rises)
		return down_ports(l) + cable % l->up * l->trunk_up + cable / l->up;
	return run.first * l->trunk_down + cable / lower->up;
}

static uint32_t trunked_ports(const struct topo *topo, topo_switch s)
{
	const struct xgft *t = topo->impl;
	const struct level *l = &t->level[level_of(t, s)];
	return down_ports(l) + l->up * l->trunk_up;
}

static struct topo_hop trunked_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct xgft *t = topo->impl;
	const struct level *l = &t->level[level_of(t, s)];
	if (port < down_ports(l)) {
		struct topo_hop hop = topo_xgft_peer(topo, s, port / l->trunk_down);
		const struct level *below = l - 1;
		hop.port = down_ports(below) + (hop.port - below->down) * l->trunk_down + port % l->trunk_down;
		return hop;
	}
	uint32_t above = port - down_ports(l);
	struct topo_hop hop = topo_xgft_peer(topo, s, l->down + above / l->trunk_up);
	hop.port = hop.port * l->trunk_up + above % l->trunk_up;
	return hop;
}

static struct topo_run trunked_run(const struct topo *topo, topo_switch here, topo_switch to)
{
	const struct xgft *t = topo->impl;
	const struct level *l = &t->level[level_of(t, here)];
	struct topo_run run = topo_xgft_run(topo, here, to);
	if (run.first >= l->down)
		return (struct topo_run){ down_ports(l), l->up * l->trunk_up };
	return (struct topo_run){ run.first * l->trunk_down, l->trunk_down };
}

static int trunked_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	return topo_offer(out, trunked_run(topo, here, to), here, to);
}

static int xgft_check(const struct topo_xgft_params *in, struct base_errors *errors)
{
	size_t before = errors->errors, h = in->children.n;
	if (h < 2 || h > TOPO_XGFT_LEVELS)
		base_errorf(errors, "children", "2 to %d levels of switches are supported, not %zu", TOPO_XGFT_LEVELS,
		            h);
	if (in->parents.n != h)
		base_errorf(errors, "parents", "%zu values for %zu levels; give one each", in->parents.n, h);
	for (size_t i = 0; i < h; i++)
		if (in->children.v[i] < 1)
			base_errorf(errors, "children",
			            "a switch of level %zu has %lld children; it needs at least one", i + 1,
			            (long long)in->children.v[i]);
	for (size_t i = 0; i < in->parents.n; i++)
		if (in->parents.v[i] < 1)
			base_errorf(errors, "parents", "each node of level %zu has %lld parents; it needs at least one",
			            i, (long long)in->parents.v[i]);
	if (in->trunk.n > 1 && in->trunk.n != h)
		base_errorf(errors, "trunk", "%zu values for %zu levels; give one for all or one each", in->trunk.n, h);
	for (size_t i = 0; i < in->trunk.n; i++)
		if (in->trunk.v[i] < 1)
			base_errorf(errors, "trunk", "%lld cables; it needs at least one", (long long)in->trunk.v[i]);
	if (in->trunk.n > 1 && in->trunk.v[0] > 1)
		base_errorf(errors, "trunk", "the first value must be 1, as an endpoint has one link; not %lld",
		            (long long)in->trunk.v[0]);
	if (in->parents.n && in->parents.v[0] > 1)
		base_errorf(errors, "parents", "the first value must be 1, as an endpoint has one link; not %lld",
		            (long long)in->parents.v[0]);
	return errors->errors > before ? -1 : 0;
}

static const struct topo_ops trunked_ops;

static int xgft_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	const struct topo_xgft_params *in = params;
	uint64_t children[TOPO_XGFT_LEVELS], parents[TOPO_XGFT_LEVELS], trunk[TOPO_XGFT_LEVELS];
	bool several = false;
	if (xgft_check(in, errors))
		return -1;
	for (size_t i = 0; i < in->children.n; i++) {
		children[i] = (uint64_t)in->children.v[i];
		parents[i] = (uint64_t)in->parents.v[i];
		trunk[i] = i == 0 || !in->trunk.n ? 1 : (uint64_t)in->trunk.v[in->trunk.n > 1 ? i : 0];
		several = several || trunk[i] > 1;
	}
	if (several)
		topo->ops = &trunked_ops;
	return topo_xgft_make(topo, (uint32_t)in->children.n, children, parents, trunk, errors);
}

static const struct base_param xgft_params[] = {
	{ BASE_KEY(INTS, struct topo_xgft_params, children, NULL), .unit = "children", .min = 1, .max = TREE_MAX_RADIX,
	  .help = "m_1 .. m_h: endpoints of a leaf switch, then children of a switch of each further level" },
	{ BASE_KEY(INTS, struct topo_xgft_params, parents, NULL), .unit = "parents", .min = 1, .max = TREE_MAX_RADIX,
	  .help =
	      "w_1 .. w_h: parents of an endpoint, which must be 1, then of a switch of each level except the last" },
	{ BASE_KEY(INTS, struct topo_xgft_params, trunk, "1"), .unit = "cables", .min = 1, .max = TREE_MAX_RADIX,
	  .help = "parallel cables between a switch and each of its parents; one value, or one per level as for "
	          "parents, of which the first must be 1" },
	{ 0 }
};

static const struct topo_ops xgft_ops = { .build = xgft_build, TOPO_XGFT_OPS };
static const struct topo_ops trunked_ops = { .build = xgft_build,
	                                     TOPO_XGFT_SHARED_OPS,
	                                     .ports = trunked_ports,
	                                     .peer = trunked_peer,
	                                     .next = trunked_next,
	                                     .run = trunked_run };

const struct base_plugin topo_xgft = {
	BASE_DESCRIBE("topology", "xgft", xgft_params, struct topo_xgft_params, &xgft_ops),
	.summary = "extended generalised fat tree, any number of children and parents on each level",
	.source = "Ohring, Ibel, Das, Kumar: On Generalized Fat Trees, IPPS 1995",
};
