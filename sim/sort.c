/* sim/sort.c - gathers the pending records of a block from its buckets and sorts them for batch.c.
 *
 * The order results from a counting sort with bins of (LP, slice of the window), about one record per bin, followed by
 * an insertion sort, which then has little work left. Records stay where they are; only 8-byte items that refer to them
 * are moved. */
#include "sim/sort.h"

#include "base/memory.h"
#include "sim/own.h"

#include <stdlib.h>

#define PREFETCH_BYTES 512 /* ahead of the record being gathered: the hardware prefetcher stops at a page's end */
#define DEEP_BYTES 32768   /* of pending events an LP: above it records leave the cache before they are executed */
#define MANY_LEFT 4 /* short events fewer than this part of the others are sorted with them instead of using a heap */

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

__attribute__((noinline)) void sim_scratch_grow(struct sim_scratch *s)
{
	scratch_reserve(s, s->nrecords + 1);
}

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
	return n < SIM_INDEX_MASK ? (uint32_t)n : SIM_INDEX_MASK;
}

/* Pending records of the block in the wheels of all threads. */
static uint32_t count_all(const struct sim_engine *e, uint64_t window, uint32_t block, unsigned is_long)
{
	uint64_t n = 0;
	for (unsigned k = 0; k < e->members; k++)
		n += count_records(e, sim_buckets_of(e, k, window, block) + is_long, SIM_SHORT_BYTES << is_long);
	return n < SIM_INDEX_MASK ? (uint32_t)n : SIM_INDEX_MASK;
}

bool sim_sort_any(const struct sim_engine *e, uint64_t window, uint32_t block)
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

/* Allocates bins of (LP, slice of the window), about one record per bin, for n records. Saturated networks get twice as
 * many bins, because two records in one bin have to be compared: that reads the records, and the branch on the result
 * is unpredictable. */
static unsigned choose_bins(struct sim_engine *e, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t lps = 1u << e->ctx.block_shift;
	unsigned sub_bits = 0, bits = sim_width_bits(e);
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

/* Appends the pending records of a bucket to the arrays record, item and bin_of of the scratch memory, from index n on,
 * and counts those of bin k in bin[k + 2]. `all` says that every record is pending. Returns the new number of items. */
static inline __attribute__((always_inline)) uint32_t gather(struct sim_engine *e, const struct sim_bucket *b,
                                                             size_t bytes, sim_lpid first, unsigned sub_bits, bool all,
                                                             uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	unsigned bits = sim_width_bits(e), shift = bits - sub_bits;
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
			s->item[n] = place << SIM_INDEX_BITS | n;
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

/* Places the items in the order of their bins. Those of LP number k of the block are then sorted[bin[k << sub_bits]] up
 * to, but not including, sorted[bin[(k + 1) << sub_bits]]. */
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

bool sim_gather(struct sim_engine *e, uint64_t window, uint32_t block, bool speculative, struct sim_gathered *g)
{
	bool early = e->model.early && !speculative && !e->config.audit;
	bool all = (!e->optimistic || window > e->touched) && window != e->partial_window;
	uint32_t n = count_all(e, window, block, 1), m = 0;
	if (!early)
		n += count_all(e, window, block, 0);
	if (n >= SIM_INDEX_MASK) {
		sim_fail(e, "more than %u events in one window and block of LPs: use a smaller window or block",
		         SIM_INDEX_MASK);
		return false;
	}
	if (speculative)
		e->thrash.looked += n;
	sim_lpid first = e->ctx.base + (block << e->ctx.block_shift);
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
	*g = (struct sim_gathered){ n, m, sub_bits, first };
	return true;
}

void sim_sort(struct sim_engine *e, const struct sim_gathered *g)
{
	sort_items(e, g->n, g->sub_bits);
}

static bool item_before(struct sim_scratch *s, uint64_t a, uint64_t b)
{
	if (a >> SIM_INDEX_BITS != b >> SIM_INDEX_BITS)
		return a < b;
	return sim_key_before(s, s->record[a & SIM_INDEX_MASK], s->record[b & SIM_INDEX_MASK]);
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
static void order_items(struct sim_engine *e, uint32_t n)
{
	struct sim_scratch *s = &e->scratch;
	const uint64_t *sorted = s->sorted;
	uint64_t last = n ? sorted[0] >> SIM_INDEX_BITS : 0;
	for (uint32_t i = 1; i < n; i++) {
		uint64_t at = sorted[i] >> SIM_INDEX_BITS;
		last = sim_likely(at > last) ? at : move_back(s, i) >> SIM_INDEX_BITS;
	}
}

/* Merges the first `left` of scratch.early into the n items, which were binned without them. */
static void sort_in(struct sim_engine *e, struct sim_gathered *g, uint32_t left)
{
	struct sim_scratch *s = &e->scratch;
	uint32_t n = g->n, bins = 1u << (e->ctx.block_shift + g->sub_bits), *bin = s->bin + 2;
	unsigned bits = sim_width_bits(e), shift = bits - g->sub_bits;
	scratch_reserve(s, n + left);
	memset(s->bin, 0, (bins + 2) * sizeof *s->bin);
	for (uint32_t i = 0; i < n; i++)
		bin[s->bin_of[i]]++;
	for (uint32_t i = 0, at = n; i < left; i++, at++) {
		struct sim_event *ev = s->early[i];
		uint64_t offset = ev->time - e->window_start;
		uint64_t place = (uint64_t)(ev->lp - g->first) << bits | offset;
		uint32_t k = (uint32_t)(place >> shift);
		base_checkf(offset < e->width && k < bins, "LP %u at %llu ps", ev->lp, (unsigned long long)ev->time);
		s->record[at] = ev;
		s->item[at] = place << SIM_INDEX_BITS | at;
		s->bin_of[at] = k;
		bin[k]++;
	}
	g->n = n + left;
	sort_items(e, g->n, g->sub_bits);
}

uint32_t sim_sort_left(struct sim_engine *e, struct sim_gathered *g, uint32_t left)
{
	if (left > g->n / MANY_LEFT && g->n + left < SIM_INDEX_MASK) {
		sort_in(e, g, left);
		left = 0;
	} else if (left) {
		sort_early(e, left, g->first);
	}
	order_items(e, g->n);
	return left;
}
