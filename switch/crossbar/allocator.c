/* switch/crossbar/allocator.c - see allocator.h */
#include "switch/crossbar/allocator.h"

#include "base/memory.h"
#include "sim/rng.h"

#include <stdlib.h>
#include <string.h>

static const struct base_plugin *arbiter_of(const struct sw_allocator *a)
{
	return sw_allocator_ops(a->plugin)->takes == SW_TAKES_NONE ? &sw_arbiter_round_robin : a->arbiter;
}

/* State of one arbiter; the states are contiguous. */
static size_t arbiter_bytes(const struct sw_allocator *a, uint32_t n)
{
	return (sw_arbiter_bytes(arbiter_of(a), n) + 7) & ~(size_t)7;
}

size_t sw_arbiters_bytes(const struct sw_allocator *a)
{
	return a->outputs * arbiter_bytes(a, a->inputs) + a->inputs * arbiter_bytes(a, a->outputs);
}

size_t sw_pointer_bytes(const struct sw_allocator *a)
{
	return ((size_t)a->outputs + a->inputs) * sizeof(uint32_t);
}

size_t sw_allocator_bytes(const struct sw_allocator *a)
{
	const struct sw_allocator_ops *ops = sw_allocator_ops(a->plugin);
	return ops->state_bytes ? ops->state_bytes(a) : 0;
}

int sw_allocator_check(const struct base_plugin *allocator, struct base_errors *errors)
{
	if (!sw_allocator_ops(allocator)->match)
		return base_errorf(errors, "allocator", "allocator \"%s\": the required function match() is NULL",
		                   allocator->name);
	if (allocator->params)
		return base_errorf(errors, "allocator",
		                   "allocator \"%s\": it has parameters of its own; allocators use the switch's "
		                   "iterations and arbiter",
		                   allocator->name);
	return 0;
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
	memset(w->match, 0xff, a->inputs * sizeof *w->match); /* SW_NO_MATCH */
	memset(w->taken, 0xff, a->outputs * sizeof *w->taken);
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

/* --- request, grant, accept ------------------------------------------------------------------------------ */

static void *output_arbiter(const struct sw_round *r, uint32_t output)
{
	return (unsigned char *)r->state + output * r->w->output_bytes;
}

static void *input_arbiter(const struct sw_round *r, uint32_t input)
{
	return (unsigned char *)r->state + r->a->outputs * r->w->output_bytes + input * r->w->input_bytes;
}

static uint32_t random_member(const struct sw_round *r, const uint64_t *set, uint32_t words, uint32_t which)
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
static uint32_t choose_input(const struct sw_round *r, uint32_t o, const uint64_t *set)
{
	const struct sw_allocator *a = r->a;
	if (r->at_random)
		return random_member(r, set, r->w->in_words, o);
	if (r->w->key) {
		for (SW_EACH(i, set, r->w->in_words))
			r->w->line[i] = r->w->key[(size_t)i * a->outputs + o];
	}
	return sw_arbiter_pick(r->w->arbiter, a->inputs, output_arbiter(r, o), set, r->w->line);
}

static uint32_t choose_output(const struct sw_round *r, uint32_t i, const uint64_t *set)
{
	const struct sw_allocator *a = r->a;
	if (r->at_random)
		return random_member(r, set, r->w->out_words, i | 0x8000u);
	return sw_arbiter_pick(r->w->arbiter, a->outputs, input_arbiter(r, i), set,
	                       r->w->key ? r->w->key + (size_t)i * a->outputs : NULL);
}

/* A pair chosen by arbiters that compare keys. */
static __attribute__((noinline)) void report_keyed(struct sw_round *r, uint32_t i, uint32_t o)
{
	const struct sw_allocator *a = r->a;
	if (!sw_arbiter_ops(r->w->arbiter)->won)
		return;
	bool by_bytes = sw_arbiter_key(r->w->arbiter) == SW_KEY_BYTES;
	struct sw_charge charge = { by_bytes ? (uint32_t)r->w->key[(size_t)i * a->outputs + o] : 0, a->quantum };
	sw_arbiter_won(r->ctx, r->w->arbiter, a->inputs, output_arbiter(r, o), i, a->weight, charge);
	sw_arbiter_won(r->ctx, r->w->arbiter, a->outputs, input_arbiter(r, i), o, a->weight, charge);
}

/* The same, with the win reported to the arbiters. */
static void join_pair(struct sw_round *r, uint32_t i, uint32_t o)
{
	sw_pair_up(r, i, o);
	if (r->at_random || r->silent)
		return;
	if (sim_unlikely(r->w->key != NULL)) {
		report_keyed(r, i, o);
		return;
	}
	struct sw_charge none = { 0 };
	sw_arbiter_won(r->ctx, r->w->arbiter, r->a->inputs, output_arbiter(r, o), i, r->a->weight, none);
	sw_arbiter_won(r->ctx, r->w->arbiter, r->a->outputs, input_arbiter(r, i), o, r->a->weight, none);
}

uint32_t sw_outputs_grant(struct sw_round *r)
{
	struct sw_allocator_work *w = r->w;
	uint64_t granted[SW_SET_WORDS] = { 0 };
	uint32_t pairs = 0;
	for (SW_EACH(o, r->free_out, w->out_words)) {
		uint64_t set[SW_SET_WORDS];
		if (!sw_free_requests(r, o, set))
			continue;
		uint32_t i = choose_input(r, o, set);
		if (!sw_set_has(granted, i))
			memset(w->offer + (size_t)i * SW_SET_WORDS, 0, 8ul * SW_SET_WORDS);
		sw_set_add(granted, i);
		sw_set_add(w->offer + (size_t)i * SW_SET_WORDS, o);
	}
	for (SW_EACH(i, granted, w->in_words)) {
		join_pair(r, i, choose_output(r, i, w->offer + (size_t)i * SW_SET_WORDS));
		pairs++;
	}
	return pairs;
}

uint32_t sw_inputs_ask(struct sw_round *r)
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
		join_pair(r, choose_input(r, o, w->offer + (size_t)o * SW_SET_WORDS), o);
		pairs++;
	}
	return pairs;
}

/* --- calls of an allocator ------------------------------------------------------------------------------- */

/* Is each input's partner one of its requests, and vice versa? `pairs`: their number; most: outputs. */
static bool is_matching(const struct sw_allocator_work *w, uint32_t most, uint32_t pairs)
{
	uint32_t inputs = 0, outputs = 0;
	for (SW_EACH(i, w->asking, w->in_words)) {
		uint32_t o = w->match[i];
		if (o == SW_NO_MATCH)
			continue;
		if (o >= most || !sw_allocator_requested(w, i, o) || w->taken[o] != i)
			return false;
		inputs++;
	}
	for (SW_EACH(o, w->asked, w->out_words))
		outputs += w->taken[o] != SW_NO_MATCH;
	return inputs == pairs && outputs == pairs;
}

/* For a loaded plug-in: undoes pairs if one has no request, or if their number differs from the returned one. */
static __attribute__((noinline)) uint32_t check_loaded(const struct sw_allocator *a, struct sw_allocator_work *w,
                                                       uint32_t pairs)
{
	if (is_matching(w, a->outputs, pairs))
		return pairs;
	base_refute(a->plugin,
	            "match() of %u inputs and %u outputs returned %u pairs that do not form a matching of the requests",
	            a->inputs, a->outputs, pairs);
	for (SW_EACH(i, w->asking, w->in_words))
		w->match[i] = SW_NO_MATCH;
	memset(w->taken, 0xff, a->outputs * sizeof *w->taken);
	return 0;
}

uint32_t sw_allocator_match(struct sim_ctx *ctx, const struct sw_allocator *a, void *state, struct sw_allocator_work *w,
                            uint32_t entity, uint32_t count)
{
	struct sw_round r;
	r.ctx = ctx;
	r.a = a;
	r.state = state;
	r.w = w;
	r.entity = entity;
	r.count = count;
	r.iteration = 0;
	r.at_random = r.silent = false;
	memcpy(r.free_in, w->asking, sizeof r.free_in);
	memcpy(r.free_out, w->asked, sizeof r.free_out);
	base_check(is_matching(w, a->outputs, 0)); /* sw_allocator_begin() has cleared the last matching */
	uint32_t pairs = sw_allocator_ops(a->plugin)->match(&r);
	if (sim_unlikely(a->plugin->loaded))
		return check_loaded(a, w, pairs);
	base_checkf(is_matching(w, a->outputs, pairs), "%u pairs", pairs);
	return pairs;
}
