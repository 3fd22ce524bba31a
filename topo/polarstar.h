/* topo/polarstar.h - minimal routes of a PolarStar worked out at every hop: what its ops are beyond TOPO_MAX_TABLED
 * switches, and the same as the table's below; for tests. */
#ifndef TOPO_POLARSTAR_H
#define TOPO_POLARSTAR_H

#include "topo/topo.h"

int topo_polarstar_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
/* Symmetries of the graph (symmetry.h), map[i][topo->switches] for each; returns how many there are. With f an
 * involution (iq) every linear map of the plane that keeps what is orthogonal is one, here those of two coordinates
 * that change places and some x - c (x v) v; of Paley graphs, multiplication by the square of a primitive element. */
#define TOPO_POLARSTAR_MAPS 5
size_t topo_polarstar_maps(const struct topo *topo, topo_switch *map[TOPO_POLARSTAR_MAPS]);
unsigned topo_polarstar_distance(const struct topo *topo, topo_switch from, topo_switch to);

#endif
