/* switch/flows.c - accounts of flow channels: see flows.h. */
#include "switch/flows.h"

#include "base/memory.h"

#include <stdlib.h>

struct sw_flows *sw_flows_create(const struct sw_lanes *lanes, uint32_t outputs, double threshold)
{
	uint32_t sums = outputs * lanes->n;
	struct sw_flows *f = base_calloc(1, sizeof *f + sums * sizeof f->sum[0]);
	sw_pool_init(&f->pool);
	sw_pool_init(&f->holds);
	sw_pool_init(&f->ways);
	f->space = (uint32_t)sw_lane_alone(lanes);
	f->threshold_q16 = (uint32_t)(threshold * 65536 + 0.5);
	f->lanes = lanes->n;
	f->sums = sums;
	return f;
}

void sw_flows_destroy(struct sw_flows *f)
{
	if (f) {
		sw_pool_fini(&f->pool);
		sw_pool_fini(&f->holds);
		sw_pool_fini(&f->ways);
	}
	free(f);
}

void sw_flows_regions(struct sw_flows *f, void (*visit)(void *arg, void *at, size_t bytes), void *arg)
{
	visit(arg, &f->pool.free, 2 * sizeof(uint32_t)); /* free and used */
	sw_pool_regions(&f->pool, sizeof(struct sw_flow), visit, arg);
	visit(arg, &f->holds.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&f->holds, sizeof(struct sw_flow_hold), visit, arg);
	visit(arg, &f->ways.free, 2 * sizeof(uint32_t));
	sw_pool_regions(&f->ways, sizeof(struct sw_flow_way), visit, arg);
	visit(arg, f->chain, sizeof f->chain);
	visit(arg, f->taken, sizeof f->taken);
	visit(arg, f->held, sizeof f->held);
	visit(arg, f->sum, f->sums * sizeof f->sum[0]);
}

size_t sw_flows_bytes(uint32_t outputs, uint32_t lanes, uint32_t packets, bool routes)
{
	return sizeof(struct sw_flows) + (size_t)outputs * lanes * 4 + SW_POOL_MALLOC +
	       sw_pool_bytes(packets, sizeof(struct sw_flow)) +
	       (routes ? sw_pool_bytes(packets, sizeof(struct sw_flow_way)) : 0);
}

uint32_t sw_flow_key(uint32_t src, uint32_t dst)
{
	uint64_t h = ((uint64_t)src << 32 | dst) * 0x9e3779b97f4a7c15ull;
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(h >> 32);
}

static struct sw_flow *flow_at(const struct sw_flows *f, uint32_t i)
{
	return sw_pool_at(&f->pool, i, sizeof(struct sw_flow));
}

static uint32_t *chain_of_flow(struct sw_flows *f, uint32_t key)
{
	return &f->chain[key % SW_FLOW_CHAINS];
}

struct sw_flow *sw_flow_find(struct sim_ctx *ctx, struct sw_flows *f, uint32_t at, uint32_t key, bool make)
{
	uint32_t *head = chain_of_flow(f, key);
	for (uint32_t i = *head; i; i = flow_at(f, i - 1)->chain) {
		struct sw_flow *flow = flow_at(f, i - 1);
		if (flow->key == key && flow->at == at)
			return flow;
	}
	if (!make)
		return NULL;
	uint32_t i = sw_pool_take(ctx, &f->pool, sizeof(struct sw_flow));
	*flow_at(f, i) =
	    (struct sw_flow){ .chain = *head, .key = key, .at = at, .head = SW_POOL_NONE, .tail = SW_POOL_NONE };
	sim_set(ctx, head, i + 1);
	return flow_at(f, i);
}

static struct sw_flow_hold *hold_at(const struct sw_flows *f, uint32_t i)
{
	return sw_pool_at(&f->holds, i, sizeof(struct sw_flow_hold));
}

static struct sw_flow_way *way_at(const struct sw_flows *f, uint32_t i)
{
	return sw_pool_at(&f->ways, i, sizeof(struct sw_flow_way));
}

static struct sw_flow_way *find_way(const struct sw_flows *f, uint32_t src, uint32_t dst)
{
	for (uint32_t i = f->taken[sw_flow_key(src, dst) % SW_FLOW_CHAINS]; i; i = way_at(f, i - 1)->chain)
		if (way_at(f, i - 1)->src == src && way_at(f, i - 1)->dst == dst)
			return way_at(f, i - 1);
	return NULL;
}

/* Holds end without an event: expired ones are removed here when another of their chain begins. */
void sw_flow_hold(struct sim_ctx *ctx, struct sw_flows *f, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t now,
                  uint64_t until)
{
	uint32_t key = sw_flow_key(src, dst);
	struct sw_flow_way *way = find_way(f, src, dst);
	if (way)
		sim_set(ctx, &way->until, until > now ? until : now);
	uint32_t *link = &f->held[key % SW_FLOW_CHAINS], *head = link;
	while (*link) {
		uint32_t i = *link - 1;
		struct sw_flow_hold *h = hold_at(f, i);
		if (h->key != key && h->until > now) {
			link = &h->chain;
			continue;
		}
		sim_set(ctx, link, h->chain);
		sw_pool_give(ctx, &f->holds, i, sizeof *h);
	}
	if (until <= now)
		return;
	uint32_t i = sw_pool_take(ctx, &f->holds, sizeof(struct sw_flow_hold));
	*hold_at(f, i) = (struct sw_flow_hold){ .chain = *head, .key = key, .pace_q16 = pace_q16, .until = until };
	sim_set(ctx, head, i + 1);
}

/* The throttle of a flow that is held back now, or NULL. */
static const struct sw_flow_hold *hold_of_flow(const struct sw_flows *f, uint32_t key, uint64_t now)
{
	for (uint32_t i = f->held[key % SW_FLOW_CHAINS]; i; i = hold_at(f, i - 1)->chain)
		if (hold_at(f, i - 1)->key == key)
			return hold_at(f, i - 1)->until > now ? hold_at(f, i - 1) : NULL;
	return NULL;
}

/* Bytes that a flow may have in addition to one packet, if it is held back; else the maximum. */
static uint64_t held_to(const struct sw_flows *f, uint32_t key, uint64_t now, uint64_t loop)
{
	const struct sw_flow_hold *h = hold_of_flow(f, key, now);
	return h ? (loop << 17) / h->pace_q16 : UINT64_MAX;
}

bool sw_flow_is_held(const struct sw_flows *f, uint32_t key, uint64_t now)
{
	return hold_of_flow(f, key, now);
}

void sw_flow_each_account(struct sw_flows *f, uint32_t key, void (*visit)(void *arg, struct sw_flow *flow), void *arg)
{
	for (uint32_t i = *chain_of_flow(f, key); i; i = flow_at(f, i - 1)->chain)
		if (flow_at(f, i - 1)->key == key)
			visit(arg, flow_at(f, i - 1));
}

const struct sw_flow_way *sw_flow_way_of(const struct sw_flows *f, uint32_t src, uint32_t dst)
{
	return find_way(f, src, dst);
}

void sw_flow_set_way(struct sim_ctx *ctx, struct sw_flows *f, const struct sw_flow_way *way, uint64_t now)
{
	uint32_t key = sw_flow_key(way->src, way->dst);
	uint32_t *link = &f->taken[key % SW_FLOW_CHAINS], *head = link;
	while (*link) {
		uint32_t i = *link - 1;
		struct sw_flow_way *w = way_at(f, i);
		if ((w->src != way->src || w->dst != way->dst) && w->until > now) {
			link = &w->chain;
			continue;
		}
		sim_set(ctx, link, w->chain);
		sw_pool_give(ctx, &f->ways, i, sizeof *w);
	}
	uint32_t i = sw_pool_take(ctx, &f->ways, sizeof *way);
	*way_at(f, i) = *way;
	way_at(f, i)->chain = *head;
	sim_set(ctx, head, i + 1);
}

bool sw_flow_fits(const struct sw_flows *f, const struct sw_flow *flow, uint32_t bytes, uint64_t now, uint64_t loop)
{
	if (!flow->bytes)
		return true;
	uint64_t taken = (uint64_t)f->sum[flow->at] + bytes, left = taken < f->space ? f->space - taken : 0;
	uint64_t part = left * f->threshold_q16 >> 16, held = held_to(f, flow->key, now, loop);
	if (held != UINT64_MAX && flow->bytes > held)
		return false;
	return flow->bytes + (uint64_t)bytes <= part;
}

void sw_flow_take(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow, uint32_t bytes)
{
	sim_set(ctx, &flow->bytes, flow->bytes + bytes);
	sim_set(ctx, &f->sum[flow->at], f->sum[flow->at] + bytes);
}

bool sw_flow_give(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow, uint32_t bytes)
{
	if (sim_unlikely(flow->bytes < bytes || f->sum[flow->at] < bytes))
		return false;
	sim_set(ctx, &flow->bytes, flow->bytes - bytes);
	sim_set(ctx, &f->sum[flow->at], f->sum[flow->at] - bytes);
	return true;
}

void sw_flow_forget(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow)
{
	if (flow->bytes || flow->head != SW_POOL_NONE)
		return;
	uint32_t *link = chain_of_flow(f, flow->key);
	while (*link && flow_at(f, *link - 1) != flow)
		link = &flow_at(f, *link - 1)->chain;
	base_check(*link);
	uint32_t i = *link - 1;
	sim_set(ctx, link, flow->chain);
	sw_pool_give(ctx, &f->pool, i, sizeof(struct sw_flow));
}

void sw_flows_each(struct sw_flows *f, void (*visit)(void *arg, const struct sw_flow *flow), void *arg)
{
	for (uint32_t c = 0; c < SW_FLOW_CHAINS; c++)
		for (uint32_t i = f->chain[c]; i; i = flow_at(f, i - 1)->chain)
			visit(arg, flow_at(f, i - 1));
}
