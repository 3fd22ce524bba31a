/* The lock of a results folder: one holder at a time, whoever dies when. */
#include "experiments/runs/lock.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/tilefly-lock.XXXXXX";

static void enter(void)
{
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}

static void leave(void)
{
	unlink(".lock");
	unlink("inside");
	cr_assert_eq(chdir("/"), 0);
	cr_assert_eq(rmdir(folder), 0);
}

TestSuite(lock, .init = enter, .fini = leave);

static bool take(struct xp_lock *lock)
{
	struct base_errors errors = { 0 };
	bool taken = !xp_lock_take(lock, ".", &errors);
	cr_assert_eq(errors.errors, taken ? 0u : 1u);
	base_errors_free(&errors);
	return taken;
}

/* Takes the lock once; exit status 1 if somebody else was inside. Odd turns die without giving it back. */
static void once(int turn)
{
	struct xp_lock lock = { 0 };
	for (;;) {
		struct base_errors errors = { 0 };
		bool taken = !xp_lock_take(&lock, ".", &errors);
		base_errors_free(&errors);
		if (taken)
			break;
		usleep(1000);
	}
	int fd = open("inside", O_CREAT | O_EXCL | O_WRONLY, 0600);
	if (fd < 0)
		_exit(1);
	usleep(500);
	unlink("inside");
	if (turn % 2)
		raise(SIGKILL);
	xp_lock_release(&lock);
	_exit(0);
}

Test(lock, one_at_a_time)
{
	pid_t pid[6];
	for (int i = 0; i < 6; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		for (int turn = 0; turn < 15; turn++) {
			int status;
			pid_t inner = fork();
			if (!inner)
				once(turn);
			if (waitpid(inner, &status, 0) != inner || (WIFEXITED(status) && WEXITSTATUS(status)))
				_exit(1);
		}
		_exit(0);
	}
	for (int i = 0; i < 6; i++) {
		int status;
		cr_assert_eq(waitpid(pid[i], &status, 0), pid[i]);
		cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "two were inside at once");
	}
}

Test(lock, a_run_that_outlives_its_sweep_keeps_the_folder)
{
	int ready[2];
	cr_assert_eq(pipe(ready), 0);
	pid_t sweep = fork();
	if (!sweep) {
		struct xp_lock held = { 0 };
		if (take(&held) && !fork()) { /* the run */
			usleep(400000);
			int fd = open("inside", O_CREAT | O_EXCL | O_WRONLY, 0600);
			_exit(fd < 0);
		}
		cr_assert_eq(write(ready[1], "", 1), 1);
		raise(SIGKILL);
	}
	char byte;
	cr_assert_eq(read(ready[0], &byte, 1), 1);
	waitpid(sweep, NULL, 0);
	struct xp_lock lock = { 0 };
	cr_assert(take(&lock));
	cr_assert_eq(access("inside", F_OK), 0, "taken over while a run was still at work");
	xp_lock_release(&lock);
	cr_assert_neq(access(".lock", F_OK), 0);
}

Test(lock, released_by_a_signal)
{
	pid_t pid = fork();
	if (!pid) {
		struct xp_lock lock = { 0 };
		signal(SIGHUP, SIG_DFL);
		if (!take(&lock))
			_exit(1);
		raise(SIGHUP);
		_exit(1);
	}
	int status;
	cr_assert_eq(waitpid(pid, &status, 0), pid);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
	cr_assert_neq(access(".lock", F_OK), 0);
}
