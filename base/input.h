/* base/input.h - files that a user names, opened for reading.
 *
 * Only regular files and /dev/null, which counts as empty, are accepted. A folder, a device (possibly endless) or a
 * FIFO (whose writer may never come) is refused without waiting. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>

/* Opens the file and returns its descriptor, or -1 with the reason in *why, a static text or that of strerror(). With
 * `pipe` it also accepts a pipe that this process already holds open, such as `/dev/stdin` or `/dev/fd/63`, which a
 * shell passes for <(...). */
int base_open_input(const char *path, bool pipe, const char **why);
/* Has this process opened this file by base_open_input(), or noted it by base_note_input(), under any name? If so, the
 * file must not be overwritten. */
bool base_was_read(const char *path);
/* Records that this process reads a file without base_open_input(), for example through a library. */
void base_note_input(const char *path);

#endif
