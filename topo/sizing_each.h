/* topo/sizing_each.h - what the families of sizing.c and sizing_search.c have in common. */
#ifndef TOPO_SIZING_EACH_H
#define TOPO_SIZING_EACH_H

#include "topo/sizing.h"

/* Visits a member if it has not too many ports, and is not larger than what can be built. */
void topo_visit(const struct topo_sizing *sizing, struct topo_member member);
bool topo_is_prime_power(uint32_t n);

/* sizing_search.c: see struct topo_family. */
const char *topo_each_spectralfly(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_bundlefly(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_polarstar(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_polarstar_paley(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_hammingmesh(const struct topo_family *family, const struct topo_sizing *sizing);
const char *topo_each_jellyfish(const struct topo_family *family, const struct topo_sizing *sizing);

#endif
