/* switch/arbiters/least_recent.c - picks the least recently served requester. It is the matrix arbiter, with the same
 * order, but stores the time of each requester's last win instead of a matrix. Time is counted in wins. */
#include "switch/arbiter.h"

struct least_recent_state {
	uint32_t wins; /* so far */
	uint32_t spare;
	uint32_t last[]; /* [n] number of the requester's last win, from 1 on; 0: none */
};

static uint32_t pick_least_recent(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	const struct least_recent_state *s = state;
	uint32_t best = SW_NOBODY;
	(void)key;
	for (SW_EACH(i, requests, sw_set_words(n)))
		if (best == SW_NOBODY || s->last[i] < s->last[best])
			best = i;
	return best;
}

static void won(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win)
{
	struct least_recent_state *s = state;
	(void)n;
	(void)win;
	sim_set(ctx, &s->wins, s->wins + 1);
	sim_set(ctx, &s->last[winner], s->wins);
}

static const struct sw_arbiter_ops ops = {
	.state_bytes = sizeof(struct least_recent_state),
	.requester_bytes = sizeof(uint32_t),
	.fair = "packets, as with round-robin, and the time between two wins",
	.pick = pick_least_recent,
	.won = won,
};

const struct base_plugin sw_arbiter_least_recent = {
	.kind = "arbiter",
	.name = "least-recent",
	.summary = "the least recently served requester",
	.source =
	    "Dally & Towles, Principles and Practices of Interconnection Networks, 2004, section 18.5, the matrix "
	    "arbiter",
	.ops = &ops,
};
