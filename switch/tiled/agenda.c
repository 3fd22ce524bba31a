/* switch/tiled/agenda.c - the heap of switch/tiled/agenda.h. */
#include "switch/tiled/agenda.h"

/* Writes are to words that are declared to the journal where there is one: with `journal` constant the loops below are
 * compiled twice. */
static inline __attribute__((always_inline)) void put(struct sim_ctx *ctx, struct sw_agenda *a, uint16_t *place,
                                                      uint32_t i, uint64_t item, bool journal)
{
	uint32_t arbiter = sw_agenda_arbiter_of(item);
	if (journal) {
		sim_save(ctx, &a->item[i], sizeof a->item[i]);
		sim_save(ctx, &place[arbiter], sizeof place[arbiter]);
	}
	a->item[i] = item;
	place[arbiter] = (uint16_t)(i + 1);
}

static inline __attribute__((always_inline)) void up(struct sim_ctx *ctx, struct sw_agenda *a, uint16_t *place,
                                                     uint32_t i, uint64_t item, bool journal)
{
	for (; i > 0 && item < a->item[(i - 1) / 2]; i = (i - 1) / 2)
		put(ctx, a, place, i, a->item[(i - 1) / 2], journal);
	put(ctx, a, place, i, item, journal);
}

static inline __attribute__((always_inline)) void down(struct sim_ctx *ctx, struct sw_agenda *a, uint16_t *place,
                                                       uint32_t n, uint64_t item, bool journal)
{
	uint32_t i = 0;
	for (uint32_t c; (c = 2 * i + 1) < n; i = c) {
		c += c + 1 < n && a->item[c + 1] < a->item[c];
		if (item <= a->item[c])
			break;
		put(ctx, a, place, i, a->item[c], journal);
	}
	put(ctx, a, place, i, item, journal);
}

void sw_agenda_bring(struct sim_ctx *ctx, struct sw_agenda *a, uint32_t arbiter, uint64_t t)
{
	uint16_t *place = sw_agenda_places(a);
	uint64_t item = t << SW_AGENDA_BITS | arbiter;
	uint32_t i = place[arbiter];
	base_checkf(arbiter < a->arbiters && t < SW_AGENDA_TIMES, "arbiter %u of %u at %llu ps", arbiter, a->arbiters,
	            (unsigned long long)t);
	if (i) {
		if (a->item[i - 1] <= item)
			return;
		i--;
	} else {
		i = a->n;
		sim_set(ctx, &a->n, a->n + 1);
	}
	if (ctx->journal)
		up(ctx, a, place, i, item, true);
	else
		up(ctx, a, place, i, item, false);
	base_check(sw_agenda_is_sound(a));
}

uint64_t sw_agenda_take(struct sim_ctx *ctx, struct sw_agenda *a)
{
	uint16_t *place = sw_agenda_places(a);
	base_check(a->n);
	uint64_t first = a->item[0], last = a->item[a->n - 1];
	uint32_t n = a->n - 1;
	sim_set(ctx, &place[sw_agenda_arbiter_of(first)], 0);
	sim_set(ctx, &a->n, n);
	if (!n)
		sim_set(ctx, &a->item[0], SW_AGENDA_NEVER);
	else if (ctx->journal)
		down(ctx, a, place, n, last, true);
	else
		down(ctx, a, place, n, last, false);
	base_check(sw_agenda_is_sound(a));
	return first;
}

void sw_agenda_put_off(struct sw_agenda *a, uint64_t t)
{
	uint16_t *place = sw_agenda_places(a);
	uint32_t arbiter = sw_agenda_arbiter_of(a->item[0]);
	base_checkf(a->n && t >= sw_agenda_time_of(a->item[0]), "arbiter %u is put off to %llu ps", arbiter,
	            (unsigned long long)t);
	if (t != SW_AGENDA_NEVER) {
		down(NULL, a, place, a->n, t << SW_AGENDA_BITS | arbiter, false);
	} else {
		place[arbiter] = 0;
		if (--a->n)
			down(NULL, a, place, a->n, a->item[a->n], false);
		else
			a->item[0] = SW_AGENDA_NEVER;
	}
	base_check(sw_agenda_is_sound(a));
}

bool sw_agenda_is_sound(struct sw_agenda *a)
{
	const uint16_t *place = sw_agenda_places(a);
	for (uint32_t i = 0; i < a->n; i++) {
		if (place[sw_agenda_arbiter_of(a->item[i])] != i + 1)
			return false;
		if (i && a->item[i] < a->item[(i - 1) / 2])
			return false;
	}
	return true;
}
