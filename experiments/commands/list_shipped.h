/* experiments/commands/list_shipped.h - `tilefly list configs` and `list studies`. */
#ifndef EXPERIMENTS_COMMANDS_LIST_SHIPPED_H
#define EXPERIMENTS_COMMANDS_LIST_SHIPPED_H

#include "base/json.h"
#include "experiments/config/shipped.h"

#include <stdbool.h>

/* Returns the kind for the words "configs", "studies" and their synonyms; -1 for any other word. */
int xp_shipped_kind(const char *word);
/* Prints the shipped files of a kind with their titles. */
void xp_list_shipped(enum xp_shipped kind, bool json);
/* Adds the shipped files of a kind to an open JSON array; `word` names the kind. */
void xp_json_shipped(struct base_json *j, enum xp_shipped kind, const char *word);

#endif
