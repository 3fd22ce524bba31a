/* network/nic/node.h - endpoints with several processes of a job: messages between them, which stay inside the node
 * (node.c), and how they share their interface (turns.c).
 *
 * A process copies its messages to others of its node one after the other, in the order in which they are handed over,
 * at the rate node.copy at most. All that copy at one time share node.bandwidth equally. When a message has been copied
 * its send is over, and node.latency later its receiver has it. No packet, interface or link has to do with it. */
#ifndef NETWORK_NIC_NODE_H
#define NETWORK_NIC_NODE_H

#include "network/nic/nic.h"

struct net_core {             /* of a place, behind struct net_node */
	uint64_t busy;        /* ps: until then it handles messages: net_nic.busy where an endpoint has one process */
	uint64_t ends;        /* the first message has been copied when net_node.served is so much */
	uint32_t first, last; /* messages that it copies, in order: struct net_held; SW_POOL_NONE: none */
};

struct net_node {             /* of an endpoint, if net_has_places() */
	uint64_t since;       /* ps: when `served` is of */
	uint64_t served;      /* ps: what one that copies all the time would have copied for at the rate node.copy */
	uint64_t due;         /* ps: an event is due then, earlier ones are void; SIM_NEVER: none */
	uint32_t copying;     /* processes that have a message to copy */
	uint32_t in_line;     /* with nic.sharing = "in-order": 1: the interface has a message */
	uint32_t first, last; /* and those that wait for it, in order; SW_POOL_NONE: none */
};

static inline struct net_node *net_node_at(const struct net *n, const struct net_lp *lp, uint32_t terminal)
{
	return (struct net_node *)(void *)(n->lp_memory + net_index(n, lp) * n->stride + n->processes.at_nodes +
	                                   terminal * n->processes.node_bytes);
}
static inline struct net_core *net_core_at(const struct net *n, const struct net_lp *lp, uint32_t terminal,
                                           uint32_t number)
{
	return (struct net_core *)(void *)(net_node_at(n, lp, terminal) + 1) + number;
}

/* Checks that keys of the sections `nic` and `node` that need several processes at an endpoint have an effect, or are
 * not set; -1 with errors. */
int net_node_check(const struct net *n, struct base_errors *errors);
/* Bytes of a terminal; what a new logical process has. */
size_t net_node_bytes(const struct net *n);
void net_node_init(const struct net *n, const struct net_lp *lp);
/* Queues a message of process message->from to another process of the same node, which is copied. */
void net_node_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                   const struct net_held *message);
/* Handles the event at which the copies of some messages are complete. */
void net_node_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* Count messages within a node: one that a process has posted, and one that its receiver has received. */
void net_node_posted(struct net *n, struct sim_ctx *ctx, uint32_t job);
void net_node_delivered(struct net *n, struct sim_ctx *ctx, uint32_t job, uint32_t to, const struct net_message *m);

/* With n->nic.in_line, where all messages leave one after the other: passes a message to the interface; continues with
 * the next message when one has left the interface. */
void net_line_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                   const struct net_held *message);
void net_line_left(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);
/* Adds to queued[jobs] the packets of messages that wait for the interface. */
void net_node_tally(const struct net *n, const struct net_lp *lp, uint64_t *queued);

/* --- turns.c: with n->nic.rotates, the queue of a pair. It has one message of each process, which take turns, and
 * those that the process has posted behind that are in a list of it. */

/* Appends the message to the queue of pair *p, which has been saved. */
static inline void net_pair_append(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp,
                                   struct net_pair *p, uint32_t held)
{
	if (p->first == SW_POOL_NONE)
		p->first = held;
	else
		sim_set(ctx, &net_held_at(n, lp, p->last)->next, held);
	p->last = held;
}
/* Appends the message to the list of those that its process has behind its message in the queue of the pair. Returns
 * false, and does nothing, if the process has no message in the queue. */
bool net_turns_append(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, const struct net_pair *p,
                      uint32_t held);
/* Moves the first message to the end of the queue: it has had its turn and is not finished. */
void net_turns_rotate(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, struct net_pair *p);
/* The first message, *h, is finished, and other messages of its process wait: the next one of them is put behind the
 * rest of the queue. */
void net_turns_follow(const struct net *n, struct sim_ctx *ctx, const struct net_lp *lp, struct net_pair *p,
                      const struct net_held *h);

#endif
