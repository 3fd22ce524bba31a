/* tests/topo/test_gf.c - finite fields: the axioms, and what the tables promise. */
#include "topo/gf.h"

#include "tests/topo/fixture.h"

Test(gf, prime_powers_below_130)
{
	static const uint32_t list[] = { 2,  3,  4,  5,  7,  8,   9,   11,  13,  16,  17,  19,  23,  25, 27,
		                         29, 31, 32, 37, 41, 43,  47,  49,  53,  59,  61,  64,  67,  71, 73,
		                         79, 81, 83, 89, 97, 101, 103, 107, 109, 113, 121, 125, 127, 128 };
	size_t at = 0;
	for (uint32_t q = 0; q < 130; q++) {
		bool want = at < sizeof list / sizeof *list && list[at] == q;
		cr_expect_eq(topo_prime_power(q, NULL, NULL), want, "%u", q);
		at += want;
	}
	uint32_t p, k;
	cr_assert(topo_prime_power(169, &p, &k) && p == 13 && k == 2);
	cr_assert(topo_prime_power(1024, &p, &k) && p == 2 && k == 10);
}

static void check_field(uint32_t q)
{
	struct topo_gf f;
	cr_assert_eq(topo_gf_build(&f, q), 0, "%u", q);
	uint64_t random = q;
	bool *seen = base_calloc(q, sizeof *seen);
	for (uint32_t i = 0; i < q - 1; i++) {
		cr_assert(f.exp[i] != 0 && !seen[f.exp[i]], "%u: primitive element has too small an order", q);
		seen[f.exp[i]] = true;
		cr_assert_eq(f.exp[i + 1], topo_gf_mul(&f, f.exp[i], f.primitive));
	}
	free(seen);
	for (uint32_t a = 0; a < q; a++) {
		uint32_t sum = 0;
		for (uint32_t i = 0; i < f.p; i++)
			sum = topo_gf_add(&f, sum, a);
		cr_assert_eq(sum, 0, "%u: p times %u", q, a);
		cr_assert_eq(topo_gf_sub(&f, a, a), 0);
		cr_assert_eq(topo_gf_mul(&f, a, 1), a);
		cr_assert_eq(topo_gf_mul(&f, a, 0), 0);
		cr_assert_eq(topo_gf_mul(&f, 0, a), 0);
		if (a) {
			cr_assert_eq(topo_gf_div(&f, 0, a), 0);
			cr_assert_eq(topo_gf_div(&f, a, a), 1);
		}
	}
	for (int i = 0; i < 5000; i++) {
		uint32_t a = (uint32_t)(next_random(&random) % q), b = (uint32_t)(next_random(&random) % q);
		uint32_t c = (uint32_t)(next_random(&random) % q), ab = topo_gf_mul(&f, a, b);
		cr_assert(ab < q && topo_gf_add(&f, a, b) < q);
		cr_assert_eq(ab, topo_gf_mul(&f, b, a));
		cr_assert_eq(topo_gf_mul(&f, ab, c), topo_gf_mul(&f, a, topo_gf_mul(&f, b, c)));
		cr_assert_eq(topo_gf_mul(&f, a, topo_gf_add(&f, b, c)), topo_gf_add(&f, ab, topo_gf_mul(&f, a, c)));
		cr_assert_eq(topo_gf_add(&f, topo_gf_add(&f, a, b), c), topo_gf_add(&f, a, topo_gf_add(&f, b, c)));
		cr_assert_eq(topo_gf_add(&f, topo_gf_sub(&f, a, b), b), a);
		if (b)
			cr_assert_eq(topo_gf_mul(&f, topo_gf_div(&f, a, b), b), a);
		if (f.k == 1)
			cr_assert(ab == a * b % q && topo_gf_add(&f, a, b) == (a + b) % q);
	}
	topo_gf_free(&f);
}

Test(gf, axioms)
{
	for (uint32_t q = 2; q <= TOPO_GF_MAX; q += q < 260 ? 1 : 37)
		if (topo_prime_power(q, NULL, NULL))
			check_field(q);
	check_field(1024);
	check_field(961);
}

Test(gf, refuses_what_is_no_field)
{
	struct topo_gf f;
	for (uint32_t q = 0; q < 300; q++)
		if (!topo_prime_power(q, NULL, NULL))
			cr_assert_neq(topo_gf_build(&f, q), 0, "%u", q);
}
