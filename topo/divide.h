/* topo/divide.h - division by a number that is fixed when the topology is built.
 *
 * floor(n / d) = floor((n + 1) * m / 2^64) with m = floor((2^64 - 1) / d): exact for every n and d >= 1 below 2^32,
 * because the error (n + 1) (1 + r) / (d 2^64), r < d, stays under 1 / d. */
#ifndef TOPO_DIVIDE_H
#define TOPO_DIVIDE_H

#include <stdint.h>

struct topo_divider {
	uint64_t m;
	uint32_t d;
};

static inline struct topo_divider topo_divider_of(uint32_t d)
{
	return (struct topo_divider){ .m = UINT64_MAX / d, .d = d };
}

static inline uint32_t topo_divide(const struct topo_divider *by, uint32_t n)
{
	return (uint32_t)((unsigned __int128)by->m * ((uint64_t)n + 1) >> 64);
}

/* The remainder n mod d, computed from n and its quotient. */
static inline uint32_t topo_remainder(const struct topo_divider *by, uint32_t n, uint32_t quotient)
{
	return n - quotient * by->d;
}

#endif
