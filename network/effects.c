/* network/effects.c - keys that have no effect on this topology: each is an error. Those that have none on any are
 * found where the configuration is read. */
#include "base/units.h"
#include "network/net.h"

#include <stdio.h>
#include <string.h>

/* Has the network a cable of this class? Classes that are there are found at the first switches. */
static bool has_cable(const struct topo *topo, int link_class)
{
	for (topo_switch s = 0; s < topo->switches; s++)
		for (topo_port p = 0, n = topo_ports(topo, s); p < n; p++)
			if (topo_peer(topo, s, p).link_class == link_class)
				return true;
	return false;
}

static void refuse_link(const char *class, const char *name, const char *why, struct base_errors *errors)
{
	char key[160];
	snprintf(key, sizeof key, "links.%.128s.%s", class, name);
	base_errorf(errors, key, "has no effect here: %s", why);
}

/* What a class says that no cable has; and what links.default says that every class has replaced. */
static void check_links(const struct net_config *c, const struct topo *topo, struct base_errors *errors)
{
	static const struct net_link usual = { 100000000000, 50000 };
	const struct net_link *d = &c->link_default;
	bool bandwidth = c->link_terminal.bandwidth == d->bandwidth, latency = c->link_terminal.latency == d->latency;
	for (int k = 0; k < topo->link_classes; k++) {
		const char *name = topo->link_class_name[k];
		const struct net_link *l = net_link_of_class(c, name);
		bool differs = l->bandwidth != d->bandwidth || l->latency != d->latency;
		bool exists = (!differs && bandwidth && latency) || has_cable(topo, k);
		bandwidth |= exists && l->bandwidth == d->bandwidth;
		latency |= exists && l->latency == d->latency;
		if (!exists && l->bandwidth != d->bandwidth)
			refuse_link(name, "bandwidth", "this network has no such cable", errors);
		if (!exists && l->latency != d->latency)
			refuse_link(name, "latency", "this network has no such cable", errors);
	}
	if (!bandwidth && d->bandwidth != usual.bandwidth)
		refuse_link("default", "bandwidth", "every class of link has its own", errors);
	if (!latency && d->latency != usual.latency)
		refuse_link("default", "latency", "every class of link has its own", errors);
}

int net_check_effects(const struct net_config *config, const struct topo *topo, struct base_errors *errors)
{
	const struct net_choice *routing = &config->routing;
	size_t before = errors->errors;
	if (routing->plugin) {
		errors->scope = "routing";
		base_conditions_check(routing->plugin->params, routing->plugin->conditions, routing->params, topo,
		                      errors);
		errors->scope = NULL;
	}
	check_links(config, topo, errors);
	return errors->errors > before ? -1 : 0;
}

int net_check_window(const struct net *n, struct base_errors *errors)
{
	const struct net_engine *e = &n->config->engine;
	bool speculates = (e->sync == NET_SYNC_OPTIMISTIC || e->sync == NET_SYNC_AUTO) && e->threads <= 1;
	char most[48];
	if (speculates || e->window <= n->lookahead)
		return 0;
	base_print_quantity(BASE_TIME, n->lookahead, most, sizeof most);
	return base_errorf(
	    errors, "engine.window",
	    "has no effect beyond the lookahead, %s here: only with sync = \"optimistic\" or \"auto\", and "
	    "no more than one thread",
	    most);
}
