/* tests/topo/test_facts.c - searches against plainer ones; the single switch; sizes; division by multiplication. */
#include "topo/divide.h"

#include "tests/topo/fixture.h"

Test(facts, division_is_exact)
{
	static const uint32_t some[] = { 1,   2,   3,     5,     7,        13,         163,        255,
		                         256, 641, 65535, 65537, 16777216, 0x7fffffff, 0x80000000, 0xffffffff };
	uint64_t random = 1;
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		struct topo_divider d = topo_divider_of(some[i]);
		for (uint32_t k = 0; k < 2000; k++) {
			uint32_t n = k < 100    ? k
			             : k < 200  ? UINT32_MAX - (k - 100)
			             : k < 1000 ? (uint32_t)next_random(&random)
			                        : some[i] * (k - 1000) - k % 2;
			uint32_t quotient = topo_divide(&d, n);
			cr_assert_eq(quotient, n / some[i], "%u / %u", n, some[i]);
			cr_assert_eq(topo_remainder(&d, n, quotient), n % some[i]);
		}
	}
}

/* Floyd and Warshall's distances, and girth as the least over cables of 1 + distance without the cable. */
Test(facts, distances_and_girth_of_random_graphs)
{
	uint64_t random = 2;
	for (int round = 0; round < 60; round++) {
		uint32_t n = 3 + (uint32_t)(next_random(&random) % (round < 50 ? 12 : 400)), ends = 0;
		uint8_t *joined = base_calloc((size_t)n * n, 1);
		for (uint32_t s = 1; s < n; s++) {
			uint32_t to = (uint32_t)(next_random(&random) % s);
			joined[s * n + to] = joined[to * n + s] = 1;
		}
		for (uint32_t extra = 0; extra < (uint32_t)round / 4; extra++) {
			uint32_t a = (uint32_t)(next_random(&random) % n), b = (uint32_t)(next_random(&random) % n);
			if (a != b)
				joined[a * n + b] = joined[b * n + a] = 1;
		}
		struct topo_graph g = { .n = n,
			                .first = base_calloc(n + 1, sizeof *g.first),
			                .to = base_calloc((size_t)n * n, sizeof *g.to) };
		for (uint32_t a = 0; a < n; a++) {
			for (uint32_t b = 0; b < n; b++)
				if (joined[a * n + b])
					g.to[ends++] = b;
			g.first[a + 1] = ends;
		}
		uint32_t *d = base_calloc((size_t)n * n, sizeof *d);
		for (uint32_t i = 0; i < n * n; i++)
			d[i] = joined[i] ? 1 : 100000;
		for (uint32_t i = 0; i < n; i++)
			d[i * n + i] = 0;
		for (uint32_t k = 0; k < n; k++)
			for (uint32_t a = 0; a < n; a++)
				for (uint32_t b = 0; b < n; b++)
					if (d[a * n + k] + d[k * n + b] < d[a * n + b])
						d[a * n + b] = d[a * n + k] + d[k * n + b];
		uint64_t sum = 0, found_sum;
		int diameter = 0, found;
		for (uint32_t i = 0; i < n * n; i++) {
			sum += d[i];
			diameter = (int)d[i] > diameter ? (int)d[i] : diameter;
		}
		cr_assert_eq(topo_distances(&g, NULL, 0, &found, &found_sum), 0);
		cr_assert(found == diameter && found_sum == sum);
		uint8_t *table = base_calloc((size_t)n * n, 1);
		cr_assert_eq(topo_distance_table(&g, 0, 1, false, table, &found), 0);
		for (uint32_t i = 0; i < n * n; i++)
			cr_assert_eq(table[i], d[i]);
		if (n < 20) {
			/* Remove each cable in turn and search again. */
			int girth = 0;
			for (uint32_t a = 0; a < n; a++)
				for (uint32_t b = 0; b < a; b++) {
					if (!joined[a * n + b])
						continue;
					uint32_t reach[20], queue[20], head = 0, tail = 0;
					memset(reach, 0xff, sizeof reach);
					reach[a] = 0;
					queue[tail++] = a;
					while (head < tail) {
						uint32_t s = queue[head++];
						for (uint32_t v = 0; v < n; v++)
							if (joined[s * n + v] && reach[v] == UINT32_MAX &&
							    !(s == a && v == b)) {
								reach[v] = reach[s] + 1;
								queue[tail++] = v;
							}
					}
					if (reach[b] != UINT32_MAX && (girth == 0 || (int)reach[b] + 1 < girth))
						girth = (int)reach[b] + 1;
				}
			cr_assert_eq(topo_girth(&g, NULL, 0), girth);
		}
		free(joined);
		free(d);
		free(table);
		topo_graph_free(&g);
	}
}

Test(facts, an_unconnected_graph_has_no_distances)
{
	size_t first[] = { 0, 1, 2, 3, 4 };
	topo_switch to[] = { 1, 0, 3, 2 };
	struct topo_graph g = { .n = 4, .first = first, .to = to };
	struct topo_orbit orbit = { .representative = 0, .size = 4 };
	int diameter;
	uint64_t sum;
	cr_assert_eq(topo_distances(&g, NULL, 0, &diameter, &sum), -1);
	cr_assert_eq(topo_distances(&g, &orbit, 1, &diameter, &sum), -1);
}

Test(facts, single_switch)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_single, "ports=64");
	check_cables(&t, "single");
	topo_compute_facts(&t, &f);
	cr_assert(f.switches == 1 && f.endpoints == 64 && f.radix == 64 && f.network_radix == 0 && f.links == 0);
	cr_assert(f.diameter == 0 && f.girth == -1 && f.girth_why && f.max_channel_load_uniform == 0);
	cr_assert_eq(t.ops->max_distance(&t), 0);
	topo_destroy(&t);
	expect_error(&topo_single, "ports=0", "ports", "");
}

/* By closed form where a search would take a minute; not at all where there is none. */
Test(facts, are_quick_at_any_size)
{
	static const struct {
		const char *numbers;
		int diameter;
		uint64_t links;
	} row[] = { { "p=1 a=120 h=60", 3, (uint64_t)7201 * 120 * (119 + 60) / 2 },
		    { "p=1 rows=6 columns=16 g=193 h=2", -1, 193 * 96 * (5 + 15 + 2) / 2 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		make_topo(&t, &topo_dragonfly, row[i].numbers);
		topo_quick_facts(&t, &f);
		cr_expect_eq(f.diameter, row[i].diameter, "%s: %d", row[i].numbers, f.diameter);
		cr_expect_eq(f.links, row[i].links, "%s: %lu", row[i].numbers, f.links);
		topo_destroy(&t);
	}
}

/* Whatever is not known has a reason. */
Test(facts, too_large_graphs_say_so)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_dragonfly, "p=1 rows=6 columns=16 g=97 h=1");
	topo_compute_facts(&t, &f);
	cr_assert_lt(f.max_channel_load_uniform, 0);
	cr_assert(f.max_channel_load_why);
	cr_assert_eq(f.girth, 3);
	cr_assert_gt(f.diameter, 2);
	topo_destroy(&t);
}

Test(facts, endpoint_to_switch_with_unequal_switches)
{
	static const uint32_t first[] = { 0, 0, 3, 3, 4, 9 };
	struct topo t = { .switches = 5, .endpoints = 9, .max_endpoints = 5, .endpoint_first = first };
	static const topo_switch want[] = { 1, 1, 1, 3, 4, 4, 4, 4, 4 };
	for (topo_endpoint e = 0; e < 9; e++)
		cr_assert_eq(topo_switch_of(&t, e), want[e], "endpoint %u", e);
	cr_assert_eq(topo_endpoints_at(&t, 1), 3);
	cr_assert_eq(topo_endpoints_at(&t, 2), 0);
}

/* What topologies say of themselves: one_way is next() with one answer, of any two switches and at any hop. */
Test(facts, one_way_is_what_next_says)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		bool told; /* where it is so, it is said */
	} some[] = {
		{ &topo_dragonfly, "p=2 a=4 h=2", true },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=5", true },
		{ &topo_dragonfly, "p=2 a=3 h=1 g=1", true },
		{ &topo_dragonfly, "p=2 a=6 h=2 rows=2", true },
		{ &topo_dragonfly, "p=2 a=6 h=2 rows=2 black=2", true },
		{ &topo_dragonfly, "p=2 a=4 h=4 g=5", true },
		{ &topo_torus, "dims=5,3", true },
		{ &topo_torus, "dims=5,2,3", true },
		{ &topo_torus, "dims=5,4", true },
		{ &topo_torus, "dims=4,4 wrap=false", true },
		{ &topo_torus, "dims=4,3 wrap=true,false", true },
		{ &topo_hyperx, "dims=4", true },
		{ &topo_hyperx, "dims=4 trunk=2", true },
		{ &topo_hyperx, "dims=4,3", true },
		{ &topo_hyperx, "dims=4,3 order=dimension", true },
		{ &topo_hyperx, "dims=4,3 order=any", true },
		{ &topo_hyperx, "dims=3,3,3 order=dimension", true },
		{ &topo_hyperx, "dims=3,3,3 trunk=1,2,1 order=dimension", true },
		{ &topo_hyperx, "dims=3,1,1", true },
		{ &topo_polarfly, "q=5", true },
		{ &topo_slimfly, "q=5", false },
		{ &topo_fattree, "k=4", false },
		{ &topo_hammingmesh, "boards=2,2", false },
	};
	for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
		struct topo t;
		make_topo(&t, some[i].plugin, some[i].text);
		bool one = true;
		for (topo_switch from = 0; from < t.switches && t.switches < 3000; from++)
			for (topo_switch to = 0; to < t.switches - t.bare; to++)
				for (unsigned hops = 0; to != from && hops < 4; hops++) {
					topo_port out[TOPO_MAX_NEXT];
					one &= t.ops->next(&t, from, to, hops, out) == 1;
				}
		cr_expect(!t.one_way || one, "%s %s: it has a choice", t.kind, some[i].text);
		cr_expect(!some[i].told || t.one_way == one, "%s %s: it has no choice, and does not say so", t.kind,
		          some[i].text);
		topo_destroy(&t);
	}
}
