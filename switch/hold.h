/* switch/hold.h - credits that an input buffer withholds while the sender has plenty, to save events.
 *
 * A credit has no effect as long as the sender has enough credits. So the input adds it to a sum for the lane, and
 * sends nothing. When the sender's credits of a lane fall below `stop` it instructs the input to release them
 * (sw_host_ops.control): the sum returns as one credit, and later ones return individually, until the sender has
 * sw_hold_again() credits and instructs the input to withhold them again. Initially none are withheld.
 *
 * This does not change the results of a run. A credit is withheld only if it is due at most `within` ps after its
 * event, so that credits released at time t have all returned at t + `within`. From the time at which the sender falls
 * below `stop` to the return of the sum, two cable latencies, `within` and the delay of the control word pass; in this
 * time the sender takes at most the bytes given by sw_takes, and `stop` is that plus two largest packets. So while
 * credits are withheld, the sender always has credits for a largest packet. If a sum returns when the sender has fewer
 * credits, this is reported as a violation (sim/sim.h). */
#ifndef SWITCH_HOLD_H
#define SWITCH_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "switch/link.h"

struct sw_call;
struct sw_common;

/* Upper limit, in bytes, of the credits of one lane that an output can take in an interval: at_once, plus per_ps_q32 /
 * 2^32 for each ps of the interval. */
struct sw_takes {
	uint64_t at_once, per_ps_q32; /* bytes */
};

/* Which credits may be withheld from the outputs of one switch. */
struct sw_hold {
	uint32_t stop;  /* bytes; 0: the far ends withhold nothing */
	uint32_t links; /* bits: except those of these links, which do. Links with the same bit are alike */
};

#define SW_HOLD_LINKS 32u
static inline uint32_t sw_hold_bit(uint32_t link)
{
	return 1u << (link & (SW_HOLD_LINKS - 1));
}
/* May the input at the far end of this link withhold credits? */
static inline bool sw_holds(const struct sw_hold *h, const struct sw_link_end *end)
{
	return h->links >> (end->link_class & (SW_HOLD_LINKS - 1)) & 1;
}

#define SW_LETS_GO UINT32_MAX /* in place of the sum: credits of the lane are not withheld */

/* Determines on which links credits that are due within `within` ps may be withheld. telling: ps from the taking of
 * credits to the departure of the control word. Links whose `stop` would exceed `most` are excluded; `most` should
 * leave a large part of a lane's share. The result {0} excludes all links. The links of *c must be set. */
struct sw_hold sw_hold_of(const struct sw_common *c, const struct sw_takes *takes, uint32_t most, uint64_t within,
                          uint64_t telling);

/* The number of credits, in bytes, from which on the far end may withhold them again: nearly all credits, as on an idle
 * link. On a busy link most packets wait longer than `within`, so that withholding would save little. */
static inline uint32_t sw_hold_again(uint32_t stop, uint32_t share)
{
	return share - (share - stop) / 4;
}

/* Credits arrive at some unknown time in an interval in which less than `most` bytes of credits are taken: can that
 * time affect whether the sender instructs the far end to release or to withhold credits? (If further credits arrive
 * in the interval, the sender may instruct it slightly earlier to withhold them: that changes only the number of
 * events.) */
static inline bool sw_hold_may_tell(const struct sw_hold *h, uint32_t share, bool lets_go, uint64_t credits,
                                    uint32_t bytes, uint64_t most)
{
	uint32_t again = sw_hold_again(h->stop, share);
	return lets_go ? credits + bytes >= again && credits < again + most : credits < h->stop + most;
}

/* Decides at `when` whether the far end of the link `end`, at output `out`, has to start or stop withholding credits of
 * the lane, given that `credits` of the lane's `share` are left, and instructs it if needed. The present state is in
 * sw_link_end.let_go. */
void sw_hold_turn(struct sw_call *call, const struct sw_hold *h, struct sw_link_end *end, uint32_t out, uint32_t lane,
                  uint32_t share, uint32_t credits, uint64_t when);
/* Called when a control word of the sender has arrived at input `in`, whose link is `end`. kept[lanes]: the sum of
 * withheld credits for each lane, or SW_LETS_GO. */
void sw_hold_told(struct sw_call *call, uint32_t *kept, const struct sw_link_end *end, uint32_t in, uint64_t word);
/* Sum of kept[lanes]. */
uint64_t sw_hold_sum(const uint32_t *kept, uint32_t lanes);
/* Check: `bytes` credits of a lane have returned when the sender had `left`. It is a violation if these are a withheld
 * sum that returns too late. */
void sw_hold_check(struct sw_call *call, uint32_t out, uint32_t lane, uint32_t bytes, uint32_t left);

#endif
