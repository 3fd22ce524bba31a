/* experiments/sweep/table.h - the summary table of a sweep: one row a point. */
#ifndef EXPERIMENTS_SWEEP_TABLE_H
#define EXPERIMENTS_SWEEP_TABLE_H

#include "experiments/sweep/sweep.h"

/* Reads a result file into a row of the summary table; NULL if it is missing or unreadable. *manifest, if not NULL,
 * gets a new reference to its manifest. */
json_t *xp_row_read(const char *file, json_t **manifest);
/* Adds name, labels and state to a point's row, making an empty one when there is no result. */
void xp_row_label(const struct xp_experiment *e, struct xp_point *point);

/* Writes summary.csv and summary.jsonl into the results folder, each whole or not at all. */
int xp_table_write(const struct xp_sweep *sweep, struct base_errors *errors);
/* Prints the table for people on standard output; returns how many points are out of their expected range. */
size_t xp_table_print(const struct xp_sweep *sweep);

#endif
