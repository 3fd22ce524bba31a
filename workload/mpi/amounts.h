/* workload/mpi/amounts.h - what ranks send each other in collectives with counts, as the sender and as the receiver has
 * it: the two have to be equal (MPI 4.0, chapter 6). All ranks' calls are held against each other without keeping
 * them: each pair's bytes become a number by a hash, which the sender adds and the receiver takes away. Where all agree
 * the sum of all ranks is 0; where it is not, calls are read again to find the pair. */
#ifndef WORKLOAD_MPI_AMOUNTS_H
#define WORKLOAD_MPI_AMOUNTS_H

#include "workload/mpi/call.h"

/* Of a rank's call, me of n in its communicator, whose counts are one for each rank where there must be some. */
struct mpi_amounts {
	const struct mpi_call *call;
	uint32_t me, n;
	uint64_t number; /* of the call on its communicator */
};

/* Whether they are, in a call of any kind; else, as text, which are not. O(1). */
bool mpi_amounts_complete(const struct mpi_amounts *a, char *out, size_t room);

/* What the rank sends to another one, or to itself, as it says. false: it says nothing of that. */
bool mpi_amount_sent(const struct mpi_amounts *a, uint32_t to, uint64_t *bytes);
/* What it expects. Of a pair, where one rank says something the other one does. */
bool mpi_amount_expected(const struct mpi_amounts *a, uint32_t from, uint64_t *bytes);
/* What it sends less what it expects, modulo 2^64. O(n) in Alltoallv and at roots, else O(1). */
uint64_t mpi_amounts_sum(const struct mpi_amounts *a);
/* The same apart by the senders that it is of: added to of[n]. */
void mpi_amounts_part(const struct mpi_amounts *a, uint64_t *of);
/* Of a rank whose two words of its own block are not the same: both, as text. */
void mpi_amounts_describe_own(const struct mpi_amounts *a, char *out, size_t room);

#endif
