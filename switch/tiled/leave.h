/* switch/tiled/leave.h - a packet on its way from the multiplexer to the link: inline, for column.c and direct.c. */
#ifndef SWITCH_TILED_LEAVE_H
#define SWITCH_TILED_LEAVE_H

#include "switch/tiled/tiled.h"

/* A packet of input i reaches the output buffer of o: first byte at start, last at finish. Its departure is certain
 * now. The output's state and the packet are saved already. */
TILED_INLINE void tiled_leave(struct sw_call *call, struct tiled_state *s, const struct tiled_port *i,
                              struct tiled_port *o, uint32_t packet, uint64_t start, uint64_t finish, bool simple)
{
	const struct tiled_derived *d = s->derived;
	struct tiled_packet *p = tiled_packet_at(s, packet);
	uint32_t out = tiled_out(p);
	uint32_t bytes = p->packet.bytes;
	unsigned kind = o->link;
	bool grants = simple || d->grants;
	uint64_t time = sw_serialisation(&call->common->link[kind], bytes), idle = o->link_busy;
	uint64_t wire = tiled_wire(d, i, o);
	start += wire;
	finish += wire;
	uint64_t from = tiled_max(start + d->egress, idle);
	if (finish + d->egress > from + time)
		from = finish + d->egress - time; /* the link must not run dry */
	if (!grants && call->common->track_queues)
		tiled_depth_add(call, s, out, bytes, true);
	uint64_t to = from + time;
	o->link_busy = to;
	if (!simple && sim_unlikely(tiled_traced(s)))
		to = tiled_leave_traced(call, s, o, p, start, finish, idle, &from);
	base_checkf(!grants || (o->flights > 0 && o->flight >= time), "switch %u, output %u: %u packets in flight",
	            s->id, out, o->flights);
	if (grants) {
		o->flight -= time;
		o->flights--;
	} else {
		uint64_t ahead = o->link_busy + d->link[kind].max_packet;
		o->not_before = ahead > d->link[kind].room ? ahead - d->link[kind].room : 0;
		tiled_take_credit(call, d, s, out, tiled_lane(d, p), tiled_leaving(s, p));
	}
	p->packet.vc = tiled_vc(p);
	if (out < s->net_ports)
		call->host_ops->transmit(call, out, &o->end, &p->packet, from, to);
	else
		call->host_ops->eject(call, out - s->net_ports, &p->packet, from, to);
	tiled_give(call->ctx, s, packet);
	/* a grant was held back by the limit, or by room that is there now after all */
	if (grants && sim_unlikely(o->asked_packets) && tiled_due(d, s, TILED_DUE_GRANT, out) == TILED_NEVER)
		tiled_want_grant(call, s, o, out, call->now + d->period);
}

#endif
