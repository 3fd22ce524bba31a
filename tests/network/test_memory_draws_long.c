/* tests/network/test_memory_draws_long.c - as test_memory_draws.c, more of them. TILEFLY_DRAWS=N: of seed N, each told.
 */
#include "experiments/config/config.h"
#include "tests/network/memory_draws.h"

/* Not all are: most that miss record ports or activity, of which less is touched than there is. */
Test(memory_draws, are_foreseen_within_15_per_cent_but_for_a_few)
{
	const char *seed = getenv("TILEFLY_DRAWS");
	cr_expect_geq(draws_within(seed ? strtoull(seed, NULL, 10) : 779, 30, 3e6), 25);
}
