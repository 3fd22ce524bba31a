/* topo/failed.h - a topology while some of its cables have failed: the ports keep their numbers, minimal routing takes
 * the shortest paths that are left, with the hop rule for virtual channels, and parts of the network may be cut off. */
#ifndef TOPO_FAILED_H
#define TOPO_FAILED_H

#include "topo/topo.h"

/* Makes *out from the built topology *whole, which must outlive it. dead[first[s] + p] says whether the channel of port
 * p of switch s has failed; either both directions of a cable have, or none. Routes exist only inside a connected
 * component (topo_failed_component()). The component with most endpoints is the main one; the switches of all others
 * are marked in out->cut_off. Between components next() offers an arbitrary port, and distance() returns TOPO_APART.
 * Returns -1 with an error that has no key on failure. Cost: O(switches * cables); memory: switches^2 bytes, once per
 * host. */
#define TOPO_APART 255u
int topo_fail(struct topo *out, const struct topo *whole, const size_t *first, const uint8_t *dead,
              struct base_errors *errors);
/* topo_failed_component() returns the number of the component of each switch, [switches], owned by the topology;
 * topo_failed_main() returns the number of the main component. */
const uint32_t *topo_failed_component(const struct topo *topo);
uint32_t topo_failed_main(const struct topo *topo);

#endif
