/* workload/formats/bytes.h - reading a file from any place on, without holding it: what the readers of traces share.
 *
 * A reader is a window of fixed size on the caller's stack, so that a source of calls (workload/mpi/call.h) may read at
 * any cursor, from any thread, and memory does not grow with a file's length. */
#ifndef WORKLOAD_FORMATS_BYTES_H
#define WORKLOAD_FORMATS_BYTES_H

#include "base/error.h"
#include "base/stamp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wl_trace_file {
	char *path; /* owned */
	uint64_t size;
	int fd; /* -1: opened whenever it is read, as there are too many files to hold them all */
	struct base_stamp stamp;
};

/* NULL, or why it cannot be read. `hold` keeps the file open. */
const char *wl_trace_file_open(struct wl_trace_file *f, const char *path, bool hold);
/* Since it was opened? */
bool wl_trace_file_changed(const struct wl_trace_file *f);
void wl_trace_file_close(struct wl_trace_file *f);
/* Files that may be held open at once: half of what the system allows. */
uint32_t wl_trace_files_most(void);

struct wl_bytes {
	const struct wl_trace_file *file;
	uint64_t at; /* place of window[0] in the file */
	uint32_t pos, n;
	bool failed; /* something was read beyond the end, or could not be read: what was got since then is 0 */
	unsigned char window[2048];
};

void wl_bytes_begin(struct wl_bytes *b, const struct wl_trace_file *file, uint64_t at);
/* The same of a window that was in use before, or is all zero: what it holds is not read again. */
void wl_bytes_move(struct wl_bytes *b, const struct wl_trace_file *file, uint64_t at);
/* Makes one byte at least be there; false: the file has ended. */
bool wl_bytes_fill(struct wl_bytes *b);
static inline uint64_t wl_bytes_place(const struct wl_bytes *b)
{
	return b->at + b->pos;
}
static inline uint64_t wl_bytes_left(const struct wl_bytes *b)
{
	return b->failed || wl_bytes_place(b) > b->file->size ? 0 : b->file->size - wl_bytes_place(b);
}
/* The next byte, or -1 at the end. */
static inline int wl_bytes_next(struct wl_bytes *b)
{
	return b->pos < b->n || wl_bytes_fill(b) ? b->window[b->pos++] : -1;
}
/* A number of `bytes` bytes, the highest first; 0 and `failed` beyond the end. */
uint64_t wl_bytes_get(struct wl_bytes *b, unsigned bytes);
void wl_bytes_skip(struct wl_bytes *b, uint64_t bytes);

/* "@PATH" or "@PATH:LINE": the key of an error. Returns out. */
const char *wl_trace_key(const char *path, uint64_t line, char *out, size_t room);

#endif
