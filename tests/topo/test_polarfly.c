/* tests/topo/test_polarfly.c - polarity graphs: tabulated facts, the definition, closed forms, worst case, errors. */
#include "topo/gf.h"

#include "tests/topo/golden.h"

#include <stdio.h>

static const uint32_t all_q[] = { 2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25, 27, 31, 32 };
#define COUNT(array) (sizeof(array) / sizeof *(array))

Test(polarfly, equals_the_tabulated_facts)
{
	static const struct golden row[] = {
		{ &topo_polarfly, "q=11 endpoints=6", 133, 798, 18, 12, 792, 2, 3, 1.909774, 1.897793, 1.006313, 296,
		  296 },
		{ &topo_polarfly, "q=13 endpoints=6", 183, 1098, 20, 14, 1274, 2, 3, 1.923497, 1.914730, 1.172009, 487,
		  489 },
		{ &topo_polarfly, "q=7 endpoints=4", 57, 228, 0, 8, 224, 2, 3, 1.859649, 1.835072, 0, 0, 0 },
		{ &topo_polarfly, "q=16 endpoints=9", 273, 2457, 0, 17, 2312, 2, 3, 1.937729, 1.931417, 0, 0, 0 },
	};
	for (size_t i = 0; i < COUNT(row); i++)
		check_golden(&row[i]);
}

/* The point that a number stands for, coordinates as elements of GF(q). */
static void point_of(uint32_t q, topo_switch s, uint32_t *v)
{
	bool finite = s < q * q, line = !finite && s < q * q + q;
	v[0] = finite;
	v[1] = finite ? s / q : line;
	v[2] = finite ? s % q : line ? s - q * q : 1;
}

/* Joined iff different and orthogonal. */
static void check_definition(const struct topo *t, uint32_t q, const char *what)
{
	struct topo_gf g;
	uint32_t quadrics = 0;
	topo_gf_build(&g, q);
	for (topo_switch a = 0; a < t->switches; a++) {
		uint32_t u[3], v[3];
		point_of(q, a, u);
		uint8_t *joined = base_calloc(t->switches, 1);
		for (topo_port p = 0; p < topo_ports(t, a); p++)
			joined[topo_peer(t, a, p).to]++;
		for (topo_switch b = 0; b < t->switches; b++) {
			uint32_t sum = 0;
			point_of(q, b, v);
			for (int i = 0; i < 3; i++)
				sum = topo_gf_add(&g, sum, topo_gf_mul(&g, u[i], v[i]));
			cr_assert_eq(joined[b], a != b && sum == 0, "%s: %u - %u", what, a, b);
			quadrics += a == b && sum == 0;
		}
		free(joined);
	}
	cr_assert_eq(quadrics, q + 1);
	topo_gf_free(&g);
}

Test(polarfly, many_q)
{
	for (size_t i = 0; i < COUNT(all_q); i++) {
		uint32_t q = all_q[i], lesser = 0;
		char text[32];
		snprintf(text, sizeof text, "q=%u endpoints=3", q);
		struct topo t;
		make_topo(&t, &topo_polarfly, text);
		cr_assert_eq(t.switches, q * q + q + 1);
		for (topo_switch s = 0; s < t.switches; s++)
			lesser += topo_ports(&t, s) == q;
		cr_assert_eq(lesser, q + 1);
		check_cables(&t, text);
		check_routes(&t, text, true, 100000);
		if (q <= 19) {
			check_definition(&t, q, text);
			check_shortest(&t, text);
			check_facts(&t, text);
		}
		topo_destroy(&t);
	}
}

/* Pairs of chains a - b - c - d on unique paths: 2p flows on b - c, and few switches left over. */
Test(polarfly, worst_case)
{
	for (size_t i = 0; i < COUNT(all_q); i++) {
		uint32_t q = all_q[i], idle = 0;
		char text[32];
		snprintf(text, sizeof text, "q=%u endpoints=2", q);
		struct topo t;
		make_topo(&t, &topo_polarfly, text);
		topo_switch *to = base_calloc(t.switches, sizeof *to);
		uint32_t *load = base_calloc((size_t)t.switches * t.max_ports, sizeof *load), most = 0;
		uint32_t said = t.ops->worst_case(&t, to);
		for (topo_switch s = 0; s < t.switches; s++) {
			if (to[s] == TOPO_NONE) {
				idle++;
				continue;
			}
			cr_assert_eq(to[to[s]], s);
			cr_assert_eq(t.ops->distance(&t, s, to[s]), 2);
			topo_port out[TOPO_MAX_NEXT];
			for (topo_switch at = s; at != to[s]; at = topo_peer(&t, at, out[0]).to) {
				t.ops->next(&t, at, to[s], 0, out);
				uint32_t here = ++load[at * t.max_ports + out[0]];
				most = here > most ? here : most;
			}
		}
		cr_expect_eq(idle, said, "%s: %u idle, said %u", text, idle, said);
		if (q > 3) {
			cr_expect_eq(most, 2, "%s: %u", text, most);
			cr_expect_leq(idle, 3 + t.switches / 8, "%s: %u idle", text, idle);
		}
		free(to);
		free(load);
		topo_destroy(&t);
	}
}

Test(polarfly, a_million_endpoints)
{
	struct topo t;
	struct topo_facts f;
	make_topo(&t, &topo_polarfly, "q=127");
	topo_quick_facts(&t, &f);
	cr_assert_eq(f.endpoints, 1040448); /* 16,257 switches of 64 */
	cr_assert_float_eq(1 / f.max_channel_load_uniform, (1040448.0 - 1) / (2 * 127 * 64 * 64), 1e-9);
	check_routes(&t, "127", true, 20000);
	topo_destroy(&t);
}

Test(polarfly, errors)
{
	expect_error(&topo_polarfly, "q=6", "q", "the nearest are 5 and 7");
	expect_error(&topo_polarfly, "q=1022", "q", "the nearest are 1021 and 1024");
	expect_error(&topo_polarfly, "q=1", "q", "");
	expect_error(&topo_polarfly, "q=7 endpoints=0", "endpoints", "");
}
