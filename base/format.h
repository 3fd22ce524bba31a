/* base/format.h - formatted strings and streams in memory that never lose data silently: running out of memory ends the
 * program (memory.h). No other file uses the C library's own functions for this (the test source.memory). */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* The output of printf() as a new text; free with free(). */
char *base_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *base_vformat(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* A copy of at most n bytes of a text; free with free(). */
char *base_strndup(const char *text, size_t n);
/* As open_memstream(), without seeking: *text (to be freed with free()) and *bytes are right after fflush() and
 * fclose(), and nothing that was written is lost. */
FILE *base_memory_stream(char **text, size_t *bytes);

#endif
