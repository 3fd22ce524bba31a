/* switch/arbiters/drr.c - deficit round robin: equal shares of the bytes.
 *
 * Shreedhar & Varghese, Efficient fair queueing using deficit round robin, SIGCOMM 1995: the requester whose turn it is
 * may take a quantum of bytes; what its next packet is too large for is its deficit, which is added to its next turn.
 * The quantum is at least the largest packet, so every turn suffices for one.
 *
 * There the scheduler sees queues. An arbiter sees who may go now: a queue with packets may not ask for a moment, its
 * request being under way or its lane reserved. So here a requester that does not ask keeps its deficit, and one that
 * has enough of it goes before the next turn begins. None has more than two quanta: a turn is given only to a requester
 * that has less than its packet. */
#include "switch/arbiter.h"

struct drr_state {
	uint32_t turn; /* whose turn it is */
	uint32_t spare;
	uint32_t deficit[]; /* [n] bytes that each may still take of its turn */
};

static uint32_t pick_by_deficit(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	const struct drr_state *s = state;
	uint32_t first = sw_set_next(requests, n, s->turn), i = first;
	if (first == SW_NOBODY)
		return SW_NOBODY;
	do {
		if (key[i] <= s->deficit[i])
			return i;
		i = sw_set_next(requests, n, i + 1 == n ? 0 : i + 1);
	} while (i != first);
	return sw_set_next(requests, n, s->turn + 1 == n ? 0 : s->turn + 1);
}

static void won(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win)
{
	struct drr_state *s = state;
	uint32_t left = s->deficit[winner];
	(void)n;
	if (!win.bytes)
		return;
	if (left < win.bytes) {
		left += win.quantum;
		sim_set(ctx, &s->turn, winner);
	}
	base_checkf(win.bytes <= left && left < 2 * (uint64_t)win.quantum + 1, "%u bytes of %u, quantum %u", win.bytes,
	            left, win.quantum);
	sim_set(ctx, &s->deficit[winner], left - win.bytes);
}

static const struct sw_arbiter_ops ops = {
	.key = SW_KEY_BYTES,
	.quantum = true,
	.state_bytes = sizeof(struct drr_state),
	.requester_bytes = sizeof(uint32_t),
	.fair = "bytes, whatever the sizes of packets",
	.pick = pick_by_deficit,
	.won = won,
};

const struct base_plugin sw_arbiter_drr = {
	.kind = "arbiter",
	.name = "drr",
	.summary =
	    "deficit round robin: each requester may take `quantum` bytes a round; what it leaves is added to its next "
	    "round",
	.source = "Shreedhar & Varghese, Efficient fair queueing using deficit round robin, SIGCOMM 1995",
	.ops = &ops,
};
