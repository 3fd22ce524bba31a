/* network/stats/batches.h - sums over equal bins of simulated time, for time.precision. */
#ifndef NETWORK_BATCHES_H
#define NETWORK_BATCHES_H

#include "base/check.h"
#include "network/measured.h"
#include "sim/sim.h"
#include "switch/packet.h"

struct net;

/* Sums over equal bins of simulated time from the end of a fixed warm-up on, for time.precision. The values of a packet
 * or message belong to the bin in which it was created, except bytes injected and delivered, which belong to the bin of
 * that event; those of an iteration belong to the bin in which it ended. When all bins are used they are merged in
 * pairs. */
#define NET_BATCH_BINS 64u
struct net_batch {
	uint64_t created, created_bytes;
	uint64_t injected_bytes, delivered_bytes; /* by the bin of the instant */
	struct net_measured arrived;              /* of packets created in the bin */
	uint64_t messages, message_sum;
	uint64_t iterations, iteration_sum; /* of processes, that ended in the bin */
};
#define NET_BATCH_WORDS (sizeof(struct net_batch) / 8)

struct net_batches {
	bool on;
	unsigned shift; /* bins are `unit` << shift wide */
	uint64_t unit, reciprocal;
	uint64_t from;         /* ps: where the first bin begins; what is earlier is in none */
	struct net_batch *sum; /* [jobs][NET_BATCH_BINS] */
	/* [jobs][NET_BATCH_BINS][SIM_HISTOGRAM_BINS]; the last two may be NULL */
	uint64_t *latency, *network, *message, *iteration;
};

/* Sums by bin, if n->batches.on. batches.c */
/* Resident memory of the bins of time.precision, assuming similar latencies. */
uint64_t net_batches_bytes(const struct net *n);
void net_batches_create(struct net *n);
void net_batches_destroy(struct net *n);
/* Adds a worker's sums to n's, and resets the worker's to zero. */
void net_batches_gather(struct net *n, struct net *worker);
/* Merges pairs of bins: half as many, twice as wide. */
void net_batches_widen(struct net *n);
/* Uses the sums of bins [from, to) as those of the measured window. */
void net_batches_settle(struct net *n, uint32_t from, uint32_t to);
void net_batches_arrived(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p, uint64_t at);
/* Adds the duration in ps of a message created or posted at a time, and of an iteration that ended at a time. */
void net_batches_message(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t created, uint64_t latency);
void net_batches_iteration(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t ended, uint64_t ps);

static inline bool net_in_batches(const struct net_batches *b, uint64_t t)
{
	return t >= b->from;
}
/* The bin of a time that lies in a bin. Every earlier time that lies in a bin is in this bin or an earlier one. */
static inline uint32_t net_batch_of(const struct net_batches *b, uint64_t t)
{
	uint64_t units = (uint64_t)((unsigned __int128)(t - b->from) * b->reciprocal >> 64);
	return (uint32_t)(units >> b->shift);
}
static inline struct net_batch *net_batch_at(const struct net_batches *b, uint32_t job, uint64_t t)
{
	base_checkf(net_in_batches(b, t) && net_batch_of(b, t) < NET_BATCH_BINS, "%llu ps in bin %u",
	            (unsigned long long)t, net_batch_of(b, t));
	return &b->sum[job * NET_BATCH_BINS + net_batch_of(b, t)];
}

#endif
