/* topo/failed.h - a topology while some of its cables have failed: the ports keep their numbers, minimal routing takes
 * the shortest paths that are left, with the hop rule for virtual channels, and parts of the network may be cut off. */
#ifndef TOPO_FAILED_H
#define TOPO_FAILED_H

#include "topo/topo.h"

/* Makes *out from a built topology, which must outlive it. dead: [channels], the channel of port p of switch s is
 * first[s] + p; both directions of a cable are dead, or none. Routes exist only between switches of one component
 * (topo_failed_component()); the one with most endpoints is the main component, and all others are out->cut_off: next()
 * offers any port between components, and distance() says TOPO_APART. Returns -1 with an error of no key. Cost:
 * O(switches * cables), memory: switches^2 bytes, once per host. */
#define TOPO_APART 255u
int topo_fail(struct topo *out, const struct topo *whole, const size_t *first, const uint8_t *dead,
              struct base_errors *errors);
/* [switches] Numbers of the components; that of the main one. */
const uint32_t *topo_failed_component(const struct topo *topo);
uint32_t topo_failed_main(const struct topo *topo);

#endif
