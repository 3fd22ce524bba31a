/* network/config.h - a fully resolved configuration, which the reader of configuration files fills in and from which
 * network/ builds. */
#ifndef NETWORK_CONFIG_H
#define NETWORK_CONFIG_H

#include "base/param.h"
#include "base/plugin.h"
#include "topo/cost.h"
#include "topo/layout.h"
#include "topo/override.h"

#include <stdbool.h>
#include <stdint.h>

/* A selected plug-in and its parameter struct (owned, plugin->params_bytes long). */
struct net_choice {
	const struct base_plugin *plugin;
	void *params;
};

/* The bytes that a link adds to the payload of a packet, see network/framing.c. */
struct net_framing {
	int preset;                               /* enum net_framing_preset */
	uint64_t header, min_frame, granule, gap; /* bytes; BASE_AUTO_SIZE_VALUE: what the preset says */
};

#define NET_LATENCY_WORD "layout"
#define NET_LATENCY_LAYOUT BASE_AUTO_TIME_VALUE

struct net_link {
	uint64_t bandwidth; /* bits per second */
	uint64_t latency;   /* ps; NET_LATENCY_LAYOUT: of each cable by its length */
	struct net_framing framing;
	int64_t lanes;         /* with equal parts of the bandwidth */
	double bit_error_rate; /* that is left behind forward error correction */
	uint64_t retry_buffer; /* bytes; BASE_AUTO_SIZE_VALUE: as much as a round trip needs */
	uint64_t retry_answer; /* ps: from a frame's last bit at the receiver until its answer leaves */
};

/* One entry of `failures`. */
enum net_failure_what { NET_FAILS_CABLE, NET_FAILS_SWITCH, NET_FAILS_SHARE, NET_FAILS_INTERFACE };
enum net_failure_mode { NET_FAILS_LANES, NET_FAILS_ERRORS, NET_FAILS_DOWN, NET_FAILS_FLAP, NET_FAILS_RANDOM };
enum net_failure_share { NET_SHARE_CABLES, NET_SHARE_SWITCHES, NET_SHARE_INTERFACES };
#define NET_FAILURE_WHAT "cable|switch|share|interface"
#define NET_FAILURE_MODES "lanes|errors|down|flap|random"
#define NET_FAILURE_SHARES "cables|switches|interfaces"
#define NET_FAILURES 256u
struct net_failure {
	uint64_t at, until; /* ps; until 0: for ever */
	int what, mode;
	struct base_ints cable; /* the two switches; a third number: which of several cables between them */
	int64_t failing_switch; /* key "switch" */
	int64_t endpoint;       /* whose interface */
	int of;                 /* enum net_failure_share */
	double share;           /* of these, drawn */
	int64_t seed;           /* of the draws; BASE_AUTO: the run's */
	char *link_class;       /* key "links": of this class only; NULL: of any */
	int64_t lanes;          /* that are lost */
	double bit_error_rate;
	uint64_t down_time, up_time; /* ps; of a flapping cable, in turns */
	uint64_t mtbf, mttr;         /* ps; mean times from a repair to a failure, and back */
};

#define NET_FRAMING_CHOICES "none|ethernet|roce|slingshot-fabric|aries"
enum net_framing_preset {
	NET_FRAMING_NONE,
	NET_FRAMING_ETHERNET,
	NET_FRAMING_ROCE,
	NET_FRAMING_FABRIC,
	NET_FRAMING_ARIES
};
/* Framing of a traffic class: its packets have the frames of the links that they take, or those of a preset. */
#define NET_CLASS_FRAMING_CHOICES "link|" NET_FRAMING_CHOICES
enum net_class_framing { NET_CLASS_FRAMING_LINK, NET_CLASS_FRAMING_PRESET };
#define NET_CLASS_FRAMING_DEFAULT                                                                  \
	((struct net_framing){ NET_CLASS_FRAMING_LINK, BASE_AUTO_SIZE_VALUE, BASE_AUTO_SIZE_VALUE, \
	                       BASE_AUTO_SIZE_VALUE, BASE_AUTO_SIZE_VALUE })
/* Maximum number of bytes of a frame's header, and of its minimum size or granule: up to this number the difference
 * between frame and payload fits into SW_FRAME_MORE_BITS bits. */
#define NET_FRAMING_MOST 1024

/* The links of one class of the topology. */
struct net_link_class {
	struct net_link link;
	char *name;
};

enum net_drain { NET_DRAIN_OFF, NET_DRAIN_ON, NET_DRAIN_AUTO };

struct net_time {
	uint64_t warmup, measure; /* ps; with precision a warmup of BASE_AUTO_TIME_VALUE is for the run to find */
	int drain;                /* enum net_drain */
	double precision;         /* per cent, half-width of the 95 % intervals; 0: measure as long as `measure` says */
	uint64_t limit;           /* ps; of a run with precision, or that ends with applications */
	bool applications; /* set by the program, there is no such key: the run and its measured window end when the
	                      processes of certain jobs have finished, at the latest at `limit`, which may be
	                      BASE_AUTO_TIME_VALUE (no limit) */
};

enum net_ordering { NET_UNORDERED, NET_ORDERED };
enum net_lossless { NET_LOSSLESS_AUTO, NET_LOSSLESS_OFF, NET_LOSSLESS_ON };

struct net_class {
	char *name;
	int64_t dscp, priority;
	double min_bandwidth, max_bandwidth;
	int ordering; /* enum net_ordering */
	int lossless; /* enum net_lossless; AUTO: as the switch is */
	/* Frames of its packets on any link; preset: enum net_class_framing, or behind it a preset of links. */
	struct net_framing framing;
	char *bias; /* in the notation of the routing's own, see rt_bias_read(); NULL: that */
};

/* Treatment of the messages of an open-loop job with bursts that could not be sent within the burst in which they were
 * created. */
enum net_backlog {
	NET_BACKLOG_CARRY, /* they leave in the next bursts, in order */
	NET_BACKLOG_DROP,  /* they are discarded, but for one of which a packet has left */
	NET_BACKLOG_CLOSED /* there are none: a message is created when the one before it has left, at the earliest */
};

/* One entry of `traffic`. */
struct net_job {
	char *name;
	struct net_choice process;   /* kind "process"; its ops are NULL where pattern and injection are used */
	struct net_choice pattern;   /* kind "pattern" */
	struct net_choice injection; /* kind "injection" */
	double load;                 /* fraction of an endpoint's injection bandwidth */
	struct base_ints packet;     /* bytes: one size, or a mix */
	struct base_ints weight;     /* of each size in the mix; empty: equal */
	uint64_t message;            /* bytes; 0: one packet */
	int sizes;                   /* of messages, instead: 0 none, else a published distribution */
	char *sizes_file;            /* or one of a file; NULL: none */
	char *class_name;
	int64_t dscp;                       /* BASE_AUTO: by class_name */
	char *nodes;                        /* "all", "0-99,200", or a count "512" with `allocation` */
	int allocation;                     /* 0 linear, 1 interleaved, 2 random */
	uint64_t start, stop;               /* ps of simulated time; stop 0: never */
	uint64_t burst_length, burst_pause; /* ps; burst_length 0: it sends all the time */
	int burst_backlog;                  /* enum net_backlog */
	bool isolate;                       /* run it alone as well: experiments/results/alone.h */
	int64_t processes_per_node;         /* BASE_AUTO: as its mapping file says, else 1 */
};

#define NET_RECORDED_SWITCHES 64u
struct net_record {
	uint64_t timeline; /* ps a bin; 0: off */
	bool ports, packets, messages, histograms, activity;
	bool ranks, path; /* of applications */
	bool instruments; /* key "switch" */
	char *switches;   /* whose: "all", ranges "0-3,17"; "": the first NET_RECORDED_SWITCHES */
};

struct net_output {
	char *file;
	bool csv;
};

/* Section `cost`. */
struct net_cost {
	struct net_choice model; /* kind "cost" */
	struct topo_cost_choice choice;
};

enum net_retry { NET_RETRY_AUTO, NET_RETRY_ON, NET_RETRY_OFF };
enum net_path { NET_PATH_AUTO, NET_PATH_EXACT };

enum net_ack { NET_ACK_EVENT, NET_ACK_HOP_BY_HOP };
enum net_order { NET_ORDER_PATH, NET_ORDER_RECEIVER };

enum net_nic_choice { NET_NIC_BY_PAIR, NET_NIC_BY_MESSAGE };
enum net_nic_order { NET_NIC_BLOCKING, NET_NIC_FIFO, NET_NIC_ROUND_ROBIN };
enum net_nic_sharing { NET_NIC_FAIR, NET_NIC_IN_ORDER };

struct net_nic_config {
	int64_t table; /* packets that wait for their destinations at an endpoint */
	int stack;     /* enum xp_stack: a preset of the next three */
	/* ps; only for messages of processes: overheads of the endpoint for each message sent and received, and the
	 * latency of the interface */
	uint64_t overhead_send, overhead_receive, latency;
	uint64_t ack_stage; /* ps; BASE_AUTO_TIME_VALUE: what a packet takes through an idle switch */
	int ack;            /* enum net_ack */
	uint64_t ack_bytes; /* of an acknowledgement, with ack_width */
	double ack_width;   /* share of each link's rate that carries them beside the data; 0: they take no time */
	uint64_t ack_every; /* bytes of frames; 0: every packet is acknowledged */
	int retry;          /* enum net_retry */
	uint64_t timeout;   /* ps; BASE_AUTO_TIME_VALUE: see net_timeout() */
	uint64_t backoff;   /* ps: the longest pause of a pair that sends again in vain; 0: none */
	double loss;        /* chance that a packet, or an acknowledgement, is damaged on its last link */
	int64_t per_node;   /* interfaces of a node, at as many switches: topo/nodes.h */
	int choose;         /* enum net_nic_choice */
	int ordering;       /* enum net_order: how order is kept where classes want it */
	int order;          /* enum net_nic_order: in which order messages of a process leave */
	int sharing;        /* enum net_nic_sharing: of an interface, by the processes of its endpoint */
};

/* Section `node` of the configuration, for endpoints with several processes (network/nic/node.c), and the defaults of
 * its keys, in bits per second and ps. */
#define NET_NODE_BANDWIDTH UINT64_C(1000000000000)
#define NET_NODE_COPY UINT64_C(80000000000)
#define NET_NODE_LATENCY UINT64_C(300000)
struct net_node_config {
	uint64_t bandwidth, copy; /* bits per second: of all messages inside a node, and of one process that copies */
	uint64_t latency;         /* ps */
};

/* Section `mpi`: communication of processes that model MPI programs (workload/mpi/). */
struct net_mpi_config {
	char *collectives;       /* who chooses their algorithms: see mpi_choices_read() */
	uint64_t eager, control; /* bytes: the longest message that does not wait for its receive; a control message */
	uint64_t overhead;       /* ps: of a call */
	char *classes;           /* traffic classes of kinds of messages: see wl_kinds_read() */
};

enum sim_sync_choice { NET_SYNC_SEQUENTIAL, NET_SYNC_CONSERVATIVE, NET_SYNC_OPTIMISTIC, NET_SYNC_AUTO };
enum net_partition_choice { NET_PARTITION_BLOCK, NET_PARTITION_RANDOM, NET_PARTITION_METIS };

struct net_engine {
	int sync;             /* enum sim_sync_choice */
	int partition;        /* enum net_partition_choice */
	int balance;          /* enum sim_balance */
	uint64_t window;      /* ps; 0: the lookahead */
	int64_t optimism;     /* windows a rank may run ahead of GVT */
	int64_t gvt_interval; /* windows between GVT rounds while there is other work */
	int64_t stress;       /* 0 off; else per cent of events that are artificially late */
	int path;             /* enum net_path */
	int64_t threads;      /* of each rank; BASE_AUTO: see scheduler.c */
	bool audit;
};

/* Section `network`: the kind of network model. */
#define NET_FORMULAS "simplenet|loggp|loggops|loggops-atlahs"
enum net_network_kind { NET_SWITCHED, NET_SIMPLENET, NET_LOGGP, NET_LOGGOPS, NET_LOGGOPS_ATLAHS };
struct net_formula {
	int kind;         /* enum net_network_kind; the rest is of the others than NET_SWITCHED */
	bool compat;      /* corner cases as the original has them */
	uint64_t L, o, g; /* ps */
	double G, O;      /* ps a byte */
	uint64_t S;       /* bytes, or BASE_AUTO_SIZE_VALUE */
};

struct net_config {
	struct net_formula formula;
	uint64_t seed;
	struct base_texts plugins; /* shared objects that hold what is chosen below; absolute paths */
	struct net_time time;
	struct net_choice topology, sw, routing, congestion;
	struct topo_layout_params layout;
	struct net_cost cost;
	bool routing_unsafe;       /* run although the switches have fewer virtual channels than the routing needs */
	uint64_t routing_reaction; /* ps: key "reaction" of routing */
	struct net_link link_default, link_terminal;
	struct net_link_class *links; /* classes of the topology that differ; the others are as link_default */
	uint32_t nlinks;
	struct topo_override *overrides; /* cables that differ from their class */
	uint32_t noverrides;
	struct net_nic_config nic;
	struct net_node_config node;
	struct net_mpi_config mpi;
	int sharing;         /* enum sw_sharing: of what classes' minima leave */
	int classes_profile; /* instead of classes; 0: none */
	struct net_class *classes;
	uint32_t nclasses;
	struct net_failure *failures;
	uint32_t nfailures;
	struct net_job *jobs;
	uint32_t njobs;
	uint32_t alone; /* no key: 1 + the job that sends, the others are silent; 0: all send */
	struct net_record record;
	struct net_engine engine;
	struct net_output output;
};

#endif
