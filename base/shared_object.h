/* base/shared_object.h - checks whether a file is safe to pass to dlopen().
 *
 * The dynamic loader maps a file and trusts its headers. With a truncated file it touches pages that do not exist
 * (SIGBUS), and on a FIFO it blocks. */
#ifndef BASE_SHARED_OBJECT_H
#define BASE_SHARED_OBJECT_H

#include "base/error.h"

/* Returns 0 if the file is a regular file and an ELF shared object for this architecture, and its headers describe only
 * parts inside the file. Otherwise returns -1 with an error that names `path`. The contents of those parts are not
 * checked. */
int base_check_shared_object(const char *path, struct base_errors *errors);

#endif
