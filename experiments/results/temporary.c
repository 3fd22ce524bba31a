/* experiments/results/temporary.c - see temporary.h.
 *
 * The list has a fixed number of entries, each claimed and released by one atomic exchange, so that a signal handler
 * may read it at any time. An empty entry is NULL; the code that exchanges a name out of the list owns it. */
#include "experiments/results/temporary.h"

#include "base/exhausted.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#define PLACES 32
#define DIGITS 16
#define SUFFIX ".tmp"
#define LONGEST_NAME 200 /* of the target's in the temporary one: file systems allow 255 bytes in all */

static _Atomic(char *) listed[PLACES];
static volatile pid_t owner; /* a child that has not become another program yet must remove nothing */

void xp_temporary_remove(void)
{
	int kept = errno;
	for (int i = PLACES; i-- > 0 && getpid() == owner;) {
		char *path = atomic_exchange(&listed[i], NULL);
		if (path && unlink(path))
			rmdir(path);
	}
	errno = kept;
}

void xp_temporary_end(int signal_number)
{
	xp_temporary_remove();
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

/* A signal that is ignored, or has a handler already, stays as it is. */
static void watch_signals(void)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGTERM };
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct sigaction old, ours = { .sa_handler = xp_temporary_end };
		sigemptyset(&ours.sa_mask);
		if (!sigaction(ends[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &ours, NULL);
	}
}

void xp_temporary_list(const char *path)
{
	char *copy = base_strdup(path);
	owner = getpid();
	watch_signals();
	base_exhausted_clean_by(xp_temporary_remove);
	for (int i = 0; i < PLACES; i++) {
		char *empty = NULL;
		if (atomic_compare_exchange_strong(&listed[i], &empty, copy))
			return;
	}
	free(copy); /* no place is left: a signal will leave this one behind */
}

void xp_temporary_forget(const char *path)
{
	for (int i = 0; i < PLACES; i++) {
		char *name = atomic_load(&listed[i]);
		if (name && !strcmp(name, path) && atomic_compare_exchange_strong(&listed[i], &name, NULL)) {
			free(name);
			return;
		}
	}
}

int xp_temporary_open(const char *target, char **name)
{
	const char *slash = strrchr(target, '/'), *own = slash ? slash + 1 : target;
	size_t room = strlen(target) + DIGITS + sizeof SUFFIX + 2;
	*name = base_alloc(room);
	for (int attempt = 0; attempt < 100; attempt++) {
		uint64_t random;
		if (getrandom(&random, sizeof random, 0) != sizeof random)
			break;
		snprintf(*name, room, "%.*s%.*s.%016" PRIx64 SUFFIX, (int)(own - target), target, LONGEST_NAME, own,
		         random);
		xp_temporary_list(*name); /* before it exists: no signal can come in between */
		int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (fd >= 0)
			return fd;
		int error = errno;
		xp_temporary_forget(*name);
		errno = error;
		if (error != EEXIST)
			break;
	}
	int error = errno;
	free(*name);
	*name = NULL;
	errno = error;
	return -1;
}

/* The length of the part before ".<digits>.tmp"; 0 if the name is not of that form. */
static size_t length_of_stem(const char *name)
{
	size_t length = strlen(name), tail = 1 + DIGITS + strlen(SUFFIX);
	if (length <= tail || strcmp(name + length - strlen(SUFFIX), SUFFIX) != 0 || name[length - tail] != '.' ||
	    strspn(name + length - tail + 1, "0123456789abcdef") != DIGITS)
		return 0;
	return length - tail;
}

bool xp_temporary_is(const char *name)
{
	return length_of_stem(name) != 0;
}

void xp_temporary_clean(const char *folder, const char *of)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	while (dir && (entry = readdir(dir))) {
		size_t stem = length_of_stem(entry->d_name);
		if (stem && (!of || (!strncmp(of, entry->d_name, stem) && strnlen(of, LONGEST_NAME) == stem)))
			unlinkat(dirfd(dir), entry->d_name, 0);
	}
	if (dir)
		closedir(dir);
}
