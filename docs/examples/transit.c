/* docs/examples/transit.c - an arbiter as a plug-in: packets in transit go before those that were injected here.
 *
 * "Transit-over-injection priority" of dragonfly routers (Fuentes et al., Throughput unfairness in dragonfly networks
 * under realistic traffic patterns, IEEE Cluster 2015): what is in the network already leaves it soon, and endpoints of
 * a busy switch starve, which is what that paper is about.
 *
 *      switch = { kind = "crossbar"; inputs = "voq"; arbiter = "transit"; };
 *      switch = { kind = "tiled"; grant_arbiter = "transit"; };
 *
 * Among requesters of the same side the first behind the last winner wins, so the only state is whose turn it is. It
 * lies in the switch's own block, begins as zeros, and is changed by sim_set() alone: so a rollback undoes it. pick()
 * changes nothing, since who was picked need not be granted; won() is called when it is.
 *
 * The key says what is compared. A switch without links to others has no packets in transit, and refuses this arbiter
 * by name. */
#include "switch/arbiter.h"

static uint32_t pick(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *hops)
{
	const uint32_t *turn = state;
	uint64_t transit[SW_SET_WORDS] = { 0 };
	bool any = false;
	for (SW_EACH(i, requests, sw_set_words(n)))
		if (hops[i]) {
			sw_set_add(transit, i);
			any = true;
		}
	return sw_set_next(any ? transit : requests, n, *turn);
}

static void won(struct sim_ctx *ctx, uint32_t n, void *state, uint32_t winner, struct sw_win win)
{
	uint32_t *turn = state;
	(void)win; /* neither weights nor bytes */
	sim_set(ctx, turn, winner + 1 == n ? 0 : winner + 1);
}

static const struct sw_arbiter_ops ops = {
	.key = SW_KEY_HOPS,
	.state_bytes = sizeof(uint32_t),
	.fair = "packets, among those in transit and among those injected here, not between them",
	.pick = pick,
	.won = won,
};

static const struct base_plugin transit = {
	.kind = "arbiter",
	.name = "transit",
	.summary = "packets in transit before those that were injected at this switch; round robin among each",
	.source = "Fuentes et al., Throughput unfairness in dragonfly networks under realistic traffic patterns, IEEE "
		  "Cluster 2015",
	.ops = &ops,
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &transit, NULL };
