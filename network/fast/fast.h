/* network/fast/fast.h - endpoints of the fast path, which decides in advance when endpoints send and when packets
 * arrive.
 *
 * An endpoint is part of the memory of its logical process. struct net_endpoints contains the data shared by all
 * endpoints of a rank. struct net_ahead contains routing results that are computed before the events of the packets are
 * executed. */
#ifndef NETWORK_FAST_H
#define NETWORK_FAST_H

#include "network/stats/ring.h"
#include "routing/routing.h"
#include "switch/pool.h"

struct net;
struct net_lp;
struct net_source;

#define NET_INLINE_JOBS 2u

/* Mixes the bits of a value before it is added to a digest. */
static inline uint64_t net_mix(uint64_t v)
{
	v ^= v >> 31;
	v *= 0x7fb5d329728ea185ull;
	v ^= v >> 27;
	v *= 0x81dadef4bc2dd44dull;
	return v ^ v >> 33;
}

struct net_endpoint {        /* 40 bytes: with one source a cache line */
	uint64_t tx_free;    /* ps: its link is busy until then */
	uint64_t lazy_until; /* lazy[0] will have come back by then ... */
	uint32_t return_gap; /* ... and lazy[1] so much later */
	uint32_t lazy[2];    /* bytes, older first; part of `outstanding` */
	uint32_t
	    outstanding; /* bytes of the switch's terminal input buffer it has used, those in the list below included */
	uint32_t
	    last; /* returns not yet looked at, see inject.c: the latest, whose `next` is the first; or SW_POOL_NONE */
	uint8_t blocked; /* waits for room */
	uint8_t jobs;
	uint8_t job[NET_INLINE_JOBS];
};

struct net_return { /* bytes that came back at a time when the buffer was nearly full */
	uint32_t next;
	uint32_t bytes;
	uint64_t time;
};

struct net_endpoints {
	size_t at, bytes;          /* of the first in the memory of a logical process, and of each */
	uint32_t sources;          /* most jobs of one endpoint */
	uint32_t share;            /* bytes of terminal input buffer on VC 0 */
	uint64_t senders;          /* endpoints at which some job injects, each counted once */
	uint64_t window_injection; /* bytes that one endpoint may put into the network in a lookahead, at most */
	uint32_t nearly_full;      /* with more than this outstanding, returns are kept with their times */
	uint32_t relaxed;          /* with at most this outstanding, returns due within relaxed_ps need no event */
	uint64_t relaxed_ps;
	struct sw_pool *returns; /* [room] */
};

struct net_partial { /* a message of which packets are missing */
	uint32_t next;
	uint32_t src;
	uint64_t created;
	uint64_t bytes, left;
	uint64_t last;  /* arrival so far */
	uint32_t first; /* least number of its packets that have come */
	uint8_t job;
};
#define NET_PARTIAL_HEADS 64u

struct net_partials {
	struct sw_pool pool;
	uint32_t head[NET_PARTIAL_HEADS];
};

#define NET_FEW 128u /* a power of 2 */

struct net_few { /* what routing has foreseen for a packet */
	struct rt_candidates few;
	uint32_t src, seq;
	uint8_t job;
};

struct net_ahead {
	/* The packet for which sim_ctx.hint was computed, or NULL. The hint is valid while the packet's VC is
	 * foreseen_vc. */
	const struct sw_packet *foreseen;
	const struct sim_event *arriving; /* of a joined switch: its packet is on its way through */
	uint8_t foreseen_vc;
	uint32_t few_made; /* so many so far, the last ones of which are in few[] */
	struct net_few few[NET_FEW];
	uint64_t *bounds; /* [2 * cap_bounds], for net_early_ideal() */
	uint32_t cap_bounds;
};

typedef uint32_t net_prefetcher(void *self, const struct sim_event *event);
typedef uint32_t net_early_handler(void *self, struct sim_event **events, uint32_t count,
                                   const struct sim_ordered *ordered);

/* inject.c */
void net_endpoint_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);
void net_inject_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);
/* Returns the source of an endpoint (with a class: of this traffic class of the endpoint) whose next packet has the
 * earliest creation time, and its number in *which; NULL: there is none. Sources whose bit is set in `not` are left
 * out. Ties are decided for the lower job. */
#define NET_ANY_CLASS UINT32_MAX
static inline uint64_t net_source_bit(uint32_t which)
{
	return UINT64_C(1) << (which < 63 ? which : 63);
}
struct net_source *net_earliest_source(const struct net *n, struct net_endpoint *e, uint32_t class, uint64_t not,
                                       uint32_t *which);
/* Exact path: subtracts from e->outstanding the bytes of buffer space that were returned to the endpoint without an
 * event. */
void net_settle_returns(struct sim_ctx *ctx, struct net_endpoint *e);
/* Exact path. net_take_packet() removes the next packet from a source, writes it to *p and counts it as created.
 * net_inject_packet() starts its transmission now; the link must be free and the switch must have buffer space for it.
 */
void net_take_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t which,
                     struct sw_packet *p);
void net_inject_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct sw_packet *p,
                       uint64_t marks, bool first, uint32_t via);
/* Counts and sends the next packet of an endpoint in one step, if it has one and the switch has buffer space; without
 * space *full is set. Only for endpoints that have only sources and whose packets are never throttled. Returns the time
 * of the next attempt; SIM_NEVER: the next attempt is made when buffer space is returned, or there is no further
 * packet. */
uint64_t net_inject_now(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, bool *full);
/* `bytes` of the input buffer of a terminal are free from `when` on; the endpoint receives the credit one link latency
 * later. */
void net_return_room(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t lane,
                     uint32_t bytes, uint64_t when);
void net_give_back(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t bytes);
/* Returns the bytes of buffer space that were returned to an endpoint and are still part of e->outstanding. */
uint64_t net_listed_returns(const struct net *n, const struct net_lp *lp, const struct net_endpoint *e);
/* Counts a packet as created or injected, as the record says, when its window is final. */
void net_count_sent(struct net *n, const struct net_late *late);
/* Calls visit() for each source of this rank whose next packet was created before `until`, with the time of this
 * creation. Packets behind the next one are not generated: the backlog of a source is computed from the time for which
 * it has waited and from its rate. `weight` is this rate as a multiple of the mean rate of the job's sources, with 32
 * binary places. */
void net_each_waiting(struct net *n, uint64_t until,
                      void (*visit)(void *arg, uint32_t job, uint64_t created, uint64_t weight), void *arg);
/* At the end of a run, counts the packets that sources have created but not sent. */
void net_count_backlog(struct net *n);

/* Count a message of a process: when it is posted (inject.c), and when it has arrived completely (deliver.c). Times are
 * in ps. */
void net_count_posted(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t at, uint64_t packets, uint64_t bytes);
void net_count_message(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t posted, uint64_t at);

/* deliver.c */
/* Count a delivered packet, or a completed message, whose window is final. */
void net_count_delivery(struct net *n, const struct net_late_delivery *d);
void net_count_message_now(struct net *n, uint32_t job, uint64_t posted, uint64_t at, uint64_t latency);
/* Stores the record of a decision made in advance, which is counted when the window of its time is final. */
void net_put_off(struct net *n, struct sim_ctx *ctx, const struct net_late *late);
void net_deliver(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at);

#endif
