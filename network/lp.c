/* network/lp.c - the handler of a logical process, and the host side of a switch: routes, links, credits. */
#include "network/net.h"

#include <string.h>

const char *net_kind_name(unsigned kind)
{
	static const char *const names[] = {
		"?",       "packet arrives",  "credit arrives", "packet injected", "terminal buffer freed",
		"publish", "depths published"
	};
	if (kind >= SW_EVENT_FIRST)
		return "switch internal";
	return names[kind < sizeof names / sizeof *names ? kind : 0];
}

static uint32_t host_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	struct net_lp *lp = net_lp_at(n, call->lp);
	struct rt_env *env = &n->env; /* what does not change was filled at the start */
	env->here = lp->id;
	env->in_port = in_port < lp->net_ports ? in_port : RT_FROM_ENDPOINT;
	env->now = call->now;
	env->sw = call->state;
	env->drawn = 0;
	struct rt_decision d = n->rt.ops->route(&n->rt, env, p);
	if (d.port == RT_EJECT)
		return lp->net_ports + (p->dst - lp->first_endpoint);
	if (sim_unlikely(p->vc >= n->common.vcs))
		p->vc = (uint8_t)(n->common.vcs - 1); /* only with routing.unsafe; otherwise refused at the start */
	*slack = d.slack;
	return d.port;
}

/* A packet's first bit leaves by `out` at `start`. Departures are reserved ahead, so it may be after the end of the run. */
static inline void count_departure(struct sw_call *call, struct net *n, uint32_t out, uint32_t bytes, uint64_t start)
{
	if (sim_likely(!n->port_stats) || start >= n->end)
		return;
	struct net_port_stats *s = &n->port_stats[(size_t)(call->lp - n->first) * n->ports_total + out];
	sim_save(call->ctx, s, sizeof *s);
	s->bytes += bytes;
	s->packets++;
}

static void host_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                          uint64_t start, uint64_t finish)
{
	struct net *n = call->host;
	struct net_lp *lp = net_lp_at(n, call->lp);
	uint64_t at = (n->store_and_forward ? finish : start) + n->common.link[end->link_class].latency;
	struct sim_event *ev =
	    sim_send(call->ctx, end->lp, at, net_next_key(call->ctx, lp, NET_PHASE_PACKET), SIM_LONG_WORDS);
	ev->kind = NET_ARRIVE;
	ev->aux = end->port;
	struct sw_packet *q = (struct sw_packet *)(void *)ev->payload;
	*q = *p;
	q->hops++;
	if (start < n->end) {
		sim_add(call->ctx, n->shared.packet_hops, 1);
		if (n->bins)
			sim_add(call->ctx, &n->shared.bin[net_bin_of(n, start)].hops, 1);
		if (n->activity) {
			uint32_t *a = n->activity + ((size_t)lp->index * 4 + 2) * n->bins + net_bin_of(n, start);
			sim_set(call->ctx, a, *a + 1);
		}
	}
	count_departure(call, n, out, p->bytes, start);
}

static void host_eject(struct sw_call *call, uint32_t terminal, const struct sw_packet *p, uint64_t start,
                       uint64_t finish)
{
	struct net *n = call->host;
	struct net_lp *lp = net_lp_at(n, call->lp);
	count_departure(call, n, lp->net_ports + terminal, p->bytes, start);
	net_deliver(n, call->ctx, lp, p, finish + n->common.link[SW_LINK_TERMINAL].latency);
}

static void host_credit(struct sw_call *call, uint32_t in_port, const struct sw_link_end *end, uint8_t vc,
                        uint32_t bytes, uint64_t when)
{
	struct net *n = call->host;
	struct net_lp *lp = net_lp_at(n, call->lp);
	if (!end) {
		net_return_room(n, call->ctx, lp, in_port - lp->net_ports, bytes, when);
		return;
	}
	struct sim_event *ev = sim_send(call->ctx, end->lp, when + n->common.link[end->link_class].latency,
	                                net_next_key(call->ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_CREDIT;
	ev->aux = end->port;
	ev->payload[0] = vc | (uint64_t)bytes << 8;
	if (sim_unlikely(n->neighbours != NULL))
		ev->payload[0] |= net_neighbours_tell(n, call, lp, in_port) << 40;
}

static void host_queued(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from, uint64_t to,
                        bool waited)
{
	struct net *n = call->host;
	if (!n->port_stats)
		return;
	size_t at = (size_t)(call->lp - n->first) * n->ports_total + out;
	if (to > n->end)
		to = n->end;
	struct net_vc_stats *v = &n->vc_stats[at * n->common.vcs + vc];
	sim_save(call->ctx, v, sizeof *v);
	v->byte_time += bytes * ((to - from) >> 10);
	v->waits += waited;
}

static uint64_t host_key(struct sw_call *call, unsigned phase)
{
	struct net *n = call->host;
	return net_next_key(call->ctx, net_lp_at(n, call->lp), (enum net_phase)phase);
}

const struct sw_host_ops net_host_ops = {
	.route = host_route,
	.transmit = host_transmit,
	.eject = host_eject,
	.credit = host_credit,
	.queued = host_queued,
	.key = host_key,
};

void net_handle(struct sim_ctx *ctx, void *self, sim_lpid id, const struct sim_event *ev)
{
	struct net *n = self;
	struct net_lp *lp = net_lp_at(n, id);
	struct sw_call *call = &n->call;
	call->lp = id;
	call->id = lp->id;
	call->state = net_switch_state(n, lp);
	call->now = ev->time;
	switch (ev->kind) {
	case NET_ARRIVE: {
		struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
		if (n->activity) {
			uint32_t *a = n->activity + ((size_t)lp->index * 4 + 3) * n->bins + net_bin_of(n, ev->time);
			sim_set(ctx, a, *a + 1);
		}
		n->common.ops->packet_in(call, ev->aux, &p);
		break;
	}
	case NET_CREDIT:
		if (sim_unlikely(n->neighbours != NULL))
			net_neighbours_hear(n, ctx, lp, ev->aux, ev->payload[0] >> 40);
		n->common.ops->credit_in(call, ev->aux, (uint8_t)ev->payload[0], (uint32_t)(ev->payload[0] >> 8));
		break;
	case NET_INJECT: {
		struct sw_packet p = *(const struct sw_packet *)(const void *)ev->payload;
		n->common.ops->packet_in(call, lp->net_ports + ev->aux, &p);
		net_inject_next(n, ctx, lp, ev->aux);
		break;
	}
	case NET_GIVE_BACK:
		net_give_back(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0]);
		break;
	case NET_TICK:
		net_publish_tick(n, ctx, lp);
		break;
	case NET_PUBLISHED:
		net_publish_receive(n, ctx, id, ev);
		break;
	default:
		if (n->common.ops->event)
			n->common.ops->event(call, ev);
		else
			sim_violation(ctx, "an event of unknown kind %u", ev->kind);
	}
}
