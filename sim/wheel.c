/* sim/wheel.c - the pending events of a rank: chunks, the wheel of windows, and the far lists. See engine.h.
 *
 * The wheel has two halves of slots/2 windows each; `limit` is the first window after both. When `base` enters the
 * other half, the far list of the slots/2 windows after `limit` is distributed over the slots of the half that `base`
 * has left. Invariant: every record in the lists far[] and `beyond` is in a window at or after `limit`. */
#include "base/memory.h"
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

#define HEADER sizeof(struct sim_chunk)
#define SLAB_BYTES ((size_t)4 << 20)

void sim_pool_init(struct sim_pool *p, size_t chunk_bytes)
{
	*p = (struct sim_pool){ .chunk_bytes = chunk_bytes, .slab_bytes = SLAB_BYTES };
}

void sim_pool_free(struct sim_pool *p)
{
	for (size_t i = 0; i < p->nslabs; i++)
		base_unmap(p->slabs[i], p->slab_bytes);
	free(p->slabs);
	*p = (struct sim_pool){ 0 };
}

static void pool_grow(struct sim_pool *p)
{
	p->slabs = base_realloc(p->slabs, (p->nslabs + 1) * sizeof *p->slabs);
	p->fresh = base_map(p->slab_bytes); /* aligned, because masking an address finds its chunk */
	p->end = p->fresh + p->slab_bytes;
	p->slabs[p->nslabs++] = p->fresh;
}

static struct sim_chunk *pool_take(struct sim_pool *p)
{
	struct sim_chunk *c = p->free;
	if (c) {
		p->free = c->next;
		p->nfree--;
		if (p->free) { /* the next chunk's header and first record: perhaps evicted by now */
			base_prefetch_write(p->free);
			base_prefetch_write(p->free->data);
		}
	} else {
		if (p->fresh == p->end)
			pool_grow(p);
		c = (struct sim_chunk *)(void *)p->fresh;
		p->fresh += p->chunk_bytes;
		p->chunks_used++;
	}
	base_check(((uintptr_t)c & (p->chunk_bytes - 1)) == 0); /* masking an address finds its chunk */
	c->next = NULL;
	return c;
}

/* Frees a bucket's chunks. Without threads only the last of them is accessed. */
static void release(struct sim_engine *e, struct sim_bucket *b)
{
	if (!b->first)
		return;
	if (e->members > 1)
		SIM_EACH_CHUNK (e, b, c)
			e->pool.nfree++;
	sim_last_chunk(e, b)->next = e->pool.free;
	e->pool.free = b->first;
	*b = (struct sim_bucket){ 0 };
}

static __attribute__((noinline)) void add_chunk(struct sim_engine *e, struct sim_bucket *b)
{
	struct sim_chunk *fresh = pool_take(&e->pool);
	if (b->first) {
		struct sim_chunk *last = sim_last_chunk(e, b);
		last->used = (uint32_t)(b->cur - (unsigned char *)last);
		last->next = fresh;
	} else {
		b->first = fresh;
	}
	b->cur = fresh->data;
}

/* Reserves `bytes` at the end of a bucket. (Without a chunk, cur is NULL.) */
static inline struct sim_event *append_event(struct sim_engine *e, struct sim_bucket *b, size_t bytes)
{
	uintptr_t used = (uintptr_t)b->cur & e->ctx.chunk_mask;
	base_check(b->first || !used);
	if (sim_unlikely(used == 0 || used + bytes > e->ctx.chunk_mask + 1))
		add_chunk(e, b);
	struct sim_event *ev = (struct sim_event *)(void *)b->cur;
	b->cur += bytes;
	base_check(sim_last_chunk(e, b)->data <= (unsigned char *)ev && ((uintptr_t)ev & e->ctx.chunk_mask) != 0);
	return ev;
}

struct sim_event *sim_wheel_fresh(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words)
{
	void *at = append_event(e, &e->fresh, sizeof(struct sim_event) + 8 * (size_t)words);
	return sim_begin_record(at, lp, time, key, words);
}

/* Empties the list of events that LPs of the block have sent to themselves. Its first chunk is kept for those of the
 * next block: it is in the cache, and only this thread reads it. */
static void clear_fresh(struct sim_engine *e)
{
	struct sim_chunk *first = e->fresh.first;
	if (!first)
		return;
	if (first != sim_last_chunk(e, &e->fresh)) {
		struct sim_bucket others = { e->fresh.cur, first->next };
		release(e, &others);
	}
	e->fresh.cur = first->data;
}

void sim_wheel_release_block(struct sim_engine *e, uint64_t window, uint32_t block)
{
	clear_fresh(e);
	for (unsigned k = 0; k < e->members; k++) {
		if (k != e->thread && e->pool.nfree >= SIM_ENOUGH_FREE)
			continue;
		struct sim_bucket *b = sim_buckets_of(e, k, window, block);
		release(e, &b[0]);
		release(e, &b[1]);
	}
}

static uint64_t half(const struct sim_engine *e)
{
	return e->slots / 2;
}

static void set_limit(struct sim_engine *e)
{
	e->limit = (e->base / half(e) + 2) * half(e);
	e->ctx.fast_count = e->limit - 1 > e->ctx.fast_after ? e->limit - 1 - e->ctx.fast_after : 0;
}

static struct sim_bucket *far_bucket(struct sim_engine *e, uint64_t window)
{
	uint64_t f = window / half(e);
	base_checkf(window >= e->limit && f >= e->far_base, "window %llu, %llu is beyond the wheel",
	            (unsigned long long)window, (unsigned long long)e->limit);
	if (f - e->far_base < SIM_FAR_SLOTS)
		return &e->far[f % SIM_FAR_SLOTS];
	if (window < e->beyond_min)
		e->beyond_min = window;
	return &e->beyond;
}

struct sim_event *sim_wheel_insert(struct sim_engine *e, sim_lpid lp, sim_time time, uint64_t key, unsigned words,
                                   bool *in_wheel)
{
	uint64_t w = sim_window_of(&e->ctx, time);
	struct sim_bucket *b;
	*in_wheel = w < e->limit;
	if (*in_wheel) {
		b = sim_wheel_buckets(e, w, (lp - e->ctx.base) >> e->ctx.block_shift) + (words == SIM_LONG_WORDS);
		uint64_t slot = w & e->ctx.wheel_mask;
		e->nonempty[slot / 64] |= 1ull << slot % 64;
	} else {
		b = far_bucket(e, w);
	}
	void *at = append_event(e, b, sizeof(struct sim_event) + 8 * (size_t)words);
	return sim_begin_record(at, lp, time, key, words);
}

static void reinsert(struct sim_engine *e, const struct sim_event *old)
{
	if (old->state & SIM_EVENT_DEAD)
		return;
	bool in_wheel;
	unsigned words = old->state & SIM_EVENT_LONG ? SIM_LONG_WORDS : SIM_SHORT_WORDS;
	struct sim_event *ev = sim_wheel_insert(e, old->lp, old->time, old->key, words, &in_wheel);
	ev->aux = old->aux;
	ev->kind = old->kind;
	ev->state = old->state;
	memcpy(ev->payload, old->payload, 8 * (size_t)words);
}

static void spread(struct sim_engine *e, struct sim_bucket *b)
{
	struct sim_bucket old = *b;
	*b = (struct sim_bucket){ 0 };
	SIM_EACH_CHUNK (e, &old, c)
		SIM_EACH_RECORD (e, &old, c, ev)
			reinsert(e, ev);
	release(e, &old);
}

bool sim_wheel_turns(const struct sim_engine *e, uint64_t base)
{
	return e->base / half(e) != base / half(e);
}

/* Windows that the wheel leaves are empty: their slots are reused. */
static void check_left_behind(const struct sim_engine *e, uint64_t base)
{
	base_checkf(base >= e->base, "back from window %llu to %llu", (unsigned long long)e->base,
	            (unsigned long long)base);
	for (uint64_t w = e->base; BASE_CHECKING && w < base && w < e->limit; w++)
		base_checkf(!(e->nonempty[(w & e->ctx.wheel_mask) / 64] >> w % 64 & 1), "window %llu holds records",
		            (unsigned long long)w);
}

void sim_wheel_advance(struct sim_engine *e, uint64_t base)
{
	uint64_t before = e->base / half(e), after = base / half(e);
	check_left_behind(e, base);
	if (base != e->base && e->model.settled)
		e->model.settled(e->model.self, base * e->width);
	e->base = base;
	set_limit(e);
	if (before != after) {
		uint64_t far_was = e->far_base;
		e->far_base = after + 2;
		/* distributes the far lists that the wheel now covers; at most all of them */
		uint64_t n = e->far_base - far_was;
		if (n > SIM_FAR_SLOTS)
			n = SIM_FAR_SLOTS;
		for (uint64_t i = 0; i < n; i++)
			spread(e, &e->far[(far_was + i) % SIM_FAR_SLOTS]);
		if (e->beyond.first && e->beyond_min / half(e) < e->far_base + SIM_FAR_SLOTS / 2) {
			e->beyond_min = SIM_WINDOW_NONE;
			spread(e, &e->beyond);
		}
	}
}

static uint64_t first_in_wheel(const struct sim_engine *e, uint64_t from)
{
	uint64_t l = e->limit;
	for (uint64_t w = from; w < l;) {
		uint64_t slot = w & e->ctx.wheel_mask;
		uint64_t bits = e->nonempty[slot / 64] >> slot % 64;
		if (bits) {
			w += (uint64_t)__builtin_ctzll(bits);
			return w < l ? w : SIM_WINDOW_NONE;
		}
		w += 64 - slot % 64;
	}
	return SIM_WINDOW_NONE;
}

uint64_t sim_wheel_next(struct sim_engine *e, uint64_t from)
{
	uint64_t w = first_in_wheel(e, from);
	if (w != SIM_WINDOW_NONE)
		return w;
	uint64_t beyond =
	    e->beyond.first ? e->beyond_min : SIM_WINDOW_NONE; /* may lie between far lists that were filled later */
	for (uint64_t i = 0; i < SIM_FAR_SLOTS; i++) {
		struct sim_bucket *b = &e->far[(e->far_base + i) % SIM_FAR_SLOTS];
		uint64_t least = SIM_WINDOW_NONE;
		SIM_EACH_CHUNK (e, b, c)
			SIM_EACH_RECORD (e, b, c, ev) {
				uint64_t v = sim_window_of(&e->ctx, ev->time);
				if (!(ev->state & SIM_EVENT_DEAD) && v < least)
					least = v;
			}
		if (least != SIM_WINDOW_NONE)
			return least < beyond ? least : beyond;
	}
	return beyond;
}

void sim_wheel_release_window(struct sim_engine *e, uint64_t window)
{
	struct sim_bucket *b = sim_wheel_buckets(e, window, 0);
	for (uint32_t i = 2 * e->block_first; i < 2 * e->block_end; i++)
		release(e, b + i);
	uint64_t slot = window & e->ctx.wheel_mask;
	e->nonempty[slot / 64] &= ~(1ull << slot % 64);
}

/* Takes records out of one bucket of the wheel: the remaining ones are appended anew. */
static void take_from(struct sim_engine *e, struct sim_bucket *b, size_t bytes, sim_lpid from, sim_lpid to,
                      void (*visit)(void *, const struct sim_event *), void *arg)
{
	struct sim_bucket old = *b;
	*b = (struct sim_bucket){ 0 };
	SIM_EACH_CHUNK (e, &old, c)
		SIM_EACH_RECORD (e, &old, c, ev)
			if (ev->lp - from >= to - from)
				memcpy(append_event(e, b, bytes), ev, bytes);
			else if (!(ev->state & SIM_EVENT_DEAD))
				visit(arg, ev);
	release(e, &old);
}

/* In the far lists, where records of both lengths are mixed, taken records are marked as dead. */
static void take_far(struct sim_engine *e, struct sim_bucket *b, sim_lpid from, sim_lpid to,
                     void (*visit)(void *, const struct sim_event *), void *arg)
{
	SIM_EACH_CHUNK (e, b, c)
		SIM_EACH_RECORD (e, b, c, ev)
			if (ev->lp - from < to - from && !(ev->state & SIM_EVENT_DEAD)) {
				visit(arg, ev);
				ev->state |= SIM_EVENT_DEAD;
			}
}

void sim_wheel_take(struct sim_engine *e, sim_lpid from, sim_lpid to,
                    void (*visit)(void *arg, const struct sim_event *event), void *arg)
{
	uint32_t first = (from - e->ctx.base) >> e->ctx.block_shift,
		 last = (to - 1 - e->ctx.base) >> e->ctx.block_shift;
	sim_wheel_forget_found(e);
	for (uint64_t w = first_in_wheel(e, e->base); w != SIM_WINDOW_NONE; w = first_in_wheel(e, w + 1))
		for (uint32_t block = first; block <= last; block++) {
			struct sim_bucket *b = sim_wheel_buckets(e, w, block);
			take_from(e, &b[0], SIM_SHORT_BYTES, from, to, visit, arg);
			take_from(e, &b[1], SIM_LONG_BYTES, from, to, visit, arg);
		}
	for (uint32_t i = 0; i < SIM_FAR_SLOTS; i++)
		take_far(e, &e->far[i], from, to, visit, arg);
	take_far(e, &e->beyond, from, to, visit, arg);
}

static void each_in(struct sim_engine *e, struct sim_bucket *b, void (*visit)(void *, const struct sim_event *),
                    void *arg)
{
	SIM_EACH_CHUNK (e, b, c)
		SIM_EACH_RECORD (e, b, c, ev)
			if (!(ev->state & (SIM_EVENT_DEAD | SIM_EVENT_DONE)))
				visit(arg, ev);
}

void sim_wheel_each(struct sim_engine *e, void (*visit)(void *arg, const struct sim_event *event), void *arg)
{
	for (uint64_t w = e->base; w < e->limit; w++)
		for (uint32_t b = 0; b < 2 * e->ctx.blocks; b++)
			each_in(e, sim_wheel_buckets(e, w, 0) + b, visit, arg);
	for (uint64_t i = 0; i < SIM_FAR_SLOTS; i++)
		each_in(e, &e->far[i], visit, arg);
	each_in(e, &e->beyond, visit, arg);
}

void sim_wheel_init(struct sim_engine *e)
{
	e->ctx.wheel_mask = e->slots - 1;
	e->ctx.chunk_mask = e->pool.chunk_bytes - 1;
	e->ctx.wheel = base_map(2 * (size_t)e->slots * e->ctx.blocks * sizeof *e->ctx.wheel);
	e->nonempty = base_calloc(e->slots / 64, sizeof *e->nonempty);
	e->base = 0;
	e->far_base = 2;
	e->beyond_min = SIM_WINDOW_NONE;
	e->limit = 2 * half(e); /* and fast_count is 0: first events take the slow path */
}

static uint64_t chunks_of(const struct sim_engine *e, const struct sim_bucket *b)
{
	uint64_t n = 0;
	SIM_EACH_CHUNK (e, b, c)
		n++;
	return n;
}

/* Every chunk ever used is either free or in one bucket. */
static bool chunks_are_all_there(const struct sim_engine *e)
{
	uint64_t n = chunks_of(e, &e->fresh) + chunks_of(e, &e->beyond);
	for (const struct sim_chunk *c = e->pool.free; c && n <= e->pool.chunks_used; c = c->next)
		n++;
	for (size_t i = 0; i < SIM_FAR_SLOTS; i++)
		n += chunks_of(e, &e->far[i]);
	for (size_t i = 0; i < 2 * (size_t)e->slots * e->ctx.blocks; i++)
		n += chunks_of(e, &e->ctx.wheel[i]);
	return n == e->pool.chunks_used;
}

void sim_wheel_destroy(struct sim_engine *e)
{
	base_check(e->team || chunks_are_all_there(e)); /* threads take each other's chunks */
	base_unmap(e->ctx.wheel, 2 * (size_t)e->slots * e->ctx.blocks * sizeof *e->ctx.wheel);
	free(e->nonempty);
	sim_wheel_forget_found(e);
	sim_pool_free(&e->pool);
}
