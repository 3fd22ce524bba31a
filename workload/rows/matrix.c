/* workload/rows/matrix.c - see matrix.h */
#include "workload/rows/matrix.h"

#include "base/memory.h"
#include "base/param.h"
#include "workload/rows/rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum matrix_column { SOURCE, DESTINATION, VALUE, COLUMNS };

struct matrix_reader {
	struct wl_rows rows;
	const char *noun, *plural;
	uint32_t size;
	bool diagonal, sparse, known; /* known: which of both it is */
	uint32_t at[COLUMNS];
	uint32_t row; /* dense: the next one's number */
	struct wl_matrix_cell *v;
	size_t n, cap;
};

static void add_cell(struct matrix_reader *r, uint32_t from, uint32_t to, double value, uint32_t line)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 1024;
		r->v = base_realloc(r->v, r->cap * sizeof *r->v);
	}
	r->v[r->n++] = (struct wl_matrix_cell){ from, to, value, line };
}

static bool read_value(struct matrix_reader *r, const struct wl_cell *c, double *out)
{
	enum wl_decimal found = wl_cell_real(c, out);
	if (found == WL_DECIMAL_GOOD)
		return true;
	wl_rows_bad_decimal(&r->rows, c, found, "a rate");
	return false;
}

static bool read_place(struct matrix_reader *r, const struct wl_cell *c, const char *what, uint32_t *out)
{
	uint64_t v;
	if (wl_cell_count(c, r->size - 1, &v)) {
		*out = (uint32_t)v;
		return true;
	}
	wl_rows_problem(&r->rows, c, "unknown %s: %s are numbered from 0 to %" PRIu32, what, r->plural, r->size - 1);
	return false;
}

static void read_triple(struct matrix_reader *r)
{
	const struct wl_cell *c = r->rows.cell;
	uint32_t from, to;
	double value;
	if (r->rows.cells != COLUMNS) {
		wl_rows_problem(&r->rows, NULL, "%zu values; expected are source, destination and a rate",
		                r->rows.cells);
		return;
	}
	bool good = read_place(r, &c[r->at[SOURCE]], "source", &from);
	good = read_place(r, &c[r->at[DESTINATION]], "destination", &to) && good;
	good = read_value(r, &c[r->at[VALUE]], &value) && good;
	if (good && from == to && value > 0 && !r->diagonal)
		wl_rows_problem(&r->rows, &c[r->at[DESTINATION]], "an %s does not send to itself", r->noun);
	else if (good)
		add_cell(r, from, to, value, r->rows.line);
}

static void read_dense_row(struct matrix_reader *r)
{
	double value;
	if (r->row == r->size) {
		wl_rows_problem(&r->rows, NULL, "more than %" PRIu32 " rows: there are no more %s", r->size, r->plural);
		r->rows.done = true;
		return;
	}
	if (r->rows.cells != r->size) {
		wl_rows_problem(&r->rows, NULL, "%zu values in row %" PRIu32 "; there are %" PRIu32 " %s",
		                r->rows.cells, r->row, r->size, r->plural);
		r->rows.done = true;
		return;
	}
	for (uint32_t to = 0; to < r->size; to++) {
		if (!read_value(r, &r->rows.cell[to], &value) || !(value > 0))
			continue;
		if (to == r->row && !r->diagonal)
			wl_rows_problem(&r->rows, &r->rows.cell[to], "%s %" PRIu32 " does not send to itself", r->noun,
			                to);
		else
			add_cell(r, r->row, to, value, r->rows.line);
	}
	r->row++;
}

static void read_head(struct matrix_reader *r)
{
	static const char *const names[] = { "source", "destination", "value", "rate", "weight", "load" };
	memset(r->at, 0xff, sizeof r->at);
	for (size_t i = 0; i < r->rows.cells; i++) {
		const struct wl_cell *c = &r->rows.cell[i];
		char word[64];
		uint32_t k = 0;
		while (k < sizeof names / sizeof *names && !wl_cell_is(c, names[k]))
			k++;
		snprintf(word, sizeof word, "%.*s", (int)(c->length < 60 ? c->length : 60), c->at);
		const char *near = base_nearest(word, names, sizeof names / sizeof *names);
		uint32_t column = k < VALUE ? k : VALUE;
		if (k == sizeof names / sizeof *names)
			wl_rows_problem(&r->rows, c, "unknown column%s%s%s", near ? ", did you mean " : "; there are ",
			                near ? near : "source, destination, and rate, weight, load or value",
			                near ? "?" : "");
		else if (r->at[column] != UINT32_MAX)
			wl_rows_problem(&r->rows, c, "a second column of this kind");
		else
			r->at[column] = (uint32_t)i;
	}
	for (uint32_t k = 0; k < COLUMNS && !r->rows.problems; k++)
		if (r->at[k] == UINT32_MAX)
			wl_rows_problem(&r->rows, NULL, "a column \"%s\" is missing", names[k]);
}

/* The first row decides: three values may be either if three are a row. */
static void decide(struct matrix_reader *r)
{
	r->known = true;
	if (!wl_cell_is_number(&r->rows.cell[0]) && r->rows.cells == COLUMNS) {
		r->sparse = true;
		read_head(r);
		r->rows.done |= r->rows.problems > 0;
		return;
	}
	r->sparse = r->rows.cells == COLUMNS && r->size != COLUMNS;
	for (uint32_t k = 0; k < COLUMNS; k++)
		r->at[k] = k;
	if (r->sparse)
		read_triple(r);
	else
		read_dense_row(r);
}

static int by_place(const void *a, const void *b)
{
	const struct wl_matrix_cell *x = a, *y = b;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Puts cells in order and leaves out those of 0. */
static void order_cells(struct matrix_reader *r)
{
	size_t kept = 0;
	if (r->sparse && r->n)
		qsort(r->v, r->n, sizeof *r->v, by_place);
	for (size_t i = 0; i < r->n; i++) {
		const struct wl_matrix_cell *c = &r->v[i];
		if (i && c->from == r->v[i - 1].from && c->to == r->v[i - 1].to) {
			r->rows.line = c->line;
			wl_rows_problem(&r->rows, NULL, "%s %" PRIu32 " to %" PRIu32 " is given twice", r->noun,
			                c->from, c->to);
		}
	}
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i].value > 0)
			r->v[kept++] = r->v[i];
	r->n = kept;
}

int wl_matrix_read(struct wl_matrix *out, const char *file, const char *key, const char *noun, const char *plural,
                   uint32_t size, bool diagonal, struct base_errors *errors)
{
	struct matrix_reader r = { .noun = noun, .plural = plural, .size = size, .diagonal = diagonal };
	*out = (struct wl_matrix){ 0 };
	if (wl_rows_open(&r.rows, file, key, errors))
		return -1;
	base_memory_for("%s: its traffic matrix", file);
	while (wl_rows_next(&r.rows)) {
		if (!r.known)
			decide(&r);
		else if (r.sparse)
			read_triple(&r);
		else
			read_dense_row(&r);
	}
	if (!r.rows.problems && r.known && !r.sparse && r.row < size)
		wl_rows_problem(&r.rows, NULL, "the file ends after %" PRIu32 " rows; there are %" PRIu32 " %s", r.row,
		                size, plural);
	order_cells(&r);
	if (!r.rows.problems && !r.n)
		wl_rows_problem(&r.rows, NULL, "the matrix is empty: nothing is sent");
	base_memory_made();
	if (wl_rows_close(&r.rows)) {
		free(r.v);
		return -1;
	}
	out->v = r.v;
	out->n = r.n;
	return 0;
}

void wl_matrix_free(struct wl_matrix *matrix)
{
	free(matrix->v);
	*matrix = (struct wl_matrix){ 0 };
}
