/* experiments/json.h - a JSON writer.
 *
 * Bytes go to a sink (a stream, a gzip log, memory). Strings are escaped and made valid UTF-8; floating-point numbers
 * are the shortest text that reads back as the same bits; what JSON cannot say (NaN, infinity) is null. Nesting is the
 * caller's: every xp_json_object/array needs its xp_json_end. */
#ifndef EXPERIMENTS_JSON_H
#define EXPERIMENTS_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define XP_JSON_DEPTH 32

struct xp_json {
	void (*write)(void *sink, const char *bytes, size_t n);
	void *sink;
	unsigned depth;
	char close[XP_JSON_DEPTH]; /* '}' or ']' */
	bool comma[XP_JSON_DEPTH + 1];
};

/* Memory sink; free(data). data is NUL ended. */
struct xp_buffer {
	char *data;
	size_t n, cap;
};
void xp_buffer_write(void *buffer, const char *bytes, size_t n);
void xp_buffer_printf(struct xp_buffer *buffer, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* An all-zero `comma` and depth 0 is a fresh writer. */
struct xp_json xp_json_memory(struct xp_buffer *buffer);
struct xp_json xp_json_stream(FILE *stream);

/* `key` is NULL inside arrays and for the outermost value. */
void xp_json_object(struct xp_json *j, const char *key);
void xp_json_array(struct xp_json *j, const char *key);
void xp_json_end(struct xp_json *j);
void xp_json_string(struct xp_json *j, const char *key, const char *text); /* NULL: null */
void xp_json_int(struct xp_json *j, const char *key, int64_t value);
void xp_json_uint(struct xp_json *j, const char *key, uint64_t value);
void xp_json_double(struct xp_json *j, const char *key, double value);
void xp_json_bool(struct xp_json *j, const char *key, bool value);
void xp_json_null(struct xp_json *j, const char *key);
/* A newline after a whole record; starts the next one. */
void xp_json_newline(struct xp_json *j);

#endif
