/* base/mapped.h - a file that is read in memory, by mmap(), and that may be changed or become shorter meanwhile.
 *
 * Whoever reads where the file has lost its pages gets SIGBUS from the kernel. A handler puts zeros there, so that the
 * reader goes on, and whether that happened is to be asked when something is wrong, or at the end. */
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
	/* the rest is mapped.c's */
	int file;
	struct base_stamp stamp;
	_Atomic bool cut;
	struct base_mapped *next;
};

/* All bytes of a regular file that is open, which the caller may close; n > 0. NULL with the reason in *why, which may
 * be of strerror(). */
struct base_mapped *base_map_file(int file, size_t n, const char **why);
/* Has it become shorter since? */
bool base_was_cut(const struct base_mapped *m);
/* What has happened to it since, BASE_WAS_CUT or BASE_WAS_CHANGED; NULL: nothing. */
const char *base_mapped_changed(const struct base_mapped *m);
/* NULL is allowed. */
void base_unmap_file(struct base_mapped *m);

#endif
