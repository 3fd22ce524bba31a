/* experiments/results/row.c - see row.h */
#include "experiments/results/row.h"
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"
#include "experiments/results/saturation.h"

#include "base/param.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const char *const xp_impact_columns[XP_IMPACT_COLUMNS] = { "impact_ns", "impact" };

bool xp_column_at(size_t n, struct xp_column *out)
{
	for (const struct xp_statistic *s = xp_statistics; s->name; s++) {
		bool is = s->place[XP_IN_ROW] == n, low = s->ends == n, high = s->ends && s->ends + 1u == n;
		if (!is && !low && !high)
			continue;
		*out = (struct xp_column){ .of = s, .end = high - low };
		xp_statistic_column(s, out->end, out->name);
		return true;
	}
	return false;
}

/* What a record `summary` has in a column; NULL: nothing. */
static json_t *value_of(const json_t *summary, const struct xp_column *c)
{
	if (!c->end)
		return xp_record_member(summary, c->of->name);
	json_t *pair = json_object_get(json_object_get(summary, "interval"), c->of->name);
	return json_is_array(pair) ? json_array_get(pair, c->end > 0) : pair;
}

/* Has not every process of applications finished, by a record `summary`? */
static bool are_left(const json_t *summary)
{
	const json_t *all = json_object_get(summary, "processes"),
		     *done = json_object_get(summary, "processes_finished");
	return all && done && json_number_value(done) < json_number_value(all);
}

/* --- the impact on a job --- */

/* NULL: there is none of that name. *at, if not NULL: which of traffic[] it is. */
static const json_t *find_job(const json_t *summary, const char *name, size_t *at)
{
	const json_t *jobs = json_object_get(summary, "jobs"), *j;
	size_t i;
	json_array_foreach (jobs, i, j) {
		if (strcmp(xp_text(j, "name"), name) != 0)
			continue;
		if (at)
			*at = i;
		return j;
	}
	return NULL;
}

/* ns. */
static double start_of(const json_t *manifest, size_t job)
{
	const json_t *traffic = json_object_get(json_object_get(manifest, "config"), "traffic");
	const char *why;
	uint64_t ps = 0;
	const char *start = xp_text(json_array_get(traffic, job), "start");
	return *start && base_parse_time(start, &ps, &why) ? (double)NAN : (double)ps / 1000;
}

/* Returns the duration in ns on which the impact on a job is based: its mean iteration time; without a process the mean
 * packet latency; for an application its completion minus its start (which is in the manifest). NAN if the job has not
 * finished or is saturated. */
static double impact_ns_of(const json_t *summary, const json_t *manifest, const char *job)
{
	size_t at = 0;
	const json_t *j = find_job(summary, job, &at), *iteration = json_object_get(j, "iteration_ns");
	if (json_object_get(j, "processes")) {
		double all = xp_number(j, "processes", NULL), done = xp_number(j, "processes_finished", NULL);
		return done < all ? (double)NAN : xp_number(j, "completion_ns", NULL) - start_of(manifest, at);
	}
	if (xp_load_said(j) == XP_LOAD_SATURATES) /* its backlog grows: it is as long as the run */
		return NAN;
	return j ? xp_number(iteration ? iteration : json_object_get(j, "latency_ns"), "mean", NULL) : (double)NAN;
}

/* What the run says of the job's impact; NAN: nothing. */
static double impact_said(const json_t *summary, const char *job)
{
	const json_t *impact = json_object_get(find_job(summary, job, NULL), "impact");
	return impact ? xp_number(impact, "mean", NULL) : (double)NAN;
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
			double said[XP_IMPACT_COLUMNS] = { job ? impact_ns_of(record, first, job) : (double)NAN,
				                           job ? impact_said(record, job) : (double)NAN };
			for (size_t i = 0; i < XP_IMPACT_COLUMNS; i++)
				if (isfinite(said[i]))
					json_object_set_new(row, xp_impact_columns[i], json_real(said[i]));
			struct xp_column c;
			for (size_t n = 1; xp_column_at(n, &c); n++)
				if (value_of(record, &c))
					json_object_set(row, c.name, value_of(record, &c));
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
