/* switch/crossbar/allocators/wavefront.c - wavefront: matches along one diagonal of the request matrix after the other,
 * beginning with a diagonal that advances at every call. The matching is maximal: no further pair is possible. State:
 * one word, the first diagonal. Cost: O(ports^2). */
#include "switch/crossbar/allocator.h"

static size_t wavefront_state_bytes(const struct sw_allocator *a)
{
	(void)a;
	return sizeof(uint64_t);
}

static uint32_t match_wavefront(struct sw_round *r)
{
	const struct sw_allocator *a = r->a;
	struct sw_allocator_work *w = r->w;
	uint64_t *turn = r->state;
	uint32_t side = a->inputs > a->outputs ? a->inputs : a->outputs, pairs = 0;
	for (uint32_t d = 0; d < side && sw_set_any(r->free_in, w->in_words); d++) {
		uint32_t diagonal = (uint32_t)*turn + d;
		diagonal -= diagonal >= side ? side : 0;
		for (SW_EACH(i, r->free_in, w->in_words)) { /* cells (i, diagonal - i) */
			uint32_t o = diagonal >= i ? diagonal - i : diagonal + side - i;
			if (o < a->outputs && sw_allocator_requested(w, i, o) && sw_set_has(r->free_out, o)) {
				w->match[i] = (uint16_t)o;
				w->taken[o] = (uint16_t)i;
				sw_set_remove(r->free_in, i);
				sw_set_remove(r->free_out, o);
				pairs++;
			}
		}
	}
	sim_set(r->ctx, turn, *turn + 1 == side ? 0 : *turn + 1);
	return pairs;
}

static const struct sw_allocator_ops ops = {
	.state_bytes = wavefront_state_bytes,
	.match = match_wavefront,
};

const struct base_plugin sw_allocator_wavefront = {
	.kind = "allocator",
	.name = "wavefront",
	.summary = "diagonal by diagonal, from a diagonal that advances at every call; maximal",
	.source = "Tamir & Chi, IEEE TPDS 4(1), 1993",
	.ops = &ops,
};
