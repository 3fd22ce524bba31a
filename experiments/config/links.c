/* experiments/config/links.c - the resolved links of all classes, once the topology is known. */
#include "experiments/config/config.h"

#include "base/memory.h"
#include "network/network.h"

#include <stdlib.h>
#include <string.h>

void xp_config_fill_links(struct net_config *net, const struct topo *topo)
{
	struct net_link_class *all = base_calloc((size_t)topo->link_classes + 1, sizeof *all);
	uint32_t n = 0;
	for (int k = 0; k < topo_named_classes(topo); k++) {
		const char *name = topo->link_class_name[k];
		if (!xp_is_name(name) || !strcmp(name, "default"))
			continue; /* links.default says it */
		all[n++] = (struct net_link_class){ .name = base_strdup(name), .link = *net_link_of_class(net, name) };
	}
	for (uint32_t i = 0; i < net->nlinks; i++)
		free(net->links[i].name);
	free(net->links);
	net->links = all;
	net->nlinks = n;
}
