/* topo/inner.h - topologies that wrap another ("inner") topology and call its functions: those with parallel cables
 * (parallel.c) and those with cables that have a bandwidth or latency of their own (override.c). */
#ifndef TOPO_INNER_H
#define TOPO_INNER_H

#include "topo/topo.h"

/* The first member of the `impl` of a wrapping topology; `ops` is the table of its functions. */
struct topo_inner {
	struct topo topo; /* the other one, owned */
	struct topo_ops ops;
};

/* Wraps a built topology, which is moved to inner->topo. *topo keeps its numbers, and its ops become inner->ops. These
 * call the functions of the inner topology, except that the caller has to set ports(), peer(), next(), run() and
 * by_destination(); destroy() is topo_inner_destroy(). */
void topo_inner_wrap(struct topo *topo, struct topo_inner *inner);
/* Destroys the inner topology, and frees the impl. */
void topo_inner_destroy(struct topo *topo);

static inline const struct topo *topo_inner_of(const struct topo *topo)
{
	return &((const struct topo_inner *)topo->impl)->topo;
}

/* Each of these functions calls the function of the same name of the inner topology. */
uint32_t topo_inner_ports(const struct topo *topo, topo_switch s);
int topo_inner_next(const struct topo *topo, topo_switch here, topo_switch to, unsigned leg_hops, topo_port *out);
struct topo_run topo_inner_run(const struct topo *topo, topo_switch here, topo_switch to);
topo_port topo_inner_by_destination(const struct topo *topo, topo_switch here, uint32_t endpoint);
void topo_inner_facts(const struct topo *topo, struct topo_facts *facts);

#endif
