/* base/helper.h - programs beside tilefly, each of which links a library that is not trusted with tilefly's memory. */
#ifndef BASE_HELPER_H
#define BASE_HELPER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The path of a program that was built or installed with this one; false: there is none. */
bool base_find_helper(const char *name, char *out, size_t capacity);

/* Runs `program` on text, which it reads from standard input, and returns all that it writes to standard output, at
 * most `most` bytes, followed by a NUL; owned by the caller. Its memory and its time of computation are limited; so is
 * the time that passes. NULL: *why says what happened ("crashed (Segmentation fault)"), to be freed. */
char *base_run_helper(const char *program, const char *text, size_t bytes, size_t most, size_t *got, char **why);

#endif
