/* workload/formats/to_goal.c - see to_goal.h */
#include "workload/formats/to_goal.h"

#include "base/memory.h"
#include "workload/formats/goal/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One rank's operations, and where its chain is. */
struct to_goal_chain {
	struct wl_goal_op *op;
	struct wl_goal_edge *edge; /* of operations of this rank, from 0 on */
	uint32_t ops, op_room, edges, edge_room;
	uint32_t last;           /* operation that the next follows, from 1 on; 0: none */
	bool last_started;       /* and does so when that has started, not finished */
	struct mpi_list pending; /* operations that the next waits for */
	uint64_t rest_ps;        /* of computation: less than 1 ns */
};

void wl_to_goal_memory_for(const char *file, uint32_t ranks)
{
	const struct wl_goal *made;
	char of[32] = "";
	if (ranks)
		snprintf(of, sizeof of, " of %" PRIu32 " ranks", ranks);
	base_memory_for(
	    "%.600s: converting a trace%s to a schedule takes %zu bytes per operation and %zu per dependency, and up "
	    "to five times as much temporarily; use more memory (another host, ulimit -v) or a shorter trace",
	    file, of, sizeof *made->op, sizeof *made->next);
}

void wl_to_goal_begin(struct wl_to_goal *g, uint32_t ranks, const struct mpi_choices *choices)
{
	*g = (struct wl_to_goal){ .ranks = ranks, .choices = choices, .unit = 1000 };
	g->chain = base_calloc(ranks, sizeof *g->chain);
}

static void add_edge(struct wl_to_goal *g, struct to_goal_chain *c, uint32_t earlier, uint32_t later, bool starts)
{
	if (c->edges == c->edge_room) {
		c->edge_room = c->edge_room ? 2 * c->edge_room : 16;
		c->edge = base_realloc(c->edge, c->edge_room * sizeof *c->edge);
	}
	c->edge[c->edges++] = (struct wl_goal_edge){ .earlier = earlier - 1, .later = later - 1, .starts = starts };
	g->edges++;
}

/* An operation that nothing is known of yet. */
static uint32_t add_loose(struct wl_to_goal *g, struct to_goal_chain *c, struct wl_goal_op op)
{
	if (c->ops == c->op_room) {
		c->op_room = c->op_room ? 2 * c->op_room : 16;
		c->op = base_realloc(c->op, c->op_room * sizeof *c->op);
	}
	c->op[c->ops++] = op;
	g->ops++;
	return c->ops;
}

static uint32_t add_to_chain(struct wl_to_goal *g, struct to_goal_chain *c, struct wl_goal_op op, bool blocks)
{
	uint32_t at = add_loose(g, c, op);
	if (c->last)
		add_edge(g, c, c->last, at, c->last_started);
	for (uint32_t i = 0; i < c->pending.n; i++)
		add_edge(g, c, (uint32_t)c->pending.v[i], at, false);
	c->pending.n = 0;
	c->last = at;
	c->last_started = !blocks;
	return at;
}

/* Tags of the world stay as they are, if they are small; others get numbers behind those. */
#define OWN_TAGS (UINT32_C(1) << 30)
static uint32_t tag_of(struct wl_to_goal *g, uint64_t key)
{
	if (key < OWN_TAGS)
		return (uint32_t)key;
	uint64_t *tag = wl_map_put(&g->tags, key);
	if (!*tag)
		*tag = OWN_TAGS + g->tags.n - 1;
	return (uint32_t)*tag;
}

void to_goal_compute(struct wl_to_goal *g, uint32_t rank, uint64_t ps)
{
	struct to_goal_chain *c = &g->chain[rank];
	uint64_t units = ps / g->unit + (c->rest_ps + ps % g->unit) / g->unit;
	c->rest_ps = (c->rest_ps + ps % g->unit) % g->unit;
	if (units)
		add_to_chain(g, c, (struct wl_goal_op){ .kind = WL_GOAL_CALC, .size = units }, true);
}

uint32_t to_goal_send(struct wl_to_goal *g, uint32_t rank, uint32_t dest, uint64_t bytes, uint64_t key, bool blocks)
{
	struct wl_goal_op op = { .kind = WL_GOAL_SEND, .size = bytes, .peer = dest, .tag = tag_of(g, key) };
	return add_to_chain(g, &g->chain[rank], op, blocks);
}

uint32_t to_goal_receive(struct wl_to_goal *g, uint32_t rank, uint32_t source, uint64_t bytes, uint64_t key,
                         bool blocks)
{
	struct wl_goal_op op = { .kind = WL_GOAL_RECV,
		                 .size = bytes,
		                 .peer = source,
		                 .tag = key == UINT64_MAX ? WL_GOAL_ANY : tag_of(g, key) };
	return add_to_chain(g, &g->chain[rank], op, blocks);
}

void to_goal_match(struct wl_to_goal *g, uint32_t rank, uint32_t receive, uint32_t source, uint64_t bytes, uint64_t key)
{
	struct wl_goal_op *op = &g->chain[rank].op[receive - 1];
	g->frozen += op->peer == WL_GOAL_ANY || op->tag == WL_GOAL_ANY;
	op->peer = source;
	op->size = bytes;
	op->tag = tag_of(g, key);
}

void to_goal_withdraw(struct wl_to_goal *g, uint32_t rank, uint32_t receive)
{
	g->chain[rank].op[receive - 1] = (struct wl_goal_op){ .kind = WL_GOAL_CALC };
}

void to_goal_wait(struct wl_to_goal *g, uint32_t rank, uint32_t op)
{
	struct to_goal_chain *c = &g->chain[rank];
	if (op && !(op == c->last && !c->last_started))
		mpi_list_add(&c->pending, op);
}

/* --- collectives ------------------------------------------------------------------------------------------------ */

/* The transfers of a round, each after `before`; those that are added are appended to *done. */
static void add_round(struct wl_to_goal *g, struct to_goal_chain *c, const struct to_goal_part *part, uint32_t before,
                      bool before_started, struct mpi_list *done)
{
	for (uint32_t i = 0; i < g->steps.n; i++) {
		const struct mpi_step *s = &g->steps.v[i];
		if (s->peer == part->me) /* a copy */
			continue;
		struct wl_goal_op op = { .kind = s->send ? WL_GOAL_SEND : WL_GOAL_RECV,
			                 .size = s->bytes,
			                 .peer = part->world(part->data, s->peer),
			                 .tag = tag_of(g, part->key),
			                 .cpu = part->cpu };
		uint32_t at = add_loose(g, c, op);
		if (before)
			add_edge(g, c, before, at, before_started);
		mpi_list_add(done, at);
	}
}

/* An operation at which all of a list are done: the only one of it, or one of no time. */
static uint32_t join_operations(struct wl_to_goal *g, struct to_goal_chain *c, struct mpi_list *list, uint8_t cpu)
{
	uint32_t at = list->n == 1 ? (uint32_t)list->v[0] : 0;
	if (list->n > 1) {
		at = add_loose(g, c, (struct wl_goal_op){ .kind = WL_GOAL_CALC, .cpu = cpu });
		for (uint32_t i = 0; i < list->n; i++)
			add_edge(g, c, (uint32_t)list->v[i], at, false);
	}
	list->n = 0;
	return at;
}

uint32_t to_goal_expand(struct wl_to_goal *g, uint32_t rank, const struct to_goal_part *part, uint32_t before,
                        bool started)
{
	struct to_goal_chain *c = &g->chain[rank];
	const struct mpi_call *call = part->call;
	struct mpi_collective what = { .op = call->op,
		                       .ranks = part->ranks,
		                       .root = (uint32_t)call->peer,
		                       .bytes = mpi_own_bytes(call, part->me),
		                       .element = call->element ? call->element : 1,
		                       .counts = call->counts.n ? call->counts.v : NULL,
		                       .from_counts = call->from_counts.n ? call->from_counts.v : NULL,
		                       .nonblocking = call->nonblocking,
		                       .not_commutative = call->not_commutative,
		                       .user_op = call->user_op,
		                       .in_place = call->in_place,
		                       .choices = g->choices };
	struct mpi_plan plan;
	struct mpi_list round = { 0 };
	mpi_plan_make(&plan, &what);
	for (uint32_t i = 0; mpi_plan_round(&plan, part->me, i, &g->steps); i++) {
		add_round(g, c, part, before, started, &round);
		if (!round.n)
			continue;
		before = join_operations(g, c, &round, part->cpu);
		started = false;
	}
	free(round.v);
	return before;
}

uint32_t to_goal_collective(struct wl_to_goal *g, uint32_t rank, const struct to_goal_part *part)
{
	struct to_goal_chain *c = &g->chain[rank];
	if (c->pending.n) /* what is waited for is done before the first round */
		add_to_chain(g, c, (struct wl_goal_op){ .kind = WL_GOAL_CALC }, true);
	uint32_t done = to_goal_expand(g, rank, part, c->last, c->last_started);
	if (part->call->nonblocking || done == c->last)
		return done == c->last ? 0 : done;
	c->last = done;
	c->last_started = false;
	return 0;
}

/* --- graphs ------------------------------------------------------------------------------------------------------ */

uint32_t to_goal_loose(struct wl_to_goal *g, uint32_t rank, const struct wl_goal_op *op)
{
	return add_loose(g, &g->chain[rank], *op);
}

uint32_t to_goal_loose_message(struct wl_to_goal *g, uint32_t rank, bool send, uint32_t peer, uint64_t bytes,
                               uint64_t key, uint8_t cpu)
{
	struct wl_goal_op op = { .kind = send ? WL_GOAL_SEND : WL_GOAL_RECV,
		                 .size = bytes,
		                 .peer = peer,
		                 .tag = tag_of(g, key),
		                 .cpu = cpu };
	return add_loose(g, &g->chain[rank], op);
}

void to_goal_after(struct wl_to_goal *g, uint32_t rank, uint32_t earlier, uint32_t later)
{
	add_edge(g, &g->chain[rank], earlier, later, false);
}

/* --- the schedule ------------------------------------------------------------------------------------------------ */

int wl_to_goal_end(struct wl_to_goal *g, struct wl_goal *out)
{
	struct wl_goal_draft d;
	bool fits = g->ops < WL_GOAL_MOST - 1 && g->edges < WL_GOAL_MOST - 1 && g->tags.n < WL_GOAL_MOST - OWN_TAGS;
	wl_goal_draft_begin(&d, g->ranks);
	for (uint32_t i = 0; i < g->ranks; i++) {
		struct to_goal_chain *c = &g->chain[i];
		uint32_t first = (uint32_t)d.ops;
		wl_goal_begin_rank(&d, i);
		for (uint32_t k = 0; k < c->ops && fits; k++)
			fits = wl_goal_add_op(&d, &c->op[k]) != UINT32_MAX;
		for (uint32_t k = 0; k < c->edges && fits; k++) {
			struct wl_goal_edge e = c->edge[k];
			e.earlier += first;
			e.later += first;
			fits = wl_goal_add_edge(&d, e);
		}
		wl_goal_end_rank(&d);
		free(c->op);
		free(c->edge);
		free(c->pending.v);
	}
	free(g->chain);
	free(g->steps.v);
	wl_map_free(&g->tags);
	*g = (struct wl_to_goal){ .frozen = g->frozen, .synchronous = g->synchronous, .buffered = g->buffered };
	if (!fits) {
		wl_goal_draft_free(&d);
		return -1;
	}
	wl_goal_finish(out, &d);
	return 0;
}
