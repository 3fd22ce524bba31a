/* network/part.h - what a logical process has, besides its record: parts, each of one file.
 *
 * A part keeps something of every logical process of a rank, by net_index(). Loops over all parts (move.c) make a
 * logical process, show what it has to the engine, and clear what it leaves behind when it moves to another rank. The
 * order of parts is that in which regions are shown, so it is the same on both ranks. */
#ifndef NETWORK_PART_H
#define NETWORK_PART_H

#include "network/net.h"

typedef void net_visit(void *arg, void *at, size_t bytes);

struct net_part {
	bool (*there)(const struct net *n); /* does this network have it? NULL: every one does */
	/* Bytes that its arrays hold of a logical process, whatever it is doing. NULL: none that are not counted. */
	size_t (*bytes)(const struct net *n);
	/* Makes what a new logical process has of it: all is 0. n->ends says where its links end, or holds 0 where it
	 * comes from another rank, with all that regions() shows there. NULL: 0 will do. */
	void (*init)(struct net *n, struct net_lp *lp);
	/* All that events may change. */
	void (*regions)(struct net *n, const struct net_lp *lp, net_visit *visit, void *arg);
	/* It has left, or the run is over: frees, and makes 0. NULL: nothing is to be done. */
	void (*clear)(struct net *n, struct net_lp *lp);
};

/* The switch model's state; endpoints, NICs and all else in the memory of a logical process behind it, and what comes
 * back to endpoints: move.c. Instruments of ports, activity, messages in parts: stats/records.c. Depths of other
 * switches: telemetry/. Pools of NICs: nic/state.c. What processes keep outside: workload, by move.c. */
extern const struct net_part net_switch_part, net_endpoint_part, net_record_part, net_published_part,
    net_neighbour_part, net_nic_part, net_process_part;

#endif
