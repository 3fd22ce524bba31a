/* switch/crossbar/allocators/maximum.c - a matching of maximum size, found by augmenting paths: an upper bound for the
 * other allocators, not implementable in hardware. State: one word, the input with which the search begins. Cost:
 * O(ports^3 / 64). */
#include "switch/crossbar/allocator.h"

#include <string.h>

static size_t maximum_state_bytes(const struct sw_allocator *a)
{
	(void)a;
	return sizeof(uint64_t);
}

/* Searches for an augmenting path from input `root`, breadth first; visited outputs are removed from `unseen`. */
static bool augment(struct sw_round *r, uint32_t root, uint64_t *unseen)
{
	struct sw_allocator_work *w = r->w;
	uint16_t queue[SW_SET_PORTS], from[SW_SET_PORTS]; /* from[o]: the input that reached output o */
	uint32_t head = 0, tail = 0;
	queue[tail++] = (uint16_t)root;
	while (head < tail) {
		uint32_t i = queue[head++];
		uint64_t fresh[SW_SET_WORDS];
		for (uint32_t k = 0; k < w->out_words; k++) {
			fresh[k] = w->row[(size_t)i * w->out_words + k] & unseen[k];
			unseen[k] &= ~fresh[k];
		}
		for (SW_EACH(o, fresh, w->out_words)) {
			from[o] = (uint16_t)i;
			if (w->taken[o] != SW_NO_MATCH) {
				queue[tail++] = w->taken[o];
				continue;
			}
			for (uint32_t out = o; out != SW_NO_MATCH;) { /* inverts the path */
				uint32_t in = from[out], before = w->match[in];
				w->match[in] = (uint16_t)out;
				w->taken[out] = (uint16_t)in;
				out = in == root ? SW_NO_MATCH : before;
			}
			return true;
		}
	}
	return false;
}

static uint32_t match_maximum(struct sw_round *r)
{
	struct sw_allocator_work *w = r->w;
	uint64_t *turn = r->state;
	uint32_t pairs = 0, i = (uint32_t)*turn, n = r->a->inputs;
	uint64_t unseen[SW_SET_WORDS];
	memcpy(unseen, w->asked, sizeof unseen);
	for (uint32_t k = 0; k < n; k++, i = i + 1 == n ? 0 : i + 1) {
		if (!sw_set_has(w->asking, i))
			continue;
		if (augment(r, i, unseen)) {
			pairs++;
			memcpy(unseen, w->asked, sizeof unseen);
		} /* vertices visited by a failed search are of no use for other searches until the matching changes */
	}
	sim_set(r->ctx, turn, *turn + 1 == n ? 0 : *turn + 1);
	return pairs;
}

static const struct sw_allocator_ops ops = {
	.state_bytes = maximum_state_bytes,
	.match = match_maximum,
};

const struct base_plugin sw_allocator_maximum = {
	.kind = "allocator",
	.name = "maximum-size",
	.summary = "augmenting paths: a matching of maximum size; an upper bound for the others, not implementable in "
		   "hardware",
	.ops = &ops,
};
