/* switch/crossbar/allocators/pim.c - parallel iterative matching: request, grant and accept, with random choices. It
 * has no state. */
#include "switch/crossbar/allocator.h"

static uint32_t match_pim(struct sw_round *r)
{
	r->at_random = true;
	return sw_iterate(r, sw_outputs_grant);
}

static const struct sw_allocator_ops ops = {
	.iterates = true,
	.match = match_pim,
};

const struct base_plugin sw_allocator_pim = {
	.kind = "allocator",
	.name = "pim",
	.summary = "request, grant, accept with random choices",
	.source = "Anderson et al., High-speed switch scheduling for local-area networks, ACM TOCS 11(4), 1993",
	.ops = &ops,
};
