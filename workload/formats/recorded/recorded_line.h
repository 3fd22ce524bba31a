/* workload/formats/recorded/recorded_line.h - one line of a recording, converted to a call. */
#ifndef WORKLOAD_FORMATS_RECORDED_RECORDED_LINE_H
#define WORKLOAD_FORMATS_RECORDED_RECORDED_LINE_H

#include "base/mapped.h"
#include "workload/mpi/call.h"

#define RECORDED_WORD 48u /* bytes of a word */

struct recorded_part {
	size_t at, end; /* of the rank's lines */
	uint64_t line;
};

struct recorded_text {
	char *path;
	const char *bytes;
	size_t n;
	struct base_mapped *mapped; /* NULL: the bytes are the caller's */
	struct recorded_part *part; /* [ranks] */
	bool promised;              /* "ranks N end": its last line is "end" */
};

struct recorded_line {
	const char *at, *end;
	const struct recorded_text *text;
	uint64_t number;
	struct base_errors *errors;
};

/* Adds an error at a word of the line. Returns -1. */
int recorded_fail(const struct recorded_line *l, const char *fmt, const char *word);
/* Reads the next word of a line, terminated by white space or a comment; false: there is none. */
bool recorded_next_word(struct recorded_line *l, char *out);
/* Reads the next number of the line, at most `most`. -1: there is no such number. */
int recorded_read_word(struct recorded_line *l, uint64_t most, uint64_t *out);
/* Converts a line to a call. Returns 1 if the line contains a call, 0 if it is empty, -1 with an error. */
int recorded_read_call(struct recorded_line *l, struct mpi_call *c);

#endif
