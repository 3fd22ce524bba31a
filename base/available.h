/* base/available.h - how much memory a process may still take: of its host, of the cgroups it is in, of its limits. */
#ifndef BASE_AVAILABLE_H
#define BASE_AVAILABLE_H

#include <stdint.h>

#define BASE_UNLIMITED UINT64_MAX

struct base_available {
	uint64_t shared; /* bytes that all processes of this host or cgroup may still take together */
	uint64_t own;    /* bytes that this process may still take, whatever the others do */
	/* The limit that applies: "MemAvailable", "cgroup memory.max", "cgroup memory.limit_in_bytes"; "ulimit -v",
	 * "ulimit -d"; "" without a limit */
	const char *shared_by, *own_by;
};

/* Reads the kernel's current values, in about 50 us. `root` is prefixed to /proc and /sys: "" except in tests. Page
 * cache that the kernel can reclaim counts as free; swap does not. A value that cannot be read sets no limit. */
struct base_available base_available(const char *root);

/* Bytes that `processes` such processes on one host may take together: the lower of the two limits. *by, which may be
 * NULL, names that limit. */
uint64_t base_available_to(const struct base_available *a, unsigned processes, const char **by);

/* Resident memory of this process now, in bytes; 0: not known. */
uint64_t base_resident(void);

#endif
