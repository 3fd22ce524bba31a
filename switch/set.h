/* switch/set.h - bit sets of a switch's ports, or of other numbers 0 .. n-1 with n <= SW_SET_PORTS, as arrays of 64-bit
 * words. */
#ifndef SWITCH_SET_H
#define SWITCH_SET_H

#include "base/check.h"

#include <stdbool.h>
#include <stdint.h>

#define SW_SET_WORDS 4u
#define SW_SET_PORTS (64u * SW_SET_WORDS)
#define SW_NOBODY UINT32_MAX

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

/* Returns the first member at or after `from`, in cyclic order; SW_NOBODY if the set is empty. `from` must be below
 * n. */
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
	/* The last step examines the members before `from` in the same word. */
	bits = set[from >> 6] & ~(~0ull << (from & 63));
	return bits ? (from & ~63u) + (uint32_t)__builtin_ctzll(bits) : SW_NOBODY;
}

/* Used as for (SW_EACH(i, set, words)): visits the members of a set in ascending order. The loop's body may remove
 * members from the set, but must not add any. */
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

#endif
