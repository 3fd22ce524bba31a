/* tests/topo/test_hyperx.c - Hamming graphs with trunks: tabulated facts, definition, closed forms, worst cases. */
#include "tests/topo/golden.h"

#include <stdio.h>

Test(hyperx, equals_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_hyperx, "dims=10,10 endpoints=10", 100, 1000, 28, 18, 900, 2, 3, 1.818182, 1.801802, .999, 250,
		  250 },
		{ &topo_hyperx, "dims=6,6,6 endpoints=5", 216, 1080, 20, 15, 1620, 3, 3, 2.511628, 2.502317, 1.198889,
		  324, 324 },
		{ &topo_hyperx, "dims=4,8 trunk=2,1 endpoints=16", 32, 512, 29, 13, 208, 2, 2, 1.677419, 1.628180,
		  .4990234, 64, 64 },
		{ &topo_hyperx, "dims=8,8 endpoints=8", 64, 512, 22, 14, 448, 2, 3, 1.777778, 1.753425, 0, 0, 0 },
		{ &topo_hyperx, "dims=4,4,4 endpoints=4", 64, 256, 13, 9, 288, 3, 3, 2.285714, 2.258824, 0, 0, 0 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		check_golden(&row[i]);
}

struct shape {
	uint32_t n, size[4], trunk[4], endpoints;
	bool any;
	char text[128];
};

static struct shape random_shape(uint64_t *random)
{
	struct shape s = { .n = 1 + (uint32_t)(next_random(random) % 4), .any = next_random(random) % 2 };
	char dims[32] = "", trunk[32] = "";
	for (uint32_t i = 0; i < s.n; i++) {
		s.size[i] = 1 + (uint32_t)(next_random(random) % (s.n > 2 ? 4 : 9));
		s.trunk[i] = 1 + (uint32_t)(next_random(random) % 3);
		snprintf(dims + strlen(dims), sizeof dims - strlen(dims), "%s%u", i ? "," : "", s.size[i]);
		snprintf(trunk + strlen(trunk), sizeof trunk - strlen(trunk), "%s%u", i ? "," : "", s.trunk[i]);
	}
	s.endpoints = 1 + (uint32_t)(next_random(random) % 5);
	snprintf(s.text, sizeof s.text, "dims=%s trunk=%s endpoints=%u order=%s", dims, trunk, s.endpoints,
	         s.any ? "any" : "dimension");
	return s;
}

static uint32_t coordinate_of(const struct shape *s, topo_switch at, uint32_t dimension)
{
	for (uint32_t i = 0; i < dimension; i++)
		at /= s->size[i];
	return at % s->size[dimension];
}

/* Two switches have as many cables as their one differing dimension says, else none. */
static void check_definition(const struct shape *s, const struct topo *t)
{
	for (topo_switch a = 0; a < t->switches; a++) {
		uint32_t *cables = base_calloc(t->switches, sizeof *cables);
		for (topo_port p = 0; p < topo_ports(t, a); p++)
			cables[topo_peer(t, a, p).to]++;
		for (topo_switch b = 0; b < t->switches; b++) {
			uint32_t differ = 0, want = 0;
			for (uint32_t i = 0; i < s->n; i++)
				if (coordinate_of(s, a, i) != coordinate_of(s, b, i)) {
					differ++;
					want = s->trunk[i];
				}
			cr_assert_eq(cables[b], differ == 1 ? want : 0, "%s: %u - %u", s->text, a, b);
			cr_assert_eq(t->ops->distance(t, a, b), differ, "%s: %u - %u", s->text, a, b);
		}
		free(cables);
	}
}

/* In dimension order only the cables of the lowest differing dimension are offered. */
static void check_dimension_order(const struct shape *s, const struct topo *t)
{
	for (topo_switch a = 0; a < t->switches; a++)
		for (topo_switch b = 0; b < t->switches; b++) {
			uint32_t low = 0;
			topo_port out[TOPO_MAX_NEXT];
			if (a == b)
				continue;
			while (coordinate_of(s, a, low) == coordinate_of(s, b, low))
				low++;
			int n = t->ops->next(t, a, b, 0, out);
			cr_assert_eq(n, (int)s->trunk[low], "%s", s->text);
			for (int i = 0; i < n; i++) {
				struct topo_hop hop = topo_peer(t, a, out[i]);
				cr_assert_eq(hop.dimension, low, "%s", s->text);
				cr_assert_eq(coordinate_of(s, hop.to, low), coordinate_of(s, b, low), "%s", s->text);
				for (int j = 0; j < i; j++)
					cr_assert_neq(out[i], out[j]);
			}
		}
}

Test(hyperx, random_shapes)
{
	uint64_t random = 11;
	for (int i = 0; i < 150; i++) {
		struct shape s = random_shape(&random);
		struct topo t;
		uint32_t switches = 1;
		for (uint32_t d = 0; d < s.n; d++)
			switches *= s.size[d];
		if (switches == 1)
			continue;
		make_topo(&t, &topo_hyperx, s.text);
		cr_assert_eq(t.switches, switches);
		cr_assert_eq(t.endpoints, switches * s.endpoints);
		check_cables(&t, s.text);
		check_definition(&s, &t);
		check_routes(&t, s.text, true, 2000);
		if (s.any) {
			cr_assert_eq(t.vc_rule, TOPO_VC_HOP);
			check_shortest(&t, s.text);
		} else {
			cr_assert_eq(t.vc_rule, TOPO_VC_LEG);
			check_dimension_order(&s, &t);
			check_all_ranks(&t, s.text);
		}
		check_facts(&t, s.text);
		topo_destroy(&t);
	}
}

/* Where a bisection is said to be equal to the spectral bound n min(S K) / 4, it is; elsewhere it is no less. */
Test(hyperx, bisection)
{
	static const struct {
		const char *text;
		double bound;
		bool exact;
	} row[] = { { "dims=6", 6 * 6 / 4.0, true },
		    { "dims=2,2,2,2", 16 * 2 / 4.0, true },
		    { "dims=4,6", 24 * 4 / 4.0, true },
		    { "dims=3,4", 12 * 3 / 4.0, false },
		    { "dims=5,5", 25 * 5 / 4.0, false },
		    { "dims=3,4 trunk=3,1", 12 * 4 / 4.0, true },
		    { "dims=4,8 trunk=2,1", 32 * 8 / 4.0, true },
		    { "dims=3,6 trunk=2,1", 18 * 6 / 4.0, true } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		struct topo_facts f;
		make_topo(&t, &topo_hyperx, row[i].text);
		topo_compute_facts(&t, &f);
		cr_expect_eq(strncmp(f.bisection_how, "closed form", 11) == 0, row[i].exact, "%s: %s", row[i].text,
		             f.bisection_how);
		if (row[i].exact)
			cr_expect_eq((double)f.bisection_links, row[i].bound, "%s", row[i].text);
		else
			cr_expect_geq((double)f.bisection_links, row[i].bound - 1, "%s", row[i].text);
		topo_destroy(&t);
	}
}

/* Largest load of a channel, in flows of an endpoint, when every endpoint sends as worst_case() says. */
static double worst_load(const struct topo *t)
{
	topo_switch *to = base_calloc(t->switches, sizeof *to);
	uint32_t *reached = base_calloc(t->switches, sizeof *reached);
	double *load = base_calloc((size_t)t->switches * t->max_ports, sizeof *load), most = 0;
	cr_assert_eq(t->ops->worst_case(t, to), 0);
	for (topo_switch s = 0; s < t->switches; s++) {
		cr_assert(to[s] != s && !reached[to[s]]++, "not a permutation");
		/* All ways from s to to[s], hop by hop. */
		double *now = base_calloc(t->switches, sizeof *now), *then = base_calloc(t->switches, sizeof *then);
		now[s] = t->max_endpoints;
		for (unsigned hop = 0; hop < t->ops->max_distance(t); hop++) {
			memset(then, 0, t->switches * sizeof *then);
			for (topo_switch at = 0; at < t->switches; at++) {
				topo_port out[TOPO_MAX_NEXT];
				int n = now[at] > 0 && at != to[s] ? t->ops->next(t, at, to[s], hop, out) : 0;
				for (int k = 0; k < n; k++) {
					load[at * t->max_ports + out[k]] += now[at] / n;
					then[topo_peer(t, at, out[k]).to] += now[at] / n;
				}
			}
			double *swap = now;
			now = then;
			then = swap;
		}
		free(now);
		free(then);
	}
	for (size_t i = 0; i < (size_t)t->switches * t->max_ports; i++)
		most = fmax(most, load[i]);
	free(load);
	free(to);
	free(reached);
	return most;
}

/* wc_sat_paths of topo1000.csv: 1/T with two dimensions; 1/(S T) in dimension order with three. */
Test(hyperx, worst_case)
{
	static const struct {
		const char *text;
		double load;
	} row[] = { { "dims=10,10 endpoints=10", 10 },
		    { "dims=10,10 endpoints=10 order=dimension", 10 },
		    { "dims=5,7 endpoints=3", 3 },
		    { "dims=6 endpoints=4", 4 },
		    { "dims=6,6,6 endpoints=5 order=dimension", 30 },
		    { "dims=4,3,4 endpoints=2 order=dimension", 8 } };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct topo t;
		make_topo(&t, &topo_hyperx, row[i].text);
		cr_expect_float_eq(worst_load(&t), row[i].load, 1e-9, "%s: %f", row[i].text, worst_load(&t));
		topo_destroy(&t);
	}
	struct topo t;
	make_topo(&t, &topo_hyperx, "dims=6,6,6");
	cr_expect_null(t.ops->worst_case);
	topo_destroy(&t);
}

Test(hyperx, a_million_endpoints)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_hyperx, "dims=32,32,32 endpoints=32");
	topo_compute_facts(&t, &f);
	cr_assert_eq(f.endpoints, 1048576);
	cr_assert_eq(f.diameter, 3);
	cr_assert_float_eq(1 / f.max_channel_load_uniform, 1048575.0 / 1048576, 1e-12);
	check_routes(&t, "32,32,32", true, 5000);
	topo_destroy(&t);
}

Test(hyperx, errors)
{
	expect_error(&topo_hyperx, "dims=8,0", "dims", "");
	expect_error(&topo_hyperx, "dims=1,1", "dims", "single");
	expect_error(&topo_hyperx, "dims=4096,8192", "dims", "not supported");
	expect_error(&topo_hyperx, "dims=70000", "dims", "at most 65535");
	expect_error(&topo_hyperx, "dims=3,3,3 trunk=1,2", "trunk", "2 values for 3 dimensions");
	expect_error(&topo_hyperx, "dims=4,4 trunk=300", "trunk", "600 cables");
	expect_error(&topo_hyperx, "dims=4,4 endpoints=0", "endpoints", "");
	expect_error(&topo_hyperx, "dims=4,4 endpoints=65535", "dims", "65541 ports");
	struct base_errors errors = { 0 };
	struct topo t;
	cr_assert_neq(try_topo(&t, &topo_hyperx, "dims=1,1 trunk=1,2,3", &errors), 0);
	cr_expect_eq(errors.errors, 2, "all at once: %zu", errors.errors);
	base_errors_free(&errors);
}
