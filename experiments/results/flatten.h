/* experiments/results/flatten.h - the members of a JSON object under names like those of configuration keys. */
#ifndef EXPERIMENTS_RESULTS_FLATTEN_H
#define EXPERIMENTS_RESULTS_FLATTEN_H

#include <jansson.h>
#include <stdbool.h>

typedef void xp_visit_member(void *arg, const char *path, const json_t *value);

/* Visits the scalars below a value, in order: "time.warmup", and inside lists "traffic.[0].load". lists false: lists
 * are visited as a whole. */
void xp_flatten(const json_t *value, bool lists, xp_visit_member *visit, void *arg);

/* A value as text, malloc'ed: texts without quotes and with control characters replaced; lists and groups as JSON. */
char *xp_value_text(const json_t *value);

#endif
