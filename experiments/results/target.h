/* experiments/results/target.h - determines which file is replaced when a path is written, which may be a symbolic
 * link. */
#ifndef EXPERIMENTS_RESULTS_TARGET_H
#define EXPERIMENTS_RESULTS_TARGET_H

#include <stdbool.h>
#include <sys/stat.h>

/* Returns the path of the file that `path` leads to after all symbolic links are followed, owned by the caller. The
 * file need not exist; *exists says whether it does, and *st describes it then. Returns NULL with *why if the file
 * cannot be replaced: it is not a regular file, it is write-protected, or it is an open file of a process
 * (/dev/stdout). */
char *xp_target_find(const char *path, bool *exists, struct stat *st, const char **why);

/* Returns whether `path` leads to the regular file that `st` describes. */
bool xp_target_is(const struct stat *st, const char *path);

/* Returns the directory part of a path, "." if it has none. Owned by the caller. */
char *xp_target_folder(const char *path);

#endif
