/* tests/topo/test_parallel.c - the key `trunk` of direct networks: every cable several times, against the network with
 * single cables. */
#include "tests/topo/fixture.h"
#include "topo/params.h"

#include <stdio.h>

static const struct {
	const struct base_plugin *plugin;
	const char *params;
	uint32_t trunk;
} kinds[] = {
	{ &topo_slimfly, "q=5 endpoints=3", 2 },
	{ &topo_slimfly, "q=4 endpoints=2", 3 },
	{ &topo_polarfly, "q=5 endpoints=3", 4 },
	{ &topo_torus, "dims=4,3 endpoints=2", 3 },
	{ &topo_torus, "dims=5,2 endpoints=1 wrap=false", 2 },
	{ &topo_spectralfly, "p=3 q=5 endpoints=2", 2 },
	{ &topo_jellyfish, "switches=24 degree=5 endpoints=3", 3 },
	{ &topo_bundlefly, "q=3 supernode=5 endpoints=2", 2 },
	{ &topo_polarstar, "q=3 supernode=iq degree=3 endpoints=2", 2 },
	{ &topo_mlfm, "h=4", 2 },
	{ &topo_oft, "k=3", 3 },
};
#define KINDS (sizeof kinds / sizeof *kinds)

static void make_both(size_t i, struct topo *single, struct topo *many)
{
	char text[200];
	make_topo(single, kinds[i].plugin, kinds[i].params);
	snprintf(text, sizeof text, "%s trunk=%u", kinds[i].params, kinds[i].trunk);
	make_topo(many, kinds[i].plugin, text);
}

/* Port p n + c leads where port p leads, and back. */
Test(parallel, every_cable_several_times)
{
	for (size_t i = 0; i < KINDS; i++) {
		struct topo single, many;
		uint32_t n = kinds[i].trunk;
		make_both(i, &single, &many);
		cr_assert_eq(many.switches, single.switches);
		cr_assert_eq(many.endpoints, single.endpoints);
		cr_assert_eq(many.max_ports, n * single.max_ports);
		for (topo_switch s = 0; s < many.switches; s++) {
			cr_assert_eq(topo_ports(&many, s), n * topo_ports(&single, s));
			for (topo_port p = 0; p < topo_ports(&many, s); p++) {
				struct topo_hop hop = topo_peer(&many, s, p), of = topo_peer(&single, s, p / n);
				struct topo_hop back = topo_peer(&many, hop.to, hop.port);
				cr_assert_eq(hop.to, of.to);
				cr_assert_eq(hop.link_class, of.link_class);
				cr_assert_eq(hop.rank, of.rank);
				cr_assert_eq(hop.dateline, of.dateline);
				cr_assert(back.to == s && back.port == p, "%s: %u port %u comes back to %u port %u",
				          single.kind, s, p, back.to, back.port);
			}
		}
		topo_destroy(&single);
		topo_destroy(&many);
	}
}

/* Each of the cables of every port that a minimal route may take is offered once, as a run where there is one. */
Test(parallel, routes_take_all_of_them)
{
	for (size_t i = 0; i < KINDS; i++) {
		struct topo single, many;
		uint32_t n = kinds[i].trunk;
		make_both(i, &single, &many);
		for (topo_switch s = 0; s < many.switches; s++)
			for (topo_switch to = 0; to < many.switches - many.bare; to++) {
				topo_port of[TOPO_MAX_NEXT], out[TOPO_MAX_NEXT];
				if (s == to)
					continue;
				int ports = single.ops->next(&single, s, to, 0, of);
				int all = many.ops->next(&many, s, to, 0, out);
				cr_assert_eq(all, ports * (int)n, "%s", single.kind);
				for (int k = 0; k < all; k++)
					cr_assert_eq(out[k], of[(uint32_t)k / n] * n + (uint32_t)k % n);
				if (many.ops->run) {
					struct topo_run run = many.ops->run(&many, s, to);
					cr_assert_eq(run.n, (uint32_t)all);
					cr_assert_eq(run.first, out[0]);
				}
				cr_assert_eq(many.ops->distance(&many, s, to), single.ops->distance(&single, s, to));
			}
		topo_destroy(&single);
		topo_destroy(&many);
	}
}

/* As many cables, an n-th of the load, and a girth of 2; what is said and what is searched agree. */
Test(parallel, facts)
{
	for (size_t i = 0; i < KINDS; i++) {
		struct topo single, many;
		struct topo_facts f, g;
		struct topo_graph graph;
		double most = 0;
		uint32_t n = kinds[i].trunk;
		make_both(i, &single, &many);
		topo_compute_facts(&single, &f);
		topo_compute_facts(&many, &g);
		topo_graph_of(&graph, &many);
		double *load = base_calloc(graph.first[graph.n], sizeof *load);
		cr_assert_eq(topo_uniform_loads(&many, &graph, load), 0);
		for (size_t k = 0; k < graph.first[graph.n]; k++)
			most = fmax(most, load[k]);
		cr_expect_eq(g.links, n * f.links, "%s", single.kind);
		cr_expect_eq(g.girth, 2, "%s: girth %d", single.kind, g.girth);
		cr_expect_eq(g.diameter, f.diameter, "%s", single.kind);
		if (!single.bare)
			cr_expect_eq(g.radix, single.max_ports * n + single.max_endpoints, "%s", single.kind);
		cr_expect_float_eq(g.max_channel_load_uniform, f.max_channel_load_uniform / n, 1e-9, "%s", single.kind);
		cr_expect_float_eq(most, g.max_channel_load_uniform, 1e-9, "%s: %f", single.kind, most);
		free(load);
		topo_graph_free(&graph);
		topo_destroy(&single);
		topo_destroy(&many);
	}
}

/* More than can be offered at once: as many of each, and over all pairs all alike. */
Test(parallel, a_part_of_many)
{
	struct topo t;
	struct topo_graph graph;
	double least = INFINITY, most = 0;
	make_topo(&t, &topo_jellyfish, "switches=60 degree=8 endpoints=1 trunk=40");
	topo_graph_of(&graph, &t);
	double *load = base_calloc(graph.first[graph.n], sizeof *load);
	cr_assert_eq(topo_uniform_loads(&t, &graph, load), 0);
	for (size_t s = 0; s < 60; s++)
		for (uint32_t p = 0; p < 8; p++) {
			double sum = 0, here = 0;
			for (uint32_t c = 0; c < 40; c++) {
				double l = load[graph.first[s] + p * 40 + c];
				here = fmax(here, l);
				sum += l;
			}
			least = fmin(least, sum);
			most = fmax(most, here / (sum / 40));
		}
	cr_expect(least > 0 && most < 3, "a cable carries %.2f times its share", most);
	free(load);
	topo_graph_free(&graph);
	topo_destroy(&t);
}

Test(parallel, too_many_cables)
{
	struct topo t;
	struct base_errors errors = { 0 };
	struct topo_slimfly_params params = { .q = 5, .endpoints = 1, .trunk = TOPO_MAX_NEXT + 1 };
	cr_assert_neq(topo_build(&t, &topo_slimfly, &params, &errors), 0);
	cr_expect_eq(errors.errors, 1);
	cr_expect_str_eq(errors.v[0].key, "trunk");
	base_errors_free(&errors);
}

/* Of a tree with trunks of its own on each level: both ends of every cable, and facts against a search. */
Test(parallel, trees_by_level)
{
	static const char *const trees[] = { "children=3,4 parents=1,2 trunk=1,3",
		                             "children=2,3,4 parents=1,2,3 trunk=1,2,1",
		                             "children=2,2,3 parents=1,3,2 trunk=1,1,4" };
	for (size_t i = 0; i < 3; i++) {
		struct topo t;
		struct topo_facts f;
		struct topo_graph graph;
		double most = 0;
		make_topo(&t, &topo_xgft, trees[i]);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_port p = 0; p < topo_ports(&t, s); p++) {
				struct topo_hop hop = topo_peer(&t, s, p), back = topo_peer(&t, hop.to, hop.port);
				cr_assert(hop.to < t.switches && hop.port < topo_ports(&t, hop.to));
				cr_assert(back.to == s && back.port == p, "%s: %u port %u", trees[i], s, p);
			}
		topo_quick_facts(&t, &f);
		topo_graph_of(&graph, &t);
		double *load = base_calloc(graph.first[graph.n], sizeof *load);
		cr_assert_eq(topo_uniform_loads(&t, &graph, load), 0);
		for (size_t k = 0; k < graph.first[graph.n]; k++)
			most = fmax(most, load[k]);
		cr_expect_eq(2 * f.links, graph.first[graph.n], "%s: %lu cables", trees[i], f.links);
		cr_expect_float_eq(most, f.max_channel_load_uniform, 1e-9, "%s: %f, said %f", trees[i], most,
		                   f.max_channel_load_uniform);
		free(load);
		topo_graph_free(&graph);
		topo_destroy(&t);
	}
}
