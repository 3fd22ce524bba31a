/* workload/open/permutation.h - a permutation of endpoints as a text file: a line "SOURCE DESTINATION" for each
 * endpoint that sends, numbers of endpoints; what follows # is a comment. Plain or gzip. */
#ifndef WORKLOAD_PERMUTATION_H
#define WORKLOAD_PERMUTATION_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Fills to[endpoints]: UINT32_MAX for those that the file does not let send. Every problem of the file is an error of
 * key `file`, with its line: numbers that no endpoint has, a source or a destination twice, an endpoint to itself. */
int wl_read_permutation(uint32_t *to, uint32_t endpoints, const char *file, struct base_errors *errors);

/* What that reads; an endpoint whose destination is itself is left out. marked (may be NULL): sources whose lines get
 * the comment "# +". Returns -1 if the stream has an error. */
int wl_write_permutation(const uint32_t *to, const bool *marked, uint32_t endpoints, FILE *out);

#endif
