/* experiments/report/read.c - see read.h */
#include "experiments/report/read.h"

#include "base/input.h"
#include "base/memory.h"
#include "experiments/config/message.h"
#include "experiments/config/scan.h"
#include "experiments/config/tree.h"
#include "experiments/report/records.h"
#include "experiments/results/reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *xp_last_part(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

bool xp_is_in(const char *folder, const char *name)
{
	char path[8192];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return !access(path, F_OK);
}

json_t *xp_read_rows(const char *folder, struct base_errors *errors)
{
	char path[8192];
	snprintf(path, sizeof path, "%s/summary.jsonl", folder);
	const char *why;
	struct xp_log *log = xp_log_open(path, &why);
	if (!log) {
		xp_error_at(errors, path, "%s; tilefly sweep writes this file when it ends", why);
		return NULL;
	}
	json_t *rows = json_array(), *row;
	while ((row = xp_log_next(log)))
		json_array_append_new(rows, row);
	if (xp_log_problem(log) || !json_array_size(rows)) {
		xp_error_at(errors, path, "%s", xp_log_problem(log) ? xp_log_problem(log) : "is empty");
		json_decref(rows);
		rows = NULL;
	}
	xp_log_close(log);
	return rows;
}

bool xp_has_lost(const char *folder, struct base_errors *errors)
{
	static const struct {
		const char *key, *file, *command;
	} studies[] = { { "variables", "design.json", "design" }, { "candidates", "compare.json", "compare" } };
	bool lost = false;
	const char *why;
	struct base_errors ignored = { 0 }; /* a copy that cannot be read is reported by what needs it */
	char path[8192], *text = NULL;
	size_t bytes;
	snprintf(path, sizeof path, "%s/experiment.cfg", folder);
	struct xp_node *root =
	    xp_slurp(path, &text, &bytes, &why) ? NULL : xp_tree_parse(text, bytes, path, folder, &ignored);
	for (size_t i = 0; i < sizeof studies / sizeof *studies && !lost; i++) {
		if (!xp_member(root, studies[i].key) || xp_is_in(folder, studies[i].file))
			continue;
		lost = true;
		snprintf(path, sizeof path, "%s/%s", folder, studies[i].file);
		xp_error_at(
		    errors, path,
		    "is missing; experiment.cfg in the same directory is a study of tilefly %s, which writes it",
		    studies[i].command);
	}
	xp_node_free(root);
	free(text);
	base_errors_free(&ignored);
	return lost;
}

/* `FILE:LINE: text`, without a line where the file has none. */
static void error_in(struct base_errors *errors, const char *path, const json_error_t *problem)
{
	char place[8256];
	if (problem->line > 0)
		snprintf(place, sizeof place, "%s:%d", path, problem->line);
	else
		snprintf(place, sizeof place, "%s", path);
	xp_error_at(errors, place, "%s", problem->text);
}

json_t *xp_read_object(const char *folder, const char *name, const char *record, struct base_errors *errors)
{
	char path[8192];
	json_error_t problem;
	const char *why;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	int fd = base_open_input(path, false, &why);
	if (fd < 0) {
		xp_error_at(errors, path, "%s", why);
		return NULL;
	}
	json_t *root = json_loadfd(fd, 0, &problem);
	close(fd);
	if (!root)
		error_in(errors, path, &problem);
	else if (strcmp(xp_text(root, "record"), record) != 0 ||
	         json_integer_value(json_object_get(root, "format")) != 1)
		xp_error_at(errors, path, "is not a %s that this program can read", record);
	else
		return root;
	json_decref(root);
	return NULL;
}

static int by_low_end(const void *a, const void *b)
{
	double x = json_number_value(json_array_get(*(json_t *const *)a, 0));
	double y = json_number_value(json_array_get(*(json_t *const *)b, 0));
	return (x > y) - (x < y);
}

json_t *xp_read_latency_histogram(const char *path)
{
	struct xp_log *log = xp_log_open(path, NULL);
	json_t *record, *bins = json_array();
	while (log && (record = xp_log_next(log))) {
		if (!strcmp(xp_record_kind(record), "histogram") && !strcmp(xp_text(record, "quantity"), "latency"))
			json_array_extend(bins, json_object_get(record, "bins"));
		json_decref(record);
	}
	if (log && xp_log_refused(log))
		json_array_clear(bins);
	xp_log_close(log);
	size_t n = json_array_size(bins);
	json_t **sorted = base_calloc(n + 1, sizeof *sorted);
	for (size_t i = 0; i < n; i++)
		sorted[i] = json_incref(json_array_get(bins, i));
	qsort(sorted, n, sizeof *sorted, by_low_end);
	json_t *merged = json_array(), *last = NULL;
	for (size_t i = 0; i < n; i++) {
		json_t *bin = sorted[i];
		if (last && by_low_end(&last, &bin) == 0) {
			double sum =
			    json_number_value(json_array_get(last, 2)) + json_number_value(json_array_get(bin, 2));
			json_array_set_new(last, 2, json_real(sum));
		} else {
			json_array_append(merged, last = bin);
		}
		json_decref(bin);
	}
	free(sorted);
	json_decref(bins);
	json_t *histogram = json_pack("{s:o}", "bins", merged);
	if (xp_has_ccdf(histogram))
		return histogram;
	json_decref(histogram);
	return NULL;
}
