/* network/nic/state.h - a rank's state of its network interfaces and processes, with path.exact: see nic.h. */
#ifndef NETWORK_NIC_STATE_H
#define NETWORK_NIC_STATE_H

#include "congestion/congestion.h"
#include "switch/classes.h"
#include "switch/link.h"

struct net_nics;

#define NET_WANTS_PATHS (1u << 31) /* beside CC_WANTS_* of congestion/congestion.h */
#define NET_WANTS_PAIRS (1u << 30) /* likewise: records of pairs, for a scheme that wants nothing else */

/* Chains of records of a logical process, by their contents. */
enum net_chain_kind {
	NET_CHAIN_PAIRS,    /* struct net_pair */
	NET_CHAIN_SOURCES,  /* struct net_contributor */
	NET_CHAIN_RECEIVED, /* struct net_received, with n->path.numbers */
	NET_CHAIN_COMING,   /* struct net_coming, with n->traffic.process */
	NET_CHAIN_PATHS,    /* struct net_way, with n->path.paths */
};
#define NET_CHAIN_KINDS 5u

/* Which record of a contributor a packet is counted in. Only a cache: the entry may belong to another packet. */
struct net_came {
	uint32_t src, dst, seq, contributor;
	uint8_t job;
};

struct net_interfaces {
	unsigned wants;   /* NET_WANTS_*; CC_WANTS_* of ... */
	struct cc cc;     /* ... the congestion control */
	bool recovers;    /* the scheme finds lost ones itself: recovery.c */
	bool ack_hops;    /* acknowledgements go from switch to switch: acks.c */
	uint32_t untimed; /* set of classes, likewise, whose packets are not lost: none is sent again for its time */
	uint32_t ordered; /* set of classes, as interfaces tell them apart, whose packets stay in order: order.c */
	uint64_t timeout; /* ps; besides a round trip without load, until then */
	uint32_t loss;    /* chance, in 2^-32, that a packet is damaged on its last link */
	uint32_t probe_bytes; /* of payload; with `recovers` */
	size_t pair_bytes;    /* of a struct net_pair */
	size_t at_recycled;   /* in it, with RT_ENTROPY_RECYCLED */
	uint64_t *reverse;    /* [switches][switches] ps, see net_reverse_ps(); NULL: there are too many */
	uint64_t ack_stage;   /* ps; of an acknowledgement, in each switch */
	uint64_t ack_ps[SW_LINK_CLASSES + 1];             /* that one takes on a link beside the data */
	struct net_nics *nics;                            /* [room] */
	struct net_came came;                             /* the packet that came to the switch of its receiver last */
	size_t at_nics, at_classes, at_buckets, at_sinks; /* in lp_memory */
	size_t at_acks;   /* uint64_t: when what carries acknowledgements is free, with ack_hops */
	uint32_t classes; /* that network interfaces tell apart */
	/* Several processes of an endpoint share its interface: nic.sharing. rotates: messages of different processes
	 * to one destination take turns; in_line: all messages leave one after the other: node.c. */
	bool rotates, in_line;
	bool plain;                         /* one class, without limits or priorities, and nothing rotates */
	struct sw_class_order class_order;  /* of these, at the endpoints' links */
	uint32_t sink_classes, sink_stride; /* sinks of an endpoint, and how many there are of one class; 1 and 0 */
	uint32_t chain_at[NET_CHAIN_KINDS]; /* the place among chain_kinds; UINT32_MAX: there are no such chains */
	uint32_t chain_kinds;
	uint64_t quiet; /* bytes: cc_ops.receiver.quiet(), else 0 */
};

struct net_processes { /* in lp_memory, if traffic.process */
	size_t at_iterations, at, at_ranks;
	size_t bytes;          /* of a process, struct net_process included */
	size_t endpoint_bytes; /* of all processes of an endpoint */
	size_t rank_bytes;     /* of a rank of an application, with its kinds of calls; 0: there are none */
	uint32_t places;       /* for processes of a job at an endpoint: net_traffic.places; 1 without processes */
	size_t at_nodes, node_bytes; /* with several places: node.h */
};

#endif
