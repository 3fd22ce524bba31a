/* switch/flows.h - flow channels: limits on the share of one flow in the next input buffer on its path.
 *
 * With credits alone the packets for one slow endpoint can fill an input buffer, and packets for all others then wait
 * for credits behind them. With flow channels a switch keeps, for every network output and lane, an account for each
 * flow (pair of endpoints) with packets there. The account counts bytes in the queues for that output, on its link, and
 * in the next switch's input buffer. A packet of a flow that has reached its limit waits in a separate list in its own
 * input buffer, where it blocks no other flow, and joins the queues when the next switch has released an earlier packet
 * of the flow. The next switch reports that in a control word sent beside the credits.
 *
 * A flow's limit follows the free space (Choudhury & Hahne, IEEE/ACM ToN 6(2), 1998): including its next packet it has
 * at most `threshold` times the bytes of the lane that all flows together then leave free. One packet is always
 * allowed, so that each flow makes progress; it waits only for packets of its own that are already downstream, so the
 * proof of freedom from deadlock holds as for credits.
 *
 * A flow that its receiver's switch throttles (congestion/) has a lower limit: the bytes that it may send at its pace
 * in twice the credit round trip, plus a packet. The control frame passes the switches on its way to the source, and
 * each switch keeps the limit until the time given in the frame, even if it has no packets of the flow.
 *
 * Flows are distinguished by 32 bits of a hash of their endpoints: two with equal hashes share an account. An account
 * is created by a packet and deleted when it is empty, so memory follows the packets in flight. All of this state
 * changes through the journal only. */
#ifndef SWITCH_FLOWS_H
#define SWITCH_FLOWS_H

#include "switch/lanes.h"
#include "switch/packet.h"
#include "switch/pool.h"

#define SW_FLOW_CHAINS 256u /* a power of two */
#define SW_FLOW_LANE_BITS 8
#define SW_FLOW_BYTES_BITS 24 /* of a packet */
#define SW_FLOW_CHANNELS_HELP                                                                                          \
	"whether flows, from one endpoint to another, have channels of their own, so that packets of a flow that is "  \
	"held up wait without blocking other flows. auto: on with presets rosetta and successor where the congestion " \
	"control paces flows (\"slingshot\")"
#define SW_FLOW_THRESHOLD_HELP                                                                                         \
	"flow channels: bytes of an input buffer that one flow may use, as a multiple of the free bytes of the lane; " \
	"one packet is always allowed"
#define SW_FLOW_ROUTE_HELP                                                                                            \
	"flow channels, with a routing that reads queues: at the switch of its source a flow keeps its route for so " \
	"long, and as long as its receiver's switch throttles it; 0s: every packet is routed on its own"
#define SW_FLOW_ROUTE_SOURCE                                                                                         \
	"unpublished; HPE's documents: a flow takes a new path after a gap of a few microseconds, or when it meets " \
	"congestion"
#define SW_FLOW_THRESHOLD_SOURCE                                                                             \
	"flow channels: De Sensi et al., SC20, II.C; the rule: Choudhury & Hahne, IEEE/ACM ToN 6(2), 1998. " \
	"Slingshot's limit is not published"

struct sw_flow {
	uint32_t chain;      /* free list; 1 + the next in its chain, 0: none */
	uint32_t key;        /* sw_flow_key() */
	uint32_t at;         /* output * lanes + lane */
	uint32_t bytes;      /* frames on that output's link */
	uint32_t shown;      /* of the bytes that wait, those that the output's queue depth contains */
	uint32_t head, tail; /* packet numbers of the switch model that wait; SW_POOL_NONE: none */
};

struct sw_flow_hold {
	uint32_t chain; /* as of struct sw_flow */
	uint32_t key;
	uint64_t pace_q16; /* ps per byte, 16 fractional bits */
	uint64_t until;    /* ps */
};

/* The route that a switch keeps for the packets of a flow from its own endpoints. */
struct sw_flow_way {
	uint32_t chain; /* as of struct sw_flow */
	uint32_t src, dst;
	uint32_t via;
	uint16_t out;
	uint8_t vc, route;
	uint64_t until; /* ps */
};

struct sw_flows {
	struct sw_pool pool, holds, ways;
	uint32_t space;         /* capacity of a lane in bytes */
	uint32_t threshold_q16; /* 16 fractional bits */
	uint32_t lanes, sums;   /* of an output; of all */
	uint32_t chain[SW_FLOW_CHAINS], held[SW_FLOW_CHAINS], taken[SW_FLOW_CHAINS];
	uint32_t sum[]; /* [output * lanes + lane]: bytes of all flows */
};

struct sw_flows *sw_flows_create(const struct sw_lanes *lanes, uint32_t outputs, double threshold);
void sw_flows_destroy(struct sw_flows *f); /* NULL is allowed */
void sw_flows_regions(struct sw_flows *f, void (*visit)(void *arg, void *at, size_t bytes), void *arg);
/* Returns the bytes of memory for the flows of a switch that holds `packets` packets. routes: flows keep their
 * routes. */
size_t sw_flows_bytes(uint32_t outputs, uint32_t lanes, uint32_t packets, bool routes);

uint32_t sw_flow_key(uint32_t src, uint32_t dst);

/* The control word by which the next switch reports that it has freed `bytes` of a flow's packet in its input buffer,
 * with the flow's key and the lane. */
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

/* Returns the flow's account at `at` (output * lanes + lane). If there is none, it is created if `make` is set;
 * otherwise the result is NULL. */
struct sw_flow *sw_flow_find(struct sim_ctx *ctx, struct sw_flows *f, uint32_t at, uint32_t key, bool make);
/* May the flow have this many more bytes in its account now? loop: credit round trip in ps. */
bool sw_flow_fits(const struct sw_flows *f, const struct sw_flow *flow, uint32_t bytes, uint64_t now, uint64_t loop);
/* Throttles the flow to a pace (ps per byte, 16 fractional bits) until a time in ps, and keeps its route until then. If
 * `until` equals `now`, the throttle ends. */
void sw_flow_hold(struct sim_ctx *ctx, struct sw_flows *f, uint32_t src, uint32_t dst, uint64_t pace_q16, uint64_t now,
                  uint64_t until);
/* Returns the last route of the flow between these endpoints; its time `until` may have passed already. NULL: no route
 * is known. */
const struct sw_flow_way *sw_flow_way_of(const struct sw_flows *f, uint32_t src, uint32_t dst);
/* Stores the route of a flow, and removes routes in the same hash chain whose time has passed. */
void sw_flow_set_way(struct sim_ctx *ctx, struct sw_flows *f, const struct sw_flow_way *way, uint64_t now);
/* Is it throttled? */
bool sw_flow_is_held(const struct sw_flows *f, uint32_t key, uint64_t now);
/* Calls visit() for every account of the flow: there may be one at each output and lane. */
void sw_flow_each_account(struct sw_flows *f, uint32_t key, void (*visit)(void *arg, struct sw_flow *flow), void *arg);
/* Adds bytes to the flow's account. */
void sw_flow_take(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow, uint32_t bytes);
/* Subtracts bytes from the flow's account. Returns false if the account has fewer; it is then unchanged. An empty
 * account remains until sw_flow_forget() is called. */
bool sw_flow_give(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow, uint32_t bytes);
/* Deletes the flow's account if it is empty. */
void sw_flow_forget(struct sim_ctx *ctx, struct sw_flows *f, struct sw_flow *flow);
/* Visits every account, in no particular order. */
void sw_flows_each(struct sw_flows *f, void (*visit)(void *arg, const struct sw_flow *flow), void *arg);

#endif
