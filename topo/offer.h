/* topo/offer.h - selection of the ports that next() offers from a run of equally good ports. */
#ifndef TOPO_OFFER_H
#define TOPO_OFFER_H

#include "topo/topo.h"

/* The first of the ports offered for a pair of switches, cyclically, if only some of `count` equally good ports are
 * offered. It is a point of the plane sequence of Roberts (2018), whose steps are powers of the plastic number
 * 1.3247..: for consecutive destinations of a switch, sources of a destination or shifts, any number of such points is
 * evenly distributed over the cycle. So all ports are used equally. */
static inline uint32_t topo_offer_start(topo_switch here, uint32_t to, uint32_t count)
{
	uint32_t turn = here * UINT32_C(3242174889) + to * UINT32_C(2447445414); /* 2^32 / 1.3247.., and again */
	return (uint32_t)((uint64_t)turn * count >> 32);
}

/* Writes the ports of a run into `out`, which has TOPO_MAX_NEXT entries; of a longer run it writes TOPO_MAX_NEXT ports.
 * Returns the number of ports written. */
static inline int topo_offer(topo_port *out, struct topo_run run, topo_switch here, uint32_t to)
{
	if (run.n <= TOPO_MAX_NEXT) {
		for (uint32_t i = 0; i < run.n; i++)
			out[i] = run.first + i;
		return (int)run.n;
	}
	uint32_t at = topo_offer_start(here, to, run.n);
	for (uint32_t i = 0; i < TOPO_MAX_NEXT; i++) {
		out[i] = run.first + at;
		at = at + 1 == run.n ? 0 : at + 1;
	}
	return TOPO_MAX_NEXT;
}

#endif
