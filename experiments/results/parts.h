/* experiments/results/parts.h - what a row says of single jobs and traffic classes: members "jobs.NAME.COLUMN" and
 * "classes.NAME.COLUMN". A table has them where a row of it has several jobs, or classes: of those that are alone in
 * their row, too. */
#ifndef EXPERIMENTS_RESULTS_PARTS_H
#define EXPERIMENTS_RESULTS_PARTS_H

#include <jansson.h>
#include <stdbool.h>

/* Adds those of a record `summary`. */
void xp_parts_read(json_t *row, const json_t *summary);
/* Removes those of jobs from `rows`, an array, unless one of the rows has several jobs; those of classes likewise. */
void xp_parts_keep_several(const json_t *rows);
/* The names of these members in all rows, in the order in which they come; an array, the caller's. */
json_t *xp_parts_columns(const json_t *rows);
/* The names of the jobs (`kind` "jobs") or classes ("classes") that the rows speak of, likewise. */
json_t *xp_parts_names(const json_t *rows, const char *kind);
/* What a row says of one; NAN: nothing. */
double xp_part_number(const json_t *row, const char *kind, const char *name, const char *column);
bool xp_part_censored(const json_t *row, const char *kind, const char *name);

#endif
