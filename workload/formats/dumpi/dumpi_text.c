/* workload/formats/dumpi/dumpi_text.c - the text form of DUMPI traces, as written by dumpi2ascii. A call is a line at
 * its entry, a line per argument ("int count=10", "MPI_Request requests[2]=[4, 1]") and a line at its return. Read
 * character by character, so that long lines need not be stored. */
#include "workload/formats/dumpi/dumpi_record.h"

#include "base/memory.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST (UINT64_C(1) << 26) /* characters */
#define WORD_MOST 48u

struct scanner {
	struct wl_bytes *b;
	uint64_t line; /* that is being read, from 1 */
	uint64_t line_at;
	int c; /* the character that is next, -1 at the end; '\n' is of its line */
};

static const struct {
	const char *name;
	char letter;
} argument[] = {
	{ "count", 'n' },     { "ndim", 'n' },         { "ndims", 'n' },       { "sendcount", 'n' },
	{ "recvcount", 'm' }, { "datatype", 't' },     { "sendtype", 't' },    { "oldtype", 't' },
	{ "intype", 't' },    { "recvtype", 'u' },     { "newtype", 'u' },     { "dest", 'd' },
	{ "source", 's' },    { "tag", 'g' },          { "sendtag", 'g' },     { "recvtag", 'h' },
	{ "comm", 'c' },      { "oldcomm", 'c' },      { "newcomm", 'w' },     { "request", 'a' },
	{ "requests", 'Q' },  { "index", 'j' },        { "flag", 'f' },        { "commute", 'f' },
	{ "outcount", 'o' },  { "indices", 'J' },      { "root", 'r' },        { "commrank", 'x' },
	{ "commsize", 'z' },  { "sendcounts", 'S' },   { "recvcounts", 'R' },  { "sendtypes", 'T' },
	{ "oldtypes", 'T' },  { "recvtypes", 'U' },    { "op", 'p' },          { "color", 'k' },
	{ "key", 'y' },       { "size", 'e' },         { "rank", 'e' },        { "blocklength", 'l' },
	{ "lengths", 'L' },   { "blocklengths", 'L' }, { "subsizes", 'L' },    { "group", '1' },
	{ "group1", '1' },    { "group2", '2' },       { "newgroup", '3' },    { "ranks", 'K' },
	{ "dims", 'D' },      { "periods", 'P' },      { "remain_dims", 'P' },
};

static void skip_character(struct scanner *s)
{
	s->c = wl_bytes_next(s->b);
}

/* A word of letters, digits and '_', cut to what fits. */
static const char *word(struct scanner *s, char out[WORD_MOST])
{
	unsigned n = 0;
	while (s->c >= 0 && (isalnum(s->c) || s->c == '_')) {
		if (n + 1 < WORD_MOST)
			out[n++] = (char)s->c;
		skip_character(s);
	}
	out[n] = 0;
	return out;
}

/* Skips to the beginning of the next line; as much of this one as fits is copied to out, if there is one. False: the
 * line is too long. */
static bool rest(struct scanner *s, char *out, size_t room)
{
	size_t n = 0;
	while (s->c >= 0 && s->c != '\n' && wl_bytes_place(s->b) - s->line_at < LINE_MOST) {
		if (n + 1 < room)
			out[n++] = (char)s->c;
		skip_character(s);
	}
	if (room)
		out[n] = 0;
	if (s->c >= 0 && s->c != '\n')
		return false;
	if (s->c == '\n') {
		s->line++;
		s->line_at = wl_bytes_place(s->b);
		skip_character(s);
	}
	return true;
}

/* A number with a sign; false: there is none, or it is beyond 32 bits. */
static bool read_number(struct scanner *s, int64_t *out)
{
	bool minus = s->c == '-', any = false;
	if (minus)
		skip_character(s);
	for (*out = 0; s->c >= '0' && s->c <= '9' && *out <= UINT32_MAX; skip_character(s)) {
		*out = 10 * *out + (s->c - '0');
		any = true;
	}
	if (minus)
		*out = -*out;
	return any && *out >= INT32_MIN && *out <= INT32_MAX;
}

static bool find_stamp(const char *text, const char *name, struct dumpi_stamp *out)
{
	const char *at = strstr(text, name);
	char *end;
	if (!at)
		return false;
	out->seconds = strtoull(at + strlen(name), &end, 10);
	out->ns = 0;
	if (*end == '.')
		out->ns = (uint32_t)strtoul(end + 1, NULL, 10);
	return true;
}

static void take_stamps(struct dumpi_record *r, const char *text, bool stop)
{
	r->whole_seconds = true;
	r->timed[DUMPI_WALL] = find_stamp(text, "walltime ", stop ? &r->stop[DUMPI_WALL] : &r->start[DUMPI_WALL]);
	r->timed[DUMPI_CPU] = find_stamp(text, "cputime ", stop ? &r->stop[DUMPI_CPU] : &r->start[DUMPI_CPU]);
}

static uint32_t find_function(const char *name)
{
	uint32_t i = 0;
	while (i < DUMPI_FUNCTIONS && (strncmp(name, "MPI_", 4) != 0 || strcmp(name + 4, dumpi_function[i].name) != 0))
		i++;
	return i;
}

static char find_argument(const struct dumpi_record *r, const char *name)
{
	for (size_t i = 0; i < sizeof argument / sizeof *argument; i++)
		if (!strcmp(name, argument[i].name) && strchr(dumpi_function[r->function].layout, argument[i].letter))
			return argument[i].letter;
	return 0;
}

/* What is behind '=': "14 (MPI_DOUBLE)" or "[4, 2, 1]". NULL, or what is wrong. */
static const char *take_value(struct scanner *s, struct dumpi_record *r, char letter)
{
	int64_t value = 0;
	bool array = letter >= 'A' && letter <= 'Z', bracket = s->c == '[';
	if (letter == 'E' || (array && !bracket))
		return "an array must be written as [1, 2, 3]";
	if (bracket)
		skip_character(s);
	if (!array) {
		if (!read_number(s, &value))
			return "is not a 32-bit number";
		dumpi_set(r, letter, (int32_t)value);
		return NULL;
	}
	struct mpi_list *list = dumpi_list(r, letter);
	list->n = 0;
	while (s->c != ']') {
		if (!read_number(s, &value))
			return "contains a value that is not a 32-bit number";
		mpi_list_add(list, (uint32_t)(int32_t)value);
		if (s->c == '(' || s->c == ' ') /* the name of a datatype */
			while (s->c >= 0 && s->c != ',' && s->c != ']' && s->c != '\n')
				skip_character(s);
		if (s->c == ',')
			skip_character(s);
		if (s->c == ' ')
			skip_character(s);
	}
	return NULL;
}

/* The arguments, up to the line of the return. */
static enum mpi_next take_arguments(const struct dumpi_file *f, struct scanner *s, struct dumpi_record *r,
                                    struct base_errors *errors)
{
	char type[WORD_MOST], name[WORD_MOST], text[160];
	for (;;) {
		if (s->c < 0)
			return dumpi_refuse(f, r, errors, "is truncated: there is no line that it returns");
		word(s, type);
		if (s->c == ' ')
			skip_character(s);
		word(s, name);
		if (!strcmp(name, "returning")) {
			if (find_function(type) != r->function)
				return dumpi_refuse(f, r, errors, "is entered, but %s returns", type);
			if (!rest(s, text, sizeof text))
				break;
			take_stamps(r, text, true);
			return WL_MPI_CALL;
		}
		if (s->c == '[') /* the length, which also follows from the values */
			while (s->c >= 0 && s->c != '=' && s->c != '\n')
				skip_character(s);
		if (!*type || !*name || s->c != '=')
			return dumpi_refuse(f, r, errors, "line %" PRIu64 " must be an argument (TYPE NAME=VALUE)",
			                    s->line);
		skip_character(s);
		char letter = find_argument(r, name);
		const char *wrong = letter ? take_value(s, r, letter) : NULL;
		if (wrong)
			return dumpi_refuse(f, r, errors, "line %" PRIu64 ": %s %s", s->line, name, wrong);
		if (!rest(s, NULL, 0))
			break;
	}
	return dumpi_refuse(f, r, errors, "has a line longer than 64 MiB");
}

/* Whether all arguments were there that a replay looks at. */
static enum mpi_next check_present(const struct dumpi_file *f, const struct dumpi_record *r, struct base_errors *errors)
{
	for (const char *at = dumpi_function[r->function].layout; *at; at++) {
		if (*at == '?')
			at++;
		else if (islower(*at) && !strchr("ivb", *at) && !dumpi_has(r, *at))
			for (size_t i = 0; i < sizeof argument / sizeof *argument; i++)
				if (argument[i].letter == *at)
					return dumpi_refuse(f, r, errors, "has no argument with a name such as %s",
					                    argument[i].name);
	}
	return WL_MPI_CALL;
}

enum mpi_next dumpi_read_text(const struct dumpi_file *f, uint64_t *at, uint64_t *line, struct dumpi_record *r,
                              struct base_errors *errors)
{
	char name[WORD_MOST], verb[WORD_MOST], text[160];
	struct scanner s = { .b = &r->window, .line = *line + 1, .line_at = *at };
	wl_bytes_move(s.b, &f->file, *at);
	skip_character(&s);
	for (;;) {
		dumpi_record_reset(r);
		r->function = DUMPI_FUNCTIONS;
		r->line = s.line;
		r->place = s.line_at;
		if (s.c < 0)
			return s.b->failed ? dumpi_refuse(f, r, errors, "cannot be read further") : WL_MPI_END;
		word(&s, name);
		if (s.c == ' ')
			skip_character(&s);
		word(&s, verb);
		if (!rest(&s, text, sizeof text))
			return dumpi_refuse(f, r, errors, "a line is longer than 64 MiB");
		if (strncmp(name, "MPI_", 4) != 0 || !strcmp(verb, "called"))
			continue; /* the header, what is counted at the end */
		if (strcmp(verb, "entering") != 0)
			return dumpi_refuse(f, r, errors, "%s returns without having been entered", name);
		break;
	}
	r->function = find_function(name);
	if (r->function == DUMPI_FUNCTIONS)
		return dumpi_refuse(f, r, errors, "%s is not a function of DUMPI", name);
	if (!dumpi_function[r->function].layout)
		return dumpi_refuse(f, r, errors, "is a call that cannot be replayed");
	take_stamps(r, text, false);
	enum mpi_next next = take_arguments(f, &s, r, errors);
	if (next != WL_MPI_CALL)
		return next;
	*at = s.line_at;
	*line = s.line - 1;
	return check_present(f, r, errors);
}

/* The sizes of datatypes, where dumpi2ascii -X wrote them: "Datatype 28 (user-defined-datatype) has size 240". */
static void take_size(struct dumpi_file *f, const char *text)
{
	unsigned long id;
	char *end;
	if (strncmp(text, "Datatype ", 9) != 0)
		return;
	id = strtoul(text + 9, &end, 10);
	const char *size = strstr(end, " has size ");
	if (!size || id > 65535)
		return;
	if (id >= f->sizes) {
		f->size = base_realloc(f->size, (id + 1) * sizeof *f->size);
		memset(f->size + f->sizes, 0, (id + 1 - f->sizes) * sizeof *f->size);
		f->sizes = (uint32_t)id + 1;
	}
	f->size[id] = (uint32_t)strtoul(size + 10, NULL, 10);
}

int dumpi_open_text(struct dumpi_file *f, struct base_errors *errors)
{
	char text[160], key[1200];
	struct wl_bytes window;
	struct scanner s = { .b = &window, .line = 1 };
	bool any = false;
	wl_bytes_begin(s.b, &f->file, 0);
	skip_character(&s);
	f->end = f->file.size;
	while (s.c >= 0) {
		uint64_t line = s.line;
		if (!rest(&s, text, sizeof text))
			return base_errorf(errors, wl_trace_key(f->file.path, line, key, sizeof key),
			                   "a line is longer than 64 MiB");
		any = any || strstr(text, " entering");
		take_size(f, text);
	}
	if (!any)
		return base_errorf(errors, wl_trace_key(f->file.path, 0, key, sizeof key),
		                   "is not output of dumpi2ascii: it contains no MPI call");
	return 0;
}
