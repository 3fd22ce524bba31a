/* topo/bundlefly.h - minimal routes of a Bundlefly computed at every hop: used beyond TOPO_MAX_TABLED switches; below,
 * the same as the table's except for the order of ports; for tests. */
#ifndef TOPO_BUNDLEFLY_H
#define TOPO_BUNDLEFLY_H

#include "topo/topo.h"

int topo_bundlefly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
/* A symmetry of the graph (symmetry.h), map[topo->switches]: (u, a) to (u, x^2 a), x a primitive element.
 * Multiplication by squares preserves the Paley graph and commutes with multiplication by powers of x. */
void topo_bundlefly_map(const struct topo *topo, topo_switch *map);
unsigned topo_bundlefly_distance(const struct topo *topo, topo_switch from, topo_switch to);

#endif
