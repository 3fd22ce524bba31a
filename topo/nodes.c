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
			                   "%u interfaces of a node are at switches of equal numbers of endpoints; "
			                   "there are switches with %u and with %u",
			                   nics, here, topo->max_endpoints);
	}
	if (carrying % nics)
		return base_errorf(errors, key,
		                   "%u interfaces of a node are at as many switches, and the %u switches with "
		                   "endpoints are no multiple of it",
		                   nics, carrying);
	return 0;
}
