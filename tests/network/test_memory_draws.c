/* tests/network/test_memory_draws.c - the memory that is foreseen for configurations drawn at random. */
#include "experiments/config/config.h"
#include "tests/network/memory_draws.h"

Test(memory_draws, are_foreseen_within_15_per_cent)
{
	cr_expect_eq(draws_within(1, 5, 1e6), 5);
}
