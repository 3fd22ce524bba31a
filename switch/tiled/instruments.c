/* switch/tiled/instruments.c - instruments of the tiled switch: utilization of every bus, crossbar output, channel,
 * multiplexer and link, bytes held in inputs, reasons for missing grants, and the breakdown of each packet's time.
 *
 * A packet's time in the switch, from its header's arrival to its first bit on the next link, is the sum of the
 * pipeline's constant latencies, the delay of the wires between its tiles, and seven waits. This sum is checked for
 * every packet, to the picosecond. */
#include "switch/tiled/tiled.h"

const struct sw_instrument tiled_instruments[] = {
	{ "bus_utilization", SW_IN_USE, 0, "of the row bus that this port drives" },
	{ "crossbar_utilization", SW_IN_USE, 1,
	  "of the crossbar output towards this port in each row's tile, and of its column channel" },
	{ "mux_utilization", SW_IN_USE, 0, "of the multiplexer that picks among this port's column channels" },
	{ "link_utilization", SW_IN_USE, 0, "of the link that this port sends on" },
	{ "input_mean_bytes", SW_HELD, 0, "held in this port's input buffer, until the row bus takes the packet" },
	{ "input_max_bytes", SW_MOST, 0, "the most that it held" },
	{ "voq_mean_bytes", SW_HELD, 0, "held for this port in the input buffers of all ports together" },
	{ "voq_max_bytes", SW_MOST, 0, "the most that they held" },
	{ "refused_credit", SW_TIMES, 0,
	  "times that some input requested this output, but none could be granted for lack of credits" },
	{ "refused_room", SW_TIMES, 0,
	  "times that a request, or the next one in order, had to wait because the output buffer had no space" },
	{ "refused_limit", SW_TIMES, 0, "... because the bytes allowed by grant_limit were in flight" },
	{ "ack_bus_utilization", SW_IN_USE, 0, "of the row bus for acknowledgements that this port drives" },
	{ "ack_mux_utilization", SW_IN_USE, 0, "of the multiplexer for acknowledgements that leave by this port" },
	{ "acks", SW_TIMES, 0, "acknowledgements that left by this port, with nic.ack = \"hop\"" },
	{ "ack_bus_waits", SW_TIMES, 0, "acknowledgements that waited for this port's row bus" },
	{ "ack_mux_waits", SW_TIMES, 0, "acknowledgements that waited for this port's column channel or multiplexer" },
	{ "packets", SW_PACKETS, 0, "that left by this output" },
	{ "bytes", SW_BYTES, 0, "of them" },
	{ "latency_ps", SW_LATENCY, 0, "sum of their times in the switch, header's arrival to first bit on the link" },
	{ "receive and route", SW_STAGE, 0, "serdes, mac and route" },
	{ "wait for clock", SW_WAIT, 0, "for an edge of the switch's clock" },
	{ "wait to ask", SW_WAIT, 0, "at the input, while the queue's maximum number of requests was in flight" },
	{ "request", SW_STAGE, 0, "its way to the output" },
	{ "wait for grant", SW_WAIT, 0, "for other packets, for credits or for space" },
	{ "grant", SW_STAGE, 0, "its way to the input" },
	{ "wait for bus", SW_WAIT, 0, "row bus in use, or no space in the row buffer" },
	{ "row bus", SW_STAGE, 0, "row" },
	{ "wait for column", SW_WAIT, 0,
	  "crossbar output, column channel and, without column buffers, multiplexer in use" },
	{ "column", SW_STAGE, 0, "crossbar and column channel" },
	{ "wait for mux", SW_WAIT, 0, "in the column buffer" },
	{ "wires", SW_STAGE, 0, "from tile to tile, by their distance" },
	{ "egress", SW_STAGE, 0, "output buffer and transmitter" },
	{ "wait for link", SW_WAIT, 0, "in the output buffer" },
};
enum { CROSSED = 1, OF_PORT = 16 }; /* by row; the first by class */
_Static_assert(sizeof tiled_instruments / sizeof *tiled_instruments == TILED_INSTRUMENTS, "tiled.h says how many");

static struct tiled_passed *passed_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t class,
                                      uint32_t out)
{
	return (struct tiled_passed *)(void *)(tiled_crossed_at(d, s, d->ports, 0)) + (size_t) class * d->ports + out;
}

size_t tiled_meter_bytes(const struct sw_common *c)
{
	const struct tiled_derived *d = c->impl;
	return d->ports * (sizeof(struct tiled_meter) + d->geometry.rows * sizeof(struct sw_use) +
	                   c->traffic_classes * sizeof(struct tiled_passed));
}

struct sw_use *tiled_crossed_at(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t row)
{
	return (struct sw_use *)(void *)(s->meters + d->ports) + (size_t)out * d->geometry.rows + row;
}

void tiled_meter_arrive(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p)
{
	struct tiled_meter *in = &s->meters[tiled_in(p)], *out = &s->meters[tiled_out(p)];
	sim_save(call->ctx, in, sizeof *in);
	sim_save(call->ctx, out, sizeof *out);
	sw_holds_come(&in->input_now, call->common->end, tiled_arrived(p), p->packet.bytes);
	in->input_most = tiled_max(in->input_most, in->input_now.bytes);
	sw_holds_come(&out->voq_now, call->common->end, tiled_arrived(p), p->packet.bytes);
	out->voq_most = tiled_max(out->voq_most, out->voq_now.bytes);
}

void tiled_meter_release(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p)
{
	struct tiled_meter *in = &s->meters[tiled_in(p)], *out = &s->meters[tiled_out(p)];
	uint64_t end = call->common->end, from = tiled_arrived(p);
	sim_save(call->ctx, in, sizeof *in);
	sim_save(call->ctx, out, sizeof *out);
	sw_holds_go(&in->input_now, end, from, p->packet.bytes);
	sw_use_hold(&in->input_held, end, from, call->now, p->packet.bytes);
	sw_holds_go(&out->voq_now, end, from, p->packet.bytes);
	sw_use_hold(&out->voq_held, end, from, call->now, p->packet.bytes);
}

/* Counts the times of a packet that has crossed: its first bit reaches the output buffer at `buffered`, and the packet
 * is on the link from link_start to link_finish. */
void tiled_meter_pass(struct sw_call *call, struct tiled_state *s, struct tiled_packet *p, uint64_t buffered,
                      uint64_t link_start, uint64_t link_finish)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_passed *m = passed_at(d, s, call->common->class_of_job[p->packet.job], tiled_out(p));
	const struct tiled_trace *t = tiled_trace_of(p);
	uint64_t total = link_start - tiled_arrived(p), voq = 0, request = 0, parsed = tiled_arrived(p) + d->ingress,
		 edge = tiled_edge(d, s, parsed),
		 wire = tiled_wire(tiled_port_at(d, s, tiled_in(p)), tiled_port_at(d, s, tiled_out(p))),
		 output = link_start - (buffered + d->egress);
	if (d->grants) {
		voq = t->asked - (edge + d->ask);
		request = t->granted - t->asked;
	}
	if (sim_unlikely(total != d->pipeline + wire + edge - parsed + voq + request + t->bus_wait + t->column_wait +
	                              t->mux_wait + output)) {
		sim_violation(call->ctx,
		              "switch %u, output %u: the stages of packet %u of endpoint %u do not sum to %llu ps",
		              s->id, tiled_out(p), p->packet.seq, p->packet.src, (unsigned long long)total);
		return;
	}
	sim_save(call->ctx, m, sizeof *m);
	m->packets++;
	m->bytes += p->packet.bytes;
	m->total += total;
	m->clock += edge - parsed;
	m->wire += wire;
	m->voq += voq;
	m->request += request;
	m->bus += t->bus_wait;
	m->column += t->column_wait;
	m->mux += t->mux_wait;
	m->output += output;
	base_checkf(m->total == m->packets * d->pipeline + m->wire + m->clock + m->voq + m->request + m->bus +
	                            m->column + m->mux + m->output,
	            "switch %u, output %u: %llu ps", s->id, tiled_out(p), (unsigned long long)m->total);
	struct sw_line *link = &s->meters[tiled_out(p)].link;
	sim_save(call->ctx, link, sizeof *link);
	sw_line_add(link, call->common->end, link_start, link_finish, 0, 0);
}

void tiled_tiles(const struct sw_common *c, struct sw_instruments *table)
{
	const struct tiled_derived *d = c->impl;
	table->rows = d->geometry.rows;
	table->columns = d->geometry.columns;
	table->per_tile = d->geometry.per_tile;
	table->place = d->geometry.place;
}

/* The readings of a port, in the order of the table; those by row are stored separately. */
static void read_port(const struct tiled_meter *m, uint64_t end, uint64_t v[OF_PORT])
{
	const uint64_t values[] = { sw_use_read(&m->bus, end),
		                    0,
		                    sw_use_read(&m->mux, end),
		                    sw_line_in_use(&m->link, end),
		                    sw_use_read(&m->input_held, end) + sw_holds_read(&m->input_now, end),
		                    m->input_most,
		                    sw_use_read(&m->voq_held, end) + sw_holds_read(&m->voq_now, end),
		                    m->voq_most,
		                    m->no_credit,
		                    m->no_space,
		                    m->limit,
		                    sw_use_read(&m->ack_bus, end),
		                    sw_use_read(&m->ack_mux, end),
		                    m->acks,
		                    m->bus_waits,
		                    m->mux_waits };
	_Static_assert(sizeof values / sizeof *values == OF_PORT, "one value an instrument");
	for (size_t k = 0; k < sizeof values / sizeof *values; k++)
		v[k] = values[k];
}

static void read_passed(const struct tiled_derived *d, const struct tiled_passed *m,
                        uint64_t v[TILED_INSTRUMENTS - OF_PORT])
{
	const uint64_t values[] = { m->packets,
		                    m->bytes,
		                    m->total,
		                    m->packets * d->ingress,
		                    m->clock,
		                    m->voq,
		                    m->packets * d->ask,
		                    m->request,
		                    m->packets * d->grant,
		                    m->bus,
		                    m->packets * d->row,
		                    m->column,
		                    m->packets * d->column,
		                    m->mux,
		                    m->wire,
		                    m->packets * d->egress,
		                    m->output };
	_Static_assert(sizeof values / sizeof *values == TILED_INSTRUMENTS - OF_PORT, "one value an instrument");
	for (size_t k = 0; k < sizeof values / sizeof *values; k++)
		v[k] = values[k];
}

void tiled_read_instruments(const struct sw_common *c, const void *state, const struct sw_instruments *table,
                            uint64_t *words)
{
	const struct tiled_derived *d = c->impl;
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	uint64_t v[TILED_INSTRUMENTS];
	for (uint32_t i = 0; i < s->net_ports + s->terminals; i++) {
		read_port(&s->meters[i], c->end, v);
		for (uint32_t k = 0; k < OF_PORT; k++)
			if (!table->v[k].by_row)
				words[sw_instrument_at(table, k) + i] = v[k];
		for (uint32_t r = 0; r < d->geometry.rows; r++)
			words[sw_instrument_at(table, CROSSED) + i * d->geometry.rows + r] =
			    sw_use_read(tiled_crossed_at(d, s, i, r), c->end);
		for (uint32_t class = 0; class < c->traffic_classes; class ++) {
			read_passed(d, passed_at(d, s, class, i), v);
			for (uint32_t k = OF_PORT; k < TILED_INSTRUMENTS; k++)
				words[sw_instrument_at(table, k) + (size_t) class * d->ports + i] = v[k - OF_PORT];
		}
	}
}
