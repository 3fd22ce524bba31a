/* base/format.h - formatted strings and streams in memory that never lose data silently: running out of memory ends the
 * program (memory.h). No other file calls the C library's functions for this purpose directly; the test source.memory
 * checks that. */
#ifndef BASE_FORMAT_H
#define BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Returns the output of printf() as a newly allocated string, which the caller frees with free(). */
char *base_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *base_vformat(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));
/* Returns a copy of the first n bytes of a text, or of all if it is shorter; the caller frees it with free(). */
char *base_strndup(const char *text, size_t n);
/* A stream that writes to memory as that of open_memstream() does, but cannot seek. After fflush() or fclose(), *text
 * holds all that was written and *bytes its length. The caller frees *text with free(). */
FILE *base_memory_stream(char **text, size_t *bytes);

#endif
