/* network/stats/ring.h - counts by window of simulated time, until the window is final.
 *
 * The fast path decides ahead: when a packet leaves its endpoint, and when the last of its bits is at its destination,
 * is known before it happens. What is counted of it goes to the window in which it happens, and is added to the sums of
 * the run (struct net_shared) when that window is final: so at the start of every window these sums are exactly those
 * of a run that ends there, on any number of ranks and under any scheduler.
 *
 *        sums of the run | window base | base + 1 | ... | base + windows - 1 |  records: later, or with more to count
 *
 * Counts of a window are commutative sums, changed by sim_add(), in rows that are used in turn. Extremes are no sums:
 * they are changed where nothing can be undone, from records that were committed. Whatever is further ahead than there
 * are windows is a record (struct net_late), and so is everything where a run counts more than sums by job: records are
 * kept by window on the rank that made them. */
#ifndef NETWORK_STATS_RING_H
#define NETWORK_STATS_RING_H

#include "network/measured.h"
#include "sim/sim.h"
#include "switch/packet.h"

struct net;

struct net_extremes { /* ps, of one job; of nothing at all the least is UINT64_MAX and the most 0 */
	uint64_t latency_min, latency_max, network_min, network_max, message_min, message_max;
	uint64_t hops_max;
};

struct net_window_sent { /* of a job's packets in a window, by their own instants */
	uint64_t created, created_bytes_measured, measured, injected;
};

struct net_window_delivered {
	uint64_t delivered, delivered_bytes_measured;
	struct net_measured arrived;
	uint64_t digest;
};

enum net_late_kind {
	NET_LATE_CREATED,
	NET_LATE_INJECTED,
	NET_LATE_MESSAGE,
	NET_LATE_EXTREMES,
	NET_LATE_DELIVERED,
	NET_LATE_WHOLE
};

/* An event at `at`, decided earlier. The last part exists depending on `what`. */
struct net_late {
	uint64_t at; /* ps */
	uint32_t lp;
	uint8_t what; /* enum net_late_kind */
	uint8_t job;
	uint16_t hops;    /* EXTREMES */
	uint64_t latency; /* MESSAGE, EXTREMES: ps */
	uint64_t value;   /* CREATED, INJECTED: bytes; EXTREMES: ps in the network; MESSAGE: when it was posted */
};
struct net_late_delivery { /* DELIVERED */
	uint64_t at;
	uint32_t lp;
	uint8_t what, job;
	uint16_t spare;
	struct sw_packet packet;
};

struct net_late_whole { /* WHOLE: a message of which the last packet has come, with record.messages */
	uint64_t at;
	uint32_t lp;
	uint8_t what, job;
	uint16_t spare;
	uint64_t start, bytes;              /* start: ps */
	uint32_t src, dst, seq, more_spare; /* seq: of its first packet */
};

#define NET_RING_SENT 256u     /* windows; powers of two */
#define NET_RING_DELIVERED 32u /* of few jobs, else half of it */

struct net_ring_chunk;

struct net_ring {
	uint64_t width, reciprocal; /* ps of a window, the engine's */
	uint64_t base;              /* the first window that is not final */
	uint32_t delivered_windows;
	struct net_window_sent *sent;           /* [NET_RING_SENT][jobs] */
	struct net_window_delivered *delivered; /* [delivered_windows][jobs] */
	uint64_t *latency, *network;            /* [delivered_windows][jobs][SIM_HISTOGRAM_BINS] */
	/* Not undone by a rollback: an octave of a row, or a row, in which something was counted at some time. */
	uint64_t *octaves;            /* [delivered_windows][jobs][2] of latency, network: bit k: bins of octave k */
	uint8_t *used_sent;           /* [NET_RING_SENT] */
	uint8_t *used_delivered;      /* [NET_RING_DELIVERED] */
	struct net_extremes *x;       /* [delivered_windows][jobs] and what was known before */
	uint64_t *beyond;             /* [jobs] deliveries after the run's horizon, of which nothing else is counted */
	struct net_ring_chunk **late; /* [NET_RING_SENT] records by window */
	struct net_ring_chunk *far;   /* behind these */
	struct net_ring_chunk *free;
	struct net_extremes *extremes; /* [jobs] of windows that are final */
	size_t bytes;
};

/* n->shared, jobs and the engine's window must be known. */
void net_ring_create(struct net *n, uint64_t width);
void net_ring_destroy(struct net *n);
/* Bytes for the estimate of memory: resident from the start, and per stored record. */
uint64_t net_ring_bytes(const struct net *n);
/* sim_model.settled: everything before `until` is final. */
void net_settled(void *self, sim_time until);
/* Adds the counts of a record that was committed. */
void net_ring_file(struct net *n, const void *record);
/* The run of `worker` is over: counts that it decided for later times are added to those of n. */
void net_ring_move(struct net *n, struct net *worker);
/* Deliveries of each job that were decided but have not happened: added to v[jobs]. */
void net_ring_coming(const struct net *n, uint64_t *v);
/* Visits the records of deliveries that have not happened; if a run counts more than sums, these are all. */
void net_ring_each_coming(const struct net *n, void (*visit)(void *arg, const struct net_late_delivery *d), void *arg);
/* What the auditor compares. */
void net_ring_regions(const struct net *n, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
void net_extremes_clear(struct net_extremes *x);
void net_extremes_merge(struct net_extremes *to, const struct net_extremes *from);

static inline uint64_t net_ring_window(const struct net_ring *r, uint64_t t)
{
	return (uint64_t)((unsigned __int128)t * r->reciprocal >> 64);
}

#endif
