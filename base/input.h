/* base/input.h - files that a user names, opened for reading.
 *
 * Only regular files and /dev/null, which counts as empty, are accepted. A folder, a device (possibly endless) or a
 * FIFO (whose writer may never come) is refused without waiting. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>

/* A descriptor; -1 with the reason in *why, which may be static or from strerror(). pipe: also accept a pipe that this
 * process holds open already, such as `/dev/stdin` or a shell's <(...), `/dev/fd/63`. */
int base_open_input(const char *path, bool pipe, const char **why);
/* Has this process opened or noted this file, by whatever name? Then it must not be overwritten. */
bool base_was_read(const char *path);
/* Notes a file that is read by a library, or in another way than base_open(). */
void base_note_input(const char *path);

#endif
