/* experiments/report/read.h - reading of results, used by several sections of a report. */
#ifndef EXPERIMENTS_REPORT_READ_H
#define EXPERIMENTS_REPORT_READ_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Does the directory contain an entry of this name? */
bool xp_is_in(const char *folder, const char *name);

/* Is experiment.cfg in the directory a study of tilefly design or tilefly compare, but the table that these write is
 * missing? Adds an error then. */
bool xp_has_lost(const char *folder, struct base_errors *errors);

/* The rows of a sweep's table as an array; NULL with an error if there are none. */
json_t *xp_read_rows(const char *folder, struct base_errors *errors);

/* FOLDER/NAME as one JSON object whose member "record" equals `record` and whose "format" is 1; owned by the caller.
 * NULL with an error otherwise. */
json_t *xp_read_object(const char *folder, const char *name, const char *record, struct base_errors *errors);

/* The latency histogram of all jobs of a result log: {"bins": [[low, high, count], ...]}, or NULL. */
json_t *xp_read_latency_histogram(const char *path);

/* The last component of a path, for titles. */
const char *xp_last_part(const char *path);

#endif
