/* experiments/results/row.h - one row of a results table, read from the result log of a run.
 *
 * A row is a JSON object. Its columns are statistics of the record `summary` (statistics.h) and the ends of their
 * confidence intervals. parts.h defines further columns for single jobs and classes. */
#ifndef EXPERIMENTS_RESULTS_ROW_H
#define EXPERIMENTS_RESULTS_ROW_H

#include "experiments/results/statistics.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct xp_column {
	char name[64];
	const struct xp_statistic *of;
	int end; /* -1 and 1: the ends of its 95 % interval; 0: itself */
};

/* Describes the n-th column, counted from 1, of those that every result can fill. Returns false if there are fewer
 * columns. */
bool xp_column_at(size_t n, struct xp_column *out);
/* Names of the two columns for the impact on a job: its duration while the other jobs run (impact_ns), and this
 * duration divided by that of the job alone (impact). For several runs these are means, provided that all runs have a
 * value. */
#define XP_IMPACT_COLUMNS 2
extern const char *const xp_impact_columns[XP_IMPACT_COLUMNS];

/* Reads a result file into a row, owned by the caller; NULL if the file is missing or unreadable. If `job` is not NULL,
 * the row gets two values of this job: impact_ns is its mean iteration time (without a process its mean packet latency,
 * for an application its completion minus its start), and impact is the ratio reported by a run that isolates the job.
 * *manifest, if not NULL, gets a new reference to the manifest. *unfinished, if not NULL, says whether the run ended
 * before all applications had finished. */
json_t *xp_row_read(const char *file, const char *job, json_t **manifest, bool *unfinished);

#endif
