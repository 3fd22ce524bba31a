/* network/nic/nic.h - endpoints that decide at the instant of sending: the exact path.
 *
 * Where nothing reacts to a delivery, endpoints are decided ahead and deliveries are computed when the last link is
 * reserved (network/fast/inject.c, deliver.c): the fast path. Everything else runs here: a NIC decides in an event of
 * its own when its link is free, and what something reacts to reaches its endpoint in an event: every packet, or the
 * last of a message (n->path.deliveries, n->path.completes). network/path.c chooses.
 *
 * An endpoint's NIC serves its sources in order of creation, those of each traffic class apart where classes have
 * lanes: the class is chosen as at an output of a switch (switch/classes.h), and each has a part of the switch's buffer
 * for itself. With congestion control it keeps a record for every destination and class that it has traffic for (a
 * pair): a packet that its scheme holds back waits in the pair's queue, and those for other destinations pass it, as
 * long as no more than nic.table packets of the class wait so; then the source of one more waits, too, but no other.
 * Pairs that may send take turns with each other and with the sources.
 *
 * Both paths give the same results where both apply. The only exception is a run that is cut off while sources send:
 * packets that begin to leave in its last latency are counted as queued on the fast path, as injected here. Packets
 * that endpoints of one switch begin to send at the same picosecond reach it in the order of endpoints on either path.
 *
 * All of it lies in the logical process: NICs and sinks behind the endpoints in its memory, records in pools,
 * and the heads of the chains of these beside them. */
#ifndef NETWORK_NIC_NIC_H
#define NETWORK_NIC_NIC_H

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
	/* With n->path.ring_plain, of the pair whose turn it is, behind `ring`: its number, what waits for it first,
	 * and the payload of that one's next packet. A NIC that finds no room need not look at the pair. */
	uint32_t first, first_held, first_payload, spare_word;
};

enum net_pair_state {
	NET_PAIR_IDLE,   /* nothing waits */
	NET_PAIR_READY,  /* in the ring */
	NET_PAIR_PARKED, /* the scheme holds it back, until a time or until something comes */
};

/* n->nic.pair_bytes of it: words of congestion control that a scheme does not use are not there, nor with
 * n->path.pairs_short anything from `number` on. */
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

/* What a receiver knows of a source: retry.c. Numbers below `base` have all come. */
#define NET_NUMBERS_APART 2048u /* numbers of a pair that are not acknowledged differ by less */
_Static_assert(4 * NET_NUMBERS_APART == SW_PAIR_NUMBERS, "a number says which of four blocks it is in");
struct net_received {
	uint32_t link, src;
	uint32_t base, words; /* words: a list of struct net_word, rising */
	uint16_t terminal, class;
	uint32_t number;     /* that have come */
	uint32_t unacked;    /* wire bytes of those that have and that were not acknowledged to the source; with
	                        nic.ack_every */
	uint32_t early;      /* a list of struct net_early, rising: those behind `base`, of an ordered class */
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

/* The way out of a switch that packets of a flow have which come into it in the same way: order.c. */
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
	uint32_t number;                /* of the message */
	uint8_t job, message, spare[2]; /* message: enum net_held_message */
	uint64_t ready;                 /* ps: of a message that waits behind a blocking one, not before */
	uint32_t peer, nic;             /* of such a message: for whom, and by which interface of its node */
};
_Static_assert(sizeof(struct net_held) == 64, "one cache line");

enum net_held_message { NET_HELD_PACKET, NET_HELD_MESSAGE, NET_HELD_BLOCKING };

struct net_process {                /* what its state comes behind */
	uint32_t packets, messages; /* that it has posted */
	uint32_t timers;            /* that it has set, with record.path */
	uint32_t blocking;          /* 1 + number of the blocking message that has not left; 0: none */
	/* Messages behind it, a ring of struct net_held: 1 + the last one; 0: none. */
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

/* Of two kinds are records that are handed on when they are committed: this, and struct net_step. */
struct net_span {
	uint64_t from, to;
	uint32_t rank;
	uint8_t job, what, spare[2];
};

struct net_coming { /* a message that has not come as a whole */
	uint32_t link, chain;
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

/* A packet that a switch has for an endpoint of its own. When the last link is reserved and that is no event, `at` says
 * when the endpoint will have it, which is noted when something else happens at the sink. */
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

/* A sink is quiet as long as it has no contributors and no tick is due, if its backlog is at most n->nic.quiet: then
 * all packets whose last link is not reserved are in `inside`, in order of coming. */
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

/* Of one LP, in struct net_interfaces.nics. All that messages need is in one cache line. */
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
	/* Copies of packets; what switches dropped, what was damaged on its last link, acknowledgements too, headers
	 * of trimmed ones that came, packets that had come before, and those that came before an earlier one. */
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
/* The class by which a NIC tells packets of a job from others. */
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
/* A scheme that tells classes apart has a sink for each (n->nic.sink_classes): those of one class are together. */
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
/* The head of the chain that a record is in: of an endpoint and the one at the other end. */
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
/* The head of the chain that has the message of a packet, which is for an endpoint here. Only if there are messages. */
static inline const uint32_t *net_coming_head(const struct net *n, const struct net_lp *lp, const struct sw_packet *p)
{
	return net_chain_head(n, lp, NET_CHAIN_COMING, net_coming_terminal(p->dst - lp->first_endpoint, p->job),
	                      p->src);
}
/* All heads of a kind, of which there are *heads; NULL and none without such chains. */
static inline const uint32_t *net_chain_heads(const struct net *n, const struct net_lp *lp, enum net_chain_kind kind,
                                              uint64_t *heads)
{
	const struct net_nics *x = net_nics_of(n, lp);
	bool there = n->nic.chain_at[kind] != UINT32_MAX;
	*heads = there ? 1ull << x->bits : 0;
	return there ? x->heads + ((uint64_t)n->nic.chain_at[kind] << x->bits) : NULL;
}
#define NET_CHAIN 2u /* records a head, in the mean and at most, of the kind that has most */
void net_chains_grow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp);
/* Before a record of `pool` is put into its chain; what net_chain_head() gave before is void then. */
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
/* Of a logical process with so many records of the kind that has most. */
size_t net_chains_bytes(const struct net *n, double records);

static inline struct net_iterations *net_iterations_at(const struct net *n, const struct net_lp *lp, uint32_t job)
{
	return (struct net_iterations *)(void *)(n->lp_memory + net_index(n, lp) * n->stride +
	                                         n->processes.at_iterations) +
	       job;
}

/* The bytes of a packet's frame on a terminal link, and of the gap behind it: what congestion control counts. */
static inline uint32_t net_wire_bytes(const struct net *n, uint32_t payload)
{
	const struct sw_link *l = &n->common.link[SW_LINK_TERMINAL];
	return sw_frame_bytes(l, payload) + l->gap_bytes;
}

/* ps that an acknowledgement or a control frame takes from a switch to an endpoint at another: each switch that it
 * passes, the first and the last included, takes n->nic.ack_stage, and the cables are those of the topology's first
 * minimal route. */
uint64_t net_reverse_walk(const struct net *n, topo_switch from, topo_switch to);
/* The same, out of a table where there are few switches. */
static inline uint64_t net_reverse_ps(const struct net *n, topo_switch from, topo_switch to)
{
	return n->nic.reverse ? n->nic.reverse[(size_t)from * n->topo.switches + to] : net_reverse_walk(n, from, to);
}

/* The frame leaves a receiver's switch for a source: each switch on its way learns how the flow is held back. */
void net_hold_flow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t src, uint32_t dst,
                   const struct cc_frame *frame);

/* message.c: nodes with several interfaces; sets n->nodes. The lookahead is known. */
int net_nodes_check(struct net *n, struct base_errors *errors);

/* nic.c */
/* The NIC looks at what it may send, at `at` >= now. */
void net_nic_wake(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint64_t at);
/* A message of a process, behind the others for its destination. */
void net_nic_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                  const struct net_held *message);
/* Events: the NIC's, and a pair's; void if something earlier was due meanwhile. */
void net_nic_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
void net_nic_pair_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* Bytes of the switch's buffer have come back to the endpoint. With n->path.takes_back the NIC looks at once at what it
 * may send: nothing else of this instant comes before that. */
void net_nic_give_back(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t class,
                       uint32_t bytes);
/* Its switch tells it to begin no packet, or to go on. */
void net_nic_paused(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* A switch has dropped a packet. */
void net_nic_dropped(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p);
/* A packet will not arrive: for good, unless it is sent again. */
void net_nic_lost(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p);
/* The endpoint's sources are at their first packets. */
void net_nic_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);
/* The pair's record; SW_POOL_NONE: there is none, and `make` is false. */
uint32_t net_nic_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                      uint32_t class, bool make);
/* Something has come for a pair: it may send now, or wait for another time, or be forgotten. */
void net_nic_review(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
/* The same, and a source that found no place in the queues for a packet of it may try again. */
void net_nic_resume(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);

/* Are packets of pairs of a class numbered? */
static inline bool net_numbered(const struct net *n, uint32_t class)
{
	return n->path.retry || n->nic.ordered >> class & 1;
}

/* Records of pairs are kept to the end of the run. */
static inline bool net_nic_keeps(const struct net *n, const struct net_pair *p)
{
	return net_numbered(n, p->class) ||
	       (n->nic.cc.ops->source.keep && n->nic.cc.ops->source.keep(&n->nic.cc, &p->cc, p->parked) == SIM_NEVER);
}

/* Something has come for a pair that nothing waits for: a source may wait for it alone. */
static inline void net_nic_unstick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                   uint32_t class)
{
	struct net_nic_class *c = net_nic_class_at(n, lp, terminal, class);
	if (sim_likely(!c->stuck))
		return;
	sim_set(ctx, &c->stuck, 0);
	net_nic_wake(n, ctx, lp, terminal, ctx->now);
}

/* An event for the pair at `at`, unless one is due earlier. */
void net_nic_call_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, uint64_t at);

/* pairs.c, besides the record, its events and its review */
static inline struct net_held *net_held_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->held, i, sizeof(struct net_held));
}
/* Payload of the next packet of what waits. */
static inline uint32_t net_held_payload(const struct net *n, const struct net_held *h)
{
	uint32_t most = n->traffic.job[h->job].max_packet;
	return h->left < most ? (uint32_t)h->left : most;
}
/* What the pair sends next: a packet once more, or what is new. */
struct net_next {
	uint32_t again; /* SW_POOL_NONE: something new */
	uint32_t payload;
	uint64_t at; /* not before */
	bool probe;  /* or this */
};
/* false: nothing. */
bool net_pair_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, struct net_next *next);
/* When the scheme lets so many bytes go; and whether its source asks the receiver for something now. */
uint64_t net_pair_may_send(const struct net *n, struct sim_ctx *ctx, struct net_pair *p, uint32_t wire);
void net_pair_asks(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p);
/* n->path.ring_plain: what a pair knows of the next one in the ring; and `ring` is *p, behind which another is first.
 */
static inline void net_ring_tells(struct sim_ctx *ctx, struct net_pair *p, uint32_t held, uint32_t payload)
{
	sim_set(ctx, &p->next_held, held);
	sim_set(ctx, &p->next_payload, payload);
}
static inline void net_ring_turns(struct sim_ctx *ctx, struct net_nic_class *c, uint32_t ring, const struct net_pair *p)
{
	sim_save(ctx, c, sizeof *c);
	c->ring = ring;
	c->first = p->next;
	c->first_held = p->next_held;
	c->first_payload = p->next_payload;
}
/* Into the ring of those that may send, and the one behind `ring` out of it; out of the ring until a time. */
void net_pair_ready(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
void net_ring_drop_first(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_nic_class *c);
void net_pair_park(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, uint64_t until);

/* order.c */
/* Of a packet of an ordered class that goes through a switch: as net_host_route(). If n->path.paths. */
uint32_t net_path_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
/* A packet leaves now that is none of those sent again: numbers it; marks of sw_packet.injected. *p is saved. */
uint64_t net_order_sends(const struct net *n, struct net_pair *p, bool alone);
/* It has come, `ahead` of the first number that has not, and has been noted in *r: delivers what is in order now. */
void net_order_comes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_received *r,
                     const struct sw_packet *p, uint32_t ahead);
/* Packets that wait so, by job: added to held[]. */
void net_order_tally(const struct net *n, const struct net_lp *lp, uint64_t *held);

/* retry.c, if n->path.numbers */
/* May one more packet be numbered? */
static inline bool net_retry_has_number(const struct net *n, const struct net_pair *p)
{
	return !net_numbered(n, p->class) || p->number - p->acked < NET_NUMBERS_APART;
}
/* The packet leaves now, for the first time, or `again` (what net_retry_take() gave): marks of sw_packet.injected. */
uint64_t net_retry_sends(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair,
                         const struct sw_packet *packet, uint32_t again);
/* The packet that is to be sent again; SW_POOL_NONE: none is. Its payload. It leaves now. */
uint32_t net_retry_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p);
struct sw_packet net_retry_take(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                uint32_t which);
uint32_t net_retry_payload(const struct net *n, const struct net_lp *lp, uint32_t which);
/* When the pair must be looked at for packets that do not come back; SIM_NEVER: not. Gives up those that are due. */
uint64_t net_retry_timeouts(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p);
/* An acknowledgement or a header has come back. false: it says nothing new. */
bool net_retry_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t number,
                            bool trimmed, struct cc_ack *ack);
/* The same of all numbers below `base`, those of `bits` from it on, and `number`. */
bool net_retry_all_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                uint32_t number, uint32_t base, uint64_t bits, struct cc_ack *ack);
/* A packet has come: its source's record if it is the first time, else NULL. *at_once: it is to be acknowledged now;
 * *ahead: by how much it is not the next one. */
struct net_received *net_retry_first(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                                     bool *at_once, uint32_t *ahead);
/* What has come from its source, for net_retry_all_acknowledged(); *beyond: how many numbers behind *base. */
void net_retry_tell(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint32_t *base,
                    uint32_t *beyond, uint64_t *bits);
/* All of the numbers [from, to) that fly are lost, as the scheme has found. The job of a packet that is kept. */
void net_retry_lose(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t from,
                    uint32_t to);
uint8_t net_retry_job(const struct net *n, const struct net_lp *lp, uint32_t which);
/* Is it damaged on its last link? `what`: 0 the packet, 1 its acknowledgement. */
bool net_retry_damaged(const struct net *n, const struct sw_packet *p, uint32_t what, uint64_t now);

/* recovery.c */
/* Sets n->nic.recovers; the scheme is built. */
int net_recovery_check(struct net *n, struct base_errors *errors);
/* An acknowledgement has come: the receiver had got all numbers below `base`, and `beyond` of those behind it. */
void net_recovery_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                               const struct cc_ack *ack, uint32_t base, uint32_t beyond);
/* When the pair is to send a probe; SIM_NEVER: not. And one that leaves now. */
uint64_t net_recovery_probe(const struct net *n, const struct sim_ctx *ctx, struct net_pair *p);
struct sw_packet net_recovery_send(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
static inline bool net_is_probe(const struct net *n, const struct sw_packet *p)
{
	return sim_unlikely(n->nic.recovers) && p->seq == NET_PROBE_SEQ;
}

/* acks.c */
/* What acknowledgements take on links, and whether these have room for as many as the traffic may want. */
int net_acks_check(struct net *n, struct base_errors *errors);
/* Words of a logical process: when each way for acknowledgements is free. */
uint32_t net_ack_ways(const struct net *n);
/* The acknowledgement of *ev, which is for endpoint `to`, leaves an endpoint here; n->nic.ack_hops. */
void net_ack_leaves(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t to,
                    const uint64_t *payload);
/* It is in a switch on its way. */
void net_ack_passes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* What an acknowledgement takes to its endpoint's switch. */
static inline uint64_t net_ack_first(const struct net *n)
{
	return n->nic.ack_ps[SW_LINK_TERMINAL] + n->common.link[SW_LINK_TERMINAL].latency;
}

/* receive.c */
/* ps from when the first bit of a packet of so many bytes leaves until its acknowledgement is there, without load;
 * *cables: of the packet's way. */
uint64_t net_round_trip(const struct net *n, topo_switch from, topo_switch to, uint32_t payload, uint32_t *cables);
/* A packet of an endpoint of this switch has come to another; without n->path.deliveries. */
void net_nic_acknowledge(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* An acknowledgement or a control frame has come to a source. */
void net_nic_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
void net_nic_controlled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* The last bit of a packet will reach its endpoint at `at`. */
void net_nic_eject(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sw_packet *p, uint64_t at);
/* Is it an acknowledgement that is still on its way, of a packet that has been counted as delivered? */
bool net_nic_ack_counts(const struct net *n, const struct sim_event *ev);
/* To whoever it is for. */
void net_nic_hand_over(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p);
/* It has. */
void net_nic_delivered(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* ranks.c, if n->processes.rank_bytes */
struct net_rank *net_rank_at(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t job);
/* With record.path. */
void net_step(struct net_process_call *call, enum net_step_kind kind, uint32_t number, uint64_t compute);

/* behind.c, if n->traffic.process */
/* A message of a process, which its endpoint has handled at `ready`, waits behind the blocking one. *p is saved. */
void net_behind_add(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_process *p,
                    const struct net_held *message);
/* The first of those that wait; false: there is none. *p is saved. */
bool net_behind_take(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_process *p,
                     struct net_held *message);
/* Packets of messages that wait so, by job: added to queued[]. */
void net_behind_tally(const struct net *n, const struct net_lp *lp, uint64_t *queued);

/* message.c, if n->traffic.process */
/* Kinds of calls of a job. */
static inline uint32_t net_call_kinds(const struct net *n, uint32_t job)
{
	uint32_t kinds = 0;
	while (n->traffic.job[job].calls && n->traffic.job[job].calls[kinds])
		kinds++;
	return kinds;
}
/* The number of a job among those of its endpoint. */
uint32_t net_slot_of(const struct net *n, struct net_endpoint *e, uint32_t job);
struct net_process *net_process_at(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t job);
void net_process_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job);
/* The last bit of its message will have left at `at`. */
void net_process_sent(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job,
                      uint32_t number, uint64_t at);
void net_process_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
void net_message_handled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* The job of a timer, or of a message that an endpoint handles or gets; UINT32_MAX: of another event. */
uint32_t net_message_job(const struct sim_event *ev);
/* Packets of a message that its NIC has not got yet, if the event is of one; its job. */
uint32_t net_message_unposted(const struct net *n, const struct sim_event *ev, uint32_t *job);
/* The receiver is to know of a message, the first packet of which leaves now. */
void net_message_announce(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                          const struct net_held *h);
void net_message_announced(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* A packet of one has come. */
void net_message_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p);
/* With n->path.completes: it will have come at `at`. `count`: of the event of this LP that tells of it, if there is
 * one. */
void net_message_foreseen(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at,
                          uint32_t count);
/* The same of the packet with which all of its message will have come. */
void net_message_foreseen_last(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                               uint64_t at, uint32_t count);
void net_message_complete(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
void net_message_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* sink.c, if n->nic.wants CC_WANTS_REQUESTS */
/* A frame of the pair's source leaves for its receiver. */
void net_sink_request(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_pair *p,
                      const struct cc_frame *frame);
/* It is there. */
void net_sink_requested(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* If n->nic.wants CC_WANTS_SINKS */
/* A packet has come to the switch of its receiver. */
void net_sink_arrives(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sw_packet *p);
/* Its last link is reserved, and the endpoint will have it at `at`; without n->path.deliveries. count: in the key of an
 * event that would say so. */
void net_sink_ejected(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at,
                      uint32_t count);
/* Bytes of the packets that a quiet sink lists; 0 of another. */
uint64_t net_sink_quiet_bytes(const struct net *n, const struct net_lp *lp, const struct net_sink *s);
/* The endpoint has got it; with n->path.deliveries. */
void net_sink_leaves(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p);
void net_sink_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* state.c */
/* Sizes of what an LP's memory holds for it, behind the endpoints; checks what depends on the network. */
int net_nics_check(struct net *n, struct base_errors *errors);
void net_nics_plan(struct net *n);
void net_nics_summarise(const struct net *n, struct net_result *out);
/* At the end of a run. Sums over pairs and sinks of one LP. */
struct net_nics_sums {
	uint64_t in_flight;              /* packets that pairs have not been acknowledged */
	uint64_t numbered, received;     /* packets that pairs have numbered, and that receivers have noted */
	uint64_t left;                   /* pairs that should have been forgotten */
	uint64_t misplaced;              /* endpoints whose classes together have other bytes out than they have */
	uint64_t backlog, contributions; /* bytes of sinks, and of their contributors */
	uint64_t early;                  /* packets that wait for earlier ones at receivers */
	uint64_t records, counted;       /* of pairs and contributors that chains hold, and that are counted */
};
void net_nics_sum(const struct net *n, const struct net_lp *lp, struct net_nics_sums *sums);

#endif
