/* experiments/commands/list_shipped.h - `tilefly list configs` and `list studies`. */
#ifndef EXPERIMENTS_COMMANDS_LIST_SHIPPED_H
#define EXPERIMENTS_COMMANDS_LIST_SHIPPED_H

#include "base/json.h"
#include "experiments/config/shipped.h"

#include <stdbool.h>

/* "configs", "studies", or another form of them; -1 for any other word. */
int xp_shipped_kind(const char *word);
/* Prints the shipped files of a kind: name and title. */
void xp_list_shipped(enum xp_shipped kind, bool json);
/* The same in a JSON array that is begun, with the word for the kind. */
void xp_json_shipped(struct base_json *j, enum xp_shipped kind, const char *word);

#endif
