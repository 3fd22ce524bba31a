/* topo/dragonfly_plus.c - dragonfly+ (Megafly): groups of two levels, global cables connect every pair of groups.
 *
 * Shpiner, Haramaty, Eliad, Zdornov, Gafni, Zahavi, "Dragonfly+: Low Cost Topology for Scaling Datacenters", HiPINEB
 * 2017; Flajslik, Borch, Parker, "Megafly: A Topology for Exascale Systems", ISC 2018. In a group each of `leaves` leaf
 * switches is connected to each of `spines` spine switches; leaves have p endpoints each, spines have none and up to h
 * global ports.
 *
 * Numbers: the leaves first, group by group, then the spines. Ports of a leaf: the spines of its group. Of a spine: the
 * leaves, then its global cables.
 *
 * The c = trunk (g - 1) global cables of a group are spread evenly over its spines, in order: spine i has numbers
 * floor(i c / spines) up to floor((i + 1) c / spines). Let D be the r-th of the groups other than G (D = r if r < G,
 * else r + 1). The k-th cable of G to D is number k (g - 1) + r ("round-robin": the cables of a spine lead to as many
 * groups as possible, as in both papers and in CODES, where h = g - 1 gives each spine one cable to each other group),
 * or r trunk + k ("consecutive": the cables to a group are at as few spines as possible). With trunk = 1 both are the
 * "absolute" arrangement of dragonfly.c.
 *
 * Minimal routes between endpoints: up to any spine and down again in a group; up to a spine with a cable to the other
 * group, over, and down. Every cable between two groups is taken equally often. The ranks up, over, down increase along
 * a route, so that one VC per leg suffices. */
#include "topo/divide.h"
#include "topo/offer.h"
#include "topo/params.h"
#include "topo/topo.h"

#include "base/memory.h"

#include <stdlib.h>

#define PLUS_MAX_RADIX 65535
#define PLUS_MAX_CABLES (1 << 24) /* per group: a table of so many numbers */

enum { ROUND_ROBIN, CONSECUTIVE };

struct dragonfly_plus {
	uint32_t leaves, spines, g, trunk, cables; /* per group: switches, and c */
	bool round_robin;
	topo_switch first_spine; /* of all groups */
	uint32_t *spine_of;      /* [cables] */
	uint32_t *first_cable;   /* [spines + 1] */
	struct topo_divider by_leaves, by_spines;
	struct topo_divider by_row; /* divides a cable's number by g - 1 with round_robin, else by trunk */
};

struct dragonfly_plus_place {
	bool spine;
	uint32_t group, i;
};

static inline struct dragonfly_plus_place place_of_switch(const struct dragonfly_plus *d, topo_switch s)
{
	struct dragonfly_plus_place at = { .spine = s >= d->first_spine };
	if (at.spine) {
		at.group = topo_divide(&d->by_spines, s - d->first_spine);
		at.i = topo_remainder(&d->by_spines, s - d->first_spine, at.group);
	} else {
		at.group = topo_divide(&d->by_leaves, s);
		at.i = topo_remainder(&d->by_leaves, s, at.group);
	}
	return at;
}

static inline topo_switch leaf(const struct dragonfly_plus *d, uint32_t group, uint32_t i)
{
	return group * d->leaves + i;
}

static inline topo_switch spine(const struct dragonfly_plus *d, uint32_t group, uint32_t i)
{
	return d->first_spine + group * d->spines + i;
}

/* The k-th cable from one group to another. */
static inline uint32_t cable_to(const struct dragonfly_plus *d, uint32_t from, uint32_t to, uint32_t k)
{
	uint32_t r = to < from ? to : to - 1;
	return d->round_robin ? k * (d->g - 1) + r : r * d->trunk + k;
}

/* The index k of those of a spine's cables that lead to a group. */
static inline struct topo_run own_cables(const struct dragonfly_plus *d, struct dragonfly_plus_place at, uint32_t group)
{
	uint32_t mine = d->first_cable[at.i], end = d->first_cable[at.i + 1];
	uint32_t zeroth = cable_to(d, at.group, group, 0), step = d->round_robin ? d->g - 1 : 1;
	uint32_t first = mine > zeroth ? (mine - zeroth + step - 1) / step : 0;
	uint32_t last = end > zeroth ? (end - zeroth + step - 1) / step : 0;
	last = last < d->trunk ? last : d->trunk;
	return (struct topo_run){ .first = first, .n = first < last ? last - first : 0 };
}

static uint32_t plus_ports(const struct topo *topo, topo_switch s)
{
	const struct dragonfly_plus *d = topo->impl;
	struct dragonfly_plus_place at = place_of_switch(d, s);
	return at.spine ? d->leaves + d->first_cable[at.i + 1] - d->first_cable[at.i] : d->spines;
}

enum { RANK_UP, RANK_OVER, RANK_DOWN };

static struct topo_hop plus_peer(const struct topo *topo, topo_switch s, topo_port port)
{
	const struct dragonfly_plus *d = topo->impl;
	struct dragonfly_plus_place at = place_of_switch(d, s);
	if (!at.spine)
		return (struct topo_hop){ .to = spine(d, at.group, port), .port = at.i, .rank = RANK_UP };
	if (port < d->leaves)
		return (struct topo_hop){ .to = leaf(d, at.group, port), .port = at.i, .rank = RANK_DOWN };
	uint32_t cable = d->first_cable[at.i] + port - d->leaves, row = topo_divide(&d->by_row, cable);
	uint32_t rest = topo_remainder(&d->by_row, cable, row);
	uint32_t r = d->round_robin ? rest : row, k = d->round_robin ? row : rest;
	uint32_t group = r < at.group ? r : r + 1;
	uint32_t far = cable_to(d, group, at.group, k), i = d->spine_of[far];
	return (struct topo_hop){ .to = spine(d, group, i),
		                  .port = d->leaves + far - d->first_cable[i],
		                  .link_class = 1,
		                  .rank = RANK_OVER };
}

/* At a leaf: the spines with a cable to that group, one entry per cable. */
static int next_up(const struct dragonfly_plus *d, topo_switch here, uint32_t group, topo_switch to, uint32_t to_group,
                   topo_port *out)
{
	if (group == to_group)
		return topo_offer(out, (struct topo_run){ 0, d->spines }, here, to);
	int n = topo_offer(out, (struct topo_run){ 0, d->trunk }, here, to);
	for (int i = 0; i < n; i++)
		out[i] = d->spine_of[cable_to(d, group, to_group, out[i])];
	return n;
}

/* At a spine without a cable to that group, which no minimal route between endpoints visits: down. */
static int plus_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out)
{
	(void)leg_hops;
	const struct dragonfly_plus *d = topo->impl;
	struct dragonfly_plus_place a = place_of_switch(d, here), b = place_of_switch(d, to);
	if (!a.spine)
		return next_up(d, here, a.group, to, b.group, out);
	if (a.group == b.group) {
		out[0] = b.i;
		return 1;
	}
	struct topo_run r = own_cables(d, a, b.group);
	if (!r.n)
		return topo_offer(out, (struct topo_run){ 0, d->leaves }, here, to);
	int n = topo_offer(out, r, here, to);
	for (int i = 0; i < n; i++)
		out[i] = d->leaves + cable_to(d, a.group, b.group, out[i]) - d->first_cable[a.i];
	return n;
}

/* `to` is a leaf. */
static unsigned plus_distance(const struct topo *topo, topo_switch from, topo_switch to)
{
	const struct dragonfly_plus *d = topo->impl;
	struct dragonfly_plus_place a = place_of_switch(d, from), b = place_of_switch(d, to);
	if (from == to)
		return 0;
	if (a.group == b.group)
		return a.spine ? 1 : 2;
	if (!a.spine)
		return 3;
	struct topo_run r = own_cables(d, a, b.group);
	return r.n ? 2 : 4;
}

static unsigned plus_max_distance(const struct topo *topo)
{
	const struct dragonfly_plus *d = topo->impl;
	return d->g > 1 ? 3 : d->leaves > 1 ? 2 : 0;
}

static uint32_t plus_group(const struct topo *topo, topo_switch s)
{
	return place_of_switch(topo->impl, s).group;
}

/* Worst case: all endpoints of a group send to the next one: l p flows for `trunk` cables. */
static uint32_t plus_worst_case(const struct topo *topo, topo_switch *to)
{
	const struct dragonfly_plus *d = topo->impl;
	for (topo_switch s = 0; s < topo->switches; s++)
		to[s] = s >= d->first_spine || d->g == 1 ? TOPO_NONE : (s + d->leaves) % d->first_spine;
	return d->g == 1 ? d->first_spine : 0;
}

/* Switches in order, group by group. */
static topo_switch plus_order(const struct topo *topo, uint32_t i)
{
	const struct dragonfly_plus *d = topo->impl;
	uint32_t group = i / (d->leaves + d->spines), rest = i % (d->leaves + d->spines);
	return rest < d->leaves ? leaf(d, group, rest) : spine(d, group, rest - d->leaves);
}

/* Uniform traffic. A leaf sends p (l - 1) p flows within its group over `spines` cables in equal parts, and p l p (g -
 * 1) flows out of it over the spines in proportion to their global cables; a cable between groups carries (l p)^2 /
 * trunk. */
static void plus_facts(const struct topo *topo, struct topo_facts *facts)
{
	const struct dragonfly_plus *d = topo->impl;
	double n = topo->endpoints, p = topo->max_endpoints, l = d->leaves, most = 0;
	facts->links_by_class[0] = (uint64_t)d->g * d->leaves * d->spines;
	facts->links_by_class[1] = (uint64_t)d->g * (d->g - 1) / 2 * d->trunk;
	facts->links = facts->links_by_class[0] + facts->links_by_class[1];
	if (n < 2 || d->spines > TOPO_MAX_NEXT || d->trunk > TOPO_MAX_NEXT)
		return;
	for (uint32_t i = 0; i < d->spines && d->cables; i++) {
		double share = (double)(d->first_cable[i + 1] - d->first_cable[i]) / d->cables;
		most = share > most ? share : most;
	}
	double local = p * p * ((l - 1) / d->spines + l * (d->g - 1) * most) / (n - 1);
	double global = d->g > 1 ? l * p * l * p / d->trunk / (n - 1) : 0;
	facts->max_load_by_class[0] = local;
	facts->max_load_by_class[1] = global;
	facts->max_channel_load_uniform = local > global ? local : global;
	facts->mean_minimal_hops = (2 * p * (l - 1) + 3 * p * l * (d->g - 1)) / (n - 1);
}

/* --- building -------------------------------------------------------------------------------------------- */

/* Fills omitted values; -1, with errors, if the numbers are inconsistent. */
static int complete_dragonfly_plus(struct topo_dragonfly_plus_params *n, struct base_errors *errors)
{
	size_t before = errors->errors;
	if (n->g == 1) {
		n->h = n->trunk = 0;
		return 0;
	}
	if (n->g && n->trunk && !n->h)
		n->h = (n->trunk * (n->g - 1) + n->spines - 1) / n->spines;
	if (!n->h)
		return base_errorf(errors, "h", "is required (global ports per spine), or g and trunk");
	int64_t ports = n->spines * n->h;
	if (!n->g)
		n->g = ports / (n->trunk ? n->trunk : 1) + 1;
	if (n->g < 2)
		return base_errorf(errors, "trunk",
		                   "%lld cables per pair of groups: a group has only %lld global ports",
		                   (long long)n->trunk, (long long)ports);
	if (!n->trunk) {
		n->trunk = ports / (n->g - 1);
		if (n->trunk < 1)
			return base_errorf(
			    errors, "g", "%lld groups are too many; %lld spines with %lld global ports each reach %lld",
			    (long long)n->g, (long long)n->spines, (long long)n->h, (long long)(ports + 1));
		if (ports % (n->g - 1))
			base_warnf(errors, "h",
			           "%lld of the %lld global ports of each group stay unused: %lld cables to each of "
			           "%lld groups",
			           (long long)(ports % (n->g - 1)), (long long)ports, (long long)n->trunk,
			           (long long)(n->g - 1));
	} else if (n->trunk * (n->g - 1) > ports) {
		base_errorf(errors, "trunk",
		            "%lld cables to each of %lld groups need %lld global ports per group; %lld spines with "
		            "%lld each have %lld: at most %lld cables, or %lld groups",
		            (long long)n->trunk, (long long)(n->g - 1), (long long)(n->trunk * (n->g - 1)),
		            (long long)n->spines, (long long)n->h, (long long)ports, (long long)(ports / (n->g - 1)),
		            (long long)(ports / n->trunk + 1));
	}
	if (n->leaves + n->h > PLUS_MAX_RADIX)
		base_errorf(errors, "h", "%lld ports per spine; at most %d are supported",
		            (long long)(n->leaves + n->h), PLUS_MAX_RADIX);
	if (n->trunk * (n->g - 1) > PLUS_MAX_CABLES)
		base_errorf(errors, "trunk", "%lld global cables per group; at most %d are supported",
		            (long long)(n->trunk * (n->g - 1)), PLUS_MAX_CABLES);
	return errors->errors > before ? -1 : 0;
}

static void plus_destroy(struct topo *topo)
{
	struct dragonfly_plus *d = topo->impl;
	free(d->spine_of);
	free(d->first_cable);
	free(d);
}

static void list_cables(struct dragonfly_plus *d)
{
	d->spine_of = base_calloc(d->cables ? d->cables : 1, sizeof *d->spine_of);
	d->first_cable = base_calloc((size_t)d->spines + 1, sizeof *d->first_cable);
	for (uint32_t i = 0; i < d->spines; i++) {
		d->first_cable[i + 1] = (uint32_t)((uint64_t)(i + 1) * d->cables / d->spines);
		for (uint32_t c = d->first_cable[i]; c < d->first_cable[i + 1]; c++)
			d->spine_of[c] = i;
	}
}

static const char *const plus_classes[] = { "local", "global", NULL };

static int plus_build(struct topo *topo, const void *params, struct base_errors *errors)
{
	struct topo_dragonfly_plus_params n = *(const struct topo_dragonfly_plus_params *)params;
	if (complete_dragonfly_plus(&n, errors))
		return -1;
	struct dragonfly_plus *d = base_alloc(sizeof *d);
	topo->impl = d;
	d->leaves = (uint32_t)n.leaves;
	d->spines = (uint32_t)n.spines;
	d->g = (uint32_t)n.g;
	d->trunk = (uint32_t)n.trunk;
	uint64_t carrying = (uint64_t)d->g * d->leaves, switches = carrying + (uint64_t)d->g * d->spines;
	if (topo_set_sizes(topo, switches, carrying, (uint64_t)n.p, errors))
		return -1;
	d->first_spine = (topo_switch)carrying;
	d->cables = d->g > 1 ? d->trunk * (d->g - 1) : 0;
	d->by_leaves = topo_divider_of(d->leaves);
	d->by_spines = topo_divider_of(d->spines);
	d->round_robin = n.arrangement == ROUND_ROBIN;
	d->by_row = topo_divider_of(!d->cables ? 1 : d->round_robin ? d->g - 1 : d->trunk);
	list_cables(d);
	uint32_t most = d->spines;
	for (uint32_t i = 0; i < d->spines; i++) {
		uint32_t ports = d->leaves + d->first_cable[i + 1] - d->first_cable[i];
		most = ports > most ? ports : most;
	}
	topo->max_ports = most;
	topo->groups = d->g;
	topo->link_classes = 2;
	topo->link_class_name = plus_classes;
	topo->vc_rule = TOPO_VC_LEG;
	return 0;
}

#define PLUS_NUMBER(key, said, unit_, help_)                                                                \
	{                                                                                                   \
		.name = #key, .type = BASE_INT, .offset = offsetof(struct topo_dragonfly_plus_params, key), \
		.default_value = said, .unit = unit_, .min = 1, .max = 60000, .help = help_                 \
	}

static const struct base_param plus_params[] = {
	PLUS_NUMBER(p, NULL, "endpoints", "endpoints per leaf switch"),
	PLUS_NUMBER(leaves, NULL, "switches", "leaf switches per group"),
	PLUS_NUMBER(spines, NULL, "switches", "spine switches per group, each connected to every leaf of it"),
	PLUS_NUMBER(
	    h, "", "ports",
	    "global ports per spine (the maximum, if spines have different numbers); required without g and trunk"),
	PLUS_NUMBER(g, "", NULL, "groups; if omitted, as many as h allows (spines h / trunk + 1)"),
	PLUS_NUMBER(trunk, "", "cables",
	            "cables per pair of groups, spread evenly over the spines; if omitted, floor(spines h / (g - 1))"),
	{ BASE_KEY(ENUM, struct topo_dragonfly_plus_params, arrangement, "round-robin"),
	  .choices = "round-robin|consecutive",
	  .help = "round-robin: the cables of a spine lead to as many groups as possible; consecutive: the cables to a "
	          "group are at as few spines as possible",
	  .source = "Shpiner et al., HiPINEB 2017: round-robin" },
	{ 0 }
};

static bool several_groups(const void *params)
{
	const struct topo_dragonfly_plus_params *p = params;
	return p->g != 1;
}

/* Does the arrangement make a difference? */
static bool chooses(const void *params, const void *topo)
{
	const struct dragonfly_plus *d = ((const struct topo *)topo)->impl;
	(void)params;
	return d->trunk > 1 && d->spines > 1;
}

static const struct base_condition plus_conditions[] = {
	{ "h trunk", "with more than one group", several_groups, NULL },
	{ "arrangement", "with several cables per pair of groups (trunk) and several spines", several_groups, chooses },
	{ 0 },
};

static const struct topo_ops plus_ops = {
	.build = plus_build,
	.destroy = plus_destroy,
	.ports = plus_ports,
	.peer = plus_peer,
	.next = plus_next,
	.distance = plus_distance,
	.max_distance = plus_max_distance,
	.group = plus_group,
	.worst_case = plus_worst_case,
	.order = plus_order,
	.facts = plus_facts,
	.link_classes = plus_classes,
};

const struct base_plugin topo_dragonfly_plus = {
	BASE_DESCRIBE("topology", "dragonfly-plus", plus_params, struct topo_dragonfly_plus_params, &plus_ops),
	.summary =
	    "dragonfly+ (Megafly): groups of leaf and spine switches, global cables between every pair of groups",
	.source = "Shpiner et al., HiPINEB 2017; Flajslik, Borch, Parker, ISC 2018",
	.conditions = plus_conditions,
};
