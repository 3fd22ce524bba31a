/* topo/text_file.h - reads a whole file, plain or compressed with gzip, into memory. */
#ifndef TOPO_TEXT_FILE_H
#define TOPO_TEXT_FILE_H

#include "base/error.h"

#include <stddef.h>

/* Returns all bytes of a file, decompressed and followed by a NUL that is not counted; the caller frees them. Returns
 * NULL with an error for `key` if the file cannot be read, is truncated, or has `most` bytes or more. */
char *topo_read_file(const char *file, const char *key, size_t most, size_t *bytes, struct base_errors *errors);

#endif
