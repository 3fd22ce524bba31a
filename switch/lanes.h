/* switch/lanes.h - lanes: a link's queues and credits by traffic class and virtual channel.
 *
 * lane = class x vcs + vc. Routing chooses the VC, and the traffic determines the class, which a packet keeps on its
 * whole path. So the channels of one class are a copy of the network with one class, and a proof of freedom from
 * deadlock for that network holds for each class separately, if no class can block another forever. For that every lane
 * has a reserve of its own, of at least one largest packet (two with the bubble rule): when the packets in a lane have
 * advanced, which the proof guarantees, the next one fits, regardless of other lanes.
 *
 *     buffer of a port:  | reserve of lane 0 | reserve of lane 1 | ... | pool: shared by all lanes |
 *
 * Bytes of a lane beyond its reserve use the pool, within a dynamic threshold (Choudhury & Hahne, Dynamic queue length
 * thresholds for shared-memory packet switches, IEEE/ACM ToN 6(2), 1998): with the next packet a lane may have no more
 * of the pool than alpha times the part that would then be free. So n greedy lanes have alpha / (1 + n alpha) of the
 * pool each, and 1 / (1 + n alpha) of it stays free for a lane that becomes active.
 *
 * The sender at the other end of the link keeps the account, as all bytes in the buffer come over its link. It need not
 * record whether a packet's bytes were taken from reserve or pool: they are taken from the reserve first and returned
 * to the pool first, so a lane's part of the pool is its use beyond the reserve.
 *
 * An account is an array uint32_t [sw_account_words()]: for each lane the free bytes of its reserve and, if there is a
 * pool, as last element the free bytes of the pool. The number of a lane that uses the pool is negative, in two's
 * complement: minus its part of the pool. Without a pool, the free bytes of each lane are just counted down and up. */
#ifndef SWITCH_LANES_H
#define SWITCH_LANES_H

#include "base/error.h"
#include "sim/sim.h"

#include <stdbool.h>
#include <stdint.h>

#define SW_MAX_VCS 16u
#define SW_MAX_CLASSES 32u
#define SW_MAX_LANES 128u

struct sw_lanes {
	uint32_t classes, vcs; /* distinguished classes: 1 if the model has no lanes by class */
	uint32_t n;            /* classes x vcs */
	uint32_t reserve;      /* bytes of each lane */
	uint32_t pool;         /* bytes of a port shared by its lanes */
	uint32_t alpha_q16;    /* 16 fractional bits */
};

/* Help texts, sources and limits of a switch's keys `shared_pool` and `pool_threshold`. */
#define SW_SHARED_POOL_HELP                                                                        \
	"fraction of the buffer shared by all lanes of a port; the rest is divided equally among " \
	"them"
#define SW_POOL_THRESHOLD_HELP \
	"dynamic threshold: with its next packet a lane has at most this many times the free part of the pool"
#define SW_POOL_THRESHOLD_SOURCE "Choudhury & Hahne, IEEE/ACM ToN 6(2), 1998"
#define SW_POOL_MOST 0.95
#define SW_THRESHOLD_LEAST (1.0 / 64)
#define SW_THRESHOLD_MOST 64

struct sw_common;
/* Divides a port's buffer among its lanes: sets reserve, pool and alpha_q16 of common->lanes, whose numbers of classes
 * and VCs are known already. Returns 0, or -1 with an error of the key `buffer` or `shared_pool`. */
int sw_lanes_size(struct sw_common *common, uint64_t buffer, double shared_pool, double threshold,
                  struct base_errors *errors);

static inline uint32_t sw_account_words(const struct sw_lanes *l)
{
	return l->n + (l->pool ? 1 : 0);
}

/* Maximum bytes that one lane may use while the others use no part of the pool. */
static inline uint64_t sw_lane_alone(const struct sw_lanes *l)
{
	return l->reserve + (uint64_t)l->pool * l->alpha_q16 / (65536 + (uint64_t)l->alpha_q16);
}

/* Bytes of the pool used by a lane whose number in the account is `left`. */
static inline uint32_t sw_lane_of_pool(uint32_t left)
{
	return (int32_t)left < 0 ? 0 - left : 0;
}

static inline uint64_t sw_lane_used(const struct sw_lanes *l, const uint32_t *account, uint32_t lane)
{
	base_check(l->pool || account[lane] <= l->reserve);
	return l->pool ? (uint64_t)((int64_t)l->reserve - (int32_t)account[lane]) : l->reserve - account[lane];
}

/* Bytes used by all lanes together. Their use of the pool is taken from the free bytes of the pool, not from the lanes'
 * numbers, so that a check of the conservation of credits verifies both. */
uint64_t sw_account_used(const struct sw_lanes *l, const uint32_t *account);

void sw_account_init(const struct sw_lanes *l, uint32_t *account);

/* May the lane take this many more bytes under the dynamic threshold? Only if there is a shared pool. */
bool sw_pool_fits(const struct sw_lanes *l, const uint32_t *account, uint32_t lane, uint32_t bytes);

/* May the lane take this many more bytes? */
static inline bool sw_lane_fits(const struct sw_lanes *l, const uint32_t *account, uint32_t lane, uint32_t bytes)
{
	return sim_likely(!l->pool) ? account[lane] >= bytes : sw_pool_fits(l, account, lane, bytes);
}

/* Updates the free bytes of the pool when a lane's number in the account is about to become `left`. */
void sw_pool_settle(struct sim_ctx *ctx, const struct sw_lanes *l, uint32_t *account, uint32_t lane, uint32_t left);

/* Takes bytes that fit. */
static inline void sw_lane_take(struct sim_ctx *ctx, const struct sw_lanes *l, uint32_t *account, uint32_t lane,
                                uint32_t bytes)
{
	uint32_t left = account[lane] - bytes;
	base_checkf(lane < l->n && sw_lane_fits(l, account, lane, bytes), "lane %u of %u: %u bytes of %u", lane, l->n,
	            bytes, account[lane]);
	if (sim_unlikely(l->pool != 0))
		sw_pool_settle(ctx, l, account, lane, left);
	sim_set(ctx, &account[lane], left);
}

/* Returns bytes of a lane to the account. Returns false, and changes nothing, if the lane uses fewer bytes. */
static inline bool sw_lane_give(struct sim_ctx *ctx, const struct sw_lanes *l, uint32_t *account, uint32_t lane,
                                uint32_t bytes)
{
	uint32_t left = account[lane] + bytes;
	base_checkf(lane < l->n, "lane %u of %u", lane, l->n);
	if (sim_unlikely(bytes > sw_lane_used(l, account, lane)))
		return false;
	if (sim_unlikely(l->pool != 0))
		sw_pool_settle(ctx, l, account, lane, left);
	sim_set(ctx, &account[lane], left);
	return true;
}

#endif
