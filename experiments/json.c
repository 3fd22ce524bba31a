/* experiments/json.c - see json.h */
#include "experiments/json.h"

#include "base/memory.h"
#include "base/units.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void xp_buffer_write(void *sink, const char *bytes, size_t n)
{
	struct xp_buffer *b = sink;
	if (b->n + n + 1 > b->cap) {
		b->cap = 2 * (b->n + n) + 256;
		b->data = base_realloc(b->data, b->cap);
	}
	memcpy(b->data + b->n, bytes, n);
	b->n += n;
	b->data[b->n] = 0;
}

void xp_buffer_printf(struct xp_buffer *b, const char *fmt, ...)
{
	va_list ap, again;
	va_start(ap, fmt);
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	size_t room = n > 0 ? (size_t)n + 1 : 1;
	char *text = base_alloc(room);
	vsnprintf(text, room, fmt, ap);
	va_end(ap);
	xp_buffer_write(b, text, room - 1);
	free(text);
}

static void stream_write(void *sink, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, sink); /* the caller checks ferror() when it closes */
}

struct xp_json xp_json_memory(struct xp_buffer *buffer)
{
	return (struct xp_json){ .write = xp_buffer_write, .sink = buffer };
}

struct xp_json xp_json_stream(FILE *stream)
{
	return (struct xp_json){ .write = stream_write, .sink = stream };
}

static void put(struct xp_json *j, const char *text)
{
	j->write(j->sink, text, strlen(text));
}

/* Length of the valid UTF-8 sequence at p, 0 if there is none (overlong, surrogate, cut short). */
static size_t utf8_length(const unsigned char *p)
{
	if (p[0] < 0x80)
		return 1;
	size_t n = p[0] >= 0xc2 && p[0] <= 0xdf ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4 : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

static void put_string(struct xp_json *j, const char *text)
{
	put(j, "\"");
	for (const unsigned char *p = (const unsigned char *)text; *p;) {
		char escape[8];
		size_t n = utf8_length(p);
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
		} else {
			j->write(j->sink, (const char *)p, n);
			p += n;
		}
	}
	put(j, "\"");
}

/* The comma before a value, and its key. */
static void lead(struct xp_json *j, const char *key)
{
	if (j->comma[j->depth])
		put(j, ",");
	j->comma[j->depth] = true;
	if (key) {
		put_string(j, key);
		put(j, ":");
	}
}

static void begin(struct xp_json *j, const char *key, char open, char close)
{
	char text[2] = { open, 0 };
	lead(j, key);
	put(j, text);
	if (j->depth + 1 < XP_JSON_DEPTH)
		j->depth++;
	j->close[j->depth] = close;
	j->comma[j->depth] = false;
}

void xp_json_object(struct xp_json *j, const char *key)
{
	begin(j, key, '{', '}');
}

void xp_json_array(struct xp_json *j, const char *key)
{
	begin(j, key, '[', ']');
}

void xp_json_end(struct xp_json *j)
{
	char text[2] = { j->close[j->depth], 0 };
	put(j, text);
	j->depth--;
}

void xp_json_string(struct xp_json *j, const char *key, const char *text)
{
	lead(j, key);
	if (text)
		put_string(j, text);
	else
		put(j, "null");
}

void xp_json_int(struct xp_json *j, const char *key, int64_t value)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRId64, value);
	lead(j, key);
	put(j, text);
}

void xp_json_uint(struct xp_json *j, const char *key, uint64_t value)
{
	char text[32];
	snprintf(text, sizeof text, "%" PRIu64, value);
	lead(j, key);
	put(j, text);
}

void xp_json_double(struct xp_json *j, const char *key, double value)
{
	char text[64] = "null";
	if (isfinite(value))
		base_print_double(value, text, sizeof text);
	lead(j, key);
	put(j, text);
}

void xp_json_bool(struct xp_json *j, const char *key, bool value)
{
	lead(j, key);
	put(j, value ? "true" : "false");
}

void xp_json_null(struct xp_json *j, const char *key)
{
	xp_json_string(j, key, NULL);
}

void xp_json_newline(struct xp_json *j)
{
	put(j, "\n");
	j->comma[j->depth] = false;
}
