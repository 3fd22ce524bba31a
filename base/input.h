/* base/input.h - files that a user names, opened for reading.
 *
 * A file is a regular one, or /dev/null, which is empty. What is none is refused and not waited for: a folder, a
 * device, which may have no end, or a FIFO, whose writer may never come. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>

/* A descriptor; -1 with the reason in *why, which may be static or of strerror(). pipe: also one that the caller of the
 * program holds open already, as `/dev/stdin` and a shell's <(...), `/dev/fd/63`, name it. */
int base_open_input(const char *path, bool pipe, const char **why);
/* Has this process opened the file so, or noted it, by whatever name? Then it is not to be written over. */
bool base_was_read(const char *path);
/* For what is read by others, or in another way. */
void base_note_input(const char *path);

#endif
