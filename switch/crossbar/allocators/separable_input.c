/* switch/crossbar/allocators/separable_input.c - every input picks one of its requests, then every output picks one of
 * the picked requests, both by arbiters. Further iterations match inputs and outputs that have no partner yet. */
#include "switch/crossbar/allocator.h"

static uint32_t match_separable_input(struct sw_round *r)
{
	return sw_iterate(r, sw_inputs_ask);
}

static const struct sw_allocator_ops ops = {
	.iterates = true,
	.takes = SW_TAKES_ARBITERS,
	.state_bytes = sw_arbiters_bytes,
	.match = match_separable_input,
};

const struct base_plugin sw_allocator_separable_input = {
	.kind = "allocator",
	.name = "separable-input",
	.summary = "every input picks one request, then every output picks among these, by arbiters",
	.source = "Dally & Towles, Principles and Practices of Interconnection Networks, 2004, section 19.3",
	.ops = &ops,
};
