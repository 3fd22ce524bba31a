/* experiments/results/parts.h - columns of a results table for single jobs and traffic classes: "jobs.NAME.COLUMN" and
 * "classes.NAME.COLUMN". A table has such columns only if at least one of its rows has several jobs (or several
 * classes); rows with only one then have them too. */
#ifndef EXPERIMENTS_RESULTS_PARTS_H
#define EXPERIMENTS_RESULTS_PARTS_H

#include <jansson.h>
#include <stdbool.h>

/* Adds the members of all jobs and classes in a record `summary` to a row. */
void xp_parts_read(json_t *row, const json_t *summary);
/* Removes the members of jobs from all rows, unless at least one row has several jobs. Does the same with the members
 * of classes. */
void xp_parts_keep_several(const json_t *rows);
/* Returns the names of all members for jobs and classes that occur in the rows, in order of appearance, as an array
 * owned by the caller. */
json_t *xp_parts_columns(const json_t *rows);
/* Returns the names of the jobs (`kind` "jobs") or traffic classes (`kind` "classes") that occur in the rows, as an
 * array owned by the caller. */
json_t *xp_parts_names(const json_t *rows, const char *kind);
/* Returns the value of a column for one job or class in a row; NAN if the row has none. */
double xp_part_number(const json_t *row, const char *kind, const char *name, const char *column);
bool xp_part_censored(const json_t *row, const char *kind, const char *name);

#endif
