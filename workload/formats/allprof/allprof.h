/* workload/formats/allprof/allprof.h - traces of liballprof, the PMPI library of LogGOPSim: a text file a rank, one MPI
 * call a line, its arguments between colons. */
#ifndef WORKLOAD_FORMATS_ALLPROF_ALLPROF_H
#define WORKLOAD_FORMATS_ALLPROF_ALLPROF_H

#include "workload/mpi/call.h"

#define ALLPROF_RANKS (1u << 20) /* at most */
#define ALLPROF_NAMES 160u       /* functions that are counted by name, at most */

struct allprof_count {
	char name[40];
	uint64_t count;
	bool left_out; /* a function that communicates nothing */
};

/* What a trace holds. */
struct wl_allprof_facts {
	struct allprof_count function[ALLPROF_NAMES];
	uint32_t functions;
	uint64_t backward;   /* calls that begin before the one before them has ended */
	uint64_t unfinished; /* ranks without MPI_Finalize */
	uint64_t as_world;   /* communicators of all ranks that no call makes: taken as MPI_COMM_WORLD */
	uint64_t in_order;   /* communicators that were taken in the order in which they were made */
};

/* Opens the trace of which one file is named: the last number in its name is the rank. The calls are written to a
 * temporary file, which has no name. -1 with errors, each at its file and line. */
int wl_allprof_open(struct mpi_source *out, const char *path, struct base_errors *errors);
const struct wl_allprof_facts *wl_allprof_facts(const struct mpi_source *s);
/* Visits the files of the trace. */
void wl_allprof_files(const char *path, void (*visit)(void *arg, const char *path), void *arg);

#endif
