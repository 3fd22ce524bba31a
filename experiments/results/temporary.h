/* experiments/results/temporary.h - files that must be removed when the process ends: temporary files and locks.
 *
 * Listed files are removed when SIGHUP, SIGINT, SIGTERM or lack of memory ends the process. A process that is killed by
 * SIGKILL leaves its temporary files; they are recognised by their names, "NAME.<16 hexadecimal digits>.tmp". */
#ifndef EXPERIMENTS_RESULTS_TEMPORARY_H
#define EXPERIMENTS_RESULTS_TEMPORARY_H

#include <stdbool.h>

/* Creates and opens a temporary file for writing, under an unpredictable name in the directory of `target`, and adds it
 * to the list of files to be removed. Symbolic links are not followed. The umask determines its permissions. Returns
 * the descriptor and sets *name (owned by the caller), or returns -1 with errno set. */
int xp_temporary_open(const char *target, char **name);

/* Adds a file or an empty directory to the list of files to be removed. Files are removed in reverse order of their
 * addition. */
void xp_temporary_list(const char *path);
/* Removes a file from the list of files to be removed; the file itself remains. */
void xp_temporary_forget(const char *path);

/* Removes all files of the list. May be called in a signal handler. */
void xp_temporary_remove(void);
/* Signal handler for signals that end the process: removes the listed files, then performs the default action of the
 * signal. */
void xp_temporary_end(int signal_number);

/* Returns whether a file name (without its directory) has the form of the names that xp_temporary_open() generates. */
bool xp_temporary_is(const char *name);
/* Removes the temporary files in a directory that belong to the file `of`; if `of` is NULL, those of all files. */
void xp_temporary_clean(const char *folder, const char *of);

#endif
