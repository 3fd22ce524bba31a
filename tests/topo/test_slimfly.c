/* tests/topo/test_slimfly.c - MMS graphs against their definition, tabulated facts and closed forms. */
#include "topo/gf.h"

#include "tests/topo/fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <zlib.h>

static const uint32_t all_q[] = { 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25, 27, 32, 37 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void make_slimfly(struct topo *t, uint32_t q, uint32_t p)
{
	char text[64];
	snprintf(text, sizeof text, "q=%u endpoints=%u", q, p);
	make_topo(t, &topo_slimfly, text);
}

Test(slimfly, cables_and_routes_for_many_q)
{
	for (size_t i = 0; i < COUNT(all_q); i++) {
		uint32_t q = all_q[i];
		int delta = q % 4 == 3 ? -1 : (int)(q % 4);
		char what[32];
		snprintf(what, sizeof what, "q = %u", q);
		struct topo t;
		make_slimfly(&t, q, 3);
		cr_assert_eq(t.switches, 2 * q * q);
		cr_assert_eq((int)t.max_ports, (3 * (int)q - delta) / 2);
		check_cables(&t, what);
		if (q <= 19)
			check_shortest(&t, what);
		check_routes(&t, what, true, 200000);
		topo_destroy(&t);
	}
}

/* A permutation; its two halves have between them about q/2 of every switch's q + d cables, a third, the least there
 * can be: the Laplacian's gap q bounds every bisection from below by q n / 4 of the 3 q n / 4 cables. */
Test(slimfly, order_keeps_neighbours_together)
{
	for (size_t i = 0; i < COUNT(all_q); i++) {
		struct topo t;
		make_slimfly(&t, all_q[i], 1);
		uint32_t *place = malloc(t.switches * sizeof *place), cut = 0, half = t.switches / 2;
		for (uint32_t k = 0; k < t.switches; k++)
			place[k] = UINT32_MAX;
		for (uint32_t k = 0; k < t.switches; k++) {
			topo_switch s = t.ops->order(&t, k);
			cr_assert_lt(s, t.switches);
			cr_assert_eq(place[s], UINT32_MAX, "q = %u: switch %u comes twice", all_q[i], s);
			place[s] = k;
		}
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_port p = 0; p < t.max_ports; p++)
				cut += (place[s] < half) != (place[topo_peer(&t, s, p).to] < half);
		double least = all_q[i] * t.switches / 4.0;
		cr_assert_geq(cut / 2, (uint32_t)least);
		cr_assert_leq(cut / 2, (uint32_t)(least * (all_q[i] % 2 ? 1.0 + 3.0 / all_q[i] : 1.0)),
		              "q = %u: %u cut", all_q[i], cut / 2);
		free(place);
		topo_destroy(&t);
	}
}

Test(slimfly, local_cables_stay_in_their_group)
{
	struct topo t;
	make_slimfly(&t, 9, 1);
	uint32_t d = t.max_ports - 9;
	for (topo_switch s = 0; s < t.switches; s++)
		for (topo_port p = 0; p < t.max_ports; p++) {
			struct topo_hop hop = topo_peer(&t, s, p);
			cr_assert_eq(hop.link_class, p >= d);
			cr_assert_eq(topo_group(&t, s) == topo_group(&t, hop.to), p < d);
			if (p >= d) /* "port index by group of the other side" */
				cr_assert_eq(hop.to / 9 % 9, p - d);
		}
	topo_destroy(&t);
}

/* Second largest eigenvalue of the adjacency matrix: power iteration on A + k' I, orthogonal to the constant vector. */
static double second_eigenvalue(const struct topo *t)
{
	double *v = base_calloc(t->switches, sizeof *v), *w = base_calloc(t->switches, sizeof *w), shift = t->max_ports,
	       norm = 0;
	uint64_t random = 1;
	for (uint32_t s = 0; s < t->switches; s++)
		v[s] = (double)(next_random(&random) >> 11) * 0x1p-53 - 0.5;
	for (int round = 0; round < 3000; round++) {
		double mean = 0;
		for (uint32_t s = 0; s < t->switches; s++)
			mean += v[s] / t->switches;
		norm = 0;
		for (uint32_t s = 0; s < t->switches; s++) {
			v[s] -= mean;
			norm += v[s] * v[s];
		}
		for (uint32_t s = 0; s < t->switches; s++)
			v[s] /= sqrt(norm);
		for (uint32_t s = 0; s < t->switches; s++) {
			w[s] = shift * v[s];
			for (topo_port p = 0; p < t->max_ports; p++)
				w[s] += v[topo_peer(t, s, p).to];
		}
		norm = 0;
		for (uint32_t s = 0; s < t->switches; s++) {
			norm += w[s] * v[s];
		}
		memcpy(v, w, t->switches * sizeof *v);
	}
	free(v);
	free(w);
	return norm - shift;
}

Test(slimfly, equals_the_tabulated_facts)
{
	FILE *in = fopen(TILEFLY_TEST_DATA "/topo/slimfly_mms.csv", "r");
	cr_assert(in);
	char line[256];
	int rows = 0;
	cr_assert(fgets(line, sizeof line, in)); /* header */
	while (fgets(line, sizeof line, in)) {
		int q, delta, diameter, girth;
		unsigned nr, k;
		unsigned long edges, intra, cross, triangles;
		double mean, lambda2;
		cr_assert_eq(sscanf(line, "%d,%d,%u,%u,%d,%lf,%lu,%lu,%lu,%d,%lu,%lf", &q, &delta, &nr, &k, &diameter,
		                    &mean, &edges, &intra, &cross, &girth, &triangles, &lambda2),
		             12);
		struct topo t;
		struct topo_facts f;
		make_slimfly(&t, (uint32_t)q, 2);
		topo_compute_facts(&t, &f);
		cr_expect_eq(f.switches, nr);
		cr_expect_eq(f.network_radix, k);
		cr_expect_eq(f.radix, k + 2);
		cr_expect_eq(f.diameter, diameter);
		cr_expect_float_eq(f.mean_distance, mean, 5.1e-7, "q = %d", q);
		cr_expect_eq(f.links, edges);
		cr_expect_eq(f.links_by_class[0], intra);
		cr_expect_eq(f.links_by_class[1], cross);
		cr_expect_eq(f.girth, girth, "q = %d: girth %d", q, f.girth);
		cr_expect_eq(count_triangles(&t), triangles, "q = %d", q);
		if (q <= 13)
			cr_expect_float_eq(second_eigenvalue(&t), lambda2, 1e-4, "q = %d: %f", q,
			                   second_eigenvalue(&t));
		topo_destroy(&t);
		rows++;
	}
	fclose(in);
	cr_assert_eq(rows, 8);
}

/* The lists use the same field, sets and numbering, so that the isomorphism is the identity. */
static void same_edges(const char *file, uint32_t q)
{
	struct topo t;
	make_slimfly(&t, q, 1);
	gzFile in = gzopen(file, "rb");
	cr_assert(in, "%s", file);
	char line[512];
	uint64_t n = 0;
	while (gzgets(in, line, sizeof line)) {
		unsigned a, b;
		if (*line == '#')
			continue;
		cr_assert_eq(sscanf(line, "%u %u", &a, &b), 2);
		cr_assert(adjacent(&t, a, b), "q = %u: %u - %u", q, a, b);
		n++;
	}
	gzclose(in);
	cr_assert_eq(2 * n, (uint64_t)t.switches * t.max_ports);
	topo_destroy(&t);
}

Test(slimfly, equals_the_edge_lists)
{
	same_edges(TILEFLY_TEST_DATA "/topo/mms_q5_edges.txt.gz", 5);
	same_edges(TILEFLY_TEST_DATA "/topo/mms_q9_edges.txt.gz", 9);
}

/* Permutes switches by one of the three families that orbits() relies on. */
static topo_switch moved(const struct topo_gf *f, int family, uint32_t by, topo_switch id)
{
	uint32_t q = f->q, s = id / (q * q), x = id / q % q, y = id % q;
	if (family == 0) { /* y + e, c + e */
		y = topo_gf_add(f, y, by);
	} else if (family == 1) { /* x + a, c - m a */
		if (s == 0)
			x = topo_gf_add(f, x, by);
		else
			y = topo_gf_sub(f, y, topo_gf_mul(f, x, by));
	} else { /* m + b, y + b x */
		if (s == 0)
			y = topo_gf_add(f, y, topo_gf_mul(f, x, by));
		else
			x = topo_gf_add(f, x, by);
	}
	return s * q * q + x * q + y;
}

Test(slimfly, orbits_are_orbits)
{
	static const uint32_t some_q[] = { 4, 5, 7, 8, 9 };
	for (size_t i = 0; i < COUNT(some_q); i++) {
		struct topo_gf f;
		struct topo t;
		topo_gf_build(&f, some_q[i]);
		make_slimfly(&t, some_q[i], 1);
		bool *reached = base_calloc(t.switches, sizeof *reached);
		struct topo_orbit orbit[4];
		cr_assert_eq(t.ops->orbits(&t, orbit, 4), 2);
		for (int family = 0; family < 3; family++)
			for (uint32_t by = 0; by < f.q; by++)
				for (topo_switch s = 0; s < t.switches; s++)
					for (topo_port p = 0; p < t.max_ports; p++)
						cr_assert(adjacent(&t, moved(&f, family, by, s),
						                   moved(&f, family, by, topo_peer(&t, s, p).to)),
						          "q = %u, family %d", f.q, family);
		for (int o = 0; o < 2; o++)
			for (uint32_t e = 0; e < f.q; e++)
				for (uint32_t a = 0; a < f.q; a++)
					reached[moved(&f, 1 + o, a, moved(&f, 0, e, orbit[o].representative))] = true;
		for (topo_switch s = 0; s < t.switches; s++)
			cr_assert(reached[s]);
		free(reached);
		topo_destroy(&t);
		topo_gf_free(&f);
	}
}

Test(slimfly, uniform_loads_have_their_closed_form)
{
	for (size_t i = 0; i < COUNT(all_q) && all_q[i] <= 25; i++) {
		uint32_t q = all_q[i], p = 3;
		struct topo t;
		make_slimfly(&t, q, p);
		check_facts(&t, "slimfly");
		struct topo_graph g;
		topo_graph_of(&g, &t);
		double *load = base_calloc(g.first[g.n], sizeof *load), unit = p * p / (t.endpoints - 1.0), local = 0;
		cr_assert_eq(topo_uniform_loads(&t, &g, load), 0);
		uint32_t d = t.max_ports - q;
		for (size_t c = 0; c < g.first[g.n]; c++) {
			if (c % t.max_ports >= d)
				cr_assert_float_eq(load[c] / unit, 3.0 * q - 2, 1e-6,
				                   "q = %u: every cross channel carries 3q - 2", q);
			else
				cr_assert_leq(load[c] / unit,
				              3.0 * q - 2 + (q <= 5 ? 1e-6 : -1e-6), /* equal for 4 and 5 */
				              "q = %u: local channels carry less", q);
			local += c % t.max_ports >= d ? 0 : load[c] / unit;
		}
		double want = q % 4 == 1   ? 2.0 * q + 3
		              : q % 4 == 0 ? 2.0 * q + 1 - 4.0 / q
		                           : 2.0 * q - 1 - 4.0 / (q + 1);
		cr_assert_float_eq(local / (t.switches * (double)d), want, 1e-6, "q = %u: mean of the local channels",
		                   q);
		free(load);
		topo_graph_free(&g);
		topo_destroy(&t);
	}
}

Test(slimfly, published_saturations)
{
	static const struct {
		uint32_t q, p;
		double saturation;
	} row[] = { { 5, 4, .9567 },   { 13, 9, 1.0147 }, { 13, 10, .9132 }, { 19, 13, 1.0097 },
		    { 19, 15, .8751 }, { 37, 27, .9303 }, { 163, 19, 5.74 }, { 163, 122, .8944 } };
	for (size_t i = 0; i < COUNT(row); i++) {
		struct topo t;
		struct topo_facts f;
		make_slimfly(&t, row[i].q, row[i].p);
		topo_compute_facts(&t, &f);
		cr_expect_float_eq(1 / f.max_channel_load_uniform, row[i].saturation,
		                   row[i].saturation > 2 ? 5e-3 : 5.1e-5, "q = %u", row[i].q);
		topo_destroy(&t);
	}
}

/* Figure 3 of the Slim Fly study: minimal routing puts 2p flows on one channel of each chain and less elsewhere. */
static void check_worst_case(uint32_t q)
{
	struct topo t;
	make_slimfly(&t, q, 1);
	topo_switch *to = base_calloc(t.switches, sizeof *to);
	uint8_t *flows = base_calloc((size_t)t.switches * t.max_ports, 1);
	uint32_t idle = t.ops->worst_case(&t, to), found = 0;
	cr_assert_eq(idle, 2 * q * q % 4, "q = %u: %u idle", q, idle);
	for (topo_switch s = 0; s < t.switches; s++) {
		if (to[s] == TOPO_NONE) {
			found++;
			continue;
		}
		cr_assert(to[s] < t.switches && to[s] != s && to[to[s]] == s, "q = %u: %u", q, s);
		topo_port out[TOPO_MAX_NEXT], rest[TOPO_MAX_NEXT];
		cr_assert_eq(t.ops->distance(&t, s, to[s]), 2);
		cr_assert_eq(t.ops->next(&t, s, to[s], 0, out), 1, "q = %u: %u -> %u has several paths", q, s, to[s]);
		topo_switch middle = topo_peer(&t, s, out[0]).to;
		cr_assert_eq(t.ops->next(&t, middle, to[s], 1, rest), 1);
		flows[(size_t)s * t.max_ports + out[0]]++;
		flows[(size_t)middle * t.max_ports + rest[0]]++;
	}
	cr_assert_eq(found, idle);
	uint32_t twos = 0, ones = 0;
	for (size_t c = 0; c < (size_t)t.switches * t.max_ports; c++) {
		cr_assert_leq(flows[c], 2, "q = %u", q);
		twos += flows[c] == 2;
		ones += flows[c] == 1;
	}
	uint32_t chains = (t.switches - idle) / 4;
	cr_assert_eq(twos, 2 * chains, "q = %u: one full channel each way in every chain", q);
	cr_assert_eq(ones, 4 * chains);
	free(to);
	free(flows);
	topo_destroy(&t);
}

Test(slimfly, worst_case_chains_are_complete)
{
	for (uint32_t q = 4; q <= 211; q++)
		if (topo_prime_power(q, NULL, NULL) &&
		    (q <= 49 || q == 64 || q == 81 || q == 121 || q == 125 || q == 163 || q == 211))
			check_worst_case(q);
}

Test(slimfly, never_more_choices_than_the_interface_allows)
{
	for (uint32_t q = 150; q <= 211; q++) {
		if (!topo_prime_power(q, NULL, NULL))
			continue;
		struct topo t;
		make_slimfly(&t, q, 1);
		topo_port out[TOPO_MAX_NEXT];
		for (uint32_t s = 0; s < 2; s++)
			for (uint32_t y = 1; y < q; y++) /* only pairs of one group have more than two paths */
				cr_assert_leq(t.ops->next(&t, s * q * q, s * q * q + y, 0, out), 64, "q = %u", q);
		topo_destroy(&t);
	}
}

Test(slimfly, a_million_nodes_in_seconds)
{
	clock_t start = clock();
	struct topo t;
	struct topo_facts f;
	make_slimfly(&t, 163, 19);
	cr_assert_eq(t.switches, 53138);
	cr_assert_eq(t.endpoints, 1009622);
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.radix, 264);
	cr_assert_eq(f.network_radix, 245);
	cr_assert_eq(f.diameter, 2);
	check_routes(&t, "q = 163", true, 100000);
	topo_destroy(&t);
	cr_assert_lt((double)(clock() - start) / CLOCKS_PER_SEC, 20.0); /* about one second, unless instrumented */
}

Test(slimfly, automatic_endpoints_are_half_the_network_ports)
{
	struct topo t;
	make_topo(&t, &topo_slimfly, "q=13");
	cr_assert_eq(t.max_endpoints, 9);
	topo_destroy(&t);
}

Test(slimfly, errors)
{
	expect_error(&topo_slimfly, "q=6", "q", "6 is not a prime power; the nearest are 5 and 7");
	expect_error(&topo_slimfly, "q=100", "q", "the nearest are 97 and 101");
	expect_error(&topo_slimfly, "q=2", "q", "the minimum is 3");
	expect_error(&topo_slimfly, "q=13 endpoints=0", "endpoints", "");
	expect_error(&topo_slimfly, "q=223", "q", "");
	expect_error(&topo_slimfly, "q=-5", "q", "");
}
