/* base/mapped.h - a file read through mmap(), which another process may change or truncate meanwhile.
 *
 * A read of a page that a truncated file has lost raises SIGBUS. A handler maps zeros there, so that the reader
 * continues; callers ask afterwards, on an error or at the end, whether that happened. */
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

/* Maps all bytes of an open regular file, which the caller may close; n > 0. NULL with the reason in *why, which may be
 * from strerror(). */
struct base_mapped *base_map_file(int file, size_t n, const char **why);
/* Has the file been truncated since it was mapped? */
bool base_was_cut(const struct base_mapped *m);
/* The change since it was mapped, BASE_WAS_CUT or BASE_WAS_CHANGED; NULL: none. */
const char *base_mapped_changed(const struct base_mapped *m);
/* NULL is allowed. */
void base_unmap_file(struct base_mapped *m);

#endif
