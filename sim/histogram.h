/* sim/histogram.h - log-linear histograms of integers. Histograms can be merged exactly, and adding a value changes one
 * counter, which a rollback can undo.
 *
 * Each value below 2^7 has a bin of its own. Above, the values from each power of two to the next share 2^7 bins of
 * equal width, so a bin is less than 0.8 % of its values wide. A histogram is an array of SIM_HISTOGRAM_BINS counts;
 * histograms of ranks or times are merged by adding the arrays, in any order. */
#ifndef SIM_HISTOGRAM_H
#define SIM_HISTOGRAM_H

#include "base/check.h"

#include <stdint.h>

#define SIM_HISTOGRAM_BITS 7u
#define SIM_HISTOGRAM_BINS ((64u - SIM_HISTOGRAM_BITS + 1u) << SIM_HISTOGRAM_BITS)

/* The smallest value that belongs to a bin. */
static inline uint64_t sim_histogram_low(uint32_t bin)
{
	uint32_t octave = bin >> SIM_HISTOGRAM_BITS, at = bin & ((1u << SIM_HISTOGRAM_BITS) - 1);
	return octave == 0 ? at : (uint64_t)(at + (1u << SIM_HISTOGRAM_BITS)) << (octave - 1);
}

static inline uint32_t sim_histogram_bin(uint64_t v)
{
	if (v < 1u << SIM_HISTOGRAM_BITS)
		return (uint32_t)v;
	unsigned octave = 63u - (unsigned)__builtin_clzll(v) - SIM_HISTOGRAM_BITS;
	uint32_t bin = (octave + 1) << SIM_HISTOGRAM_BITS | (uint32_t)((v >> octave) - (1u << SIM_HISTOGRAM_BITS));
	base_check(bin < SIM_HISTOGRAM_BINS && v - sim_histogram_low(bin) < 1ull << octave); /* the width of a bin */
	return bin;
}

/* The smallest value above those of a bin. */
static inline uint64_t sim_histogram_high(uint32_t bin)
{
	uint32_t octave = bin >> SIM_HISTOGRAM_BITS;
	base_check(sim_histogram_bin(sim_histogram_low(bin)) == bin);
	return sim_histogram_low(bin) + (octave == 0 ? 1 : 1ull << (octave - 1));
}

/* The quantile num/den (0 < num <= den) of the n values of a histogram. It is interpolated linearly inside the bin in
 * which the cumulated count reaches n * num / den. 0 if the histogram is empty. */
uint64_t sim_histogram_quantile(const uint64_t *bins, uint64_t num, uint64_t den);

#endif
