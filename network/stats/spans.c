/* network/stats/spans.c - ranks' time in bins: see struct net_spans in network/application.h. */
#include "base/check.h"
#include "base/memory.h"
#include "network/application.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>

static size_t words_of(const struct net_spans *s)
{
	return (size_t)s->rows * NET_SPAN_BINS * NET_DOINGS;
}

static uint64_t *cell_of(const struct net_spans *s, uint32_t row, uint64_t bin)
{
	return s->ps + ((size_t)row * NET_SPAN_BINS + bin) * NET_DOINGS;
}

/* Ranks of a row. */
static uint32_t each_row(const struct net_spans *s)
{
	return (s->ranks + NET_SPAN_ROWS - 1) / NET_SPAN_ROWS;
}

static void prepare(struct net_spans *s)
{
	s->rows = (s->ranks + each_row(s) - 1) / each_row(s);
	s->ps = base_calloc(words_of(s), sizeof *s->ps);
}

/* Half as many bins, each twice as wide. */
static void widen(struct net_spans *s)
{
	for (uint32_t row = 0; row < s->rows; row++) {
		for (uint32_t bin = 0; bin < NET_SPAN_BINS / 2; bin++)
			for (unsigned k = 0; k < NET_DOINGS; k++)
				cell_of(s, row, bin)[k] =
				    cell_of(s, row, 2ul * bin)[k] + cell_of(s, row, 2ul * bin + 1)[k];
		memset(cell_of(s, row, NET_SPAN_BINS / 2), 0, NET_SPAN_BINS / 2 * NET_DOINGS * sizeof *s->ps);
	}
	s->shift++;
}

void net_spans_add(struct net_spans *s, uint32_t rank, enum net_doing what, uint64_t from, uint64_t to)
{
	if (from >= to)
		return;
	if (!s->ps)
		prepare(s);
	base_checkf(rank < s->ranks, "rank %u of %u", rank, s->ranks);
	while ((to - 1) >> s->shift >= NET_SPAN_BINS)
		widen(s);
	uint32_t row = rank / each_row(s);
	for (uint64_t bin = from >> s->shift; from < to; bin++) {
		uint64_t end = (bin + 1) << s->shift;
		end = end < to ? end : to;
		cell_of(s, row, bin)[what] += end - from;
		from = end;
	}
}

void net_spans_merge(struct net_spans *to, const struct net_spans *from)
{
	if (!from->ps)
		return;
	if (!to->ps)
		prepare(to);
	while (to->shift < from->shift)
		widen(to);
	for (uint32_t row = 0; row < to->rows; row++)
		for (uint32_t bin = 0; bin < NET_SPAN_BINS; bin++)
			for (unsigned k = 0; k < NET_DOINGS; k++)
				cell_of(to, row, bin >> (to->shift - from->shift))[k] += cell_of(from, row, bin)[k];
}

void net_spans_sum(struct net_spans *s)
{
	uint64_t most[2] = { s->ps != NULL, s->shift };
	sim_max_u64(most, 2);
	if (!most[0])
		return;
	if (!s->ps)
		prepare(s);
	while (s->shift < most[1])
		widen(s);
	sim_sum_u64(s->ps, words_of(s));
}

void net_spans_free(struct net_spans *s)
{
	free(s->ps);
	s->ps = NULL;
}

uint32_t net_spans_first(const struct net_spans *s, uint32_t row)
{
	return row < s->rows ? row * each_row(s) : s->ranks;
}
