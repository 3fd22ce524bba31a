/* experiments/results/row.c - see row.h */
#include "experiments/results/row.h"
#include "experiments/results/parts.h"
#include "experiments/results/reader.h"

#include "base/param.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

const struct xp_column xp_column[] = {
	{ "complete", "complete", NULL, 0, XP_MERGE_ALL, NULL },
	{ "offered_load", "offered_load", NULL, 0, XP_MERGE_MEAN, NULL },
	{ "accepted_load", "accepted_load", NULL, 0, XP_MERGE_MEAN, NULL },
	{ "latency_mean_ns", "latency_ns", "mean", 0, XP_MERGE_MEAN, NULL },
	{ "latency_p50_ns", "latency_ns", "p50", 0, XP_MERGE_MEAN, NULL },
	{ "latency_p99_ns", "latency_ns", "p99", 0, XP_MERGE_MEAN, NULL },
	{ "latency_max_ns", "latency_ns", "max", 0, XP_MERGE_MOST, NULL },
	{ "latency_censored", "latency_censored", NULL, 0, XP_MERGE_ANY, NULL },
	{ "network_latency_mean_ns", "network_latency_ns", "mean", 0, XP_MERGE_MEAN, NULL },
	{ "network_latency_p99_ns", "network_latency_ns", "p99", 0, XP_MERGE_MEAN, NULL },
	{ "hops_mean", "hops", "mean", 0, XP_MERGE_KNOWN, NULL },
	{ "minimal_fraction", "minimal_fraction", NULL, 0, XP_MERGE_KNOWN, NULL },
	{ "packets_created", "packets", "created", 0, XP_MERGE_SUM, NULL },
	{ "packets_delivered", "packets", "delivered", 0, XP_MERGE_SUM, NULL },
	{ "packet_hops_per_s", "engine", "packet_hops_per_s", 0, XP_MERGE_MEAN, NULL },
	{ "wall_s", "engine", "wall_s", 0, XP_MERGE_SUM, NULL },
	{ "peak_rss_bytes", "engine", "peak_rss_bytes", 0, XP_MERGE_MOST, NULL },
	{ "digest", "digest", NULL, 0, XP_MERGE_ONE, NULL },
	{ "stationary", "stationary", NULL, 0, XP_MERGE_ALL, NULL },
	{ "precise", "precise", NULL, 0, XP_MERGE_ALL, NULL },
	{ "still_filling", "still_filling", NULL, 0, XP_MERGE_ANY, NULL },
	{ "warmup_found_ns", "warmup_found_ns", NULL, 0, XP_MERGE_MEAN, NULL },
	{ "accepted_load_low", "interval", "accepted_load", 0, XP_MERGE_LOW, "accepted_load" },
	{ "accepted_load_high", "interval", "accepted_load", 1, XP_MERGE_HIGH, "accepted_load" },
	{ "latency_mean_low_ns", "interval", "latency_ns.mean", 0, XP_MERGE_LOW, "latency_mean_ns" },
	{ "latency_mean_high_ns", "interval", "latency_ns.mean", 1, XP_MERGE_HIGH, "latency_mean_ns" },
	{ "latency_p99_low_ns", "interval", "latency_ns.p99", 0, XP_MERGE_LOW, "latency_p99_ns" },
	{ "latency_p99_high_ns", "interval", "latency_ns.p99", 1, XP_MERGE_HIGH, "latency_p99_ns" },
	{ "completion_ns", "completion_ns", NULL, 0, XP_MERGE_MEAN, NULL },
	{ "completion_low_ns", "interval", "completion_ns", 0, XP_MERGE_LOW, "completion_ns" },
	{ "completion_high_ns", "interval", "completion_ns", 1, XP_MERGE_HIGH, "completion_ns" },
	{ "iteration_mean_ns", "iteration_ns", "mean", 0, XP_MERGE_MEAN, NULL },
	{ "iteration_mean_low_ns", "interval", "iteration_ns.mean", 0, XP_MERGE_LOW, "iteration_mean_ns" },
	{ "iteration_mean_high_ns", "interval", "iteration_ns.mean", 1, XP_MERGE_HIGH, "iteration_mean_ns" },
};
const size_t xp_columns = sizeof xp_column / sizeof *xp_column;
const struct xp_column xp_impact_column[XP_IMPACT_COLUMNS] = { { "impact_ns", NULL, NULL, 0, XP_MERGE_MEAN, NULL },
	                                                       { "impact", NULL, NULL, 0, XP_MERGE_MEAN, NULL } };

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

/* The mean of the job's, ns, of an application its completion less its start, which the run's manifest has; NAN: it has
 * none. */
static double impact_ns_of(const json_t *summary, const json_t *manifest, const char *job)
{
	size_t at = 0;
	const json_t *j = find_job(summary, job, &at), *iteration = json_object_get(j, "iteration_ns");
	if (json_object_get(j, "processes")) {
		double all = xp_number(j, "processes", NULL), done = xp_number(j, "processes_finished", NULL);
		return done < all ? (double)NAN : xp_number(j, "completion_ns", NULL) - start_of(manifest, at);
	}
	if (json_is_false(json_object_get(j, "stationary"))) /* its backlog grows: it is as long as the run */
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
					json_object_set_new(row, xp_impact_column[i].name, json_real(said[i]));
			for (size_t i = 0; i < xp_columns; i++) {
				json_t *value = json_object_get(record, xp_column[i].outer);
				if (xp_column[i].inner)
					value = json_object_get(value, xp_column[i].inner);
				if (json_is_array(value))
					value = json_array_get(value, xp_column[i].index);
				if (value)
					json_object_set(row, xp_column[i].name, value);
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
