/* topo/inner.h - topologies that are made of another one, whose functions they call: parallel cables (parallel.c),
 * cables with a bandwidth or latency of their own (override.c). */
#ifndef TOPO_INNER_H
#define TOPO_INNER_H

#include "topo/topo.h"

/* First member of the impl of such a topology; `ops` is its table. */
struct topo_inner {
	struct topo topo; /* the other one, owned */
	struct topo_ops ops;
};

/* Wraps a built topology: *topo keeps its numbers, and gets as ops a table whose functions, except for those of ports
 * and routes, call the inner topology's; ports(), peer(), next(), run() and by_destination() remain to be set in
 * inner->ops. destroy() is topo_inner_destroy(). */
void topo_inner_wrap(struct topo *topo, struct topo_inner *inner);
/* Destroys the inner topology, and frees the impl. */
void topo_inner_destroy(struct topo *topo);

static inline const struct topo *topo_inner_of(const struct topo *topo)
{
	return &((const struct topo_inner *)topo->impl)->topo;
}

/* Functions that call the same function of the inner topology. */
uint32_t topo_inner_ports(const struct topo *topo, topo_switch s);
int topo_inner_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
struct topo_run topo_inner_run(const struct topo *topo, topo_switch here, topo_switch to);
topo_port topo_inner_by_destination(const struct topo *topo, topo_switch here, uint32_t endpoint);
void topo_inner_facts(const struct topo *topo, struct topo_facts *facts);

#endif
