/* switch/hold.h - credits that an input buffer keeps back while the sender has plenty.
 *
 * A credit changes nothing as long as the sender has enough of them: so the input adds it to a sum, by lane, and sends
 * nothing. When the sender's credits of a lane fall below `stop` it tells the input to let go (sw_host_ops.control):
 * the sum goes back as one credit, and those that follow go one by one, until the sender has sw_hold_again() and tells
 * the input to keep them again. At first none are kept.
 *
 * What a run computes is the same as without. A credit is kept only if it is due within `within` of its event, so that
 * what is let go at t may all be back `within` after t. From when the sender falls below `stop` until it has the sum
 * two latencies, `within` and what the telling takes pass, in which it takes no more than sw_takes says: `stop` is that
 * and two largest packets. So whoever looks for credits while some are kept finds a largest packet's. A sum
 * that comes back to less is a violation (sim/sim.h). */
#ifndef SWITCH_HOLD_H
#define SWITCH_HOLD_H

#include <stdbool.h>
#include <stdint.h>

struct sw_call;
struct sw_common;
struct sw_link_end;

/* What an output may take of one lane's credits in a time: at_once + per_ps_q32 / 2^32 for each ps. */
struct sw_takes {
	uint64_t at_once, per_ps_q32; /* bytes */
};

/* Of the outputs of one switch. */
struct sw_hold {
	uint32_t stop;  /* bytes; 0: the far ends keep nothing back */
	uint32_t links; /* bit k: but that of link class k does */
};

#define SW_LETS_GO UINT32_MAX /* in place of the sum: nothing of the lane is kept */

/* Where credits may be kept that are due `within` ps; telling: ps from when credits are taken until the word leaves.
 * Links whose `stop` would be more than `most`, which should leave a good part of a lane's share, are left out. {0}:
 * all are. Links are known. */
struct sw_hold sw_hold_of(const struct sw_common *c, const struct sw_takes *takes, uint32_t most, uint64_t within,
                          uint64_t telling);

/* So many let the far end keep credits again: nearly all, as they are where the link is not busy. On one that is, most
 * packets wait longer than `within`, and telling would be for little. */
static inline uint32_t sw_hold_again(uint32_t stop, uint32_t share)
{
	return share - (share - stop) / 4;
}

/* Credits come somewhere in a time in which less than `most` are taken: may it depend on where that the sender tells
 * the far end to let go, or to keep again? (It may also tell a moment sooner to keep, if further credits come
 * meanwhile: that changes how many events there are, and nothing else.) */
static inline bool sw_hold_may_tell(const struct sw_hold *h, uint32_t share, bool lets_go, uint64_t credits,
                                    uint32_t bytes, uint64_t most)
{
	uint32_t again = sw_hold_again(h->stop, share);
	return lets_go ? credits + bytes >= again && credits < again + most : credits < h->stop + most;
}

/* The far end of `end`, which output `out` leads to, keeps credits of the lane back, or has been asked to let go
 * (sw_link_end.let_go): tells it otherwise at `when`, if that is to be with so many credits left of `share`. */
void sw_hold_turn(struct sw_call *call, const struct sw_hold *h, struct sw_link_end *end, uint32_t out, uint32_t lane,
                  uint32_t share, uint32_t credits, uint64_t when);
/* The sender to input `in`, at `end`, has reported: kept[lanes], sums or SW_LETS_GO. */
void sw_hold_told(struct sw_call *call, uint32_t *kept, const struct sw_link_end *end, uint32_t in, uint64_t word);
/* kept[lanes] in all. */
uint64_t sw_hold_sum(const uint32_t *kept, uint32_t lanes);
/* `bytes` credits of a lane came back where `left` were: a violation if that is a sum that comes too late. */
void sw_hold_check(struct sw_call *call, uint32_t out, uint32_t lane, uint32_t bytes, uint32_t left);

#endif
