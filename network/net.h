/* network/net.h - the inside of network/. Only files of network/ include it.
 *
 * Memory of a rank:
 *
 *   lps:        struct net_lp of each, together: what every event of an LP reads
 *   lp_memory:  one block of `stride` bytes per LP
 *       switch state (sw_ops.state_bytes) | endpoints x endpoint_bytes
 *       on the exact path besides: NICs | sinks, see network/nic/nic.h
 *       an endpoint is struct net_endpoint | struct net_source x J | if J > 2: job number x J (bytes)
 *   stats:      what LPs share, changed by sim_add only: job counters, histograms, time line
 *   port records, activity: arrays by LP, changed by that LP only
 *
 * Events: see enum net_event. A packet on its way is one event; a credit on its way back is one event; an injection is
 * one event at the instant when the packet reaches the switch, and makes the next one. */
#ifndef NETWORK_NET_H
#define NETWORK_NET_H

#include "congestion/congestion.h"
#include "network/network.h"
#include "network/path.h"
#include "network/stats/packets.h"
#include "network/stats/ring.h"
#include "routing/routing.h"
#include "sim/histogram.h"
#include "switch/pool.h"
#include "switch/switch.h"
#include "topo/nodes.h"

enum net_event {
	NET_ARRIVE = 1, /* a packet is at input aux */
	NET_CREDIT,     /* credits for output aux: payload lane | bytes << 8 | what neighbours.c tells << 40 */
	NET_INJECT,     /* a packet of terminal aux reaches its switch */
	NET_GIVE_BACK,  /* terminal aux gets payload bytes of its input buffer back, of class payload >> 32 */
	NET_TICK,       /* publish queue depths to the group */
	NET_PUBLISHED,  /* depths of another switch */
	/* of the exact path, network/nic/nic.h */
	NET_NIC,          /* the NIC of terminal aux looks at what it may send */
	NET_PAIR,         /* the pair of terminal aux: payload its number | destination << 32 */
	NET_DELIVER,      /* a packet's last bit is at terminal aux */
	NET_ACK,          /* for terminal aux: payload destination | bytes << 32, when it was sent, ...: receive.c */
	NET_CONTROL,      /* for terminal aux: payload destination, struct cc_frame */
	NET_SINK,         /* congestion control of the output to terminal aux */
	NET_REQUEST,      /* the same, from a source: payload source, struct cc_frame */
	NET_MESSAGE,      /* packets of a message will come to terminal aux: message.c */
	NET_MESSAGE_ACK,  /* all of a message of terminal aux has come */
	NET_LINK_CONTROL, /* a word for output aux of a switch, beside the packets */
	NET_PAUSE,        /* the same for terminal aux: SW_CONTROL_* */
	NET_TIMER,        /* of a process at terminal aux: payload job | which << 8 | what << 16 */
	NET_FLOW,         /* a frame passes that holds a flow back: source | destination << 32, pace, until */
	NET_ACK_HOP,      /* an acknowledgement passes on its way back: acks.c */
	NET_HANDLED,      /* terminal aux has done its part with a message: message.c */
	NET_ACKNOWLEDGE,  /* terminal aux has a packet from this switch: its acknowledgement leaves */
	NET_COMPLETE,     /* with `completes`: a packet's last bit is at terminal aux, and with it all of a message */
	NET_EVENTS
};
_Static_assert((unsigned)NET_EVENTS <= SW_EVENT_FIRST, "the switch model's kinds come behind the network's");

/* A NIC looks when credits, acknowledgements and packets of the instant have come. */
enum net_phase { NET_PHASE_CREDIT = 1, NET_PHASE_PACKET = 2, NET_PHASE_PUBLISH = 3, NET_PHASE_NIC = 3 };

struct net_lp {
	uint32_t id;   /* switch */
	uint32_t sent; /* send count of the switch: ties */
	uint32_t net_ports, endpoints, first_endpoint;
	uint32_t spare[3]; /* 32 bytes: two to a cache line */
};

#define NET_INLINE_JOBS 2u

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

struct net_job_stats { /* sums; the order of net_stats_fields */
	uint64_t created, created_bytes_measured, injected, delivered, delivered_bytes_measured;
	uint64_t measured, measured_delivered, measured_minimal;
	uint64_t latency_sum, network_sum, hops_sum;
	uint64_t messages, message_sum;
	uint64_t iterations, iteration_sum; /* of processes */
	uint64_t dropped, measured_dropped; /* packets that switches have lost for good */
	uint64_t queued;                    /* filled at the end */
	uint64_t finished;                  /* processes that are, of jobs that end the run */
};
#define NET_JOB_WORDS (sizeof(struct net_job_stats) / 8)

struct net_bin {
	uint64_t created, injected, delivered, created_bytes, delivered_bytes, hops;
};

struct net_shared { /* one allocation: `words` 64-bit words, summed over ranks at the end */
	uint64_t *all;
	size_t words;
	uint64_t *digest, *packet_hops;
	struct net_nic_stats *nic;   /* of the exact path, or NULL */
	struct net_job_stats *job;   /* [jobs] */
	uint64_t *latency, *network; /* [jobs][SIM_HISTOGRAM_BINS], or NULL */
	uint64_t *message;           /* the same for jobs of several packets a message, or NULL */
	uint64_t *iteration;         /* the same for jobs with processes, or NULL */
	struct net_bin *bin;         /* [jobs][bins], or NULL */
};

struct net_port_stats { /* [ports] then [ports * vcs] */
	uint64_t bytes;
	struct sw_line used; /* the gaps behind frames included; tagged with bytes << 8 | VC */
	uint32_t packets, spare;
};
struct net_vc_stats {
	uint64_t byte_time; /* bytes queued, integrated over time, in byte x 1024 ps */
	uint64_t waits;
};

struct net_astray {
	uint32_t lp, at; /* row * bins + bin */
};

struct net_published { /* UGAL-G: what this LP knows of others */
	uint32_t peers;
	uint32_t *peer;  /* [peers] switch numbers, rising */
	uint16_t *depth; /* [peers][max_ports], in units of NET_DEPTH_UNIT bytes */
};
#define NET_DEPTH_UNIT 64u

/* Sums over equal bins of simulated time, for time.precision, from the end of a warm-up that is given on. Those of a
 * packet or a message go to the bin it was created in, but for bytes injected and delivered, which are counted in the
 * bin they are that in; those of an iteration to the bin it ended in. When the bins are full they are merged in pairs.
 */
#define NET_BATCH_BINS 64u
struct net_batch {
	uint64_t created, created_bytes;
	uint64_t injected_bytes, delivered_bytes;                      /* by the bin of the instant */
	uint64_t arrived, minimal, latency_sum, network_sum, hops_sum; /* of packets created in the bin */
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

struct net_partial { /* a message of which packets are missing */
	uint32_t next;
	uint32_t src;
	uint64_t created;
	uint64_t left; /* bytes */
	uint64_t last; /* arrival so far */
	uint8_t job;
};
#define NET_PARTIAL_HEADS 64u

struct net_partials {
	struct sw_pool pool;
	uint32_t head[NET_PARTIAL_HEADS];
};

/* Which record of a contributor a packet is counted in. Only a memory: it may be of another packet. */
struct net_came {
	uint32_t src, dst, seq, contributor;
	uint8_t job;
};

#define NET_FEW 128u /* a power of 2 */

struct net_few { /* what routing has foreseen for a packet */
	struct rt_few few;
	uint32_t src, seq;
	uint8_t job;
};

#define NET_WANTS_PATHS (1u << 31) /* beside CC_WANTS_* of congestion/congestion.h */
#define NET_WANTS_PAIRS (1u << 30) /* likewise: records of pairs, for a scheme that wants nothing else */

/* Chains of records that a logical process has, by what is in them. */
enum net_chain_kind {
	NET_CHAIN_PAIRS,    /* struct net_pair */
	NET_CHAIN_SOURCES,  /* struct net_contributor */
	NET_CHAIN_RECEIVED, /* struct net_received, with n->path.numbers */
	NET_CHAIN_COMING,   /* struct net_coming, with n->traffic.process */
	NET_CHAIN_PATHS,    /* struct net_way, with n->path.paths */
};
#define NET_CHAIN_KINDS 5u

struct net {
	struct sw_call call; /* reused for every event of this rank, or thread: threads.c */
	struct rt_env env;   /* likewise */
	const struct net_config *config;
	struct topo topo;
	struct rt rt;
	struct sw_common common;
	struct sw_common *ended; /* those of threads that have ended, which states may point into */
	uint32_t nended;
	struct net_traffic traffic;
	net_traffic_destroyer *destroy_traffic;
	struct net_setup setup;
	bool has_topo, has_rt, has_switch, has_traffic;

	uint32_t threads;       /* of each rank that has LPs; more than one share them */
	bool pooled;            /* rank 0 has all LPs, and its threads run on the cores of all ranks */
	uint32_t first, count;  /* LPs of this rank now */
	uint32_t base, room;    /* LPs for which it has memory, these among them; arrays by LP begin with LP `base` */
	uint32_t *lp_of_switch; /* NULL: the identity */
	uint32_t *switch_of_lp;
	struct net_lp *lps; /* [room] */
	unsigned char *lp_memory;
	size_t stride, at_endpoints, endpoint_bytes, lp_bytes;
	uint32_t port_unit;     /* a power of 2, not less than ports_total: see net_packet_key() */
	uint32_t jobs, sources; /* sources: most jobs of one endpoint */
	uint64_t senders;       /* endpoints at which some job injects, each counted once */
	struct net_traits path; /* which code runs */
	bool store_and_forward;
	void (*run)(struct sw_call *call); /* sw_ops.run */
	const struct sw_packet
	    *foreseen; /* the packet that sim_ctx.hint is about, as long as its VC is foreseen_vc; or NULL */
	uint8_t foreseen_vc;
	const struct sim_event *arriving; /* of a joined switch: its packet is on its way through */
	uint64_t *bounds;                 /* [2 * cap_bounds], for net_early() */
	uint32_t cap_bounds;
	uint32_t few_made; /* so many so far, the last ones of which are in few[] */
	struct net_few few[NET_FEW];
	uint64_t window_injection; /* bytes that one endpoint may put into the network in a lookahead, at most */
	uint32_t max_payload;      /* bytes of the largest packet; common.max_packet: of the largest frame */
	uint32_t terminal_share;   /* bytes of terminal input buffer on VC 0 */
	uint32_t nearly_full;      /* with more than this outstanding, returns are kept with their times */
	uint32_t relaxed;          /* with at most this outstanding, returns due within relaxed_ps need no event */
	uint64_t relaxed_ps;
	struct sw_pool *returns;  /* [room] */
	uint64_t end;             /* ps, of the leg (legs.c); when the run is over: of the run */
	uint64_t horizon;         /* ps: departures are counted up to here, where the run ends at the latest */
	uint64_t queues_until;    /* ps: ... and their queues, which are of no account while packets are drained */
	uint64_t published_until; /* depths are published before it */
	uint64_t measure_from, measure_to; /* with precision both 0 until the run is over */
	uint64_t likely_end;               /* ps, for the estimate of memory; with precision memory.c finds it */
	uint64_t recorded_until;           /* ps: the time line's last bin is for what comes after */
	struct topo_layout layout;         /* where cables have latencies by their lengths, else empty */
	uint32_t by_length;      /* bit k: those of link class k have; common.link[k].latency is the longest then */
	struct topo_nodes nodes; /* which endpoints are one node's */
	uint64_t lookahead;      /* ps; the least latency of a cable between switches, and what the switch leads by */

	struct net_shared shared;
	uint32_t bins;
	uint64_t bin_width, bin_reciprocal;
	uint32_t ports_total;              /* of the switch that has the most */
	struct net_port_stats *port_stats; /* [room][ports_total], or NULL */
	struct net_vc_stats *vc_stats;     /* [room][ports_total * vcs] */
	uint32_t *activity;                /* [room][NET_ACTIVITY_ROWS][bins], or NULL */
	struct net_astray *astray;         /* for the activity of LPs that have moved away: where each is one more */
	size_t nastray, cap_astray;
	struct sw_instruments instruments; /* n = 0: none are read */
	uint64_t *recorded_switches;       /* [switches], bits: whose; NULL: nobody's */
	uint32_t nrecorded;
	uint8_t class_of_job[256];
	struct rt_bias *class_bias;             /* [classes], or NULL: no class has one of its own */
	const struct rt_bias *bias_of_job[256]; /* in class_bias, or NULL */
	struct sw_class_rule class_rules[SW_MAX_CLASSES];
	struct net_published *published;   /* [room], or NULL */
	struct net_neighbours *neighbours; /* what credits tell, or NULL */
	struct net_partials *partials;     /* [room], or NULL */
	struct net_packets packets;        /* committed deliveries of this rank */
	struct net_spans *spans;           /* [jobs] likewise, with record.ranks */
	struct net_steps steps;            /* likewise, with record.path */
	struct net_legs *legs;
	struct net_ring ring;          /* what is counted of windows that are not final */
	struct net_extremes *extremes; /* [jobs] of windows that are */
	bool by_record;                /* counts go by records, struct net_late: sums by job are not all that is kept */
	struct net_batches batches;    /* with time.precision */

	/* With path.exact: */
	bool recovers;    /* the scheme finds lost ones itself: network/nic/recovery.c */
	uint32_t untimed; /* set of classes, likewise, whose packets are not lost: none is sent again for its time */
	uint32_t ordered; /* set of classes, as interfaces tell them apart, whose packets stay in order: order.c */
	uint64_t timeout; /* ps; besides a round trip without load, until then */
	uint32_t loss;    /* chance, in 2^-32, that a packet is damaged on its last link */
	uint32_t probe_bytes; /* of payload; with `recovers` */
	size_t pair_bytes;    /* of a struct net_pair */
	unsigned wants;       /* NET_WANTS_*; CC_WANTS_* of ... */
	struct cc cc;         /* ... the congestion control */
	uint64_t *reverse;    /* [switches][switches] ps, see net_reverse_ps(); NULL: there are too many */
	uint64_t ack_stage;   /* ps; of an acknowledgement, in each switch */
	bool ack_hops;        /* acknowledgements go from switch to switch: acks.c */
	uint64_t ack_ps[SW_LINK_CLASSES + 1]; /* that one takes on a link beside the data */
	struct net_nics *nics;                /* [room] */
	struct net_came came;                 /* the packet that came to the switch of its receiver last */
	size_t at_nics, at_nic_classes, at_nic_buckets, at_sinks; /* in lp_memory */
	size_t at_acks;                     /* uint64_t: when what carries acknowledgements is free, with n->ack_hops */
	uint32_t nic_classes;               /* that network interfaces tell apart */
	struct sw_class_order class_order;  /* of these, at the endpoints' links */
	uint32_t sink_classes, sink_stride; /* sinks of an endpoint, and how many there are of one class; 1 and 0 */
	uint32_t chain_at[NET_CHAIN_KINDS]; /* the place among chain_kinds; UINT32_MAX: there are no such chains */
	uint32_t chain_kinds;
	uint64_t quiet;                     /* bytes: cc_ops.quiet(), else 0 */
	size_t at_iterations, at_processes; /* in lp_memory, if n->traffic.process */
	size_t process_bytes;               /* of a process, struct net_process included */
	size_t at_ranks, rank_bytes; /* of a rank of an application, with its kinds of calls; 0: there are none */

	struct sw_link_end *ends; /* [topo.max_ports], scratch */
	struct sim_engine *engine;
	bool wrong; /* the application is: NET_WRONG */
	struct net_result result;
	double setup_started;
	uint64_t rank_rss;
	double rank_wall;
	struct sim_counters rank_counters;
	uint32_t *group_first, *group_member; /* with `published`, of a topology with groups: [groups + 1]; [switches],
	                                         each group's rising */
};

static inline struct net_lp *net_lp_at(const struct net *n, uint32_t lp)
{
	base_checkf(lp - n->base < n->room, "LP %u, room for %u from %u on", lp, n->room, n->base);
	return &n->lps[lp - n->base];
}
/* In arrays by LP. */
static inline uint32_t net_index(const struct net *n, const struct net_lp *lp)
{
	return (uint32_t)(lp - n->lps);
}
static inline void *net_switch_state(const struct net *n, const struct net_lp *lp)
{
	return n->lp_memory + net_index(n, lp) * n->stride;
}
static inline struct net_endpoint *net_endpoint_at(const struct net *n, const struct net_lp *lp, uint32_t terminal)
{
	return (struct net_endpoint *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->at_endpoints +
	                                       terminal * n->endpoint_bytes);
}
static inline struct net_source *net_sources(struct net_endpoint *e)
{
	return (struct net_source *)(void *)(e + 1);
}
static inline uint8_t *net_source_jobs(const struct net *n, struct net_endpoint *e)
{
	return n->sources <= NET_INLINE_JOBS ? e->job : (uint8_t *)(net_sources(e) + n->sources);
}
static inline uint32_t net_switch_of(const struct net *n, uint32_t lp)
{
	return n->switch_of_lp ? n->switch_of_lp[lp] : lp;
}
static inline uint32_t net_lp_of(const struct net *n, uint32_t sw)
{
	return n->lp_of_switch ? n->lp_of_switch[sw] : sw;
}
/* Index of the time line's bin; times behind the last bin count to it. */
static inline uint32_t net_bin_of(const struct net *n, uint64_t t)
{
	uint64_t b = (uint64_t)((unsigned __int128)t * n->bin_reciprocal >> 64);
	return b < n->bins ? (uint32_t)b : n->bins - 1;
}
/* That bin of a job. */
static inline struct net_bin *net_bin_at(const struct net *n, uint32_t job, uint64_t t)
{
	base_checkf(job < n->jobs, "job %u", job);
	return &n->shared.bin[(size_t)job * n->bins + net_bin_of(n, t)];
}
/* Of a cable of that class between two switches, in ps. */
static inline uint64_t net_latency(const struct net *n, topo_switch a, topo_switch b, uint32_t link_class)
{
	if (sim_likely(!(n->by_length >> link_class & 1)))
		return n->common.link[link_class].latency;
	return topo_layout_delay(&n->layout, topo_layout_mm(&n->layout, a, b));
}
static inline uint32_t net_next_count(struct sim_ctx *ctx, struct net_lp *lp)
{
	uint32_t count = lp->sent;
	sim_set(ctx, &lp->sent, count + 1);
	return count;
}
static inline uint64_t net_counted_key(const struct net *n, const struct net_lp *lp, uint32_t count, uint32_t port,
                                       uint32_t link_class)
{
	base_checkf(port < n->port_unit && link_class < SW_LINK_CLASSES, "port %u of %u, class %u", port, n->port_unit,
	            link_class);
	return sim_key(NET_PHASE_PACKET, lp->id, (count * n->port_unit + port) << SW_LINK_CLASS_BITS | link_class);
}
/* Key of a packet's event. So that the switch it comes to need not look at its own port to know where credits go, it
 * says by which port and class of link the packet left (of an injection: its terminal) - below the count, of which the
 * bits that remain suffice, since at one instant a port gives one packet. */
static inline uint64_t net_packet_key(struct sim_ctx *ctx, const struct net *n, struct net_lp *lp, uint32_t port,
                                      uint32_t link_class)
{
	return net_counted_key(n, lp, net_next_count(ctx, lp), port, link_class);
}
/* The port at which a packet that has arrived was sent. */
static inline struct sw_link_end net_sender(const struct net *n, uint64_t packet_key)
{
	uint32_t low = (uint32_t)packet_key;
	return (struct sw_link_end){ .lp = net_lp_of(n, sim_key_entity(packet_key)),
		                     .port = (uint16_t)(low >> SW_LINK_CLASS_BITS & (n->port_unit - 1)),
		                     .link_class = low & ((1u << SW_LINK_CLASS_BITS) - 1) };
}
static inline uint64_t net_next_key(struct sim_ctx *ctx, struct net_lp *lp, enum net_phase phase)
{
	return sim_key((unsigned)phase, lp->id, net_next_count(ctx, lp));
}

/* network.c: topology, links, traffic, routing and switch model; then the sizes of LP memory for n->count LPs; the
 * engine's configuration. */
int net_build_parts(struct net *n, struct base_errors *errors);
/* links.c: the links of every class of the topology, and the lookahead. */
int net_set_links(struct net *n, struct base_errors *errors);
/* framing.c */
/* Sets what a link adds to a payload; its rate is known. */
void net_set_framing(struct sw_link *out, const struct net_link *link);
/* What follows from it for the switches; links, traffic and the switch's kind are known. */
int net_frame_links(struct net *n, struct base_errors *errors);
/* The share of a link's rate that a job's payload can be. */
double net_ceiling(const struct net *n, uint32_t job, const struct sw_link *link);
void net_find_framings(const struct net *n, struct net_framings *out);
void net_plan(struct net *n);
struct sim_config net_sim_config(struct net *n, const uint32_t *first_lp);
/* Events an LP may see in one lookahead. */
double net_expected_events(const struct net *n);

/* move.c: LPs that change their rank */
void net_choose_room(struct net *n);
/* `linked`: its links are looked up; else they will be copied with the rest of its state. */
void net_init_lp(struct net *n, uint32_t lp, bool linked);
void net_migrate_out(void *self, sim_lpid lp);
void net_migrate_in(void *self, sim_lpid lp);
void net_owns(void *self, sim_lpid first, uint32_t count);
void net_regions(void *self, sim_lpid lp, void (*visit)(void *arg, void *at, size_t bytes), void *arg);

/* fast/ahead.c: bytes of LP state for a core, from which on memory is prefetched. Tests set it. */
extern size_t net_prefetch_from;
/* Joined, goes_on and stride are known. */
bool net_gains_by_prefetch(const struct net *n);

/* scheduler.c */
/* Do the keys of `engine` that choose a scheduler agree? */
int net_check_engine(const struct net *n, struct base_errors *errors);
enum sim_sync net_choose_sync(const struct net *n);
/* How many threads each of so many ranks is to have, or rank 0 where net_pools_cores(). -1: an error. */
int net_choose_threads(const struct net *n, int ranks, struct base_errors *errors);
/* Does rank 0 run all LPs, with so many threads, in place of so many ranks? */
bool net_pools_cores(const struct net *n, int ranks, int threads);
/* Why it became that, for people. Once the engine has been made. */
void net_explain_choice(const struct net *n, char *out, size_t size);

/* path.c: which code runs, see path.h. Of endpoints once the parts of a network but its congestion control are known;
 * the rest when they are all built. */
void net_path_of_endpoints(struct net *n);
void net_path_of_switches(struct net *n);
/* Are packets sent again that are lost? */
bool net_retries(const struct net *n);
/* sample.c: ps that the head of a packet takes through an idle switch */
double net_traversal(const struct net *n);

/* effects.c: windows that the scheduler would not make so wide */
int net_check_window(const struct net *n, struct base_errors *errors);

/* threads.c */
void *net_worker(void *self, struct sim_ctx *ctx);
void net_release_worker(void *self, void *worker);

/* lp.c */
void net_enter(void *self, sim_lpid lp); /* n->call is for this LP from now on */
typedef void net_handler(struct sim_ctx *ctx, void *self, sim_lpid lp, const struct sim_event *event);
net_handler *net_choose_handler(const struct net *n);
const char *net_kind_name(unsigned kind);
/* What a switch calls: with framing, a packet's frame becomes that of the link it leaves by. */
/* host.c */
extern const struct sw_host_ops net_host_ops, net_framing_host_ops, net_plain_host_ops;
static inline const struct sw_host_ops *net_host(const struct net *n)
{
	return n->common.framed ? &net_framing_host_ops : &net_host_ops;
}
const struct sw_host_ops *net_choose_host_ops(const struct net *n);

/* ahead.c */
typedef uint32_t net_prefetcher(void *self, const struct sim_event *event);
net_prefetcher *net_choose_prefetch(const struct net *n); /* NULL: none */

/* early.c */
typedef uint32_t net_early_handler(void *self, struct sim_event **events, uint32_t count,
                                   const struct sim_ordered *ordered);
net_early_handler net_early, net_early_by_model; /* of the ideal switch; of one with sw_ops.credit_early */

/* inject.c */
void net_endpoint_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);
void net_inject_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);
/* The source of an endpoint, or of one class of it, but for those in `not`, whose next packet was, or will be, created
 * first; ties to the lower job. NULL: there is none. */
#define NET_ANY_CLASS UINT32_MAX
static inline uint64_t net_source_bit(uint32_t which)
{
	return UINT64_C(1) << (which < 63 ? which : 63);
}
struct net_source *net_earliest_source(const struct net *n, struct net_endpoint *e, uint32_t class, uint64_t not,
                                       uint32_t *which);
/* For the exact path: bytes that are back now and were no event are subtracted from e->outstanding. */
void net_settle_returns(struct sim_ctx *ctx, struct net_endpoint *e);
/* For the exact path: the next packet of that source, counted as created; and a packet begins to leave its endpoint
 * now, whose link is free and whose switch has the bytes. */
void net_take_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t which,
                     struct sw_packet *p);
void net_inject_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, struct sw_packet *p,
                       uint64_t marks, bool first);
/* Both at once, where an endpoint has nothing but sources and nothing holds a packet of theirs back, if one is there
 * and the switch has room, else *full is set. Returns when to look again; SIM_NEVER: when something comes back, or
 * never. */
uint64_t net_inject_now(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, bool *full);
/* Bytes of a terminal's input buffer will be free at `when`, and the endpoint will know one latency later. */
void net_return_room(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t lane,
                     uint32_t bytes, uint64_t when);
void net_give_back(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t bytes);
/* Bytes that have come back to an endpoint but are not subtracted yet. */
uint64_t net_listed_returns(const struct net *n, const struct net_lp *lp, const struct net_endpoint *e);
/* Counts a packet that was created, or injected, in a window that is final now. */
void net_count_sent(struct net *n, const struct net_late *late);
/* Visits the sources of this rank whose next packet was created before `until`. What is behind it is not made: the
 * backlog follows from how long a source has waited and from its rate. */
void net_each_waiting(struct net *n, uint64_t until, void (*visit)(void *arg, uint32_t job, uint64_t created),
                      void *arg);
/* Counts what sources have created by the end but not sent. */
void net_count_backlog(struct net *n);

/* Is it found while the run goes on when it ends? Else it is known before. */
static inline bool net_finds_end(const struct net *n)
{
	const struct net_time *t = &n->config->time;
	return t->precision > 0 || t->drain == NET_DRAIN_AUTO || t->applications;
}

/* legs.c: a run that pauses now and then to decide how long it goes on */
void net_legs_create(struct net *n);
/* There is an engine: the first leg. */
void net_legs_begin(struct net *n);
/* Is the limit of a run with precision long enough to be looked at once? */
int net_legs_check(const struct net *n, struct base_errors *errors);
/* ps: legs are multiples of it, and it is a power of two of lookaheads, or of a grain, of which windows are made. */
uint64_t net_legs_unit(const struct net *n);
void net_legs_destroy(struct net *n);
uint64_t net_pause(void *self, uint64_t at, bool asked);
void net_gather(void *self, void *worker);
void net_resume(void *self, void *worker);
/* Collective, after the run: what was counted ahead of its end is taken back; with precision the measured window is
 * settled, and its sums. */
void net_legs_finish(struct net *n);

/* inject.c, deliver.c: counts of a message of a process, when it is posted, and when all of it has come */
void net_count_posted(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t at, uint64_t packets, uint64_t bytes);
void net_count_message(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t posted, uint64_t at);

/* batches.c: sums by bin, if n->batches.on */
/* Resident memory of the bins of time.precision, as far as latencies are alike. */
uint64_t net_batches_bytes(const struct net *n);
void net_batches_create(struct net *n);
void net_batches_destroy(struct net *n);
/* Adds a worker's to n's, leaving the worker's zero. */
void net_batches_gather(struct net *n, struct net *worker);
/* Half as many bins, twice as wide. */
void net_batches_widen(struct net *n);
/* The sums of bins [from, to) become those of the measured window. */
void net_batches_settle(struct net *n, uint32_t from, uint32_t to);
void net_batches_arrived(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p, uint64_t at);
/* A message that was created or posted at a time, and an iteration that ended at one, took so many ps. */
void net_batches_message(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t created, uint64_t latency);
void net_batches_iteration(struct net *n, struct sim_ctx *ctx, uint32_t job, uint64_t ended, uint64_t ps);
static inline bool net_in_batches(const struct net *n, uint64_t t)
{
	return t >= n->batches.from;
}
/* The bin of a time that is in one; every time before `t` that is in one is in the bins before this and perhaps this.
 */
static inline uint32_t net_batch_of(const struct net *n, uint64_t t)
{
	uint64_t units = (uint64_t)((unsigned __int128)(t - n->batches.from) * n->batches.reciprocal >> 64);
	return (uint32_t)(units >> n->batches.shift);
}
static inline struct net_batch *net_batch_at(const struct net *n, uint32_t job, uint64_t t)
{
	base_checkf(net_in_batches(n, t) && net_batch_of(n, t) < NET_BATCH_BINS, "%llu ps in bin %u",
	            (unsigned long long)t, net_batch_of(n, t));
	return &n->batches.sum[job * NET_BATCH_BINS + net_batch_of(n, t)];
}

/* deliver.c */
/* Counts a delivery, or a message that is complete, in a window that is final now. */
void net_count_delivery(struct net *n, const struct net_late_delivery *d);
void net_count_message_now(struct net *n, uint32_t job, uint64_t posted, uint64_t at, uint64_t latency);
/* Something that happens at `at` is counted when the window of `at` is final. */
void net_put_off(struct net *n, struct sim_ctx *ctx, const struct net_late *late);
void net_deliver(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at);

/* records.c */
void net_shared_create(struct net *n); /* makes n->shared */
int net_records_create(struct net *n, struct base_errors *errors);
void net_records_destroy(struct net *n);
/* What arrays of statistics by LP hold of one, but for `partials`. */
size_t net_records_lp_bytes(const struct net *n);
void net_commit(void *self, sim_lpid lp, const void *record, size_t bytes);
/* One packet more, at `t`, in a row of the record of activity of an LP; of one that has moved to another rank when the
 * run is over: net_activity_finish(), collective. */
enum net_activity_row {
	NET_ROW_SENDS,
	NET_ROW_RECEIVES,
	NET_ROW_SWITCH_SENDS,
	NET_ROW_SWITCH_RECEIVES,
	NET_ACTIVITY_ROWS
};
void net_activity_add(struct net *n, uint32_t lp, enum net_activity_row row, uint64_t t);
void net_activity_gather(struct net *n, struct net *worker); /* of switches of other ranks */
void net_activity_finish(struct net *n);

/* instruments.c: before and after the switch model is built. */
void net_instruments_prepare(struct net *n);
int net_instruments_choose(struct net *n, struct base_errors *errors);
bool net_has_instruments(const struct net *n, uint32_t sw);

/* publish.c */
int net_publish_check(const struct net *n, struct base_errors *errors);
void net_publish_create(struct net *n);
void net_publish_destroy(struct net *n);
/* For the estimate of memory: bytes of tables of all LPs, and events that are all due at the same time. */
void net_publish_sizes(const struct net *n, double *tables, double *events);
void net_publish_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp);
void net_publish_receive(struct net *n, struct sim_ctx *ctx, uint32_t lp, const struct sim_event *event);
uint64_t net_published_bytes(const void *host, topo_switch there, topo_port out);

/* neighbours.c: queue depths that credits carry; all but create and bytes only if n->neighbours */
/* Sets what the routing leaves to the network: auto_hold. The switches are built. */
void net_neighbours_defaults(struct net *n);
#define NET_LEAST_BIAS 256 /* bytes that count as one packet, of smaller ones, which come several at a time */

/* Bytes for each hop of a non-minimal route that a bias of "auto" is. */
static inline uint64_t net_bias_per_hop(const struct net *n)
{
	uint32_t packet = n->common.max_packet;
	return 3ull * (packet < NET_LEAST_BIAS ? NET_LEAST_BIAS : packet);
}

/* Sets what the routing leaves to the network: auto_bias. The largest packet is known. */
static inline void net_bias_default(struct net *n)
{
	if (n->rt.auto_bias)
		n->rt.bias = net_bias_per_hop(n);
}

/* bias.c: n->class_bias and bias_of_job, of classes that have their own. The largest packet is known. */
int net_class_biases(struct net *n, struct base_errors *errors);
/* For rt_env.class_bias. */
static inline const struct rt_bias *const *net_class_bias(const struct net *n)
{
	return n->class_bias ? n->bias_of_job : NULL;
}
int net_neighbours_create(struct net *n, struct base_errors *errors);
void net_neighbours_destroy(struct net *n);
/* The telemetry of a port's neighbour: what was received of it, and what is published to it next. */
const void *net_neighbours_of(const struct net *n, const struct net_lp *lp, uint32_t port);
/* What create would allocate on this rank. */
uint64_t net_neighbours_bytes(const struct net *n);
/* The 24 bits of the next credit for the neighbour at in_port. */
uint64_t net_neighbours_tell(const struct net *n, struct sw_call *call, const struct net_lp *lp, uint32_t in_port);
void net_neighbours_hear(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, uint32_t out,
                         uint64_t report);
uint64_t net_neighbour_bytes(const void *host, topo_port out, topo_port far, uint64_t now);

/* partition.c: among so many `parts`; fills first_lp[parts + 1], n->lp_of_switch, n->switch_of_lp. */
int net_partition(struct net *n, int parts, uint32_t *first_lp, struct base_errors *errors);

/* checks.c: conservation at the end; false: violated, errors say. */
bool net_conserved(struct net *n, struct base_errors *errors);
/* deadlock.c: what waits for itself, malloc'ed, or NULL; collective, the same on all ranks. Time: a visit to all
 * waiting packets for each link of the longest chain in which one waits for the next. stands [jobs], zeroed: 1 for
 * jobs some packets of which do. */
char *net_find_deadlock(struct net *n, uint64_t *stands);
/* held.c: packets that wait though no event is left, likewise. After net_conserved(). */
char *net_find_held(struct net *n, uint64_t *stands);

/* stats/ranks.c */
void net_rank_records_create(struct net *n);
void net_rank_records_move(struct net *to, struct net *from);
void net_rank_records_destroy(struct net *n);
/* Collective: what ranks of a job tell; NULL: it has none. To be freed. */
struct net_application *net_application_make(struct net *n, uint32_t job);

/* results.c */
void net_summarise(struct net *n);

#endif
