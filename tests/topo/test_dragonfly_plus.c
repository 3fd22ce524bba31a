/* tests/topo/test_dragonfly_plus.c - dragonfly+: tabulated facts, an edge list, definition, closed forms, errors. */
#include "tests/topo/golden.h"

#include <stdio.h>

Test(dragonfly_plus, equals_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_dragonfly_plus, "p=8 leaves=8 spines=8 h=8 g=17 trunk=4 arrangement=consecutive", 272, 1088, 16,
		  16, 1632, 5, 2, 3.552203, 2.929163, 1.006481, 278, 288 },
		{ &topo_dragonfly_plus, "p=6 leaves=6 spines=6 h=6", 444, 1332, 12, 12, 1998, 5, 3, 3.486161, 2.966191,
		  1.003771, 342, 346 },
		{ &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4", 136, 272, 8, 8, 408, 5, 3, 3.244444, 2.922509, 0,
		  0, 0 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check_golden(&row[i]);
}

Test(dragonfly_plus, equals_the_edge_list)
{
	struct topo t;
	make_topo(&t, &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 g=17");
	check_against_file(&t, "edges_dragonflyplus_4_4_4_17.txt.gz");
	topo_destroy(&t);
}

/* A spine's cables lead to as many groups as they can: to no group two more than to another. */
static void check_spread(const struct topo *t, uint32_t leaves, uint32_t g, const char *what)
{
	for (topo_switch s = g * leaves; s < t->switches && !strstr(what, "consecutive"); s++) {
		uint32_t least = UINT32_MAX, most = 0;
		for (uint32_t group = 0; group < g; group++) {
			uint32_t cables = 0;
			for (topo_port p = leaves; p < topo_ports(t, s); p++)
				cables += topo_group(t, topo_peer(t, s, p).to) == group;
			if (group == topo_group(t, s))
				continue;
			least = cables < least ? cables : least;
			most = cables > most ? cables : most;
		}
		cr_assert(g == 1 || most - least <= 1, "%s: spine %u: %u to %u", what, s, least, most);
	}
}

/* Every leaf of a group has a cable to every spine of it; every two groups have `trunk` cables; spines have as many
 * global cables as each other, or one more. */
static void check_definition(const struct topo *t, uint32_t leaves, uint32_t spines, uint32_t g, uint32_t trunk,
                             const char *what)
{
	uint32_t *between = base_calloc((size_t)g * g, sizeof *between), least = UINT32_MAX, most = 0;
	cr_assert_eq(t->switches, g * (leaves + spines));
	cr_assert_eq(t->groups, g);
	for (topo_switch s = 0; s < t->switches; s++) {
		bool spine = s >= g * leaves;
		uint32_t group = topo_group(t, s), global = 0;
		cr_assert_eq(topo_endpoints_at(t, s) > 0, !spine);
		for (topo_port p = 0; p < topo_ports(t, s); p++) {
			struct topo_hop hop = topo_peer(t, s, p);
			bool over = topo_group(t, hop.to) != group;
			cr_assert_eq(hop.link_class, over, "%s", what);
			cr_assert(over ? spine && hop.to >= g * leaves : spine != (hop.to >= g * leaves), "%s", what);
			between[group * g + topo_group(t, hop.to)]++;
			global += over;
		}
		for (topo_switch other = 0; other < t->switches; other++)
			if (topo_group(t, other) == group && spine != (other >= g * leaves))
				cr_assert(adjacent(t, s, other), "%s: %u - %u", what, s, other);
		if (spine) {
			least = global < least ? global : least;
			most = global > most ? global : most;
		}
	}
	check_spread(t, leaves, g, what);
	for (uint32_t a = 0; a < g; a++)
		for (uint32_t b = 0; b < g; b++)
			cr_assert_eq(between[a * g + b], a == b ? 2 * leaves * spines : trunk, "%s: %u - %u", what, a,
			             b);
	cr_assert_leq(most - least, 1, "%s", what);
	free(between);
}

/* Minimal routes: two hops in a group, else three, each cable between two groups as often. */
static void check_minimal(const struct topo *t, uint32_t trunk, const char *what)
{
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = 0; b < t->switches; b++) {
			if (a == b || !topo_endpoints_at(t, a) || !topo_endpoints_at(t, b))
				continue;
			bool same = topo_group(t, a) == topo_group(t, b);
			cr_assert_eq(t->ops->distance(t, a, b), same ? 2 : 3, "%s", what);
			topo_port out[TOPO_MAX_NEXT], on[TOPO_MAX_NEXT];
			int n = t->ops->next(t, a, b, 0, out);
			for (int i = 0; i < n && !same; i++) {
				topo_switch spine = topo_peer(t, a, out[i]).to;
				int m = t->ops->next(t, spine, b, 1, on);
				int times = 0;
				for (int k = 0; k < n; k++)
					times += out[k] == out[i];
				cr_assert_eq(times, m, "%s: %u -> %u", what, a, b);
			}
			cr_assert_eq(n, same ? (int)topo_ports(t, a) : (int)trunk, "%s: %u -> %u", what, a, b);
		}
}

Test(dragonfly_plus, random_shapes)
{
	uint64_t random = 8;
	for (int i = 0; i < 80; i++) {
		uint32_t leaves = 1 + (uint32_t)(next_random(&random) % 4),
			 spines = 1 + (uint32_t)(next_random(&random) % 4);
		uint32_t g = 1 + (uint32_t)(next_random(&random) % 8), trunk = 1 + (uint32_t)(next_random(&random) % 5);
		char text[128];
		if (g > 1)
			snprintf(text, sizeof text, "p=%u leaves=%u spines=%u g=%u trunk=%u arrangement=%s",
			         1 + (uint32_t)(next_random(&random) % 3), leaves, spines, g, trunk,
			         i % 2 ? "round-robin" : "consecutive");
		else
			snprintf(text, sizeof text, "p=2 leaves=%u spines=%u g=1", leaves, spines);
		struct topo t;
		make_topo(&t, &topo_dragonfly_plus, text);
		check_cables(&t, text);
		check_definition(&t, leaves, spines, g, g > 1 ? trunk : 0, text);
		check_minimal(&t, trunk, text);
		check_routes(&t, text, false, 1000);
		check_all_ranks(&t, text);
		check_order(&t, text);
		check_facts(&t, text);
		topo_destroy(&t);
	}
}

/* Full bipartite groups with h = g - 1, as published: each spine has one cable to each other group, to the spine of its
 * own number, so that a leaf reaches another group by all spines; in the other arrangement all cables of a spine go to
 * one group. */
Test(dragonfly_plus, spines_reach_every_group)
{
	struct topo t;
	make_topo(&t, &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 g=5");
	for (topo_switch s = 20; s < 40; s++)
		for (topo_port p = 4; p < 8; p++) {
			topo_switch far = topo_peer(&t, s, p).to;
			cr_assert_eq((far - 20) % 4, (s - 20) % 4);
			cr_assert_neq(topo_group(&t, far), topo_group(&t, s));
			for (topo_port q = 4; q < p; q++)
				cr_assert_neq(topo_peer(&t, s, q).to, far);
		}
	topo_port out[TOPO_MAX_NEXT];
	cr_assert_eq(t.ops->next(&t, 0, 4, 0, out), 4);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(out[i], i);
	topo_destroy(&t);
	make_topo(&t, &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 g=5 arrangement=consecutive");
	for (topo_switch s = 20; s < 40; s++)
		for (topo_port p = 5; p < 8; p++)
			cr_assert_eq(topo_peer(&t, s, p).to, topo_peer(&t, s, 4).to);
	topo_destroy(&t);
}

/* One leaf pair's traffic from group to group: l p flows for t cables. */
Test(dragonfly_plus, worst_case)
{
	struct topo t;
	make_topo(&t, &topo_dragonfly_plus, "p=3 leaves=4 spines=2 h=3");
	topo_switch *to = base_calloc(t.switches, sizeof *to);
	cr_assert_eq(t.ops->worst_case(&t, to), 0);
	for (topo_switch s = 0; s < t.switches; s++)
		if (topo_endpoints_at(&t, s)) {
			cr_assert_eq(topo_group(&t, to[s]), (topo_group(&t, s) + 1) % t.groups);
			cr_assert_eq(to[s] % 4, s % 4);
		} else {
			cr_assert_eq(to[s], TOPO_NONE);
		}
	free(to);
	topo_destroy(&t);
}

/* Balanced, k = 64: 1,025 groups of 32 leaves and 32 spines. */
Test(dragonfly_plus, a_million_endpoints)
{
	struct topo t;
	struct topo_facts f = { 0 };
	make_topo(&t, &topo_dragonfly_plus, "p=32 leaves=32 spines=32 h=32");
	cr_assert_eq(t.groups, 1025);
	cr_assert_eq(t.endpoints, 1049600);
	t.ops->facts(&t, &f);
	double n = t.endpoints, l = 32, p = 32;
	cr_assert_float_eq(1 / f.max_channel_load_uniform, 32 * (n - 1) / (p * p * (1025 * l - 1)), 1e-9);
	for (topo_switch s = 0; s < 1000; s++)
		cr_assert_leq(longest_walk(&t, s, 32799 - 7 * s, 0), 3);
	topo_destroy(&t);
}

Test(dragonfly_plus, errors)
{
	expect_error(&topo_dragonfly_plus, "p=4 leaves=4 spines=4", "h", "is required");
	expect_error(&topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 trunk=17", "trunk", "only 16 global ports");
	expect_error(&topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 g=20", "g", "reach 17");
	expect_error(&topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 g=9 trunk=3", "trunk",
	             "at most 2 cables, or 6 groups");
	expect_error(&topo_dragonfly_plus, "p=4 leaves=60000 spines=4 h=6000", "h", "66000 ports");
	expect_error(&topo_dragonfly_plus, "p=60000 leaves=4000 spines=4 g=50 trunk=1", "", "endpoints are supported");
	struct base_errors errors = { 0 };
	struct topo t;
	cr_assert_neq(try_topo(&t, &topo_dragonfly_plus, "p=4 leaves=60000 spines=4 h=6000 trunk=9 g=9000", &errors),
	              0);
	cr_expect_eq(errors.errors, 2, "all at once: %zu", errors.errors);
	base_errors_free(&errors);
	cr_assert_eq(try_topo(&t, &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4 g=10", &errors), 0);
	cr_expect_eq(errors.n, 1); /* a warning: seven ports stay unused */
	cr_expect(errors.v[0].warning && strstr(errors.v[0].text, "7 of the 16 global ports"));
	base_errors_free(&errors);
	topo_destroy(&t);
}
