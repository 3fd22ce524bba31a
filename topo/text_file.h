/* topo/text_file.h - a whole file in memory, plain or gzip. */
#ifndef TOPO_TEXT_FILE_H
#define TOPO_TEXT_FILE_H

#include "base/error.h"

#include <stddef.h>

/* All bytes of a file, unpacked, followed by a NUL that does not count; owned by the caller. NULL with an error for
 * `key`: it cannot be read, ends too early, or has `most` bytes or more. */
char *topo_read_file(const char *file, const char *key, size_t most, size_t *bytes, struct base_errors *errors);

#endif
