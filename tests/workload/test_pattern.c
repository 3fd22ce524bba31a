/* tests/workload/test_pattern.c - patterns by rank, by bits and by chance, from their definitions. */
#include "tests/workload/fixture.h"

#include <math.h>

static void expect_fixed(const struct base_plugin *pattern, const char *params, uint32_t n, const uint32_t *want)
{
	struct fixture f;
	fixture_flat(&f, n, 1);
	fixture_job(&f, pattern, params);
	fixture_build(&f);
	uint32_t idle = 0;
	struct sw_packet packet;
	for (uint32_t e = 0; e < n; e++) {
		struct net_source s;
		f.traffic.ops->start(&f.traffic, 0, e, &s);
		cr_assert_eq(s.created == NET_NEVER, want[e] == WL_IDLE, "%s: endpoint %u", pattern->name, e);
		idle += want[e] == WL_IDLE;
		for (int k = 0; k < 20 && want[e] != WL_IDLE; k++) {
			f.traffic.ops->take(&f.traffic, 0, e, &s, &packet);
			cr_assert_eq(packet.dst, want[e], "%s: %u sends to %u", pattern->name, e, packet.dst);
		}
	}
	cr_assert_eq(f.traffic.job[0].idle, idle);
	cr_assert_eq(f.traffic.job[0].members, n - idle);
	fixture_free(&f);
}

#define I WL_IDLE
#define FIXED(pattern, params, ...)                                              \
	do {                                                                     \
		const uint32_t want[] = { __VA_ARGS__ };                         \
		expect_fixed(pattern, params, sizeof want / sizeof *want, want); \
	} while (0)

/* 16 endpoints, index bits s3 s2 s1 s0; written out by hand from Dally & Towles, table 3.1. */
Test(pattern, bit_permutations)
{
	FIXED(&wl_bit_complement, "", 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
	FIXED(&wl_bit_reverse, "", I, 8, 4, 12, 2, 10, I, 14, 1, I, 5, 13, 3, 11, 7, I);
	FIXED(&wl_shuffle, "", I, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, I);
	FIXED(&wl_transpose, "", I, 4, 8, 12, 1, I, 9, 13, 2, 6, I, 14, 3, 7, 11, I);
	FIXED(&wl_bit_complement, "", 1, 0);
}

Test(pattern, rings_of_ranks)
{
	FIXED(&wl_neighbor, "", 1, 2, 3, 4, 0);
	FIXED(&wl_tornado, "", 3, 4, 5, 6, 7, 0, 1, 2); /* ceil(8/2) - 1 = 3 */
	FIXED(&wl_tornado, "", 2, 3, 4, 0, 1);          /* ceil(5/2) - 1 = 2 */
}

Test(pattern, incast)
{
	FIXED(&wl_incast, "", I, 0, 0, 0);
	FIXED(&wl_incast, "target=2", 2, 2, I, 2);
}

Test(pattern, permutation_has_no_fixed_points_and_hits_everyone)
{
	for (uint32_t n = 2; n < 200; n += n < 10 ? 1 : 17) {
		for (uint64_t seed = 0; seed < 20; seed++) {
			struct fixture f;
			fixture_flat(&f, n, 1);
			fixture_job(&f, &wl_permutation, "");
			f.config.seed = seed;
			fixture_build(&f);
			bool hit[200] = { false };
			for (uint32_t e = 0; e < n; e++) {
				uint32_t to = fixture_first(&f, 0, e);
				cr_assert(to < n && to != e && !hit[to]);
				hit[to] = true;
			}
			cr_assert_eq(f.traffic.job[0].members, n);
			fixture_free(&f);
		}
	}
}

/* The nine derangements of four elements are equally likely. */
Test(pattern, permutation_is_uniform)
{
	enum { SEEDS = 9000 };
	int count[256] = { 0 }, kinds = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct fixture f;
		fixture_flat(&f, 4, 1);
		fixture_job(&f, &wl_permutation, "");
		f.config.seed = seed;
		fixture_build(&f);
		unsigned code = 0;
		for (uint32_t e = 0; e < 4; e++)
			code = code << 2 | fixture_first(&f, 0, e);
		count[code]++;
		fixture_free(&f);
	}
	double chi = 0;
	for (int c = 0; c < 256; c++) {
		kinds += count[c] > 0;
		chi += count[c] ? (count[c] - 1000.0) * (count[c] - 1000.0) / 1000 : 0;
	}
	cr_assert_eq(kinds, 9);
	cr_assert_lt(chi, 30.0, "chi-square %g of 8 degrees of freedom", chi); /* p = 0.0002 */
}

/* Counts destinations of `messages` messages of one endpoint. */
static void count_destinations(struct fixture *f, uint32_t endpoint, int messages, int *count)
{
	struct net_source s;
	struct sw_packet packet;
	f->traffic.ops->start(&f->traffic, 0, endpoint, &s);
	for (int k = 0; k < messages; k++) {
		f->traffic.ops->take(&f->traffic, 0, endpoint, &s, &packet);
		count[packet.dst]++;
	}
}

static double chi_square(const int *count, int n, int skip, double expected)
{
	double chi = 0;
	for (int i = 0; i < n; i++)
		if (i != skip)
			chi += (count[i] - expected) * (count[i] - expected) / expected;
	return chi;
}

Test(pattern, uniform_spares_itself_and_treats_others_alike)
{
	struct fixture f;
	fixture_flat(&f, 24, 3);
	fixture_job(&f, &wl_uniform, "");
	fixture_build(&f);
	for (uint32_t e = 0; e < 24; e++) {
		int count[24] = { 0 };
		count_destinations(&f, e, 23 * 500, count);
		cr_assert_eq(count[e], 0);
		double chi = chi_square(count, 24, (int)e, 500);
		cr_assert_lt(chi, 60.0, "chi-square %g of 22 degrees of freedom", chi); /* p = 2e-5 */
	}
	fixture_free(&f);
}

/* Consecutive destinations are independent: pairs are uniform too. */
Test(pattern, uniform_has_no_memory)
{
	enum { N = 4, DRAWS = 90000 };
	struct fixture f;
	fixture_flat(&f, N, 1);
	fixture_job(&f, &wl_uniform, "");
	fixture_build(&f);
	struct net_source s;
	struct sw_packet packet;
	int pair[N * N] = { 0 };
	uint32_t last = 1;
	f.traffic.ops->start(&f.traffic, 0, 0, &s);
	for (int k = 0; k < DRAWS; k++) {
		f.traffic.ops->take(&f.traffic, 0, 0, &s, &packet);
		if (k)
			pair[last * N + packet.dst]++;
		last = packet.dst;
	}
	double chi = 0;
	for (int a = 1; a < N; a++)
		for (int b = 1; b < N; b++)
			chi += (pair[a * N + b] - DRAWS / 9.0) * (pair[a * N + b] - DRAWS / 9.0) / (DRAWS / 9.0);
	cr_assert_lt(chi, 30.0, "chi-square %g of 8 degrees of freedom", chi);
	fixture_free(&f);
}

Test(pattern, hotspot_shares)
{
	enum { N = 20, MESSAGES = 100000 };
	struct fixture f;
	fixture_flat(&f, N, 1);
	fixture_job(&f, &wl_hotspot, "fraction=0.4 targets=3,7,11");
	fixture_build(&f);
	for (uint32_t e = 0; e < N; e++) {
		int count[N] = { 0 };
		count_destinations(&f, e, MESSAGES, count);
		cr_assert_eq(count[e], 0);
		bool hot = e == 3 || e == 7 || e == 11;
		for (uint32_t to = 0; to < N; to++) {
			double p = 0.6 / (N - 1);
			if (to == 3 || to == 7 || to == 11)
				p += 0.4 / (hot ? 2 : 3);
			if (to != e)
				cr_assert_float_eq(count[to], MESSAGES * p, 5 * sqrt(MESSAGES * p), "%u to %u: %d", e,
				                   to, count[to]);
		}
	}
	fixture_free(&f);
}

Test(pattern, hotspot_alone)
{
	struct fixture f;
	fixture_flat(&f, 5, 1);
	fixture_job(&f, &wl_hotspot, "fraction=1");
	fixture_build(&f);
	int count[5] = { 0 }, own[5] = { 0 };
	count_destinations(&f, 2, 1000, count);
	cr_assert_eq(count[0], 1000); /* the first member by default */
	count_destinations(&f, 0, 4000, own);
	cr_assert_lt(chi_square(own, 5, 0, 1000), 25.0); /* 3 degrees of freedom */
	fixture_free(&f);
}

Test(pattern, all_to_all_goes_round)
{
	for (uint32_t n = 2; n <= 17; n++) {
		struct fixture f;
		fixture_flat(&f, n, 1);
		fixture_job(&f, &wl_all_to_all, "");
		fixture_build(&f);
		for (uint32_t e = 0; e < n; e++) {
			struct net_source s;
			struct sw_packet packet;
			f.traffic.ops->start(&f.traffic, 0, e, &s);
			for (uint32_t k = 0; k < 5 * n; k++) {
				f.traffic.ops->take(&f.traffic, 0, e, &s, &packet);
				cr_assert_eq(packet.dst, (e + 1 + k % (n - 1)) % n);
			}
		}
		fixture_free(&f);
	}
}

/* Ranks, not endpoints, make the pattern; traffic stays in the job. */
Test(pattern, ranks_of_a_partial_job)
{
	struct fixture f;
	fixture_flat(&f, 20, 1);
	fixture_job(&f, &wl_bit_complement, "")->nodes = "12-13,3,7";
	fixture_job(&f, &wl_uniform, "")->nodes = "1,5,9";
	fixture_build(&f);
	cr_assert_eq(fixture_first(&f, 0, 12), 7);
	cr_assert_eq(fixture_first(&f, 0, 13), 3);
	cr_assert_eq(fixture_first(&f, 0, 3), 13);
	cr_assert_eq(fixture_first(&f, 0, 7), 12);
	for (uint32_t e = 0; e < 20; e++) {
		bool member = e == 12 || e == 13 || e == 3 || e == 7;
		cr_assert_eq(fixture_first(&f, 0, e) == WL_IDLE, !member);
	}
	struct net_source s;
	struct sw_packet packet;
	f.traffic.ops->start(&f.traffic, 1, 5, &s);
	int count[20] = { 0 };
	for (int k = 0; k < 2000; k++) {
		f.traffic.ops->take(&f.traffic, 1, 5, &s, &packet);
		count[packet.dst]++;
		cr_assert_eq(packet.job, 1);
	}
	cr_assert_eq(count[1] + count[9], 2000);
	cr_assert_float_eq(count[1], 1000, 5 * sqrt(500));
	fixture_free(&f);
}
