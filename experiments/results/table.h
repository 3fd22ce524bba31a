/* experiments/results/table.h - a table of columns, filled cell by cell; printed as aligned text or as CSV.
 *
 * A table is initially zero. xp_table_print(), xp_table_rows() and xp_table_csv() print and free it. */
#ifndef EXPERIMENTS_RESULTS_TABLE_H
#define EXPERIMENTS_RESULTS_TABLE_H

#include "base/json.h"

#include <jansson.h>
#include <stdio.h>

struct xp_table {
	struct xp_table_column {
		char *head;
		char format[16]; /* of numbers */
		int width;       /* characters; negative: aligned left */
		bool fits;       /* wider cells make it wider; else they move what is behind them */
	} * column;
	size_t columns;
	char **cell; /* [rows][columns + 1], the last one what stands behind the row; NULL: nothing */
	size_t rows, at;
	int gap;            /* spaces between columns; 0: two */
	const char *indent; /* before each row and the head; NULL: nothing */
	const char *behind; /* the heads: that of notes; NULL: none */
	bool open;          /* a row has begun */
};

/* Adds a column; must be called before any row is added. width 0: the column is as wide as its widest cell,
 * left-aligned. XP_FITS: as wide as its widest cell, right-aligned. */
#define XP_FITS 1000
void xp_table_column(struct xp_table *t, const char *head, int width, const char *format);
/* Adds several columns, separated by "|", as in "endpoints:9:%.0f|name|place". Each has a title, and optionally a width
 * and a printf format of its numbers; without a format, numbers have up to ten digits. */
void xp_table_layout(struct xp_table *t, const char *columns);

/* Each function adds the next cell of the current row. Missing values (numbers that are not finite, NULL, JSON null)
 * are printed as "-" in text, and as an empty cell in CSV. */
void xp_table_number(struct xp_table *t, double value);
void xp_table_number_as(struct xp_table *t, double value, const char *format);
void xp_table_cell(struct xp_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void xp_table_text(struct xp_table *t, const char *text);
void xp_table_value(struct xp_table *t, const json_t *scalar);
/* The next cells. */
#define xp_table_numbers(t, ...)                                 \
	xp_table_add_numbers(t, (const double[]){ __VA_ARGS__ }, \
	                     sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double))
void xp_table_add_numbers(struct xp_table *t, const double *v, size_t n);
#define xp_table_texts(t, ...)                                      \
	xp_table_add_texts(t, (const char *const[]){ __VA_ARGS__ }, \
	                   sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))
void xp_table_add_texts(struct xp_table *t, const char *const *v, size_t n);
/* Ends the current row, which may have fewer cells than there are columns. xp_table_note() adds a note after the last
 * cell of the row, in text output only. */
void xp_table_end(struct xp_table *t);
void xp_table_note(struct xp_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void xp_table_print(struct xp_table *t, FILE *out);
/* Prints the rows of a table without the line of column titles, and frees it. */
void xp_table_rows(struct xp_table *t, FILE *out);
void xp_table_free(struct xp_table *t);
/* Writes a cell of a CSV file, quoted if RFC 4180 requires it. */
void xp_table_csv(struct xp_table *t, struct base_buffer *out);

#endif
