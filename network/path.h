/* network/path.h - the code paths of a configuration, and why they were selected. Only path.c derives them. */
#ifndef NETWORK_PATH_H
#define NETWORK_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which handler executes events. */
enum net_handling {
	NET_HANDLE_ANY,             /* a switch model called through its interface, whatever is recorded */
	NET_HANDLE_UNRECORDED,      /* likewise, no records of ports */
	NET_HANDLE_FAILING,         /* likewise, and packets may be lost: failures/pass.c */
	NET_HANDLE_IDEAL_LANES,     /* the ideal switch, compiled together with its host: queues of classes */
	NET_HANDLE_IDEAL,           /* likewise, a lane is a VC */
	NET_HANDLE_IDEAL_TRACKED,   /* likewise, queue depths are known; no records of ports */
	NET_HANDLE_IDEAL_PLAIN,     /* likewise, and they are not */
	NET_HANDLE_TILED,           /* the data path of the tiled switch, likewise */
	NET_HANDLE_TILED_TELEMETRY, /* and credits may carry queue depths */
	NET_HANDLINGS
};

/* What is prefetched for an event before it runs. */
enum net_prefetching {
	NET_PREFETCH_NONE,
	NET_PREFETCH_BY_INTERFACE, /* what sw_ops.prefetching.prefetch() and prefetch_way() say */
	NET_PREFETCH_ROUTED,       /* memory of a joined switch, on the way that routing gives */
	NET_PREFETCH_WAYS,         /* likewise, on the way that rt_way_ahead() gives */
};

/* The functions that a switch calls through its interface: sw_host_ops. */
enum net_hosting {
	NET_HOST_PLAIN,   /* no records of ports, no telemetry, latencies by class */
	NET_HOST_ANY,     /* all of them */
	NET_HOST_FRAMING, /* and frames that change from link to link */
	NET_HOST_KINDS,   /* and with the traffic class */
	NET_HOST_FAILING, /* likewise, and frames are lost on cables that are down */
	NET_HOST_CHECKED, /* all of them, and what a switch model from a shared object says is checked */
};

struct net_traits {
	/* Of endpoints. */
	const char *exact_because; /* NULL: they are decided ahead of time (network/fast), else why not */
	bool exact;                /* endpoints decide when they send: network/nic/nic.h. Then: */
	bool bursts;               /* jobs send nothing in the pauses between their bursts: network/nic/bursts.c */
	bool retry;                /* packets that do not come are sent again: network/nic/retry.c */
	bool numbers;              /* some packets are numbered: by pair, with retry or in order */
	bool paths;                /* packets in order follow the first of their flow: order.c */
	bool pairs;                /* there are records of pairs ... */
	bool pairs_short;          /* ... of which no more than what waits is read: struct net_pair */
	bool pairs_late;           /* of sources: there are none until a control frame comes */
	bool deliveries;           /* a delivery is an event: something reacts to it at its instant */
	bool completes;            /* not so, but that of the last packet of a process's message is */
	bool in_order;             /* likewise, and packets cannot pass others of their source and destination */
	bool counts_packets; /* completes, but not in order: each packet of a message is looked up when it is ejected */
	bool nic_plain;      /* network interfaces have nothing to choose but the source: net_inject_now() */
	bool ring_plain;     /* likewise, but the pair, whose turn it is: nothing holds one back */
	bool takes_back;     /* one of these: room comes back in a NIC's phase, and the NIC needs no event to see it */
	bool answers;        /* one of these, or packets are acknowledged: net_nic_eject() */
	/* Of switches and routing. */
	bool joined;  /* the switch is the ideal one, compiled together with its host: joined/ideal.c */
	bool tiled;   /* its data path may be that of joined/tiled.c */
	bool goes_on; /* rt_ops.goes_on, without slack and with 16-bit ports: the route of a decided packet fits into
	                 net_hint() */
	bool one_leg; /* every packet is decided */
	bool sees_no_queue;  /* and its way depends on nothing that changes in a switch */
	bool foresees;       /* rt_ops.foresee is of use */
	bool near_endpoints; /* any endpoint may inject within a lookahead: room given back can bring it, or its NIC */
	bool early_credits;  /* sim_model.early: credits need not be applied in order */
	bool by_record;      /* counts go by records, struct net_late: sums by job are not all that is kept */
	bool plain;          /* no records of ports or switches, no telemetry, and latencies are by class of link */
	enum net_handling handling;
	const char *general_because; /* why the handler is not one of those that leave out the most, or NULL */
	enum net_hosting hosting;
	enum net_prefetching prefetching;
	uint64_t touched;       /* bytes of switches and endpoints for a core, by which `prefetching` is decided ... */
	size_t prefetch_from;   /* ... if they are more than these */
	const char *tiled_mode; /* of a tiled switch without instruments: what it is compiled for; else NULL */
	const char *recorded_because; /* of by_record */
};

/* Writes a line of text about the selection: which code runs, what is prefetched, or how packets are counted. */
enum net_trait_line { NET_TRAIT_PATH, NET_TRAIT_PREFETCHING, NET_TRAIT_COUNTING, NET_TRAIT_LINES };
extern const char *const net_trait_names[NET_TRAIT_LINES];
void net_traits_print(const struct net_traits *traits, enum net_trait_line line, char *out, size_t size);

#endif
