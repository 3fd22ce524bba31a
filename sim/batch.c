/* sim/batch.c - executing one bucket: gather its pending records, sort those of each LP by (time, key), run LP by LP.
 *
 * Sorting is a counting sort over (LP, slice of the window) with about one record a bin, then an insertion sort that has
 * almost nothing to do. Events that an LP sends to itself within the window wait in a small heap and are merged in.
 * Records stay where they are; only 8-byte items move. */
#include "base/memory.h"
#include "sim/engine.h"

#include <stdlib.h>
#include <string.h>

#define INDEX_BITS 24
#define PREFETCH_BYTES 512 /* ahead of the record being gathered: the hardware's own prefetch stops at a page's end */
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
}

void sim_heap_push(struct sim_engine *e, struct sim_event *ev)
{
	struct sim_scratch *s = &e->scratch;
	if (s->nheap == s->cap_heap) {
		s->cap_heap = s->cap_heap ? 2 * s->cap_heap : 64;
		s->heap = base_realloc(s->heap, s->cap_heap * sizeof *s->heap);
	}
	uint32_t i = s->nheap++;
	for (uint32_t up; i > 0; i = up) {
		up = (i - 1) / 2;
		if (!sim_before(ev->time, ev->key, s->heap[up].time, s->heap[up].key))
			break;
		s->heap[i] = s->heap[up];
	}
	s->heap[i] = (struct sim_heap_item){ ev->time, ev->key, ev };
}

static struct sim_event *heap_pop(struct sim_scratch *s)
{
	struct sim_event *top = s->heap[0].event;
	struct sim_heap_item last = s->heap[--s->nheap];
	uint32_t i = 0;
	for (;;) {
		uint32_t c = 2 * i + 1;
		if (c >= s->nheap)
			break;
		if (c + 1 < s->nheap &&
		    sim_before(s->heap[c + 1].time, s->heap[c + 1].key, s->heap[c].time, s->heap[c].key))
			c++;
		if (!sim_before(s->heap[c].time, s->heap[c].key, last.time, last.key))
			break;
		s->heap[i] = s->heap[c];
		i = c;
	}
	s->heap[i] = last;
	return top;
}

/* Fills scratch.record with what is to be run, and scratch.item and bin_of with its time in the window and its LP; returns how many. */
static uint32_t gather(struct sim_engine *e, struct sim_bucket *b, sim_lpid first)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t n = 0;
	SIM_EACH_CHUNK (e, b, c) {
		scratch_reserve(s, n + (uint32_t)((e->ctx.chunk_mask + 1) / (sizeof(struct sim_event) + 8)));
		SIM_EACH_RECORD (e, b, c, ev) {
			__builtin_prefetch((const char *)ev + PREFETCH_BYTES);
			s->record[n] = ev;
			s->item[n] = (ev->time - e->window_start) << INDEX_BITS | n;
			s->bin_of[n] = ev->lp - first;
			n += !(ev->state & (SIM_EVENT_DONE | SIM_EVENT_DEAD)) && ev->time < e->config.end;
		}
		if (c != sim_last_chunk(e, b))
			for (unsigned k = 0; k < PREFETCH_BYTES; k += 64)
				__builtin_prefetch((const char *)c->next + k);
	}
	return n;
}

/* Sorts by (LP, time), ties aside: scratch.sorted holds the items. scratch.bin[lp << sub_bits] .. are then the starts of the LPs' items. */
static unsigned sort_items(struct sim_engine *e, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t lps = 1u << e->ctx.block_shift;
	unsigned sub_bits = 0, width_bits = 64 - (unsigned)__builtin_clzll((e->width - 1) | 1);
	while (sub_bits < width_bits && sub_bits < 12 && (uint64_t)lps << sub_bits < n)
		sub_bits++;
	unsigned shift = width_bits - sub_bits + INDEX_BITS;
	uint32_t bins = lps << sub_bits;
	if (bins + 2 > s->cap_bins) {
		s->cap_bins = 2 * bins + 2;
		free(s->bin);
		s->bin = base_alloc(s->cap_bins * sizeof *s->bin);
	}
	uint32_t *bin = s->bin;
	memset(bin, 0, (bins + 2) * sizeof *bin);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = s->bin_of[i] << sub_bits | (uint32_t)(s->item[i] >> shift);
		s->bin_of[i] = k;
		bin[k + 2]++;
	}
	for (uint32_t k = 2; k < bins + 2; k++)
		bin[k] += bin[k - 1];
	for (uint32_t i = 0; i < n; i++)
		s->sorted[bin[s->bin_of[i] + 1]++] = s->item[i];
	return sub_bits; /* bin[k] is now the start of bin k */
}

static bool item_before(const struct sim_scratch *s, uint64_t a, uint64_t b)
{
	if (a >> INDEX_BITS != b >> INDEX_BITS)
		return a < b;
	return s->record[a & INDEX_MASK]->key < s->record[b & INDEX_MASK]->key;
}

static void finish_sort(struct sim_scratch *s, uint32_t lo, uint32_t hi)
{
	for (uint32_t i = lo + 1; i < hi; i++) {
		uint64_t x = s->sorted[i];
		uint32_t j = i;
		for (; j > lo && item_before(s, x, s->sorted[j - 1]); j--)
			s->sorted[j] = s->sorted[j - 1];
		s->sorted[j] = x;
	}
}

static inline struct sim_event *next_event(struct sim_scratch *s, uint32_t *i, uint32_t hi)
{
	struct sim_event *ev = *i < hi ? s->record[s->sorted[*i] & INDEX_MASK] : NULL;
	if (s->nheap && (!ev || sim_before(s->heap[0].time, s->heap[0].key, ev->time, ev->key)))
		return heap_pop(s);
	++*i;
	return ev;
}

/* Runs items [lo, hi) of one LP for good. */
static void run_safe(struct sim_engine *e, sim_lpid lp, uint32_t lo, uint32_t hi)
{
	struct sim_scratch *s = &e->scratch;
	uint64_t n = 0;
	for (uint32_t i = lo; i < hi || s->nheap; n++) {
		struct sim_event *ev = next_event(s, &i, hi);
		e->ctx.now = ev->time;
		e->ctx.now_key = ev->key;
		ev->state |= SIM_EVENT_DONE;
		if (sim_unlikely(e->config.audit))
			sim_audit_event(e, lp, ev);
		e->model.handle(&e->ctx, e->model.self, lp, ev);
	}
	e->count.events_processed += n;
	e->count.events_committed += n;
}

static void run_speculative(struct sim_engine *e, sim_lpid lp, uint32_t lo, uint32_t hi)
{
	struct sim_scratch *s = &e->scratch;
	uint64_t n = 0;
	for (uint32_t i = lo; i < hi || s->nheap; n++) {
		struct sim_event *ev = next_event(s, &i, hi);
		e->ctx.now = ev->time;
		e->ctx.now_key = ev->key;
		sim_spec_begin(e, lp, e->window, ev);
		e->model.handle(&e->ctx, e->model.self, lp, ev);
		sim_spec_end(e);
	}
	e->count.events_processed += n;
	e->count.speculative += n;
	e->spec_since += n;
}

/* Asks for what the next LP that has events will touch. */
static void prefetch_next(struct sim_engine *e, unsigned sub_bits, uint32_t k, uint32_t lo, uint32_t n)
{
	const struct sim_scratch *s = &e->scratch;
	if (lo == n)
		return;
	while (s->bin[(k + 1) << sub_bits] == lo)
		k++;
	for (uint32_t i = lo; i < s->bin[(k + 1) << sub_bits]; i++)
		e->model.prefetch(e->model.self, s->record[s->sorted[i] & INDEX_MASK]);
}

void sim_run_block(struct sim_engine *e, uint64_t window, uint32_t block, bool speculative)
{
	struct sim_bucket *b = sim_wheel_bucket(e, window, block);
	if (!b->first)
		return;
	struct sim_scratch *s = &e->scratch;
	uint64_t t0 = sim_cycles();
	e->window = window;
	e->window_start = window * e->width;
	uint32_t n = gather(e, b, e->ctx.first + (block << e->ctx.block_shift));
	if (n > INDEX_MASK) {
		sim_fail(e, "more than %u events in one window and block of LPs: use a smaller window or block", INDEX_MASK);
		return;
	}
	if (e->clean)
		e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] = 1;
	if (n == 0)
		return;
	unsigned sub_bits = sort_items(e, n);
	uint64_t t1 = sim_cycles();
	e->count.seconds_queue += (double)(t1 - t0);
	sim_lpid lp = e->ctx.first + (block << e->ctx.block_shift);
	uint32_t lps = 1u << e->ctx.block_shift;
	e->in_handler = true;
	uint32_t hi;
	for (uint32_t k = 0, lo = 0; k < lps; k++, lo = hi) {
		hi = s->bin[(k + 1) << sub_bits];
		if (lo == hi)
			continue;
		finish_sort(s, lo, hi);
		if (e->model.prefetch)
			prefetch_next(e, sub_bits, k + 1, hi, n);
		e->lp = lp + k;
		if (!speculative) {
			run_safe(e, lp + k, lo, hi);
			continue;
		}
		run_speculative(e, lp + k, lo, hi);
		if (hi < n && e->transport && !e->config.stress && sim_transport_waiting(e->transport)) {
			e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] = 0;
			break;
		}
	}
	e->in_handler = false;
	e->count.seconds_execute += (double)(sim_cycles() - t1);
}
