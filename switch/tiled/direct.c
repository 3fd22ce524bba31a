/* switch/tiled/direct.c - the multiplexer where nothing is between a granted packet's input and its output's buffer: it
 * crosses in one piece.
 *
 * A packet that finds its row bus and its column free when its grant is at its tile, and no other there for the same
 * output, crosses at once. Others contend as the heads of fronts, one for each input and output.
 *
 * The crossbar arbiter of each row names its candidate, the multiplexer's arbiter picks the row, and row bus, crossbar
 * output, column channel and multiplexer are taken together. */
#include "switch/tiled/cross.h"

/* What only records and instruments want to know. */
void tiled_trace_crossing(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s,
                          const struct tiled_crosses *x, uint64_t finish)
{
	uint64_t was_free = tiled_max(tiled_ready(x->packet), x->i->bus_free);
	tiled_trace_of(x->packet)->bus_wait = was_free - tiled_ready(x->packet);
	tiled_trace_of(x->packet)->column_wait = call->now - was_free;
	if (!s->meters)
		return;
	struct sw_use *crossed = tiled_crossed_at(d, s, x->out, x->i->row);
	sim_save(call->ctx, crossed, sizeof *crossed);
	sw_use_add(crossed, call->common->end, call->now, finish);
	tiled_use(call, s, x->in, bus, call->now, finish);
	tiled_use(call, s, x->out, mux, call->now, finish);
	tiled_meter_release(call, s, x->packet);
}

TILED_FLAT void tiled_direct(struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	uint64_t next = tiled_multiplex(call, s, out, TILED_ANY);
	if (next != TILED_NEVER)
		tiled_want(call, s, TILED_DUE_MUX, out, next);
}

TILED_FLAT void tiled_at_tile(struct sw_call *call, struct tiled_state *s, uint32_t packet, struct tiled_packet *p,
                              bool alone)
{
	tiled_grant_comes(call, s->derived, s, packet, p, call->now, alone, TILED_ANY);
}
