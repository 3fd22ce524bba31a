/* switch/arbiters/weighted.c - weighted round robin: a requester keeps its turn for a number of wins equal to its
 * weight. */
#include "switch/arbiter.h"

struct weighted_state {
	uint32_t turn; /* the current requester */
	uint32_t left; /* remaining wins of `turn`, 0: a full weight */
};

static uint32_t pick_weighted(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	const struct weighted_state *s = state;
	(void)key;
	return sw_set_next(requests, n, s->turn);
}

static void won(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win)
{
	struct weighted_state *s = state;
	uint32_t left = winner == s->turn && s->left ? s->left : win.weight;
	sim_save(ctx, s, sizeof *s);
	base_checkf(left > 0 && left <= win.weight && s->turn < n, "%u turns of %u left to %u", left, win.weight,
	            winner);
	s->left = left - 1;
	s->turn = left > 1 ? winner : winner + 1 == n ? 0 : winner + 1;
}

static const struct sw_arbiter_ops ops = {
	.weights = true,
	.state_bytes = sizeof(struct weighted_state),
	.fair = "packets, in proportion to `weights`",
	.pick = pick_weighted,
	.won = won,
};

const struct base_plugin sw_arbiter_weighted = {
	.kind = "arbiter",
	.name = "weighted",
	.summary = "round robin in which a requester keeps its turn for `weights` packets",
	.ops = &ops,
};
