/* network/fast/deliver.c - arrival of a packet at its endpoint: statistics, digest, messages.
 *
 * The arrival time is known when the last link is reserved, so delivery needs no event; its counts are added to the
 * window in which it happens (network/stats/ring.h). If a run keeps more than sums per job, deliveries are stored as
 * records, and counted when their window is final. */
#include "network/net.h"

#define DELIVER_INLINE static inline __attribute__((always_inline))

/* As sim_add(), where it is known whether the event is speculative. */
DELIVER_INLINE void add(struct sim_ctx *ctx, uint64_t *at, uint64_t delta, bool journal)
{
	if (journal)
		sim_journal_add(ctx, at, delta);
	*at += delta;
}

DELIVER_INLINE void histogram_add(struct sim_ctx *ctx, uint64_t *row, uint64_t *octaves, uint64_t v, bool journal)
{
	uint32_t bin = sim_histogram_bin(v);
	add(ctx, &row[bin], 1, journal);
	*octaves |= UINT64_C(1) << (bin >> SIM_HISTOGRAM_BITS); /* for good: an octave that is empty is harmless */
}

void net_put_off(struct net *n, struct sim_ctx *ctx, const struct net_late *late)
{
	base_check(late->what < NET_LATE_DELIVERED);
	if (late->at < n->times.horizon)
		sim_commit(ctx, late, sizeof *late);
}

struct whole_message {
	uint64_t last, bytes; /* last: ps, arrival of its last bit */
	uint32_t first;       /* number of its first packet */
};

/* Records the arrival of a packet. Returns true, with *out, if the packet completes its message: the last of its
 * packets to arrive, which need not be the one sent last, since packets may overtake each other. Messages of one source
 * are distinguished by their creation time. */
static bool message_complete(struct net *n, struct sim_ctx *ctx, uint32_t lp_index, const struct sw_packet *p,
                             uint64_t at, struct whole_message *out)
{
	struct net_partials *t = &n->partials[lp_index];
	uint32_t *link = &t->head[net_mix(p->created ^ (uint64_t)p->src << 40 ^ p->dst) % NET_PARTIAL_HEADS];
	for (; *link != SW_POOL_NONE;) {
		struct net_partial *x = sw_pool_at(&t->pool, *link, sizeof *x);
		if (x->src == p->src && x->created == p->created && x->job == p->job) {
			base_checkf(ctx->journal || x->left >= p->bytes, "%llu bytes of a message are missing, %u come",
			            (unsigned long long)x->left, p->bytes);
			sim_save(ctx, x, sizeof *x);
			x->last = at > x->last ? at : x->last;
			x->first = p->seq < x->first ? p->seq : x->first;
			x->left -= p->bytes;
			if (x->left)
				return false;
			*out = (struct whole_message){ x->last, x->bytes, x->first };
			uint32_t gone = *link;
			sim_set(ctx, link, x->next);
			sw_pool_give(ctx, &t->pool, gone, sizeof *x);
			return true;
		}
		link = &x->next;
	}
	uint64_t whole = n->config->jobs[p->job].message;
	if (sim_unlikely(!whole)) /* it is drawn */
		whole = n->traffic.ops->message(&n->traffic, p->job, p->src, p->created);
	*out = (struct whole_message){ at, whole, p->seq };
	if (whole <= p->bytes)
		return true;
	uint32_t i = sw_pool_take(ctx, &t->pool, sizeof(struct net_partial));
	*(struct net_partial *)sw_pool_at(&t->pool, i, sizeof(struct net_partial)) =
	    (struct net_partial){ SW_POOL_NONE, p->src, p->created, whole, whole - p->bytes, at, p->seq, p->job };
	sim_set(ctx, link, i);
	return false;
}

/* Extends the extremes of a window, once the event can no longer be undone. */
static __attribute__((noinline)) void extreme(struct net *n, struct sim_ctx *ctx, struct net_extremes *x, uint32_t job,
                                              uint64_t at, uint64_t latency, uint64_t network, uint32_t hops)
{
	if (ctx->journal) {
		const struct net_late late = { .at = at,
			                       .lp = n->call.lp,
			                       .what = NET_LATE_EXTREMES,
			                       .job = (uint8_t)job,
			                       .hops = (uint16_t)hops,
			                       .latency = latency,
			                       .value = network };
		sim_commit(ctx, &late, sizeof late);
		return;
	}
	const struct net_extremes more = { latency, latency, network, network, UINT64_MAX, 0, hops };
	net_extremes_merge(x, &more);
}

DELIVER_INLINE bool is_extreme(const struct net_extremes *x, uint64_t latency, uint64_t network, uint32_t hops)
{
	return latency < x->latency_min || latency > x->latency_max || network < x->network_min ||
	       network > x->network_max || hops > x->hops_max;
}

DELIVER_INLINE uint64_t digest_of(const struct sw_packet *p, uint64_t at)
{
	return net_mix(net_mix(((uint64_t)p->src << 32 | p->seq) + p->job) ^ net_mix(at << 8 | p->hops));
}

DELIVER_INLINE void check_delivery(const struct net *n, const struct sw_packet *p, topo_switch at_switch, uint64_t at)
{
	base_checkf(p->job < n->jobs && topo_switch_of(&n->topo, p->dst) == at_switch,
	            "a packet of job %u for endpoint %u leaves at switch %u", p->job, p->dst, at_switch);
	base_checkf(p->created <= p->injected && p->injected <= at,
	            "created at %llu ps, injected at %llu, delivered at %llu", (unsigned long long)p->created,
	            (unsigned long long)p->injected, (unsigned long long)at);
	(void)n, (void)p, (void)at_switch, (void)at;
}

/* --- of a window that is not final -------------------------------------------------------------------------------- */

static __attribute__((noinline)) void deliver_by_record(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p,
                                                        uint64_t at)
{
	if (at >= n->times.horizon && !n->path.by_record) {
		sim_add(ctx, &n->ring.beyond[p->job], 1);
		return;
	}
	const struct net_late_delivery d = {
		.at = at, .lp = n->call.lp, .what = NET_LATE_DELIVERED, .job = p->job, .packet = *p
	};
	sim_commit(ctx, &d, sizeof d);
}

DELIVER_INLINE void deliver(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p, uint64_t at, bool journal)
{
	struct net_ring *r = &n->ring;
	uint64_t w = net_ring_window(r, at);
	if (sim_unlikely(w - r->base >= r->delivered_windows || at >= n->times.horizon || n->path.by_record)) {
		deliver_by_record(n, ctx, p, at);
		return;
	}
	uint32_t slot = (uint32_t)w & (r->delivered_windows - 1);
	size_t row = (size_t)slot * n->jobs + p->job;
	struct net_window_delivered *d = &r->delivered[row];
	r->used_delivered[slot] = 1;
	add(ctx, &d->delivered, 1, journal);
	add(ctx, &d->digest, digest_of(p, at), journal);
	if (at >= n->times.measure_from && at < n->times.measure_to)
		add(ctx, &d->delivered_bytes_measured, p->bytes, journal);
	if (p->created < n->times.measure_from || p->created >= n->times.measure_to)
		return;
	uint64_t latency = at - p->created, network = at - p->injected;
#define ADD(name, value) add(ctx, &d->arrived.name, value, journal)
	NET_MEASURED(ADD);
#undef ADD
	histogram_add(ctx, r->latency + row * SIM_HISTOGRAM_BINS, &r->octaves[2 * row], latency, journal);
	histogram_add(ctx, r->network + row * SIM_HISTOGRAM_BINS, &r->octaves[2 * row + 1], network, journal);
	if (sim_unlikely(is_extreme(&r->x[row], latency, network, p->hops)))
		extreme(n, ctx, &r->x[row], p->job, at, latency, network, p->hops);
}

/* A packet of a message of several packets, of open traffic. */
static __attribute__((noinline)) void deliver_part(struct net *n, struct sim_ctx *ctx, const struct net_lp *lp,
                                                   const struct sw_packet *p, uint64_t at)
{
	struct whole_message m;
	const struct net_traffic_job *j = &n->traffic.job[p->job];
	if (!j->multi_packet || j->process || !message_complete(n, ctx, net_index(n, lp), p, at, &m))
		return;
	net_count_message(n, ctx, p->job, p->created, m.last);
	if (n->config->record.messages)
		net_message_whole(n, ctx,
		                  &(struct net_late_whole){ .at = m.last,
		                                            .job = p->job,
		                                            .start = p->created,
		                                            .bytes = m.bytes,
		                                            .src = p->src,
		                                            .dst = p->dst,
		                                            .seq = m.first });
}

void net_deliver(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at)
{
	check_delivery(n, p, lp->id, at);
	if (sim_unlikely(n->partials))
		deliver_part(n, ctx, lp, p, at);
	if (sim_unlikely(ctx->journal))
		deliver(n, ctx, p, at, true);
	else
		deliver(n, ctx, p, at, false);
}

/* Counted at once where that is now, but for extremes, which are known when nothing can be undone. */
void net_count_message(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t posted, uint64_t at)
{
	const struct net_extremes *x = &n->ring.extremes[job];
	uint64_t latency = at - posted;
	if (!n->shared.message || !(n->batches.on || (posted >= n->times.measure_from && posted < n->times.measure_to)))
		return;
	const struct net_late late = { .at = at,
		                       .lp = n->call.lp,
		                       .what = NET_LATE_MESSAGE,
		                       .job = (uint8_t)job,
		                       .latency = latency,
		                       .value = posted };
	if (at > ctx->now || n->batches.on || latency < x->message_min || latency > x->message_max) {
		net_put_off(n, ctx, &late);
		return;
	}
	struct net_job_stats *j = &n->shared.job[job];
	sim_add(ctx, &j->messages, 1);
	sim_add(ctx, &j->message_sum, latency);
	sim_add(ctx, &n->shared.message[(size_t)job * SIM_HISTOGRAM_BINS + sim_histogram_bin(latency)], 1);
}

/* --- of a window that is final ------------------------------------------------------------------------------------ */

void net_count_message_now(struct net *n, uint32_t job, uint64_t posted, uint64_t at, uint64_t latency)
{
	struct net_job_stats *j = &n->shared.job[job];
	struct net_extremes x;
	base_check(posted + latency == at);
	(void)at;
	net_extremes_clear(&x);
	x.message_min = x.message_max = latency;
	net_extremes_merge(&n->ring.extremes[job], &x);
	if (n->batches.on) {
		net_batches_message(n, n->call.ctx, job, posted, latency);
		return;
	}
	j->messages++;
	j->message_sum += latency;
	n->shared.message[(size_t)job * SIM_HISTOGRAM_BINS + sim_histogram_bin(latency)]++;
}

/* Records and sums that most runs do not keep. */
static void count_more(struct net *n, uint32_t lp, const struct sw_packet *p, uint64_t at)
{
	if (n->records.bins) {
		struct net_bin *b = net_bin_at(n, p->job, at);
		b->delivered++;
		b->delivered_bytes += p->bytes;
	}
	if (n->records.activity)
		net_activity_add(n, lp, NET_ROW_RECEIVES, at);
	if (n->batches.on)
		net_batches_arrived(n, n->call.ctx, p, at);
	const struct net_traffic_job *j = &n->traffic.job[p->job];
	if (n->config->record.messages && !j->multi_packet && !j->process)
		net_messages_add(n, &(struct net_late_whole){ .at = at,
		                                              .job = p->job,
		                                              .start = p->created,
		                                              .bytes = p->bytes,
		                                              .src = p->src,
		                                              .dst = p->dst,
		                                              .seq = p->seq });
	if (n->config->record.packets) {
		const struct net_packet_record r = { .delivered = at,
			                             .created = p->created,
			                             .injected = p->injected,
			                             .src = p->src,
			                             .dst = p->dst,
			                             .seq = p->seq,
			                             .bytes = p->bytes,
			                             .job = (uint8_t)net_job_of(n, p->job),
			                             .hops = p->hops,
			                             .minimal = !(p->route & SW_ROUTE_NONMINIMAL) };
		net_packets_add(&n->records.packets, &r);
	}
}

void net_count_delivery(struct net *n, const struct net_late_delivery *d)
{
	const struct sw_packet *p = &d->packet;
	struct net_job_stats *j = &n->shared.job[p->job];
	uint64_t at = d->at, latency = at - p->created, network = at - p->injected;
	bool measured = p->created >= n->times.measure_from && p->created < n->times.measure_to;
	base_check(!n->call.ctx->journal && at < n->times.horizon);
	j->delivered++;
	++*n->shared.packet_hops;
	*n->shared.digest += digest_of(p, at);
	if (at >= n->times.measure_from && at < n->times.measure_to)
		j->delivered_bytes_measured += p->bytes;
	if (measured) {
#define ADD(name, value) j->arrived.name += value
		NET_MEASURED(ADD);
#undef ADD
		n->shared.latency[(size_t)p->job * SIM_HISTOGRAM_BINS + sim_histogram_bin(latency)]++;
		n->shared.network[(size_t)p->job * SIM_HISTOGRAM_BINS + sim_histogram_bin(network)]++;
	}
	if (measured || n->batches.on) {
		const struct net_extremes x = { latency, latency, network, network, UINT64_MAX, 0, p->hops };
		net_extremes_merge(&n->ring.extremes[p->job], &x);
	}
	if (n->path.by_record)
		count_more(n, d->lp, p, at);
}
