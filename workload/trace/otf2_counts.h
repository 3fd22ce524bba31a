/* workload/trace/otf2_counts.h - what the root of a Gatherv or a Scatterv gets from each rank, or sends it: OTF2 has
 * the root's total, and what each other rank sent or got, which are the root's counts.
 *
 * Calls of a communicator are the same ones at all ranks, in the same order: the number of a call tells which belong
 * together. */
#ifndef WORKLOAD_TRACE_OTF2_COUNTS_H
#define WORKLOAD_TRACE_OTF2_COUNTS_H

#include "workload/mpi/call.h"
#include "workload/trace/spool.h"

#define OTF2_FIRST_COMM 2u /* handle of the first communicator, if it is neither the world nor self */

struct otf2_comm {
	uint32_t n, handle;
	uint32_t *rank; /* [n] owned */
	bool all;       /* of all ranks in their order */
};

/* The spool has ended; comm: by handle, from OTF2_FIRST_COMM on. The counts go behind its records, and their place into
 * those of roots. -1: the disk is full. */
int otf2_counts_find(struct wl_spool *s, const struct otf2_comm *comm);
/* Those of a root's record, n in all. */
void otf2_counts_get(const struct wl_spool *s, const struct wl_spool_record *r, uint32_t n, struct mpi_list *out);

#endif
