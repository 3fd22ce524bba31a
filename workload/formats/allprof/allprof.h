/* workload/formats/allprof/allprof.h - traces of liballprof, the PMPI library of LogGOPSim. A trace has one text file
 * per rank, and a file has one MPI call per line, with its arguments separated by colons. */
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

/* Opens a trace, given one of its files: the last number in the file's name is the rank. The calls are written to an
 * unnamed temporary file. Returns -1 with errors, each with its file and line. */
int wl_allprof_open(struct mpi_source *out, const char *path, struct base_errors *errors);
const struct wl_allprof_facts *wl_allprof_facts(const struct mpi_source *s);
/* Visits the files of the trace. */
void wl_allprof_files(const char *path, void (*visit)(void *arg, const char *path), void *arg);

#endif
