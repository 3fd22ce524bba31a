/* sim/rng.h - counter-based random numbers, in integers only.
 *
 * A draw is a pure function of (seed, stream, index, purpose): there is no generator state, so nothing has to
 * be rolled back and no order of evaluation can change a result. Streams belong to endpoints and switches,
 * never to LPs or ranks. Philox 4x32 with 7 rounds, the least that passes BigCrush (Salmon et al., SC11). */
#ifndef SIM_RNG_H
#define SIM_RNG_H

#include "base/check.h"

/* Makes the Philox implementation use portable C instead of vector intrinsics, whose headers are longer than all other
 * includes together. */
#define R123_USE_SSE 0
#include <Random123/philox.h>
#include <stdint.h>

/* The purpose of a draw: keeps streams of different uses apart. */
enum sim_purpose {
	SIM_DRAW_ARRIVAL = 0, /* gap, destination and size of a message */
	SIM_DRAW_ROUTE = 1,
	SIM_DRAW_SETUP = 2,
	SIM_DRAW_STRESS = 3,
	SIM_DRAW_MODEL = 4,  /* PHOLD and tests */
	SIM_DRAW_SWITCH = 5, /* arbitration inside a switch */
	SIM_DRAW_FAULT = 6,  /* packet corruption */
	SIM_DRAW_HASH = 7,   /* of flows, for the choice of a path */
	SIM_DRAW_LINK = 8,   /* bit errors of a link between switches */
};

struct sim_draw {
	uint32_t v[4];
};

static inline struct sim_draw sim_draw4(uint64_t seed, uint32_t stream, uint32_t index, uint32_t purpose, uint32_t sub)
{
	philox4x32_ctr_t c = { { index, stream, purpose, sub } };
	philox4x32_key_t k = { { (uint32_t)seed, (uint32_t)(seed >> 32) } };
	philox4x32_ctr_t r = philox4x32_R(7, c, k);
	return (struct sim_draw){ { r.v[0], r.v[1], r.v[2], r.v[3] } };
}

#define SIM_DRAWS 4u /* draws made at once by sim_draw_each */

/* Sets out[i] to sim_draw4(seed, stream, index, purpose, sub + i).v[0] for all i < SIM_DRAWS. Takes less time than two
 * calls of sim_draw4(). */
void sim_draw_each(uint64_t seed, uint32_t stream, uint32_t index, uint32_t purpose, uint32_t sub,
                   uint32_t out[SIM_DRAWS]);

/* Returns 32 random bits at a tenth of the cost of sim_draw4(), for frequent choices among equally good alternatives.
 * They are the output of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) for a state made of seed, stream and index,
 * advanced by sub + 1 steps. */
static inline uint32_t sim_draw_quick(uint64_t seed, uint32_t stream, uint32_t index, uint32_t sub)
{
	uint64_t z = (seed ^ ((uint64_t)stream << 32 | index)) + (sub + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ z >> 31) >> 32);
}

/* Maps 32 random bits to an integer from 0 to n - 1 (n >= 1), uniformly up to a bias of at most n / 2^32. */
static inline uint32_t sim_below(uint32_t bits, uint32_t n)
{
	base_check(n > 0);
	return (uint32_t)((uint64_t)bits * n >> 32);
}

/* Returns -log2(u) for u = (bits + 1/2) / 2^64 as a fixed-point number with 48 fraction bits. Computed with integers
 * only (sim/rng.c); the absolute error is below 2^-20. */
uint64_t sim_neglog2(uint64_t bits);

/* An exponentially distributed time with mean `mean`, made of 64 random bits. Both times are in ps; the mean is at most
 * 2^44. */
uint64_t sim_exponential(uint64_t bits, uint64_t mean);

#endif
