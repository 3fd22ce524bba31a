/* base/json.c - see json.h */
#include "base/json.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void base_buffer_write(void *sink, const char *bytes, size_t n)
{
	struct base_buffer *b = sink;
	if (b->n + n + 1 > b->cap) {
		b->cap = 2 * (b->n + n) + 256;
		b->data = base_realloc(b->data, b->cap);
	}
	memcpy(b->data + b->n, bytes, n);
	b->n += n;
	b->data[b->n] = 0;
}

void base_buffer_printf(struct base_buffer *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	size_t size = n > 0 ? (size_t)n + 1 : 1;
	char *text = base_alloc(size);
	vsnprintf(text, size, fmt, ap);
	va_end(ap);
	base_buffer_write(b, text, size - 1);
	free(text);
}

static void stream_write(void *sink, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, sink); /* the caller checks ferror() when it closes */
}

struct base_json base_json_memory(struct base_buffer *buffer)
{
	return (struct base_json){ .write = base_buffer_write, .sink = buffer };
}

struct base_json base_json_stream(FILE *stream)
{
	return (struct base_json){ .write = stream_write, .sink = stream };
}

static void put(struct base_json *j, const char *text)
{
	j->write(j->sink, text, strlen(text));
}

static void put_string(struct base_json *j, const char *text)
{
	put(j, "\"");
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		char escape[8];
		size_t n = base_utf8_length((const char *)p);
		if (!n) {
			put(j, "\\ufffd");
			p++;
		} else if (n == 1 && (*p < 0x20 || *p == '"' || *p == '\\' || *p == 0x7f)) {
			if (*p == '"' || *p == '\\')
				snprintf(escape, sizeof escape, "\\%c", *p);
			else if (*p == '\n')
				snprintf(escape, sizeof escape, "\\n");
			else if (*p == '\t')
				snprintf(escape, sizeof escape, "\\t");
			else
				snprintf(escape, sizeof escape, "\\u%04x", *p);
			put(j, escape);
			p++;
		} else if (n == 2 && p[0] == 0xc2 &&
		           p[1] < 0xa0) { /* control characters that are one byte in Latin-1 */
			snprintf(escape, sizeof escape, "\\u%04x", p[1]);
			put(j, escape);
			p += n;
		} else {
			j->write(j->sink, (const char *)p, n);
			p += n;
		}
	}
	put(j, "\"");
}

/* The comma before a value, and its key. */
static void lead(struct base_json *j, const char *key)
{
	if (j->comma[j->depth])
		put(j, ",");
	j->comma[j->depth] = true;
	if (key) {
		put_string(j, key);
		put(j, ":");
	}
}

static void begin(struct base_json *j, const char *key, char open, char close)
{
	char text[2] = { open, 0 };
	lead(j, key);
	put(j, text);
	if (j->depth + 1 < BASE_JSON_DEPTH)
		j->depth++;
	j->close[j->depth] = close;
	j->comma[j->depth] = false;
}

void base_json_object(struct base_json *j, const char *key)
{
	begin(j, key, '{', '}');
}

void base_json_array(struct base_json *j, const char *key)
{
	begin(j, key, '[', ']');
}

void base_json_end(struct base_json *j)
{
	char text[2] = { j->close[j->depth], 0 };
	put(j, text);
	j->depth--;
}

void base_json_string(struct base_json *j, const char *key, const char *text)
{
	lead(j, key);
	if (text)
		put_string(j, text);
	else
		put(j, "null");
}

void base_json_int(struct base_json *j, const char *key, int64_t value)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, value);
	lead(j, key);
	put(j, text);
}

void base_json_uint(struct base_json *j, const char *key, uint64_t value)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRIu64, value);
	lead(j, key);
	put(j, text);
}

void base_json_double(struct base_json *j, const char *key, double value)
{
	char text[64] = "null";
	if (isfinite(value))
		base_print_double(value, text, sizeof text);
	lead(j, key);
	put(j, text);
}

void base_json_bool(struct base_json *j, const char *key, bool value)
{
	lead(j, key);
	put(j, value ? "true" : "false");
}

void base_json_null(struct base_json *j, const char *key)
{
	base_json_string(j, key, NULL);
}

void base_json_newline(struct base_json *j)
{
	put(j, "\n");
	j->comma[j->depth] = false;
}
