/* experiments/results/row.h - what a table of runs says of one of them, read from its result log.
 *
 * A row is an object. Its columns come from the record `summary`, by one table that also says how the rows of several
 * runs are merged; those of single jobs and classes are in parts.h. */
#ifndef EXPERIMENTS_RESULTS_ROW_H
#define EXPERIMENTS_RESULTS_ROW_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* What a row of several runs holds in a column. */
enum xp_merge {
	XP_MERGE_MEAN,  /* nothing, unless all say it */
	XP_MERGE_KNOWN, /* the mean of those that say it: they have measured something */
	XP_MERGE_SUM,
	XP_MERGE_MOST,
	XP_MERGE_ALL, /* true if all say so, false if one says no */
	XP_MERGE_ANY,
	XP_MERGE_ONE, /* nothing, unless there is one run only */
	XP_MERGE_LOW, /* ends of the 95 % interval of the mean of the column `of`, by Student's distribution */
	XP_MERGE_HIGH,
};

struct xp_column {
	const char *name;
	const char *outer, *inner; /* members of the record `summary`; outer NULL: it is computed */
	size_t index;              /* in an interval: 0 from, 1 to */
	enum xp_merge merge;
	const char *of;
};

/* The columns that every result can fill, [xp_columns]. */
extern const struct xp_column xp_column[];
extern const size_t xp_columns;
/* And those that say how long something takes a job beside others, and how many times as long as alone. */
#define XP_IMPACT_COLUMNS 2
extern const struct xp_column xp_impact_column[XP_IMPACT_COLUMNS];

/* Reads a result file into a row; NULL if it is missing or unreadable. `job`: whose impact_ns and impact the row is to
 * have, or NULL. impact_ns is the mean of an iteration of the job (of a job without processes: of a packet's latency;
 * of an application that ends the run: its completion less its start), impact what the run itself says of a job that it
 * isolates. *manifest, if not NULL, gets a new reference to its manifest; *unfinished, if not NULL, whether
 * applications have not finished though the run ended. */
json_t *xp_row_read(const char *file, const char *job, json_t **manifest, bool *unfinished);

#endif
