/* sim/batch.c - executes the pending events of one bucket, LP by LP; those of each LP in the order of (time, key)
 * (sort.c).
 *
 * Events that an LP sends to itself for the same window wait in a short sorted list, with a heap for the overflow, and
 * are merged into that order (own.h). The memory that an event will touch is prefetched some events before it runs. */
#include "sim/own.h"
#include "sim/sort.h"

#include <string.h>

#define LOOK_AHEAD 12   /* minimum prefetch distance, in events */
#define AHEAD_STEP 8    /* events prefetched in one step */
#define MANY_EVENTS 512 /* of a block: its records exceed the first-level cache before they are executed */

/* --- records of the next block --------------------------------------------------------------------------- */

static void stream_member(const struct sim_engine *e, struct sim_stream *x)
{
	x->bucket = sim_buckets_of(e, x->member, x->window, x->block);
	x->last = x->bucket + 2;
}

static void stream_chunk(struct sim_engine *e, struct sim_stream *x)
{
	while (x->chunk == NULL) {
		if (x->bucket == x->last) {
			if (++x->member >= e->members)
				break;
			stream_member(e, x);
		}
		x->chunk = x->bucket->first;
		if (!x->chunk)
			x->bucket++;
	}
	x->at = (const unsigned char *)x->chunk;
	if (x->chunk)
		x->end = x->chunk == sim_last_chunk(e, x->bucket) ? x->bucket->cur : x->at + e->ctx.chunk_mask + 1;
}

static void stream_start(struct sim_engine *e, uint64_t window, uint32_t block)
{
	struct sim_stream *x = &e->scratch.ahead;
	*x = (struct sim_stream){ 0 };
	if (block >= e->ctx.blocks)
		return;
	x->window = window;
	x->block = block;
	stream_member(e, x);
	stream_chunk(e, x);
}

/* Prefetches the next lines, two for every item of a step. Prefetching past the last record is harmless. */
static inline void stream_step(struct sim_engine *e)
{
	struct sim_stream *x = &e->scratch.ahead;
	if (!x->at)
		return;
#pragma GCC unroll 16
	for (unsigned k = 0; k < 2 * AHEAD_STEP; k++)
		__builtin_prefetch(x->at + k * 64);
	x->at += 2 * AHEAD_STEP * 64;
	if (sim_likely(x->at < x->end))
		return;
	if (x->chunk == sim_last_chunk(e, x->bucket)) {
		x->chunk = NULL;
		x->bucket++;
	} else {
		x->chunk = x->chunk->next;
	}
	stream_chunk(e, x);
}

/* Prefetches the memory that items [from, to) will touch, and keeps the model's hints for them. */
static void look_ahead(struct sim_engine *e, uint32_t from, uint32_t to)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t (*prefetch)(void *, const struct sim_event *) = e->model.prefetch;
	void *self = e->model.self;
	if (to - from == AHEAD_STEP) {
#pragma GCC unroll 8
		for (uint32_t i = 0; i < AHEAD_STEP; i++)
			s->hint[from + i] = prefetch(self, s->record[s->sorted[from + i] & SIM_INDEX_MASK]);
		return;
	}
	for (uint32_t i = from; i < to; i++)
		s->hint[i] = prefetch(self, s->record[s->sorted[i] & SIM_INDEX_MASK]);
}

/* Prefetches the records of the next group of items: they may have left the cache since they were gathered. */
static inline void records_ahead(const struct sim_scratch *s, uint32_t from, uint32_t n)
{
	if (sim_unlikely(from + AHEAD_STEP > n))
		return;
#pragma GCC unroll 8
	for (uint32_t i = from; i < from + AHEAD_STEP; i++)
		__builtin_prefetch(s->record[s->sorted[i] & SIM_INDEX_MASK]);
}

/* The same for the next group of items: at every AHEAD_STEP-th item of n. */
static __attribute__((noinline)) void look_ahead_step(struct sim_engine *e, uint32_t n)
{
	uint32_t from = e->scratch.ahead_at + LOOK_AHEAD;
	e->scratch.ahead_at += AHEAD_STEP;
	stream_step(e);
	if (e->scratch.deep || n > MANY_EVENTS)
		records_ahead(&e->scratch, from + AHEAD_STEP, n);
	if (from < n)
		look_ahead(e, from, n - from < AHEAD_STEP ? n : from + AHEAD_STEP);
}

/* And for events that the LP has sent to itself, except those of its last event, which were written just now. */
static inline void look_at_fresh(struct sim_engine *e)
{
	struct sim_scratch *s = &e->scratch;
	for (; s->fresh < s->fresh_to; s->fresh++)
		s->hint[s->fresh] = e->model.prefetch(e->model.self, s->record[s->fresh]);
	s->fresh_to = s->nrecords;
}

/* Has the LP sent itself an event that precedes ev? */
static inline bool own_is_next(struct sim_scratch *s, const struct sim_event *ev)
{
	base_check(s->own_end && ev->time >= s->own_time);
	return ev->time != s->own_time || sim_key_before(s, s->record[s->own[s->own_first].record], ev);
}

/* The next event of an LP whose items are [*i, hi) of n; NULL: none left. */
static inline struct sim_event *next_event(struct sim_engine *e, uint32_t *i, uint32_t hi, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	struct sim_event *ev;
	uint32_t at = *i; /* index in s->hint */
	if (sim_unlikely(at == s->ahead_at))
		look_ahead_step(e, n);
	if (sim_unlikely(s->fresh < s->nrecords))
		look_at_fresh(e);
	if (sim_likely(at < hi)) {
		ev = s->record[s->sorted[at] & SIM_INDEX_MASK];
		if (sim_unlikely(ev->time >= s->own_time) && own_is_next(s, ev)) {
			at = sim_own_pop(s);
			ev = s->record[at];
		} else {
			++*i;
		}
	} else if (s->own_end) {
		at = sim_own_pop(s);
		ev = s->record[at];
	} else {
		return NULL;
	}
	e->ctx.hint = s->hint[at];
	e->ctx.now = ev->time;
	e->ctx.now_key = ev->key;
	return ev;
}

/* Events of an LP run in order: checked by run_safe() and run_speculative(). */
static inline void check_order(const struct sim_engine *e, sim_lpid lp, const struct sim_event *ev, uint64_t count,
                               sim_time *time, uint64_t *key)
{
	base_checkf(ev->lp == lp && sim_window_of(&e->ctx, ev->time) == e->window, "LP %u at %llu ps in window %llu",
	            lp, (unsigned long long)ev->time, (unsigned long long)e->window);
	base_checkf(!count || !sim_before(ev->time, ev->key, *time, *key), "LP %u at %llu ps after %llu ps", lp,
	            (unsigned long long)ev->time, (unsigned long long)*time);
	*time = ev->time;
	*key = ev->key;
}

static __attribute__((noinline)) void before_event(struct sim_engine *e, sim_lpid lp, struct sim_event *ev, bool mark)
{
	if (mark)
		ev->state |= SIM_EVENT_DONE;
	if (e->config.audit)
		sim_audit_event(e, lp, ev);
}

/* Runs the events of items [lo, hi), all of one LP, for good: they will not be undone. Their records are marked as done
 * only if their bucket may be scanned again; without a mark, the record's cache line is not written. */
static void run_safe(struct sim_engine *e, sim_lpid lp, uint32_t lo, uint32_t hi, uint32_t n)
{
	uint64_t count = 0, key = 0;
	sim_time time = 0;
	const bool mark = e->window == e->partial_window, seldom = mark || e->config.audit;
	for (struct sim_event *ev; (ev = next_event(e, &lo, hi, n)); count++) {
		if (BASE_CHECKING)
			check_order(e, lp, ev, count, &time, &key);
		if (sim_unlikely(seldom))
			before_event(e, lp, ev, mark);
		e->model.handle(&e->ctx, e->model.self, lp, ev);
	}
	e->count.events_processed += count;
	e->count.events_committed += count;
}

static void run_speculative(struct sim_engine *e, sim_lpid lp, uint32_t lo, uint32_t hi, uint32_t n)
{
	uint64_t count = 0, key = 0;
	sim_time time = 0;
	for (struct sim_event *ev; (ev = next_event(e, &lo, hi, n)); count++) {
		if (BASE_CHECKING)
			check_order(e, lp, ev, count, &time, &key);
		sim_spec_begin(e, lp, e->window, ev);
		e->model.handle(&e->ctx, e->model.self, lp, ev);
		sim_spec_end(e);
	}
	e->count.events_processed += count;
	e->count.speculative += count;
	e->spec_since += count;
}

/* Offers the model the short events in scratch.early. Returns how many it declines: those are moved to the front. */
static uint32_t run_early(struct sim_engine *e, const struct sim_gathered *g)
{
	struct sim_scratch *s = &e->scratch;
	struct sim_ordered ordered = { s->record, s->sorted, s->bin, g->sub_bits, g->first, 1u << e->ctx.block_shift };
	uint32_t m = g->early;
	sim_phase_enter(e, SIM_PHASE_EXECUTE);
	e->in_handler = true;
	uint32_t left = e->model.early(e->model.self, s->early, m, &ordered);
	e->in_handler = false;
	sim_phase_enter(e, SIM_PHASE_QUEUE);
	base_checkf(left <= m, "%u of %u events are left", left, m);
	if (sim_unlikely(e->window == e->partial_window))
		for (uint32_t i = left; i < m; i++)
			s->early[i]->state |= SIM_EVENT_DONE;
	e->count.events_processed += m - left;
	e->count.events_committed += m - left;
	return left;
}

/* Runs the sorted items, LP by LP. `left`: number of short events to be merged in. */
static void run_items(struct sim_engine *e, const struct sim_gathered *g, uint32_t left, unsigned char *clean,
                      bool speculative)
{
	struct sim_scratch *s = &e->scratch;
	const uint32_t n = g->n;
	const sim_lpid first = g->first;
	s->nrecords = s->fresh_to = n;
	base_check(!s->own_end);
	s->own_time = SIM_NEVER;
	s->fresh = s->ahead_at = UINT32_MAX;
	if (e->model.prefetch) {
		s->fresh = n;
		s->ahead_at = 0;
		stream_start(e, e->window, e->team ? e->next_block : ((first - e->ctx.base) >> e->ctx.block_shift) + 1);
		look_ahead(e, 0, n < LOOK_AHEAD ? n : LOOK_AHEAD);
	} else if (n) {
		memset(s->hint, 0xff, n * sizeof *s->hint); /* SIM_NO_HINT */
	}
	unsigned shift = SIM_INDEX_BITS + sim_width_bits(e);
	for (uint32_t lo = 0, at = 0, hi; lo < n || at < left; lo = hi) {
		uint32_t k = lo < n ? (uint32_t)(s->sorted[lo] >> shift) : UINT32_MAX;
		if (sim_unlikely(at < left) && s->early_sorted[at]->lp - first < k)
			k = s->early_sorted[at]->lp - first;
		hi = s->bin[(k + 1) << g->sub_bits];
		for (; at < left && s->early_sorted[at]->lp - first == k; at++)
			sim_own_push(e, s->early_sorted[at]);
		e->lp = first + k;
		if (e->model.enter)
			e->model.enter(e->model.self, first + k);
		if (!speculative) {
			run_safe(e, first + k, lo, hi, n);
			continue;
		}
		run_speculative(e, first + k, lo, hi, n);
		if (hi < n && e->transport && !e->config.stress && sim_transport_waiting(e->transport)) {
			*clean = 0;
			break;
		}
	}
}

/* Reports that two events of the block that has just been run had the same time and key. If the block was run
 * speculatively nothing is reported, because one of the two events may still be cancelled. */
static __attribute__((noinline)) void report_tie(struct sim_engine *e, bool speculative)
{
	const struct sim_event *ev = e->scratch.tied;
	e->scratch.tied = NULL;
	if (!speculative)
		sim_fail(e, "at %llu ps, LP %u: two events have the same time and key, so their order is undefined",
		         (unsigned long long)ev->time, ev->lp);
}

void sim_run_block(struct sim_engine *e, uint64_t window, uint32_t block, bool speculative)
{
	if (!sim_sort_any(e, window, block))
		return;
	unsigned before = sim_phase_enter(e, SIM_PHASE_QUEUE);
	e->window = window;
	e->window_start = window * e->width;
	struct sim_gathered g;
	if (!sim_gather(e, window, block, speculative, &g))
		return;
	unsigned char *clean = e->clean ? &e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] : NULL;
	if (clean)
		*clean = 1;
	if (g.n + g.early == 0) {
		sim_phase_enter(e, before);
		return;
	}
	sim_sort(e, &g);
	uint32_t left = g.early ? run_early(e, &g) : 0; /* these need no order within an LP */
	left = sim_sort_left(e, &g, left);
	sim_phase_enter(e, speculative ? SIM_PHASE_SPECULATE : SIM_PHASE_EXECUTE);
	e->in_handler = true;
	e->own_until = e->window_start + e->width < e->config.end ? e->window_start + e->width : e->config.end;
	run_items(e, &g, left, clean, speculative);
	if (sim_unlikely(e->scratch.tied))
		report_tie(e, speculative);
	e->in_handler = false;
	e->own_until = 0;
	if (!speculative && window != e->partial_window)
		sim_wheel_release_block(e, window, block);
	sim_phase_enter(e, before);
}
