/* switch/arbiter.h - one resource, several requesters: who gets it?
 *
 * Requesters are numbered 0 .. n-1, n <= SW_SET_PORTS, and ask by a bit set. The state of an arbiter is
 * sw_arbiter_bytes() bytes, 8-byte aligned, that live in the switch's own block (so sw_ops.regions shows them); picking
 * does not change it, winning does, through the journal. So an allocator may pick, and tell the arbiter only when the
 * grant is accepted.
 *
 *   round-robin     the first requester at or after the one behind the last winner
 *   age             the oldest, by what the caller gives; ties to the lowest number. No state
 *   weighted        round robin in which requester i keeps its turn for weight[i] wins (weighted round robin)
 *   least-recent    whoever has waited longest since its last win: the matrix arbiter (Dally & Towles, Principles and
 * Practices of Interconnection Networks, 2004, section 18.5), kept as the time of each last win instead of a matrix:
 * the order is the same
 *
 * Everything is deterministic: no random numbers, no clock. Cost of a pick: O(words) for round robin, O(requests) for
 * the others. */
#ifndef SWITCH_ARBITER_H
#define SWITCH_ARBITER_H

#include "sim/sim.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SW_SET_WORDS 4u
#define SW_SET_PORTS (64u * SW_SET_WORDS)
#define SW_NOBODY UINT32_MAX

enum sw_arbiter_kind { SW_ARBITER_ROUND_ROBIN, SW_ARBITER_AGE, SW_ARBITER_WEIGHTED, SW_ARBITER_LEAST_RECENT };
#define SW_ARBITER_CHOICES "round-robin|age|weighted|least-recent" /* for BASE_ENUM, in the order of the enum */

/* --- sets of ports
 * ------------------------------------------------------------------------------------------------------- */

static inline uint32_t sw_set_words(uint32_t n)
{
	return (n + 63) / 64;
}
static inline void sw_set_add(uint64_t *set, uint32_t i)
{
	set[i >> 6] |= 1ull << (i & 63);
}
static inline void sw_set_remove(uint64_t *set, uint32_t i)
{
	set[i >> 6] &= ~(1ull << (i & 63));
}
static inline bool sw_set_has(const uint64_t *set, uint32_t i)
{
	return set[i >> 6] >> (i & 63) & 1;
}
static inline bool sw_set_any(const uint64_t *set, uint32_t words)
{
	uint64_t any = 0;
	for (uint32_t w = 0; w < words; w++)
		any |= set[w];
	return any != 0;
}

/* The first member at or after `from`, going round once; SW_NOBODY if the set is empty. from < n. */
static inline uint32_t sw_set_next(const uint64_t *set, uint32_t n, uint32_t from)
{
	uint32_t words = sw_set_words(n), w = from >> 6;
	base_checkf(from < n, "from %u of %u", from, n);
	uint64_t bits = set[w] & (~0ull << (from & 63));
	for (uint32_t k = 0; k < words; k++) {
		if (bits)
			return w * 64 + (uint32_t)__builtin_ctzll(bits);
		w = w + 1 == words ? 0 : w + 1;
		bits = set[w];
	}
	/* round: what lies before `from` in its own word */
	bits = set[from >> 6] & ~(~0ull << (from & 63));
	return bits ? (from & ~63u) + (uint32_t)__builtin_ctzll(bits) : SW_NOBODY;
}

/* for (SW_EACH(i, set, words)) visits the members in rising order; `set` may lose members meanwhile, not gain. */
#define SW_EACH(i, set, words)                       \
	uint32_t i = sw_set_from((set), (words), 0); \
	i != SW_NOBODY;                              \
	i = sw_set_from((set), (words), i + 1)

static inline uint32_t sw_set_from(const uint64_t *set, uint32_t words, uint32_t from)
{
	uint32_t w = from >> 6;
	if (w >= words)
		return SW_NOBODY;
	uint64_t bits = set[w] & (~0ull << (from & 63));
	while (!bits) {
		if (++w >= words)
			return SW_NOBODY;
		bits = set[w];
	}
	return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

/* --- arbiters
 * ------------------------------------------------------------------------------------------------------------ */

struct sw_arbiter {    /* what all kinds begin with; LEAST_RECENT: then uint32_t last_win[n] */
	uint32_t turn; /* ROUND_ROBIN, WEIGHTED: who is first; LEAST_RECENT: wins so far */
	uint32_t left; /* WEIGHTED: wins left to `turn`, 0: a full weight */
};

static inline size_t sw_arbiter_bytes(enum sw_arbiter_kind kind, uint32_t n)
{
	if (kind == SW_ARBITER_AGE)
		return 0;
	return sizeof(struct sw_arbiter) + (kind == SW_ARBITER_LEAST_RECENT ? ((size_t)n * 4 + 7) & ~(size_t)7 : 0);
}

/* `state` all-zero is a new arbiter: nothing to initialise. */

/* Who of `requests` (a set of n) should win; SW_NOBODY if it is empty. age[i], of requesters only: less is older (a
 * time of creation); may be NULL unless the kind is AGE. Changes nothing. */
static inline uint32_t sw_arbiter_pick(enum sw_arbiter_kind kind, uint32_t n, const void *state,
                                       const uint64_t *requests, const uint64_t *age)
{
	const struct sw_arbiter *a = state;
	uint32_t best = SW_NOBODY;
	switch (kind) {
	case SW_ARBITER_AGE:
		for (SW_EACH(i, requests, sw_set_words(n)))
			if (best == SW_NOBODY || age[i] < age[best])
				best = i;
		return best;
	case SW_ARBITER_LEAST_RECENT: {
		const uint32_t *last = (const uint32_t *)(const void *)(a + 1);
		for (SW_EACH(i, requests, sw_set_words(n)))
			if (best == SW_NOBODY || last[i] < last[best])
				best = i;
		return best;
	}
	case SW_ARBITER_ROUND_ROBIN:
	case SW_ARBITER_WEIGHTED:
	default:
		return sw_set_next(requests, n, a->turn);
	}
}

/* `winner` was granted (and accepted). weight: [n], > 0; may be NULL unless the kind is WEIGHTED. */
static inline __attribute__((always_inline)) void sw_arbiter_won(struct sim_ctx *ctx, enum sw_arbiter_kind kind,
                                                                 uint32_t n, void *state, uint32_t winner,
                                                                 const uint32_t *weight)
{
	struct sw_arbiter *a = state;
	base_checkf(winner < n, "%u of %u wins", winner, n);
	switch (kind) {
	case SW_ARBITER_AGE:
		return;
	case SW_ARBITER_LEAST_RECENT: {
		uint32_t *last = (uint32_t *)(void *)(a + 1);
		sim_set(ctx, &a->turn, a->turn + 1);
		sim_set(ctx, &last[winner], a->turn);
		return;
	}
	case SW_ARBITER_WEIGHTED: {
		uint32_t left = winner == a->turn && a->left ? a->left : weight[winner];
		sim_save(ctx, a, sizeof *a);
		base_checkf(left > 0 && left <= weight[winner] && a->turn < n, "%u turns of %u left to %u", left,
		            weight[winner], winner);
		a->left = left - 1;
		a->turn = left > 1 ? winner : winner + 1 == n ? 0 : winner + 1;
		return;
	}
	case SW_ARBITER_ROUND_ROBIN:
	default:
		sim_set(ctx, &a->turn, winner + 1 == n ? 0 : winner + 1);
	}
}

#endif
