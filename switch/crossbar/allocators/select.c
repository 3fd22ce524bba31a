/* switch/crossbar/allocators/select.c - iSLIP with priorities, which are compared before the pointers: with arbiter
 * = "age" the oldest packet has the highest priority. Without priorities it is the allocator islip. State: the
 * pointers. */
#include "switch/crossbar/allocator.h"

#include <string.h>

/* Keeps only the oldest member of `set`; age[i * stride] is that of member i. */
static void keep_oldest(uint64_t *set, uint32_t words, const uint64_t *age, size_t stride)
{
	uint64_t oldest = UINT64_MAX;
	for (SW_EACH(i, set, words))
		oldest = age[i * stride] < oldest ? age[i * stride] : oldest;
	for (SW_EACH(i, set, words))
		if (age[i * stride] > oldest)
			sw_set_remove(set, i);
}

/* One iteration: outputs grant the request with the oldest packet, then inputs accept the grant for their oldest
 * packet; pointers resolve ties. Returns the number of new pairs. */
static uint32_t select_some(struct sw_round *r)
{
	const struct sw_allocator *a = r->a;
	struct sw_allocator_work *w = r->w;
	uint64_t granted[SW_SET_WORDS] = { 0 };
	uint32_t pairs = 0;
	for (SW_EACH(o, r->free_out, w->out_words)) {
		uint64_t set[SW_SET_WORDS];
		if (!sw_free_requests(r, o, set))
			continue;
		if (w->key)
			keep_oldest(set, w->in_words, w->key + o, a->outputs);
		uint32_t i = sw_set_next(set, a->inputs, *sw_output_pointer(r, o));
		if (!sw_set_has(granted, i))
			memset(w->offer + (size_t)i * SW_SET_WORDS, 0, 8ul * SW_SET_WORDS);
		sw_set_add(granted, i);
		sw_set_add(w->offer + (size_t)i * SW_SET_WORDS, o);
	}
	for (SW_EACH(i, granted, w->in_words)) {
		uint64_t *set = w->offer + (size_t)i * SW_SET_WORDS;
		if (w->key)
			keep_oldest(set, w->out_words, w->key + (size_t)i * a->outputs, 1);
		uint32_t o = sw_set_next(set, a->outputs, *sw_input_pointer(r, i));
		sw_pair_up(r, i, o);
		pairs++;
		if (r->iteration)
			continue;
		sw_point_behind(r, sw_output_pointer(r, o), i, a->inputs);
		sw_point_behind(r, sw_input_pointer(r, i), o, a->outputs);
	}
	return pairs;
}

static uint32_t match_select(struct sw_round *r)
{
	uint32_t pairs = 0, more = 1;
	for (; more && r->iteration < r->a->iterations; r->iteration++) {
		more = select_some(r);
		pairs += more;
	}
	return pairs;
}

static const struct sw_allocator_ops ops = {
	.iterates = true,
	.takes = SW_TAKES_PRIORITIES,
	.state_bytes = sw_pointer_bytes,
	.match = match_select,
};

const struct base_plugin sw_allocator_select = {
	.kind = "allocator",
	.name = "select",
	.summary = "iSLIP with priorities, compared before the pointers: the oldest packet first with arbiter = "
		   "\"age\"; without priorities as islip",
	.source = "prioritised iSLIP, McKeown 1999; select of BookSim 2",
	.ops = &ops,
};
