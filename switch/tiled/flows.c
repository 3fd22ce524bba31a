/* switch/tiled/flows.c - flow channels (switch/flows.h) in the tiled switch: a packet whose flow has reached its limit
 * waits in a list of the flow before it joins the queues that request grants. */
#include "switch/tiled/path.h"

static uint32_t account_of(const struct tiled_derived *d, uint32_t out, uint32_t lane)
{
	return out * d->lanes + lane;
}

/* Credit loop, in ps, of a largest packet granted the output now, without contention. */
static uint64_t loop_of(const struct sw_call *call, struct tiled_state *s, uint32_t out)
{
	unsigned link = tiled_port_at(s->derived, s, out)->link;
	return s->derived->link[link].credit_loop + sw_there_and_back(call->common, link);
}

uint32_t tiled_flow_route(struct sw_call *call, struct tiled_state *s, uint32_t in, struct sw_packet *p, uint8_t *slack)
{
	const struct tiled_derived *d = s->derived;
	if (!d->flow_route ||
	    (call->common->ordered_classes && call->common->ordered_classes >> sw_class_of(call->common, p) & 1))
		return call->host_ops->route(call, in, p, slack);
	const struct sw_flow_way *way = sw_flow_way_of(s->flows, p->src, p->dst);
	if (way && way->until > call->now) {
		p->via = way->via;
		p->vc = way->vc;
		p->route = way->route;
		return way->out;
	}
	uint32_t out = call->host_ops->route(call, in, p, slack);
	if (out < s->net_ports)
		sw_flow_set_way(call->ctx, s->flows,
		                &(struct sw_flow_way){ .src = p->src,
		                                       .dst = p->dst,
		                                       .via = p->via,
		                                       .out = (uint16_t)out,
		                                       .vc = p->vc,
		                                       .route = p->route,
		                                       .until = call->now + d->flow_route },
		                call->now);
	return out;
}

bool tiled_flow_enters(struct sw_call *call, struct tiled_state *s, uint32_t packet, uint32_t out, uint32_t lane)
{
	const struct tiled_derived *d = s->derived;
	struct sim_ctx *ctx = call->ctx;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	uint32_t bytes = tiled_leaving(s, p);
	struct sw_flow *flow =
	    sw_flow_find(ctx, s->flows, account_of(d, out, lane), sw_flow_key(p->packet.src, p->packet.dst), true);
	if (flow->head == SW_POOL_NONE && sw_flow_fits(s->flows, flow, bytes, call->now, loop_of(call, s, out))) {
		sw_flow_take(ctx, s->flows, flow, bytes);
		return true;
	}
	sim_save(ctx, flow, sizeof *flow);
	if (flow->head == SW_POOL_NONE)
		flow->head = packet;
	else
		sim_set(ctx, &tiled_packet_at(s, flow->tail)->next, packet);
	flow->tail = packet;
	if (call->common->track_queues && tiled_in(p) >= s->net_ports &&
	    !sw_flow_is_held(s->flows, flow->key, call->now)) {
		flow->shown += p->packet.bytes;
		tiled_depth_add(call, s, out, p->packet.bytes, false);
	}
	return false;
}

/* Takes bytes of a flow out of the queue depth, as far as they are in it. */
static void hide(struct sw_call *call, struct tiled_state *s, struct sw_flow *flow, uint32_t bytes)
{
	uint32_t shown = bytes < flow->shown ? bytes : flow->shown;
	if (!shown)
		return;
	sim_set(call->ctx, &flow->shown, flow->shown - shown);
	tiled_depth_add(call, s, flow->at / s->derived->lanes, shown, true);
}

void tiled_flow_credit(struct sw_call *call, struct tiled_state *s, uint32_t out, uint64_t word)
{
	const struct tiled_derived *d = s->derived;
	struct sim_ctx *ctx = call->ctx;
	struct sw_flows *f = s->flows;
	uint32_t lane = sw_flow_word_lane(word), bytes = sw_flow_word_bytes(word);
	struct sw_flow *flow = out < s->net_ports && lane < d->lanes
	                           ? sw_flow_find(ctx, f, account_of(d, out, lane), (uint32_t)word, false)
	                           : NULL;
	if (sim_unlikely(!flow || !sw_flow_give(ctx, f, flow, bytes))) {
		sim_violation(ctx, "switch %u, output %u, lane %u: %u bytes of a flow return, but only %u are out",
		              s->id, out, lane, bytes, flow ? flow->bytes : 0);
		return;
	}
	while (flow->head != SW_POOL_NONE) {
		uint32_t packet = flow->head;
		struct tiled_packet *p = tiled_packet_at(s, packet);
		uint32_t leaving = tiled_leaving(s, p);
		if (!sw_flow_fits(f, flow, leaving, call->now, loop_of(call, s, out)))
			break;
		sw_flow_take(ctx, f, flow, leaving);
		sim_set(ctx, &flow->head, p->next);
		hide(call, s, flow, p->packet.bytes);
		sim_save(ctx, p, tiled_packet_bytes(s));
		p->next = TILED_NONE;
		tiled_ask_late(call, s, packet);
	}
	sw_flow_forget(ctx, f, flow);
	tiled_arm(call, s);
}

void tiled_flow_left(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p, uint64_t when)
{
	const struct tiled_derived *d = s->derived;
	uint32_t in = tiled_in(p);
	if (in < s->net_ports)
		call->host_ops->control(
		    call, in, &tiled_port_at(d, s, in)->end,
		    sw_flow_word(sw_flow_key(p->packet.src, p->packet.dst), tiled_in_lane(d, p), p->packet.bytes),
		    when);
}

struct hidden {
	struct sw_call *call;
	struct tiled_state *s;
};

static void hide_all(void *arg, struct sw_flow *flow)
{
	const struct hidden *h = arg;
	hide(h->call, h->s, flow, flow->shown);
}

/* Its packets that wait here wait for its receiver: routing must not avoid their outputs. */
void tiled_hold_flow(struct sw_call *call, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t until)
{
	struct tiled_state *s = call->state;
	if (!s->flows)
		return;
	sw_flow_hold(call->ctx, s->flows, src, dst, pace_q16, call->now, until);
	if (until > call->now)
		sw_flow_each_account(s->flows, sw_flow_key(src, dst), hide_all, &(struct hidden){ call, s });
}
