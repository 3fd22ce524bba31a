/* workload/mpi/requests.h - the requests that a rank has named, as its calls are read before anything is carried out: a
 * wait for one that no call made is an error of the program, or of who recorded it. */
#ifndef WORKLOAD_MPI_REQUESTS_H
#define WORKLOAD_MPI_REQUESTS_H

#include "workload/formats/map.h"
#include "workload/mpi/call.h"

/* All-zero: none. */
struct mpi_requests {
	struct wl_map named; /* by handle: how often it is to be waited for, and flags; 0: it may be complete */
	bool found_out;      /* a call has left open what it completes: from then on any request may be complete */
};

/* Goes on by a call. false: it is of a request, *handle, that no call made or that one has completed. O(requests of the
 * call). */
bool mpi_requests_note(struct mpi_requests *r, const struct mpi_call *call, uint64_t *handle);
void mpi_requests_free(struct mpi_requests *r);

#endif
