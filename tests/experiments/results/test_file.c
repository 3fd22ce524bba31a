/* tests/experiments/results/test_file.c - result files appear whole or not at all. */
#include "base/memory.h"
#include "experiments/results/file.h"
#include "experiments/results/temporary.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- faults: the system calls of the writer, which fail when their turn has come ---------------------- */

enum call { OPEN, WRITE, FSYNC, RENAME, CLOSE, CALLS };
static int left[CALLS]; /* calls until one fails; 0: none does */

static bool fails(enum call call, int error)
{
	if (!left[call] || --left[call])
		return false;
	errno = error;
	return true;
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	if (!fails(WRITE, ENOSPC))
		return syscall(SYS_write, fd, bytes, n);
	return -1;
}

int fsync(int fd)
{
	return fails(FSYNC, EIO) ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	return fails(RENAME, EDQUOT) ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	return fails(OPEN, EMFILE) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* As the kernel: closed all the same. */
int close(int fd)
{
	int status = (int)syscall(SYS_close, fd);
	return fails(CLOSE, EIO) ? -1 : status;
}

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
		xp_file_write(file, (const char *)&x, sizeof x);
	}
}

Test(file, gzip_whole)
{
	struct xp_file file;
	char text[32] = "";
	cr_assert_eq(xp_file_open_gzip(&file, "r.gz"), 0);
	xp_file_write(&file, "hello", 5);
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
	cr_assert_eq(xp_file_try("r.gz"), 0);
	cr_assert_neq(access("r.gz", F_OK), 0, "trying leaves nothing");
	rmdir("folder");
	cr_assert_eq(files(), 0u);
}

static char *content(const char *path)
{
	static char text[64];
	FILE *in = fopen(path, "r");
	memset(text, 0, sizeof text);
	if (in) {
		cr_assert_lt(fread(text, 1, sizeof text - 1, in), sizeof text);
		fclose(in);
	}
	return text;
}

static void put(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");
	cr_assert_not_null(out);
	fputs(text, out);
	fclose(out);
}

static int save(const char *path, const char *text)
{
	struct base_errors errors = { 0 };
	int status = xp_file_save(path, text, strlen(text), &errors);
	cr_assert_eq(errors.errors, status ? 1u : 0u, "an error is told exactly once");
	base_errors_free(&errors);
	return status;
}

/* Every call in turn fails: the old file stays as it was, or the new one is whole, and nothing else is left. */
static void fail_each(int (*write_it)(void))
{
	for (int call = 0; call < CALLS; call++) {
		int n = 1;
		for (;; n++) {
			put("r.gz", "old");
			memset(left, 0, sizeof left);
			left[call] = n;
			int status = write_it();
			bool reached = left[call] == 0;
			memset(left, 0, sizeof left);
			cr_assert_eq(files(), 1u, "call %d, turn %d", call, n);
			if (!reached) {
				cr_assert_eq(status, 0);
				break;
			}
			bool renamed = strcmp(content("r.gz"), "old") != 0;
			if (call == CLOSE && renamed) {
				cr_assert_eq(status, 0, "closing the folder loses nothing");
				continue;
			}
			cr_assert_eq(status, -1, "call %d, turn %d went unnoticed", call, n);
			if (renamed) /* only what comes after the renaming may fail then */
				cr_assert((call == FSYNC && n == 2) || (call == OPEN && n == 2), "call %d, turn %d",
				          call, n);
		}
		cr_assert_gt(n, 1, "call %d is never made", call);
	}
}

static int write_gzip(void)
{
	struct xp_file file;
	if (xp_file_open_gzip(&file, "r.gz"))
		return -1;
	write_noise(&file, 300000);
	return xp_file_close(&file);
}

static int write_plain(void)
{
	struct xp_file file;
	if (xp_file_open(&file, "r.gz"))
		return -1;
	write_noise(&file, 300000);
	return xp_file_close(&file);
}

Test(file, every_fault_of_a_compressed_file)
{
	fail_each(write_gzip);
}

Test(file, every_fault_of_a_plain_file)
{
	fail_each(write_plain);
}

Test(file, links_are_followed_and_stay)
{
	mkdir("there", 0777);
	put("there/real", "old");
	cr_assert_eq(symlink("there/real", "direct"), 0);
	cr_assert_eq(symlink("direct", "again"), 0);
	cr_assert_eq(symlink("there/new", "dangling"), 0);
	cr_assert_eq(symlink("loop", "loop"), 0);
	cr_assert_eq(save("again", "text"), 0);
	cr_assert_str_eq(content("there/real"), "text");
	cr_assert_eq(save("dangling", "born"), 0);
	cr_assert_str_eq(content("there/new"), "born");
	cr_assert_eq(save("loop", "x"), -1);
	struct stat st;
	for (const char *const *name = (const char *const[]){ "direct", "again", "dangling", "loop", NULL }; *name;
	     name++) {
		cr_assert_eq(lstat(*name, &st), 0);
		cr_assert(S_ISLNK(st.st_mode), "%s is no link any more", *name);
	}
	cr_assert_eq(files(), 5u, "four links and a folder");
	unlink("there/real");
	unlink("there/new");
	rmdir("there");
}

/* A device of the test's own where that is allowed: should the writer err, it must not take the system's. */
static const char *device(void)
{
	if (geteuid() == 0)
		return mknod("device", S_IFCHR | 0666, makedev(1, 7)) ? "pipe" : "device";
	return "/dev/full";
}

Test(file, no_regular_file)
{
	struct stat st;
	cr_assert_eq(mkfifo("pipe", 0600), 0);
	const char *full = device();
	cr_assert_eq(symlink(full, "link"), 0);
	cr_assert_eq(symlink("/proc/self/fd/1", "stdout"), 0);
	size_t before = files();
	const char *const names[] = { "pipe", full, "link", "stdout", "/proc/self/fd/1", "", "." };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		cr_assert_eq(save(names[i], "x"), -1, "%s", names[i]);
	cr_assert_eq(stat(full, &st), 0);
	cr_assert(!S_ISREG(st.st_mode));
	cr_assert_eq(lstat("stdout", &st), 0);
	cr_assert(S_ISLNK(st.st_mode));
	cr_assert_eq(files(), before);
}

Test(file, permissions_of_the_old_file)
{
	struct stat st;
	put("r", "old");
	chmod("r", 0640);
	cr_assert_eq(save("r", "new"), 0);
	stat("r", &st);
	cr_assert_eq(st.st_mode & 07777, 0640);
	umask(077);
	cr_assert_eq(save("private", "new"), 0);
	stat("private", &st);
	cr_assert_eq(st.st_mode & 07777, 0600);
}

/* What waits under the name of an older temporary file is not opened: no two names are alike. */
Test(file, temporary_names)
{
	char *a, *b;
	int x = xp_temporary_open("r", &a), y = xp_temporary_open("r", &b);
	cr_assert(x >= 0 && y >= 0);
	cr_assert_str_neq(a, b);
	cr_assert(xp_temporary_is(a) && xp_temporary_is(b));
	cr_assert(!xp_temporary_is("r") && !xp_temporary_is("r.tmp") && !xp_temporary_is(".0123456789abcdef.tmp") &&
	          !xp_temporary_is("r.0123456789abcdeF.tmp") && xp_temporary_is("r.0123456789abcdef.tmp"));
	cr_assert_eq(fcntl(x, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	put("other.0123456789abcdef.tmp", "");
	xp_temporary_clean(".", "r");
	cr_assert_eq(files(), 1u, "that of another file stays");
	xp_temporary_clean(".", NULL);
	cr_assert_eq(files(), 0u);
	free(a);
	free(b);
}

Test(file, signals_remove_what_is_under_way)
{
	static const int ends[] = { SIGHUP, SIGINT, SIGTERM };
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		pid_t pid = fork();
		if (!pid) {
			struct xp_file file;
			for (size_t k = 0; k < 3; k++)
				signal(ends[k], SIG_DFL);
			if (xp_file_open_gzip(&file, "r.gz"))
				_exit(1);
			if (!fork()) { /* a child that inherits the handler owns nothing */
				raise(SIGTERM);
				_exit(1);
			}
			wait(NULL);
			if (files() == 1)
				raise(ends[i]);
			_exit(1);
		}
		int status;
		cr_assert_eq(waitpid(pid, &status, 0), pid);
		cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == ends[i]);
		cr_assert_eq(files(), 0u);
	}
}
