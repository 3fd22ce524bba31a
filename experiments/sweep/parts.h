/* experiments/sweep/parts.h - what a row of the summary table says of single jobs and traffic classes, where there are
 * several: members "jobs.NAME.COLUMN" and "classes.NAME.COLUMN". */
#ifndef EXPERIMENTS_SWEEP_PARTS_H
#define EXPERIMENTS_SWEEP_PARTS_H

#include "experiments/sweep/sweep.h"

/* Adds those of a record `summary`. */
void xp_parts_read(json_t *row, const json_t *summary);
/* Adds those of several runs to a row: the mean of what all say; latency_censored if one says so. */
void xp_parts_merge(json_t *row, json_t *const *from, size_t n);
/* The names of these members in all rows, in the order in which they come; an array, the caller's. */
json_t *xp_parts_columns(const json_t *rows);
/* The names of the jobs (`kind` "jobs") or classes ("classes") that the rows speak of, likewise. */
json_t *xp_parts_names(const json_t *rows, const char *kind);
/* What a row says of one; NAN: nothing. */
double xp_part_number(const json_t *row, const char *kind, const char *name, const char *column);
bool xp_part_censored(const json_t *row, const char *kind, const char *name);

#endif
