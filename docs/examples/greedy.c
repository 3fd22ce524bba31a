/* docs/examples/greedy.c - an allocator of crossbars as a plug-in: inputs choose one after the other.
 *
 * Each input takes the first output that it asks for and that is free, from its own number on; which input is first
 * moves on by one in every call. The matching is maximal: no pair could be added to it. It is what software would do,
 * and no circuit does in one cycle: every input waits for the one before it.
 *
 *      switch = { kind = "crossbar"; inputs = "voq"; allocator = "greedy"; };
 *
 * The state, one word, lies in the switch's own block, begins as zeros, and is changed by sim_set() alone. */
#include "switch/crossbar/allocator.h"

static size_t state_bytes(const struct sw_allocator *a)
{
	(void)a;
	return sizeof(uint64_t);
}

static uint32_t match(struct sw_round *r)
{
	uint64_t *first = r->state;
	uint32_t n = r->a->inputs, pairs = 0;
	for (uint32_t k = 0; k < n; k++) {
		uint32_t i = (uint32_t)*first + k < n ? (uint32_t)*first + k : (uint32_t)*first + k - n;
		if (!sw_set_has(r->free_in, i)) /* it does not ask */
			continue;
		uint64_t free[SW_SET_WORDS];
		for (uint32_t w = 0; w < r->w->out_words; w++)
			free[w] = r->w->row[i * r->w->out_words + w] & r->free_out[w];
		uint32_t o = sw_set_next(free, r->a->outputs, i < r->a->outputs ? i : 0);
		if (o == SW_NOBODY)
			continue;
		sw_pair_up(r, i, o);
		pairs++;
	}
	sim_set(r->ctx, first, *first + 1 == n ? 0 : *first + 1);
	return pairs;
}

static const struct sw_allocator_ops ops = {
	.state_bytes = state_bytes,
	.match = match,
};

static const struct base_plugin greedy = {
	.kind = "allocator",
	.name = "greedy",
	.summary = "one input after the other takes the first free output that it asks for; maximal",
	.ops = &ops,
};

extern const unsigned tilefly_plugin_abi;
extern const struct base_plugin *const tilefly_plugins[];

const unsigned tilefly_plugin_abi = BASE_PLUGIN_ABI;
const struct base_plugin *const tilefly_plugins[] = { &greedy, NULL };
