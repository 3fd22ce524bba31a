/* base/available.h - how much memory a process may still allocate, given the free memory of its host, the limits of its
 * cgroups and its own resource limits. */
#ifndef BASE_AVAILABLE_H
#define BASE_AVAILABLE_H

#include <stdint.h>

#define BASE_UNLIMITED UINT64_MAX

struct base_available {
	uint64_t shared; /* bytes that all processes of this host or cgroup may still take together */
	uint64_t own;    /* bytes that this process may still take, whatever the others do */
	/* Names of the limits from which `shared` and `own` result. shared_by is "MemAvailable", "cgroup memory.max" or
	 * "cgroup memory.limit_in_bytes", own_by is "ulimit -v" or "ulimit -d"; "" means that there is no limit. */
	const char *shared_by, *own_by;
};

/* Reads the kernel's current values, which takes about 50 us. `root` is prefixed to the paths of /proc and /sys; it is
 * "" except in tests. Page cache that the kernel can reclaim counts as free; swap does not. A value that cannot be read
 * sets no limit. */
struct base_available base_available(const char *root);

/* Bytes that `processes` processes on one host, each with the limits *a, may allocate together: the lower of the limit
 * that they share and the sum of their own limits. *by is set to the name of that limit; `by` may be NULL. */
uint64_t base_available_to(const struct base_available *a, unsigned processes, const char **by);

/* Current resident memory of this process in bytes; 0 if it is not known. */
uint64_t base_resident(void);

#endif
