/* experiments/results/temporary.h - files that must be removed when the process ends: temporary files and locks.
 *
 * Listed files are removed when SIGHUP, SIGINT, SIGTERM or lack of memory ends the process. A process that is killed by
 * SIGKILL leaves its temporary files; they are recognised by their names, "NAME.<16 hexadecimal digits>.tmp". */
#ifndef EXPERIMENTS_RESULTS_TEMPORARY_H
#define EXPERIMENTS_RESULTS_TEMPORARY_H

#include <stdbool.h>

/* Creates and opens a temporary file next to `target` for writing, under an unpredictable name, and lists it. Links are
 * not followed. Its permissions are those left by the umask. Returns the descriptor and the name (owned by the caller),
 * or -1 with errno set. */
int xp_temporary_open(const char *target, char **name);

/* Lists a file or an empty directory for removal. The last one listed is removed first. */
void xp_temporary_list(const char *path);
/* Removes the entry from the list, but not the file. */
void xp_temporary_forget(const char *path);

/* Removes all listed files; a signal handler may call it. */
void xp_temporary_remove(void);
/* Handler of a signal that ends the process: removes the listed files, then performs the default action of the signal.
 */
void xp_temporary_end(int signal_number);

/* Is a file name (without its directory) one that xp_temporary_open() creates? */
bool xp_temporary_is(const char *name);
/* Removes temporary files in a directory that belong to the file `of`, or to any file if it is NULL. */
void xp_temporary_clean(const char *folder, const char *of);

#endif
