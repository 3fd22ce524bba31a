/* switch/tiled/agenda.h - the next decision time of each of a switch's arbiters: a tree of minima with the earliest
 * time at its root.
 *
 * Arbiters are numbered; at equal times the one with the lowest number decides first. Each has a leaf with at most one
 * decision. A node is the minimum of its four children, so a change affects only nodes above its leaf; a change to an
 * earlier time affects only those whose minimum it lowers. All changes go through the journal. */
#ifndef SWITCH_AGENDA_H
#define SWITCH_AGENDA_H

#include "sim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SW_AGENDA_BITS 16u                              /* for an arbiter's number */
#define SW_AGENDA_TIMES (1ull << (63 - SW_AGENDA_BITS)) /* times must be below: 140 s in ps */
#define SW_AGENDA_NEVER UINT64_MAX

struct sw_agenda {
	uint64_t nodes;  /* inner nodes; leaves follow, more of them than arbiters if some node lacks children */
	uint64_t leaf;   /* of arbiter 0, modulo 2^64: numbers need not start at 0 */
	uint64_t item[]; /* [4 * nodes + 2] elements time << SW_AGENDA_BITS | arbiter, or SW_AGENDA_NEVER. item[0] is 0,
	                    which is below all others; item[1] is the root; the children of element i begin at element 4
	                    i - 2 */
};

static inline uint64_t sw_agenda_nodes(uint32_t arbiters)
{
	return arbiters > 1 ? (arbiters + 1) / 3 : 1; /* each replaces a leaf by four */
}

static inline size_t sw_agenda_bytes(uint32_t arbiters)
{
	return sizeof(struct sw_agenda) + (4 * sw_agenda_nodes(arbiters) + 2) * sizeof(uint64_t);
}

/* Initialises an agenda in zeroed memory. The arbiters have the numbers first .. first + arbiters - 1, which are below
 * 2^16; there is at least one arbiter. */
static inline void sw_agenda_init(struct sw_agenda *a, uint32_t first, uint32_t arbiters)
{
	base_check(arbiters && first + arbiters <= 1u << SW_AGENDA_BITS);
	a->nodes = sw_agenda_nodes(arbiters);
	a->leaf = a->nodes + 1 - first;
	for (uint64_t i = 1; i < 4 * a->nodes + 2; i++)
		a->item[i] = SW_AGENDA_NEVER;
}

static inline uint64_t sw_agenda_time_of(uint64_t item)
{
	return item >> SW_AGENDA_BITS;
}
static inline uint32_t sw_agenda_arbiter_of(uint64_t item)
{
	return item & ((1u << SW_AGENDA_BITS) - 1);
}

/* Returns the item of the earliest decision of all arbiters (time << SW_AGENDA_BITS | arbiter); SW_AGENDA_NEVER: none
 * is scheduled. */
static inline uint64_t sw_agenda_first(const struct sw_agenda *a)
{
	return a->item[1];
}

/* Returns the time of an arbiter's next decision; SW_AGENDA_NEVER: none is scheduled. */
static inline uint64_t sw_agenda_time(const struct sw_agenda *a, uint32_t arbiter)
{
	uint64_t item = a->item[a->leaf + arbiter];
	return item != SW_AGENDA_NEVER ? sw_agenda_time_of(item) : SW_AGENDA_NEVER;
}

/* Check: is every node the minimum of its children? */
bool sw_agenda_is_sound(const struct sw_agenda *a);

/* Writes an element of the agenda, after saving it in the journal if `journal`, a compile-time constant, is set. */
static inline __attribute__((always_inline)) void sw_agenda_put(struct sim_ctx *ctx, struct sw_agenda *a, uint64_t i,
                                                                uint64_t item, bool journal)
{
	if (journal)
		sim_save(ctx, &a->item[i], sizeof a->item[i]);
	a->item[i] = item;
}

static inline __attribute__((always_inline)) void sw_agenda_bring_as(struct sim_ctx *ctx, struct sw_agenda *a,
                                                                     uint64_t i, uint64_t item, bool journal)
{
	for (; a->item[i] > item; i = (i + 2) / 4)
		sw_agenda_put(ctx, a, i, item, journal);
}

static inline uint64_t sw_agenda_least(const uint64_t *of)
{
	uint64_t a = of[0] < of[1] ? of[0] : of[1], b = of[2] < of[3] ? of[2] : of[3];
	return a < b ? a : b;
}

/* Replaces leaf i by `item`, which may be SW_AGENDA_NEVER, and recomputes the minima above it. */
static inline __attribute__((always_inline)) void sw_agenda_replace_as(struct sim_ctx *ctx, struct sw_agenda *a,
                                                                       uint64_t i, uint64_t item, bool journal)
{
	sw_agenda_put(ctx, a, i, item, journal);
	do {
		i = (i + 2) / 4;
		sw_agenda_put(ctx, a, i, sw_agenda_least(a->item + 4 * i - 2), journal);
	} while (i > 1);
}

/* Schedules a decision of the arbiter at t, unless an earlier one is scheduled. may_journal, a compile-time constant:
 * the present event may be speculative, so that changes must go through the journal. */
static inline __attribute__((always_inline)) void sw_agenda_bring(struct sim_ctx *ctx, struct sw_agenda *a,
                                                                  uint32_t arbiter, uint64_t t, bool may_journal)
{
	uint64_t leaf = a->leaf + arbiter, item = t << SW_AGENDA_BITS | arbiter;
	base_check(may_journal || !ctx->journal);
	base_checkf(leaf > a->nodes && leaf < 4 * a->nodes + 2 && t < SW_AGENDA_TIMES, "arbiter %u at %llu ps", arbiter,
	            (unsigned long long)t);
	if (may_journal && sim_unlikely(ctx->journal))
		sw_agenda_bring_as(ctx, a, leaf, item, true);
	else
		sw_agenda_bring_as(ctx, a, leaf, item, false);
	base_check(sw_agenda_is_sound(a));
}

/* Removes the first item and returns it; the agenda must not be empty. */
static inline uint64_t sw_agenda_take(struct sim_ctx *ctx, struct sw_agenda *a)
{
	uint64_t first = a->item[1], leaf = a->leaf + sw_agenda_arbiter_of(first);
	base_check(first != SW_AGENDA_NEVER);
	if (ctx->journal)
		sw_agenda_replace_as(ctx, a, leaf, SW_AGENDA_NEVER, true);
	else
		sw_agenda_replace_as(ctx, a, leaf, SW_AGENDA_NEVER, false);
	base_check(sw_agenda_is_sound(a));
	return first;
}

/* Postpones the first item to time t, which is not before its present time; SW_AGENDA_NEVER: removes it. Must not be
 * called in events that need a journal. */
static inline void sw_agenda_put_off(struct sw_agenda *a, uint64_t t)
{
	uint64_t first = a->item[1], arbiter = sw_agenda_arbiter_of(first);
	base_checkf(first != SW_AGENDA_NEVER && t >= sw_agenda_time_of(first), "arbiter %u is postponed to %llu ps",
	            (uint32_t)arbiter, (unsigned long long)t);
	sw_agenda_replace_as(NULL, a, a->leaf + arbiter,
	                     t != SW_AGENDA_NEVER ? t << SW_AGENDA_BITS | arbiter : SW_AGENDA_NEVER, false);
	base_check(sw_agenda_is_sound(a));
}

#endif
