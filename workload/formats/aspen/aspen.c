/* workload/formats/aspen/aspen.c - memory, sources and errors of the Aspen reader; see aspen.h */
#include "workload/formats/aspen/aspen.h"

#include "base/format.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/param.h"
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- arena ------------------------------------------------------------------------------------------------ */

#define BLOCK (64u << 10)

struct aspen_block {
	struct aspen_block *before;
	size_t used, room;
	max_align_t bytes[];
};

void *aspen_alloc(struct aspen *a, size_t bytes)
{
	struct aspen_block *b = a->arena;
	bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (!b || b->room - b->used < bytes) {
		size_t room = bytes > BLOCK ? bytes : BLOCK;
		b = base_alloc(sizeof *b + room);
		b->before = a->arena;
		b->room = room;
		a->arena = b;
	}
	b->used += bytes;
	return (char *)b->bytes + b->used - bytes;
}

const char *aspen_text(struct aspen *a, const char *text, size_t length)
{
	char *out = aspen_alloc(a, length + 1);
	memcpy(out, text, length);
	return out;
}

void aspen_add(struct aspen *a, struct aspen_list *list, void *entry)
{
	if (list->n == list->cap) {
		uint32_t cap = list->cap ? 2 * list->cap : 4;
		void **v = aspen_alloc(a, cap * sizeof *v);
		if (list->n)
			memcpy(v, list->v, list->n * sizeof *v);
		list->v = v;
		list->cap = cap;
	}
	list->v[list->n++] = entry;
}

struct aspen *aspen_new(struct base_errors *errors)
{
	struct aspen *a = base_alloc(sizeof *a);
	a->errors = errors;
	return a;
}

void aspen_free(struct aspen *a)
{
	if (!a)
		return;
	for (struct aspen_block *b = a->arena, *before; b; b = before) {
		before = b->before;
		free(b);
	}
	for (uint32_t i = 0; i < a->nsources; i++) {
		free(a->sources[i].name);
		free(a->sources[i].text);
	}
	free(a->sources);
	free(a);
}

/* --- sources ---------------------------------------------------------------------------------------------- */

static struct aspen_source *add_source(struct aspen *a, const char *name)
{
	a->sources = base_realloc(a->sources, (a->nsources + 1) * sizeof *a->sources);
	struct aspen_source *s = &a->sources[a->nsources++];
	*s = (struct aspen_source){ .name = base_strdup(name) };
	return s;
}

/* NULL, or why not. */
static const char *read_whole(struct aspen *a, const char *path, char **text, size_t *bytes)
{
	struct stat st;
	const char *why = NULL;
	int fd = base_open_input(path, false, &why);
	if (fd < 0)
		return why;
	if (fstat(fd, &st))
		why = strerror(errno);
	else if ((uint64_t)st.st_size + a->read > ASPEN_MOST_BYTES)
		why = "these models are too large: at most 64 MiB in total";
	for (size_t got = 0; !why && got < (size_t)st.st_size;) {
		if (!*text)
			*text = base_alloc((size_t)st.st_size + 1);
		ssize_t n = read(fd, *text + got, (size_t)st.st_size - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			why = strerror(errno);
		if (n <= 0)
			break;
		got += (size_t)n;
		*bytes = got;
	}
	close(fd);
	return why;
}

int aspen_read_source(struct aspen *a, const char *path, struct aspen_at at)
{
	char *text = NULL;
	size_t bytes = 0;
	const char *why = a->no_files                       ? "files cannot be read here"
	                  : a->nsources >= ASPEN_MOST_FILES ? "too many files: at most 1000"
	                                                    : read_whole(a, path, &text, &bytes);
	if (why) {
		free(text);
		if (at.line)
			return aspen_errorf(a, at, "\"%s\": %s", path, why);
		char key[1200];
		snprintf(key, sizeof key, "@%.1100s", path);
		return base_errorf(a->errors, key, "%s", why);
	}
	struct aspen_source *s = add_source(a, path);
	s->text = text ? text : base_alloc(1);
	s->bytes = bytes;
	a->read += bytes;
	return (int)(a->nsources - 1);
}

uint32_t aspen_add_text(struct aspen *a, const char *name, const char *text, size_t bytes)
{
	struct aspen_source *s = add_source(a, name);
	s->text = base_alloc(bytes + 1);
	if (bytes)
		memcpy(s->text, text, bytes);
	s->bytes = bytes;
	return a->nsources - 1;
}

/* --- errors ----------------------------------------------------------------------------------------------- */

/* "FILE:LINE:COLUMN" */
static void print_place(const struct aspen *a, struct aspen_at at, char *out, size_t room)
{
	if (at.line && at.file < a->nsources)
		snprintf(out, room, "%.1000s:%u:%u", a->sources[at.file].name, at.line, at.column);
	else
		snprintf(out, room, "%.1000s", at.file < a->nsources ? a->sources[at.file].name : "");
}

__attribute__((format(printf, 4, 0))) static void say(struct aspen *a, struct aspen_at at, bool warning,
                                                      const char *fmt, va_list ap)
{
	char place[1100], key[1110], *text = NULL;
	if (a->errors->n >= ASPEN_MOST_ERRORS && (warning || a->given_up))
		return;
	a->given_up = a->errors->n >= ASPEN_MOST_ERRORS;
	print_place(a, at, place, sizeof place);
	snprintf(key, sizeof key, "@%s", place);
	text = base_vformat(fmt, ap);
	if (warning)
		base_warnf(a->errors, key, "%s", text);
	else
		base_errorf(a->errors, key, "%s", text);
	free(text);
}

int aspen_errorf(struct aspen *a, struct aspen_at at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(a, at, false, fmt, ap);
	va_end(ap);
	return -1;
}

void aspen_warnf(struct aspen *a, struct aspen_at at, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	say(a, at, true, fmt, ap);
	va_end(ap);
}

const char *aspen_did_you_mean(const char *word, const char *const *names, size_t n, char *out, size_t room)
{
	const char *near = base_nearest(word, names, n);
	if (near)
		snprintf(out, room, "; did you mean %s?", near);
	else
		*out = 0;
	return out;
}

/* The number that ends `text` before `end`, and where its colon is; 0 if there is none. */
static uint32_t number_before(const char *text, const char *end, const char **colon)
{
	const char *p = end;
	while (p > text && p[-1] >= '0' && p[-1] <= '9')
		p--;
	*colon = p > text ? p - 1 : p;
	return p > text && p < end && p[-1] == ':' ? (uint32_t)strtoul(p, NULL, 10) : 0;
}

bool aspen_excerpt(const struct aspen *a, const char *key, char *out, size_t room)
{
	const char *colon;
	uint32_t column = number_before(key, key + strlen(key), &colon), line = number_before(key, colon, &colon);
	const struct aspen_source *s = NULL;
	for (uint32_t i = 0; i < a->nsources && line && key[0] == '@'; i++)
		if (!strncmp(a->sources[i].name, key + 1, (size_t)(colon - key - 1)) &&
		    a->sources[i].name[colon - key - 1] == 0)
			s = &a->sources[i];
	if (!s || !column)
		return false;
	const char *p = s->text, *end = s->text + s->bytes;
	for (uint32_t i = 1; i < line && p < end; p++)
		i += *p == '\n';
	size_t length = 0, skip = column > 100 ? column - 100 : 0; /* of a very long line what is around the place */
	while (p + length < end && p[length] != '\n')
		length++;
	length -= length && p[length - 1] == '\r';
	if (length < skip || room < 400)
		return false;
	p += skip;
	length -= skip;
	if (length > 160)
		length = 160;
	snprintf(out, room, "  | %.*s", (int)length, p);
	base_harmless(out, true);
	size_t n = strlen(out);
	n += (size_t)snprintf(out + n, room - n, "\n  | ");
	for (size_t i = 0; i + 1 + skip < column && i < 160; i++) /* tabs stay, so that the caret is below its letter */
		out[n++] = i < length && p[i] == '\t' ? '\t' : ' ';
	snprintf(out + n, room - n, "^");
	return true;
}
