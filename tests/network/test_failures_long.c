/* tests/network/test_failures_long.c - a thousand drawn cases of failure_draws.h. */
#include "tests/network/failure_draws.h"

Test(failures_long, drawn_schedules_lose_nothing_unaccounted, .timeout = 3000)
{
	run_failing_cases(0, tier_draws(1000));
}
