/* switch/arbiter.c - deficit round robin, and what users give to arbiters and read about them: see arbiter.h
 *
 * Deficit round robin (Shreedhar & Varghese, Efficient fair queueing using deficit round robin, SIGCOMM 1995): whose
 * turn it is may take a quantum of bytes; what its next packet is too large for is its deficit, which is added to its
 * next turn. The quantum is at least the largest packet, so every turn suffices for one.
 *
 * There the scheduler sees queues. An arbiter sees who may go now: a queue with packets may not ask for a moment, its
 * request being under way or its lane reserved. So here who does not ask keeps its deficit, and whoever has enough of
 * it goes before the next turn begins. None has more than two quanta: a turn is given to who has less than its packet.
 */
#include "switch/arbiter.h"

#include "base/error.h"

#include <inttypes.h>

int sw_check_quantum(uint64_t quantum, uint32_t max_packet, struct base_errors *errors)
{
	if (!quantum || quantum >= max_packet)
		return 0;
	return base_errorf(errors, "quantum",
	                   "%" PRIu64 " bytes are less than the largest packet, %u bytes: a turn must suffice for it",
	                   quantum, max_packet);
}

uint32_t sw_drr_pick(uint32_t n, const struct sw_arbiter *a, const uint64_t *requests, const uint64_t *key)
{
	const uint32_t *deficit = (const uint32_t *)(const void *)(a + 1);
	uint32_t turn = a->turn, first = sw_set_next(requests, n, turn), i = first;
	if (first == SW_NOBODY)
		return SW_NOBODY;
	do {
		if (key[i] <= deficit[i])
			return i;
		i = sw_set_next(requests, n, i + 1 == n ? 0 : i + 1);
	} while (i != first);
	return sw_set_next(requests, n, turn + 1 == n ? 0 : turn + 1);
}

void sw_drr_won(struct sim_ctx *ctx, struct sw_arbiter *a, uint32_t winner, struct sw_charge charge)
{
	uint32_t *deficit = (uint32_t *)(void *)(a + 1) + winner, left = *deficit;
	if (!charge.bytes)
		return;
	if (left < charge.bytes) {
		left += charge.quantum;
		sim_set(ctx, &a->turn, winner);
	}
	base_checkf(charge.bytes <= left && left < 2 * (uint64_t)charge.quantum + 1, "%u bytes of %u, quantum %u",
	            charge.bytes, left, charge.quantum);
	sim_set(ctx, deficit, left - charge.bytes);
}

const struct sw_arbiter_about sw_arbiters[SW_ARBITER_KINDS] = {
	[SW_ARBITER_ROUND_ROBIN] = { .name = "round-robin",
	                             .rule = "the first that asks behind the last winner",
	                             .fair = "packets: who sends larger packets gets the larger share of the bytes" },
	[SW_ARBITER_AGE] = { .name = "age",
	                     .rule = "the oldest packet; since when its age counts is the switch's key `age`",
	                     .fair = "waiting time since `age`, not shares: these follow arrivals" },
	[SW_ARBITER_WEIGHTED] = { .name = "weighted",
	                          .rule = "round robin, a turn lasts for `weights` packets",
	                          .fair = "packets, in proportion to `weights`" },
	[SW_ARBITER_LEAST_RECENT] = { .name = "least-recent",
	                              .rule = "whose last win is longest ago",
	                              .fair = "packets, as round-robin, and in the time between two wins",
	                              .source = "Dally & Towles, Principles and Practices of Interconnection "
	                                        "Networks, 2004, section 18.5, the matrix arbiter" },
	[SW_ARBITER_DRR] = { .name = "drr",
	                     .rule =
	                         "deficit round robin: whoever asks may take `quantum` bytes a round; what is left is "
	                         "added to its next round",
	                     .fair = "bytes, whatever the sizes of packets",
	                     .source = "Shreedhar & Varghese, Efficient fair queueing using deficit round robin, "
	                               "SIGCOMM 1995" },
};
