/* network/part.h - the state of a logical process besides its record: a set of parts, each implemented in one file.
 *
 * A part keeps data of every logical process of a rank, indexed by net_index(). Loops over all parts (move.c) allocate
 * the data, initialize a logical process, register its memory with the engine, count what it holds at the end, clear
 * what remains after a migration to another rank, and free everything. The order of parts is that in which memory
 * regions are registered, so it must be the same on both ranks of a migration. */
#ifndef NETWORK_PART_H
#define NETWORK_PART_H

#include "network/net.h"

typedef void net_visit(void *arg, void *at, size_t bytes);

/* Load of a running network, for the estimate of memory: numbers of packets, and the total number of messages. */
struct net_load {
	uint32_t passing; /* in a switch at a time, at most */
	double under_way; /* those of a switch's endpoints, at most, which are under way or not acknowledged */
	double last;      /* of these on their last link or before it, at a time, at most */
	double messages;
	double partners; /* that an endpoint sends to */
};

/* Counts at the end of a run: see checks.c. */
struct net_tally {
	struct net *n;
	uint64_t *in_flight, *queued; /* [jobs] packets */
	uint64_t credit_bytes;        /* on their way, or held by packets on links and in buffers */
	uint64_t terminal_bytes;
	uint64_t credits_out, terminal_out; /* what their senders say */
};

/* All functions except regions() may be NULL. */
struct net_part {
	bool (*there)(const struct net *n); /* does this network have it? NULL: every one does */
	/* Bytes in the part's arrays for a logical process, independent of its state. */
	size_t (*bytes)(const struct net *n);
	/* Estimated bytes for all logical processes. */
	double (*kept)(const struct net *n, const struct net_load *load);
	/* Allocates the part's arrays for n->room logical processes, when all sizes are known; and frees them, if they
	 * exist. */
	int (*create)(struct net *n, struct base_errors *errors);
	void (*destroy)(struct net *n);
	/* Initializes the data of a new logical process, which is all 0. n->ends contains the ends of its links, or 0
	 * if it was migrated from another rank, with everything registered by regions(). NULL: 0 is sufficient. */
	void (*init)(struct net *n, struct net_lp *lp);
	/* Registers all memory that events may change. */
	void (*regions)(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg);
	void (*tally)(const struct net *n, const struct net_lp *lp, struct net_tally *tally);
	/* A logical process has left the rank, or the run is over: frees its data except arrays. After a migration its
	 * entries in arrays, except its memory, are then reset. */
	void (*release)(struct net *n, struct net_lp *lp);
	void (*clear)(struct net *n, struct net_lp *lp);
};

/* The switch model's state; endpoints, NICs and all else in the memory of a logical process behind it, and what comes
 * back to endpoints: move.c. Instruments of ports, activity, messages in parts: stats/records.c. Depths of other
 * switches: telemetry/. Pools of NICs: nic/state.c. Lanes and link-level retry: wires.c. What processes keep outside:
 * workload, by move.c. */
extern const struct net_part net_switch_part, net_endpoint_part, net_record_part, net_published_part,
    net_neighbour_part, net_nic_part, net_process_part, net_wire_part;

/* Loops over all parts that are in use. */
int net_parts_create(struct net *n, struct base_errors *errors);
void net_parts_destroy(struct net *n);
double net_parts_kept(const struct net *n, const struct net_load *load);
void net_parts_tally(const struct net *n, const struct net_lp *lp, struct net_tally *tally);

#endif
