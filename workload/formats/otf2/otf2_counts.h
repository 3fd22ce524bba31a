/* workload/formats/otf2/otf2_counts.h - the counts of collectives whose blocks are of several sizes. OTF2 has what each
 * rank sent and received in all: of Gatherv, Scatterv, Allgatherv and Reduce_scatter these are the counts, since each
 * block is of one rank. What a rank of an Alltoallv sent to which is not known: it is shared out as the ranks received,
 * so that each sends what its record says, and receives that but for less than a byte of each sender.
 *
 * Calls of a communicator are the same ones at all ranks, in the same order: the number of a call tells which belong
 * together. */
#ifndef WORKLOAD_FORMATS_OTF2_OTF2_COUNTS_H
#define WORKLOAD_FORMATS_OTF2_OTF2_COUNTS_H

#include "workload/formats/otf2/spool.h"
#include "workload/mpi/call.h"

#define OTF2_FIRST_COMM 2u /* handle of the first communicator, if it is neither the world nor self */

struct otf2_comm {
	uint32_t n, handle;
	uint32_t *rank; /* [n] owned */
	bool all;       /* of all ranks in their order */
};

/* The spool has ended; comm: by handle, from OTF2_FIRST_COMM on. What ranks sent and received goes behind its records,
 * and its place into those that have counts. -1: the disk is full. */
int otf2_counts_find(struct wl_spool *s, const struct otf2_comm *comm);
/* Those of a collective that a rank calls, on a communicator of n. */
void otf2_counts_fill(const struct wl_spool *s, const struct otf2_comm *comm, const struct wl_spool_record *r,
                      uint32_t n, uint32_t rank, struct mpi_call *call);

#endif
