/* base/stamp.h - detects that an open file, or the file of a name, has changed: by its size and the kernel's time of
 * its last change. */
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

/* Stamps an open file or, with file < 0, the file of this name, before it is read. The stamp differs from that after
 * any later change: for a file changed within the current tick of the kernel's clock it waits for the next tick. False:
 * the file cannot be examined, with errno. */
bool base_stamp_make(struct base_stamp *out, int file, const char *path);
/* The same check without waiting for I/O: has the path become another file, or unreadable? */
bool base_stamp_differs(const struct base_stamp *stamp, int file, const char *path);

#endif
