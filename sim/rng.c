/* sim/rng.c - logarithms and exponential variates in integers.
 *
 * libm is not used: its results differ between libraries and processors, and a single last bit would change a digest.
 * log2 of a number in [1, 2) is read from a table of 512 intervals with linear interpolation. The chords of a concave
 * function lie below it by at most h^2/8 * log2(e) = 6.9e-7 < 2^-20 (h = 1/512), so -log2 comes out too large by no
 * more than that, and the interpolation is continuous and monotonic.
 *
 * The table: entry i is log2(1 + i/512), rounded to 31 binary places. Its digits are computed by repeated squaring in
 * integers: square x in [1, 2); a square of 2 or more gives the digit 1 and is halved, else the digit is 0.
 * tests/sim/test_rng.c recomputes the table in this way and compares. */
#include "sim/rng.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
	INTERVAL_BITS = 9, /* 512 intervals */
	ENTRY_BITS = 31,   /* binary places of a table entry */
	RESULT_BITS = 48,  /* binary places of sim_neglog2() */
};

static const uint32_t log2_table[(1 << INTERVAL_BITS) + 1] = {
	/* clang-format off */
	0x00000000, 0x005c3e10, 0x00b84e23, 0x01143068, 0x016fe50b, 0x01cb6c3b, 0x0226c623, 0x0281f2f1, 0x02dcf2d1,
	0x0337c5ef, 0x03926c77, 0x03ece696, 0x04473475, 0x04a15641, 0x04fb4c25, 0x0555164b, 0x05aeb4dd, 0x06082807,
	0x06616ff1, 0x06ba8cc6, 0x07137eae, 0x076c45d4, 0x07c4e261, 0x081d547c, 0x08759c50, 0x08cdba03, 0x0925adbf,
	0x097d77ab, 0x09d517ef, 0x0a2c8eb2, 0x0a83dc1b, 0x0adb0052, 0x0b31fb7d, 0x0b88cdc4, 0x0bdf774b, 0x0c35f83b,
	0x0c8c50b7, 0x0ce280e7, 0x0d3888f0, 0x0d8e68f6, 0x0de42120, 0x0e39b193, 0x0e8f1a72, 0x0ee45be2, 0x0f397609,
	0x0f8e6909, 0x0fe33508, 0x1037da28, 0x108c588d, 0x10e0b05b, 0x1134e1b5, 0x1188ecbd, 0x11dcd197, 0x12309066,
	0x1284294b, 0x12d79c69, 0x132ae9e2, 0x137e11d9, 0x13d1146e, 0x1423f1c3, 0x1476a9fa, 0x14c93d33, 0x151bab90,
	0x156df533, 0x15c01a3a, 0x16121ac7, 0x1663f6fb, 0x16b5aef5, 0x170742d5, 0x1758b2bb, 0x17a9fec8, 0x17fb271a,
	0x184c2bd0, 0x189d0d0b, 0x18edcae8, 0x193e6588, 0x198edd07, 0x19df3187, 0x1a2f6323, 0x1a7f71fb, 0x1acf5e2e,
	0x1b1f27d8, 0x1b6ecf17, 0x1bbe540a, 0x1c0db6ce, 0x1c5cf780, 0x1cac163c, 0x1cfb1322, 0x1d49ee4c, 0x1d98a7d9,
	0x1de73fe4, 0x1e35b68a, 0x1e840be7, 0x1ed24018, 0x1f205339, 0x1f6e4565, 0x1fbc16b9, 0x2009c750, 0x20575745,
	0x20a4c6b3, 0x20f215b7, 0x213f446b, 0x218c52eb, 0x21d94150, 0x22260fb6, 0x2272be37, 0x22bf4ced, 0x230bbbf4,
	0x23580b65, 0x23a43b5a, 0x23f04bee, 0x243c3d39, 0x24880f56, 0x24d3c25e, 0x251f566b, 0x256acb96, 0x25b621f9,
	0x260159ab, 0x264c72c7, 0x26976d65, 0x26e2499d, 0x272d0789, 0x2777a741, 0x27c228dd, 0x280c8c76, 0x2856d224,
	0x28a0f9fe, 0x28eb041c, 0x2934f098, 0x297ebf87, 0x29c87102, 0x2a120520, 0x2a5b7bf9, 0x2aa4d5a3, 0x2aee1236,
	0x2b3731ca, 0x2b803474, 0x2bc91a4c, 0x2c11e368, 0x2c5a8fe0, 0x2ca31fc9, 0x2ceb933a, 0x2d33ea49, 0x2d7c250d,
	0x2dc4439b, 0x2e0c460a, 0x2e542c70, 0x2e9bf6e1, 0x2ee3a575, 0x2f2b3840, 0x2f72af59, 0x2fba0ad4, 0x30014ac6,
	0x30486f46, 0x308f7868, 0x30d66641, 0x311d38e6, 0x3163f06c, 0x31aa8ce7, 0x31f10e6d, 0x32377512, 0x327dc0ea,
	0x32c3f20a, 0x330a0886, 0x33500472, 0x3395e5e3, 0x33dbaceb, 0x342159a0, 0x3466ec15, 0x34ac645e, 0x34f1c28e,
	0x353706b9, 0x357c30f3, 0x35c1414f, 0x360637e0, 0x364b14b9, 0x368fd7ee, 0x36d48192, 0x371911b8, 0x375d8872,
	0x37a1e5d4, 0x37e629f0, 0x382a54d8, 0x386e66a0, 0x38b25f5a, 0x38f63f19, 0x393a05ee, 0x397db3eb, 0x39c14924,
	0x3a04c5ab, 0x3a482990, 0x3a8b74e7, 0x3acea7c0, 0x3b11c22f, 0x3b54c444, 0x3b97ae11, 0x3bda7fa9, 0x3c1d391b,
	0x3c5fda7a, 0x3ca263d7, 0x3ce4d544, 0x3d272ed1, 0x3d697090, 0x3dab9a91, 0x3dedace6, 0x3e2fa7a0, 0x3e718acf,
	0x3eb35685, 0x3ef50ad2, 0x3f36a7c6, 0x3f782d72, 0x3fb99be7, 0x3ffaf335, 0x403c336d, 0x407d5c9e, 0x40be6ed9,
	0x40ff6a2e, 0x41404eae, 0x41811c68, 0x41c1d36c, 0x420273ca, 0x4242fd92, 0x428370d4, 0x42c3cd9f, 0x43041403,
	0x43444410, 0x43845dd5, 0x43c46162, 0x44044ec5, 0x4444260f, 0x4483e74e, 0x44c39293, 0x450327eb, 0x4542a765,
	0x45821112, 0x45c16500, 0x4600a33e, 0x463fcbda, 0x467edee4, 0x46bddc6a, 0x46fcc47a, 0x473b9724, 0x477a5476,
	0x47b8fc7f, 0x47f78f4c, 0x48360ced, 0x4874756f, 0x48b2c8e1, 0x48f10751, 0x492f30cd, 0x496d4563, 0x49ab4521,
	0x49e93016, 0x4a27064f, 0x4a64c7da, 0x4aa274c5, 0x4ae00d1d, 0x4b1d90f1, 0x4b5b004d, 0x4b985b40, 0x4bd5a1d8,
	0x4c12d421, 0x4c4ff228, 0x4c8cfbfd, 0x4cc9f1ab, 0x4d06d340, 0x4d43a0c9, 0x4d805a54, 0x4dbcffee, 0x4df991a3,
	0x4e360f81, 0x4e727994, 0x4eaecfeb, 0x4eeb1290, 0x4f274192, 0x4f635cfd, 0x4f9f64de, 0x4fdb5942, 0x50173a35,
	0x505307c3, 0x508ec1fa, 0x50ca68e6, 0x5105fc93, 0x51417d0e, 0x517cea63, 0x51b8449e, 0x51f38bcb, 0x522ebff8,
	0x5269e12f, 0x52a4ef7e, 0x52dfeaf0, 0x531ad391, 0x5355a96d, 0x53906c90, 0x53cb1d07, 0x5405badc, 0x5440461c,
	0x547abed3, 0x54b5250c, 0x54ef78d2, 0x5529ba33, 0x5563e938, 0x559e05ee, 0x55d81060, 0x5612089a, 0x564beea7,
	0x5685c293, 0x56bf8468, 0x56f93433, 0x5732d1fe, 0x576c5dd4, 0x57a5d7c1, 0x57df3fd0, 0x5818960d, 0x5851da81,
	0x588b0d38, 0x58c42e3d, 0x58fd3d9c, 0x59363b5e, 0x596f278f, 0x59a80239, 0x59e0cb68, 0x5a198326, 0x5a52297d,
	0x5a8abe79, 0x5ac34225, 0x5afbb489, 0x5b3415b2, 0x5b6c65aa, 0x5ba4a47b, 0x5bdcd22f, 0x5c14eed2, 0x5c4cfa6c,
	0x5c84f50a, 0x5cbcdeb4, 0x5cf4b776, 0x5d2c7f59, 0x5d643668, 0x5d9bdcad, 0x5dd37231, 0x5e0af6ff, 0x5e426b22,
	0x5e79cea2, 0x5eb1218b, 0x5ee863e5, 0x5f1f95bb, 0x5f56b717, 0x5f8dc802, 0x5fc4c886, 0x5ffbb8ad, 0x60329882,
	0x6069680c, 0x60a02757, 0x60d6d66b, 0x610d7553, 0x61440418, 0x617a82c3, 0x61b0f15e, 0x61e74ff2, 0x621d9e89,
	0x6253dd2c, 0x628a0be5, 0x62c02abc, 0x62f639bc, 0x632c38ed, 0x63622859, 0x63980809, 0x63cdd805, 0x64039858,
	0x6439490a, 0x646eea24, 0x64a47bb0, 0x64d9fdb7, 0x650f7040, 0x6544d356, 0x657a2701, 0x65af6b4b, 0x65e4a03b,
	0x6619c5db, 0x664edc34, 0x6683e34f, 0x66b8db33, 0x66edc3eb, 0x67229d7e, 0x675767f5, 0x678c2359, 0x67c0cfb3,
	0x67f56d0b, 0x6829fb69, 0x685e7ad7, 0x6892eb5c, 0x68c74d01, 0x68fb9fce, 0x692fe3cd, 0x69641904, 0x69983f7e,
	0x69cc5741, 0x6a006056, 0x6a345ac6, 0x6a684699, 0x6a9c23d6, 0x6acff287, 0x6b03b2b2, 0x6b376462, 0x6b6b079c,
	0x6b9e9c6b, 0x6bd222d4, 0x6c059ae2, 0x6c39049b, 0x6c6c6008, 0x6c9fad30, 0x6cd2ec1c, 0x6d061cd3, 0x6d393f5d,
	0x6d6c53c2, 0x6d9f5a0a, 0x6dd2523d, 0x6e053c63, 0x6e381882, 0x6e6ae6a4, 0x6e9da6ce, 0x6ed0590b, 0x6f02fd60,
	0x6f3593d5, 0x6f681c73, 0x6f9a9740, 0x6fcd0445, 0x6fff6388, 0x7031b512, 0x7063f8e9, 0x70962f16, 0x70c8579f,
	0x70fa728c, 0x712c7fe4, 0x715e7faf, 0x719071f4, 0x71c256ba, 0x71f42e09, 0x7225f7e8, 0x7257b45e, 0x72896373,
	0x72bb052d, 0x72ec9993, 0x731e20ae, 0x734f9a83, 0x7381071b, 0x73b2667b, 0x73e3b8ac, 0x7414fdb5, 0x7446359b,
	0x74776067, 0x74a87e1f, 0x74d98eca, 0x750a926f, 0x753b8916, 0x756c72c4, 0x759d4f81, 0x75ce1f53, 0x75fee242,
	0x762f9855, 0x76604191, 0x7690ddfe, 0x76c16da3, 0x76f1f085, 0x772266ad, 0x7752d020, 0x77832ce6, 0x77b37d04,
	0x77e3c082, 0x7813f766, 0x784421b7, 0x78743f7b, 0x78a450b8, 0x78d45576, 0x79044dbb, 0x7934398d, 0x796418f2,
	0x7993ebf2, 0x79c3b292, 0x79f36cd9, 0x7a231ace, 0x7a52bc76, 0x7a8251d8, 0x7ab1dafa, 0x7ae157e3, 0x7b10c899,
	0x7b402d22, 0x7b6f8585, 0x7b9ed1c7, 0x7bce11ef, 0x7bfd4603, 0x7c2c6e09, 0x7c5b8a07, 0x7c8a9a04, 0x7cb99e06,
	0x7ce89612, 0x7d17822f, 0x7d466263, 0x7d7536b4, 0x7da3ff27, 0x7dd2bbc4, 0x7e016c8f, 0x7e30118f, 0x7e5eaaca,
	0x7e8d3846, 0x7ebbba08, 0x7eea3017, 0x7f189a78, 0x7f46f932, 0x7f754c4a, 0x7fa393c5, 0x7fd1cfab, 0x80000000,
	/* clang-format on */
};

#ifdef __SSE2__
/* One Philox round for two counters; each word is in the low half of a 64-bit lane, and the upper half is ignored. */
static inline void philox_round(__m128i x[4], __m128i key0, __m128i key1)
{
	__m128i p0 = _mm_mul_epu32(x[0], _mm_set1_epi32((int)PHILOX_M4x32_0));
	__m128i p1 = _mm_mul_epu32(x[2], _mm_set1_epi32((int)PHILOX_M4x32_1));
	x[0] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(p1, 32), x[1]), key0);
	x[2] = _mm_xor_si128(_mm_xor_si128(_mm_srli_epi64(p0, 32), x[3]), key1);
	x[1] = p1;
	x[3] = p0;
}

void sim_draw_each(uint64_t seed, uint32_t stream, uint32_t index, uint32_t purpose, uint32_t sub,
                   uint32_t out[SIM_DRAWS])
{
	__m128i common[3] = { _mm_cvtsi32_si128((int)index), _mm_cvtsi32_si128((int)stream),
		              _mm_cvtsi32_si128((int)purpose) };
	for (unsigned i = 0; i < 3; i++)
		common[i] = _mm_unpacklo_epi64(common[i], common[i]);
	__m128i first = _mm_set1_epi32((int)sub);
	__m128i a[4] = { common[0], common[1], common[2], _mm_add_epi32(first, _mm_set_epi32(0, 1, 0, 0)) };
	__m128i b[4] = { common[0], common[1], common[2], _mm_add_epi32(first, _mm_set_epi32(0, 3, 0, 2)) };
	__m128i key0 = _mm_set1_epi32((int)(uint32_t)seed), key1 = _mm_set1_epi32((int)(seed >> 32));
#pragma GCC unroll 7
	for (int round = 0; round < 7; round++) {
		philox_round(a, key0, key1);
		philox_round(b, key0, key1);
		key0 = _mm_add_epi32(key0, _mm_set1_epi32((int)PHILOX_W32_0));
		key1 = _mm_add_epi32(key1, _mm_set1_epi32((int)PHILOX_W32_1));
	}
	__m128i words = _mm_unpacklo_epi64(_mm_shuffle_epi32(a[0], 8), _mm_shuffle_epi32(b[0], 8));
	_mm_storeu_si128((__m128i *)(void *)out, words);
	base_check(out[0] == sim_draw4(seed, stream, index, purpose, sub).v[0] &&
	           out[SIM_DRAWS - 1] == sim_draw4(seed, stream, index, purpose, sub + SIM_DRAWS - 1).v[0]);
}
#else
void sim_draw_each(uint64_t seed, uint32_t stream, uint32_t index, uint32_t purpose, uint32_t sub,
                   uint32_t out[SIM_DRAWS])
{
	for (uint32_t i = 0; i < SIM_DRAWS; i++)
		out[i] = sim_draw4(seed, stream, index, purpose, sub + i).v[0];
}
#endif

/* log2(m / 2^63) for m in [2^63, 2^64), with RESULT_BITS binary places. */
static inline uint64_t log2_mantissa(uint64_t m)
{
	uint32_t i = (uint32_t)(m << 1 >> (64 - INTERVAL_BITS));
	uint64_t low = log2_table[i];
	uint64_t step = log2_table[i + 1] - log2_table[i];
	uint64_t within = m << (1 + INTERVAL_BITS) >> 32; /* place in the interval, 32 binary places */
	base_check(m >> 63 && log2_table[i] < log2_table[i + 1]);
	return (low << (RESULT_BITS - ENTRY_BITS)) + (step * within >> (32 - (RESULT_BITS - ENTRY_BITS)));
}

uint64_t sim_neglog2(uint64_t bits)
{
	/* u = x / 2^65 with the odd number x = 2 bits + 1, whose leading one is at bit 64 - zeros. */
	if (bits == 0)
		return (uint64_t)65 << RESULT_BITS;
	unsigned zeros = (unsigned)__builtin_clzll(bits);
	uint64_t m = bits << zeros;
	m |= (uint64_t)1 << zeros >> 1; /* the half; below the last place if zeros is 0 */
	return ((uint64_t)(zeros + 1) << RESULT_BITS) - log2_mantissa(m);
}

uint64_t sim_exponential(uint64_t bits, uint64_t mean)
{
	const uint64_t ln2 = 0xb17217f7d1cf79ac; /* ln 2 * 2^64 */
	uint64_t nats = (uint64_t)((unsigned __int128)sim_neglog2(bits) * ln2 >> 64);
	unsigned __int128 product = (unsigned __int128)nats * mean;
	return (uint64_t)((product + ((uint64_t)1 << (RESULT_BITS - 1))) >> RESULT_BITS);
}
