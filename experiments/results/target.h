/* experiments/results/target.h - the file that is replaced when a path is written. */
#ifndef EXPERIMENTS_RESULTS_TARGET_H
#define EXPERIMENTS_RESULTS_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

/* The file to which `path` leads after following all symbolic links; it need not exist yet. Owned by the caller. NULL
 * with *why if it cannot be replaced because it is not a regular file, is write-protected, or is an open file of a
 * process (/dev/stdout). *exists and *st describe the existing file. */
char *xp_target_find(const char *path, bool *exists, struct stat *st, const char **why);

/* Does `path` lead to the regular file described by `st`? */
bool xp_target_is(const struct stat *st, const char *path);

/* The directory of a path, "." if it names none. Owned by the caller. */
char *xp_target_folder(const char *path);

#endif
