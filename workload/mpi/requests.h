/* workload/mpi/requests.h - the requests of a rank, checked while its calls are read, before anything is executed: a
 * wait for a request that no call created is an error of the program, or of its recording. */
#ifndef WORKLOAD_MPI_REQUESTS_H
#define WORKLOAD_MPI_REQUESTS_H

#include "workload/formats/map.h"
#include "workload/mpi/call.h"

/* All-zero: none. */
struct mpi_requests {
	struct wl_map named; /* by handle: how often it is to be waited for, and flags; 0: it may be complete */
	bool found_out;      /* a call has left open what it completes: from then on any request may be complete */
};

/* Processes a call. false: it uses a request, *handle, that no call created or that is complete. O(requests of the
 * call). */
bool mpi_requests_note(struct mpi_requests *r, const struct mpi_call *call, uint64_t *handle);
void mpi_requests_free(struct mpi_requests *r);

#endif
