/* sim/sort.h - finds the pending records of a block of LPs, in the order in which batch.c executes them.
 *
 * An item of scratch.sorted is a 64-bit number made of, from the highest bits on, the LP's number in the block, the
 * offset of the event's time in the window (in sim_width_bits() bits), and the index of the record (in SIM_INDEX_BITS
 * bits). */
#ifndef SIM_SORT_H
#define SIM_SORT_H

#include "sim/engine.h"

#define SIM_INDEX_BITS 24
#define SIM_INDEX_MASK ((1u << SIM_INDEX_BITS) - 1)

struct sim_gathered {
	uint32_t n;     /* items */
	uint32_t early; /* short events in scratch.early, which the model may handle before the others */
	unsigned
	    sub_bits; /* items of LP first + k are sorted[bin[k << sub_bits]] up to sorted[bin[(k + 1) << sub_bits]] */
	sim_lpid first; /* LP of the block */
};

static inline unsigned sim_width_bits(const struct sim_engine *e)
{
	return 64 - (unsigned)__builtin_clzll((e->width - 1) | 1);
}

bool sim_sort_any(const struct sim_engine *e, uint64_t window, uint32_t block);
/* Gathers the pending records of a block in a window. Returns false if there are too many records; the run then
 * fails. */
bool sim_gather(struct sim_engine *e, uint64_t window, uint32_t block, bool speculative, struct sim_gathered *g);
/* Sorts the gathered items by LP and time, but not by the last bits of the time. */
void sim_sort(struct sim_engine *e, const struct sim_gathered *g);
/* Completes the sorting of a bucket. The first `left` short events, which sim_model.early() has not handled, are merged
 * into the items if there are many of them; otherwise they remain in scratch.early_sorted, sorted by LP. Returns the
 * number of events that remain there. */
uint32_t sim_sort_left(struct sim_engine *e, struct sim_gathered *g, uint32_t left);

#endif
