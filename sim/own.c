/* sim/own.c - the heap of events that an LP has sent itself for the window being run: see own.h. */
#include "sim/own.h"

#include "base/memory.h"

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

__attribute__((noinline)) struct sim_own_item sim_own_heap_pop(struct sim_scratch *s)
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

bool sim_own_in_order(struct sim_scratch *s)
{
	if (!s->own_end)
		return !s->nheap && s->own_time == SIM_NEVER;
	for (uint32_t i = s->own_first; i + 1 < s->own_end; i++)
		if (sim_own_before(s, s->own[i + 1], s->own[i]))
			return false;
	return s->own_first < s->own_end && s->own_time == s->own[s->own_first].time &&
	       (!s->nheap || !sim_own_before(s, s->heap[0], s->own[s->own_end - 1]));
}

__attribute__((noinline)) void sim_own_push_seldom(struct sim_scratch *s, struct sim_own_item x)
{
	base_check(sim_own_in_order(s));
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
	base_check(sim_own_in_order(s));
}
