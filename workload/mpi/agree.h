/* workload/mpi/agree.h - arguments of a collective that must be equal on all ranks: the call, the root, the sizes. */
#ifndef WORKLOAD_MPI_AGREE_H
#define WORKLOAD_MPI_AGREE_H

#include "workload/mpi/call.h"

/* No padding: it is hashed as it is. Whether the call is nonblocking is not included: if the rounds are the same it
 * does not matter, and otherwise the run ends with a report of which ranks wait for which. */
struct mpi_agreed {
	uint64_t bytes;    /* 0 where each rank has its own: those with counts, what root and others see differently */
	uint64_t element;  /* of reductions; 0: not known */
	uint64_t counts;   /* a hash of those that all ranks give, 0: of others */
	int32_t root;      /* -1: none */
	uint8_t op;        /* enum mpi_op */
	uint8_t operation; /* of reductions: a user's own, not commutative */
	uint8_t in_place;  /* of Alltoall, where algorithms depend on it */
	uint8_t spare;     /* 0 */
};

struct mpi_agreed mpi_agreed_of(const struct mpi_call *call);
/* Do the arguments of two ranks differ? If so, the text says how: "rank 1 has the root 2, and rank 0 0". */
bool mpi_agreed_differ(const struct mpi_agreed *a, uint32_t rank, const struct mpi_agreed *b, uint32_t other, char *out,
                       size_t room);

/* How two ranks' groups of MPI_Comm_create differ: "the same ranks in another order", "another group"; NULL: they do
 * not differ. O(members^2). */
const char *mpi_groups_differ(const struct mpi_list *a, const struct mpi_list *b);

#endif
