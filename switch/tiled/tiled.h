/* switch/tiled/tiled.h - internals of the tiled switch. Only files of switch/tiled/, those of network/ that inline it,
 * and tests include it.
 *
 * R rows of C columns of tiles, P ports each. A port's packets use its own row bus to a tile of its row, that tile's (C
 * P)-input, (R P)-output crossbar, the column channel of (row, output), and the output's R:1 multiplexer into its
 * output buffer.
 *
 *   input i:   queues -> row bus ->
 *   tile (row of i, column of o):   [row buffer] -> crossbar output (r, o) -> column channel ->
 *   output o:  [column buffer] -> mux -> output buffer -> link
 *   requests:  queues of i -> request queues of o -> grant arbiter of o -> grant -> queues of i
 *
 * A packet moves in one piece, and the clock periods of its transfer (beats) are only computed: a server (bus, crossbar
 * output, multiplexer) is busy for beats x clock period, or until the packet's last byte has arrived, if that is later
 * (cut-through). Internal actions are not events of the engine: messages with constant delay are in lists in order of
 * arrival, arbiters have an agenda (switch/tiled/agenda.h), and when an event arrives from outside, run.c first
 * executes all due actions in order of time. That is early enough, because effects of a decision take at least `egress`
 * or `credit` to reach the outside; if no event arrives for long, an event of the switch's own executes them.
 *
 * Without row buffers a granted packet stays in its input until its row bus and its column are free at the same time: a
 * packet that has left the input never waits (the paper: data is buffered in the input "until the resources are
 * available, guaranteeing no further blocks"). Without column buffers a crossing packet holds crossbar output, column
 * channel and multiplexer together, so that the crossbar's arbiters and the multiplexer's decide in one event. A stage
 * with row or column buffers has servers of its own, and credits for the space in its buffers.
 *
 * If packets differ in size, arbiters of an output choose among all requests, regardless of credits. A winner whose
 * lane lacks credits for its size reserves the lane: until the credits suffice, no other packet of that lane is
 * granted, so that small packets cannot starve a large one (tiled_derived.reserves).
 *
 * Lanes (switch/lanes.h): a lane is a traffic class on a VC. Queues, requests, row and column buffers are per lane,
 * fronts of granted packets per class. With ordered classes (switch/classes.h) every arbiter decides level by level,
 * the highest first, and has a state of its own for each; see classes.c.
 *
 * Invariants: a grant reserves credits downstream and space in the output buffer, so granted packets always drain.
 * Without grants the last stage reserves both. Then every queue before the column buffers has packets of one input and
 * lane only, and every column buffer those for one output and lane: so a packet waits only for a resource that some
 * packet of the same input buffer needs itself. */
#ifndef SWITCH_TILED_H
#define SWITCH_TILED_H

#include "switch/tiled/packet.h"

/* Returns the ps that a packet takes on a bus, crossbar output or column channel. */
static inline uint64_t tiled_beats(const struct tiled_derived *d, uint32_t bytes)
{
	uint64_t beats = ((uint64_t)(bytes + d->width - 1) * d->width_reciprocal) >> 32;
	return beats * d->period;
}

static inline uint64_t tiled_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}
static inline uint64_t tiled_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns a number of credits, in bytes: an output that has more has enough for a largest packet during the whole
 * window, so that further credits have no effect until its end. In the window it grants at most the bytes that may be
 * in flight (grant_bytes, and one packet above it) plus those that its multiplexer can carry meanwhile; the result
 * exceeds both together by at least one packet. SIM_NEVER: no number suffices. */
static inline uint64_t tiled_enough(const struct sw_common *c, uint64_t window)
{
	const struct tiled_derived *d = c->impl;
	uint64_t carried = (uint64_t)((unsigned __int128)(window + d->slack) * d->bytes_per_ps_q32 >> 32);
	base_check(!d->account.pool);
	return !d->grants || c->bubble || c->flow_channels || d->grant_bytes == SIM_NEVER
	           ? SIM_NEVER
	           : d->grant_bytes + 4ull * d->max_packet + carried;
}

/* sw_ops.timing.credit_early() with that number. */
TILED_INLINE bool tiled_credit_early(const struct tiled_derived *d, struct tiled_state *s, uint64_t enough,
                                     uint32_t out, uint32_t lane, uint32_t bytes)
{
	struct tiled_port *o = tiled_port_at(d, s, out);
	uint32_t *credit = tiled_account_of(o) + lane;
	if (*credit + bytes > d->share || *credit < enough ||
	    (d->hold.stop && sw_hold_may_tell(&d->hold, d->share, o->end.let_go >> lane & 1, *credit, bytes, enough)))
		return false;
	*credit += bytes;
	return true;
}

/* Prefetches the state of an input port that an arriving packet needs. */
TILED_INLINE void tiled_prefetch_input(const struct tiled_derived *d, struct tiled_state *s, uint32_t in)
{
	struct tiled_port *i = tiled_port_at(d, s, in);
	__builtin_prefetch(i, 1);
	__builtin_prefetch(tiled_account_of(i), 1); /* and the bytes in use */
}

TILED_INLINE void tiled_prefetch_output(const struct tiled_derived *d, struct tiled_state *s, uint32_t out)
{
	struct tiled_port *o = tiled_port_at(d, s, out);
	__builtin_prefetch(o, 1);
	__builtin_prefetch(tiled_account_of(o), 1);
}

/* Prefetches the state of ports and queue that a packet from `in` to `out` needs, on VC `vc` there, in a switch without
 * row and column buffers. */
TILED_INLINE void tiled_prefetch_way(const struct tiled_derived *d, struct tiled_state *s, uint32_t in, uint32_t out,
                                     uint32_t vc)
{
	tiled_prefetch_input(d, s, in);
	tiled_prefetch_output(d, s, out);
	if (d->grants)
		__builtin_prefetch(tiled_voq_at(d, s, out, vc, in), 1);
}

/* Is this the common case: an event that is not speculative and needs the data path only? Functions in mode
 * TILED_SIMPLE use no journal, traces, meters or flow channels, and assume the arbiters of the presets. */
TILED_INLINE bool tiled_is_simple(const struct sw_call *call, const struct tiled_state *s)
{
	return s->simple && !call->ctx->journal;
}

/* Returns the best mode for switches without instruments: TILED_SIMPLE if tiled_is_simple() can be true, TILED_UNIFORM
 * if tiled_derived.uniform is set as well, otherwise TILED_ANY. */
enum tiled_mode tiled_mode_of(const struct sw_common *c);

/* Return the ps that a packet takes on a link, and on a bus. */
TILED_INLINE uint64_t tiled_serial(const struct tiled_derived *d, unsigned link, uint32_t bytes, enum tiled_mode mode)
{
	base_check(mode < TILED_UNIFORM || bytes == d->max_packet);
	return mode >= TILED_UNIFORM ? d->link[link].max_packet : sw_serialisation(&d->link[link].link, bytes);
}
TILED_INLINE uint64_t tiled_beats_as(const struct tiled_derived *d, uint32_t bytes, enum tiled_mode mode)
{
	base_check(mode < TILED_UNIFORM || bytes == d->max_packet);
	return mode >= TILED_UNIFORM ? d->most_beats : tiled_beats(d, bytes);
}

#define tiled_put(ctx, at, value, mode)                      \
	do {                                                 \
		if ((mode) == TILED_ANY)                     \
			sim_save((ctx), (at), sizeof *(at)); \
		*(at) = (value);                             \
	} while (0)
TILED_INLINE void tiled_keep(struct sim_ctx *ctx, void *at, size_t bytes, enum tiled_mode mode)
{
	if (mode == TILED_ANY)
		sim_save(ctx, at, bytes);
}

/* Returns the first edge of the switch's clock at or after time t. */
TILED_INLINE uint64_t tiled_edge(const struct tiled_derived *d, const struct tiled_state *s, uint64_t t)
{
	if (!d->edge_reciprocal)
		return t;
	uint64_t behind = t + s->to_edge, n = (uint64_t)((unsigned __int128)behind * d->edge_reciprocal >> 64);
	if (sim_unlikely(n * d->period > behind)) /* the reciprocal was rounded up */
		n--;
	uint64_t edge = n * d->period + s->phase;
	base_checkf(edge >= t && edge < t + d->period, "%llu ps for %llu", (unsigned long long)edge,
	            (unsigned long long)t);
	return edge;
}

/* Returns the wire delay, in ps, from the tile of port i to that of port o, in addition to the delays within a tile. */
TILED_INLINE uint64_t tiled_wire(const struct tiled_port *i, const struct tiled_port *o)
{
	return (uint32_t)abs((int32_t)(i->x - o->x)) + (uint32_t)abs((int32_t)(i->y - o->y));
}

/* Appends a packet to a list; returns whether the list was empty. */
TILED_INLINE bool tiled_append_as(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_list *l, uint32_t i,
                                  enum tiled_mode mode)
{
	bool empty = l->head == TILED_NONE;
	base_checkf(tiled_packet_at(s, i)->next == TILED_NONE &&
	                (empty || tiled_packet_at(s, l->tail)->next == TILED_NONE),
	            "packet %u behind %u", i, l->tail);
	tiled_keep(ctx, l, sizeof *l, mode);
	if (empty) {
		l->head = i;
	} else {
		struct tiled_packet *t = tiled_packet_as(s, l->tail, mode);
		tiled_put(ctx, &t->next, i, mode);
	}
	l->tail = i;
	return empty;
}
TILED_INLINE bool tiled_append(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_list *l, uint32_t i)
{
	return tiled_append_as(ctx, s, l, i, TILED_ANY);
}

/* Has the output granted the maximum number of bytes that may be in flight? One packet is always allowed. */
static inline bool tiled_at_limit(const struct tiled_derived *d, const struct tiled_port *o)
{
	return o->flight >= d->link[o->link].grants;
}

/* Adds to an instrument's reading, if there are instruments. */
#define tiled_count(ctx, s, port, field, more)                       \
	do {                                                         \
		if (sim_unlikely((s)->meters)) {                     \
			uint64_t *field_ = &(s)->meters[port].field; \
			sim_set((ctx), field_, *field_ + (more));    \
		}                                                    \
	} while (0)

/* Adds to the busy time of a unit, if there are instruments. */
#define tiled_use(call, s, port, field, from, to)                            \
	do {                                                                 \
		if (sim_unlikely((s)->meters)) {                             \
			struct sw_use *use_ = &(s)->meters[port].field;      \
			sim_save((call)->ctx, use_, sizeof *use_);           \
			sw_use_add(use_, (call)->common->end, (from), (to)); \
		}                                                            \
	} while (0)

enum { TILED_EVENT_WAKE = SW_EVENT_FIRST };
enum { TILED_PHASE_WAKE = 7 };

/* Return the agenda of multiplexers, and the agenda of everything else. Multiplexers have one of their own because they
 * decide most often, and this agenda is smaller. */
TILED_INLINE struct sw_agenda *tiled_muxes(const struct tiled_derived *d, struct tiled_state *s)
{
	return (struct sw_agenda *)(void *)(s->rest + d->at_muxes);
}
TILED_INLINE struct sw_agenda *tiled_agenda(const struct tiled_derived *d, struct tiled_state *s)
{
	return (struct sw_agenda *)(void *)(s->rest + d->at_agenda);
}

TILED_INLINE struct sw_agenda *tiled_agenda_of(const struct tiled_derived *d, struct tiled_state *s,
                                               enum tiled_due kind)
{
	return kind == TILED_DUE_MUX ? tiled_muxes(d, s) : tiled_agenda(d, s);
}

/* Returns the time of the next decision of arbiter number i of a kind; TILED_NEVER: none is scheduled. */
static inline uint64_t tiled_due(const struct tiled_derived *d, struct tiled_state *s, enum tiled_due kind, uint32_t i)
{
	return sw_agenda_time(tiled_agenda_of(d, s, kind), d->first[kind] + i);
}

/* Schedules a decision of an arbiter at time t, unless an earlier one is scheduled. t may equal the present time only
 * for kinds that come later in enum tiled_due than the present action. */
TILED_INLINE void tiled_want_as(struct sw_call *call, struct tiled_state *s, enum tiled_due kind, uint32_t i,
                                uint64_t t, enum tiled_mode mode)
{
	const struct tiled_derived *d = s->derived;
	base_checkf(t >= call->now, "an arbiter is scheduled at %llu ps, at %llu", (unsigned long long)t,
	            (unsigned long long)call->now);
	s->due = tiled_min(s->due, t);
	sw_agenda_bring(call->ctx, tiled_agenda_of(d, s, kind), d->first[kind] + i, t, mode == TILED_ANY);
}
TILED_INLINE void tiled_want(struct sw_call *call, struct tiled_state *s, enum tiled_due kind, uint32_t i, uint64_t t)
{
	tiled_want_as(call, s, kind, i, t, TILED_ANY);
}

/* Returns the value by which an arbiter compares this packet with others. */
TILED_INLINE uint64_t tiled_key(const struct tiled_derived *d, enum sw_arbiter_key key, const struct tiled_packet *p,
                                uint64_t now)
{
	if (key != SW_KEY_AGE)
		return key == SW_KEY_HOPS ? p->packet.hops : p->packet.bytes;
	if (d->age == SW_AGE_INJECTION)
		return sw_injected(&p->packet, now);
	return d->age == SW_AGE_ARRIVAL ? tiled_arrived(p) : sw_last_time(p->packet.created, d->created_mask, now);
}
TILED_INLINE struct sw_charge tiled_charge(const struct tiled_derived *d, const struct tiled_packet *p)
{
	return (struct sw_charge){ p->packet.bytes, d->quantum };
}

/* Returns the input that a bit of a set by rows represents. */
static inline uint32_t tiled_input_of(const struct tiled_derived *d, uint32_t word, uint32_t bit)
{
	return d->geometry.port[d->geometry.first[word] + bit];
}

/* Calls an arbiter with at most 64 requesters: the inputs of a row, or the rows. Returns the winner. */
static inline uint32_t tiled_pick64(const struct base_plugin *arbiter, uint32_t n, const void *state, uint64_t requests,
                                    const uint64_t *key)
{
	if (arbiter == &sw_arbiter_round_robin && requests) { /* sw_set_next() in one word; turn: up to 64 */
		uint64_t after = requests & (~0ull << (*(const uint32_t *)state & 63));
		return (uint32_t)__builtin_ctzll(after ? after : requests);
	}
	const uint64_t set[SW_SET_WORDS] = { requests };
	return sw_arbiter_pick(arbiter, n, state, set, key);
}

/* Calls the arbiter among the inputs of a row of tiles; words: length of its bit sets. Returns the winner's number in
 * the row. */
TILED_INLINE uint32_t tiled_pick_of_row(const struct base_plugin *arbiter, uint32_t n, const void *state,
                                        const uint64_t *requests, uint32_t words, const uint64_t *key)
{
	return words == 1 ? tiled_pick64(arbiter, n, state, requests[0], key)
	                  : sw_arbiter_pick(arbiter, n, state, requests, key);
}

/* Reports to the arbiters that input `in` has won a grant of output `out`: within its row, and its row among the
 * rows. */
TILED_INLINE void tiled_grant_won(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                  uint32_t out, uint32_t in, const struct tiled_packet *p, uint32_t class)
{
	if (sim_likely(d->grant_by_age))
		return;
	uint32_t row = d->geometry.row[in], per_row = d->geometry.row_ports;
	base_check(d->geometry.place[in] == row * per_row + d->geometry.in_row[in]);
	sw_arbiter_won(call->ctx, d->grant_arbiter, per_row, tiled_grant_arbiter(d, s, out, row, class),
	               d->geometry.in_row[in], d->weight + row * per_row, tiled_charge(d, p));
	sw_arbiter_won(call->ctx, d->grant_column_arbiter, d->geometry.rows,
	               tiled_grant_column_arbiter(d, s, out, class), row, d->row_weight, tiled_charge(d, p));
}

/* The number of credits (bytes) that a packet needs at its output. */
TILED_INLINE uint64_t tiled_need(const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p)
{
	return tiled_traced(s) ? tiled_trace_of(p)->leaving + (uint64_t)tiled_trace_of(p)->slack * d->max_packet
	                       : p->packet.bytes;
}

/* Do the free bytes of the lane's own reserve suffice for the packet? (The numbers of an account are below 2^31; that
 * of a lane that uses the pool is negative.) */
TILED_INLINE bool tiled_has_own_credit(const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p,
                                       uint32_t lane)
{
	return (int32_t)*tiled_credit_at(d, s, tiled_out(p), lane) >= (int64_t)tiled_need(d, s, p);
}

/* Schedules a decision of the multiplexer at t, or when it is free, if that is later. */
TILED_INLINE void tiled_want_mux_as(struct sw_call *call, struct tiled_state *s, struct tiled_port *o, uint32_t out,
                                    uint64_t t, enum tiled_mode mode)
{
	t = tiled_max(t, o->mux_busy);
	if (mode == TILED_ANY && !s->derived->grants)
		t = tiled_max(t, o->not_before);
	tiled_want_as(call, s, TILED_DUE_MUX, out, t, mode);
}
TILED_INLINE void tiled_want_mux(struct sw_call *call, struct tiled_state *s, struct tiled_port *o, uint32_t out,
                                 uint64_t t)
{
	tiled_want_mux_as(call, s, o, out, t, TILED_ANY);
}

/* Returns the time at which a message that is ready at t enters the row bus of its input. *free: the time from which
 * the bus is free, which is updated. */
TILED_INLINE uint64_t tiled_pass_message(struct sim_ctx *ctx, uint64_t *free, uint64_t t, uint64_t spacing,
                                         enum tiled_mode mode)
{
	t = tiled_max(t, *free);
	tiled_put(ctx, free, t + spacing, mode);
	return t;
}

/* Appends a message that will arrive at t to a list, which is in order of arrival and linked by next_message. Returns
 * whether the list was empty. */
TILED_INLINE bool tiled_append_message(struct sim_ctx *ctx, struct tiled_state *s, struct tiled_list *l,
                                       uint64_t *first, uint32_t packet, uint64_t t, enum tiled_mode mode)
{
	bool empty = l->head == TILED_NONE;
	tiled_keep(ctx, l, sizeof *l, mode);
	if (empty) {
		l->head = packet;
		tiled_put(ctx, first, t, mode);
		s->due = tiled_min(s->due, t);
	} else {
		struct tiled_packet *last = tiled_packet_as(s, l->tail, mode);
		base_check(tiled_ready(last) <= t && last->next_message == TILED_NONE);
		tiled_put(ctx, &last->next_message, packet, mode);
	}
	l->tail = packet;
	return empty;
}

/* A function that is called when a message has arrived. alone: no other message for the same output arrives at this
 * instant. */
typedef void tiled_arrival(struct sw_call *call, struct tiled_state *s, uint32_t packet, struct tiled_packet *p,
                           bool alone);

/* Functions of run.c, which executes due actions in order. */
void tiled_run(struct sw_call *call); /* before call->now */
void tiled_wake(struct sw_call *call);
void tiled_woken(struct sw_call *call, struct tiled_state *s); /* its end: all due actions have been executed */
void tiled_decide(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t number);
void tiled_arm(struct sw_call *call, struct tiled_state *s);
void tiled_append_late(struct sw_call *call, struct tiled_state *s, enum tiled_due kind, uint32_t in, uint32_t packet);

/* Functions of flows.c (flow channels), only if s->flows is not NULL. tiled_flow_enters() returns false if the packet
 * has to wait because its flow has reached its limit. */
bool tiled_flow_enters(struct sw_call *call, struct tiled_state *s, uint32_t packet, uint32_t out, uint32_t lane);
/* Returns the output of a packet from an endpoint: the output of its flow, as long as the flow keeps its route. */
uint32_t tiled_flow_route(struct sw_call *call, struct tiled_state *s, uint32_t in, struct sw_packet *p,
                          uint8_t *slack);
/* Called when a control word reports that the next switch has released a packet of a flow. */
void tiled_flow_credit(struct sw_call *call, struct tiled_state *s, uint32_t out, uint64_t word);
/* Called when a packet's bytes in the input buffer are free; the credits for the sender leave at `when`. */
void tiled_flow_left(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p, uint64_t when);

/* acks.c: sw_ops.links.ack_enters and ack_crosses. */
uint64_t tiled_ack_enters(struct sw_call *call, uint32_t in);
uint64_t tiled_ack_crosses(struct sw_call *call, uint32_t in, uint32_t out, uint64_t ready);

/* sw_ops.links.hold_flow */
void tiled_hold_flow(struct sw_call *call, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t until);

/* grant.c: requests and grants. */
/* Sends the request of a packet that arrived some time ago and has waited since, for its flow's limit; it joins its
 * queue. */
void tiled_ask_late(struct sw_call *call, struct tiled_state *s, uint32_t packet);
void tiled_want_grant(struct sw_call *call, struct tiled_state *s, struct tiled_port *o, uint32_t out, uint64_t t);
void tiled_grant(struct sw_call *call, struct tiled_state *s, uint32_t out);
/* Executes the same decision as tiled_grant() in mode TILED_UNIFORM. Returns the time of the next decision;
 * TILED_NEVER: there is none before another arrival. */
uint64_t tiled_grant_uniformly(struct sw_call *call, struct tiled_state *s, uint32_t out);
tiled_arrival tiled_requested;
void tiled_absorb(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, struct tiled_port *o,
                  const struct tiled_packet *p);
/* Registers an arrived request at its output in mode TILED_UNIFORM, and schedules a decision on the grant. */
void tiled_absorb_uniformly(struct sw_call *call, struct tiled_state *s, struct tiled_port *o,
                            const struct tiled_packet *p);
void tiled_ask_next(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, struct tiled_voq *q);

/* Functions of bus.c: the queues of an input and its row bus; only with row buffers. */
void tiled_enqueue(struct sw_call *call, struct tiled_state *s, uint32_t packet);
void tiled_want_bus(struct sw_call *call, struct tiled_state *s, uint32_t in, uint64_t t);
void tiled_bus(struct sw_call *call, struct tiled_state *s, uint32_t in);

/* Functions of column.c: crossbar outputs, column channels, multiplexers, and the output's link. */
void tiled_contend(struct sw_call *call, struct tiled_state *s, size_t front);
void tiled_want_column(struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t row, uint64_t t);
void tiled_crossbar(struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t row);
void tiled_mux(struct sw_call *call, struct tiled_state *s, uint32_t out);

/* Functions of direct.c: the multiplexer of switches without buffers on the way to it. */
void tiled_direct(struct sw_call *call, struct tiled_state *s, uint32_t out);
tiled_arrival tiled_at_tile;
struct tiled_crosses;
void tiled_trace_crossing(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                          const struct tiled_crosses *x, uint64_t finish);

/* Functions of egress.c: the output buffer and the link, the queue depth for routing, and records. */
void tiled_release_input(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p, uint64_t when);
uint64_t tiled_leave_traced(struct sw_call *call, struct tiled_state *s, struct tiled_port *o, struct tiled_packet *p,
                            uint64_t buffered, uint64_t whole, uint64_t idle, uint64_t *from);
void tiled_depth_add(struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t bytes, bool less);
uint64_t tiled_queue_bytes(const void *state, uint32_t out, uint64_t now);
uint64_t tiled_queues(const void *state, uint64_t now);
void tiled_queue_bytes_each(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes);
uint64_t tiled_used_credits(const void *state, uint32_t out, uint64_t now);
uint64_t tiled_credit_loop(const struct sw_common *c, unsigned link, uint32_t bytes);
bool tiled_has_credit(const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p, uint32_t lane);
bool tiled_has_most(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane);
/* Must be called when credits have been taken: `left` bytes of the lane's credits remain at output number `out`, whose
 * state is *o. */
TILED_INLINE void tiled_credit_taken(struct sw_call *call, const struct tiled_derived *d, struct tiled_port *o,
                                     uint32_t out, uint32_t lane, uint32_t left)
{
	if (sim_unlikely(left < d->hold.stop || (o->end.let_go && o->end.let_go >> lane & 1)))
		sw_hold_turn(call, &d->hold, &o->end, out, lane, d->share, left, call->now + d->hold_delay);
}
void tiled_take_credit(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                       uint32_t lane, uint32_t leaving);
bool tiled_reserve(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p,
                   uint32_t holder);
void tiled_end_reserve(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                       uint32_t lane);

/* Functions of classes.c, only for switches with ordered classes. */
void tiled_levels(const struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t *level, uint64_t *when);
uint32_t tiled_level_of(const struct sw_call *call, struct tiled_state *s, const struct tiled_list *l, uint64_t *when);
void tiled_pay(struct sw_call *call, struct tiled_state *s, struct tiled_packet *p);
bool tiled_claimed(const struct sw_call *call, struct tiled_state *s, uint32_t in, uint32_t out, uint32_t level);
void tiled_claims_begin(struct sw_call *call, struct tiled_state *s, uint32_t in, uint32_t out);
void tiled_claims_end(struct sw_call *call, struct tiled_state *s, uint32_t in, uint32_t out, uint64_t finish);

/* build.c */
int tiled_build(struct sw_common *common, struct base_errors *errors);
void tiled_destroy(struct sw_common *common);
extern const struct base_param tiled_parameters[];
extern const struct base_condition tiled_conditions[];
/* Copies the parameters, and replaces those that are omitted by the preset's values. */
void tiled_resolve(struct tiled_params *to, const struct tiled_params *from);
/* Does has() return true for one of the arbiters in use? It is called with NULL for an arbiter that is "auto". */
bool tiled_any_arbiter(const struct tiled_params *p, bool (*has)(const struct base_plugin *arbiter));

/* checks.c */
uint64_t tiled_list_bytes(struct tiled_state *s, const struct tiled_list *l); /* of all its packets */
void tiled_regions(const struct sw_common *c, void *state, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
uint64_t tiled_credits_out(const struct sw_common *c, const void *state);
void tiled_each_waiting(const struct sw_common *c, const void *state,
                        void (*visit)(void *arg, const struct sw_waiting *w), void *arg);

/* Functions of instruments.c. Those with a `call` argument must only be called if s->meters is not NULL. */
size_t tiled_meter_bytes(const struct sw_common *c);
struct sw_use *tiled_crossed_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t row);
void tiled_meter_arrive(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p);
void tiled_meter_release(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p);
void tiled_meter_pass(struct sw_call *call, struct tiled_state *s, struct tiled_packet *p, uint64_t buffered,
                      uint64_t link_start, uint64_t link_finish);
void tiled_tiles(const struct sw_common *c, struct sw_instruments *table);
void tiled_read_instruments(const struct sw_common *c, const void *state, const struct sw_instruments *table,
                            uint64_t *words);
#define TILED_INSTRUMENTS 33u
extern const struct sw_instrument tiled_instruments[];

#endif
