/* routing/leg.c - builds the common tables of the routings, and draws intermediates. See leg.h */
#include "routing/leg.h"

#include "base/memory.h"
#include "routing/vc.h"

#include <stdlib.h>
#include <string.h>

/* The kinds of one switch's ports as a table for all switches, if all agree; else NULL. */
static struct rt_port_kind *port_table(const struct rt *rt, const struct rt_common *c)
{
	const struct topo *topo = rt->topo;
	struct rt_port_kind *table = base_calloc(topo->max_ports, sizeof *table);
	bool *known = base_calloc(topo->max_ports, sizeof *known);
	bool same = true;
	for (topo_switch s = 0; s < topo->switches && same; s++) {
		uint32_t ports = topo_ports(topo, s);
		for (topo_port p = 0; p < ports && same; p++) {
			struct rt_port_kind kind = rt_port_kind(rt, c, s, p);
			if (!known[p])
				table[p] = kind;
			known[p] = true;
			same = table[p].global == kind.global && table[p].dimension == kind.dimension;
		}
	}
	free(known);
	if (same)
		return table;
	free(table);
	return NULL;
}

/* Switches without endpoints are not intermediates: max_distance() does not cover them. */
static void list_switches(struct rt_common *c, const struct topo *topo)
{
	c->vias = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		c->vias += topo_carries(topo, s);
	if (c->vias == topo->switches)
		return;
	c->via_switch = base_calloc(c->vias, sizeof *c->via_switch);
	uint32_t n = 0;
	for (topo_switch s = 0; s < topo->switches; s++)
		if (topo_carries(topo, s))
			c->via_switch[n++] = s;
}

static void list_groups(struct rt_common *c, const struct topo *topo)
{
	c->vias = topo->groups;
	c->group_first = base_calloc(c->vias + 1, sizeof *c->group_first);
	c->group_member = base_calloc(topo->switches, sizeof *c->group_member);
	for (topo_switch s = 0; s < topo->switches; s++)
		if (topo_carries(topo, s))
			c->group_first[topo_group(topo, s) + 1]++;
	for (uint32_t g = 0; g < c->vias; g++)
		c->group_first[g + 1] += c->group_first[g];
	uint32_t *fill = base_calloc(c->vias, sizeof *fill);
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t g = topo_group(topo, s);
		if (topo_carries(topo, s))
			c->group_member[c->group_first[g] + fill[g]++] = s;
	}
	free(fill);
}

#define BYTE_SWITCHES 512u /* up to this size a table with a byte per distance is as fast ... */
#define FAR_SWITCHES 1024u /* ... and up to this size one with two or four bits */
#define RING_BYTES ((size_t)8 << 20)

size_t rt_only_bytes = (size_t)5 << 18; /* about as fast as the second-level cache */

#define SLOTS 1024u

/* c->equals under construction. */
struct equals_list {
	struct rt_common *c;
	uint32_t count;
	uint8_t slot[SLOTS]; /* open addressing by hash: 1 + number; 0: free. At most a quarter full */
};

/* Finds or adds the entry for these ports; RT_CHOICE: the table is full. */
static uint8_t entry_of(struct equals_list *list, const struct rt_equals *equals)
{
	struct rt_common *c = list->c;
	uint64_t word[sizeof *equals / 8];
	memcpy(word, equals, sizeof word);
	uint32_t at =
	    (uint32_t)((word[0] * UINT64_C(0x9e3779b97f4a7c15) + word[1]) * UINT64_C(0xbf58476d1ce4e5b9) >> 54);
	for (; list->slot[at]; at = (at + 1) % SLOTS)
		if (!memcmp(&c->equals[list->slot[at] - 1], equals, sizeof *equals))
			return (uint8_t)(c->equals_at + list->slot[at] - 1);
	if (c->equals_at + list->count >= RT_CHOICE)
		return RT_CHOICE;
	c->equals[list->count++] = *equals;
	list->slot[at] = (uint8_t)list->count;
	return (uint8_t)(c->equals_at + list->count - 1);
}

/* The entry of c->only for `to`, seen from `from`, valid for hops `hop` to `until` of a leg. */
static uint8_t only_port(struct equals_list *list, const struct topo *topo, topo_switch from, topo_switch to,
                         unsigned hops, unsigned until)
{
	topo_port first[TOPO_MAX_NEXT], out[TOPO_MAX_NEXT];
	if (from == to)
		return 0;
	int n = topo->ops->next(topo, from, to, hops, first);
	while (hops++ < until)
		if (topo->ops->next(topo, from, to, hops, out) != n || memcmp(out, first, (size_t)n * sizeof *out) != 0)
			return RT_CHOICE;
	if (n == 1 && first[0] < list->c->equals_at)
		return (uint8_t)first[0];
	struct rt_equals equals = { 0 };
	if (topo->ops->run) {
		struct topo_run run = topo->ops->run(topo, from, to);
		if (run.n > UINT8_MAX || run.first >= RT_CHOICE)
			return RT_CHOICE;
		equals = (struct rt_equals){ .n = (uint8_t)run.n, .run = true, .port = { (uint8_t)run.first } };
		return entry_of(list, &equals);
	}
	if (n < 1 || n > (int)RT_EQUALS)
		return RT_CHOICE;
	equals.n = (uint8_t)n;
	for (int i = 0; i < n; i++) {
		if (first[i] >= RT_CHOICE)
			return RT_CHOICE;
		equals.port[i] = (uint8_t)first[i];
	}
	return entry_of(list, &equals);
}

_Static_assert(sizeof(struct rt_equals) == 16, "two words");

#define LATER_HOPS 3u /* for topologies from plug-ins hops up to this one are compared */

static void start_equals(struct rt_common *c, const struct topo *topo)
{
	c->equals_at = topo->max_ports < RT_CHOICE ? topo->max_ports : RT_CHOICE;
	c->equals = base_calloc(RT_CHOICE - c->equals_at + 1, sizeof *c->equals);
}

/* Builds the table c->only, and a second table for later hops of a leg if they differ from its first hop: among
 * built-in topologies only dragonflies distinguish hops of a leg, and only the first one from the others. */
static void list_ports(struct rt_common *c, const struct topo *topo)
{
	c->only_row = topo->switches - topo->bare;
	size_t entries = (size_t)topo->switches * c->only_row;
	if (topo->endpoint_first || entries > rt_only_bytes)
		return;
	bool by_hops = topo->vc_rule == TOPO_VC_GROUPS;
	c->only = base_calloc(by_hops ? 2 : 1, entries);
	start_equals(c, topo);
	struct equals_list list = { .c = c };
	unsigned last = !topo->checked || topo->vc_rule == TOPO_VC_LEG ? by_hops : LATER_HOPS;
	uint64_t choices = 0;
	uint8_t *entry = c->only;
	c->one_way = true;
	for (topo_switch from = 0; from < topo->switches; from++)
		for (topo_switch to = 0; to < c->only_row; to++, entry++) {
			*entry = only_port(&list, topo, from, to, 0, by_hops ? 0 : last);
			if (by_hops)
				entry[entries] = only_port(&list, topo, from, to, 1, last);
			choices += entry[by_hops ? entries : 0] == RT_CHOICE;
			c->one_way &= *entry < c->equals_at && (!by_hops || entry[entries] < c->equals_at);
		}
	if (by_hops && memcmp(c->only, c->only + entries, entries))
		c->only_later = entries;
	c->only_decides = 4 * choices <= entries;
}

#define TOWARD_BYTES (1u << 17)

/* Computes the coordinates of all switches, and the ports of next() between any two coordinates of a dimension, if
 * these determine minimal routing. */
static void list_axes(struct rt_common *c, const struct topo *topo)
{
	uint32_t k[RT_AXES], bytes = 0, stride = 1;
	int dims = topo->ordered && topo->ops->dims && !topo->checked ? topo->ops->dims(topo, k, (int)RT_AXES) : 0;
	if (dims < 1 || dims > (int)RT_AXES || topo->max_ports >= RT_CHOICE)
		return;
	for (int d = 0; d < dims; d++) {
		if (k[d] > 256 || bytes + k[d] * k[d] > TOWARD_BYTES)
			return;
		c->axis[d] = (struct rt_toward){ bytes, k[d] };
		bytes += k[d] * k[d];
	}
	c->toward = base_calloc(bytes, 1);
	c->place = base_calloc(topo->switches, sizeof *c->place);
	start_equals(c, topo);
	struct equals_list list = { .c = c };
	for (int d = 0; d < dims; stride *= k[d++])
		for (uint32_t from = 0; from < k[d]; from++)
			for (uint32_t to = 0; to < k[d]; to++)
				c->toward[c->axis[d].toward_at + from * k[d] + to] =
				    only_port(&list, topo, from * stride, to * stride, 0, 0);
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t rest = s;
		for (int d = 0; d < dims; rest /= k[d++])
			c->place[s] |= (uint64_t)(rest % k[d]) << 8 * d;
	}
}

static void list_distances(struct rt_common *c, const struct topo *topo)
{
	unsigned most = topo->ops->max_distance(topo);
	for (topo_switch s = 0; s < topo->switches; s++) /* max_distance() does not cover switches without endpoints */
		if (!topo_endpoints_at(topo, s))
			return;
	if (most > 15 && topo->switches > BYTE_SWITCHES)
		return;
	c->far_shift = topo->switches <= BYTE_SWITCHES ? 0 : most > 3 ? 1 : 2;
	c->far_both_ways = true;
	c->far_row = (topo->switches >> c->far_shift) + 1;
	c->far = base_calloc(topo->switches, c->far_row);
	for (topo_switch from = 0; from < topo->switches; from++)
		for (topo_switch to = 0; to < topo->switches; to++) {
			unsigned d = topo->ops->distance(topo, from, to);
			d = d < most ? d : most; /* a pair without a route: of no account */
			if (to < from && d != rt_far(c, c->far + (size_t)to * c->far_row, from))
				c->far_both_ways = false;
			unsigned in_byte = to & ((1u << c->far_shift) - 1);
			c->far[(size_t)from * c->far_row + (to >> c->far_shift)] |=
			    (uint8_t)(d << (in_byte * (8u >> c->far_shift)));
		}
}

static void make_tables(const struct rt *rt, struct rt_common *c, const struct rt_shape *shape)
{
	const struct topo *topo = rt->topo;
	if (shape->nonminimal && topo->switches <= FAR_SWITCHES)
		list_distances(c, topo);
	if (!shape->other_ports)
		list_ports(c, topo);
	if (!c->only && !shape->other_ports)
		list_axes(c, topo);
	if (c->only && c->via_group) {
		c->group = base_calloc(topo->switches, sizeof *c->group);
		for (topo_switch s = 0; s < topo->switches; s++)
			c->group[s] = topo_group(topo, s);
	}
	size_t ports = (size_t)topo->switches * topo->max_ports;
	if (c->rule == TOPO_VC_DATELINE && ports <= RING_BYTES) {
		uint8_t *ring = base_calloc(ports, 1);
		for (topo_switch s = 0; s < topo->switches; s++)
			for (topo_port p = 0; p < topo_ports(topo, s); p++) {
				uint8_t of = rt_ring(rt, c, s, p), dimension = of & (RT_RING_DATELINE - 1);
				ring[(size_t)s * topo->max_ports + p] = c->rings >> dimension & 1 ? of : dimension;
			}
		c->ring = ring;
	}
}

static int check_groups(const struct topo *topo, struct base_errors *errors)
{
	if (!topo->ops->group)
		return base_errorf(errors, "via", "a %s has no groups to use as intermediates; use \"switch\"",
		                   topo->kind);
	if (topo->groups <= 1)
		return base_errorf(
		    errors, "via",
		    "this %s is a single group, so there is no other group as intermediate; use \"switch\"",
		    topo->kind);
	if (topo->groups == topo->switches)
		return base_errorf(errors, "via", "the groups of this %s have one switch each; use \"switch\"",
		                   topo->kind);
	return 0;
}

int rt_common_build(struct rt *rt, const struct rt_shape *shape, struct base_errors *errors)
{
	const struct topo *topo = rt->topo;
	struct rt_common *c = base_alloc(shape->bytes ? shape->bytes : sizeof *c);
	rt->impl = c;
	rt->common = c;
	c->rule = topo->vc_rule;
	c->via_group = shape->via_group && c->rule != TOPO_VC_LEG;
	c->by_group = shape->via_group || shape->remote_switch;
	c->bubble = shape->bubble;
	if (c->by_group && check_groups(topo, errors))
		return -1;
	if (shape->reroutes && c->rule == TOPO_VC_LEG && topo->bare)
		return base_errorf(errors, "kind",
		                   "%s can change its decision at the second switch of a route; on a %s routes from "
		                   "there do not follow the order of links that excludes deadlock. Use ugal-l, which "
		                   "decides only at the first switch",
		                   rt->plugin->name, topo->kind);
	if (c->rule == TOPO_VC_DATELINE)
		c->rings = rt_vc_rings(topo);
	if (c->rule == TOPO_VC_GROUPS)
		c->grid = rt_vc_grid(topo);
	if (c->rule == TOPO_VC_GROUPS || c->rule == TOPO_VC_DATELINE)
		c->port = port_table(rt, c);
	make_tables(rt, c, shape);

	struct rt_shape routes = *shape;
	routes.reroutes = shape->reroutes && topo->ops->max_distance(topo) > 1; /* the second switch is not the last */
	if (shape->nonminimal) {
		if (c->by_group)
			list_groups(c, topo);
		else
			list_switches(c, topo);
		if (c->vias <= 2) /* no intermediate is ever available: all routes are minimal */
			routes.nonminimal = routes.reroutes = false;
	}
	c->in_bytes = shape->nonminimal && c->far && !c->far_shift && c->far_both_ways && c->only && !c->by_group &&
	              c->vias == topo->switches && c->vias > 2;
	struct rt_vc_plan plan = rt_vc_plan(topo, &routes, c->rings, c->grid);
	if (plan.hops > UINT8_MAX)
		return base_errorf(errors, NULL, "routes have up to %u hops; at most %d are supported", plan.hops,
		                   UINT8_MAX);
	rt->vcs = plan.vcs;
	rt->max_hops = plan.hops;
	uint8_t pair = c->rings && !c->bubble ? 2 : 1;
	c->leg_vc[RT_LEG_FIRST] = routes.reroutes ? pair : 0;
	c->leg_vc[RT_LEG_SECOND] = (uint8_t)(c->leg_vc[RT_LEG_FIRST] + pair);
	return 0;
}

void rt_common_destroy(struct rt *rt)
{
	struct rt_common *c = rt->impl;
	if (!c)
		return;
	free(c->port);
	free(c->only);
	free(c->place);
	free(c->toward);
	free(c->group);
	free(c->equals);
	free(c->far);
	free(c->ring);
	free(c->via_switch);
	free(c->group_first);
	free(c->group_member);
	free(c);
	rt->impl = NULL;
}

bool rt_common_vc_climbs(const struct rt *rt)
{
	return rt->topo->vc_rule == TOPO_VC_HOP;
}

bool rt_common_goes_on(const struct rt *rt)
{
	(void)rt;
	return true;
}

enum rt_legs rt_common_one_leg(const struct rt *rt)
{
	(void)rt;
	return RT_LEGS_ONE;
}

enum rt_legs rt_common_legs(const struct rt *rt)
{
	const struct rt_common *c = rt->impl;
	return c->via_group ? RT_LEGS_GROUP : RT_LEGS_SWITCH;
}

__attribute__((noinline)) uint32_t rt_pick_port(struct rt_env *env, uint32_t src, uint32_t seq, uint8_t job,
                                                uint8_t hops, uint32_t n)
{
	return rt_pick(env, &(struct sw_packet){ .src = src, .seq = seq, .job = job, .hops = hops }, n);
}

__attribute__((noinline)) topo_port rt_pick_listed(const struct rt_common *c, struct rt_env *env,
                                                   const struct sw_packet *packet, uint32_t entry)
{
	return rt_pick_equal(c, env, packet, entry);
}

uint32_t rt_position(const topo_switch *list, uint32_t n, topo_switch s)
{
	uint32_t lo = 0, hi = n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (list[mid] < s)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && list[lo] == s ? lo : UINT32_MAX;
}

/* Index of switch s in the list of intermediates; UINT32_MAX if it is not in the list. */
static uint32_t position(const struct rt_common *c, topo_switch s)
{
	return c->via_switch ? rt_position(c->via_switch, c->vias, s) : s;
}

uint32_t rt_pick_other(struct rt_env *env, const struct sw_packet *packet, uint32_t total, const uint32_t not [3])
{
	uint32_t sorted[3], n = 0;
	for (int i = 0; i < 3; i++) {
		uint32_t at = 0;
		while (at < n && sorted[at] < not [i])
			at++;
		if (not [i] >= total || (at < n && sorted[at] == not [i]))
			continue;
		for (uint32_t j = n; j > at; j--)
			sorted[j] = sorted[j - 1];
		sorted[at] = not [i];
		n++;
	}
	if (total <= n)
		return UINT32_MAX;
	uint32_t x = rt_pick_via(env, packet, total - n);
	for (uint32_t i = 0; i < n; i++)
		x += x >= sorted[i];
	return x;
}

topo_switch rt_pick_intermediate(const struct rt *rt, const struct rt_common *c, struct rt_env *env,
                                 const struct sw_packet *packet, topo_switch to)
{
	const struct topo *topo = rt->topo;
	topo_switch source = env->in_port == RT_FROM_ENDPOINT ? env->here : topo_switch_of(topo, packet->src);
	if (!c->by_group && !c->via_switch && env->here == source && source != to && c->vias > 2)
		return rt_pick_except(env, packet, c->vias, source, to);
	if (!c->by_group) {
		uint32_t x = rt_pick_other(
		    env, packet, c->vias, (uint32_t[]){ position(c, source), position(c, to), position(c, env->here) });
		return x == UINT32_MAX ? SW_NO_VIA : c->via_switch ? c->via_switch[x] : x;
	}
	uint32_t from = topo_group(topo, source), end = topo_group(topo, to);
	if (from == end)
		return SW_NO_VIA; /* traffic within a group stays in it */
	uint32_t g = rt_pick_other(env, packet, c->vias, (uint32_t[]){ from, end, topo_group(topo, env->here) });
	if (g == UINT32_MAX)
		return SW_NO_VIA;
	uint32_t first = c->group_first[g], members = c->group_first[g + 1] - first;
	return members ? c->group_member[first + rt_pick_via(env, packet, members)] : SW_NO_VIA;
}
