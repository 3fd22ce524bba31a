/* experiments/commands/list_arbiters.h - output of `tilefly list` that is specific to arbiters: their fairness, and the
 * switch keys and packet data that they need. */
#ifndef EXPERIMENTS_COMMANDS_LIST_ARBITERS_H
#define EXPERIMENTS_COMMANDS_LIST_ARBITERS_H

#include "base/json.h"
#include "base/plugin.h"

void xp_text_arbiter(const struct base_plugin *arbiter);
/* Writes the fairness of an arbiter, and the switch keys and packet data that it needs, as members of an open JSON
 * object. */
void xp_json_arbiter(struct base_json *j, const struct base_plugin *arbiter);
/* Prints the arbiter section of the reference manual. */
void xp_markdown_arbiters(const struct base_registry *registry);

#endif
