/* switch/crossbar/allocators/separable_output.c - every output picks one of the requests for it, then every input picks
 * one of the outputs that picked it, both by arbiters. Further iterations match inputs and outputs that have no partner
 * yet. */
#include "switch/crossbar/allocator.h"

static uint32_t match_separable_output(struct sw_round *r)
{
	return sw_iterate(r, sw_outputs_grant);
}

static const struct sw_allocator_ops ops = {
	.iterates = true,
	.takes = SW_TAKES_ARBITERS,
	.state_bytes = sw_arbiters_bytes,
	.match = match_separable_output,
};

const struct base_plugin sw_allocator_separable_output = {
	.kind = "allocator",
	.name = "separable-output",
	.summary = "every output picks one request, then every input picks among these, by arbiters",
	.source = "Dally & Towles, Principles and Practices of Interconnection Networks, 2004, section 19.3",
	.ops = &ops,
};
