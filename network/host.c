/* network/host.c - the functions of the host that switch models call through the interface of switch/switch.h. Models
 * that are compiled together with the host use network/joined/ instead. There are several tables of functions, so that
 * features that a run does not use cost nothing. */
#include "network/host.h"

static uint64_t host_key(struct sw_call *call, unsigned phase)
{
	return net_next_key(call->ctx, call->host_lp, (enum net_phase)phase);
}

uint32_t net_host_turn(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
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

/* The packet may follow others of its flow. */
static __attribute__((noinline)) uint32_t route_behind(struct sw_call *call, uint32_t in_port, struct sw_packet *p,
                                                       uint8_t *slack)
{
	struct net *n = call->host;
	bool follows = n->path.paths && n->nic.ordered >> net_nic_class(n, p->job) & 1;
	return (follows ? net_path_route : net_host_route)(call, in_port, p, slack);
}

/* The output of a packet. */
static inline uint32_t out_of(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	if (sim_unlikely(n->nic.wants & NET_WANTS_PATHS))
		return route_behind(call, in_port, p, slack);
	if (sim_likely(p == n->ahead.foreseen && p->vc == n->ahead.foreseen_vc)) { /* computed in advance */
		uint32_t hint = call->ctx->hint;
		n->ahead.foreseen = NULL;
		p->vc = (uint8_t)(hint >> 16);
		p->route = (uint8_t)(hint >> 24);
		p->via = sw_packet_via(p, p->route);
		return hint & 0xffff;
	}
	return net_host_route(call, in_port, p, slack);
}

/* Returns the output of a packet, for switch models that call the host through struct sw_host_ops. Congestion control
 * that observes packets at their last switch (CC_WANTS_SINKS) is notified here of a packet that is routed to an
 * endpoint, unless it was notified on arrival of the packet (net_stays()). */
static uint32_t host_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	if (sim_likely(!(n->nic.wants & CC_WANTS_SINKS)))
		return out_of(call, in_port, p, slack);
	bool stays = net_stays(n, lp, p);
	uint32_t out = out_of(call, in_port, p, slack);
	base_checkf(!stays || out >= lp->net_ports, "switch %u: a packet for endpoint %u goes on", lp->id, p->dst);
	if (!stays && out >= lp->net_ports)
		net_sink_arrives(n, call, lp, p);
	return out;
}

static void host_drop(struct sw_call *call, const struct sw_packet *p)
{
	net_nic_dropped(call->host, call->ctx, p);
}

static void host_control(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint64_t word,
                         uint64_t when)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	uint64_t latency = end ? net_latency(n, lp->id, in_port, net_switch_of(n, end->lp), end->link_class)
	                       : n->common.link[SW_LINK_TERMINAL].latency;
	struct sim_event *ev = sim_send(call->ctx, end ? end->lp : call->lp, when + latency,
	                                net_next_key(call->ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = end ? NET_LINK_CONTROL : NET_PAUSE;
	ev->aux = end ? end->port : (uint16_t)(in_port - lp->net_ports);
	ev->payload[0] = word;
}

enum framed { NOT_FRAMED, FRAMED_BY_LINK, FRAMED_BY_CLASS };

static inline __attribute__((always_inline)) const struct sw_link *
link_for(const struct net *n, unsigned link, const struct sw_packet *p, enum framed framed)
{
	return framed == FRAMED_BY_CLASS ? sw_link_for_job(&n->common, link, p->job) : &n->common.link[link];
}

/* The frame changes from link to link, and what is delivered is the payload. */
static inline __attribute__((always_inline)) void framed_transmit(struct sw_call *call, uint32_t out,
                                                                  const struct sw_link_end *end,
                                                                  const struct sw_packet *p, uint64_t start,
                                                                  uint64_t finish, enum framed framed)
{
	struct sw_packet q = *p;
	uint32_t payload = sw_packet_payload(p);
	sw_packet_frame(&q, payload, sw_frame_bytes(link_for(call->host, end->link_class, p, framed), payload));
	net_host_transmit(call, out, end, &q, q.vc, q.route, start, finish, false);
}

static inline __attribute__((always_inline)) void framed_eject(struct sw_call *call, uint32_t terminal,
                                                               const struct sw_packet *p, uint64_t start,
                                                               uint64_t finish, enum framed framed)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	const struct sw_link *link = link_for(n, SW_LINK_TERMINAL, p, framed);
	struct sw_packet q = *p;
	q.bytes = sw_packet_payload(p);
	q.created = sw_created(&n->common, p, call->now);
	net_count_departure(call, n, lp->net_ports + terminal, sw_frame_bytes(link, q.bytes), start, 0, p->job,
	                    SW_LINK_TERMINAL);
	if (n->path.answers)
		net_nic_eject(n, call, lp, &q, finish + link->latency);
	else
		net_deliver(n, call->ctx, lp, &q, finish + link->latency);
}

/* A table. plain: no ports, no activity and no neighbours need it, and latencies are by class. */
#define HOST_TABLE(name, plain, framed)                                                                                \
	static void name##_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end,                 \
	                            const struct sw_packet *p, uint64_t start, uint64_t finish)                        \
	{                                                                                                              \
		if (framed)                                                                                            \
			framed_transmit(call, out, end, p, start, finish, framed);                                     \
		else                                                                                                   \
			net_host_transmit(call, out, end, p, p->vc, p->route, start, finish, plain);                   \
	}                                                                                                              \
	static void name##_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,   \
	                         uint64_t finish)                                                                      \
	{                                                                                                              \
		if (framed)                                                                                            \
			framed_eject(call, terminal, p, start, finish, framed);                                        \
		else                                                                                                   \
			net_host_eject(call, terminal, p, start, finish, plain);                                       \
	}                                                                                                              \
	static void name##_credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t lane, \
	                          uint32_t bytes, uint64_t when)                                                       \
	{                                                                                                              \
		net_host_credit(call, in_port, end, lane, bytes, when, plain);                                         \
	}                                                                                                              \
	static void name##_queued(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from,       \
	                          uint64_t to, bool waited)                                                            \
	{                                                                                                              \
		net_host_queued(call, out, vc, bytes, from, to, waited, plain);                                        \
	}                                                                                                              \
	const struct sw_host_ops name##_host_ops = {                                                                   \
		.route = host_route,                                                                                   \
		.turn = net_host_turn,                                                                                 \
		.transmit = name##_transmit,                                                                           \
		.eject = name##_eject,                                                                                 \
		.credit = name##_credit,                                                                               \
		.queued = name##_queued,                                                                               \
		.drop = host_drop,                                                                                     \
		.control = host_control,                                                                               \
		.key = host_key,                                                                                       \
		.wire = net_host_wire,                                                                                 \
	};

HOST_TABLE(net, false, NOT_FRAMED)
HOST_TABLE(net_framing, false, FRAMED_BY_LINK)
HOST_TABLE(net_kinds, false, FRAMED_BY_CLASS)
HOST_TABLE(net_plain, true, NOT_FRAMED)

/* Where cables, switches or interfaces fail: network/failures/pass.c. */
const struct sw_host_ops net_failing_host_ops = {
	.route = net_failing_route,
	.turn = net_host_turn,
	.transmit = net_failing_transmit,
	.eject = net_failing_eject,
	.credit = net_credit,
	.queued = net_queued,
	.drop = host_drop,
	.control = host_control,
	.key = host_key,
	.wire = net_host_wire,
};
