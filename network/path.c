/* network/path.c - which code a configuration runs. The only file that derives it; the others read n->path. */
#include "network/path.h"

#include "network/nic/nic.h"
#include "routing/leg.h"
#include "switch/ideal/model.h"
#include "switch/tiled/tiled.h"

#include <stdio.h>

/* A scheme that is notified of nothing but what leaves: a fixed pace. */
static bool decides_alone(const struct cc_ops *ops)
{
	return !ops->wants && (ops->may_send || ops->sent);
}

/* Why endpoints cannot be decided ahead: something reacts to what they get, or to when. NULL: they can. */
static const char *why_exact(const struct net *n)
{
	const struct cc_ops *ops = n->config->congestion.plugin->ops;
	if (n->config->engine.path == NET_PATH_EXACT)
		return "engine.path asks for it";
	if (ops->wants)
		return "the congestion control reacts to what arrives";
	if (decides_alone(ops))
		return "the congestion control decides when they may";
	if (n->traffic.process)
		return "processes react to what arrives";
	if (n->common.creditless)
		return "the switches give no credits";
	if (net_retries(n))
		return "lost packets are sent again";
	if (n->nic.class_order.used)
		return "classes have priorities or shares of bandwidth at endpoints";
	if (n->nic.ordered)
		return "classes keep flows in order";
	return NULL;
}

void net_path_of_endpoints(struct net *n)
{
	struct net_traits *p = &n->path;
	const struct cc_ops *ops = n->config->congestion.plugin->ops;
	bool process = n->traffic.process != NULL;
	p->exact_because = why_exact(n);
	p->exact = p->exact_because != NULL;
	if (!p->exact)
		return;
	p->retry = net_retries(n);
	p->numbers = p->retry || n->nic.ordered;
	p->paths = n->nic.ordered && n->config->nic.ordering == NET_ORDER_PATH;
	n->nic.wants = ops->wants;
	if (p->retry)
		n->nic.wants |= CC_WANTS_ACKS | CC_WANTS_RTT;
	/* acknowledgements that take time of links are sent, whether a scheme reads them or not */
	if (n->nic.ordered || (ops->wants && n->config->nic.ack_width > 0))
		n->nic.wants |= CC_WANTS_ACKS;
	n->nic.wants |= p->paths ? NET_WANTS_PATHS : 0;
	n->nic.wants |= decides_alone(ops) ? NET_WANTS_PAIRS : 0;
	p->pairs = n->nic.wants || process;
	p->pairs_short = !n->nic.wants && !ops->pair_words && !ops->may_send && !ops->sent && !ops->keep;
	p->pairs_late = n->nic.wants == CC_WANTS_SINKS && ops->from_control;
	p->deliveries = p->numbers || n->config->nic.ack == NET_ACK_HOP_BY_HOP || n->common.creditless ||
	                (process && (n->nic.wants || n->nic.loss));
	p->completes = process && !p->deliveries;
	p->answers = p->deliveries || p->completes || n->nic.wants & (CC_WANTS_ACKS | CC_WANTS_SINKS);
	bool one_class = n->nic.classes == 1 && !n->nic.class_order.used;
	p->nic_plain = !p->deliveries && !p->completes && one_class && (!n->nic.wants || p->pairs_late);
	p->ring_plain = p->pairs_short && one_class && !n->common.creditless;
	/* not where two of a node's interfaces may be at one switch: what they send at one instant goes by their turns
	 */
	p->takes_back = (p->nic_plain || p->ring_plain) && n->config->nic.per_node <= 1;
}

static enum net_handling handling_of(const struct net *n, bool telemetry)
{
	const struct net_traits *p = &n->path;
	enum ideal_mode mode = p->joined ? ideal_mode(&n->common) : IDEAL_FULL;
	bool tiled = n->common.ops == sw_tiled.ops && !n->common.framed && !p->paths;
	if (p->joined && mode == IDEAL_LANES)
		return NET_HANDLE_LANES;
	if (!p->plain)
		return tiled && telemetry ? NET_HANDLE_TILED_TELEMETRY : NET_HANDLE_FULL;
	if (!p->joined)
		return tiled ? NET_HANDLE_TILED : NET_HANDLE_OTHER;
	return mode == IDEAL_PLAIN ? NET_HANDLE_PLAIN : mode == IDEAL_TRACKED ? NET_HANDLE_TRACKED : NET_HANDLE_FULL;
}

void net_path_of_switches(struct net *n)
{
	struct net_traits *p = &n->path;
	const struct net_record *r = &n->config->record;
	const struct sw_common *c = &n->common;
	p->joined = c->ops == sw_ideal.ops && !c->framed && !p->paths; /* lp.c: without IDEAL_FRAMES */
	p->goes_on = n->rt.ops->goes_on && n->rt.ops->goes_on(&n->rt) && !c->bubble && c->max_ports < UINT16_MAX;
	p->one_leg = n->rt.ops->legs && n->rt.ops->legs(&n->rt) == RT_LEGS_ONE;
	/* packets of a source and destination go one way, and wait in one FIFO wherever they wait */
	p->in_order = p->completes && p->joined && p->goes_on && p->one_leg && rt_goes_one_way(&n->rt);
	p->counts_packets = p->completes && !p->in_order;
	p->sees_no_queue = p->goes_on && p->one_leg && !c->track_queues && !c->count_credits;
	p->foresees = p->joined && p->goes_on && !p->one_leg && c->track_queues && n->rt.ops->foresee;
	p->near_endpoints = 2 * c->link[SW_LINK_TERMINAL].latency < n->lookahead || p->exact;
	/* credits that carry telemetry, that routing counts, or of a pool come in order */
	bool neighbours = n->rt.ops->wants_neighbours, unrecorded = !r->ports && !r->activity && !n->cables.by_length;
	p->early_credits =
	    !neighbours && !c->count_credits && !c->lanes.pool && (p->joined || c->ops->credit_early != NULL);
	p->by_record = r->timeline || r->packets || r->ports || n->config->time.precision > 0;
	p->plain = unrecorded && !neighbours;
	p->handling = handling_of(n, unrecorded);
}

void net_traits_print(const struct net_traits *traits, char *out, size_t size)
{
	static const char *const handlings[NET_HANDLINGS] = {
		[NET_HANDLE_FULL] = "any switch",
		[NET_HANDLE_OTHER] = "any switch, nothing of ports is recorded",
		[NET_HANDLE_LANES] = "ideal switch, with queues of classes",
		[NET_HANDLE_TRACKED] = "ideal switch, nothing of ports is recorded, queue depths are known",
		[NET_HANDLE_PLAIN] = "ideal switch, nothing of ports is recorded",
		[NET_HANDLE_TILED] = "tiled switch, nothing of ports is recorded",
		[NET_HANDLE_TILED_TELEMETRY] = "tiled switch, nothing of ports is recorded, credits carry queue depths",
	};
	if (traits->exact)
		snprintf(out, size, "endpoints decide as they send, since %s; code for: %s", traits->exact_because,
		         handlings[traits->handling]);
	else
		snprintf(out, size, "endpoints are decided ahead of time; code for: %s", handlings[traits->handling]);
}
