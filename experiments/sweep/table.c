/* experiments/sweep/table.c - rows of the summary table: read from results, written as CSV and JSON Lines, printed. */
#include "experiments/sweep/table.h"
#include "experiments/results/file.h"
#include "experiments/results/reader.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Where the columns of a row come from in the record `summary`. */
static const struct {
	const char *column, *outer, *inner;
	size_t index; /* in an interval: 0 from, 1 to */
} columns[] = {
	{ "complete", "complete", NULL, 0 },
	{ "offered_load", "offered_load", NULL, 0 },
	{ "accepted_load", "accepted_load", NULL, 0 },
	{ "latency_mean_ns", "latency_ns", "mean", 0 },
	{ "latency_p50_ns", "latency_ns", "p50", 0 },
	{ "latency_p99_ns", "latency_ns", "p99", 0 },
	{ "latency_max_ns", "latency_ns", "max", 0 },
	{ "latency_censored", "latency_censored", NULL, 0 },
	{ "network_latency_mean_ns", "network_latency_ns", "mean", 0 },
	{ "network_latency_p99_ns", "network_latency_ns", "p99", 0 },
	{ "hops_mean", "hops", "mean", 0 },
	{ "minimal_fraction", "minimal_fraction", NULL, 0 },
	{ "packets_created", "packets", "created", 0 },
	{ "packets_delivered", "packets", "delivered", 0 },
	{ "packet_hops_per_s", "engine", "packet_hops_per_s", 0 },
	{ "wall_s", "engine", "wall_s", 0 },
	{ "peak_rss_bytes", "engine", "peak_rss_bytes", 0 },
	{ "digest", "digest", NULL, 0 },
	{ "stationary", "stationary", NULL, 0 },
	{ "precise", "precise", NULL, 0 },
	{ "warmup_found_ns", "warmup_found_ns", NULL, 0 },
	{ "accepted_load_low", "interval", "accepted_load", 0 },
	{ "accepted_load_high", "interval", "accepted_load", 1 },
	{ "latency_mean_low_ns", "interval", "latency_ns.mean", 0 },
	{ "latency_mean_high_ns", "interval", "latency_ns.mean", 1 },
	{ "latency_p99_low_ns", "interval", "latency_ns.p99", 0 },
	{ "latency_p99_high_ns", "interval", "latency_ns.p99", 1 },
};
#define NCOLUMNS (sizeof columns / sizeof *columns)

json_t *xp_row_read(const char *file, json_t **manifest)
{
	struct xp_log *log = xp_log_open(file);
	if (!log)
		return NULL;
	json_t *row = NULL, *record;
	bool ended = false;
	while ((record = xp_log_next(log))) {
		const char *kind = xp_record_kind(record);
		if (manifest && !*manifest && !strcmp(kind, "manifest"))
			*manifest = json_incref(record);
		if (!row && !strcmp(kind, "summary")) {
			row = json_object();
			for (size_t i = 0; i < NCOLUMNS; i++) {
				json_t *value = json_object_get(record, columns[i].outer);
				if (columns[i].inner)
					value = json_object_get(value, columns[i].inner);
				if (json_is_array(value))
					value = json_array_get(value, columns[i].index);
				if (value)
					json_object_set(row, columns[i].column, value);
			}
		}
		ended = !strcmp(kind, "end");
		json_decref(record);
	}
	if (row && (!ended || xp_log_problem(log)))
		json_object_set_new(row, "complete", json_false());
	xp_log_close(log);
	return row;
}

static const char *state_name(enum xp_state state)
{
	switch (state) {
	case XP_RAN:
	case XP_KEPT:
		return "done";
	case XP_FAILED:
		return "failed";
	case XP_STOPPED:
		return "interrupted";
	case XP_WAITING:
	case XP_RUNNING:
		break;
	}
	return "not run";
}

void xp_row_label(const struct xp_experiment *e, struct xp_point *point)
{
	json_t *row = json_object(), *labels = json_object();
	for (size_t a = 0; a < e->naxes; a++)
		json_object_set_new(labels, e->axis[a].name, json_string(point->at[a]->label));
	json_object_set_new(row, "record", json_string("point"));
	json_object_set_new(row, "name", json_string(point->name));
	json_object_set_new(row, "labels", labels);
	json_object_set_new(row, "state", json_string(state_name(point->state)));
	if (point->message)
		json_object_set_new(row, "message", json_string(point->message));
	if (point->row) {
		json_object_update(row, point->row);
		json_decref(point->row);
	}
	point->row = row;
}

int xp_make_folder(const char *path, struct base_errors *errors)
{
	char *copy = base_strdup(path);
	int status = 0;
	for (char *p = copy + 1; !status; p++) {
		bool end = !*p;
		if (*p != '/' && !end)
			continue;
		*p = 0;
		if (mkdir(copy, 0777) && errno != EEXIST)
			status = base_errorf(errors, NULL, "%s: %s", copy, strerror(errno));
		if (end)
			break;
		*p = '/';
	}
	struct stat st;
	if (!status && (stat(path, &st) || !S_ISDIR(st.st_mode)))
		status = base_errorf(errors, NULL, "%s: not a folder", path);
	free(copy);
	return status;
}

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

static void write_csv(FILE *out, const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	fputs("name", out);
	for (size_t a = 0; a < e->naxes; a++) {
		fputc(',', out);
		csv_text(out, e->axis[a].name);
	}
	fputs(",state", out);
	for (size_t i = 0; i < NCOLUMNS; i++)
		fprintf(out, ",%s", columns[i].column);
	fputs(",published_accepted_load,message\n", out);
	for (size_t p = 0; p < sweep->n; p++) {
		const json_t *row = sweep->point[p].row;
		csv_text(out, sweep->point[p].name);
		for (size_t a = 0; a < e->naxes; a++) {
			fputc(',', out);
			csv_text(out, sweep->point[p].at[a]->label);
		}
		fprintf(out, ",%s", state_name(sweep->point[p].state));
		for (size_t i = 0; i < NCOLUMNS; i++) {
			fputc(',', out);
			csv_value(out, json_object_get(row, columns[i].column));
		}
		double published = xp_published(e, json_object_get(row, "labels"), xp_row_x(e, row));
		if (isfinite(published))
			fprintf(out, ",%.10g,", published);
		else
			fputs(",,", out);
		csv_text(out, sweep->point[p].message ? sweep->point[p].message : "");
		fputc('\n', out);
	}
}

static void write_lines(FILE *out, const struct xp_sweep *sweep)
{
	for (size_t p = 0; p < sweep->n; p++) {
		char *text =
		    json_dumps(sweep->point[p].row, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12));
		fprintf(out, "%s\n", text ? text : "{}");
		free(text);
	}
}

static int write_table(const struct xp_sweep *sweep, const char *file, void (*print)(FILE *, const struct xp_sweep *),
                       struct base_errors *errors)
{
	char *text = NULL, *path = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	if (!out || asprintf(&path, "%s/%s", sweep->folder, file) < 0)
		return base_errorf(errors, NULL, "out of memory");
	print(out, sweep);
	fclose(out);
	int status = xp_file_save(path, text, bytes, errors);
	free(text);
	free(path);
	return status;
}

int xp_table_write(const struct xp_sweep *sweep, struct base_errors *errors)
{
	int csv = write_table(sweep, "summary.csv", write_csv, errors);
	int lines = write_table(sweep, "summary.jsonl", write_lines, errors);
	return csv || lines ? -1 : 0;
}

static void cell(double value, int width, const char *format)
{
	char text[64];
	snprintf(text, sizeof text, format, value);
	printf("  %*s", width, isfinite(value) ? text : "-");
}

static void print_head(const struct xp_experiment *e, const int *width)
{
	for (size_t a = 0; a < e->naxes; a++)
		printf("%s%-*s", a ? "  " : "", width[a], e->axis[a].name);
	printf("  %8s  %8s", "offered", "accepted");
	for (size_t s = 0; s < e->nscales; s++)
		printf("  %12s", e->scale[s].label);
	if (e->nexpects)
		printf("  %-17s", "expected");
	printf("  %10s  %10s  %6s  %7s\n", "mean ns", "p99 ns", "hops", "minimal");
}

/* Returns 1 if the point is out of its expected range. */
static size_t print_row(const struct xp_experiment *e, const struct xp_point *point, const int *width)
{
	const json_t *row = point->row;
	for (size_t a = 0; a < e->naxes; a++)
		printf("%s%-*s", a ? "  " : "", width[a], point->at[a]->label);
	if (!json_object_get(row, "accepted_load")) {
		printf("  %s\n", point->state == XP_FAILED ? "failed" : "not run");
		return 0;
	}
	cell(xp_number(row, "offered_load", NULL), 8, "%.4f");
	cell(xp_number(row, "accepted_load", NULL), 8, "%.4f");
	double published = xp_published(e, json_object_get(row, "labels"), xp_row_x(e, row));
	for (size_t s = 0; s < e->nscales; s++)
		cell(published * e->scale[s].factor, 12, "%.4f");
	double min = 0, max = 0;
	int ok = e->nexpects ? xp_expected(e, row, &min, &max) : -1;
	char range[64] = "";
	if (ok >= 0)
		snprintf(range, sizeof range, "%.3f-%.3f %s", min, max, ok ? "ok" : "NO");
	if (e->nexpects)
		printf("  %-17s", range);
	bool censored = json_is_true(json_object_get(row, "latency_censored"));
	cell(xp_number(row, "latency_mean_ns", NULL), 10, censored ? ">%.1f" : "%.1f");
	cell(xp_number(row, "latency_p99_ns", NULL), 10, censored ? ">%.0f" : "%.0f");
	bool any = isfinite(xp_number(row, "latency_mean_ns", NULL)); /* measured packets that arrived */
	cell(any ? xp_number(row, "hops_mean", NULL) : NAN, 6, "%.3f");
	cell(any ? xp_number(row, "minimal_fraction", NULL) : NAN, 7, "%.3f");
	printf("%s%s\n", xp_latency_worth(row) == XP_LATENCY_NONE ? "  (not stationary)" : "",
	       json_is_true(json_object_get(row, "complete")) ? "" : "  (incomplete)");
	return ok == 0;
}

size_t xp_table_print(const struct xp_sweep *sweep)
{
	const struct xp_experiment *e = &sweep->experiment;
	int width[XP_MAX_AXES];
	for (size_t a = 0; a < e->naxes; a++) {
		width[a] = (int)strlen(e->axis[a].name);
		for (size_t p = 0; p < sweep->n; p++)
			if ((int)strlen(sweep->point[p].at[a]->label) > width[a])
				width[a] = (int)strlen(sweep->point[p].at[a]->label);
	}
	print_head(e, width);
	size_t out = 0, judged = 0;
	bool censored = false;
	for (size_t p = 0; p < sweep->n; p++) {
		double min, max;
		out += print_row(e, &sweep->point[p], width);
		judged += json_object_get(sweep->point[p].row, "accepted_load") &&
		          xp_expected(e, sweep->point[p].row, &min, &max) >= 0;
		censored |= json_is_true(json_object_get(sweep->point[p].row, "latency_censored"));
	}
	if (censored)
		printf("> : more than 1 %% of the measured packets were still under way at the end, so the latency is "
		       "a lower bound\n");
	if (e->source)
		printf("published: %s\n", e->source);
	if (judged)
		printf("expected: %zu of %zu points are inside their range\n", judged - out, judged);
	return out;
}
