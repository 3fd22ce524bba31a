/* tests/base/test_available.c - memory that may still be taken, from files as the kernel writes them, and from limits
 * of this process. */
#include "base/available.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char root[64];

/* A file below the root, with its folders. */
static void put(const char *path, const char *text)
{
	char full[512];
	snprintf(full, sizeof full, "%s%s", root, path);
	for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(full, 0700);
		*slash = '/';
	}
	FILE *f = fopen(full, "w");
	cr_assert(f, "%s", full);
	fputs(text, f);
	fclose(f);
}

static void begin(void)
{
	strcpy(root, "/tmp/tilefly-available.XXXXXX");
	cr_assert(mkdtemp(root));
	put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:  1000000 kB\nMemAvailable:    8000000 kB\n");
	put("/proc/self/status", "Name:\ttest\nVmPeak:\t  900000 kB\nVmSize:\t  300000 kB\nVmData:\t  100000 kB\n");
}

static void end(void)
{
	char command[128];
	snprintf(command, sizeof command, "rm -rf %s", root);
	cr_assert_eq(system(command), 0);
}

static void shared_is(uint64_t bytes, const char *by)
{
	struct base_available a = base_available(root);
	cr_expect_eq(a.shared, bytes, "%llu bytes, expected %llu", (unsigned long long)a.shared,
	             (unsigned long long)bytes);
	cr_expect_str_eq(a.shared_by, by);
	cr_expect_eq(a.own, BASE_UNLIMITED);
	cr_expect_str_eq(a.own_by, "");
}

Test(available, is_what_the_host_tells, .init = begin, .fini = end)
{
	shared_is(8000000ull * 1024, "MemAvailable");
}

Test(available, is_unlimited_where_nothing_is_known)
{
	struct base_available a = base_available("/no/such/folder");
	cr_expect_eq(a.shared, BASE_UNLIMITED);
	cr_expect_str_eq(a.shared_by, "");
}

Test(available, is_what_a_cgroup_leaves, .init = begin, .fini = end)
{
	put("/proc/self/cgroup", "0::/jobs/one/step\n");
	put("/sys/fs/cgroup/jobs/one/step/memory.max", "max\n");
	put("/sys/fs/cgroup/jobs/one/step/memory.current", "200\n");
	put("/sys/fs/cgroup/jobs/one/memory.max", "5000000\n");
	put("/sys/fs/cgroup/jobs/one/memory.current", "3000000\n");
	shared_is(2000000, "cgroup memory.max");
	/* page cache that nothing has looked at of late is given up */
	put("/sys/fs/cgroup/jobs/one/memory.stat", "anon 2000000\ninactive_anon 7\ninactive_file 900000\n");
	shared_is(2900000, "cgroup memory.max");
	/* a narrower one above */
	put("/sys/fs/cgroup/jobs/memory.max", "4000000\n");
	put("/sys/fs/cgroup/jobs/memory.current", "3999000\n");
	shared_is(1000, "cgroup memory.max");
	/* and one that is exceeded */
	put("/sys/fs/cgroup/jobs/memory.current", "4000001\n");
	shared_is(0, "cgroup memory.max");
}

Test(available, is_what_a_cgroup_of_version_1_leaves, .init = begin, .fini = end)
{
	put("/proc/self/cgroup",
	    "9:name=systemd:/\n4:cpu,memory:/process/abc\n3:memoryless:/wrong\n1:cpuset:/\n0::/\n");
	put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1469984768\n");
	shared_is(8000000ull * 1024, "MemAvailable");
	put("/sys/fs/cgroup/memory/process/abc/memory.limit_in_bytes", "70000000\n");
	put("/sys/fs/cgroup/memory/process/abc/memory.usage_in_bytes", "60000000\n");
	put("/sys/fs/cgroup/memory/process/abc/memory.stat",
	    "inactive_file 1\nactive_file 2\ntotal_inactive_file 5000000\n");
	shared_is(15000000, "cgroup memory.limit_in_bytes");
	put("/sys/fs/cgroup/memory/wrong/memory.limit_in_bytes", "1\n");
	put("/sys/fs/cgroup/memory/wrong/memory.usage_in_bytes", "1\n");
	shared_is(15000000, "cgroup memory.limit_in_bytes");
}

/* In a container the folder of the group is often the root of what is mounted. */
Test(available, is_what_a_cgroup_leaves_whose_folder_is_elsewhere, .init = begin, .fini = end)
{
	put("/proc/self/cgroup", "0::/docker/0123456789\n");
	put("/sys/fs/cgroup/memory.max", "1000\n");
	put("/sys/fs/cgroup/memory.current", "300\n");
	shared_is(700, "cgroup memory.max");
}

struct limit {
	bool addresses; /* RLIMIT_AS; otherwise RLIMIT_DATA */
	rlim_t bytes;
	uint64_t own;
	const char *by;
};

/* Limits are those of a child; the files tell that it has 300,000 and 100,000 KiB. */
static void limited_to(struct limit limit)
{
	pid_t child = fork();
	if (child == 0) {
		struct rlimit r = { limit.bytes, RLIM_INFINITY };
		struct base_available a = { 0 };
		if (!(limit.addresses ? setrlimit(RLIMIT_AS, &r) : setrlimit(RLIMIT_DATA, &r)))
			a = base_available(root);
		_exit(a.own == limit.own && a.own_by && !strcmp(a.own_by, limit.by) ? 0 : 1);
	}
	int status;
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a limit of %llu bytes",
	          (unsigned long long)limit.bytes);
}

Test(available, is_what_limits_of_the_process_leave, .init = begin, .fini = end)
{
	rlim_t gib = (rlim_t)1 << 30;
	limited_to((struct limit){ true, gib, gib - 300000ull * 1024, "ulimit -v" });
	limited_to((struct limit){ false, gib, gib - 100000ull * 1024, "ulimit -d" });
	limited_to((struct limit){ false, 4096, 0, "ulimit -d" });
}

Test(available, to_several_processes_is_the_lesser_of_both)
{
	struct base_available a = { 1000, 400, "all", "each" };
	const char *by;
	cr_expect_eq(base_available_to(&a, 1, &by), 400);
	cr_expect_str_eq(by, "each");
	cr_expect_eq(base_available_to(&a, 3, &by), 1000);
	cr_expect_str_eq(by, "all");
	a.own = BASE_UNLIMITED;
	cr_expect_eq(base_available_to(&a, 2, NULL), 1000);
}

Test(available, resident_memory_grows_with_what_is_touched)
{
	uint64_t before = base_resident();
	size_t bytes = (size_t)32 << 20;
	char *p = malloc(bytes);
	for (size_t i = 0; i < bytes; i += 4096)
		((volatile char *)p)[i] = 1;
	cr_expect_geq(base_resident(), before + bytes / 2);
	free(p);
}
