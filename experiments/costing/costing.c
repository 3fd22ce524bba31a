/* experiments/costing/costing.c - see costing.h */
#include "experiments/costing/costing.h"

#include "experiments/config/message.h"
#include "experiments/config/prices.h"
#include "network/network.h"
#include "switch/switch.h"

#include <stdio.h>
#include <stdlib.h>

/* A copy of the configuration without its link classes, for checks of the other keys: these checks have no errors to
 * report about links that are all alike. */
static struct net_config without_links(const struct net_config *net)
{
	struct net_config rest = *net;
	rest.links = NULL;
	rest.nlinks = 0;
	rest.link_terminal = rest.link_default;
	return rest;
}

static int build(struct xp_costing *c, enum xp_costing_links links, struct base_errors *errors)
{
	struct net_config base = c->config.net;
	base.noverrides = links == XP_LINKS_OF_BASE ? 0 : base.noverrides;
	const struct net_config *net = &base;
	struct net_config rest = without_links(net);
	const struct net_config *judged = links == XP_LINKS_OF_TOPOLOGY ? net : &rest;
	int status = net_build_topology(net, &c->topo, errors);
	if (status) {
		net_check_link_classes_of_kind(judged, errors);
		return -1;
	}
	c->built = true;
	if (net_check_link_classes(judged, &c->topo, errors) || net_check_effects(judged, &c->topo, errors))
		return -1;
	if (!c->topo.endpoints)
		return base_errorf(errors, "topology.kind",
		                   "there are no endpoints among which the cost could be divided");
	errors->scope = "layout";
	status = topo_layout_build(&c->layout, &c->topo, &net->layout, errors);
	errors->scope = NULL;
	return status;
}

static void count(struct xp_costing *c)
{
	const struct net_config *net = &c->config.net;
	uint64_t rates[TOPO_LINK_CLASSES] = { 0 }, terminal = net->link_terminal.bandwidth;
	double share[TOPO_LINK_CLASSES] = { 0 };
	struct topo_facts facts;
	const char *why;
	int limit;
	for (int k = 0; k < c->topo.link_classes; k++) {
		rates[k] = net_link_at(net, &c->topo, k).bandwidth;
		share[k] = (double)rates[k] / (double)terminal;
	}
	topo_bill_make(&c->bill, &c->topo, &c->layout, rates, terminal);
	topo_quick_facts(&c->topo, &facts);
	topo_load_facts(&c->topo, &facts);
	c->uniform = topo_saturation(&c->topo, &facts, share, &limit, &why);
	c->gbps = (double)terminal * 1e-9;
	c->watts =
	    topo_bill_watts(&c->bill, net->cost.choice.radix == TOPO_BUY_LARGEST ? c->bill.radix : 0, &c->watts_source);
}

static int load_prices(struct xp_costing *c, struct base_errors *errors)
{
	const struct net_cost *cost = &c->config.net.cost;
	const struct topo_cost_ops *ops = cost->model.plugin->ops;
	c->model = (struct topo_model){ .plugin = cost->model.plugin, .params = cost->model.params };
	c->priced = cost->model.plugin->ops != topo_cost_none.ops;
	if (!c->priced)
		return 0;
	if (ops->wants_prices)
		c->model.prices = c->prices = xp_prices_read(*(char *const *)cost->model.params, errors);
	if (ops->wants_prices && !c->prices)
		return -1;
	errors->scope = "cost";
	int status = topo_cost_check(&c->model, errors);
	errors->scope = NULL;
	return status;
}

int xp_costing_load(struct xp_costing *c, const char *source, const struct xp_sets *sets, enum xp_costing_links links,
                    struct base_registry *registry, struct base_errors *errors)
{
	*c = (struct xp_costing){ .name = source };
	int status = source ? xp_config_load(&c->config, source, sets, XP_TOPOLOGY_ONLY, registry, errors)
	                    : xp_config_parse(&c->config, "", 0, xp_message_prefix(), NULL, sets, XP_TOPOLOGY_ONLY,
	                                      registry, errors);
	if (status) {
		if (links == XP_LINKS_OF_TOPOLOGY)
			xp_config_look_further(&c->config, errors);
		return -1;
	}
	c->read = true;
	if (build(c, links, errors))
		return -1;
	count(c);
	if (base_report_refuted(c->topo.plugin, "topology.kind", errors))
		return -1;
	return load_prices(c, errors);
}

int xp_costing_make(struct xp_costing *c, const char *source, const struct xp_sets *sets, enum xp_costing_links links,
                    struct base_registry *registry, struct base_errors *errors)
{
	if (xp_costing_load(c, source, sets, links, registry, errors))
		return -1;
	errors->scope = "cost";
	int status = c->priced ? topo_cost_make(&c->cost, &c->model, &c->bill, &c->config.net.cost.choice, errors) : 0;
	errors->scope = NULL;
	return status;
}

bool xp_costing_unsold(struct xp_costing *c, const struct base_errors *errors, char *why, size_t size)
{
	for (size_t i = 0; c->priced && i < errors->n; i++) {
		const struct base_error *e = &errors->v[i];
		if (e->warning)
			continue;
		snprintf(why, size, "%s: %s", e->key + (*e->key == '@'), e->text);
		c->priced = false;
		return true;
	}
	return false;
}

void xp_costing_free(struct xp_costing *c)
{
	topo_bill_free(&c->bill);
	topo_layout_free(&c->layout);
	xp_prices_free(c->prices);
	if (c->built)
		topo_destroy(&c->topo);
	xp_config_free(&c->config);
}

double xp_rounded(double x)
{
	char text[40];
	snprintf(text, sizeof text, "%.12g", x);
	return strtod(text, NULL);
}
