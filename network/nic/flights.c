/* network/nic/flights.c - short records of pairs that nothing holds back.
 *
 * Of a pair that no control frame has come for, a scheme like "slingshot" (cc_ops.sent_word) knows what is in flight
 * and when the last packet was sent. So as long as that is all, this is what is kept: made by the first packet, gone
 * with the last acknowledgement. A control frame turns it into a struct net_pair, which serves until it is forgotten: a
 * pair has one record or the other, never both. One traffic class, sources only. */
#include "network/nic/nic.h"

static inline struct net_flight *flight_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->flights, i, sizeof(struct net_flight));
}

/* What points to the record of the pair, a chain's numbers being one more; 0 if there is none. */
static inline uint32_t *find(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t dst)
{
	uint32_t *link = net_chain_head(n, lp, n->at_flights, terminal, dst);
	while (*link) {
		struct net_flight *f = flight_at(n, lp, *link - 1);
		if (f->dst == dst && f->terminal == terminal)
			break;
		link = &f->link;
	}
	return link;
}

void net_flight_sends(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                      uint32_t wire)
{
	uint32_t *link = find(n, lp, terminal, dst);
	if (*link) {
		struct net_flight *f = flight_at(n, lp, *link - 1);
		sim_save(ctx, f, sizeof *f);
		f->packets++;
		f->bytes += wire;
		f->last = wire;
		f->sent = ctx->now;
		return;
	}
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->flights, sizeof(struct net_flight));
	*flight_at(n, lp, i) = (struct net_flight){
		.dst = dst, .terminal = terminal, .packets = 1, .bytes = wire, .last = wire, .sent = ctx->now
	};
	sim_set(ctx, link, i + 1);
	sim_add(ctx, &n->shared.nic->pairs, 1);
}

static void remove_at(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t *link)
{
	uint32_t i = *link - 1;
	sim_set(ctx, link, flight_at(n, lp, i)->link);
	sw_pool_give(ctx, &net_nics_of(n, lp)->flights, i, sizeof(struct net_flight));
}

bool net_flight_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                             uint32_t wire)
{
	uint32_t *link = find(n, lp, terminal, dst);
	if (sim_unlikely(!*link))
		return false;
	struct net_flight *f = flight_at(n, lp, *link - 1);
	base_check(ctx->journal || (f->bytes >= wire && (f->bytes == wire) == (f->packets == 1)));
	if (sim_likely(f->packets == 1)) {
		remove_at(n, ctx, lp, link);
		return true;
	}
	sim_save(ctx, f, sizeof *f);
	f->packets--;
	f->bytes -= wire;
	return true;
}

bool net_flight_becomes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p)
{
	uint32_t *link = find(n, lp, p->terminal, p->dst);
	if (!*link)
		return false;
	const struct net_flight *f = flight_at(n, lp, *link - 1);
	p->in_flight = f->packets;
	p->cc.in_flight = f->bytes;
	p->cc.last = f->last;
	p->cc.word[n->cc.ops->sent_word - 1] = f->sent;
	remove_at(n, ctx, lp, link);
	return true;
}

void net_flight_in_vain(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst)
{
	if (!*find(n, lp, terminal, dst))
		sim_add(ctx, &n->shared.nic->pairs, 1);
}

uint64_t net_flights_sum(const struct net *n, const struct net_lp *lp)
{
	uint64_t packets = 0;
	for (uint32_t h = 0; n->flights && h < 1u << (32 - n->chain_shift); h++)
		for (uint32_t i = net_nics_of(n, lp)->heads[n->at_flights + h]; i; i = flight_at(n, lp, i - 1)->link)
			packets += flight_at(n, lp, i - 1)->packets;
	return packets;
}
