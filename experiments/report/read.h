/* experiments/report/read.h - functions that read results, shared by the sections of a report. */
#ifndef EXPERIMENTS_REPORT_READ_H
#define EXPERIMENTS_REPORT_READ_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Returns whether the directory contains an entry of this name. */
bool xp_is_in(const char *folder, const char *name);

/* Returns whether a results directory is incomplete: its experiment.cfg is a study of `tilefly design` or `tilefly
 * compare`, but the table that these commands write at their end is missing. Adds an error in this case. */
bool xp_has_lost(const char *folder, struct base_errors *errors);

/* Reads the rows of the table in a sweep's results directory. Returns them as an array owned by the caller; NULL with
 * an error if there are none. */
json_t *xp_read_rows(const char *folder, struct base_errors *errors);

/* Reads the file FOLDER/NAME, which must be one JSON object with the member "record" equal to `record` and the member
 * "format" equal to 1. Owned by the caller; NULL with an error otherwise. */
json_t *xp_read_object(const char *folder, const char *name, const char *record, struct base_errors *errors);

/* Reads the latency histogram over all jobs from a result log. Returns {"bins": [[low, high, count], ...]}, owned by
 * the caller, or NULL if the log has none. */
json_t *xp_read_latency_histogram(const char *path);

/* Returns the last component of a path, for use in titles. */
const char *xp_last_part(const char *path);

#endif
