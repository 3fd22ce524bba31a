/* network/nic/behind.c - messages of a process that wait until an earlier blocking one has left: nic.order.
 *
 * A blocking MPI send ends when its message is on the wire, or has been passed to the interface, in the order in which
 * the process sends; later sends of the same process leave later. So the interface has at most one blocking message of
 * a process; messages posted after it are kept here, at the process, in order. When its last bit has left, the next
 * messages are passed on, up to and including the next blocking one. */
#include "network/nic/node.h"

void net_behind_add(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_process *p,
                    const struct net_held *message)
{
	struct sw_pool *pool = &net_nics_of(n, lp)->held;
	uint32_t i = sw_pool_take(ctx, pool, sizeof *message);
	struct net_held *held = net_held_at(n, lp, i);
	base_checkf(p->blocking, "message %u waits behind none", message->number);
	*held = *message;
	held->next = i;
	if (p->behind) {
		struct net_held *last = net_held_at(n, lp, p->behind - 1);
		held->next = last->next;
		sim_set(ctx, &last->next, i);
	}
	p->behind = i + 1;
}

bool net_behind_take(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_process *p,
                     struct net_held *message)
{
	if (!p->behind)
		return false;
	struct net_held *last = net_held_at(n, lp, p->behind - 1);
	uint32_t first = last->next;
	*message = *net_held_at(n, lp, first);
	base_checkf(message->message != NET_HELD_PACKET, "number %u is no message", message->number);
	if (first == p->behind - 1)
		p->behind = 0;
	else
		sim_set(ctx, &last->next, message->next);
	sw_pool_give(ctx, &net_nics_of(n, lp)->held, first, sizeof *message);
	return true;
}

void net_queue_tally(const struct net *n, const struct net_lp *lp, uint32_t first, uint64_t *queued)
{
	for (uint32_t i = first ? first - 1 : SW_POOL_NONE; i != SW_POOL_NONE;) {
		const struct net_held *h = net_held_at(n, lp, i);
		uint64_t packet = n->traffic.job[h->job].max_packet;
		queued[h->job] += (h->left + packet - 1) / packet;
		if (n->nic.rotates)
			net_queue_tally(n, lp, h->more, queued);
		i = h->next;
	}
}

static void tally_process(const struct net *n, const struct net_lp *lp, const struct net_process *p, uint32_t endpoint,
                          uint64_t *queued)
{
	for (uint32_t i = p->behind; i;) {
		const struct net_held *h = net_held_at(n, lp, i - 1);
		uint64_t packet = n->traffic.job[h->job].max_packet;
		if (!net_stays_inside(n, endpoint, h->peer))
			queued[h->job] += (h->left + packet - 1) / packet;
		i = h->next + 1 == p->behind ? 0 : h->next + 1;
	}
}

static void tally_job(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t job, uint64_t *queued)
{
	for (uint32_t k = 0; n->traffic.job[job].process && k < n->traffic.job[job].per_endpoint; k++)
		tally_process(n, lp, net_process_at(n, lp, terminal, k, job), lp->first_endpoint + terminal, queued);
}

void net_behind_tally(const struct net *n, const struct net_lp *lp, uint64_t *queued)
{
	for (uint32_t t = 0; n->traffic.process && t < lp->endpoints; t++) {
		struct net_endpoint *e = net_endpoint_at(n, lp, t);
		for (uint32_t k = 0; k < e->jobs; k++)
			tally_job(n, lp, t, net_source_jobs(n, e)[k], queued);
	}
}
