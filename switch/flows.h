/* switch/flows.h - flow channels: how much of the next input buffer on its way one flow may have.
 *
 * Credits alone let the packets for one slow endpoint fill an input buffer, and then packets for all others wait for
 * credits behind them. With flow channels a switch keeps, for every network output and lane, an account for each flow
 * (pair of endpoints) that has packets there: bytes that have joined the queues for that output, or are on its link, or
 * in the next switch's input buffer. A packet of a flow that has its part waits aside in its own input buffer, in a
 * list of its flow; it is in nobody else's way, and joins the queues when the next switch has let go of an earlier
 * packet of the flow. The next switch says so in a word beside the credits.
 *
 * A flow's part follows what is free (Choudhury & Hahne, IEEE/ACM ToN 6(2), 1998): with its next packet it has at most
 * `threshold` times what all flows together then leave of the lane's room. One packet it may always have, so that each
 * flow goes on; it waits for nothing but packets of its own that are where it wants to go, so the proof of freedom from
 * deadlock holds as for credits.
 *
 * A flow that its receiver's switch holds back (congestion/) has less: what its pace needs in twice the time that
 * credits take to come back, and a packet. The frame that says so passes the switches on its way to the source, and
 * each keeps that in mind until the time that it names, whether packets of the flow are there or not.
 *
 * Flows are distinguished by 32 bits of a hash of their endpoints: two that have the same bits share an account. An
 * account is made by a packet and gone when nothing of it is left, so memory follows the packets under way. All of it
 * is changed through the journal. */
#ifndef SWITCH_FLOWS_H
#define SWITCH_FLOWS_H

#include "switch/lanes.h"
#include "switch/packet.h"
#include "switch/pool.h"

#define SW_FLOW_CHAINS 256u /* a power of two */
#define SW_FLOW_LANE_BITS 8
#define SW_FLOW_BYTES_BITS 24 /* of a packet */
#define SW_FLOW_THRESHOLD_HELP                                                                                        \
	"flow channels: of an input buffer one flow, from an endpoint to another, may have this many times what all " \
	"leave free of a lane, and one packet always; what is beyond waits aside, in no other flow's way. 0: flows "  \
	"are not distinguished"
#define SW_FLOW_THRESHOLD_SOURCE                                                                                   \
	"flow channels: De Sensi et al., SC20, II.C; the rule: Choudhury & Hahne, IEEE/ACM ToN 6(2), 1998. Where " \
	"Slingshot limits them is not published"

struct sw_flow {
	uint32_t chain;      /* free list; 1 + the next in its chain, 0: none */
	uint32_t key;        /* sw_flow_key() */
	uint32_t at;         /* output * lanes + lane */
	uint32_t bytes;      /* frames on that output's link */
	uint32_t head, tail; /* the model's numbers of packets that wait aside; SW_POOL_NONE: there are none */
};

struct sw_flow_hold {
	uint32_t chain; /* as of struct sw_flow */
	uint32_t key;
	uint64_t pace_q16; /* ps per byte, 16 fractional bits */
	uint64_t until;    /* ps */
};

struct sw_flows {
	struct sw_pool pool, holds;
	uint32_t room;          /* bytes that a lane may have */
	uint32_t threshold_q16; /* 16 fractional bits */
	uint32_t lanes, sums;   /* of an output; of all */
	uint32_t chain[SW_FLOW_CHAINS], held[SW_FLOW_CHAINS];
	uint32_t sum[]; /* [output * lanes + lane]: bytes of all flows */
};

struct sw_flows *sw_flows_create(const struct sw_lanes *lanes, uint32_t outputs, double threshold);
void sw_flows_destroy(struct sw_flows *f); /* NULL is allowed */
void sw_flows_regions(struct sw_flows *f, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
/* Bytes that flows of a switch with so many packets keep. */
size_t sw_flows_bytes(uint32_t outputs, uint32_t lanes, uint32_t packets);

uint32_t sw_flow_key(uint32_t src, uint32_t dst);

/* What the next switch says when a packet's bytes are free in its input buffer, and what that was about. */
static inline uint64_t sw_flow_word(uint32_t key, uint32_t lane, uint32_t bytes)
{
	return key | (uint64_t)lane << 32 | (uint64_t)bytes << (32 + SW_FLOW_LANE_BITS);
}
static inline uint32_t sw_flow_word_lane(uint64_t word)
{
	return word >> 32 & ((1u << SW_FLOW_LANE_BITS) - 1);
}
static inline uint32_t sw_flow_word_bytes(uint64_t word)
{
	return (uint32_t)(word >> (32 + SW_FLOW_LANE_BITS));
}

/* The flow's account; made, if there is none and `make`, else NULL. */
struct sw_flow *sw_flow_find(struct sim_ctx *ctx, struct sw_flows *f, uint32_t at, uint32_t key, bool make);
/* May the flow have so many bytes more now? loop: ps until credits are back. */
bool sw_flow_fits(const struct sw_flows *f, const struct sw_flow *flow, uint32_t bytes, uint64_t now, uint64_t loop);
/* It is held back to a pace until a time; now, if it is not any more. */
void sw_flow_hold(struct sim_ctx *ctx, struct sw_flows *f, uint32_t key, uint64_t pace_q16, uint64_t now,
                  uint64_t until);
/* It has them. */
void sw_flow_take(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow, uint32_t bytes);
/* It has them no more; false: it had fewer, and nothing has been done. An account that nothing is left of stays, until
 * sw_flow_forget(). */
bool sw_flow_give(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow, uint32_t bytes);
/* The account is gone if nothing is left of it. */
void sw_flow_forget(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow);
/* Every account, in no particular order. */
void sw_flows_each(struct sw_flows *f, void (*visit)(void *arg, const struct sw_flow *flow), void *arg);

#endif
