/* workload/formats/aspen/emit.h - the program of a model's ranks in other forms. */
#ifndef WORKLOAD_FORMATS_ASPEN_EMIT_H
#define WORKLOAD_FORMATS_ASPEN_EMIT_H

#include "workload/formats/aspen/comm.h"

#include <stdio.h>

/* A C program with MPI, for any number of ranks. -1 with an error: a message is too long for an MPI count. */
int aspen_emit_mpi(FILE *out, const struct aspen_program *p, const char *model, struct base_errors *errors);
/* Estimated size in bytes of the GOAL schedule below; it may be off by a fifth, because numbers differ in their digits.
 * Takes as long as counting its messages. */
double aspen_goal_bytes(const struct aspen_program *p, const struct aspen_ranks *g);
/* A GOAL schedule (text, in ns) of g->n ranks; collectives by the algorithms of g->choices. */
void aspen_emit_goal(FILE *out, const struct aspen_program *p, const struct aspen_ranks *g, const char *model);

#endif
