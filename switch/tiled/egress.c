/* switch/tiled/egress.c - the output buffer and the link; freed bytes of the input buffer; the queue depth for routing.
 *
 * Space in the output buffer is computed as time on the link: all granted packets together, including those that have
 * crossed, need the link until max(link_busy, now) + flight. The size of the buffer limits how far ahead of the present
 * time this may be. So no event is needed when a packet has left. */
#include "switch/links/pass.h"
#include "switch/tiled/tiled.h"

bool tiled_has_credit(const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p, uint32_t lane)
{
	if (sim_likely(tiled_has_own_credit(d, s, p, lane)))
		return true;
	return d->account.pool &&
	       sw_pool_fits(&d->account, tiled_credit_at(d, s, tiled_out(p), 0), lane, (uint32_t)tiled_need(d, s, p));
}

/* Does the free part of the lane's reserve suffice for a largest packet? */
bool tiled_has_most(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint32_t lane)
{
	return (int32_t)*tiled_credit_at(d, s, out, lane) >= (int32_t)d->max_packet;
}

void tiled_take_credit(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                       uint32_t lane, uint32_t leaving)
{
	if (out >= s->net_ports)
		return;
	uint32_t *account = tiled_credit_at(d, s, out, 0), left = account[lane] - leaving;
	base_checkf(d->fault || sw_lane_fits(&d->account, account, lane, leaving),
	            "switch %u, output %u, lane %u: %u bytes of %u", s->id, out, lane, leaving, account[lane]);
	if (d->account.pool)
		sw_pool_settle(call->ctx, &d->account, account, lane, left);
	sim_set(call->ctx, &account[lane], left);
	if (d->hold.stop)
		tiled_credit_taken(call, d, tiled_port_at(d, s, out), out, lane, left);
}

/* Called when packet p has won its output. If it lacks the credits to leave, its lane is reserved for `holder`, whose
 * first packet p is, and the result is true. */
bool tiled_reserve(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, struct tiled_packet *p,
                   uint32_t holder)
{
	uint32_t out = tiled_out(p), lane = tiled_lane(d, p);
	if (!d->reserves || out >= s->net_ports || sim_likely(tiled_has_most(d, s, out, lane)) ||
	    sim_unlikely(d->fault == TILED_GRANT_WITHOUT_CREDIT) || tiled_has_credit(d, s, p, lane))
		return false;
	base_checkf(!*tiled_holder_at(d, s, out, lane), "switch %u, output %u, lane %u is reserved already", s->id, out,
	            lane);
	sim_set(call->ctx, tiled_holder_at(d, s, out, lane), (uint16_t)(1 + holder));
	return true;
}

/* A packet of the lane leaves: ends its reservation, if any. */
void tiled_end_reserve(struct sw_call *call, const struct tiled_derived *d, struct tiled_state *s, uint32_t out,
                       uint32_t lane)
{
	if (d->reserves && sim_unlikely(*tiled_holder_at(d, s, out, lane)))
		sim_set(call->ctx, tiled_holder_at(d, s, out, lane), 0);
}

void tiled_release_input(struct sw_call *call, struct tiled_state *s, const struct tiled_packet *p, uint64_t when)
{
	const struct tiled_derived *d = s->derived;
	uint32_t in = tiled_in(p);
	bool network = in < s->net_ports;
	uint32_t lane = tiled_in_lane(d, p), *used = tiled_used_at(d, s, in, network ? lane : 0);
	base_checkf(d->fault || *used >= p->packet.bytes, "switch %u, input %u: %u bytes of %u leave", s->id, in,
	            p->packet.bytes, *used);
	sim_set(call->ctx, used, *used - p->packet.bytes);
	if (sim_unlikely(s->meters))
		tiled_meter_release(call, s, p);
	call->host_ops->credit(call, in, network ? &tiled_port_at(d, s, in)->end : NULL, (uint8_t)lane, p->packet.bytes,
	                       when + d->credit);
	if (sim_unlikely(s->flows))
		tiled_flow_left(call, s, p, when + d->credit);
}

/* Returns the ps for which a packet's credits are in use, without the cable. With grants they are taken when the grant
 * is given, otherwise when the last stage begins. They are free again when the last byte has left the input buffer of
 * the next switch, which is cut-through: that is after the last byte's arrival there and, without row buffers, after
 * the first byte has crossed the row bus. */
uint64_t tiled_credit_loop(const struct sw_common *c, unsigned link, uint32_t bytes)
{
	const struct tiled_derived *d = c->impl;
	uint64_t serial = sw_serialisation(&c->link[link], bytes), beats = tiled_beats(d, bytes);
	uint64_t column = d->grants || !d->column_buffered ? d->column : 0;
	uint64_t out = (d->grants ? d->grant + d->row : 0) + column + d->egress;
	uint64_t bus = d->row_buffered ? beats : tiled_max(beats, d->row + 1);
	uint64_t in = d->ingress + tiled_max(d->ask + d->grant + bus, serial);
	/* at worst: clocks a period behind, tiles in opposite corners */
	uint64_t more = (d->edge_reciprocal ? d->period - 1 : 0) + (d->geometry.columns - 1) * d->column_pitch +
	                (d->rows - 1) * d->row_pitch;
	return out + in + d->credit + more;
}

/* --- queue depth
 * ---------------------------------------------------------------------------------------------------------
 *
 * With grants: the bytes of the output's request queues, requested and not granted (grant.c), for any cause of waiting:
 * another packet's turn, space in the output buffer, credits. Granted packets no longer wait, and those granted at once
 * never did: neither changes the depth. Without grants: the bytes in the switch for the output, and those that its link
 * still has to carry. The pipeline to the link, which every packet passes, is not a queue. */

static uint64_t tick_of(const struct tiled_derived *d, uint64_t t)
{
	return (uint64_t)((unsigned __int128)t * d->publish_reciprocal >> 64);
}

void tiled_depth_add(struct sw_call *call, struct tiled_state *s, uint32_t out, uint32_t bytes, bool less)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_depth *x = tiled_depth_at(d, s, out);
	uint64_t tick = d->publish ? tick_of(d, call->now) : 0;
	base_checkf(!less || x->bytes >= bytes, "switch %u, output %u: %u bytes of %u leave", s->id, out, bytes,
	            x->bytes);
	sim_save(call->ctx, x, sizeof *x);
	if (tick != x->tick) { /* the first change in this tick: saves the value at the tick's start */
		x->tick = tick;
		x->old_bytes = x->bytes;
		if (!d->grants)
			sim_set(call->ctx, &tiled_rest_at(d, s, out)->old_busy, tiled_port_at(d, s, out)->link_busy);
	}
	x->bytes = less ? x->bytes - bytes : x->bytes + bytes;
	struct tiled_queued *queued = &s->queued;
	uint64_t bit = 1ull << (out & 63);
	sim_save(call->ctx, queued, sizeof *queued);
	if (tick != queued->tick) {
		queued->tick = tick;
		queued->then = queued->now;
	}
	if (x->bytes)
		queued->now |= bit;
	else if (d->ports <= 64)
		queued->now &= ~bit;
}

/* Outputs (number % 64) that may have a queue, as published in that tick. */
static inline uint64_t queued_at(const struct tiled_state *s, uint64_t tick)
{
	return sim_unlikely(tick == s->queued.tick) ? s->queued.then : s->queued.now;
}

/* The value published in that tick; without publication, the current one. */
static inline uint64_t depth_of(const struct tiled_derived *d, struct tiled_state *s, uint32_t out, uint64_t tick,
                                uint64_t now)
{
	const struct tiled_depth *x = tiled_depth_at(d, s, out);
	bool old = d->publish && tick == x->tick;
	uint64_t depth = old ? x->old_bytes : x->bytes;
	if (sim_likely(d->grants))
		return depth;
	const struct tiled_port *o = tiled_port_at(d, s, out);
	uint64_t busy = old ? tiled_rest_at(d, s, out)->old_busy : o->link_busy;
	now = (d->publish ? tick * d->publish : now) + d->column + d->egress;
	if (busy > now)
		depth += (uint64_t)((unsigned __int128)(busy - now) * d->link[o->link].bytes_per_ps_q32 >> 32);
	return depth;
}

uint64_t tiled_queue_bytes(const void *state, uint32_t out, uint64_t now)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = s->derived;
	uint64_t tick = d->publish ? tick_of(d, now) : 0;
	if (sim_likely(d->grants &&
	               d->publish)) { /* called for the possible outputs of a packet, one of which it will take next */
		__builtin_prefetch(tiled_voq_at(d, s, out, 0, s->entering), 1);
		if (!(queued_at(s, tick) >> (out & 63) & 1))
			return 0;
	}
	return depth_of(d, s, out, tick, now);
}

void tiled_queue_bytes_each(const void *state, const uint32_t *out, uint32_t n, uint64_t now, uint64_t *bytes)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = s->derived;
	uint64_t tick = d->publish ? tick_of(d, now) : 0;
	if (sim_likely(d->grants && d->publish)) {
		uint64_t queued = queued_at(s, tick);
		for (uint32_t i = 0; i < n; i++) {
			bytes[i] = 0;
			if (sim_unlikely(queued >> (out[i] & 63) & 1))
				bytes[i] = depth_of(d, s, out[i], tick, now);
		}
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		bytes[i] = depth_of(d, s, out[i], tick, now);
}

uint64_t tiled_queues(const void *state, uint64_t now)
{
	const struct tiled_state *s = state;
	const struct tiled_derived *d = s->derived;
	return sim_likely(d->grants && d->publish) ? queued_at(s, tick_of(d, now)) : UINT64_MAX;
}

/* Credits are taken with the grant, or without grants when a packet wins access to the output. */
uint64_t tiled_used_credits(const void *state, uint32_t out, uint64_t now)
{
	struct tiled_state *s = (struct tiled_state *)(uintptr_t)state;
	const struct tiled_derived *d = s->derived;
	(void)now;
	return sw_account_used(&d->account, tiled_credit_at(d, s, out, 0));
}

/* --- the link -------------------------------------------------------------------------------------------- */

/* The part of tiled_leave() (cross.h) for packets with a trace. The packet arrives in the output buffer from `buffered`
 * (first byte) to `whole` (last byte). On entry *from and o->link_busy are the times on the link of the frame that
 * arrived; they are replaced by those of the outgoing frame. `idle`: when the link is free. Returns when the packet's
 * last bit leaves. */
__attribute__((noinline)) uint64_t tiled_leave_traced(struct sw_call *call, struct tiled_state *s, struct tiled_port *o,
                                                      struct tiled_packet *p, uint64_t buffered, uint64_t whole,
                                                      uint64_t idle, uint64_t *from)
{
	const struct tiled_derived *d = s->derived;
	const struct tiled_trace *t = tiled_trace_of(p);
	const struct sw_link *link = &call->common->link[o->link];
	uint64_t time = sw_serialisation(link, t->leaving);
	uint32_t out = tiled_out(p);
	*from = tiled_max(buffered + d->egress, idle);
	if (whole + d->egress > *from + time)
		*from = whole + d->egress - time;
	uint64_t to = *from + time;
	o->link_busy = to + link->gap;
	if (sim_unlikely(call->common->passes)) {
		struct sw_passage x = {
			.ready = buffered + d->egress, .idle = idle, .whole = whole + d->egress, .bytes = t->leaving
		};
		sw_pass(call, out, o->link, p->packet.job, &x);
		*from = x.start;
		to = x.finish;
		o->link_busy = x.free_at;
	}
	if (s->meters)
		tiled_meter_pass(call, s, p, buffered, *from, to);
	if (call->common->record_queues)
		call->host_ops->queued(call, out, out < s->net_ports ? tiled_vc(p) : 0, p->packet.bytes,
		                       tiled_arrived(p), to,
		                       d->grants ? t->granted > t->asked : t->column_wait + t->mux_wait > 0);
	return to;
}
