/* Names of runs, which are those of their files. */
#include "experiments/runs/runs.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_name(const char *const *label, size_t n, const char *wanted)
{
	char *name = xp_run_name(label, n);
	cr_expect_str_eq(name, wanted);
	free(name);
}

Test(resolve, a_name_holds_nothing_that_a_file_name_should_not)
{
	expect_name((const char *const[]){ "minimal", "0.5" }, 2, "minimal_0.5");
	expect_name((const char *const[]){ "a_b/c d", "1e-3+x" }, 2, "a-b-c-d_1e-3+x");
	expect_name((const char *const[]){ "../x" }, 1, "-.-x");
	expect_name((const char *const[]){ "" }, 1, "");
}

Test(resolve, two_runs_of_one_name_are_found_in_their_order)
{
	char *names[] = { "d", "b", "c", "b2", "b", "a" };
	struct xp_run run[6] = { 0 };
	struct xp_runs runs = { .run = run, .n = 6 };
	size_t two[2] = { 9, 9 };
	for (size_t i = 0; i < 6; i++)
		run[i].name = names[i];
	cr_assert(xp_runs_same_name(&runs, two));
	cr_expect_eq(two[0], 1);
	cr_expect_eq(two[1], 4);
	runs.n = 4;
	cr_expect_not(xp_runs_same_name(&runs, two));
	runs.n = 0;
	cr_expect_not(xp_runs_same_name(&runs, two));
}

/* A result is written as NAME.jsonl.gz.0123456789abcdef.tmp. */
Test(resolve, the_longest_name_has_room_while_its_file_is_written)
{
	cr_expect_eq(XP_MOST_RUN_NAME + strlen(".jsonl.gz") + strlen(".0123456789abcdef.tmp") + 1, 255);
}
