/* network/path.c - selects the code paths of a configuration. It is the only file that derives them; others read
 * n->path. */
#include "network/path.h"

#include "network/checks/checked.h"
#include "network/joined/joined.h"
#include "routing/leg.h"
#include "switch/ideal/model.h"
#include "switch/tiled/tiled.h"

#include <inttypes.h>
#include <stdio.h>

/* A scheme that is notified of nothing but what leaves: a fixed pace. */
static bool decides_alone(const struct cc_ops *ops)
{
	return !ops->wants && (ops->source.may_send || ops->source.sent);
}

/* Why endpoints cannot be decided in advance: something reacts to what they receive, or to the time. NULL: they can. */
static const char *why_exact(const struct net *n)
{
	const struct cc_ops *ops = n->config->congestion.plugin->ops;
	if (n->config->engine.path == NET_PATH_EXACT)
		return "engine.path = \"exact\"";
	if (ops->wants)
		return "the congestion control reacts to received packets";
	if (decides_alone(ops))
		return "the congestion control decides when packets may be sent";
	if (n->traffic.process)
		return "processes react to received messages";
	if (n->common.creditless)
		return "the switches give no credits";
	if (net_retries(n))
		return "lost packets are retransmitted";
	if (n->failures.on)
		return "cables, switches or interfaces fail";
	if (n->traffic.ops->ready)
		return "jobs send in bursts";
	if (n->nic.class_order.used)
		return "classes have priorities or shares of bandwidth at endpoints";
	if (n->nic.ordered)
		return "classes keep flows in order";
	if (n->rt.entropy)
		return "interfaces choose the entropies that routing hashes";
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
	p->bursts = n->traffic.ops->ready != NULL;
	p->retry = net_retries(n);
	p->numbers = p->retry || n->nic.ordered;
	p->paths = n->nic.ordered && n->config->nic.ordering == NET_ORDER_PATH;
	n->nic.wants = ops->wants;
	if (p->retry)
		n->nic.wants |= CC_WANTS_ACKS | CC_WANTS_RTT;
	/* acknowledgements that take time of links are sent, whether a scheme reads them or not */
	bool recycles = n->rt.entropy == RT_ENTROPY_RECYCLED;
	if (n->nic.ordered || recycles || (ops->wants && n->config->nic.ack_width > 0))
		n->nic.wants |= CC_WANTS_ACKS;
	n->nic.wants |= p->paths ? NET_WANTS_PATHS : 0;
	n->nic.wants |= decides_alone(ops) ? NET_WANTS_PAIRS : 0;
	p->pairs = n->nic.wants || process;
	p->pairs_short =
	    !n->nic.wants && !ops->pair_words && !ops->source.may_send && !ops->source.sent && !ops->source.keep;
	p->pairs_late = n->nic.wants == CC_WANTS_SINKS && ops->source.from_control;
	p->deliveries = p->numbers || n->failures.on || recycles || n->config->nic.ack == NET_ACK_HOP_BY_HOP ||
	                n->common.creditless || (process && (n->nic.wants || n->nic.loss));
	p->completes = process && !p->deliveries;
	p->answers = p->deliveries || p->completes || n->nic.wants & (CC_WANTS_ACKS | CC_WANTS_SINKS);
	bool one_class =
	    n->nic.classes == 1 && !n->nic.class_order.used && !n->rt.entropy && !p->bursts && !n->common.kinds;
	p->nic_plain = !p->deliveries && !p->completes && one_class && (!n->nic.wants || p->pairs_late);
	p->ring_plain = p->pairs_short && one_class && !n->common.creditless && !n->nic.rotates;
	/* not if two interfaces of a node may be at one switch: packets that they send at one instant are ordered by
	 * their turns */
	p->takes_back = (p->nic_plain || p->ring_plain) && n->config->nic.per_node <= 1;
}

static enum net_handling handling_of(const struct net *n, bool telemetry)
{
	static const enum net_handling ideal[] = { [IDEAL_LANES] = NET_HANDLE_IDEAL_LANES,
		                                   [IDEAL_FULL] = NET_HANDLE_IDEAL,
		                                   [IDEAL_TRACKED] = NET_HANDLE_IDEAL_TRACKED,
		                                   [IDEAL_PLAIN] = NET_HANDLE_IDEAL_PLAIN };
	const struct net_traits *p = &n->path;
	if (n->failures.on)
		return NET_HANDLE_FAILING;
	bool tiled = p->tiled && !n->common.framed && !n->common.wires;
	if (p->joined) {
		enum ideal_mode mode = ideal_mode(&n->common);
		return p->plain || mode == IDEAL_LANES ? ideal[mode] : NET_HANDLE_IDEAL;
	}
	if (!p->plain)
		return tiled && telemetry ? NET_HANDLE_TILED_TELEMETRY : NET_HANDLE_ANY;
	return tiled ? NET_HANDLE_TILED : NET_HANDLE_UNRECORDED;
}

/* Why a handler is not one of those that leave out the most. NULL: the switch and its configuration say it. */
static const char *why_general(const struct net *n)
{
	const struct net_record *r = &n->config->record;
	return r->ports              ? "record.ports is on"
	       : r->activity         ? "record.activity is on"
	       : n->cables.by_length ? "cables have latencies by their lengths"
	       : !n->path.plain      ? "credits carry queue depths"
	       : n->common.kinds     ? "traffic classes have framing"
	       : n->common.framed    ? "links have framing"
	       : n->common.wires     ? "links have lanes or link-level retry"
	       : n->failures.on      ? "cables, switches or interfaces fail"
	       : n->path.paths       ? "packets follow the first of their flow"
	       : n->common.bubble    ? "routing needs slack"
	       : n->common.may_turn  ? "routing permits changing the output of a waiting packet"
	       : !n->common.one_rate ? "links differ in bandwidth"
	                             : NULL;
}

static const char *tiled_mode(const struct net *n)
{
	static const char *const modes[] = { [TILED_ANY] = "any arbiters and records",
		                             [TILED_SIMPLE] = "the arbiters of the presets",
		                             [TILED_UNIFORM] = "the arbiters of the presets, packets of one size" };
	return n->common.ops == sw_tiled.ops ? modes[tiled_mode_of(&n->common)] : NULL;
}

static enum net_hosting hosting_of(const struct net *n)
{
	if (n->config->sw.plugin->loaded)
		return NET_HOST_CHECKED;
	if (n->failures.on)
		return NET_HOST_FAILING;
	if (n->common.kinds)
		return NET_HOST_KINDS;
	return n->common.framed ? NET_HOST_FRAMING : n->path.plain ? NET_HOST_PLAIN : NET_HOST_ANY;
}

/* Are there messages of which a packet is all? */
static bool has_packets_as_messages(const struct net *n)
{
	for (uint32_t j = 0; j < n->traffic.jobs; j++)
		if (!n->traffic.job[j].multi_packet && !n->traffic.job[j].process)
			return true;
	return false;
}

static const char *why_by_record(const struct net *n)
{
	const struct net_config *c = n->config;
	return c->record.timeline                                 ? "record.timeline"
	       : c->record.packets                                ? "record.packets"
	       : c->record.ports                                  ? "record.ports"
	       : c->time.precision > 0                            ? "time.precision"
	       : c->record.messages && has_packets_as_messages(n) ? "record.messages"
	                                                          : NULL;
}

/* --- what is prefetched ---------------------------------------------------------------------------------------- */

/* Measured with a second-level cache of 1 MB. Routes from tables: with 389 KB prefetching costs 5 % or more, with 434
 * to 476 it saves between -2 and 12 %, with 887 10 %. */
size_t net_prefetch_from = (size_t)440 << 10;

/* If the topology computes routes, the savings do not outweigh the branches (HammingMesh: with 1.3 MB prefetching costs
 * 5 %, with 2.6 it saves up to 10). */
#define ASKED_LESS 5

/* The state of ports that switches do not have is never touched. */
static uint64_t touched_bytes(const struct net *n)
{
	const struct topo *t = &n->topo;
	uint64_t missing = 0;
	for (topo_switch s = 0; s < t->switches; s++)
		missing += t->max_ports - topo_ports(t, s);
	double port = (double)n->common.ops->state_bytes(&n->common) / n->ports_total;
	uint64_t all = n->lp_bytes - (uint64_t)(port * (double)missing * n->count / t->switches);
	return all / (n->threads.n > 1 ? n->threads.n : 1);
}

static enum net_prefetching prefetching_of(const struct net *n)
{
	const struct net_traits *p = &n->path;
	enum rt_lookup by = p->goes_on ? rt_lookup_of(&n->rt) : RT_LOOKUP_NONE;
	if (!n->common.ops->prefetching.prefetch || p->touched <= p->prefetch_from)
		return NET_PREFETCH_NONE;
	/* With twice as many VCs tiled switches have several for each that routing gives: packets say which of them. */
	bool all_vcs = n->common.vcs >= n->rt.vcs && (!p->tiled || n->common.vcs < 2 * n->rt.vcs),
	     weighs = p->joined && p->one_leg && n->common.track_queues;
	if ((p->joined || p->tiled) && by && all_vcs && !weighs)
		return NET_PREFETCH_WAYS;
	return p->joined || (p->tiled && p->goes_on) ? NET_PREFETCH_ROUTED : NET_PREFETCH_BY_INTERFACE;
}

void net_path_of_switches(struct net *n)
{
	struct net_traits *p = &n->path;
	const struct net_record *r = &n->config->record;
	const struct sw_common *c = &n->common;
	bool fails = n->failures.on;
	p->joined = c->ops == sw_ideal.ops && !c->framed && !p->paths && !fails; /* it has no IDEAL_FRAMES */
	p->tiled = c->ops == sw_tiled.ops && !p->paths && !fails;
	p->goes_on =
	    !fails && n->rt.ops->goes_on && n->rt.ops->goes_on(&n->rt) && !c->bubble && c->max_ports < UINT16_MAX;
	p->one_leg = n->rt.ops->legs && n->rt.ops->legs(&n->rt) == RT_LEGS_ONE;
	/* packets of a source and destination go one way, and wait in one FIFO wherever they wait */
	p->in_order = p->completes && p->joined && p->goes_on && p->one_leg && rt_goes_one_way(&n->rt);
	p->counts_packets = p->completes && !p->in_order;
	p->sees_no_queue = p->goes_on && p->one_leg && !c->track_queues && !c->count_credits;
	p->foresees = p->joined && p->goes_on && !p->one_leg && c->track_queues && n->rt.ops->foresee;
	p->near_endpoints = 2 * c->link[SW_LINK_TERMINAL].latency < n->lookahead || p->exact;
	/* credits that carry telemetry, that routing counts, or of a pool come in order */
	bool neighbours = n->rt.ops->wants_neighbours, unrecorded = !r->ports && !r->activity && !n->cables.by_length;
	p->early_credits = !neighbours && !fails && !c->count_credits && !c->lanes.pool &&
	                   (p->joined || c->ops->timing.credit_early != NULL);
	p->recorded_because = why_by_record(n);
	p->by_record = p->recorded_because != NULL;
	p->plain = unrecorded && !neighbours;
	p->handling = handling_of(n, unrecorded);
	bool known = c->ops == sw_ideal.ops || c->ops == sw_tiled.ops; /* no other can be joined */
	bool general = p->handling == NET_HANDLE_ANY || p->handling == NET_HANDLE_FAILING ||
	               p->handling == NET_HANDLE_IDEAL || (p->handling == NET_HANDLE_UNRECORDED && known);
	p->general_because = general ? why_general(n) : NULL;
	p->hosting = hosting_of(n);
	p->tiled_mode = tiled_mode(n);
	p->touched = touched_bytes(n);
	p->prefetch_from = net_prefetch_from;
	if (p->joined && p->goes_on && rt_lookup_of(&n->rt) == RT_LOOKUP_TOPOLOGY &&
	    net_prefetch_from < SIZE_MAX / ASKED_LESS)
		p->prefetch_from *= ASKED_LESS;
	p->prefetching = prefetching_of(n);
	n->common.prefetching = p->prefetching != NET_PREFETCH_NONE;
}

net_handler *net_choose_handler(const struct net *n)
{
	static net_handler *const of[NET_HANDLINGS][2] = {
		/* [exact] */
		[NET_HANDLE_ANY] = { net_handle_any, net_handle_any },
		[NET_HANDLE_UNRECORDED] = { net_handle_unrecorded, net_handle_unrecorded },
		[NET_HANDLE_IDEAL_LANES] = { net_ideal_lanes, net_ideal_lanes },
		[NET_HANDLE_IDEAL] = { net_ideal_full, net_ideal_full },
		[NET_HANDLE_IDEAL_TRACKED] = { net_ideal_tracked, net_ideal_tracked_exact },
		[NET_HANDLE_IDEAL_PLAIN] = { net_ideal_plain, net_ideal_plain_exact },
		[NET_HANDLE_FAILING] = { net_handle_failing, net_handle_failing },
		[NET_HANDLE_TILED] = { net_tiled, net_tiled },
		[NET_HANDLE_TILED_TELEMETRY] = { net_tiled_telemetry, net_tiled_telemetry },
	};
	return of[n->path.handling][n->path.exact];
}

net_early_handler *net_choose_early(const struct net *n)
{
	if (!n->path.early_credits)
		return NULL;
	return n->path.joined ? net_early_ideal : n->common.ops == sw_tiled.ops ? net_early_tiled : net_early_by_model;
}

const struct sw_host_ops *net_choose_host_ops(const struct net *n)
{
	static const struct sw_host_ops *const of[] = {
		[NET_HOST_PLAIN] = &net_plain_host_ops,     [NET_HOST_ANY] = &net_host_ops,
		[NET_HOST_FRAMING] = &net_framing_host_ops, [NET_HOST_KINDS] = &net_kinds_host_ops,
		[NET_HOST_FAILING] = &net_failing_host_ops, [NET_HOST_CHECKED] = &net_checked_host_ops
	};
	return of[n->path.hosting];
}

/* --- for people ---------------------------------------------------------------------------------------------- */

static void print_path(const struct net_traits *t, char *out, size_t size)
{
	static const char *const handlings[NET_HANDLINGS] = {
		[NET_HANDLE_ANY] = "any switch",
		[NET_HANDLE_UNRECORDED] = "any switch, no records of ports",
		[NET_HANDLE_FAILING] = "any switch",
		[NET_HANDLE_IDEAL_LANES] = "ideal switch, with queues of classes",
		[NET_HANDLE_IDEAL] = "ideal switch, any records",
		[NET_HANDLE_IDEAL_TRACKED] = "ideal switch, no records of ports, queue depths known",
		[NET_HANDLE_IDEAL_PLAIN] = "ideal switch, no records of ports",
		[NET_HANDLE_TILED] = "tiled switch, no records of ports",
		[NET_HANDLE_TILED_TELEMETRY] = "tiled switch, no records of ports, credits carry queue depths",
	};
	static const char *const hostings[] = { [NET_HOST_PLAIN] = "",
		                                [NET_HOST_ANY] = "",
		                                [NET_HOST_FRAMING] = "; frame sizes differ between links",
		                                [NET_HOST_KINDS] = "; frame sizes differ between traffic classes",
		                                [NET_HOST_FAILING] = "; frames are lost on what fails",
		                                [NET_HOST_CHECKED] = "; with checks of the switch model" };
	size_t used = (size_t)snprintf(
	    out, size, "packets of endpoints %s%s; code for: %s%s%s%s",
	    t->exact ? "are decided when they are sent, because " : "are decided before they are sent",
	    t->exact ? t->exact_because : "", handlings[t->handling], t->general_because ? ", because " : "",
	    t->general_because ? t->general_because : "", t->joined ? "" : hostings[t->hosting]);
	if (t->tiled_mode && used < size)
		snprintf(out + used, size - used, "; inside switches: %s", t->tiled_mode);
}

const char *const net_trait_names[NET_TRAIT_LINES] = { "path", "prefetching", "counting" };

void net_traits_print(const struct net_traits *t, enum net_trait_line line, char *out, size_t size)
{
	static const char *const prefetchings[] = {
		[NET_PREFETCH_NONE] = "nothing",
		[NET_PREFETCH_BY_INTERFACE] = "data requested by the switch model",
		[NET_PREFETCH_ROUTED] = "the switch state and the route of a packet",
		[NET_PREFETCH_WAYS] = "the switch state and a packet's output from routing tables",
	};
	if (line == NET_TRAIT_PATH)
		print_path(t, out, size);
	else if (line == NET_TRAIT_PREFETCHING)
		snprintf(out, size,
		         "%s: a core has %" PRIu64 " KiB of switches and endpoints, prefetching pays from %zu KiB on",
		         prefetchings[t->prefetching], t->touched >> 10, t->prefetch_from >> 10);
	else if (t->by_record)
		snprintf(out, size, "each packet individually, because %s needs packet times", t->recorded_because);
	else
		snprintf(out, size, "sums per window");
}
