/* tests/base/test_select.c - choices without a branch are the choices that ?: makes. */
#include "base/select.h"

#include <criterion/criterion.h>

Test(select, is_what_a_branch_would_choose)
{
	static const uint32_t words[] = { 0, 1, 2, 3, 255, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX };
	unsigned n = sizeof words / sizeof *words;
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++) {
			uint32_t x = words[i], y = words[k];
			uint64_t a = (uint64_t)x << 32 | y, b = ~a + k;
			cr_assert_eq(base_if_equal(x, y, a, b), x == y ? a : b);
			cr_assert_eq(base_if_equal32(x, y, (uint32_t)a, (uint32_t)b),
			             x == y ? (uint32_t)a : (uint32_t)b);
			unsigned char place[2];
			cr_assert_eq(base_at_if_equal(x, y, place, place + 1), x == y ? place : place + 1);
		}
}
