/* network/joined/tiled.c - the data path of the tiled switch, compiled together with its host. */
#include "network/joined/joined.h"

#include "network/joined/ahead.h"

/* Sends a packet from a tiled switch, which uses cut-through; no event is speculative. (A packet was written when it
 * arrived, so it is copied in wide pieces.) */
NET_INLINE void transmit_of_tiled(struct sw_call *call, uint32_t out, const struct sw_link_end *end,
                                  const struct sw_packet *p, uint8_t vc, uint64_t start)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	base_check(!n->store_and_forward && !call->ctx->journal && start >= call->now);
	struct sim_event *ev = net_send_hop(call, end, start + n->common.link[end->link_class].latency,
	                                    net_counted_key(n, lp, lp->sent++, out, end->link_class));
	struct sw_packet *q = (struct sw_packet *)(void *)ev->payload;
	uint8_t hops = p->hops;
	*q = *p;
	q->hops = (uint8_t)(hops + 1);
	q->vc = vc;
	if (sim_unlikely(start >= n->times.horizon))
		return;
	++*n->shared.packet_hops;
	if (sim_unlikely(n->records.bins))
		++net_bin_at(n, p->job, start)->hops;
}
#define TILED_TRANSMIT(call, out, end, p, vc, start, finish) transmit_of_tiled((call), (out), (end), (p), (vc), (start))
NET_INLINE void credit_of_tiled(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                                uint32_t bytes, uint64_t when)
{
	net_free_input(call, in_port, end, vc, bytes, when, true, true);
}
NET_INLINE void eject_of_tiled(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                               uint64_t finish)
{
	net_host_eject(call, terminal, p, start, finish, true);
}
#define TILED_HOST(call, op, ...) op##_of_tiled((call), __VA_ARGS__)
#include "switch/tiled/path.h"

static __attribute__((noinline)) void run_lean(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	tiled_run_as(call, s, limit, TILED_LEAN);
}

static __attribute__((noinline)) void run_simple(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	tiled_run_as(call, s, limit, TILED_SIMPLE);
}

static __attribute__((noinline)) void run_uniform(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	tiled_run_as(call, s, limit, TILED_UNIFORM);
}

NET_INLINE void run_tiled(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	if (!s->uniform)
		run_simple(call, s, limit);
	else if (s->outside)
		run_uniform(call, s, limit);
	else
		run_lean(call, s, limit);
}

/* The same for the tiled switch where it is simple. What is due may have been put off if the packet's way is known. */
NET_INLINE void arrives_at_tiled(struct net *n, struct sw_call *call, struct tiled_state *s, uint32_t hint,
                                 const struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_packet *packet = (const struct sw_packet *)(const void *)ev->payload;
	uint32_t in_port = ev->aux + base_if_equal32(ev->kind, NET_INJECT, lp->net_ports, 0);
	uint8_t vc = s->derived->class_of[packet->vc], slack;
	if (sim_likely(hint != SIM_NO_HINT && vc == packet->vc)) {
		if (n->nic.wants & CC_WANTS_SINKS && (hint & 0xffff) >= lp->net_ports) {
			run_tiled(call, s, ev->time);
			net_sink_arrives(n, call, call->host_lp, packet);
		}
		tiled_enter_simply(call, s, in_port, packet, hint & 0xffff, (uint8_t)(hint >> 16), hint >> 24);
		return;
	}
	struct sw_packet p = *packet;
	uint32_t out;
	p.vc = vc;
	if (n->path.sees_no_queue && vc == packet->vc && !(n->nic.wants & CC_WANTS_SINKS)) {
		out = net_way_ahead(n, lp, ev, &p, true);
		vc = p.vc;
		p.vc = packet->vc;
		tiled_enter_simply(call, s, in_port, &p, out, vc, p.route);
		return;
	}
	run_tiled(call, s, ev->time);
	s->entering = in_port;
	out = net_host_route(call, in_port, &p, &slack);
	tiled_prefetch_output(s->derived, s, out);
	if (n->nic.wants & CC_WANTS_SINKS && out >= lp->net_ports)
		net_sink_arrives(n, call, call->host_lp, packet);
	vc = p.vc;
	p.vc = packet->vc;
	tiled_enter_simply(call, s, in_port, &p, out, vc, p.route);
}

/* Handler for the frequent events of tiled switches: no speculation, no traces and no other rare features; other events
 * are passed to the general handlers. telemetry: credits may carry queue depths. */
NET_INLINE void handle_at_tiled(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev,
                                bool telemetry)
{
	struct net *n = self;
	struct sw_call *call = &n->call;
	struct tiled_state *s = call->state;
	struct net_lp *lp = call->host_lp;
	if (sim_unlikely(!tiled_is_simple(call, s))) {
		(telemetry ? net_handle_any : net_handle_unrecorded)(ctx, self, id, ev);
		return;
	}
	base_checkf(call->lp == id && ev->lp == id && ctx->now == ev->time,
	            "an event for LP %u at LP %u, called for %u", ev->lp, id, call->lp);
	call->now = ev->time;
	bool packet = ev->kind == NET_ARRIVE || ev->kind == NET_INJECT;
	if (s->due < ev->time && (telemetry || !packet || !tiled_may_put_off(s)))
		run_tiled(call, s, ev->time);
	if (packet) {
		arrives_at_tiled(n, call, s, ctx->hint, lp, ev);
		if (ev->kind == NET_INJECT && !n->path.exact)
			net_inject_next(n, ctx, lp, ev->aux);
	} else if (ev->kind == NET_NIC) {
		net_nic_due(n, ctx, lp, ev);
	} else if (ev->kind == NET_CREDIT) {
		if (telemetry && n->telemetry.neighbours)
			net_neighbours_hear(n, ctx, lp, ev->aux, ev->payload[0] >> 40);
		n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
	} else if (ev->kind == TILED_EVENT_WAKE) {
		if (s->due <= ev->time)
			run_tiled(call, s, ev->time + 1);
		tiled_woken(call, s);
	} else {
		(telemetry ? net_handle_any : net_handle_unrecorded)(ctx, self, id, ev);
	}
}

void net_tiled(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle_at_tiled(ctx, self, id, ev, false);
}

void net_tiled_telemetry(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle_at_tiled(ctx, self, id, ev, true);
}
