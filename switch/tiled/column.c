/* switch/tiled/column.c - crossbar outputs, column channels and output multiplexers.
 *
 * For switches with row or column buffers, without grants, or with several traffic classes; for others see direct.c.
 * The contenders for an output are the heads of fronts; a front is a list of granted packets of an input, or a row
 * buffer. Without column buffers the crossbar arbiter of each row chooses its candidate, the multiplexer's arbiter
 * picks the row, and the packet crosses in one piece. With column buffers each (row, output) is a server of its own
 * that fills the column buffer, which the multiplexer empties. */
#include "switch/tiled/cross.h"

#include <stddef.h>
#include <string.h>

struct candidates { /* of one row: all inputs, and inputs by lane of fronts */
	uint64_t any[TILED_ROW_WORDS], of[SW_MAX_LANES][TILED_ROW_WORDS];
};

void tiled_want_column(struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t row, uint64_t t)
{
	const struct tiled_derived *d = s->derived;
	if (!d->column_buffered) {
		tiled_want_mux(call, s, tiled_port_at(d, s, out), out, t);
		return;
	}
	uint32_t k = out * d->geometry.rows + row;
	tiled_want(call, s, TILED_DUE_CROSSBAR, k, tiled_max(t, tiled_crossing_at(d, s, k)->busy));
}

/* When the path from the input to the crossbar is free: its row bus, or the row buffer's exit. */
static uint64_t *way_free(const struct tiled_derived *d, struct tiled_state *s, uint32_t in, uint32_t out)
{
	return d->row_buffered ? tiled_tile_free_at(d, s, (size_t)in * d->geometry.columns + d->geometry.column[out])
	                       : &tiled_port_at(d, s, in)->bus_free;
}

/* The head of a front has changed: schedules its contention for the column. */
void tiled_contend(struct sw_call *call, struct tiled_state *s, size_t front)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_front *f = tiled_front_at(d, s, front);
	const struct tiled_packet *p = tiled_packet_at(s, f->list.head);
	uint32_t in = tiled_in(p), out = tiled_out(p), row = d->geometry.row[in], lane = tiled_front_lane(d, p);
	uint64_t *set = tiled_contend_at(d, s, out, lane * d->row_words + d->geometry.word[in]);
	sim_set(call->ctx, &f->contend, tiled_ready(p));
	sim_set(call->ctx, set, *set | 1ull << d->geometry.in_row[in] % 64);
	tiled_want_column(call, s, out, row, tiled_max(tiled_ready(p), *way_free(d, s, in, out)));
	if (d->claims)
		tiled_claims_begin(call, s, in, out);
}

/* The head of a row buffer, by input and VC. */
static uint32_t holder_of(const struct tiled_packet *p)
{
	return tiled_in(p) | (uint32_t)tiled_in_vc(p) << TILED_PORT_BITS;
}

/* Without grants: may p contend for the credits of its output? holder: owner if the lane is reserved for it. */
static bool may_ask(const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p, uint32_t holder)
{
	uint32_t out = tiled_out(p), lane = tiled_lane(d, p);
	if (out >= s->net_ports)
		return true;
	uint32_t kept_for = d->reserves ? *tiled_holder_at(d, s, out, lane) : 0;
	if (sim_unlikely(kept_for))
		return kept_for == 1 + holder && tiled_has_credit(d, s, p, lane);
	return d->reserves || tiled_has_credit(d, s, p, lane);
}

static struct tiled_column *column_of(const struct tiled_derived *d, struct tiled_state *s,
                                      const struct tiled_packet *p, uint32_t row)
{
	return tiled_column_at(d, s, ((size_t)tiled_out(p) * d->geometry.rows + row) * d->lanes + tiled_lane(d, p));
}

static bool may_cross(const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p, uint32_t row)
{
	if (d->column_buffered) {
		const struct tiled_column *b = column_of(d, s, p, row);
		bool suffices = b->space >= p->packet.bytes;
		return b->kept_for ? suffices && b->kept_for == 1 + holder_of(p) : suffices || d->mixed;
	}
	return d->grants || may_ask(d, s, p, holder_of(p));
}

static const uint64_t *row_contenders(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane,
                                      uint32_t row)
{
	return tiled_contend_at(d, s, out, lane * d->row_words + row * d->geometry.row_words);
}

/* With ordered classes: does the head of a list contend for its output at this level now? If its class is held, *next
 * is lowered to the time until which it is. `holds`: a held class must wait here; without grants that is so only at the
 * multiplexer. */
static bool has_level(const struct sw_call *call, struct tiled_state *s, const struct tiled_list *l, uint32_t level,
                      bool holds, uint64_t *next)
{
	uint64_t when = TILED_NEVER;
	uint32_t its = tiled_level_of(call, s, l, &when);
	if (its != SW_CLASS_HELD)
		return its == level;
	if (holds && when < TILED_TIMES)
		*next = tiled_min(*next, when);
	return !holds && level == 0;
}

/* Bits of levels that contenders of rows for an output may have; 1 without ordered classes. */
static uint64_t levels_of(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                          uint32_t out, uint32_t first_row, uint32_t end_row)
{
	uint64_t levels = !d->ordered, when = TILED_NEVER;
	uint32_t words = d->geometry.row_words;
	for (uint32_t q = 0; d->ordered && q < d->front_lanes; q++)
		for (uint32_t r = first_row; r < end_row; r++)
			for (SW_EACH(i, row_contenders(d, s, out, q, r), words)) {
				uint32_t in = d->geometry.port[r * d->geometry.row_ports + i];
				const struct tiled_front *f = tiled_front_at(d, s, tiled_front_index(d, in, out, q));
				uint32_t level = tiled_level_of(call, s, &f->list, &when);
				levels |= 1ull << (level == SW_CLASS_HELD ? 0 : level);
			}
	return levels;
}

/* Removes and returns the highest of a nonempty set of levels. */
static uint32_t take_level(uint64_t *levels)
{
	uint32_t level = 63u - (uint32_t)__builtin_clzll(*levels);
	*levels ^= 1ull << level;
	return level;
}

/* Collects the inputs of a row that contend for an output and may cross now; with ordered classes only those at this
 * level. *next is lowered to the time at which there may be another. */
static void gather(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                   uint32_t row, struct candidates *c, uint64_t *next, uint32_t level)
{
	uint32_t lanes = d->front_lanes, words = d->geometry.row_words;
	const uint16_t *port = d->geometry.port + row * d->geometry.row_ports;
	memset(c, 0, offsetof(struct candidates, of) + lanes * sizeof c->of[0]);
	for (uint32_t q = 0; q < lanes; q++)
		for (SW_EACH(i, row_contenders(d, s, out, q, row), words)) {
			const struct tiled_front *f = tiled_front_at(d, s, tiled_front_index(d, port[i], out, q));
			uint64_t t = tiled_max(f->contend, *way_free(d, s, port[i], out));
			if (t > call->now) {
				*next = tiled_min(*next, t);
				continue;
			}
			struct tiled_packet *p = tiled_packet_at(s, f->list.head);
			if (!may_cross(d, s, p, row) ||
			    (d->ordered && !has_level(call, s, &f->list, level, !d->column_buffered, next)) ||
			    (d->claims && tiled_claimed(call, s, port[i], out, level)))
				continue;
			sw_set_add(c->of[q], i);
			sw_set_add(c->any, i);
		}
}

/* Chooses among the winner's lanes, of[] by requester, in turn. */
static uint32_t lane_of(uint32_t turn, uint32_t lanes, uint64_t of[][TILED_ROW_WORDS], uint32_t winner)
{
	if (lanes == 1)
		return 0;
	uint32_t q = turn;
	while (!sw_set_has(of[q], winner))
		q = q + 1 == lanes ? 0 : q + 1;
	return q;
}

/* Returns the value of requester i that the arbiter compares. head[] contains the heads of its lanes. If the arbiter
 * compares ages, it is the age of the oldest head that is in of[]; otherwise it is the value of the head whose lane has
 * its turn. */
static uint64_t key_of_column(const struct tiled_derived *d, struct tiled_state *s, enum sw_arbiter_key key,
                              uint32_t turn, uint32_t lanes, uint64_t of[][TILED_ROW_WORDS], uint32_t i,
                              const uint32_t *head, uint64_t now)
{
	if (key != SW_KEY_AGE)
		return tiled_key(d, key, tiled_packet_at(s, head[lane_of(turn, lanes, of, i)]), now);
	uint64_t oldest = TILED_NEVER;
	for (uint32_t q = 0; q < lanes; q++)
		if (sw_set_has(of[q], i))
			oldest = tiled_min(oldest, tiled_key(d, key, tiled_packet_at(s, head[q]), now));
	return oldest;
}

/* Of input i of a row, by its fronts. */
static uint8_t *turn_of(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t row, uint32_t i,
                        uint32_t level)
{
	return tiled_lane_turn(d, s, out, TILED_TAKER_CROSS, row * d->geometry.row_ports + i, level);
}

static uint64_t key_of_input(const struct tiled_derived *d, struct tiled_state *s, enum sw_arbiter_key key,
                             uint32_t out, uint32_t row, struct candidates *c, uint32_t i, uint32_t level, uint64_t now)
{
	uint32_t head[SW_MAX_LANES], lanes = d->front_lanes, in = d->geometry.port[row * d->geometry.row_ports + i];
	if (key == SW_KEY_NONE)
		return 0;
	for (uint32_t q = 0; q < lanes; q++)
		head[q] = tiled_front_at(d, s, tiled_front_index(d, in, out, q))->list.head;
	return key_of_column(d, s, key, *turn_of(d, s, out, row, i, level), lanes, c->of, i, head, now);
}

static uint32_t pick_input(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t row,
                           struct candidates *c, uint32_t level, uint64_t now)
{
	uint64_t key[TILED_ROW_PORTS];
	if (sw_arbiter_has_key(d->crossbar_arbiter))
		for (SW_EACH(i, c->any, d->geometry.row_words))
			key[i] = key_of_input(d, s, sw_arbiter_key(d->crossbar_arbiter), out, row, c, i, level, now);
	return tiled_pick_of_row(d->crossbar_arbiter, d->geometry.row_ports,
	                         tiled_crossbar_arbiter(d, s, out, row, level), c->any, d->geometry.row_words, key);
}

static void pass_lane_turn(struct sw_call *call, uint8_t *turn, uint32_t lanes, uint32_t lane)
{
	if (lanes > 1)
		sim_set(call->ctx, turn, (uint8_t)(lane + 1 == lanes ? 0 : lane + 1));
}

/* p leaves its input, on the bus until `finish`. */
static void leave_input(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                        struct tiled_packet *p, uint64_t was_free, uint64_t finish)
{
	tiled_trace_of(p)->bus_wait = was_free - tiled_ready(p);
	tiled_trace_of(p)->column_wait = call->now - was_free;
	tiled_use(call, s, tiled_in(p), bus, call->now, finish);
	tiled_release_input(call, s, p, finish > call->now + d->row ? finish - d->row : call->now + 1);
}

struct winner { /* of a crossbar output, or of the multiplexer */
	uint32_t row, in_row,
	    lane; /* in_row: its input, not for column buffers; lane: of its front, or column buffer */
	uint32_t level;
};

/* The winner crosses to `out`: removes its packet from its front. *finish: when its tail has crossed. */
static uint32_t cross(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                      const struct winner *w, uint64_t *finish)
{
	struct sim_ctx *ctx = call->ctx;
	uint32_t row = w->row, i = w->in_row, lane = w->lane, in = d->geometry.port[row * d->geometry.row_ports + i];
	size_t at = tiled_front_index(d, in, out, lane);
	struct tiled_front *f = tiled_front_at(d, s, at);
	uint32_t packet = f->list.head;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	uint64_t *set = tiled_contend_at(d, s, out, lane * d->row_words + d->geometry.word[in]);
	sw_arbiter_won(ctx, d->crossbar_arbiter, d->geometry.row_ports,
	               tiled_crossbar_arbiter(d, s, out, row, w->level), i, d->weight + row * d->geometry.row_ports,
	               tiled_charge(d, p));
	base_checkf(*set >> (i & 63) & 1 && tiled_in(p) == in && tiled_out(p) == out,
	            "switch %u: a packet from %u to %u crosses from %u to %u", s->id, tiled_in(p), tiled_out(p), in,
	            out);
	sim_set(ctx, set, *set & ~(1ull << (i & 63)));
	sim_save(ctx, p, tiled_packet_bytes(s));
	sim_save(ctx, f, sizeof *f);
	*finish = tiled_max(call->now + tiled_beats(d, p->packet.bytes), tiled_trace_of(p)->tail);
	if (sim_unlikely(s->meters)) {
		struct sw_use *crossed = tiled_crossed_at(d, s, out, row);
		sim_save(ctx, crossed, sizeof *crossed);
		sw_use_add(crossed, call->common->end, call->now, *finish);
	}
	f->list.head = p->next;
	p->next = TILED_NONE;
	uint64_t *way = way_free(d, s, in, out), was_free = tiled_max(tiled_ready(p), *way);
	sim_set(ctx, way, *finish);
	if (d->row_buffered) {
		uint32_t *space = tiled_space_at(d, s, at);
		tiled_trace_of(p)->column_wait = call->now - tiled_ready(p);
		base_checkf(*space + p->packet.bytes <= d->row_space,
		            "switch %u, input %u: %u free after %u bytes of %u", s->id, in, *space, p->packet.bytes,
		            d->row_space);
		sim_set(ctx, space, *space + p->packet.bytes);
		tiled_want_bus(call, s, in, call->now + d->period);
	} else {
		leave_input(call, d, s, p, was_free, *finish);
	}
	if (f->list.head != TILED_NONE)
		tiled_contend(call, s, at);
	if (d->claims)
		tiled_claims_end(call, s, in, out, *finish);
	return packet;
}

/* Picks, at one level, the input of the row whose packet crosses into a column buffer, and the lane; SW_NOBODY: none
 * can. If the winner does not fit into the buffer, space is reserved for it, and the choice is repeated among the
 * others. */
static uint32_t pick_with_space(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                                uint32_t out, uint64_t *next, struct winner *w)
{
	for (;;) {
		struct candidates c;
		gather(call, d, s, out, w->row, &c, next, w->level);
		uint32_t i = w->in_row = pick_input(d, s, out, w->row, &c, w->level, call->now);
		if (i == SW_NOBODY)
			return i;
		w->lane = lane_of(*turn_of(d, s, out, w->row, i, w->level), d->front_lanes, c.of, i);
		size_t front = tiled_front_index(d, d->geometry.port[w->row * d->geometry.row_ports + i], out, w->lane);
		const struct tiled_packet *p = tiled_packet_at(s, tiled_front_at(d, s, front)->list.head);
		struct tiled_column *b = column_of(d, s, p, w->row);
		bool suffices = b->space >= p->packet.bytes;
		if (suffices && !b->kept_for)
			return i;
		sim_set(call->ctx, &b->kept_for, suffices ? 0 : 1 + holder_of(p));
		if (suffices)
			return i;
	}
}

void tiled_crossbar(struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t row)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_crossing *x = tiled_crossing_at(d, s, (size_t)out * d->geometry.rows + row);
	uint64_t next = TILED_NEVER, finish = 0;
	struct winner w = { .row = row, .in_row = SW_NOBODY };
	uint64_t levels = levels_of(call, d, s, out, row, row + 1);
	while (w.in_row == SW_NOBODY && levels) {
		w.level = take_level(&levels);
		pick_with_space(call, d, s, out, &next, &w);
	}
	if (w.in_row != SW_NOBODY) {
		pass_lane_turn(call, turn_of(d, s, out, row, w.in_row, w.level), d->front_lanes, w.lane);
		uint32_t packet = cross(call, d, s, out, &w, &finish);
		struct tiled_packet *p = tiled_packet_at(s, packet);
		uint32_t q = tiled_lane(d, p);
		struct tiled_column *b = tiled_column_at(d, s, ((size_t)out * d->geometry.rows + row) * d->lanes + q);
		sim_set(call->ctx, &x->busy, finish);
		base_checkf(b->space >= p->packet.bytes, "switch %u, output %u: %u bytes for %u free", s->id, out,
		            p->packet.bytes, b->space);
		sim_set(call->ctx, &b->space, b->space - p->packet.bytes);
		tiled_set_ready(p, call->now + d->column);
		tiled_trace_of(p)->tail = finish + d->column;
		if (tiled_append(call->ctx, s, &b->list, packet)) {
			uint64_t *heads = tiled_column_heads_at(d, s, (size_t)out * d->lanes + q);
			sim_set(call->ctx, heads, *heads | 1ull << row);
			tiled_want_mux(call, s, tiled_port_at(d, s, out), out, tiled_ready(p));
		}
		base_checkf(b->space + tiled_list_bytes(s, &b->list) == d->column_space,
		            "switch %u, output %u: %u free of %u", s->id, out, b->space, d->column_space);
		next = TILED_NEVER; /* also those that arrived meanwhile, and those that did not fit: */
		for (q = 0; q < d->front_lanes; q++)
			if (sw_set_any(row_contenders(d, s, out, q, row), d->geometry.row_words))
				next = finish;
	}
	if (next != TILED_NEVER)
		tiled_want_column(call, s, out, row, next);
}

/* --- the multiplexer ------------------------------------------------------------------------------------- */

static bool contended(const struct tiled_derived *d, struct tiled_state *s, uint32_t out)
{
	uint64_t any = 0;
	if (d->column_buffered) {
		for (uint32_t q = 0; q < d->lanes; q++)
			any |= *tiled_column_heads_at(d, s, (size_t)out * d->lanes + q);
	} else {
		uint32_t n = d->front_lanes * d->row_words;
		for (uint32_t k = 0; k < n; k++)
			any |= *tiled_contend_at(d, s, out, k);
	}
	return any;
}

/* Decides for all rows at once, without column buffers. false: none of the level can cross. */
static bool pick_joint(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                       uint32_t level, uint64_t *next, struct winner *won)
{
	struct candidates c[d->geometry.rows];
	uint64_t rows = 0, key[TILED_ROWS];
	uint32_t pick[TILED_ROWS], lanes = d->front_lanes;
	for (uint32_t r = 0; r < d->rows; r++) {
		bool any = false;
		for (uint32_t q = 0; q < lanes; q++)
			any |= sw_set_any(row_contenders(d, s, out, q, r), d->geometry.row_words);
		if (!any)
			continue;
		gather(call, d, s, out, r, &c[r], next, level);
		if (!sw_set_any(c[r].any, d->geometry.row_words))
			continue;
		rows |= 1ull << r;
		pick[r] = pick_input(d, s, out, r, &c[r], level, call->now);
		key[r] =
		    key_of_input(d, s, sw_arbiter_key(d->column_arbiter), out, r, &c[r], pick[r], level, call->now);
	}
	uint32_t row =
	    tiled_pick64(d->column_arbiter, d->geometry.rows, tiled_column_arbiter(d, s, out, level), rows, key);
	if (row == SW_NOBODY)
		return false;
	*won =
	    (struct winner){ row, pick[row],
		             lane_of(*turn_of(d, s, out, row, pick[row], level), lanes, c[row].of, pick[row]), level };
	return true;
}

/* p, which has no grant, goes to its output. */
static void end_wait(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p)
{
	tiled_end_reserve(call, d, s, tiled_out(p), tiled_lane(d, p));
	if (d->ordered)
		tiled_pay(call, s, p);
}

/* Returns the packet that crosses, or TILED_NONE. */
static uint32_t mux_joint(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                          uint64_t *next, uint64_t *finish)
{
	struct winner w;
	uint64_t levels = levels_of(call, d, s, out, 0, d->rows);
	while (levels) {
		uint32_t level = take_level(&levels);
		while (pick_joint(call, d, s, out, level, next, &w)) {
			uint32_t in = d->geometry.port[w.row * d->geometry.row_ports + w.in_row];
			struct tiled_packet *p =
			    tiled_packet_at(s, tiled_front_at(d, s, tiled_front_index(d, in, out, w.lane))->list.head);
			if (!d->grants) {
				if (tiled_reserve(call, d, s, p, holder_of(p)))
					continue;
				end_wait(call, d, s, p);
			}
			sw_arbiter_won(call->ctx, d->column_arbiter, d->geometry.rows,
			               tiled_column_arbiter(d, s, out, level), w.row, d->row_weight,
			               tiled_charge(d, p));
			pass_lane_turn(call, turn_of(d, s, out, w.row, w.in_row, level), d->front_lanes, w.lane);
			return cross(call, d, s, out, &w, finish);
		}
	}
	return TILED_NONE;
}

static struct tiled_packet *column_head(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                                        uint32_t row, uint32_t lane)
{
	return tiled_packet_at(
	    s, tiled_column_at(d, s, ((size_t)out * d->geometry.rows + row) * d->lanes + lane)->list.head);
}

/* key_of_column() a row with column buffers, those of of[] not empty. */
static uint64_t key_of_row(const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                           uint64_t of[][TILED_ROW_WORDS], uint32_t row, uint32_t level, uint64_t now)
{
	uint32_t turn = *tiled_lane_turn(d, s, out, TILED_TAKER_MUX, row, level), head[SW_MAX_LANES];
	for (uint32_t q = 0; q < d->lanes; q++)
		head[q] = tiled_column_at(d, s, ((size_t)out * d->geometry.rows + row) * d->lanes + q)->list.head;
	return key_of_column(d, s, sw_arbiter_key(d->column_arbiter), turn, d->lanes, of, row, head, now);
}

/* Decides among the heads of column buffers. false: none of the level can leave. */
static bool pick_buffered(const struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                          uint32_t out, uint32_t level, uint64_t *next, struct winner *won)
{
	uint64_t of[SW_MAX_LANES][TILED_ROW_WORDS], any = 0, key[TILED_ROWS];
	for (uint32_t q = 0; q < d->lanes; q++) {
		of[q][0] = 0;
		for (uint64_t bits = *tiled_column_heads_at(d, s, (size_t)out * d->lanes + q); bits; bits &= bits - 1) {
			uint32_t r = (uint32_t)__builtin_ctzll(bits);
			struct tiled_column *b =
			    tiled_column_at(d, s, ((size_t)out * d->geometry.rows + r) * d->lanes + q);
			struct tiled_packet *p = tiled_packet_at(s, b->list.head);
			if (tiled_ready(p) > call->now) {
				*next = tiled_min(*next, tiled_ready(p));
				continue;
			}
			if ((!d->grants && !may_ask(d, s, p, r)) ||
			    (d->ordered && !has_level(call, s, &b->list, level, true, next)))
				continue;
			of[q][0] |= 1ull << r;
			any |= 1ull << r;
		}
	}
	if (sw_arbiter_has_key(d->column_arbiter))
		for (uint64_t bits = any; bits; bits &= bits - 1) {
			uint32_t r = (uint32_t)__builtin_ctzll(bits);
			key[r] = key_of_row(d, s, out, of, r, level, call->now);
		}
	uint32_t row =
	    tiled_pick64(d->column_arbiter, d->geometry.rows, tiled_column_arbiter(d, s, out, level), any, key);
	if (row == SW_NOBODY)
		return false;
	uint32_t turn = *tiled_lane_turn(d, s, out, TILED_TAKER_MUX, row, level);
	*won = (struct winner){ .row = row, .lane = lane_of(turn, d->lanes, of, row), .level = level };
	return true;
}

/* Takes a packet out of a column buffer. */
static uint32_t leave_column(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                             const struct winner *w, uint64_t *finish)
{
	struct tiled_column *b = tiled_column_at(d, s, ((size_t)out * d->geometry.rows + w->row) * d->lanes + w->lane);
	uint32_t packet = b->list.head;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	sim_save(call->ctx, p, tiled_packet_bytes(s));
	sim_save(call->ctx, b, sizeof *b);
	b->list.head = p->next;
	b->space += p->packet.bytes;
	base_checkf(b->space <= d->column_space, "switch %u, output %u: %u free of %u", s->id, out, b->space,
	            d->column_space);
	if (b->list.head == TILED_NONE) {
		uint64_t *heads = tiled_column_heads_at(d, s, (size_t)out * d->lanes + w->lane);
		sim_set(call->ctx, heads, *heads & ~(1ull << w->row));
	}
	tiled_trace_of(p)->mux_wait = call->now - tiled_ready(p);
	*finish = tiled_max(call->now + tiled_beats(d, p->packet.bytes), tiled_trace_of(p)->tail);
	tiled_want_column(call, s, out, w->row, call->now + d->period);
	return packet;
}

/* Returns the packet that leaves a column buffer, or TILED_NONE. */
static uint32_t mux_buffered(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                             uint64_t *next, uint64_t *finish)
{
	struct winner w;
	uint32_t level = d->levels - 1;
	for (;;) {
		if (!pick_buffered(call, d, s, out, level, next, &w)) {
			if (level-- == 0)
				return TILED_NONE;
			continue;
		}
		struct tiled_packet *p = column_head(d, s, out, w.row, w.lane);
		if (!d->grants) {
			if (tiled_reserve(call, d, s, p, w.row))
				continue;
			end_wait(call, d, s, p);
		}
		sw_arbiter_won(call->ctx, d->column_arbiter, d->geometry.rows, tiled_column_arbiter(d, s, out, level),
		               w.row, d->row_weight, tiled_charge(d, p));
		pass_lane_turn(call, tiled_lane_turn(d, s, out, TILED_TAKER_MUX, w.row, level), d->lanes, w.lane);
		return leave_column(call, d, s, out, &w, finish);
	}
}

void tiled_mux(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_port *o = tiled_port_at(d, s, out);
	uint64_t next = TILED_NEVER, finish = 0;
	uint32_t packet = d->column_buffered ? mux_buffered(call, d, s, out, &next, &finish)
	                                     : mux_joint(call, d, s, out, &next, &finish);
	if (packet != TILED_NONE) {
		uint64_t channel = d->column_buffered ? 0 : d->column;
		sim_save(call->ctx, o, sizeof *o);
		o->mux_busy = finish;
		tiled_use(call, s, out, mux, call->now, finish);
		struct tiled_packet *p = tiled_packet_at(s, packet);
		tiled_leave(call, d, s, tiled_port_at(d, s, tiled_in(p)), o, packet, p, call->now + channel,
		            finish + channel, false);
		next = contended(d, s, out) ? finish : TILED_NEVER;
	} else if (next == TILED_NEVER && !d->grants) {
		tiled_count(call->ctx, s, out, no_credit, 1);
	}
	if (next != TILED_NEVER)
		tiled_want_mux(call, s, o, out, next);
}
