/* experiments/commands/show_folder.h - prints the results directory of `tilefly compare` or `tilefly design` for
 * `tilefly show`. */
#ifndef EXPERIMENTS_COMMANDS_SHOW_FOLDER_H
#define EXPERIMENTS_COMMANDS_SHOW_FOLDER_H

#include <stdbool.h>

/* Prints the table of the directory (ranking.csv, front.csv) in aligned columns, or its JSON file (compare.json,
 * design.json) unchanged. There are no records, so `records` (the user requested records) is an error. Returns the exit
 * status, or -1 if neither command wrote the directory. */
int xp_show_folder(const char *folder, bool json, bool records);

#endif
