/* network/nic/entropy.c - entropies of packets, which routing hashes beside the flow, where the source's interface
 * chooses them (rt.entropy): one for each message, or recycled ones.
 *
 * Recycled: each pair keeps the last eight entropies whose packets were acknowledged without a mark. A packet takes the
 * oldest of them that has not been used again, else a random one. So paths that are congested, whose packets are marked
 * or lost, are left, and the others stay in use as long as their acknowledgements come back unmarked. Bonato et al.:
 * REPS, arXiv 2407.21625, without its freezing mode. The record lies behind struct net_pair, and goes with it. */
#include "network/nic/nic.h"

#define RECYCLED 8u
_Static_assert(sizeof((struct net_recycled *)0)->entropy == RECYCLED * sizeof(uint16_t), "all of them");

static struct net_recycled *recycled_of(const struct net *n, struct net_pair *p)
{
	return (struct net_recycled *)(void *)((char *)p + n->nic.at_recycled);
}

int net_entropy_check(struct net *n, struct base_errors *errors)
{
	base_checkf(n->rt.entropies >= 1 && n->rt.entropies <= 65536, "%u entropies", n->rt.entropies);
	if (n->rt.entropy != RT_ENTROPY_RECYCLED)
		return 0;
	if (!n->common.marks)
		return base_errorf(errors, "routing.order",
		                   "\"recycled\" needs switches that mark packets: without marks every entropy value "
		                   "is reused, even if its path is congested");
	n->nic.at_recycled = (n->nic.pair_bytes + 7) & ~(size_t)7;
	n->nic.pair_bytes = n->nic.at_recycled + sizeof(struct net_recycled);
	return 0;
}

static uint32_t draw_entropy(const struct net *n, const struct sw_packet *p, uint32_t number, uint32_t sub)
{
	return sim_below(sim_draw_quick(n->config->seed, p->src, number, sub), n->rt.entropies);
}

uint32_t net_entropy_of(struct net *n, struct sim_ctx *ctx, struct net_pair *p, const struct sw_packet *packet,
                        uint32_t message, bool again)
{
	/* not the entropy with which it was lost */
	uint32_t sub = again ? (uint32_t)(ctx->now * UINT64_C(0x9e3779b97f4a7c15) >> 32) | 256 : packet->job;
	if (n->rt.entropy == RT_ENTROPY_RECYCLED) {
		struct net_recycled *r = recycled_of(n, p);
		base_checkf(r->fresh <= RECYCLED && r->head < RECYCLED, "%u of 8 entropies, %u", r->fresh, r->head);
		if (!r->fresh)
			return draw_entropy(n, packet, packet->seq, sub);
		uint32_t oldest = (uint32_t)(r->head + RECYCLED - r->fresh) % RECYCLED;
		sim_set(ctx, &r->fresh, (uint16_t)(r->fresh - 1));
		return r->entropy[oldest];
	}
	if (again)
		return draw_entropy(n, packet, packet->seq, sub);
	if (n->rt.entropy == RT_ENTROPY_MESSAGE_IN_TURN)
		return message % n->rt.entropies;
	return draw_entropy(n, packet, message, sub);
}

void net_entropy_return(struct net *n, struct sim_ctx *ctx, struct net_pair *p, uint32_t entropy)
{
	struct net_recycled *r = recycled_of(n, p);
	base_checkf(ctx->journal || entropy < n->rt.entropies, "entropy %u of %u", entropy, n->rt.entropies);
	sim_save(ctx, r, sizeof *r);
	r->entropy[r->head] = (uint16_t)entropy;
	r->head = (uint16_t)((r->head + 1) % RECYCLED);
	r->fresh = (uint16_t)(r->fresh + (r->fresh < RECYCLED));
}
