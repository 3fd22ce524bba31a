/* network/nic/layout.h - the records of network interfaces, and where they lie in a logical process: see nic.h.
 *
 * Behind the endpoints in an LP's memory are its NICs, their classes and its sinks; the other records are in pools of
 * struct net_nics, linked by number and found by chains (chains.c). All of it is state that changes through the
 * journal.
 */
#ifndef NETWORK_NIC_LAYOUT_H
#define NETWORK_NIC_LAYOUT_H

#include "congestion/congestion.h"
#include "network/net.h"

#include <stddef.h>

struct net_nic {
	uint64_t wake;   /* ps: an event is due then, earlier ones are void; SIM_NEVER: none */
	uint64_t busy;   /* ps: until then its endpoint handles messages, by nic.overhead_send and overhead_receive */
	uint32_t pairs;  /* that there are records of */
	uint32_t ready;  /* of them, in the rings */
	uint8_t paused;  /* by its switch: NET_PAUSE */
	uint8_t classes; /* of its sources and processes, at least one: they divide the switch's buffer */
	uint8_t spare[6];
};

struct net_nic_class { /* of a NIC and traffic class; one for all where classes have no lanes */
	uint32_t ring; /* of the pairs that may send: the one that has sent last; SW_POOL_NONE: there are none */
	uint32_t held; /* packets of sources in queues of pairs */
	uint32_t out;  /* bytes of the switch's terminal input buffer; with several classes */
	uint8_t turn;  /* 1: a source's, if it has something */
	uint8_t full;  /* waits for room in that buffer */
	uint8_t spare[2];
	uint64_t stuck; /* set of sources, the last bit for all from the 64th on: they wait for a place in the queues */
	/* With n->path.ring_plain, data of the pair whose turn is next, after `ring`: its number, its first waiting
	 * packet, and the payload of that packet. So a NIC that finds no buffer space need not access the pair. */
	uint32_t first, first_held, first_payload, spare_word;
};

enum net_pair_state {
	NET_PAIR_IDLE,   /* nothing waits */
	NET_PAIR_READY,  /* in the ring */
	NET_PAIR_PARKED, /* the scheme holds it back, until a time or until something comes */
};

/* Only the first n->nic.pair_bytes of a record are allocated: words that the congestion control does not use are
 * omitted, and with n->path.pairs_short all members from `number` on. */
struct net_pair {
	uint32_t link; /* the next in its chain, or in the list of free records */
	uint32_t dst;
	uint16_t terminal;
	uint8_t state;        /* enum net_pair_state */
	uint8_t backoff;      /* pauses in a row, less what was acknowledged meanwhile: retry.c */
	uint32_t next;        /* in the ring */
	uint32_t first, last; /* packets that wait: struct net_held; SW_POOL_NONE: none */
	uint64_t until;       /* ps: an event for it is due then; SIM_NEVER: none */
	union {
		uint64_t parked; /* ps: since when */
		struct {         /* with n->path.ring_plain, where none is parked: of `next`, as in net_nic_class */
			uint32_t next_held, next_payload;
		};
	};
	uint32_t in_flight; /* packets that are neither acknowledged nor lost */
	uint8_t class, spare[3];
	/* With n->path.retry: struct net_sent, see retry.c */
	uint32_t number;            /* packets that it has sent, each once */
	uint32_t sent, sent_last;   /* not acknowledged, by number; SW_POOL_NONE: none */
	uint32_t again, again_last; /* of these, to be sent again */
	uint32_t acked;             /* number of those before the first that is not acknowledged */
	uint64_t due;               /* ps: none of `sent` is overdue before; SIM_NEVER: none flies */
	uint64_t quiet;             /* ps: nothing is sent again before */
	struct cc_pair cc;
};

struct net_recycled { /* of a pair, behind struct net_pair: entropies that acknowledgements have returned, entropy.c */
	uint16_t entropy[8];
	uint16_t head, fresh; /* where the next one goes; so many before it have not been used again */
	uint32_t spare;
};

#define NET_PAIR_SHORT 64u /* n->nic.pair_bytes with n->path.pairs_short: one cache line */
_Static_assert(offsetof(struct net_pair, number) <= NET_PAIR_SHORT, "holds what is read then");

enum net_sent_state {
	NET_SENT_FLYING,
	NET_SENT_LOST, /* in the queue `again` */
	NET_SENT_DONE, /* likewise, and acknowledged meanwhile */
};

struct net_sent { /* a packet that is not acknowledged: retry.c */
	uint32_t next, again;
	uint32_t number, seq;
	uint32_t bytes;                    /* of payload */
	uint8_t job, state, copies, spare; /* enum net_sent_state; copies saturates */
	uint64_t created, sent;
};

/* A receiver's state for a source: retry.c. All numbers below `base` have been received. */
#define NET_NUMBERS_APART 2048u /* numbers of a pair that are not acknowledged differ by less */
_Static_assert(4 * NET_NUMBERS_APART == SW_PAIR_NUMBERS, "a number says which of four blocks it is in");
struct net_received {
	uint32_t link, src;
	uint32_t base, words; /* words: a list of struct net_word, rising */
	uint16_t terminal, class;
	uint32_t number; /* that have come */
	uint32_t
	    unacked;    /* wire bytes of packets received but not acknowledged to the source yet; with nic.ack_every */
	uint32_t early; /* a list of struct net_early, rising: those behind `base`, of an ordered class */
	uint64_t reached[4]; /* ps; when base reached a multiple of NET_NUMBERS_APART, the last four */
};

struct net_word { /* numbers from 64 * index on, of which some have come */
	uint32_t next, index;
	uint64_t bits;
};

struct net_early { /* a packet that waits at its receiver for an earlier one of its flow: order.c */
	uint32_t next, number;
	uint64_t came; /* ps */
	struct sw_packet packet;
};

/* The output of a switch for packets of a flow that enter it through the same input: order.c. */
struct net_way {
	uint32_t link;
	uint32_t src, dst;
	uint32_t via[2]; /* of a packet, before and behind the decision */
	uint16_t port[2];
	uint8_t vc[2], route[2];
	uint8_t class, slack;
	uint8_t spare[2];
};

struct net_held { /* a packet that waits for its pair, or what is left of a message of a process */
	uint32_t next;
	uint32_t seq;         /* of the next packet */
	uint64_t bytes, left; /* of all, and of what has not been sent */
	uint64_t created;
	uint64_t tag;
	uint32_t number;      /* of the message */
	uint8_t job, message; /* message: enum net_held_message */
	uint16_t from;        /* number of its process at the endpoint */
	union {
		uint64_t ready; /* ps: of a message that waits behind a blocking one, not before */
		struct {        /* with n->nic.rotates, of the first message of its process in the queue of a pair: */
			uint32_t more, more_last; /* 1 + those of that process behind it, by `next`; 0: none */
		};
	};
	uint32_t peer, nic; /* for whom, a place; by which interface of its node, of one that waits so */
};
_Static_assert(sizeof(struct net_held) == 64, "one cache line");

enum net_held_message { NET_HELD_PACKET, NET_HELD_MESSAGE, NET_HELD_BLOCKING };

struct net_process {                /* what its state comes behind */
	uint32_t packets, messages; /* that it has posted */
	uint32_t timers;            /* that it has set, with record.path */
	uint32_t blocking;          /* 1 + number of the blocking message that has not left; 0: none */
	/* Messages that wait behind this one, a ring of struct net_held: 1 + the number of the last one; 0: none. */
	uint32_t behind, spare;
};

enum net_rank_state { NET_RANK_NONE, NET_RANK_AT_WORK, NET_RANK_ENDED };
struct net_rank {                       /* of an application; behind it struct net_rank_call of each kind */
	uint64_t since, ps[NET_DOINGS]; /* since: what was before is in ps. From then on it ... */
	uint64_t until[NET_WAITS];      /* ... computes until so late, then sends, then does ... */
	uint64_t end;
	uint32_t rank;
	uint8_t state, doing, spare[2]; /* doing: ... this */
};

/* Two kinds of records are passed on when they are committed: this struct, and struct net_step. */
struct net_span {
	uint64_t from, to;
	uint32_t rank;
	uint8_t job, what, spare[2];
};

struct net_coming { /* a message that has not come as a whole */
	union {
		uint32_t link;      /* of free records */
		uint32_t processes; /* numbers of its processes at their endpoints: net_coming_from() */
	};
	uint32_t chain;
	uint32_t src, first; /* number of its first packet */
	uint32_t number;
	uint16_t terminal;
	uint8_t job, spare;
	uint64_t left, bytes, tag, posted;
	uint64_t
	    last; /* ps: with n->path.completes, when the last packet will have come of those that it is known of */
};

struct net_iterations { /* extremes of a job's at one LP: ps */
	uint64_t least, most;
	uint64_t finished; /* when the last process was */
};

struct net_contributor {
	uint32_t link;       /* free list */
	uint32_t chain;      /* the next in its chain */
	uint32_t next, prev; /* of its sink, in order of coming */
	uint32_t terminal, class;
	struct cc_contributor cc;
};

/* A packet that a switch has for one of its own endpoints. When the last link is reserved and no event is scheduled for
 * it, `at` is the time at which the endpoint receives it, which is recorded at the next event of the sink. */
struct net_present {
	uint32_t next, prev;  /* prev: in net_sink.inside */
	uint32_t contributor; /* SW_POOL_NONE: of a quiet sink, for which all but `count` and `at` is there */
	uint32_t src, seq;
	uint32_t bytes;
	uint32_t count; /* what would be in the key of the event */
	uint8_t job, class, spare[2];
	uint64_t came; /* ps */
	uint64_t at;   /* ps */
};
_Static_assert(sizeof(struct net_present) == 48, "no more than three quarters of a cache line");

/* A sink is quiet while it has no contributors, no tick is due, and its backlog is at most n->nic.quiet: then all
 * packets whose last link is not reserved are in `inside`, in order of arrival. */
struct net_sink {
	struct cc_sink cc;
	uint64_t tick;                /* ps: when the event is due; SIM_NEVER: none */
	uint32_t first, last;         /* contributors */
	uint32_t leaves, leaves_last; /* struct net_present, in order of `at`; SW_POOL_NONE: none */
	uint64_t leaves_at;           /* ps; of the first of them, or SIM_NEVER */
	uint32_t inside, inside_last;
};
_Static_assert(sizeof(struct net_sink) == 128, "two cache lines");
_Static_assert(offsetof(struct net_sink, cc.backlog) == 64, "the second one is all that a quiet sink needs");

/* The NIC of one endpoint, in struct net_interfaces.nics. The members used by messages are in one cache line. */
struct net_nics {
	_Alignas(
	    64) uint32_t *heads; /* [n->nic.chain_kinds][1 << bits]; of chains, in the last of `blocks` that counts */
	uint64_t bits;
	struct sw_pool pairs, held, coming;
	struct sw_pool contributors, present, sent, received, words, early, paths;
	struct net_heads *blocks; /* not part of the state: chains.c */
};
_Static_assert(offsetof(struct net_nics, contributors) == 64, "a cache line");

/* Sums over all endpoints, in net_shared. */
struct net_nic_stats {
	/* Copies of packets; packets dropped by switches, damaged on their last link (acknowledgements as well),
	 * trimmed to headers, received more than once, and received before an earlier one. */
	uint64_t resent, drops, damaged, damaged_acks, trimmed, duplicates, reordered;
	uint64_t backoffs;               /* pauses of pairs: retry.c */
	uint64_t probes, probes_came;    /* recovery.c */
	uint64_t early, early_ps, paths; /* order.c */
	uint64_t acks_waited_ps;         /* acks.c */
	uint64_t marked, timeouts;       /* acknowledgements of packets with SW_MARK_ECN; packets that were given up */
	uint64_t acks, controls, requests; /* that have been sent */
	uint64_t held, stuck;         /* packets that were put into queues of pairs; times that a source had to wait */
	uint64_t parks, parked_ps;    /* of pairs */
	uint64_t pairs, contributors; /* records that were made */
};
#define NET_PROBE_SEQ UINT32_MAX /* sw_packet.seq of probes: no source gets as far */
#define NET_NIC_WORDS (sizeof(struct net_nic_stats) / 8)

static inline struct net_nic *net_nic_at(const struct net *n, const struct net_lp *lp, uint32_t terminal)
{
	return (struct net_nic *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->nic.at_nics) + terminal;
}
/* The number by which a NIC distinguishes the traffic class of a job's packets. */
static inline uint32_t net_nic_class(const struct net *n, uint32_t job)
{
	return sim_likely(n->nic.classes == 1) ? 0 : n->common.class_of_job[job];
}
static inline struct net_nic_class *net_nic_class_at(const struct net *n, const struct net_lp *lp, uint32_t terminal,
                                                     uint32_t class)
{
	return (struct net_nic_class *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->nic.at_classes) +
	       terminal * n->nic.classes + class;
}
/* Only where n->nic.class_order.used. */
static inline struct sw_class_buckets *net_nic_buckets(const struct net *n, const struct net_lp *lp, uint32_t terminal)
{
	return (struct sw_class_buckets *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->nic.at_buckets) +
	       terminal * n->nic.classes;
}
/* A congestion control that distinguishes classes has a sink for each (n->nic.sink_classes): those of one class are
 * contiguous. */
static inline struct net_sink *net_sink_at(const struct net *n, const struct net_lp *lp, uint32_t terminal,
                                           uint32_t class)
{
	struct net_sink *sinks = (void *)(n->lp_memory + net_index(n, lp) * n->stride + n->nic.at_sinks);
	return sinks + terminal + class * n->nic.sink_stride;
}
static inline void net_sink_prefetch(const struct net *n, const struct net_lp *lp, uint32_t terminal)
{
	__builtin_prefetch(&net_sink_at(n, lp, terminal, 0)->leaves_at, 1);
}
static inline struct net_nics *net_nics_of(const struct net *n, const struct net_lp *lp)
{
	return &n->nic.nics[net_index(n, lp)];
}
static inline struct net_pair *net_pair_at(const struct net *n, const struct net_lp *lp, uint32_t pair)
{
	return sw_pool_at(&net_nics_of(n, lp)->pairs, pair, n->nic.pair_bytes);
}

static inline uint32_t net_chain_hash(uint32_t terminal, uint32_t peer)
{
	return (peer * 0x9e3779b1u) ^ (terminal * 0x85ebca6bu);
}
/* The head of the chain that contains the record of an endpoint and its peer. */
static inline uint32_t *net_chain_head(const struct net *n, const struct net_lp *lp, enum net_chain_kind kind,
                                       uint32_t terminal, uint32_t peer)
{
	const struct net_nics *x = net_nics_of(n, lp);
	base_check(n->nic.chain_at[kind] < n->nic.chain_kinds);
	return x->heads + ((uint64_t)n->nic.chain_at[kind] << x->bits) +
	       (net_chain_hash(terminal, peer) >> (32 - x->bits));
}
static inline uint32_t net_coming_terminal(uint32_t terminal, uint32_t job)
{
	return terminal << 8 | job;
}
/* The head of the chain that contains the message of a packet for an endpoint of this LP. Only if there are messages.
 */
static inline const uint32_t *net_coming_head(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
{
	return net_chain_head(n, lp, NET_CHAIN_COMING, net_coming_terminal(p->dst - lp->first_endpoint, p->job),
	                      p->src);
}
/* All heads of a kind; *heads is their number, NULL and 0 without such chains. */
static inline const uint32_t *net_chain_heads(const struct net *n, const struct net_lp *lp, enum net_chain_kind kind,
                                              uint64_t *heads)
{
	const struct net_nics *x = net_nics_of(n, lp);
	bool there = n->nic.chain_at[kind] != UINT32_MAX;
	*heads = there ? 1ull << x->bits : 0;
	return there ? x->heads + ((uint64_t)n->nic.chain_at[kind] << x->bits) : NULL;
}
#define NET_CHAIN 2u /* records a head, on average and at most, of the kind that has most */
void net_chains_grow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp);
/* Must be called before a record of `pool` is put into its chain; results of earlier calls of net_chain_head() are then
 * invalid. */
static inline void net_chains_reserve(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_pool *pool)
{
	if (sim_unlikely(pool->used >> net_nics_of(n, lp)->bits >= NET_CHAIN))
		net_chains_grow(n, ctx, lp);
}
void net_chains_plan(struct net *n);
void net_chains_init(const struct net *n, struct net_nics *x);
void net_chains_clear(struct net_nics *x);
void net_chains_regions(const struct net *n, struct net_nics *x, void (*visit)(void *arg, void *at, size_t bytes),
                        void *arg);
/* Bytes for a logical process with so many records of the kind that has most. */
size_t net_chains_bytes(const struct net *n, double records);

static inline struct net_iterations *net_iterations_at(const struct net *n, const struct net_lp *lp, uint32_t job)
{
	return (struct net_iterations *)(void *)(n->lp_memory + net_index(n, lp) * n->stride +
	                                         n->processes.at_iterations) +
	       job;
}

/* The bytes of a frame of a job on a terminal link. */
static inline uint32_t net_frame_bytes(const struct net *n, uint32_t job, uint32_t payload)
{
	if (sim_likely(!n->common.framed))
		return payload;
	return sw_frame_bytes(sw_link_for_job(&n->common, SW_LINK_TERMINAL, job), payload);
}

/* The same, including the gap after it: the unit of congestion control. */
static inline uint32_t net_wire_bytes(const struct net *n, uint32_t job, uint32_t payload)
{
	if (sim_likely(!n->common.framed))
		return payload;
	const struct sw_link *l = sw_link_for_job(&n->common, SW_LINK_TERMINAL, job);
	return sw_frame_bytes(l, payload) + l->gap_bytes;
}

#endif
