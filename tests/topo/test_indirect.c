/* tests/topo/test_indirect.c - orthogonal fat trees and multi-layer full meshes: leaves two hops apart. Tabulated
 * facts, edge lists, definitions, closed forms. */
#include "topo/plane.h"

#include "tests/topo/golden.h"

#include <stdio.h>

Test(indirect, equal_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_mlfm, "h=9", 135, 810, 18, 18, 810, 4, 4, 2.407960, 1.980222, 1.009988, 217, 225 },
		{ &topo_oft, "k=8", 171, 912, 16, 16, 912, 3, 4, 2.321569, 1.984632, 1.007743, 316, 316 },
		{ &topo_mlfm, "h=5", 45, 150, 0, 10, 150, 4, 4, 2.242424, 1.946309, 0, 0, 0 },
		{ &topo_oft, "k=4", 39, 104, 0, 8, 104, 3, 4, 2.175439, 1.941748, 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check_golden(&row[i]);
}

Test(indirect, equal_the_edge_lists)
{
	struct topo t;
	make_topo(&t, &topo_mlfm, "h=5");
	check_against_file(&t, "edges_mlfm_5.txt.gz");
	topo_destroy(&t);
	make_topo(&t, &topo_oft, "k=4");
	check_against_file(&t, "edges_oft_4.txt.gz");
	topo_destroy(&t);
}

/* Leaves are two hops apart, by as many ways as `shared` says; every channel's load by closed form. */
static void check_leaves(const struct topo *t, const char *what, uint32_t twins)
{
	check_cables(t, what);
	check_routes(t, what, true, 20000);
	check_shortest(t, what);
	check_all_ranks(t, what);
	check_runs(t, what);
	check_facts(t, what);
	topo_switch *to = base_calloc(t->switches, sizeof *to);
	uint32_t *reached = base_calloc(t->switches, sizeof *reached);
	cr_assert_eq(t->ops->worst_case(t, to), 0);
	for (topo_switch s = 0; s < t->switches; s++) {
		if (!topo_endpoints_at(t, s)) {
			cr_assert_eq(to[s], TOPO_NONE);
			continue;
		}
		topo_port out[TOPO_MAX_NEXT];
		uint32_t many = 0;
		cr_assert(topo_endpoints_at(t, to[s]) && !reached[to[s]]++, "%s", what);
		cr_assert_eq(t->ops->next(t, s, to[s], 0, out), 1, "%s: a worst case has one way", what);
		for (topo_switch other = 0; other < t->switches; other++)
			if (other != s && topo_endpoints_at(t, other))
				many += t->ops->next(t, s, other, 0, out) > 1;
		cr_assert_eq(many, twins, "%s", what);
	}
	free(to);
	free(reached);
}

Test(indirect, many_sizes)
{
	static const uint32_t k[] = { 3, 4, 5, 6, 8, 9, 10 };
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		struct topo t;
		char text[32];
		snprintf(text, sizeof text, "k=%u", k[i]);
		make_topo(&t, &topo_oft, text);
		uint32_t n = k[i] * k[i] - k[i] + 1;
		cr_assert(t.switches == 3 * n && t.endpoints == 2 * n * k[i]);
		for (topo_switch s = 0; s < t.switches; s++)
			cr_assert_eq(topo_ports(&t, s), s < 2 * n ? k[i] : 2 * k[i]);
		check_leaves(&t, text, 1);
		topo_destroy(&t);
	}
	for (uint32_t h = 2; h <= 9; h++) {
		struct topo t;
		char text[32];
		snprintf(text, sizeof text, "h=%u endpoints=3", h);
		make_topo(&t, &topo_mlfm, text);
		cr_assert(t.switches == 3 * h * (h + 1) / 2 && t.endpoints == 3 * h * (h + 1));
		for (topo_switch s = 0; s < t.switches; s++)
			cr_assert_eq(topo_ports(&t, s), s < h * (h + 1) ? h : 2 * h);
		check_leaves(&t, text, h - 1);
		topo_destroy(&t);
	}
}

/* A cable of an orthogonal fat tree is an incidence. */
Test(indirect, points_and_lines)
{
	struct topo t;
	struct topo_plane f;
	make_topo(&t, &topo_oft, "k=6");
	topo_plane_build(&f, 5);
	for (uint32_t point = 0; point < 31; point++)
		for (uint32_t line = 0; line < 31; line++) {
			struct topo_vector a = topo_vector_of(&f, point), b = topo_vector_of(&f, line);
			uint32_t sum = (a.v[0] * b.v[0] + a.v[1] * b.v[1] + a.v[2] * b.v[2]) % 5;
			for (uint32_t layer = 0; layer < 2; layer++)
				cr_assert_eq(adjacent(&t, layer * 31 + point, 62 + line), sum == 0);
		}
	topo_plane_free(&f);
	topo_destroy(&t);
}

/* Global switch {i, j} joins local switches i and j of every layer. */
Test(indirect, positions_and_layers)
{
	struct topo t;
	make_topo(&t, &topo_mlfm, "h=4");
	topo_switch global = 20;
	for (uint32_t j = 1; j <= 4; j++)
		for (uint32_t i = 0; i < j; i++, global++)
			for (topo_switch local = 0; local < 20; local++)
				cr_assert_eq(adjacent(&t, local, global), local % 5 == i || local % 5 == j);
	topo_destroy(&t);
}

Test(indirect, a_million_endpoints)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		uint32_t endpoints;
		double saturation;
	} row[] = { { &topo_mlfm, "h=64 endpoints=256", 1064960, 64.0 * 1064959 / (256.0 * 256 * (64 * 64 + 63)) },
		    { &topo_oft, "k=80 endpoints=80", 1011360, 0 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f = { .max_channel_load_uniform = -1 };
		make_topo(&t, row[i].plugin, row[i].text);
		cr_assert_eq(t.endpoints, row[i].endpoints, "%u", t.endpoints);
		t.ops->facts(&t, &f);
		if (row[i].saturation > 0)
			cr_assert_float_eq(1 / f.max_channel_load_uniform, row[i].saturation, 1e-9);
		check_routes(&t, row[i].text, true, 5000);
		topo_destroy(&t);
	}
}

Test(indirect, errors)
{
	expect_error(&topo_oft, "k=7", "k", "the nearest are 6 and 8");
	expect_error(&topo_oft, "k=1", "k", "");
	expect_error(&topo_oft, "k=1024", "k", "the nearest are 1022 and 1025");
	expect_error(&topo_mlfm, "h=1", "h", "");
}
