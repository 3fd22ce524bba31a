/* base/prefetch.h - prefetching a cache line for writing.
 *
 * A line that another core has read since this one wrote it is shared: before it is written again the other copy must
 * be invalidated, which takes hundreds of nanoseconds between cores without a common cache. Unless the compiler targets
 * a given processor, __builtin_prefetch(at, 1) becomes a read prefetch, which does not invalidate other copies of a
 * line that is already in this cache. */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

/* Prefetches the cache line of `at` for writing. Any address is permitted, also an invalid one. Has no effect on Intel
 * processors before 2014. */
static inline void base_prefetch_write(const void *at)
{
#ifdef __x86_64__
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
#else
	__builtin_prefetch(at, 1);
#endif
}

#endif
