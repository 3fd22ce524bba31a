/* topo/xgft.h - extended generalised fat trees, for the builders of their families (xgft.c, fattree.c). */
#ifndef TOPO_XGFT_H
#define TOPO_XGFT_H

#include "topo/topo.h"

#define TOPO_XGFT_LEVELS 16
#define TOPO_XGFT_CLASSES 8 /* link classes of a tree; higher levels share the last */

/* Builds XGFT(levels; children; parents): the caller must have checked that all numbers are at least 1 and that
 * parents[0] is 1. trunk[i] is the number of parallel cables from a switch of level i to each of its parents, and
 * trunk[0] is 1; if `trunk` is NULL, all cables are single. Returns -1 with an error that has no key if there would be
 * too many switches, ports or endpoints. */
int topo_xgft_make(struct topo *topo, uint32_t levels, const uint64_t *children, const uint64_t *parents,
                   const uint64_t *trunk, struct base_errors *errors);

/* Functions that all trees share, that is, all except build(), in tables of functions (struct topo_ops). The link
 * classes are level1, level2, ... up to TOPO_XGFT_CLASSES. */
#define TOPO_XGFT_SHARED_OPS                                                                                  \
	.destroy = topo_xgft_destroy, .distance = topo_xgft_distance, .max_distance = topo_xgft_max_distance, \
	.worst_case = topo_xgft_worst_case, .order = topo_xgft_order, .orbits = topo_xgft_orbits,             \
	.rack = topo_xgft_rack, .facts = topo_xgft_facts, .link_classes = topo_xgft_classes,                  \
	.by_destination = topo_xgft_by_destination
#define TOPO_XGFT_OPS                                                                                   \
	TOPO_XGFT_SHARED_OPS, .ports = topo_xgft_ports, .peer = topo_xgft_peer, .next = topo_xgft_next, \
			      .run = topo_xgft_run

extern const char *const topo_xgft_classes[];
void topo_xgft_destroy(struct topo *topo);
uint32_t topo_xgft_ports(const struct topo *topo, topo_switch s);
struct topo_hop topo_xgft_peer(const struct topo *topo, topo_switch s, topo_port port);
int topo_xgft_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
struct topo_run topo_xgft_run(const struct topo *topo, topo_switch here, topo_switch to);
topo_port topo_xgft_by_destination(const struct topo *topo, topo_switch here, uint32_t endpoint);
unsigned topo_xgft_distance(const struct topo *topo, topo_switch from, topo_switch to);
unsigned topo_xgft_max_distance(const struct topo *topo);
uint32_t topo_xgft_worst_case(const struct topo *topo, topo_switch *to);
topo_switch topo_xgft_order(const struct topo *topo, uint32_t i);
uint32_t topo_xgft_rack(const struct topo *topo, topo_switch s);
size_t topo_xgft_orbits(const struct topo *topo, struct topo_orbit *out, size_t capacity);
void topo_xgft_facts(const struct topo *topo, struct topo_facts *facts);

#endif
