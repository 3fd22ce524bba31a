/* topo/nodes.c - see nodes.h */
#include "topo/nodes.h"

int topo_nodes_set(struct topo_nodes *out, const struct topo *topo, uint32_t nics, const char *key,
                   struct base_errors *errors)
{
	uint32_t carrying = 0;
	*out = (struct topo_nodes){ .nics = nics, .endpoints = topo->max_endpoints, .n = topo->endpoints / nics };
	if (nics == 1)
		return 0;
	for (topo_switch s = 0; s < topo->switches; s++) {
		uint32_t here = topo_endpoints_at(topo, s);
		carrying += here > 0;
		if (here && here != topo->max_endpoints)
			return base_errorf(errors, key,
			                   "the %u interfaces of a node need switches with equal numbers of endpoints; "
			                   "this network has switches with %u and with %u",
			                   nics, here, topo->max_endpoints);
	}
	if (carrying % nics)
		return base_errorf(errors, key,
		                   "a node has %u interfaces at different switches, but the number of switches with "
		                   "endpoints, %u, is not a multiple of that",
		                   nics, carrying);
	return 0;
}
