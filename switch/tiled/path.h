/* switch/tiled/path.h - the data path of the tiled switch, inline: what every packet needs. cross.h is its second half.
 *
 * Compiled with `simple` false in the files of the parts, for whatever there is; and with `simple` true (see
 * tiled_is_simple()) twice: in run.c behind the interface of switch.h, and in network/lp.c joined with its host, so
 * that the calls between them vanish. What a packet seldom needs is in the files of the parts, out of line. */
#ifndef SWITCH_TILED_PATH_H
#define SWITCH_TILED_PATH_H

#include "switch/tiled/cross.h"

/* --- a packet comes, and asks
 * ------------------------------------------------------------------------------------------ */

/* A number below n that is the same for all packets of a flow, or not. */
static inline uint32_t tiled_spread(const struct tiled_derived *d, const struct sw_packet *p, uint32_t n)
{
	if (n == 1)
		return 0;
	uint64_t h = ((uint64_t)p->src << 32 | p->dst) + (d->by_packet ? p->seq * 0xd1b54a32d192ed03ull : 0);
	h = (h ^ h >> 31) * 0x9e3779b97f4a7c15ull;
	h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ull;
	return (uint32_t)((h >> 32) * n >> 32);
}

TILED_INLINE bool tiled_occupy(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                               struct tiled_port *i, uint32_t in, uint32_t lane, uint32_t bytes, bool simple)
{
	bool network = in < s->net_ports;
	uint32_t *used = (uint32_t *)tiled_in_port(i, d->in_used) + (network ? lane : 0),
		 share = network ? d->most_of_lane : d->terminal_share;
	if (sim_unlikely(*used + bytes > share)) {
		sim_violation(call->ctx, "switch %u, input %u, lane %u: %u bytes do not fit, %u of %u are used", s->id,
		              in, lane, bytes, *used, share);
		return false;
	}
	tiled_put(call->ctx, used, *used + bytes, simple);
	return true;
}

/* The packet is the first of its queue (which has been saved) whose request must wait. */
TILED_INLINE void tiled_unask(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_voq *q, uint32_t packet)
{
	base_check(q->unasked == TILED_NONE && packet != TILED_NONE);
	q->unasked = packet;
	sim_set(ctx, &s->unasked, s->unasked + 1);
}

/* May what is due wait although a packet comes whose way is known? The switch has an event of its own in time if
 * another request is on its way already. And what is due sends no request if none is held back: then it does not touch
 * what the packet does, but for room that it gives back, and the packet has its own. */
TILED_INLINE bool tiled_may_put_off(const struct tiled_state *s)
{
	return !s->unasked && s->asks.head != TILED_NONE;
}

/* A packet that is in the switch now goes to its queue and asks. Returns whether the request is the first of all. (What
 * is in the packet is given beside it: it was written just now.) */
TILED_INLINE bool tiled_ask(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t packet,
                            struct tiled_packet *p, struct tiled_port *i, uint32_t in, uint32_t out, uint32_t lane,
                            bool simple)
{
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	tiled_append_as(call->ctx, s, &q->list, packet, simple);
	if (sim_unlikely(q->requests >= d->requests))
		tiled_run(call); /* what was put off may let it ask */
	tiled_keep(call->ctx, q, sizeof *q, simple);
	if (sim_unlikely(q->requests >= d->requests)) {
		if (q->unasked == TILED_NONE)
			tiled_unask(call->ctx, s, q, packet);
		return false;
	}
	q->requests++;
	uint64_t ready = tiled_ready(p), passed = tiled_pass_message(call->ctx, &i->message_at[TILED_REQUEST], ready,
	                                                             d->request_spacing, simple);
	p->ready_out = (passed + d->ask) << TILED_PORT_BITS | out;
	if (!simple && sim_unlikely(d->fault == TILED_FORGET_QUEUE) && in == 1 && p->packet.seq == 50)
		return false;
	if (sim_likely(passed == ready))
		return tiled_append_message(call->ctx, s, &s->asks, &s->asks_at, packet, ready + d->ask, simple);
	tiled_append_late(call, s, TILED_DUE_ASKS, in, packet);
	return true;
}

/* A packet whose bytes have been taken into account at input i is the switch's: of output `out`, lane `vc` of its class
 * there. `route`, of the packet then. Returns its number. */
TILED_INLINE uint32_t tiled_admit(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                  uint32_t in, uint8_t in_vc, uint32_t out, uint32_t vc, const struct sw_packet *p,
                                  uint32_t route, struct tiled_packet **admitted, bool simple)
{
	base_checkf(out < s->net_ports + s->terminals && vc < d->vcs, "switch %u: output %u of %u, VC %u of %u", s->id,
	            out, s->net_ports + s->terminals, vc, d->vcs);
	struct tiled_packet *h;
	uint32_t number = tiled_take(call->ctx, s, &h, simple);
	h->next = h->next_message = TILED_NONE;
	h->arrived_in = call->now << TILED_PORT_BITS | in;
	h->ready_out = tiled_edge(d, s, call->now + d->ingress) << TILED_PORT_BITS | out;
	h->packet = *p;
	h->packet.via = sw_packet_via(p, route);
	h->packet.vc = (uint8_t)(vc | (uint32_t)in_vc << 4);
	h->packet.route = (uint8_t)route;
	*admitted = h;
	return number;
}

/* May the switch still count on its clock? */
TILED_INLINE bool tiled_in_time(struct sw_call *call, const struct tiled_state *s)
{
	if (sim_likely(call->now < TILED_TIMES / 2))
		return true;
	sim_violation(call->ctx, "switch %u: simulated time is more than 70 s", s->id);
	return false;
}

/* The output's VC of a packet that routing gives `vc`. */
TILED_INLINE uint32_t tiled_vc_of(const struct tiled_derived *d, const struct tiled_state *s, const struct sw_packet *p,
                                  uint32_t out, uint32_t vc)
{
	return out < s->net_ports ? vc * d->group + tiled_spread(d, p, d->group) : tiled_spread(d, p, d->vcs);
}

/* A packet that was routed beforehand, with those flags and that VC, where all is simple. */
TILED_INLINE void tiled_enter_simply(struct sw_call *call, struct tiled_state *s, uint32_t in,
                                     const struct sw_packet *p, uint32_t out, uint32_t vc, uint32_t route)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *i = tiled_port_at(d, s, in);
	if (!tiled_occupy(call, d, s, i, in, p->vc, p->bytes, true) || !tiled_in_time(call, s))
		return;
	vc = tiled_vc_of(d, s, p, out, vc);
	struct tiled_packet *h;
	uint32_t number = tiled_admit(call, d, s, in, p->vc, out, vc, p, route, &h, true);
	if (tiled_ask(call, d, s, number, h, i, in, out, vc, true))
		tiled_arm(call, s); /* else something was due before, and the switch will wake in time */
}

/* --- requests and grants
 * ----------------------------------------------------------------------------------------------- */

/* The head of a queue is granted: it goes on, or has gone on to the front of (in, out). Returns the credits to take. */
TILED_INLINE uint32_t tiled_issue(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                  struct tiled_port *o, uint32_t out, struct tiled_voq *q, uint32_t packet,
                                  struct tiled_packet *p, bool simple)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t in;
	base_check(packet == q->list.head);
	if (!simple) {
		sim_save(ctx, p, tiled_packet_bytes(s));
		sim_save(ctx, q, sizeof *q);
		sim_save(ctx, o, sizeof *o);
	}
	in = tiled_in(p);
	base_checkf(q->requests > 0 && tiled_out(p) == out && o->link_busy < TILED_TIMES,
	            "switch %u, output %u: a grant for output %u", s->id, out, tiled_out(p));
	q->list.head = p->next;
	q->requests--;
	if (sim_unlikely(q->unasked != TILED_NONE))
		tiled_ask_next(call, d, s, q);
	unsigned kind = o->link;
	o->flight += sw_serialisation(&d->link[kind].link, p->packet.bytes);
	int64_t period = (int64_t)(call->now + d->period),
		full = (int64_t)(tiled_max(o->link_busy, call->now) + o->flight) - d->link[kind].ahead;
	o->not_before = (uint64_t)(full > period ? full : period);
	uint64_t soonest = call->now + d->grant,
		 granted = tiled_pass_message(ctx, &tiled_port_at(d, s, in)->message_at[TILED_GRANT], soonest,
	                                      d->grant_spacing, simple);
	uint32_t leaving = p->packet.bytes;
	if (!simple && sim_unlikely(tiled_traced(s))) {
		struct tiled_trace *t = tiled_trace_of(p);
		leaving = t->leaving;
		t->asked = tiled_ready(p);
		t->granted = granted - d->grant;
		t->tail += d->row_buffered ? 0 : d->row;
	}
	p->next = p->next_message = TILED_NONE;
	if (simple || sim_likely(d->direct)) {
		p->ready_out = (granted + d->row) << TILED_PORT_BITS | out;
		if (sim_likely(granted == soonest))
			tiled_append_message(ctx, s, &s->grants, &s->grants_at, packet, granted + d->row, simple);
		else
			tiled_append_late(call, s, TILED_DUE_GRANTS, in, packet);
		return leaving;
	}
	tiled_set_ready(p, granted + (d->row_buffered ? 0 : d->row));
	if (d->row_buffered) {
		tiled_enqueue(call, s, packet);
		return leaving;
	}
	size_t front = tiled_front_index(d, in, out, tiled_front_lane(d, p));
	if (tiled_append(ctx, s, &tiled_front_at(d, s, front)->list, packet))
		tiled_contend(call, s, front);
	return leaving;
}

/* A request is at its output. alone: no other comes there at this instant. Where nothing is in the way, it is granted
 * at once, which is what choose() would do. */
TILED_INLINE void tiled_request_comes(struct sw_call *call, struct tiled_state *s, uint32_t packet,
                                      struct tiled_packet *p, bool alone, bool simple)
{
	const struct tiled_derived *d = s->derived;
	uint32_t out = tiled_out(p), lane = tiled_vc(p) /* where plain */, in = tiled_in(p);
	struct tiled_port *o = tiled_port_at(d, s, out);
	uint32_t *credit = tiled_account_of(o) + lane;
	if (sim_unlikely(!(simple || d->plain) || !alone || o->asked_packets || o->not_before > call->now ||
	                 tiled_at_limit(d, o) ||
	                 (out < s->net_ports && (simple ? (int32_t)*credit < (int32_t)p->packet.bytes
	                                                : !tiled_has_own_credit(d, s, p, lane))))) {
		tiled_absorb(call, d, s, o, p);
		tiled_want_grant(call, s, o, out, call->now);
		return;
	}
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	base_checkf(d->fault || (q->list.head == packet && !q->arrived),
	            "switch %u: a request of %u for %u overtakes another", s->id, in, out);
	if (!simple)
		tiled_grant_won(call, d, s, out, in, p, 0);
	tiled_put(call->ctx, &o->lane_turn, (uint8_t)(!simple && lane + 1 == d->lanes ? 0 : lane + 1), simple);
	if (!simple) { /* those of a queue keep their order; but for a fault it is the same */
		packet = q->list.head;
		p = tiled_packet_at(s, packet);
	}
	uint32_t leaving = tiled_issue(call, d, s, o, out, q, packet, p, simple);
	if (out < s->net_ports) { /* of the lane's own */
		tiled_put(call->ctx, credit, *credit - leaving, simple);
		tiled_credit_taken(call, d, o, out, lane, *credit);
	}
}

/* --- what is due, in the order of time
 * ------------------------------------------------------------------------------------------------ */

/* Is a request for output `out`, of those that are there at this instant, followed by another one for it? The others
 * begin with `packet`. */
TILED_INLINE bool tiled_is_followed(const struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t packet)
{
	for (const struct tiled_packet *p; packet != TILED_NONE; packet = p->next_message) {
		p = tiled_packet_at(s, packet);
		if (tiled_ready(p) != call->now)
			return false;
		if (tiled_out(p) == out)
			return true;
	}
	return false;
}

/* The same, or it follows another. One that follows is known to do so by what it finds: nothing grants at an instant
 * before all its requests are there, but what is alone. */
TILED_INLINE bool tiled_has_company(const struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t packet,
                                    bool simple)
{
	struct tiled_company *c = &s->company;
	if (c->at != call->now) { /* it is the first of the instant */
		uint64_t seen = 1ull << (out & 63), twice = 0, bit;
		for (uint32_t k = packet; k != TILED_NONE; k = tiled_packet_at(s, k)->next_message) {
			const struct tiled_packet *p = tiled_packet_at(s, k);
			if (tiled_ready(p) != call->now)
				break;
			bit = 1ull << (tiled_out(p) & 63);
			twice |= seen & bit;
			seen |= bit;
		}
		tiled_keep(call->ctx, c, sizeof *c, simple);
		*c = (struct tiled_company){ call->now, twice };
	}
	return c->outputs >> (out & 63) & 1 && (s->derived->ports <= 64 || tiled_is_followed(call, s, out, packet));
}

/* When the next message of a list comes. What it touches is asked for, and the packet of the one behind it: they came a
 * while ago and have left the cache. */
TILED_INLINE uint64_t tiled_then(const struct sw_call *call, struct tiled_state *s, uint32_t next, bool requests)
{
	if (next == TILED_NONE)
		return TILED_NEVER;
	const struct tiled_packet *p = tiled_packet_at(s, next);
	if (call->common->prefetching) {
		if (p->next_message < s->packets)
			__builtin_prefetch(tiled_packet_at(s, p->next_message), 1);
		if (requests)
			__builtin_prefetch(tiled_voq_at(s->derived, s, tiled_out(p), tiled_vc(p), tiled_in(p)), 1);
	}
	return tiled_ready(p);
}

/* Deals with the first message of a list, which is there: a request, or a grant. At one instant an output gives one
 * grant, so those that are there together are for different outputs. */
TILED_INLINE void tiled_message_comes(struct sw_call *call, struct tiled_state *s, struct tiled_list *l,
                                      uint64_t *first, bool requests, bool simple)
{
	uint32_t packet = l->head, next;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	next = p->next_message;
	uint64_t then = tiled_then(call, s, next, requests);
	bool alone =
	    !(requests && sim_unlikely(then == call->now) && tiled_has_company(call, s, tiled_out(p), next, simple));
	tiled_put(call->ctx, &l->head, next, simple);
	tiled_put(call->ctx, first, then, simple);
	if (!simple)
		(requests ? tiled_requested : tiled_at_tile)(call, s, packet, p, alone);
	else if (requests)
		tiled_request_comes(call, s, packet, p, alone, true);
	else
		tiled_grant_comes(call, s, packet, p, alone, true);
}

/* An item of the agenda, the first, is due. */
TILED_INLINE void tiled_item_is_due(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                    struct sw_agenda *agenda, uint32_t number, bool simple)
{
	if (simple && sim_likely(number >= d->first[TILED_DUE_MUX])) { /* it stays the first meanwhile */
		uint64_t next = tiled_direct_simply(call, s, number - d->first[TILED_DUE_MUX]);
		sw_agenda_put_off(agenda, next);
	} else {
		sw_agenda_take(call->ctx, agenda);
		tiled_decide(call, d, s, number);
	}
}

/* All that is due before `limit`. At one instant late messages come first, then the others, then arbiters. */
TILED_INLINE void tiled_run_as(struct sw_call *call, struct tiled_state *s, uint64_t limit, bool simple)
{
	const struct tiled_derived *d = s->derived;
	struct sw_agenda *agenda = tiled_agenda(d, s);
	uint64_t now = call->now, t;
	for (;;) {
		uint64_t item = sw_agenda_first(agenda);
		t = tiled_min(s->asks_at, s->grants_at);
		bool message = (t << SW_AGENDA_BITS | d->first[TILED_DUE_GRANT]) <= item;
		if (!message)
			t = sw_agenda_time_of(item);
		if (t >= limit)
			break;
		call->now = t;
		if (!message)
			tiled_item_is_due(call, d, s, agenda, sw_agenda_arbiter_of(item), simple);
		else if (s->asks_at == t)
			tiled_message_comes(call, s, &s->asks, &s->asks_at, true, simple);
		else
			tiled_message_comes(call, s, &s->grants, &s->grants_at, false, simple);
	}
	if (simple || !call->ctx->journal) /* else what was due may be due again */
		s->due = t;
	call->now = now;
}

#endif
