/* network/lp.c - the handler of a logical process: events to the switch model and to endpoints.
 *
 * The ideal switch is joined with its host here, compiled as one, and so is the data path of the tiled one; every other
 * model is called through its interface. */
#include "network/fast/ahead.h"
#include "network/host.h"
#include "network/nic/nic.h"

#define IDEAL_FRAMES false /* net_plan() */
#define SW_HOST(mode, call, op, ...) net_host_##op((call), __VA_ARGS__, (mode) > IDEAL_FULL)
#define SW_TRANSMIT(mode, call, out, end, p, way, start, finish) \
	net_host_transmit((call), (out), (end), (p), (way).vc, (way).route, (start), (finish), (mode) > IDEAL_FULL)
#define SW_RETURN(mode, call, in_port, vc, bytes, when) \
	net_host_return((call), (in_port), (vc), (bytes), (when), (mode) > IDEAL_FULL)
#include "switch/ideal/model.h"

/* The host of the tiled switch, which cuts through; no event is speculative. (What is in a packet was written when it
 * arrived: it is copied in wide pieces.) */
IDEAL_INLINE void transmit_of_tiled(struct sw_call *call, uint32_t out, const struct sw_link_end *end,
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
IDEAL_INLINE void credit_of_tiled(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                                  uint32_t bytes, uint64_t when)
{
	net_free_input(call, in_port, end, vc, bytes, when, true, true);
}
IDEAL_INLINE void eject_of_tiled(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                                 uint64_t finish)
{
	net_host_eject(call, terminal, p, start, finish, true);
}
#define TILED_HOST(call, op, ...) op##_of_tiled((call), __VA_ARGS__)
#include "switch/tiled/path.h"

const char *net_kind_name(unsigned kind)
{
	static const char *const names[] = { "?",
		                             "packet arrives",
		                             "credit arrives",
		                             "packet injected",
		                             "terminal buffer freed",
		                             "publish",
		                             "depths published",
		                             "NIC",
		                             "pair",
		                             "packet delivered",
		                             "acknowledgement",
		                             "control frame",
		                             "sink",
		                             "message announced",
		                             "message acknowledged",
		                             "word beside packets",
		                             "pause",
		                             "timer of a process",
		                             "frame that holds a flow back",
		                             "acknowledgement passes",
		                             "message handled",
		                             "packet acknowledged",
		                             "message complete" };
	if (kind >= SW_EVENT_FIRST)
		return "switch internal";
	return names[kind < sizeof names / sizeof *names ? kind : 0];
}

/* The packet of an event enters the switch, by the hint if there is one. other: the switch is not the joined one. */
IDEAL_INLINE void arrives(struct net *n, struct sw_call *call, uint32_t hint, const struct net_lp *lp,
                          const struct sim_event *ev, enum ideal_mode mode, bool other, bool exact)
{
	const struct sw_packet *packet = (const struct sw_packet *)(const void *)ev->payload;
	uint32_t in_port = ev->aux + base_if_equal32(ev->kind, NET_INJECT, lp->net_ports, 0);
	base_checkf(ev->aux < (ev->kind == NET_INJECT ? lp->endpoints : lp->net_ports) && packet->vc < n->common.vcs,
	            "switch %u: a packet at input %u, VC %u", lp->id, in_port, packet->vc);
	struct sw_packet p;
	struct ideal_way way;
	if (other || (mode == IDEAL_FULL && !n->path.joined)) {
		p = *packet;
		/* where that is known, not when the switch routes it: some do so when it is the first of its queue */
		if (exact && n->nic.wants & CC_WANTS_SINKS && net_stays(n, lp, &p))
			net_sink_arrives(n, call, call->host_lp, &p);
		n->ahead.foreseen = hint != SIM_NO_HINT ? &p : NULL;
		n->ahead.foreseen_vc = p.vc;
		n->common.ops->packet_in(call, in_port, &p);
		n->ahead.foreseen = NULL;
		return;
	}
	uint8_t in_vc = packet->vc;
	n->ahead.arriving = ev;
	bool foreseen =
	    mode != IDEAL_PLAIN && hint != SIM_NO_HINT && !(packet->route & SW_ROUTE_DECIDED) && n->path.foresees;
	if (sim_likely(hint != SIM_NO_HINT && !foreseen)) {
		way = (struct ideal_way){ hint & 0xffff, (uint8_t)(hint >> 16), (uint8_t)(hint >> 24), 0 };
	} else if (mode == IDEAL_PLAIN && n->path.goes_on && n->path.one_leg) {
		p = *packet;
		uint32_t out = net_way_ahead(n, lp, ev, &p, true);
		way = (struct ideal_way){ out, p.vc, p.route, 0 };
	} else {
		p = *packet;
		uint8_t slack = 0;
		n->env.foreseen = foreseen ? net_foreseen(n, hint, packet) : NULL;
		uint32_t out = net_host_route(call, in_port, &p, &slack);
		n->env.foreseen = NULL;
		if (mode <= IDEAL_FULL && sim_unlikely(slack == SW_MAY_TURN))
			out = ideal_turn(call, in_port, in_vc, out, &p, &slack, mode);
		way = (struct ideal_way){ out, p.vc, p.route, slack };
		packet = &p;
	}
	if (exact && n->nic.wants & CC_WANTS_SINKS && way.out >= lp->net_ports)
		net_sink_arrives(n, call, call->host_lp, packet);
	ideal_routed(call, in_port, in_vc, way, packet, mode);
}

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

IDEAL_INLINE void run_tiled(struct sw_call *call, struct tiled_state *s, uint64_t limit)
{
	if (!s->uniform)
		run_simple(call, s, limit);
	else if (s->outside)
		run_uniform(call, s, limit);
	else
		run_lean(call, s, limit);
}

/* The same for the tiled switch where it is simple. What is due may have been put off if the packet's way is known. */
IDEAL_INLINE void arrives_at_tiled(struct net *n, struct sw_call *call, struct tiled_state *s, uint32_t hint,
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

/* Events of the exact path. */
static void handle_nic(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	switch (ev->kind) {
	case NET_PAIR:
		net_nic_pair_due(n, ctx, lp, ev);
		break;
	case NET_DELIVER:
		net_nic_delivered(n, ctx, lp, ev);
		break;
	case NET_ACK:
		net_nic_acknowledged(n, ctx, lp, ev);
		break;
	case NET_ACK_HOP:
		net_ack_passes(n, ctx, lp, ev);
		break;
	case NET_ACKNOWLEDGE:
		net_nic_acknowledge(n, ctx, lp, ev);
		break;
	case NET_CONTROL:
		net_nic_controlled(n, ctx, lp, ev);
		break;
	case NET_SINK:
		net_sink_tick(n, ctx, lp, ev);
		break;
	case NET_REQUEST:
		net_sink_requested(n, ctx, lp, ev);
		break;
	case NET_MESSAGE:
		net_message_announced(n, ctx, lp, ev);
		break;
	case NET_MESSAGE_ACK:
		net_message_acknowledged(n, ctx, lp, ev);
		break;
	case NET_PAUSE:
		net_nic_paused(n, ctx, lp, ev);
		break;
	case NET_FLOW:
		if (n->common.ops->hold_flow)
			n->common.ops->hold_flow(&n->call, (uint32_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 32),
			                         ev->payload[1], ev->payload[2]);
		break;
	case NET_HANDLED:
		net_message_handled(n, ctx, lp, ev);
		break;
	case NET_COMPLETE:
		net_message_complete(n, ctx, lp, ev);
		break;
	case NET_TIMER:
		net_process_due(n, ctx, lp, ev);
		break;
	default:
		sim_violation(ctx, "an event of unknown kind %u", ev->kind);
	}
}

/* One handler for whatever there is, three for what most runs are: no records of ports or switches, and the joined
 * switch in a simple mode, or another one (`other`). */
IDEAL_INLINE void handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev, enum ideal_mode mode,
                         bool other, bool may_be_exact)
{
	struct net *n = self;
	struct sw_call *call = &n->call;
	struct net_lp *lp = call->host_lp;
	bool full = mode <= IDEAL_FULL, any = full && !other, exact = may_be_exact && n->path.exact;
	base_checkf(call->lp == id && lp == net_lp_at(n, id) && ev->lp == id && ctx->now == ev->time,
	            "an event for LP %u at LP %u, called for %u", ev->lp, id, call->lp);
	call->now = ev->time;
	if (full && n->run) {
		n->run(call);
		call->now = ev->time; /* which run() sets meanwhile */
	}
	switch (ev->kind) {
	case NET_ARRIVE:
	case NET_INJECT:
		if (any && n->records.activity && ev->kind == NET_ARRIVE) {
			uint32_t *a = n->records.activity + ((size_t)net_index(n, lp) * 4 + 3) * n->records.bins +
			              net_bin_of(n, ev->time);
			sim_set(ctx, a, *a + 1);
		}
		arrives(n, call, ctx->hint, lp, ev, mode, other, exact);
		if (ev->kind == NET_INJECT && !exact)
			net_inject_next(n, ctx, lp, ev->aux);
		break;
	case NET_CREDIT:
		if (any && n->telemetry.neighbours)
			net_neighbours_hear(n, ctx, lp, ev->aux, ev->payload[0] >> 40);
		if (other || (full && !n->path.joined))
			n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0],
			                         (uint32_t)(ev->payload[0] >> 8));
		else if (mode == IDEAL_LANES)
			ideal_lane_credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
		else
			ideal_credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8), mode);
		break;
	case NET_LINK_CONTROL:
		if (n->common.ops->control_in)
			n->common.ops->control_in(call, ev->aux, ev->payload[0]);
		break;
	case NET_GIVE_BACK:
		if (exact)
			net_nic_give_back(n, ctx, lp, ev->aux, (uint32_t)(ev->payload[0] >> 32),
			                  (uint32_t)ev->payload[0]);
		else
			net_give_back(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0]);
		break;
	case NET_TICK:
		net_publish_tick(n, ctx, lp);
		break;
	case NET_PUBLISHED:
		net_publish_receive(n, ctx, id, ev);
		break;
	case NET_NIC:
		if (may_be_exact) {
			net_nic_due(n, ctx, lp, ev);
			break;
		}
		/* fall through */
	default:
		if (may_be_exact && ev->kind < SW_EVENT_FIRST)
			handle_nic(n, ctx, lp, ev);
		else if (n->common.ops->event)
			n->common.ops->event(call, ev);
		else
			sim_violation(ctx, "an event of unknown kind %u", ev->kind);
	}
}

/* Most events of tiled switches: not speculative, without traces and the like. telemetry: credits may carry
 * queue depths. */
IDEAL_INLINE void handle_at_tiled(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev,
                                  bool telemetry)
{
	struct net *n = self;
	struct sw_call *call = &n->call;
	struct tiled_state *s = call->state;
	struct net_lp *lp = call->host_lp;
	if (sim_unlikely(!tiled_is_simple(call, s))) {
		handle(ctx, self, id, ev, IDEAL_FULL, !telemetry, true);
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
		handle(ctx, self, id, ev, IDEAL_FULL, !telemetry, true);
	}
}

static void handle_tiled(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle_at_tiled(ctx, self, id, ev, false);
}

static void handle_tiled_telemetry(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle_at_tiled(ctx, self, id, ev, true);
}

static void handle_lanes(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_LANES, false, true);
}

static void handle_full(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_FULL, false, true);
}

static void handle_other(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_FULL, true, true);
}

static void handle_tracked(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_TRACKED, false, false);
}

static void handle_plain(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_PLAIN, false, false);
}

/* The same two on the exact path. */

static void handle_tracked_exact(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_TRACKED, false, true);
}

static void handle_plain_exact(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	handle(ctx, self, id, ev, IDEAL_PLAIN, false, true);
}

net_handler *net_choose_handler(const struct net *n)
{
	static net_handler *const of[NET_HANDLINGS][2] = {
		/* [exact] */
		[NET_HANDLE_FULL] = { handle_full, handle_full },
		[NET_HANDLE_OTHER] = { handle_other, handle_other },
		[NET_HANDLE_LANES] = { handle_lanes, handle_lanes },
		[NET_HANDLE_TRACKED] = { handle_tracked, handle_tracked_exact },
		[NET_HANDLE_PLAIN] = { handle_plain, handle_plain_exact },
		[NET_HANDLE_TILED] = { handle_tiled, handle_tiled },
		[NET_HANDLE_TILED_TELEMETRY] = { handle_tiled_telemetry, handle_tiled_telemetry },
	};
	return of[n->path.handling][n->path.exact];
}
