/* experiments/sweep/table.c - the summary table as CSV and JSON Lines. */
#include "experiments/sweep/table.h"
#include "experiments/results/file.h"
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "experiments/sweep/plan.h"

#include "base/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One CSV field, quoted where RFC 4180 asks for it. */
static void csv_text(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\n\r")]) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_value(FILE *out, const json_t *value)
{
	if (json_is_string(value))
		csv_text(out, json_string_value(value));
	else if (json_is_boolean(value))
		fputs(json_is_true(value) ? "true" : "false", out);
	else if (json_is_integer(value))
		fprintf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		fprintf(out, "%.10g", json_real_value(value));
}

/* The rows there are, an array. */
static json_t *rows_of(const struct xp_sweep *sweep)
{
	json_t *rows = json_array();
	for (size_t p = 0; p < sweep->n; p++)
		if (sweep->point[p].row)
			json_array_append(rows, sweep->point[p].row);
	return rows;
}

static void write_csv(FILE *out, const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	fputs("name", out);
	for (size_t a = 0; a < e->naxes; a++) {
		fputc(',', out);
		csv_text(out, e->axis[a].name);
	}
	fputs(",state", out);
	struct xp_column c;
	for (size_t n = 1; xp_column_at(n, &c); n++)
		fprintf(out, ",%s", c.name);
	fputs(e->impact_job ? ",impact_ns,impact" : "", out);
	json_t *rows = rows_of(sweep), *parts = xp_parts_columns(rows), *part;
	size_t k;
	json_array_foreach (parts, k, part) {
		fputc(',', out);
		csv_text(out, json_string_value(part));
	}
	fputs(",repeats,published_accepted_load,message\n", out);
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		if (!row)
			continue;
		csv_text(out, sweep->point[p].name);
		for (size_t a = 0; a < e->naxes; a++) {
			fputc(',', out);
			csv_text(out, sweep->point[p].at[a]->label);
		}
		fprintf(out, ",%s", xp_text(row, "state"));
		for (size_t n = 1; xp_column_at(n, &c); n++) {
			fputc(',', out);
			csv_value(out, json_object_get(row, c.name));
		}
		for (size_t i = 0; e->impact_job && i < 2; i++) {
			fputc(',', out);
			csv_value(out, json_object_get(row, i ? "impact" : "impact_ns"));
		}
		json_array_foreach (parts, k, part) {
			fputc(',', out);
			csv_value(out, json_object_get(row, json_string_value(part)));
		}
		fputc(',', out);
		csv_value(out, json_object_get(row, "repeats"));
		double published = xp_published(e, json_object_get(row, "labels"), xp_row_x(e, row));
		if (isfinite(published))
			fprintf(out, ",%.10g,", published);
		else
			fputs(",,", out);
		csv_text(out, xp_text(row, "message"));
		fputc('\n', out);
	}
	json_decref(parts);
	json_decref(rows);
}

static void write_rows(FILE *out, const struct xp_sweep *sweep, const char *between)
{
	const char *before = "";
	for (size_t p = 0; p < sweep->n; p++) {
		if (!sweep->point[p].row)
			continue;
		char *text =
		    json_dumps(sweep->point[p].row, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
		fprintf(out, "%s%s\n", before, text ? text : "{}");
		before = between;
		free(text);
	}
}

static void write_lines(FILE *out, const struct xp_sweep *sweep)
{
	write_rows(out, sweep, "");
}

void xp_table_json(const struct xp_sweep *sweep)
{
	fputs("[", stdout);
	write_rows(stdout, sweep, ",");
	fputs("]\n", stdout);
}

/* Between which x each series is saturated first. */
static void write_saturation(FILE *out, const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	json_t *rows = rows_of(sweep), *table = xp_saturation(e, rows), *entry;
	size_t i;
	for (size_t a = 0; a < e->naxes; a++) {
		if (a == e->x)
			continue;
		csv_text(out, e->axis[a].name);
		fputc(',', out);
	}
	fputs("low,high\n", out);
	json_array_foreach (table, i, entry) {
		for (size_t a = 0; a < e->naxes; a++) {
			if (a == e->x)
				continue;
			csv_text(out, xp_text(json_object_get(entry, "labels"), e->axis[a].name));
			fputc(',', out);
		}
		csv_value(out, json_object_get(entry, "low"));
		fputc(',', out);
		csv_value(out, json_object_get(entry, "high"));
		fputc('\n', out);
	}
	json_decref(table);
	json_decref(rows);
}

static int write_table(const struct xp_sweep *sweep, const char *file, void (*print)(FILE *, const struct xp_sweep *),
                       struct base_errors *errors)
{
	char *text = NULL, *path = NULL;
	size_t bytes = 0;
	FILE *out = base_memory_stream(&text, &bytes);
	path = base_format("%s/%s", sweep->runs.folder, file);
	print(out, sweep);
	fclose(out);
	int status = xp_file_save(path, text, bytes, errors);
	free(text);
	free(path);
	return status;
}

static void forget_table(const struct xp_sweep *sweep, const char *file)
{
	char *path = base_format("%s/%s", sweep->runs.folder, file);
	xp_file_forget(path);
	free(path);
}

int xp_table_write(const struct xp_sweep *sweep, struct base_errors *errors)
{
	if (write_table(sweep, "summary.csv", write_csv, errors))
		return -1;
	if (write_table(sweep, "summary.jsonl", write_lines, errors)) { /* an older one would be of another table */
		forget_table(sweep, "summary.csv");
		forget_table(sweep, "summary.jsonl");
		return -1;
	}
	if (sweep->experiment.choice != XP_ALL)
		return write_table(sweep, "saturation.csv", write_saturation, errors);
	forget_table(sweep, "saturation.csv"); /* an earlier form of the experiment may have left one */
	return 0;
}
