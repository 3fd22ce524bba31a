/* network/compose.c - builds the parts of a network from a configuration: topology, links, traffic, routing, switch.
 *
 * The parts are built in this order, because each part is checked against those before it. Errors of parts that do not
 * depend on each other are reported together. */
#include "network/checks/checked.h"
#include "network/checks/checks.h"
#include "network/checks/loops.h"
#include "network/legs.h"
#include "network/nic/nic.h"

#include <stdio.h>

/* A routing that counts credits needs a switch that says how many are in use. */
static int check_credits(const struct net *n, struct base_errors *errors)
{
	const struct base_plugin *plugin = n->config->sw.plugin;
	if (!n->built.rt || !n->rt.by_credits || ((const struct sw_ops *)plugin->ops)->depths.used_credits)
		return 0;
	return base_errorf(errors, "routing.estimate", "switch \"%s\" does not report how many credits are in use",
	                   plugin->name);
}

/* Packets that must not wait where route() sends them need a switch that knows it. */
static int check_turns(const struct net *n, struct base_errors *errors)
{
	const struct base_plugin *plugin = n->config->sw.plugin;
	if (!n->built.rt || !n->rt.ops->turn || ((const struct sw_ops *)plugin->ops)->links.turns)
		return 0;
	return base_errorf(errors, "routing.kind",
	                   "switch \"%s\" routes a packet only once, but %s routing is free of deadlock only if "
	                   "waiting packets are routed again",
	                   plugin->name, n->rt.plugin->name);
}

static int build_switch(struct net *n, struct base_errors *errors)
{
	struct sw_common *s = &n->common;
	const struct base_plugin *plugin = n->config->sw.plugin;
	size_t before = errors->errors;
	errors->scope = "switch";
	int status = plugin->loaded ? net_check_switch_ops(n, errors) : 0;
	if (!status)
		status = base_built(plugin, s->ops->build(s, errors), before, errors);
	n->built.sw = status == 0;
	if (!status && plugin->loaded)
		status = net_check_switch(n, errors);
	if (!status && n->rt.ops->wants_neighbours)
		net_neighbours_defaults(n);
	errors->scope = NULL;
	return status;
}

/* The classes that are lost in switches which hold back the others. */
static int find_lossy_classes(struct net *n, struct base_errors *errors)
{
	const struct net_config *c = n->config;
	struct sw_common *s = &n->common;
	uint32_t lossy = 0;
	if (!s->ops->classes.lossless || net_waits(&c->sw) == SW_WAITS_NEVER)
		return 0;
	for (uint32_t k = 0; k < c->nclasses; k++) {
		if (c->classes[k].lossless != NET_LOSSLESS_OFF)
			continue;
		if (c->nclasses > SW_MAX_CLASSES)
			return base_errorf(errors, "classes",
			                   "%u traffic classes, some lossless and some not, are too many: interfaces "
			                   "distinguish at most %u",
			                   c->nclasses, SW_MAX_CLASSES);
		lossy |= 1u << k;
	}
	s->lossy_classes = lossy;
	return 0;
}

/* (class x VC), where the switch model has lanes by class, and the rules of these classes. */
static int number_lanes(struct net *n, struct base_errors *errors)
{
	struct sw_common *s = &n->common;
	uint32_t classes = s->ops->classes.lanes ? s->traffic_classes : 1;
	if (classes > SW_MAX_CLASSES)
		return base_errorf(errors, "classes", "%u traffic classes are too many: switch \"%s\" has lanes for %u",
		                   classes, n->config->sw.plugin->name, SW_MAX_CLASSES);
	if (classes * s->vcs > SW_MAX_LANES)
		return base_errorf(errors, "switch.vcs",
		                   "%u traffic classes on %u virtual channels make %u lanes; a port has at most %u",
		                   classes, s->vcs, classes * s->vcs, SW_MAX_LANES);
	s->lanes = (struct sw_lanes){ .classes = classes, .vcs = s->vcs, .n = classes * s->vcs };
	if (!s->ops->classes.lanes || !n->config->nclasses)
		return 0;
	for (uint32_t k = 0; k < classes; k++) {
		const struct net_class *c = &n->config->classes[k];
		n->classes.rules[k] = (struct sw_class_rule){ .priority = (uint32_t)c->priority,
			                                      .min_q16 = (uint32_t)(c->min_bandwidth * 65536 + 0.5),
			                                      .max_q16 = (uint32_t)(c->max_bandwidth * 65536 + 0.5) };
		char key[64];
		snprintf(key, sizeof key, "classes.[%u].max_bandwidth", k);
		if (!n->classes.rules[k].max_q16)
			return base_errorf(errors, key,
			                   "%g of the link's bandwidth is too little; the minimum is 1/65536",
			                   c->max_bandwidth);
	}
	s->class_rules = n->classes.rules;
	s->sharing = (enum sw_sharing)n->config->sharing;
	return 0;
}

/* Ports of the switch that has the most, those to endpoints among them. */
static uint32_t widest_switch(const struct topo *topo)
{
	uint32_t most = 0;
	for (topo_switch s = 0; s < topo->switches && most < topo->max_ports + topo->max_endpoints; s++) {
		uint32_t ports = topo->ops->ports(topo, s) + topo_endpoints_at(topo, s);
		most = ports > most ? ports : most;
	}
	return most;
}

static bool switch_leads(const struct net_config *c)
{
	return ((const struct sw_ops *)c->sw.plugin->ops)->timing.lead;
}

/* What a switch sends is ahead of the events in which it sends it. */
static int add_lead(struct net *n, struct base_errors *errors)
{
	if (!switch_leads(n->config))
		return 0;
	uint64_t lead = n->common.ops->timing.lead(&n->common);
	if (n->topo.max_ports)
		n->lookahead += lead;
	if (n->rt.ops->wants_published && n->lookahead > n->rt.publish_delay)
		n->lookahead = n->rt.publish_delay;
	return net_check_window(n, errors) | net_legs_check(n, errors);
}

/* What the switch model is to know of the network; links, traffic and routing are there. */
static void describe_network(struct net *n, uint32_t vcs)
{
	const struct net_config *c = n->config;
	struct sw_common *s = &n->common;
	s->ops = c->sw.plugin->ops;
	s->params = c->sw.params;
	s->vcs = vcs;
	s->route_vcs = n->rt.vcs;
	s->max_hops = n->rt.max_hops;
	s->seed = c->seed;
	s->unsafe = c->routing_unsafe;
	s->max_net_ports = n->topo.max_ports;
	s->max_terminals = n->topo.max_endpoints;
	s->max_ports = widest_switch(&n->topo);
	s->count_credits = (n->rt.ops->wants_queues || n->rt.ops->wants_published) && n->rt.by_credits;
	s->track_queues = (n->rt.ops->wants_queues || n->rt.ops->wants_published) && !n->rt.by_credits;
	s->bubble = n->rt.proof_note != NULL;
	s->may_turn = n->rt.ops->turn != NULL;
	s->one_rate = true;
	s->fastest = SW_LINK_TERMINAL;
	for (uint32_t k = 0; k < n->cables.links; k++) {
		s->one_rate &= s->link[k].ps_per_byte_q16 == s->link[SW_LINK_TERMINAL].ps_per_byte_q16;
		if (s->max_net_ports && s->link[k].ps_per_byte_q16 < s->link[s->fastest].ps_per_byte_q16)
			s->fastest = k;
	}
	s->paced_flows = ((const struct cc_ops *)c->congestion.plugin->ops)->receiver.paces;
	for (uint32_t k = 0; k < c->nclasses && c->nic.ordering == NET_ORDER_PATH; k++)
		s->ordered_classes |= (uint32_t)(c->classes[k].ordering == NET_ORDERED) << k;
	s->ack_bytes = c->nic.ack == NET_ACK_HOP_BY_HOP ? (uint32_t)c->nic.ack_bytes : 0;
	s->record_queues = c->record.ports;
	s->may_hold = !s->count_credits && !n->rt.ops->wants_neighbours && !c->record.ports && !c->record.activity &&
	              !n->cables.by_length;
	s->min_packet = UINT32_MAX;
	for (uint32_t j = 0; j < n->traffic.jobs; j++) {
		const struct net_traffic_job *job = &n->traffic.job[j];
		s->min_packet = job->min_packet < s->min_packet ? job->min_packet : s->min_packet;
		s->max_packet = job->max_packet > s->max_packet ? job->max_packet : s->max_packet;
	}
	n->max_payload = s->max_packet;
}

int net_build_parts(struct net *n, struct base_errors *errors)
{
	const struct net_config *c = n->config;
	if (c->formula.kind != NET_SWITCHED)
		return base_errorf(errors, "network.kind",
		                   "an analytical network model has no switches to build or to prove free of deadlock; "
		                   "use tilefly run");
	int status = net_build_topology(c, &n->topo, errors);
	if (status) {
		net_check_link_classes_of_kind(c, errors);
		return -1;
	}
	n->built.topo = true;
	status |= net_set_links(n, errors);
	status |= net_check_engine(n, errors);
	status |= net_legs_check(n, errors);
	if (n->setup.build_traffic(&n->traffic, c, &n->topo, errors) == 0) {
		n->built.traffic = true;
		n->endpoints.senders = n->traffic.senders(&n->traffic, NET_ALL_CLASSES);
	} else {
		status = -1;
	}
	errors->scope = "routing";
	if (net_build_routing(&n->rt, c, &n->topo, errors) == 0)
		n->built.rt = true;
	else
		status = -1;
	errors->scope = NULL;
	if (n->built.rt)
		status |= net_check_effects(c, &n->topo, errors) | net_publish_check(n, errors) |
		          check_credits(n, errors) | check_turns(n, errors);
	if (!switch_leads(c)) /* else the lookahead is known once the switch is built */
		status |= net_check_window(n, errors);
	if (status || net_failures_build(n, errors))
		return -1;
	uint32_t vcs = net_vcs(&c->sw, n->rt.vcs);
	if (vcs > SW_MAX_VCS)
		return base_errorf(errors, "switch.vcs", "%u virtual channels are too many; at most %u are supported",
		                   vcs, SW_MAX_VCS);
	if (net_prove_build(n, vcs, errors) || net_widen_vcs(n, &vcs, errors))
		return -1;
	describe_network(n, vcs);
	if (net_frame_links(n, errors) || net_wires_build(n, errors))
		return -1;
	net_failures_keep(n);
	n->common.passes = n->common.wires || n->common.kinds;
	n->common.may_hold &= !n->common.wires && !n->failures.on;
	net_bias_default(n);
	net_instruments_prepare(n);
	if (number_lanes(n, errors) || find_lossy_classes(n, errors) || build_switch(n, errors) ||
	    net_class_biases(n, errors))
		return -1;
	net_warn_of_lanes(n, errors);
	status = add_lead(n, errors);
	if (!status)
		status = net_nics_check(n, errors);
	if (!status)
		status = net_failures_settle(n, errors);
	return net_instruments_choose(n, errors) | status;
}
