/* tests/sim/test_rng.c - random numbers in integers: against repeated squaring, libm and the distributions' moments. */
#include "sim/rng.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define ONE ((uint64_t)1 << 48)

static uint64_t random64(uint32_t i)
{
	struct sim_draw d = sim_draw4(42, 7, i, SIM_DRAW_MODEL, 0);
	return (uint64_t)d.v[0] << 32 | d.v[1];
}

/* Known answer of Philox 4x32 with 7 rounds for counter and key zero: Random123, kat_vectors. */
Test(rng, philox_known_answer)
{
	struct sim_draw d = sim_draw4(0, 0, 0, 0, 0);
	cr_assert_eq(d.v[0], 0x5f6fb709);
	cr_assert_eq(d.v[1], 0x0d893f64);
	cr_assert_eq(d.v[2], 0x4f121f81);
	cr_assert_eq(d.v[3], 0x4f730a48);
}

/* Known answers of SplitMix64 for seed 0. */
Test(rng, quick_draws_known_answer)
{
	cr_assert_eq(sim_draw_quick(0, 0, 0, 0), 0xe220a839);
	cr_assert_eq(sim_draw_quick(0, 0, 0, 1), 0x6e789e6a);
	cr_assert_eq(sim_draw_quick(0, 0, 0, 2), 0x06c45d18);
}

/* Choices along a route, and those of consecutive packets and sources, fall evenly on pairs of values: chi square below
 * the 1e-6 point. */
Test(rng, quick_draws_are_even_and_independent)
{
	enum { N = 11, PACKETS = 200000 };
	for (int way = 0; way < 4; way++) {
		uint32_t count[N][N] = { { 0 } };
		for (uint32_t i = 0; i < PACKETS; i++) {
			uint32_t a = way == 1 ? sim_draw_quick(1, 3, i, 0) : sim_draw_quick(1, i % 1024, i / 1024, 0),
				 b;
			if (way == 0) /* the next hop */
				b = sim_draw_quick(1, i % 1024, i / 1024, 1 << 8);
			else if (way == 1) /* the next packet */
				b = sim_draw_quick(1, 3, i + 1, 0);
			else if (way == 2) /* the next source */
				b = sim_draw_quick(1, i % 1024 + 1, i / 1024, 0);
			else /* the next seed */
				b = sim_draw_quick(2, i % 1024, i / 1024, 0);
			count[sim_below(a, N)][sim_below(b, N)]++;
		}
		double chi = 0, want = (double)PACKETS / (N * N);
		for (int i = 0; i < N * N; i++) {
			double off = count[i / N][i % N] - want;
			chi += off * off / want;
		}
		cr_expect_lt(chi, 204, "way %d: %f with 120 degrees of freedom", way, chi);
		cr_expect_gt(chi, 60, "way %d: %f, too even", way, chi);
	}
}

Test(rng, draws_at_once_are_those_one_by_one)
{
	for (uint32_t i = 0; i < 20000; i++) {
		struct sim_draw r = sim_draw4(5, 1, i, SIM_DRAW_MODEL, 0), s = sim_draw4(5, 2, i, SIM_DRAW_MODEL, 0);
		uint64_t seed = (uint64_t)r.v[0] << 32 | r.v[1];
		uint32_t got[SIM_DRAWS], sub = i % 7 ? s.v[2] : UINT32_MAX - i % 5;
		sim_draw_each(seed, r.v[2], r.v[3], s.v[0] % 6, sub, got);
		for (uint32_t k = 0; k < SIM_DRAWS; k++)
			cr_assert_eq(got[k], sim_draw4(seed, r.v[2], r.v[3], s.v[0] % 6, sub + k).v[0], "draw %u of %u",
			             k, i);
	}
}

/* 36 binary places of log2(1 + i/512), digit by digit: square, and halve what reaches 2. */
static uint64_t log2_by_squaring(uint32_t i)
{
	uint64_t x = (uint64_t)(512 + i) << 54, log = 0;
	for (int digit = 0; digit < 36; digit++) {
		unsigned __int128 square = (unsigned __int128)x * x >> 63;
		int carry = square >> 64 != 0;
		x = (uint64_t)(square >> carry);
		log = log << 1 | (uint64_t)carry;
	}
	return log;
}

Test(rng, table_is_what_repeated_squaring_gives)
{
	for (uint32_t i = 0; i < 512; i++) {
		/* u = (512 + i) / 1024 but for half a unit of the last place */
		uint64_t got = ONE - sim_neglog2((uint64_t)(512 + i) << 54);
		uint64_t want = log2_by_squaring(i) << 12;
		/* half a place of a 31-bit entry, and the digits cut off here */
		cr_assert_leq(llabs((long long)(got - want)), (1 << 16) + (1 << 12) + 8, "entry %u", i);
	}
}

Test(rng, neglog2_is_near_libm)
{
	long double worst = 0;
	for (uint32_t i = 0; i < 2000000; i++) {
		uint64_t bits = random64(i) >> (i % 64);
		long double want = 65 - log2l(2 * (long double)bits + 1);
		long double off = fabsl((long double)sim_neglog2(bits) / (long double)ONE - want);
		worst = off > worst ? off : worst;
	}
	cr_assert_lt(worst, 0x1p-20L, "off by %Lg", worst);
}

Test(rng, neglog2_at_the_ends)
{
	cr_assert_eq(sim_neglog2(0), 65 * ONE);
	cr_assert_lt(sim_neglog2(UINT64_MAX), 1 << 10); /* -log2(1 - 2^-65), rounding included */
	/* u = (2^63 + 1/2) / 2^64 */
	cr_assert_leq(sim_neglog2((uint64_t)1 << 63), ONE);
	cr_assert_geq(sim_neglog2((uint64_t)1 << 63), ONE - 2);
}

Test(rng, neglog2_falls_monotonically)
{
	for (uint32_t i = 0; i < 500000; i++) {
		uint64_t bits = random64(i) >> (i % 64);
		uint64_t step = random64(i + 1000000) >> (i % 61);
		uint64_t up = bits > UINT64_MAX - step ? UINT64_MAX : bits + step;
		cr_assert_leq(sim_neglog2(up), sim_neglog2(bits));
	}
	for (uint32_t i = 1; i < 1024; i++) { /* across each knot */
		uint64_t knot = (uint64_t)i << 54;
		cr_assert_leq(sim_neglog2(knot), sim_neglog2(knot - 1));
		cr_assert_leq(sim_neglog2(knot + 1), sim_neglog2(knot));
	}
}

/* Bounds are five standard errors: mean 1, variance 1, fourth central moment 9. */
Test(rng, exponential_moments_and_tail)
{
	enum { N = 2000000 };
	const uint64_t mean = 20480;
	double sum = 0, squares = 0;
	int beyond[15] = { 0 };
	for (uint32_t i = 0; i < N; i++) {
		double x = (double)sim_exponential(random64(i), mean) / (double)mean;
		sum += x;
		squares += (x - 1) * (x - 1);
		for (int k = 0; k < 15 && x >= k; k++)
			beyond[k]++;
	}
	cr_assert_float_eq(sum / N, 1, 5 / sqrt(N));
	cr_assert_float_eq(squares / N, 1, 5 * sqrt(8.0 / N));
	for (int k = 0; k < 15; k++) {
		double p = exp(-k);
		cr_assert_float_eq(beyond[k], N * p, 5 * sqrt(N * p) + 3, "P(x >= %d): %d of %d", k, beyond[k], N);
	}
}

Test(rng, exponential_of_any_mean)
{
	cr_assert_eq(sim_exponential(random64(1), 0), 0);
	for (uint64_t mean = 1; mean <= (uint64_t)1 << 44; mean <<= 1) {
		double longest = (double)sim_exponential(0, mean), want = 65 * M_LN2 * (double)mean;
		cr_assert_float_eq(longest, want, 1e-9 * want + 0.51);
		/* e^-1 is where the mean is */
		double at = (double)sim_exponential((uint64_t)(exp(-1) * 0x1p64), mean);
		cr_assert_float_eq(at, (double)mean, 1e-6 * (double)mean + 0.51);
	}
}

Test(rng, rounding_does_not_shift_a_small_mean)
{
	enum { N = 1000000 };
	double sum = 0;
	for (uint32_t i = 0; i < N; i++)
		sum += (double)sim_exponential(random64(i), 50);
	cr_assert_float_eq(sum / N, 50, 5 * 50 / sqrt(N) + 0.01);
}

Test(rng, below_is_uniform_and_in_range)
{
	enum { N = 120000, K = 12 };
	int count[K] = { 0 };
	for (uint32_t i = 0; i < N; i++)
		count[sim_below((uint32_t)random64(i), K)]++;
	double chi = 0;
	for (int k = 0; k < K; k++)
		chi += (count[k] - N / K) * (double)(count[k] - N / K) / (N / (double)K);
	cr_assert_lt(chi, 36.0, "chi-square %g of 11 degrees of freedom", chi); /* p = 0.0002 */
	cr_assert_eq(sim_below(UINT32_MAX, 1), 0);
	cr_assert_eq(sim_below(UINT32_MAX, UINT32_MAX), UINT32_MAX - 1);
}
