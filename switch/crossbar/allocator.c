/* switch/crossbar/allocator.c - see allocator.h */
#include "switch/crossbar/allocator.h"

#include "base/memory.h"
#include "sim/rng.h"

#include <stdlib.h>
#include <string.h>

/* State: ISLIP and separable: arbiters of the outputs, then of the inputs; LOA and SELECT: their pointers likewise;
 * WAVEFRONT and MAXIMUM: one word, the turn; PIM: nothing. */

static const struct base_plugin *arbiter_of(const struct sw_allocator *a)
{
	return a->kind == SW_ALLOCATOR_ISLIP ? &sw_arbiter_round_robin : a->arbiter;
}

/* Of one arbiter; they lie one behind the other. */
static size_t arbiter_bytes(const struct sw_allocator *a, uint32_t n)
{
	return (sw_arbiter_bytes(arbiter_of(a), n) + 7) & ~(size_t)7;
}

size_t sw_allocator_bytes(const struct sw_allocator *a)
{
	switch (a->kind) {
	case SW_ALLOCATOR_PIM:
		return 0;
	case SW_ALLOCATOR_WAVEFRONT:
	case SW_ALLOCATOR_MAXIMUM:
		return sizeof(uint64_t);
	case SW_ALLOCATOR_LOA:
	case SW_ALLOCATOR_SELECT:
		return ((size_t)a->outputs + a->inputs) * sizeof(uint32_t);
	case SW_ALLOCATOR_ISLIP:
	case SW_ALLOCATOR_SEPARABLE_INPUT:
	case SW_ALLOCATOR_SEPARABLE_OUTPUT:
		break;
	}
	return a->outputs * arbiter_bytes(a, a->inputs) + a->inputs * arbiter_bytes(a, a->outputs);
}

void sw_allocator_work_init(const struct sw_allocator *a, struct sw_allocator_work *w)
{
	uint32_t most = a->inputs > a->outputs ? a->inputs : a->outputs;
	*w = (struct sw_allocator_work){ .in_words = sw_set_words(a->inputs), .out_words = sw_set_words(a->outputs) };
	w->arbiter = arbiter_of(a);
	w->output_bytes = arbiter_bytes(a, a->inputs);
	w->input_bytes = arbiter_bytes(a, a->outputs);
	w->row = base_calloc((size_t)a->inputs * w->out_words, 8);
	w->column = base_calloc((size_t)a->outputs * w->in_words, 8);
	w->offer = base_calloc((size_t)most * SW_SET_WORDS, 8);
	w->line = base_calloc(most, 8);
	w->match = base_calloc(a->inputs, sizeof *w->match);
	w->taken = base_calloc(a->outputs, sizeof *w->taken);
	if (sw_arbiter_has_key(w->arbiter))
		w->key = base_calloc((size_t)a->inputs * a->outputs, 8);
}

void sw_allocator_work_free(struct sw_allocator_work *w)
{
	free(w->row);
	free(w->column);
	free(w->offer);
	free(w->line);
	free(w->match);
	free(w->taken);
	free(w->key);
	*w = (struct sw_allocator_work){ 0 };
}

void sw_allocator_begin(const struct sw_allocator *a, struct sw_allocator_work *w)
{
	for (SW_EACH(i, w->asking, w->in_words)) {
		memset(w->row + (size_t)i * w->out_words, 0, 8ul * w->out_words);
		w->match[i] = SW_NO_MATCH;
	}
	for (SW_EACH(o, w->asked, w->out_words)) {
		memset(w->column + (size_t)o * w->in_words, 0, 8ul * w->in_words);
		w->taken[o] = SW_NO_MATCH;
	}
	memset(w->asking, 0, sizeof w->asking);
	memset(w->asked, 0, sizeof w->asked);
	(void)a;
}

/* --- request, grant, accept
 * ---------------------------------------------------------------------------------------------- */

/* One call's view, to keep argument lists short. */
struct round {
	struct sim_ctx *ctx;
	const struct sw_allocator *a;
	void *state;
	struct sw_allocator_work *w;
	uint32_t entity, count, iteration;
	uint64_t free_in[SW_SET_WORDS], free_out[SW_SET_WORDS];
};

static void *output_arbiter(const struct round *r, uint32_t output)
{
	return (unsigned char *)r->state + output * r->w->output_bytes;
}

static void *input_arbiter(const struct round *r, uint32_t input)
{
	return (unsigned char *)r->state + r->a->outputs * r->w->output_bytes + input * r->w->input_bytes;
}

static uint32_t random_member(const struct round *r, const uint64_t *set, uint32_t words, uint32_t which)
{
	uint32_t n = 0;
	for (uint32_t k = 0; k < words; k++)
		n += (uint32_t)__builtin_popcountll(set[k]);
	struct sim_draw d = sim_draw4(r->a->seed, r->entity, r->count, SIM_DRAW_SWITCH, r->iteration << 16 | which);
	uint32_t left = sim_below(d.v[0], n);
	for (uint32_t k = 0; k < words; k++) {
		uint64_t bits = set[k];
		uint32_t here = (uint32_t)__builtin_popcountll(bits);
		if (left >= here) {
			left -= here;
			continue;
		}
		while (left--)
			bits &= bits - 1;
		return k * 64 + (uint32_t)__builtin_ctzll(bits);
	}
	return SW_NOBODY;
}

/* Output `o` chooses among the inputs of `set`. */
static uint32_t choose_input(const struct round *r, uint32_t o, const uint64_t *set)
{
	const struct sw_allocator *a = r->a;
	if (a->kind == SW_ALLOCATOR_PIM)
		return random_member(r, set, r->w->in_words, o);
	if (r->w->key) {
		for (SW_EACH(i, set, r->w->in_words))
			r->w->line[i] = r->w->key[(size_t)i * a->outputs + o];
	}
	return sw_arbiter_pick(r->w->arbiter, a->inputs, output_arbiter(r, o), set, r->w->line);
}

static uint32_t choose_output(const struct round *r, uint32_t i, const uint64_t *set)
{
	const struct sw_allocator *a = r->a;
	if (a->kind == SW_ALLOCATOR_PIM)
		return random_member(r, set, r->w->out_words, i | 0x8000u);
	return sw_arbiter_pick(r->w->arbiter, a->outputs, input_arbiter(r, i), set,
	                       r->w->key ? r->w->key + (size_t)i * a->outputs : NULL);
}

/* A pair by arbiters that compare keys. */
static __attribute__((noinline)) void report_keyed(struct round *r, uint32_t i, uint32_t o)
{
	const struct sw_allocator *a = r->a;
	if (!sw_arbiter_ops(r->w->arbiter)->won)
		return;
	bool by_bytes = sw_arbiter_key(r->w->arbiter) == SW_KEY_BYTES;
	struct sw_charge charge = { by_bytes ? (uint32_t)r->w->key[(size_t)i * a->outputs + o] : 0, a->quantum };
	sw_arbiter_won(r->ctx, r->w->arbiter, a->inputs, output_arbiter(r, o), i, a->weight, charge);
	sw_arbiter_won(r->ctx, r->w->arbiter, a->outputs, input_arbiter(r, i), o, a->weight, charge);
}

static void pair_up(struct round *r, uint32_t i, uint32_t o)
{
	base_checkf(sw_set_has(r->free_in, i) && sw_set_has(r->free_out, o), "input %u and output %u", i, o);
	r->w->match[i] = (uint16_t)o;
	r->w->taken[o] = (uint16_t)i;
	sw_set_remove(r->free_in, i);
	sw_set_remove(r->free_out, o);
}

/* The same, and their arbiters learn of it. */
static void join(struct round *r, uint32_t i, uint32_t o)
{
	pair_up(r, i, o);
	if (r->a->kind == SW_ALLOCATOR_PIM || (r->a->kind == SW_ALLOCATOR_ISLIP && r->iteration > 0))
		return;
	if (sim_unlikely(r->w->key != NULL)) {
		report_keyed(r, i, o);
		return;
	}
	struct sw_charge none = { 0 };
	sw_arbiter_won(r->ctx, r->w->arbiter, r->a->inputs, output_arbiter(r, o), i, r->a->weight, none);
	sw_arbiter_won(r->ctx, r->w->arbiter, r->a->outputs, input_arbiter(r, i), o, r->a->weight, none);
}

/* Outputs grant, inputs accept. Returns new pairs. */
static uint32_t output_first(struct round *r)
{
	struct sw_allocator_work *w = r->w;
	uint64_t granted[SW_SET_WORDS] = { 0 };
	uint32_t pairs = 0;
	for (SW_EACH(o, r->free_out, w->out_words)) {
		uint64_t set[SW_SET_WORDS];
		for (uint32_t k = 0; k < w->in_words; k++)
			set[k] = w->column[(size_t)o * w->in_words + k] & r->free_in[k];
		if (!sw_set_any(set, w->in_words))
			continue;
		uint32_t i = choose_input(r, o, set);
		if (!sw_set_has(granted, i))
			memset(w->offer + (size_t)i * SW_SET_WORDS, 0, 8ul * SW_SET_WORDS);
		sw_set_add(granted, i);
		sw_set_add(w->offer + (size_t)i * SW_SET_WORDS, o);
	}
	for (SW_EACH(i, granted, w->in_words)) {
		join(r, i, choose_output(r, i, w->offer + (size_t)i * SW_SET_WORDS));
		pairs++;
	}
	return pairs;
}

/* Inputs choose one request each, outputs choose among those. */
static uint32_t input_first(struct round *r)
{
	struct sw_allocator_work *w = r->w;
	uint64_t wanted[SW_SET_WORDS] = { 0 };
	uint32_t pairs = 0;
	for (SW_EACH(i, r->free_in, w->in_words)) {
		uint64_t set[SW_SET_WORDS];
		for (uint32_t k = 0; k < w->out_words; k++)
			set[k] = w->row[(size_t)i * w->out_words + k] & r->free_out[k];
		if (!sw_set_any(set, w->out_words))
			continue;
		uint32_t o = choose_output(r, i, set);
		if (!sw_set_has(wanted, o))
			memset(w->offer + (size_t)o * SW_SET_WORDS, 0, 8ul * SW_SET_WORDS);
		sw_set_add(wanted, o);
		sw_set_add(w->offer + (size_t)o * SW_SET_WORDS, i);
	}
	for (SW_EACH(o, wanted, w->out_words)) {
		join(r, choose_input(r, o, w->offer + (size_t)o * SW_SET_WORDS), o);
		pairs++;
	}
	return pairs;
}

/* --- lonely output, select
 * ------------------------------------------------------------------------------------------------------- */

static uint32_t *output_pointer(const struct round *r, uint32_t o)
{
	return (uint32_t *)r->state + o;
}

static uint32_t *input_pointer(const struct round *r, uint32_t i)
{
	return (uint32_t *)r->state + r->a->outputs + i;
}

static void point_behind(struct round *r, uint32_t *pointer, uint32_t at, uint32_t n)
{
	sim_set(r->ctx, pointer, at + 1 == n ? 0 : at + 1);
}

/* The output with fewest requests among those of `row`, the first of several at or after `turn`. */
static uint32_t loneliest(const struct round *r, const uint64_t *row, uint32_t turn, const uint64_t *requests)
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

static uint32_t lonely_output(struct round *r)
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
		uint32_t o = loneliest(r, w->row + (size_t)i * w->out_words, *input_pointer(r, i), requests);
		sw_set_add(wanted, o);
		sw_set_add(w->offer + (size_t)o * SW_SET_WORDS, i);
	}
	for (SW_EACH(o, wanted, w->out_words)) {
		uint32_t *out = output_pointer(r, o), *in;
		uint32_t i = sw_set_next(w->offer + (size_t)o * SW_SET_WORDS, a->inputs, *out);
		in = input_pointer(r, i);
		pair_up(r, i, o);
		point_behind(r, out, *out, a->inputs);
		point_behind(r, in, *in, a->outputs);
		pairs++;
	}
	return pairs;
}

/* Leaves only the oldest in `set`; age[i * stride] is that of member i. */
static void keep_oldest(uint64_t *set, uint32_t words, const uint64_t *age, size_t stride)
{
	uint64_t oldest = UINT64_MAX;
	for (SW_EACH(i, set, words))
		oldest = age[i * stride] < oldest ? age[i * stride] : oldest;
	for (SW_EACH(i, set, words))
		if (age[i * stride] > oldest)
			sw_set_remove(set, i);
}

/* One iteration: outputs grant, inputs accept, both the oldest, ties by their pointers. Returns new pairs. */
static uint32_t select_some(struct round *r)
{
	const struct sw_allocator *a = r->a;
	struct sw_allocator_work *w = r->w;
	uint64_t granted[SW_SET_WORDS] = { 0 };
	uint32_t pairs = 0;
	for (SW_EACH(o, r->free_out, w->out_words)) {
		uint64_t set[SW_SET_WORDS];
		for (uint32_t k = 0; k < w->in_words; k++)
			set[k] = w->column[(size_t)o * w->in_words + k] & r->free_in[k];
		if (!sw_set_any(set, w->in_words))
			continue;
		if (w->key)
			keep_oldest(set, w->in_words, w->key + o, a->outputs);
		uint32_t i = sw_set_next(set, a->inputs, *output_pointer(r, o));
		if (!sw_set_has(granted, i))
			memset(w->offer + (size_t)i * SW_SET_WORDS, 0, 8ul * SW_SET_WORDS);
		sw_set_add(granted, i);
		sw_set_add(w->offer + (size_t)i * SW_SET_WORDS, o);
	}
	for (SW_EACH(i, granted, w->in_words)) {
		uint64_t *set = w->offer + (size_t)i * SW_SET_WORDS;
		if (w->key)
			keep_oldest(set, w->out_words, w->key + (size_t)i * a->outputs, 1);
		uint32_t o = sw_set_next(set, a->outputs, *input_pointer(r, i));
		pair_up(r, i, o);
		pairs++;
		if (r->iteration)
			continue;
		point_behind(r, output_pointer(r, o), i, a->inputs);
		point_behind(r, input_pointer(r, i), o, a->outputs);
	}
	return pairs;
}

static uint32_t select_all(struct round *r)
{
	uint32_t pairs = 0, more = 1;
	for (; more && r->iteration < r->a->iterations; r->iteration++) {
		more = select_some(r);
		pairs += more;
	}
	return pairs;
}

/* --- without arbiters
 * ---------------------------------------------------------------------------------------------------- */

static uint32_t wavefront(struct round *r)
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

/* Looks for an augmenting path from input `root`, breadth first; visited outputs are left out of `unseen`. */
static bool augment(struct round *r, uint32_t root, uint64_t *unseen)
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
			for (uint32_t out = o; out != SW_NO_MATCH;) { /* turn the path round */
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

static uint32_t maximum(struct round *r)
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
		} /* what a search without success has seen leads nowhere for the others either, until the matching
		     changes */
	}
	sim_set(r->ctx, turn, *turn + 1 == n ? 0 : *turn + 1);
	return pairs;
}

/* Does each input with a partner ask for it, and is it its partner's? `pairs`: so many are there. */
static bool is_matching(const struct sw_allocator_work *w, uint32_t pairs)
{
	uint32_t inputs = 0, outputs = 0;
	for (SW_EACH(i, w->asking, w->in_words)) {
		uint32_t o = w->match[i];
		if (o == SW_NO_MATCH)
			continue;
		if (!sw_allocator_requested(w, i, o) || w->taken[o] != i)
			return false;
		inputs++;
	}
	for (SW_EACH(o, w->asked, w->out_words))
		outputs += w->taken[o] != SW_NO_MATCH;
	return inputs == pairs && outputs == pairs;
}

static uint32_t match(struct round *r)
{
	const struct sw_allocator *a = r->a;
	if (a->kind == SW_ALLOCATOR_WAVEFRONT)
		return wavefront(r);
	if (a->kind >= SW_ALLOCATOR_MAXIMUM)
		return a->kind == SW_ALLOCATOR_MAXIMUM ? maximum(r)
		       : a->kind == SW_ALLOCATOR_LOA   ? lonely_output(r)
		                                       : select_all(r);
	uint32_t pairs = 0;
	for (; r->iteration < a->iterations; r->iteration++) {
		uint32_t more = a->kind == SW_ALLOCATOR_SEPARABLE_INPUT ? input_first(r) : output_first(r);
		if (!more)
			break;
		pairs += more;
	}
	return pairs;
}

uint32_t sw_allocator_match(struct sim_ctx *ctx, const struct sw_allocator *a, void *state, struct sw_allocator_work *w,
                            uint32_t entity, uint32_t count)
{
	struct round r = { .ctx = ctx, .a = a, .state = state, .w = w, .entity = entity, .count = count };
	memcpy(r.free_in, w->asking, sizeof r.free_in);
	memcpy(r.free_out, w->asked, sizeof r.free_out);
	for (SW_EACH(i, w->asking, w->in_words))
		w->match[i] = SW_NO_MATCH;
	for (SW_EACH(o, w->asked, w->out_words))
		w->taken[o] = SW_NO_MATCH;
	uint32_t pairs = match(&r);
	base_checkf(is_matching(w, pairs), "%u pairs", pairs);
	return pairs;
}
