/* network/part.h - what a logical process has, besides its record: parts, each of one file.
 *
 * A part keeps something of every logical process of a rank, by net_index(). Loops over all parts (move.c) allocate it,
 * make a logical process, show what it has to the engine, count what it holds at the end, clear what it leaves behind
 * when it moves to another rank, and free everything. The order of parts is that in which regions are shown, so it is
 * the same on both ranks. */
#ifndef NETWORK_PART_H
#define NETWORK_PART_H

#include "network/net.h"

typedef void net_visit(void *arg, void *at, size_t bytes);

/* A network at work, for the estimate of memory: packets, and messages in all. */
struct net_load {
	uint32_t passing; /* in a switch at a time, at most */
	double under_way; /* those of a switch's endpoints, at most, which are under way or not acknowledged */
	double last;      /* of these on their last link or before it, at a time, at most */
	double messages;
	double partners; /* that an endpoint sends to */
};

/* What is found at the end of a run: see checks.c. */
struct net_tally {
	struct net *n;
	uint64_t *in_flight, *queued; /* [jobs] packets */
	uint64_t credit_bytes;        /* on their way, or held by packets on links and in buffers */
	uint64_t terminal_bytes;
	uint64_t credits_out, terminal_out; /* what their senders say */
};

/* All functions but regions() may be NULL. */
struct net_part {
	bool (*there)(const struct net *n); /* does this network have it? NULL: every one does */
	/* Bytes that its arrays hold of a logical process, whatever it is doing. */
	size_t (*bytes)(const struct net *n);
	/* Estimate of what it holds of all logical processes. */
	double (*kept)(const struct net *n, const struct net_load *load);
	/* Its arrays for n->room logical processes, when all sizes are known; and the end of them, if they are there.
	 */
	int (*create)(struct net *n, struct base_errors *errors);
	void (*destroy)(struct net *n);
	/* Makes what a new logical process has of it: all is 0. n->ends says where its links end, or holds 0 where it
	 * comes from another rank, with all that regions() shows there. NULL: 0 will do. */
	void (*init)(struct net *n, struct net_lp *lp);
	/* All that events may change. */
	void (*regions)(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg);
	void (*tally)(const struct net *n, const struct net_lp *lp, struct net_tally *tally);
	/* A logical process has left, or the run is over: frees what it has besides arrays. Then, if it has left, what
	 * is in arrays, besides its memory, becomes as new. */
	void (*release)(struct net *n, struct net_lp *lp);
	void (*clear)(struct net *n, struct net_lp *lp);
};

/* The switch model's state; endpoints, NICs and all else in the memory of a logical process behind it, and what comes
 * back to endpoints: move.c. Instruments of ports, activity, messages in parts: stats/records.c. Depths of other
 * switches: telemetry/. Pools of NICs: nic/state.c. Lanes and link-level retry: wires.c. What processes keep outside:
 * workload, by move.c. */
extern const struct net_part net_switch_part, net_endpoint_part, net_record_part, net_published_part,
    net_neighbour_part, net_nic_part, net_process_part, net_wire_part;

/* The loops over all parts that are there. */
int net_parts_create(struct net *n, struct base_errors *errors);
void net_parts_destroy(struct net *n);
double net_parts_kept(const struct net *n, const struct net_load *load);
void net_parts_tally(const struct net *n, const struct net_lp *lp, struct net_tally *tally);

#endif
