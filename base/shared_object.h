/* base/shared_object.h - is a file safe to pass to dlopen()?
 *
 * The loader maps a file and trusts its headers: a truncated file makes it touch pages that do not exist (SIGBUS), and
 * it blocks on a FIFO. */
#ifndef BASE_SHARED_OBJECT_H
#define BASE_SHARED_OBJECT_H

#include "base/error.h"

/* Is it a regular file, an ELF shared object for this architecture, whose headers describe only parts inside the file?
 * If not, returns -1 with an error that names `path`. The contents of those parts are not checked. */
int base_check_shared_object(const char *path, struct base_errors *errors);

#endif
