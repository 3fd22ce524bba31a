/* experiments/sweep/table.c - the summary table as CSV and JSON Lines. */
#include "experiments/sweep/table.h"
#include "experiments/results/file.h"
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "experiments/results/table.h"
#include "experiments/sweep/plan.h"

#include "base/format.h"

#include <stdio.h>
#include <stdlib.h>

/* The rows there are, an array. */
static json_t *rows_of(const struct xp_sweep *sweep)
{
	json_t *rows = json_array();
	for (size_t p = 0; p < sweep->n; p++)
		if (sweep->point[p].row)
			json_array_append(rows, sweep->point[p].row);
	return rows;
}

static void write_csv(struct base_buffer *out, const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	json_t *rows = rows_of(sweep), *parts = xp_parts_columns(rows), *part;
	struct xp_table t = { 0 };
	struct xp_column c;
	size_t k;
	xp_table_layout(&t, "name");
	for (size_t a = 0; a < e->naxes; a++)
		xp_table_column(&t, e->axis[a].name, 0, NULL);
	xp_table_layout(&t, "state");
	for (size_t n = 1; xp_column_at(n, &c); n++)
		xp_table_column(&t, c.name, 0, NULL);
	for (size_t i = 0; e->impact_job && i < XP_IMPACT_COLUMNS; i++)
		xp_table_column(&t, xp_impact_columns[i], 0, NULL);
	json_array_foreach (parts, k, part)
		xp_table_column(&t, json_string_value(part), 0, NULL);
	xp_table_layout(&t, "repeats|published_accepted_load|message");
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		if (!row)
			continue;
		xp_table_text(&t, sweep->point[p].name);
		for (size_t a = 0; a < e->naxes; a++)
			xp_table_text(&t, sweep->point[p].at[a]->label);
		xp_table_value(&t, json_object_get(row, "state"));
		for (size_t n = 1; xp_column_at(n, &c); n++)
			xp_table_value(&t, json_object_get(row, c.name));
		for (size_t i = 0; e->impact_job && i < XP_IMPACT_COLUMNS; i++)
			xp_table_value(&t, json_object_get(row, xp_impact_columns[i]));
		json_array_foreach (parts, k, part)
			xp_table_value(&t, json_object_get(row, json_string_value(part)));
		xp_table_value(&t, json_object_get(row, "repeats"));
		xp_table_number(&t, xp_published(e, json_object_get(row, "labels"), xp_row_x(e, row)));
		xp_table_value(&t, json_object_get(row, "message"));
		xp_table_end(&t);
	}
	xp_table_csv(&t, out);
	json_decref(parts);
	json_decref(rows);
}

static void write_rows(struct base_buffer *out, const struct xp_sweep *sweep, const char *between)
{
	const char *before = "";
	for (size_t p = 0; p < sweep->n; p++) {
		if (!sweep->point[p].row)
			continue;
		char *text =
		    json_dumps(sweep->point[p].row, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
		base_buffer_printf(out, "%s%s\n", before, text ? text : "{}");
		before = between;
		free(text);
	}
}

static void write_lines(struct base_buffer *out, const struct xp_sweep *sweep)
{
	write_rows(out, sweep, "");
}

void xp_sweep_json(const struct xp_sweep *sweep)
{
	struct base_buffer text = { 0 };
	write_rows(&text, sweep, ",");
	printf("[%s]\n", text.data ? text.data : "");
	free(text.data);
}

/* Between which x each series is saturated first. */
static void write_saturation(struct base_buffer *out, const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	json_t *rows = rows_of(sweep), *table = xp_saturation(e, rows), *entry;
	struct xp_table t = { 0 };
	size_t i;
	for (size_t a = 0; a < e->naxes; a++)
		if (a != e->x)
			xp_table_column(&t, e->axis[a].name, 0, NULL);
	xp_table_layout(&t, "low|high");
	json_array_foreach (table, i, entry) {
		for (size_t a = 0; a < e->naxes; a++)
			if (a != e->x)
				xp_table_text(&t, xp_text(json_object_get(entry, "labels"), e->axis[a].name));
		xp_table_value(&t, json_object_get(entry, "low"));
		xp_table_value(&t, json_object_get(entry, "high"));
		xp_table_end(&t);
	}
	xp_table_csv(&t, out);
	json_decref(table);
	json_decref(rows);
}

static int write_table(const struct xp_sweep *sweep, const char *file,
                       void (*print)(struct base_buffer *, const struct xp_sweep *), struct base_errors *errors)
{
	struct base_buffer text = { 0 };
	char *path = base_format("%s/%s", sweep->runs.folder, file);
	print(&text, sweep);
	int status = xp_file_save(path, text.data ? text.data : "", text.n, errors);
	free(text.data);
	free(path);
	return status;
}

static void forget_table(const struct xp_sweep *sweep, const char *file)
{
	char *path = base_format("%s/%s", sweep->runs.folder, file);
	xp_file_forget(path);
	free(path);
}

int xp_sweep_write(const struct xp_sweep *sweep, struct base_errors *errors)
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
