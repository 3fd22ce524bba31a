/* network/lp.c - event handlers of logical processes whose switch model is called through its interface, and the
 * handling of all events that carry neither packets nor credits. */
#include "base/select.h"
#include "network/handle.h"
#include "network/nic/node.h"

/* The packet of an event enters the switch, by the hint if there is one. */
NET_INLINE void packet_in(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sim_event *ev,
                          unsigned mode, bool exact)
{
	struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
	uint32_t in_port = ev->aux + base_if_equal32(ev->kind, NET_INJECT, lp->net_ports, 0);
	base_checkf(ev->aux < (ev->kind == NET_INJECT ? lp->endpoints : lp->net_ports) && p.vc < n->common.vcs,
	            "switch %u: a packet at input %u, VC %u", lp->id, in_port, p.vc);
	(void)mode;
	/* where that is known, not when the switch routes it: some do so when it is the first of its queue */
	if (exact && n->nic.wants & CC_WANTS_SINKS && net_stays(n, lp, &p))
		net_sink_arrives(n, call, lp, &p);
	n->ahead.foreseen = call->ctx->hint != SIM_NO_HINT ? &p : NULL;
	n->ahead.foreseen_vc = p.vc;
	n->common.ops->packet_in(call, in_port, &p);
	n->ahead.foreseen = NULL;
}

NET_INLINE void credit_in(struct net *n, struct sw_call *call, const struct sim_event *ev, unsigned mode)
{
	(void)mode;
	n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
}

void net_handle_any(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	net_handle(ctx, self, id, ev, packet_in, credit_in, 0, true, true, true);
}

void net_handle_unrecorded(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	net_handle(ctx, self, id, ev, packet_in, credit_in, 0, true, false, true);
}

void net_enter(void *self, sim_lpid id)
{
	struct net *n = self;
	struct net_lp *lp = net_lp_at(n, id);
	struct sw_call *call = &n->call;
	call->lp = id;
	call->host_lp = lp;
	call->id = lp->id;
	call->state = net_switch_state(n, lp);
}

static void control_in(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	(void)ctx, (void)lp;
	if (n->common.ops->links.control_in)
		n->common.ops->links.control_in(&n->call, ev->aux, ev->payload[0]);
}

static void hold_flow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	(void)ctx, (void)lp;
	if (n->common.ops->links.hold_flow)
		n->common.ops->links.hold_flow(&n->call, (uint32_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 32),
		                               ev->payload[1], ev->payload[2]);
}

static const struct {
	const char *name;
	/* NULL: net_handle() knows it. */
	void (*handle)(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
} kinds[NET_EVENTS] = {
	[NET_ARRIVE] = { "packet arrives", NULL },
	[NET_CREDIT] = { "credit arrives", NULL },
	[NET_INJECT] = { "packet injected", NULL },
	[NET_GIVE_BACK] = { "terminal buffer freed", NULL },
	[NET_TICK] = { "publish", net_publish_tick },
	[NET_PUBLISHED] = { "depths published", net_publish_receive },
	[NET_NIC] = { "NIC", NULL },
	[NET_PAIR] = { "pair", net_nic_pair_due },
	[NET_DELIVER] = { "packet delivered", net_nic_delivered },
	[NET_ACK] = { "acknowledgement", net_nic_acknowledged },
	[NET_CONTROL] = { "control frame", net_nic_controlled },
	[NET_SINK] = { "sink", net_sink_tick },
	[NET_REQUEST] = { "sink", net_sink_requested },
	[NET_MESSAGE] = { "message announced", net_message_announced },
	[NET_MESSAGE_ACK] = { "message acknowledged", net_message_acknowledged },
	[NET_LINK_CONTROL] = { "control word", control_in },
	[NET_PAUSE] = { "pause", net_nic_paused },
	[NET_TIMER] = { "timer of a process", net_process_due },
	[NET_FLOW] = { "frame that holds a flow back", hold_flow },
	[NET_ACK_HOP] = { "acknowledgement passes", net_ack_passes },
	[NET_ACK_CROSSES] = { "acknowledgement crosses", net_ack_crosses },
	[NET_HANDLED] = { "message handled", net_message_handled },
	[NET_ACKNOWLEDGE] = { "packet acknowledged", net_nic_acknowledge },
	[NET_COMPLETE] = { "message complete", net_message_complete },
	[NET_RESYNC] = { "credits of a lost frame", NULL },
	[NET_COPIED] = { "message copied", net_node_due },
};

const char *net_kind_name(unsigned kind)
{
	if (kind >= SW_EVENT_FIRST)
		return "switch internal";
	return kind < NET_EVENTS && kinds[kind].name ? kinds[kind].name : "?";
}

void net_handle_rest(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	if (sim_likely(ev->kind < NET_EVENTS && kinds[ev->kind].handle))
		kinds[ev->kind].handle(n, ctx, lp, ev);
	else if (ev->kind >= SW_EVENT_FIRST && n->common.ops->timing.event)
		n->common.ops->timing.event(&n->call, ev);
	else
		sim_violation(ctx, "an event of unknown kind %u", ev->kind);
}
