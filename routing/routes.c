/* routing/routes.c - building tables of routes, and the routing function that reads them. See routes.h */
#include "routing/routes.h"

#include "base/memory.h"
#include "routing/flow.h"
#include "routing/proof/walk.h"
#include "routing/vc.h"

#include <stdlib.h>
#include <string.h>

/* --- sets of outlets --------------------------------------------------------------------------------------- */

static uint32_t hash_outlets(const struct rt_outlet *v, uint32_t n)
{
	uint64_t hash = UINT64_C(14695981039346656037);
	for (uint32_t i = 0; i < n; i++) {
		hash = (hash ^ v[i].port) * UINT64_C(1099511628211);
		hash = (hash ^ ((uint64_t)v[i].upto << 8 | v[i].vc)) * UINT64_C(1099511628211);
	}
	return (uint32_t)(hash >> 32 ^ hash);
}

static uint32_t *slot_of_set(const struct rt_outlet_sets *x, const struct rt_outlet *v, uint32_t n)
{
	const struct rt_routes *r = x->routes;
	uint32_t at = hash_outlets(v, n) & (x->slots - 1);
	for (; x->slot[at]; at = (at + 1) & (x->slots - 1)) {
		const struct rt_outlets *s = &r->set[x->slot[at] - 1];
		if (s->n == n && !memcmp(&r->outlet[s->first], v, n * sizeof *v))
			break;
	}
	return &x->slot[at];
}

static void grow_slots(struct rt_outlet_sets *x)
{
	const struct rt_routes *r = x->routes;
	free(x->slot);
	x->slots = x->slots ? 2 * x->slots : 256;
	x->slot = base_calloc(x->slots, sizeof *x->slot);
	for (uint32_t i = 0; i < r->sets; i++)
		*slot_of_set(x, &r->outlet[r->set[i].first], r->set[i].n) = i + 1;
}

uint32_t rt_outlet_set(struct rt_outlet_sets *x, struct rt_outlet *outlet, uint32_t n)
{
	struct rt_routes *r = x->routes;
	for (uint32_t i = 1; i < n; i++)
		outlet[i].upto += outlet[i - 1].upto;
	if (2 * r->sets >= x->slots)
		grow_slots(x);
	uint32_t *slot = slot_of_set(x, outlet, n);
	if (*slot)
		return *slot - 1;
	if (r->sets == x->sets_cap) {
		x->sets_cap = x->sets_cap ? 2 * x->sets_cap : 64;
		r->set = base_realloc(r->set, x->sets_cap * sizeof *r->set);
	}
	while (r->outlets + n > x->outlets_cap) {
		x->outlets_cap = x->outlets_cap ? 2 * x->outlets_cap : 256;
		r->outlet = base_realloc(r->outlet, x->outlets_cap * sizeof *r->outlet);
	}
	memcpy(&r->outlet[r->outlets], outlet, n * sizeof *outlet);
	r->set[r->sets] = (struct rt_outlets){ .first = r->outlets, .n = n, .total = outlet[n - 1].upto };
	r->outlets += n;
	*slot = ++r->sets;
	return r->sets - 1;
}

void rt_outlet_sets_free(struct rt_outlet_sets *sets)
{
	free(sets->slot);
	*sets = (struct rt_outlet_sets){ 0 };
}

/* --- the table of next hops --------------------------------------------------------------------------------- */

int rt_routes_build(struct rt *rt, struct base_errors *errors)
{
	const struct rt_shape shape = { .bytes = sizeof(struct rt_routes), .other_ports = true };
	rt->own_routes = "this routing's paths come from a table, not from the topology's minimal routing";
	if (rt_common_build(rt, &shape, errors))
		return -1;
	struct rt_routes *r = rt->impl;
	r->quick = rt->topo->ops->run != NULL;
	return 0;
}

void rt_routes_open(struct rt_routes *r, const struct topo *topo, uint32_t endpoint_rows)
{
	r->switch_rows = topo->switches - topo->bare;
	r->rows = r->switch_rows + endpoint_rows;
	r->width = 1;
	r->entry = base_calloc((size_t)topo->switches * r->rows, r->width);
	if (endpoint_rows)
		r->row = base_calloc(topo->endpoints, sizeof *r->row);
}

static void write_entry(void *table, uint32_t width, size_t at, uint32_t value)
{
	if (width == 1)
		((uint8_t *)table)[at] = (uint8_t)value;
	else if (width == 2)
		((uint16_t *)table)[at] = (uint16_t)value;
	else
		((uint32_t *)table)[at] = value;
}

static void *widen_table(const struct rt_routes *r, void *table, size_t entries)
{
	if (!table)
		return NULL;
	void *wide = base_calloc(entries, 2 * (size_t)r->width);
	for (size_t i = 0; i < entries; i++)
		write_entry(wide, 2 * r->width, i, r->width == 1 ? ((uint8_t *)table)[i] : ((uint16_t *)table)[i]);
	free(table);
	return wide;
}

void rt_routes_write(struct rt_routes *r, const struct topo *topo, bool source, topo_switch s, uint32_t row,
                     uint32_t value)
{
	size_t entries = (size_t)topo->switches * r->rows;
	while (r->width < 4 && value >> 8 * r->width) {
		r->entry = widen_table(r, r->entry, entries);
		r->source = widen_table(r, r->source, entries);
		r->width *= 2;
	}
	if (source && !r->source)
		r->source = base_calloc(entries, r->width);
	write_entry(source ? r->source : r->entry, r->width, (size_t)s * r->rows + row, value);
}

void rt_routes_destroy(struct rt *rt)
{
	struct rt_routes *r = rt->impl;
	if (r && r->shared.v) {
		sim_table_free(&r->shared);
	} else if (r) {
		free(r->outlet);
		free(r->set);
		free(r->entry);
		free(r->source);
		free(r->row);
		free(r->pair);
		free(r->pair_at);
		free(r->path);
		free(r->step);
	}
	rt_common_destroy(rt);
}

/* --- virtual channels --------------------------------------------------------------------------------------- */

/* The highest VC of any hop, found by walking all routes. */
static int find_highest_vc(const struct rt *rt, uint32_t *highest, struct base_errors *errors)
{
	struct rt_walk w = { .rt = rt, .vcs = UINT8_MAX, .legs = RT_LEGS_ONE, .errors = errors };
	int status = 0;
	for (topo_switch d = 0; d < rt->topo->switches && !status; d++) {
		if (!topo_endpoints_at(rt->topo, d))
			continue;
		rt_walk_start(&w, RT_WALK_ALL, d);
		for (topo_switch s = 0; s < rt->topo->switches && !status; s++) {
			struct rt_state source = rt_walk_source(s);
			if (topo_endpoints_at(rt->topo, s))
				status = rt_walk_from(&w, &source) == RT_NOWHERE ? -1 : 0;
		}
		for (uint32_t i = 0; i < w.states.n; i++)
			*highest = w.states.v[i].vc > *highest ? w.states.v[i].vc : *highest;
	}
	rt_walk_free(&w);
	return status;
}

int rt_routes_count_vcs(struct rt *rt, uint32_t longest, struct base_errors *errors)
{
	struct rt_routes *r = rt->impl;
	uint32_t vcs = 1;
	bool walk = false;
	r->climbs = true;
	rt->max_hops = longest;
	for (uint32_t i = 0; i < r->outlets; i++) {
		uint32_t vc = r->outlet[i].vc, need = vc + 1;
		bool rule = vc == RT_VC_RULE, by_hops = vc == RT_VC_HOPS || (rule && r->common.rule == TOPO_VC_HOP);
		r->climbs &= by_hops;
		if (by_hops)
			need = longest;
		else if (rule && r->common.rule == TOPO_VC_DATELINE)
			need = r->common.rings ? 2 : 1;
		else if (vc >= SW_MAX_VCS)
			need = 1;
		walk |= vc == RT_VC_SAME || vc == RT_VC_UP || (rule && r->common.rule == TOPO_VC_GROUPS);
		vcs = need > vcs ? need : vcs;
	}
	if (walk) {
		uint32_t highest = 0;
		rt->vcs = vcs;
		if (find_highest_vc(rt, &highest, errors))
			return -1;
		vcs = highest + 1 > vcs ? highest + 1 : vcs;
	}
	rt->vcs = vcs;
	return 0;
}

/* --- the routing function ----------------------------------------------------------------------------------- */

/* A number below `total`, the sum of n weights: in a proof the number of a choice. */
static uint32_t draw_weight(const struct rt_routes *r, struct rt_env *env, const struct sw_packet *p, uint32_t n,
                            uint32_t total, bool path)
{
	if (env->oracle)
		return rt_pick(env, p, n);
	if (r->by_flow)
		return sim_below(rt_hash_flow(env, p, 0, path), total);
	return r->quick ? rt_pick_quick(env, p, total) : rt_pick(env, p, total);
}

static const struct rt_outlet *choose_outlet(const struct rt_routes *r, struct rt_env *env, const struct sw_packet *p,
                                             const struct rt_outlets *set)
{
	const struct rt_outlet *v = &r->outlet[set->first];
	if (set->n == 1)
		return v;
	uint32_t x = draw_weight(r, env, p, set->n, set->total, false), lo = 0, hi = set->n - 1;
	if (env->oracle || set->total == set->n)
		return v + x;
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (x < v[mid].upto)
			hi = mid;
		else
			lo = mid + 1;
	}
	return v + lo;
}

/* The row of the packet's destination, which is at switch `to`: in a proof, of any of its endpoints. */
static uint32_t find_row(const struct rt *rt, const struct rt_routes *r, struct rt_env *env, const struct sw_packet *p,
                         topo_switch to)
{
	if (!r->row)
		return to;
	if (!env->oracle)
		return r->row[p->dst] ? r->row[p->dst] : to;
	uint32_t first = topo_first_endpoint(rt->topo, to), n = topo_endpoints_at(rt->topo, to), own = 0;
	for (uint32_t i = 0; i < n; i++)
		own += r->row[first + i] != 0;
	uint32_t k = rt_pick(env, p, own + (own < n));
	for (uint32_t i = 0; i < n; i++)
		if (r->row[first + i] && !k--)
			return r->row[first + i];
	return to;
}

static uint32_t next_set(const struct rt *rt, const struct rt_routes *r, struct rt_env *env, struct sw_packet *p,
                         topo_switch to)
{
	const void *table = r->entry;
	if (env->in_port == RT_FROM_ENDPOINT) {
		p->via = find_row(rt, r, env, p, to);
		table = r->source ? r->source : r->entry;
	}
	base_check(p->via < r->rows);
	uint32_t entry = rt_routes_read(r, table, env->here, p->via);
	base_checkf(entry >= 1 && entry <= r->sets, "switch %u, row %u: set %u", env->here, p->via, entry);
	return entry - 1;
}

/* The pairs between two switches: [*lo, *hi). */
static void find_pairs(const struct rt_routes *r, topo_switch from, topo_switch to, uint32_t *lo, uint32_t *hi)
{
	uint32_t a = r->pair_at[from], b = r->pair_at[from + 1];
	while (a < b) {
		uint32_t mid = a + (b - a) / 2;
		if (r->pair[mid].to < to)
			a = mid + 1;
		else
			b = mid;
	}
	for (*lo = *hi = a; *hi < r->pair_at[from + 1] && r->pair[*hi].to == to;)
		++*hi;
}

static uint32_t first_step(const struct rt_routes *r, struct rt_env *env, const struct sw_packet *p, topo_switch to)
{
	uint32_t lo, hi;
	find_pairs(r, env->here, to, &lo, &hi);
	base_checkf(lo < hi, "no path from switch %u to %u", env->here, to);
	if (env->oracle)
		lo += rt_pick(env, p, hi - lo);
	else /* the most special one comes first */
		while ((r->pair[lo].src != RT_ANY_ENDPOINT && r->pair[lo].src != p->src) ||
		       (r->pair[lo].dst != RT_ANY_ENDPOINT && r->pair[lo].dst != p->dst))
			lo++;
	const struct rt_route_pair *pair = &r->pair[lo];
	const struct rt_route_path *path = &r->path[pair->first];
	if (pair->n > 1) {
		uint32_t x = draw_weight(r, env, p, pair->n, pair->total, true), i = 0;
		if (env->oracle || pair->total == pair->n)
			i = x;
		else
			while (x >= path[i].upto)
				i++;
		path += i;
	}
	return path->step;
}

static uint32_t vc_of(const struct rt_outlet *out, uint32_t by_rule, bool source, uint32_t before)
{
	switch (out->vc) {
	case RT_VC_RULE:
		return by_rule;
	case RT_VC_HOPS:
		return source ? 0 : before + 1;
	case RT_VC_SAME:
		return before;
	case RT_VC_UP:
		return before + 1;
	default:
		return out->vc;
	}
}

/* Marks a packet at its destination as non-minimal, for statistics, if it has taken more hops than the distance from
 * its source: routes of a table, and routes of least latency, may have any length. */
static void mark_detour(const struct rt *rt, struct sw_packet *packet, topo_switch to)
{
	const struct topo *t = rt->topo;
	if (packet->hops > t->ops->distance(t, topo_switch_of(t, packet->src), to))
		packet->route |= SW_ROUTE_NONMINIMAL | SW_ROUTE_PASSED_VIA;
}

struct rt_decision rt_routes_route(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_routes *r = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	bool source = env->in_port == RT_FROM_ENDPOINT;
	uint32_t before = source ? 0 : packet->vc, set;
	if (env->here == to) {
		mark_detour(rt, packet, to);
		return (struct rt_decision){ .port = RT_EJECT };
	}
	if (r->paths) {
		if (source)
			packet->via = first_step(r, env, packet, to);
		base_checkf(packet->via < r->steps, "step %u", packet->via);
		set = r->step[packet->via++];
	} else {
		set = next_set(rt, r, env, packet, to);
	}
	const struct rt_outlet *out = choose_outlet(r, env, packet, &r->set[set]);
	packet->route |= SW_ROUTE_DECIDED;
	struct rt_decision decision = rt_take(rt, &r->common, env, packet, out->port, RT_LEG_MINIMAL);
	packet->vc = (uint8_t)vc_of(out, packet->vc, source, before);
	return decision;
}

bool rt_routes_climb(const struct rt *rt)
{
	return ((const struct rt_routes *)rt->impl)->climbs;
}
