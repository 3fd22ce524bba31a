/* experiments/sweep/table.h - the summary table of a sweep: one row per point. */
#ifndef EXPERIMENTS_SWEEP_TABLE_H
#define EXPERIMENTS_SWEEP_TABLE_H

#include "experiments/sweep/sweep.h"

/* Makes the row of a point: name, labels, state, and its results. With several runs means over the complete ones with
 * Student's 95 % confidence intervals (sums for packets and wall time, maxima for maxima), and the runs themselves in
 * `runs`; `stationary` is true only if it is for all. */
void xp_point_row(const struct xp_experiment *e, struct xp_point *point);
/* The row of several runs in the form of the record `summary`: means with their intervals; the digest combines those of
 * all runs. NULL if the row has one run. */
json_t *xp_row_summary(const json_t *row);
/* Does the row of a point have a result? */
bool xp_row_ran(const json_t *row);
/* Determines which duration the rows of a sweep show for processes: the completion of the last application, if one has
 * completed, or otherwise the mean iteration time. */
enum xp_duration { XP_NO_DURATION, XP_COMPLETION, XP_ITERATION };
enum xp_duration xp_rows_duration(const json_t *rows);
/* The name of the column of that duration (end 0), and of the columns with the lower and upper end of its 95 %
 * confidence interval (end -1 and 1). */
const char *xp_duration_column(enum xp_duration duration, int end);
const char *xp_state_name(enum xp_run_state state);

/* Writes summary.csv and summary.jsonl into the results directory, either both or none; for a sweep that searches for
 * saturation also saturation.csv. */
int xp_sweep_write(const struct xp_sweep *sweep, struct base_errors *errors);
/* Prints the rows to standard output as a JSON array. */
void xp_sweep_json(const struct xp_sweep *sweep);
/* Prints the table to standard output as text; returns the number of points outside their expected range. */
size_t xp_sweep_print(const struct xp_sweep *sweep);

#endif
