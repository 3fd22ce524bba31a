/* switch/tiled/cross.h - the data path of the tiled switch from the grant to the link, inline. See path.h.
 *
 * The macro TILED_HOST(call, op, ...) calls the host's function `op`. TILED_TRANSMIT calls its transmit() for a packet,
 * whose VC on the link is vc_. A host that inlines the switch defines these macros before it includes this file. */
#ifndef SWITCH_TILED_CROSS_H
#define SWITCH_TILED_CROSS_H

#include "switch/tiled/tiled.h"

#ifndef TILED_HOST
#define TILED_HOST(call, op, ...) (call)->host_ops->op((call), __VA_ARGS__)
#define TILED_TRANSMIT(call, out, end, p, vc_, start, finish)                             \
	do {                                                                              \
		(p)->vc = (vc_);                                                          \
		(call)->host_ops->transmit((call), (out), (end), (p), (start), (finish)); \
	} while (0)
#endif

/* --- from the multiplexer to the link -------------------------------------------------------------------- */

/* Called when a packet has won its way from input i to the output buffer of output o: its first byte arrives there at
 * `start`, its last byte at `finish`. From now on its departure is certain, and it is passed to the host. The caller
 * has saved the state of the output and the packet in the journal. Returns whether an action has become due. */
TILED_INLINE bool tiled_leave(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                              const struct tiled_port *i, struct tiled_port *o, uint32_t packet, struct tiled_packet *p,
                              uint64_t start, uint64_t finish, enum tiled_mode mode)
{
	uint32_t out = tiled_out(p);
	uint32_t bytes = p->packet.bytes;
	unsigned kind = o->link;
	bool grants = mode != TILED_ANY || d->grants;
	uint64_t time = tiled_serial(d, kind, bytes, mode), idle = o->link_busy;
	uint64_t wire = tiled_wire(i, o);
	start += wire;
	finish += wire;
	uint64_t from = tiled_max(start + d->egress, idle);
	base_check(mode < TILED_UNIFORM || finish + d->egress <= from + time);
	if (mode < TILED_UNIFORM && finish + d->egress > from + time)
		from = finish + d->egress - time; /* the link must not run dry */
	if (!grants && call->common->track_queues)
		tiled_depth_add(call, s, out, bytes, true);
	uint64_t to = from + time;
	o->link_busy = to;
	if (mode == TILED_ANY && sim_unlikely(tiled_traced(s)))
		to = tiled_leave_traced(call, s, o, p, start, finish, idle, &from);
	base_checkf(!grants || o->flight >= time, "switch %u, output %u: %llu ps in flight", s->id, out,
	            (unsigned long long)o->flight);
	if (grants) {
		o->flight -= time;
	} else {
		uint64_t ahead = o->link_busy + d->link[kind].max_packet;
		o->not_before = ahead > d->link[kind].space ? ahead - d->link[kind].space : 0;
		tiled_take_credit(call, d, s, out, tiled_lane(d, p), tiled_leaving(s, p));
	}
	if (sim_likely(out < s->net_ports)) {
		TILED_TRANSMIT(call, out, &o->end, &p->packet, tiled_vc(p), from, to);
	} else {
		p->packet.vc = tiled_vc(p);
		TILED_HOST(call, eject, out - s->net_ports, &p->packet, from, to);
	}
	tiled_give(call->ctx, s, packet, p, mode);
	/* Requests wait for a grant, which was delayed by the limit of bytes in flight, or by a lack of space that has
	 * now been freed. */
	if (!grants || sim_likely(!o->asked_packets) || tiled_due(d, s, TILED_DUE_GRANT, out) != TILED_NEVER)
		return false;
	tiled_want_grant(call, s, o, out, call->now + d->period);
	return true;
}

/* --- crossing without buffers between a granted packet and its output ------------------------------------ */

struct tiled_crosses { /* resources of a packet */
	struct tiled_port *o, *i;
	struct tiled_packet *packet;
	uint32_t out, in;
	uint32_t number; /* of the packet */
};

/* Returns the input whose packet crosses to an output now; SW_NOBODY: no contender is ready. *next is lowered to the
 * earliest time at which another contender will be ready. words: length of the set of a row's inputs. */
TILED_INLINE uint32_t tiled_pick_contender(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                           uint32_t out, const uint64_t *contend, uint64_t *next, uint32_t words,
                                           enum tiled_mode mode)
{
	const struct base_plugin *of_row = mode != TILED_ANY ? &sw_arbiter_round_robin : d->crossbar_arbiter,
				 *of_rows = mode != TILED_ANY ? &sw_arbiter_round_robin : d->column_arbiter;
	bool keyed = sw_arbiter_has_key(of_row) || sw_arbiter_has_key(of_rows);
	uint64_t rows = 0, now = call->now, soonest = *next, may[TILED_ROW_WORDS], any;
	uint64_t row_key[TILED_ROWS], key[TILED_ROW_PORTS], row_key_of[TILED_ROW_PORTS];
	uint32_t best[TILED_ROWS], rows_all = d->rows, per_row = d->geometry.row_ports;
	for (uint32_t r = 0; r < rows_all; r++) {
		any = 0;
		for (uint32_t w = 0; w < words; w++) {
			may[w] = 0;
			for (uint64_t bits = contend[r * words + w]; bits; bits &= bits - 1) {
				uint32_t b = (uint32_t)__builtin_ctzll(bits), i = w * 64 + b,
					 in = d->geometry.port[r * per_row + i];
				uint64_t t = tiled_port_at(d, s, in)->bus_free;
				if (t > now) {
					soonest = tiled_min(soonest, t);
					continue;
				}
				may[w] |= 1ull << b;
				if (keyed) {
					const struct tiled_front *f = tiled_front_at(d, s, (size_t)out * d->ports + in);
					const struct tiled_packet *p = tiled_packet_at(s, f->list.head);
					key[i] = tiled_key(d, sw_arbiter_key(of_row), p, now);
					row_key_of[i] = tiled_key(d, sw_arbiter_key(of_rows), p, now);
				}
			}
			any |= may[w];
		}
		if (!any)
			continue;
		rows |= 1ull << r;
		best[r] = tiled_pick_of_row(of_row, per_row, tiled_crossbar_arbiter(d, s, out, r, 0), may, words, key);
		row_key[r] = keyed ? row_key_of[best[r]] : 0;
	}
	*next = soonest;
	base_check(soonest > now);
	if (!rows)
		return SW_NOBODY;
	uint32_t row = tiled_pick64(of_rows, d->geometry.rows, tiled_column_arbiter(d, s, out, 0), rows, row_key);
	return d->geometry.port[row * per_row + best[row]];
}

/* Returns the same as tiled_pick_contender() if arbitration is round robin both within a row and among rows, and the
 * set of a row's inputs is one word: the first ready contender in cyclic order. */
TILED_INLINE uint32_t tiled_pick_in_turn(const struct tiled_derived *d, struct tiled_state *s, struct tiled_port *o,
                                         const uint64_t *contend, uint64_t now, uint64_t *next)
{
	const uint32_t *crossbar_turn = tiled_in_port(o, d->in_crossbar_arbiters);
	uint64_t soonest = *next;
	uint32_t rows = d->rows, row = o->column_turn < rows ? o->column_turn : 0;
	for (uint32_t k = 0; k < rows; k++, row = row + 1 == rows ? 0 : row + 1) {
		uint64_t all = contend[row], before = (1ull << crossbar_turn[row]) - 1;
		const uint16_t *port = d->geometry.port + row * d->geometry.row_ports;
		for (uint64_t bits = all & ~before, later = all & before; bits | later; bits &= bits - 1) {
			if (!bits) {
				bits = later;
				later = 0;
			}
			uint32_t in = port[__builtin_ctzll(bits)];
			uint64_t t = tiled_port_at(d, s, in)->bus_free;
			if (t <= now)
				return in;
			soonest = tiled_min(soonest, t);
		}
	}
	*next = soonest;
	return SW_NOBODY;
}

/* Reports to the arbiters that the packet's input has won the crossbar output within its row of tiles, and its row the
 * output's multiplexer. */
TILED_INLINE void tiled_crossing_won(struct sim_ctx *ctx, const struct tiled_derived *d, struct tiled_state *s,
                                     const struct tiled_crosses *x, enum tiled_mode mode)
{
	uint32_t row = x->i->row, per_row = d->geometry.row_ports, rows = d->geometry.rows;
	if (mode !=
	    TILED_ANY) { /* as sw_arbiter_won() with round robin, except that the last row's turn may be past it */
		uint32_t *crossbar_turn = tiled_in_port(x->o, d->in_crossbar_arbiters);
		crossbar_turn[row] = x->i->in_row_next;
		x->o->column_turn = row + 1;
		return;
	}
	sw_arbiter_won(ctx, d->column_arbiter, rows, tiled_column_arbiter(d, s, x->out, 0), row, d->row_weight,
	               tiled_charge(d, x->packet));
	sw_arbiter_won(ctx, d->crossbar_arbiter, per_row, tiled_crossbar_arbiter(d, s, x->out, row, 0), x->i->in_row,
	               d->weight + row * per_row, tiled_charge(d, x->packet));
}

/* A packet crosses and leaves. It has been removed from its front, if it was in one. The order in which events are sent
 * affects the results, because events of one instant are executed in this order. Returns whether an action has become
 * due. */
TILED_INLINE bool tiled_cross(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                              const struct tiled_crosses *x, uint64_t now, enum tiled_mode mode)
{
	struct sim_ctx *ctx = call->ctx;
	struct tiled_packet *p = x->packet;
	uint32_t bytes = p->packet.bytes;
	bool network = x->in < s->net_ports;
	uint32_t *used = (uint32_t *)tiled_in_port(x->i, d->in_used) + (network ? tiled_in_vc(p) : 0);
	base_checkf(tiled_in(p) == x->in && tiled_out(p) == x->out,
	            "switch %u: a packet from %u to %u crosses from %u to %u", s->id, tiled_in(p), tiled_out(p), x->in,
	            x->out);
	base_checkf(d->fault || (*used >= bytes && x->i->bus_free <= now && x->o->mux_busy <= now),
	            "switch %u, input %u: %u bytes of %u cross", s->id, x->in, bytes, *used);
	uint64_t finish = now + tiled_beats_as(d, bytes, mode);
	if (BASE_CHECKING || (mode < TILED_UNIFORM && d->trails)) {
		const struct sw_link *link = &call->common->incoming[x->i->link];
		uint64_t tail = tiled_arrived(p) + d->ingress + d->row + sw_serialisation(link, bytes);
		if (mode == TILED_ANY && sim_unlikely(call->common->wires != NULL))
			tail = tiled_trace_of(p)->tail; /* lanes may have been lost */
		base_check(d->trails || tail <= finish);
		finish = tiled_max(finish, tail);
	}
	tiled_crossing_won(ctx, d, s, x, mode);
	if (mode == TILED_ANY && sim_unlikely(ctx->journal)) {
		sim_save(ctx, x->o, sizeof *x->o);
		sim_save(ctx, p, tiled_packet_bytes(s));
	}
	if (mode == TILED_ANY && sim_unlikely(tiled_traced(s)))
		tiled_trace_crossing(call, d, s, x, finish);
	tiled_put(ctx, &x->i->bus_free, finish, mode);
	tiled_put(ctx, used, *used - bytes, mode);
	uint64_t free_at =
	    mode >= TILED_UNIFORM ? now + d->most_frees : d->credit + tiled_max(finish - d->row, now + 1);
	uint32_t *kept = (uint32_t *)tiled_in_port(x->i, d->in_kept) + tiled_in_vc(p);
	base_check(finish >= d->row && free_at == d->credit + tiled_max(finish - d->row, now + 1) &&
	           (!d->in_kept || free_at <= now + call->common->hold_within));
	if (network && d->in_kept && sim_likely(*kept != SW_LETS_GO))
		tiled_put(ctx, kept, *kept + bytes, mode);
	else
		TILED_HOST(call, credit, x->in, network ? &x->i->end : NULL, tiled_in_vc(p), bytes, free_at);
	if (mode == TILED_ANY && sim_unlikely(s->flows))
		tiled_flow_left(call, s, p, free_at);
	x->o->mux_busy = finish;
	return tiled_leave(call, d, s, x->i, x->o, x->number, p, now + d->column, finish + d->column, mode);
}

/* Returns an input in the set `contend`, which must not be empty. */
TILED_INLINE uint32_t tiled_contender(const struct tiled_derived *d, const uint64_t *contend)
{
	uint32_t w = 0;
	while (!contend[w])
		w++;
	return tiled_input_of(d, w, (uint32_t)__builtin_ctzll(contend[w]));
}

/* Moves the first granted packet of an input, which has won the arbitration for output `out`, through the crossbar. */
TILED_INLINE void tiled_cross_front(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                    struct tiled_port *o, uint32_t out, uint32_t in, uint64_t now, enum tiled_mode mode)
{
	struct sim_ctx *ctx = call->ctx;
	struct tiled_front *f = tiled_front_at(d, s, (size_t)out * d->ports + in);
	struct tiled_crosses x = { .o = o,
		                   .i = tiled_port_at(d, s, in),
		                   .packet = tiled_packet_as(s, f->list.head, mode),
		                   .out = out,
		                   .in = in,
		                   .number = f->list.head };
	uint32_t next = x.packet->next;
	tiled_put(ctx, &f->list.head, next, mode);
	if (next == TILED_NONE) {
		uint64_t *set = (uint64_t *)tiled_in_port(o, d->in_contend) + x.i->word,
			 bit = 1ull << (x.i->in_row & 63);
		base_check(*set & bit && o->contenders);
		tiled_put(ctx, set, *set & ~bit, mode);
		tiled_put(ctx, &o->contenders, (uint16_t)(o->contenders - 1), mode);
	}
	tiled_cross(call, d, s, &x, now, mode);
}

/* Executes a decision of an output's multiplexer. Returns the time of its next decision; TILED_NEVER: no packet
 * contends for the output. */
TILED_INLINE uint64_t tiled_multiplex(struct sw_call *call, struct tiled_state *s, uint32_t out, enum tiled_mode mode)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	const uint64_t *contend = tiled_in_port(o, d->in_contend);
	if (!o->contenders)
		return TILED_NEVER;
	uint64_t next = TILED_NEVER, now = call->now;
	if (o->mux_busy > now)
		return o->mux_busy;
	uint32_t in = o->contenders == 1 ? tiled_contender(d, contend)
	              : mode >= TILED_UNIFORM || (mode == TILED_SIMPLE && d->geometry.row_words == 1)
	                  ? tiled_pick_in_turn(d, s, o, contend, now, &next)
	              : d->geometry.row_words == 1
	                  ? tiled_pick_contender(call, d, s, out, contend, &next, 1, mode)
	                  : tiled_pick_contender(call, d, s, out, contend, &next, TILED_ROW_WORDS, mode);
	if (o->contenders == 1 && (next = tiled_port_at(d, s, in)->bus_free) > now)
		in = SW_NOBODY;
	if (in != SW_NOBODY) {
		tiled_cross_front(call, d, s, o, out, in, now, mode);
		next = now;
		if (o->contenders == 1)
			next = tiled_port_at(d, s, tiled_contender(d, contend))->bus_free;
	}
	return o->contenders ? tiled_max(next, o->mux_busy) : TILED_NEVER;
}

/* Executes a decision of an output's multiplexer in mode TILED_SIMPLE, not inlined. Returns the time of its next
 * decision. */
static __attribute__((noinline, unused)) uint64_t tiled_direct_simply(struct sw_call *call, struct tiled_state *s,
                                                                      uint32_t out)
{
	return tiled_multiplex(call, s, out, TILED_SIMPLE);
}

/* Called when a packet's grant has reached its tile. alone: no other grant for the same output arrives at this instant.
 * Returns whether an action has become due. */
TILED_INLINE bool tiled_grant_comes(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                    uint32_t packet, struct tiled_packet *p, uint64_t now, bool alone,
                                    enum tiled_mode mode)
{
	uint32_t in = tiled_in(p), out = tiled_out(p);
	struct tiled_port *i = tiled_port_at(d, s, in), *o = tiled_port_at(d, s, out);
	if (sim_likely(alone && !o->contenders && o->mux_busy <= now && i->bus_free <= now)) {
		struct tiled_crosses x = { .o = o, .i = i, .packet = p, .out = out, .in = in, .number = packet };
		return tiled_cross(call, d, s, &x, now, mode);
	}
	struct tiled_front *f = tiled_front_at(d, s, (size_t)out * d->ports + in);
	if (!tiled_append_as(call->ctx, s, &f->list, packet, mode))
		return false;
	uint64_t *set = (uint64_t *)tiled_in_port(o, d->in_contend) + i->word;
	tiled_put(call->ctx, set, *set | 1ull << (i->in_row & 63), mode);
	tiled_put(call->ctx, &o->contenders, (uint16_t)(o->contenders + 1), mode);
	tiled_want_mux_as(call, s, o, out, tiled_max(now, i->bus_free), mode);
	return true;
}

#endif
