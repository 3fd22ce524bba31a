/* workload/formats/recorded/recorded_text.c - see recorded_text.h
 *
 * A cursor is a position in the file: word[0] is that of the next line, relative to the rank's first one, word[1] its
 * line number, likewise. The file is mapped; if it has become shorter meanwhile, zeros are read, which are not a call.
 */
#include "workload/formats/recorded/recorded_text.h"
#include "workload/formats/recorded/recorded_line.h"

#include "base/input.h"
#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_RANKS (1u << 24)
#define MOST_TOLD 20u

static enum mpi_next next(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *at, struct mpi_call *call,
                          struct base_errors *errors)
{
	const struct recorded_text *t = s->data;
	const struct recorded_part *p = &t->part[rank];
	while (p->at + at->word[0] < p->end) {
		const char *begin = t->bytes + p->at + at->word[0];
		const char *end = memchr(begin, '\n', (size_t)(t->bytes + p->end - begin));
		struct recorded_line l = { begin, end ? end : t->bytes + p->end, t, p->line + at->word[1], errors };
		at->word[0] += (uint64_t)(l.end - begin) + (end != NULL);
		at->word[1]++;
		int status = recorded_read_call(&l, call);
		if (status)
			return status < 0 ? WL_MPI_UNREADABLE : WL_MPI_CALL;
	}
	return WL_MPI_END;
}

static void place_of_call(const struct mpi_source *s, uint32_t rank, const struct mpi_cursor *at, char *out,
                          size_t room)
{
	const struct recorded_text *t = s->data;
	const char *p = t->bytes + t->part[rank].at + at->word[0], *end = t->bytes + t->part[rank].end;
	uint64_t line = t->part[rank].line + at->word[1];
	for (; p < end && (isspace((unsigned char)*p) || *p == '#'); p++) { /* lines without a call */
		if (*p == '#' && !(p = memchr(p, '\n', (size_t)(end - p))))
			break;
		line += *p == '\n';
	}
	snprintf(out, room, "%.150s:%" PRIu64, t->path, line);
}

static bool changed(const struct mpi_source *s, char *out, size_t room)
{
	const struct recorded_text *t = s->data;
	snprintf(out, room, "%s", t->path);
	return t->mapped && base_mapped_changed(t->mapped);
}

static void close_text(struct mpi_source *s)
{
	struct recorded_text *t = s->data;
	if (!t)
		return;
	base_unmap_file(t->mapped);
	free(t->part);
	free(t->path);
	free(t);
	s->data = NULL;
}

static const struct mpi_source_ops ops = { next, place_of_call, changed, close_text };

/* --- opening ---------------------------------------------------------------------------------------------- */

static int map_file(struct recorded_text *t, struct base_errors *errors)
{
	char key[600];
	struct stat st;
	const char *why = "is empty";
	int file = base_open_input(t->path, false, &why);
	snprintf(key, sizeof key, "@%s", t->path);
	if (file < 0)
		return base_errorf(errors, key, "%s", why);
	t->n = fstat(file, &st) ? 0 : (size_t)st.st_size;
	t->mapped = t->n ? base_map_file(file, t->n, &why) : NULL;
	close(file);
	if (!t->mapped)
		return base_errorf(errors, key, "%s", why);
	t->bytes = t->mapped->bytes;
	return 0;
}

/* The rest of "ranks N" or "ranks N end", and of "rank R". */
static int read_head(struct recorded_line *l, uint32_t ranks, uint64_t *value, bool *promised)
{
	char word[RECORDED_WORD];
	while (l->at < l->end && *l->at == ' ')
		l->at++;
	if (recorded_read_word(l, ranks ? ranks - 1 : MOST_RANKS, value) || (!ranks && !*value))
		return -1;
	if (!recorded_next_word(l, word))
		return 0;
	*promised = !ranks && !strcmp(word, "end");
	return *promised && !recorded_next_word(l, word) ? 0 : -1;
}

/* "ranks N", and "rank R" before the lines of each. */
static int find_parts(struct recorded_text *t, uint32_t *ranks, struct base_errors *errors)
{
	struct recorded_line l = { .text = t, .errors = errors };
	struct recorded_part *part = NULL;
	char word[RECORDED_WORD];
	uint64_t value;
	bool ended = false;
	for (size_t at = 0; at < t->n;) {
		const char *begin = t->bytes + at, *end = memchr(begin, '\n', t->n - at);
		size_t line = at;
		l.at = begin;
		l.end = end ? end : t->bytes + t->n;
		l.number++;
		at += (size_t)(l.end - begin) + (end != NULL);
		if (!recorded_next_word(&l, word))
			continue;
		bool is_rank = !strcmp(word, "rank");
		if (ended)
			return recorded_fail(&l, "\"%s\": nothing may follow the line \"end\"", word);
		ended = t->promised && end && !strcmp(word, "end") && !recorded_next_word(&l, word);
		if (ended) {
			if (part)
				part->end = line;
			continue;
		}
		if (!*ranks ? strcmp(word, "ranks") != 0 : !is_rank && !part)
			return recorded_fail(
			    &l, *ranks ? "\"%s\": \"rank R\" is expected" : "\"%s\": \"ranks N\" is expected", word);
		if (*ranks && !is_rank)
			continue;
		if (read_head(&l, *ranks, &value, &t->promised))
			return recorded_fail(&l, "\"%s\" has a number that is not permitted",
			                     is_rank ? "rank" : "ranks");
		if (!*ranks) {
			*ranks = (uint32_t)value;
			t->part = base_calloc(*ranks, sizeof *t->part);
			continue;
		}
		if (part)
			part->end = line;
		part = &t->part[value];
		if (part->line)
			return recorded_fail(&l, "%s is defined twice", "this rank");
		*part = (struct recorded_part){ at, t->n, l.number + 1 };
	}
	if (*ranks && t->promised && !ended)
		return recorded_fail(&l, "%s",
		                     "is truncated: according to its line \"ranks\" its last line must be \"end\"");
	return *ranks ? 0 : recorded_fail(&l, "%s", "there is no line \"ranks N\"");
}

int mpi_text_open(struct mpi_source *out, const char *path, struct base_errors *errors)
{
	struct recorded_text *t = base_calloc(1, sizeof *t);
	*out = (struct mpi_source){ .ops = &ops, .data = t };
	t->path = base_strdup(path);
	if (!map_file(t, errors) && !find_parts(t, &out->ranks, errors))
		return 0;
	close_text(out);
	return -1;
}

int mpi_text_check(const struct mpi_source *s, struct base_errors *errors)
{
	struct mpi_call call = { 0 };
	size_t before = errors->errors;
	for (uint32_t rank = 0; rank < s->ranks && errors->errors < before + MOST_TOLD; rank++) {
		struct mpi_cursor at = { { 0 } };
		enum mpi_next status;
		do {
			mpi_call_reset(&call);
			status = next(s, rank, &at, &call, errors);
		} while (status == WL_MPI_CALL);
	}
	mpi_call_free(&call);
	return errors->errors == before ? 0 : -1;
}

int mpi_text_parse(struct mpi_source *out, const char *bytes, size_t n, const char *name, struct base_errors *errors)
{
	struct recorded_text *t = base_calloc(1, sizeof *t);
	*out = (struct mpi_source){ .ops = &ops, .data = t };
	t->path = base_strdup(name);
	t->bytes = bytes;
	t->n = n;
	if (!find_parts(t, &out->ranks, errors))
		return 0;
	close_text(out);
	return -1;
}
