/* network/checks/loops.c - the rate that one lane of a link sustains, with its part of the input buffer, over its
 * credit loop. */
#include "network/checks/loops.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Of a link of the switches, for cables of that latency there and back. */
static struct net_credit_loop loop_with(const struct net *n, uint32_t link_class, const struct sw_link *link,
                                        uint64_t bytes)
{
	const struct sw_common *c = &n->common;
	uint32_t k = net_link_of(n, link_class), frame = sw_frame_bytes(link, n->max_payload);
	uint64_t packets = bytes / frame, there = n->cables.latency[link_class],
		 back = n->cables.latency[topo_reverse_class(&n->topo, (int)link_class)];
	there = there == NET_LATENCY_LAYOUT ? c->link[k].latency : there; /* the longest */
	back = back == NET_LATENCY_LAYOUT ? c->incoming[k].latency : back;
	uint64_t loop = c->ops->links.credit_loop(c, k, frame),
		 sent = packets * (sw_serialisation(link, frame) + link->gap);
	return (struct net_credit_loop){
		.link_class = link_class,
		.latency = (there + back) / 2,
		.longest = sent > loop ? (sent - loop) / 2 : 0,
		.packet = frame,
		.rate = fmin(1, (double)sent / (double)(loop + there + back)),
	};
}

/* Returns the loop with the frames of the traffic class that sustains the smallest rate. */
static struct net_credit_loop loop_of(const struct net *n, uint32_t link_class, uint64_t bytes)
{
	const struct sw_frame_kinds *kinds = n->common.kinds;
	uint32_t k = net_link_of(n, link_class);
	struct net_credit_loop worst = loop_with(n, link_class, kinds ? &kinds->link[0][k] : &n->common.link[k], bytes);
	for (uint32_t i = 1; kinds && i < kinds->n; i++) {
		struct net_credit_loop own = loop_with(n, link_class, &kinds->link[i][k], bytes);
		if (own.rate < worst.rate || (own.rate == worst.rate && own.longest < worst.longest))
			worst = own;
	}
	return worst;
}

/* Finds for each named link class the credit loop that limits a lane most. Cables of a class may have bandwidths and
 * latencies of their own; among them the one is selected on which a lane sustains the smallest fraction of the link's
 * rate, and among equals the one with the highest latency. */
void net_find_credit_loops(const struct net *n, struct net_credit_loops *loops)
{
	const struct sw_common *c = &n->common;
	loops->n = 0;
	if (!c->ops->links.credit_loop || !c->max_net_ports)
		return;
	uint64_t bytes = c->lanes.pool ? sw_lane_alone(&c->lanes) : c->ops->buffer_share(c);
	bool *has = net_classes_with_cables(n);
	for (int k = 0; k < topo_named_classes(&n->topo); k++) {
		struct net_credit_loop worst = loop_of(n, (uint32_t)k, bytes);
		bool known = has[k];
		for (int j = topo_named_classes(&n->topo); j < n->topo.link_classes; j++) {
			struct net_credit_loop own = loop_of(n, (uint32_t)j, bytes);
			if (topo_named_class(&n->topo, j) != k || !has[j] ||
			    (known &&
			     (own.rate > worst.rate || (own.rate == worst.rate && own.latency <= worst.latency))))
				continue;
			known = true;
			worst = own;
			worst.link_class = (uint32_t)k;
		}
		loops->v[loops->n++] = worst;
	}
	free(has);
}

#define FULL_RATE 0.99 /* of a link: below it a lane is said to starve */

/* Warns only if traffic classes divide the buffers. Otherwise the number of lanes is the number of virtual channels,
 * which the routing determines, and `tilefly check` prints the rate that each of them sustains. */
void net_warn_of_lanes(const struct net *n, struct base_errors *errors)
{
	const struct sw_lanes *lanes = &n->common.lanes;
	struct net_credit_loops loops; /* 160 KB, of which one entry a class is written */
	if (lanes->classes < 2 || !n->traffic.jobs)
		return;
	net_find_credit_loops(n, &loops);
	for (uint32_t i = 0; i < loops.n; i++) {
		const struct net_credit_loop *l = &loops.v[i];
		if (l->rate < FULL_RATE)
			base_warnf(errors, "switch.buffer",
			           "%" PRIu32 " traffic classes on %" PRIu32 " virtual channels leave %" PRIu32
			           " bytes of buffer for each lane, which sustains only %.3g of a %s link whose cables "
			           "take %.6g ns, with packets of %" PRIu32 " bytes",
			           lanes->classes, lanes->vcs, n->common.ops->buffer_share(&n->common), l->rate,
			           n->topo.link_class_name[l->link_class], (double)l->latency / 1e3, l->packet);
	}
}
