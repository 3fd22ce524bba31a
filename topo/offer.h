/* topo/offer.h - what next() says of a run of equally good ports. */
#ifndef TOPO_OFFER_H
#define TOPO_OFFER_H

#include "topo/topo.h"

_Static_assert(TOPO_MAX_NEXT % 8 == 0, "topo_offer() writes eight at a time");

/* Into `out`, which has room for TOPO_MAX_NEXT: ports first .. first + n - 1, or, of more than TOPO_MAX_NEXT, so many
 * of them in a circle that starts at `start`, any number: spread over the destinations, all ports are taken equally
 * often. */
static inline int topo_offer(topo_port *out, topo_port first, uint32_t n, uint32_t start)
{
	if (n <= TOPO_MAX_NEXT) {
		for (uint32_t i = 0; i < n; i += 8) /* beyond n there is room, and whole vectors are quicker */
			for (uint32_t j = i; j < i + 8; j++)
				out[j] = first + j;
		return (int)n;
	}
	uint32_t at = start % n;
	for (uint32_t i = 0; i < TOPO_MAX_NEXT; i++) {
		out[i] = first + at;
		at = at + 1 == n ? 0 : at + 1;
	}
	return TOPO_MAX_NEXT;
}

#endif
