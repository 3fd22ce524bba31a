/* switch/crossbar/heads.c - arrivals of packets and credits at the crossbar switch, and the heads of its queues. A
 * packet is routed when it becomes the head of its queue or, with virtual output queues, when it arrives; here packets
 * also turn to another output (SW_MAY_TURN). See crossbar.h.
 *
 * Invariants, checked while running: no lane of an input buffer exceeds its capacity; returned credits never exceed the
 * bytes that were sent. */
#include "switch/crossbar/heads.h"
#include "switch/links/pass.h"

/* Sets the packet's frame on its outgoing link. */
static __attribute__((noinline)) void reframe(const struct sw_common *c, const struct xbar_state *s,
                                              const struct xbar_output *out, struct xbar_packet *k)
{
	k->leaving = sw_bytes_on(c, xbar_link(s, out, k->out), &k->packet);
}

/* With any_vc there is one class of VCs. */
static inline void set_group(const struct sw_common *c, const struct xbar *x, struct xbar_packet *k)
{
	k->group = k->packet.vc < x->vc_classes ? k->packet.vc : (uint8_t)(x->vc_classes - 1);
	if (sim_unlikely(!x->plain))
		xbar_set_class(c, k);
}

__attribute__((noinline)) void xbar_route(struct sw_call *call, const struct xbar *x, struct xbar_state *s,
                                          struct xbar_packet *k)
{
	bool terminal = k->in_port >= s->net_ports;
	k->packet.vc = terminal ? 0 : x->vc_class_of[k->in_lane];
	k->slack = 0;
	k->out = (uint16_t)call->host_ops->route(call, k->in_port, &k->packet, &k->slack);
	set_group(call->common, x, k);
	struct xbar_output *out = xbar_output_at(x, s, k->out);
	sim_set(call->ctx, &out->bytes, out->bytes + k->packet.bytes);
	if (sim_unlikely(call->common->reframes))
		reframe(call->common, s, out, k);
}

/* The VC of a terminal's input buffer: the next in turn with space for the packet's class. */
static uint8_t injection_vc(struct sw_call *call, const struct xbar *x, struct xbar_input *in,
                            const struct sw_packet *p)
{
	uint32_t share = x->terminal_share / x->injection_vcs, vc = in->next_vc, bytes = p->bytes;
	const uint32_t *used = xbar_used(x, in) + (sim_likely(x->plain) ? 0 : xbar_lane_of(call->common, p, 0));
	for (uint32_t k = 0; k < x->injection_vcs && used[vc] + bytes > share; k++)
		vc = vc + 1 == x->injection_vcs ? 0 : vc + 1;
	sim_set(call->ctx, &in->next_vc, (uint8_t)(vc + 1 == x->injection_vcs ? 0 : vc + 1));
	return (uint8_t)vc;
}

static void append_packet(struct sw_call *call, const struct xbar *x, struct xbar_state *s, struct xbar_input *in,
                          uint32_t q, uint32_t index)
{
	struct xbar_packet *k = xbar_packet_at(s, index);
	struct xbar_queue *queue = xbar_queue_at(x, s, k->in_port, q);
	uint64_t *nonempty = xbar_nonempty(in);
	if (sw_set_has(nonempty, q)) {
		base_checkf(sw_set_has(s->busy, k->in_port) && xbar_packet_at(s, queue->tail)->next == SW_POOL_NONE,
		            "switch %u, input %u, queue %u", s->id, k->in_port, q);
		sim_set(call->ctx, &xbar_packet_at(s, queue->tail)->next, index);
		sim_set(call->ctx, &queue->tail, index);
		return;
	}
	uint64_t when = queue->at > call->now ? queue->at : call->now; /* `at` may be the end of the previous packet */
	sim_save(call->ctx, queue, sizeof *queue);
	queue->head = queue->tail = index;
	xbar_at_head(call, x, s, queue, k, when);
	if (XBAR_FAULT == XBAR_FAULT_LOST_QUEUE && k->packet.seq % 64 == 63)
		return;
	sim_save(call->ctx, &nonempty[q >> 6], 8);
	sw_set_add(nonempty, q);
	if (!sw_set_has(s->busy, k->in_port)) {
		sim_save(call->ctx, &s->busy[k->in_port >> 6], 8);
		sw_set_add(s->busy, k->in_port);
	}
	xbar_wake(call, x, s, queue->at);
}

/* Check: does `used` equal the bytes of the packets in a lane of an input buffer? `more`: bytes of a packet that has
 * been counted but is not in a queue yet. */
static bool buffer_is_consistent(const struct xbar *x, struct xbar_state *s, uint32_t in_port, uint32_t lane,
                                 uint32_t more)
{
	struct xbar_input *in = xbar_input_at(x, s, in_port);
	uint64_t bytes = more;
	for (SW_EACH(q, xbar_nonempty(in), x->queue_words))
		for (uint32_t i = xbar_queue_at(x, s, in_port, q)->head; i != SW_POOL_NONE;
		     i = xbar_packet_at(s, i)->next) {
			const struct xbar_packet *k = xbar_packet_at(s, i);
			bytes += k->in_lane == lane ? k->packet.bytes : 0;
			if (k->in_port != in_port)
				return false;
		}
	return bytes == xbar_used(x, in)[lane];
}

void xbar_packet_in(struct sw_call *call, uint32_t in_port, struct sw_packet *p)
{
	const struct xbar *x = call->common->impl;
	struct xbar_state *s = call->state;
	struct xbar_input *in = xbar_input_at(x, s, in_port);
	bool terminal = in_port >= s->net_ports;
	uint8_t lane = terminal ? injection_vc(call, x, in, p) : p->vc;
	if (sim_unlikely(!x->plain))
		lane = xbar_lane_of(call->common, p, lane);
	uint32_t *used = &xbar_used(x, in)[lane], share = terminal ? x->terminal_share : x->most_of_lane;
	if (sim_unlikely(*used + p->bytes > share))
		sim_violation(call->ctx,
		              "switch %u, input %u, lane %u: %u bytes arrive at a buffer of %u that holds %u", s->id,
		              in_port, lane, p->bytes, share, *used);
	sim_set(call->ctx, used, *used + p->bytes);
	base_check(XBAR_FAULT || p->seq % 1024 || call->ctx->journal ||
	           buffer_is_consistent(x, s, in_port, lane, p->bytes));
	if (sim_unlikely(s->meters))
		xbar_meter_arrive(call, s, in_port, p->bytes);
	uint32_t index = sw_pool_take(call->ctx, &s->pool, sizeof(struct xbar_packet));
	struct xbar_packet *k = xbar_packet_at(s, index);
	uint32_t flits = (p->bytes + x->flit - 1) / x->flit;
	uint64_t flit_time = x->comes_in[terminal ? SW_LINK_TERMINAL : in->end.link_class];
	if (sim_unlikely(x->departs_apart) && call->common->wires && !terminal)
		flit_time = sw_comes(call, in_port, in->end.link_class, x->flit, call->now);
	uint64_t gap = flit_time > x->step ? (flits - 1) * (flit_time - x->step) : 0;
	*k = (struct xbar_packet){ .next = SW_POOL_NONE,
		                   .in_port = (uint16_t)in_port,
		                   .in_lane = lane,
		                   .flits = flits,
		                   .leaving = p->bytes,
		                   .arrived = call->now,
		                   .gapless = call->now + gap,
		                   .packet = *p };
	uint32_t q = lane;
	if (x->inputs == XBAR_VOQ) {
		xbar_route(call, x, s, k);
		q = k->out * x->groups + k->group;
	}
	append_packet(call, x, s, in, q, index);
}

/* Slow path: class lanes, shared pool, or credit overflow. */
static __attribute__((noinline)) void credit_lane(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes)
{
	const struct xbar *x = call->common->impl;
	struct xbar_state *s = call->state;
	uint32_t *credits = xbar_credits(x, xbar_output_at(x, s, out));
	if (XBAR_FAULT == XBAR_FAULT_LEAK && sw_lane_of_pool(credits[lane]))
		sim_set(call->ctx, &credits[x->lanes.n], credits[x->lanes.n] - 1);
	if (!sw_lane_give(call->ctx, &x->lanes, credits, lane, bytes))
		sim_violation(call->ctx, "switch %u, output %u, lane %u: %u credits came back, %llu were out", s->id,
		              out, lane, bytes, (unsigned long long)sw_lane_used(&x->lanes, credits, lane));
	else if (sw_set_any(s->busy, sw_set_words(s->ports)))
		xbar_wake(call, x, s, call->now);
}

void xbar_credit_in(struct sw_call *call, uint32_t out, uint8_t lane, uint32_t bytes)
{
	const struct xbar *x = call->common->impl;
	struct xbar_state *s = call->state;
	uint32_t *credits = &xbar_credits(x, xbar_output_at(x, s, out))[lane];
	if (sim_unlikely((uint64_t)*credits + bytes > x->plain_reserve)) { /* negative: credits of the pool */
		credit_lane(call, out, lane, bytes);
		return;
	}
	sim_set(call->ctx, credits, *credits + bytes);
	if (sw_set_any(s->busy, sw_set_words(s->ports)))
		xbar_wake(call, x, s, call->now);
}

/* --- turns --------------------------------------------------------------------------------------------------- */

/* A packet without a lane with credits at its output takes its alternative output, for which it may wait. */
static void turn_head(struct sw_call *call, const struct xbar *x, struct xbar_state *s, struct xbar_packet *k)
{
	struct xbar_output *out = xbar_output_at(x, s, k->out);
	base_check(k->slack == SW_MAY_TURN && out->bytes >= k->packet.bytes);
	sim_set(call->ctx, &out->bytes, out->bytes - k->packet.bytes);
	sim_save(call->ctx, k, sizeof *k);
	k->packet.vc = k->in_port >= s->net_ports ? 0 : x->vc_class_of[k->in_lane];
	k->out = (uint16_t)call->host_ops->turn(call, k->in_port, &k->packet, &k->slack);
	set_group(call->common, x, k);
	out = xbar_output_at(x, s, k->out);
	sim_set(call->ctx, &out->bytes, out->bytes + k->packet.bytes);
	if (sim_unlikely(call->common->reframes))
		reframe(call->common, s, out, k);
}

/* Is there a free lane with credits at the packet's output? */
static bool has_lane(const struct sw_call *call, const struct xbar *x, struct xbar_state *s,
                     const struct xbar_packet *k)
{
	struct xbar_output *o = xbar_output_at(x, s, k->out);
	const uint64_t *free_at = xbar_lane_free_at(x, o);
	for (uint32_t lane = x->first_lane[k->group]; lane < x->first_lane[k->group + 1]; lane++)
		if (free_at[lane] <= call->now && xbar_fits(call->common, x, o, lane, k, false))
			return true;
	return false;
}

__attribute__((noinline)) void xbar_turn_heads(struct sw_call *call, const struct xbar *x, struct xbar_state *s)
{
	for (SW_EACH(i, s->busy, sw_set_words(s->ports))) {
		for (SW_EACH(q, xbar_nonempty(xbar_input_at(x, s, i)), x->queue_words)) {
			struct xbar_queue *queue = xbar_queue_at(x, s, i, q);
			struct xbar_packet *k = xbar_packet_at(s, queue->head);
			if (queue->stage == XBAR_WANTS_VC && queue->at <= call->now && k->slack == SW_MAY_TURN &&
			    !has_lane(call, x, s, k))
				turn_head(call, x, s, k);
		}
	}
}
