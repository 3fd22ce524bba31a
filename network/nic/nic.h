/* network/nic/nic.h - endpoints that decide at the instant of sending: the exact path.
 *
 * If nothing reacts to deliveries, endpoints are decided in advance and deliveries are computed when the last link is
 * reserved (network/fast/inject.c, deliver.c): the fast path. Otherwise the exact path is used: a NIC decides in an
 * event of its own when its link is free, and deliveries that something reacts to are events at the endpoint: every
 * packet, or the last packet of a message (n->path.deliveries, n->path.completes). network/path.c selects the path.
 *
 * An endpoint's NIC serves its sources in order of creation, separately for each traffic class if classes have lanes:
 * the class is selected as at an output of a switch (switch/classes.h), and each has its part of the switch's buffer.
 * With congestion control it keeps a record (a pair) for every destination and class for which it has traffic: a packet
 * that may not be sent yet waits in the pair's queue, and packets to other destinations overtake it, as long as no more
 * than nic.table packets of the class wait; then the source of the next such packet is blocked, but no other source.
 * Pairs that may send are served in turn with each other and with the sources.
 *
 * Both paths give the same results where both apply. The only exception is a run that is cut off while sources send:
 * packets that begin to leave within its last latency are counted as queued on the fast path, as injected here. Packets
 * that endpoints of one switch begin to send in the same picosecond reach it in the order of endpoints on either path.
 *
 * All state is part of the logical process: NICs and sinks follow the endpoints in its memory, records are in pools,
 * and the heads of their chains next to them. */
#ifndef NETWORK_NIC_NIC_H
#define NETWORK_NIC_NIC_H

#include "network/nic/layout.h"
#include "network/nic/message.h"

/* ps: delay of an acknowledgement or control frame from a switch to an endpoint at another switch: n->nic.ack_stage for
 * each switch on its way, including the first and the last, and the cables of the topology's first minimal route. */
uint64_t net_reverse_walk(const struct net *n, topo_switch from, topo_switch to);
/* This delay, from a table if there are few switches. */
static inline uint64_t net_reverse_ps(const struct net *n, topo_switch from, topo_switch to)
{
	return n->nic.reverse ? n->nic.reverse[(size_t)from * n->topo.switches + to] : net_reverse_walk(n, from, to);
}

/* A control frame leaves a receiver's switch for a source: each switch on its way learns how the flow is throttled. */
void net_hold_flow(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t src, uint32_t dst,
                   const struct cc_frame *frame);

/* nic.c */
/* Schedules the NIC's next decision, at `at` >= now. */
void net_nic_wake(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint64_t at);
/* Handles the NIC's event; it has no effect if an earlier one was scheduled meanwhile. */
void net_nic_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* Bytes of the switch's buffer have been returned to the endpoint. With n->path.takes_back the NIC decides at once,
 * since no other event of this instant comes before. */
void net_nic_give_back(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t class,
                       uint32_t bytes);
/* The switch pauses the endpoint, or lets it resume. */
void net_nic_paused(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* The endpoint's sources are at their first packets. */
void net_nic_start(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal);

/* Are the packets of pairs of a class numbered? */
static inline bool net_numbered(const struct net *n, uint32_t class)
{
	return n->path.retry || n->nic.ordered >> class & 1;
}

/* Are records of pairs kept until the end of the run? */
static inline bool net_nic_keeps(const struct net *n, const struct net_pair *p)
{
	return net_numbered(n, p->class) ||
	       (n->nic.cc.ops->source.keep && n->nic.cc.ops->source.keep(&n->nic.cc, &p->cc, p->parked) == SIM_NEVER);
}

/* The state of a pair without waiting packets has changed: only a source may wait for it. */
static inline void net_nic_unstick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal,
                                   uint32_t class)
{
	struct net_nic_class *c = net_nic_class_at(n, lp, terminal, class);
	if (sim_likely(!c->stuck))
		return;
	sim_set(ctx, &c->stuck, 0);
	net_nic_wake(n, ctx, lp, terminal, ctx->now);
}

/* pairs.c */
/* The record of a pair; SW_POOL_NONE: there is none, and `make` is false. */
uint32_t net_nic_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                      uint32_t class, bool make);
/* The state of a pair has changed: it may be able to send now, wait until another time, or be released. */
void net_nic_review(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
/* As above; in addition a source that found no space in the queues for its packet tries again. */
void net_nic_resume(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
/* Queues a message of a process after the others for its destination. */
void net_nic_post(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t dst,
                  const struct net_held *message);
/* A packet of a source waits for its pair. */
void net_pair_hold(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, const struct sw_packet *packet,
                   uint32_t message);
/* Schedules an event for the pair at `at`, unless an earlier one is pending. */
void net_nic_call_pair(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, uint64_t at);
/* Handles the pair's event; it has no effect if an earlier one was scheduled meanwhile. */
void net_nic_pair_due(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

static inline struct net_held *net_held_at(const struct net *n, const struct net_lp *lp, uint32_t i)
{
	return sw_pool_at(&net_nics_of(n, lp)->held, i, sizeof(struct net_held));
}
/* Payload of the pair's next waiting packet. */
static inline uint32_t net_held_payload(const struct net *n, const struct net_held *h)
{
	uint32_t most = n->traffic.job[h->job].max_packet;
	return h->left < most ? (uint32_t)h->left : most;
}
/* What the pair sends next: a retransmission, or a new packet. */
struct net_next {
	uint32_t again; /* SW_POOL_NONE: something new */
	uint32_t payload;
	uint32_t job;
	uint64_t at; /* not before */
	bool probe;  /* or this */
};
/* false: nothing. */
bool net_pair_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, struct net_next *next);
/* When the scheme lets so many bytes go. */
uint64_t net_pair_may_send(const struct net *n, struct sim_ctx *ctx, struct net_pair *p, uint32_t wire);
/* What waits, or is in flight, has changed: the source may ask the receiver for something, with CC_WANTS_REQUESTS. */
void net_pair_changed(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p);
static inline void net_pair_asks(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p)
{
	if (n->nic.wants & CC_WANTS_REQUESTS)
		net_pair_changed(n, ctx, lp, p);
}
/* With n->path.ring_plain: updates what pair *p records about the next pair in the ring; and sets `ring` to *p, so that
 * the pair after it is first. */
static inline void net_ring_tells(struct sim_ctx *ctx, struct net_pair *p, uint32_t held, uint32_t payload)
{
	sim_set(ctx, &p->next_held, held);
	sim_set(ctx, &p->next_payload, payload);
}
static inline void net_ring_turns(struct sim_ctx *ctx, struct net_nic_class *c, uint32_t ring, const struct net_pair *p)
{
	sim_save(ctx, c, sizeof *c);
	c->ring = ring;
	c->first = p->next;
	c->first_held = p->next_held;
	c->first_payload = p->next_payload;
}
/* Inserts a pair into the ring of those that may send, removes the one after `ring`, and removes one until some time.
 */
void net_pair_ready(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
void net_ring_drop_first(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_nic_class *c);
void net_pair_park(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair, uint64_t until);

/* order.c */
/* Routes a packet of an ordered class at a switch, in place of net_host_route(). Only if n->path.paths. */
uint32_t net_path_route(struct sw_call *call, uint32_t in_port, struct sw_packet *p, uint8_t *slack);
/* A packet that is not retransmitted leaves now: numbers it; marks are those of sw_packet.injected. *p is saved. */
uint64_t net_order_sends(const struct net *n, struct net_pair *p, bool alone);
/* A packet has arrived `ahead` of the first missing number, and is recorded in *r: delivers the packets that are in
 * order now. */
void net_order_comes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_received *r,
                     const struct sw_packet *p, uint32_t ahead);
/* Packets that wait for an earlier one, by job: added to held[]. */
void net_order_tally(const struct net *n, const struct net_lp *lp, uint64_t *held);

/* retry.c, if n->path.numbers */
/* May one more packet be numbered? */
static inline bool net_retry_has_number(const struct net *n, const struct net_pair *p)
{
	return !net_numbered(n, p->class) || p->number - p->acked < NET_NUMBERS_APART;
}
/* The packet leaves now, for the first time, or as retransmission `again` (the result of net_retry_take()): marks of
 * sw_packet.injected. */
uint64_t net_retry_sends(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair,
                         const struct sw_packet *packet, uint32_t again);
/* The packet to retransmit next, SW_POOL_NONE: none; its payload; and its departure now. */
uint32_t net_retry_next(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p);
struct sw_packet net_retry_take(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                uint32_t which);
uint32_t net_retry_payload(const struct net *n, const struct net_lp *lp, uint32_t which);
/* When the pair must be checked for timeouts, SIM_NEVER: not; and declares packets lost that are due. */
uint64_t net_retry_timeouts(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p);
/* Processes an acknowledgement or trimmed header that has returned to its source. Returns false if it contains nothing
 * new. */
bool net_retry_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t number,
                            bool trimmed, struct cc_ack *ack);
/* An acknowledgement for all numbers below `base`, for those in `bits` from `base` on, and for `number`. */
bool net_retry_all_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                                uint32_t number, uint32_t base, uint64_t bits, struct cc_ack *ack);
/* A packet has arrived: returns its source's record if it is the first copy, else NULL. *at_once: it must be
 * acknowledged now; *ahead: by how much it is ahead of the next expected one. */
struct net_received *net_retry_first(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p,
                                     bool *at_once, uint32_t *ahead);
/* The packets received from a packet's source, for net_retry_all_acknowledged(); *beyond: the number of them after
 * *base. */
void net_retry_tell(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint32_t *base,
                    uint32_t *beyond, uint64_t *bits);
/* Declares all numbers in [from, to) that are in flight as lost, as detected by the congestion control. The second
 * function: the job of a stored packet. */
void net_retry_lose(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p, uint32_t from,
                    uint32_t to);
uint8_t net_retry_job(const struct net *n, const struct net_lp *lp, uint32_t which);
/* Is the packet damaged on its last link? `what`: 0 the packet, 1 its acknowledgement. */
bool net_retry_damaged(const struct net *n, const struct sw_packet *p, uint32_t what, uint64_t now);

/* recovery.c */
/* Sets n->nic.recovers; called when the congestion control is built. */
int net_recovery_check(struct net *n, struct base_errors *errors);
/* An acknowledgement has arrived: the receiver had all numbers below `base`, and `beyond` of those after it. */
void net_recovery_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, struct net_pair *p,
                               const struct cc_ack *ack, uint32_t base, uint32_t beyond);
/* When the pair must send a probe, SIM_NEVER: not; and a probe leaves now. */
uint64_t net_recovery_probe(const struct net *n, const struct sim_ctx *ctx, struct net_pair *p);
/* The job of a pair's probes. */
uint32_t net_recovery_job(struct net *n, struct net_lp *lp, const struct net_pair *p);
struct sw_packet net_recovery_send(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t pair);
static inline bool net_is_probe(const struct net *n, const struct sw_packet *p)
{
	return sim_unlikely(n->nic.recovers) && p->seq == NET_PROBE_SEQ;
}

/* entropy.c, if n->rt.entropy */
int net_entropy_check(struct net *n, struct base_errors *errors);
/* The entropy of a packet that leaves. `p`: its pair, or NULL without records of pairs. */
uint32_t net_entropy_of(struct net *n, struct sim_ctx *ctx, struct net_pair *p, const struct sw_packet *packet,
                        uint32_t message, bool again);
/* A packet of the pair with this entropy was acknowledged, and not marked. */
void net_entropy_return(struct net *n, struct sim_ctx *ctx, struct net_pair *p, uint32_t entropy);

/* acks.c */
/* Time of acknowledgements on links, and a check that the reserved rate is sufficient for the traffic. */
int net_acks_check(struct net *n, struct base_errors *errors);
/* Words of a logical process: when each of its links is free for acknowledgements. */
uint32_t net_ack_ways(const struct net *n);
/* The acknowledgement of *ev, which is for endpoint `to`, leaves an endpoint of this LP; n->nic.ack_hops. */
void net_ack_leaves(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, uint32_t terminal, uint32_t to,
                    const uint64_t *payload);
/* An acknowledgement has reached a switch on its way. */
void net_ack_passes(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* One that has waited for its row bus there is on it now. */
void net_ack_crosses(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* Time of an acknowledgement on the link to its endpoint's switch. */
static inline uint64_t net_ack_first(const struct net *n)
{
	return n->nic.ack_ps[SW_LINK_TERMINAL] + n->common.link[SW_LINK_TERMINAL].latency;
}

/* receive.c */
/* ps: time from the first bit of a packet of so many bytes leaving until its acknowledgement arrives, without load;
 * *cables: number of cables on the packet's path. */
uint64_t net_round_trip(const struct net *n, topo_switch from, topo_switch to, uint32_t *cables);
/* A packet of an endpoint of this switch has arrived at its destination at another switch; without n->path.deliveries.
 */
void net_nic_acknowledge(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* An acknowledgement or a control frame has arrived at a source. */
void net_nic_acknowledged(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
void net_nic_controlled(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* The last bit of a packet will reach its endpoint at `at`. */
void net_nic_eject(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sw_packet *p, uint64_t at);
/* Is the event an acknowledgement in flight of a packet that was counted as delivered? */
bool net_nic_ack_counts(const struct net *n, const struct sim_event *ev);
/* A switch has dropped a packet. */
void net_nic_dropped(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p);
/* A packet will not arrive: it is lost, unless it is retransmitted. */
void net_nic_lost(struct net *n, struct sim_ctx *ctx, const struct sw_packet *p);
/* Passes a control frame to the endpoint or switch for which it is meant. */
void net_nic_hand_over(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p);
/* It has. */
void net_nic_delivered(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* sink.c, if n->nic.wants CC_WANTS_REQUESTS */
/* A control frame of a pair's source has arrived at its receiver. */
void net_sink_requested(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);
/* If n->nic.wants CC_WANTS_SINKS */
/* A packet has arrived at the switch of its receiver. */
void net_sink_arrives(struct net *n, struct sw_call *call, struct net_lp *lp, const struct sw_packet *p);
/* The last link of a packet is reserved, and the endpoint receives the packet at `at`; without n->path.deliveries.
 * count: the count in the key of the event that would report it. */
void net_sink_ejected(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p, uint64_t at,
                      uint32_t count);
/* Bytes of the packets listed by a quiet sink; 0 for others. */
uint64_t net_sink_quiet_bytes(const struct net *n, const struct net_lp *lp, const struct net_sink *s);
/* The endpoint has received a packet; with n->path.deliveries. */
void net_sink_leaves(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sw_packet *p);
void net_sink_tick(struct net *n, struct sim_ctx *ctx, struct net_lp *lp, const struct sim_event *ev);

/* state.c */
/* Sizes of the state after the endpoints in an LP's memory; checks conditions that depend on the network. */
int net_nics_check(struct net *n, struct base_errors *errors);
void net_nics_plan(struct net *n);
void net_nics_summarise(const struct net *n, struct net_result *out);
/* At the end of a run: sums over pairs and sinks of one LP. */
struct net_nics_sums {
	uint64_t in_flight;              /* packets that pairs have not been acknowledged */
	uint64_t numbered, received;     /* packets that pairs have numbered, and that receivers have noted */
	uint64_t left;                   /* pairs that should have been forgotten */
	uint64_t misplaced;              /* endpoints whose classes together have other bytes out than they have */
	uint64_t backlog, contributions; /* bytes of sinks, and of their contributors */
	uint64_t early;                  /* packets that wait for earlier ones at receivers */
	uint64_t records, counted;       /* of pairs and contributors that chains hold, and that are counted */
};
void net_nics_sum(const struct net *n, const struct net_lp *lp, struct net_nics_sums *sums);

#endif
