/* sim/find.c - finds an event's record by its LP, time and key, which are all that an anti-message carries.
 *
 * A bucket is a list in the order of arrival, and after many rollbacks most of its records are dead (cancelled): a
 * linear search for each anti-message would cost quadratic time. So a window in which records are searched for gets a
 * hash table. It indexes the records of the searched buckets up to a cursor in each; as records are only appended and
 * do not move, a look-up continues from the cursor. If several records have the same LP, time and key, all but the
 * latest are dead, and the table keeps the latest. */
#include "base/memory.h"
#include "sim/engine.h"

#include <stdlib.h>

struct find_cursor {
	struct sim_chunk *chunk; /* NULL: nothing has been read */
	unsigned char *at;       /* the next record in it */
};

struct sim_index {
	uint64_t window;
	struct find_cursor *cursor; /* [2 * blocks] of the window's buckets */
	struct sim_event **table;   /* [cap], a power of two, at least a quarter empty */
	uint32_t n, cap;
};

#define FIRST_CAP 1024u

static uint32_t place(const struct sim_index *x, sim_lpid lp, sim_time time, uint64_t key)
{
	uint64_t h = (time ^ key * 0x9e3779b97f4a7c15ull) + lp;
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)(h >> 32) & (x->cap - 1);
}

static bool is_it(const struct sim_event *ev, sim_lpid lp, sim_time time, uint64_t key)
{
	return ev->time == time && ev->key == key && ev->lp == lp;
}

/* The slot of the identity in the table, or where it would be inserted. */
static struct sim_event **look_up(const struct sim_index *x, sim_lpid lp, sim_time time, uint64_t key)
{
	uint32_t i = place(x, lp, time, key);
	while (x->table[i] && !is_it(x->table[i], lp, time, key))
		i = (i + 1) & (x->cap - 1);
	return &x->table[i];
}

static void add(struct sim_index *x, struct sim_event *ev);

/* Doubles the table, without dead records. */
static void grow(struct sim_index *x)
{
	struct sim_event **old = x->table;
	uint32_t n = x->cap;
	x->cap = n ? 2 * n : FIRST_CAP;
	x->table = base_calloc(x->cap, sizeof(struct sim_event *));
	x->n = 0;
	for (uint32_t i = 0; i < n; i++)
		if (old[i])
			add(x, old[i]);
	free(old);
}

static void add(struct sim_index *x, struct sim_event *ev)
{
	if (ev->state & SIM_EVENT_DEAD)
		return;
	if (4 * (x->n + 1) > 3 * x->cap)
		grow(x);
	struct sim_event **at = look_up(x, ev->lp, ev->time, ev->key);
	base_checkf(!*at || (*at)->state & SIM_EVENT_DEAD, "two living events of LP %u at %llu ps are the same", ev->lp,
	            (unsigned long long)ev->time);
	x->n += !*at;
	*at = ev;
}

/* Indexes the records appended to a bucket since the last look-up. */
static void read_on(struct sim_engine *e, struct sim_index *x, const struct sim_bucket *b, struct find_cursor *c,
                    size_t bytes)
{
	if (!b->first)
		return;
	if (!c->chunk)
		*c = (struct find_cursor){ b->first, b->first->data };
	for (;;) {
		bool last = c->chunk == sim_last_chunk(e, b);
		const unsigned char *end = last ? b->cur : (unsigned char *)c->chunk + c->chunk->used;
		for (; c->at < end; c->at += bytes)
			add(x, (struct sim_event *)(void *)c->at);
		if (last)
			return;
		*c = (struct find_cursor){ c->chunk->next, c->chunk->next->data };
	}
}

static struct sim_index *index_of(struct sim_engine *e, uint64_t window)
{
	if (!e->index)
		e->index = base_calloc(e->slots, sizeof(struct sim_index *));
	struct sim_index **at = &e->index[window & e->ctx.wheel_mask], *x = *at;
	if (!x) {
		x = *at = base_alloc(sizeof *x);
		x->cursor = base_calloc(2 * (size_t)e->ctx.blocks, sizeof *x->cursor);
		x->window = window;
		grow(x);
	}
	if (x->window != window) {
		memset(x->cursor, 0, 2 * (size_t)e->ctx.blocks * sizeof *x->cursor);
		memset(x->table, 0, x->cap * sizeof *x->table);
		x->n = 0;
		x->window = window;
	}
	return x;
}

static struct sim_event *find_in(struct sim_engine *e, struct sim_bucket *b, sim_lpid lp, sim_time time, uint64_t key)
{
	SIM_EACH_CHUNK (e, b, c)
		SIM_EACH_RECORD (e, b, c, ev)
			if (is_it(ev, lp, time, key) && !(ev->state & SIM_EVENT_DEAD))
				return ev;
	return NULL;
}

struct sim_event *sim_wheel_find(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key)
{
	uint64_t w = sim_window_of(&e->ctx, time);
	if (w < e->limit) {
		uint32_t block = (lp - e->ctx.base) >> e->ctx.block_shift;
		struct sim_bucket *b = sim_wheel_buckets(e, w, block);
		struct sim_index *x = index_of(e, w);
		read_on(e, x, b, &x->cursor[2 * block], SIM_SHORT_BYTES);
		read_on(e, x, b + 1, &x->cursor[2 * block + 1], SIM_LONG_BYTES);
		struct sim_event *ev = *look_up(x, lp, time, key);
		return ev && !(ev->state & SIM_EVENT_DEAD) ? ev : NULL;
	}
	uint64_t f = w / (e->slots / 2);
	struct sim_event *ev = NULL;
	if (f - e->far_base < SIM_FAR_SLOTS)
		ev = find_in(e, &e->far[f % SIM_FAR_SLOTS], lp, time, key);
	return ev ? ev : find_in(e, &e->beyond, lp, time, key);
}

void sim_wheel_forget_found(struct sim_engine *e)
{
	for (uint32_t i = 0; e->index && i < e->slots; i++)
		if (e->index[i]) {
			free(e->index[i]->cursor);
			free(e->index[i]->table);
			free(e->index[i]);
		}
	free(e->index);
	e->index = NULL;
}
