/* tests/topo/test_torus.c - coordinates, dimension order, datelines, closed forms. */
#include "tests/topo/fixture.h"

#include <stdio.h>

Test(torus, equals_the_tabulated_facts)
{
	/* topologies.csv; saturations of the uniform channel bound from the same computation */
	static const struct {
		const char *text;
		uint32_t n, degree, cables;
		int diameter;
		double mean, saturation;
	} row[] = {
		{ "dims=8,8", 64, 4, 128, 8, 4.063492, .9844 },
		{ "dims=8,8,8", 512, 6, 1536, 12, 6.011742, .9980 },
		{ "dims=4,4,4,4,4", 1024, 10, 5120, 10, 5.004888, 1.998 },
		{ "dims=5,5,5", 125, 6, 375, 6, 3.629032, 1.653 },
		{ "dims=16,16", 256, 4, 512, 16, 8.031373, .4980 },
		{ "dims=4,4,4,4", 256, 8, 1024, 8, 4.015686, 1.992 },
		{ "dims=6,6,6", 216, 6, 648, 9, 4.520930, 1.327 },
		{ "dims=8,8,16", 1024, 6, 3072, 16, 8.007820, .4995 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		make_topo(&t, &topo_torus, row[i].text);
		topo_compute_facts(&t, &f);
		cr_expect_eq(f.switches, row[i].n);
		cr_expect_eq(f.network_radix, row[i].degree);
		cr_expect_eq(f.radix, row[i].degree + 1);
		cr_expect_eq(f.links, row[i].cables);
		cr_expect_eq(f.diameter, row[i].diameter);
		cr_expect_eq(f.girth, 4);
		cr_expect_float_eq(f.mean_distance, row[i].mean, 5.1e-7, "%s", row[i].text);
		cr_expect_float_eq(1 / f.max_channel_load_uniform, row[i].saturation,
		                   row[i].saturation < 1 ? 5.1e-5 : 5.1e-4, "%s: %f", row[i].text,
		                   1 / f.max_channel_load_uniform);
		topo_destroy(&t);
	}
}

struct shape {
	uint32_t n, k[4];
	bool wrap[4];
	char text[128];
};

static struct shape random_shape(uint64_t *random, uint32_t most)
{
	struct shape s = { .n = 1 + (uint32_t)(next_random(random) % 4) };
	char dims[32] = "", wrap[32] = "";
	for (uint32_t i = 0; i < s.n; i++) {
		s.k[i] = 1 + (uint32_t)(next_random(random) % most);
		s.wrap[i] = next_random(random) % 3 > 0;
		snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%u", i ? "," : "", s.k[i]);
		snprintf(wrap + strlen(wrap), sizeof wrap - strlen(wrap), "%s%s", i ? "," : "",
		         s.wrap[i] ? "true" : "false");
	}
	snprintf(s.text, sizeof s.text, "dims=%s wrap=%s endpoints=%u", dims, wrap,
	         1 + (uint32_t)(next_random(random) % 3));
	return s;
}

static uint32_t coordinate_of(const struct shape *s, topo_switch at, uint32_t dimension)
{
	for (uint32_t i = 0; i < dimension; i++)
		at /= s->k[i];
	return at % s->k[dimension];
}

/* Each hop changes one coordinate by one; the wrap cable alone is the dateline; next() is dimension order by a shortest
 * way. */
static void check_shape(const struct shape *s, const struct topo *t)
{
	for (topo_switch at = 0; at < t->switches; at++) {
		for (topo_port p = 0; p < topo_ports(t, at); p++) {
			struct topo_hop hop = topo_peer(t, at, p);
			for (uint32_t i = 0; i < s->n; i++) {
				uint32_t a = coordinate_of(s, at, i), b = coordinate_of(s, hop.to, i),
					 apart = a > b ? a - b : b - a;
				if (i != hop.dimension)
					cr_assert_eq(a, b, "%s", s->text);
				else if (hop.dateline)
					cr_assert(s->wrap[i] && s->k[i] > 2 && apart == s->k[i] - 1, "%s", s->text);
				else
					cr_assert_eq(apart, 1, "%s", s->text);
			}
		}
		for (topo_switch to = 0; to < t->switches; to++) {
			if (to == at)
				continue;
			uint32_t i = 0;
			while (coordinate_of(s, at, i) == coordinate_of(s, to, i))
				i++;
			uint32_t a = coordinate_of(s, at, i), b = coordinate_of(s, to, i),
				 apart = a > b ? a - b : b - a;
			topo_port out[TOPO_MAX_NEXT];
			int n = t->ops->next(t, at, to, 0, out);
			cr_assert_eq(n, s->wrap[i] && s->k[i] > 2 && 2 * apart == s->k[i] ? 2 : 1, "%s: %u -> %u",
			             s->text, at, to);
			for (int j = 0; j < n; j++) {
				struct topo_hop hop = topo_peer(t, at, out[j]);
				cr_assert_eq(hop.dimension, i, "%s: lowest dimension first", s->text);
				cr_assert_eq(t->ops->distance(t, hop.to, to) + 1, t->ops->distance(t, at, to));
			}
			cr_assert(n == 1 || out[0] != out[1]);
		}
	}
}

Test(torus, random_shapes)
{
	uint64_t random = 3;
	for (int i = 0; i < 200; i++) {
		struct shape s = random_shape(&random, i % 2 ? 4 : 7);
		struct topo t;
		make_topo(&t, &topo_torus, s.text);
		if (t.switches <= 400) {
			check_cables(&t, s.text);
			check_shape(&s, &t);
			check_routes(&t, s.text, true, 2000);
			if (t.switches > 1)
				check_facts(&t, s.text);
		}
		topo_destroy(&t);
	}
}

/* Least cut over all halves, for graphs small enough to try them. */
static int64_t least_cut(const struct topo *t)
{
	uint32_t n = t->switches;
	int64_t best = INT64_MAX;
	for (uint32_t set = 0; set < UINT32_C(1) << n; set++) {
		if ((uint32_t)__builtin_popcount(set) != n / 2)
			continue;
		int64_t cut = 0;
		for (topo_switch s = 0; s < n; s++)
			for (topo_port p = 0; (set >> s & 1) && p < topo_ports(t, s); p++)
				cut += !(set >> topo_peer(t, s, p).to & 1);
		best = cut < best ? cut : best;
	}
	return best;
}

Test(torus, bisection_is_the_least_cut)
{
	static const char *const text[] = { "dims=8",
		                            "dims=7",
		                            "dims=4,4",
		                            "dims=3,3",
		                            "dims=3,5",
		                            "dims=3,4",
		                            "dims=5,3",
		                            "dims=4,4 wrap=false",
		                            "dims=3,3 wrap=false",
		                            "dims=3,5 wrap=false",
		                            "dims=2,8 wrap=false",
		                            "dims=7 wrap=false",
		                            "dims=2,2,2,2 wrap=false",
		                            "dims=2,2,2" };
	for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
		struct topo t;
		struct topo_facts f;
		make_topo(&t, &topo_torus, text[i]);
		topo_compute_facts(&t, &f);
		int64_t least = least_cut(&t);
		cr_expect_eq(f.bisection_links, least, "%s: %ld, least %ld", text[i], (long)f.bisection_links,
		             (long)least);
		topo_destroy(&t);
	}
}

/* Adversarial loads of one ring of k by hand: tornado loads one direction with ceil(k/2) - 1. */
Test(torus, worst_case_is_the_tornado)
{
	for (uint32_t k = 3; k <= 17; k++) {
		char text[32];
		snprintf(text, sizeof text, "dims=%u,4", k);
		struct topo t;
		make_topo(&t, &topo_torus, text);
		topo_switch *to = base_calloc(t.switches, sizeof *to);
		cr_assert_eq(t.ops->worst_case(&t, to), 0);
		for (topo_switch s = 0; s < t.switches; s++) {
			cr_assert_eq(to[s] % k, (s % k + (k + 1) / 2 - 1) % k);
			cr_assert_eq(to[s] / k, (s / k + 1) % 4);
		}
		free(to);
		topo_destroy(&t);
	}
}

Test(torus, a_ring_of_two_is_one_cable)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_torus, "dims=2,2,2,2,2");
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.links, 80); /* the 5-cube: n 2^(n-1) */
	cr_assert_eq(f.diameter, 5);
	topo_destroy(&t);
}

Test(torus, errors)
{
	expect_error(&topo_torus, "dims=8,0", "dims", "");
	expect_error(&topo_torus, "dims=8,-3", "dims", "");
	expect_error(&topo_torus, "dims=100000,100000", "dims", "not supported");
	expect_error(&topo_torus, "dims=8,8 wrap=true,true,false", "wrap", "3 values for 2 dimensions");
	expect_error(&topo_torus, "dims=8,8 endpoints=0", "endpoints", "");
	expect_error(&topo_torus, "dims=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", "dims",
	             "33");
	expect_error(&topo_torus, "dims=16777216 endpoints=65535", "", "endpoints are supported");
}

/* Rings of two with both of their cables: as rings of more, a switch has two ports in each, and either cable is
 * offered. A hypercube whose cables are doubled has half the loads of one of lines of two: 2^(n-1) flows of 1 / (2^n -
 * 1) each. */
Test(torus, double_pairs)
{
	static const char *const dims[] = { "2", "2,2", "2,3", "4,2", "2,5,2" };
	for (size_t i = 0; i < sizeof dims / sizeof *dims; i++) {
		struct topo t, single;
		struct topo_facts f;
		char text[64];
		snprintf(text, sizeof text, "dims=%s endpoints=2 pairs=double", dims[i]);
		make_topo(&t, &topo_torus, text);
		snprintf(text, sizeof text, "dims=%s endpoints=2", dims[i]);
		make_topo(&single, &topo_torus, text);
		check_cables(&t, dims[i]);
		check_facts(&t, dims[i]);
		topo_compute_facts(&t, &f);
		cr_expect_eq(f.girth, 2);
		for (topo_switch s = 0; s < t.switches; s++)
			for (topo_switch d = 0; d < t.switches; d++)
				cr_assert_eq(t.ops->distance(&t, s, d), single.ops->distance(&single, s, d));
		topo_destroy(&t);
		topo_destroy(&single);
	}
	struct topo t;
	struct topo_facts f;
	topo_port out[TOPO_MAX_NEXT];
	make_topo(&t, &topo_torus, "dims=2,2,2 pairs=double");
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.links, 24);
	cr_assert_eq(f.bisection_links, 8);
	cr_assert_float_eq(f.max_channel_load_uniform, 4 / 7. / 2, 1e-12);
	cr_assert_eq(t.ops->next(&t, 0, 7, 0, out), 2);
	cr_assert_eq(t.max_ports, 6);
	topo_destroy(&t);
}
