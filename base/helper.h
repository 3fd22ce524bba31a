/* base/helper.h - runs separate helper programs, each of which links a library that could crash tilefly or exhaust its
 * memory. */
#ifndef BASE_HELPER_H
#define BASE_HELPER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes the path of a helper program that was built or installed together with tilefly to `out`. Returns false if
 * there is none. */
bool base_find_helper(const char *name, char *out, size_t capacity);

/* Runs `program` with `text` on its standard input. Returns all that it writes to standard output, at most `most`
 * bytes, followed by a NUL; the caller frees it. The program's memory, CPU time and wall time are limited. Returns NULL
 * on failure; then *why, which the caller frees, says what happened ("crashed (Segmentation fault)"). */
char *base_run_helper(const char *program, const char *text, size_t bytes, size_t most, size_t *got, char **why);

#endif
