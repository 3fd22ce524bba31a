/* topo/gf.h - arithmetic in the finite field GF(p^k) by small tables.
 *
 * An element is an integer 0 .. q-1 whose base-p digits, lowest first, are the coefficients of a polynomial in x over
 * GF(p), taken modulo a primitive polynomial of degree k. For a prime q this is plain arithmetic modulo q.
 *
 * Multiplication: exp[log[a] + log[b]]; log[0] is so large that every sum with it falls into the zeros at the end of
 * exp[], so there is no test for 0. Addition: modulo q for primes, exclusive or for powers of two, otherwise a
 * table. */
#ifndef TOPO_GF_H
#define TOPO_GF_H

#include <stdbool.h>
#include <stdint.h>

#define TOPO_GF_MAX 1024u

struct topo_gf {
	uint32_t q, p, k;
	uint32_t primitive; /* generator of the multiplicative group: the smallest one of a prime field, else x */
	uint16_t *exp;      /* 4q - 3 entries: primitive^i for i <= 2q - 3, then zeros */
	uint16_t *log;      /* log[0] = 2q - 2 */
	uint16_t *neg;
	uint16_t *sum; /* q * q entries, only for odd p and k > 1; else NULL */
};

/* If q = p^k for a prime p, stores both (either may be NULL) and returns true. Cost: O(sqrt q). */
bool topo_prime_power(uint32_t q, uint32_t *p, uint32_t *k);

/* Builds the tables of GF(q); q must be a prime power of at most TOPO_GF_MAX. Returns 0, or -1 if it is not.
 * The modulus is the first primitive polynomial when they are ordered by their coefficients read as a base-p number.
 * Free with topo_gf_free. Cost: O(q^2) at most. */
int topo_gf_build(struct topo_gf *field, uint32_t q);
void topo_gf_free(struct topo_gf *field);

static inline uint32_t topo_gf_add(const struct topo_gf *f, uint32_t a, uint32_t b)
{
	if (f->k == 1) {
		uint32_t s = a + b, less = s - f->q; /* wraps if s < q */
		return less < s ? less : s;
	}
	return f->sum ? f->sum[a * f->q + b] : a ^ b;
}

static inline uint32_t topo_gf_sub(const struct topo_gf *f, uint32_t a, uint32_t b)
{
	return topo_gf_add(f, a, f->neg[b]);
}

static inline uint32_t topo_gf_mul(const struct topo_gf *f, uint32_t a, uint32_t b)
{
	return f->exp[f->log[a] + f->log[b]];
}

/* a / b for b != 0. */
static inline uint32_t topo_gf_div(const struct topo_gf *f, uint32_t a, uint32_t b)
{
	return f->exp[f->log[a] + (f->q - 1) - f->log[b]];
}

#endif
