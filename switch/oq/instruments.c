/* switch/oq/instruments.c - instruments of the output-queued switch. */
#include "switch/oq/oq.h"

const struct sw_instrument oq_instruments[] = {
	{ "link_utilization", SW_IN_USE, 0, "of the link that this port sends on" },
	{ "paused", SW_IN_USE, 0, "the switch at the other end of this port's link has paused this port" },
	{ "pausing", SW_IN_USE, 0, "this port has paused its sender" },
	{ "queue_mean_bytes", SW_HELD, 0,
	  "waiting to leave by this port, during the latency of the switch and in the queue" },
	{ "queue_max_bytes", SW_MOST, 0, "maximum bytes in its queue, including the packet being sent" },
	{ "input_max_bytes", SW_MOST, 0,
	  "maximum bytes that arrived by this port after it had paused its sender (pfc)" },
	{ "marks", SW_TIMES, 0, "packets that left by this port with a new congestion mark" },
	{ "trims", SW_TIMES, 0, "packets for this port that were trimmed" },
	{ "drops", SW_TIMES, 0, "packets for this port that were dropped" },
	{ "pauses", SW_TIMES, 0, "pause frames that this port sent to its sender" },
	{ "pause_depth", SW_TIMES, 0,
	  "the longest chain of pauses that led to a pause of this switch, at its first port" },
	{ "packets", SW_PACKETS, 0, "that left by this output" },
	{ "bytes", SW_BYTES, 0, "of them" },
	{ "latency_ps", SW_LATENCY, 0, "sum of their times in the switch, last bit in to first bit out" },
	{ "pipeline", SW_STAGE, 0, "the latency of the switch" },
	{ "queue", SW_WAIT, 0, "in the queue of the output" },
};
_Static_assert(sizeof oq_instruments / sizeof *oq_instruments == OQ_INSTRUMENTS, "oq.h says how many");
enum { OF_PORT = 11 }; /* the first by class */

static struct oq_passed *passed_at(const struct oq_state *s, uint32_t class, uint32_t out)
{
	return (struct oq_passed *)(void *)(s->meters + s->x->ports * sizeof(struct oq_meter)) +
	       (size_t) class * s->x->ports + out;
}

size_t oq_meter_bytes(const struct sw_common *c)
{
	const struct oq *x = c->impl;
	return x->ports * (sizeof(struct oq_meter) + c->traffic_classes * sizeof(struct oq_passed));
}

void oq_meter_pass(struct sw_call *call, struct oq_state *s, uint32_t out, const struct oq_packet *k, uint32_t bytes,
                   uint64_t start, uint64_t finish)
{
	const struct sw_common *c = call->common;
	struct oq_meter *m = oq_meter_at(s, out);
	struct oq_passed *p = passed_at(s, sw_class_of(c, &k->packet), out);
	sim_save(call->ctx, m, sizeof *m);
	sim_save(call->ctx, p, sizeof *p);
	sw_line_add(&m->link, c->end, start, finish, 0, 0);
	sw_line_add(&m->held, c->end, k->arrived, start, bytes, 0);
	p->packets++;
	p->bytes += bytes;
	p->total += start - k->arrived;
	p->queue += start - k->arrived - s->x->p->latency;
	base_checkf(start >= k->arrived + s->x->p->latency, "switch %u, output %u: in at %llu ps, out at %llu", s->id,
	            out, (unsigned long long)k->arrived, (unsigned long long)start);
}

/* A pause has ended. */
void oq_meter_pause(struct sw_call *call, struct sw_use *use, uint64_t since)
{
	sim_save(call->ctx, use, sizeof *use);
	sw_use_add(use, call->common->end, since, call->now);
}

/* Pauses that have ended, and those that have not. */
static uint64_t until_end(const struct sw_common *c, bool still, uint64_t since, const struct sw_use *ended)
{
	return sw_use_read(ended, c->end) + (still && since < c->end ? c->end - since : 0);
}

/* Packets waiting at the end. */
static uint64_t still_held(const struct sw_common *c, struct oq_state *s, uint32_t out, const struct oq_list *list)
{
	uint64_t sum = 0;
	for (uint32_t i = list->head; i != SW_POOL_NONE; i = oq_packet_at(s, i)->next) {
		const struct oq_packet *k = oq_packet_at(s, i);
		uint64_t from = k->arrived < c->end ? k->arrived : c->end;
		sum += sw_bytes_on(c, oq_link(s, out), &k->packet) * ((c->end >> 10) - (from >> 10));
	}
	return sum;
}

void oq_read_instruments(const struct sw_common *c, const void *state, const struct sw_instruments *table,
                         uint64_t *words)
{
	struct oq_state *s = (struct oq_state *)(uintptr_t)state;
	const struct oq *x = c->impl;
	for (uint32_t i = 0; i < s->ports; i++) {
		const struct oq_meter *m = oq_meter_at(s, i);
		const struct oq_output *o = oq_output_at(s, i);
		const struct oq_input *in = x->p->pfc ? oq_input_at(s, i) : NULL;
		const uint64_t of_port[OF_PORT] = {
			sw_line_in_use(&m->link, c->end),
			until_end(c, o->paused, o->paused_at, &m->paused),
			in ? until_end(c, in->paused, in->paused_at, &m->pausing) : 0,
			sw_line_read(&m->held, c->end) + still_held(c, s, i, &o->queue[OQ_HIGH]) +
			    still_held(c, s, i, &o->queue[OQ_LOW]) + still_held(c, s, i, &o->queue[OQ_KEPT]) +
			    still_held(c, s, i, &o->coming),
			o->peak,
			in ? in->peak : 0,
			m->marks,
			m->trims,
			m->drops,
			in ? in->pauses : 0,
			i ? 0 : s->deepest,
		};
		for (uint32_t k = 0; k < OF_PORT; k++)
			words[k * x->ports + i] = of_port[k];
		for (uint32_t class = 0; class < c->traffic_classes; class ++) {
			const struct oq_passed *p = passed_at(s, class, i);
			const uint64_t passed[OQ_INSTRUMENTS - OF_PORT] = { p->packets, p->bytes, p->total,
				                                            p->packets * x->p->latency, p->queue };
			for (uint32_t k = 0; k < OQ_INSTRUMENTS - OF_PORT; k++)
				words[(OF_PORT + k * table->classes + class) * x->ports + i] = passed[k];
		}
	}
}
