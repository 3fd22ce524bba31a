/* tests/topo/test_survive.c - paths between switches, bounds of any routing, and what failed cables leave: rows of
 * topo1000.csv (tests/data/topo/README.md), closed forms, and graphs small enough to count by hand. */
#include "topo/diversity.h"
#include "topo/survive.h"

#include "tests/topo/fixture.h"

#include <stdio.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct row {
	const struct base_plugin *plugin;
	const char *text;
	double hops, paths_min, paths_mean, by_hops; /* ur_hops ... ur_bound_any_routing */
	double median, form;                         /* res_disc_median, res_disc_poisson */
};

static const struct row table[] = {
	{ &topo_hyperx, "dims=10,10 endpoints=10", 1.801802, 1, 1.818182, .999, .758, .759 },
	{ &topo_hyperx, "dims=6,6,6 endpoints=5", 2.502317, 1, 4.255814, 1.198889, .688, .682 },
	{ &topo_hyperx, "dims=4,8 trunk=2,1 endpoints=16", 1.628180, 1, 3.129032, .499023, .745, .745 },
	{ &topo_fattree, "k=16", 3.863148, 8, 60.913386, 1.035425, .520, .521 },
	{ &topo_kary_ntree, "k=4 n=5", 7.343109, 4, 205.6, 1.089457, .226, .228 },
	{ &topo_xgft, "children=8,8,16 parents=1,4,8", 3.863148, 4, 30.456693, .517713, .270, .271 },
	{ &topo_dragonfly_plus, "p=8 leaves=8 spines=8 h=8 g=17 trunk=4", 2.929163, 4, 4.207407, 1.024183, .516, .517 },
	{ &topo_dragonfly_plus, "p=6 leaves=6 spines=6 h=6", 2.966191, 1, 1.113122, 1.011398, .385, .382 },
	{ &topo_polarfly, "q=11 endpoints=6", 1.897793, 1, 1, 1.045932, .643, .643 },
	{ &topo_polarfly, "q=13 endpoints=6", 1.914730, 1, 1, 1.211963, .669, .670 },
	{ &topo_polarstar, "q=5 supernode=paley degree=2 endpoints=7", 2.563445, 1, 2.018014, .435042, .494, .497 },
	{ &topo_polarstar, "q=3 degree=4 endpoints=8", 2.501695, 1, 1.501849, .399729, .521, .520 },
	{ &topo_bundlefly, "q=5 supernode=5 endpoints=4", 2.630631, 1, 2.146988, .855308, .530, .520 },
	{ &topo_hammingmesh, "board=2,2 boards=16,16", 3.816227, 1, 1.939394, 1.572234, .156, .161 },
	{ &topo_spectralfly, "p=11 q=7 endpoints=6", 2.377358, 1, 4.023952, .841270, .640, .633 },
	{ &topo_mlfm, "h=9", 1.980222, 1, 1.719101, 1.009988, .585, .582 },
	{ &topo_oft, "k=8", 1.984632, 1, 1.061947, 1.007743, .519, .528 },
	{ &topo_slimfly, "q=9 endpoints=6", 1.909372, 1, 1.024845, 1.134754, .655, .657 },
	{ &topo_dragonfly, "p=4 a=8 h=4 g=33 arrangement=absolute", 2.686084, 1, 1.842032, 1.023795, .580, .583 },
	{ &topo_torus, "dims=8,8,16", 8.007820, 1, 23754.674487, .749268, .294, .296 },
};

static const double one_rate[TOPO_LINK_CLASSES] = { 1, 1, 1, 1, 1, 1, 1, 1 };

Test(diversity, equals_the_tabulated)
{
	for (size_t i = 0; i < COUNT(table); i++) {
		const struct row *r = &table[i];
		struct topo t;
		struct topo_graph g;
		struct topo_diversity d;
		struct topo_limits l;
		const char *why;
		make_topo(&t, r->plugin, r->text);
		topo_graph_of(&g, &t);
		cr_assert_eq(topo_diversity(&t, &g, &d, &why), 0, "%s", r->text);
		topo_limits(&t, &g, d.mean_hops, one_rate, &l);
		cr_expect_float_eq(d.mean_hops, r->hops, 5.1e-7, "%s: %.7f hops", r->text, d.mean_hops);
		cr_expect_float_eq(d.paths_mean, r->paths_mean, 5.1e-7, "%s: %.7f paths", r->text, d.paths_mean);
		cr_expect_eq(d.paths_min, r->paths_min, "%s: %g paths at least", r->text, d.paths_min);
		cr_expect_float_eq(l.by_hops, r->by_hops, 5.1e-7, "%s: %.7f by hops", r->text, l.by_hops);
		cr_expect(d.disjoint_min >= 1 && d.disjoint_mean <= d.paths_mean + .3 * d.paths_mean);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}

/* The bound by hops is at least every cut's where channels are used evenly; a cut never carries more than its cables.
 */
Test(diversity, limits)
{
	struct topo t;
	struct topo_graph g;
	struct topo_limits l;
	make_topo(&t, &topo_torus, "dims=8,8"); /* 16 cables between halves; 32 endpoints on each side */
	topo_graph_of(&g, &t);
	topo_limits(&t, &g, 4, one_rate, &l);
	cr_expect_eq(l.cut, 16);
	cr_expect_float_eq(l.by_cut, 16 * 63 / (32. * 32), 1e-12);
	cr_expect_float_eq(l.permutation_by_cut, .5, 1e-12);
	cr_expect_float_eq(l.by_switch, 4, 1e-12);
	cr_expect_float_eq(l.by_hops, 256 / (64 * 4.), 1e-12);
	double rate[TOPO_LINK_CLASSES] = { .5 };
	topo_limits(&t, &g, 4, rate, &l);
	cr_expect_float_eq(l.by_cut, 8 * 63 / (32. * 32), 1e-12);
	cr_expect_float_eq(l.by_hops, .5, 1e-12);
	topo_graph_free(&g);
	topo_destroy(&t);
}

static void expect_disjoint(const struct base_plugin *plugin, const char *text, double mean, uint32_t least)
{
	struct topo t;
	struct topo_graph g;
	struct topo_diversity d;
	const char *why;
	make_topo(&t, plugin, text);
	topo_graph_of(&g, &t);
	cr_assert_eq(topo_diversity(&t, &g, &d, &why), 0, "%s", text);
	cr_expect(!d.disjoint_sampled, "%s", text);
	cr_expect_float_eq(d.disjoint_mean, mean, 1e-9, "%s: %.9f", text, d.disjoint_mean);
	cr_expect_eq(d.disjoint_min, least, "%s: %u", text, d.disjoint_min);
	topo_graph_free(&g);
	topo_destroy(&t);
}

Test(diversity, without_a_common_cable)
{
	expect_disjoint(&topo_torus, "dims=6", (4 * 1 + 2) / 5., 1);         /* opposite ones of a ring by both sides */
	expect_disjoint(&topo_hyperx, "dims=4,4", (6 * 1 + 9 * 2) / 15., 1); /* the two corners */
	expect_disjoint(&topo_hyperx, "dims=3,4 trunk=2", (5 * 2 + 6 * 4) / 11., 2);
	expect_disjoint(&topo_fattree, "k=4", 2, 2); /* as many as a leaf has cables, within a pod and beyond */
	expect_disjoint(&topo_torus, "dims=2,2,2", (3 * 1 + 3 * 2 + 1 * 3) / 7., 1);
	/* grid of 3 x 3: a corner and the opposite one by 2; the middle of a side and a far corner, 3 paths, by 2 */
	expect_disjoint(
	    &topo_torus, "dims=3,3 wrap=false",
	    (4 * (2 * 1 + 2 * 1 + 1 * 2 + 2 * 2 + 1 * 2) + 4 * (3 * 1 + 2 * 2 + 1 * 1 + 2 * 2) + (4 * 1 + 4 * 2)) / 72.,
	    1);
}

Test(survive, median_is_that_of_the_degrees)
{
	for (size_t i = 0; i < COUNT(table); i++) {
		const struct row *r = &table[i];
		struct topo t;
		struct topo_graph g;
		struct topo_survival s;
		make_topo(&t, r->plugin, r->text);
		topo_graph_of(&g, &t);
		topo_survival(&t, &g, 0, &s);
		cr_expect_eq(s.orders, 400);
		cr_expect_float_eq(s.median, s.form, .015, "%s: %.4f, by the form %.4f", r->text, s.median, s.form);
		cr_expect_float_eq(s.median, r->median, .015, "%s: %.4f, tabulated %.4f", r->text, s.median, r->median);
		cr_expect_float_eq(s.form, r->form, 5.1e-4, "%s: form %.5f, tabulated %.4f", r->text, s.form, r->form);
		cr_expect(s.p05 < s.median && s.median < s.p95);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}

/* A tree falls apart with its first cable; a ring of n with its second. */
Test(survive, small_graphs)
{
	struct topo t;
	struct topo_graph g;
	struct topo_survival s;
	struct topo_damage d;
	const char *why;
	make_topo(&t, &topo_torus, "dims=10 wrap=false");
	topo_graph_of(&g, &t);
	topo_survival(&t, &g, 3, &s);
	cr_expect_float_eq(s.p05, 1 / 9., 1e-12);
	cr_expect_float_eq(s.p95, 1 / 9., 1e-12);
	cr_assert_eq(topo_damage(&t, &g, 1 / 9., 5, 3, &d, &why), 0);
	cr_expect_eq(d.disconnected, 1);
	cr_expect_lt(d.diameter, 0);
	topo_graph_free(&g);
	topo_destroy(&t);
	make_topo(&t, &topo_torus, "dims=10");
	topo_graph_of(&g, &t);
	topo_survival(&t, &g, 3, &s);
	cr_expect_float_eq(s.median, .2, 1e-12);
	cr_assert_eq(topo_damage(&t, &g, .1, 5, 3, &d, &why), 0); /* a line of ten is left */
	cr_expect_eq(d.disconnected, 0);
	cr_expect_eq(d.diameter, 9);
	cr_expect_float_eq(d.mean_distance, 11 / 3., 1e-12);
	cr_assert_eq(topo_damage(&t, &g, 0, 2, 3, &d, &why), 0);
	cr_expect_eq(d.diameter, 5);
	topo_graph_free(&g);
	topo_destroy(&t);
}

/* Switches without endpoints may fall off: a root of a tree is no loss. */
Test(survive, only_switches_with_endpoints_count)
{
	struct topo t;
	struct topo_graph g;
	struct topo_survival s;
	make_topo(&t, &topo_xgft, "children=1,2 parents=1,2"); /* two leaves, two roots: a ring of four cables */
	topo_graph_of(&g, &t);
	topo_survival(&t, &g, 1, &s);
	/* of the three pairs of cables, those of one root and those of one leaf: a second one of the same root does no
	 * harm (1/3), and then the third does */
	cr_expect_float_eq(s.p05, .5, 1e-12);
	cr_expect_float_eq(s.p95, .75, 1e-12);
	topo_graph_free(&g);
	topo_destroy(&t);
}

/* Tabulated means over 20 draws of a network that 5 to 20 % of removed cables hardly ever cut: within .03. */
Test(survive, mean_distance_of_what_is_left)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *text;
		double mean[4];
	} row[] = {
		{ &topo_hyperx, "dims=10,10 endpoints=10", { 1.835, 1.866, 1.961, 2.086 } },
		{ &topo_fattree, "k=16", { 3.890, 3.890, 3.890, 3.897 } },
		{ &topo_polarfly, "q=11 endpoints=6", { 2.006, 2.097, 2.271, 2.437 } },
		{ &topo_spectralfly, "p=11 q=7 endpoints=6", { 2.422, 2.459, 2.543, 2.662 } },
		{ &topo_mlfm, "h=9", { 2.175, 2.346, 2.655, 2.929 } },
		{ &topo_slimfly, "q=9 endpoints=6", { 2.017, 2.109, 2.286, 2.448 } },
		{ &topo_dragonfly, "p=4 a=8 h=4 g=33 arrangement=absolute", { 2.805, 2.907, 3.103, 3.304 } },
	};
	static const double removed[4] = { .05, .1, .2, .3 };
	for (size_t i = 0; i < COUNT(row); i++) {
		struct topo t;
		struct topo_graph g;
		const char *why;
		make_topo(&t, row[i].plugin, row[i].text);
		topo_graph_of(&g, &t);
		for (int k = 0; k < 4; k++) {
			struct topo_damage d;
			cr_assert_eq(topo_damage(&t, &g, removed[k], 20, 0, &d, &why), 0);
			cr_expect_float_eq(d.mean_distance, row[i].mean[k], .03, "%s: %.4f of %.0f %%", row[i].text,
			                   d.mean_distance, 100 * removed[k]);
		}
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}
