/* network/nic/receive.c - arrival of packets at their endpoint, and the acknowledgements that return to the source. */
#include "network/nic/nic.h"

#define MOST_HOPS 4096u /* of a minimal route: what is longer goes in circles */

/* Along the topology's first minimal route, after so many hops. */
static struct topo_hop first_hop(const struct topo *t, topo_switch from, topo_switch to, uint32_t hops, topo_port *port)
{
	topo_port next[TOPO_MAX_NEXT];
	if (t->ops->run)
		next[0] = t->ops->run(t, from, to).first;
	else
		t->ops->next(t, from, to, hops, next);
	*port = next[0];
	return topo_peer(t, from, *port);
}

uint64_t net_reverse_walk(const struct net *n, topo_switch from, topo_switch to)
{
	const struct topo *t = &n->topo;
	uint64_t ps = n->nic.ack_stage + net_ack_first(n);
	for (uint32_t hops = 0; from != to && hops < MOST_HOPS; hops++) {
		topo_port port;
		struct topo_hop h = first_hop(t, from, to, hops, &port);
		uint32_t link = net_link_of(n, h.link_class);
		ps += n->nic.ack_ps[link] + net_latency(n, from, port, h.to, link) + n->nic.ack_stage;
		from = h.to;
	}
	return ps;
}

void net_hold_flow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t src, uint32_t dst,
                   const struct cc_frame *frame)
{
	const struct topo *t = &n->topo;
	topo_switch from = lp->id, to = topo_switch_of(t, src);
	uint64_t at = ctx->now + n->nic.ack_stage;
	for (uint32_t hops = 0; from != to && hops < MOST_HOPS; hops++) {
		topo_port port;
		struct topo_hop h = first_hop(t, from, to, hops, &port);
		at += net_latency(n, from, port, h.to, net_link_of(n, h.link_class)) + n->nic.ack_stage;
		from = h.to;
		struct sim_event *ev =
		    sim_send(ctx, net_lp_of(n, from), at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
		ev->kind = NET_FLOW;
		ev->aux = 0;
		ev->payload[0] = src | (uint64_t)dst << 32;
		ev->payload[1] = frame->pace_q16;
		ev->payload[2] = frame->until;
		ev->payload[3] = ev->payload[4] = 0;
	}
}

uint64_t net_round_trip(const struct net *n, topo_switch from, topo_switch to, uint32_t *cables)
{
	const struct topo *t = &n->topo;
	const struct sw_link *terminal = &n->common.link[SW_LINK_TERMINAL];
	uint64_t switch_ps = (uint64_t)net_traversal(n),
		 ser = sw_serialisation(terminal, net_longest_frame(n, SW_LINK_TERMINAL));
	uint64_t ps = 2 * terminal->latency + switch_ps + (n->store_and_forward ? 2 : 1) * ser;
	ps += net_ack_first(n) + net_reverse_ps(n, to, from);
	*cables = 2;
	for (uint32_t hops = 0; from != to && hops < MOST_HOPS; hops++) {
		topo_port port;
		struct topo_hop h = first_hop(t, from, to, hops, &port);
		uint32_t link = net_link_of(n, h.link_class);
		const struct sw_link *l = &n->common.link[link];
		ps += net_latency(n, from, port, h.to, link) + switch_ps;
		ps += n->store_and_forward ? sw_serialisation(l, net_longest_frame(n, link)) : 0;
		++*cables;
		from = h.to;
	}
	return ps;
}

/* NET_ACK: payload[2]. */
#define ACK_MARKED (1u << 16)
#define ACK_TRIMMED (1u << 17)
#define ACK_PROBE (1u << 18)
#define ACK_CLASS 24 /* shift */
_Static_assert(SW_PAIR_NUMBERS <= ACK_MARKED, "a number is below the flags");

/* Of a packet that its endpoint has, or will have, at `delivered`. */
static struct sim_event *send_ack(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                                  uint64_t delivered)
{
	topo_switch source = topo_switch_of(&n->topo, p->src);
	uint64_t at = delivered + net_ack_first(n) + net_reverse_ps(n, lp->id, source);
	struct sim_event *ev =
	    sim_send(ctx, net_lp_of(n, source), at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_ACK;
	ev->aux = (uint16_t)(p->src - topo_first_endpoint(&n->topo, source));
	ev->payload[0] = p->dst | (uint64_t)net_wire_bytes(n, p->job, p->bytes) << 32;
	ev->payload[1] = sw_injected(p, ctx->now);
	ev->payload[2] = net_nic_class(n, p->job) << ACK_CLASS;
	return ev;
}

/* The packet can no longer be lost: it counts as delivered at `at`, and its acknowledgement is sent. An acknowledgement
 * for an endpoint of this switch is sent at that instant, because its position among the events that this switch sends
 * to itself determines the order of those for one endpoint. */
static void foresee(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at)
{
	uint32_t count = net_next_count(ctx, lp);
	if (n->nic.wants & CC_WANTS_SINKS)
		net_sink_ejected(n, ctx, lp, p, at, count);
	if (n->nic.wants & CC_WANTS_ACKS && sim_likely(p->src - lp->first_endpoint >= lp->endpoints)) {
		struct sim_event *ack = send_ack(n, ctx, lp, p, at);
		ack->payload[3] = at;
		ack->payload[4] = 0;
	} else if (n->nic.wants & CC_WANTS_ACKS) {
		struct sim_event *ev =
		    sim_send(ctx, n->call.lp, at, sim_key(NET_PHASE_CREDIT, lp->id, count), SIM_LONG_WORDS);
		ev->kind = NET_ACKNOWLEDGE;
		ev->aux = (uint16_t)(p->dst - lp->first_endpoint);
		*(struct sw_packet *)(void *)ev->payload = *p;
	}
	struct sw_packet q;
	bool last = n->path.in_order && p->injected & SW_MARK_LAST;
	if (last || sim_unlikely(ctx->now > SW_INJECTED_MASK)) {
		q = *p;
		q.injected = sw_injected(p, ctx->now);
		p = &q;
	}
	net_deliver(n, ctx, lp, p, at);
	if (last)
		net_message_foreseen_last(n, ctx, lp, p, at, count);
	/* in order the others need not be counted, but for the check that they all came before the last */
	if (n->path.completes && (!n->path.in_order || BASE_CHECKING) && n->traffic.job[p->job].process)
		net_message_foreseen(n, ctx, lp, p, at, count);
}

void net_nic_acknowledge(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct sim_event *ack = send_ack(n, ctx, lp, (const struct sw_packet *)(const void *)ev->payload, ctx->now);
	ack->payload[3] = ctx->now;
	ack->payload[4] = 0;
}

void net_nic_eject(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sw_packet *p, uint64_t at)
{
	struct sim_ctx *ctx = call->ctx;
	if (!n->path.deliveries) {
		foresee(n, ctx, lp, p, at);
		return;
	}
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_DELIVER;
	ev->aux = (uint16_t)(p->dst - lp->first_endpoint);
	*(struct sw_packet *)(void *)ev->payload = *p;
}

bool net_nic_ack_counts(const struct net *n, const struct sim_event *ev)
{
	if (ev->kind == NET_ACKNOWLEDGE)
		return ev->time < n->times.end;
	if (ev->kind == NET_ACK_HOP || ev->kind == NET_ACK_CROSSES)
		return true;
	return ev->kind == NET_ACK && (n->path.deliveries || ev->payload[3] < n->times.end);
}

/* NET_ACK: the upper 16 bits of payload[3], which are above what net_retry_tell() says, are the packet's entropy. */
#define ACK_ENTROPY 48 /* shift */
_Static_assert(SW_PAIR_NUMBERS <= 1u << 16, "numbers behind the base are below the entropy");

static void acknowledge(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p)
{
	bool probe = net_is_probe(n, p), marked = p->injected & SW_MARK_ECN,
	     trimmed = p->injected & SW_MARK_TRIMMED && !probe;
	uint32_t base = 0, beyond = 0;
	uint64_t bits = 0, flags = sw_pair_number(p) | (marked ? ACK_MARKED : 0) | (trimmed ? ACK_TRIMMED : 0) |
	                           (probe ? ACK_PROBE : 0);
	if (((n->config->nic.ack_every || n->nic.recovers) && n->path.retry) ||
	    (!n->path.retry && n->nic.ordered >> net_nic_class(n, p->job) & 1))
		net_retry_tell(n, ctx, lp, p, &base, &beyond, &bits);
	uint64_t received = base | (uint64_t)beyond << 32;
	if (sim_unlikely(n->rt.entropy == RT_ENTROPY_RECYCLED))
		received |= (uint64_t)(p->via & 0xffff) << ACK_ENTROPY;
	sim_add(ctx, &n->shared.nic->acks, 1);
	sim_add(ctx, &n->shared.nic->marked, marked);
	if (sim_unlikely(net_retry_damaged(n, p, 1, ctx->now))) {
		sim_add(ctx, &n->shared.nic->damaged_acks, 1);
		return;
	}
	if (n->nic.ack_hops) {
		uint64_t payload[SIM_LONG_WORDS] = { p->dst | (uint64_t)net_wire_bytes(n, p->job, p->bytes) << 32,
			                             p->injected & SW_INJECTED_MASK,
			                             net_nic_class(n, p->job) << ACK_CLASS | flags, received, bits };
		net_ack_leaves(n, ctx, lp, p->dst - lp->first_endpoint, p->src, payload);
		return;
	}
	struct sim_event *ev = send_ack(n, ctx, lp, p, ctx->now);
	ev->payload[2] |= flags;
	ev->payload[3] = received;
	ev->payload[4] = bits;
}

void net_nic_hand_over(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p)
{
	struct sw_packet q = *p;
	q.injected = sw_injected(p, ctx->now);
	net_deliver(n, ctx, lp, &q, ctx->now);
	if (n->traffic.process && n->traffic.job[p->job].process)
		net_message_packet(n, ctx, lp, &q);
}

/* With numbers: each once, and in order where its class wants that. */
static void hand_over_once(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                           bool *at_once)
{
	uint32_t class = net_nic_class(n, p->job), ahead = 0;
	struct net_received *r = net_numbered(n, class) ? net_retry_first(n, ctx, lp, p, at_once, &ahead) : NULL;
	if (r && n->nic.ordered >> class & 1)
		net_order_comes(n, ctx, lp, r, p, ahead);
	else if (r || !net_numbered(n, class))
		net_nic_hand_over(n, ctx, lp, p);
}

void net_nic_dropped(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p)
{
	sim_add(ctx, &n->shared.nic->drops, 1);
	net_nic_lost(n, ctx, p);
}

void net_nic_lost(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p)
{
	struct net_job_stats *j = &n->shared.job[p->job];
	uint64_t created = sw_created(&n->common, p, ctx->now);
	if (n->path.retry)
		return;
	sim_add(ctx, &j->dropped, 1);
	if (created >= n->times.measure_from && created < n->times.measure_to)
		sim_add(ctx, &j->measured_dropped, 1);
}

void net_nic_delivered(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	const struct sw_packet *p = (const struct sw_packet *)(const void *)ev->payload;
	struct net_nic_stats *stats = n->shared.nic;
	bool at_once = true;
	if (n->nic.wants & CC_WANTS_SINKS)
		net_sink_leaves(n, ctx, lp, p);
	if (sim_unlikely(net_retry_damaged(n, p, 0, ctx->now))) {
		sim_add(ctx, &stats->damaged, 1);
		return;
	}
	if (net_is_probe(n, p)) {
		sim_add(ctx, &stats->probes_came, 1);
	} else if (sim_unlikely(p->injected & SW_MARK_TRIMMED)) {
		sim_add(ctx, &stats->trimmed, 1);
		net_nic_lost(n, ctx, p);
	} else if (n->path.numbers) {
		hand_over_once(n, ctx, lp, p, &at_once);
	} else {
		net_nic_hand_over(n, ctx, lp, p);
	}
	if (n->nic.wants & CC_WANTS_ACKS && at_once)
		acknowledge(n, ctx, lp, p);
}

void net_nic_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct cc_ack ack = { .bytes = (uint32_t)(ev->payload[0] >> 32),
		              .sent = ev->payload[1],
		              .marked = ev->payload[2] & ACK_MARKED,
		              .probe = ev->payload[2] & ACK_PROBE };
	uint32_t dst = (uint32_t)ev->payload[0], class = (uint32_t)ev->payload[2] >> ACK_CLASS;
	uint32_t pair = net_nic_pair(n, ctx, lp, ev->aux, dst, class, false);
	struct net_pair *p = pair != SW_POOL_NONE ? net_pair_at(n, lp, pair) : NULL;
	if (sim_unlikely(!p || (!n->path.retry && p->cc.in_flight < ack.bytes))) {
		sim_violation(
		    ctx,
		    "endpoint %u received an acknowledgement of %u bytes from %u, but has %u bytes in flight to it",
		    lp->first_endpoint + ev->aux, ack.bytes, dst, p ? p->cc.in_flight : 0);
		return;
	}
	bool news = true;
	if (n->path.retry) {
		uint32_t number = ack.probe ? UINT32_MAX : (uint32_t)ev->payload[2] % ACK_MARKED;
		bool trimmed = ev->payload[2] & ACK_TRIMMED;
		news = (n->config->nic.ack_every || n->nic.recovers) && !trimmed
		           ? net_retry_all_acknowledged(n, ctx, lp, p, number, (uint32_t)ev->payload[3], ev->payload[4],
		                                        &ack)
		           : net_retry_acknowledged(n, ctx, lp, p, number, trimmed, &ack);
	} else {
		sim_save(ctx, p, n->nic.pair_bytes);
		p->cc.in_flight -= ack.bytes;
		p->in_flight--;
		if (n->nic.ordered >> class & 1 && (int32_t)((uint32_t)ev->payload[3] - p->acked) > 0)
			p->acked = (uint32_t)ev->payload[3];
	}
	if (ack.probe)
		sim_save(ctx, p, n->nic.pair_bytes);
	if (sim_unlikely(n->rt.entropy == RT_ENTROPY_RECYCLED) && !ack.marked && !ack.probe &&
	    !(ev->payload[2] & ACK_TRIMMED))
		net_entropy_return(n, ctx, p, (uint32_t)(ev->payload[3] >> ACK_ENTROPY));
	if ((news || ack.probe) && n->nic.cc.ops->source.acked)
		n->nic.cc.ops->source.acked(&n->nic.cc, &p->cc, ctx->now, &ack);
	if (sim_unlikely(n->nic.recovers))
		net_recovery_acknowledged(n, ctx, lp, p, &ack, (uint32_t)ev->payload[3],
		                          (uint32_t)(ev->payload[3] >> 32) & 0xffff);
	net_nic_resume(n, ctx, lp, pair);
}

void net_nic_controlled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	struct cc_frame frame = { .word = { ev->payload[1], ev->payload[2], ev->payload[3] } };
	uint32_t pair = net_nic_pair(n, ctx, lp, ev->aux, (uint32_t)ev->payload[0], (uint32_t)ev->payload[4], true);
	struct net_pair *p = net_pair_at(n, lp, pair);
	sim_save(ctx, p, n->nic.pair_bytes);
	n->nic.cc.ops->source.control(&n->nic.cc, &p->cc, ctx->now, &frame);
	net_nic_resume(n, ctx, lp, pair);
}
