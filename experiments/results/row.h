/* experiments/results/row.h - what a table of runs says of one of them, read from its result log.
 *
 * A row is an object. Its columns are statistics of the record `summary` (statistics.h), and the ends of their
 * intervals; those of single jobs and classes are in parts.h. */
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

/* The n-th column that every result can fill, from 1 on; false: there are fewer. */
bool xp_column_at(size_t n, struct xp_column *out);
/* And those that say how long something takes a job beside others, and how many times as long as alone: of several runs
 * the mean, if all have it. */
#define XP_IMPACT_COLUMNS 2
extern const char *const xp_impact_columns[XP_IMPACT_COLUMNS];

/* Reads a result file into a row; NULL if it is missing or unreadable. `job`: whose impact_ns and impact the row is to
 * have, or NULL. impact_ns is the mean of an iteration of the job (of a job without processes: of a packet's latency;
 * of an application that ends the run: its completion less its start), impact what the run itself says of a job that it
 * isolates. *manifest, if not NULL, gets a new reference to its manifest; *unfinished, if not NULL, whether
 * applications have not finished though the run ended. */
json_t *xp_row_read(const char *file, const char *job, json_t **manifest, bool *unfinished);

#endif
