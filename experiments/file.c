/* experiments/file.c - see file.h */
#include "experiments/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int complain(struct xp_file *file, const char *what, int error)
{
	if (!file->failed)
		fprintf(stderr, "tilefly: %s: %s%s%s\n", file->path, what, error ? ": " : "",
		        error ? strerror(error) : "");
	file->failed = true;
	return -1;
}

/* Makes the temporary file beside `path`; -1 after a message. */
static int open_temporary(struct xp_file *file, const char *path)
{
	struct stat st;
	size_t room = strlen(path) + 32;
	*file = (struct xp_file){ .fd = -1, .path = base_strdup(path) };
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) {
		complain(file, S_ISDIR(st.st_mode) ? "is a folder" : "exists and is not a regular file", 0);
		xp_file_discard(file);
		return -1;
	}
	file->temporary = base_alloc(room);
	snprintf(file->temporary, room, "%s.XXXXXX", path);
	int fd = mkstemp(file->temporary);
	if (fd < 0) {
		complain(file, "cannot be written", errno);
		free(file->temporary);
		file->temporary = NULL;
		xp_file_discard(file);
		return -1;
	}
	mode_t mask = umask(0);
	umask(mask);
	(void)!fchmod(fd, 0666 & ~mask); /* mkstemp makes private files; some file systems have no modes at all */
	return fd;
}

int xp_file_try(const char *path)
{
	struct xp_file file;
	int fd = open_temporary(&file, path);
	if (fd < 0)
		return -1;
	close(fd);
	xp_file_discard(&file);
	return 0;
}

int xp_file_open(struct xp_file *file, const char *path)
{
	if (!strcmp(path, "-")) {
		*file = (struct xp_file){ .fd = -1, .path = base_strdup("standard output"), .stream = stdout };
		return 0;
	}
	int fd = open_temporary(file, path);
	if (fd < 0)
		return -1;
	file->stream = fdopen(fd, "w");
	if (!file->stream) {
		complain(file, "cannot be written", errno);
		close(fd);
		xp_file_discard(file);
		return -1;
	}
	return 0;
}

int xp_file_open_gzip(struct xp_file *file, const char *path)
{
	int fd = open_temporary(file, path);
	if (fd < 0)
		return -1;
	file->fd = dup(fd);
	file->gzip = gzdopen(fd, "wb6");
	if (!file->gzip || file->fd < 0) {
		complain(file, "cannot be written", errno);
		if (!file->gzip)
			close(fd);
		xp_file_discard(file);
		return -1;
	}
	gzbuffer(file->gzip, 1 << 17);
	return 0;
}

void xp_file_gzip_write(void *sink, const char *bytes, size_t n)
{
	struct xp_file *file = sink;
	while (n && !file->failed) {
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
	if (file->gzip) {
		errno = 0;
		if (gzclose(file->gzip) != Z_OK)
			complain(file, "cannot be written", errno);
		file->gzip = NULL;
		if (!file->failed && fsync(file->fd) && errno != EINVAL)
			complain(file, "cannot be written", errno);
		return;
	}
	if (fflush(file->stream) || ferror(file->stream) || (fsync(fileno(file->stream)) && errno != EINVAL))
		complain(file, "cannot be written", errno);
	if (fclose(file->stream))
		complain(file, "cannot be written", errno);
	file->stream = NULL;
}

/* Makes the new name survive a crash of the machine; best effort, as the data is safe already. */
static void sync_folder(const char *path)
{
	char *folder = base_strdup(path);
	char *slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = 0;
	int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
	}
	free(folder);
}

int xp_file_close(struct xp_file *file)
{
	if (!file->temporary) { /* standard output: main() checks it when it ends */
		bool bad = fflush(stdout) || ferror(stdout);
		file->stream = NULL;
		xp_file_discard(file);
		return bad ? -1 : 0;
	}
	finish(file);
	if (!file->failed && rename(file->temporary, file->path))
		complain(file, "cannot be renamed to", errno);
	int status = file->failed ? -1 : 0;
	if (!status) {
		sync_folder(file->path);
		free(file->temporary);
		file->temporary = NULL;
	}
	xp_file_discard(file);
	return status;
}

void xp_file_discard(struct xp_file *file)
{
	if (file->gzip)
		gzclose(file->gzip);
	if (file->stream && file->temporary)
		fclose(file->stream);
	if (file->fd >= 0)
		close(file->fd);
	if (file->temporary)
		unlink(file->temporary);
	free(file->temporary);
	free(file->path);
	*file = (struct xp_file){ .fd = -1 };
}
