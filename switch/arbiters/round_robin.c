/* switch/arbiters/round_robin.c - the next requester after the last winner, cyclically. sw_arbiter_pick() and
 * sw_arbiter_won() inline it; these functions are for calls through the table. The state is the number of the requester
 * that is first in order. */
#include "switch/arbiter.h"

static uint32_t pick_round_robin(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	(void)key;
	return sw_arbiter_pick(&sw_arbiter_round_robin, n, state, requests, NULL);
}

static void won(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win)
{
	(void)win;
	sw_arbiter_won(ctx, &sw_arbiter_round_robin, n, state, winner, NULL, (struct sw_charge){ 0 });
}

static const struct sw_arbiter_ops ops = {
	.state_bytes = sizeof(uint32_t),
	.fair = "packets: a requester with larger packets gets a larger share of the bytes",
	.pick = pick_round_robin,
	.won = won,
};

const struct base_plugin sw_arbiter_round_robin = {
	.kind = "arbiter",
	.name = "round-robin",
	.summary = "the first requester after the last winner, cyclically",
	.ops = &ops,
};
