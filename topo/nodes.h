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

/* Refuses (under errors->scope and `key`) networks whose switches have different numbers of endpoints, or whose number
 * of switches is not a multiple of nics. nics >= 1. */
int topo_nodes_set(struct topo_nodes *out, const struct topo *topo, uint32_t nics, const char *key,
                   struct base_errors *errors);

static inline topo_endpoint topo_node_home(const struct topo_nodes *x, uint32_t node)
{
	return node / x->endpoints * x->nics * x->endpoints + node % x->endpoints;
}
/* The node of a home endpoint. */
static inline uint32_t topo_node_of(const struct topo_nodes *x, topo_endpoint home)
{
	return home / x->endpoints / x->nics * x->endpoints + home % x->endpoints;
}
/* Which of its node's interfaces an endpoint is. */
static inline uint32_t topo_nic_of(const struct topo_nodes *x, topo_endpoint e)
{
	return e / x->endpoints % x->nics;
}
/* The i-th interface of the node with a given home; and the home of an interface. */
static inline topo_endpoint topo_nic_at(const struct topo_nodes *x, topo_endpoint home, uint32_t nic)
{
	return home + nic * x->endpoints;
}
static inline topo_endpoint topo_home_of(const struct topo_nodes *x, topo_endpoint e)
{
	return e - topo_nic_of(x, e) * x->endpoints;
}

#endif
