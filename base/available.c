/* base/available.c - see available.h
 *
 * A cgroup's limit applies to all groups below it, so the process's own folder and every folder above it are read. In a
 * container /proc/self/cgroup may give the host's path, of which only the end, or nothing, is mounted; a folder that
 * does not exist sets no limit. */
#include "base/available.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* The number that follows `name` and blanks at the beginning of a line; false: there is none. */
static bool read_field(const char *path, const char *name, uint64_t *out)
{
	FILE *f = fopen(path, "r");
	char line[256];
	unsigned long long v = 0;
	size_t n = strlen(name);
	bool found = false;
	while (f && !found && fgets(line, sizeof line, f))
		found = !strncmp(line, name, n) && sscanf(line + n, " %llu", &v) == 1;
	if (f)
		fclose(f);
	*out = v;
	return found;
}

static void take_lesser(uint64_t *least, const char **by, uint64_t bytes, const char *name)
{
	if (bytes < *least) {
		*least = bytes;
		*by = name;
	}
}

/* cgroups v1 and v2 name the same files differently. */
struct cgroup_files {
	const char *limit, *usage, *inactive, *name;
};
static const struct cgroup_files version_1 = { "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file ",
	                                       "cgroup memory.limit_in_bytes" };
static const struct cgroup_files version_2 = { "memory.max", "memory.current", "inactive_file ", "cgroup memory.max" };

static bool read_cgroup(const char *folder, const char *file, const char *field, uint64_t *out)
{
	char path[PATH_BYTES];
	int n = snprintf(path, sizeof path, "%s/%s", folder, file);
	return n > 0 && (size_t)n < sizeof path && read_field(path, field, out);
}

/* Of a group and all above it. `folder` is shortened down to its first `top` bytes. */
static void look_at_cgroups(char *folder, size_t top, const struct cgroup_files *files, struct base_available *a)
{
	for (;;) {
		uint64_t limit, usage, inactive;
		if (read_cgroup(folder, files->limit, "", &limit) && read_cgroup(folder, files->usage, "", &usage)) {
			if (!read_cgroup(folder, "memory.stat", files->inactive, &inactive) || inactive > usage)
				inactive = 0;
			usage -= inactive;
			take_lesser(&a->shared, &a->shared_by, limit > usage ? limit - usage : 0, files->name);
		}
		char *slash = strrchr(folder + top, '/');
		if (!slash)
			return;
		*slash = 0;
	}
}

static void look_below(const char *root, const char *mount, const char *path, const struct cgroup_files *files,
                       struct base_available *a)
{
	char folder[PATH_BYTES];
	if (!strcmp(path, "/"))
		path = "";
	int n = snprintf(folder, sizeof folder, "%s%s%s", root, mount, path);
	if (n > 0 && (size_t)n < sizeof folder)
		look_at_cgroups(folder, strlen(root) + strlen(mount), files, a);
}

/* Does a list of names, separated by commas, contain "memory"? */
static bool has_memory(const char *names, size_t bytes)
{
	for (const char *end = names + bytes; names < end;) {
		const char *comma = memchr(names, ',', (size_t)(end - names));
		size_t n = (size_t)((comma ? comma : end) - names);
		if (n == strlen("memory") && !memcmp(names, "memory", n))
			return true;
		names += n + 1;
	}
	return false;
}

/* Lines are NUMBER:CONTROLLERS:PATH; of version 2 there is one, 0::PATH. */
static void cgroups(const char *root, struct base_available *a)
{
	char path[PATH_BYTES], line[PATH_BYTES];
	snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
	FILE *f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = 0;
		char *names = strchr(line, ':'), *at = names ? strchr(names + 1, ':') : NULL;
		if (!at)
			continue;
		names++;
		if (has_memory(names, (size_t)(at - names))) {
			look_below(root, "/sys/fs/cgroup/memory", at + 1, &version_1, a);
		} else if (names == at && !strncmp(line, "0:", 2)) {
			look_below(root, "/sys/fs/cgroup", at + 1, &version_2, a);
			look_below(root, "/sys/fs/cgroup/unified", at + 1, &version_2, a);
		}
	}
	if (f)
		fclose(f);
}

/* `limit`: as the kernel gave it, or NULL. */
static void own_limit(const struct rlimit *limit, const char *status, const char *field, const char *name,
                      struct base_available *a)
{
	uint64_t kb;
	if (!limit || limit->rlim_cur == RLIM_INFINITY || !read_field(status, field, &kb))
		return;
	uint64_t most = (uint64_t)limit->rlim_cur, used = kb * 1024;
	take_lesser(&a->own, &a->own_by, most > used ? most - used : 0, name);
}

struct base_available base_available(const char *root)
{
	struct base_available a = { BASE_UNLIMITED, BASE_UNLIMITED, "", "" };
	struct rlimit limit;
	char path[PATH_BYTES];
	uint64_t kb;
	snprintf(path, sizeof path, "%s/proc/meminfo", root);
	if (read_field(path, "MemAvailable:", &kb))
		take_lesser(&a.shared, &a.shared_by, kb * 1024, "MemAvailable");
	cgroups(root, &a);
	snprintf(path, sizeof path, "%s/proc/self/status", root);
	own_limit(getrlimit(RLIMIT_AS, &limit) ? NULL : &limit, path, "VmSize:", "ulimit -v", &a);
	own_limit(getrlimit(RLIMIT_DATA, &limit) ? NULL : &limit, path, "VmData:", "ulimit -d", &a);
	return a;
}

uint64_t base_available_to(const struct base_available *a, unsigned processes, const char **by)
{
	uint64_t own = a->own > BASE_UNLIMITED / processes ? BASE_UNLIMITED : a->own * processes;
	if (by)
		*by = own < a->shared ? a->own_by : a->shared_by;
	return own < a->shared ? own : a->shared;
}

uint64_t base_resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long long size, resident = 0;
	if (f && fscanf(f, "%llu %llu", &size, &resident) != 2)
		resident = 0;
	if (f)
		fclose(f);
	return (uint64_t)resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
