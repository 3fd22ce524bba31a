/* base/available.h - how much memory a process may still take: of its host, of the cgroups it is in, of its limits. */
#ifndef BASE_AVAILABLE_H
#define BASE_AVAILABLE_H

#include <stdint.h>

#define BASE_UNLIMITED UINT64_MAX

struct base_available {
	uint64_t shared; /* bytes that all processes of this host or cgroup may still take together */
	uint64_t own;    /* bytes that this process may still take, whatever the others do */
	/* What sets them: "MemAvailable", "cgroup memory.max", "cgroup memory.limit_in_bytes"; "ulimit -v", "ulimit
	 * -d";
	 * "" where nothing does */
	const char *shared_by, *own_by;
};

/* Reads what the kernel tells now, in about 50 us. `root` stands before /proc and /sys: "" but in tests. Page cache
 * that the kernel would give up counts as free; swap does not. What cannot be read limits nothing. */
struct base_available base_available(const char *root);

/* Of `processes` such processes on one host, together: the lesser of the two. *by, which may be NULL: what sets it. */
uint64_t base_available_to(const struct base_available *a, unsigned processes, const char **by);

/* Resident memory of this process now, in bytes; 0: not known. */
uint64_t base_resident(void);

#endif
