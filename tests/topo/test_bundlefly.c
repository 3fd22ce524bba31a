/* tests/topo/test_bundlefly.c - a Slim Fly of Paley graphs: tabulated facts, the edge list, ranges of parameters. */
#include "tests/topo/golden.h"
#include "topo/bundlefly.h"

#include <stdio.h>

Test(bundlefly, equals_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_bundlefly, "q=5 supernode=5 endpoints=4", 250, 1000, 13, 9, 1125, 3, 5, 2.638554, 2.630631,
		  .618193, 261, 261 },
		{ &topo_bundlefly, "q=5 supernode=5 endpoints=3", 250, 750, 12, 9, 1125, 3, 5, 2.638554, 2.631509, 0, 0,
		  0 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		check_golden(&row[i]);
		make_topo(&t, row[i].plugin, row[i].text);
		cr_expect_eq(count_triangles(&t), 0, "%s: %lu triangles", row[i].text, count_triangles(&t));
		topo_destroy(&t);
	}
}

/* The mean distance for q = 5 and supernodes of 9 (references: topologies.md, section 4). */
Test(bundlefly, equals_the_other_instance)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_bundlefly, "q=5 supernode=9 endpoints=1");
	topo_compute_facts(&t, &f);
	cr_expect_eq(f.switches, 450);
	cr_expect_eq(f.network_radix, 11);
	cr_expect_eq(f.diameter, 3);
	cr_expect_float_eq(f.mean_distance, 2.723831, 5.1e-7, "%.7f", f.mean_distance);
	topo_destroy(&t);
}

Test(bundlefly, equals_the_edge_list)
{
	struct topo t;
	make_topo(&t, &topo_bundlefly, "q=5 supernode=5 endpoints=1");
	check_against_file(&t, "edges_bundlefly_5_5.txt.gz");
	topo_destroy(&t);
}

/* q = 8 and 9 have triangles in the Slim Fly; r = 9 and 25 are no primes; r = 5 has twists modulo 4. */
Test(bundlefly, many_shapes)
{
	static const char *const text[] = { "q=3 supernode=5",
		                            "q=3 supernode=9 endpoints=2",
		                            "q=3 supernode=13",
		                            "q=3 supernode=25 endpoints=1",
		                            "q=4 supernode=5 endpoints=2",
		                            "q=4 supernode=13",
		                            "q=5 supernode=9",
		                            "q=7 supernode=5 endpoints=3",
		                            "q=7 supernode=9",
		                            "q=8 supernode=5",
		                            "q=9 supernode=5",
		                            "q=4 supernode=17 endpoints=1",
		                            "q=11 supernode=5" };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct topo t;
		make_topo(&t, &topo_bundlefly, text[i]);
		check_cables(&t, text[i]);
		check_shortest(&t, text[i]);
		check_routes(&t, text[i], true, 2000);
		check_facts(&t, text[i]);
		check_both_ways(&t, text[i], false, topo_bundlefly_next, topo_bundlefly_distance);
		topo_destroy(&t);
	}
}

Test(bundlefly, wrong_parameters)
{
	expect_error(&topo_bundlefly, "q=6 supernode=5", "q", "6 is not a prime power; the nearest are 5 and 7");
	expect_error(&topo_bundlefly, "q=5 supernode=7", "supernode", "the nearest are 5 and 9");
	expect_error(&topo_bundlefly, "q=5 supernode=21", "supernode", "the nearest are 17 and 25");
	expect_error(&topo_bundlefly, "q=5 supernode=4", "supernode", "4 is out of range");
	expect_error(&topo_bundlefly, "q=5 supernode=5 endpoints=0", "endpoints", "0");
	expect_error(&topo_bundlefly, "q=211 supernode=257", "", "22883794 switches");
}

/* 2 x 27^2 x 37 = 53,946 switches, 1,024,974 endpoints: no table of pairs, and routes to be had. */
Test(bundlefly, a_million_endpoints)
{
	struct topo t;
	make_topo(&t, &topo_bundlefly, "q=27 supernode=37");
	cr_expect_eq(t.switches, 53946);
	cr_expect_geq(t.endpoints, 1000000);
	cr_expect_eq(t.no_routes, NULL);
	check_cables(&t, "q = 27");
	check_routes(&t, "q = 27", true, 200);
	topo_destroy(&t);
}
