/* tests/topo/test_jellyfish.c - random regular graphs: degree, connectivity, mean distance, the same graph for the same
 * seed, and what is said without a table of routes. */
#include "tests/topo/golden.h"

#include <stdio.h>

/* The graph of topo1000.csv by its edge list. */
Test(jellyfish, the_tabulated_graph)
{
	char text[512];
	snprintf(text, sizeof text, "file=%s/topo/edges_jellyfish_n128_d12.txt.gz endpoints=8", TILEFLY_TEST_DATA);
	struct golden row = { &topo_edges, text, 128, 1024, 20, 12, 768, 3, 3, 2.184793, 2.169844, 0, 228, 228 };
	check_golden(&row);
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_edges, text);
	topo_compute_facts(&t, &f);
	cr_expect_float_eq(1 / f.max_channel_load_uniform, .492126, 5.1e-7); /* split per hop: ur_sat_hops */
	topo_destroy(&t);
}

static void check_regular(const struct topo *t, uint32_t degree, const char *what)
{
	for (topo_switch s = 0; s < t->switches; s++) {
		cr_assert_eq(topo_ports(t, s), degree, "%s", what);
		for (topo_port p = 0; p < degree; p++) {
			topo_switch to = topo_peer(t, s, p).to;
			cr_assert_neq(to, s, "%s", what);
			for (topo_port q = 0; q < p; q++)
				cr_assert_neq(topo_peer(t, s, q).to, to, "%s: %u and %u twice", what, s, to);
		}
	}
}

/* Mean distances of random graphs of these sizes, from networkx and own ones: within 1 %. */
Test(jellyfish, mean_distance)
{
	static const struct {
		uint32_t n, d;
		double mean;
	} row[] = { { 128, 12, 2.184793 }, { 264, 11, 2.582325 }, { 338, 19, 2.266255 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (uint32_t seed = 1; seed <= 5; seed++) {
			struct topo t;
			struct topo_facts f;
			char text[64];
			snprintf(text, sizeof text, "switches=%u degree=%u endpoints=4 seed=%u", row[i].n, row[i].d,
			         seed);
			make_topo(&t, &topo_jellyfish, text);
			topo_compute_facts(&t, &f);
			check_regular(&t, row[i].d, text);
			cr_expect_eq(f.links, row[i].n * row[i].d / 2);
			cr_expect_float_eq(f.mean_distance, row[i].mean, 0.01 * row[i].mean, "%s: %f", text,
			                   f.mean_distance);
			topo_destroy(&t);
		}
}

Test(jellyfish, many_shapes)
{
	uint64_t random = 21;
	for (int i = 0; i < 120; i++) {
		uint32_t n = 3 + (uint32_t)(next_random(&random) % 40),
			 d = 2 + (uint32_t)(next_random(&random) % (n - 2));
		if (i % 10 == 0)
			d = n - 1;
		if (d == 2) /* rings: seldom one */
			d = n > 3 ? 3 : 2;
		d -= n % 2 && d % 2;
		if (d < 2)
			continue;
		struct topo t;
		char text[64];
		snprintf(text, sizeof text, "switches=%u degree=%u endpoints=2 seed=%d", n, d, i);
		make_topo(&t, &topo_jellyfish, text);
		check_cables(&t, text);
		check_regular(&t, d, text);
		check_routes(&t, text, true, 500);
		check_shortest(&t, text);
		topo_destroy(&t);
	}
}

static uint64_t fingerprint(uint32_t seed)
{
	struct topo t;
	char text[64];
	uint64_t hash = 1;
	snprintf(text, sizeof text, "switches=100 degree=7 endpoints=1 seed=%u", seed);
	make_topo(&t, &topo_jellyfish, text);
	for (topo_switch s = 0; s < t.switches; s++)
		for (topo_port p = 0; p < 7; p++)
			hash = (hash ^ topo_peer(&t, s, p).to) * UINT64_C(0x100000001b3);
	topo_destroy(&t);
	return hash;
}

Test(jellyfish, the_seed_is_the_graph)
{
	cr_expect_eq(fingerprint(1), fingerprint(1));
	cr_expect_neq(fingerprint(1), fingerprint(2));
}

/* The graph, and no routes; facts that need all pairs say why they are not there. */
Test(jellyfish, a_million_endpoints)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_jellyfish, "switches=50000 degree=32 endpoints=20");
	cr_assert_eq(t.endpoints, 1000000);
	cr_assert(t.no_routes && strstr(t.no_routes, "2500000000"), "%s", t.no_routes);
	topo_quick_facts(&t, &f);
	cr_expect_eq(f.links, 800000);
	check_regular(&t, 32, "50000");
	topo_destroy(&t);
	make_topo(&t, &topo_jellyfish, "switches=16386 degree=3 endpoints=1");
	topo_compute_facts(&t, &f);
	cr_expect_lt(f.max_channel_load_uniform, 0);
	cr_expect_eq(f.max_channel_load_why, t.no_routes);
	topo_destroy(&t);
}

Test(jellyfish, errors)
{
	expect_error(&topo_jellyfish, "switches=9 degree=3 endpoints=1", "degree",
	             "the nearest valid numbers of ports are 2 and 4");
	expect_error(&topo_jellyfish, "switches=8 degree=8 endpoints=1", "degree", "1 to 7 others");
	expect_error(&topo_jellyfish, "switches=10 degree=1 endpoints=1", "degree", "none of 64");
	expect_error(&topo_jellyfish, "switches=1 degree=1 endpoints=1", "switches", "");
	expect_error(&topo_jellyfish, "switches=1000000 degree=60000 endpoints=1", "degree", "cables");
}
