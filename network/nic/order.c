/* network/nic/order.c - in-order delivery of flows, that is, of a pair of endpoints in a class with ordering = "flow".
 *
 * Packets are numbered (retry.c), and a receiver's interface holds packets back until all earlier ones have arrived. So
 * order holds in any case, also if packets are lost and retransmitted.
 *
 * With nic.ordering = "path" the network keeps order as well, as for Slingshot's ordered traffic, whose routing adapts
 * per flow: the first packet of a flow without packets in flight (all sent packets are acknowledged) is routed as any
 * other, and marked. Each switch records its output, and later packets of the flow follow: through the same input,
 * output and virtual channel, so through the same queues. A packet that arrives through another input than recorded
 * (because the packet before it was lost) is routed on its own, and its output is recorded. So each packet follows a
 * decision that was made for its own state, and proofs about the routing hold. A flow does not change its path while it
 * has packets in flight. Records remain until the end of a run: their memory is proportional to the pairs with traffic
 * and the switches between them. */
#include "network/host.h"

static struct net_way *path_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->paths, i, sizeof(struct net_way));
}

/* Has the packet come in the way that is noted? A flow may pass a switch twice, on its way to a `via` and behind it. */
static bool is_of(const struct net_way *x, uint32_t in_port, const struct sw_packet *p)
{
	return x->src == p->src && x->dst == p->dst && x->port[0] == in_port && x->via[0] == p->via &&
	       x->vc[0] == p->vc && x->route[0] == p->route;
}

/* The flow's note here; SW_POOL_NONE: there is none. */
static uint32_t find_path(const struct net *n, const struct net_lp *lp, uint32_t in_port, const struct sw_packet *p)
{
	uint32_t class = net_nic_class(n, p->job);
	for (uint32_t i = *net_chain_head(n, lp, NET_CHAIN_PATHS, p->dst, p->src);
	     i;) { /* one more, so that 0 ends it */
		const struct net_way *x = path_at(n, lp, i - 1);
		if (is_of(x, in_port, p) && x->class == class)
			return i - 1;
		i = x->link;
	}
	return SW_POOL_NONE;
}

/* Notes the way out. */
static void note(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t i, struct net_way *way)
{
	if (i != SW_POOL_NONE) {
		sim_save(ctx, path_at(n, lp, i), sizeof *way);
		way->link = path_at(n, lp, i)->link;
	} else {
		net_chains_reserve(n, ctx, lp, &net_nics_of(n, lp)->paths);
		uint32_t *head = net_chain_head(n, lp, NET_CHAIN_PATHS, way->dst, way->src);
		i = sw_pool_take(ctx, &net_nics_of(n, lp)->paths, sizeof *way);
		way->link = *head;
		sim_set(ctx, head, i + 1);
	}
	*path_at(n, lp, i) = *way;
	sim_add(ctx, &n->shared.nic->paths, 1);
}

uint32_t net_path_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack)
{
	struct net *n = call->host;
	struct net_lp *lp = call->host_lp;
	uint32_t i = find_path(n, lp, in_port, p);
	if (i != SW_POOL_NONE && !(p->injected & SW_MARK_PATH)) {
		const struct net_way *x = path_at(n, lp, i);
		p->via = x->via[1];
		p->vc = x->vc[1];
		p->route = x->route[1];
		*slack = x->slack;
		return x->port[1];
	}
	struct sw_packet before = *p;
	*slack = 0;
	uint32_t out = net_host_route(call, in_port, p, slack);
	if (*slack == SW_MAY_TURN) { /* it goes where it may wait: those behind it would pass it there */
		p->vc = before.vc;
		out = net_host_turn(call, in_port, p, slack);
	}
	struct net_way way = { .src = p->src,
		               .dst = p->dst,
		               .class = (uint8_t)net_nic_class(n, p->job),
		               .port = { (uint16_t)in_port, (uint16_t)out },
		               .via = { before.via, p->via },
		               .vc = { before.vc, p->vc },
		               .route = { before.route, p->route },
		               .slack = *slack };
	note(n, call->ctx, lp, i, &way);
	return out;
}

uint64_t net_order_sends(const struct net *n, struct net_pair *p, bool alone)
{
	uint64_t marks = 0;
	if (!(n->nic.ordered >> p->class & 1))
		return 0;
	if (!n->path.retry) /* which numbers them itself */
		marks = (uint64_t)(p->number++ % SW_PAIR_NUMBERS) << SW_INJECTED_BITS;
	return marks | (n->path.paths && alone ? SW_MARK_PATH : 0);
}

static struct net_early *early_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->early, i, sizeof(struct net_early));
}

/* Packets in front of `base` are in order now. */
static void release(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_received *r)
{
	while (r->early != SW_POOL_NONE && (int32_t)(early_at(n, lp, r->early)->number - r->base) < 0) {
		uint32_t i = r->early;
		struct net_early e = *early_at(n, lp, i);
		sim_set(ctx, &r->early, e.next);
		sw_pool_give(ctx, &net_nics_of(n, lp)->early, i, sizeof e);
		sim_add(ctx, &n->shared.nic->early_ps, ctx->now - e.came);
		net_nic_hand_over(n, ctx, lp, &e.packet);
	}
}

void net_order_comes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_received *r,
                     const struct sw_packet *p, uint32_t ahead)
{
	if (!ahead) {
		net_nic_hand_over(n, ctx, lp, p);
		release(n, ctx, lp, r);
		return;
	}
	uint32_t number = r->base + ahead, *link = &r->early;
	while (*link != SW_POOL_NONE && (int32_t)(early_at(n, lp, *link)->number - number) < 0)
		link = &early_at(n, lp, *link)->next;
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->early, sizeof(struct net_early));
	*early_at(n, lp, i) = (struct net_early){ .next = *link, .number = number, .came = ctx->now, .packet = *p };
	sim_set(ctx, link, i);
	sim_add(ctx, &n->shared.nic->early, 1);
}

void net_order_tally(const struct net *n, const struct net_lp *lp, uint64_t *held)
{
	const struct sw_pool *received = &net_nics_of(n, lp)->received;
	for (uint32_t k = 0; k < received->used; k++) { /* they are never given back */
		const struct net_received *r = sw_pool_at(received, k, sizeof *r);
		for (uint32_t i = r->early; i != SW_POOL_NONE; i = early_at(n, lp, i)->next)
			held[early_at(n, lp, i)->packet.job]++;
	}
}
