/* switch/crossbar/instruments.c - instruments of the crossbar switch: utilization of inputs, outputs and links,
 * occupancy of inputs, and queueing times of packets. */
#include "switch/crossbar/crossbar.h"

const struct sw_instrument xbar_instruments[] = {
	{ "input_utilization", SW_IN_USE, 0, "of this port's crossbar inputs" },
	{ "output_utilization", SW_IN_USE, 0, "of this port's crossbar outputs" },
	{ "link_utilization", SW_IN_USE, 0, "of the link that this port sends on" },
	{ "input_mean_bytes", SW_HELD, 0, "held in this port's input buffer, until the packet is granted" },
	{ "input_max_bytes", SW_MOST, 0, "the most that it held" },
	{ "voq_mean_bytes", SW_HELD, 0,
	  "held for this port in the input buffers of all ports together, without packets not routed when the run "
	  "ends" },
	{ "packets", SW_PACKETS, 0, "that left by this output" },
	{ "bytes", SW_BYTES, 0, "of them" },
	{ "latency_ps", SW_LATENCY, 0, "sum of their times in the switch, arrival to first bit on the link" },
	{ "queue", SW_WAIT, 0, "at the input until granted, including allocation" },
	{ "crossbar and output", SW_WAIT, 0, "from the grant to the link" },
};
_Static_assert(sizeof xbar_instruments / sizeof *xbar_instruments == XBAR_INSTRUMENTS, "crossbar.h says how many");
enum { INPUT_HELD = 3, VOQ_HELD = 5, OF_PORT = 6 }; /* the first by class */

static struct xbar_passed *passed_at(const struct xbar *x, const struct xbar_state *s, uint32_t class, uint32_t out)
{
	return (struct xbar_passed *)(void *)(s->meters + x->ports) + (size_t) class * x->ports + out;
}

size_t xbar_meter_bytes(const struct sw_common *c)
{
	const struct xbar *x = c->impl;
	return x->ports * (sizeof(struct xbar_meter) + c->traffic_classes * sizeof(struct xbar_passed));
}

/* Bytes in the buffer of an input. */
static uint64_t x_input_bytes(const struct sw_common *c, const struct xbar_state *s, uint32_t in)
{
	const struct xbar *x = c->impl;
	return in < s->net_ports ? (uint64_t)x->lanes.reserve * x->lanes.n + x->lanes.pool
	                         : (uint64_t)x->terminal_share * x->injection_vcs * x->lanes.classes;
}

void xbar_meter_arrive(struct sw_call *call, struct xbar_state *s, uint32_t in, uint32_t bytes)
{
	struct xbar_meter *m = &s->meters[in];
	sim_save(call->ctx, m, sizeof *m);
	m->input_now += bytes;
	m->input_most = m->input_now > m->input_most ? m->input_now : m->input_most;
	base_checkf(call->ctx->journal || XBAR_FAULT || m->input_now <= (uint64_t)x_input_bytes(call->common, s, in),
	            "switch %u, input %u holds %llu bytes", s->id, in, (unsigned long long)m->input_now);
}

void xbar_meter_pass(struct sw_call *call, struct xbar_state *s, const struct xbar_packet *k, uint64_t start,
                     uint64_t finish)
{
	const struct xbar *x = call->common->impl;
	struct xbar_meter *in = &s->meters[k->in_port], *out = &s->meters[k->out];
	struct xbar_passed *p = passed_at(x, s, call->common->class_of_job[k->packet.job], k->out);
	uint64_t queued = call->now - k->arrived, end = call->common->end;
	sim_save(call->ctx, in, sizeof *in);
	sim_save(call->ctx, out, sizeof *out);
	sim_save(call->ctx, p, sizeof *p);
	sw_use_add(&in->input, end, call->now, call->now + k->flits * x->step);
	in->input_now -= k->packet.bytes;
	sw_use_hold(&in->input_held, end, k->arrived, call->now, k->packet.bytes);
	sw_use_add(&out->output, end, call->now, call->now + k->flits * x->step);
	sw_line_add(&out->link, end, start, finish, 0, 0);
	sw_use_hold(&out->voq_held, end, k->arrived, call->now, k->packet.bytes);
	p->packets++;
	p->bytes += k->packet.bytes;
	p->total += start - k->arrived;
	p->queue += queued;
	p->crossbar += start - call->now;
	base_checkf(p->total == p->queue + p->crossbar, "switch %u, output %u: %llu ps in all, %llu queued, %llu after",
	            s->id, k->out, (unsigned long long)p->total, (unsigned long long)p->queue,
	            (unsigned long long)p->crossbar);
}

/* Adds to the readings INPUT_HELD and VOQ_HELD the bytes that are still held at the end of the run. Packets that have
 * not been routed belong to no output yet. */
static void add_held(const struct sw_common *c, struct xbar_state *s, uint64_t *in, uint64_t *out)
{
	const struct xbar *x = c->impl;
	for (uint32_t i = 0; i < s->ports; i++) {
		for (SW_EACH(q, xbar_nonempty(xbar_input_at(x, s, i)), x->queue_words)) {
			uint32_t head = xbar_queue_at(x, s, i, q)->head;
			for (uint32_t k = head; k != SW_POOL_NONE; k = xbar_packet_at(s, k)->next) {
				const struct xbar_packet *p = xbar_packet_at(s, k);
				uint64_t from = p->arrived < c->end ? p->arrived : c->end;
				uint64_t held = p->packet.bytes * ((c->end >> 10) - (from >> 10));
				in[i] += held;
				if (k == head || x->inputs == XBAR_VOQ)
					out[p->out] += held;
			}
		}
	}
}

void xbar_read_instruments(const struct sw_common *c, const void *state, const struct sw_instruments *table,
                           uint64_t *words)
{
	const struct xbar *x = c->impl;
	struct xbar_state *s = (struct xbar_state *)(uintptr_t)state;
	for (uint32_t i = 0; i < s->ports; i++) {
		const struct xbar_meter *m = &s->meters[i];
		const uint64_t of_port[OF_PORT] = { sw_use_read(&m->input, c->end) / x->xin,
			                            sw_use_read(&m->output, c->end) / x->xout,
			                            sw_line_in_use(&m->link, c->end),
			                            sw_use_read(&m->input_held, c->end),
			                            m->input_most,
			                            sw_use_read(&m->voq_held, c->end) };
		for (uint32_t k = 0; k < OF_PORT; k++)
			words[k * x->ports + i] = of_port[k];
		for (uint32_t class = 0; class < c->traffic_classes; class ++) {
			const struct xbar_passed *p = passed_at(x, s, class, i);
			const uint64_t passed[XBAR_INSTRUMENTS - OF_PORT] = { p->packets, p->bytes, p->total, p->queue,
				                                              p->crossbar };
			for (uint32_t k = 0; k < XBAR_INSTRUMENTS - OF_PORT; k++)
				words[(OF_PORT + k * table->classes + class) * x->ports + i] = passed[k];
		}
	}
	add_held(c, s, words + INPUT_HELD * x->ports, words + VOQ_HELD * x->ports);
}
