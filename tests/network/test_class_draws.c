/* tests/network/test_class_draws.c - some of the drawn cases of class_draws.h. */
#include "tests/network/class_draws.h"

Test(class_draws, shares_are_by_guarantee, .timeout = 200)
{
	for (uint32_t i = 0; i < 12; i++)
		run_drawn_case(i);
}
