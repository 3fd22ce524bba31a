/* workload/formats/goal/build.c - see build.h */
#include "workload/formats/goal/build.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void wl_goal_draft_begin(struct wl_goal_draft *draft, uint32_t ranks)
{
	*draft = (struct wl_goal_draft){ .ranks = ranks, .block_of = base_calloc(ranks, sizeof *draft->block_of) };
}

void wl_goal_begin_rank(struct wl_goal_draft *draft, uint32_t rank)
{
	if (draft->blocks == draft->block_room) {
		draft->block_room = draft->block_room ? 2 * draft->block_room : 64;
		draft->block = base_realloc(draft->block, draft->block_room * sizeof *draft->block);
	}
	draft->block[draft->blocks++] =
	    (struct wl_goal_block){ .rank = rank, .first_op = (uint32_t)draft->ops, .first_edge = draft->edges };
	draft->block_of[rank] = draft->blocks;
}

void wl_goal_end_rank(struct wl_goal_draft *draft)
{
	struct wl_goal_block *b = &draft->block[draft->blocks - 1];
	b->ops = (uint32_t)draft->ops - b->first_op;
	b->edges = draft->edges - b->first_edge;
}

uint32_t wl_goal_add_op(struct wl_goal_draft *draft, const struct wl_goal_op *op)
{
	if (draft->ops + 1 >= WL_GOAL_MOST)
		return UINT32_MAX;
	if (draft->ops == draft->op_room) {
		draft->op_room = draft->op_room ? 2 * draft->op_room : 64;
		draft->op = base_realloc(draft->op, draft->op_room * sizeof *draft->op);
	}
	draft->op[draft->ops] = *op;
	return (uint32_t)draft->ops++;
}

bool wl_goal_add_edge(struct wl_goal_draft *draft, struct wl_goal_edge edge)
{
	if (draft->edges + 1 >= WL_GOAL_MOST)
		return false;
	if (draft->edges == draft->edge_room) {
		draft->edge_room = draft->edge_room ? 2 * draft->edge_room : 64;
		draft->edge = base_realloc(draft->edge, draft->edge_room * sizeof *draft->edge);
	}
	draft->edge[draft->edges++] = edge;
	return true;
}

void wl_goal_draft_free(struct wl_goal_draft *draft)
{
	free(draft->op);
	free(draft->edge);
	free(draft->block);
	free(draft->block_of);
	*draft = (struct wl_goal_draft){ 0 };
}

/* The edges of a block into `next`, sorted by (earlier, requires before irequires) and else in their order. */
static void link_block(struct wl_goal *g, const struct wl_goal_draft *d, const struct wl_goal_block *b, uint32_t at,
                       uint32_t *edge_at)
{
	struct wl_goal_op *op = g->op + at;
	uint32_t move = at - b->first_op; /* modulo 2^32 */
	for (uint32_t i = 0; i < b->ops; i++)
		op[i].first = op[i].mid = op[i].waits = 0;
	for (size_t i = b->first_edge; i < b->first_edge + b->edges; i++) {
		const struct wl_goal_edge *e = &d->edge[i];
		struct wl_goal_op *earlier = &g->op[e->earlier + move];
		if (e->starts)
			earlier->mid++;
		else
			earlier->first++;
		g->op[e->later + move].waits++;
	}
	for (uint32_t i = 0; i < b->ops; i++) {
		uint32_t requires = op[i].first, irequires = op[i].mid;
		op[i].first = *edge_at;
		op[i].mid = *edge_at + requires;
		*edge_at += requires + irequires;
	}
	uint32_t *put = base_calloc(2 * (size_t)b->ops + 1, sizeof *put);
	for (size_t i = b->first_edge; i < b->first_edge + b->edges; i++) {
		const struct wl_goal_edge *e = &d->edge[i];
		uint32_t k = e->earlier - b->first_op;
		uint32_t from = e->starts ? op[k].mid : op[k].first;
		g->next[from + put[2 * (size_t)k + e->starts]++] = e->later + move;
	}
	free(put);
}

static int by_rank(const void *a, const void *b)
{
	uint32_t x = ((const struct wl_goal_block *)a)->rank, y = ((const struct wl_goal_block *)b)->rank;
	return x < y ? -1 : x > y;
}

void wl_goal_sort(struct wl_goal_draft *draft)
{
	free(draft->block_of);
	draft->block_of = NULL;
	if (draft->blocks)
		qsort(draft->block, draft->blocks, sizeof *draft->block, by_rank);
}

/* Ranks from *rank up to `last` begin with operation `at`. */
static void begin_ranks(struct wl_goal *g, uint32_t *rank, uint32_t last, uint32_t at)
{
	while (*rank <= last)
		g->first_op[(*rank)++] = at;
}

void wl_goal_finish(struct wl_goal *out, struct wl_goal_draft *draft)
{
	wl_goal_sort(draft);
	struct wl_goal *g = out;
	*g = (struct wl_goal){ .ranks = draft->ranks,
		               .ops = (uint32_t)draft->ops,
		               .dependencies = (uint32_t)draft->edges,
		               .cpus = 1,
		               .nics = 1 };
	g->first_op = base_calloc((size_t)g->ranks + 1, sizeof *g->first_op);
	g->op = base_calloc((size_t)g->ops + 1, sizeof *g->op);
	g->next = base_calloc((size_t)g->dependencies + 1, sizeof *g->next);
	uint32_t at = 0, edge_at = 0, rank = 0;
	for (uint32_t k = 0; k < draft->blocks; k++) {
		const struct wl_goal_block *b = &draft->block[k];
		begin_ranks(g, &rank, b->rank, at);
		if (!b->ops)
			continue;
		memcpy(g->op + at, draft->op + b->first_op, b->ops * sizeof *g->op);
		link_block(g, draft, b, at, &edge_at);
		at += b->ops;
	}
	begin_ranks(g, &rank, g->ranks, at);
	g->op[at].first = g->op[at].mid = edge_at;
	for (uint32_t i = 0; i < g->ops; i++) {
		g->cpus = g->op[i].cpu >= g->cpus ? g->op[i].cpu + 1u : g->cpus;
		g->nics = g->op[i].nic >= g->nics ? g->op[i].nic + 1u : g->nics;
	}
	wl_goal_draft_free(draft);
}

/* Among the operations from `first` on, where waits[] counts the unmet dependencies, none can ever start: each depends
 * on another one of them. Following dependencies back from any of them therefore ends in a cycle. */
static uint32_t *trace(const struct wl_goal *g, uint32_t first, uint32_t ops, const uint32_t *waits, uint32_t *n)
{
	uint32_t *before = base_calloc((size_t)ops + 1, sizeof *before), *cycle, at = 0;
	uint8_t *seen = base_alloc((size_t)ops + 1);
	for (uint32_t i = 0; i < ops; i++)
		for (uint32_t k = g->op[first + i].first; waits[i] && k < g->op[first + i + 1].first; k++)
			before[g->next[k] - first] = i;
	while (!waits[at])
		at++;
	for (; !seen[at]; at = before[at])
		seen[at] = 1;
	cycle = base_calloc((size_t)ops + 1, sizeof *cycle);
	*n = 0;
	for (uint32_t i = at; !*n || i != at; i = before[i])
		cycle[(*n)++] = first + i;
	free(before);
	free(seen);
	return cycle;
}

uint32_t *wl_goal_cycle(const struct wl_goal *g, uint32_t rank, uint32_t *n)
{
	uint32_t first = g->first_op[rank], ops = g->first_op[rank + 1] - first, ready = 0;
	if (!ops)
		return NULL;
	uint32_t *waits = base_calloc((size_t)ops + 1, sizeof *waits),
		 *queue = base_calloc((size_t)ops + 1, sizeof *queue);
	uint32_t *cycle = NULL;
	for (uint32_t i = 0; i < ops; i++) {
		waits[i] = g->op[first + i].waits;
		if (!waits[i])
			queue[ready++] = i;
	}
	for (uint32_t done = 0; done < ready; done++) {
		uint32_t i = first + queue[done];
		for (uint32_t k = g->op[i].first; k < g->op[i + 1].first; k++)
			if (!--waits[g->next[k] - first])
				queue[ready++] = g->next[k] - first;
	}
	if (ready < ops)
		cycle = trace(g, first, ops, waits, n);
	free(waits);
	free(queue);
	return cycle;
}
