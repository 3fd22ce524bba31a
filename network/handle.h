/* network/handle.h - the event handler of a logical process, which passes events to the switch and to endpoints.
 *
 * Inline. lp.c compiles it with the interface of switch/switch.h; each file of network/joined/ compiles it with one
 * switch model. */
#ifndef NETWORK_HANDLE_H
#define NETWORK_HANDLE_H

#include "network/host.h"

#define NET_INLINE static inline __attribute__((always_inline))

/* Functions by which an event handler passes the packet, or the credits, of an event to the switch. `mode` selects the
 * variant of the switch model. */
typedef void net_packet_in(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sim_event *ev,
                           unsigned mode, bool exact);
typedef void net_credit_in(struct net *n, struct sw_call *call, const struct sim_event *ev, unsigned mode);

/* Handles events that carry neither packets nor credits, and events of the switch model itself. lp.c */
void net_handle_rest(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* Handles an event. All arguments from packet_in on are compile-time constants. runs: the switch model may have the
 * function run() (sw_ops). records: switches may be recorded, and credits may carry queue depths. may_be_exact: the
 * network may use the exact path. */
NET_INLINE void net_handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev,
                           net_packet_in *packet_in, net_credit_in *credit_in, unsigned mode, bool runs, bool records,
                           bool may_be_exact)
{
	struct net *n = self;
	struct sw_call *call = &n->call;
	struct net_lp *lp = call->host_lp;
	bool exact = may_be_exact && n->path.exact;
	base_checkf(call->lp == id && lp == net_lp_at(n, id) && ev->lp == id && ctx->now == ev->time,
	            "an event for LP %u at LP %u, called for %u", ev->lp, id, call->lp);
	call->now = ev->time;
	if (runs && n->run) {
		n->run(call);
		call->now = ev->time; /* which run() sets meanwhile */
	}
	switch (ev->kind) {
	case NET_ARRIVE:
	case NET_INJECT:
		if (records && n->records.activity && ev->kind == NET_ARRIVE) {
			uint32_t *a = n->records.activity + ((size_t)net_index(n, lp) * 4 + 3) * n->records.bins +
			              net_bin_of(n, ev->time);
			sim_set(ctx, a, *a + 1);
		}
		packet_in(n, call, lp, ev, mode, exact);
		if (ev->kind == NET_INJECT && !exact)
			net_inject_next(n, ctx, lp, ev->aux);
		break;
	case NET_CREDIT:
		if (records && n->telemetry.neighbours)
			net_neighbours_hear(n, ctx, lp, ev->aux, ev->payload[0] >> 40);
		credit_in(n, call, ev, mode);
		break;
	case NET_GIVE_BACK:
		if (exact)
			net_nic_give_back(n, ctx, lp, ev->aux, (uint32_t)(ev->payload[0] >> 32),
			                  (uint32_t)ev->payload[0]);
		else
			net_give_back(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0]);
		break;
	case NET_NIC:
		if (may_be_exact) {
			net_nic_due(n, ctx, lp, ev);
			break;
		}
		/* fall through */
	default:
		net_handle_rest(n, ctx, lp, ev);
	}
}

#endif
