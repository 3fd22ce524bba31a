/* sim/histogram.c - see histogram.h */
#include "sim/histogram.h"

uint64_t sim_histogram_quantile(const uint64_t *bins, uint64_t num, uint64_t den)
{
	uint64_t n = 0;
	for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++)
		n += bins[i];
	base_checkf(num <= den, "quantile %llu / %llu", (unsigned long long)num, (unsigned long long)den);
	if (n == 0)
		return 0;
	unsigned __int128 rank = (unsigned __int128)n * num, seen = 0; /* in 1/den of a value */
	for (uint32_t i = 0; i < SIM_HISTOGRAM_BINS; i++) {
		unsigned __int128 here = (unsigned __int128)bins[i] * den;
		if (here && seen + here >= rank) {
			uint64_t low = sim_histogram_low(i), width = sim_histogram_high(i) - low;
			return low + (uint64_t)((rank - seen) * (width - 1) / here);
		}
		seen += here;
		base_check(seen <= (unsigned __int128)n * den);
	}
	return 0;
}
