/* network/nic/recovery.c - lost packets that the congestion control detects itself, from acknowledgements and by
 * probes; with n->nic.recovers.
 *
 * A probe is a frame without payload (64 bytes on links without framing) that is sent although the pair may send no
 * packet; it has no number and belongs to no message. The receiver acknowledges it at once, with the packets it has
 * received. If it is lost, the congestion control sends another one. */
#include "network/nic/nic.h"

#define PLAIN_BYTES 64u

int net_recovery_check(struct net *n, struct base_errors *errors)
{
	const struct cc_ops *ops = n->nic.cc.ops;
	const struct base_plugin *scheme = n->config->congestion.plugin;
	n->nic.recovers = n->path.retry && ops->recovery.recovers && ops->recovery.recovers(&n->nic.cc);
	if (!n->nic.recovers)
		return 0;
	n->nic.probe_bytes = n->common.framed                     ? 0
	                     : PLAIN_BYTES < n->common.max_packet ? PLAIN_BYTES
	                                                          : n->common.max_packet;
	if (!ops->recovery.recover)
		return base_missing(scheme, "recover", errors);
	if (!ops->recovery.probe)
		return base_missing(scheme, "probe", errors);
	return ops->recovery.overdue ? 0 : base_missing(scheme, "overdue", errors);
}

void net_recovery_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                               const struct cc_ack *ack, uint32_t base, uint32_t beyond)
{
	struct cc_gap gap = { .acked = base, .beyond = beyond, .more = p->first != SW_POOL_NONE };
	sim_save(ctx, p, n->nic.pair_bytes);
	p->cc.sent = p->number;
	n->nic.cc.ops->recovery.recover(&n->nic.cc, &p->cc, ctx->now, ack, &gap);
	if (gap.from < gap.to)
		net_retry_lose(n, ctx, lp, p, gap.from, gap.to);
}

uint64_t net_recovery_probe(const struct net *n, const struct sim_ctx *ctx, struct net_pair *p)
{
	return n->nic.recovers ? n->nic.cc.ops->recovery.probe(&n->nic.cc, &p->cc, ctx->now, false) : SIM_NEVER;
}

uint32_t net_recovery_job(struct net *n, struct net_lp *lp, const struct net_pair *p)
{
	return p->first != SW_POOL_NONE  ? net_held_at(n, lp, p->first)->job
	       : p->sent != SW_POOL_NONE ? net_retry_job(n, lp, p->sent)
	                                 : 0; /* of an impossible past */
}

struct sw_packet net_recovery_send(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair)
{
	struct net_pair *p = net_pair_at(n, lp, pair);
	base_check(ctx->journal || p->first != SW_POOL_NONE || p->sent != SW_POOL_NONE);
	uint32_t job = net_recovery_job(n, lp, p);
	sim_save(ctx, p, n->nic.pair_bytes);
	p->cc.sent = p->number;
	n->nic.cc.ops->recovery.probe(&n->nic.cc, &p->cc, ctx->now, true);
	sim_add(ctx, &n->shared.nic->probes, 1);
	return (struct sw_packet){ .created = ctx->now,
		                   .src = lp->first_endpoint + p->terminal,
		                   .dst = p->dst,
		                   .seq = NET_PROBE_SEQ,
		                   .bytes = n->nic.probe_bytes,
		                   .job = (uint8_t)job };
}
