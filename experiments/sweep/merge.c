/* experiments/sweep/merge.c - rows of the summary table, put together from those of several runs; see table.h. */
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/row.h"
#include "experiments/sweep/table.h"

#include "base/memory.h"
#include "sim/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool xp_row_ran(const json_t *row)
{
	return json_object_get(row, "accepted_load") || xp_number(row, "repeats", NULL) > 0;
}

enum xp_duration xp_rows_duration(const json_t *rows)
{
	enum xp_duration found = XP_NO_DURATION;
	size_t i;
	json_t *row;
	json_array_foreach (rows, i, row)
		if (isfinite(xp_number(row, "completion_ns", NULL)))
			return XP_COMPLETION;
		else if (isfinite(xp_number(row, "iteration_mean_ns", NULL)))
			found = XP_ITERATION;
	return found;
}

const char *xp_duration_column(enum xp_duration duration, int end)
{
	static const char *const names[][3] = {
		[XP_NO_DURATION] = { "", "", "" },
		[XP_COMPLETION] = { "completion_low_ns", "completion_ns", "completion_high_ns" },
		[XP_ITERATION] = { "iteration_mean_low_ns", "iteration_mean_ns", "iteration_mean_high_ns" },
	};
	return names[duration][end + 1];
}

const char *xp_state_name(enum xp_run_state state)
{
	switch (state) {
	case XP_RAN:
	case XP_KEPT:
		return "done";
	case XP_FAILED:
		return "failed";
	case XP_STOPPED:
		return "interrupted";
	case XP_UNASKED:
	case XP_WAITING:
	case XP_RUNNING:
		break;
	}
	return "not run";
}

/* The finite values of a column in `from` rows; returns their number. */
static size_t values_of(json_t *const *from, size_t n, const char *column, double *v)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		double x = xp_number(from[i], column, NULL);
		if (isfinite(x))
			v[found++] = x;
	}
	return found;
}

/* Null if some runs say null: they could not decide. NULL if the column is none of theirs. */
static json_t *truth(json_t *const *from, size_t n, const struct xp_column *c)
{
	size_t yes = 0, no = 0, said_at_all = 0;
	for (size_t i = 0; i < n; i++) {
		const json_t *said = json_object_get(from[i], c->name);
		said_at_all += said != NULL;
		yes += json_is_true(said);
		no += json_is_false(said);
	}
	if (!said_at_all)
		return NULL;
	if (c->of->merge == XP_MERGE_ANY)
		return yes ? json_true() : no == n ? json_false() : json_null();
	return no ? json_false() : yes == n ? json_true() : json_null();
}

/* An end of the 95 % confidence interval of the mean over all possible runs, if runs are normally distributed: mean -+
 * t(n - 1) s / sqrt(n). */
static json_t *student_end(const double *v, size_t n, bool high)
{
	double mean = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		mean += v[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		square += (v[i] - mean) * (v[i] - mean);
	if (n < 2)
		return NULL;
	double half = sim_student95((uint32_t)n - 1) * sqrt(square / (double)(n - 1) / (double)n);
	return json_real(high ? mean + half : fmax(0, mean - half));
}

/* A number of the kind of another: counts stay whole. */
static json_t *alike(const json_t *other, double x)
{
	return json_is_integer(other) ? json_integer((json_int_t)x) : json_real(x);
}

static json_t *merged(json_t *const *from, size_t n, const struct xp_column *c, double *v)
{
	char itself[64];
	xp_statistic_column(c->of, 0, itself);
	size_t found = values_of(from, n, itself, v);
	double sum = 0, most = -INFINITY;
	for (size_t i = 0; i < found; i++) {
		sum += v[i];
		most = fmax(most, v[i]);
	}
	if (c->end)
		return found == n ? student_end(v, n, c->end > 0) : NULL;
	switch (c->of->merge) {
	case XP_MERGE_ALL:
	case XP_MERGE_ANY:
		return truth(from, n, c);
	case XP_MERGE_SUM:
		return found ? alike(json_object_get(from[0], c->name), sum) : NULL;
	case XP_MERGE_MOST:
		return found ? alike(json_object_get(from[0], c->name), most) : NULL;
	case XP_MERGE_MEAN:
		return found == n ? json_real(sum / (double)n) : NULL;
	case XP_MERGE_KNOWN:
		return found ? json_real(sum / (double)found) : NULL;
	case XP_MERGE_NOT:
	case XP_MERGE_ONE:
	case XP_MERGES:
		break;
	}
	return NULL;
}

/* The mean of all runs, in a column that is no statistic of theirs. */
static json_t *mean_of(json_t *const *from, size_t n, const char *column, double *v)
{
	size_t found = values_of(from, n, column, v);
	double sum = 0;
	for (size_t i = 0; i < found; i++)
		sum += v[i];
	return found == n ? json_real(sum / (double)n) : NULL;
}

/* The members of single jobs and classes: the mean of what all say; latency_censored if one says so. */
static void merge_parts(json_t *row, json_t *const *from, size_t n)
{
	json_t *rows = json_array(), *keys, *key;
	for (size_t i = 0; i < n; i++)
		json_array_append(rows, from[i]);
	keys = xp_parts_columns(rows);
	size_t k;
	json_array_foreach (keys, k, key) {
		const char *name = json_string_value(key);
		double sum = 0, found = 0;
		bool truths = false, yes = false;
		for (size_t i = 0; i < n; i++) {
			const json_t *value = json_object_get(from[i], name);
			truths |= json_is_boolean(value);
			yes |= json_is_true(value);
			found += json_is_number(value);
			sum += json_number_value(value);
		}
		if (truths)
			json_object_set_new(row, name, json_boolean(yes));
		else if (found >= (double)n)
			json_object_set_new(row, name, json_real(sum / (double)n));
	}
	json_decref(keys);
	json_decref(rows);
}

/* The row of a point from those of its whole results. */
static void merge_rows(json_t *row, json_t *const *from, size_t n)
{
	double *v = base_calloc(n, sizeof *v);
	struct xp_column c;
	json_t *value;
	for (size_t k = 1; xp_column_at(k, &c); k++)
		if ((value = merged(from, n, &c, v)))
			json_object_set_new(row, c.name, value);
	for (size_t k = 0; k < XP_IMPACT_COLUMNS; k++)
		if ((value = mean_of(from, n, xp_impact_columns[k], v)))
			json_object_set_new(row, xp_impact_columns[k], value);
	merge_parts(row, from, n);
	free(v);
}

/* The settings in which the runs of a point differ. */
static json_t *list_runs(const struct xp_point *point)
{
	const struct xp_statistic *s;
	char column[64];
	json_t *list = json_array();
	for (size_t i = 0; i < point->nruns; i++) {
		const struct xp_run *run = &point->run[i];
		json_t *entry = json_pack("{s:s,s:I,s:s}", "name", run->name, "seed", (json_int_t)run->seed, "state",
		                          xp_state_name(run->state));
		for (size_t k = 1; (s = xp_statistic_at(XP_IN_RUNS, k)); k++) {
			xp_statistic_column(s, 0, column);
			if (json_object_get(run->row, column))
				json_object_set(entry, column, json_object_get(run->row, column));
		}
		json_array_append_new(list, entry);
	}
	return list;
}

void xp_point_row(const struct xp_experiment *e, struct xp_point *point)
{
	enum xp_run_state state = xp_point_state(point);
	if (state == XP_UNASKED)
		return;
	json_t *row = point->row = json_object(), *labels = json_object();
	json_t **from = base_calloc(point->nruns, sizeof *from);
	size_t whole = 0;
	for (size_t a = 0; a < e->naxes; a++)
		json_object_set_new(labels, e->axis[a].name, json_string(point->at[a]->label));
	json_object_set_new(row, "record", json_string("point"));
	json_object_set_new(row, "name", json_string(point->name));
	json_object_set_new(row, "labels", labels);
	json_object_set_new(row, "state", json_string(xp_state_name(state)));
	for (size_t i = 0; i < point->nruns; i++) {
		const struct xp_run *run = &point->run[i];
		if (run->message && !json_object_get(row, "message"))
			json_object_set_new(row, "message", json_string(run->message));
		if (json_is_true(json_object_get(run->row, "complete")))
			from[whole++] = run->row;
	}
	if (point->nruns == 1 && point->run->row)
		json_object_update(row, point->run->row);
	else if (whole)
		merge_rows(row, from, whole);
	if (point->nruns > 1) {
		json_object_set_new(row, "runs", list_runs(point));
		if (whole < point->nruns) {
			json_object_set_new(row, "complete", json_false());
			if (json_is_true(json_object_get(row, "stationary"))) /* of those that are there */
				json_object_set_new(row, "stationary", json_null());
		}
	}
	json_object_set_new(row, "repeats", json_integer((json_int_t)whole));
	free(from);
}

/* Sets a member at a path, of an interval both ends in turn. */
static void set_member(json_t *record, const struct xp_column *c, json_t *value)
{
	char group[64], *inner;
	snprintf(group, sizeof group, "%s", c->end ? "interval" : c->of->name);
	inner = c->end ? NULL : strchr(group, '.');
	const char *member = c->end ? c->of->name : inner ? inner + 1 : NULL;
	if (inner)
		*inner = 0;
	if (member && !json_object_get(record, group))
		json_object_set_new(record, group, json_object());
	json_t *at = member ? json_object_get(record, group) : record;
	if (c->end < 0)
		json_object_set_new(at, member, json_array());
	if (c->end)
		json_array_append(json_object_get(at, member), value);
	else
		json_object_set(at, member ? member : group, value);
}

json_t *xp_row_summary(const json_t *row)
{
	const json_t *runs = json_object_get(row, "runs"), *run;
	if (!runs)
		return NULL;
	json_t *record = json_object();
	struct xp_column c;
	for (size_t k = 1; xp_column_at(k, &c); k++)
		if (json_object_get(row, c.name))
			set_member(record, &c, json_object_get(row, c.name));
	struct base_buffer digests = { 0 };
	size_t i;
	json_array_foreach (runs, i, run)
		base_buffer_printf(&digests, "%s ", xp_text(run, "digest"));
	json_object_set_new(record, "digest", json_string(digests.data ? digests.data : ""));
	free(digests.data);
	return record;
}
