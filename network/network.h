/* network/network.h - the composition: topology + switch model + routing + congestion control = logical processes,
 * simulated by sim/.
 *
 * One logical process (LP) is one switch with its endpoints: terminal links, generation and ejection are local steps.
 * Everything visible to users is independent of LPs and ranks: keys and random streams belong to switches and
 * endpoints. All functions are collective over the MPI ranks unless stated otherwise. */
#ifndef NETWORK_NETWORK_H
#define NETWORK_NETWORK_H

#include "base/error.h"
#include "network/application.h"
#include "network/config.h"
#include "network/measured.h"
#include "network/traffic.h"
#include "sim/sim.h"
#include "sim/steady.h"
#include "switch/instruments.h"
#include "topo/topo.h"

#include <stdbool.h>
#include <stdint.h>

struct net;

/* Builds the traffic of a configuration: passed by the caller, because workload/ is above network/ in the layering.
 * wl_build() has this type. */
typedef int net_traffic_builder(struct net_traffic *out, const struct net_config *config, const struct topo *topo,
                                struct base_errors *errors);
typedef void net_traffic_destroyer(struct net_traffic *traffic);

/* The rate that one VC of a link sustains over its credit loop. `longest` is the maximum latency of a link at which one
 * VC sustains the full rate: with n of the largest packets in a VC's buffer it is (n serialisations - the loop without
 * the cable) / 2. */
struct net_credit_loop {
	uint32_t link_class;       /* of the topology */
	uint64_t latency, longest; /* ps; 0: none is short enough */
	uint32_t packet;           /* bytes; the largest of the traffic */
	double rate;               /* of the link, that one VC carries at most with such packets */
};
struct net_credit_loops {
	uint32_t n; /* 0: the switch does not tell, or no traffic takes a link */
	struct net_credit_loop v[TOPO_LINK_CLASSES];
};

/* Positions of a switch's ports among its tiles. */
struct net_tiles {
	uint32_t rows, columns, per_tile; /* 0: there are no tiles */
	uint32_t ports;                   /* of the largest switch */
	uint16_t *place;                  /* [ports], to be freed: counted along the rows, tile by tile */
};

/* Delay of a packet in an idle switch, and the switch's capacity. */
struct net_passage {
	double traversal_ps;   /* of its head */
	uint64_t buffer_bytes; /* of the input buffer of a network port */
	uint32_t max_packet;   /* bytes on a link */
};

/* The framing of a link class, or of a traffic class's packets on it, and for each job the fraction of a link's rate
 * that its payload can use. */
struct net_framing_of_class {
	uint32_t link_class;                      /* of the topology, or TOPO_LINK_CLASSES: the terminals' */
	const char *traffic_class;                /* NULL: of all packets */
	uint32_t header, min_frame, granule, gap; /* bytes */
	double *ceiling; /* [jobs] payload / wire bytes of a job's packets; 0: the job is not of the traffic class */
};
struct net_framings {
	uint32_t n;                     /* 0: no link has framing */
	struct net_framing_of_class *v; /* by link class, and for each of them by traffic class */
};
void net_framings_free(struct net_framings *framings);

/* Size of the adaptation of routing to failures, see network/failures/. */
struct net_failure_plan {
	bool on;
	uint32_t epochs,
	    states; /* times at which routes change, plus 1; different networks among these, the whole one too */
	uint32_t vcs, hops; /* virtual channels of a run; hops of the longest route */
};

struct net_setup {
	const struct net_config *config;
	const struct base_registry *registry;
	net_traffic_builder *build_traffic;
	net_traffic_destroyer *destroy_traffic;
	/* Called about every 50 ms on every rank. Returns SIM_END_AT_PAUSE to end the run: all ranks end it at the same
	 * simulated time, at the next pause (about four a second); the results are those of a run that was configured
	 * to end at that time. May be NULL. */
	enum sim_wish (*progress)(void *arg, uint64_t committed_ps, uint64_t end_ps, uint64_t events);
	void *progress_arg;
	struct net_credit_loops *loops; /* filled by net_check(); may be NULL */
	struct net_tiles *tiles;        /* likewise */
	struct net_framings *framings;  /* likewise, and to be freed */
	struct net_passage *passage;    /* likewise */
	struct net_traits *traits;      /* likewise: path.h */
	struct net_failure_plan *plan;  /* likewise; then the routing is proved for each network */
	bool proved; /* the caller has proved the routing free of deadlock, or reported that it is not */
};

/* Builds a network with its logical processes. Returns NULL, with errors, if the configuration cannot be built. */
struct net *net_create(const struct net_setup *setup, struct base_errors *errors);
void net_destroy(struct net *net);
/* Finds the errors of net_create() without building the logical processes, with little memory. Not collective. */
int net_check(const struct net_setup *setup, struct base_errors *errors);
struct rt;
/* Builds the configuration's routing on the topology, with the latencies of its cables if the routing reads them. */
int net_build_routing(struct rt *rt, const struct net_config *config, const struct topo *topo,
                      struct base_errors *errors);

/* Returns the framing of a link, with the values of its preset where the link sets none. */
struct net_framing net_framing_of(const struct net_link *link);
/* Returns the framing of a traffic class's packets on a link: each value is that of the class's key, else of its
 * preset, else the link's. */
struct net_framing net_framing_in(const struct net_class *class, const struct net_link *link);
/* Does a class have a framing of its own? */
bool net_class_frames(const struct net_class *class);
/* Builds the topology of a configuration, including links.override; -1 with errors. */
int net_build_topology(const struct net_config *config, struct topo *topo, struct base_errors *errors);
/* The links of a named class of the topology: a section of its own, or links.default. */
const struct net_link *net_link_of_class(const struct net_config *config, const char *name);
/* The links of any class, with the bandwidth and latency that its cables have of their own (topo/kinds.h). */
struct net_link net_link_at(const struct net_config *config, const struct topo *topo, int link_class);
/* Fills rate[topo->link_classes] with the bandwidth of each link class as a multiple of that of an endpoint's link. */
void net_rates(const struct net_config *config, const struct topo *topo, double *rate);
/* Adds errors for sections of links for which the topology has no class. */
int net_check_link_classes(const struct net_config *config, const struct topo *topo, struct base_errors *errors);
/* Adds the errors of net_check_link_classes() that follow from the kind of topology alone, for a topology that cannot
 * be built. */
void net_check_link_classes_of_kind(const struct net_config *config, struct base_errors *errors);
/* Adds errors for keys that have no effect on this topology. The rest of the configuration need not be valid. */
int net_check_effects(const struct net_config *config, const struct topo *topo, struct base_errors *errors);

/* Estimated memory of a run over all ranks, computed without building the switches. */
struct net_memory {
	uint64_t switches;   /* state of switches and endpoints */
	uint64_t records;    /* statistics, and what record asks for */
	uint64_t engine;     /* tables of the event queues, and the rest of the pages that hold events */
	uint64_t events;     /* packets and credits on their way, while the network is not saturated */
	uint64_t process;    /* the program and MPI */
	uint64_t total;      /* while it runs */
	uint64_t speculated; /* the most that optimistic ranks add to it: how far they run ahead depends on timing */
	uint64_t building;   /* while schedules and models of processes are built, of which more is held then; else 0 */
	uint64_t saturated;  /* what input buffers add to it when they are full, or hold all that the run injects */
	uint64_t available;  /* to the ranks of this host, now; UINT64_MAX: unknown */
	double host_share;   /* of the total that the ranks of a host take: 1 if all are on one */
	uint32_t ranks, hosts;
	const char *available_by; /* what sets it, see base/available.h */
	bool processes;           /* there are some, whose messages are in nothing but `saturated` */
	uint32_t a_step;          /* bytes that each message and computation of theirs leaves (record.path); 0: none */
	double overload;          /* the offered load is at least so many times what the network can carry */
	const char *full;         /* what would be full then: "a link between switches" */
	double hops;      /* links from switch to switch that a packet takes, as was assumed; 0: none, or not known */
	double length_ns; /* simulated time that was assumed */
	uint32_t endpoints;
};
/* Estimates the memory of a run of `ranks` ranks, at most `per_host` of them on a host. */
int net_memory_estimate(const struct net_setup *setup, int ranks, int per_host, struct net_memory *out,
                        struct base_errors *errors);

/* How a partition of the switches (engine.partition) cuts cables between ranks. */
struct net_cut {
	double cables;          /* share of the cables between switches that join switches of two ranks */
	double neighbours;      /* other ranks that such cables of a rank lead to, on average */
	uint32_t most;          /* and at most */
	uint32_t most_switches; /* of a rank */
};
/* Partitions the switches for a number of ranks, which need not exist. Time and memory are proportional to switches and
 * cables. */
int net_partition_cut(const struct net_setup *setup, int ranks, struct net_cut *out, struct base_errors *errors);

enum net_outcome {
	NET_DONE,        /* complete */
	NET_INTERRUPTED, /* results are valid up to net_result.reached_ps */
	NET_STALLED,     /* deadlock: packets wait for each other; net_result.stall says where */
	NET_FAILED,      /* an invariant was violated: errors say which */
	NET_WRONG,       /* an application asked for what cannot be: errors say what */
	NET_REFUTED,     /* a plug-in has said what cannot be so: errors on rank 0 say what */
};

/* Does a run with this outcome have no results, but errors with the reason? */
static inline bool net_is_failure(enum net_outcome outcome)
{
	return outcome == NET_FAILED || outcome == NET_WRONG || outcome == NET_REFUTED;
}

enum net_outcome net_run(struct net *net, struct base_errors *errors);

/* --- results, the same on every rank after net_run
 * ------------------------------------------------------------------------ */

struct net_latency { /* ps */
	uint64_t n, min, max, p50, p90, p99, p999;
	double mean;
};

/* Slowdown of messages: the time that a message took relative to its time in the empty network. stats/messages.c */
struct net_slowdown {
	uint64_t n, bytes; /* messages and their bytes; of none the rest is 0 */
	double mean, p50, p99, max;
};
struct net_slowdown_of_size {
	uint64_t from; /* bytes, up to twice as many */
	struct net_slowdown slowdown;
};

struct net_flow { /* of a job, a class, or all */
	const char *name;
	double offered_load, accepted_load;
	uint64_t endpoints;                                                /* that inject */
	uint64_t idle_endpoints;                                           /* that a pattern leaves out */
	uint64_t created, injected, delivered, dropped, in_flight, queued; /* packets, whole run */
	uint64_t discarded; /* packets that a pause between bursts discarded at their source; not among `created` */
	uint64_t delivered_bytes; /* inside the measured window */
	struct net_latency latency, network_latency, message_latency;
	bool has_message_latency;
	struct net_latency iteration; /* of processes: how long those took that ended in the window */
	bool has_iterations;
	/* Messages between processes of one node, over the whole run; only if a node has several processes of a job. */
	bool has_inside;
	uint64_t inside_messages, inside_bytes, inside_under_way; /* the first two: that have come */
	double inside_latency_ps;                                 /* of these, mean; NAN: there are none */
	/* For a job whose processes end the run (in the total: for all such jobs): when the last process finished; the
	 * numbers of processes and of those that finished; uncompleted operations, messages never received, and
	 * messages longer than their receive. */
	bool is_application;
	uint64_t completion_ps, processes, finished, unfinished, unreceived, truncated, incomplete;
	struct net_application *application; /* owned by the net; NULL: its processes tell nothing of ranks */
	double hops_mean;
	uint32_t hops_max;
	double minimal_fraction;
	uint64_t measured,
	    measured_delivered;             /* packets created in the window, and those of them delivered by the end */
	struct net_measured arrived;        /* sums over the latter */
	const struct sim_steady *estimates; /* with time.precision; owned by the net; NULL without, and for classes */
	/* With record.messages: slowdowns of messages that began in the window and have arrived, by size; sizes without
	 * messages are left out. */
	bool has_slowdown;
	struct net_slowdown slowdown;
	struct net_slowdown_of_size *by_size; /* [sizes], in rising order; owned by the net */
	uint32_t sizes;
	bool latency_censored; /* more than 1 % of the measured are still under way */
	bool growing; /* of a job: its own backlog or latency, as far as drain = "auto" or precision can tell */
};

/* Statistics of congestion control over the whole run and all endpoints. */
struct net_control {
	const char *kind;             /* NULL: there is none */
	uint64_t acks_waited_ps;      /* acknowledgements, for others on their way: nic.ack = "hop" */
	uint64_t acks, frames;        /* acknowledgements and control frames that were sent */
	uint64_t requests;            /* frames of sources to the receiver's side */
	uint64_t marked;              /* acknowledgements of packets that had met congestion (ECN) */
	uint64_t held;                /* packets that had to wait behind others for their destination */
	uint64_t source_waits;        /* times that a source waited for a place among those (nic.table) */
	uint64_t throttles;           /* times that a pair of endpoints was held back ... */
	uint64_t throttled_ps;        /* ... and for how long, as far as that has ended */
	uint64_t pairs, contributors; /* records that were made at sources, and at receivers' switches */
};

/* Statistics of retransmission over the whole run; all 0 without retransmission. */
struct net_retry_result {
	bool on;
	uint64_t resent, timeouts;      /* copies that were sent; packets that were given up for them */
	uint64_t backoffs;              /* pauses of pairs whose copies were lost again: nic.backoff */
	uint64_t probes;                /* frames without payload that were sent to learn what had come */
	uint64_t dropped, trimmed;      /* by switches; trimmed: whose headers came */
	uint64_t damaged, damaged_acks; /* nic.loss */
	uint64_t duplicates, reordered; /* that had come before; that came before an earlier one of their pair */
};

/* Packets of classes that are delivered in order, over the whole run. */
struct net_order_result {
	bool on;
	uint64_t reordered; /* that came before an earlier one of their flow, and waited for it */
	uint64_t waited_ps; /* for how long, as far as that has ended */
	uint64_t paths;     /* decisions of switches that later packets of a flow followed or could have */
};

/* Lanes and link-level retry of links between switches, over the whole run. */
struct net_link_result {
	const char *name;                  /* of the class of links; "all" */
	uint64_t frames, damaged;          /* that were passed; copies that were damaged */
	uint64_t replayed, replayed_bytes; /* frames that were sent again */
	uint64_t lost_ps;                  /* time of links that went by with that */
	uint64_t degraded_ps;              /* time of links with some of their lanes */
};

/* Cables, switches and interfaces that failed, over the whole run: network/failures/. Indices: enum net_lost_where. */
#define NET_PARTITION_TEXT 200
struct net_partition {        /* endpoints that routing saw cut off from most others */
	uint64_t from, until; /* ps */
	uint32_t endpoints;
	char which[NET_PARTITION_TEXT]; /* ranges: "3,8-11"; ends with "..." if there are more */
};
struct net_failure_result {
	bool on;
	uint64_t lost[3], lost_bytes[3]; /* copies of packets, and their payload */
	uint64_t outages;                /* of cables and endpoints' links that had begun */
	uint64_t reroutings;             /* times that routes changed */
	uint64_t partitioned_ps;         /* time in which some endpoints were cut off ... */
	uint64_t most_cut_off;           /* ... and how many at most */
	uint32_t partitions;
	struct net_partition *partition; /* in order of time; owned by the net */
};

struct net_result {
	bool complete;
	uint32_t nlinks;                     /* classes of links with lanes or link-level retry */
	struct net_link_result links, *link; /* all; [nlinks], owned by the net */
	struct net_order_result order;
	struct net_retry_result retry;
	struct net_failure_result failures;
	struct net_control control;
	bool has_switches; /* the switch model tells of: */
	struct sw_tally switches;
	uint64_t reached_ps;
	struct net_flow total;
	struct net_flow *jobs, *classes; /* owned by the net */
	uint32_t njobs, nclasses;
	uint64_t digest;
	uint64_t packet_hops;
	struct sim_counters counters; /* summed over ranks */
	int ranks, threads;
	const char *sync; /* "sequential", "conservative", "optimistic" */
	char choice[192]; /* why ranks shared all switches or stayed apart, and went in step or not */
	double line_ns;   /* a line of memory from core to core, as measured for that; 0: it was not */
	double setup_s, wall_s;
	uint64_t peak_rss_bytes;      /* summed over ranks */
	uint64_t peak_rss_rank_bytes; /* of the rank that has most */
	uint32_t vcs;
	uint64_t idle_switches;
	/* With time.precision: estimates over the measured window from measured_from_ps to measured_to_ps (exclusive),
	 * see sim/steady.h. */
	bool has_estimates, enough;                         /* enough: as precise as was asked for */
	const struct sim_steady *estimates, *job_estimates; /* all, [jobs]; owned by the net */
	bool saturated; /* the backlog grew as long as the run went on; known with drain = "auto" or precision only */
	uint64_t measured_from_ps, measured_to_ps;
	char *stall; /* where it stalled, several lines, or NULL; owned by the net */
	bool has_applications;
	bool stuck; /* applications have not finished, and nothing is under way to their processes */
	/* For applications, on rank 0: which ranks wait for which, and messages never received; some lines, or NULL;
	 * owned by the net. */
	char *waits, *unasked;
	uint64_t window_ps;
};

const struct net_result *net_results(const struct net *net);
const struct topo *net_topo(const struct net *net);

/* Visits the records in a fixed order; collective. Histograms and the time line are visited on rank 0; records of
 * switches and ranks are divided among the ranks, those of rank 0 before those of rank 1 and so on. `bins` are in ps.
 */
void net_each_histogram(struct net *net,
                        void (*visit)(void *arg, const char *job, const char *quantity,
                                      const uint64_t *bins /* sim/histogram.h */),
                        void *arg);

struct net_timeline_bin {
	uint64_t t_ps, width_ps;
	uint64_t created, injected, delivered, created_bytes, delivered_bytes, hops;
	/* The same counts for each job, if there are several jobs, followed by each traffic class, if there are several
	 * classes. */
	const struct net_timeline_part {
		const char *name;
		bool is_class;
		uint64_t created, injected, delivered, created_bytes, delivered_bytes, hops;
	} * part;
	uint32_t parts;
};
void net_each_timeline(struct net *net, void (*visit)(void *arg, const struct net_timeline_bin *bin), void *arg);

struct net_activity { /* packets per timeline bin at one switch */
	uint32_t sw, bins;
	uint64_t width_ps;
	const uint32_t *endpoint_sends, *endpoint_receives, *switch_sends, *switch_receives;
};
void net_each_activity(struct net *net, void (*visit)(void *arg, const struct net_activity *a), void *arg);

struct net_port_record {
	uint32_t sw, port; /* output port; terminal ports follow the network ports */
	const char *link_class;
	uint32_t to_switch, to_port; /* terminal ports: the endpoint, 0 */
	uint64_t packets, bytes;
	double utilization;                 /* of the whole run */
	uint32_t vcs;                       /* 1 at a terminal port */
	const double *vc_mean_bytes;        /* queued for this output and VC, averaged over the run */
	const uint64_t *vc_waits;           /* packets that had to wait for credits */
	const struct net_link_result *link; /* of this port alone; NULL: neither lanes nor link-level retry */
};
void net_each_port(struct net *net, void (*visit)(void *arg, const struct net_port_record *port), void *arg);

struct sw_instruments;
struct net_switch_record { /* readings of a switch's instruments, see switch/instruments.h */
	uint32_t sw, net_ports, ports;
	const char *kind; /* of switch */
	const struct sw_instruments *instruments;
	const uint64_t *words;
	uint64_t span_ps; /* that they cover */
};
/* Visits the records of the switches listed in record.switches, in order of switch. */
void net_each_switch(struct net *net, void (*visit)(void *arg, const struct net_switch_record *record), void *arg);

struct net_packet_record {
	uint64_t delivered, created, injected;
	uint32_t src, dst, seq, bytes;
	uint8_t job, hops, minimal;
};
/* Calls visit() for packets in order of (delivered, src, seq), in turns. In each turn every rank visits a share of the
 * packets, those of rank 0 before those of rank 1 and so on; then turn(), which may be NULL, is called on all ranks. */
void net_each_packet_by_turns(struct net *net, void (*visit)(void *arg, const struct net_packet_record *packet),
                              void (*turn)(void *arg), void *arg);
void net_each_packet(struct net *net, void (*visit)(void *arg, const struct net_packet_record *packet), void *arg);

/* Visits messages that have arrived completely, with record.messages, in order of (end, src, seq), in turns as above
 * for packets. */
struct net_message_record {
	uint64_t start, end, ideal; /* ps; ideal: end less start in the empty network, 0: it is not known */
	uint64_t bytes;
	uint32_t src, dst, seq; /* seq: of its first packet */
	uint8_t job, class_index;
};
void net_each_message_by_turns(struct net *net, void (*visit)(void *arg, const struct net_message_record *m),
                               void (*turn)(void *arg), void *arg);
void net_each_message(struct net *net, void (*visit)(void *arg, const struct net_message_record *m), void *arg);

/* Visits the engine counters of this rank. */
void net_each_rank(struct net *net,
                   void (*visit)(void *arg, int rank, const struct sim_counters *c, double wall_s, uint64_t peak_rss),
                   void *arg);

/* Returns the number of VCs of a configuration: "vcs" of the switch section, or `needed`, the number that the routing
 * needs, if it is "auto". */
uint32_t net_vcs(const struct net_choice *sw, uint32_t needed);
struct rt;
struct rt_proof;
/* Returns by which resources (VCs, links, none) packets wait for each other in a switch of this kind. The result of
 * net_prove() is the same for all switches with the same value. */
enum sw_waits net_waits(const struct net_choice *sw);
/* Proves that a routing is free of deadlock in switches of this kind, with net_vcs() virtual channels: as rt_prove(),
 * but if packets never wait there is nothing to prove, and proof->method says so. */
int net_prove(const struct net_choice *sw, const struct rt *rt, struct rt_proof *proof, struct base_errors *errors);
/* For a proof that found a cycle: writes the reason for rejecting the routing to `out`, as a sentence, and returns the
 * key to which the error belongs (static text). */
const char *net_proof_refuses(const struct net_choice *sw, const struct rt *rt, const struct rt_proof *proof, char *out,
                              size_t room);

#endif
