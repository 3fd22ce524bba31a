/* network/links.c - the links of every class: which configuration section is theirs, and the lookahead that they give.
 */
#include "network/net.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct net_link *net_link_of_class(const struct net_config *config, const char *name)
{
	for (uint32_t i = 0; i < config->nlinks; i++)
		if (!strcmp(config->links[i].name, name))
			return &config->links[i].link;
	return &config->link_default;
}

/* Link classes of a topology. */
struct classes {
	const char *kind;
	const char *const *name;
	int n;
};

static bool has_class(const struct classes *c, const char *name)
{
	for (int k = 0; k < c->n; k++)
		if (!strcmp(c->name[k], name))
			return true;
	return false;
}

static void unknown_class(const struct classes *c, const char *name, struct base_errors *errors)
{
	const char *known[SW_LINK_TERMINAL + 2] = { "default", "terminal" };
	size_t n = 2;
	char key[160], list[512] = "default, terminal";
	for (int k = 0; k < c->n && k < SW_LINK_TERMINAL; k++) {
		size_t used = strlen(list);
		if (!strcmp(c->name[k], "default"))
			continue;
		known[n++] = c->name[k];
		snprintf(list + used, sizeof list - used, ", %s", c->name[k]);
	}
	const char *near = base_nearest(name, known, n);
	snprintf(key, sizeof key, "links.%.128s", name);
	if (near)
		base_errorf(errors, key, "unknown link class of topology \"%s\"; did you mean \"%s\"? There are: %s",
		            c->kind, near, list);
	else
		base_errorf(errors, key, "unknown link class of topology \"%s\"; there are: %s", c->kind, list);
}

static void check_names(const struct net_config *config, const struct classes *c, struct base_errors *errors)
{
	for (uint32_t i = 0; i < config->nlinks; i++)
		if (!has_class(c, config->links[i].name))
			unknown_class(c, config->links[i].name, errors);
}

int net_check_link_classes(const struct net_config *config, const struct topo *topo, struct base_errors *errors)
{
	const struct classes c = { topo->kind, topo->link_class_name, topo->link_classes };
	size_t before = errors->errors;
	if (has_class(&c, "terminal"))
		base_errorf(errors, "topology.kind",
		            "cables between switches have the class \"terminal\", which is that of endpoints");
	check_names(config, &c, errors);
	return errors->errors > before ? -1 : 0;
}

void net_check_link_classes_of_kind(const struct net_config *config, struct base_errors *errors)
{
	const struct base_plugin *plugin = config->topology.plugin;
	const struct topo_ops *ops = plugin ? plugin->ops : NULL;
	if (!ops || !ops->link_classes)
		return;
	struct classes c = { plugin->name, ops->link_classes, 0 };
	while (c.name[c.n])
		c.n++;
	check_names(config, &c, errors);
}

/* Is no other number of 1/65536 ps nearer to a byte's time? */
static bool is_nearest(uint64_t ps_per_byte_q16, uint64_t bandwidth)
{
	__int128 off = (__int128)ps_per_byte_q16 * bandwidth - ((__int128)8000000000000ull << 16);
	return 2 * (off < 0 ? -off : off) <= bandwidth;
}

static const struct net_link *link_of(const struct net *n, int k)
{
	const struct net_config *c = n->config;
	return k == SW_LINK_TERMINAL      ? &c->link_terminal
	       : k < n->topo.link_classes ? net_link_of_class(c, n->topo.link_class_name[k])
	                                  : &c->link_default;
}

/* Finds which classes have latencies by length, and for each class the shortest and the longest latency of a cable; of
 * a class without cables shortest > longest. */
static int find_latencies(struct net *n, uint64_t *shortest, uint64_t *longest, struct base_errors *errors)
{
	bool terminal = n->config->link_terminal.latency == NET_LATENCY_LAYOUT;
	for (int k = 0; k < SW_LINK_CLASSES; k++) {
		bool here = k < n->topo.link_classes && link_of(n, k)->latency == NET_LATENCY_LAYOUT;
		n->cables.by_length |= (uint32_t)here << k;
		shortest[k] = here ? UINT64_MAX : link_of(n, k)->latency;
		longest[k] = here ? 0 : shortest[k];
	}
	shortest[SW_LINK_TERMINAL] = longest[SW_LINK_TERMINAL] = n->config->link_terminal.latency;
	if (!n->cables.by_length && !terminal)
		return 0;
	errors->scope = "layout";
	int status = topo_layout_build(&n->cables.layout, &n->topo, &n->config->layout, errors);
	errors->scope = NULL;
	if (status)
		return -1;
	if (terminal)
		shortest[SW_LINK_TERMINAL] = longest[SW_LINK_TERMINAL] =
		    topo_layout_delay(&n->cables.layout, n->cables.layout.terminal);
	for (topo_switch s = 0; s < n->topo.switches && n->cables.by_length; s++)
		for (topo_port p = 0, ports = topo_ports(&n->topo, s); p < ports; p++) {
			struct topo_hop hop = topo_peer(&n->topo, s, p);
			uint64_t ps = net_latency(n, s, hop.to, hop.link_class);
			if (!(n->cables.by_length >> hop.link_class & 1))
				continue;
			shortest[hop.link_class] = ps < shortest[hop.link_class] ? ps : shortest[hop.link_class];
			longest[hop.link_class] = ps > longest[hop.link_class] ? ps : longest[hop.link_class];
		}
	return 0;
}

int net_set_links(struct net *n, struct base_errors *errors)
{
	int status = net_check_link_classes(n->config, &n->topo, errors);
	uint64_t least = UINT64_MAX, shortest[SW_LINK_CLASSES + 1], longest[SW_LINK_CLASSES + 1];
	status |= find_latencies(n, shortest, longest, errors);
	for (int k = 0; k <= SW_LINK_TERMINAL; k++) {
		const struct net_link *l = link_of(n, k);
		n->common.link[k].latency = longest[k];
		n->common.link[k].ps_per_byte_q16 =
		    (uint64_t)((((unsigned __int128)8000000000000ull << 16) + l->bandwidth / 2) / l->bandwidth);
		net_set_framing(&n->common.link[k], l);
		base_checkf(is_nearest(n->common.link[k].ps_per_byte_q16, l->bandwidth),
		            "%" PRIu64 " / 65536 ps a byte of %" PRIu64 " bit/s", n->common.link[k].ps_per_byte_q16,
		            l->bandwidth);
		if (k < n->topo.link_classes && shortest[k] < least)
			least = shortest[k];
	}
	n->lookahead = least == UINT64_MAX ? 1000000 : least; /* one switch alone: no link binds it */
	for (int k = 0; BASE_CHECKING && k < n->topo.link_classes && longest[k]; k++)
		base_checkf(n->lookahead <= n->common.link[k].latency,
		            "class %d: %" PRIu64 " ps, the lookahead is %" PRIu64, k, n->common.link[k].latency,
		            n->lookahead);
	if (n->lookahead >= 2)
		return status;
	return base_errorf(errors, "links",
	                   "a link between switches has a latency of %" PRIu64 " ps; at least 2 ps are needed: "
	                   "the latency is what lets switches be simulated independently",
	                   n->lookahead);
}
