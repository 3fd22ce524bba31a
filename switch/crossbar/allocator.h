/* switch/crossbar/allocator.h - a crossbar's matching: many inputs, many outputs, each with one partner at most.
 *
 * The caller fills a request matrix in the scratch memory, one bit for each (input, output), asks for a match and gets
 * the partner of every input. State (who is first next time) lies in the switch's own block and changes through the
 * journal; scratch memory belongs to the switch model of a rank, holds nothing between calls and is no state.
 *
 * islip: request-grant-accept with a round-robin pointer at every output and input; pointers move only past a grant
 * that was accepted in the first iteration (McKeown, The iSLIP scheduling algorithm, IEEE/ACM ToN 7(2), 1999).
 *
 * select: the same with priorities, compared before the pointers: arbiter = "age" gives the oldest packet the highest
 * (prioritised iSLIP, McKeown 1999; `select` of BookSim 2). Without priorities it is islip.
 *
 * pim: the same with random choices (Anderson et al., High-speed switch scheduling for local-area networks, ACM TOCS
 * 11(4), 1993).
 *
 * separable-input: every input picks one request, then every output picks among those (Dally & Towles 2004, section
 * 19.3). separable-output: every output picks one request, then every input picks among those.
 *
 * wavefront: diagonal by diagonal from a diagonal that moves on every time; maximal (Tamir & Chi, IEEE TPDS 4(1),
 * 1993).
 *
 * loa, lonely output: every input asks only for the output that fewest inputs request, ties by its pointer; every
 * output picks among those that ask by its pointer. A grant moves both pointers on by one, wherever it was. One
 * iteration (Dally & Towles 2004, section 19.3.3; `loa` of BookSim 2).
 *
 * maximum-size: augmenting paths: the most pairs there can be; the bound for the others, not hardware.
 *
 * The separable ones take their arbiters by name (switch/arbiter.h), select takes round-robin or age. With several
 * iterations those without a partner try again. */
#ifndef SWITCH_ALLOCATOR_H
#define SWITCH_ALLOCATOR_H

#include "switch/arbiter.h"

enum sw_allocator_kind {
	SW_ALLOCATOR_ISLIP,
	SW_ALLOCATOR_PIM,
	SW_ALLOCATOR_SEPARABLE_INPUT,
	SW_ALLOCATOR_SEPARABLE_OUTPUT,
	SW_ALLOCATOR_WAVEFRONT,
	SW_ALLOCATOR_MAXIMUM,
	SW_ALLOCATOR_LOA,
	SW_ALLOCATOR_SELECT,
};
#define SW_ALLOCATORS (SW_ALLOCATOR_SELECT + 1)
#define SW_ALLOCATOR_CHOICES \
	"islip|pim|separable-input|separable-output|wavefront|maximum-size|loa|select" /* in the order of the enum */

#define SW_NO_MATCH UINT16_MAX

struct sw_allocator {
	enum sw_allocator_kind kind;
	const struct base_plugin *arbiter; /* of the separable ones and select */
	uint32_t inputs, outputs;          /* at most SW_SET_PORTS */
	uint32_t
	    iterations; /* at least 1; of no effect for WAVEFRONT and MAXIMUM, which are maximal after one, and LOA */
	const uint32_t *weight; /* [max(inputs, outputs)] of an arbiter that takes weights, else NULL */
	uint32_t quantum;       /* bytes, of an arbiter that takes one */
	uint64_t seed;          /* PIM */
};

struct sw_allocator_work {
	uint32_t in_words, out_words;      /* of a set of inputs, of outputs */
	const struct base_plugin *arbiter; /* that the allocator's kind has */
	size_t output_bytes, input_bytes;  /* of the state of an output's arbiter, and an input's */
	/* for the caller to fill; cleared by sw_allocator_begin() */
	uint64_t *row;    /* [inputs][out_words] requests of an input */
	uint64_t *column; /* [outputs][in_words] the same, of an output */
	uint64_t asking[SW_SET_WORDS], asked[SW_SET_WORDS];
	uint64_t *key; /* [inputs][outputs] only with an arbiter that compares keys: see enum sw_arbiter_key; else
	                  NULL */
	/* the answer */
	uint16_t *match; /* [inputs] its output, or SW_NO_MATCH; valid for members of `asking` */
	uint16_t *taken; /* [outputs] its input, or SW_NO_MATCH; valid for members of `asked` */
	uint64_t *offer; /* own */
	uint64_t *line;
};

/* Bytes of state, 8-byte aligned; all-zero is a new allocator. */
size_t sw_allocator_bytes(const struct sw_allocator *a);
/* Scratch memory; owned by the caller, freed by sw_allocator_work_free(). */
void sw_allocator_work_init(const struct sw_allocator *a, struct sw_allocator_work *w);
void sw_allocator_work_free(struct sw_allocator_work *w);

/* Forgets all requests. */
void sw_allocator_begin(const struct sw_allocator *a, struct sw_allocator_work *w);

static inline bool sw_allocator_requested(const struct sw_allocator_work *w, uint32_t input, uint32_t output)
{
	base_check(sw_set_has(w->row + (size_t)input * w->out_words, output) ==
	           sw_set_has(w->column + (size_t)output * w->in_words, input));
	return sw_set_has(w->row + (size_t)input * w->out_words, output);
}

static inline void sw_allocator_request(struct sw_allocator_work *w, uint32_t input, uint32_t output)
{
	base_checkf(input >> 6 < w->in_words && output >> 6 < w->out_words, "input %u asks for output %u", input,
	            output);
	sw_set_add(w->row + (size_t)input * w->out_words, output);
	sw_set_add(w->column + (size_t)output * w->in_words, input);
	sw_set_add(w->asking, input);
	sw_set_add(w->asked, output);
}

/* Fills w->match and w->taken. (entity, count): names this call for PIM's random numbers: the switch and any number
 * that does not repeat. Returns the number of pairs. Cost: islip, select, pim, separable: O(iterations x (inputs +
 * outputs)); wavefront O(ports^2); loa O(requests); maximum-size O(ports^3 / 64). */
uint32_t sw_allocator_match(struct sim_ctx *ctx, const struct sw_allocator *a, void *state, struct sw_allocator_work *w,
                            uint32_t entity, uint32_t count);

#endif
