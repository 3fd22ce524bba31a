/* tests/network/test_class_draws_long.c - sixty drawn cases of class_draws.h. */
#include "tests/network/class_draws.h"

Test(class_draws_long, shares_are_by_guarantee, .timeout = 1200)
{
	for (uint32_t i = 100; i < 160; i++)
		run_drawn_case(i);
}
