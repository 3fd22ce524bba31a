/* switch/ideal/model.h - the data path of the ideal switch: packets and credits in, departures out.
 *
 * Compiled twice: in ideal.c behind the interface of switch.h, and in network/joined/ideal.c inlined into its host,
 * without calls between them. SW_HOST(mode, call, op, ...) calls the host's function, SW_TRANSMIT its transmit(), and
 * SW_RETURN its credit() for the packet that has just arrived, whose sender the host may know without a look-up; a host
 * that inlines the switch defines them before it includes this file.
 *
 * `mode`, a constant in hot paths, leaves out features that no packet of the run needs: ideal_mode(). A packet's VC and
 * route flags are passed separately: if its hop was computed in advance, those in the packet are still the old ones,
 * and so is `via` (sw_packet_via()). */
#ifndef SWITCH_IDEAL_MODEL_H
#define SWITCH_IDEAL_MODEL_H

#include "base/prefetch.h"
#include "switch/pool.h"
#include "switch/switch.h"

#ifndef SW_HOST
#define IDEAL_FRAMES true /* links may have framing; a host that inlines the switch defines it as false */
#define SW_HOST(mode, call, op, ...) (call)->host_ops->op((call), __VA_ARGS__)
#define SW_TRANSMIT(mode, call, out, end, p, way, start, finish) \
	(call)->host_ops->transmit((call), (out), (end), (p), (start), (finish))
#define SW_RETURN(mode, call, in_port, vc, bytes, when)                                                               \
	SW_HOST(mode, call, credit, in_port, ideal_sender((call)->common->impl, (call)->state, (in_port)), vc, bytes, \
	        when)
#endif

#define IDEAL_INLINE static inline __attribute__((always_inline))

enum ideal_mode {
	IDEAL_LANES,   /* all features of sw_common, with lanes by traffic class or a shared pool */
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

struct ideal_waiter {  /* 64 bytes */
	uint32_t next; /* first member: also links the free list */
	uint16_t in_port;
	uint8_t in_vc;
	uint8_t behind; /* bytes of `next` in units of 2^derived.units, rounded down */
	uint64_t arrived, ready;
	struct sw_packet packet;
};

struct ideal_row {       /* reserved departures at equal distances: back to back at a busy output */
	uint64_t finish; /* of the first, ps */
	uint32_t count;  /* at least 1 in the list */
	uint32_t apart;  /* ps; 0: there has been only one */
};

struct ideal_leaving { /* departures of one size, kept while their bytes count as queued, if struct ideal_depth is full
	                */
	uint32_t next;
	uint32_t bytes; /* bytes of each departure */
	struct ideal_row row;
};

struct ideal_lane {
	uint32_t head, tail; /* waiters; head SW_POOL_NONE: empty */
};

struct ideal_port { /* a network output; with up to 6 VCs and ordinary buffers half a cache line */
	uint64_t busy_until;
	struct sw_link_end end;
	uint32_t lanes;     /* 1 + record in state.lanes: [vcs] lanes of packets waiting for credits, then (bubble rule)
	                       [vcs] of those that need slack; 0: no packet has ever waited here */
	uint32_t credits[]; /* [vcs] bytes, or derived.narrow: uint16_t [vcs]. See ideal_credits() */
};

#define IDEAL_NEAR 7u         /* departures stored in the cache line itself, besides a row */
#define IDEAL_FREE 0x7fffff00 /* ps, 2.1 ms */

typedef int32_t ideal_lanes __attribute__((vector_size(16)));

/* Bytes queued for an output; only maintained if routing uses them. One cache line. Reserved departures count until
 * they have left; those of packets of the largest size, nearly all in most workloads, are stored in the line. lane[k]
 * for k < IDEAL_NEAR is the time at which one has left, in ps after `base`, or IDEAL_FREE. They finish in cyclic order;
 * the last element is IDEAL_FREE + the index of the next one. If these do not suffice, the output is busy and later
 * departures are back to back: they form the row, which is used until it is empty. */
struct ideal_depth {
	uint64_t base;  /* ps */
	uint32_t bytes; /* waiting and leaving, minus departures noticed so far */
	uint32_t
	    last; /* the other departures, in a circular list: the latest, whose `next` is the first; or SW_POOL_NONE */
	struct ideal_row row;
	union {
		ideal_lanes lanes[(IDEAL_NEAR + 1) / 4];
		int32_t lane[IDEAL_NEAR + 1];
	} leaves;
};

struct ideal_state {
	struct sw_pool waiters, leavings, lanes;
	uint32_t id;
	uint16_t net_ports, terminals;
	union { /* of common and derived, for functions that get only the state */
		struct {
			uint32_t max_packet, at_depths; /* queue_bytes */
		};
		const struct ideal_derived *derived; /* used_credits: instead, with common->count_credits */
	};
	/* then: port[net_ports], terminal_busy_until[terminals], hold, kept[net_ports][lanes], depth[net_ports] */
	unsigned char rest[] __attribute__((aligned(32)));
};

struct ideal_derived {
	uint64_t traversal;
	uint32_t share, terminal_share; /* share: of a lane, its reserve */
	uint32_t n;                     /* lanes; with several classes all members below named by VC are by lane */
	bool laned;                     /* lanes by traffic class, or a pool: IDEAL_LANES */
	bool store_and_forward;
	uint8_t units; /* low bits of a packet's bytes dropped in ideal_waiter.behind, so that it fits 8 bits */
	bool narrow;   /* credits fit 16 bits, so that a port fits half a cache line */
	uint32_t port_bytes, lanes_bytes;
	uint32_t at_terminals, at_hold, at_depths;
	uint32_t bytes;
};

/* Port i of the switch whose state is at `state`. */
static inline struct ideal_port *ideal_port_of(void *state, uint32_t i, size_t port_bytes)
{
	return (struct ideal_port *)(void *)(((struct ideal_state *)state)->rest + i * port_bytes);
}

static inline struct ideal_port *ideal_port_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t i)
{
	return ideal_port_of(s, i, d->port_bytes);
}

static inline uint32_t ideal_credits(const struct ideal_derived *d, const struct ideal_port *o, uint8_t vc)
{
	return d->narrow ? ((const uint16_t *)o->credits)[vc] : o->credits[vc];
}

static inline void ideal_put_credits(const struct ideal_derived *d, struct ideal_port *o, uint8_t vc, uint32_t bytes)
{
	base_checkf(bytes <= d->share || d->laned, "%u credits of %u", bytes, d->share);
	if (d->narrow)
		((uint16_t *)o->credits)[vc] = (uint16_t)bytes;
	else
		o->credits[vc] = bytes;
}

static inline void ideal_set_credits(struct sim_ctx *ctx, const struct ideal_derived *d, struct ideal_port *o,
                                     uint8_t vc, uint32_t bytes)
{
	if (d->narrow)
		sim_save(ctx, (uint16_t *)o->credits + vc, sizeof(uint16_t));
	else
		sim_save(ctx, &o->credits[vc], sizeof(uint32_t));
	ideal_put_credits(d, o, vc, bytes);
}

static inline uint64_t *ideal_terminal_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t i)
{
	return (uint64_t *)(void *)(s->rest + d->at_terminals) + i;
}

static inline struct sw_hold *ideal_hold_at(const struct ideal_derived *d, struct ideal_state *s)
{
	return (struct sw_hold *)(void *)(s->rest + d->at_hold);
}

/* Credits of each lane that are withheld at a network input, or SW_LETS_GO. With common.hold_within. */
static inline uint32_t *ideal_kept_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t in_port)
{
	return (uint32_t *)(void *)(ideal_hold_at(d, s) + 1) + in_port * d->n;
}

static inline struct ideal_depth *ideal_depth_at(const struct ideal_derived *d, struct ideal_state *s, uint32_t i)
{
	return (struct ideal_depth *)(void *)(s->rest + d->at_depths) + i;
}

/* The lane of a VC, or NULL: no packet has waited at this port yet. */
static inline struct ideal_lane *ideal_lane_of(const struct ideal_derived *d, const struct ideal_state *s,
                                               const struct ideal_port *o, uint8_t vc, bool slack)
{
	if (!o->lanes)
		return NULL;
	return (struct ideal_lane *)sw_pool_at(&s->lanes, o->lanes - 1, d->lanes_bytes) + (slack ? d->n : 0) + vc;
}

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

/* --- queue depth ----------------------------------------------------------------------------------------- */

/* Number of departures in the line that have left by `now`. */
IDEAL_INLINE uint32_t ideal_depth_left(const struct ideal_depth *q, uint64_t now)
{
	uint64_t since = now - q->base; /* base <= now */
	int32_t above = since < IDEAL_FREE ? (int32_t)since + 1 : IDEAL_FREE;
	ideal_lanes after = { above, above, above, above }, sum = { 0 };
	for (unsigned k = 0; k < (IDEAL_NEAR + 1) / 4; k++)
		sum += after > q->leaves.lanes[k]; /* -1 where true */
	sum += __builtin_shufflevector(sum, sum, 2, 3, 0, 1);
	sum += __builtin_shufflevector(sum, sum, 1, 0, 3, 2);
	return -(uint32_t)sum[0];
}

/* Frees the elements of departures that have left, and moves `base` to now. */
static __attribute__((noinline)) void ideal_depth_forget(struct ideal_depth *q, uint64_t now, uint32_t max_packet)
{
	base_checkf((uint64_t)ideal_depth_left(q, now) * max_packet <= q->bytes,
	            "%u packets of %u bytes have left, %u were there", ideal_depth_left(q, now), max_packet, q->bytes);
	q->bytes -= ideal_depth_left(q, now) * max_packet;
	uint64_t since = now - q->base;
	for (unsigned k = 0; k < IDEAL_NEAR; k++) {
		int32_t *lane = &q->leaves.lane[k];
		if (*lane != IDEAL_FREE)
			*lane = (uint64_t)*lane <= since ? IDEAL_FREE : *lane - (int32_t)since;
	}
	q->base = now;
}

/* Stores a departure in the line if there is space, which is reclaimed only if the line seems full. */
IDEAL_INLINE bool ideal_depth_near(struct ideal_depth *q, uint64_t now, uint64_t finish, uint32_t max_packet)
{
	uint32_t turn = (uint32_t)(q->leaves.lane[IDEAL_NEAR] - IDEAL_FREE);
	if (sim_unlikely(finish - q->base >= IDEAL_FREE || q->leaves.lane[turn] != IDEAL_FREE)) {
		if (finish - q->base < IDEAL_FREE && (uint64_t)q->leaves.lane[turn] > now - q->base)
			return false; /* the first one has not left */
		ideal_depth_forget(q, now, max_packet);
		if (finish - now >= IDEAL_FREE || q->leaves.lane[turn] != IDEAL_FREE)
			return false;
	}
	q->leaves.lane[turn] = (int32_t)(finish - q->base);
	q->leaves.lane[IDEAL_NEAR] = IDEAL_FREE + (int32_t)(turn + 1 < IDEAL_NEAR ? turn + 1 : 0);
	return true;
}

/* Number of departures of the row that have left by `now`. */
static inline uint32_t ideal_row_left(const struct ideal_row *r, uint64_t now)
{
	if (!r->count || r->finish > now)
		return 0;
	uint64_t since = now - r->finish;
	if (since >= (uint64_t)(r->count - 1) * r->apart)
		return r->count;
	return 1 + (since <= UINT32_MAX ? (uint32_t)since / r->apart : (uint32_t)(since / r->apart));
}

/* Removes those that have left. */
static inline void ideal_row_forget(struct ideal_row *r, uint32_t left)
{
	base_checkf(left <= r->count, "%u of %u have left", left, r->count);
	r->count -= left;
	r->finish += (uint64_t)left * r->apart;
}

/* Appends a departure, later than the others; false: it does not fit the row. */
static inline bool ideal_row_append(struct ideal_row *r, uint64_t finish)
{
	if (!r->count) {
		*r = (struct ideal_row){ finish, 1, 0 };
		return true;
	}
	uint64_t apart = finish - (r->finish + (uint64_t)(r->count - 1) * r->apart);
	base_check(finish >= r->finish);
	if (!apart || (r->apart ? apart != r->apart : apart > UINT32_MAX))
		return false;
	r->apart = (uint32_t)apart;
	r->count++;
	return true;
}

static inline void ideal_depth_append(struct sim_ctx *ctx, struct ideal_state *s, struct ideal_depth *q, uint32_t bytes,
                                      uint64_t finish)
{
	struct ideal_leaving *last = NULL;
	if (q->last != SW_POOL_NONE) {
		last = sw_pool_at(&s->leavings, q->last, sizeof *last);
		sim_save(ctx, last, sizeof *last);
		if (last->bytes == bytes && ideal_row_append(&last->row, finish))
			return;
	}
	uint32_t i = sw_pool_take(ctx, &s->leavings, sizeof(struct ideal_leaving));
	struct ideal_leaving *l = sw_pool_at(&s->leavings, i, sizeof *l);
	*l = (struct ideal_leaving){ i, bytes, { finish, 1, 0 } };
	if (last) {
		l->next = last->next;
		last->next = i;
	}
	q->last = i;
}

/* Removes those that have left from the list. */
static inline void ideal_depth_shorten(struct sim_ctx *ctx, struct ideal_state *s, struct ideal_depth *q)
{
	while (q->last != SW_POOL_NONE) {
		struct ideal_leaving *last = sw_pool_at(&s->leavings, q->last, sizeof *last);
		uint32_t first = last->next;
		struct ideal_leaving *l = sw_pool_at(&s->leavings, first, sizeof *l);
		uint32_t left = ideal_row_left(&l->row, ctx->now);
		if (!left)
			return;
		base_checkf((uint64_t)l->bytes * left <= q->bytes, "%u times %u bytes of %u have left", left, l->bytes,
		            q->bytes);
		q->bytes -= l->bytes * left;
		if (left < l->row.count) {
			sim_save(ctx, l, sizeof *l);
			ideal_row_forget(&l->row, left);
			return;
		}
		if (first == q->last)
			q->last = SW_POOL_NONE;
		else
			sim_set(ctx, &last->next, l->next);
		sw_pool_give(ctx, &s->leavings, first, sizeof *l);
	}
}

/* Adds a departure of `bytes`, if any, to the row, which must stay equidistant, to the line or to the list; departures
 * that have left are removed from row and list. */
static __attribute__((noinline)) void ideal_depth_far(struct sim_ctx *ctx, struct ideal_state *s, struct ideal_depth *q,
                                                      uint32_t bytes, uint64_t finish)
{
	uint32_t left = ideal_row_left(&q->row, ctx->now);
	base_checkf((uint64_t)left * s->max_packet <= q->bytes, "%u packets of %u bytes have left, %u were there", left,
	            s->max_packet, q->bytes);
	q->bytes -= left * s->max_packet;
	ideal_row_forget(&q->row, left);
	if (bytes == s->max_packet &&
	    ((q->row.count && ideal_row_append(&q->row, finish)) || ideal_depth_near(q, ctx->now, finish, bytes) ||
	     ideal_row_append(&q->row, finish)))
		bytes = 0;
	if (sim_unlikely(q->last != SW_POOL_NONE))
		ideal_depth_shorten(ctx, s, q);
	if (sim_unlikely(bytes))
		ideal_depth_append(ctx, s, q, bytes, finish);
}

/* A departure of `bytes` has been reserved: they count as queued until `finish`, and with `arrive` from now on. */
IDEAL_INLINE void ideal_depth_leaving(struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                                      uint32_t out, uint32_t bytes, uint64_t finish, bool arrive)
{
	struct ideal_depth *q = ideal_depth_at(d, s, out);
	sim_save(call->ctx, q, sizeof *q);
	q->bytes += arrive ? bytes : 0;
	if (sim_likely(bytes == s->max_packet && !q->row.count && ideal_depth_near(q, call->now, finish, bytes)))
		bytes = 0;
	if (sim_unlikely(bytes || q->last != SW_POOL_NONE))
		ideal_depth_far(call->ctx, s, q, bytes, finish);
}

/* Bytes in the list that have left by `now`. */
static __attribute__((noinline)) uint64_t ideal_depth_listed(const struct ideal_state *s, const struct ideal_depth *q,
                                                             uint64_t now)
{
	uint64_t bytes = 0;
	const struct ideal_leaving *last = sw_pool_at(&s->leavings, q->last, sizeof *last), *l = last;
	uint32_t left;
	do {
		l = sw_pool_at(&s->leavings, l->next, sizeof *l);
		left = ideal_row_left(&l->row, now);
		bytes += (uint64_t)l->bytes * left;
	} while (left == l->row.count && l != last);
	return bytes;
}

static inline uint64_t ideal_queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	/* read-only: departures not noticed yet are subtracted on the fly */
	const struct ideal_state *s = state;
	const struct ideal_depth *q = (const struct ideal_depth *)(const void *)(s->rest + s->at_depths) + out;
	uint64_t left = (uint64_t)(ideal_depth_left(q, now) + ideal_row_left(&q->row, now)) * s->max_packet;
	if (sim_unlikely(q->last != SW_POOL_NONE))
		left += ideal_depth_listed(s, q, now);
	base_checkf(left <= q->bytes, "%llu bytes have left, %u were there", (unsigned long long)left, q->bytes);
	return q->bytes - left;
}

/* --- packets and credits --------------------------------------------------------------------------------- */

/* The other end of an input's link; NULL for a terminal. */
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

/* Are the credits of a packet that leaves its input at `when` withheld there? */
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

/* `waited`: it arrived in an earlier event. */
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
	uint64_t finish = start + sw_serialisation(link, leaving);
	sim_set(call->ctx, &o->busy_until, finish + (IDEAL_FRAMES ? link->gap : 0));
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

/* May `bytes` use the output's VC? */
IDEAL_INLINE bool ideal_fits(const struct sw_common *c, const struct ideal_port *o, uint8_t vc, uint32_t bytes,
                             bool slack, enum ideal_mode mode)
{
	if (mode == IDEAL_LANES)
		return sw_lane_fits(&c->lanes, o->credits, vc, bytes + (slack ? c->max_packet : 0));
	return ideal_credits(c->impl, o, vc) >= bytes + (slack ? c->max_packet : 0);
}

/* The lane, created if needed. */
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

/* Earliest time of its first bit: after the traversal, and such that a faster output does not run dry. */
static inline uint64_t ideal_ready(const struct sw_call *call, const struct ideal_derived *d, struct ideal_state *s,
                                   uint32_t in_port, uint32_t out, const struct sw_packet *p)
{
	uint64_t ready = call->now + d->traversal;
	if (d->store_and_forward || call->common->one_rate)
		return ready;
	const struct sw_link *in =
	    &call->common
		 ->link[in_port < s->net_ports ? ideal_port_at(d, s, in_port)->end.link_class : SW_LINK_TERMINAL];
	uint32_t link = out < s->net_ports ? ideal_port_at(d, s, out)->end.link_class : SW_LINK_TERMINAL;
	const struct sw_link *to = &call->common->link[link];
	if (sim_likely(in->ps_per_byte_q16 <= to->ps_per_byte_q16) && !(IDEAL_FRAMES && call->common->reframes))
		return ready;
	uint64_t comes = sw_serialisation(in, p->bytes),
		 goes = sw_serialisation(to, ideal_bytes_on(call->common, link, p));
	return !IDEAL_FRAMES || comes > goes ? ready + comes - goes : ready;
}

/* The output of a packet that must not wait for `out`, chosen by route(): `out` if there are credits; otherwise the
 * packet turns. */
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

/* A packet that has been routed; in_vc is the VC of its input buffer. */
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
	uint64_t ready = mode <= IDEAL_FULL ? ideal_ready(call, d, s, in_port, way.out, p) : call->now + d->traversal;
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
		/* last written long ago: prefetched until the next credit arrives */
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

/* One for each mode except IDEAL_LANES; modes without slack have only one lane. */
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

/* Credits of a lane if other lanes may use those returned to a pool: after it the others are served in cyclic order. */
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
	return h->links >> o->end.link_class & 1 &&
	       sw_hold_may_tell(h, d->share, o->end.let_go >> vc & 1, ideal_credits(d, o, vc), bytes, bound);
}

/* Credits that arrive at an unknown time in the next window, in which less than `bound` bytes will be given to any
 * output: applies them and returns true if no packet waits for them and the present credits suffice anyway, so that the
 * time does not matter. Not under the journal. */
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
