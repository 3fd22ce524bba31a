/* sim/own.h - events that the LP being run has sent to itself for the window being run.
 *
 * The first of these events are in the array scratch.own, in order, from own[own_first] up to, but not including,
 * own[own_end]. All later ones are in a heap, which is empty if the array is. */
#ifndef SIM_OWN_H
#define SIM_OWN_H

#include "sim/engine.h"

/* Slow path of sim_own_push(), if the array own[] is full or the heap is not empty. */
void sim_own_push_seldom(struct sim_scratch *s, struct sim_own_item x);
/* Removes and returns the earliest event of the heap, which must not be empty. */
struct sim_own_item sim_own_heap_pop(struct sim_scratch *s);
/* Checks the order: is every event of own[] before the next one, and the last one before all events of the heap? */
bool sim_own_in_order(struct sim_scratch *s);

/* Is event a before event b, which has the same LP and time? If their keys are equal, too, the order is undefined: a
 * build with TILEFLY_CHECK records this, and the run ends with an error. (Release builds omit it, as it would take 0.4
 * to 2.8 % of a run's instructions.) */
static inline bool sim_key_before(struct sim_scratch *s, const struct sim_event *a, const struct sim_event *b)
{
	if (BASE_CHECKING && sim_unlikely(a->key == b->key))
		s->tied = a;
	return a->key < b->key;
}

static inline bool sim_own_before(struct sim_scratch *s, struct sim_own_item a, struct sim_own_item b)
{
	if (sim_likely(a.time != b.time))
		return a.time < b.time;
	return sim_key_before(s, s->record[a.record], s->record[b.record]);
}

/* Inserts event x into the array own[], which has space. x precedes all events of the heap. */
static inline void sim_own_insert(struct sim_scratch *s, struct sim_own_item x)
{
	uint32_t i = s->own_end++;
	base_check(i < SIM_OWN_SORTED);
	for (; i > s->own_first && sim_own_before(s, x, s->own[i - 1]); i--)
		s->own[i] = s->own[i - 1];
	s->own[i] = x;
	s->own_time = s->own[s->own_first].time;
}

/* Adds an event that the LP being run has sent to itself for this window. */
static inline void sim_own_push(struct sim_engine *e, struct sim_event *ev)
{
	struct sim_scratch *s = &e->scratch;
	if (sim_unlikely(s->nrecords == s->cap))
		sim_scratch_grow(s);
	struct sim_own_item x = { ev->time, s->nrecords++ };
	s->record[x.record] = ev;
	s->hint[x.record] = SIM_NO_HINT;
	if (sim_unlikely(s->own_end == SIM_OWN_SORTED || s->nheap))
		sim_own_push_seldom(s, x);
	else
		sim_own_insert(s, x);
}

/* Removes the earliest event and returns the index of its record. There must be an event. */
static inline uint32_t sim_own_pop(struct sim_scratch *s)
{
	uint32_t record = s->own[s->own_first++].record;
	if (s->own_first < s->own_end) {
		s->own_time = s->own[s->own_first].time;
	} else {
		s->own_first = s->own_end = 0;
		s->own_time = SIM_NEVER;
		if (sim_unlikely(s->nheap))
			sim_own_insert(s, sim_own_heap_pop(s));
	}
	base_check(sim_own_in_order(s));
	return record;
}

#endif
