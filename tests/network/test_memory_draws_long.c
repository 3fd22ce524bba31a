/* tests/network/test_memory_draws_long.c - as test_memory_draws.c, more of them. TILEFLY_DRAWS=N: of seed N, each told.
 */
#include "experiments/config/config.h"
#include "tests/network/memory_draws.h"

Test(memory_draws, are_foreseen_within_15_per_cent)
{
	const char *seed = getenv("TILEFLY_DRAWS");
	cr_expect_eq(draws_within(seed ? strtoull(seed, NULL, 10) : 779, 30, 3e6), 30);
}
