/* routing/level.h - queue depths quantised to four bits, as switches report them to each other. The levels are 0, 1, 2,
 * 3 units, and from there on two per doubling: 4, 6, 8, 12 ... 192 units. Depths are rounded down. */
#ifndef ROUTING_LEVEL_H
#define ROUTING_LEVEL_H

#include <stdint.h>

#define RT_LEVELS 16u

/* The level, 0 to RT_LEVELS - 1, of a depth in units. */
static inline unsigned rt_level(uint64_t units)
{
	if (units < 4)
		return (unsigned)units;
	if (units >= 192)
		return RT_LEVELS - 1;
	unsigned log = 63u - (unsigned)__builtin_clzll(units);
	return 2 * log + (unsigned)(units >> (log - 1) & 1);
}

/* The lowest depth, in units, that belongs to a level. */
static inline uint64_t rt_level_units(unsigned level)
{
	static const uint8_t units[RT_LEVELS] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192 };
	return units[level];
}

#endif
