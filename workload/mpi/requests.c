/* workload/mpi/requests.c - see requests.h. The same errors are detected when a trace is executed
 * (workload/formats/play/play.c), which in addition knows what is complete if a source does not record it. */
#include "workload/mpi/requests.h"

enum { PERSISTENT = 1, RECEIVES = 2, ONE_USE = 4 };

static bool is_known(const struct mpi_requests *r, uint64_t handle)
{
	return handle == WL_MPI_REQUEST_NULL || wl_map_find(&r->named, handle);
}

/* One handle may be of several sends that are complete at once (MPICH): it is then waited for as often. */
static void name(struct mpi_requests *r, const struct mpi_call *c)
{
	bool persistent = c->op >= WL_MPI_SEND_INIT && c->op <= WL_MPI_RECV_INIT;
	bool sends = c->op >= WL_MPI_ISEND && c->op <= WL_MPI_IRSEND;
	uint64_t *slot = wl_map_put(&r->named, c->request);
	if (sends && *slot && !(*slot & (PERSISTENT | RECEIVES)))
		*slot += ONE_USE;
	else
		*slot = ONE_USE | (persistent ? PERSISTENT : 0) | (c->op == WL_MPI_IRECV ? RECEIVES : 0);
}

static void drop_request(struct mpi_requests *r, uint64_t handle)
{
	uint64_t *slot = wl_map_find(&r->named, handle);
	if (!slot || !*slot)
		return;
	*slot -= ONE_USE;
	if (*slot >= ONE_USE)
		return;
	if (r->found_out)
		*slot = 0;
	else
		wl_map_remove(&r->named, handle);
}

static bool know_all(const struct mpi_requests *r, const struct mpi_list *list, uint64_t *handle)
{
	for (uint32_t i = 0; i < list->n; i++)
		if (!is_known(r, *handle = list->v[i]))
			return false;
	return true;
}

static bool complete_all(struct mpi_requests *r, const struct mpi_call *c, uint64_t *handle)
{
	const struct mpi_list *list = c->op == WL_MPI_WAITALL || !c->outcome_known ? &c->requests : &c->completed;
	if (!know_all(r, list, handle))
		return false;
	r->found_out |= c->op != WL_MPI_WAITALL && !c->outcome_known;
	if (c->op != WL_MPI_WAITALL && !c->outcome_known)
		return true;
	for (uint32_t i = 0; i < list->n; i++) {
		const uint64_t *slot = wl_map_find(&r->named, list->v[i]);
		if (slot && !(*slot & PERSISTENT))
			drop_request(r, list->v[i]);
	}
	return true;
}

bool mpi_requests_note(struct mpi_requests *r, const struct mpi_call *c, uint64_t *handle)
{
	bool makes = (c->op >= WL_MPI_ISEND && c->op <= WL_MPI_IRSEND) || c->op == WL_MPI_IRECV ||
	             (c->op >= WL_MPI_SEND_INIT && c->op <= WL_MPI_RECV_INIT) ||
	             (mpi_is_collective(c->op) && c->nonblocking);
	if (makes && c->request != WL_MPI_REQUEST_NULL)
		name(r, c);
	if (c->op >= WL_MPI_WAITALL && c->op <= WL_MPI_TESTSOME)
		return complete_all(r, c, handle);
	if (c->op != WL_MPI_START && c->op != WL_MPI_REQUEST_FREE && c->op != WL_MPI_CANCEL)
		return true;
	*handle = c->request;
	if (!is_known(r, c->request) || !know_all(r, &c->requests, handle))
		return false;
	if (c->op == WL_MPI_REQUEST_FREE) {
		drop_request(r, c->request);
		for (uint32_t i = 0; i < c->requests.n; i++)
			drop_request(r, c->requests.v[i]);
	}
	return true;
}

void mpi_requests_free(struct mpi_requests *r)
{
	wl_map_free(&r->named);
	*r = (struct mpi_requests){ 0 };
}
