/* sim/histogram.c - see histogram.h */
#include "sim/histogram.h"

uint64_t sim_histogram_quantile(const uint64_t *bins, uint64_t num, uint64_t den)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++)
		n += bins[i];
	if (n == 0)
		return 0;
	uint64_t rank = (uint64_t)(((unsigned __int128)n * num + den - 1) / den), seen = 0;
	if (rank == 0)
		rank = 1;
	for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++) {
		seen += bins[i];
		if (seen >= rank)
			return sim_histogram_low(i) + (sim_histogram_high(i) - sim_histogram_low(i)) / 2;
	}
	return 0;
}
