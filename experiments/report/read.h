/* experiments/report/read.h - what several sections of a report read from results. */
#ifndef EXPERIMENTS_REPORT_READ_H
#define EXPERIMENTS_REPORT_READ_H

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

/* Is there anything of this name in the folder? */
bool xp_is_in(const char *folder, const char *name);

/* Is experiment.cfg in the folder a study of tilefly design or tilefly compare, and the table missing that these write?
 * With an error then. */
bool xp_has_lost(const char *folder, struct base_errors *errors);

/* The rows of a sweep's table, an array; NULL with an error if there are none. */
json_t *xp_read_rows(const char *folder, struct base_errors *errors);

/* FOLDER/NAME, one JSON object whose member "record" is `record` and whose "format" is 1; the caller's. NULL with an
 * error if it is not. */
json_t *xp_read_object(const char *folder, const char *name, const char *record, struct base_errors *errors);

/* The latency histogram of a result log, of all jobs together: {"bins": [[low, high, count], ...]}, or NULL. */
json_t *xp_read_latency_histogram(const char *path);

/* The last part of a path, for titles. */
const char *xp_last_part(const char *path);

#endif
