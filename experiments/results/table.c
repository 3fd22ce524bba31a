/* experiments/results/table.c - see table.h */
#include "experiments/results/table.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void xp_table_column(struct xp_table *t, const char *head, int width, const char *format)
{
	bool fits = !width || width == XP_FITS;
	t->column = base_realloc(t->column, (t->columns + 1) * sizeof *t->column);
	struct xp_table_column *c = &t->column[t->columns++];
	*c = (struct xp_table_column){ .head = base_strdup(head), .width = width, .fits = fits };
	if (fits)
		c->width = width ? base_columns(head) : -base_columns(head);
	snprintf(c->format, sizeof c->format, "%s", format ? format : "%.10g");
}

void xp_table_layout(struct xp_table *t, const char *columns)
{
	char *copy = base_strdup(columns), *rest = copy, *column;
	while ((column = strsep(&rest, "|"))) {
		const char *head = strsep(&column, ":"), *width = strsep(&column, ":");
		xp_table_column(t, head, width ? atoi(width) : 0, column);
	}
	free(copy);
}

/* --- cells ------------------------------------------------------------------------------------------------ */

/* Takes a text over. */
static void put(struct xp_table *t, char *text)
{
	size_t stride = t->columns + 1;
	if (!t->open) {
		t->cell = base_realloc(t->cell, (t->rows + 1) * stride * sizeof *t->cell);
		memset(t->cell + t->rows++ * stride, 0, stride * sizeof *t->cell);
		t->at = 0;
		t->open = true;
	}
	struct xp_table_column *c = &t->column[t->at];
	int columns = text && t->at < t->columns ? base_columns(text) : 0;
	if (columns && c->fits && columns > abs(c->width))
		c->width = c->width < 0 ? -columns : columns;
	t->cell[(t->rows - 1) * stride + t->at++] = text;
}

void xp_table_text(struct xp_table *t, const char *text)
{
	put(t, text ? base_strdup(text) : NULL);
}

void xp_table_cell(struct xp_table *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	put(t, base_vformat(fmt, ap));
	va_end(ap);
}

void xp_table_number_as(struct xp_table *t, double value, const char *format)
{
	put(t, isfinite(value) ? base_format(format, value) : NULL);
}

void xp_table_number(struct xp_table *t, double value)
{
	xp_table_number_as(t, value, t->column[t->open ? t->at : 0].format);
}

void xp_table_value(struct xp_table *t, const json_t *scalar)
{
	if (json_is_integer(scalar))
		xp_table_cell(t, "%" JSON_INTEGER_FORMAT, json_integer_value(scalar));
	else if (json_is_real(scalar))
		xp_table_number(t, json_real_value(scalar));
	else if (json_is_boolean(scalar))
		xp_table_text(t, json_is_true(scalar) ? "true" : "false");
	else
		xp_table_text(t, json_string_value(scalar));
}

void xp_table_add_numbers(struct xp_table *t, const double *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		xp_table_number(t, v[i]);
}

void xp_table_add_texts(struct xp_table *t, const char *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		xp_table_text(t, v[i]);
}

static char ended[] = ""; /* stands for the cells that a row does not have */

static void end_row(struct xp_table *t, char *note)
{
	if (t->at < t->columns)
		put(t, ended);
	t->at = t->columns;
	put(t, note);
	t->open = false;
}

void xp_table_end(struct xp_table *t)
{
	end_row(t, NULL);
}

void xp_table_note(struct xp_table *t, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	end_row(t, base_vformat(fmt, ap));
	va_end(ap);
}

/* --- printing --------------------------------------------------------------------------------------------- */

void xp_table_free(struct xp_table *t)
{
	for (size_t i = 0; i < t->columns; i++)
		free(t->column[i].head);
	for (size_t i = 0; i < t->rows * (t->columns + 1); i++)
		free(t->cell[i] == ended ? NULL : t->cell[i]);
	free(t->column);
	free(t->cell);
	*t = (struct xp_table){ .gap = t->gap, .indent = t->indent };
}

/* A cell; a text in the last column gets no spaces behind it. */
static void print_cell(const struct xp_table *t, size_t i, const char *text, bool last, FILE *out)
{
	int width = t->column[i].width;
	fprintf(out, "%*s", i ? t->gap ? t->gap : 2 : 0, "");
	if (width < 0 && last)
		fputs(text, out);
	else if (width < 0)
		fprintf(out, "%-*s", base_field(text, -width), text);
	else
		fprintf(out, "%*s", base_field(text, width), text);
}

void xp_table_rows(struct xp_table *t, FILE *out)
{
	const char *indent = t->indent ? t->indent : "";
	for (size_t r = 0; r < t->rows; r++) {
		char *const *cell = t->cell + r * (t->columns + 1);
		fputs(indent, out);
		for (size_t i = 0; i < t->columns && cell[i] != ended; i++)
			print_cell(t, i, cell[i] ? cell[i] : "-", i + 1 == t->columns, out);
		fprintf(out, "%s\n", cell[t->columns] ? cell[t->columns] : "");
	}
	xp_table_free(t);
}

void xp_table_print(struct xp_table *t, FILE *out)
{
	fputs(t->indent ? t->indent : "", out);
	for (size_t i = 0; i < t->columns; i++)
		print_cell(t, i, t->column[i].head, i + 1 == t->columns, out);
	fprintf(out, "%s\n", t->behind ? t->behind : "");
	xp_table_rows(t, out);
}

static void csv_cell(struct base_buffer *out, const char *text)
{
	bool quoted = text[strcspn(text, ",\"\n\r")];
	if (quoted)
		base_buffer_write(out, "\"", 1);
	for (; *text; text++)
		base_buffer_write(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
	if (quoted)
		base_buffer_write(out, "\"", 1);
}

void xp_table_csv(struct xp_table *t, struct base_buffer *out)
{
	for (size_t r = 0; r <= t->rows; r++)
		for (size_t i = 0; i < t->columns; i++) {
			const char *cell = r ? t->cell[(r - 1) * (t->columns + 1) + i] : t->column[i].head;
			csv_cell(out, cell ? cell : "");
			base_buffer_write(out, i + 1 < t->columns ? "," : "\n", 1);
		}
	xp_table_free(t);
}
