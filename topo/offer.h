/* topo/offer.h - what next() says of a run of equally good ports. */
#ifndef TOPO_OFFER_H
#define TOPO_OFFER_H

#include "topo/topo.h"

/* Into `out`, which has room for TOPO_MAX_NEXT: the ports of a run, or, of more, so many of them in a circle that
 * starts at `start`, any number: spread over the destinations, all ports are taken equally often. Returns how many. */
static inline int topo_offer(topo_port *out, struct topo_run run, uint32_t start)
{
	if (run.n <= TOPO_MAX_NEXT) {
		for (uint32_t i = 0; i < run.n; i++)
			out[i] = run.first + i;
		return (int)run.n;
	}
	uint32_t at = start % run.n;
	for (uint32_t i = 0; i < TOPO_MAX_NEXT; i++) {
		out[i] = run.first + at;
		at = at + 1 == run.n ? 0 : at + 1;
	}
	return TOPO_MAX_NEXT;
}

#endif
