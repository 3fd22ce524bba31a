/* switch/hold.h - credits that an input buffer withholds while the sender has plenty, to save events.
 *
 * A credit has no effect as long as the sender has enough of them: so the input adds it to a sum, per lane, and sends
 * nothing. When the sender's credits of a lane fall below `stop` it instructs the input to release them
 * (sw_host_ops.control): the sum returns as one credit, and later ones return individually, until the sender has
 * sw_hold_again() credits and instructs the input to withhold them again. Initially none are withheld.
 *
 * The results of a run do not change. A credit is withheld only if it is due within `within` of its event, so that
 * credits released at t can all be back `within` after t. Between the time at which the sender falls below `stop` and
 * the return of the sum two latencies, `within` and the delay of the control word pass, in which it takes at most the
 * bytes of sw_takes: `stop` is that plus two largest packets. So while credits are withheld, there are always credits
 * for a largest packet. A sum that returns to fewer credits is a violation (sim/sim.h). */
#ifndef SWITCH_HOLD_H
#define SWITCH_HOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "switch/link.h"

struct sw_call;
struct sw_common;

/* Upper limit of the credits of one lane that an output can take in an interval: at_once + per_ps_q32 / 2^32 per ps of
 * the interval. */
struct sw_takes {
	uint64_t at_once, per_ps_q32; /* bytes */
};

/* Withheld credits for the outputs of one switch. */
struct sw_hold {
	uint32_t stop;  /* bytes; 0: the far ends withhold nothing */
	uint32_t links; /* bits: except those of these links, which do. Links with the same bit are alike */
};

#define SW_HOLD_LINKS 32u
static inline uint32_t sw_hold_bit(uint32_t link)
{
	return 1u << (link & (SW_HOLD_LINKS - 1));
}
/* May the far end withhold credits? */
static inline bool sw_holds(const struct sw_hold *h, const struct sw_link_end *end)
{
	return h->links >> (end->link_class & (SW_HOLD_LINKS - 1)) & 1;
}

#define SW_LETS_GO UINT32_MAX /* in place of the sum: credits of the lane are not withheld */

/* Where credits due within `within` ps may be withheld; telling: ps from taking credits until the control word leaves.
 * Links are excluded if their `stop` exceeds `most`, which should leave a large part of a lane's share. {0}: all are
 * excluded. The links of *c must be set. */
struct sw_hold sw_hold_of(const struct sw_common *c, const struct sw_takes *takes, uint32_t most, uint64_t within,
                          uint64_t telling);

/* Number of credits from which the far end may withhold them again: nearly all, as on an idle link. On a busy link most
 * packets wait longer than `within`, so withholding would save little. */
static inline uint32_t sw_hold_again(uint32_t stop, uint32_t share)
{
	return share - (share - stop) / 4;
}

/* Credits arrive at some time in an interval in which less than `most` are taken: can that time affect whether the
 * sender instructs the far end to release or to withhold credits? (It may also instruct it slightly earlier to
 * withhold, if further credits arrive meanwhile: that changes only the number of events.) */
static inline bool sw_hold_may_tell(const struct sw_hold *h, uint32_t share, bool lets_go, uint64_t credits,
                                    uint32_t bytes, uint64_t most)
{
	uint32_t again = sw_hold_again(h->stop, share);
	return lets_go ? credits + bytes >= again && credits < again + most : credits < h->stop + most;
}

/* The far end of `end`, at output `out`, withholds credits of the lane, or has been requested to release them
 * (sw_link_end.let_go): switches that at `when`, if `credits` left of `share` require it. */
void sw_hold_turn(struct sw_call *call, const struct sw_hold *h, struct sw_link_end *end, uint32_t out, uint32_t lane,
                  uint32_t share, uint32_t credits, uint64_t when);
/* A control word of the sender to input `in`, at `end`, has arrived: kept[lanes], sums or SW_LETS_GO. */
void sw_hold_told(struct sw_call *call, uint32_t *kept, const struct sw_link_end *end, uint32_t in, uint64_t word);
/* Sum of kept[lanes]. */
uint64_t sw_hold_sum(const uint32_t *kept, uint32_t lanes);
/* `bytes` credits of a lane have returned when `left` were there: a violation if they are a sum that returns too
 * late. */
void sw_hold_check(struct sw_call *call, uint32_t out, uint32_t lane, uint32_t bytes, uint32_t left);

#endif
