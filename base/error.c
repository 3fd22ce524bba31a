/* base/error.c - see error.h */
#include "base/error.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join_key(const char *scope, const char *key)
{
	if (!scope)
		scope = "";
	if (!key)
		key = "";
	size_t len = strlen(scope) + strlen(key) + 2;
	char *out = base_alloc(len);
	snprintf(out, len, "%s%s%s", scope, *scope && *key && *key != '[' ? "." : "", key);
	return out;
}

static void add_error(struct base_errors *errors, bool warning, const char *key, const char *fmt, va_list ap)
{
	va_list again;
	va_copy(again, ap);
	int len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	size_t bytes = len < 0 ? 1 : (size_t)len + 1;
	char *text = base_alloc(bytes);
	vsnprintf(text, bytes, fmt, ap);
	if (errors->n == errors->cap) {
		errors->cap = errors->cap ? 2 * errors->cap : 8;
		errors->v = base_realloc(errors->v, errors->cap * sizeof *errors->v);
	}
	errors->v[errors->n++] =
	    (struct base_error){ .key = join_key(errors->scope, key), .text = text, .warning = warning };
	errors->errors += !warning;
}

int base_errorf(struct base_errors *errors, const char *key, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add_error(errors, false, key, fmt, ap);
	va_end(ap);
	return -1;
}

void base_warnf(struct base_errors *errors, const char *key, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	add_error(errors, true, key, fmt, ap);
	va_end(ap);
}

void base_errors_drop(struct base_errors *errors, size_t n)
{
	while (errors->n > n) {
		struct base_error *last = &errors->v[--errors->n];
		errors->errors -= !last->warning;
		free(last->key);
		free(last->text);
	}
}

void base_errors_free(struct base_errors *errors)
{
	base_errors_drop(errors, 0);
	free(errors->v);
	*errors = (struct base_errors){ 0 };
}
