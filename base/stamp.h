/* base/stamp.h - detects that a file, given by a descriptor or a path, has changed. It compares the file's identity,
 * size and modification time. */
#ifndef BASE_STAMP_H
#define BASE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

/* For messages. */
#define BASE_WAS_CHANGED "was changed while it was read"

struct base_stamp {
	uint64_t device,
	    file; /* the file's identity: one file may have two names, and a name may pass to another file */
	uint64_t bytes;
	int64_t s, ns;
};

/* Records the identity, size and modification time of an open file or, if file < 0, of the file at `path`, before it is
 * read. If the file was changed within the current tick of the kernel's clock, the function waits for the next tick, so
 * that any later change gives a different time. Returns false, with errno set, if the file cannot be examined. */
bool base_stamp_make(struct base_stamp *out, int file, const char *path);
/* Has the file changed since the stamp was made, or has the path become that of another file, or of none? Does not
 * wait. */
bool base_stamp_differs(const struct base_stamp *stamp, int file, const char *path);

#endif
