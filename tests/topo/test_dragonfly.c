/* tests/topo/test_dragonfly.c - wiring against the published arrangements, routes, facts, presets, errors. */
#include "tests/topo/fixture.h"

#include <stdio.h>

static const char *const arrangements[] = { "absolute", "relative", "palmtree", "circulant" };

/* The arrangements as published, for g = a h + 1: group port n = i h + j is port j of switch i. */
struct far_end {
	uint32_t group, n;
};

static struct far_end published(int arrangement, uint32_t group, uint32_t n, uint32_t g)
{
	if (arrangement == 0) {
		uint32_t to = n < group ? n : n + 1;
		return (struct far_end){ to, group < to ? group : group - 1 };
	}
	if (arrangement == 1)
		return (struct far_end){ (group + n + 1) % g, g - 2 - n };
	if (arrangement == 2)
		return (struct far_end){ (group + g - n - 1) % g, g - 2 - n };
	return n % 2 == 0 ? (struct far_end){ (group + n / 2 + 1) % g, n + 1 }
	                  : (struct far_end){ (group + g - (n - 1) / 2 - 1) % g, n - 1 };
}

static void make_dragonfly(struct topo *t, const char *numbers, int arrangement)
{
	char text[160];
	snprintf(text, sizeof text, "%s arrangement=%s", numbers, arrangements[arrangement]);
	make_topo(t, &topo_dragonfly, text);
}

Test(dragonfly, arrangements_are_the_published_ones)
{
	static const struct {
		uint32_t p, a, h;
	} size[] = { { 4, 8, 4 }, { 2, 4, 2 }, { 1, 3, 4 }, { 3, 6, 2 }, { 1, 5, 6 } };
	for (size_t i = 0; i < sizeof size / sizeof *size; i++)
		for (int arrangement = 0; arrangement < 4; arrangement++) {
			uint32_t a = size[i].a, h = size[i].h, g = a * h + 1;
			char text[64];
			snprintf(text, sizeof text, "p=%u a=%u h=%u", size[i].p, a, h);
			struct topo t;
			make_dragonfly(&t, text, arrangement);
			cr_assert_eq(t.groups, g);
			cr_assert_eq(t.switches, g * a);
			check_cables(&t, arrangements[arrangement]);
			uint8_t *pair = base_calloc((size_t)g * g, 1);
			for (topo_switch s = 0; s < t.switches; s++)
				for (uint32_t j = 0; j < h; j++) {
					uint32_t group = s / a, n = s % a * h + j;
					struct far_end want = published(arrangement, group, n, g);
					struct topo_hop hop = topo_peer(&t, s, a - 1 + j);
					cr_assert_eq(hop.link_class, 1);
					cr_assert_eq(hop.to, want.group * a + want.n / h, "%s: %u.%u",
					             arrangements[arrangement], s, j);
					cr_assert_eq(hop.port, a - 1 + want.n % h);
					pair[group * g + want.group]++;
				}
			for (uint32_t x = 0; x < g; x++)
				for (uint32_t y = 0; y < g; y++)
					cr_assert_eq(pair[x * g + y], x != y, "one cable per pair of groups");
			free(pair);
			topo_destroy(&t);
		}
}

Test(dragonfly, equals_the_tabulated_facts)
{
	/* topologies.csv and, for the last two, the means and triangles computed beside it */
	static const struct {
		const char *numbers;
		int arrangement;
		uint32_t n, switches, degree, cables;
		double mean;
		uint64_t triangles;
		double local, global; /* saturations of the channels */
	} row[] = {
		{ "p=4 a=8 h=4 g=33", 0, 1056, 264, 11, 1452, 2.693744, 1928, 1.0144, 1.0303 },
		{ "p=4 a=8 h=4 g=33", 1, 1056, 264, 11, 1452, 2.686312, 1848, 1.0144, 1.0303 },
		{ "p=4 a=8 h=4 g=33", 2, 1056, 264, 11, 1452, 2.686312, 1848, 1.0144, 1.0303 },
		{ "p=4 a=8 h=4 g=33", 3, 1056, 264, 11, 1452, 2.676806, 1892, 1.0144, 1.0303 },
		{ "p=2 a=4 h=2 g=9", 0, 72, 36, 5, 90, 2.352381, 40, 1.0441, 1.1094 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		make_dragonfly(&t, row[i].numbers, row[i].arrangement);
		topo_compute_facts(&t, &f);
		cr_expect_eq(f.endpoints, row[i].n);
		cr_expect_eq(f.switches, row[i].switches);
		cr_expect_eq(f.network_radix, row[i].degree);
		cr_expect_eq(f.links, row[i].cables);
		cr_expect_eq(f.diameter, 3);
		cr_expect_eq(f.girth, 3);
		cr_expect_float_eq(f.mean_distance, row[i].mean, 5.1e-7, "%s: %f", arrangements[row[i].arrangement],
		                   f.mean_distance);
		cr_expect_eq(count_triangles(&t), row[i].triangles, "%s", arrangements[row[i].arrangement]);
		cr_expect_float_eq(1 / f.max_channel_load_uniform, row[i].local, 5.1e-5);
		struct topo_graph g;
		topo_graph_of(&g, &t);
		double *load = base_calloc(g.first[g.n], sizeof *load);
		cr_assert_eq(topo_uniform_loads(&t, &g, load), 0);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_port p = 0; p < t.max_ports; p++)
				cr_assert_float_eq(1 / load[g.first[s] + p],
				                   topo_peer(&t, s, p).link_class ? row[i].global : row[i].local,
				                   5.1e-5);
		free(load);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}

/* Mean route lengths over ordered pairs of distinct switches: 2.703422 for 1,056 endpoints, 2.371429 for 72, 2.810286
 * for 5,256. */
Test(dragonfly, mean_route_length)
{
	static const struct {
		const char *numbers;
		double hops;
	} row[] = { { "p=4 a=8 h=4", 2.703422 }, { "p=2 a=4 h=2", 2.371429 }, { "p=6 a=12 h=6", 2.810286 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		make_dragonfly(&t, row[i].numbers, 0);
		topo_compute_facts(&t, &f);
		double n = t.switches, p = t.max_endpoints;
		cr_expect_float_eq(f.mean_minimal_hops * (n * p - 1) / ((n - 1) * p), row[i].hops, 5.1e-7);
		topo_destroy(&t);
	}
}

Test(dragonfly, random_sizes)
{
	uint64_t random = 7;
	for (int i = 0; i < 150; i++) {
		uint32_t a = 1 + (uint32_t)(next_random(&random) % 7), h = 1 + (uint32_t)(next_random(&random) % 5);
		uint32_t g = 1 + (uint32_t)(next_random(&random) % (a * h + 1)),
			 p = 1 + (uint32_t)(next_random(&random) % 3);
		int arrangement = (int)(next_random(&random) % 4);
		char text[128];
		snprintf(text, sizeof text, "p=%u a=%u h=%u g=%u", p, a, h, g);
		struct topo t;
		make_dragonfly(&t, text, arrangement);
		cr_assert_eq(t.switches, a * g);
		check_cables(&t, text);
		check_routes(&t, text, true, 3000);
		if (t.switches > 1)
			check_facts(&t, text);
		/* As many cables for every pair of groups; global ports even over the switches of a group. */
		uint32_t *pair = base_calloc((size_t)g * g, sizeof *pair), trunk = g > 1 ? a * h / (g - 1) : 0;
		for (topo_switch s = 0; s < t.switches; s++) {
			uint32_t global = topo_ports(&t, s) - (a - 1);
			cr_assert(global == (g - 1) * trunk / a || global == ((g - 1) * trunk + a - 1) / a, "%s", text);
			for (topo_port q = a - 1; q < topo_ports(&t, s); q++)
				pair[topo_group(&t, s) * g + topo_group(&t, topo_peer(&t, s, q).to)]++;
		}
		for (uint32_t x = 0; x < g; x++)
			for (uint32_t y = 0; y < g; y++)
				cr_assert_eq(pair[x * g + y], x == y ? 0 : trunk, "%s", text);
		free(pair);
		topo_destroy(&t);
	}
}

Test(dragonfly, grids_of_random_sizes)
{
	uint64_t random = 11;
	for (int i = 0; i < 80; i++) {
		uint32_t rows = 1 + (uint32_t)(next_random(&random) % 4),
			 columns = 1 + (uint32_t)(next_random(&random) % 5);
		uint32_t black = 1 + (uint32_t)(next_random(&random) % 3), g = 1 + (uint32_t)(next_random(&random) % 5);
		uint32_t trunk = 1 + (uint32_t)(next_random(&random) % 9), a = rows * columns;
		char text[128];
		snprintf(text, sizeof text, "p=2 rows=%u columns=%u black=%u g=%u trunk=%u", rows, columns, black, g,
		         trunk);
		struct topo t;
		make_dragonfly(&t, text, (int)(next_random(&random) % 4));
		check_cables(&t, text);
		check_routes(&t, text, false, 2000);
		for (topo_switch s = 0; s < t.switches; s++) {
			uint32_t position = s % a, in_row = 0, in_column = 0;
			for (topo_port q = 0; q < topo_ports(&t, s); q++) {
				struct topo_hop hop = topo_peer(&t, s, q);
				uint32_t other = hop.to % a;
				if (hop.link_class)
					continue;
				cr_assert_eq(hop.to / a, s / a);
				cr_assert((other / columns == position / columns) !=
				              (other % columns == position % columns),
				          "%s", text);
				in_row += other / columns == position / columns;
				in_column += other % columns == position % columns;
			}
			cr_assert_eq(in_row, columns - 1);
			cr_assert_eq(in_column, (rows - 1) * black);
		}
		if (t.switches > 1)
			check_facts(&t, text);
		topo_destroy(&t);
	}
}

/* Minimal is local-global-local: never two global hops, every cable of the pair equally often. */
Test(dragonfly, routes_take_one_global_hop)
{
	static const char *const numbers[] = { "p=4 a=8 h=4", "preset=shandy", "p=1 a=6 h=5 g=4",
		                               "p=1 rows=2 columns=4 black=2 g=4 trunk=5" };
	for (size_t i = 0; i < 4; i++) {
		struct topo t;
		make_dragonfly(&t, numbers[i], 1);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_switch to = 0; to < t.switches; to++) {
				unsigned globals = 0, hops = 0;
				for (topo_switch at = s; at != to; hops++) {
					topo_port out[TOPO_MAX_NEXT];
					int n = t.ops->next(&t, at, to, hops, out);
					struct topo_hop hop = topo_peer(&t, at, out[(s + to + hops) % (unsigned)n]);
					globals += hop.link_class;
					at = hop.to;
				}
				cr_assert_eq(globals, topo_group(&t, s) != topo_group(&t, to), "%s: %u -> %u",
				             numbers[i], s, to);
			}
		struct topo_graph g;
		topo_graph_of(&g, &t);
		double *load = base_calloc(g.first[g.n], sizeof *load), first = -1;
		cr_assert_eq(topo_uniform_loads(&t, &g, load), 0);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_port p = 0; p < topo_ports(&t, s); p++)
				if (topo_peer(&t, s, p).link_class && strstr(numbers[i], "rows") == NULL) {
					first = first < 0 ? load[g.first[s] + p] : first;
					cr_assert_float_eq(load[g.first[s] + p], first, 1e-9,
					                   "%s: equal split over the cables", numbers[i]);
				}
		free(load);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}

/* More cables per pair than next() may offer: still legal, still all used. */
Test(dragonfly, wide_trunks)
{
	static const char *const numbers[] = { "p=1 a=16 h=10 g=2", "p=1 rows=4 columns=4 black=3 g=2 trunk=150" };
	for (size_t i = 0; i < 2; i++) {
		struct topo t;
		struct topo_facts f;
		make_dragonfly(&t, numbers[i], 0);
		check_cables(&t, numbers[i]);
		check_routes(&t, numbers[i], false, 1u << 30);
		topo_compute_facts(&t, &f);
		struct topo_graph g;
		topo_graph_of(&g, &t);
		double *load = base_calloc(g.first[g.n], sizeof *load), global = 0;
		cr_assert_eq(topo_uniform_loads(&t, &g, load), 0);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_port p = 0; p < topo_ports(&t, s); p++)
				if (topo_peer(&t, s, p).link_class) {
					cr_assert_gt(load[g.first[s] + p], 0, "%s: unused cable", numbers[i]);
					global += load[g.first[s] + p];
				}
		cr_assert_float_eq(global, 2.0 * 16 * 16 / 31, 1e-9);
		free(load);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}

Test(dragonfly, worst_case_is_the_next_group)
{
	struct topo t;
	make_dragonfly(&t, "preset=dragonfly-1056", 0);
	topo_switch to[264];
	cr_assert_eq(t.ops->worst_case(&t, to), 0);
	for (topo_switch s = 0; s < 264; s++) {
		cr_assert_eq(topo_group(&t, to[s]), (topo_group(&t, s) + 1) % 33);
		cr_assert_eq(to[s] % 8, s % 8);
	}
	topo_destroy(&t);
}

Test(dragonfly, presets)
{
	static const struct {
		const char *text;
		uint32_t endpoints, switches, groups, most_global;
		uint64_t global;
	} row[] = {
		{ "preset=dragonfly-1056", 1056, 264, 33, 4, 528 },
		{ "preset=slingshot-max", 279040, 17440, 545, 17, 545 * 544 / 2 },
		{ "preset=shandy", 2048, 128, 8, 4, 8 * 7 / 2 * 8 },
		{ "preset=edison", 5760, 1440, 15, 2, 15 * 14 / 2 * 12 },
		{ "preset=slingshot-max g=511", 261632, 16352, 511, 16, 511 * 510 / 2 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		struct base_errors errors = { 0 };
		cr_assert_eq(try_topo(&t, &topo_dragonfly, row[i].text, &errors), 0, "%s", row[i].text);
		bool limit = false;
		for (size_t e = 0; e < errors.n; e++)
			limit = limit || (errors.v[e].warning && strstr(errors.v[e].text, "511"));
		cr_expect_eq(limit, row[i].groups > 511, "%s", row[i].text);
		topo_compute_facts(&t, &f);
		cr_expect_eq(f.endpoints, row[i].endpoints, "%s", row[i].text);
		cr_expect_eq(f.switches, row[i].switches);
		cr_expect_eq(t.groups, row[i].groups);
		cr_expect_eq(f.links_by_class[1], row[i].global);
		if (i == 1) /* Rosetta: 16 endpoints, 31 local and 17 global ports */
			cr_expect_eq(f.radix, 64);
		if (i == 2) { /* the bisection of the paper: 4 x 4 x 8 cables */
			cr_expect_eq(f.bisection_links, 128);
			/* all-to-all at 12.8 TB/s over 2,048 NICs of 25 GB/s; the paper counts self-traffic away */
			cr_expect_float_eq(1 / f.max_channel_load_uniform, .25, 5e-4);
		}
		topo_destroy(&t);
		base_errors_free(&errors);
	}
}

Test(dragonfly, errors)
{
	expect_error(&topo_dragonfly, "a=8 h=4", "p", "is required");
	expect_error(&topo_dragonfly, "p=4 h=4", "a", "is required");
	expect_error(&topo_dragonfly, "p=4 a=8", "h", "is required");
	expect_error(&topo_dragonfly, "p=4 a=8 trunk=2", "g", "is required");
	expect_error(&topo_dragonfly, "p=4 a=8 h=4 g=34", "g", "34 groups are too many");
	expect_error(&topo_dragonfly, "p=4 a=8 h=4 g=33 trunk=2", "trunk", "64 global ports");
	expect_error(&topo_dragonfly, "p=4 a=8 h=4 trunk=60", "trunk", "only 32 global ports");
	expect_error(&topo_dragonfly, "p=4 a=9 h=4 rows=2 columns=4", "a", "9 switches are not 2 rows of 4 columns");
	expect_error(&topo_dragonfly, "p=4 a=8 h=4 group=full rows=2", "rows", "has an effect only for grid groups");
	expect_error(&topo_dragonfly, "p=60000 a=60000 h=60000", "g", "");
	expect_error(&topo_dragonfly, "p=1 a=1000 h=60000 g=60001", "g", "");
	expect_error(&topo_dragonfly, "preset=nonesuch", "preset", "");
}

/* Wide trunks: the closed form of loads is that of what next() offers, up to all of it. */
Test(dragonfly, loads_of_wide_trunks)
{
	static const char *const wide[] = { "p=1 a=4 g=2 trunk=100", "p=2 a=5 g=3 trunk=77", "p=1 a=3 g=2 trunk=500" };
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
		struct topo t;
		make_topo(&t, &topo_dragonfly, wide[i]);
		check_facts(&t, wide[i]);
		topo_destroy(&t);
	}
}
