/* switch/tiled/direct.c - the multiplexer where nothing is between a granted packet's input and its output's buffer: it
 * crosses in one piece.
 *
 * A packet that finds its row bus and its column free when its grant is at its tile, and no other there for the same
 * output, crosses at once. Others contend as the heads of fronts, one for each input and output.
 *
 * The crossbar arbiter of each row names its candidate, the multiplexer's arbiter picks the row, and row bus, crossbar
 * output, column channel and multiplexer are taken together. */
#include "switch/tiled/leave.h"

struct crossing { /* of a packet: what it takes */
	struct tiled_port *o, *i;
	struct tiled_packet *packet;
	uint32_t out, in;
	uint32_t number; /* of the packet */
};

/* Who of several contenders crosses; SW_NOBODY: none is ready. *next: when one will be, at the earliest. words: of a
 * row's set. */
TILED_INLINE uint32_t pick(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                           const uint64_t *contend, uint64_t *next, uint32_t words, bool simple)
{
	enum sw_arbiter_kind crossbar_kind = simple ? SW_ARBITER_ROUND_ROBIN : d->crossbar_kind,
			     column_kind = simple ? SW_ARBITER_ROUND_ROBIN : d->column_kind;
	bool keyed = sw_arbiter_has_key(crossbar_kind) || sw_arbiter_has_key(column_kind);
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
					key[i] = tiled_key(d, crossbar_kind, p);
					row_key_of[i] = tiled_key(d, column_kind, p);
				}
			}
			any |= may[w];
		}
		if (!any)
			continue;
		rows |= 1ull << r;
		best[r] =
		    tiled_pick_of_row(crossbar_kind, per_row, tiled_crossbar_arbiter(d, s, out, r, 0), may, words, key);
		row_key[r] = keyed ? row_key_of[best[r]] : 0;
	}
	*next = soonest;
	base_check(soonest > now);
	if (!rows)
		return SW_NOBODY;
	uint32_t row = tiled_pick64(column_kind, d->geometry.rows, tiled_column_arbiter(d, s, out, 0), rows, row_key);
	return d->geometry.port[row * per_row + best[row]];
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
	uint64_t *crossed = tiled_crossed_at(d, s, x->out, x->i->row),
		 time = sw_counted(call->common, call->now, finish);
	sim_set(call->ctx, crossed, *crossed + time);
	tiled_count(call->ctx, s, x->in, bus, time);
	tiled_count(call->ctx, s, x->out, mux, time);
	tiled_meter_release(call, s, x->packet);
}

/* Its input wins the crossbar output in its row, and its row the column. */
TILED_INLINE void won(struct sim_ctx *ctx, const struct tiled_derived *d, struct tiled_state *s,
                      const struct crossing *x, bool simple)
{
	uint32_t row = x->i->row, per_row = d->geometry.row_ports, rows = d->geometry.rows;
	if (simple) { /* what sw_arbiter_won() does with round robin */
		struct sw_arbiter *column = tiled_in_port(x->o, d->in_column_arbiter),
				  *crossbar = tiled_in_port(x->o, d->in_crossbar_arbiters);
		uint32_t next = x->i->in_row + 1u;
		crossbar[row].turn = next == per_row ? 0 : next;
		column->turn = row + 1 == rows ? 0 : row + 1;
		return;
	}
	sw_arbiter_won(ctx, d->column_kind, rows, tiled_column_arbiter(d, s, x->out, 0), row, d->row_weight,
	               tiled_charge(d, x->packet));
	sw_arbiter_won(ctx, d->crossbar_kind, per_row, tiled_crossbar_arbiter(d, s, x->out, row, 0), x->i->in_row,
	               d->weight + row * per_row, tiled_charge(d, x->packet));
}

/* A packet crosses and leaves: it has been taken off its front, if it was in one. The order of what is sent is part of
 * the result: events of one instant keep it. */
TILED_INLINE void cross(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                        const struct crossing *x, bool simple)
{
	struct sim_ctx *ctx = call->ctx;
	struct tiled_packet *p = x->packet;
	uint32_t bytes = p->packet.bytes;
	bool network = x->in < s->net_ports;
	uint32_t *used = (uint32_t *)tiled_in_port(x->i, d->in_used) + (network ? tiled_in_vc(p) : 0);
	base_checkf(tiled_in(p) == x->in && tiled_out(p) == x->out,
	            "switch %u: a packet from %u to %u crosses from %u to %u", s->id, tiled_in(p), tiled_out(p), x->in,
	            x->out);
	base_checkf(d->fault || (*used >= bytes && x->i->bus_free <= call->now && x->o->mux_busy <= call->now),
	            "switch %u, input %u: %u bytes of %u cross", s->id, x->in, bytes, *used);
	const struct sw_link *link = &call->common->link[x->i->link];
	uint64_t now = call->now, tail = tiled_arrived(p) + d->ingress + d->row + sw_serialisation(link, bytes),
		 finish = tiled_max(now + tiled_beats(d, bytes), tail);
	won(ctx, d, s, x, simple);
	if (!simple && sim_unlikely(ctx->journal)) {
		sim_save(ctx, x->o, sizeof *x->o);
		sim_save(ctx, p, tiled_packet_bytes(s));
	}
	if (!simple && sim_unlikely(tiled_traced(s)))
		trace(call, d, s, x, finish);
	tiled_put(ctx, &x->i->bus_free, finish, simple);
	tiled_put(ctx, used, *used - bytes, simple);
	uint64_t free_at = d->credit + (finish > now + d->row ? finish - d->row : now + 1);
	call->host_ops->credit(call, x->in, network ? &x->i->end : NULL, tiled_in_vc(p), bytes, free_at);
	if (!simple && sim_unlikely(s->flows))
		tiled_flow_left(call, s, p, free_at);
	x->o->mux_busy = finish;
	tiled_leave(call, s, x->i, x->o, x->number, now + d->column, finish + d->column, simple);
}

/* One of those who contend; there is one. */
TILED_INLINE uint32_t contender(const struct tiled_derived *d, const uint64_t *contend)
{
	uint32_t w = 0;
	while (!contend[w])
		w++;
	return tiled_input_of(d, w, (uint32_t)__builtin_ctzll(contend[w]));
}

/* The head of the front of an input that has won crosses. */
TILED_INLINE void cross_front(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                              struct tiled_port *o, uint32_t out, uint32_t in, bool simple)
{
	struct sim_ctx *ctx = call->ctx;
	struct tiled_front *f = tiled_front_at(d, s, (size_t)out * d->ports + in);
	struct crossing x = { .o = o,
		              .i = tiled_port_at(d, s, in),
		              .packet = tiled_packet_at(s, f->list.head),
		              .out = out,
		              .in = in,
		              .number = f->list.head };
	uint32_t next = x.packet->next;
	tiled_put(ctx, &f->list.head, next, simple);
	if (next == TILED_NONE) {
		uint64_t *set = (uint64_t *)tiled_in_port(o, d->in_contend) + x.i->word,
			 bit = 1ull << (x.i->in_row & 63);
		base_check(*set & bit && o->contenders);
		tiled_put(ctx, set, *set & ~bit, simple);
		tiled_put(ctx, &o->contenders, (uint16_t)(o->contenders - 1), simple);
	}
	cross(call, d, s, &x, simple);
}

TILED_INLINE void direct(struct sw_call *call, struct tiled_state *s, uint32_t out, bool simple)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	const uint64_t *contend = tiled_in_port(o, d->in_contend);
	if (!o->contenders)
		return;
	if (o->mux_busy > call->now) {
		tiled_want_mux(call, s, o, out, call->now);
		return;
	}
	uint64_t next = TILED_NEVER;
	uint32_t in = o->contenders == 1           ? contender(d, contend)
	              : d->geometry.row_words == 1 ? pick(call, d, s, out, contend, &next, 1, simple)
	                                           : pick(call, d, s, out, contend, &next, TILED_ROW_WORDS, simple);
	if (o->contenders == 1 && (next = tiled_port_at(d, s, in)->bus_free) > call->now)
		in = SW_NOBODY;
	if (in != SW_NOBODY) {
		cross_front(call, d, s, o, out, in, simple);
		next = call->now;
		if (o->contenders == 1)
			next = tiled_port_at(d, s, contender(d, contend))->bus_free;
	}
	if (o->contenders)
		tiled_want_mux(call, s, o, out, next);
}

TILED_FLAT void tiled_direct(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	direct(call, s, out, false);
}

void tiled_direct_simply(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	direct(call, s, out, true);
}

/* The grant of a packet is at its tile. alone: no other is, at this instant, for the same output. */
TILED_INLINE void at_tile(struct sw_call *call, struct tiled_state *s, uint32_t packet, bool alone, bool simple)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	uint32_t in = tiled_in(p), out = tiled_out(p);
	struct tiled_port *i = tiled_port_at(d, s, in), *o = tiled_port_at(d, s, out);
	if (sim_likely(alone && !o->contenders && o->mux_busy <= call->now && i->bus_free <= call->now)) {
		struct crossing x = { .o = o, .i = i, .packet = p, .out = out, .in = in, .number = packet };
		cross(call, d, s, &x, simple);
		return;
	}
	struct tiled_front *f = tiled_front_at(d, s, (size_t)out * d->ports + in);
	if (!tiled_append_as(call->ctx, s, &f->list, packet, simple))
		return;
	uint64_t *set = (uint64_t *)tiled_in_port(o, d->in_contend) + i->word;
	tiled_put(call->ctx, set, *set | 1ull << (i->in_row & 63), simple);
	tiled_put(call->ctx, &o->contenders, (uint16_t)(o->contenders + 1), simple);
	tiled_want_mux(call, s, o, out, tiled_max(call->now, i->bus_free));
}

TILED_FLAT void tiled_at_tile(struct sw_call *call, struct tiled_state *s, uint32_t packet, bool alone)
{
	at_tile(call, s, packet, alone, false);
}

void tiled_at_tile_simply(struct sw_call *call, struct tiled_state *s, uint32_t packet, bool alone)
{
	at_tile(call, s, packet, alone, true);
}
