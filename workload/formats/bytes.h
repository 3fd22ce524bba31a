/* workload/formats/bytes.h - reading a file from any position on, without loading it: shared by the readers of traces.
 *
 * A reader is a window of fixed size on the caller's stack, so a source of calls (workload/mpi/call.h) may read at any
 * cursor, from any thread, and memory does not grow with the length of a file. */
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

/* NULL, or the reason why it cannot be read. `hold` keeps the file open. */
const char *wl_trace_file_open(struct wl_trace_file *f, const char *path, bool hold);
/* Since it was opened? */
bool wl_trace_file_changed(const struct wl_trace_file *f);
void wl_trace_file_close(struct wl_trace_file *f);
/* Maximum number of files to hold open: half of the system's limit. */
uint32_t wl_trace_files_most(void);

struct wl_bytes {
	const struct wl_trace_file *file;
	uint64_t at; /* place of window[0] in the file */
	uint32_t pos, n;
	bool failed; /* something was read beyond the end, or could not be read: what was got since then is 0 */
	unsigned char window[2048];
};

void wl_bytes_begin(struct wl_bytes *b, const struct wl_trace_file *file, uint64_t at);
/* Opens a file at a position with a window that was in use before, or is all zero: the contents of the window are not
 * read again. */
void wl_bytes_move(struct wl_bytes *b, const struct wl_trace_file *file, uint64_t at);
/* Makes at least one byte available; false: end of file. */
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
/* A big-endian number of `bytes` bytes; 0 and `failed` beyond the end. */
uint64_t wl_bytes_get(struct wl_bytes *b, unsigned bytes);
void wl_bytes_skip(struct wl_bytes *b, uint64_t bytes);

/* "@PATH" or "@PATH:LINE": the key of an error. Returns out. */
const char *wl_trace_key(const char *path, uint64_t line, char *out, size_t room);

#endif
