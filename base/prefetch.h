/* base/prefetch.h - asking for a line of memory before it is written.
 *
 * A line that another core has read since this one wrote it is shared: to write it again, the other's copy must go
 * first, and on cores with no cache in common that takes hundreds of nanoseconds. A compiler that does not know the
 * processor makes a read of __builtin_prefetch(at, 1), which changes nothing about a line that is already here. */
#ifndef BASE_PREFETCH_H
#define BASE_PREFETCH_H

/* Any address will do. On Intel processors before 2014 it does nothing. */
static inline void base_prefetch_write(const void *at)
{
#ifdef __x86_64__
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)at));
#else
	__builtin_prefetch(at, 1);
#endif
}

#endif
