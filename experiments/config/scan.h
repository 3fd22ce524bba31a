/* experiments/config/scan.h - what libconfig does not check, checked before it reads.
 *
 * libconfig 1.5 cuts whole numbers to 32 bits without a word, ends the process when an @include names a folder, stops
 * at a NUL byte, recurses as deep as the text nests, compares the name of every setting with all others of its group,
 * and reads files that include each other for as long as it takes. This pass over the text (strings and comments
 * skipped as libconfig does) turns each of these into an error with its line, within a time that is bounded. */
#ifndef EXPERIMENTS_CONFIG_SCAN_H
#define EXPERIMENTS_CONFIG_SCAN_H

#include "base/error.h"

#include <stddef.h>

/* Returns 0 if the text may be given to libconfig. Errors have keys "@name:line". */
int xp_scan(const char *text, size_t bytes, const char *name, const char *folder, struct base_errors *errors);

/* Reads a whole regular file (or standard input for NULL) of at most 64 MiB; *out is malloc'ed and NUL ended.
 * Returns 0, or -1 with a reason in *why. */
int xp_slurp(const char *path, char **out, size_t *bytes, const char **why);

#endif
