/* base/stamp.h - whether a file that is open, or has a name, still is what it was: by its size and by the time of its
 * last change, as the kernel keeps it. */
#ifndef BASE_STAMP_H
#define BASE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

/* For messages. */
#define BASE_WAS_CHANGED "was changed while it was read"

struct base_stamp {
	uint64_t device, file; /* a file of another name may be the same one, and another one may take its name */
	uint64_t bytes;
	int64_t s, ns;
};

/* Of a file that is open, or, with file < 0, of the one that has this name: to be made before it is read. It differs
 * from all that are made after a later change: a file that has been changed within this tick of the kernel's clock is
 * waited for until the next one. False: it cannot be looked at, with errno. */
bool base_stamp_make(struct base_stamp *out, int file, const char *path);
/* The same without waiting: is it another one now, or not to be looked at any more? */
bool base_stamp_differs(const struct base_stamp *stamp, int file, const char *path);

#endif
