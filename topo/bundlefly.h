/* topo/bundlefly.h - functions of the Bundlefly for tests and for topo/sizing_search.c: its minimal routes computed at
 * every hop, which are used for more than TOPO_MAX_TABLED switches (for fewer, they equal those of the distance table
 * except for the order of ports), and a symmetry. */
#ifndef TOPO_BUNDLEFLY_H
#define TOPO_BUNDLEFLY_H

#include "topo/topo.h"

int topo_bundlefly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
/* Fills map[topo->switches] with a symmetry of the graph (symmetry.h), which takes switch (u, a) to (u, x^2 a), where x
 * is a primitive element. Multiplication by squares preserves the Paley graph and commutes with multiplication by
 * powers of x. */
void topo_bundlefly_map(const struct topo *topo, topo_switch *map);
unsigned topo_bundlefly_distance(const struct topo *topo, topo_switch from, topo_switch to);

#endif
