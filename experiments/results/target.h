/* experiments/results/target.h - which file is meant by a name that is to be written. */
#ifndef EXPERIMENTS_RESULTS_TARGET_H
#define EXPERIMENTS_RESULTS_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

/* The file that `path` leads to, symbolic links followed to their end, which need not exist yet. Owned by the caller.
 * NULL with *why if it cannot be replaced: it is no regular file, is write-protected, or is reached through the open
 * files of a process (/dev/stdout). *exists and *st tell of the file that is there. */
char *xp_target_find(const char *path, bool *exists, struct stat *st, const char **why);

/* Is the regular file of `st` the one that `path` leads to, by whatever name? */
bool xp_target_is(const struct stat *st, const char *path);

/* The folder of a path, "." if it names none. Owned by the caller. */
char *xp_target_folder(const char *path);

#endif
