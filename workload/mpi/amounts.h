/* workload/mpi/amounts.h - the amounts of data that ranks exchange in collectives with counts, according to the sender
 * and to the receiver: both must be equal (MPI 4.0, chapter 6). All ranks' calls are compared without storing them: the
 * bytes of each pair are hashed to a number, which the sender adds and the receiver subtracts. If all agree the sum
 * over all ranks is 0; otherwise the calls are read again to find the pair. */
#ifndef WORKLOAD_MPI_AMOUNTS_H
#define WORKLOAD_MPI_AMOUNTS_H

#include "workload/mpi/call.h"

/* The amounts of a rank's call; the rank is me of n in its communicator. There must be one count per rank where counts
 * are required. */
struct mpi_amounts {
	const struct mpi_call *call;
	uint32_t me, n;
	uint64_t number; /* of the call on its communicator */
};

/* Does a call of any kind have the required counts? If not, a text names them. O(1). */
bool mpi_amounts_complete(const struct mpi_amounts *a, char *out, size_t room);

/* The bytes that the rank sends to another one, or to itself, according to its call. false: the call does not contain
 * it. */
bool mpi_amount_sent(const struct mpi_amounts *a, uint32_t to, uint64_t *bytes);
/* The bytes that the rank expects from another one. For each pair, both ranks or none of them have a value. */
bool mpi_amount_expected(const struct mpi_amounts *a, uint32_t from, uint64_t *bytes);
/* The bytes that the rank sends minus the bytes that it expects, modulo 2^64. O(n) in Alltoallv and at roots, else
 * O(1). */
uint64_t mpi_amounts_sum(const struct mpi_amounts *a);
/* This difference separately for each sender: added to of[n]. */
void mpi_amounts_part(const struct mpi_amounts *a, uint64_t *of);
/* For a rank that sends itself a block of another size than it expects from itself: both sizes, as text for an error
 * message. */
void mpi_amounts_describe_own(const struct mpi_amounts *a, char *out, size_t room);

#endif
