/* experiments/results/flatten.h - visits the members of nested JSON objects under names that are written like
 * configuration keys. */
#ifndef EXPERIMENTS_RESULTS_FLATTEN_H
#define EXPERIMENTS_RESULTS_FLATTEN_H

#include <jansson.h>
#include <stdbool.h>

typedef void xp_visit_member(void *arg, const char *path, const json_t *value);

/* Calls `visit` for every scalar inside a JSON value, in order, with its path, such as "time.warmup". If `lists` is
 * true, the elements of lists are visited too, as in "traffic.[0].load"; otherwise a list is visited as one value. */
void xp_flatten(const json_t *value, bool lists, xp_visit_member *visit, void *arg);

/* Converts a JSON value to text: a string without quotes and with control characters replaced, a list or a group as
 * JSON. The result is malloc'ed. */
char *xp_value_text(const json_t *value);

#endif
