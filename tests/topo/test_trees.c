/* tests/topo/test_trees.c - fat trees, k-ary n-trees and generalised fat trees: tabulated facts, definition, up and
 * down. */
#include "tests/topo/golden.h"

#include <stdio.h>

Test(trees, equal_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_fattree, "k=16", 320, 1024, 16, 16, 2048, 4, 4, 3.035737, 3.863148, 1.006890, 496, 512 },
		{ &topo_kary_ntree, "k=4 n=5", 1280, 1024, 8, 8, 4096, 8, 4, 5.663800, 7.343109, 1.002941, 512, 512 },
		{ &topo_xgft, "children=8,8,16 parents=1,4,8", 224, 1024, 16, 16, 1024, 4, 4, 3.089045, 3.863148,
		  .5034448, 256, 256 },
		{ &topo_fattree, "k=8", 80, 128, 0, 8, 256, 4, 4, 2.881013, 3.716535, 0, 0, 0 },
		{ &topo_kary_ntree, "k=4 n=3", 48, 64, 0, 8, 128, 4, 4, 2.695035, 3.428571, 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check_golden(&row[i]);
}

Test(trees, equal_the_edge_list)
{
	struct topo t;
	make_topo(&t, &topo_xgft, "children=4,4,4 parents=1,2,3");
	cr_assert_eq(t.endpoints, 64);
	check_against_file(&t, "edges_xgft_444_123.txt.gz");
	topo_destroy(&t);
}

struct shape {
	uint32_t h, m[5], w[5]; /* [0]: level 1 */
	char text[128];
};

static struct shape random_shape(uint64_t *random)
{
	struct shape s = { .h = 2 + (uint32_t)(next_random(random) % 3) };
	char children[32] = "", parents[32] = "";
	for (uint32_t i = 0; i < s.h; i++) {
		s.m[i] = 1 + (uint32_t)(next_random(random) % 4);
		s.w[i] = i ? 1 + (uint32_t)(next_random(random) % 4) : 1;
		snprintf(children + strlen(children), sizeof children - strlen(children), "%s%u", i ? "," : "", s.m[i]);
		snprintf(parents + strlen(parents), sizeof parents - strlen(parents), "%s%u", i ? "," : "", s.w[i]);
	}
	snprintf(s.text, sizeof s.text, "children=%s parents=%s", children, parents);
	return s;
}

/* The digits of a switch: level, copies b_1 .. b_level, subtrees a_level+1 .. a_h. */
struct label {
	uint32_t level, digit[6];
};

static struct label label_of(const struct shape *s, topo_switch at)
{
	struct label l = { .level = 1 };
	for (;; l.level++) {
		uint32_t here = 1;
		for (uint32_t j = 1; j <= s->h; j++)
			here *= j > l.level ? s->m[j - 1] : s->w[j - 1];
		if (at < here)
			break;
		at -= here;
	}
	for (uint32_t j = 1; j <= s->h; j++) {
		uint32_t base = j > l.level ? s->m[j - 1] : s->w[j - 1];
		l.digit[j] = at % base;
		at /= base;
	}
	return l;
}

/* Neighbours: one level apart, and equal in all digits but that of the upper level. */
static bool joined(const struct shape *s, struct label a, struct label b)
{
	if (a.level > b.level) {
		struct label swap = a;
		a = b;
		b = swap;
	}
	bool equal = a.level + 1 == b.level;
	for (uint32_t j = 1; j <= s->h; j++)
		equal = equal && (j == b.level || a.digit[j] == b.digit[j]);
	return equal;
}

static void check_definition(const struct shape *s, const struct topo *t)
{
	for (topo_switch a = 0; a < t->switches; a++) {
		struct label la = label_of(s, a);
		cr_assert_eq(topo_endpoints_at(t, a), la.level == 1 ? s->m[0] : 0, "%s: %u", s->text, a);
		for (topo_switch b = 0; b < t->switches; b++)
			cr_assert_eq(adjacent(t, a, b), joined(s, la, label_of(s, b)), "%s: %u - %u", s->text, a, b);
	}
}

Test(trees, random_shapes)
{
	uint64_t random = 5;
	for (int i = 0; i < 150; i++) {
		struct shape s = random_shape(&random);
		struct topo t;
		make_topo(&t, &topo_xgft, s.text);
		check_cables(&t, s.text);
		check_order(&t, s.text);
		if (t.switches <= 200) {
			check_definition(&s, &t);
			check_routes(&t, s.text, true, 1000);
			check_shortest(&t, s.text);
			check_all_ranks(&t, s.text);
			check_runs(&t, s.text);
			check_facts(&t, s.text);
		}
		topo_destroy(&t);
	}
}

/* Closed forms of the families. */
Test(trees, numbers)
{
	for (uint32_t k = 2; k <= 20; k += 2) {
		char text[32];
		struct topo t;
		struct topo_facts f;
		snprintf(text, sizeof text, "k=%u", k);
		make_topo(&t, &topo_fattree, text);
		topo_compute_facts(&t, &f);
		double n = t.endpoints, h = k / 2.0;
		cr_assert_eq(t.switches, 5 * k * k / 4);
		cr_assert_eq(t.endpoints, k * k * k / 4);
		cr_assert_eq(f.links, k * k * k / 2);
		cr_assert_eq(f.network_radix, k);
		cr_assert_float_eq(1 / f.max_channel_load_uniform, (n - 1) / (h * (2 * h * h - 1)), 1e-9);
		check_cables(&t, text);
		topo_destroy(&t);
	}
	for (uint32_t k = 2; k <= 5; k++)
		for (uint32_t n = 2; n <= 5; n++) {
			char text[32];
			struct topo t;
			struct topo_facts f;
			uint32_t power = 1;
			for (uint32_t i = 1; i < n; i++)
				power *= k;
			snprintf(text, sizeof text, "k=%u n=%u", k, n);
			make_topo(&t, &topo_kary_ntree, text);
			topo_compute_facts(&t, &f);
			cr_assert_eq(t.switches, n * power);
			cr_assert_eq(t.endpoints, k * power);
			cr_assert_eq(f.links, (n - 1) * k * power);
			cr_assert_float_eq(1 / f.max_channel_load_uniform, (k * power - 1.0) / (k * power - k), 1e-9);
			topo_destroy(&t);
		}
}

/* A permutation of the leaves that crosses the top with all it sends. */
Test(trees, worst_case)
{
	struct topo t;
	make_topo(&t, &topo_xgft, "children=4,3,5 parents=1,2,2");
	topo_switch *to = base_calloc(t.switches, sizeof *to);
	uint32_t *reached = base_calloc(t.switches, sizeof *reached);
	cr_assert_eq(t.ops->worst_case(&t, to), 0);
	for (topo_switch s = 0; s < t.switches; s++) {
		if (!topo_endpoints_at(&t, s)) {
			cr_assert_eq(to[s], TOPO_NONE);
			continue;
		}
		cr_assert(topo_endpoints_at(&t, to[s]) && !reached[to[s]]++);
		cr_assert_eq(t.ops->distance(&t, s, to[s]), 4);
	}
	free(to);
	free(reached);
	topo_destroy(&t);
}

/* More than TOPO_MAX_NEXT parents: as many are offered, all of them to some leaf, alike. */
Test(trees, more_parents_than_are_offered)
{
	struct topo t;
	make_topo(&t, &topo_xgft, "children=1,1200 parents=1,600");
	uint32_t offered[600] = { 0 };
	for (topo_switch to = 1; to <= 600; to++) {
		topo_port out[TOPO_MAX_NEXT];
		cr_assert_eq(t.ops->next(&t, 0, to, 0, out), TOPO_MAX_NEXT);
		cr_assert_eq(t.ops->run(&t, 0, to).n, 600);
		for (int i = 0; i < TOPO_MAX_NEXT; i++)
			offered[out[i]]++;
	}
	for (int i = 0; i < 600; i++)
		cr_assert(abs((int)offered[i] - TOPO_MAX_NEXT) <= 8, "%d: %u of 600", i, offered[i]);
	topo_destroy(&t);
}

/* Leaves of a subtree, and its other switches, are near each other: two halves have few cables between them. */
Test(trees, order_keeps_subtrees_together)
{
	struct topo t;
	make_topo(&t, &topo_fattree, "k=16");
	bool *first = base_calloc(t.switches, sizeof *first);
	uint32_t cut = 0;
	for (uint32_t i = 0; i < t.switches / 2; i++)
		first[t.ops->order(&t, i)] = true;
	for (topo_switch s = 0; s < t.switches; s++)
		for (topo_port p = 0; p < topo_ports(&t, s); p++)
			cut += first[s] && !first[topo_peer(&t, s, p).to];
	cr_assert_leq(cut, 512, "%u", cut); /* half of the top's cables */
	free(first);
	topo_destroy(&t);
}

Test(trees, a_million_endpoints)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		uint32_t endpoints;
	} row[] = { { &topo_fattree, "k=160", 1024000 },
		    { &topo_kary_ntree, "k=4 n=10", 1048576 },
		    { &topo_xgft, "children=100,100,100 parents=1,50,50", 1000000 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		make_topo(&t, row[i].plugin, row[i].text);
		topo_quick_facts(&t, &f);
		cr_assert_eq(f.endpoints, row[i].endpoints);
		cr_assert_gt(f.diameter, 2);
		for (topo_switch s = 0; s < 1000; s++)
			cr_assert_eq(t.ops->distance(&t, s, t.switches - t.bare - 1), (unsigned)f.diameter);
		topo_destroy(&t);
	}
}

Test(trees, errors)
{
	expect_error(&topo_fattree, "k=15", "k", "the nearest are 14 and 16");
	expect_error(&topo_fattree, "k=0", "k", "");
	expect_error(&topo_fattree, "k=8 levels=1", "levels", "");
	expect_error(&topo_fattree, "k=1000 levels=4", "", "not supported");
	expect_error(&topo_kary_ntree, "k=1 n=3", "k", "");
	expect_error(&topo_kary_ntree, "k=2 n=40", "n", "");
	expect_error(&topo_xgft, "children=4 parents=1", "children", "2 to 16 levels");
	expect_error(&topo_xgft, "children=4,4 parents=1", "parents", "1 values for 2 levels");
	expect_error(&topo_xgft, "children=4,4 parents=2,2", "parents", "one link");
	expect_error(&topo_xgft, "children=4,0 parents=1,2", "children", "");
	expect_error(&topo_xgft, "children=40000,2 parents=1,60000", "", "100000 ports");
	struct base_errors errors = { 0 };
	struct topo t;
	cr_assert_neq(try_topo(&t, &topo_xgft, "children=4,4,4 parents=2,2", &errors), 0);
	cr_expect_eq(errors.errors, 2, "all at once: %zu", errors.errors);
	base_errors_free(&errors);
}
