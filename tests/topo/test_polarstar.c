/* tests/topo/test_polarstar.c - star products: tabulated facts, edge lists, the property of the joiner, ranges of
 * parameters. */
#include "tests/topo/golden.h"
#include "topo/polarstar.h"

#include <stdio.h>

Test(polarstar, equals_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_polarstar, "q=5 supernode=paley degree=2 endpoints=7", 155, 1085, 15, 8, 605, 3, 3, 2.577713,
		  2.563445, .340345, 149, 149 },
		{ &topo_polarstar, "q=5 supernode=paley degree=2 endpoints=3", 155, 465, 11, 8, 605, 3, 3, 2.577713,
		  2.566602, 0, 0, 0 },
		{ &topo_polarstar, "q=3 supernode=iq degree=4 endpoints=8", 130, 1040, 16, 8, 520, 3, 3, 2.518664,
		  2.501695, .263438, 86, 86 },
	};
	static const uint64_t triangles[] = { 20, 20, 105 };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		check_golden(&row[i]);
		make_topo(&t, row[i].plugin, row[i].text);
		cr_expect_eq(count_triangles(&t), triangles[i], "%s: %lu triangles", row[i].text, count_triangles(&t));
		topo_destroy(&t);
	}
}

Test(polarstar, equals_the_edge_lists)
{
	struct topo t;
	make_topo(&t, &topo_polarstar, "q=3 supernode=iq degree=4 endpoints=1");
	check_against_file(&t, "edges_polarstar_er3_iq4.txt.gz");
	topo_destroy(&t);
	make_topo(&t, &topo_polarstar, "q=5 supernode=paley degree=2 endpoints=1");
	check_against_file(&t, "edges_polarstar_er5_paley5.txt.gz");
	topo_destroy(&t);
}

/* f from supernode `from` to `to`, NULL if they are not joined. */
static topo_switch *matching(const struct topo *t, uint32_t n, uint32_t from, uint32_t to)
{
	topo_switch *f = base_calloc(n, sizeof *f);
	uint32_t found = 0;
	for (uint32_t a = 0; a < n; a++)
		for (topo_port p = 0; p < topo_ports(t, from * n + a); p++) {
			topo_switch s = topo_peer(t, from * n + a, p).to;
			if (s / n != to)
				continue;
			f[a] = s % n;
			found++;
		}
	if (found == n)
		return f;
	cr_assert_eq(found, 0);
	free(f);
	return NULL;
}

/* Property R*: f is an involution, and for any a and b != f(a), a - b or f(a) - f(b) is a cable; a supernode is
 * regular. */
Test(polarstar, inductive_quads_have_the_property)
{
	static const uint32_t degree[] = { 3, 4, 7, 8, 11, 12, 15, 16 };
	for (size_t i = 0; i < sizeof degree / sizeof *degree; i++) {
		struct topo t;
		char text[64];
		uint32_t d = degree[i], n = 2 * d + 2, regular = 0;
		snprintf(text, sizeof text, "q=2 degree=%u", d);
		make_topo(&t, &topo_polarstar, text);
		cr_assert_eq(t.switches, 7 * n);
		for (uint32_t u = 0; u < 7; u++)
			for (uint32_t v = u + 1; v < 7; v++) {
				topo_switch *f = matching(&t, n, u, v);
				for (uint32_t a = 0; f && a < n; a++) {
					cr_assert_eq(f[f[a]], a, "%s", text);
					for (uint32_t b = 0; b < n; b++)
						cr_assert(b == a || b == f[a] || adjacent(&t, u * n + a, u * n + b) ||
						              adjacent(&t, v * n + f[a], v * n + f[b]),
						          "%s: %u and %u", text, a, b);
				}
				free(f);
			}
		for (topo_switch s = 0; s < t.switches; s++)
			regular += topo_ports(&t, s) == 3 + d;
		cr_assert_eq(regular, t.switches, "%s", text);
		topo_destroy(&t);
	}
}

Test(polarstar, many_shapes)
{
	static const char *const text[] = { "q=2 degree=3",
		                            "q=3 degree=3",
		                            "q=4 degree=4 endpoints=1",
		                            "q=5 degree=3 endpoints=2",
		                            "q=7 degree=4",
		                            "q=8 degree=3",
		                            "q=9 degree=3",
		                            "q=2 supernode=paley degree=2",
		                            "q=3 supernode=paley degree=4",
		                            "q=4 supernode=paley degree=6",
		                            "q=7 supernode=paley degree=4 endpoints=3" };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct topo t;
		make_topo(&t, &topo_polarstar, text[i]);
		check_cables(&t, text[i]);
		check_shortest(&t, text[i]);
		check_routes(&t, text[i], true, 2000);
		check_facts(&t, text[i]);
		check_both_ways(&t, text[i], true, topo_polarstar_next, topo_polarstar_distance);
		topo_destroy(&t);
	}
}

Test(polarstar, wrong_parameters)
{
	expect_error(&topo_polarstar, "q=6 degree=3", "q", "6 is not a prime power");
	expect_error(&topo_polarstar, "q=3 degree=5", "degree", "0 or 3 modulo 4");
	expect_error(&topo_polarstar, "q=3 supernode=paley degree=3", "degree", "even degree");
	expect_error(&topo_polarstar, "q=3 supernode=paley degree=10", "degree", "here 21, is a prime power");
	expect_error(&topo_polarstar, "q=3 degree=3 endpoints=0", "endpoints", "0");
}

/* 43^2 + 43 + 1 supernodes of 32: 60,576 switches of 59 ports, 1,150,944 endpoints; no table of pairs, and routes to be
 * had. */
Test(polarstar, a_million_endpoints)
{
	static const char *const text[] = { "q=43 degree=15", "q=41 supernode=paley degree=18" };
	for (int i = 0; i < 2; i++) {
		struct topo t;
		make_topo(&t, &topo_polarstar, text[i]);
		cr_expect_geq(t.endpoints, 1000000, "%s: %u", text[i], t.endpoints);
		cr_expect_eq(t.no_routes, NULL);
		check_cables(&t, text[i]);
		check_routes(&t, text[i], true, 100);
		topo_destroy(&t);
	}
}
