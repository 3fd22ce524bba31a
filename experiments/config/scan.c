/* experiments/config/scan.c - see scan.h */
#include "experiments/config/scan.h"

#include "base/input.h"
#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_BYTES ((size_t)64 << 20)
#define MAX_NESTING 64
#define MAX_INCLUDES 10 /* libconfig's own limit */
#define MAX_FILES 1000
#define MAX_MEMBERS 1000
#define MAX_SETTINGS 1000000

/* What all files of a configuration have in common. members[d]: settings so far of the innermost group at depth d. */
struct totals {
	unsigned files, settings, depth, members[MAX_NESTING + 1];
	size_t bytes;
	bool stop; /* a limit is passed: there is no use in going on */
};

struct scan {
	const char *at, *end;
	unsigned line;
	const char *name, *folder;
	unsigned includes; /* files around this one */
	char place[600];
	struct totals *totals;
	struct base_errors *errors;
};

int xp_slurp(const char *path, char **out, size_t *bytes, const char **why)
{
	*out = NULL;
	*bytes = 0;
	*why = NULL;
	int fd = path ? base_open_input(path, true, why) : -1;
	FILE *file = !path ? stdin : fd >= 0 ? fdopen(fd, "rb") : NULL;
	if (!file && fd >= 0)
		*why = strerror(errno);
	if (!file)
		return -1;
	size_t cap = 0, n = 0;
	while (!*why) {
		if (n + 4096 > cap) {
			cap = cap ? 2 * cap : 16384;
			*out = base_realloc(*out, cap + 1);
		}
		size_t got = fread(*out + n, 1, cap - n, file);
		n += got;
		if (n > MAX_BYTES)
			*why = "is longer than 64 MiB";
		else if (ferror(file))
			*why = strerror(errno);
		else if (!got)
			break;
	}
	if (path)
		fclose(file);
	if (*why) {
		free(*out);
		*out = NULL;
		return -1;
	}
	(*out)[n] = 0;
	*bytes = n;
	return 0;
}

static const char *place(struct scan *s)
{
	snprintf(s->place, sizeof s->place, "@%.500s:%u", s->name, s->line);
	return s->place;
}

static int scan_text(struct scan *s);

static int stop(struct scan *s)
{
	s->totals->stop = true;
	return -1;
}

static int include_file(struct scan *s, const char *file)
{
	char path[4096];
	if (s->includes >= MAX_INCLUDES) {
		base_errorf(s->errors, place(s), "@include \"%s\": files include each other more than %d deep", file,
		            MAX_INCLUDES);
		return stop(s);
	}
	if (++s->totals->files > MAX_FILES) {
		base_errorf(s->errors, place(s), "@include \"%s\": more than %d files are included in all", file,
		            MAX_FILES);
		return stop(s);
	}
	if (s->folder && file[0] != '/')
		snprintf(path, sizeof path, "%s/%s", s->folder, file);
	else
		snprintf(path, sizeof path, "%s", file);
	char *text;
	size_t bytes;
	const char *why;
	struct stat st;
	if (!stat(path, &st) && !S_ISREG(st.st_mode)) /* libconfig reads it again */
		return base_errorf(s->errors, place(s), "cannot include \"%s\": not a regular file", path);
	if (xp_slurp(path, &text, &bytes, &why))
		return base_errorf(s->errors, place(s), "cannot include \"%s\": %s", path, why);
	s->totals->bytes += bytes;
	if (s->totals->bytes > MAX_BYTES) {
		free(text);
		base_errorf(s->errors, place(s), "@include \"%s\": more than 64 MiB are included in all", file);
		return stop(s);
	}
	struct scan inner = { .at = text,
		              .end = text + bytes,
		              .line = 1,
		              .totals = s->totals,
		              .name = path,
		              .folder = s->folder,
		              .includes = s->includes + 1,
		              .errors = s->errors };
	int status = scan_text(&inner);
	free(text);
	return status;
}

/* s->at stands on "@include"; libconfig allows it at the beginning of a line only. */
static int scan_include(struct scan *s)
{
	const char *p = s->at + strlen("@include");
	while (p < s->end && (*p == ' ' || *p == '\t'))
		p++;
	if (p == s->end || *p != '"')
		return 0; /* libconfig calls it a syntax error */
	const char *first = ++p;
	while (p < s->end && *p != '"' && *p != '\n')
		p++;
	if (p == s->end || *p != '"' || p == first || p - first > 2000) {
		s->at = s->end;
		return base_errorf(s->errors, place(s), "@include needs a file name in quotes");
	}
	char file[2048];
	memcpy(file, first, (size_t)(p - first));
	file[p - first] = 0;
	s->at = p + 1;
	if (strchr(file, '\\'))
		return base_errorf(s->errors, place(s), "@include: a file name with a backslash cannot be read");
	return include_file(s, file);
}

static int scan_number(struct scan *s)
{
	char word[64];
	const char *first = s->at;
	if (*s->at == '-' || *s->at == '+')
		s->at++;
	while (s->at < s->end && (isalnum((unsigned char)*s->at) || *s->at == '.' ||
	                          ((*s->at == '-' || *s->at == '+') && (s->at[-1] == 'e' || s->at[-1] == 'E'))))
		s->at++;
	size_t length = (size_t)(s->at - first);
	if (length >= sizeof word)
		return base_errorf(s->errors, place(s), "a number has %zu characters, which is too long", length);
	memcpy(word, first, length);
	word[length] = 0;
	const char *digits = word + (*word == '-' || *word == '+');
	bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
	if (!hex && strpbrk(word, ".eE"))
		return 0; /* a floating-point number; whether it is finite is checked by its parameter */
	char *end;
	errno = 0;
	long long value = strtoll(word, &end, hex ? 16 : 10);
	if (errno == ERANGE)
		return base_errorf(s->errors, place(s), "%s does not fit into 64 bits", word);
	if (*end != 'L' && (value > INT32_MAX || value < INT32_MIN))
		return base_errorf(s->errors, place(s),
		                   "%s needs the suffix L (%sL): libconfig reads whole numbers without it as 32 bits",
		                   word, word);
	return 0;
}

static void skip_comment(struct scan *s)
{
	if (s->at[0] == '/' && s->at[1] == '*') {
		s->at += 2;
		while (s->at < s->end && !(s->at[0] == '*' && s->at[1] == '/'))
			s->line += *s->at++ == '\n';
		if (s->at < s->end)
			s->at += 2;
		return;
	}
	while (s->at < s->end && *s->at != '\n')
		s->at++;
}

static void skip_string(struct scan *s)
{
	s->at++;
	while (s->at < s->end && *s->at != '"') {
		if (*s->at == '\\' && s->at + 1 < s->end)
			s->at++;
		s->line += *s->at++ == '\n';
	}
	if (s->at < s->end)
		s->at++;
}

static void skip_name(struct scan *s)
{
	while (s->at < s->end && (isalnum((unsigned char)*s->at) || strchr("-_*", *s->at)))
		s->at++;
}

/* "=" or ":" after a name. */
static int scan_setting(struct scan *s)
{
	struct totals *t = s->totals;
	s->at++;
	if (++t->members[t->depth] > MAX_MEMBERS) {
		base_errorf(s->errors, place(s), "one group has more than %d settings", MAX_MEMBERS);
		return stop(s);
	}
	if (++t->settings > MAX_SETTINGS) {
		base_errorf(s->errors, place(s), "the file has more than %d settings", MAX_SETTINGS);
		return stop(s);
	}
	return 0;
}

static int scan_bracket(struct scan *s)
{
	struct totals *t = s->totals;
	s->at++;
	if (t->depth == MAX_NESTING) {
		base_errorf(s->errors, place(s), "groups and lists are nested more than %d levels deep", MAX_NESTING);
		return stop(s);
	}
	t->members[++t->depth] = 0;
	return 0;
}

static bool starts_number(const struct scan *s)
{
	char c = *s->at;
	return isdigit((unsigned char)c) || ((c == '-' || c == '+') && isdigit((unsigned char)s->at[1]));
}

/* One token. The text is NUL ended, so that looking one byte ahead is always allowed. */
static int scan_token(struct scan *s)
{
	unsigned char c = (unsigned char)*s->at;
	if (c == '\n') {
		s->line++;
		s->at++;
	} else if (c == '"') {
		skip_string(s);
	} else if (c == '#' || (c == '/' && (s->at[1] == '/' || s->at[1] == '*'))) {
		skip_comment(s);
	} else if (c == '@' && !strncmp(s->at, "@include", 8)) {
		const char *before = s->at;
		int status = scan_include(s);
		if (s->at == before)
			s->at += 8;
		return status;
	} else if (starts_number(s)) {
		return scan_number(s);
	} else if (isalpha(c) || c == '*') {
		skip_name(s);
	} else if (c == '{' || c == '(' || c == '[') {
		return scan_bracket(s);
	} else if (c == '}' || c == ')' || c == ']') {
		s->at++;
		s->totals->depth -= s->totals->depth > 0;
	} else if (c == '=' || c == ':') {
		return scan_setting(s);
	} else if (c < ' ' && !strchr("\t\r\f", c)) {
		s->at = s->end;
		return base_errorf(s->errors, place(s), "byte %u is not allowed in a text file", c);
	} else {
		s->at++;
	}
	return 0;
}

static int scan_text(struct scan *s)
{
	int status = 0;
	const char *nul = memchr(s->at, 0, (size_t)(s->end - s->at));
	if (nul) {
		for (const char *p = s->at; p < nul; p++)
			s->line += *p == '\n';
		return base_errorf(s->errors, place(s), "byte 0 is not allowed in a text file");
	}
	while (s->at < s->end && !s->totals->stop)
		if (scan_token(s))
			status = -1;
	return status;
}

int xp_scan(const char *text, size_t bytes, const char *name, const char *folder, struct base_errors *errors)
{
	struct totals totals = { .bytes = bytes };
	struct scan s = { .at = text,
		          .end = text + bytes,
		          .line = 1,
		          .name = name,
		          .folder = folder,
		          .totals = &totals,
		          .errors = errors };
	return scan_text(&s);
}
