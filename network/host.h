/* network/host.h - the functions of the host that switches call: routes, links, credits. They are inline, so that
 * network/joined/ can compile them together with switch models.
 *
 * The argument `plain` is a compile-time constant: true omits what no event of the run needs, see net_choose_handler().
 */
#ifndef NETWORK_HOST_H
#define NETWORK_HOST_H

#include "network/nic/nic.h"

/* Routes a packet that is at switch `lp`. in_port is a network port, or RT_FROM_ENDPOINT. Returns the number of the
 * output, where terminals follow the network ports. */
static inline uint32_t net_route(struct net *n, const struct net_lp *lp, uint32_t in_port, uint64_t now, void *state,
                                 struct sw_packet *p, uint8_t *slack)
{
	struct rt_env *env = &n->env; /* what does not change was filled at the start */
	env->here = lp->id;
	env->in_port = in_port;
	env->now = now;
	env->sw = state;
	env->drawn = 0;
	struct rt_decision d = n->rt.ops->route(&n->rt, env, p);
	if (d.port == RT_EJECT)
		return lp->net_ports + (p->dst - lp->first_endpoint);
	if (sim_unlikely(p->vc >= n->common.vcs))
		p->vc = (uint8_t)(n->common.vcs - 1); /* with routing.unsafe, or proved to be free of deadlock so */
	*slack = d.slack;
	return d.port;
}

/* Returns whether it is certain that a packet that has just arrived will leave for an endpoint of this switch. It is
 * not if the packet passes through on its way to an intermediate switch, or if the routing comes from a shared object.
 */
static inline bool net_stays(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
{
	const uint8_t kind = SW_ROUTE_NONMINIMAL | SW_ROUTE_PASSED_VIA;
	bool passes = (p->route & kind) == SW_ROUTE_NONMINIMAL && p->via != lp->id;
	return p->dst - lp->first_endpoint < lp->endpoints && !passes && !n->config->routing.plugin->loaded;
}

/* Packs a routing decision (output, VC and route flags) into a word for sim_ctx.hint. */
static inline uint32_t net_hint(uint32_t out, const struct sw_packet *p)
{
	return out | (uint32_t)p->vc << 16 | (uint32_t)p->route << 24;
}

static inline uint32_t net_host_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	return net_route(n, lp, in_port < lp->net_ports ? in_port : RT_FROM_ENDPOINT, call->now, call->state, p, slack);
}

/* Lets a waiting packet change its route: returns the output for which it waits from now on, see sw_host_ops.turn.
 * host.c */
uint32_t net_host_turn(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);

/* Counts a packet whose first bit leaves through `out` at `start`. Departures are reserved in advance, so `start` may
 * be after the end of the run. */
static inline void net_count_departure(struct sw_call *call, struct net *n, uint32_t out, uint32_t bytes,
                                       uint64_t start, uint8_t vc, uint32_t job, unsigned link_class)
{
	if (sim_likely(!n->records.ports) || start >= n->times.horizon)
		return;
	const struct sw_link *link = sw_link_for_job(&n->common, link_class, job);
	uint64_t idle = start + sw_serialisation(link, bytes) + link->gap;
	struct net_port_stats *s = &n->records.ports[(size_t)(call->lp - n->base) * n->ports_total + out];
	sim_save(call->ctx, s, sizeof *s);
	s->bytes += bytes;
	sw_line_add(&s->used, n->common.end, start, idle, 0, (uint64_t)bytes << 8 | vc);
	s->packets++;
}

/* Copies *p to *q for its next link: with one more hop and the given VC and route. Bytes that may have been written
 * just before are read one by one, because a wider read would stall until the store buffer has drained (no store
 * forwarding). */
static inline void net_copy_hop(struct sw_packet *q, const struct sw_packet *p, uint32_t vc, uint32_t route)
{
	uint32_t hops = p->hops, job = p->job;
	__asm__("" : "+r"(vc), "+r"(route), "+r"(hops), "+r"(job));
	q->created = p->created;
	q->injected = p->injected;
	q->src = p->src;
	q->dst = p->dst;
	q->seq = p->seq;
	q->bytes = p->bytes;
	q->via = sw_packet_via(p, route);
	q->hops = (uint8_t)(hops + 1);
	q->vc = (uint8_t)vc;
	q->route = (uint8_t)route;
	q->job = (uint8_t)job;
}

/* Sends the event of a packet that arrives at the other end of its link, `end`, at `at`. The caller fills in the
 * packet's data. */
static inline __attribute__((always_inline)) struct sim_event *
net_send_hop(struct sw_call *call, const struct sw_link_end *end, uint64_t at, uint64_t key)
{
	struct sim_event *ev = sim_send_hot(call->ctx, end->lp, at, key, SIM_LONG_WORDS);
	ev->kind = NET_ARRIVE;
	ev->aux = end->port;
	return ev;
}

/* Sends the arrival event of a packet that leaves through output `out`. */
static inline __attribute__((always_inline)) struct sim_event *net_begin_hop(struct sw_call *call, uint32_t out,
                                                                             const struct sw_link_end *end,
                                                                             uint64_t start, uint64_t finish,
                                                                             bool plain)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	uint64_t latency = plain ? n->common.link[end->link_class].latency
	                         : net_latency(n, lp->id, out, net_switch_of(n, end->lp), end->link_class);
	uint64_t at = (n->store_and_forward ? finish : start) + latency;
	base_checkf(!n->path.joined || (start >= call->now && finish >= start),
	            "switch %u, output %u: from %llu to %llu ps, at %llu", lp->id, out, (unsigned long long)start,
	            (unsigned long long)finish, (unsigned long long)call->now);
	return net_send_hop(call, end, at, net_packet_key(call->ctx, n, lp, out, end->link_class));
}

static inline __attribute__((always_inline)) void net_count_hop(struct sw_call *call, uint32_t out,
                                                                const struct sw_packet *p, uint64_t start, uint8_t vc,
                                                                unsigned link_class, bool plain)
{
	struct net *n = call->host;
	if (sim_likely(start < n->times.horizon)) {
		sim_add(call->ctx, n->shared.packet_hops, 1);
		if (sim_unlikely(n->records.bins))
			sim_add(call->ctx, &net_bin_at(n, p->job, start)->hops, 1);
		if (plain)
			return;
		if (n->records.activity) {
			uint32_t *a = n->records.activity +
			              ((size_t)net_index(n, call->host_lp) * 4 + 2) * n->records.bins +
			              net_bin_of(n, start);
			sim_set(call->ctx, a, *a + 1);
		}
	}
	if (!plain)
		net_count_departure(call, n, out, p->bytes, start, vc, p->job, link_class);
}

static inline __attribute__((always_inline)) void
net_host_transmit(struct sw_call *call, uint32_t out, const struct sw_link_end *end, const struct sw_packet *p,
                  uint8_t vc, uint8_t route, uint64_t start, uint64_t finish, bool plain)
{
	struct sim_event *ev = net_begin_hop(call, out, end, start, finish, plain);
	base_checkf(vc < ((struct net *)call->host)->common.vcs, "output %u: VC %u", out, vc);
	net_copy_hop((struct sw_packet *)(void *)ev->payload, p, vc, route);
	net_count_hop(call, out, p, start, vc, end->link_class, plain);
}

static inline __attribute__((always_inline)) void net_host_eject(struct sw_call *call, uint32_t terminal,
                                                                 const struct sw_packet *p, uint64_t start,
                                                                 uint64_t finish, bool plain)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	base_checkf(!n->path.joined ||
	                (terminal < lp->endpoints && lp->first_endpoint + terminal == p->dst && start >= call->now),
	            "switch %u, terminal %u gets a packet for endpoint %u", lp->id, terminal, p->dst);
	if (!plain)
		net_count_departure(call, n, lp->net_ports + terminal, p->bytes, start, 0, p->job, SW_LINK_TERMINAL);
	if (sim_unlikely(n->path.answers))
		net_nic_eject(n, call, lp, p, finish + n->common.link[SW_LINK_TERMINAL].latency);
	else
		net_deliver(n, call->ctx, lp, p, finish + n->common.link[SW_LINK_TERMINAL].latency);
}

/* Debug check: do the port and link of the sender, which are taken from the event key of a packet, agree with the other
 * end of the cable at in_port? */
static inline bool net_sender_is_peer(const struct net *n, const struct net_lp *lp, uint32_t in_port,
                                      const struct sw_link_end *end)
{
	struct topo_hop h = topo_peer(&n->topo, lp->id, in_port), back = topo_peer(&n->topo, h.to, h.port);
	return end->lp == net_lp_of(n, h.to) && end->port == h.port &&
	       end->link_class == net_link_of(n, back.link_class);
}

/* Sends a credit to the sender of a packet that has left an input buffer. Two arguments are compile-time constants:
 * telemetry: the credit may carry queue depths; sent: the link class in `end` is that of the link by which the packet
 * came, otherwise it is that of the link by which the credit leaves. */
static inline __attribute__((always_inline)) void net_send_credit(struct sw_call *call, uint32_t in_port,
                                                                  const struct sw_link_end *end, uint8_t vc,
                                                                  uint32_t bytes, uint64_t when, bool plain,
                                                                  bool telemetry, bool sent)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	const struct sw_link *link = sent ? &n->common.incoming[end->link_class] : &n->common.link[end->link_class];
	uint64_t latency = plain || sim_likely(!(n->cables.by_length >> (end->link_class & 31) & 1))
	                       ? link->latency
	                       : net_latency_of_cable(n, lp->id, in_port, net_switch_of(n, end->lp), end->link_class);
	struct sim_event *ev = sim_send_hot(call->ctx, end->lp, when + latency,
	                                    net_next_key(call->ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_CREDIT;
	ev->aux = end->port;
	ev->payload[0] = vc | (uint64_t)bytes << 8;
	if (telemetry && sim_unlikely(n->telemetry.neighbours))
		ev->payload[0] |= net_neighbours_tell(n, call, lp, in_port) << 40;
}

/* Frees `bytes` of an input buffer at `when`: the space is returned to the endpoint, if in_port is a terminal (`end` is
 * NULL), or else by a credit to the switch at `end`. */
static inline __attribute__((always_inline)) void net_free_input(struct sw_call *call, uint32_t in_port,
                                                                 const struct sw_link_end *end, uint8_t vc,
                                                                 uint32_t bytes, uint64_t when, bool plain,
                                                                 bool telemetry)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	if (!end)
		net_return_room(n, call->ctx, lp, in_port - lp->net_ports, vc, bytes, when);
	else
		net_send_credit(call, in_port, end, vc, bytes, when, plain, telemetry, false);
}

static inline __attribute__((always_inline)) void net_host_credit(struct sw_call *call, uint32_t in_port,
                                                                  const struct sw_link_end *end, uint8_t vc,
                                                                  uint32_t bytes, uint64_t when, bool plain)
{
	net_free_input(call, in_port, end, vc, bytes, when, plain, !plain);
}

/* Frees buffer space of the packet whose arrival is the event n->ahead.arriving: like net_host_credit(), but finds the
 * sender in the key of this event. */
static inline __attribute__((always_inline)) void net_host_return(struct sw_call *call, uint32_t in_port, uint8_t vc,
                                                                  uint32_t bytes, uint64_t when, bool plain)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	if (in_port >= lp->net_ports) {
		net_return_room(n, call->ctx, lp, in_port - lp->net_ports, vc, bytes, when);
		return;
	}
	struct sw_link_end end = net_sender(n, n->ahead.arriving->key);
	base_checkf(net_sender_is_peer(n, lp, in_port, &end), "switch %u, input %u: a packet of LP %u, port %u", lp->id,
	            in_port, end.lp, end.port);
	net_send_credit(call, in_port, &end, vc, bytes, when, plain, !plain, true);
}

static inline void net_host_queued(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, uint64_t from,
                                   uint64_t to, bool waited, bool plain)
{
	struct net *n = call->host;
	if (plain || !n->records.ports)
		return;
	size_t at = (size_t)(call->lp - n->base) * n->ports_total + out;
	to = to < n->times.queues_until ? to : n->times.queues_until;
	from = from < to ? from : to;
	struct net_vc_stats *v = &n->records.vcs[at * n->common.vcs + vc];
	sim_save(call->ctx, v, sizeof *v);
	v->byte_time += bytes * ((to >> 10) - (from >> 10));
	v->waits += waited;
}

#endif
