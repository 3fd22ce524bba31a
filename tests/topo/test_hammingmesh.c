/* tests/topo/test_hammingmesh.c - boards of accelerators: tabulated facts, the edge list, shapes, and what is bought.
 */
#include "tests/topo/golden.h"
#include "topo/bill.h"

#include <stdio.h>

Test(hammingmesh, equals_the_tabulated_facts)
{
	static const struct golden row = { &topo_hammingmesh,
		                           "board=2,2 boards=16,16",
		                           1088,
		                           1024,
		                           32,
		                           32,
		                           3072,
		                           4,
		                           3,
		                           3.712484,
		                           3.816227,
		                           1.065625,
		                           480,
		                           480 };
	struct topo t;
	check_golden(&row);
	make_topo(&t, row.plugin, row.text);
	cr_expect_eq(count_triangles(&t), 1024, "%lu triangles", count_triangles(&t));
	cr_expect_eq(t.ops->max_distance(&t), 4);
	topo_destroy(&t);
}

Test(hammingmesh, equals_the_edge_list)
{
	struct topo t;
	make_topo(&t, &topo_hammingmesh, "board=2,2 boards=4,4");
	check_against_file(&t, "edges_hx2mesh_4x4.txt.gz");
	topo_destroy(&t);
}

Test(hammingmesh, many_shapes)
{
	static const char *const text[] = { "board=1,1 boards=3,4", "board=2,2 boards=2,2", "board=2,1 boards=4,5",
		                            "board=1,2 boards=3,2", "board=3,3 boards=2,3", "board=4,4 boards=3,2",
		                            "board=5,2 boards=2,4", "board=1,7 boards=4,2", "board=6,3 boards=3,3",
		                            "board=8,1 boards=2,9", "board=4,2 boards=5,7", "board=3,1 boards=86,2" };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct topo t;
		make_topo(&t, &topo_hammingmesh, text[i]);
		check_cables(&t, text[i]);
		check_shortest(&t, text[i]);
		check_routes(&t, text[i], true, 2000);
		check_facts(&t, text[i]);
		topo_destroy(&t);
	}
}

Test(hammingmesh, wrong_parameters)
{
	expect_error(&topo_hammingmesh, "board=2 boards=4,4", "board", "two numbers are expected");
	expect_error(&topo_hammingmesh, "board=2,2 boards=4,4,4", "boards", "two numbers are expected");
	expect_error(&topo_hammingmesh, "board=2,2 boards=1,4", "boards", "1");
	expect_error(&topo_hammingmesh, "board=2,65 boards=4,4", "board", "65");
	expect_error(&topo_hammingmesh, "board=64,64 boards=32767,32767", "", "at most");
}

/* 500 x 500 boards of four: 1,002,000 switches without a table. */
Test(hammingmesh, a_million_endpoints)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_hammingmesh, "board=2,2 boards=500,500");
	cr_expect_eq(t.endpoints, 1000000);
	topo_quick_facts(&t, &f);
	cr_expect_eq(f.diameter, 4);
	cr_expect_eq(f.links, 3000000);
	cr_expect_float_eq(1 / f.max_channel_load_uniform, 999999. / (998 * 1000.), 1e-9);
	check_routes(&t, "a million", true, 500);
	topo_destroy(&t);
}

static struct topo_bill bill_of(const char *text)
{
	static const uint64_t rate[TOPO_LINK_CLASSES] = { 40000000000, 40000000000, 40000000000 };
	struct topo_layout_params p = { 0 };
	struct base_errors errors = { 0 };
	struct topo_layout layout;
	struct topo_bill bill;
	struct topo t;
	cr_assert_eq(base_params_defaults(topo_layout_table, &p, &errors), 0);
	make_topo(&t, &topo_hammingmesh, text);
	cr_assert_eq(topo_layout_build(&layout, &t, &p, &errors), 0);
	topo_bill_make(&bill, &t, &layout, rate, 40000000000);
	cr_expect_eq(layout.racks, 4);
	topo_layout_free(&layout);
	topo_destroy(&t);
	return bill;
}

/* 4 x 4 boards of four: 8 switches of rows and 8 of columns with 8 ports each, 64 cables to rows, in the rack of the
 * row, and 64 to columns; accelerators' own switches, the 64 traces of boards and the ways to endpoints only if they
 * are bought. */
Test(hammingmesh, own_switches_cost_nothing)
{
	struct topo_bill own = bill_of("board=2,2 boards=4,4"),
			 all = bill_of("board=2,2 boards=4,4 accelerators=bought");
	cr_expect_eq(own.own, 64);
	cr_expect_eq(own.switches, 16);
	cr_expect_eq(own.ports, 128);
	cr_expect_eq(own.radix, 8);
	cr_expect_eq(own.cables[TOPO_COPPER] + own.cables[TOPO_OPTICAL], 128);
	for (size_t i = 0; i < own.ncable; i++) {
		cr_expect_neq(own.cable[i].link_class, TOPO_TERMINAL);
		cr_expect_neq(own.cable[i].link_class, 0);
	}
	cr_expect_eq(all.own, 0);
	cr_expect_eq(all.switches, 80);
	cr_expect_eq(all.ports, 128 + 5 * 64);
	cr_expect_eq(all.cables[TOPO_COPPER] + all.cables[TOPO_OPTICAL], 192);
	cr_expect_eq(all.cable[all.ncable - 1].link_class, TOPO_TERMINAL);
	/* A column's cables reach from its switch's rack to all four: a quarter is copper. */
	cr_expect_eq(own.cables[TOPO_OPTICAL], 48);
	topo_bill_free(&own);
	topo_bill_free(&all);
}
