/* topo/nodes.h - nodes with several endpoints, network interfaces each at a switch of its own.
 *
 * Switches that carry endpoints are taken in blocks of `nics` that follow one another; the endpoints at one place of
 * all switches of a block are the interfaces of one node. Node n is at block n / endpoints and place n % endpoints, so
 * nodes are in order of their first interfaces, at which a node's processes are: its home. With one interface a node is
 * an endpoint. */
#ifndef TOPO_NODES_H
#define TOPO_NODES_H

#include "topo/topo.h"

struct topo_nodes {
	uint32_t nics;      /* of a node */
	uint32_t endpoints; /* at each switch that has some */
	uint32_t n;
};

/* Refuses (under errors->scope and `key`) networks whose switches have different numbers of endpoints, or whose
 * switches cannot be divided into blocks. nics >= 1. */
int topo_nodes_set(struct topo_nodes *out, const struct topo *topo, uint32_t nics, const char *key,
                   struct base_errors *errors);

static inline topo_endpoint topo_node_home(const struct topo_nodes *x, uint32_t node)
{
	return node / x->endpoints * x->nics * x->endpoints + node % x->endpoints;
}
/* By its home. */
static inline uint32_t topo_node_of(const struct topo_nodes *x, topo_endpoint home)
{
	return home / x->endpoints / x->nics * x->endpoints + home % x->endpoints;
}
/* The interface of an endpoint's node that it is. */
static inline uint32_t topo_nic_of(const struct topo_nodes *x, topo_endpoint e)
{
	return e / x->endpoints % x->nics;
}
/* A node's interface, by its home; and the home, by an interface. */
static inline topo_endpoint topo_nic_at(const struct topo_nodes *x, topo_endpoint home, uint32_t nic)
{
	return home + nic * x->endpoints;
}
static inline topo_endpoint topo_home_of(const struct topo_nodes *x, topo_endpoint e)
{
	return e - topo_nic_of(x, e) * x->endpoints;
}

#endif
