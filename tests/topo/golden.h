/* tests/topo/golden.h - facts against tables that were made without tilefly.
 *
 * The rows of the tests that include this are those of tests/data/topo/topologies.csv and of topo1000.csv: own
 * constructions in numpy, compared with the public generator spcl/EvalNet and with networkx; saturation from loads in
 * closed form or added up path by path, bisections from many runs of METIS. */
#ifndef TESTS_TOPO_GOLDEN_H
#define TESTS_TOPO_GOLDEN_H

#include "tests/topo/fixture.h"

struct golden {
	const struct base_plugin *plugin;
	const char *text;
	uint32_t switches, endpoints, radix, degree; /* radix 0: not in the table */
	uint64_t cables;
	int diameter, girth;
	double mean, hops;         /* of pairs of switches; of uniform traffic */
	double saturation;         /* per hop; 0: not in the table */
	int64_t halves, ep_halves; /* upper bounds of the bisection; 0: not in the table */
};

static inline void check_golden(const struct golden *g)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, g->plugin, g->text);
	topo_compute_facts(&t, &f);
	cr_expect_eq(f.switches, g->switches, "%s: %u switches", g->text, f.switches);
	cr_expect_eq(f.endpoints, g->endpoints, "%s: %u endpoints", g->text, f.endpoints);
	if (g->radix)
		cr_expect_eq(f.radix, g->radix, "%s: radix %u", g->text, f.radix);
	cr_expect_eq(f.network_radix, g->degree, "%s: degree %u", g->text, f.network_radix);
	cr_expect_eq(f.links, g->cables, "%s: %lu cables", g->text, f.links);
	cr_expect_eq(f.diameter, g->diameter, "%s: diameter %d", g->text, f.diameter);
	cr_expect_eq(f.girth, g->girth, "%s: girth %d", g->text, f.girth);
	cr_expect_float_eq(f.mean_distance, g->mean, 5.1e-7, "%s: mean distance %.7f", g->text, f.mean_distance);
	cr_expect_float_eq(f.mean_minimal_hops, g->hops, 5.1e-7, "%s: %.7f hops", g->text, f.mean_minimal_hops);
	if (g->saturation > 0)
		cr_expect_float_eq(1 / f.max_channel_load_uniform, g->saturation, 5.1e-7, "%s: saturates at %.7f",
		                   g->text, 1 / f.max_channel_load_uniform);
	if (g->halves) {
		cr_expect_leq((double)f.bisection_links, 1.03 * (double)g->halves, "%s: bisection %ld", g->text,
		              (long)f.bisection_links);
		cr_expect_leq((double)f.endpoint_bisection_links, 1.03 * (double)g->ep_halves, "%s: of endpoints %ld",
		              g->text, (long)f.endpoint_bisection_links);
		cr_expect(f.bisection_links > 0 && f.endpoint_bisection_links > 0, "%s", g->text);
	}
	topo_destroy(&t);
}

/* Closed walks of length 0 .. length - 1 from all switches together, modulo 2^64: the power sums of the spectrum. */
static inline void count_walks(const struct topo *t, uint64_t *walks, unsigned length)
{
	struct topo_graph g;
	topo_graph_of(&g, t);
	uint64_t *now = base_calloc(g.n, sizeof *now), *then = base_calloc(g.n, sizeof *then);
	memset(walks, 0, length * sizeof *walks);
	for (topo_switch from = 0; from < g.n; from++) {
		memset(now, 0, g.n * sizeof *now);
		now[from] = 1;
		for (unsigned k = 0; k < length; k++) {
			walks[k] += now[from];
			memset(then, 0, g.n * sizeof *then);
			for (topo_switch s = 0; s < g.n; s++)
				for (size_t i = g.first[s]; i < g.first[s + 1]; i++)
					then[g.to[i]] += now[s];
			uint64_t *swap = now;
			now = then;
			then = swap;
		}
	}
	free(now);
	free(then);
	topo_graph_free(&g);
}

/* Is the graph the one in a file of cables, as far as degrees, distances and spectrum can tell? */
static inline void check_against_file(const struct topo *t, const char *file)
{
	enum { WALKS = 24, MOST = 64 };
	struct topo other;
	char text[512];
	snprintf(text, sizeof text, "file=%s/topo/%s", TILEFLY_TEST_DATA, file);
	make_topo(&other, &topo_edges, text);
	cr_assert_eq(t->switches, other.switches, "%s", file);
	uint32_t degrees[2][MOST] = { { 0 } }, distances[2][MOST] = { { 0 } };
	uint64_t walks[2][WALKS];
	for (int k = 0; k < 2; k++) {
		const struct topo *one = k ? &other : t;
		struct topo_graph g;
		topo_graph_of(&g, one);
		uint32_t *distance = base_calloc(g.n, sizeof *distance);
		topo_switch *queue = base_calloc(g.n, sizeof *queue);
		for (topo_switch s = 0; s < g.n; s++) {
			degrees[k][topo_ports(one, s) % MOST]++;
			topo_bfs(&g, s, distance, queue);
			for (topo_switch to = 0; to < g.n; to++)
				distances[k][distance[to] % MOST]++;
		}
		count_walks(one, walks[k], WALKS);
		free(distance);
		free(queue);
		topo_graph_free(&g);
	}
	for (int i = 0; i < MOST; i++) {
		cr_assert_eq(degrees[0][i], degrees[1][i], "%s: %u and %u of degree %d", file, degrees[0][i],
		             degrees[1][i], i);
		cr_assert_eq(distances[0][i], distances[1][i], "%s: %u and %u pairs at distance %d", file,
		             distances[0][i], distances[1][i], i);
	}
	for (int i = 0; i < WALKS; i++)
		cr_assert_eq(walks[0][i], walks[1][i], "%s: closed walks of %d hops", file, i);
	topo_destroy(&other);
}

#endif
