/* base/shared_object.h - may a file be given to dlopen()?
 *
 * The loader maps a file and believes its headers: of a truncated one it touches pages that do not exist (SIGBUS), a
 * FIFO it waits for. */
#ifndef BASE_SHARED_OBJECT_H
#define BASE_SHARED_OBJECT_H

#include "base/error.h"

/* Is it a regular file, an ELF shared object for this kind of processor, with all that its headers promise inside the
 * file? Returns -1 with an error that names `path` if not. What the parts of the file hold is not looked at. */
int base_check_shared_object(const char *path, struct base_errors *errors);

#endif
