/* tests/experiments/test_file.c - result files appear whole or not at all. */
#include "base/memory.h"
#include "experiments/file.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/tilefly-file.XXXXXX";

static void setup(void)
{
	cr_redirect_stderr();
	cr_assert_not_null(mkdtemp(folder));
	cr_assert_eq(chdir(folder), 0);
}

static size_t files(void)
{
	size_t n = 0;
	DIR *dir = opendir(".");
	for (struct dirent *e = readdir(dir); e; e = readdir(dir))
		n += e->d_name[0] != '.';
	closedir(dir);
	return n;
}

static void teardown(void)
{
	DIR *dir = opendir(".");
	for (struct dirent *e = readdir(dir); e; e = readdir(dir))
		if (e->d_name[0] != '.')
			unlink(e->d_name);
	closedir(dir);
	rmdir(folder);
}

TestSuite(file, .init = setup, .fini = teardown);

static void write_noise(struct xp_file *file, size_t bytes)
{
	uint64_t x = 88172645463325252u;
	for (size_t n = 0; n < bytes; n += sizeof x) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		xp_file_gzip_write(file, (const char *)&x, sizeof x);
	}
}

Test(file, gzip_whole)
{
	struct xp_file file;
	char text[32] = "";
	cr_assert_eq(xp_file_open_gzip(&file, "r.gz"), 0);
	xp_file_gzip_write(&file, "hello", 5);
	cr_assert_neq(access("r.gz", F_OK), 0, "not before it is closed");
	cr_assert_eq(files(), 1u);
	cr_assert_eq(xp_file_close(&file), 0);
	cr_assert_eq(files(), 1u);
	gzFile back = gzopen("r.gz", "rb");
	cr_assert_eq(gzread(back, text, sizeof text), 5);
	cr_assert_str_eq(text, "hello");
	gzclose(back);
	struct stat st;
	mode_t mask = umask(0);
	umask(mask);
	stat("r.gz", &st);
	cr_assert_eq(st.st_mode & 0777, 0666 & ~mask, "the usual permissions");
}

Test(file, discard_leaves_nothing)
{
	struct xp_file file;
	cr_assert_eq(xp_file_open_gzip(&file, "r.gz"), 0);
	write_noise(&file, 100000);
	xp_file_discard(&file);
	cr_assert_eq(files(), 0u);
}

Test(file, no_room)
{
	struct rlimit limit = { 20000, RLIM_INFINITY }, old;
	struct xp_file file;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	cr_assert_eq(xp_file_open_gzip(&file, "r.gz"), 0);
	setrlimit(RLIMIT_FSIZE, &limit);
	write_noise(&file, 1000000);
	int status = xp_file_close(&file);
	setrlimit(RLIMIT_FSIZE, &old);
	cr_assert_eq(status, -1);
	cr_assert_eq(files(), 0u, "neither the file nor a temporary one");
}

/* The error only shows when the last bytes are flushed. */
Test(file, no_room_at_the_end)
{
	struct rlimit limit = { 100, RLIM_INFINITY }, old;
	struct xp_file file;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	cr_assert_eq(xp_file_open_gzip(&file, "r.gz"), 0);
	setrlimit(RLIMIT_FSIZE, &limit);
	write_noise(&file, 1000);
	int status = xp_file_close(&file);
	setrlimit(RLIMIT_FSIZE, &old);
	cr_assert_eq(status, -1);
	cr_assert_eq(files(), 0u);
}

Test(file, an_old_result_survives_a_failure)
{
	struct xp_file file;
	FILE *old = fopen("r.gz", "w");
	fputs("old", old);
	fclose(old);
	cr_assert_eq(xp_file_open_gzip(&file, "r.gz"), 0);
	xp_file_discard(&file);
	char text[8] = "";
	old = fopen("r.gz", "r");
	cr_assert_not_null(fgets(text, sizeof text, old));
	fclose(old);
	cr_assert_str_eq(text, "old");
}

Test(file, refused)
{
	struct xp_file file;
	mkdir("folder", 0777);
	cr_assert_eq(xp_file_try("folder"), -1);
	cr_assert_eq(xp_file_try("nowhere/r.gz"), -1);
	cr_assert_eq(xp_file_open_gzip(&file, "nowhere/r.gz"), -1);
	cr_assert_eq(xp_file_open(&file, "/dev/null"), -1, "not a regular file: renaming would replace the device");
	cr_assert_eq(xp_file_try("r.gz"), 0);
	cr_assert_neq(access("r.gz", F_OK), 0, "trying leaves nothing");
	rmdir("folder");
	cr_assert_eq(files(), 0u);
}
