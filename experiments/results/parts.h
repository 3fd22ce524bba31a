/* experiments/results/parts.h - members of a row for single jobs and traffic classes: "jobs.NAME.COLUMN" and
 * "classes.NAME.COLUMN". A table has them if some row has several jobs or classes; then also for rows with only one. */
#ifndef EXPERIMENTS_RESULTS_PARTS_H
#define EXPERIMENTS_RESULTS_PARTS_H

#include <jansson.h>
#include <stdbool.h>

/* Adds the members for the jobs and classes of a record `summary`. */
void xp_parts_read(json_t *row, const json_t *summary);
/* Removes the members of jobs from the array `rows` unless one of the rows has several jobs; likewise those of classes.
 */
void xp_parts_keep_several(const json_t *rows);
/* The names of these members in all rows, in order of appearance, as an array owned by the caller. */
json_t *xp_parts_columns(const json_t *rows);
/* The names of the jobs (`kind` "jobs") or classes ("classes") in the rows, as an array owned by the caller. */
json_t *xp_parts_names(const json_t *rows, const char *kind);
/* The value of a row for one job or class; NAN: there is none. */
double xp_part_number(const json_t *row, const char *kind, const char *name, const char *column);
bool xp_part_censored(const json_t *row, const char *kind, const char *name);

#endif
