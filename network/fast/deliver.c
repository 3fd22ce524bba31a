/* network/fast/deliver.c - a packet reaches its endpoint: statistics, digest, messages.
 *
 * The arrival time is known when the last link is reserved, so delivery is no event: everything recorded here is a
 * commutative sum, or an extreme kept by the logical process. A delivery at or after the end of the run has not
 * happened. */
#include "network/net.h"

#include <string.h>

static uint64_t mix(uint64_t v)
{
	v ^= v >> 31;
	v *= 0x7fb5d329728ea185ull;
	v ^= v >> 27;
	v *= 0x81dadef4bc2dd44dull;
	return v ^ v >> 33;
}

#define DELIVER_INLINE static inline __attribute__((always_inline))

/* As sim_add(), where it is known whether the event is speculative. */
DELIVER_INLINE void add(struct sim_ctx *ctx, uint64_t *at, uint64_t delta, bool journal)
{
	if (journal)
		sim_journal_add(ctx, at, delta);
	*at += delta;
}

static void extreme(struct sim_ctx *ctx, uint64_t *least, uint64_t *most, uint64_t v)
{
	if (sim_unlikely(v < *least))
		sim_set(ctx, least, v);
	if (sim_unlikely(v > *most))
		sim_set(ctx, most, v);
}

DELIVER_INLINE void histogram_add(struct sim_ctx *ctx, uint64_t *histograms, uint32_t job, uint64_t v, bool journal)
{
	if (histograms)
		add(ctx, &histograms[(size_t)job * SIM_HISTOGRAM_BINS + sim_histogram_bin(v)], 1, journal);
}

/* The last packet of a message completes it; packets may overtake each other. Messages of one source are told apart by
 * their creation time. Returns true with *last = arrival of the whole. */
static bool message_complete(struct net *n, struct sim_ctx *ctx, uint32_t lp_index, const struct sw_packet *p,
                             uint64_t at, uint64_t *last)
{
	struct net_partials *t = &n->partials[lp_index];
	uint64_t whole = n->config->jobs[p->job].message;
	uint32_t *link = &t->head[mix(p->created ^ (uint64_t)p->src << 40 ^ p->dst) % NET_PARTIAL_HEADS];
	for (; *link != SW_POOL_NONE;) {
		struct net_partial *x = sw_pool_at(&t->pool, *link, sizeof *x);
		if (x->src == p->src && x->created == p->created && x->job == p->job) {
			base_checkf(ctx->journal || x->left >= p->bytes, "%llu bytes of a message are missing, %u come",
			            (unsigned long long)x->left, p->bytes);
			sim_save(ctx, x, sizeof *x);
			x->last = at > x->last ? at : x->last;
			x->left -= p->bytes;
			*last = x->last;
			if (x->left)
				return false;
			uint32_t gone = *link;
			sim_set(ctx, link, x->next);
			sw_pool_give(ctx, &t->pool, gone, sizeof *x);
			return true;
		}
		link = &x->next;
	}
	*last = at;
	if (whole <= p->bytes)
		return true;
	uint32_t i = sw_pool_take(ctx, &t->pool, sizeof(struct net_partial));
	*(struct net_partial *)sw_pool_at(&t->pool, i, sizeof(struct net_partial)) =
	    (struct net_partial){ SW_POOL_NONE, p->src, p->created, whole - p->bytes, at, p->job };
	sim_set(ctx, link, i);
	return false;
}

DELIVER_INLINE void measure(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                            uint64_t at, bool journal)
{
	struct net_job_stats *j = &n->shared.job[p->job];
	struct net_extremes *x = net_extremes_at(n, lp, p->job);
	uint64_t latency = at - p->created, network = at - p->injected;
	base_checkf(p->created <= p->injected && p->injected <= at,
	            "created at %llu ps, injected at %llu, delivered at %llu", (unsigned long long)p->created,
	            (unsigned long long)p->injected, (unsigned long long)at);
	add(ctx, &j->measured_delivered, 1, journal);
	add(ctx, &j->measured_minimal, !(p->route & SW_ROUTE_NONMINIMAL), journal);
	add(ctx, &j->latency_sum, latency, journal);
	add(ctx, &j->network_sum, network, journal);
	add(ctx, &j->hops_sum, p->hops, journal);
	extreme(ctx, &x->latency_min, &x->latency_max, latency);
	extreme(ctx, &x->network_min, &x->network_max, network);
	if (sim_unlikely(p->hops > x->hops_max))
		sim_set(ctx, &x->hops_max, p->hops);
	histogram_add(ctx, n->shared.latency, p->job, latency, journal);
	histogram_add(ctx, n->shared.network, p->job, network, journal);
}

void net_count_message(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t job, uint64_t posted,
                       uint64_t at)
{
	struct net_job_stats *j = &n->shared.job[job];
	struct net_extremes *x = net_extremes_at(n, lp, job);
	bool measured = posted >= n->measure_from && posted < n->measure_to;
	if (!n->shared.message || !(measured || n->batches.on))
		return;
	extreme(ctx, &x->message_min, &x->message_max, at - posted);
	if (n->batches.on) {
		net_batches_message(n, ctx, job, posted, at - posted);
		return;
	}
	sim_add(ctx, &j->messages, 1);
	sim_add(ctx, &j->message_sum, at - posted);
	histogram_add(ctx, n->shared.message, job, at - posted, ctx->journal);
}

/* What is not kept in most runs, or asked for by few jobs. */
static __attribute__((noinline)) void deliver_more(struct net *n, struct sim_ctx *ctx, struct net_lp *lp,
                                                   const struct sw_packet *p, uint64_t at)
{
	if (n->bins) {
		struct net_bin *b = &n->shared.bin[net_bin_of(n, at)];
		sim_add(ctx, &b->delivered, 1);
		sim_add(ctx, &b->delivered_bytes, p->bytes);
	}
	if (n->activity) {
		uint32_t *a = n->activity + ((size_t)net_index(n, lp) * 4 + 1) * n->bins + net_bin_of(n, at);
		sim_set(ctx, a, *a + 1);
	}
	uint64_t last = at;
	bool message = n->partials && n->traffic.job[p->job].multi_packet && !n->traffic.job[p->job].process &&
	               message_complete(n, ctx, net_index(n, lp), p, at, &last);
	if (n->batches.on) {
		struct net_extremes *x = net_extremes_at(n, lp, p->job);
		net_batches_arrived(n, ctx, p, at);
		extreme(ctx, &x->latency_min, &x->latency_max, at - p->created);
		extreme(ctx, &x->network_min, &x->network_max, at - p->injected);
		if (sim_unlikely(p->hops > x->hops_max))
			sim_set(ctx, &x->hops_max, p->hops);
	}
	if (message)
		net_count_message(n, ctx, lp, p->job, p->created, last);
	if (n->config->record.packets) {
		struct net_packet_record r = { .delivered = at,
			                       .created = p->created,
			                       .injected = p->injected,
			                       .src = p->src,
			                       .dst = p->dst,
			                       .seq = p->seq,
			                       .bytes = p->bytes,
			                       .job = p->job,
			                       .hops = p->hops,
			                       .minimal = !(p->route & SW_ROUTE_NONMINIMAL) };
		sim_commit(ctx, &r, sizeof r);
	}
}

DELIVER_INLINE void deliver(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                            uint64_t at, bool journal)
{
	struct net_job_stats *j = &n->shared.job[p->job];
	base_checkf(p->job < n->jobs && topo_switch_of(&n->topo, p->dst) == lp->id,
	            "a packet of job %u for endpoint %u leaves at switch %u", p->job, p->dst, lp->id);
	bool measured = p->created >= n->measure_from && p->created < n->measure_to;
	add(ctx, &j->delivered, 1, journal);
	add(ctx, n->shared.packet_hops, 1, journal);
	add(ctx, n->shared.digest, mix(mix(((uint64_t)p->src << 32 | p->seq) + p->job) ^ mix(at << 8 | p->hops)),
	    journal);
	if (at >= n->measure_from && at < n->measure_to)
		add(ctx, &j->delivered_bytes_measured, p->bytes, journal);
	if (measured)
		measure(n, ctx, lp, p, at, journal);
	if (n->counts_more)
		deliver_more(n, ctx, lp, p, at);
}

void net_deliver_late(struct net *n, struct sim_ctx *ctx, const struct net_late *late)
{
	deliver(n, ctx, net_lp_at(n, late->lp), &late->packet, late->at, false);
}

static __attribute__((noinline)) void put_off(struct sim_ctx *ctx, uint32_t lp, const struct sw_packet *p, uint64_t at)
{
	struct net_late late = { .packet = *p, .at = at, .lp = lp };
	sim_commit(ctx, &late, sizeof late);
}

void net_deliver(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at)
{
	if (at >= n->end) {
		put_off(ctx, n->call.lp, p, at);
	} else if (sim_unlikely(ctx->journal)) {
		deliver(n, ctx, lp, p, at, true);
	} else {
		deliver(n, ctx, lp, p, at, false);
	}
}
