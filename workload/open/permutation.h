/* workload/open/permutation.h - a permutation of endpoints as a text file: a line "SOURCE DESTINATION" with endpoint
 * numbers for each endpoint that sends; # begins a comment. Uncompressed or gzip. */
#ifndef WORKLOAD_PERMUTATION_H
#define WORKLOAD_PERMUTATION_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Fills to[endpoints]: UINT32_MAX for endpoints that do not send. Every problem of the file is an error at key `file`,
 * with its line: numbers without an endpoint, a source or destination that occurs twice, an endpoint that sends to
 * itself. */
int wl_read_permutation(uint32_t *to, uint32_t endpoints, const char *file, struct base_errors *errors);

/* Writes such a file; an endpoint whose destination is itself is omitted. marked (may be NULL): sources whose lines get
 * the comment "# +". Returns -1 if the stream has an error. */
int wl_write_permutation(const uint32_t *to, const bool *marked, uint32_t endpoints, FILE *out);

#endif
