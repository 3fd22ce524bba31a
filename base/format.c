/* base/format.c - see format.h */
#include "base/format.h"

#include "base/exhausted.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

char *base_strndup(const char *text, size_t n)
{
	size_t length = strnlen(text, n);
	return memcpy(base_alloc(length + 1), text, length);
}

char *base_vformat(const char *fmt, va_list ap)
{
	char *text = NULL;
	if (vasprintf(&text, fmt, ap) < 0)
		base_exhausted(); /* malloc() failure is the only possible error: no format here has wide characters */
	return text;
}

char *base_format(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	char *text = base_vformat(fmt, ap);
	va_end(ap);
	return text;
}

/* --- a stream into memory; the C library's open_memstream() silently drops bytes when memory runs out ---- */

struct memory_stream {
	char **text;
	size_t *bytes, cap;
};

static ssize_t append_to_memory(void *cookie, const char *from, size_t n)
{
	struct memory_stream *s = cookie;
	if (*s->bytes + n + 1 > s->cap) {
		s->cap = 2 * s->cap > *s->bytes + n + 1 ? 2 * s->cap : *s->bytes + n + 1;
		*s->text = base_realloc(*s->text, s->cap);
	}
	memcpy(*s->text + *s->bytes, from, n);
	*s->bytes += n;
	(*s->text)[*s->bytes] = 0;
	return (ssize_t)n;
}

static int end_stream(void *cookie)
{
	free(cookie);
	return 0;
}

FILE *base_memory_stream(char **text, size_t *bytes)
{
	struct memory_stream *s = base_alloc(sizeof *s);
	*s = (struct memory_stream){ .text = text, .bytes = bytes, .cap = 64 };
	*text = base_alloc(s->cap);
	*bytes = 0;
	cookie_io_functions_t way = { .write = append_to_memory, .close = end_stream };
	FILE *stream = fopencookie(s, "w", way);
	if (!stream)
		base_exhausted();
	return stream;
}
