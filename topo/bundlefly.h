/* topo/bundlefly.h - minimal routes of a Bundlefly worked out at every hop: what its ops are beyond TOPO_MAX_TABLED
 * switches, and the same as the table's, port order aside, below; for tests. */
#ifndef TOPO_BUNDLEFLY_H
#define TOPO_BUNDLEFLY_H

#include "topo/topo.h"

int topo_bundlefly_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
/* A symmetry of the graph (symmetry.h), map[topo->switches]: (u, a) to (u, x^2 a), x a primitive element. Squares are
 * what a Paley graph and multiplication by powers of x both allow to multiply with. */
void topo_bundlefly_map(const struct topo *topo, topo_switch *map);
unsigned topo_bundlefly_distance(const struct topo *topo, topo_switch from, topo_switch to);

#endif
