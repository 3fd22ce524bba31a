/* tests/sim/test_histogram.c - bins tile the integers, are narrow, and quantiles agree with a sorted list. */
#include "sim/histogram.h"
#include "tests/sim/fixture.h"

Test(histogram, bins_tile_all_integers)
{
	cr_assert_eq(sim_histogram_low(0), 0);
	for (uint32_t b = 0; b + 1 < SIM_HISTOGRAM_BINS; b++) {
		cr_assert_eq(sim_histogram_high(b), sim_histogram_low(b + 1), "bin %u", b);
		cr_assert_lt(sim_histogram_low(b), sim_histogram_high(b));
		cr_assert_eq(sim_histogram_bin(sim_histogram_low(b)), b);
		cr_assert_eq(sim_histogram_bin(sim_histogram_high(b) - 1), b);
		/* narrower than 1/128 of its lowest value, or exact */
		cr_assert((sim_histogram_high(b) - sim_histogram_low(b) - 1) * 128 <= sim_histogram_low(b));
	}
	cr_assert_eq(sim_histogram_bin(UINT64_MAX), SIM_HISTOGRAM_BINS - 1);
}

Test(histogram, every_value_lies_in_its_bin)
{
	uint64_t random = 5;
	for (int i = 0; i < 200000; i++) {
		uint64_t v = next_random(&random) >> next_random(&random) % 64;
		uint32_t b = sim_histogram_bin(v);
		cr_assert_lt(b, SIM_HISTOGRAM_BINS);
		cr_assert(v >= sim_histogram_low(b) &&
		          v - sim_histogram_low(b) < sim_histogram_high(b) - sim_histogram_low(b));
	}
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

Test(histogram, quantiles_are_those_of_a_sorted_list)
{
	static const uint64_t quantile[] = { 1, 10, 250, 500, 900, 990, 999, 1000 };
	static uint64_t bins[SIM_HISTOGRAM_BINS], v[3000];
	uint64_t random = 9;
	for (int round = 0; round < 60; round++) {
		size_t n = round < 5 ? (size_t)round : 1 + next_random(&random) % 3000;
		unsigned shift = 20 + (unsigned)(next_random(&random) % 40);
		memset(bins, 0, sizeof bins);
		for (size_t i = 0; i < n; i++) {
			v[i] = next_random(&random) >> shift >> next_random(&random) % 8;
			bins[sim_histogram_bin(v[i])]++;
		}
		qsort(v, n, sizeof *v, by_value);
		for (size_t k = 0; k < sizeof quantile / sizeof *quantile; k++) {
			uint64_t q = sim_histogram_quantile(bins, quantile[k], 1000);
			if (n == 0) {
				cr_assert_eq(q, 0);
				continue;
			}
			uint64_t exact = v[(n * quantile[k] + 999) / 1000 - 1]; /* the ceil(n q)-th smallest */
			cr_assert_eq(sim_histogram_bin(q), sim_histogram_bin(exact),
			             "n %zu, %lu per mille: %lu, exactly %lu", n, quantile[k], q, exact);
		}
	}
}
