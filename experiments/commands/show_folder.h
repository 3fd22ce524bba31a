/* experiments/commands/show_folder.h - a results folder of `tilefly compare` or `tilefly design`, for `tilefly show`.
 */
#ifndef EXPERIMENTS_COMMANDS_SHOW_FOLDER_H
#define EXPERIMENTS_COMMANDS_SHOW_FOLDER_H

#include <stdbool.h>

/* Prints the folder's table (ranking.csv, front.csv) in aligned columns, or its JSON file (compare.json, design.json)
 * as it is. There are no records: `records`, that they are wanted, is an error. Returns the exit status; -1: the folder
 * is of neither command. */
int xp_show_folder(const char *folder, bool json, bool records);

#endif
