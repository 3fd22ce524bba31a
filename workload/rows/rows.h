/* workload/rows/rows.h - text files of rows of numbers, as CSV or with blanks between cells, plain or gzip, read line
 * by line: traffic matrices, flows, distributions of sizes. Inside workload/ only.
 *
 * What follows # is a comment, and lines without cells are passed over. A file is read in the memory of its longest
 * line. Every problem is an error of the key that named the file, with FILE:LINE; the first WL_ROWS_ERRORS are listed,
 * the others counted. */
#ifndef WORKLOAD_ROWS_H
#define WORKLOAD_ROWS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WL_ROWS_ERRORS 20u
#define WL_ROWS_LINE ((size_t)64 << 20) /* bytes of the longest line */

struct wl_cell {
	const char *at; /* not terminated */
	uint32_t length;
};

struct wl_rows {
	const char *file, *key;
	struct base_errors *errors;
	uint32_t line; /* number of the row's line, from 1 on */
	uint32_t problems;
	struct wl_cell *cell; /* of the row */
	size_t cells;
	/* private to rows.c */
	void *in; /* gzFile */
	char *text;
	size_t begin, end, room, cell_room;
	bool last_open, done;
};

/* -1 with an error if the file cannot be opened; else it is to be closed. */
int wl_rows_open(struct wl_rows *r, const char *file, const char *key, struct base_errors *errors);
/* Reads the next row that has cells. Returns false if there is none, or if the file cannot be read further. */
bool wl_rows_next(struct wl_rows *r);
/* Closes the file. Returns -1 if there were problems in its rows or in reading it. */
int wl_rows_close(struct wl_rows *r);
/* Reports a problem of the current row, with the text of the cell unless that is NULL. */
void wl_rows_problem(struct wl_rows *r, const struct wl_cell *cell, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Is the text of the cell this word, without regard to case? */
bool wl_cell_is(const struct wl_cell *c, const char *word);
/* Does the text of the cell begin like a number, or is it a number that is not finite? */
bool wl_cell_is_number(const struct wl_cell *c);
/* Reads a cell that is a whole number up to `most`; "1e6" and "1000000.0" are whole numbers, too. Returns false if it
 * is none, or exceeds `most`. */
bool wl_cell_count(const struct wl_cell *c, uint64_t most, uint64_t *out);

/* A decimal number that is not negative, times 10^places, rounded to the nearest: exact, without floating point. */
enum wl_decimal { WL_DECIMAL_GOOD, WL_DECIMAL_NONE, WL_DECIMAL_NEGATIVE, WL_DECIMAL_NOT_FINITE, WL_DECIMAL_TOO_LARGE };
enum wl_decimal wl_cell_decimal(const struct wl_cell *c, unsigned places, uint64_t *out);
/* The same as a floating point number. */
enum wl_decimal wl_cell_real(const struct wl_cell *c, double *out);
/* Reports what is wrong with a cell that should hold `what`, "a rate". */
void wl_rows_bad_decimal(struct wl_rows *r, const struct wl_cell *c, enum wl_decimal why, const char *what);

#endif
