/* tests/routing/bounds/test_bounds.c - channel loads and worst permutations: rows of a table made without tilefly,
 * closed forms, all permutations of small networks, and what ops->route() does. */
#include "routing/bounds/bounds.h"

#include "tests/routing/fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const double one_rate[TOPO_LINK_CLASSES] = { 1, 1, 1, 1, 1, 1, 1, 1 };

static void make(struct fixture *f, const struct base_plugin *plugin, const char *text)
{
	cr_assert_eq(fixture_topo(f, plugin, text), 0, "%s: %s", text, f->errors.n ? f->errors.v[0].text : "");
}

static double most(const struct rt_flows *f, const double *load)
{
	double max = 0;
	for (size_t i = 0; i < f->graph.first[f->graph.n]; i++)
		max = fmax(max, load[i]);
	return max;
}

static double uniform(const struct rt_flows *f)
{
	double *load = base_calloc(f->graph.first[f->graph.n], sizeof *load);
	const char *why = NULL;
	cr_assert_eq(rt_uniform_loads(f, load, &why), 0, "%s", why);
	double max = most(f, load);
	free(load);
	return max;
}

/* The permutation is one, and makes the load that it is said to make, on the channel that is named and on no other a
 * larger one. */
static void check_permutation(const struct rt_flows *f, const struct rt_worst *w, const char *what)
{
	uint32_t n = f->topo->endpoints;
	bool *seen = base_calloc(n, sizeof *seen);
	double *load = base_calloc(f->graph.first[f->graph.n], sizeof *load);
	for (uint32_t e = 0; e < n; e++) {
		cr_assert(w->to[e] < n && !seen[w->to[e]], "%s: endpoint %u to %u", what, e, w->to[e]);
		seen[w->to[e]] = true;
	}
	rt_permutation_loads(f, w->to, load);
	double rate = f->rate[topo_peer(f->topo, w->at, w->port).link_class];
	cr_expect_float_eq(load[f->graph.first[w->at] + w->port] / rate, w->load, 1e-9,
	                   "%s: %.9f on the channel, said %.9f", what, load[f->graph.first[w->at] + w->port] / rate,
	                   w->load);
	if (rate == 1)
		cr_expect_leq(most(f, load), w->load + 1e-9, "%s: %.9f elsewhere", what, most(f, load));
	free(seen);
	free(load);
}

static double worst(const struct rt_flows *f, const char *what)
{
	struct rt_worst w;
	const char *why = NULL;
	cr_assert_eq(rt_worst_permutation(f, &w, &why), 0, "%s: %s", what, why);
	cr_expect(w.exact, "%s", what);
	if (f->topo->endpoints < 2000)
		check_permutation(f, &w, what);
	rt_worst_free(&w);
	return w.load;
}

/* --- the table: topo1000.csv (tests/data/topo/README.md), even split over shortest paths ---------------------------
 */

struct row {
	const struct base_plugin *plugin;
	const char *text;
	double by_paths, by_hops, worst; /* throughputs */
};

Test(bounds, equal_the_tabulated_ones)
{
	char jellyfish[600];
	snprintf(jellyfish, sizeof jellyfish, "file=%s/topo/edges_jellyfish_n128_d12.txt.gz endpoints=8",
	         TILEFLY_TEST_DATA);
	const struct row row[] = {
		{ &topo_hyperx, "dims=10,10 endpoints=10", .999, .999, .1 },
		{ &topo_hyperx, "dims=6,6,6 endpoints=5", 1.198889, 1.198889, .075 },
		{ &topo_hyperx, "dims=4,8 trunk=2,1 endpoints=16", .499023, .499023, .0625 },
		{ &topo_fattree, "k=16", 1.006890, 1.006890, 1 },
		{ &topo_xgft, "children=8,8,16 parents=1,4,8", .503445, .503445, .5 },
		{ &topo_dragonfly_plus, "p=8 leaves=8 spines=8 h=8 g=17 trunk=4", 1.006481, 1.006481, .0625 },
		{ &topo_polarfly, "q=11 endpoints=6", 1.006313, 1.006313, .083333 },
		{ &topo_polarfly, "q=13 endpoints=6", 1.172009, 1.172009, .083333 },
		{ &topo_polarstar, "q=5 supernode=paley degree=2 endpoints=7", .340345, .340345, .017857 },
		{ &topo_polarstar, "q=3 degree=4 endpoints=8", .263616, .263438, .020548 },
		{ &topo_bundlefly, "q=5 supernode=5 endpoints=4", .618193, .618193, .027778 },
		{ &topo_edges, jellyfish, .513983, .492126, .037274 },
		{ &topo_mlfm, "h=9", 1.009988, 1.009988, .111111 },
		{ &topo_oft, "k=8", 1.007743, 1.007743, .125 },
		{ &topo_slimfly, "q=9 endpoints=6", 1.078889, 1.078889, .083333 },
		{ &topo_dragonfly, "p=4 a=8 h=4 g=33 arrangement=absolute", .744216, .757902, .03125 },
	};
	for (size_t i = 0; i < COUNT(row); i++) {
		struct fixture f;
		struct rt_flows paths, hops;
		make(&f, row[i].plugin, row[i].text);
		rt_flows_of_graph(&paths, &f.topo, RT_SPLIT_PATHS, one_rate);
		rt_flows_of_graph(&hops, &f.topo, RT_SPLIT_HOPS, one_rate);
		cr_expect_float_eq(1 / uniform(&paths), row[i].by_paths, 5.1e-7, "%s: %.7f by paths", row[i].text,
		                   1 / uniform(&paths));
		cr_expect_float_eq(1 / uniform(&hops), row[i].by_hops, 5.1e-7, "%s: %.7f by hops", row[i].text,
		                   1 / uniform(&hops));
		cr_expect_float_eq(1 / worst(&paths, row[i].text), row[i].worst, 5.1e-7, "%s: worst %.7f", row[i].text,
		                   1 / worst(&paths, row[i].text));
		rt_flows_free(&paths);
		rt_flows_free(&hops);
		fixture_free(&f);
	}
}

/* Rows whose worst case is an upper bound of the throughput there (wc_exact = 0). */
Test(bounds, are_not_above_those_tabulated_as_not_exact)
{
	const struct row row[] = {
		{ &topo_kary_ntree, "k=4 n=5", 1.002941, 1.002941, 1 },
		{ &topo_dragonfly_plus, "p=6 leaves=6 spines=6 h=6", 1.003771, 1.003771, .027778 },
		{ &topo_spectralfly, "p=11 q=7 endpoints=6", .841270, .841270, .052369 },
		{ &topo_hammingmesh, "boards=16,16", 1.065625, 1.065625, .064516 },
		{ &topo_torus, "dims=8,8,16", .499512, .499512, .032945 },
	};
	for (size_t i = 0; i < COUNT(row); i++) {
		struct fixture f;
		struct rt_flows paths;
		make(&f, row[i].plugin, row[i].text);
		rt_flows_of_graph(&paths, &f.topo, RT_SPLIT_PATHS, one_rate);
		cr_expect_float_eq(1 / uniform(&paths), row[i].by_paths, 5.1e-7, "%s: %.7f", row[i].text,
		                   1 / uniform(&paths));
		double here = 1 / worst(&paths, row[i].text);
		cr_expect_leq(here, row[i].worst + 5.1e-7, "%s: worst %.7f", row[i].text, here);
		cr_expect_geq(here, .5 * row[i].worst, "%s: worst %.7f", row[i].text, here);
		rt_flows_free(&paths);
		fixture_free(&f);
	}
}

/* --- closed forms of the routings that run ------------------------------------------------------------------------ */

struct closed {
	const struct base_plugin *plugin;
	const char *text;
	const struct base_plugin *routing;
	const char *how;
	double uniform, worst; /* throughputs; 0: no form */
};

Test(bounds, equal_closed_forms)
{
	static const struct closed row[] = {
		/* Slim Fly (N - 1) / (p^2 (3q - 2)), 1 / (2p) */
		{ &topo_slimfly, "q=5 endpoints=4", &rt_minimal, "", 199 / (16 * 13.), 1 / 8. },
		{ &topo_slimfly, "q=13 endpoints=9", &rt_minimal, "", 3041 / (81 * 37.), 1 / 18. },
		/* dragonfly, l-g-l: (N - 1) / max(a^2 p^2, p^2 + 2 p^2 a h), 1 / (a p) */
		{ &topo_dragonfly, "p=4 a=8 h=4 g=33", &rt_minimal, "", 1055 / (16 + 32 * 32.), 1 / 32. },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9 arrangement=palmtree", &rt_minimal, "", 71 / (4 + 8 * 8.), 1 / 8. },
		/* HyperX: any order by (N - 1) / (T N) S, 1 / T; in dimension order of three, 1 / (S T) */
		{ &topo_hyperx, "dims=10,10 endpoints=10", &rt_minimal, "", .999, .1 },
		{ &topo_hyperx, "dims=4,4,4 endpoints=4 order=dimension", &rt_minimal, "", 255 / 256., 1 / 16. },
		{ &topo_polarfly, "q=11 endpoints=6", &rt_minimal, "", 797 / (2 * 11 * 36.), 1 / 12. },
		/* a ring of k: 8 k / (k^2 - 1) odd, 8 / k even (N - 1) / N; tornado 1 / (ceil(k / 2) - 1) is not the
		   worst */
		{ &topo_torus, "dims=8,8", &rt_minimal, "", 63 / 64., 0 },
		{ &topo_torus, "dims=5", &rt_minimal, "", 4 / 5. * 40 / 24, 1 / 2. },
		/* trees never block a permutation's own share: 1, or 1 / taper */
		{ &topo_fattree, "k=8", &rt_minimal, "", 0, 1 },
		{ &topo_xgft, "children=4,4,4 parents=1,2,3", &rt_minimal, "", 0, 6 / 16. },
		{ &topo_mlfm, "h=5", &rt_minimal, "", 149 / (5 * 29.), 1 / 5. },
		{ &topo_oft, "k=4", &rt_minimal, "", 103 / (4 * 25.), 1 / 4. },
		{ &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4", &rt_minimal, "", 0, 1 / 16. },
	};
	for (size_t i = 0; i < COUNT(row); i++) {
		struct fixture f;
		struct rt_flows flows;
		const char *why = NULL;
		make(&f, row[i].plugin, row[i].text);
		cr_assert_eq(fixture_routing(&f, row[i].routing, row[i].how), 0);
		cr_assert_eq(rt_flows_of_routing(&flows, &f.rt, one_rate, 4, 1, &why), 0, "%s: %s", row[i].text, why);
		cr_expect_gt(flows.compared, 0, "%s: %u compared", row[i].text, flows.compared);
		if (row[i].uniform > 0)
			cr_expect_float_eq(1 / uniform(&flows), row[i].uniform, 1e-9, "%s: %.9f", row[i].text,
			                   1 / uniform(&flows));
		if (row[i].worst > 0)
			cr_expect_float_eq(1 / worst(&flows, row[i].text), row[i].worst, 1e-9, "%s: %.9f", row[i].text,
			                   1 / worst(&flows, row[i].text));
		rt_flows_free(&flows);
		fixture_free(&f);
	}
}

/* --- small networks: everything there is ------------------------------------------------------------------------- */

struct small {
	const struct base_plugin *plugin;
	const char *text;
	const struct base_plugin *routing;
	const char *how;
};

/* Loads of all pairs of switches: [(s * switches + d) * channels + channel]. */
static double *all_pairs(const struct rt_flows *f)
{
	size_t n = f->graph.n, channels = f->graph.first[n];
	double *load = base_calloc(n * n * channels, sizeof *load);
	for (topo_switch s = 0; s < n; s++)
		for (topo_switch d = 0; d < n; d++)
			if (s != d && topo_endpoints_at(f->topo, s) && topo_endpoints_at(f->topo, d))
				rt_pair_loads(f, s, d, load + (s * n + d) * channels);
	return load;
}

/* The largest load over all permutations of to[at ..] and all channels. */
static double permute(const struct rt_flows *f, const double *pairs, uint32_t *to, uint32_t at)
{
	size_t n = f->graph.n, channels = f->graph.first[n];
	double max = 0;
	if (at < f->topo->endpoints) {
		for (uint32_t i = at; i < f->topo->endpoints; i++) {
			uint32_t a = to[at], b = to[i];
			to[at] = b;
			to[i] = a;
			max = fmax(max, permute(f, pairs, to, at + 1));
			to[at] = a;
			to[i] = b;
		}
		return max;
	}
	for (size_t c = 0; c < channels; c++) {
		double sum = 0;
		for (uint32_t e = 0; e < f->topo->endpoints; e++)
			sum += pairs[(topo_switch_of(f->topo, e) * n + topo_switch_of(f->topo, to[e])) * channels + c];
		max = fmax(max, sum);
	}
	return max;
}

static void check_small(const struct small *x)
{
	struct fixture f;
	struct rt_flows flows;
	const char *why = NULL;
	uint32_t to[8];
	make(&f, x->plugin, x->text);
	cr_assert_eq(fixture_routing(&f, x->routing, x->how), 0, "%s", x->text);
	cr_assert_eq(rt_flows_of_routing(&flows, &f.rt, one_rate, 0, 0, &why), 0, "%s: %s", x->text, why);
	cr_assert_leq(f.topo.endpoints, 8);
	for (uint32_t e = 0; e < f.topo.endpoints; e++)
		to[e] = e;
	double *pairs = all_pairs(&flows), want = permute(&flows, pairs, to, 0), got = worst(&flows, x->text);
	cr_expect_float_eq(got, want, 1e-9, "%s %s: %.9f, of all permutations %.9f", x->text, x->how, got, want);
	free(pairs);
	rt_flows_free(&flows);
	fixture_free(&f);
}

static char uneven_file[] = "/tmp/tilefly-bounds-XXXXXX";

static void uneven_setup(void)
{
	int fd = mkstemp(uneven_file);
	cr_assert_geq(fd, 0);
	FILE *out = fdopen(fd, "w");
	fputs("0 1\n1 2\n2 3\n3 0\n0 2\n3 4\n4 1\nendpoints 0 3\nendpoints 1 1\nendpoints 2 0\nendpoints 3 "
	      "2\nendpoints 4 1\n",
	      out);
	fclose(out);
}

static void uneven_teardown(void)
{
	unlink(uneven_file);
}

Test(bounds, no_permutation_is_worse, .init = uneven_setup, .fini = uneven_teardown)
{
	char uneven[600];
	snprintf(uneven, sizeof uneven, "file=%s", uneven_file);
	const struct small row[] = {
		{ &topo_torus, "dims=7", &rt_minimal, "" },
		{ &topo_torus, "dims=4,2", &rt_minimal, "" },
		{ &topo_torus, "dims=3,2 wrap=false", &rt_minimal, "" },
		{ &topo_torus, "dims=4 endpoints=2", &rt_valiant, "" },
		{ &topo_torus, "dims=7", &rt_valiant, "" },
		{ &topo_hyperx, "dims=2,3 endpoints=1", &rt_minimal, "" },
		{ &topo_hyperx, "dims=2,2 endpoints=2", &rt_minimal, "" },
		{ &topo_hyperx, "dims=2,3 endpoints=1", &rt_valiant, "" },
		{ &topo_hyperx, "dims=4 endpoints=2", &rt_valiant, "" },
		{ &topo_dragonfly, "p=1 a=2 h=1 g=3", &rt_minimal, "" },
		{ &topo_dragonfly, "p=1 a=2 h=1 g=3", &rt_valiant, "via=switch" },
		{ &topo_dragonfly, "p=1 a=2 h=1 g=3", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "p=1 a=2 h=2 g=4", &rt_minimal, "" },
		{ &topo_dragonfly, "p=1 a=2 h=2 g=4", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "p=1 a=2 h=2 g=4", &rt_valiant, "via=remote-switch" },
		{ &topo_xgft, "children=2,4 parents=1,2", &rt_minimal, "" },
		{ &topo_xgft, "children=2,4 parents=1,3", &rt_valiant, "" },
		{ &topo_polarfly, "q=2 endpoints=1", &rt_minimal, "" },
		{ &topo_polarfly, "q=2 endpoints=1", &rt_valiant, "" },
		{ &topo_edges, uneven, &rt_minimal, "" },
		{ &topo_edges, uneven, &rt_valiant, "" },
	};
	for (size_t i = 0; i < COUNT(row); i++)
		check_small(&row[i]);
}

/* All flows of a permutation together make the loads that they make one by one. */
static void check_sum(const struct rt_flows *f, const char *what)
{
	uint32_t n = f->topo->endpoints, *to = base_calloc(n, sizeof *to);
	size_t channels = f->graph.first[f->graph.n];
	double *load = base_calloc(channels, sizeof *load), *sum = base_calloc(channels, sizeof *sum);
	for (uint32_t e = 0; e < n; e++) {
		to[e] = n - 1 - e; /* endpoints of a switch to some at one other, or at two */
		topo_switch s = topo_switch_of(f->topo, e), d = topo_switch_of(f->topo, to[e]);
		if (s != d)
			rt_pair_loads(f, s, d, sum);
	}
	rt_permutation_loads(f, to, load);
	for (size_t c = 0; c < channels; c++)
		cr_assert_float_eq(load[c], sum[c], 1e-9, "%s: channel %zu: %.9f, one by one %.9f", what, c, load[c],
		                   sum[c]);
	free(to);
	free(load);
	free(sum);
}

/* Loads of every pair are those that route() makes, and uniform loads are their sum. */
static void check_runs(const struct small *x)
{
	struct fixture f;
	struct rt_flows flows;
	const char *why = NULL;
	make(&f, x->plugin, x->text);
	cr_assert_eq(fixture_routing(&f, x->routing, x->how), 0, "%s", x->text);
	cr_assert_eq(rt_flows_of_routing(&flows, &f.rt, one_rate, 0, 0, &why), 0, "%s: %s", x->text, why);
	size_t channels = flows.graph.first[flows.graph.n];
	double *said = base_calloc(channels, sizeof *said), *walked = base_calloc(channels, sizeof *walked);
	double *sum = base_calloc(channels, sizeof *sum), *load = base_calloc(channels, sizeof *load);
	for (topo_switch s = 0; s < f.topo.switches; s++)
		for (topo_switch d = 0; d < f.topo.switches; d++) {
			double flow =
			    topo_endpoints_at(&f.topo, s) * topo_endpoints_at(&f.topo, d) / (f.topo.endpoints - 1.0);
			if (s == d || flow == 0)
				continue;
			memset(said, 0, channels * sizeof *said);
			memset(walked, 0, channels * sizeof *walked);
			rt_pair_loads(&flows, s, d, said);
			cr_assert_eq(rt_walk_loads(&f.rt, &flows.graph, s, d, walked), 0, "%s: %u -> %u", x->text, s,
			             d);
			for (size_t c = 0; c < channels; c++) {
				cr_assert_float_eq(said[c], walked[c], 1e-12,
				                   "%s %s: %u -> %u, channel %zu: %.9f, walked %.9f", x->text, x->how,
				                   s, d, c, said[c], walked[c]);
				sum[c] += flow * walked[c];
			}
		}
	cr_assert_eq(rt_uniform_loads(&flows, load, &why), 0, "%s: %s", x->text, why);
	for (size_t c = 0; c < channels; c++)
		cr_assert_float_eq(load[c], sum[c], 1e-9, "%s %s: uniform, channel %zu: %.9f, walked %.9f", x->text,
		                   x->how, c, load[c], sum[c]);
	check_sum(&flows, x->text);
	rt_flows_free(&flows);
	rt_flows_of_graph(&flows, &f.topo, RT_SPLIT_PATHS, one_rate);
	check_sum(&flows, x->text);
	free(said);
	free(walked);
	free(sum);
	free(load);
	rt_flows_free(&flows);
	fixture_free(&f);
}

Test(bounds, loads_are_those_of_what_runs, .init = uneven_setup, .fini = uneven_teardown)
{
	char uneven[600];
	snprintf(uneven, sizeof uneven, "file=%s", uneven_file);
	const struct small row[] = {
		{ &topo_slimfly, "q=5 endpoints=2", &rt_minimal, "" },
		{ &topo_slimfly, "q=4 endpoints=2", &rt_valiant, "" },
		{ &topo_slimfly, "q=4 endpoints=2", &rt_valiant, "via=group" },
		{ &topo_slimfly, "q=3 endpoints=2", &rt_valiant, "via=remote-switch" },
		{ &topo_torus, "dims=4,5", &rt_minimal, "deadlock=bubble" },
		{ &topo_torus, "dims=4,4", &rt_valiant, "" },
		{ &topo_hyperx, "dims=3,4 trunk=2,1 endpoints=2", &rt_minimal, "" },
		{ &topo_hyperx, "dims=3,3 endpoints=2 order=dimension", &rt_valiant, "" },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9", &rt_minimal, "" },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9", &rt_valiant, "via=switch" },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9 arrangement=relative", &rt_valiant, "via=remote-switch" },
		{ &topo_dragonfly, "p=1 a=4 g=4 trunk=4", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "p=1 a=4 g=3 trunk=6", &rt_minimal, "" },
		{ &topo_dragonfly_plus, "p=2 leaves=2 spines=2 h=2", &rt_minimal, "" },
		{ &topo_dragonfly_plus, "p=2 leaves=2 spines=2 h=2", &rt_valiant, "via=group" },
		{ &topo_fattree, "k=4", &rt_minimal, "" },
		{ &topo_fattree, "k=4", &rt_valiant, "" },
		{ &topo_mlfm, "h=3", &rt_valiant, "" },
		{ &topo_oft, "k=3", &rt_minimal, "" },
		{ &topo_polarfly, "q=4 endpoints=2", &rt_valiant, "" },
		{ &topo_edges, uneven, &rt_valiant, "" },
	};
	for (size_t i = 0; i < COUNT(row); i++)
		check_runs(&row[i]);
}

/* Symmetry is used where it is there: the same without it. */
Test(bounds, one_switch_stands_for_its_orbit)
{
	static const struct small row[] = {
		{ &topo_slimfly, "q=5 endpoints=3", &rt_minimal, "" },
		{ &topo_slimfly, "q=4 endpoints=3", &rt_valiant, "" },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9 arrangement=relative", &rt_minimal, "" },
		{ &topo_dragonfly, "p=2 a=4 h=2 g=9 arrangement=circulant", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "p=1 a=4 g=5 trunk=3 arrangement=relative", &rt_minimal, "" },
		{ &topo_torus, "dims=4,6", &rt_minimal, "" },
		{ &topo_torus, "dims=4,3", &rt_valiant, "" },
		{ &topo_hyperx, "dims=3,4 endpoints=3", &rt_minimal, "" },
		{ &topo_spectralfly, "p=3 q=5 endpoints=2", &rt_minimal, "" },
		{ &topo_kary_ntree, "k=3 n=3", &rt_valiant, "" },
	};
	for (size_t i = 0; i < COUNT(row); i++) {
		struct fixture f;
		struct rt_flows flows;
		const char *why = NULL;
		make(&f, row[i].plugin, row[i].text);
		cr_assert_eq(fixture_routing(&f, row[i].routing, row[i].how), 0, "%s", row[i].text);
		cr_assert_eq(rt_flows_of_routing(&flows, &f.rt, one_rate, 0, 0, &why), 0, "%s: %s", row[i].text, why);
		struct topo_ops without = *f.topo.ops;
		const struct topo_ops *own = f.topo.ops;
		cr_assert(own->orbits, "%s", row[i].text);
		double with = worst(&flows, row[i].text);
		without.orbits = NULL;
		f.topo.ops = &without;
		cr_expect_float_eq(worst(&flows, row[i].text), with, 1e-9, "%s %s", row[i].text, row[i].how);
		f.topo.ops = own;
		rt_flows_free(&flows);
		fixture_free(&f);
	}
}

/* The rate of a class counts: global links of twice the bandwidth carry twice the flows. */
Test(bounds, bandwidths)
{
	struct fixture f;
	struct rt_flows flows;
	const char *why = NULL;
	double rate[TOPO_LINK_CLASSES] = { 1, 2 };
	make(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
	cr_assert_eq(fixture_routing(&f, &rt_minimal, ""), 0);
	cr_assert_eq(rt_flows_of_routing(&flows, &f.rt, rate, 0, 0, &why), 0);
	cr_expect_float_eq(worst(&flows, "rates"), 4, 1e-9); /* a p = 8 flows */
	rt_flows_free(&flows);
	fixture_free(&f);
}

Test(bounds, adaptive_routings_have_none)
{
	const struct base_plugin *const adaptive[] = { &rt_ugal_l, &rt_ugal_g, &rt_par, &rt_minimal_adaptive };
	struct fixture f;
	make(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
	for (size_t i = 0; i < COUNT(adaptive); i++) {
		struct rt_flows flows;
		const char *why = NULL;
		cr_assert_eq(fixture_routing(&f, adaptive[i], ""), 0);
		cr_expect_eq(rt_flows_of_routing(&flows, &f.rt, one_rate, 0, 0, &why), -1);
		cr_expect(why && strstr(why, "adaptive"));
	}
	fixture_free(&f);
}
