/* workload/formats/recorded/recorded_text.h - MPI calls as text, one per line: the output of tilefly record, also
 * written by hand. docs/mpi.md defines the format. */
#ifndef WORKLOAD_FORMATS_RECORDED_RECORDED_TEXT_H
#define WORKLOAD_FORMATS_RECORDED_RECORDED_TEXT_H

#include "workload/mpi/call.h"

/* Opens a file as a source. Its lines are read on demand; -1 with errors (keys "@FILE:LINE"). O(bytes). */
int mpi_text_open(struct mpi_source *out, const char *path, struct base_errors *errors);

/* Reads all lines of all ranks: -1 with the first error of each rank, as long as they are few. For callers that process
 * calls before the last one is read. O(bytes). */
int mpi_text_check(const struct mpi_source *s, struct base_errors *errors);

/* The same as mpi_text_open() for text in memory, which the caller owns; messages use `name`. */
int mpi_text_parse(struct mpi_source *out, const char *bytes, size_t n, const char *name, struct base_errors *errors);

#endif
