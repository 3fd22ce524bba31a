/* experiments/commands/list_statistics.h - `tilefly list statistics`: prints the fields of the record `summary`. */
#ifndef EXPERIMENTS_COMMANDS_LIST_STATISTICS_H
#define EXPERIMENTS_COMMANDS_LIST_STATISTICS_H

#include <stdbool.h>

/* Prints all statistics, as text or as JSON. */
void xp_list_statistics(bool json);
/* Prints the table of statistics in docs/reference.md, with the columns field, unit and meaning. */
void xp_markdown_statistics(void);
/* Prints the table of statistics in docs/results.md: the columns of tables that contain a statistic, how it is merged
 * over several runs, and whether tilefly diff compares it. */
void xp_markdown_columns(void);

#endif
