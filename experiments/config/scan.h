/* experiments/config/scan.h - checks that libconfig omits, before it reads a text.
 *
 * libconfig 1.5 truncates whole numbers to 32 bits silently, ends the process if an @include names a directory, stops
 * at a NUL byte, recurses as deep as the text nests, compares the name of every setting with all others of its group,
 * and follows circular includes without end. This pass over the text (which skips strings and comments as libconfig
 * does) turns each of these into an error with its line, in bounded time. */
#ifndef EXPERIMENTS_CONFIG_SCAN_H
#define EXPERIMENTS_CONFIG_SCAN_H

#include "base/error.h"

#include <stddef.h>

/* Returns 0 if libconfig can parse the text safely, else -1 with errors whose keys are "@name:line". */
int xp_scan(const char *text, size_t bytes, const char *name, const char *folder, struct base_errors *errors);

/* Reads a regular file, or standard input if the path is NULL, of at most 64 MiB. *out is malloc'ed and ends with a NUL
 * byte. Returns 0, or -1 with the reason in *why. */
int xp_slurp(const char *path, char **out, size_t *bytes, const char **why);

#endif
