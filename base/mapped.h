/* base/mapped.h - a file read through mmap(), which another process may change or truncate meanwhile.
 *
 * Reading a page that is no longer part of the file raises SIGBUS. A signal handler then maps zeros there, so that the
 * reader continues; afterwards, on an error or at the end, the reader calls base_was_cut() to find out whether that
 * happened. */
#ifndef BASE_MAPPED_H
#define BASE_MAPPED_H

#include "base/stamp.h"

#include <stdbool.h>
#include <stddef.h>

/* For messages. */
#define BASE_WAS_CUT "was cut short while it was read"

struct base_mapped {
	const char *bytes;
	size_t n;
	/* private to mapped.c */
	int file;
	struct base_stamp stamp;
	_Atomic bool cut;
	struct base_mapped *next;
};

/* Maps all n > 0 bytes of an open regular file. The caller may close its descriptor afterwards, and frees the result
 * with base_unmap_file(). Returns NULL on failure, with the reason in *why, which may be a text of strerror(). */
struct base_mapped *base_map_file(int file, size_t n, const char **why);
/* Has the file been truncated since it was mapped? */
bool base_was_cut(const struct base_mapped *m);
/* Returns BASE_WAS_CUT if the file has been truncated since it was mapped, BASE_WAS_CHANGED if it has been changed
 * otherwise, and NULL if it is unchanged. */
const char *base_mapped_changed(const struct base_mapped *m);
/* NULL is allowed. */
void base_unmap_file(struct base_mapped *m);

#endif
