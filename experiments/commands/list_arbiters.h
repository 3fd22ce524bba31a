/* experiments/commands/list_arbiters.h - what `tilefly list` says of an arbiter beside what it says of every plug-in:
 * what it is fair in, and what it needs of the switch. */
#ifndef EXPERIMENTS_COMMANDS_LIST_ARBITERS_H
#define EXPERIMENTS_COMMANDS_LIST_ARBITERS_H

#include "base/json.h"
#include "base/plugin.h"

void xp_text_arbiter(const struct base_plugin *arbiter);
/* Members of an object that is open. */
void xp_json_arbiter(struct base_json *j, const struct base_plugin *arbiter);
/* The section of the reference manual. */
void xp_markdown_arbiters(const struct base_registry *registry);

#endif
