/* sim/batch.c - executing one bucket: gather its pending records, sort those of each LP by (time, key), run LP by LP.
 *
 * Sorting is a counting sort over (LP, slice of the window) with about one record per bin, then an insertion sort with
 * almost no work left. Events that an LP sends to itself within the window wait in a short sorted list, with a heap for
 * the overflow, and are merged in. Records stay in place; only 8-byte items move. */
#include "base/memory.h"
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

#define INDEX_BITS 24
#define PREFETCH_BYTES 512 /* ahead of the record being gathered: the hardware prefetcher stops at a page's end */
#define LOOK_AHEAD 12      /* minimum prefetch distance, in events */
#define AHEAD_STEP 8       /* events prefetched in one step */
#define DEEP_BYTES                                                                                                   \
	32768           /* of pending events an LP: above it records leave the cache between gathering and execution \
	                 */
#define MANY_EVENTS 512 /* of a block: its records exceed the first-level cache before they are executed */
#define MANY_LEFT 4 /* short events fewer than this part of the others are sorted with them instead of using a heap */
#define INDEX_MASK ((1u << INDEX_BITS) - 1)

static void scratch_reserve(struct sim_scratch *s, uint32_t n)
{
	if (n <= s->cap)
		return;
	while (s->cap < n)
		s->cap = s->cap ? 2 * s->cap : 1024;
	s->record = base_realloc(s->record, s->cap * sizeof *s->record);
	s->item = base_realloc(s->item, s->cap * sizeof *s->item);
	s->sorted = base_realloc(s->sorted, s->cap * sizeof *s->sorted);
	s->bin_of = base_realloc(s->bin_of, s->cap * sizeof *s->bin_of);
	s->hint = base_realloc(s->hint, s->cap * sizeof *s->hint);
}

static void early_reserve(struct sim_scratch *s, uint32_t n)
{
	if (n <= s->cap_early)
		return;
	while (s->cap_early < n)
		s->cap_early = s->cap_early ? 2 * s->cap_early : 1024;
	s->early = base_realloc(s->early, s->cap_early * sizeof *s->early);
	s->early_sorted = base_realloc(s->early_sorted, s->cap_early * sizeof *s->early_sorted);
}

void sim_scratch_free(struct sim_scratch *s)
{
	free(s->record);
	free(s->item);
	free(s->sorted);
	free(s->bin_of);
	free(s->hint);
	free(s->early);
	free(s->early_sorted);
	free(s->bin);
	free(s->early_bin);
	free(s->heap);
}

/* Key of item i, against its parent's and its children's. */
static bool heap_in_order(struct sim_scratch *s, uint32_t i)
{
	const struct sim_own_item *h = s->heap;
	if (i > 0 && sim_own_before(s, h[i], h[(i - 1) / 2]))
		return false;
	for (uint32_t c = 2 * i + 1; c <= 2 * i + 2 && c < s->nheap; c++)
		if (sim_own_before(s, h[c], h[i]))
			return false;
	return true;
}

static void heap_push(struct sim_scratch *s, struct sim_own_item x)
{
	if (s->nheap == s->cap_heap) {
		s->cap_heap = s->cap_heap ? 2 * s->cap_heap : 64;
		s->heap = base_realloc(s->heap, s->cap_heap * sizeof *s->heap);
	}
	uint32_t i = s->nheap++;
	for (uint32_t up; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!sim_own_before(s, x, s->heap[up]))
			break;
		s->heap[i] = s->heap[up];
	}
	s->heap[i] = x;
	base_check(heap_in_order(s, i));
}

static __attribute__((noinline)) struct sim_own_item heap_pop(struct sim_scratch *s)
{
	struct sim_own_item top = s->heap[0], last = s->heap[--s->nheap];
	uint32_t i = 0;
	for (;;) {
		uint32_t c = 2 * i + 1;
		if (c >= s->nheap)
			break;
		if (c + 1 < s->nheap && sim_own_before(s, s->heap[c + 1], s->heap[c]))
			c++;
		if (!sim_own_before(s, s->heap[c], last))
			break;
		s->heap[i] = s->heap[c];
		i = c;
	}
	s->heap[i] = last;
	base_check(!s->nheap || (heap_in_order(s, 0) && heap_in_order(s, i)));
	return top;
}

/* Is every event of own[] before the next one, and the last before all of the heap? */
static bool own_in_order(struct sim_scratch *s)
{
	if (!s->own_end)
		return !s->nheap && s->own_time == SIM_NEVER;
	for (uint32_t i = s->own_first; i + 1 < s->own_end; i++)
		if (sim_own_before(s, s->own[i + 1], s->own[i]))
			return false;
	return s->own_first < s->own_end && s->own_time == s->own[s->own_first].time &&
	       (!s->nheap || !sim_own_before(s, s->heap[0], s->own[s->own_end - 1]));
}

__attribute__((noinline)) void sim_scratch_grow(struct sim_scratch *s)
{
	scratch_reserve(s, s->nrecords + 1);
}

__attribute__((noinline)) void sim_own_push_seldom(struct sim_scratch *s, struct sim_own_item x)
{
	base_check(own_in_order(s));
	if (s->nheap && !sim_own_before(s, x, s->heap[0])) {
		heap_push(s, x);
		return;
	}
	if (s->own_end == SIM_OWN_SORTED && s->own_first) {
		s->own_end -= s->own_first;
		memmove(s->own, s->own + s->own_first, s->own_end * sizeof *s->own);
		s->own_first = 0;
	} else if (s->own_end == SIM_OWN_SORTED) { /* own[] is full: its last event goes to the heap */
		if (!sim_own_before(s, x, s->own[SIM_OWN_SORTED - 1])) {
			heap_push(s, x);
			return;
		}
		heap_push(s, s->own[--s->own_end]);
	}
	sim_own_insert(s, x);
	base_check(own_in_order(s));
}

/* Removes and returns the first event; the heap is not empty. */
static inline uint32_t own_pop(struct sim_scratch *s)
{
	uint32_t record = s->own[s->own_first++].record;
	if (s->own_first < s->own_end) {
		s->own_time = s->own[s->own_first].time;
	} else {
		s->own_first = s->own_end = 0;
		s->own_time = SIM_NEVER;
		if (sim_unlikely(s->nheap))
			sim_own_insert(s, heap_pop(s));
	}
	base_check(own_in_order(s));
	return record;
}

/* --- gathering ------------------------------------------------------------------------------------------- */

static inline unsigned char *chunk_end(const struct sim_engine *e, const struct sim_bucket *b, struct sim_chunk *c)
{
	return c == sim_last_chunk(e, b) ? b->cur : (unsigned char *)c + c->used;
}

static inline void prefetch_next_chunk(const struct sim_engine *e, const struct sim_bucket *b,
                                       const struct sim_chunk *c)
{
	if (c != sim_last_chunk(e, b))
		for (unsigned k = 0; k < PREFETCH_BYTES; k += 64)
			__builtin_prefetch((const char *)c->next + k);
}

static uint32_t count_records(const struct sim_engine *e, const struct sim_bucket *b, size_t bytes)
{
	size_t n = 0;
	SIM_EACH_CHUNK (e, b, c)
		n += (size_t)(chunk_end(e, b, c) - c->data) / bytes;
	return n < INDEX_MASK ? (uint32_t)n : INDEX_MASK;
}

/* An item: the LP's number in the block, the offset in the window (in `bits` bits), and the index of the record. */
static inline unsigned width_bits(const struct sim_engine *e)
{
	return 64 - (unsigned)__builtin_clzll((e->width - 1) | 1);
}

/* Pending records of the block in the wheels of all threads. */
static uint32_t count_all(const struct sim_engine *e, uint64_t window, uint32_t block, unsigned is_long)
{
	uint64_t n = 0;
	for (unsigned k = 0; k < e->members; k++)
		n += count_records(e, sim_buckets_of(e, k, window, block) + is_long, SIM_SHORT_BYTES << is_long);
	return n < INDEX_MASK ? (uint32_t)n : INDEX_MASK;
}

static bool any_records(const struct sim_engine *e, uint64_t window, uint32_t block)
{
	for (unsigned k = 0; k < e->members; k++) {
		const struct sim_bucket *b = sim_buckets_of(e, k, window, block);
		if (b[0].first || b[1].first)
			return true;
	}
	return false;
}

static inline bool pending(const struct sim_engine *e, const struct sim_event *ev)
{
	return !(ev->state & (SIM_EVENT_DONE | SIM_EVENT_DEAD)) && ev->time < e->config.end;
}

/* Allocates bins of (LP, slice of the window), about one record per bin, for n records. Full networks get twice as many
 * bins: the order of two records in one bin is unpredictable for branches, and comparing them reads the records. */
static unsigned choose_bins(struct sim_engine *e, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t lps = 1u << e->ctx.block_shift;
	unsigned sub_bits = 0, bits = width_bits(e);
	s->deep = e->pool.chunks_used * e->pool.chunk_bytes > (uint64_t)e->lp_capacity * DEEP_BYTES;
	while (sub_bits < bits && sub_bits < 12 && (uint64_t)lps << sub_bits < (uint64_t)n << s->deep)
		sub_bits++;
	uint32_t bins = lps << sub_bits;
	if (bins + 2 > s->cap_bins) {
		s->cap_bins = 2 * bins + 2;
		free(s->bin);
		s->bin = base_alloc(s->cap_bins * sizeof *s->bin);
	}
	memset(s->bin, 0, (bins + 2) * sizeof *s->bin);
	scratch_reserve(s, n);
	return sub_bits;
}

/* Appends a bucket's pending records to scratch.record, item and bin_of, and counts them in bin[k + 2]. `all`: no
 * record is done or dead. */
static inline __attribute__((always_inline)) uint32_t gather(struct sim_engine *e, const struct sim_bucket *b,
                                                             size_t bytes, sim_lpid first, unsigned sub_bits, bool all,
                                                             uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	unsigned bits = width_bits(e), shift = bits - sub_bits;
	uint32_t *bin = s->bin + 2;
	sim_time start = e->window_start;
	SIM_EACH_CHUNK (e, b, c) {
		prefetch_next_chunk(e, b, c);
		for (unsigned char *at = c->data, *end = chunk_end(e, b, c); at < end; at += bytes) {
			struct sim_event *ev = (struct sim_event *)(void *)at;
			__builtin_prefetch(at + PREFETCH_BYTES);
			uint64_t offset = ev->time - start;
			uint64_t place = (uint64_t)(ev->lp - first) << bits | offset;
			uint32_t k = (uint32_t)(place >> shift);
			bool live = all || pending(e, ev);
			base_checkf(offset < e->width && (ev->lp - first) >> e->ctx.block_shift == 0,
			            "LP %u at %llu ps, window of %llu ps", ev->lp, (unsigned long long)ev->time,
			            (unsigned long long)start);
			base_check(!all || pending(e, ev));
			s->record[n] = ev;
			s->item[n] = place << INDEX_BITS | n;
			s->bin_of[n] = k;
			bin[k] += live;
			n += live;
		}
	}
	return n;
}

/* Collects short events that the model may handle early, in the order of arrival. */
static uint32_t gather_early(struct sim_engine *e, const struct sim_bucket *b, bool all, uint32_t m)
{
	struct sim_scratch *s = &e->scratch;
	SIM_EACH_CHUNK (e, b, c) {
		prefetch_next_chunk(e, b, c);
		for (unsigned char *at = c->data, *end = chunk_end(e, b, c); at < end; at += SIM_SHORT_BYTES) {
			struct sim_event *ev = (struct sim_event *)(void *)at;
			__builtin_prefetch(at + PREFETCH_BYTES);
			s->early[m] = ev;
			m += all || pending(e, ev);
		}
	}
	return m;
}

/* Places the items in the order of their bins: those of LP k are sorted[bin[k << sub_bits]] up to bin[(k + 1) <<
 * sub_bits]. */
static void sort_items(struct sim_engine *e, uint32_t n, unsigned sub_bits)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t *bin = s->bin, *next = bin + 1, bins = 1u << (e->ctx.block_shift + sub_bits), sum = bin[1];
#pragma GCC unroll 4
	for (uint32_t k = 2; k < bins + 2; k++)
		bin[k] = sum += bin[k];
	const uint64_t *item = s->item;
	const uint32_t *bin_of = s->bin_of;
	uint64_t *sorted = s->sorted;
#pragma GCC unroll 2
	for (uint32_t i = 0; i < n; i++)
		sorted[next[bin_of[i]]++] = item[i];
	base_checkf(bin[bins] == n, "%u records, %u in bins", n, bin[bins]);
}

/* The same for the first m of scratch.early, by LP only: early_sorted[early_bin[k]] up to early_bin[k + 1]. */
static void sort_early(struct sim_engine *e, uint32_t m, sim_lpid first)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t lps = 1u << e->ctx.block_shift;
	if (!s->early_bin)
		s->early_bin = base_calloc(lps + 2, sizeof *s->early_bin);
	uint32_t *bin = s->early_bin;
	memset(bin, 0, (lps + 2) * sizeof *bin);
	for (uint32_t i = 0; i < m; i++)
		bin[s->early[i]->lp - first + 2]++;
	for (uint32_t k = 2; k < lps + 2; k++)
		bin[k] += bin[k - 1];
	for (uint32_t i = 0; i < m; i++)
		s->early_sorted[bin[s->early[i]->lp - first + 1]++] = s->early[i];
}

static bool item_before(struct sim_scratch *s, uint64_t a, uint64_t b)
{
	if (a >> INDEX_BITS != b >> INDEX_BITS)
		return a < b;
	return sim_key_before(s, s->record[a & INDEX_MASK], s->record[b & INDEX_MASK]);
}

/* Moves item i, the first that may be out of order, to its place. Returns the item that is at i then. */
static inline uint64_t move_back(struct sim_scratch *s, uint32_t i)
{
	uint64_t *sorted = s->sorted, x = sorted[i];
	uint32_t j = i;
	for (; j > 0 && item_before(s, x, sorted[j - 1]); j--)
		sorted[j] = sorted[j - 1];
	sorted[j] = x;
	return sorted[i];
}

/* Sorts within LPs only: items of different LPs are in order already. */
static void finish_sort(struct sim_engine *e, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	const uint64_t *sorted = s->sorted;
	uint64_t last = n ? sorted[0] >> INDEX_BITS : 0;
	for (uint32_t i = 1; i < n; i++) {
		uint64_t at = sorted[i] >> INDEX_BITS;
		last = sim_likely(at > last) ? at : move_back(s, i) >> INDEX_BITS;
	}
}

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
			s->hint[from + i] = prefetch(self, s->record[s->sorted[from + i] & INDEX_MASK]);
		return;
	}
	for (uint32_t i = from; i < to; i++)
		s->hint[i] = prefetch(self, s->record[s->sorted[i] & INDEX_MASK]);
}

/* Prefetches the records of the next group of items: they may have left the cache since they were gathered. */
static inline void records_ahead(const struct sim_scratch *s, uint32_t from, uint32_t n)
{
	if (sim_unlikely(from + AHEAD_STEP > n))
		return;
#pragma GCC unroll 8
	for (uint32_t i = from; i < from + AHEAD_STEP; i++)
		__builtin_prefetch(s->record[s->sorted[i] & INDEX_MASK]);
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
		ev = s->record[s->sorted[at] & INDEX_MASK];
		if (sim_unlikely(ev->time >= s->own_time) && own_is_next(s, ev)) {
			at = own_pop(s);
			ev = s->record[at];
		} else {
			++*i;
		}
	} else if (s->own_end) {
		at = own_pop(s);
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

/* Runs items [lo, hi) of one LP for good. Records are marked only in a bucket that may be scanned again: an unmarked
 * record stays clean in the cache. */
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

/* Merges the first `left` of scratch.early into the n items, which were binned without them. */
static void sort_in(struct sim_engine *e, uint32_t n, uint32_t left, sim_lpid first, unsigned sub_bits)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t bins = 1u << (e->ctx.block_shift + sub_bits), *bin = s->bin + 2;
	unsigned bits = width_bits(e), shift = bits - sub_bits;
	scratch_reserve(s, n + left);
	memset(s->bin, 0, (bins + 2) * sizeof *s->bin);
	for (uint32_t i = 0; i < n; i++)
		bin[s->bin_of[i]]++;
	for (uint32_t i = 0, at = n; i < left; i++, at++) {
		struct sim_event *ev = s->early[i];
		uint64_t offset = ev->time - e->window_start;
		uint64_t place = (uint64_t)(ev->lp - first) << bits | offset;
		uint32_t k = (uint32_t)(place >> shift);
		base_checkf(offset < e->width && k < bins, "LP %u at %llu ps", ev->lp, (unsigned long long)ev->time);
		s->record[at] = ev;
		s->item[at] = place << INDEX_BITS | at;
		s->bin_of[at] = k;
		bin[k]++;
	}
	sort_items(e, n + left, sub_bits);
}

/* Offers the model the m short events in scratch.early. Returns how many it declines: those are moved to the front. */
static uint32_t run_early(struct sim_engine *e, uint32_t m, sim_lpid first, unsigned sub_bits)
{
	struct sim_scratch *s = &e->scratch;
	struct sim_ordered ordered = { s->record, s->sorted, s->bin, sub_bits, first, 1u << e->ctx.block_shift };
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
static void run_items(struct sim_engine *e, uint32_t n, uint32_t left, sim_lpid first, unsigned sub_bits,
                      unsigned char *clean, bool speculative)
{
	struct sim_scratch *s = &e->scratch;
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
	unsigned shift = INDEX_BITS + width_bits(e);
	for (uint32_t lo = 0, at = 0, hi; lo < n || at < left; lo = hi) {
		uint32_t k = lo < n ? (uint32_t)(s->sorted[lo] >> shift) : UINT32_MAX;
		if (sim_unlikely(at < left) && s->early_sorted[at]->lp - first < k)
			k = s->early_sorted[at]->lp - first;
		hi = s->bin[(k + 1) << sub_bits];
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

/* Two events of a block that has been run had the same time and key. Speculative events may be cancelled and do not
 * count. */
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
	if (!any_records(e, window, block))
		return;
	unsigned before = sim_phase_enter(e, SIM_PHASE_QUEUE);
	e->window = window;
	e->window_start = window * e->width;
	sim_lpid first = e->ctx.base + (block << e->ctx.block_shift);
	bool early = e->model.early && !speculative && !e->config.audit;
	bool all = (!e->optimistic || window > e->touched) && window != e->partial_window;
	uint32_t n = count_all(e, window, block, 1), m = 0;
	if (!early)
		n += count_all(e, window, block, 0);
	if (n >= INDEX_MASK) {
		sim_fail(e, "more than %u events in one window and block of LPs: use a smaller window or block",
		         INDEX_MASK);
		return;
	}
	if (speculative)
		e->thrash.looked += n;
	unsigned sub_bits = choose_bins(e, n);
	if (early)
		early_reserve(&e->scratch, count_all(e, window, block, 0));
	n = 0;
	for (unsigned k = 0; k < e->members; k++) {
		const struct sim_bucket *b = sim_buckets_of(e, k, window, block);
		n = all ? gather(e, &b[1], SIM_LONG_BYTES, first, sub_bits, true, n)
		        : gather(e, &b[1], SIM_LONG_BYTES, first, sub_bits, false, n);
		if (early)
			m = gather_early(e, &b[0], all, m);
		else
			n = gather(e, &b[0], SIM_SHORT_BYTES, first, sub_bits, false, n);
	}
	unsigned char *clean = e->clean ? &e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] : NULL;
	if (clean)
		*clean = 1;
	if (n + m == 0) {
		sim_phase_enter(e, before);
		return;
	}
	sort_items(e, n, sub_bits);
	uint32_t left = m ? run_early(e, m, first, sub_bits) : 0; /* these need no order within an LP */
	if (left > n / MANY_LEFT && n + left < INDEX_MASK) {
		sort_in(e, n, left, first, sub_bits);
		n += left;
		left = 0;
	} else if (left) {
		sort_early(e, left, first);
	}
	finish_sort(e, n);
	sim_phase_enter(e, speculative ? SIM_PHASE_SPECULATE : SIM_PHASE_EXECUTE);
	e->in_handler = true;
	e->own_until = e->window_start + e->width < e->config.end ? e->window_start + e->width : e->config.end;
	run_items(e, n, left, first, sub_bits, clean, speculative);
	if (sim_unlikely(e->scratch.tied))
		report_tie(e, speculative);
	e->in_handler = false;
	e->own_until = 0;
	if (!speculative && window != e->partial_window)
		sim_wheel_release_block(e, window, block);
	sim_phase_enter(e, before);
}
