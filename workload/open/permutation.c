/* workload/open/permutation.c - see permutation.h */
#include "workload/open/permutation.h"

#include "base/input.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#define MOST_ERRORS 20u
#define LINE_BYTES 256

struct permutation_reader {
	uint32_t *to;
	bool *taken;
	uint32_t endpoints;
	const char *file;
	unsigned line, problems;
	struct base_errors *errors;
};

static void problem(struct permutation_reader *r, const char *text, const char *word)
{
	if (r->problems++ < MOST_ERRORS)
		base_errorf(r->errors, "file", "%s:%u: %s%s%.40s%s", r->file, r->line, text, word ? ": \"" : "",
		            word ? word : "", word ? "\"" : "");
}

static bool read_endpoint(struct permutation_reader *r, const char *word, uint32_t *out)
{
	uint64_t value = 0;
	for (const char *c = word; *c; c++) {
		if (*c < '0' || *c > '9') {
			problem(r, "must be the number of an endpoint", word);
			return false;
		}
		value = value > UINT32_MAX ? value : 10 * value + (uint64_t)(*c - '0');
	}
	if (value >= r->endpoints) {
		char text[80];
		snprintf(text, sizeof text, "endpoints are numbered from 0 to %" PRIu32, r->endpoints - 1);
		problem(r, text, word);
		return false;
	}
	*out = (uint32_t)value;
	return true;
}

static void read_line(struct permutation_reader *r, char *line)
{
	char *save = NULL, *word[3] = { NULL };
	uint32_t from, to;
	line[strcspn(line, "#\r\n")] = 0;
	for (int i = 0; i < 3; i++)
		word[i] = strtok_r(i ? NULL : line, " \t", &save);
	if (!word[0])
		return;
	if (!word[1] || word[2]) {
		problem(r, "must be \"SOURCE DESTINATION\"", NULL);
		return;
	}
	if (!read_endpoint(r, word[0], &from) || !read_endpoint(r, word[1], &to))
		return;
	if (from == to)
		problem(r, "an endpoint must not send to itself: remove the line", word[0]);
	else if (r->to[from] != UINT32_MAX)
		problem(r, "this endpoint already sends in another line", word[0]);
	else if (r->taken[to])
		problem(r, "this endpoint already receives in another line", word[1]);
	else {
		r->to[from] = to;
		r->taken[to] = true;
	}
}

int wl_read_permutation(uint32_t *to, uint32_t endpoints, const char *file, struct base_errors *errors)
{
	char line[LINE_BYTES];
	struct permutation_reader r = { .to = to, .endpoints = endpoints, .file = file, .errors = errors };
	memset(to, 0xff, endpoints * sizeof *to);
	const char *why = "out of memory";
	int fd = base_open_input(file, false, &why);
	gzFile in = fd >= 0 ? gzdopen(fd, "rb") : NULL;
	if (!in) {
		if (fd >= 0)
			close(fd);
		return base_errorf(errors, "file", "%s cannot be opened: %s", file, why);
	}
	r.taken = base_calloc(endpoints, sizeof *r.taken);
	while (gzgets(in, line, sizeof line)) {
		r.line++;
		if (strlen(line) == sizeof line - 1 && line[sizeof line - 2] != '\n') {
			problem(&r, "a line is too long", NULL);
			break;
		}
		read_line(&r, line);
	}
	int status = Z_OK;
	why = gzerror(in, &status);
	if (status != Z_OK && status != Z_STREAM_END) {
		r.problems++;
		base_errorf(errors, "file", "%s cannot be read: %s", file,
		            status == Z_ERRNO       ? strerror(errno)
		            : status == Z_BUF_ERROR ? "it is truncated"
		                                    : why);
	}
	gzclose_r(in);
	if (r.problems > MOST_ERRORS)
		base_errorf(errors, "file", "%s: %u more errors of this kind", file, r.problems - MOST_ERRORS);
	free(r.taken);
	return r.problems ? -1 : 0;
}

int wl_write_permutation(const uint32_t *to, const bool *marked, uint32_t endpoints, FILE *out)
{
	for (uint32_t e = 0; e < endpoints; e++)
		if (to[e] != e)
			fprintf(out, "%" PRIu32 " %" PRIu32 "%s\n", e, to[e], marked && marked[e] ? " # +" : "");
	return ferror(out) ? -1 : 0;
}
