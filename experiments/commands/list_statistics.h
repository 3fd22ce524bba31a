/* experiments/commands/list_statistics.h - `tilefly list statistics`: what the record `summary` holds. */
#ifndef EXPERIMENTS_COMMANDS_LIST_STATISTICS_H
#define EXPERIMENTS_COMMANDS_LIST_STATISTICS_H

#include <stdbool.h>

/* Prints all of them, for people or as JSON. */
void xp_list_statistics(bool json);
/* The table of docs/reference.md: field, unit, meaning. */
void xp_markdown_statistics(void);
/* The table of docs/results.md: which statistics have columns, how several runs are merged, what is compared. */
void xp_markdown_columns(void);

#endif
