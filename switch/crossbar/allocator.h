/* switch/crossbar/allocator.h - a crossbar's matching: inputs and outputs, each with at most one partner.
 *
 * An allocator is a plug-in of kind "allocator": a file of switch/crossbar/allocators/, or a shared object. Its table
 * of functions is a struct sw_allocator_ops, which also declares the keys of the switch that it uses: `iterations` and
 * `arbiter`. It has no parameters of its own.
 *
 * The caller fills a request matrix in scratch memory, one bit for each (input, output), and sw_allocator_match()
 * determines the partner of every input. State (priorities for the next call) is in the switch's own block and changes
 * through the journal; scratch memory belongs to the switch model of a rank and holds nothing between calls. */
#ifndef SWITCH_ALLOCATOR_H
#define SWITCH_ALLOCATOR_H

#include "switch/arbiter.h"

#define SW_NO_MATCH UINT16_MAX

struct sw_allocator {
	const struct base_plugin *plugin;
	const struct base_plugin *arbiter; /* for allocators that take one */
	uint32_t inputs, outputs;          /* at most SW_SET_PORTS */
	uint32_t iterations;               /* at least 1; for allocators that iterate */
	const uint32_t *weight;            /* [max(inputs, outputs)] for an arbiter with weights, else NULL */
	uint32_t quantum;                  /* bytes, for an arbiter with a quantum */
	uint64_t seed;                     /* for random numbers */
};

struct sw_allocator_work {
	uint32_t in_words, out_words;      /* words of a set of inputs, of outputs */
	const struct base_plugin *arbiter; /* of allocators of this kind */
	size_t output_bytes, input_bytes;  /* size of the state of an output's arbiter, and of an input's */
	/* The following are filled by the caller, and cleared by sw_allocator_begin(). */
	uint64_t *row;    /* [inputs][out_words] requests of an input */
	uint64_t *column; /* [outputs][in_words] requests for an output */
	uint64_t asking[SW_SET_WORDS], asked[SW_SET_WORDS];
	uint64_t *key; /* [inputs][outputs] value of each request, if the arbiter compares values (enum sw_arbiter_key);
	                  else NULL */
	/* results */
	uint16_t *match; /* [inputs] its output, or SW_NO_MATCH; valid for members of `asking` */
	uint16_t *taken; /* [outputs] its input, or SW_NO_MATCH; valid for members of `asked` */
	uint64_t *offer; /* private */
	uint64_t *line;
};

/* Returns the size in bytes of the allocator's state, which is aligned to 8. A state of zeros is that of a new
 * allocator. */
size_t sw_allocator_bytes(const struct sw_allocator *a);
/* Allocates the scratch memory of an allocator. The caller owns it and frees it by sw_allocator_work_free(). */
void sw_allocator_work_init(const struct sw_allocator *a, struct sw_allocator_work *w);
void sw_allocator_work_free(struct sw_allocator_work *w);

/* Clears all requests and partners. Called before each match. */
void sw_allocator_begin(const struct sw_allocator *a, struct sw_allocator_work *w);

static inline bool sw_allocator_requested(const struct sw_allocator_work *w, uint32_t input, uint32_t output)
{
	base_check(sw_set_has(w->row + (size_t)input * w->out_words, output) ==
	           sw_set_has(w->column + (size_t)output * w->in_words, input));
	return sw_set_has(w->row + (size_t)input * w->out_words, output);
}

static inline void sw_allocator_request(struct sw_allocator_work *w, uint32_t input, uint32_t output)
{
	base_checkf(input >> 6 < w->in_words && output >> 6 < w->out_words, "input %u requests output %u", input,
	            output);
	sw_set_add(w->row + (size_t)input * w->out_words, output);
	sw_set_add(w->column + (size_t)output * w->in_words, input);
	sw_set_add(w->asking, input);
	sw_set_add(w->asked, output);
}

/* Matches inputs and outputs: fills w->match and w->taken, and returns the number of pairs. (entity, count) identifies
 * this call for random numbers: the switch, and a number that does not repeat. Results of a plug-in from a shared
 * object are checked. */
uint32_t sw_allocator_match(struct sim_ctx *ctx, const struct sw_allocator *a, void *state, struct sw_allocator_work *w,
                            uint32_t entity, uint32_t count);

/* --- the interface of an allocator ----------------------------------------------------------------------- */

/* One call of match(). */
struct sw_round {
	struct sim_ctx *ctx;
	const struct sw_allocator *a;
	void *state;
	struct sw_allocator_work *w;
	uint32_t entity, count, iteration; /* iteration: 0 at first */
	uint64_t free_in[SW_SET_WORDS],
	    free_out[SW_SET_WORDS]; /* inputs with requests, and requested outputs, without a partner */
	bool at_random; /* sw_outputs_grant(), sw_inputs_ask(): choose at random instead of calling arbiters */
	bool silent;    /* likewise: pairs are not reported to arbiters */
};

enum sw_allocator_takes {
	SW_TAKES_NONE,       /* no arbiter, or one of its own */
	SW_TAKES_PRIORITIES, /* "age" with precedence over its own pointers, or "round-robin", which means none */
	SW_TAKES_ARBITERS,   /* any */
};

struct sw_allocator_ops {
	bool iterates; /* it uses the switch's key `iterations` */
	enum sw_allocator_takes takes;
	/* Returns the size of the state in bytes; a state of zeros is that of a new allocator. NULL: there is no
	 * state. */
	size_t (*state_bytes)(const struct sw_allocator *a);
	/* Forms pairs with sw_pair_up(), and changes state by sim_set() and sim_save(). Returns the number of pairs. At
	 * first w->match and w->taken are SW_NO_MATCH for all inputs with requests and all requested outputs. */
	uint32_t (*match)(struct sw_round *r);
};

static inline const struct sw_allocator_ops *sw_allocator_ops(const struct base_plugin *allocator)
{
	return allocator->ops;
}
/* Checks an allocator from a shared object. Returns 0, or -1 with an error for the switch's key `allocator`. */
int sw_allocator_check(const struct base_plugin *allocator, struct base_errors *errors);

/* --- functions for allocators ---------------------------------------------------------------------------- */

/* Makes a free input and a free output partners. */
static inline void sw_pair_up(struct sw_round *r, uint32_t i, uint32_t o)
{
	base_checkf(sw_set_has(r->free_in, i) && sw_set_has(r->free_out, o), "input %u and output %u", i, o);
	r->w->match[i] = (uint16_t)o;
	r->w->taken[o] = (uint16_t)i;
	sw_set_remove(r->free_in, i);
	sw_set_remove(r->free_out, o);
}

/* Writes the set of free inputs that request output `o`. Returns false if it is empty. */
static inline bool sw_free_requests(const struct sw_round *r, uint32_t o, uint64_t *set)
{
	const struct sw_allocator_work *w = r->w;
	for (uint32_t k = 0; k < w->in_words; k++)
		set[k] = w->column[(size_t)o * w->in_words + k] & r->free_in[k];
	return sw_set_any(set, w->in_words);
}

/* A state that consists of pointers, one for each output and input: the number of the next requester in cyclic
 * order. */
size_t sw_pointer_bytes(const struct sw_allocator *a);
static inline uint32_t *sw_output_pointer(const struct sw_round *r, uint32_t o)
{
	return (uint32_t *)r->state + o;
}

static inline uint32_t *sw_input_pointer(const struct sw_round *r, uint32_t i)
{
	return (uint32_t *)r->state + r->a->outputs + i;
}

static inline void sw_point_behind(struct sw_round *r, uint32_t *pointer, uint32_t at, uint32_t n)
{
	sim_set(r->ctx, pointer, at + 1 == n ? 0 : at + 1);
}

/* Returns the size in bytes of a state that consists of one arbiter for each output and input. */
size_t sw_arbiters_bytes(const struct sw_allocator *a);
/* One iteration: each output grants one request, then each input accepts one grant. Returns the number of new pairs. */
uint32_t sw_outputs_grant(struct sw_round *r);
/* One iteration: each input chooses one of its requests, then each output chooses one of the chosen requests. Returns
 * the number of new pairs. */
uint32_t sw_inputs_ask(struct sw_round *r);

/* Calls `iteration` until it forms no new pair, at most as often as the switch's key `iterations` says. Returns the
 * number of pairs. */
static inline uint32_t sw_iterate(struct sw_round *r, uint32_t (*iteration)(struct sw_round *r))
{
	uint32_t pairs = 0;
	for (; r->iteration < r->a->iterations; r->iteration++) {
		uint32_t more = iteration(r);
		if (!more)
			break;
		pairs += more;
	}
	return pairs;
}

#endif
