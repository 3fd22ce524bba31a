/* experiments/results/row.h - a run's row in a table of runs, read from its result log.
 *
 * A row is a JSON object. Its columns are statistics of the record `summary` (statistics.h) and the ends of their
 * confidence intervals; columns of single jobs and classes are in parts.h. */
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

/* The n-th column that every result can fill, counted from 1; false: there are fewer. */
bool xp_column_at(size_t n, struct xp_column *out);
/* Columns for the duration of a job's work with the other jobs, and its ratio to that alone. With several runs the
 * mean, if all runs have a value. */
#define XP_IMPACT_COLUMNS 2
extern const char *const xp_impact_columns[XP_IMPACT_COLUMNS];

/* Reads a result file into a row; NULL if it is missing or unreadable. `job` is the job for which the row gets
 * impact_ns and impact, or NULL. impact_ns is the mean iteration time of the job (without a process: the mean packet
 * latency; for an application that ends the run: its completion minus its start); impact is the ratio reported by a run
 * that isolates the job. *manifest, if not NULL, gets a new reference to the manifest; *unfinished, if not NULL, is set
 * if applications have not finished although the run ended. */
json_t *xp_row_read(const char *file, const char *job, json_t **manifest, bool *unfinished);

#endif
