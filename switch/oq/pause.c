/* switch/oq/pause.c - priority flow control (IEEE 802.1Qbb) of one priority: the switch counts the bytes that arrived
 * by each port and are still here, and pauses the port's sender while there are too many.
 *
 * With the dynamic threshold every port has a reserve of its own; bytes beyond the reserve use the memory shared by the
 * ports, and the port pauses its sender when they exceed the free part of that memory divided by 2 ^ shift. Packets
 * that arrive after this are counted separately, in the port's headroom. The sender may resume when the headroom is
 * empty and the port's part of the shared memory is 0, or at least `offset` below the threshold. With a fixed threshold
 * ports are independent.
 *
 * The depth of a pause is the length of the chain of pauses that led to it: 1, or, if packets of the port wait at an
 * output that is itself paused, one more than the depth of the pause there. It is sent with the pause, and only used
 * for instruments. */
#include "switch/oq/oq.h"

static void tell_peer(struct sw_call *call, uint32_t in_port, uint64_t word)
{
	struct oq_state *s = call->state;
	bool terminal = in_port >= s->net_ports;
	call->host_ops->control(call, in_port, terminal ? NULL : &oq_output_at(s, in_port)->end,
	                        terminal ? word & 0xff : word, call->now);
}

/* A packet blocked by a pause. */
static bool holds_packet_of(const struct sw_common *c, const struct oq_state *s, const struct oq_list *list,
                            uint32_t in_port)
{
	uint32_t i = list->head;
	while (i != SW_POOL_NONE &&
	       (oq_packet_at(s, i)->in_port != in_port || !oq_is_kept(c, &oq_packet_at(s, i)->packet)))
		i = oq_packet_at(s, i)->next;
	return i != SW_POOL_NONE;
}

static uint64_t depth_of(const struct sw_common *c, struct oq_state *s, uint32_t in_port)
{
	const enum oq_level level = s->x->mixed ? OQ_KEPT : OQ_LOW;
	uint64_t depth = 0;
	for (uint32_t out = 0; out < s->net_ports; out++) {
		const struct oq_output *o = oq_output_at(s, out);
		if (o->paused > depth &&
		    (holds_packet_of(c, s, &o->queue[level], in_port) || holds_packet_of(c, s, &o->coming, in_port)))
			depth = o->paused;
	}
	return depth + 1;
}

static void pause(struct sw_call *call, uint32_t in_port)
{
	struct oq_state *s = call->state;
	struct oq_input *in = oq_input_at(s, in_port);
	uint64_t depth = depth_of(call->common, s, in_port);
	sim_save(call->ctx, in, sizeof *in);
	in->paused = 1;
	in->paused_at = call->now;
	in->pauses++;
	if (depth > s->deepest)
		sim_set(call->ctx, &s->deepest, depth);
	tell_peer(call, in_port, SW_CONTROL_PAUSE | depth << 8);
}

/* The part of `used` bytes that is in the shared memory. */
static uint32_t above_reserve(const struct oq *x, uint32_t used)
{
	return used > x->reserve ? used - x->reserve : 0;
}

static uint64_t threshold(const struct oq *x, const struct oq_state *s)
{
	uint64_t left = x->shared > s->shared_used ? x->shared - s->shared_used : 0;
	return left >> x->p->pfc_shift;
}

/* Sets the port's `used`, without its headroom with the dynamic threshold. */
static void count_used(struct sw_call *call, struct oq_input *in, uint32_t used)
{
	struct oq_state *s = call->state;
	const struct oq *x = s->x;
	if (!x->pause) {
		uint64_t shared = s->shared_used + above_reserve(x, used) - above_reserve(x, in->used);
		base_checkf(call->ctx->journal || shared <= x->shared + (uint64_t)s->ports * call->common->max_packet,
		            "switch %u: %llu bytes of %llu are shared", s->id, (unsigned long long)shared,
		            (unsigned long long)x->shared);
		sim_set(call->ctx, &s->shared_used, shared);
	}
	sim_set(call->ctx, &in->used, used);
}

void oq_pause_arrive(struct sw_call *call, uint32_t in_port, uint32_t bytes)
{
	struct oq_state *s = call->state;
	const struct oq *x = s->x;
	struct oq_input *in = oq_input_at(s, in_port);
	if (!in->paused) {
		count_used(call, in, in->used + bytes);
		if (x->pause ? in->used > x->pause : above_reserve(x, in->used) > threshold(x, s))
			pause(call, in_port);
		return;
	}
	sim_save(call->ctx, in, sizeof *in);
	in->headroom += bytes;
	in->peak = in->headroom > in->peak ? in->headroom : in->peak;
	if (sim_unlikely(in->headroom > x->headroom[oq_link(s, in_port)]))
		sim_violation(call->ctx, "switch %u, input %u: %u bytes came after a pause, the headroom is %u", s->id,
		              in_port, in->headroom, x->headroom[oq_link(s, in_port)]);
}

void oq_pause_leave(struct sw_call *call, uint32_t in_port, uint32_t bytes)
{
	struct oq_state *s = call->state;
	const struct oq *x = s->x;
	struct oq_input *in = oq_input_at(s, in_port);
	uint32_t of_headroom = bytes < in->headroom ? bytes : in->headroom;
	if (sim_unlikely(bytes - of_headroom > in->used)) {
		sim_violation(call->ctx, "switch %u, input %u: %u bytes leave, it has %u", s->id, in_port, bytes,
		              in->used + in->headroom);
		return;
	}
	if (of_headroom)
		sim_set(call->ctx, &in->headroom, in->headroom - of_headroom);
	count_used(call, in, in->used - (bytes - of_headroom));
	if (!in->paused || in->headroom)
		return;
	uint32_t above = above_reserve(x, in->used);
	if (x->pause ? in->used < x->resume : !above || above + (uint64_t)x->offset <= threshold(x, s)) {
		sim_save(call->ctx, in, sizeof *in);
		in->paused = 0;
		in->paused_ps += call->now - in->paused_at;
		if (s->meters)
			oq_meter_pause(call, &oq_meter_at(s, in_port)->pausing, in->paused_at);
		tell_peer(call, in_port, SW_CONTROL_GO);
	}
}

void oq_control_in(struct sw_call *call, uint32_t out, uint64_t word)
{
	struct oq_state *s = call->state;
	uint64_t depth = word >> 8;
	if (sim_unlikely(out >= s->net_ports || !s->x->p->pfc)) {
		sim_violation(call->ctx, "switch %u: a pause for output %u", s->id, out);
		return;
	}
	struct oq_output *o = oq_output_at(s, out);
	sim_save(call->ctx, o, sizeof *o);
	if ((word & 0xff) == SW_CONTROL_PAUSE) {
		if (!o->paused)
			o->paused_at = call->now;
		o->paused = depth < 255 ? (uint8_t)depth : 255;
		return;
	}
	if (o->paused && s->meters)
		oq_meter_pause(call, &oq_meter_at(s, out)->paused, o->paused_at);
	o->paused = 0;
	oq_serve(call, out);
}
