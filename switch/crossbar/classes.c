/* switch/crossbar/classes.c - traffic classes at the outputs of the crossbar switch: their order, and the accounting of
 * their packets. See switch/classes.h. */
#include "sim/rng.h"
#include "switch/crossbar/crossbar.h"

#include <string.h>

__attribute__((noinline)) uint8_t xbar_lane_of(const struct sw_common *c, const struct sw_packet *p, uint32_t vc)
{
	return (uint8_t)sw_lane_of(c, p, vc);
}

__attribute__((noinline)) void xbar_set_class(const struct sw_common *c, struct xbar_packet *k)
{
	const struct xbar *x = c->impl;
	if (x->lanes.classes > 1)
		k->group = (uint8_t)(k->group + sw_class_of(c, &k->packet) * x->vc_classes);
	base_checkf(k->group < x->groups, "group %u of %u", k->group, x->groups);
}

static uint32_t class_of(const struct sw_call *call, const struct xbar_packet *k)
{
	const struct xbar *x = call->common->impl;
	base_check(x->order.used && k->group / x->vc_classes < x->lanes.classes);
	return k->group / x->vc_classes;
}

static const struct sw_link *link_of_output(const struct sw_call *call, const struct xbar_output *o, uint32_t out)
{
	return &call->common->link[xbar_link(call->state, o, out)];
}

/* Could the packet leave if its output were free? */
static bool waits_for_output(const struct sw_call *call, const struct xbar_queue *queue, uint32_t i, uint32_t xi,
                             const struct xbar_packet *k)
{
	const struct xbar *x = call->common->impl;
	struct xbar_state *s = call->state;
	struct xbar_output *o = xbar_output_at(x, s, k->out);
	if (queue->stage == XBAR_WANTS_VC || queue->at > call->now || k->gapless > call->now ||
	    xbar_in_free_at(x, xbar_input_at(x, s, i))[xi] > call->now)
		return false;
	if (k->out >= s->net_ports)
		return true;
	if (x->inputs == XBAR_VC || queue->stage == XBAR_HOLDS_LANE)
		return xbar_fits(call->common, x, o, queue->lane, k, false);
	for (uint32_t lane = x->first_lane[k->group]; lane < x->first_lane[k->group + 1]; lane++)
		if (!xbar_is_held(x, o, lane) && xbar_fits(call->common, x, o, lane, k, false))
			return true;
	return false;
}

bool xbar_asks(const struct sw_call *call, const struct xbar_queue *queue, uint32_t i, uint32_t xi,
               const struct xbar_packet *k, uint32_t class, uint32_t level, bool may, uint64_t *next)
{
	struct xbar *x = call->common->impl;
	struct xbar_claims *claims = &x->claims;
	struct xbar_output *o = xbar_output_at(x, call->state, k->out);
	uint64_t q16 = link_of_output(call, o, k->out)->ps_per_byte_q16;
	uint32_t in = i * x->xin + xi, out = k->out * x->xout + i % x->xout;
	if (class_of(call, k) != class || (!may && sw_set_has(claims->outputs, out)))
		return false;
	if (sw_class_level(&x->order, xbar_buckets(x, o), class, q16, call->now, next) != level)
		return false;
	if (sw_set_has(claims->inputs, in))
		return false; /* the output of the claim wakes the switch when it is free */
	if (may || !waits_for_output(call, queue, i, xi, k))
		return may;
	if (!sw_set_has(claims->waited, out) || k->arrived < claims->since[out]) {
		sw_set_add(claims->waited, out);
		claims->since[out] = k->arrived;
		claims->input[out] = (uint16_t)in;
	}
	return false;
}

void xbar_claims_begin(struct xbar *x)
{
	memset(&x->claims, 0, offsetof(struct xbar_claims, since));
}

void xbar_claims_settle(struct xbar *x)
{
	struct xbar_claims *claims = &x->claims;
	for (SW_EACH(out, claims->waited, SW_SET_WORDS)) {
		base_check(!sw_set_has(claims->outputs, out));
		sw_set_add(claims->outputs, out);
		sw_set_add(claims->inputs, claims->input[out]);
	}
	memset(claims->waited, 0, sizeof claims->waited);
}

void xbar_pay(const struct sw_call *call, struct xbar_output *o, const struct xbar_packet *k)
{
	const struct xbar *x = call->common->impl;
	const struct sw_link *link = sw_link_for_job(call->common, xbar_link(call->state, o, k->out), k->packet.job);
	sw_class_pay(call->ctx, &x->order, xbar_buckets(x, o), class_of(call, k), link->ps_per_byte_q16,
	             k->leaving + link->gap_bytes, call->now);
}

uint32_t xbar_shuffled_classes(const struct sw_call *call, uint8_t *class)
{
	const struct xbar *x = call->common->impl;
	struct xbar_state *s = call->state;
	uint32_t present = 0, n = 0, key[SW_MAX_CLASSES];
	for (SW_EACH(i, s->busy, sw_set_words(s->ports)))
		for (SW_EACH(q, xbar_nonempty(xbar_input_at(x, s, i)), x->queue_words))
			present |= 1u << sw_class_of(call->common,
			                             &xbar_packet_at(s, xbar_queue_at(x, s, i, q)->head)->packet);
	for (; present; present &= present - 1) {
		uint8_t k = (uint8_t)__builtin_ctz(present);
		uint32_t draw = sim_draw_quick(x->allocator.seed, s->id, s->count, k), at = n++;
		for (; at && key[at - 1] > draw; at--) {
			key[at] = key[at - 1];
			class[at] = class[at - 1];
		}
		key[at] = draw;
		class[at] = k;
	}
	return n;
}
