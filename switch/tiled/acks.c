/* switch/tiled/acks.c - the crossbar of end-to-end acknowledgements: the fifth crossbar of the chip (De Sensi et al.,
 * SC20, II.A), divided into the same tiles as the other four.
 *
 * An acknowledgement takes the row bus of its input, a crossbar output with its column channel, and the multiplexer of
 * its output, each of them for the time of its bytes at ack_width bytes per clock period. The latency of all stages
 * together is nic.ack_stage, which the network adds. A row bus serves its acknowledgements in the order of their
 * arrival. The crossbar outputs and the multiplexer of an output serve the oldest acknowledgement first, where its age
 * begins when it took its row bus; ties are resolved in the order of events. As both stages arbitrate by age, they find
 * the oldest of all; and as a column channel is as wide as the multiplexer and leads to no other, it never delays an
 * acknowledgement that the multiplexer would take. So the two stages form one queue per output, and one time describes
 * its state. The delay from the row bus to the multiplexer is the same for all acknowledgements, so calls in the order
 * of the times on row buses are in the order of arrival at the multiplexer, too.
 *
 * Acknowledgements share none of these resources with packets, requests, grants or queue depths. */
#include "switch/tiled/tiled.h"

uint64_t tiled_ack_enters(struct sw_call *call, uint32_t in)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	struct tiled_ack_port *port = tiled_ack_port_at(d, s, in);
	uint64_t now = call->ctx->now, from = tiled_max(now, port->bus_free);
	base_check(in < s->net_ports + s->terminals && d->ack_spacing > 0);
	sim_set(call->ctx, &port->bus_free, from + d->ack_spacing);
	if (s->meters) {
		struct tiled_meter *m = &s->meters[in];
		sim_save(call->ctx, m, sizeof *m);
		sw_use_add(&m->ack_bus, call->common->end, from, from + d->ack_spacing);
		m->bus_waits += from > now;
	}
	return from;
}

uint64_t tiled_ack_crosses(struct sw_call *call, uint32_t in, uint32_t out, uint64_t ready)
{
	struct tiled_state *s = call->state;
	const struct tiled_derived *d = s->derived;
	struct tiled_ack_port *port = tiled_ack_port_at(d, s, out);
	uint64_t at = tiled_max(ready, port->mux_free);
	base_check(in < s->net_ports + s->terminals && out < s->net_ports + s->terminals);
	base_check(tiled_ack_port_at(d, s, in)->bus_free > call->ctx->now);
	sim_set(call->ctx, &port->mux_free, at + d->ack_spacing);
	if (s->meters) {
		struct tiled_meter *m = &s->meters[out];
		sim_save(call->ctx, m, sizeof *m);
		uint64_t from = call->ctx->now + at - ready; /* earlier by the stage, so that it is not counted ahead */
		sw_use_add(&m->ack_mux, call->common->end, from, from + d->ack_spacing);
		m->acks++;
		m->mux_waits += at > ready;
	}
	return at;
}
