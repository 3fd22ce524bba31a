/* experiments/commands/list_statistics.h - `tilefly list statistics`: the fields of the record `summary`. */
#ifndef EXPERIMENTS_COMMANDS_LIST_STATISTICS_H
#define EXPERIMENTS_COMMANDS_LIST_STATISTICS_H

#include <stdbool.h>

/* Prints all statistics, as text or as JSON. */
void xp_list_statistics(bool json);
/* Prints the table of docs/reference.md: field, unit, meaning. */
void xp_markdown_statistics(void);
/* Prints the table of docs/results.md: columns of statistics, how several runs are merged, and what tilefly diff
 * compares. */
void xp_markdown_columns(void);

#endif
