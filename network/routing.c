/* network/routing.c - builds the routing of a configuration, with the latencies of cables where it reads them. */
#include "base/memory.h"
#include "network/net.h"
#include "network/network.h"

#include <stdlib.h>

/* Latencies of cables by the configuration: those of their classes, or by their lengths. */
struct cable_latencies {
	const struct topo *topo;
	uint64_t *of_class; /* [topo->link_classes] */
	struct topo_layout layout;
	bool by_length;
};

static uint64_t latency_of_cable(const void *arg, topo_switch s, topo_port port)
{
	const struct cable_latencies *c = arg;
	struct topo_hop hop = topo_peer(c->topo, s, port);
	if (c->of_class[hop.link_class] != NET_LATENCY_LAYOUT)
		return c->of_class[hop.link_class];
	return topo_layout_delay(&c->layout, topo_layout_mm(&c->layout, s, hop.to));
}

static int find_latencies(struct cable_latencies *c, const struct net_config *config, struct base_errors *errors)
{
	const struct topo *t = c->topo;
	const char *scope = errors->scope;
	int status = 0;
	c->of_class = base_calloc((size_t)t->link_classes + 1, sizeof *c->of_class);
	for (int k = 0; k < t->link_classes; k++) {
		c->of_class[k] = net_link_at(config, t, k).latency;
		c->by_length |= c->of_class[k] == NET_LATENCY_LAYOUT;
	}
	errors->scope = "layout";
	if (c->by_length)
		status = topo_layout_build(&c->layout, t, &config->layout, errors);
	errors->scope = scope;
	return status;
}

int net_build_routing(struct rt *rt, const struct net_config *config, const struct topo *topo,
                      struct base_errors *errors)
{
	const struct net_choice *choice = &config->routing;
	if (!((const struct rt_ops *)choice->plugin->ops)->wants_latencies)
		return rt_build(rt, choice->plugin, choice->params, topo, errors);
	struct cable_latencies latencies = { .topo = topo };
	const struct rt_latencies read = { latency_of_cable, &latencies };
	bool found = !find_latencies(&latencies, config, errors);
	int status = found ? rt_build_with(rt, choice->plugin, choice->params, topo, &read, errors) : -1;
	if (found && latencies.by_length)
		topo_layout_free(&latencies.layout);
	free(latencies.of_class);
	return status;
}
