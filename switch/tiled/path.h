/* switch/tiled/path.h - the data path of the tiled switch, inline, for every packet. cross.h is its second half.
 *
 * The argument `mode`, a compile-time constant, selects the features that are compiled in (enum tiled_mode). The files
 * of the switch's parts (grant.c, direct.c and others) use TILED_ANY. run.c uses TILED_SIMPLE, behind the interface of
 * switch.h. network/joined/tiled.c, which inlines the switch into its host, uses all modes except TILED_ANY. Code for
 * rare cases is in the files of the parts and is not inlined. */
#ifndef SWITCH_TILED_PATH_H
#define SWITCH_TILED_PATH_H

#include "switch/tiled/cross.h"

/* --- arrivals and requests ------------------------------------------------------------------------------- */

/* Returns a number below n that depends on the flow only or, with d->by_packet, on the packet. */
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
                               struct tiled_port *i, uint32_t in, uint32_t lane, uint32_t bytes, enum tiled_mode mode)
{
	bool network = in < s->net_ports;
	uint32_t *used = (uint32_t *)tiled_in_port(i, d->in_used) + (network ? lane : 0),
		 share = network ? d->most_of_lane : d->terminal_share;
	if (sim_unlikely(*used + bytes > share)) {
		sim_violation(call->ctx, "switch %u, input %u, lane %u: %u bytes do not fit, %u of %u are used", s->id,
		              in, lane, bytes, *used, share);
		return false;
	}
	tiled_put(call->ctx, used, *used + bytes, mode);
	return true;
}

/* Records that `packet` is the first one in its queue whose request has not been sent. The caller has saved the queue
 * in the journal. */
TILED_INLINE void tiled_unask(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_voq *q, uint32_t packet)
{
	base_check(q->unasked == TILED_NONE && packet != TILED_NONE);
	q->unasked = packet;
	sim_set(ctx, &s->unasked, s->unasked + 1);
}

/* A packet whose output is known arrives: may actions of the switch that are due stay deferred? They may if another
 * request is in flight, because then the switch has an event of its own in time, and if no packet is without a request,
 * because then due actions send no request. In this case they are independent of the packet, except for space that they
 * free, which the packet does not need. */
TILED_INLINE bool tiled_may_put_off(const struct tiled_state *s)
{
	return !s->unasked && s->asks.head != TILED_NONE;
}

/* A packet that is now in the switch joins its queue and sends its request. Returns whether the arrival of the request
 * may be the first action that becomes due. `ready`: when the request may leave. (The packet's fields are passed
 * separately, because they have just been written.) */
TILED_INLINE bool tiled_ask(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t packet,
                            struct tiled_packet *p, uint64_t ready, struct tiled_port *i, uint32_t in, uint32_t out,
                            uint32_t lane, enum tiled_mode mode)
{
	struct tiled_voq *q = tiled_voq_at(d, s, out, lane, in);
	tiled_append_as(call->ctx, s, &q->list, packet, mode);
	if (sim_unlikely(q->requests >= d->requests)) {
		p->ready_out = ready << TILED_PORT_BITS | out;
		tiled_run(call); /* deferred actions may allow its request */
	}
	tiled_keep(call->ctx, q, sizeof *q, mode);
	if (sim_unlikely(q->requests >= d->requests)) {
		if (q->unasked == TILED_NONE)
			tiled_unask(call->ctx, s, q, packet);
		return false;
	}
	q->requests++;
	uint64_t passed = tiled_pass_message(call->ctx, &i->message_at[TILED_REQUEST], ready, d->request_spacing, mode);
	p->ready_out = (passed + d->ask) << TILED_PORT_BITS | out;
	if (mode == TILED_ANY && sim_unlikely(d->fault == TILED_FORGET_QUEUE) && in == 1 && p->packet.seq == 50)
		return false;
	if (sim_likely(passed == ready))
		return tiled_append_message(call->ctx, s, &s->asks, &s->asks_at, packet, ready + d->ask, mode);
	tiled_append_late(call, s, TILED_DUE_ASKS, in, packet);
	return true;
}

/* A packet whose bytes have been counted at input `in` enters the switch. out, vc: its output and its VC there.
 * `route`: its new flags. Returns the packet's number; *admitted: its record; *ready: when it may send its request. */
TILED_INLINE uint32_t tiled_admit(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                  uint32_t in, uint8_t in_vc, uint32_t out, uint32_t vc, const struct sw_packet *p,
                                  uint32_t route, struct tiled_packet **admitted, uint64_t *ready, enum tiled_mode mode)
{
	base_checkf(out < s->net_ports + s->terminals && vc < d->vcs, "switch %u: output %u of %u, VC %u of %u", s->id,
	            out, s->net_ports + s->terminals, vc, d->vcs);
	struct tiled_packet *h;
	uint32_t number = tiled_take(call->ctx, s, &h, mode);
	h->next = h->next_message = TILED_NONE;
	h->arrived_in = call->now << TILED_PORT_BITS | in;
	*ready = tiled_edge(d, s, call->now + d->ingress);
	if (mode == TILED_ANY)
		h->ready_out = *ready << TILED_PORT_BITS | out;
	h->packet = *p;
	h->packet.via = sw_packet_via(p, route);
	h->packet.vc = (uint8_t)(vc | (uint32_t)in_vc << 4);
	h->packet.route = (uint8_t)route;
	*admitted = h;
	return number;
}

/* Is the present time within the range of the switch's times? Otherwise a violation is reported. */
TILED_INLINE bool tiled_in_time(struct sw_call *call, const struct tiled_state *s)
{
	if (sim_likely(call->now < TILED_TIMES / 2))
		return true;
	sim_violation(call->ctx, "switch %u: simulated time is more than 70 s", s->id);
	return false;
}

/* Returns the VC at the output for a packet whose VC by routing is `vc`. */
TILED_INLINE uint32_t tiled_vc_of(const struct tiled_derived *d, const struct tiled_state *s, const struct sw_packet *p,
                                  uint32_t out, uint32_t vc)
{
	return out < s->net_ports ? vc * d->group + tiled_spread(d, p, d->group) : tiled_spread(d, p, d->vcs);
}

/* Accepts a packet that was routed in advance, with the given output, VC and flags, in the simple modes. */
TILED_INLINE void tiled_enter_simply(struct sw_call *call, struct tiled_state *s, uint32_t in,
                                     const struct sw_packet *p, uint32_t out, uint32_t vc, uint32_t route)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *i = tiled_port_at(d, s, in);
	if (!tiled_occupy(call, d, s, i, in, p->vc, p->bytes, TILED_SIMPLE) || !tiled_in_time(call, s))
		return;
	vc = tiled_vc_of(d, s, p, out, vc);
	struct tiled_packet *h;
	uint64_t ready;
	uint32_t number = tiled_admit(call, d, s, in, p->vc, out, vc, p, route, &h, &ready, TILED_SIMPLE);
	if (tiled_ask(call, d, s, number, h, ready, i, in, out, vc, TILED_SIMPLE))
		tiled_arm(call, s); /* else an earlier action was due, and the switch wakes in time */
}

/* --- requests and grants --------------------------------------------------------------------------------- */

/* Grants the packet at the head of a queue: it leaves the queue for the front of (in, out), or will join it when the
 * grant arrives. Returns the credits that it takes, in bytes. *late: an action has become due, other than the arrival
 * of a grant with constant delay. */
TILED_INLINE uint32_t tiled_issue(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                  struct tiled_port *o, uint32_t out, struct tiled_voq *q, uint32_t packet,
                                  struct tiled_packet *p, uint64_t now, bool *late, enum tiled_mode mode)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t in;
	base_check(packet == q->list.head);
	*late = true;
	if (mode == TILED_ANY) {
		sim_save(ctx, p, tiled_packet_bytes(s));
		sim_save(ctx, q, sizeof *q);
		sim_save(ctx, o, sizeof *o);
	}
	in = tiled_in(p);
	base_checkf(q->requests > 0 && tiled_out(p) == out && o->link_busy < TILED_TIMES,
	            "switch %u, output %u: a grant for output %u", s->id, out, tiled_out(p));
	q->list.head = p->next;
	q->requests--;
	bool asks = q->unasked != TILED_NONE;
	if (sim_unlikely(asks))
		tiled_ask_next(call, d, s, q);
	unsigned kind = o->link;
	o->flight += tiled_serial(d, kind, p->packet.bytes, mode);
	int64_t period = (int64_t)(now + d->period),
		full = (int64_t)(tiled_max(o->link_busy, now) + o->flight) - d->link[kind].ahead;
	o->not_before = (uint64_t)(full > period ? full : period);
	uint64_t soonest = now + d->grant,
		 granted = tiled_pass_message(ctx, &tiled_port_at(d, s, in)->message_at[TILED_GRANT], soonest,
	                                      d->grant_spacing, mode);
	uint32_t leaving = p->packet.bytes;
	if (mode == TILED_ANY && sim_unlikely(tiled_traced(s))) {
		struct tiled_trace *t = tiled_trace_of(p);
		leaving = t->leaving;
		t->asked = tiled_ready(p);
		t->granted = granted - d->grant;
		t->tail += d->row_buffered ? 0 : d->row;
	}
	p->next = p->next_message = TILED_NONE;
	if (mode != TILED_ANY || sim_likely(d->direct)) {
		p->ready_out = (granted + d->row) << TILED_PORT_BITS | out;
		*late = asks || granted != soonest;
		if (sim_likely(granted == soonest))
			tiled_append_message(ctx, s, &s->grants, &s->grants_at, packet, granted + d->row, mode);
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

/* A request for a packet in queue q has arrived at its output. alone: no other request arrives there at this instant.
 * Without contention the packet is granted at once, with the same result as by choose(). Returns whether an action has
 * become due, other than the arrival of a grant with constant delay. */
TILED_INLINE bool tiled_request_comes(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                      uint32_t packet, struct tiled_packet *p, struct tiled_voq *q, uint64_t now,
                                      bool alone, enum tiled_mode mode)
{
	uint32_t out = tiled_out(p), lane = tiled_vc(p) /* where plain */;
	struct tiled_port *o = tiled_port_at(d, s, out);
	uint32_t *credit = tiled_account_of(o) + lane;
	if (sim_unlikely((mode == TILED_ANY && !d->plain) || !alone || o->asked_packets || o->not_before > now ||
	                 tiled_at_limit(d, o) ||
	                 (out < s->net_ports && (mode != TILED_ANY ? (int32_t)*credit < (int32_t)p->packet.bytes
	                                                           : !tiled_has_own_credit(d, s, p, lane))))) {
		if (mode >= TILED_UNIFORM) {
			tiled_absorb_uniformly(call, s, o, p);
			return true;
		}
		tiled_absorb(call, d, s, o, p);
		tiled_want_grant(call, s, o, out, call->now);
		return true;
	}
	base_checkf(d->fault || (q->list.head == packet && !q->arrived),
	            "switch %u: a request of %u for %u overtakes another", s->id, tiled_in(p), out);
	if (mode == TILED_ANY)
		tiled_grant_won(call, d, s, out, tiled_in(p), p, 0);
	tiled_put(call->ctx, &o->lane_turn, (uint8_t)(mode == TILED_ANY && lane + 1 == d->lanes ? 0 : lane + 1), mode);
	if (mode == TILED_ANY) { /* requests of a queue keep their order; otherwise the result is the same */
		packet = q->list.head;
		p = tiled_packet_at(s, packet);
	}
	bool late = false;
	uint32_t leaving = tiled_issue(call, d, s, o, out, q, packet, p, now, &late, mode);
	if (out < s->net_ports) { /* the lane's own credits */
		tiled_put(call->ctx, credit, *credit - leaving, mode);
		tiled_credit_taken(call, d, o, out, lane, *credit);
	}
	return late;
}

/* --- what is due, in the order of time ------------------------------------------------------------------- */

/* Among the requests that arrive at this instant, is there another one for output `out` in the list that begins with
 * `packet`? */
TILED_INLINE bool tiled_is_followed(struct tiled_state *s, uint32_t out, uint32_t packet, uint64_t now,
                                    enum tiled_mode mode)
{
	for (const struct tiled_packet *p; packet != TILED_NONE; packet = p->next_message) {
		p = tiled_packet_as(s, packet, mode);
		if (tiled_ready(p) != now)
			return false;
		if (tiled_out(p) == out)
			return true;
	}
	return false;
}

/* Does another request for output `out` arrive at this instant? With more than 64 ports only later ones are found: an
 * earlier one is then recognized by the output's state, because an output grants nothing at an instant before all its
 * requests have arrived, except to a request that arrives alone. */
TILED_INLINE bool tiled_has_company(const struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t packet,
                                    uint64_t now, enum tiled_mode mode)
{
	struct tiled_company *c = &s->company;
	if (c->at != now) { /* it is the first of the instant */
		uint64_t seen = 1ull << (out & 63), twice = 0, bit;
		for (uint32_t k = packet; k != TILED_NONE; k = tiled_packet_as(s, k, mode)->next_message) {
			const struct tiled_packet *p = tiled_packet_as(s, k, mode);
			if (tiled_ready(p) != now)
				break;
			bit = 1ull << (tiled_out(p) & 63);
			twice |= seen & bit;
			seen |= bit;
		}
		tiled_keep(call->ctx, c, sizeof *c, mode);
		*c = (struct tiled_company){ now, twice };
	}
	return c->outputs >> (out & 63) & 1 &&
	       (s->derived->ports <= 64 || tiled_is_followed(s, out, packet, now, mode));
}

/* Returns the queue of a packet, for switches that do not distinguish traffic classes. */
TILED_INLINE struct tiled_voq *tiled_queue_of(const struct tiled_derived *d, struct tiled_state *s,
                                              const struct tiled_packet *p)
{
	return tiled_voq_at(d, s, tiled_out(p), tiled_vc(p), tiled_in(p));
}

/* Returns the time at which the message `next` of a list arrives; TILED_NEVER: there is none. Prefetches the state that
 * this message needs, and the packet of the message after it, because both have left the cache since they were written.
 * *ahead, for requests: the queue of the packet of `next`; NULL: not determined. */
TILED_INLINE uint64_t tiled_then(const struct tiled_derived *d, struct tiled_state *s, uint32_t next, bool requests,
                                 struct tiled_voq **ahead, enum tiled_mode mode)
{
	if (requests)
		*ahead = NULL;
	if (next == TILED_NONE)
		return TILED_NEVER;
	const struct tiled_packet *p = tiled_packet_as(s, next, mode);
	if (requests && mode != TILED_ANY)
		*ahead = tiled_queue_of(d, s, p);
	if (s->prefetching) {
		if (mode == TILED_LEAN || p->next_message < s->packets) /* for TILED_NONE it does no harm */
			__builtin_prefetch(tiled_packet_in_block(s, p->next_message), 1);
		if (requests)
			__builtin_prefetch(mode != TILED_ANY ? *ahead : tiled_queue_of(d, s, p), 1);
	}
	return tiled_ready(p);
}

/* Processes the first message of a list, a request or a grant that has arrived now. At one instant an output gives one
 * grant, so grants that arrive together are for different outputs. *ahead: the queue of the first request's packet, or
 * NULL. Returns whether a decision of an arbiter, or a late message, may have become due. */
TILED_INLINE bool tiled_message_comes(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                      struct tiled_list *l, uint64_t *first, uint64_t now, bool requests,
                                      struct tiled_voq **ahead, enum tiled_mode mode)
{
	uint32_t packet = l->head, next;
	struct tiled_packet *p = tiled_packet_as(s, packet, mode);
	struct tiled_voq *q = requests && mode != TILED_ANY ? *ahead ? *ahead : tiled_queue_of(d, s, p) : NULL;
	base_check(!q || q == tiled_queue_of(d, s, p));
	next = p->next_message;
	uint64_t then = tiled_then(d, s, next, requests, ahead, mode);
	bool alone =
	    !(requests && sim_unlikely(then == now) && tiled_has_company(call, s, tiled_out(p), next, now, mode));
	tiled_put(call->ctx, &l->head, next, mode);
	tiled_put(call->ctx, first, then, mode);
	if (mode != TILED_ANY)
		return requests ? tiled_request_comes(call, d, s, packet, p, q, now, alone, mode)
		                : tiled_grant_comes(call, d, s, packet, p, now, alone, mode);
	(requests ? tiled_requested : tiled_at_tile)(call, s, packet, p, alone);
	return true;
}

/* Executes the agenda item with this number: a decision of an arbiter, or a late message. */
TILED_INLINE void tiled_item_is_due(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                    uint32_t number, enum tiled_mode mode)
{
	if (number < d->first[TILED_DUE_MUX]) {
		struct sw_agenda *agenda = tiled_agenda(d, s);
		if (mode >= TILED_UNIFORM && sim_likely(number >= d->first[TILED_DUE_GRANT])) {
			uint32_t out = number - d->first[TILED_DUE_GRANT];
			sw_agenda_put_off(agenda, tiled_grant_uniformly(call, s, out)); /* it stays first meanwhile */
			return;
		}
		sw_agenda_take(call->ctx, agenda);
		tiled_decide(call, d, s, number);
		return;
	}
	uint32_t out = number - d->first[TILED_DUE_MUX];
	struct sw_agenda *muxes = tiled_muxes(d, s);
	if (mode != TILED_ANY) { /* it stays the first meanwhile */
		sw_agenda_put_off(muxes, mode >= TILED_UNIFORM ? tiled_multiplex(call, s, out, mode)
		                                               : tiled_direct_simply(call, s, out));
		return;
	}
	sw_agenda_take(call->ctx, muxes);
	(d->direct ? tiled_direct : tiled_mux)(call, s, out);
}

/* Executes all actions that are due before `limit`. At one instant late messages come first, then the other messages,
 * then arbiters. */
TILED_INLINE void tiled_run_as(struct sw_call *call, struct tiled_state *s, uint64_t limit, enum tiled_mode mode)
{
	const struct tiled_derived *d = s->derived;
	const struct sw_agenda *agenda = tiled_agenda(d, s), *muxes = tiled_muxes(d, s);
	const uint64_t behind = (1ull << SW_AGENDA_BITS) - d->first[TILED_DUE_GRANT],
		       all = (tiled_min(limit, TILED_TIMES) << SW_AGENDA_BITS) - behind;
	uint64_t now = call->now, t, item;
	struct tiled_voq *ahead = NULL; /* only this function removes requests from their list */
	for (;;) {
		item = tiled_min(sw_agenda_first(agenda), sw_agenda_first(muxes));
		/* Messages in the lists precede this agenda item if they arrive no later than it; if the item is a late
		 * message, only those that arrive earlier do. */
		uint64_t until = sw_agenda_time_of(tiled_min(item, all) + behind);
		bool due = false;
		while (!due && (t = tiled_min(s->asks_at, s->grants_at)) < until) {
			call->now = t;
			due = s->asks_at == t
			          ? tiled_message_comes(call, d, s, &s->asks, &s->asks_at, t, true, &ahead, mode)
			          : tiled_message_comes(call, d, s, &s->grants, &s->grants_at, t, false, &ahead, mode);
		}
		if (due)
			continue;
		if (sw_agenda_time_of(item) >= limit)
			break;
		call->now = sw_agenda_time_of(item);
		tiled_item_is_due(call, d, s, sw_agenda_arbiter_of(item), mode);
	}
	if (mode != TILED_ANY || !call->ctx->journal) /* else the same action could be due again */
		s->due = tiled_min(t, sw_agenda_time_of(item));
	call->now = now;
}

#endif
