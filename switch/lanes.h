/* switch/lanes.h - lanes: a link's queues and credits by traffic class and virtual channel.
 *
 * lane = class x vcs + vc. Routing chooses the VC and traffic the class, which a packet keeps on all of its way. So the
 * channels of one class are a copy of the network with one class, and a proof of freedom from deadlock for that holds
 * for each class alone, if no class can keep another from moving for ever. For that every lane has a reserve of its
 * own, of at least one largest packet (two with the bubble rule): when the packets that are in a lane have moved on, as
 * the proof says that they do, the next one fits whatever other lanes hold.
 *
 *     buffer of a port:  | reserve of lane 0 | reserve of lane 1 | ... | pool: shared by all lanes |
 *
 * What a lane uses beyond its reserve comes out of the pool, within a dynamic threshold (Choudhury & Hahne, Dynamic
 * queue length thresholds for shared-memory packet switches, IEEE/ACM ToN 6(2), 1998): with the next packet it may have
 * no more of the pool than alpha times what would then be free. So n lanes that take all they get have
 * alpha / (1 + n alpha) of the pool each, and 1 / (1 + n alpha) of it stays free for a lane that wakes up.
 *
 * The sender keeps the account: all that is in the buffer has come over its link, or will. It needs no record of where
 * a packet's bytes came from: they come out of the reserve first and go back to the pool first, so what a lane has of
 * the pool is what it uses beyond the reserve.
 *
 * An account is uint32_t [sw_account_words()]: by lane what is left of its reserve and, if there is a pool, last what
 * is left of that. With a pool, the number of a lane that uses it is negative, in two's complement: minus what it has
 * of the pool. Without, no more is done than to count bytes down and up. */
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
	uint32_t classes, vcs; /* that are distinguished: 1 class where the model has no lanes of its own for each */
	uint32_t n;            /* classes x vcs */
	uint32_t reserve;      /* bytes of each lane */
	uint32_t pool;         /* bytes of a port that its lanes share */
	uint32_t alpha_q16;    /* 16 fractional bits */
};

/* The keys `shared_pool` and `pool_threshold` of a switch. */
#define SW_SHARED_POOL_HELP                                                                                         \
	"share of the buffer that all lanes of a port draw on beyond their own; the rest is divided equally among " \
	"them"
#define SW_POOL_THRESHOLD_HELP \
	"dynamic threshold: with its next packet a lane has at most this many times what is then free of the pool"
#define SW_POOL_THRESHOLD_SOURCE "Choudhury & Hahne, IEEE/ACM ToN 6(2), 1998"
#define SW_POOL_MOST 0.95
#define SW_THRESHOLD_LEAST (1.0 / 64)
#define SW_THRESHOLD_MOST 64

struct sw_common;
/* Divides a port's buffer: sets reserve, pool and alpha_q16 of common->lanes, whose classes and VCs are known. Errors:
 * of the keys `buffer` and `shared_pool`. */
int sw_lanes_size(struct sw_common *common, uint64_t buffer, double shared_pool, double threshold,
                  struct base_errors *errors);

static inline uint32_t sw_account_words(const struct sw_lanes *l)
{
	return l->n + (l->pool ? 1 : 0);
}

/* The most that one lane may use while the others use none of the pool. */
static inline uint64_t sw_lane_alone(const struct sw_lanes *l)
{
	return l->reserve + (uint64_t)l->pool * l->alpha_q16 / (65536 + (uint64_t)l->alpha_q16);
}

/* Of a lane whose number in the account is `left`: bytes of the pool. */
static inline uint32_t sw_lane_of_pool(uint32_t left)
{
	return (int32_t)left < 0 ? 0 - left : 0;
}

static inline uint64_t sw_lane_used(const struct sw_lanes *l, const uint32_t *account, uint32_t lane)
{
	base_check(l->pool || account[lane] <= l->reserve);
	return l->pool ? (uint64_t)((int64_t)l->reserve - (int32_t)account[lane]) : l->reserve - account[lane];
}

/* Over all lanes; of the pool what it lacks, whatever the lanes say: so the conservation of credits checks both. */
uint64_t sw_account_used(const struct sw_lanes *l, const uint32_t *account);

void sw_account_init(const struct sw_lanes *l, uint32_t *account);

/* The rule, where there is a pool. */
bool sw_pool_fits(const struct sw_lanes *l, const uint32_t *account, uint32_t lane, uint32_t bytes);

/* May the lane take so many bytes more? */
static inline bool sw_lane_fits(const struct sw_lanes *l, const uint32_t *account, uint32_t lane, uint32_t bytes)
{
	return sim_likely(!l->pool) ? account[lane] >= bytes : sw_pool_fits(l, account, lane, bytes);
}

/* The pool when the lane's number becomes `left`. */
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

/* Gives bytes back. false: more than the lane uses; nothing has been done. */
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
