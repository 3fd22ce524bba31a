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
#define LOOK_AHEAD 16      /* events whose memory is asked for while others run */
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
	s->early = base_realloc(s->early, s->cap * sizeof *s->early);
	s->early_sorted = base_realloc(s->early_sorted, s->cap * sizeof *s->early_sorted);
	s->early_lp = base_realloc(s->early_lp, s->cap * sizeof *s->early_lp);
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
	free(s->early_lp);
	free(s->bin);
	free(s->early_bin);
	free(s->heap);
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

/* Fills scratch.record with what is to be run in order, and scratch.item and bin_of with its time in the window and its LP; returns
 * how many. Short events that the model may take early go to scratch.early instead. */
static uint32_t gather(struct sim_engine *e, struct sim_bucket *b, sim_lpid first, bool early, uint32_t *nearly)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t n = 0, m = 0;
	SIM_EACH_CHUNK (e, b, c) {
		scratch_reserve(s, (n > m ? n : m) + (uint32_t)((e->ctx.chunk_mask + 1) / (sizeof(struct sim_event) + 8)));
		SIM_EACH_RECORD (e, b, c, ev) {
			__builtin_prefetch((const char *)ev + PREFETCH_BYTES);
			uint32_t lp = ev->lp - first;
			bool live = !(ev->state & (SIM_EVENT_DONE | SIM_EVENT_DEAD)) && ev->time < e->config.end;
			bool aside = early && !(ev->state & SIM_EVENT_LONG);
			s->record[n] = ev;
			s->item[n] = (ev->time - e->window_start) << INDEX_BITS | n;
			s->bin_of[n] = lp;
			n += live & !aside;
			s->early[m] = ev;
			s->early_lp[m] = lp;
			m += live & aside;
		}
		if (c != sim_last_chunk(e, b))
			for (unsigned k = 0; k < PREFETCH_BYTES; k += 64)
				__builtin_prefetch((const char *)c->next + k);
	}
	*nearly = m;
	return n;
}

/* Sorts scratch.early by LP: those of LP k are early_sorted[early_bin[k]] up to early_bin[k + 1]. */
static void sort_early(struct sim_engine *e, uint32_t m)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t lps = 1u << e->ctx.block_shift;
	if (!s->early_bin)
		s->early_bin = base_calloc(lps + 2, sizeof *s->early_bin);
	uint32_t *bin = s->early_bin;
	memset(bin, 0, (lps + 2) * sizeof *bin);
	for (uint32_t i = 0; i < m; i++)
		bin[s->early_lp[i] + 2]++;
	for (uint32_t k = 2; k < lps + 2; k++)
		bin[k] += bin[k - 1];
	for (uint32_t i = 0; i < m; i++)
		s->early_sorted[bin[s->early_lp[i] + 1]++] = s->early[i];
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

static void finish_sort(struct sim_engine *e, unsigned sub_bits)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t lps = 1u << e->ctx.block_shift;
	for (uint32_t k = 0, lo = 0, hi; k < lps; k++, lo = hi) {
		hi = s->bin[(k + 1) << sub_bits];
		for (uint32_t i = lo + 1; i < hi; i++) {
			uint64_t x = s->sorted[i];
			if (sim_likely(x >> INDEX_BITS > s->sorted[i - 1] >> INDEX_BITS))
				continue;
			uint32_t j = i;
			for (; j > lo && item_before(s, x, s->sorted[j - 1]); j--)
				s->sorted[j] = s->sorted[j - 1];
			s->sorted[j] = x;
		}
	}
}

/* Asks for what item i will touch, and keeps the model's hint for it. */
static inline void look_ahead(struct sim_engine *e, uint32_t i)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t r = s->sorted[i] & INDEX_MASK;
	s->hint[r] = e->model.prefetch(e->model.self, s->record[r]);
}

/* The next event of an LP whose items are [*i, hi) of n. */
static inline struct sim_event *next_event(struct sim_engine *e, uint32_t *i, uint32_t hi, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	struct sim_event *ev = NULL;
	uint32_t r = 0;
	if (*i < hi) {
		r = s->sorted[*i] & INDEX_MASK;
		ev = s->record[r];
	}
	if (sim_unlikely(s->nheap) && (!ev || sim_before(s->heap[0].time, s->heap[0].key, ev->time, ev->key))) {
		e->ctx.hint = SIM_NO_HINT;
		ev = heap_pop(s);
	} else {
		if (e->model.prefetch) {
			if (*i + LOOK_AHEAD < n)
				look_ahead(e, *i + LOOK_AHEAD);
			e->ctx.hint = s->hint[r];
		}
		++*i;
	}
	e->ctx.now = ev->time;
	e->ctx.now_key = ev->key;
	return ev;
}

/* Runs items [lo, hi) of one LP for good. Records are marked only where a bucket may be looked at again: an unmarked one stays clean in the
 * cache. */
static void run_safe(struct sim_engine *e, sim_lpid lp, uint32_t lo, uint32_t hi, uint32_t n)
{
	uint64_t count = 0;
	bool mark = e->optimistic || e->window == e->partial_window;
	for (uint32_t i = lo; i < hi || e->scratch.nheap; count++) {
		struct sim_event *ev = next_event(e, &i, hi, n);
		if (mark)
			ev->state |= SIM_EVENT_DONE;
		if (sim_unlikely(e->config.audit))
			sim_audit_event(e, lp, ev);
		e->model.handle(&e->ctx, e->model.self, lp, ev);
	}
	e->count.events_processed += count;
	e->count.events_committed += count;
}

static void run_speculative(struct sim_engine *e, sim_lpid lp, uint32_t lo, uint32_t hi, uint32_t n)
{
	uint64_t count = 0;
	for (uint32_t i = lo; i < hi || e->scratch.nheap; count++) {
		struct sim_event *ev = next_event(e, &i, hi, n);
		sim_spec_begin(e, lp, e->window, ev);
		e->model.handle(&e->ctx, e->model.self, lp, ev);
		sim_spec_end(e);
	}
	e->count.events_processed += count;
	e->count.speculative += count;
	e->spec_since += count;
}

/* Offers the model the short events of LP `first + k`; what it leaves is merged in by the heap. */
static void run_early(struct sim_engine *e, sim_lpid first, uint32_t k, uint32_t lo, uint32_t hi)
{
	struct sim_scratch *s = &e->scratch;
	struct sim_event **list = s->early_sorted + s->early_bin[k];
	uint32_t count = s->early_bin[k + 1] - s->early_bin[k];
	if (!count)
		return;
	struct sim_others others = { s->record, s->sorted + lo, hi - lo };
	uint32_t left = e->model.early(e->model.self, first + k, list, count, &others);
	for (uint32_t i = 0; i < left; i++)
		sim_heap_push(e, list[i]);
	count -= left;
	if (sim_unlikely(e->optimistic || e->window == e->partial_window))
		for (uint32_t i = left; i < left + count; i++)
			list[i]->state |= SIM_EVENT_DONE;
	e->count.events_processed += count;
	e->count.events_committed += count;
}

static void prefetch_early(struct sim_engine *e, uint32_t k)
{
	const struct sim_scratch *s = &e->scratch;
	for (uint32_t i = s->early_bin[k]; i < s->early_bin[k + 1]; i++)
		(void)e->model.prefetch(e->model.self, s->early_sorted[i]);
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
	sim_lpid first = e->ctx.first + (block << e->ctx.block_shift);
	uint32_t lps = 1u << e->ctx.block_shift, m;
	uint32_t n = gather(e, b, first, e->model.early && !speculative && !e->config.audit, &m);
	if (n > INDEX_MASK) {
		sim_fail(e, "more than %u events in one window and block of LPs: use a smaller window or block", INDEX_MASK);
		return;
	}
	if (e->clean)
		e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] = 1;
	if (n + m == 0)
		return;
	unsigned sub_bits = sort_items(e, n);
	finish_sort(e, sub_bits);
	if (m)
		sort_early(e, m);
	uint64_t t1 = sim_cycles();
	e->count.seconds_queue += (double)(t1 - t0);
	e->in_handler = true;
	e->ctx.hint = SIM_NO_HINT;
	bool prefetch = e->model.prefetch;
	for (uint32_t i = 0; prefetch && i < n && i < LOOK_AHEAD; i++)
		look_ahead(e, i);
	if (prefetch && m)
		prefetch_early(e, 0);
	uint32_t hi;
	for (uint32_t k = 0, lo = 0; k < lps; k++, lo = hi) {
		hi = s->bin[(k + 1) << sub_bits];
		if (m && prefetch && k + 1 < lps)
			prefetch_early(e, k + 1);
		e->lp = first + k;
		if (m)
			run_early(e, first, k, lo, hi);
		if (lo == hi && !s->nheap)
			continue;
		if (!speculative) {
			run_safe(e, first + k, lo, hi, n);
			continue;
		}
		run_speculative(e, first + k, lo, hi, n);
		if (hi < n && e->transport && !e->config.stress && sim_transport_waiting(e->transport)) {
			e->clean[(window & e->ctx.wheel_mask) * e->ctx.blocks + block] = 0;
			break;
		}
	}
	e->in_handler = false;
	e->count.seconds_execute += (double)(sim_cycles() - t1);
}
