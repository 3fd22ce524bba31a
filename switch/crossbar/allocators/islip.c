/* switch/crossbar/allocators/islip.c - iSLIP: request, grant and accept, with a round-robin pointer at every output and
 * input. A pointer moves only past a grant that was accepted in the first iteration. */
#include "switch/crossbar/allocator.h"

static uint32_t grant(struct sw_round *r)
{
	r->silent = r->iteration > 0;
	return sw_outputs_grant(r);
}

static uint32_t match_islip(struct sw_round *r)
{
	return sw_iterate(r, grant);
}

static const struct sw_allocator_ops ops = {
	.iterates = true,
	.state_bytes = sw_arbiters_bytes,
	.match = match_islip,
};

const struct base_plugin sw_allocator_islip = {
	.kind = "allocator",
	.name = "islip",
	.summary = "request, grant, accept with round-robin pointers that advance only past grants accepted in the "
		   "first iteration",
	.source = "McKeown, The iSLIP scheduling algorithm, IEEE/ACM ToN 7(2), 1999",
	.ops = &ops,
};
