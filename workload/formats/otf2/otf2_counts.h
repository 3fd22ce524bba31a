/* workload/formats/otf2/otf2_counts.h - the counts of collectives whose blocks have different sizes. OTF2 contains what
 * each rank sent and received in total: for Gatherv, Scatterv, Allgatherv and Reduce_scatter these are the counts,
 * since each block belongs to one rank. How the data of a rank in an Alltoallv is divided among the others is not
 * known: it is divided in proportion to what the ranks received, so each sends what its record says, and receives its
 * recorded total up to less than a byte per sender.
 *
 * Calls of a communicator are the same at all ranks, in the same order, so calls with the same number belong together.
 */
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

/* Called at the end of the spool; comm: by handle, from OTF2_FIRST_COMM on. What ranks sent and received is appended to
 * its records, and the position of these data stored in the records with counts. -1: the disk is full. */
int otf2_counts_find(struct wl_spool *s, const struct otf2_comm *comm);
/* The counts of a collective that a rank calls on a communicator of n. */
void otf2_counts_fill(const struct wl_spool *s, const struct otf2_comm *comm, const struct wl_spool_record *r,
                      uint32_t n, uint32_t rank, struct mpi_call *call);

#endif
