/* topo/polarstar.h - functions of the PolarStar for tests and for topo/sizing_search.c: its minimal routes computed at
 * every hop, which are used for more than TOPO_MAX_TABLED switches (for fewer, they equal those of the distance table),
 * and its symmetries. */
#ifndef TOPO_POLARSTAR_H
#define TOPO_POLARSTAR_H

#include "topo/topo.h"

int topo_polarstar_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
/* Writes symmetries of the graph (symmetry.h) to map[i][topo->switches] and returns their number. If f is an involution
 * (iq), every linear map that preserves orthogonality is a symmetry; used here are swaps of two coordinates and some x
 * - c (x v) v. For Paley graphs: multiplication by the square of a primitive element. */
#define TOPO_POLARSTAR_MAPS 5
size_t topo_polarstar_maps(const struct topo *topo, topo_switch *map[TOPO_POLARSTAR_MAPS]);
unsigned topo_polarstar_distance(const struct topo *topo, topo_switch from, topo_switch to);

#endif
