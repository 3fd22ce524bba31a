/* workload/formats/recorded/recorded_text.h - MPI calls as text, one a line: what tilefly records, and tests write.
 * docs/mpi.md is the form.
 */
#ifndef WORKLOAD_FORMATS_RECORDED_RECORDED_TEXT_H
#define WORKLOAD_FORMATS_RECORDED_RECORDED_TEXT_H

#include "workload/mpi/call.h"

/* Opens a file as a source. Its lines are read when they are asked for; -1 with errors (keys "@FILE:LINE"). O(bytes).
 */
int mpi_text_open(struct mpi_source *out, const char *path, struct base_errors *errors);

/* Reads all lines of all ranks: -1 with the first error of each of them, as far as they are few. For who would do
 * something with calls before the last one is read. O(bytes). */
int mpi_text_check(const struct mpi_source *s, struct base_errors *errors);

/* The same as mpi_text_open() of bytes in memory, which messages call `name`, and which stay the caller's. */
int mpi_text_parse(struct mpi_source *out, const char *bytes, size_t n, const char *name, struct base_errors *errors);

#endif
