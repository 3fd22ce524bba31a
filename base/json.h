/* base/json.h - a JSON writer.
 *
 * Bytes go to a sink (a stream, a gzip log, memory). Strings are escaped and made valid UTF-8; floating-point numbers
 * are the shortest text that reads back as the same bits; values that JSON cannot express (NaN, infinity) become null.
 * The caller keeps track of nesting: every base_json_object/array needs its base_json_end. */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BASE_JSON_DEPTH 32

struct base_json {
	void (*write)(void *sink, const char *bytes, size_t n);
	void *sink;
	unsigned depth;
	char close[BASE_JSON_DEPTH]; /* '}' or ']' */
	bool comma[BASE_JSON_DEPTH + 1];
};

/* A sink that collects JSON text in memory. `data` is NUL terminated; the owner of the buffer frees it with free(). */
struct base_buffer {
	char *data;
	size_t n, cap;
};
void base_buffer_write(void *buffer, const char *bytes, size_t n);
void base_buffer_printf(struct base_buffer *buffer, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The two functions below return a new writer. A writer that is set up by hand must start with depth 0 and all entries
 * of `comma` false. */
struct base_json base_json_memory(struct base_buffer *buffer);
struct base_json base_json_stream(FILE *stream);

/* Each of these functions writes one value or begins one. `key` is the name of the value in the enclosing object; it is
 * NULL inside arrays and for the outermost value. */
void base_json_object(struct base_json *j, const char *key);
void base_json_array(struct base_json *j, const char *key);
void base_json_end(struct base_json *j);
void base_json_string(struct base_json *j, const char *key, const char *text); /* NULL: null */
void base_json_int(struct base_json *j, const char *key, int64_t value);
void base_json_uint(struct base_json *j, const char *key, uint64_t value);
void base_json_double(struct base_json *j, const char *key, double value);
void base_json_bool(struct base_json *j, const char *key, bool value);
void base_json_null(struct base_json *j, const char *key);
/* Writes a newline after a complete record and starts the next one. */
void base_json_newline(struct base_json *j);

#endif
