/* switch/tiled/agenda.h - when each of a switch's arbiters decides next: a heap with the earliest first.
 *
 * Arbiters have numbers; of those that decide at one instant the least number comes first. Each is in the heap at most
 * once, so it has the room that it needs from the start. All changes go through the journal. */
#ifndef SWITCH_AGENDA_H
#define SWITCH_AGENDA_H

#include "sim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SW_AGENDA_BITS 16u                              /* of an arbiter's number */
#define SW_AGENDA_TIMES (1ull << (63 - SW_AGENDA_BITS)) /* times must be below: 140 s in ps */
#define SW_AGENDA_NEVER UINT64_MAX

struct sw_agenda {
	uint32_t n, arbiters;
	uint64_t item[]; /* [n], if n is 0 SW_AGENDA_NEVER: time << SW_AGENDA_BITS | arbiter; behind [arbiters] of them
	                    uint16_t place[arbiters]: 1
	                    + where the arbiter is in item[], 0: nowhere */
};

static inline size_t sw_agenda_bytes(uint32_t arbiters)
{
	return sizeof(struct sw_agenda) + arbiters * (sizeof(uint64_t) + sizeof(uint16_t));
}

/* In memory that is all zero. arbiters < 2^16. */
static inline void sw_agenda_init(struct sw_agenda *a, uint32_t arbiters)
{
	base_check(arbiters && arbiters < 1u << SW_AGENDA_BITS);
	a->arbiters = arbiters;
	a->item[0] = SW_AGENDA_NEVER;
}

static inline uint16_t *sw_agenda_places(struct sw_agenda *a)
{
	return (uint16_t *)(void *)(a->item + a->arbiters);
}

static inline uint64_t sw_agenda_time_of(uint64_t item)
{
	return item >> SW_AGENDA_BITS;
}
static inline uint32_t sw_agenda_arbiter_of(uint64_t item)
{
	return item & ((1u << SW_AGENDA_BITS) - 1);
}

/* The item that comes first; UINT64_MAX: there is none. */
static inline uint64_t sw_agenda_first(const struct sw_agenda *a)
{
	return a->item[0];
}

/* When an arbiter decides; SW_AGENDA_NEVER: it is not in the heap. */
static inline uint64_t sw_agenda_time(struct sw_agenda *a, uint32_t arbiter)
{
	uint32_t place = sw_agenda_places(a)[arbiter];
	return place ? sw_agenda_time_of(a->item[place - 1]) : SW_AGENDA_NEVER;
}

/* switch/tiled/agenda.c. */

/* The arbiter decides at t, unless it does so earlier. */
__attribute__((noinline)) void sw_agenda_bring(struct sim_ctx *ctx, struct sw_agenda *a, uint32_t arbiter, uint64_t t);
/* Takes the first item out; there is one. */
uint64_t sw_agenda_take(struct sim_ctx *ctx, struct sw_agenda *a);
/* The first item comes at t, later than it did; SW_AGENDA_NEVER: not at all. Without a journal. */
void sw_agenda_put_off(struct sw_agenda *a, uint64_t t);
/* Is every item where its arbiter's place says, and none before its parent? For checks. */
bool sw_agenda_is_sound(struct sw_agenda *a);

#endif
