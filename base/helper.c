/* base/helper.c - see helper.h
 *
 * The input text is written to a file in memory, which becomes the helper program's standard input. So only its output
 * needs a pipe, and the two processes cannot deadlock by waiting for each other. */
#include "base/helper.h"

#include "base/format.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WALL_S 120 /* then the program hangs; its limits of memory and computation are its own (HELPER_LIMITS) */

bool base_find_helper(const char *name, char *out, size_t capacity)
{
	static const char *const where[] = { "", "../bin/", "../libexec/tilefly/" };
	char self[2048];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n <= 0)
		return false;
	self[n] = 0;
	char *slash = strrchr(self, '/');
	for (size_t i = 0; i < sizeof where / sizeof *where && slash; i++) {
		snprintf(out, capacity, "%.*s/%s%s", (int)(slash - self), self, where[i], name);
		if (!access(out, X_OK))
			return true;
	}
	return false;
}

/* A file in memory that holds the text, at its beginning; -1: there is no memory. */
static int file_of_text(const char *text, size_t bytes)
{
	int file = memfd_create("helper", MFD_CLOEXEC);
	for (size_t done = 0; file >= 0 && done < bytes;) {
		ssize_t n = write(file, text + done, bytes - done);
		if (n > 0) {
			done += (size_t)n;
		} else if (n == 0 || errno != EINTR) {
			close(file);
			file = -1;
		}
	}
	if (file >= 0)
		lseek(file, 0, SEEK_SET);
	return file;
}

static int start_helper(const char *program, int input, int output, pid_t *child)
{
	extern char **environ;
	char *words[] = { (char *)(uintptr_t)program, NULL };
	posix_spawn_file_actions_t files;
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int status = posix_spawn(child, program, &files, NULL, words, environ);
	posix_spawn_file_actions_destroy(&files);
	return status;
}

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* All that comes until the end of the pipe. NULL, or why there is more to come. */
static const char *read_output(int pipe_end, size_t most, char **text, size_t *n)
{
	double end = seconds_now() + WALL_S;
	size_t capacity = 1 << 16;
	*n = 0;
	*text = base_alloc(capacity + 1);
	for (;;) {
		struct pollfd p = { .fd = pipe_end, .events = POLLIN };
		double left = end - seconds_now();
		int ready = left > 0 ? poll(&p, 1, (int)(left * 1000) + 1) : 0;
		if (ready < 0 && errno == EINTR)
			continue;
		if (ready == 0)
			return "hangs: it was not done after two minutes";
		if (*n == capacity)
			*text = base_realloc(*text, (capacity *= 2) + 1);
		ssize_t got = read(pipe_end, *text + *n, capacity - *n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return NULL;
		*n += (size_t)got;
		if (*n > most)
			return "writes more than is supported";
	}
}

static char *end_of_helper(pid_t child, const char *said)
{
	int how = 0;
	if (said)
		kill(child, SIGKILL);
	while (waitpid(child, &how, 0) < 0 && errno == EINTR)
		;
	if (said)
		return base_strdup(said);
	if (WIFSIGNALED(how) && WTERMSIG(how) == SIGXCPU)
		return base_strdup("takes too long: it was stopped after a minute of computation");
	if (WIFSIGNALED(how))
		return base_format("crashed (%s)", strsignal(WTERMSIG(how)));
	return WEXITSTATUS(how) ? base_format("gave up (exit status %d)", WEXITSTATUS(how)) : NULL;
}

char *base_run_helper(const char *program, const char *text, size_t bytes, size_t most, size_t *got, char **why)
{
	int input = file_of_text(text, bytes), ends[2];
	char *output = NULL;
	pid_t child;
	*why = NULL;
	if (input < 0 || pipe2(ends, O_CLOEXEC)) {
		*why = base_strdup("cannot be run: there is no memory, or no more files can be opened");
		if (input >= 0)
			close(input);
		return NULL;
	}
	int status = start_helper(program, input, ends[1], &child);
	close(input);
	close(ends[1]);
	if (status) {
		*why = base_format("cannot be run: %s", strerror(status));
	} else {
		const char *said = read_output(ends[0], most, &output, got);
		*why = end_of_helper(child, said);
	}
	close(ends[0]);
	if (*why) {
		free(output);
		return NULL;
	}
	output[*got] = 0;
	return output;
}
