/* base/input.c - see input.h */
#include "base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does the path name a descriptor of this process? Then a pipe has been opened, and its writer is there or was. */
static bool names_descriptor(const char *path)
{
	return !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/self/fd/", 14) || !strcmp(path, "/dev/stdin");
}

/* /dev/null is an empty file to whoever names it. */
static bool is_null(const struct stat *st)
{
	struct stat null;
	return S_ISCHR(st->st_mode) && !stat("/dev/null", &null) && st->st_rdev == null.st_rdev;
}

int base_open_input(const char *path, bool pipe, const char **why)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), flags;
	if (fd < 0 || fstat(fd, &st))
		*why = strerror(errno);
	else if (S_ISREG(st.st_mode) || is_null(&st))
		return fd;
	else if (!pipe || !S_ISFIFO(st.st_mode) || !names_descriptor(path))
		*why = S_ISDIR(st.st_mode) ? "is a folder" : "is no regular file";
	else if ((flags = fcntl(fd, F_GETFL)) < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		*why = strerror(errno);
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}
