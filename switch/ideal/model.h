/* switch/ideal/model.h - the data path of the ideal switch: packets and credits in, departures out.
 *
 * Compiled twice: in ideal.c behind the interface of switch.h, and in network/joined/ideal.c inlined into its host,
 * without calls between them. The macro SW_HOST(mode, call, op, ...) calls the host's function `op`, SW_TRANSMIT calls
 * its transmit(), and SW_RETURN its credit() for the packet that has just arrived, whose sender the host may know
 * without a look-up. A host that inlines the switch defines these macros before it includes this file.
 *
 * The argument `mode`, a compile-time constant in hot paths, leaves out features that no packet of the run needs: see
 * ideal_mode(). A packet's VC and route flags are passed separately, because if its hop was computed in advance, the
 * fields in the packet still have their old values; so has `via` (see sw_packet_via()). */
#ifndef SWITCH_IDEAL_MODEL_H
#define SWITCH_IDEAL_MODEL_H

#include "base/prefetch.h"
#include "switch/ideal/depth.h"
#include "switch/links/pass.h"

#ifndef SW_HOST
#define IDEAL_FRAMES true /* links may have framing; a host that inlines the switch defines it as false */
#define SW_HOST(mode, call, op, ...) (call)->host_ops->op((call), __VA_ARGS__)
#define SW_TRANSMIT(mode, call, out, end, p, way, start, finish) \
	(call)->host_ops->transmit((call), (out), (end), (p), (start), (finish))
#define SW_RETURN(mode, call, in_port, vc, bytes, when)                                                               \
	SW_HOST(mode, call, credit, in_port, ideal_sender((call)->common->impl, (call)->state, (in_port)), vc, bytes, \
	        when)
#endif

enum ideal_mode {
	IDEAL_LANES,   /* all features of sw_common, with lanes by traffic class, a shared pool, or common->passes */
	IDEAL_FULL,    /* the same without those: a lane is a VC */
	IDEAL_TRACKED, /* queue depths for routing, but no records of queues, no slack, one bandwidth, cut-through */
	IDEAL_PLAIN    /* the same without queue depths */
};

struct ideal_way { /* routing's decision about a packet */
	uint32_t out;
	uint8_t vc; /* of the link it will take */
	uint8_t route;
	uint8_t slack;
};

static inline enum ideal_mode ideal_mode(const struct sw_common *c)
{
	if (((const struct ideal_derived *)c->impl)->laned)
		return IDEAL_LANES;
	if (c->record_queues || c->bubble || c->may_turn || !c->one_rate ||
	    ((const struct ideal_derived *)c->impl)->store_and_forward)
		return IDEAL_FULL;
	return c->track_queues ? IDEAL_TRACKED : IDEAL_PLAIN;
}

IDEAL_INLINE bool ideal_tracks(const struct sw_common *c, enum ideal_mode mode)
{
	return mode <= IDEAL_FULL ? c->track_queues : mode == IDEAL_TRACKED;
}

static inline bool ideal_waits(const struct ideal_lane *lane)
{
	return lane && lane->head != SW_POOL_NONE;
}

/* --- packets and credits --------------------------------------------------------------------------------- */

/* Returns the other end of an input's link; NULL for a terminal port. */
static inline const struct sw_link_end *ideal_sender(const struct ideal_derived *d, struct ideal_state *s,
                                                     uint32_t in_port)
{
	return in_port < s->net_ports ? &ideal_port_at(d, s, in_port)->end : NULL;
}

/* Bytes of a packet on its outgoing link. */
static inline uint32_t ideal_bytes_on(const struct sw_common *c, unsigned link, const struct sw_packet *p)
{
	return IDEAL_FRAMES ? sw_bytes_on(c, link, p) : p->bytes;
}

/* A packet's last bit leaves its input at `when`: does the input withhold the credits? If so, they are added to the
 * withheld sum. */
IDEAL_INLINE bool ideal_keeps(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                              uint32_t in_port, uint8_t vc, uint32_t bytes, uint64_t when)
{
	if (when - call->now > call->common->hold_within || in_port >= s->net_ports)
		return false;
	uint32_t *kept = ideal_kept_at(d, s, in_port) + vc;
	if (sim_unlikely(*kept == SW_LETS_GO))
		return false;
	sim_set(call->ctx, kept, *kept + bytes);
	return true;
}

/* Only with common->passes: returns the ps from the first to the last bit of a packet whose first bit arrived at
 * `arrived`. */
static inline uint64_t ideal_comes(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                                   uint32_t in_port, uint32_t bytes, uint64_t arrived)
{
	unsigned link = in_port < s->net_ports ? ideal_port_at(d, s, in_port)->end.link_class : SW_LINK_TERMINAL;
	return sw_comes(call, in_port, link, bytes, arrived);
}

/* Only with common->wires: computes when the first bit and the last bit of a packet may leave at the earliest. */
static __attribute__((unused, noinline)) struct sw_passage ideal_passage(struct sw_call *call,
                                                                         const struct ideal_derived *d,
                                                                         struct ideal_state *s, uint32_t in_port,
                                                                         uint32_t bytes, uint64_t arrived)
{
	uint64_t ready = arrived + d->traversal;
	return (struct sw_passage){ .ready = ready > call->now ? ready : call->now,
		                    .whole = d->store_and_forward
		                                 ? 0
		                                 : ready + ideal_comes(call, d, s, in_port, bytes, arrived) };
}

/* Reserves a packet's departure, and returns its credits to the sender. `waited`: the packet arrived in an earlier
 * event and has waited for credits. */
IDEAL_INLINE void ideal_depart(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                               struct ideal_way way, uint32_t in_port, uint8_t in_vc, const struct sw_packet *p,
                               uint64_t arrived, uint64_t ready, bool waited, enum ideal_mode mode)
{
	struct ideal_port *o = ideal_port_at(d, s, way.out);
	const struct sw_link *link = &call->common->link[o->end.link_class];
	uint32_t bytes = p->bytes, leaving = ideal_bytes_on(call->common, o->end.link_class, p);
	uint64_t start = ready > o->busy_until ? ready : o->busy_until;
	base_checkf((mode == IDEAL_LANES || leaving <= ideal_credits(d, o, way.vc)) && way.out < s->net_ports,
	            "switch %u, output %u, VC %u: %u bytes of %u", s->id, way.out, way.vc, leaving,
	            ideal_credits(d, o, way.vc));
	if (start < call->now)
		start = call->now;
	uint64_t finish = start + sw_serialisation(link, leaving), free_at = finish + (IDEAL_FRAMES ? link->gap : 0);
	if (mode == IDEAL_LANES && sim_unlikely(call->common->passes)) {
		struct sw_passage x = ideal_passage(call, d, s, in_port, p->bytes, arrived);
		x.idle = o->busy_until;
		x.bytes = leaving;
		sw_pass(call, way.out, o->end.link_class, p->job, &x);
		start = x.start;
		finish = x.finish;
		free_at = x.free_at;
	}
	sim_set(call->ctx, &o->busy_until, free_at);
	if (mode == IDEAL_LANES) {
		sw_lane_take(call->ctx, &call->common->lanes, o->credits, way.vc, leaving);
		way.vc = (uint8_t)(way.vc % call->common->vcs);
	} else {
		uint32_t left = ideal_credits(d, o, way.vc) - leaving;
		ideal_set_credits(call->ctx, d, o, way.vc, left);
		const struct sw_hold *h = ideal_hold_at(d, s);
		if (mode >= IDEAL_TRACKED && !waited && sim_unlikely(left < h->stop || o->end.let_go >> way.vc & 1))
			sw_hold_turn(call, h, &o->end, way.out, way.vc, d->share, left, call->now);
	}
	if (ideal_tracks(call->common, mode))
		ideal_depth_leaving(call, d, s, way.out, bytes, finish, !waited);
	if (mode <= IDEAL_FULL && call->common->record_queues)
		SW_HOST(mode, call, queued, way.out, way.vc, bytes, arrived, finish, waited);
	SW_TRANSMIT(mode, call, way.out, &o->end, p, way, start, finish);
	if (waited)
		SW_HOST(mode, call, credit, in_port, ideal_sender(d, s, in_port), in_vc, bytes, finish);
	else if (mode < IDEAL_TRACKED || !ideal_keeps(call, d, s, in_port, in_vc, bytes, finish))
		SW_RETURN(mode, call, in_port, in_vc, bytes, finish);
}

IDEAL_INLINE void ideal_eject(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s, uint32_t out,
                              uint32_t in_port, uint8_t in_vc, const struct sw_packet *p, uint64_t ready,
                              enum ideal_mode mode)
{
	uint64_t *busy = ideal_terminal_at(d, s, out - s->net_ports);
	const struct sw_link *link = &call->common->link[SW_LINK_TERMINAL];
	if (IDEAL_FRAMES && mode == IDEAL_LANES)
		link = sw_link_for_job(call->common, SW_LINK_TERMINAL, p->job);
	uint32_t bytes = p->bytes;
	uint64_t start = ready > *busy ? ready : *busy;
	uint64_t finish = start + sw_serialisation(link, ideal_bytes_on(call->common, SW_LINK_TERMINAL, p));
	sim_set(call->ctx, busy, finish + (IDEAL_FRAMES ? link->gap : 0));
	if (mode <= IDEAL_FULL && call->common->record_queues)
		SW_HOST(mode, call, queued, out, 0, bytes, call->now, finish, false);
	SW_HOST(mode, call, eject, out - s->net_ports, p, start, finish);
	if (mode < IDEAL_TRACKED || !ideal_keeps(call, d, s, in_port, in_vc, bytes, finish))
		SW_RETURN(mode, call, in_port, in_vc, bytes, finish);
}

/* Does the output have the credits for `bytes` on a VC and, if `slack` is set, for one more largest packet? */
IDEAL_INLINE bool ideal_fits(const struct sw_common *c, const struct ideal_port *o, uint8_t vc, uint32_t bytes,
                             bool slack, enum ideal_mode mode)
{
	if (mode == IDEAL_LANES)
		return sw_lane_fits(&c->lanes, o->credits, vc, bytes + (slack ? c->max_packet : 0));
	return ideal_credits(c->impl, o, vc) >= bytes + (slack ? c->max_packet : 0);
}

/* Returns the lane of a VC at an output, and creates the lanes of the output if needed. */
static inline struct ideal_lane *ideal_make_lane(struct sw_call *call, const struct ideal_derived *d,
                                                 struct ideal_state *s, struct ideal_port *o, uint8_t vc, bool slack)
{
	if (!o->lanes) {
		uint32_t i = sw_pool_take(call->ctx, &s->lanes, d->lanes_bytes);
		struct ideal_lane *lane = sw_pool_at(&s->lanes, i, d->lanes_bytes);
		for (uint32_t k = 0; k < d->lanes_bytes / sizeof *lane; k++)
			lane[k] = (struct ideal_lane){ SW_POOL_NONE, SW_POOL_NONE };
		sim_set(call->ctx, &o->lanes, i + 1);
	}
	return ideal_lane_of(d, s, o, vc, slack);
}

static __attribute__((noinline)) void ideal_wait(struct sw_call *call, const struct ideal_derived *d,
                                                 struct ideal_state *s, struct ideal_way way, uint32_t in_port,
                                                 uint8_t in_vc, const struct sw_packet *p, uint64_t ready)
{
	struct sim_ctx *ctx = call->ctx;
	struct ideal_lane *lane = ideal_make_lane(call, d, s, ideal_port_at(d, s, way.out), way.vc, way.slack);
	uint32_t i = sw_pool_take(ctx, &s->waiters, sizeof(struct ideal_waiter));
	struct ideal_waiter *w = sw_pool_at(&s->waiters, i, sizeof *w);
	*w = (struct ideal_waiter){ .next = SW_POOL_NONE,
		                    .in_port = (uint16_t)in_port,
		                    .in_vc = in_vc,
		                    .arrived = call->now,
		                    .ready = ready,
		                    .packet = *p };
	w->packet.via = sw_packet_via(p, way.route);
	w->packet.vc = way.vc;
	w->packet.route = way.route;
	sim_save(ctx, lane, sizeof *lane);
	if (lane->head == SW_POOL_NONE) {
		lane->head = i;
	} else {
		struct ideal_waiter *t = sw_pool_at(&s->waiters, lane->tail, sizeof *t);
		base_checkf(t->next == SW_POOL_NONE && t->packet.vc == way.vc,
		            "switch %u, output %u: a lane of VC %u continues after its end", s->id, way.out,
		            t->packet.vc);
		const struct ideal_port *o = ideal_port_at(d, s, way.out);
		uint32_t behind = ideal_bytes_on(call->common, o->end.link_class, p) >> d->units;
		sim_set(ctx, &t->next, i);
		sim_set(ctx, &t->behind, (uint8_t)(behind < UINT8_MAX ? behind : UINT8_MAX));
	}
	lane->tail = i;
	if (call->common->track_queues) {
		struct ideal_depth *q = ideal_depth_at(d, s, way.out);
		sim_set(ctx, &q->bytes, q->bytes + p->bytes);
	}
}

/* Returns the earliest time at which a packet's first bit may leave: after the traversal, and late enough that on a
 * faster output each bit has arrived when it is to leave. */
static inline uint64_t ideal_ready(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                                   uint32_t in_port, uint32_t out, const struct sw_packet *p, enum ideal_mode mode)
{
	uint64_t ready = call->now + d->traversal;
	bool wires = mode == IDEAL_LANES && sim_unlikely(call->common->wires != NULL);
	if (d->store_and_forward || (call->common->one_rate && !wires))
		return ready;
	const struct sw_link *in =
	    &call->common
		 ->incoming[in_port < s->net_ports ? ideal_port_at(d, s, in_port)->end.link_class : SW_LINK_TERMINAL];
	uint32_t link = out < s->net_ports ? ideal_port_at(d, s, out)->end.link_class : SW_LINK_TERMINAL;
	const struct sw_link *to = &call->common->link[link];
	if (sim_likely(in->ps_per_byte_q16 <= to->ps_per_byte_q16) && !(IDEAL_FRAMES && call->common->reframes) &&
	    !wires)
		return ready;
	uint64_t comes = wires ? ideal_comes(call, d, s, in_port, p->bytes, call->now) : sw_serialisation(in, p->bytes),
		 goes = sw_serialisation(to, ideal_bytes_on(call->common, link, p));
	return comes > goes ? ready + comes - goes : ready;
}

/* Returns the output of a packet that must not wait for output `out`, which route() has chosen: `out` if it has
 * credits; otherwise the output that the host's turn() gives. */
static inline uint32_t ideal_turn(struct sw_call *call, uint32_t in_port, uint8_t in_vc, uint32_t out,
                                  struct sw_packet *p, uint8_t *slack, enum ideal_mode mode)
{
	uint8_t lane = mode == IDEAL_LANES ? (uint8_t)sw_lane_of(call->common, p, p->vc) : p->vc;
	const struct ideal_derived *d = call->common->impl;
	struct ideal_state *s = call->state;
	const struct ideal_port *o = ideal_port_at(d, s, out);
	*slack = 0;
	if (ideal_fits(call->common, o, lane, ideal_bytes_on(call->common, o->end.link_class, p), false, mode) &&
	    !ideal_waits(ideal_lane_of(d, s, o, lane, false)))
		return out;
	p->vc = in_vc;
	return call->host_ops->turn(call, in_port, p, slack);
}

/* Reserves the departure of a packet that has been routed, or appends the packet to a queue. in_vc is the VC of its
 * input buffer. */
IDEAL_INLINE void ideal_routed(struct sw_call *call, uint32_t in_port, uint8_t in_vc, struct ideal_way way,
                               const struct sw_packet *p, enum ideal_mode mode)
{
	const struct sw_common *c = call->common;
	const struct ideal_derived *d = c->impl;
	struct ideal_state *s = call->state;
	bool slack = mode <= IDEAL_FULL && way.slack;
	if (mode == IDEAL_LANES) { /* lanes from here on */
		in_vc = (uint8_t)sw_lane_of(c, p, in_vc);
		way.vc = (uint8_t)sw_lane_of(c, p, way.vc);
	}
	uint64_t ready =
	    mode <= IDEAL_FULL ? ideal_ready(call, d, s, in_port, way.out, p, mode) : call->now + d->traversal;
	if (way.out >= s->net_ports) {
		ideal_eject(call, d, s, way.out, in_port, in_vc, p, ready, mode);
		return;
	}
	struct ideal_port *o = ideal_port_at(d, s, way.out);
	if (sim_likely(ideal_fits(c, o, way.vc, ideal_bytes_on(c, o->end.link_class, p), slack, mode) &&
	               !ideal_waits(ideal_lane_of(d, s, o, way.vc, slack)))) {
		ideal_depart(call, d, s, way, in_port, in_vc, p, call->now, ready, false, mode);
		return;
	}
	ideal_wait(call, d, s, way, in_port, in_vc, p, ready);
}

IDEAL_INLINE void ideal_serve_as(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                                 uint32_t out, uint8_t vc, bool slack, enum ideal_mode mode)
{
	struct ideal_port *o = ideal_port_at(d, s, out);
	struct ideal_lane *lane = ideal_lane_of(d, s, o, vc, slack);
	uint32_t least = mode != IDEAL_LANES ? call->common->min_packet : 0;
	while (ideal_waits(lane)) {
		/* The packet was written long ago, so it is not in the cache: prefetch it now for the next arrival of
		 * credits. */
		if (mode != IDEAL_LANES && ideal_credits(d, o, vc) < least) {
			base_prefetch_write(sw_pool_at(&s->waiters, lane->head, sizeof(struct ideal_waiter)));
			return;
		}
		struct ideal_waiter *w = sw_pool_at(&s->waiters, lane->head, sizeof *w);
		struct ideal_way way = { out, vc, w->packet.route, slack };
		uint32_t bytes = ideal_bytes_on(call->common, o->end.link_class, &w->packet), first = lane->head;
		if (!ideal_fits(call->common, o, vc, bytes, slack, mode))
			return;
		sim_set(call->ctx, &lane->head, w->next);
		if (mode != IDEAL_LANES && (uint32_t)w->behind << d->units > call->common->min_packet)
			least = (uint32_t)w->behind << d->units;
		else if (mode != IDEAL_LANES)
			least = call->common->min_packet;
		if (mode == IDEAL_LANES) { /* it waited by lane; from here on its VC counts */
			struct sw_packet p = w->packet;
			p.vc = (uint8_t)(vc % call->common->vcs);
			ideal_depart(call, d, s, way, w->in_port, w->in_vc, &p, w->arrived, w->ready, true, mode);
		} else {
			ideal_depart(call, d, s, way, w->in_port, w->in_vc, &w->packet, w->arrived, w->ready, true,
			             mode);
		}
		sw_pool_give(call->ctx, &s->waiters, first, sizeof *w);
	}
}

/* Functions that serve the waiting packets of an output's VC, one for each mode except IDEAL_LANES. In modes without
 * slack there is only one list for each VC. */
static __attribute__((noinline)) void ideal_serve_full(struct sw_call *call, const struct ideal_derived *d,
                                                       struct ideal_state *s, uint32_t out, uint8_t vc)
{
	ideal_serve_as(call, d, s, out, vc, false, IDEAL_FULL);
	if (call->common->bubble)
		ideal_serve_as(call, d, s, out, vc, true, IDEAL_FULL);
}

static __attribute__((unused, noinline)) void ideal_serve_tracked(struct sw_call *call, const struct ideal_derived *d,
                                                                  struct ideal_state *s, uint32_t out, uint8_t vc)
{
	ideal_serve_as(call, d, s, out, vc, false, IDEAL_TRACKED);
}

static __attribute__((unused, noinline)) void ideal_serve_plain(struct sw_call *call, const struct ideal_derived *d,
                                                                struct ideal_state *s, uint32_t out, uint8_t vc)
{
	ideal_serve_as(call, d, s, out, vc, false, IDEAL_PLAIN);
}

/* Called when credits for a lane arrive in mode IDEAL_LANES: serves the lane and, if there is a shared pool, the others
 * after it in cyclic order, because they may use credits that were returned to the pool. */
static __attribute__((unused, noinline)) void ideal_lane_credit_in(struct sw_call *call, uint32_t out, uint8_t lane,
                                                                   uint32_t bytes)
{
	const struct sw_lanes *l = &call->common->lanes;
	const struct ideal_derived *d = call->common->impl;
	struct ideal_state *s = call->state;
	struct ideal_port *o = ideal_port_at(d, s, out);
	if (sim_unlikely(!sw_lane_give(call->ctx, l, o->credits, lane, bytes))) {
		sim_violation(call->ctx, "switch %u, output %u, lane %u: %u credits came back, %llu were out", s->id,
		              out, lane, bytes, (unsigned long long)sw_lane_used(l, o->credits, lane));
		return;
	}
	for (uint32_t k = 0, at = lane; o->lanes && k < (l->pool ? l->n : 1); k++, at = at + 1 == l->n ? 0 : at + 1) {
		ideal_serve_as(call, d, s, out, (uint8_t)at, false, IDEAL_LANES);
		if (call->common->bubble)
			ideal_serve_as(call, d, s, out, (uint8_t)at, true, IDEAL_LANES);
	}
}

IDEAL_INLINE void ideal_credit_in(struct sw_call *call, uint32_t out, uint8_t vc, uint32_t bytes, enum ideal_mode mode)
{
	const struct ideal_derived *d = call->common->impl;
	struct ideal_state *s = call->state;
	struct ideal_port *o = ideal_port_at(d, s, out);
	uint64_t now = (uint64_t)ideal_credits(d, o, vc) + bytes;
	if (sim_unlikely(now > d->share)) {
		sim_violation(call->ctx, "switch %u, output %u, VC %u: %u credits of %u after %u came back", s->id, out,
		              vc, (uint32_t)now, d->share, bytes);
		return;
	}
	if (sim_unlikely(bytes > call->common->max_packet))
		sw_hold_check(call, out, vc, bytes, (uint32_t)now - bytes);
	ideal_set_credits(call->ctx, d, o, vc, (uint32_t)now);
	if (sim_likely(!o->lanes))
		return;
	if (mode == IDEAL_PLAIN)
		ideal_serve_plain(call, d, s, out, vc);
	else if (mode == IDEAL_TRACKED)
		ideal_serve_tracked(call, d, s, out, vc);
	else
		ideal_serve_full(call, d, s, out, vc);
}

/* As sw_hold_may_tell(). */
static inline bool ideal_may_tell(const struct ideal_derived *d, struct ideal_state *s, const struct ideal_port *o,
                                  uint8_t vc, uint32_t bytes, uint64_t bound)
{
	const struct sw_hold *h = ideal_hold_at(d, s);
	return sw_holds(h, &o->end) &&
	       sw_hold_may_tell(h, d->share, o->end.let_go >> vc & 1, ideal_credits(d, o, vc), bytes, bound);
}

/* Credits arrive at some unknown time in the next window, in which less than `bound` bytes will be given to any output.
 * If no packet waits for them and the present credits suffice without them, the time does not matter: the function adds
 * them at once, without the journal, and returns true. Otherwise it changes nothing and returns false. */
static inline bool ideal_credit_early(const struct sw_common *c, const struct ideal_derived *d, struct ideal_state *s,
                                      uint32_t out, uint8_t vc, uint32_t bytes, uint64_t bound)
{
	struct ideal_port *o = ideal_port_at(d, s, out);
	uint32_t credits = ideal_credits(d, o, vc);
	if (sim_unlikely(credits < bound || credits + bytes > d->share) || ideal_may_tell(d, s, o, vc, bytes, bound))
		return false;
	if (sim_unlikely(o->lanes != 0) && (ideal_waits(ideal_lane_of(d, s, o, vc, false)) ||
	                                    (c->bubble && ideal_waits(ideal_lane_of(d, s, o, vc, true)))))
		return false;
	ideal_put_credits(d, o, vc, credits + bytes);
	return true;
}

#endif
