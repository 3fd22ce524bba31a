/* base/input.c - see input.h */
#include "base/input.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does the path name an open file descriptor of this process? A pipe named in this way is already open and has, or had,
 * a writer, so reading it does not block for want of one. */
static bool names_descriptor(const char *path)
{
	return !strncmp(path, "/dev/fd/", 8) || !strncmp(path, "/proc/self/fd/", 14) || !strcmp(path, "/dev/stdin");
}

/* /dev/null counts as an empty file. */
static bool is_null(const struct stat *st)
{
	struct stat null;
	return S_ISCHR(st->st_mode) && !stat("/dev/null", &null) && st->st_rdev == null.st_rdev;
}

/* The files that were opened. */
static struct {
	pthread_mutex_t lock;
	struct input_place {
		dev_t device;
		ino_t file;
	} * v;
	size_t n, cap;
} known = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void note(const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return;
	pthread_mutex_lock(&known.lock);
	if (known.n == known.cap) {
		known.cap = known.cap ? 2 * known.cap : 16;
		known.v = base_realloc(known.v, known.cap * sizeof *known.v);
	}
	known.v[known.n++] = (struct input_place){ st->st_dev, st->st_ino };
	pthread_mutex_unlock(&known.lock);
}

void base_note_input(const char *path)
{
	struct stat st;
	if (!stat(path, &st))
		note(&st);
}

bool base_was_read(const char *path)
{
	struct stat st;
	bool read = false;
	if (stat(path, &st))
		return false;
	pthread_mutex_lock(&known.lock);
	for (size_t i = 0; i < known.n && !read; i++)
		read = known.v[i].device == st.st_dev && known.v[i].file == st.st_ino;
	pthread_mutex_unlock(&known.lock);
	return read;
}

int base_open_input(const char *path, bool pipe, const char **why)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), flags;
	if (fd < 0 || fstat(fd, &st))
		*why = strerror(errno);
	else if (S_ISREG(st.st_mode) || is_null(&st)) {
		note(&st);
		return fd;
	} else if (!pipe || !S_ISFIFO(st.st_mode) || !names_descriptor(path))
		*why = S_ISDIR(st.st_mode) ? "is a directory" : "is not a regular file";
	else if ((flags = fcntl(fd, F_GETFL)) < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		*why = strerror(errno);
	else
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}
