/* base/memory.c - see memory.h */
#include "base/memory.h"

#include "base/exhausted.h"
#include "base/text.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static char purpose[1200]; /* static, because it is read when nothing can be allocated */

void base_memory_for(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(purpose, sizeof purpose, fmt, ap);
	va_end(ap);
	base_harmless(purpose, false);
}

void base_memory_made(void)
{
	*purpose = 0;
}

static void (*at_end)(void);

void base_exhausted_clean_by(void (*clean)(void))
{
	at_end = clean;
}

void base_exhausted_clean(void)
{
	if (at_end)
		at_end();
}

/* without atexit handlers: MPI's would wait for other ranks */
static _Noreturn void die(const char *request)
{
	base_exhausted_clean();
	fprintf(stderr, "tilefly: out of memory%s%s%s\n", request, *purpose ? ": " : "", purpose);
	_exit(1);
}

static void *or_die(void *p, size_t bytes)
{
	if (!p) {
		char request[64];
		snprintf(request, sizeof request, " (a request for %zu bytes failed)", bytes);
		die(request);
	}
	return p;
}

void base_exhausted(void)
{
	die("");
}

void *base_alloc(size_t bytes)
{
	return or_die(calloc(1, bytes ? bytes : 1), bytes);
}

void *base_calloc(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1), count * size);
}

/* Uses calloc(), which leaves the pages of a large block untouched; aligned_alloc() with memset() would touch all of
 * them. The address that calloc() returned is stored just before the aligned block. As that address is a multiple of
 * 16, there is always space for it. */
void *base_calloc_aligned(size_t bytes, size_t alignment)
{
	unsigned char *given = base_calloc(bytes + alignment, 1);
	void **block = (void **)(void *)(given + alignment - (uintptr_t)given % alignment);
	block[-1] = given;
	return block;
}

void base_free_aligned(void *block)
{
	if (block)
		free(((void **)block)[-1]);
}

void *base_lengthen(void *old, uint32_t *cap, size_t bytes, bool *borrowed)
{
	uint32_t had = *cap;
	*cap = had ? 2 * had : 64;
	if (!*borrowed)
		return base_realloc(old, *cap * bytes);
	*borrowed = false;
	return memcpy(base_alloc(*cap * bytes), old, had * bytes);
}

void *base_realloc(void *old, size_t bytes)
{
	return or_die(realloc(old, bytes ? bytes : 1), bytes);
}

char *base_strdup(const char *text)
{
	return or_die(strdup(text), strlen(text) + 1);
}

#define HUGE_PAGE ((size_t)2 << 20)

static void *map_or_die(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return p == MAP_FAILED ? or_die(NULL, bytes) : p;
}

void *base_map(size_t bytes)
{
	if (bytes < HUGE_PAGE)
		return map_or_die(bytes ? bytes : 1);
	/* starts at a huge page's boundary, so that no part is left to small pages */
	unsigned char *p = map_or_die(bytes + HUGE_PAGE);
	size_t skip = -(uintptr_t)p & (HUGE_PAGE - 1), whole = (bytes + 4095) & ~(size_t)4095;
	if (skip)
		munmap(p, skip);
	munmap(p + skip + whole, HUGE_PAGE - skip + bytes - whole);
	(void)madvise(p + skip, whole, MADV_HUGEPAGE); /* a hint; refused on some kernels, harmless */
	return p + skip;
}

void *base_map_sparse(size_t bytes)
{
	void *p = map_or_die(bytes ? bytes : 1);
	(void)madvise(p, bytes, MADV_NOHUGEPAGE);
	return p;
}

void base_unmap(void *block, size_t bytes)
{
	if (block)
		munmap(block, bytes ? bytes : 1);
}

size_t base_map_grain(void)
{
	char line[100] = "";
	FILE *f = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
	bool huge = f && fgets(line, sizeof line, f) && !strstr(line, "[never]");
	if (f)
		fclose(f);
	return huge ? HUGE_PAGE : (size_t)sysconf(_SC_PAGESIZE);
}

void base_heap_within_limit(void)
{
#ifdef __GLIBC__
	struct rlimit limit;
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur != RLIM_INFINITY)
		mallopt(M_ARENA_MAX, 1);
#endif
}

uint64_t base_stack_bytes(void)
{
	pthread_attr_t usual;
	size_t bytes = 0;
	if (pthread_attr_init(&usual))
		return 0;
	(void)pthread_attr_getstacksize(&usual, &bytes);
	pthread_attr_destroy(&usual);
	return bytes;
}

uint64_t base_heap_bytes(void)
{
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
	struct mallinfo2 m = mallinfo2();
	return m.uordblks + m.hblkhd;
#else
	return 0;
#endif
}

uint64_t base_peak_rss(void)
{
	unsigned long long kb = 0;
	char line[200];
	FILE *status = fopen("/proc/self/status",
	                     "r"); /* getrusage() would include the peak of the parent process, which exec keeps */
	while (status && fgets(line, sizeof line, status))
		if (sscanf(line, "VmHWM: %llu kB", &kb) == 1)
			break;
	if (status)
		fclose(status);
	if (!kb) {
		struct rusage u;
		getrusage(RUSAGE_SELF, &u);
		kb = (unsigned long long)u.ru_maxrss;
	}
	return (uint64_t)kb * 1024;
}
