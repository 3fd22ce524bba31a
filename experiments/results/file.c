/* experiments/results/file.c - see file.h */
#include "experiments/results/file.h"

#include "base/memory.h"
#include "experiments/config/message.h"
#include "experiments/results/target.h"
#include "experiments/results/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (1 << 17)

static int complain(struct xp_file *file, const char *what, int error)
{
	const char *between = error ? ": " : "", *why = error ? strerror(error) : "";
	if (!file->failed && file->errors)
		base_errorf(file->errors, NULL, "%s: %s%s%s", file->path, what, between, why);
	else if (!file->failed)
		xp_message("%s: %s%s%s", file->path, what, between, why);
	file->failed = true;
	return -1;
}

void xp_file_fail(struct xp_file *file, int error)
{
	complain(file, "cannot be written", error);
}

/* Copies owner and permissions of the file that will be replaced to the new file. Failures are ignored: only the
 * superuser can change the owner, and some file systems support neither. */
static void take_over(int fd, const struct stat *st)
{
	struct stat own;
	if (fstat(fd, &own))
		return;
	if (own.st_uid != st->st_uid || own.st_gid != st->st_gid)
		(void)!fchown(fd, st->st_uid, st->st_gid);
	(void)!fchmod(fd, st->st_mode & 0777);
}

/* Files that were removed and will be written again. */
#define FORGOTTEN 16u
static struct {
	char *target;
	struct stat st;
} forgotten[FORGOTTEN];

static const struct stat *forgotten_one(const char *target)
{
	for (size_t i = 0; i < FORGOTTEN && forgotten[i].target; i++)
		if (!strcmp(forgotten[i].target, target))
			return &forgotten[i].st;
	return NULL;
}

void xp_file_forget(const char *path)
{
	struct stat st;
	bool exists = false;
	const char *why;
	size_t i = 0;
	char *target = xp_target_find(path, &exists, &st, &why);
	while (i < FORGOTTEN && forgotten[i].target)
		i++;
	if (!target || !exists || unlink(target) || i == FORGOTTEN) {
		free(target);
		return;
	}
	forgotten[i].target = target; /* as long as the program lives */
	forgotten[i].st = st;
}

/* Creates the temporary file in the directory of the file that `path` leads to. Returns 0, or -1 after a message; the
 * caller must then not call xp_file_discard(). */
static int open_temporary(struct xp_file *file, const char *path, struct base_errors *errors)
{
	struct stat st;
	bool exists;
	const char *why;
	*file = (struct xp_file){ .fd = -1, .path = base_strdup(path), .errors = errors };
	file->target = xp_target_find(path, &exists, &st, &why);
	if (file->target) {
		file->fd = xp_temporary_open(file->target, &file->temporary);
		const struct stat *before = exists ? &st : forgotten_one(file->target);
		if (file->fd >= 0 && before)
			take_over(file->fd, before);
	}
	if (file->fd >= 0)
		return 0;
	complain(file, file->target ? "cannot be written" : why, file->target ? errno : 0);
	xp_file_discard(file);
	return -1;
}

int xp_file_try(const char *path)
{
	struct xp_file file;
	if (!strcmp(path, "-"))
		return 0;
	if (open_temporary(&file, path, NULL))
		return -1;
	xp_file_discard(&file);
	return 0;
}

/* The stream's way to the descriptor: a short count is an error. */
static ssize_t write_all(void *cookie, const char *bytes, size_t n)
{
	int fd = (int)(intptr_t)cookie;
	size_t done = 0;
	while (done < n) {
		ssize_t part = write(fd, bytes + done, n - done);
		if (part > 0)
			done += (size_t)part;
		else if (!part || errno != EINTR)
			break;
	}
	return (ssize_t)done;
}

static int open_plain(struct xp_file *file, const char *path, struct base_errors *errors)
{
	if (!strcmp(path, "-")) {
		*file = (struct xp_file){
			.fd = -1, .path = base_strdup("standard output"), .stream = stdout, .errors = errors
		};
		return 0;
	}
	if (open_temporary(file, path, errors))
		return -1;
	cookie_io_functions_t way = { .write = write_all };
	file->stream = fopencookie((void *)(intptr_t)file->fd, "w", way);
	if (!file->stream) {
		complain(file, "cannot be written", errno);
		xp_file_discard(file);
		return -1;
	}
	setvbuf(file->stream, NULL, _IOFBF, BUFFER_BYTES);
	return 0;
}

int xp_file_open(struct xp_file *file, const char *path)
{
	return open_plain(file, path, NULL);
}

int xp_file_open_gzip(struct xp_file *file, const char *path)
{
	if (open_temporary(file, path, NULL))
		return -1;
	int copy = fcntl(file->fd, F_DUPFD_CLOEXEC, 0); /* zlib closes what it is given, and cannot sync it */
	file->gzip = copy >= 0 ? gzdopen(copy, "wb6") : NULL;
	if (!file->gzip) {
		complain(file, "cannot be written", errno);
		if (copy >= 0)
			close(copy);
		xp_file_discard(file);
		return -1;
	}
	gzbuffer(file->gzip, BUFFER_BYTES);
	return 0;
}

void xp_file_write(void *sink, const char *bytes, size_t n)
{
	struct xp_file *file = sink;
	if (file->stream && n && !file->failed && fwrite(bytes, 1, n, file->stream) != n)
		complain(file, "cannot be written", errno);
	while (file->gzip && n && !file->failed) {
		unsigned part = n > INT_MAX ? INT_MAX : (unsigned)n;
		if (gzwrite(file->gzip, bytes, part) <= 0)
			complain(file, "cannot be written", errno);
		bytes += part;
		n -= part;
	}
}

/* Flushes and syncs the data under the temporary name. */
static void finish(struct xp_file *file)
{
	bool bad;
	errno = 0;
	if (file->gzip) {
		bad = gzclose(file->gzip) != Z_OK;
		file->gzip = NULL;
	} else {
		bad = fflush(file->stream) || ferror(file->stream);
		int error = errno;
		bad = fclose(file->stream) || bad;
		errno = error ? error : errno;
		file->stream = NULL;
	}
	if (bad || (fsync(file->fd) && errno != EINVAL)) /* EINVAL: there is nothing to sync on this file system */
		complain(file, "cannot be written", errno);
	bad = close(file->fd);
	file->fd = -1;
	if (bad)
		complain(file, "cannot be written", errno);
}

/* Makes the rename durable. A directory that is writable but not readable cannot be synced. */
static void sync_folder(struct xp_file *file)
{
	char *folder = xp_target_folder(file->target);
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 ? errno != EACCES : fsync(fd) && errno != EINVAL)
		complain(file, "is written, but its directory cannot be synced", errno);
	if (fd >= 0)
		close(fd);
	free(folder);
}

int xp_file_close(struct xp_file *file)
{
	if (!file->temporary) { /* standard output: main() checks it when it ends */
		bool bad = fflush(stdout) || ferror(stdout);
		xp_file_discard(file);
		return bad ? -1 : 0;
	}
	finish(file);
	if (!file->failed && rename(file->temporary, file->target))
		complain(file, "cannot be renamed to", errno);
	if (!file->failed) {
		xp_temporary_forget(file->temporary);
		free(file->temporary);
		file->temporary = NULL;
		sync_folder(file);
	}
	int status = file->failed ? -1 : 0;
	xp_file_discard(file);
	return status;
}

void xp_file_discard(struct xp_file *file)
{
	if (file->gzip)
		gzclose(file->gzip);
	if (file->stream && file->stream != stdout)
		fclose(file->stream);
	if (file->fd >= 0)
		close(file->fd);
	if (file->temporary) {
		unlink(file->temporary);
		xp_temporary_forget(file->temporary);
	}
	free(file->temporary);
	free(file->target);
	free(file->path);
	*file = (struct xp_file){ .fd = -1 };
}

int xp_file_save(const char *path, const char *bytes, size_t n, struct base_errors *errors)
{
	struct xp_file file;
	if (open_plain(&file, path, errors))
		return -1;
	xp_file_write(&file, bytes, n);
	return xp_file_close(&file);
}
