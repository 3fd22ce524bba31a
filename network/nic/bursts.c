/* network/nic/bursts.c - see bursts.h
 *
 * A source is asked when its packet may leave whenever the interface is free to send, so a message that its burst
 * leaves unsent is discarded, or created later, at the first such time after it. What has been taken from a source and
 * waits for a congestion control leaves in bursts, too: net_pair_next(). Copies of lost packets leave at any time. */
#include "network/nic/bursts.h"

/* When the source's packet may leave; what its pause discards is counted. */
static uint64_t ready_at(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job,
                         struct net_source *s, uint64_t free)
{
	uint64_t discarded = 0;
	if (s->created > ctx->now)
		return s->created; /* in a burst, as all messages are created in one */
	sim_save(ctx, s, sizeof *s);
	uint64_t at =
	    n->traffic.ops->ready(&n->traffic, job, lp->first_endpoint + terminal, s, free, ctx->now, &discarded);
	base_checkf(at >= ctx->now, "a packet of job %u may leave before it is asked for", job);
	if (discarded)
		sim_add(ctx, &n->shared.job[job].discarded, discarded);
	return at;
}

struct net_source *net_ready_source(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                    uint32_t class, uint64_t not, uint32_t *which, uint64_t *at)
{
	struct net_endpoint *e = net_endpoint_at(n, lp, terminal);
	struct net_source *s = net_sources(e), *best = NULL;
	for (uint32_t i = 0; i < n->endpoints.sources && i < e->jobs; i++) {
		uint32_t job = net_source_jobs(n, e)[i];
		if (not &net_source_bit(i) || (class != NET_ANY_CLASS && n->common.class_of_job[job] != class))
			continue;
		uint64_t ready = ready_at(n, ctx, lp, terminal, job, &s[i], e->tx_free);
		if (ready == NET_NEVER || (best && (ready > *at || (ready == *at && s[i].created >= best->created))))
			continue;
		best = &s[i];
		*which = i;
		*at = ready;
	}
	base_check(!best || *at >= ctx->now);
	return best;
}
