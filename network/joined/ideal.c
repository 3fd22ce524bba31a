/* network/joined/ideal.c - the ideal switch, compiled together with its host. */
#include "network/joined/joined.h"

#include "network/joined/ahead.h"

#define IDEAL_FRAMES false /* path.c: links with framing are not for it */
#define SW_HOST(mode, call, op, ...) net_host_##op((call), __VA_ARGS__, (mode) > IDEAL_FULL)
#define SW_TRANSMIT(mode, call, out, end, p, way, start, finish) \
	net_host_transmit((call), (out), (end), (p), (way).vc, (way).route, (start), (finish), (mode) > IDEAL_FULL)
#define SW_RETURN(mode, call, in_port, vc, bytes, when) \
	net_host_return((call), (in_port), (vc), (bytes), (when), (mode) > IDEAL_FULL)
#include "switch/ideal/model.h"

/* The packet of an event enters the switch, by the hint if there is one. */
NET_INLINE void packet_in(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sim_event *ev,
                          unsigned mode_of_handler, bool exact)
{
	const enum ideal_mode mode = (enum ideal_mode)mode_of_handler;
	const uint32_t hint = call->ctx->hint;
	const struct sw_packet *packet = (const struct sw_packet *)(const void *)ev->payload;
	uint32_t in_port = ev->aux + base_if_equal32(ev->kind, NET_INJECT, lp->net_ports, 0);
	base_checkf(ev->aux < (ev->kind == NET_INJECT ? lp->endpoints : lp->net_ports) && packet->vc < n->common.vcs,
	            "switch %u: a packet at input %u, VC %u", lp->id, in_port, packet->vc);
	struct sw_packet p;
	struct ideal_way way;
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

NET_INLINE void credit_in(struct net *n, struct sw_call *call, const struct sim_event *ev, unsigned mode)
{
	uint32_t bytes = (uint32_t)(ev->payload[0] >> 8);
	(void)n;
	if (mode == IDEAL_LANES)
		ideal_lane_credit_in(call, ev->aux, (uint8_t)ev->payload[0], bytes);
	else
		ideal_credit_in(call, ev->aux, (uint8_t)ev->payload[0], bytes, (enum ideal_mode)mode);
}

#define HANDLER(name, mode, exact)                                                                             \
	void name(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)                    \
	{                                                                                                      \
		net_handle(ctx, self, id, ev, packet_in, credit_in, mode, false, (mode) <= IDEAL_FULL, exact); \
	}
HANDLER(net_ideal_lanes, IDEAL_LANES, true)
HANDLER(net_ideal_full, IDEAL_FULL, true)
HANDLER(net_ideal_tracked, IDEAL_TRACKED, false)
HANDLER(net_ideal_plain, IDEAL_PLAIN, false)
HANDLER(net_ideal_tracked_exact, IDEAL_TRACKED, true)
HANDLER(net_ideal_plain_exact, IDEAL_PLAIN, true)
