/* experiments/sweep/row.c - rows of the summary table: read from results, put together from several; see table.h. */
#include "experiments/results/reader.h"
#include "experiments/sweep/impact.h"
#include "experiments/sweep/parts.h"
#include "experiments/sweep/table.h"

#include "base/memory.h"
#include "base/text.h"
#include "sim/steady.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a row of several runs holds in a column. */
enum merge {
	MEAN,  /* nothing, unless all say it */
	KNOWN, /* the mean of those that say it: they have measured something */
	SUM,
	MOST,
	ALL, /* true if all say so, false if one says no */
	ANY,
	ONE, /* nothing, unless there is one run only */
	LOW, /* ends of the 95 % interval of the mean of the column `of`, by Student's distribution */
	HIGH,
};

/* Where the columns of a row come from in the record `summary`. */
static const struct column {
	const char *column, *outer, *inner;
	size_t index; /* in an interval: 0 from, 1 to */
	enum merge merge;
	const char *of;
} columns[] = {
	{ "complete", "complete", NULL, 0, ALL, NULL },
	{ "offered_load", "offered_load", NULL, 0, MEAN, NULL },
	{ "accepted_load", "accepted_load", NULL, 0, MEAN, NULL },
	{ "latency_mean_ns", "latency_ns", "mean", 0, MEAN, NULL },
	{ "latency_p50_ns", "latency_ns", "p50", 0, MEAN, NULL },
	{ "latency_p99_ns", "latency_ns", "p99", 0, MEAN, NULL },
	{ "latency_max_ns", "latency_ns", "max", 0, MOST, NULL },
	{ "latency_censored", "latency_censored", NULL, 0, ANY, NULL },
	{ "network_latency_mean_ns", "network_latency_ns", "mean", 0, MEAN, NULL },
	{ "network_latency_p99_ns", "network_latency_ns", "p99", 0, MEAN, NULL },
	{ "hops_mean", "hops", "mean", 0, KNOWN, NULL },
	{ "minimal_fraction", "minimal_fraction", NULL, 0, KNOWN, NULL },
	{ "packets_created", "packets", "created", 0, SUM, NULL },
	{ "packets_delivered", "packets", "delivered", 0, SUM, NULL },
	{ "packet_hops_per_s", "engine", "packet_hops_per_s", 0, MEAN, NULL },
	{ "wall_s", "engine", "wall_s", 0, SUM, NULL },
	{ "peak_rss_bytes", "engine", "peak_rss_bytes", 0, MOST, NULL },
	{ "digest", "digest", NULL, 0, ONE, NULL },
	{ "stationary", "stationary", NULL, 0, ALL, NULL },
	{ "precise", "precise", NULL, 0, ALL, NULL },
	{ "still_filling", "still_filling", NULL, 0, ANY, NULL },
	{ "warmup_found_ns", "warmup_found_ns", NULL, 0, MEAN, NULL },
	{ "accepted_load_low", "interval", "accepted_load", 0, LOW, "accepted_load" },
	{ "accepted_load_high", "interval", "accepted_load", 1, HIGH, "accepted_load" },
	{ "latency_mean_low_ns", "interval", "latency_ns.mean", 0, LOW, "latency_mean_ns" },
	{ "latency_mean_high_ns", "interval", "latency_ns.mean", 1, HIGH, "latency_mean_ns" },
	{ "latency_p99_low_ns", "interval", "latency_ns.p99", 0, LOW, "latency_p99_ns" },
	{ "latency_p99_high_ns", "interval", "latency_ns.p99", 1, HIGH, "latency_p99_ns" },
	{ "completion_ns", "completion_ns", NULL, 0, MEAN, NULL },
	{ "completion_low_ns", "interval", "completion_ns", 0, LOW, "completion_ns" },
	{ "completion_high_ns", "interval", "completion_ns", 1, HIGH, "completion_ns" },
	{ "iteration_mean_ns", "iteration_ns", "mean", 0, MEAN, NULL },
	{ "iteration_mean_low_ns", "interval", "iteration_ns.mean", 0, LOW, "iteration_mean_ns" },
	{ "iteration_mean_high_ns", "interval", "iteration_ns.mean", 1, HIGH, "iteration_mean_ns" },
};
#define NCOLUMNS (sizeof columns / sizeof *columns)
/* And where the experiment asks for it, of one job: impact.h. */
static const struct column impact[] = { { "impact_ns", NULL, NULL, 0, MEAN, NULL },
	                                { "impact", NULL, NULL, 0, MEAN, NULL } };
#define NIMPACT (sizeof impact / sizeof *impact)

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

size_t xp_columns(void)
{
	return NCOLUMNS;
}

const char *xp_column(size_t i)
{
	return columns[i].column;
}

/* Has not every process of applications finished, by a record `summary`? */
static bool are_left(const json_t *summary)
{
	const json_t *all = json_object_get(summary, "processes"),
		     *done = json_object_get(summary, "processes_finished");
	return all && done && json_number_value(done) < json_number_value(all);
}

json_t *xp_row_read(const char *file, const char *job, json_t **manifest, bool *unfinished)
{
	struct xp_log *log = xp_log_open(file, NULL);
	if (!log)
		return NULL;
	json_t *row = NULL, *first = NULL, *record;
	while ((record = xp_log_next(log))) {
		const char *kind = xp_record_kind(record);
		if (!first && !strcmp(kind, "manifest"))
			first = json_incref(record);
		if (!row && !strcmp(kind, "summary")) {
			row = json_object();
			if (unfinished)
				*unfinished = are_left(record);
			double said[NIMPACT] = { job ? xp_impact_ns(record, first, job) : (double)NAN,
				                 job ? xp_impact_said(record, job) : (double)NAN };
			for (size_t i = 0; i < NIMPACT; i++)
				if (isfinite(said[i]))
					json_object_set_new(row, impact[i].column, json_real(said[i]));
			for (size_t i = 0; i < NCOLUMNS; i++) {
				json_t *value = json_object_get(record, columns[i].outer);
				if (columns[i].inner)
					value = json_object_get(value, columns[i].inner);
				if (json_is_array(value))
					value = json_array_get(value, columns[i].index);
				if (value)
					json_object_set(row, columns[i].column, value);
			}
			xp_parts_read(row, record);
		}
		json_decref(record);
	}
	if (row && xp_log_problem(log))
		json_object_set_new(row, "complete", json_false());
	xp_log_close(log);
	if (manifest)
		*manifest = json_incref(first);
	json_decref(first);
	return row;
}

const char *xp_state_name(enum xp_state state)
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
static json_t *truth(json_t *const *from, size_t n, const struct column *c)
{
	size_t yes = 0, no = 0, said_at_all = 0;
	for (size_t i = 0; i < n; i++) {
		const json_t *said = json_object_get(from[i], c->column);
		said_at_all += said != NULL;
		yes += json_is_true(said);
		no += json_is_false(said);
	}
	if (!said_at_all)
		return NULL;
	if (c->merge == ANY)
		return yes ? json_true() : no == n ? json_false() : json_null();
	return no ? json_false() : yes == n ? json_true() : json_null();
}

/* An end of the interval that holds the mean of all runs that could be made with probability 0.95, if runs are normally
 * distributed: mean -+ t(n - 1) s / sqrt(n). */
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

static json_t *merged(json_t *const *from, size_t n, const struct column *c, double *v)
{
	size_t found = values_of(from, n, c->of ? c->of : c->column, v);
	double sum = 0, most = -INFINITY;
	for (size_t i = 0; i < found; i++) {
		sum += v[i];
		most = fmax(most, v[i]);
	}
	switch (c->merge) {
	case ALL:
	case ANY:
		return truth(from, n, c);
	case LOW:
	case HIGH:
		return found == n ? student_end(v, n, c->merge == HIGH) : NULL;
	case SUM:
		return found ? alike(json_object_get(from[0], c->column), sum) : NULL;
	case MOST:
		return found ? alike(json_object_get(from[0], c->column), most) : NULL;
	case MEAN:
		return found == n ? json_real(sum / (double)n) : NULL;
	case KNOWN:
		return found ? json_real(sum / (double)found) : NULL;
	case ONE:
		break;
	}
	return NULL;
}

/* The row of a point from those of its whole results. */
static void merge(json_t *row, json_t *const *from, size_t n)
{
	double *v = base_calloc(n, sizeof *v);
	for (size_t k = 0; k < NCOLUMNS + NIMPACT; k++) {
		const struct column *c = k < NCOLUMNS ? &columns[k] : &impact[k - NCOLUMNS];
		json_t *value = merged(from, n, c, v);
		if (value)
			json_object_set_new(row, c->column, value);
	}
	xp_parts_merge(row, from, n);
	free(v);
}

/* What tells the runs of a point apart. */
static json_t *list_runs(const struct xp_point *point)
{
	static const char *const names[] = { "complete",       "stationary",    "accepted_load",     "latency_mean_ns",
		                             "latency_p99_ns", "completion_ns", "iteration_mean_ns", "digest" };
	json_t *list = json_array();
	for (size_t i = 0; i < point->ntrials; i++) {
		const struct xp_trial *trial = &point->trial[i];
		json_t *run = json_pack("{s:s,s:I,s:s}", "name", trial->name, "seed", (json_int_t)trial->seed, "state",
		                        xp_state_name(trial->state));
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (json_object_get(trial->row, names[k]))
				json_object_set(run, names[k], json_object_get(trial->row, names[k]));
		json_array_append_new(list, run);
	}
	return list;
}

void xp_point_row(const struct xp_experiment *e, struct xp_point *point)
{
	enum xp_state state = xp_point_state(point);
	if (state == XP_UNASKED)
		return;
	json_t *row = point->row = json_object(), *labels = json_object();
	json_t **from = base_calloc(point->ntrials, sizeof *from);
	size_t whole = 0;
	for (size_t a = 0; a < e->naxes; a++)
		json_object_set_new(labels, e->axis[a].name, json_string(point->at[a]->label));
	json_object_set_new(row, "record", json_string("point"));
	json_object_set_new(row, "name", json_string(point->name));
	json_object_set_new(row, "labels", labels);
	json_object_set_new(row, "state", json_string(xp_state_name(state)));
	for (size_t i = 0; i < point->ntrials; i++) {
		const struct xp_trial *trial = &point->trial[i];
		if (trial->message && !json_object_get(row, "message"))
			json_object_set_new(row, "message", json_string(trial->message));
		if (json_is_true(json_object_get(trial->row, "complete")))
			from[whole++] = trial->row;
	}
	if (point->ntrials == 1 && point->trial->row)
		json_object_update(row, point->trial->row);
	else if (whole)
		merge(row, from, whole);
	if (point->ntrials > 1) {
		json_object_set_new(row, "runs", list_runs(point));
		if (whole < point->ntrials) {
			json_object_set_new(row, "complete", json_false());
			if (json_is_true(json_object_get(row, "stationary"))) /* of those that are there */
				json_object_set_new(row, "stationary", json_null());
		}
	}
	json_object_set_new(row, "repeats", json_integer((json_int_t)whole));
	free(from);
}

/* The member of a group, made if it is missing. */
static json_t *group_of(json_t *record, const char *name)
{
	if (!json_object_get(record, name))
		json_object_set_new(record, name, json_object());
	return json_object_get(record, name);
}

json_t *xp_row_summary(const json_t *row)
{
	const json_t *runs = json_object_get(row, "runs"), *run;
	if (!runs)
		return NULL;
	json_t *record = json_object();
	for (size_t k = 0; k < NCOLUMNS; k++) {
		const struct column *c = &columns[k];
		json_t *value = json_object_get(row, c->column), *group = c->inner ? group_of(record, c->outer) : NULL;
		if (value && c->of && !json_object_get(group, c->inner))
			json_object_set_new(group, c->inner, json_array());
		if (value && c->of)
			json_array_append(json_object_get(group, c->inner), value); /* low before high */
		else if (value)
			json_object_set(group ? group : record, c->inner ? c->inner : c->outer, value);
	}
	struct base_buffer digests = { 0 };
	size_t i;
	json_array_foreach (runs, i, run)
		base_buffer_printf(&digests, "%s ", xp_text(run, "digest"));
	json_object_set_new(record, "digest", json_string(digests.data ? digests.data : ""));
	free(digests.data);
	return record;
}
