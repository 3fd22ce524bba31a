/* network/lp.c - the handler of a logical process: events to the switch model and to endpoints.
 *
 * The ideal switch is joined with its host here, compiled as one; every other model is called through its interface. */
#include "network/checks/checked.h"
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
		                             "timer of a process" };
	if (kind >= SW_EVENT_FIRST)
		return "switch internal";
	return names[kind < sizeof names / sizeof *names ? kind : 0];
}

static uint64_t host_key(struct sw_call *call, unsigned phase)
{
	return net_next_key(call->ctx, call->host_lp, (enum net_phase)phase);
}

static uint32_t host_turn(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	const struct net_lp *lp = call->host_lp;
	struct rt_env *env = &n->env;
	env->here = lp->id;
	env->in_port = in_port < lp->net_ports ? in_port : RT_FROM_ENDPOINT;
	env->now = call->now;
	env->sw = call->state;
	env->drawn = 1; /* route() may have drawn once */
	struct rt_decision d = n->rt.ops->turn(&n->rt, env, p);
	base_checkf(d.port < lp->net_ports && d.slack != SW_MAY_TURN, "switch %u: a packet turns to port %u", lp->id,
	            d.port);
	if (p->vc >= n->common.vcs)
		p->vc = (uint8_t)(n->common.vcs - 1);
	*slack = d.slack;
	return d.port;
}

/* The packet goes to an endpoint here, whose congestion control is told. */
static __attribute__((noinline)) uint32_t route_to_sink(struct sw_call *call, uint32_t in_port, struct sw_packet *p,
                                                        uint8_t *slack)
{
	struct net_lp *lp = call->host_lp;
	uint32_t out = net_host_route(call, in_port, p, slack);
	if (out >= lp->net_ports)
		net_sink_arrives(call->host, call, lp, p);
	return out;
}

/* The same behind the interface, for every other model. */

static uint32_t host_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	if (sim_unlikely(n->wants & CC_WANTS_SINKS))
		return route_to_sink(call, in_port, p, slack);
	if (sim_likely(p == n->foreseen && p->vc == n->foreseen_vc)) { /* worked out ahead */
		uint32_t hint = call->ctx->hint;
		n->foreseen = NULL;
		p->vc = (uint8_t)(hint >> 16);
		p->route = (uint8_t)(hint >> 24);
		p->via = sw_packet_via(p, p->route);
		return hint & 0xffff;
	}
	return net_host_route(call, in_port, p, slack);
}

static void host_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish)
{
	net_host_transmit(call, out, end, p, p->vc, p->route, start, finish, false);
}

static void host_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                       uint64_t finish)
{
	net_host_eject(call, terminal, p, start, finish, false);
}

static void host_credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                        uint32_t bytes, uint64_t when)
{
	net_host_credit(call, in_port, end, vc, bytes, when, false);
}

static void host_queued(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
                        bool waited)
{
	net_host_queued(call, out, vc, bytes, from, to, waited, false);
}

const struct sw_host_ops net_host_ops = {
	.route = host_route,
	.turn = host_turn,
	.transmit = host_transmit,
	.eject = host_eject,
	.credit = host_credit,
	.queued = host_queued,
	.key = host_key,
};

static void framing_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end,
                             const struct sw_packet *p, uint64_t start, uint64_t finish)
{
	const struct net *n = call->host;
	struct sw_packet q = *p;
	uint32_t payload = sw_packet_payload(p);
	sw_packet_frame(&q, payload, sw_frame_bytes(&n->common.link[end->link_class], payload));
	host_transmit(call, out, end, &q, start, finish);
}

static void framing_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                          uint64_t finish)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	const struct sw_link *link = &n->common.link[SW_LINK_TERMINAL];
	struct sw_packet q = *p;
	q.bytes = sw_packet_payload(p);
	q.created &= SW_CREATED_MASK;
	net_count_departure(call, n, lp->net_ports + terminal, sw_frame_bytes(link, q.bytes), start);
	if (n->exact)
		net_nic_eject(n, call, lp, &q, finish + link->latency);
	else
		net_deliver(n, call->ctx, lp, &q, finish + link->latency);
}

const struct sw_host_ops net_framing_host_ops = {
	.route = host_route,
	.turn = host_turn,
	.transmit = framing_transmit,
	.eject = framing_eject,
	.credit = host_credit,
	.queued = host_queued,
	.key = host_key,
};

/* The same where no ports, no activity and no neighbours are to be told of it, and latencies are by class. */

static void plain_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                           uint64_t start, uint64_t finish)
{
	net_host_transmit(call, out, end, p, p->vc, p->route, start, finish, true);
}

static void plain_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                        uint64_t finish)
{
	net_host_eject(call, terminal, p, start, finish, true);
}

static void plain_credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t lane,
                         uint32_t bytes, uint64_t when)
{
	net_host_credit(call, in_port, end, lane, bytes, when, true);
}

static const struct sw_host_ops plain_host_ops = {
	.route = host_route,
	.turn = host_turn,
	.transmit = plain_transmit,
	.eject = plain_eject,
	.credit = plain_credit,
	.queued = host_queued,
	.key = host_key,
};

static bool is_plain(const struct net *n)
{
	return !n->port_stats && !n->activity && !n->neighbours && !n->by_length;
}

const struct sw_host_ops *net_choose_host_ops(const struct net *n)
{
	if (n->config->sw.plugin->loaded)
		return &net_checked_host_ops;
	return is_plain(n) && !n->common.framed ? &plain_host_ops : net_host(n);
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
	if (other || (mode == IDEAL_FULL && !n->joined)) {
		p = *packet;
		n->foreseen = hint != SIM_NO_HINT ? &p : NULL;
		n->foreseen_vc = p.vc;
		n->common.ops->packet_in(call, in_port, &p);
		n->foreseen = NULL;
		return;
	}
	uint8_t in_vc = packet->vc;
	n->arriving = ev;
	bool foreseen =
	    mode != IDEAL_PLAIN && hint != SIM_NO_HINT && !(packet->route & SW_ROUTE_DECIDED) && n->foresees;
	if (sim_likely(hint != SIM_NO_HINT && !foreseen)) {
		way = (struct ideal_way){ hint & 0xffff, (uint8_t)(hint >> 16), (uint8_t)(hint >> 24), 0 };
	} else if (mode == IDEAL_PLAIN && n->goes_on && n->one_leg) {
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
	if (exact && n->wants & CC_WANTS_SINKS && way.out >= lp->net_ports)
		net_sink_arrives(n, call, call->host_lp, packet);
	ideal_routed(call, in_port, in_vc, way, packet, mode);
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
	case NET_NIC:
		net_nic_due(n, ctx, lp, ev);
		break;
	case NET_PAIR:
		net_nic_pair_due(n, ctx, lp, ev);
		break;
	case NET_DELIVER:
		net_nic_delivered(n, ctx, lp, ev);
		break;
	case NET_ACK:
		net_nic_acknowledged(n, ctx, lp, ev);
		break;
	case NET_CONTROL:
		net_nic_controlled(n, ctx, lp, ev);
		break;
	case NET_SINK:
		net_sink_tick(n, ctx, lp, ev);
		break;
	case NET_MESSAGE:
		net_message_announced(n, ctx, lp, ev);
		break;
	case NET_MESSAGE_ACK:
		net_message_acknowledged(n, ctx, lp, ev);
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
	bool full = mode <= IDEAL_FULL, any = full && !other, exact = may_be_exact && n->exact;
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
		if (any && n->activity && ev->kind == NET_ARRIVE) {
			uint32_t *a =
			    n->activity + ((size_t)net_index(n, lp) * 4 + 3) * n->bins + net_bin_of(n, ev->time);
			sim_set(ctx, a, *a + 1);
		}
		arrives(n, call, ctx->hint, lp, ev, mode, other, exact);
		if (ev->kind == NET_INJECT && !exact)
			net_inject_next(n, ctx, lp, ev->aux);
		break;
	case NET_CREDIT:
		if (any && n->neighbours)
			net_neighbours_hear(n, ctx, lp, ev->aux, ev->payload[0] >> 40);
		if (other || (full && !n->joined))
			n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0],
			                         (uint32_t)(ev->payload[0] >> 8));
		else if (mode == IDEAL_LANES)
			ideal_lane_credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
		else
			ideal_credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
		break;
	case NET_GIVE_BACK:
		if (exact)
			net_nic_give_back(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0]);
		else
			net_give_back(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0]);
		break;
	case NET_TICK:
		net_publish_tick(n, ctx, lp);
		break;
	case NET_PUBLISHED:
		net_publish_receive(n, ctx, id, ev);
		break;
	default:
		if (may_be_exact && ev->kind < SW_EVENT_FIRST)
			handle_nic(n, ctx, lp, ev);
		else if (n->common.ops->event)
			n->common.ops->event(call, ev);
		else
			sim_violation(ctx, "an event of unknown kind %u", ev->kind);
	}
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
	if (n->joined && ideal_mode(&n->common) == IDEAL_LANES)
		return handle_lanes;
	if (!is_plain(n))
		return handle_full;
	if (!n->joined)
		return handle_other;
	enum ideal_mode mode = ideal_mode(&n->common);
	if (mode == IDEAL_PLAIN)
		return n->exact ? handle_plain_exact : handle_plain;
	if (mode == IDEAL_TRACKED)
		return n->exact ? handle_tracked_exact : handle_tracked;
	return handle_full;
}
