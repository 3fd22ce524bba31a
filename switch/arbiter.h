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
 *   drr             deficit round robin: equal shares of the bytes; see arbiter.c
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

enum sw_arbiter_kind {
	SW_ARBITER_ROUND_ROBIN,
	SW_ARBITER_AGE,
	SW_ARBITER_WEIGHTED,
	SW_ARBITER_LEAST_RECENT,
	SW_ARBITER_DRR,
};
#define SW_ARBITER_KINDS (SW_ARBITER_DRR + 1)
#define SW_ARBITER_CHOICES "round-robin|age|weighted|least-recent|drr" /* for BASE_ENUM, in the order of the enum */
#define SW_ARBITER_OTHER SW_ARBITER_KINDS                              /* of a further choice behind these: */
#define SW_ARBITER_AUTO SW_ARBITER_OTHER                               /* "auto": see sw_arbiter_chosen() */
#define SW_ARBITER_SAME SW_ARBITER_OTHER                               /* "same": as another key says */

/* What users read about an arbiter. */
struct sw_arbiter_about {
	const char *name, *rule;
	const char *fair; /* in what those who always ask get equal shares */
	const char *source;
};
extern const struct sw_arbiter_about sw_arbiters[SW_ARBITER_KINDS]; /* arbiter.c */

/* The key `age` of a switch: since when a packet's age counts. A source that offers more than it can inject has packets
 * that were created long ago, so with CREATION it would pass before all others. */
enum sw_age { SW_AGE_INJECTION, SW_AGE_ARRIVAL, SW_AGE_CREATION };
#define SW_AGE_CHOICES "injection|arrival|creation" /* in the order of the enum */
#define SW_AGE_HELP                                                                                                   \
	"since when a packet's age counts for arbiters that are \"age\": when its first bit left the endpoint, when " \
	"it arrived at this switch, or when the application made it, with which a source that offers more than it "   \
	"can inject passes before the others"

/* The key `quantum` of a switch. */
#define SW_QUANTUM_HELP                                                                                             \
	"bytes that arbiters that are \"drr\" give in a turn: at least the largest packet of the run, which it is " \
	"if left "                                                                                                  \
	"out. Shares are equal over times of several turns"

/* The arbiter of a key whose default is "auto". With packets of one size equal shares of packets are equal shares of
 * bytes, and round robin is the cheaper one. */
static inline enum sw_arbiter_kind sw_arbiter_chosen(int choice, bool sizes_differ)
{
	if (choice != SW_ARBITER_AUTO)
		return (enum sw_arbiter_kind)choice;
	return sizes_differ ? SW_ARBITER_DRR : SW_ARBITER_ROUND_ROBIN;
}

struct base_errors;
/* Is it large enough? `quantum` 0: it was left out. 0 or -1, with an error. */
int sw_check_quantum(uint64_t quantum, uint32_t max_packet, struct base_errors *errors);

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

/* What all kinds begin with. LEAST_RECENT: then uint32_t last_win[n]. DRR: then uint32_t deficit[n], bytes that
 * each may still take of its turn. */
struct sw_arbiter {
	uint32_t turn; /* ROUND_ROBIN, WEIGHTED: who is first; DRR: whose turn it is; LEAST_RECENT: wins so far */
	uint32_t left; /* WEIGHTED: wins left to `turn`, 0: a full weight */
};

struct sw_charge {      /* DRR: what a win costs */
	uint32_t bytes; /* of the packet; 0: it has paid already */
	uint32_t quantum;
};

static inline size_t sw_arbiter_bytes(enum sw_arbiter_kind kind, uint32_t n)
{
	if (kind == SW_ARBITER_AGE)
		return 0;
	bool by_requester = kind == SW_ARBITER_LEAST_RECENT || kind == SW_ARBITER_DRR;
	return sizeof(struct sw_arbiter) + (by_requester ? ((size_t)n * 4 + 7) & ~(size_t)7 : 0);
}

/* Does a pick look at keys? */
static inline bool sw_arbiter_has_key(enum sw_arbiter_kind kind)
{
	return kind == SW_ARBITER_AGE || kind == SW_ARBITER_DRR;
}

/* `state` all-zero is a new arbiter: nothing to initialise. */

/* Of sw_arbiter_pick() and sw_arbiter_won(), for DRR. */
uint32_t sw_drr_pick(uint32_t n, const struct sw_arbiter *a, const uint64_t *requests, const uint64_t *key);
void sw_drr_won(struct sim_ctx *ctx, struct sw_arbiter *a, uint32_t winner, struct sw_charge charge);

/* Who of `requests` (a set of n) should win; SW_NOBODY if it is empty. key[i], of requesters only: AGE: a time, less is
 * older; DRR: the bytes of its packet; may be NULL for the other kinds. Changes nothing. */
static inline uint32_t sw_arbiter_pick(enum sw_arbiter_kind kind, uint32_t n, const void *state,
                                       const uint64_t *requests, const uint64_t *key)
{
	const struct sw_arbiter *a = state;
	uint32_t best = SW_NOBODY;
	if (kind == SW_ARBITER_ROUND_ROBIN)
		return sw_set_next(requests, n, a->turn);
	switch (kind) {
	case SW_ARBITER_AGE:
		for (SW_EACH(i, requests, sw_set_words(n)))
			if (best == SW_NOBODY || key[i] < key[best])
				best = i;
		return best;
	case SW_ARBITER_LEAST_RECENT: {
		const uint32_t *last = (const uint32_t *)(const void *)(a + 1);
		for (SW_EACH(i, requests, sw_set_words(n)))
			if (best == SW_NOBODY || last[i] < last[best])
				best = i;
		return best;
	}
	case SW_ARBITER_DRR:
		return sw_drr_pick(n, a, requests, key);
	case SW_ARBITER_ROUND_ROBIN:
	case SW_ARBITER_WEIGHTED:
	default:
		return sw_set_next(requests, n, a->turn);
	}
}

/* `winner` was granted (and accepted). weight: [n], > 0; may be NULL unless the kind is WEIGHTED. charge: of DRR. */
static inline __attribute__((always_inline)) void sw_arbiter_won(struct sim_ctx *ctx, enum sw_arbiter_kind kind,
                                                                 uint32_t n, void *state, uint32_t winner,
                                                                 const uint32_t *weight, struct sw_charge charge)
{
	struct sw_arbiter *a = state;
	base_checkf(winner < n, "%u of %u wins", winner, n);
	if (kind == SW_ARBITER_ROUND_ROBIN) {
		sim_set(ctx, &a->turn, winner + 1 == n ? 0 : winner + 1);
		return;
	}
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
	case SW_ARBITER_DRR:
		sw_drr_won(ctx, a, winner, charge);
		return;
	case SW_ARBITER_ROUND_ROBIN:
	default:
		return;
	}
}

#endif
