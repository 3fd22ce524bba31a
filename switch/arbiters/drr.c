/* switch/arbiters/drr.c - deficit round robin: equal shares of the bytes.
 *
 * Shreedhar & Varghese, Efficient fair queueing using deficit round robin, SIGCOMM 1995: the requester whose turn it is
 * may send a quantum of bytes; the rest of the quantum that is too small for its next packet is its deficit, which is
 * added to the quantum of its next turn. The quantum is at least the largest packet, so every turn suffices for one
 * packet.
 *
 * In the paper the scheduler sees queues. An arbiter only sees current requests: a queue with packets may have no
 * request for a moment, while its request is on the way or its lane is reserved. So here a requester without a request
 * keeps its deficit, and one whose deficit suffices is served before the next turn begins. A deficit never exceeds two
 * quanta: only a requester whose deficit is less than its packet gets a turn. */
#include "switch/arbiter.h"

struct drr_state {
	uint32_t turn; /* the requester whose turn it is */
	uint32_t spare;
	uint32_t deficit[]; /* [n] bytes that each may still send in its turn */
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
	.fair = "bytes, for any sizes of packets",
	.pick = pick_by_deficit,
	.won = won,
};

const struct base_plugin sw_arbiter_drr = {
	.kind = "arbiter",
	.name = "drr",
	.summary = "deficit round robin: each requester may send `quantum` bytes per round; the unused rest is added "
		   "to its next round",
	.source = "Shreedhar & Varghese, Efficient fair queueing using deficit round robin, SIGCOMM 1995",
	.ops = &ops,
};
