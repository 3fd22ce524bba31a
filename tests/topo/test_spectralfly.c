/* tests/topo/test_spectralfly.c - LPS graphs: tabulated facts, an edge list, symmetry, the Ramanujan bound, errors. */
#include "tests/topo/golden.h"

#include <stdio.h>

Test(spectralfly, equals_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_spectralfly, "p=11 q=7 endpoints=6", 168, 1008, 18, 12, 1008, 3, 3, 2.389222, 2.377358,
		  .8412698, 288, 288 },
		{ &topo_spectralfly, "p=3 q=5 endpoints=2", 120, 240, 0, 4, 240, 6, 6, 3.714286, 3.698745, 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check_golden(&row[i]);
}

Test(spectralfly, equals_the_edge_list)
{
	struct topo t;
	make_topo(&t, &topo_spectralfly, "p=11 q=7 endpoints=6");
	check_against_file(&t, "edges_lps_11_7.txt.gz");
	topo_destroy(&t);
}

/* Numbers of the table in reference: (5, 13), (23, 11); and others for their cables and ways. */
Test(spectralfly, many_pairs)
{
	static const struct {
		uint32_t p, q, n;
		int diameter, girth; /* 0: not known from elsewhere */
	} row[] = { { 3, 5, 120, 6, 6 },   { 5, 13, 2184, 7, 8 },  { 11, 7, 168, 3, 3 },
		    { 23, 11, 660, 3, 0 }, { 3, 7, 336, 0, 0 },    { 5, 7, 336, 0, 0 },
		    { 7, 11, 1320, 0, 0 }, { 13, 11, 1320, 0, 0 }, { 17, 13, 1092, 0, 0 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		char text[64];
		snprintf(text, sizeof text, "p=%u q=%u endpoints=2", row[i].p, row[i].q);
		make_topo(&t, &topo_spectralfly, text);
		topo_compute_facts(&t, &f);
		cr_assert_eq(t.switches, row[i].n, "%s: %u", text, t.switches);
		cr_assert(!row[i].diameter || f.diameter == row[i].diameter, "%s: diameter %d", text, f.diameter);
		cr_assert(!row[i].girth || f.girth == row[i].girth, "%s: girth %d", text, f.girth);
		if (row[i].p == 23)
			cr_assert_float_eq(f.mean_distance, 2.347496, 5.1e-7);
		check_cables(&t, text);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_port p = 0; p < t.max_ports; p++) {
				cr_assert_neq(topo_peer(&t, s, p).to, s);
				for (topo_port o = 0; o < p; o++)
					cr_assert_neq(topo_peer(&t, s, o).to, topo_peer(&t, s, p).to, "%s", text);
			}
		check_routes(&t, text, true, 2000);
		if (t.switches < 400) {
			check_shortest(&t, text);
			check_facts(&t, text);
		}
		topo_destroy(&t);
	}
}

Test(spectralfly, a_million_endpoints)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_spectralfly, "p=23 q=53 endpoints=14");
	topo_quick_facts(&t, &f);
	cr_assert_gt(f.endpoints, 1000000);
	cr_assert_gt(f.max_channel_load_uniform, 0);
	check_routes(&t, "23, 53", true, 2000);
	topo_destroy(&t);
}

Test(spectralfly, errors)
{
	expect_error(&topo_spectralfly, "p=9 q=13 endpoints=1", "p", "the nearest are 7 and 11");
	expect_error(&topo_spectralfly, "p=5 q=14 endpoints=1", "q", "the nearest are 13 and 17");
	expect_error(&topo_spectralfly, "p=23 q=7 endpoints=1", "q", "the minimum is 11");
	expect_error(&topo_spectralfly, "p=5 q=5 endpoints=1", "q", "must differ");
	expect_error(&topo_spectralfly, "p=60 q=67 endpoints=1", "p", "the nearest are 59 and 61");
	struct base_errors errors = { 0 };
	struct topo t;
	cr_assert_neq(try_topo(&t, &topo_spectralfly, "p=9 q=14 endpoints=1", &errors), 0);
	cr_expect_eq(errors.errors, 2, "all at once: %zu", errors.errors);
	base_errors_free(&errors);
}
