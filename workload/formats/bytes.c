/* workload/formats/bytes.c - see bytes.h */
#include "workload/formats/bytes.h"

#include "base/input.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char *wl_trace_file_open(struct wl_trace_file *f, const char *path, bool hold)
{
	struct base_stamp stamp;
	const char *why = NULL;
	int fd = base_open_input(path, false, &why);
	if (fd >= 0 && !base_stamp_make(&stamp, fd, NULL))
		why = strerror(errno);
	if (fd >= 0 && (why || !hold)) {
		close(fd);
		fd = -1;
	}
	if (!why)
		*f = (struct wl_trace_file){ .path = base_strdup(path), .size = stamp.bytes, .fd = fd, .stamp = stamp };
	return why;
}

bool wl_trace_file_changed(const struct wl_trace_file *f)
{
	return base_stamp_differs(&f->stamp, f->fd, f->path);
}

void wl_trace_file_close(struct wl_trace_file *f)
{
	if (f->path && f->fd >= 0)
		close(f->fd);
	free(f->path);
	*f = (struct wl_trace_file){ .fd = -1 };
}

uint32_t wl_trace_files_most(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return 512;
	return limit.rlim_cur > 2000000 ? 1000000 : (uint32_t)(limit.rlim_cur / 2);
}

void wl_bytes_begin(struct wl_bytes *b, const struct wl_trace_file *file, uint64_t at)
{
	b->file = file;
	b->at = at;
	b->pos = b->n = 0;
	b->failed = false;
}

void wl_bytes_move(struct wl_bytes *b, const struct wl_trace_file *file, uint64_t at)
{
	if (b->file == file && !b->failed && at >= b->at && at - b->at <= b->n)
		b->pos = (uint32_t)(at - b->at);
	else
		wl_bytes_begin(b, file, at);
}

bool wl_bytes_fill(struct wl_bytes *b)
{
	b->at += b->pos;
	b->pos = b->n = 0;
	if (b->failed || b->at >= b->file->size)
		return false;
	int fd = b->file->fd >= 0 ? b->file->fd : open(b->file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = -1;
	if (fd >= 0) {
		do {
			got = pread(fd, b->window, sizeof b->window, (off_t)b->at);
		} while (got < 0 && errno == EINTR);
		if (fd != b->file->fd)
			close(fd);
	}
	b->failed = got <= 0; /* the file is longer: it was cut while it was read */
	b->n = got > 0 ? (uint32_t)got : 0;
	return got > 0;
}

uint64_t wl_bytes_get(struct wl_bytes *b, unsigned bytes)
{
	uint64_t v = 0;
	while (bytes--) {
		int next = wl_bytes_next(b);
		if (next < 0) {
			b->failed = true;
			return 0;
		}
		v = v << 8 | (uint64_t)next;
	}
	return v;
}

void wl_bytes_skip(struct wl_bytes *b, uint64_t bytes)
{
	if (bytes > wl_bytes_left(b)) {
		b->failed = true;
	} else if (bytes <= b->n - b->pos) {
		b->pos += (uint32_t)bytes;
	} else {
		b->at += b->pos + bytes;
		b->pos = b->n = 0;
	}
}

const char *wl_trace_key(const char *path, uint64_t line, char *out, size_t room)
{
	if (line)
		snprintf(out, room, "@%.1000s:%" PRIu64, path, line);
	else
		snprintf(out, room, "@%.1000s", path);
	return out;
}
