/* workload/mpi/comms.h - the communicators of a program, computed before it is simulated: they follow from all ranks'
 * calls and do not depend on time. The same pass reads every call of every rank once, and finds errors. */
#ifndef WORKLOAD_MPI_COMMS_H
#define WORKLOAD_MPI_COMMS_H

#include "workload/mpi/call.h"

#define WL_MPI_MOST_COMMS 32768u
#define WL_MPI_NO_COMM UINT32_MAX
#define WL_MPI_MOST_TOLD 20u

/* Number 0 is the world; WL_MPI_SELF, number 1, is each rank's own. */
struct mpi_comm {
	uint32_t n;
	uint32_t *world; /* [n] rank in the world of each; owned. NULL: i is i */
};

/* What a rank got from one of its calls that create communicators. */
struct mpi_membership {
	uint32_t comm, me; /* WL_MPI_NO_COMM: it is in none */
};

struct mpi_comms {
	uint32_t ranks;
	struct mpi_comm *comm; /* [comms] */
	uint32_t comms, cap;
	struct mpi_rank_comms {
		struct mpi_membership *made; /* owned; by the order of the rank's calls */
		uint32_t n, cap;
	} * rank; /* [ranks] */
	/* Collective calls that another rank of the communicator does not make; at most WL_MPI_MOST_TOLD. */
	struct mpi_lonely {
		uint32_t rank, absent;
		enum mpi_op op;
		char place[200]; /* "" where the source has none */
	} * lonely;              /* [lonelies] owned */
	uint32_t lonelies;
	double compute_ps, bytes; /* of all calls of all ranks */
	uint64_t collectives;     /* that are called: mpi_collective_bit() of each */
	uint64_t digest;          /* of the calls that were read, of all ranks */
};

/* Reads all calls of all ranks. -1 with errors (keys are locations, or "@"). O(calls). */
int mpi_comms_find(struct mpi_comms *out, const struct mpi_source *source, struct base_errors *errors);
void mpi_comms_free(struct mpi_comms *c);

#endif
