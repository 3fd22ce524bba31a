/* tests/workload/test_pattern_matrix.c - traffic matrices of switch theory: the shares of each output, from their
 * definitions. */
#include "tests/workload/fixture.h"

#include <math.h>

/* Counts destinations of member 5 % n, as places on from it. */
static void count(const struct base_plugin *pattern, const char *params, uint32_t n, uint32_t draws, uint32_t *places)
{
	struct fixture f;
	struct net_source s;
	struct sw_packet packet;
	uint32_t from = 5 % n;
	memset(places, 0, n * sizeof *places);
	fixture_flat(&f, n, 1);
	fixture_job(&f, pattern, params);
	fixture_build(&f);
	f.traffic.ops->start(&f.traffic, 0, from, &s);
	for (uint32_t k = 0; k < draws; k++) {
		f.traffic.ops->take(&f.traffic, 0, from, &s, &packet);
		cr_assert_lt(packet.dst, n);
		places[(packet.dst + n - from) % n]++;
	}
	fixture_free(&f);
}

static void expect_share(const char *what, uint32_t got, uint32_t draws, double share)
{
	double sigma = sqrt(draws * share * (1 - share)) + 1;
	cr_expect(fabs(got - draws * share) < 5 * sigma, "%s: %u of %u, expected a share of %g", what, got, draws,
	          share);
}

Test(matrix, uniform_with_self)
{
	uint32_t places[64];
	count(&wl_uniform, "self=true", 8, 80000, places);
	for (int k = 0; k < 8; k++)
		expect_share("self", places[k], 80000, 1.0 / 8);
	count(&wl_uniform, "", 8, 80000, places);
	cr_expect_eq(places[0], 0u);
}

Test(matrix, diagonal)
{
	uint32_t places[64];
	count(&wl_diagonal, "", 16, 60000, places);
	expect_share("own", places[0], 60000, 2.0 / 3);
	expect_share("next", places[1], 60000, 1.0 / 3);
	cr_expect_eq(places[0] + places[1], 60000u);
}

/* 2^(N-1-k) / (2^N - 1). */
Test(matrix, log_diagonal)
{
	static const uint32_t sizes[] = { 2, 3, 8, 63, 64 };
	for (int i = 0; i < 5; i++) {
		uint32_t places[64], n = sizes[i];
		count(&wl_log_diagonal, "", n, 100000, places);
		for (uint32_t k = 0; k < n; k++)
			expect_share("k places on", places[k], 100000, ldexp(1, -(int)k - 1) / (1 - ldexp(1, -(int)n)));
	}
}
