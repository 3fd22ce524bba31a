/* base/select.h - conditional moves instead of branches.
 *
 * Some conditions are unpredictable: which output a packet takes, and whether it comes from an endpoint or a link. A
 * branch on such a condition is mispredicted a third of the time, and each misprediction costs as much time as about
 * fifty instructions. Compilers are free to turn ?: into a branch; inline assembly prevents that. */
#ifndef BASE_SELECT_H
#define BASE_SELECT_H

#include <stdbool.h>
#include <stdint.h>

/* x == y ? a : b */
static inline uint64_t base_if_equal(uint32_t x, uint32_t y, uint64_t a, uint64_t b)
{
#ifdef __x86_64__
	__asm__("cmp %3, %2\n\tcmove %1, %0" : "+r"(b) : "r"(a), "r"(x), "rim"(y) : "cc");
	return b;
#else
	uint64_t mask = -(uint64_t)(x == y);
	__asm__("" : "+r"(mask));
	return b ^ ((a ^ b) & mask);
#endif
}

static inline uint32_t base_if_equal32(uint32_t x, uint32_t y, uint32_t a, uint32_t b)
{
#ifdef __x86_64__
	__asm__("cmp %3, %2\n\tcmove %1, %0" : "+r"(b) : "r"(a), "r"(x), "rim"(y) : "cc");
	return b;
#else
	return (uint32_t)base_if_equal(x, y, a, b);
#endif
}

/* The same of addresses. */
static inline unsigned char *base_at_if_equal(uint32_t x, uint32_t y, void *a, void *b)
{
	return (unsigned char *)(uintptr_t)base_if_equal(x, y, (uintptr_t)a, (uintptr_t)b);
}

#endif
