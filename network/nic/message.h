/* network/nic/message.h - processes at endpoints and their messages, if n->traffic.process: what process.c, message.c,
 * coming.c, behind.c and ranks.c do for network interfaces and for each other. */
#ifndef NETWORK_NIC_MESSAGE_H
#define NETWORK_NIC_MESSAGE_H

#include "network/nic/layout.h"

/* The number of a job among those of its endpoint. */
static inline uint32_t net_slot_of(const struct net *n, struct net_endpoint *e, uint32_t job)
{
	const uint8_t *jobs = net_source_jobs(n, e);
	uint32_t k = 0;
	while (k < e->jobs && jobs[k] != job)
		k++;
	return k;
}
/* number: that of the process among the job's processes at the endpoint. */
static inline struct net_process *net_process_at(const struct net *n, const struct net_lp *lp, uint32_t terminal,
                                                 uint32_t number, uint32_t job)
{
	uint32_t slot = net_slot_of(n, net_endpoint_at(n, lp, terminal), job);
	unsigned char *first = n->lp_memory + net_index(n, lp) * n->stride + n->processes.at;
	base_checkf(slot < n->endpoints.sources && number < n->traffic.job[job].per_endpoint,
	            "job %u has no process %u at switch %u, terminal %u", job, number, lp->id, terminal);
	size_t at = ((size_t)terminal * n->endpoints.sources + slot) * n->processes.places + number;
	return (struct net_process *)(void *)(first + at * n->processes.bytes);
}
/* Kinds of calls of a job. */
static inline uint32_t net_call_kinds(const struct net *n, uint32_t job)
{
	uint32_t kinds = 0;
	while (n->traffic.job[job].calls && n->traffic.job[job].calls[kinds])
		kinds++;
	return kinds;
}

/* Are there nodes with several interfaces? */
static inline bool net_has_nodes(const struct net *n)
{
	return n->nodes.nics > 1;
}

/* The logical process and terminal to which events of an endpoint are sent. */
struct net_terminal {
	uint32_t lp;
	uint16_t terminal;
};

static inline struct net_terminal net_terminal_of(const struct net *n, uint32_t endpoint)
{
	topo_switch s = topo_switch_of(&n->topo, endpoint);
	return (struct net_terminal){ net_lp_of(n, s), (uint16_t)(endpoint - topo_first_endpoint(&n->topo, s)) };
}

/* An endpoint of the switch whose event is being handled. */
static inline struct net_terminal net_terminal_here(const struct net *n, uint32_t terminal)
{
	return (struct net_terminal){ n->call.lp, (uint16_t)terminal };
}

/* Numbers of both processes of a message at their endpoints, in a word. */
#define NET_NUMBER_BITS 12u
static inline uint32_t net_coming_from(const struct net_coming *c)
{
	return c->processes & ((1u << NET_NUMBER_BITS) - 1);
}
static inline uint32_t net_coming_to(const struct net_coming *c)
{
	return c->processes >> NET_NUMBER_BITS;
}

/* Places of processes: endpoint * n->processes.places + a number below that. With one place at each endpoint, places
 * are endpoints. */
static inline bool net_has_places(const struct net *n)
{
	return n->processes.places > 1;
}
static inline uint32_t net_place(const struct net *n, uint32_t endpoint, uint32_t number)
{
	return endpoint * n->processes.places + number;
}
static inline uint32_t net_each_endpoint(uint32_t each, uint32_t place) /* each: places at an endpoint */
{
	return each == 1 ? place : place / each;
}
static inline uint32_t net_each_number(uint32_t each, uint32_t place)
{
	return each == 1 ? 0 : place % each;
}
static inline uint32_t net_place_endpoint(const struct net *n, uint32_t place)
{
	return net_each_endpoint(n->processes.places, place);
}
static inline uint32_t net_place_number(const struct net *n, uint32_t place)
{
	return net_each_number(n->processes.places, place);
}
/* Is a message that an endpoint sends to a place for another process of the same endpoint? */
static inline bool net_stays_inside(const struct net *n, uint32_t endpoint, uint32_t place)
{
	return net_has_places(n) && place / n->processes.places == endpoint;
}

/* A process of the switch whose event is handled: its terminal, and its number there. */
struct net_local {
	uint32_t terminal, number;
};

static inline uint32_t net_local_place(const struct net *n, const struct net_lp *lp, struct net_local at)
{
	return net_place(n, lp->first_endpoint + at.terminal, at.number);
}
static inline struct net_local net_local_of(const struct net *n, const struct net_lp *lp, uint32_t place)
{
	return (struct net_local){ net_place_endpoint(n, place) - lp->first_endpoint, net_place_number(n, place) };
}

/* process.c */
/* The arguments of a call of the process, whose state has been saved. `number` identifies the message or timer that
 * caused the call, at the place `by`. */
struct net_process_call net_process_call_of(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_local at,
                                            uint32_t job, enum net_cause_kind kind, uint32_t by, uint32_t number);
void net_process_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t job);
/* The last bit of a message will have left at `at`. */
void net_process_sent(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                      const struct net_held *message, uint64_t at);
/* A message of the process has left, or has been copied inside its node. */
void net_process_left(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_local at, uint32_t job,
                      uint32_t number);
void net_process_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* The message of this packet is now known to be complete. */
void net_message_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* message.c */
/* Initializes nodes with several interfaces (n->nodes). The lookahead must be known. */
int net_nodes_check(struct net *n, struct base_errors *errors);
/* A message has been copied inside its node. */
void net_message_copied(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                        const struct net_held *message);
/* All of the message has arrived at an interface; it is now on its way to its process. */
void net_message_received(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct net_coming *whole);
/* The blocking message of the process, which has been saved, has left: the messages behind it follow, up to the next
 * blocking one. */
void net_message_let_go(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                        struct net_process *p);
void net_message_handled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* The job of the event, if it is a timer or a message that an endpoint handles or receives; UINT32_MAX for other
 * events. */
uint32_t net_message_job(const struct sim_event *ev);
/* If the event concerns a message: the number of its packets that the NIC has not received yet; *job: its job. */
uint32_t net_message_unposted(const struct net *n, const struct sim_event *ev, uint32_t *job);

/* coming.c */
/* A notification reaches the process at the place `to` at `at`: its message has arrived at the process at the place
 * `receiver`. */
void net_message_notify(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t to, uint32_t receiver,
                        uint64_t at, const struct net_message *m, uint32_t job);
/* The receiver is to know of a message, the first packet of which leaves now. */
void net_message_announce(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                          const struct net_held *h);
void net_message_announced(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* A packet of a message has arrived. */
void net_message_packet(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p);
/* With n->path.completes: the packet will have arrived at `at`. `count`: that of the event of this LP that reports the
 * arrival, if there is one. */
void net_message_foreseen(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at,
                          uint32_t count);
/* As above, for the packet that completes its message. */
void net_message_foreseen_last(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                               uint64_t at, uint32_t count);
void net_message_complete(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* ranks.c, if n->processes.rank_bytes */
struct net_rank *net_rank_at(const struct net *n, const struct net_lp *lp, uint32_t terminal, uint32_t number,
                             uint32_t job);
/* With record.path. */
void net_step(struct net_process_call *call, enum net_step_kind kind, uint32_t number, uint64_t compute);

/* behind.c */
/* A message of a process, which its endpoint has handled at `ready`, waits behind the blocking message of the process.
 * *p has been saved. */
void net_behind_add(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_process *p,
                    const struct net_held *message);
/* Removes the first of the waiting messages; false: there is none. *p has been saved. */
bool net_behind_take(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_process *p,
                     struct net_held *message);
/* Packets of messages that wait so, by job: added to queued[]. */
void net_behind_tally(const struct net *n, const struct net_lp *lp, uint64_t *queued);
/* The same of a list of messages by `next`, whose first is 1 less; 0: it is empty. */
void net_queue_tally(const struct net *n, const struct net_lp *lp, uint32_t first, uint64_t *queued);

#endif
