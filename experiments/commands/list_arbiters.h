/* experiments/commands/list_arbiters.h - `tilefly list arbiters`: those of switches, and what each is fair in. */
#ifndef EXPERIMENTS_COMMANDS_LIST_ARBITERS_H
#define EXPERIMENTS_COMMANDS_LIST_ARBITERS_H

#include <stdbool.h>

/* "arbiters" or "arbiter". */
bool xp_is_arbiters(const char *word);
void xp_list_arbiters(bool json);
/* The section of the reference manual. */
void xp_markdown_arbiters(void);

#endif
