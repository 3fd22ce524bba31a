/* switch/crossbar/allocators/loa.c - lonely output: every input requests only the output with the fewest requests,
 * where the input's pointer resolves ties; every output picks among the remaining requests by its own pointer. A grant
 * advances both pointers by one. There is only one iteration. State: the pointers. Cost: O(requests). */
#include "switch/crossbar/allocator.h"

#include <string.h>

/* The output with fewest requests among those of `row`, the first of several at or after `turn`. */
static uint32_t loneliest(const struct sw_round *r, const uint64_t *row, uint32_t turn, const uint64_t *requests)
{
	uint32_t best = SW_NOBODY, n = r->a->outputs, best_distance = 0;
	for (SW_EACH(o, row, r->w->out_words)) {
		uint32_t distance = o >= turn ? o - turn : o + n - turn;
		if (best != SW_NOBODY &&
		    (requests[o] > requests[best] || (requests[o] == requests[best] && distance > best_distance)))
			continue;
		best = o;
		best_distance = distance;
	}
	return best;
}

static uint32_t match_loa(struct sw_round *r)
{
	const struct sw_allocator *a = r->a;
	struct sw_allocator_work *w = r->w;
	uint64_t wanted[SW_SET_WORDS] = { 0 }, *requests = w->line;
	uint32_t pairs = 0;
	for (SW_EACH(o, w->asked, w->out_words)) {
		requests[o] = 0;
		for (uint32_t k = 0; k < w->in_words; k++)
			requests[o] += (uint64_t)__builtin_popcountll(w->column[(size_t)o * w->in_words + k]);
		memset(w->offer + (size_t)o * SW_SET_WORDS, 0, 8ul * SW_SET_WORDS);
	}
	for (SW_EACH(i, w->asking, w->in_words)) {
		uint32_t o = loneliest(r, w->row + (size_t)i * w->out_words, *sw_input_pointer(r, i), requests);
		sw_set_add(wanted, o);
		sw_set_add(w->offer + (size_t)o * SW_SET_WORDS, i);
	}
	for (SW_EACH(o, wanted, w->out_words)) {
		uint32_t *out = sw_output_pointer(r, o), *in;
		uint32_t i = sw_set_next(w->offer + (size_t)o * SW_SET_WORDS, a->inputs, *out);
		in = sw_input_pointer(r, i);
		sw_pair_up(r, i, o);
		sw_point_behind(r, out, *out, a->inputs);
		sw_point_behind(r, in, *in, a->outputs);
		pairs++;
	}
	return pairs;
}

static const struct sw_allocator_ops ops = {
	.state_bytes = sw_pointer_bytes,
	.match = match_loa,
};

const struct base_plugin sw_allocator_loa = {
	.kind = "allocator",
	.name = "loa",
	.summary = "lonely output: every input requests only the output with the fewest requests; every output picks "
		   "among the remaining requests",
	.source = "Dally & Towles, Principles and Practices of Interconnection Networks, 2004, section 19.3.3; loa of "
		  "BookSim 2",
	.ops = &ops,
};
