/* base/clock.h - monotonic wall-clock time. No result depends on it. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since an arbitrary instant; the value never decreases. */
static inline int64_t base_nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* The same in s. */
static inline double base_seconds(void)
{
	return 1e-9 * (double)base_nanoseconds();
}

#endif
