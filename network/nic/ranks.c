/* network/nic/ranks.c - what processes report about their ranks: time by activity and by kind of call, and the steps of
 * the critical path.
 *
 * The account of a rank is part of the logical process of its endpoint. Finished periods are summed there, and passed
 * on when they are committed, for record.ranks; likewise steps, for record.path. */
#include "network/nic/node.h"

struct net_rank *net_rank_at(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t number,
                             uint32_t job)
{
	unsigned char *first = n->lp_memory + net_index(n, lp) * n->stride + n->processes.at_ranks;
	uint32_t slot = net_slot_of(n, net_endpoint_at(n, lp, terminal), job);
	size_t at = ((size_t)terminal * n->endpoints.sources + slot) * n->processes.places + number;
	return (struct net_rank *)(void *)(first + at * n->processes.rank_bytes);
}

static const struct net_traffic_job *job_of(const struct net_process_call *call)
{
	return &((const struct net *)call->host)->traffic.job[call->job];
}

static struct net_rank *rank_of(const struct net_process_call *call)
{
	const struct net_lp *lp = call->lp;
	const struct net *n = call->host;
	return net_rank_at(n, lp, net_place_endpoint(n, call->endpoint) - lp->first_endpoint,
	                   net_place_number(n, call->endpoint), call->job);
}

/* It did this, which is over. */
static void spend(struct net_process_call *call, struct net_rank *r, enum net_doing what, uint64_t to)
{
	struct net *n = call->host;
	struct sim_ctx *ctx = call->ctx;
	uint64_t from = r->since;
	if (from >= to)
		return;
	sim_set(ctx, &r->ps[what], r->ps[what] + (to - from));
	sim_set(ctx, &r->since, to);
	if (!n->config->record.ranks)
		return;
	struct net_span span = {
		.from = from, .to = to, .rank = r->rank, .job = (uint8_t)call->job, .what = (uint8_t)what
	};
	sim_commit(ctx, &span, sizeof span);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What it did until now is in its account. */
static void settle(struct net_process_call *call, struct net_rank *r)
{
	for (unsigned k = 0; k < NET_WAITS; k++)
		spend(call, r, k, earlier(r->until[k], call->now));
	spend(call, r, r->doing, call->now);
}

void net_rank_begins(struct net_process_call *call, uint32_t rank)
{
	struct net_rank *r = rank_of(call);
	base_checkf(job_of(call)->calls && rank < job_of(call)->ranks, "rank %u", rank);
	sim_save((struct sim_ctx *)call->ctx, r, sizeof *r);
	*r = (struct net_rank){ .since = call->now, .rank = rank, .state = NET_RANK_AT_WORK, .doing = NET_WAITS };
}

void net_rank_joins(struct net_process_call *call, uint32_t rank)
{
	struct net_rank *r = rank_of(call);
	sim_set((struct sim_ctx *)call->ctx, &r->rank, rank);
}

void net_rank_does(struct net_process_call *call, enum net_doing what)
{
	struct net_rank *r = rank_of(call);
	if (r->doing == what)
		return;
	settle(call, r);
	sim_set((struct sim_ctx *)call->ctx, &r->doing, (uint8_t)what);
}

void net_rank_spends(struct net_process_call *call, enum net_doing what, uint64_t ps)
{
	struct net_rank *r = rank_of(call);
	uint64_t from = call->now;
	base_check(what < NET_WAITS);
	if (!ps)
		return;
	settle(call, r);
	for (unsigned k = 0; k <= what; k++)
		from = r->until[k] > from ? r->until[k] : from;
	sim_set((struct sim_ctx *)call->ctx, &r->until[what], from + ps);
}

void net_rank_ends(struct net_process_call *call)
{
	struct net_rank *r = rank_of(call);
	struct sim_ctx *ctx = call->ctx;
	if (r->state != NET_RANK_AT_WORK)
		return; /* of an impossible past */
	settle(call, r);
	sim_set(ctx, &r->state, (uint8_t)NET_RANK_ENDED);
	sim_set(ctx, &r->end, call->now);
	net_step(call, NET_STEP_END, r->rank, 0);
}

static struct net_rank_call *kind_of(const struct net_process_call *call, uint32_t kind)
{
	return (struct net_rank_call *)(void *)(rank_of(call) + 1) + kind;
}

void net_call_begins(struct net_process_call *call, uint32_t kind, uint64_t at)
{
	struct net_rank_call *k = kind_of(call, kind);
	sim_save((struct sim_ctx *)call->ctx, k, sizeof *k);
	k->ps -= at;
	k->open++;
	k->calls++;
}

void net_call_ends(struct net_process_call *call, uint32_t kind, uint64_t at)
{
	struct net_rank_call *k = kind_of(call, kind);
	if (!k->open)
		return; /* of an impossible past */
	sim_save((struct sim_ctx *)call->ctx, k, sizeof *k);
	k->ps += at;
	k->open--;
}

void net_step(struct net_process_call *call, enum net_step_kind kind, uint32_t number, uint64_t compute)
{
	const struct net *n = call->host;
	if (sim_likely(!n->config->record.path) || !job_of(call)->calls)
		return;
	struct net_step step = { .at = call->now,
		                 .compute = compute,
		                 .endpoint = call->endpoint,
		                 .number = number,
		                 .rank = rank_of(call)->rank,
		                 .cause_endpoint = call->cause.endpoint,
		                 .cause_number = call->cause.number,
		                 .job = (uint8_t)call->job,
		                 .kind = (uint8_t)kind,
		                 .cause = (uint8_t)call->cause.kind };
	sim_commit(call->ctx, &step, sizeof step);
}
