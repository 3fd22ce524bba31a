/* topo/polarstar.h - minimal routes of a PolarStar worked out at every hop: what its ops are beyond TOPO_MAX_TABLED
 * switches, and the same as the table's below; for tests. */
#ifndef TOPO_POLARSTAR_H
#define TOPO_POLARSTAR_H

#include "topo/topo.h"

int topo_polarstar_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
unsigned topo_polarstar_distance(const struct topo *topo, topo_switch from, topo_switch to);

#endif
