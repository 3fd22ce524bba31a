/* experiments/sweep/table.h - the summary table of a sweep: one row a point. */
#ifndef EXPERIMENTS_SWEEP_TABLE_H
#define EXPERIMENTS_SWEEP_TABLE_H

#include "experiments/sweep/sweep.h"

/* Makes the row of a point that was asked for: name, labels, state, and what its result says. With several runs means
 * over those that are whole, with Student's 95 % intervals (of packets and time taken sums, of what is most the most),
 * and the runs themselves in `runs`; `stationary` only if all are. */
void xp_point_row(const struct xp_experiment *e, struct xp_point *point);
/* What a row of several runs says in the form of the record `summary`: means with their intervals; the digest holds
 * those of all runs. NULL if the row is of one run. */
json_t *xp_row_summary(const json_t *row);
/* Has the row of a point a result? */
bool xp_row_ran(const json_t *row);
/* What processes take, of the rows of a sweep: until the last application has ended, where one has, or an iteration in
 * the mean. */
enum xp_duration { XP_NO_DURATION, XP_COMPLETION, XP_ITERATION };
enum xp_duration xp_rows_duration(const json_t *rows);
/* Its column, and those of the ends of its 95 % interval, end -1 and 1. */
const char *xp_duration_column(enum xp_duration duration, int end);
const char *xp_state_name(enum xp_run_state state);

/* Writes summary.csv and summary.jsonl into the results folder, both whole, or of this table none; of a sweep that goes
 * by saturation saturation.csv, too. */
int xp_sweep_write(const struct xp_sweep *sweep, struct base_errors *errors);
/* Prints the rows on standard output, an array. */
void xp_sweep_json(const struct xp_sweep *sweep);
/* Prints the table for people on standard output; returns how many points are out of their expected range. */
size_t xp_sweep_print(const struct xp_sweep *sweep);

#endif
