/* topo/gf.c - see gf.h
 *
 * The modulus is found by testing for this property: if x has order q - 1 modulo a monic polynomial of degree k, all q
 * - 1 nonzero residues are powers of x, hence units, hence the ring is a field and x generates its group. */
#include "topo/gf.h"

#include "base/memory.h"

#include <stdlib.h>

bool topo_prime_power(uint32_t q, uint32_t *p, uint32_t *k)
{
	if (q < 2)
		return false;
	uint32_t factor = q;
	for (uint32_t d = 2; (uint64_t)d * d <= q; d++)
		if (q % d == 0) {
			factor = d;
			break;
		}
	uint32_t power = 0;
	for (; q % factor == 0; q /= factor)
		power++;
	if (q != 1)
		return false;
	if (p)
		*p = factor;
	if (k)
		*k = power;
	return true;
}

static uint32_t add_digits(uint32_t a, uint32_t b, uint32_t p)
{
	uint32_t out = 0, place = 1;
	for (; a || b; a /= p, b /= p, place *= p)
		out += (a % p + b % p) % p * place;
	return out;
}

static uint32_t scale_digits(uint32_t a, uint32_t by, uint32_t p)
{
	uint32_t out = 0, place = 1;
	for (; a; a /= p, place *= p)
		out += a % p * by % p * place;
	return out;
}

/* a * x modulo x^k - tail, all as base-p numbers. */
static uint32_t times_x(const struct topo_gf *f, uint32_t a, uint32_t tail)
{
	uint32_t top = f->q / f->p;
	return add_digits(a % top * f->p, scale_digits(tail, a / top, f->p), f->p);
}

/* Fills exp[0 .. q-2] with powers of x modulo x^k - tail; false if x has a smaller order. For k = 1 x is `tail`. */
static bool powers(struct topo_gf *f, uint32_t tail)
{
	uint32_t a = 1;
	for (uint32_t i = 0; i < f->q - 1; i++) {
		if (a == 0 || (i > 0 && a == 1))
			return false;
		f->exp[i] = (uint16_t)a;
		a = times_x(f, a, tail);
	}
	return a == 1;
}

static void find_modulus(struct topo_gf *f)
{
	/* Tries the polynomials x^k + c(x) in the order of c, so that x^k is replaced by -c. For a prime field (k = 1)
	 * it chooses the smallest generator instead. */
	for (uint32_t c = 1; c < f->q; c++)
		if (powers(f, f->k == 1 ? c : scale_digits(c, f->p - 1, f->p)))
			break;
	f->primitive = f->q == 2 ? 1 : f->exp[1];
}

int topo_gf_build(struct topo_gf *f, uint32_t q)
{
	*f = (struct topo_gf){ .q = q };
	if (q > TOPO_GF_MAX || !topo_prime_power(q, &f->p, &f->k))
		return -1;
	f->exp = base_calloc(4 * (size_t)q - 3, sizeof *f->exp);
	f->log = base_calloc(q, sizeof *f->log);
	f->neg = base_calloc(q, sizeof *f->neg);
	find_modulus(f);
	for (uint32_t i = 0; i < q - 1; i++) {
		f->exp[q - 1 + i] = f->exp[i];
		f->log[f->exp[i]] = (uint16_t)i;
	}
	f->log[0] = (uint16_t)(2 * q - 2);
	for (uint32_t a = 0; a < q; a++)
		f->neg[a] = (uint16_t)scale_digits(a, f->p - 1, f->p);
	if (f->k > 1 && f->p > 2) {
		f->sum = base_calloc((size_t)q * q, sizeof *f->sum);
		for (uint32_t a = 0; a < q; a++)
			for (uint32_t b = 0; b < q; b++)
				f->sum[a * q + b] = (uint16_t)add_digits(a, b, f->p);
	}
	return 0;
}

void topo_gf_free(struct topo_gf *f)
{
	free(f->exp);
	free(f->log);
	free(f->neg);
	free(f->sum);
	*f = (struct topo_gf){ 0 };
}
