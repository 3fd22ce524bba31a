/* tests/cli/fail_allocation.c - loaded before the program (LD_PRELOAD): the n-th allocation of memory fails, once.
 *
 * FAIL_NTH=n counts those that the program itself asks for, and the libraries that read and write its files (of
 * configurations, JSON, compressed data) and the C library on their behalf: not those of MPI and of the dynamic linker.
 * FAIL_COUNT=FILE gets their number when the program ends. Only in the process whose program is FAIL_PROGRAM. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_RANGES 64

static void *(*real_malloc)(size_t), *(*real_calloc)(size_t, size_t), *(*real_realloc)(void *, size_t);
static struct {
	uintptr_t from, to;
} range[MOST_RANGES];
static int ranges;
static long nth = -1;
static atomic_long count;

/* Where the program and those libraries are, as the kernel says. */
static void read_ranges(const char *program)
{
	static const char *const of[] = { "/libjansson.", "/libconfig.", "/libz.", "/libc.so", "/libc-2" };
	static char text[1 << 17];
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	size_t n = 0;
	for (ssize_t part; fd >= 0 && (part = read(fd, text + n, sizeof text - 1 - n)) > 0;)
		n += (size_t)part;
	close(fd);
	text[n] = 0;
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
		unsigned long from, to;
		int wanted = strstr(line, program) != NULL;
		for (size_t i = 0; i < sizeof of / sizeof *of; i++)
			wanted |= strstr(line, of[i]) != NULL;
		if (wanted && ranges < MOST_RANGES && sscanf(line, "%lx-%lx", &from, &to) == 2) {
			range[ranges].from = from;
			range[ranges++].to = to;
		}
	}
}

__attribute__((constructor)) static void start(void)
{
	const char *program = getenv("FAIL_PROGRAM"), *n = getenv("FAIL_NTH");
	char own[4096];
	ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
	own[length > 0 ? length : 0] = 0;
	if (!program || !n || strcmp(own, program) != 0)
		return;
	read_ranges(program);
	nth = atol(n);
	atomic_store(&count, 0);
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	char text[32];
	if (nth < 0 || !path)
		return;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (write(fd, text, (size_t)snprintf(text, sizeof text, "%ld\n", atomic_load(&count))) < 0 || close(fd))
		_exit(99);
}

static int fails(const void *caller)
{
	uintptr_t at = (uintptr_t)caller;
	for (int i = 0; nth >= 0 && i < ranges; i++)
		if (at >= range[i].from && at < range[i].to) {
			if (atomic_fetch_add(&count, 1) + 1 != nth)
				return 0;
			errno = ENOMEM;
			return 1;
		}
	return 0;
}

void *malloc(size_t n)
{
	if (!real_malloc)
		real_malloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
	return fails(__builtin_return_address(0)) ? NULL : real_malloc(n);
}

/* dlsym() itself may call it before it is known. */
void *calloc(size_t n, size_t size)
{
	static char early[4096];
	static size_t used;
	static int asking;
	if (!real_calloc && asking) {
		void *p = early + used;
		used += (n * size + 15) & ~(size_t)15;
		return p;
	}
	if (!real_calloc) {
		asking = 1;
		real_calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
	}
	return fails(__builtin_return_address(0)) ? NULL : real_calloc(n, size);
}

void *realloc(void *old, size_t n)
{
	if (!real_realloc)
		real_realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
	return fails(__builtin_return_address(0)) ? NULL : real_realloc(old, n);
}
