/* switch/tiled_direct.c - the multiplexer where nothing is between a granted packet's input and its output's buffer: it
 * crosses in one piece, in one event.
 *
 * The crossbar arbiter of each row names its candidate, the multiplexer's arbiter picks the row, and row bus, crossbar
 * output, column channel and multiplexer are taken together. What is written here was declared to the journal at once:
 * save_all(). */
#include "switch/tiled.h"

struct crossing { /* of a packet: what it takes */
	struct tiled_port *o, *i;
	struct tiled_front *front;
	struct tiled_packet *packet;
	uint64_t *contend; /* of its row */
	uint32_t *used;
	uint32_t out, in, row;
	uint32_t number; /* of the packet */
};

/* Who of several contenders crosses; SW_NOBODY: none is ready. *next: when one will be, at the earliest. words: of a
 * row's set. */
TILED_INLINE uint32_t pick(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                           const uint64_t *contend, uint64_t *next, uint32_t words)
{
	bool keyed = sw_arbiter_has_key(d->crossbar_kind) || sw_arbiter_has_key(d->column_kind);
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
				const struct tiled_front *f = tiled_front_at(d, s, (size_t)out * d->ports + in);
				uint64_t t = tiled_max(f->contend, tiled_port_at(d, s, in)->bus_free);
				if (t > now) {
					soonest = tiled_min(soonest, t);
					continue;
				}
				may[w] |= 1ull << b;
				if (keyed) {
					const struct tiled_packet *p = tiled_packet_at(s, f->list.head);
					key[i] = tiled_key(d, d->crossbar_kind, p);
					row_key_of[i] = tiled_key(d, d->column_kind, p);
				}
			}
			any |= may[w];
		}
		if (!any)
			continue;
		rows |= 1ull << r;
		best[r] =
		    tiled_pick_of_row(d->crossbar_kind, per_row, tiled_crossbar_arbiter(d, s, out, r), may, words, key);
		row_key[r] = keyed ? row_key_of[best[r]] : 0;
	}
	*next = soonest;
	base_check(soonest > now);
	if (!rows)
		return SW_NOBODY;
	uint32_t row = tiled_pick64(d->column_kind, d->geometry.rows, tiled_column_arbiter(d, s, out), rows, row_key);
	return d->geometry.port[row * per_row + best[row]];
}

/* Declares all that cross() changes, besides arbiters. */
static void save_all(struct sim_ctx *ctx, const struct tiled_state *s, const struct crossing *x)
{
	if (sim_likely(!ctx->journal))
		return;
	sim_save(ctx, x->o, sizeof *x->o);
	sim_save(ctx, x->contend, sizeof *x->contend);
	sim_save(ctx, &x->i->bus_free, sizeof x->i->bus_free);
	sim_save(ctx, x->used, sizeof *x->used);
	sim_save(ctx, x->front, sizeof *x->front);
	sim_save(ctx, x->packet, tiled_packet_bytes(s));
}

/* What only records and instruments want to know. */
static void trace(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, const struct crossing *x,
                  uint64_t finish)
{
	uint64_t was_free = tiled_max(tiled_ready(x->packet), x->i->bus_free);
	tiled_trace_of(x->packet)->bus_wait = was_free - tiled_ready(x->packet);
	tiled_trace_of(x->packet)->column_wait = call->now - was_free;
	if (!s->meters)
		return;
	uint64_t *crossed = tiled_crossed_at(d, s, x->out, x->row), time = sw_counted(call->common, call->now, finish);
	sim_set(call->ctx, crossed, *crossed + time);
	tiled_count(call->ctx, s, x->in, bus, time);
	tiled_count(call->ctx, s, x->out, mux, time);
	tiled_meter_release(call, s, x->packet);
}

/* Input `in` has won: its turn is noted, and what its packet takes is returned. */
TILED_INLINE struct crossing win(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                 uint32_t out, uint32_t in)
{
	uint32_t row = d->geometry.row[in], per_row = d->geometry.row_ports;
	struct tiled_front *front = tiled_front_at(d, s, (size_t)out * d->ports + in);
	struct tiled_packet *p = tiled_packet_at(s, front->list.head);
	sw_arbiter_won(call->ctx, d->column_kind, d->geometry.rows, tiled_column_arbiter(d, s, out), row, d->row_weight,
	               tiled_charge(d, p));
	sw_arbiter_won(call->ctx, d->crossbar_kind, per_row, tiled_crossbar_arbiter(d, s, out, row),
	               d->geometry.in_row[in], d->weight + row * per_row, tiled_charge(d, p));
	return (struct crossing){ .o = tiled_port_at(d, s, out),
		                  .i = tiled_port_at(d, s, in),
		                  .front = front,
		                  .packet = p,
		                  .contend = tiled_contend_at(d, s, out, d->geometry.word[in]),
		                  .used = tiled_used_at(d, s, in, in < s->net_ports ? tiled_in_vc(p) : 0),
		                  .out = out,
		                  .in = in,
		                  .row = row,
		                  .number = front->list.head };
}

/* A packet crosses and leaves. The order of what is sent is part of the result: events of one instant keep it. */
TILED_INLINE uint64_t cross(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                            const struct crossing *x)
{
	struct tiled_packet *p = x->packet;
	uint32_t bytes = p->packet.bytes, next = p->next;
	base_checkf(
	    tiled_in(p) == x->in && tiled_out(p) == x->out && *x->contend >> (d->geometry.in_row[x->in] & 63) & 1,
	    "switch %u: a packet from %u to %u crosses from %u to %u", s->id, tiled_in(p), tiled_out(p), x->in, x->out);
	base_checkf(d->fault || (*x->used >= bytes && x->i->bus_free <= call->now && x->o->mux_busy <= call->now),
	            "switch %u, input %u: %u bytes of %u cross", s->id, x->in, bytes, *x->used);
	bool network = x->in < s->net_ports;
	const struct sw_link *link = &call->common->link[x->i->link];
	uint64_t now = call->now, tail = tiled_arrived(p) + d->ingress + d->row + sw_serialisation(link, bytes),
		 finish = tiled_max(now + tiled_beats(d, bytes), tail);
	save_all(call->ctx, s, x);
	if (sim_unlikely(tiled_traced(s)))
		trace(call, d, s, x, finish);
	*x->contend &= ~(1ull << (d->geometry.in_row[x->in] & 63));
	x->front->list.head = next;
	x->i->bus_free = finish;
	*x->used -= bytes;
	call->host_ops->credit(call, x->in, network ? &x->i->end : NULL, tiled_in_vc(p), bytes,
	                       d->credit + (finish > now + d->row ? finish - d->row : now + 1));
	if (next != TILED_NONE)
		tiled_direct_contend(call, s, x->o, x->out, x->in, x->i, x->front);
	x->o->mux_busy = finish;
	tiled_leave(call, s, x->o, x->number, now + d->column, finish + d->column);
	return finish;
}

/* One of those who contend; SW_NOBODY: there is none. */
TILED_INLINE uint32_t contender(const struct tiled_derived *d, const uint64_t *contend)
{
	for (uint32_t w = 0; w < d->row_words; w++)
		if (contend[w])
			return tiled_input_of(d, w, (uint32_t)__builtin_ctzll(contend[w]));
	return SW_NOBODY;
}

TILED_FLAT void tiled_direct(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	const uint64_t *contend = tiled_contend_at(d, s, out, 0);
	uint64_t next = TILED_NEVER;
	if (o->mux_at != call->now)
		return;
	sim_set(call->ctx, &o->mux_at, TILED_NEVER);
	uint32_t in = contender(d, contend);
	if (d->row_words > 1 || (*contend & (*contend - 1)))
		in = d->geometry.row_words == 1 ? pick(call, d, s, out, contend, &next, 1)
		                                : pick(call, d, s, out, contend, &next, TILED_ROW_WORDS);
	if (in != SW_NOBODY) {
		const struct tiled_front *front = tiled_front_at(d, s, (size_t)out * d->ports + in);
		next = tiled_max(front->contend, tiled_port_at(d, s, in)->bus_free);
		uint32_t packet = front->list.head;
		if (next <= call->now) {
			struct crossing x = win(call, d, s, out, in);
			next = cross(call, d, s, &x);
			in = contender(d, contend);
			packet = TILED_NONE;
		}
		if (in != SW_NOBODY)
			tiled_want_mux(call, s, o, out, next, tiled_about(packet, in, 0));
	} else if (next != TILED_NEVER) {
		tiled_want_mux(call, s, o, out, next, 0);
	}
}
