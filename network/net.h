/* network/net.h - the inside of network/. Only files of network/ include it.
 *
 * Memory of a rank:
 *
 *   lps:        an array of struct net_lp, one for each LP, which every event of an LP reads
 *   lp_memory:  one block of `stride` bytes per LP
 *       switch state (sw_ops.state_bytes) | endpoints x endpoints.bytes
 *       on the exact path besides: NICs | sinks, see network/nic/nic.h
 *       an endpoint is struct net_endpoint | struct net_source x J | if J > 2: job number x J (bytes)
 *   shared:     data shared by LPs, changed by sim_add only: job counters, histograms, time line
 *   port records, activity: arrays by LP, changed by that LP only
 *
 * Events: see enum net_event. A packet in flight is one event; a credit in flight is one event; an injection is one
 * event at the instant when the packet reaches the switch, and its handler sends the event of the next injection. */
#ifndef NETWORK_NET_H
#define NETWORK_NET_H

#include "network/failures/failures.h"
#include "network/fast/fast.h"
#include "network/network.h"
#include "network/nic/state.h"
#include "network/path.h"
#include "network/stats/batches.h"
#include "network/stats/records.h"
#include "network/stats/ring.h"
#include "network/telemetry/telemetry.h"
#include "network/wires.h"
#include "sim/histogram.h"
#include "topo/nodes.h"

enum net_event {
	NET_ARRIVE = 1, /* a packet is at input aux */
	NET_CREDIT,     /* credits for output aux: payload lane | bytes << 8 | what neighbours.c tells << 40 */
	NET_INJECT,     /* a packet of terminal aux reaches its switch */
	NET_GIVE_BACK,  /* terminal aux gets payload bytes of its input buffer back, of class payload >> 32 */
	NET_TICK,       /* publish queue depths to the group */
	NET_PUBLISHED,  /* depths of another switch */
	/* events of the exact path, see network/nic/nic.h */
	NET_NIC,          /* the NIC of terminal aux looks at what it may send */
	NET_PAIR,         /* the pair of terminal aux: payload its number | destination << 32 */
	NET_DELIVER,      /* a packet's last bit is at terminal aux */
	NET_ACK,          /* for terminal aux: payload destination | bytes << 32, when it was sent, ...: receive.c */
	NET_CONTROL,      /* for terminal aux: payload destination, struct cc_frame */
	NET_SINK,         /* congestion control of the output to terminal aux */
	NET_REQUEST,      /* the same, from a source: payload source, struct cc_frame */
	NET_MESSAGE,      /* packets of a message will come to terminal aux: coming.c */
	NET_MESSAGE_ACK,  /* all of a message of terminal aux has come */
	NET_LINK_CONTROL, /* a word for output aux of a switch, beside the packets */
	NET_PAUSE,        /* the same for terminal aux: SW_CONTROL_* */
	NET_TIMER,        /* of a process at terminal aux: payload job | which << 8 | what << 16 */
	NET_FLOW,         /* a frame passes that holds a flow back: source | destination << 32, pace, until */
	NET_ACK_HOP,      /* an acknowledgement passes on its way back, by input aux: acks.c */
	NET_ACK_CROSSES,  /* it has waited for the row bus of input aux, and takes it now: acks.c */
	NET_HANDLED,      /* terminal aux has done its part with a message: message.c */
	NET_ACKNOWLEDGE,  /* terminal aux has a packet from this switch: its acknowledgement leaves */
	NET_COMPLETE,     /* with `completes`: a packet's last bit is at terminal aux, and with it all of a message */
	NET_RESYNC,       /* credits for output aux, as NET_CREDIT, of a frame that was lost: failures/pass.c */
	NET_COPIED,       /* messages between processes of terminal aux have been copied: nic/node.c */
	NET_EVENTS
};
_Static_assert((unsigned)NET_EVENTS <= SW_EVENT_FIRST, "the switch model's kinds come behind the network's");

/* Order of the events of one instant at a switch, part of the event key. A NIC decides after all credits,
 * acknowledgements and packets of the instant have arrived. */
enum net_phase { NET_PHASE_CREDIT = 1, NET_PHASE_PACKET = 2, NET_PHASE_PUBLISH = 3, NET_PHASE_NIC = 3 };

struct net_lp {
	uint32_t id;   /* switch */
	uint32_t sent; /* send count of the switch: ties */
	uint32_t net_ports, endpoints, first_endpoint;
	uint32_t spare[3]; /* 32 bytes: two to a cache line */
};

/* Times of a run in ps. With time.precision, measure_from and measure_to are 0 until the run has ended. */
struct net_times {
	uint64_t end;             /* of the leg (legs.c); when the run is over: of the run */
	uint64_t horizon;         /* departures are counted up to here, where the run ends at the latest */
	uint64_t queues_until;    /* ... and their queues, which are of no account while packets are drained */
	uint64_t published_until; /* depths are published before it */
	uint64_t measure_from, measure_to;
	uint64_t likely_end;     /* for the estimate of memory; with precision memory.c finds it */
	uint64_t recorded_until; /* the time line's last bin is for what comes after */
};

struct net_cables {
	struct topo_layout layout; /* where cables have latencies by their lengths, else empty */
	uint32_t by_length; /* bit k % 32 is set if the cables of link k differ in latency; then common.link[k].latency
	                       is the longest of them */
	uint32_t links;     /* of the switches: common.link[0 .. links - 1] */
	uint8_t *link_of;   /* [topo.link_classes] which of them, or NULL: each class has one of its number */
	uint16_t class_of[SW_LINK_CLASSES];        /* a class that has the link */
	uint8_t differ[(SW_LINK_CLASSES + 7) / 8]; /* bits: its classes have different latencies */
	uint64_t *latency;                         /* [topo.link_classes] ps, or NET_LATENCY_LAYOUT */
};

struct net_wires {
	struct sw_wires all;  /* of which common.wires is this, or NULL */
	unsigned char *state; /* [room][topo.max_ports] of all.bytes */
	struct net_wire_set *set;
	uint32_t sets;
};

struct net_classes { /* of traffic */
	uint8_t of_job[256];
	struct rt_bias *bias;                   /* [classes], or NULL: no class has one of its own */
	const struct rt_bias *bias_of_job[256]; /* in `bias`, or NULL */
	struct sw_class_rule rules[SW_MAX_CLASSES];
};

struct net_threads {
	uint32_t n;              /* of each rank that has LPs; more than one share them */
	bool pooled;             /* rank 0 has all LPs, and its threads run on the cores of all ranks */
	struct sw_common *ended; /* those of threads that have ended, which states may point into */
	uint32_t nended;
};

struct net {
	struct sw_call call; /* reused for every event of this rank, or thread: threads.c */
	struct rt_env env;   /* likewise */
	const struct net_config *config;
	struct topo topo;
	struct rt rt;
	struct sw_common common;
	struct net_traffic traffic;
	net_traffic_destroyer *destroy_traffic;
	struct net_setup setup;
	struct {
		bool topo, rt, sw, traffic;
	} built;

	uint32_t first, count;  /* LPs of this rank now */
	uint32_t base, room;    /* LPs for which it has memory, these among them; arrays by LP begin with LP `base` */
	uint32_t *lp_of_switch; /* NULL: the identity */
	uint32_t *switch_of_lp;
	struct net_lp *lps; /* [room] */
	unsigned char *lp_memory;
	size_t stride, lp_bytes;
	struct net_endpoints endpoints;
	uint32_t ports_total; /* of the switch that has the most */
	uint32_t port_unit;   /* a power of 2, not less than ports_total: see net_packet_key() */
	uint32_t jobs;
	struct net_traits path; /* which code runs */
	bool store_and_forward;
	void (*run)(struct sw_call *call); /* sw_ops.timing.run */
	struct net_ahead ahead;
	struct net_times times;
	struct net_cables cables;
	struct net_wires wires;
	struct net_failures failures;
	struct topo_nodes nodes; /* which endpoints are one node's */
	uint64_t lookahead;      /* ps; the least latency of a cable between switches, and what the switch leads by */
	uint32_t max_payload;    /* bytes of the largest packet; common.max_packet: of the largest frame */
	struct net_shared shared;
	struct net_records records;
	struct net_partials *partials; /* [room], or NULL */
	struct net_ring ring;          /* what is counted of windows that are not final */
	struct net_batches batches;    /* with time.precision */
	struct net_legs *legs;
	struct net_classes classes;
	struct net_telemetry telemetry;
	struct net_interfaces nic;
	struct net_processes processes;
	struct net_threads threads;

	struct sw_link_end *ends; /* [topo.max_ports], scratch */
	struct sim_engine *engine;
	bool wrong; /* the application is: NET_WRONG */
	struct net_result result;
	struct {
		double setup_started, wall;
		uint64_t rss;
		struct sim_counters counters;
	} rank;
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
	return (struct net_endpoint *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->endpoints.at +
	                                       terminal * n->endpoints.bytes);
}
static inline struct net_source *net_sources(struct net_endpoint *e)
{
	return (struct net_source *)(void *)(e + 1);
}
static inline uint8_t *net_source_jobs(const struct net *n, struct net_endpoint *e)
{
	return n->endpoints.sources <= NET_INLINE_JOBS ? e->job : (uint8_t *)(net_sources(e) + n->endpoints.sources);
}
static inline uint32_t net_switch_of(const struct net *n, uint32_t lp)
{
	return n->switch_of_lp ? n->switch_of_lp[lp] : lp;
}
static inline uint32_t net_lp_of(const struct net *n, uint32_t sw)
{
	return n->lp_of_switch ? n->lp_of_switch[sw] : sw;
}
/* Returns the index of the time line's bin that contains time t; times after the last bin belong to it. */
static inline uint32_t net_bin_of(const struct net *n, uint64_t t)
{
	uint64_t b = (uint64_t)((unsigned __int128)t * n->records.bin_reciprocal >> 64);
	return b < n->records.bins ? (uint32_t)b : n->records.bins - 1;
}
/* Returns the counters of a job in the bin of the time line that contains t. */
static inline struct net_bin *net_bin_at(const struct net *n, uint32_t job, uint64_t t)
{
	base_checkf(job < n->jobs, "job %u", job);
	return &n->shared.bin[(size_t)job * n->records.bins + net_bin_of(n, t)];
}
/* Returns the number of the link of the switches (struct sw_link) for a link class of the topology. */
static inline uint32_t net_link_of(const struct net *n, uint32_t link_class)
{
	return sim_likely(!n->cables.link_of) ? link_class : n->cables.link_of[link_class];
}
static inline struct sw_link_end net_end_of(const struct net *n, const struct topo_hop *h)
{
	return (struct sw_link_end){ net_lp_of(n, h->to), (uint16_t)h->port, (uint8_t)net_link_of(n, h->link_class),
		                     0 };
}
/* The part of net_latency() for links whose cables differ in latency. links.c */
uint64_t net_latency_of_cable(const struct net *n, topo_switch a, topo_port port, topo_switch b, uint32_t link);
/* Returns the latency in ps of the cable from `port` of switch a to switch b. `link` is the number of the link at a's
 * end. */
static inline uint64_t net_latency(const struct net *n, topo_switch a, topo_port port, topo_switch b, uint32_t link)
{
	if (sim_likely(!(n->cables.by_length >> (link & 31) & 1)))
		return n->common.link[link].latency;
	return net_latency_of_cable(n, a, port, b, link);
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
/* Returns the key of a packet's event. It contains the port and the link through which the packet left (for an
 * injection: its terminal), so that the receiving switch finds where to send credits without access to its own port.
 * Port and link are the low bits; the remaining bits suffice for the count, since a port sends one packet at an
 * instant. */
static inline uint64_t net_packet_key(struct sim_ctx *ctx, const struct net *n, struct net_lp *lp, uint32_t port,
                                      uint32_t link_class)
{
	return net_counted_key(n, lp, net_next_count(ctx, lp), port, link_class);
}
/* Returns the LP, port and link through which an arrived packet was sent, from the key of its event. */
static inline struct sw_link_end net_sender(const struct net *n, uint64_t packet_key)
{
	uint32_t low = (uint32_t)packet_key;
	return (struct sw_link_end){ .lp = net_lp_of(n, sim_key_entity(packet_key)),
		                     .port = (uint16_t)(low >> SW_LINK_CLASS_BITS & (n->port_unit - 1)),
		                     .link_class = (uint8_t)low };
}
static inline uint64_t net_next_key(struct sim_ctx *ctx, struct net_lp *lp, enum net_phase phase)
{
	return sim_key((unsigned)phase, lp->id, net_next_count(ctx, lp));
}

/* Builds topology, links, traffic, routing and switch model. compose.c */
int net_build_parts(struct net *n, struct base_errors *errors);
/* vcs.c */
/* With several traffic classes, raises *vcs to the number of virtual channels that they need, if the configuration
 * leaves the number open; -1 with errors. */
int net_widen_vcs(const struct net *n, uint32_t *vcs, struct base_errors *errors);
/* Proves that the routing is free of deadlock if its own declaration does not suffice: with fewer VCs than it requests,
 * and if the routing or the topology comes from a shared object. -1 with errors if the proof fails. */
int net_prove_build(const struct net *n, uint32_t vcs, struct base_errors *errors);
/* Sets the links of every link class of the topology, and the lookahead that follows; -1 with errors. links.c */
int net_set_links(struct net *n, struct base_errors *errors);
/* Returns the configuration of link number k of sw_common.link. */
struct net_link net_link_numbered(const struct net *n, uint32_t k);
/* Returns an array [link classes], to be freed by the caller: true if the network has cables of the class. If cables
 * have no properties of their own (topo->kinds is NULL), all are true. */
bool *net_classes_with_cables(const struct net *n);
/* framing.c */
/* Sets the bytes that a link adds to a payload. The rate of the link must be set before. */
void net_set_framing(struct sw_link *out, struct net_framing framing);
/* Returns the bytes of the largest frame on a link. */
uint32_t net_longest_frame(const struct net *n, unsigned link);
/* Frees n->common.kinds, which net_frame_links() sets; returns its bytes. */
void net_kinds_destroy(struct net *n);
uint64_t net_kinds_bytes(const struct net *n);
/* Sets the sizes of frames that switches see. Links, traffic and the kind of switch must be known. -1 with errors. */
int net_frame_links(struct net *n, struct base_errors *errors);
/* Returns the maximum fraction of a link's rate that the payload of a job can use. */
double net_ceiling(const struct net *n, uint32_t job, unsigned link);
void net_find_framings(const struct net *n, struct net_framings *out);
/* net_plan() computes the sizes of the memory of n->count LPs, and net_sim_config() returns the configuration of the
 * engine. network.c */
void net_plan(struct net *n);
struct sim_config net_sim_config(struct net *n, const uint32_t *first_lp);
/* Returns the number of events that an LP may receive in one lookahead. */
double net_expected_events(const struct net *n);

/* Migration of LPs between ranks. move.c */
void net_choose_room(struct net *n);
/* Initializes a logical process. With `linked` the ends of its links are looked up; otherwise they will be copied with
 * the rest of its state, because the LP migrates from another rank. */
void net_init_lp(struct net *n, uint32_t lp, bool linked);
void net_migrate_out(void *self, sim_lpid lp);
void net_migrate_in(void *self, sim_lpid lp);
void net_owns(void *self, sim_lpid first, uint32_t count);
void net_regions(void *self, sim_lpid lp, void (*visit)(void *arg, void *at, size_t bytes), void *arg);

/* scheduler.c */
/* Checks that the keys of `engine` that select a scheduler are consistent; -1 with errors. */
int net_check_engine(const struct net *n, struct base_errors *errors);
enum sim_sync net_choose_sync(const struct net *n);
/* Returns the number of threads of each rank for a run of `ranks` ranks; if net_pools_cores(), the number of threads of
 * rank 0. -1: there is an error. */
int net_choose_threads(const struct net *n, int ranks, struct base_errors *errors);
/* Does rank 0 execute all LPs, with `threads` threads, in place of `ranks` ranks with one thread each? */
bool net_pools_cores(const struct net *n, int ranks, int threads);
/* Writes the reason for the choice of scheduler and threads as text; the engine must have been created. */
void net_explain_choice(const struct net *n, char *out, size_t size);

/* Select the code paths of the network, see path.h. The first function selects those of endpoints, when all parts of
 * the network except its congestion control are known; the second selects the others, when sizes are known. path.c */
void net_path_of_endpoints(struct net *n);
void net_path_of_switches(struct net *n);
typedef void net_handler(struct sim_ctx *ctx, void *self, sim_lpid lp, const struct sim_event *event);
net_handler *net_choose_handler(const struct net *n);
net_prefetcher *net_choose_prefetch(const struct net *n); /* NULL: none */
net_early_handler *net_choose_early(const struct net *n); /* likewise */
const struct sw_host_ops *net_choose_host_ops(const struct net *n);
extern size_t net_prefetch_from; /* bytes of LP state for a core, from which on memory is prefetched. Tests set it. */
/* Are lost packets retransmitted? */
bool net_retries(const struct net *n);
/* Returns the time in ps from the arrival of a packet's head at an idle switch to its departure. sample.c */
double net_traversal(const struct net *n);

/* threads.c */
void *net_worker(void *self, struct sim_ctx *ctx);
void net_release_worker(void *self, void *worker);

/* lp.c */
void net_enter(void *self, sim_lpid lp); /* n->call is for this LP from now on */
const char *net_kind_name(unsigned kind);
/* Tables of the functions of the host that a switch calls. With framing, a packet is given the frame size of the link
 * by which it leaves. host.c */
extern const struct sw_host_ops net_host_ops, net_framing_host_ops, net_kinds_host_ops, net_plain_host_ops,
    net_failing_host_ops;
static inline const struct sw_host_ops *net_host(const struct net *n)
{
	return n->common.kinds ? &net_kinds_host_ops : n->common.framed ? &net_framing_host_ops : &net_host_ops;
}

/* Sets the bias of the routing if the routing leaves its default to the network (auto_bias). The largest packet must be
 * known. bias.c */
void net_bias_default(struct net *n);
/* Fills n->classes.bias and bias_of_job, for traffic classes that set a bias of their own; -1 with errors. */
int net_class_biases(struct net *n, struct base_errors *errors);
/* Assigns switches to `parts` ranks; fills first_lp[parts + 1], n->lp_of_switch and n->switch_of_lp; -1 with errors.
 * partition.c */
int net_partition(struct net *n, int parts, uint32_t *first_lp, struct base_errors *errors);

/* Returns the job to which a stream belongs. */
static inline uint32_t net_job_of(const struct net *n, uint32_t stream)
{
	return sim_likely(stream < n->traffic.jobs) ? stream : n->traffic.job[stream].of;
}

#endif
