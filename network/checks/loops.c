/* network/checks/loops.c - what one lane of a link carries: with its part of the input buffer, over the loop of its
 * credits. */
#include "network/checks/loops.h"

#include <inttypes.h>
#include <math.h>

void net_find_credit_loops(const struct net *n, struct net_credit_loops *loops)
{
	const struct sw_common *c = &n->common;
	loops->n = 0;
	if (!c->ops->links.credit_loop || !c->max_net_ports)
		return;
	uint64_t bytes = c->lanes.pool ? sw_lane_alone(&c->lanes) : c->ops->buffer_share(c);
	for (uint32_t k = 0; k < (uint32_t)n->topo.link_classes; k++) {
		const struct sw_link *link = &c->link[k];
		uint32_t frame = sw_frame_bytes(link, n->max_payload), packets = (uint32_t)(bytes / frame);
		uint64_t loop = c->ops->links.credit_loop(c, k, frame),
			 sent = packets * (sw_serialisation(link, frame) + link->gap);
		loops->v[loops->n++] = (struct net_credit_loop){
			.link_class = k,
			.latency = link->latency,
			.longest = sent > loop ? (sent - loop) / 2 : 0,
			.packet = frame,
			.rate = fmin(1, (double)sent / (double)(loop + 2 * link->latency)),
		};
	}
}

#define FULL_RATE 0.99 /* of a link: below it a lane is said to starve */

/* Only where classes divide the buffers: how many virtual channels there are the routing says, and `check` prints what
 * each carries. */
void net_warn_of_lanes(const struct net *n, struct base_errors *errors)
{
	const struct sw_lanes *lanes = &n->common.lanes;
	struct net_credit_loops loops = { 0 };
	if (lanes->classes < 2 || !n->traffic.jobs)
		return;
	net_find_credit_loops(n, &loops);
	for (uint32_t i = 0; i < loops.n; i++) {
		const struct net_credit_loop *l = &loops.v[i];
		if (l->rate < FULL_RATE)
			base_warnf(
			    errors, "switch.buffer",
			    "%" PRIu32 " classes of traffic on %" PRIu32 " virtual channels leave each lane %" PRIu32
			    " bytes, with which it carries %.3g of a %s link over cables of %.6g ns, in packets of "
			    "%" PRIu32 " bytes",
			    lanes->classes, lanes->vcs, n->common.ops->buffer_share(&n->common), l->rate,
			    n->topo.link_class_name[l->link_class], (double)l->latency / 1e3, l->packet);
	}
}
