/* experiments/commands/show_folder.h - prints the results directory of `tilefly compare` or `tilefly design` for
 * `tilefly show`. */
#ifndef EXPERIMENTS_COMMANDS_SHOW_FOLDER_H
#define EXPERIMENTS_COMMANDS_SHOW_FOLDER_H

#include <stdbool.h>

/* Prints the table of a results directory (ranking.csv or front.csv) in aligned columns, or with `json` its JSON file
 * (compare.json or design.json) unchanged. `records` says that the user requested records of a run, which is an error
 * because such a directory has none. Returns the exit status, or -1 if the directory is not a result of `tilefly
 * compare` or `tilefly design`. */
int xp_show_folder(const char *folder, bool json, bool records);

#endif
