/* tests/base/test_check.c - a broken invariant is named with its values and ends the program with status 4 where checks
 * are on; elsewhere it is not even evaluated. */
#include "base/check.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int evaluated;

static int evaluate(int value)
{
	evaluated++;
	return value;
}

/* Runs `work` in a process of its own: its exit status, and in `said` what it wrote to standard error. */
static int status_of(void (*work)(void), char *said, size_t room)
{
	int ends[2], status;
	cr_assert_eq(pipe(ends), 0);
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], 2);
		work();
		_exit(0);
	}
	close(ends[1]);
	size_t used = 0;
	for (ssize_t n; used + 1 < room && (n = read(ends[0], said + used, room - 1 - used)) > 0;)
		used += (size_t)n;
	said[used] = '\0';
	close(ends[0]);
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void fails_with_values(void)
{
	int credits = 7, share = 5;
	base_checkf(credits <= share, "%d credits of %d", credits, share);
}

static void fails(void)
{
	base_check(evaluate(0));
}

Test(check, names_a_broken_invariant_and_its_values)
{
	char said[1000];
	int status = status_of(fails_with_values, said, sizeof said);
	if (!BASE_CHECKING) {
		cr_assert_eq(status, 0);
		cr_assert_str_empty(said);
		return;
	}
	cr_assert_eq(status, 4);
	cr_assert(strstr(said, "test_check.c:"), "%s", said);
	cr_assert(strstr(said, "credits <= share: 7 credits of 5\n"), "%s", said);
}

Test(check, needs_no_values)
{
	char said[1000];
	cr_assert_eq(status_of(fails, said, sizeof said), BASE_CHECKING ? BASE_CHECK_STATUS : 0);
	cr_assert_eq(strstr(said, "evaluate(0)\n") != NULL, BASE_CHECKING, "%s", said);
}

Test(check, costs_nothing_where_it_is_off)
{
	base_check(evaluate(1));
	base_checkf(evaluate(1), "%d", evaluate(1));
	cr_assert_eq(evaluated, BASE_CHECKING ? 2 : 0);
}
