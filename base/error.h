/* base/error.h - a list of errors and warnings: all problems of an input are collected and reported together.
 *
 * A function that can fail takes a `struct base_errors *`, adds each problem to that list and returns -1. Nothing below
 * experiments/ prints. The key of an error is a configuration path ("topology.q"); the configuration layer turns it
 * into FILE:LINE when it prints. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

struct base_error {
	char *key;  /* full configuration path, or "" when no key is to blame; owned */
	char *text; /* one line, no newline; owned */
	bool warning;
};

struct base_errors {
	struct base_error *v;
	size_t n, cap;
	size_t errors;     /* entries that are not warnings */
	const char *scope; /* prefix for keys ("topology"), or NULL; not owned */
};

/* An all-zero struct base_errors is ready for use. */

/* Adds an error for `key` (relative to errors->scope; NULL or "" blames the scope itself).
 * Returns -1 always, so that `return base_errorf(...)` reads well. */
int base_errorf(struct base_errors *errors, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a warning: it is printed, but the caller does not fail. */
void base_warnf(struct base_errors *errors, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Removes the entries added after the first n. */
void base_errors_drop(struct base_errors *errors, size_t n);
void base_errors_free(struct base_errors *errors);

#endif
