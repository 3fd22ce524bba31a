/* network/nic/pairs.c - an endpoint's records of the destinations for which it has traffic, by traffic class; and the
 * ring of those that may send. See nic.h. */
#include "network/nic/node.h"

#include <string.h>

static uint32_t *chain_of(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t dst)
{
	return net_chain_head(n, lp, NET_CHAIN_PAIRS, terminal, dst);
}

uint32_t net_nic_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                      uint32_t class, bool make)
{
	uint32_t *head = chain_of(n, lp, terminal, dst);
	for (uint32_t i = *head; i;) { /* a chain's numbers are one more, so that 0 ends it */
		const struct net_pair *p = net_pair_at(n, lp, i - 1);
		if (p->dst == dst && p->terminal == terminal && p->class == class)
			return i - 1;
		i = p->link;
	}
	if (!make)
		return SW_POOL_NONE;
	net_chains_reserve(n, ctx, lp, &net_nics_of(n, lp)->pairs);
	head = chain_of(n, lp, terminal, dst);
	uint32_t pair = sw_pool_take(ctx, &net_nics_of(n, lp)->pairs, n->nic.pair_bytes);
	struct net_nic *nic = net_nic_at(n, lp, terminal);
	struct net_pair *p = net_pair_at(n, lp, pair);
	memset(p, 0, n->nic.pair_bytes);
	p->link = *head;
	p->dst = dst;
	p->terminal = (uint16_t)terminal;
	p->class = (uint8_t) class;
	p->first = p->last = SW_POOL_NONE;
	p->until = SIM_NEVER;
	if (!n->path.pairs_short) {
		p->sent = p->sent_last = p->again = p->again_last = SW_POOL_NONE;
		p->due = SIM_NEVER;
	}
	if (n->nic.wants & CC_WANTS_RTT)
		p->cc.rtt = net_round_trip(n, lp->id, topo_switch_of(&n->topo, dst), &p->cc.cables);
	sim_set(ctx, head, pair + 1);
	sim_set(ctx, &nic->pairs, nic->pairs + 1);
	sim_add(ctx, &n->shared.nic->pairs, 1);
	return pair;
}

/* Bytes of it are neither acknowledged nor lost. */
static bool flies(const struct net *n, const struct net_pair *p)
{
	return !n->path.pairs_short && p->cc.in_flight;
}

static void forget(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	struct net_nic *nic = net_nic_at(n, lp, p->terminal);
	uint32_t *link = chain_of(n, lp, p->terminal, p->dst);
	base_check(p->first == SW_POOL_NONE && p->state == NET_PAIR_IDLE && (ctx->journal || !flies(n, p)));
	while (*link && *link != pair + 1)
		link = &net_pair_at(n, lp, *link - 1)->link;
	if (!*link)
		return; /* of an impossible past */
	sim_set(ctx, link, p->link);
	sim_set(ctx, &p->until, SIM_NEVER); /* events for it that are still to come are void */
	sim_set(ctx, &nic->pairs, nic->pairs - 1);
	sw_pool_give(ctx, &net_nics_of(n, lp)->pairs, pair, n->nic.pair_bytes);
}

void net_nic_call_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, uint64_t at)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	if (p->until <= at)
		return;
	sim_set(ctx, &p->until, at);
	struct sim_event *ev = sim_send(ctx, n->call.lp, at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_SHORT_WORDS);
	ev->kind = NET_PAIR;
	ev->aux = p->terminal;
	ev->payload[0] = pair | (uint64_t)p->dst << 32;
}

/* --- the ring of pairs that may send ----------------------------------------------------------------------- */

/* *p, which is saved, to the end of the ring, whose first is kept in c->first: n->path.ring_plain. */
static void append_plainly(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_nic_class *c,
                           uint32_t pair)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	uint32_t payload = net_held_payload(n, net_held_at(n, lp, p->first));
	if (c->ring == SW_POOL_NONE) {
		p->next = pair;
		p->next_held = p->first;
		p->next_payload = payload;
		net_ring_turns(ctx, c, pair, p);
		return;
	}
	struct net_pair *last = net_pair_at(n, lp, c->ring);
	base_check(last->next == c->first);
	p->next = c->first;
	p->next_held = c->first_held;
	p->next_payload = c->first_payload;
	sim_set(ctx, &last->next, pair);
	net_ring_tells(ctx, last, p->first, payload);
}

void net_pair_ready(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	struct net_nic_class *c = net_nic_class_at(n, lp, p->terminal, p->class);
	sim_save(ctx, p, n->nic.pair_bytes);
	p->state = NET_PAIR_READY;
	if (n->path.ring_plain)
		append_plainly(n, ctx, lp, c, pair);
	else if (c->ring == SW_POOL_NONE) {
		p->next = pair;
	} else {
		struct net_pair *last = net_pair_at(n, lp, c->ring);
		p->next = last->next;
		sim_set(ctx, &last->next, pair);
	}
	sim_set(ctx, &c->ring, pair);
	struct net_nic *nic = net_nic_at(n, lp, p->terminal);
	sim_set(ctx, &nic->ready, nic->ready + 1);
}

/* Takes the pair behind `ring` out. */
void net_ring_drop_first(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_nic_class *c)
{
	struct net_pair *last = net_pair_at(n, lp, c->ring);
	uint32_t first = last->next;
	struct net_nic *nic = net_nic_at(n, lp, last->terminal);
	sim_set(ctx, &nic->ready, nic->ready - 1);
	if (first == c->ring) {
		sim_set(ctx, &c->ring, SW_POOL_NONE);
		return;
	}
	const struct net_pair *gone = net_pair_at(n, lp, first);
	sim_set(ctx, &last->next, gone->next);
	if (!n->path.ring_plain)
		return;
	net_ring_tells(ctx, last, gone->next_held, gone->next_payload);
	net_ring_turns(ctx, c, c->ring, gone);
}

/* --- packets and messages that wait for it ------------------------------------------------------------------ */

/* Bytes of frames of what is left of it. */
static uint64_t wire_bytes_left(const struct net *n, const struct net_held *h)
{
	uint64_t most = n->traffic.job[h->job].max_packet, whole = h->left / most, rest = h->left % most;
	return whole * net_wire_bytes(n, h->job, (uint32_t)most) +
	       (rest ? net_wire_bytes(n, h->job, (uint32_t)rest) : 0);
}

/* Behind the others of its pair. */
static void append_held(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair,
                        const struct net_held *held)
{
	struct net_nics *nics = net_nics_of(n, lp);
	struct net_pair *p = net_pair_at(n, lp, pair);
	uint32_t i = sw_pool_take(ctx, &nics->held, sizeof(struct net_held));
	*net_held_at(n, lp, i) = *held;
	sim_save(ctx, p, n->nic.pair_bytes);
	if (!n->nic.rotates || !net_turns_append(n, ctx, lp, p, i))
		net_pair_append(n, ctx, lp, p, i);
	if (n->nic.wants & CC_WANTS_REQUESTS)
		p->cc.waiting += wire_bytes_left(n, held);
	net_pair_asks(n, ctx, lp, p);
}

void net_pair_hold(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, const struct sw_packet *packet,
                   uint32_t message)
{
	const struct net_pair *p = net_pair_at(n, lp, pair);
	struct net_nic_class *c = net_nic_class_at(n, lp, p->terminal, p->class);
	struct net_held h = { .next = SW_POOL_NONE,
		              .seq = packet->seq,
		              .bytes = packet->bytes,
		              .left = packet->bytes,
		              .job = packet->job,
		              .number = message,
		              .created = packet->created };
	append_held(n, ctx, lp, pair, &h);
	sim_set(ctx, &c->held, c->held + 1);
	sim_add(ctx, &n->shared.nic->held, 1);
}

void net_nic_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                  const struct net_held *message)
{
	uint32_t pair = net_nic_pair(n, ctx, lp, terminal, dst, net_nic_class(n, message->job), true);
	append_held(n, ctx, lp, pair, message);
	if (net_pair_at(n, lp, pair)->state != NET_PAIR_IDLE)
		return;
	if (!n->path.ring_plain) {
		net_pair_ready(n, ctx, lp, pair);
		net_nic_wake(n, ctx, lp, terminal, ctx->now);
		return;
	}
	/* as long as another pair is in the ring, the NIC has a time to look again, is full, or is paused */
	const struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	bool asleep = net_nic_class_at(n, lp, terminal, 0)->ring == SW_POOL_NONE;
	net_pair_ready(n, ctx, lp, pair);
	if (asleep)
		net_nic_wake(n, ctx, lp, terminal, e->tx_free > ctx->now ? e->tx_free : ctx->now);
}

/* --- what the scheme says ----------------------------------------------------------------------------------- */

/* A frame of the pair's source leaves for its receiver. */
static void send_request(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_pair *p,
                         const struct cc_frame *frame)
{
	topo_switch to = topo_switch_of(&n->topo, p->dst);
	uint64_t link = n->common.link[SW_LINK_TERMINAL].latency;
	uint64_t at = ctx->now + net_reverse_ps(n, lp->id, to) + (n->nic.wants & CC_WANTS_SINKS ? 0 : link);
	struct sim_event *ev =
	    sim_send(ctx, net_lp_of(n, to), at, net_next_key(ctx, lp, NET_PHASE_CREDIT), SIM_LONG_WORDS);
	ev->kind = NET_REQUEST;
	ev->aux = (uint16_t)(p->dst - topo_first_endpoint(&n->topo, to));
	ev->payload[0] = lp->first_endpoint + p->terminal;
	ev->payload[1] = frame->word[0];
	ev->payload[2] = frame->word[1];
	ev->payload[3] = frame->word[2];
	ev->payload[4] = p->class;
	sim_add(ctx, &n->shared.nic->requests, 1);
}

void net_pair_changed(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p)
{
	struct cc_frame frame = { .word = { 0 } };
	sim_save(ctx, p, n->nic.pair_bytes);
	p->cc.active = net_nic_at(n, lp, p->terminal)->ready;
	if (n->nic.cc.ops->requests.asks(&n->nic.cc, &p->cc, ctx->now, &frame))
		send_request(n, ctx, lp, p, &frame);
}

uint64_t net_pair_may_send(const struct net *n, struct sim_ctx *ctx, struct net_pair *p, uint32_t wire)
{
	const struct cc_ops *ops = n->nic.cc.ops;
	if (!ops->source.may_send)
		return ctx->now;
	if (ops->source.advances)
		sim_save(ctx, p, n->nic.pair_bytes);
	return ops->source.may_send(&n->nic.cc, &p->cc, ctx->now, wire);
}

/* false: nothing. */
bool net_pair_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, struct net_next *next)
{
	next->probe = false;
	next->at = SIM_NEVER;
	next->again = n->path.retry ? net_retry_next(n, ctx, lp, p) : SW_POOL_NONE;
	bool waits = next->again != SW_POOL_NONE || p->first != SW_POOL_NONE;
	if (waits) {
		bool again = next->again != SW_POOL_NONE;
		next->payload =
		    again ? net_retry_payload(n, lp, next->again) : net_held_payload(n, net_held_at(n, lp, p->first));
		next->job = again ? net_retry_job(n, lp, next->again) : net_held_at(n, lp, p->first)->job;
		next->at = net_pair_may_send(n, ctx, p, net_wire_bytes(n, next->job, next->payload));
		if (next->again != SW_POOL_NONE && next->at < p->quiet)
			next->at = p->quiet;
		if (next->again == SW_POOL_NONE && !net_retry_has_number(n, p))
			next->at = SIM_NEVER; /* until the first is acknowledged */
		if (n->path.bursts && next->again == SW_POOL_NONE && next->at != SIM_NEVER)
			next->at = n->traffic.ops->resumes(&n->traffic, net_held_at(n, lp, p->first)->job,
			                                   next->at > ctx->now ? next->at : ctx->now);
	}
	if (next->at > ctx->now && net_recovery_probe(n, ctx, p) <= ctx->now) {
		*next =
		    (struct net_next){ SW_POOL_NONE, n->nic.probe_bytes, net_recovery_job(n, lp, p), ctx->now, true };
		return true;
	}
	return waits;
}

void net_pair_park(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, uint64_t until)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	sim_save(ctx, p, n->nic.pair_bytes);
	p->state = NET_PAIR_PARKED;
	p->parked = ctx->now;
	sim_add(ctx, &n->shared.nic->parks, 1);
	if (until != SIM_NEVER)
		net_nic_call_pair(n, ctx, lp, pair, until);
}

static void end_parking(struct net *n, struct sim_ctx *ctx, struct net_pair *p)
{
	sim_add(ctx, &n->shared.nic->parked_ps, ctx->now - p->parked);
	sim_set(ctx, &p->state, NET_PAIR_IDLE);
}

static void unpark(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	sim_add(ctx, &n->shared.nic->parked_ps, ctx->now - p->parked);
	net_pair_ready(n, ctx, lp, pair);
	net_nic_wake(n, ctx, lp, p->terminal, ctx->now);
}

void net_nic_review(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	uint64_t due = n->path.retry ? net_retry_timeouts(n, ctx, lp, p) : SIM_NEVER;
	net_pair_asks(n, ctx, lp, p);
	if (n->path.retry) {
		uint64_t probe = net_recovery_probe(n, ctx, p);
		due = probe > ctx->now && probe < due ? probe : due;
		if (due != SIM_NEVER)
			net_nic_call_pair(n, ctx, lp, pair, due);
		if (p->state == NET_PAIR_IDLE && (net_retry_next(n, ctx, lp, p) != SW_POOL_NONE || probe <= ctx->now)) {
			net_pair_ready(n, ctx, lp, pair);
			net_nic_wake(n, ctx, lp, p->terminal, ctx->now);
			return;
		}
	}
	if (p->state == NET_PAIR_PARKED) {
		struct net_next next;
		if (!net_pair_next(n, ctx, lp, p, &next)) /* what was to be sent again has come after all */
			end_parking(n, ctx, p);
		else if (next.at <= ctx->now)
			unpark(n, ctx, lp, pair);
		else if (next.at != SIM_NEVER)
			net_nic_call_pair(n, ctx, lp, pair, next.at);
		return;
	}
	if (p->state != NET_PAIR_IDLE || flies(n, p) || net_numbered(n, p->class))
		return;
	uint64_t until = n->nic.cc.ops->source.keep ? n->nic.cc.ops->source.keep(&n->nic.cc, &p->cc, ctx->now) : 0;
	if (until > ctx->now)
		net_nic_call_pair(n, ctx, lp, pair, until);
	else
		forget(n, ctx, lp, pair);
}

void net_nic_resume(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair)
{
	const struct net_pair *p = net_pair_at(n, lp, pair);
	if (p->state == NET_PAIR_IDLE)
		net_nic_unstick(n, ctx, lp, p->terminal, p->class);
	net_nic_review(n, ctx, lp, pair);
}

void net_nic_pair_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev)
{
	uint32_t pair = (uint32_t)ev->payload[0], dst = (uint32_t)(ev->payload[0] >> 32);
	if (sim_unlikely(pair >= net_nics_of(n, lp)->pairs.used))
		return; /* of an impossible past */
	struct net_pair *p = net_pair_at(n, lp, pair);
	if (p->until != ev->time || p->dst != dst || p->terminal != ev->aux)
		return;
	sim_set(ctx, &p->until, SIM_NEVER);
	net_nic_resume(n, ctx, lp, pair);
}
