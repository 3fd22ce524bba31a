/* topo/nodes.h - nodes with several network interfaces, each an endpoint at a different switch.
 *
 * Consecutive switches with endpoints form blocks of `nics`; the endpoints at the same position of all switches of a
 * block are the interfaces of one node. Node n is in block n / endpoints at position n % endpoints, so nodes are
 * ordered by their first interface, the home, where the node's processes run. With one interface a node is an
 * endpoint. */
#ifndef TOPO_NODES_H
#define TOPO_NODES_H

#include "topo/topo.h"

struct topo_nodes {
	uint32_t nics;      /* per node */
	uint32_t endpoints; /* at each switch that has any */
	uint32_t n;
};

/* Fills *out for nics >= 1 interfaces per node. With several interfaces, returns -1 with an error for `key` (in
 * errors->scope) if switches that have endpoints have different numbers of them, or if the number of switches with
 * endpoints is not a multiple of nics. */
int topo_nodes_set(struct topo_nodes *out, const struct topo *topo, uint32_t nics, const char *key,
                   struct base_errors *errors);

static inline topo_endpoint topo_node_home(const struct topo_nodes *x, uint32_t node)
{
	return node / x->endpoints * x->nics * x->endpoints + node % x->endpoints;
}
/* The node whose home, the endpoint of its first interface, is `home`. */
static inline uint32_t topo_node_of(const struct topo_nodes *x, topo_endpoint home)
{
	return home / x->endpoints / x->nics * x->endpoints + home % x->endpoints;
}
/* The number, from 0, of an endpoint among the interfaces of its node. */
static inline uint32_t topo_nic_of(const struct topo_nodes *x, topo_endpoint e)
{
	return e / x->endpoints % x->nics;
}
/* topo_nic_at() returns the endpoint of interface number `nic` of the node with this home; topo_home_of() returns the
 * home of the node to which an endpoint belongs. */
static inline topo_endpoint topo_nic_at(const struct topo_nodes *x, topo_endpoint home, uint32_t nic)
{
	return home + nic * x->endpoints;
}
static inline topo_endpoint topo_home_of(const struct topo_nodes *x, topo_endpoint e)
{
	return e - topo_nic_of(x, e) * x->endpoints;
}

#endif
