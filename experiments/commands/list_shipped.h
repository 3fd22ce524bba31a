/* experiments/commands/list_shipped.h - output of `tilefly list configs` and `tilefly list studies`: the configurations
 * and studies that are shipped with the program. */
#ifndef EXPERIMENTS_COMMANDS_LIST_SHIPPED_H
#define EXPERIMENTS_COMMANDS_LIST_SHIPPED_H

#include "base/json.h"
#include "experiments/config/shipped.h"

#include <stdbool.h>

/* Returns the kind of shipped files that a word names, such as "configs", "studies" and their synonyms; -1 for any
 * other word. */
int xp_shipped_kind(const char *word);
/* Prints the names and titles of the shipped configurations or studies, as text or as JSON. */
void xp_list_shipped(enum xp_shipped kind, bool json);
/* Adds the shipped configurations or studies to an open JSON array. `word` is the value of the member `kind` of each
 * entry; NULL: entries have no such member. */
void xp_json_shipped(struct base_json *j, enum xp_shipped kind, const char *word);

#endif
