/* tests/tier.h - a test and its long twin are one file. EVERY_CASE is 1 in the twin, which has _long in its name and
 * defines it, and 0 in the test that runs by default; SPAN(short, long) is what the two differ in. Tests with drawn
 * cases print the seed of a case that fails: TILEFLY_SEED takes it again, TILEFLY_DRAWS says how many are drawn. */
#ifndef TESTS_TIER_H
#define TESTS_TIER_H

#include <stdint.h>
#include <stdlib.h>

#ifndef EVERY_CASE
#define EVERY_CASE 0
#endif

#if EVERY_CASE
#define SPAN(in_short, in_long) in_long
#else
#define SPAN(in_short, in_long) in_short
#endif

static inline uint32_t tier_number(const char *variable, uint32_t otherwise)
{
	const char *text = getenv(variable);
	return text ? (uint32_t)strtoul(text, NULL, 10) : otherwise;
}

static inline uint32_t tier_seed(uint32_t otherwise)
{
	return tier_number("TILEFLY_SEED", otherwise);
}

static inline uint32_t tier_draws(uint32_t otherwise)
{
	return tier_number("TILEFLY_DRAWS", otherwise);
}

#endif
