/* experiments/results/temporary.h - names that must not outlive this process: temporary files, locks.
 *
 * What is listed here is removed when SIGHUP, SIGINT, SIGTERM or want of memory ends the process. A process that is
 * killed outright leaves its temporary files behind; they are recognised by their names, "NAME.<16 hexadecimal
 * digits>.tmp". */
#ifndef EXPERIMENTS_RESULTS_TEMPORARY_H
#define EXPERIMENTS_RESULTS_TEMPORARY_H

#include <stdbool.h>

/* Makes and opens a new file beside `target` for writing, under an unpredictable name, and lists it. Links are not
 * followed. Its permissions are those that the umask leaves. Returns the descriptor and the name (owned by the caller),
 * or -1 with errno set. */
int xp_temporary_open(const char *target, char **name);

/* Lists a file or an empty folder. What was listed last is removed first. */
void xp_temporary_list(const char *path);
/* Takes it off the list, without removing it. */
void xp_temporary_forget(const char *path);

/* Removes what is listed; a signal handler may call it. */
void xp_temporary_remove(void);
/* The handler of a signal that ends the process: removes what is listed, then lets the signal do what it does by
 * default. */
void xp_temporary_end(int signal_number);

/* Whether a file's name, without its folder, is one that xp_temporary_open() makes. */
bool xp_temporary_is(const char *name);
/* Removes the temporary files in a folder that were made for the file `of`, or for any if it is NULL. */
void xp_temporary_clean(const char *folder, const char *of);

#endif
