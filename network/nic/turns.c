/* network/nic/turns.c - how processes of an endpoint share its interface: by turns, or in one queue (nic.sharing). See
 * node.h. */
#include "network/nic/node.h"

/* --- by turns ------------------------------------------------------------------------------------------------- */

bool net_turns_append(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, const struct net_pair *p,
                      uint32_t held)
{
	const struct net_held *h = net_held_at(n, lp, held);
	for (uint32_t k = h->message ? p->first : SW_POOL_NONE; k != SW_POOL_NONE;) {
		struct net_held *first = net_held_at(n, lp, k);
		k = first->next;
		if (!first->message || first->from != h->from || first->job != h->job)
			continue;
		if (first->more)
			sim_set(ctx, &net_held_at(n, lp, first->more_last - 1)->next, held);
		else
			sim_set(ctx, &first->more, held + 1);
		sim_set(ctx, &first->more_last, held + 1);
		return true;
	}
	return false;
}

void net_turns_rotate(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, struct net_pair *p)
{
	uint32_t i = p->first;
	struct net_held *h = net_held_at(n, lp, i);
	if (h->next == SW_POOL_NONE || !h->message)
		return;
	sim_save(ctx, p, n->nic.pair_bytes);
	p->first = h->next;
	sim_set(ctx, &h->next, SW_POOL_NONE);
	net_pair_append(n, ctx, lp, p, i);
}

void net_turns_follow(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, struct net_pair *p,
                      const struct net_held *h)
{
	struct net_held *next = net_held_at(n, lp, h->more - 1);
	base_checkf(next->job == h->job && next->from == h->from, "message %u of process %u follows one of %u",
	            next->number, next->from, h->from);
	sim_save(ctx, p, n->nic.pair_bytes);
	p->first = h->next;
	sim_save(ctx, next, sizeof *next);
	next->more = h->more == h->more_last ? 0 : next->next + 1;
	next->more_last = next->more ? h->more_last : 0;
	next->next = SW_POOL_NONE;
	net_pair_append(n, ctx, lp, p, h->more - 1);
}

/* --- one queue for the interface ------------------------------------------------------------------------------- */

static void give_to_interface(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                              const struct net_held *message)
{
	struct net_held h = *message;
	base_checkf(net_node_at(n, lp, terminal)->in_line, "terminal %u", terminal);
	h.next = SW_POOL_NONE;
	h.message = NET_HELD_BLOCKING; /* so that net_process_due() is called when it has left */
	net_nic_post(n, ctx, lp, terminal, net_place_endpoint(n, h.peer), &h);
}

void net_line_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                   const struct net_held *message)
{
	struct net_node *x = net_node_at(n, lp, terminal);
	if (!x->in_line) {
		sim_set(ctx, &x->in_line, 1);
		give_to_interface(n, ctx, lp, terminal, message);
		return;
	}
	uint32_t i = sw_pool_take(ctx, &net_nics_of(n, lp)->held, sizeof *message);
	*net_held_at(n, lp, i) = *message;
	net_held_at(n, lp, i)->next = SW_POOL_NONE;
	sim_set(ctx, x->first == SW_POOL_NONE ? &x->first : &net_held_at(n, lp, x->last)->next, i);
	sim_set(ctx, &x->last, i);
}

void net_line_left(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal)
{
	struct net_node *x = net_node_at(n, lp, terminal);
	uint32_t i = x->first;
	if (i == SW_POOL_NONE) {
		sim_set(ctx, &x->in_line, 0);
		return;
	}
	struct net_held h = *net_held_at(n, lp, i);
	sim_set(ctx, &x->first, h.next);
	sw_pool_give(ctx, &net_nics_of(n, lp)->held, i, sizeof h);
	give_to_interface(n, ctx, lp, terminal, &h);
}

void net_node_tally(const struct net *n, const struct net_lp *lp, uint64_t *queued)
{
	for (uint32_t t = 0; n->nic.in_line && t < lp->endpoints; t++)
		net_queue_tally(n, lp, net_node_at(n, lp, t)->first + 1, queued);
}
