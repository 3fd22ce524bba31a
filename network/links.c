/* network/links.c - the links of every link class: their sections of the configuration, and the lookahead that follows
 * from their latencies. */
#include "network/net.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int net_build_topology(const struct net_config *config, struct topo *topo, struct base_errors *errors)
{
	errors->scope = "topology";
	int status = topo_build(topo, config->topology.plugin, config->topology.params, errors);
	errors->scope = NULL;
	if (status || !config->noverrides)
		return status;
	if (topo_override(topo, config->overrides, config->noverrides, errors)) {
		topo_destroy(topo);
		return -1;
	}
	return 0;
}

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
		base_errorf(errors, key, "unknown link class of topology \"%s\"; did you mean \"%s\"? Available: %s",
		            c->kind, near, list);
	else
		base_errorf(errors, key, "unknown link class of topology \"%s\"; available: %s", c->kind, list);
}

static void check_names(const struct net_config *config, const struct classes *c, struct base_errors *errors)
{
	for (uint32_t i = 0; i < config->nlinks; i++)
		if (!has_class(c, config->links[i].name))
			unknown_class(c, config->links[i].name, errors);
}

int net_check_link_classes(const struct net_config *config, const struct topo *topo, struct base_errors *errors)
{
	const struct classes c = { topo->kind, topo->link_class_name, topo_named_classes(topo) };
	size_t before = errors->errors;
	if (has_class(&c, "terminal"))
		base_errorf(errors, "topology.kind",
		            "cables between switches must not have the class \"terminal\", which is reserved for "
		            "cables to endpoints");
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

/* --- which link of the switches a class has ------------------------------------------------------------------- */

struct net_link net_link_at(const struct net_config *config, const struct topo *topo, int link_class)
{
	struct net_link link = *net_link_of_class(config, topo->link_class_name[link_class]);
	if (topo->kinds) {
		struct topo_direction own = topo->kinds->v[link_class].own;
		link.bandwidth = own.bandwidth ? own.bandwidth : link.bandwidth;
		link.latency = own.latency ? own.latency : link.latency;
	}
	return link;
}

void net_rates(const struct net_config *config, const struct topo *topo, double *rate)
{
	for (int k = 0; k < topo->link_classes; k++)
		rate[k] = (double)net_link_at(config, topo, k).bandwidth / (double)config->link_terminal.bandwidth;
}

/* Do cables of both classes look alike to switches, but for their latencies? of: the links of all classes. */
static bool alike_to_switches(const struct topo *t, const struct net_link *of, int a, int b)
{
	struct net_framing f = net_framing_of(&of[a]), g = net_framing_of(&of[b]);
	return of[a].bandwidth == of[b].bandwidth &&
	       of[topo_reverse_class(t, a)].bandwidth == of[topo_reverse_class(t, b)].bandwidth &&
	       of[a].lanes == of[b].lanes && of[a].bit_error_rate == of[b].bit_error_rate &&
	       of[a].retry_buffer == of[b].retry_buffer && of[a].retry_answer == of[b].retry_answer &&
	       f.header == g.header && f.min_frame == g.min_frame && f.granule == g.granule && f.gap == g.gap;
}

/* Numbers the links of the switches. Usually each link class of the topology has a link of its own. If there are more
 * classes than SW_LINK_CLASSES, classes that differ in latency only share one link, and the latency is looked up for
 * each cable. */
static int number_links(struct net *n, const struct net_link *of, struct base_errors *errors)
{
	const struct topo *t = &n->topo;
	struct net_cables *x = &n->cables;
	if (t->link_classes <= SW_LINK_CLASSES) {
		x->links = (uint32_t)t->link_classes;
		for (uint32_t k = 0; k < x->links; k++)
			x->class_of[k] = (uint16_t)k;
		return 0;
	}
	x->link_of = base_calloc((size_t)t->link_classes, sizeof *x->link_of);
	for (int k = 0; k < t->link_classes; k++) {
		uint32_t j = 0;
		while (j < x->links && !alike_to_switches(t, of, x->class_of[j], k))
			j++;
		if (j == SW_LINK_CLASSES)
			return base_errorf(
			    errors, "links",
			    "cables have more than %d different pairs of bandwidths (one for each direction)",
			    SW_LINK_CLASSES);
		if (j == x->links)
			x->class_of[x->links++] = (uint16_t)k;
		else
			x->differ[j / 8] |= (uint8_t)(1u << j % 8);
		x->link_of[k] = (uint8_t)j;
	}
	return 0;
}

uint64_t net_latency_of_cable(const struct net *n, topo_switch a, topo_port port, topo_switch b, uint32_t link)
{
	const struct net_cables *x = &n->cables;
	uint32_t class = x->link_of || n->topo.kinds ? topo_peer(&n->topo, a, port).link_class : link;
	uint64_t ps = x->latency[class];
	return ps == NET_LATENCY_LAYOUT ? topo_layout_delay(&x->layout, topo_layout_mm(&x->layout, a, b)) : ps;
}

/* The link of the direction opposite to link `k`. */
static uint32_t reverse_of(const struct net *n, uint32_t k)
{
	return k < n->cables.links ? net_link_of(n, (uint32_t)topo_reverse_class(&n->topo, n->cables.class_of[k])) : k;
}

/* --- latencies -------------------------------------------------------------------------------------------------- */

struct net_link net_link_numbered(const struct net *n, uint32_t k)
{
	const struct net_config *c = n->config;
	return k == SW_LINK_TERMINAL ? c->link_terminal
	       : k < n->cables.links ? net_link_at(c, &n->topo, n->cables.class_of[k])
	                             : c->link_default;
}

struct latencies { /* of the cables of each link; of a link without cables shortest > longest */
	uint64_t shortest[SW_LINK_CLASSES + 1], longest[SW_LINK_CLASSES + 1];
};

static void note_latency(struct latencies *l, uint32_t link, uint64_t ps)
{
	l->shortest[link] = ps < l->shortest[link] ? ps : l->shortest[link];
	l->longest[link] = ps > l->longest[link] ? ps : l->longest[link];
}

/* Looks at every cable. */
static void look_at_cables(struct net *n, struct latencies *l)
{
	for (uint32_t k = 0; k < n->cables.links; k++) {
		l->shortest[k] = UINT64_MAX;
		l->longest[k] = 0;
	}
	for (topo_switch s = 0; s < n->topo.switches; s++)
		for (topo_port p = 0, ports = topo_ports(&n->topo, s); p < ports; p++) {
			struct topo_hop hop = topo_peer(&n->topo, s, p);
			uint32_t link = net_link_of(n, hop.link_class);
			note_latency(l, link, net_latency_of_cable(n, s, p, hop.to, link));
		}
}

static int lay_out_cables(struct net *n, struct base_errors *errors)
{
	errors->scope = "layout";
	int status = topo_layout_build(&n->cables.layout, &n->topo, &n->config->layout, errors);
	errors->scope = NULL;
	return status;
}

static int find_latencies(struct net *n, const struct net_link *of, struct latencies *l, struct base_errors *errors)
{
	struct net_cables *x = &n->cables;
	bool terminal = n->config->link_terminal.latency == NET_LATENCY_LAYOUT, laid_out = false;
	x->latency = base_calloc((size_t)n->topo.link_classes + 1, sizeof *x->latency);
	for (int k = 0; k < n->topo.link_classes; k++)
		x->latency[k] = of[k].latency;
	for (uint32_t k = 0; k <= SW_LINK_TERMINAL; k++)
		l->shortest[k] = l->longest[k] = net_link_numbered(n, k).latency;
	for (int k = 0; k < n->topo.link_classes; k++) {
		uint32_t link = net_link_of(n, (uint32_t)k), back = reverse_of(n, link);
		bool by_length = x->latency[k] == NET_LATENCY_LAYOUT, differ = x->differ[link / 8] >> link % 8 & 1;
		laid_out |= by_length;
		x->by_length |= (uint32_t)(by_length || differ) << (link & 31);
		x->by_length |= (uint32_t)(by_length || differ) << (back & 31);
	}
	if ((laid_out || terminal) && lay_out_cables(n, errors))
		return -1;
	if (terminal)
		l->shortest[SW_LINK_TERMINAL] = l->longest[SW_LINK_TERMINAL] =
		    topo_layout_delay(&x->layout, x->layout.terminal);
	if (x->by_length || n->topo.kinds)
		look_at_cables(n, l);
	return 0;
}

static void set_link(struct net *n, uint32_t k, uint64_t latency)
{
	struct net_link l = net_link_numbered(n, k);
	struct sw_link *link = &n->common.link[k];
	link->latency = latency;
	link->ps_per_byte_q16 =
	    (uint64_t)((((unsigned __int128)8000000000000ull << 16) + l.bandwidth / 2) / l.bandwidth);
	net_set_framing(link, net_framing_of(&l));
	base_checkf(is_nearest(link->ps_per_byte_q16, l.bandwidth),
	            "%" PRIu64 " / 65536 ps a byte of %" PRIu64 " bit/s", link->ps_per_byte_q16, l.bandwidth);
}

int net_set_links(struct net *n, struct base_errors *errors)
{
	int status = net_check_link_classes(n->config, &n->topo, errors);
	uint64_t least = UINT64_MAX;
	struct latencies l;
	struct net_link *of = base_calloc((size_t)n->topo.link_classes + 1, sizeof *of);
	for (int k = 0; k < n->topo.link_classes; k++)
		of[k] = net_link_at(n->config, &n->topo, k);
	bool built = !number_links(n, of, errors) && !find_latencies(n, of, &l, errors);
	free(of);
	if (!built) { /* the rest of the configuration is still looked at */
		n->cables.links = 0;
		n->lookahead = 1000000;
		for (uint32_t k = 0; k <= SW_LINK_TERMINAL; k++)
			set_link(n, k, 0);
		return -1;
	}
	for (uint32_t k = 0; k <= SW_LINK_TERMINAL; k++)
		set_link(n, k, l.longest[k]);
	for (uint32_t k = 0; k <= SW_LINK_TERMINAL; k++)
		n->common.incoming[k] = n->common.link[reverse_of(n, k)];
	for (uint32_t k = 0; k < n->cables.links; k++)
		least = l.shortest[k] < least ? l.shortest[k] : least;
	n->common.links = n->cables.links;
	n->lookahead = least == UINT64_MAX ? 1000000 : least; /* one switch alone: no link binds it */
	for (uint32_t k = 0; BASE_CHECKING && k < n->cables.links && l.longest[k]; k++)
		base_checkf(n->lookahead <= n->common.link[k].latency,
		            "link %u: %" PRIu64 " ps, the lookahead is %" PRIu64, k, n->common.link[k].latency,
		            n->lookahead);
	if (n->lookahead >= 2)
		return status;
	return base_errorf(errors, "links",
	                   "a link between switches has a latency of %" PRIu64
	                   " ps, but at least 2 ps are required: the latency is the lookahead of the simulation",
	                   n->lookahead);
}

bool *net_classes_with_cables(const struct net *n)
{
	const struct topo *t = &n->topo;
	bool *has = base_calloc((size_t)t->link_classes + 1, sizeof *has);
	for (int k = 0; k < t->link_classes && !t->kinds; k++)
		has[k] = true;
	for (topo_switch s = 0; s < t->switches && t->kinds; s++)
		for (topo_port p = 0; p < topo_ports(t, s); p++)
			has[topo_peer(t, s, p).link_class] = true;
	return has;
}
