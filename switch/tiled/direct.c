/* switch/tiled/direct.c - the multiplexer without buffers between a granted packet's input and its output: packets
 * cross in one piece.
 *
 * A packet whose row bus and column are free when its grant reaches its tile, without another one there for the same
 * output, crosses at once. Other packets wait in fronts, lists of granted packets, of which there is one per input and
 * output; the heads of fronts contend for the output.
 *
 * The crossbar arbiter of each row chooses its candidate, the multiplexer's arbiter picks the row, and the packet
 * occupies row bus, crossbar output, column channel and multiplexer at the same time. */
#include "switch/tiled/cross.h"

/* Data used only by records and instruments. */
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
