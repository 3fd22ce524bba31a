/* workload/formats/otf2/otf2_source.c - the calls of an archive that has been read, one by one. */
#include "workload/formats/otf2/otf2_archive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { AT, COMM };

/* Before its own calls each rank makes the communicators that it is in, as the archive only names them. */
static bool next_comm(const struct otf2 *o, uint32_t rank, uint64_t *at, struct mpi_call *call)
{
	for (; *at < o->comms; ++*at) {
		const struct otf2_comm *c = &o->comm[*at];
		bool mine = c->all;
		if (c->handle <= WL_MPI_SELF)
			continue;
		for (uint32_t i = 0; i < c->n && !mine; i++)
			mine = c->rank[i] == rank;
		if (!mine)
			continue;
		call->op = c->all ? WL_MPI_COMM_DUP : WL_MPI_COMM_CREATE;
		call->comm = WL_MPI_WORLD;
		call->new_comm = c->handle;
		for (uint32_t i = 0; i < c->n && !c->all; i++)
			mpi_list_add(&call->members, c->rank[i]);
		++*at;
		return true;
	}
	return false;
}

static uint32_t comm_size(const struct otf2 *o, uint32_t handle)
{
	if (handle == WL_MPI_SELF)
		return 1;
	return handle == WL_MPI_WORLD ? o->ranks : o->comm[handle - OTF2_FIRST_COMM].n;
}

static enum mpi_next next_call(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *cursor,
                               struct mpi_call *call, struct base_errors *errors)
{
	const struct otf2 *o = s->data;
	struct wl_spool_record r;
	(void)errors;
	if (next_comm(o, rank, &cursor->word[COMM], call))
		return WL_MPI_CALL;
	if (!wl_spool_read(&o->spool, rank, &cursor->word[AT], &r))
		return WL_MPI_END;
	call->op = (enum mpi_op)r.op;
	call->comm = r.comm;
	call->peer = r.peer;
	call->tag = r.tag;
	call->bytes = r.bytes;
	call->request = r.request;
	call->compute = r.compute;
	call->nonblocking = r.nonblocking;
	if (mpi_is_collective(call->op))
		otf2_counts_fill(&o->spool, o->comm, &r, comm_size(o, r.comm), rank, call);
	if (call->op == WL_MPI_WAITALL) {
		mpi_list_add(&call->requests, r.request);
		while (r.goes_on && wl_spool_read(&o->spool, rank, &cursor->word[AT], &r))
			mpi_list_add(&call->requests, r.request);
	}
	return WL_MPI_CALL;
}

static void place_of_call(const struct mpi_source *s, uint32_t rank, const struct mpi_cursor *at, char *out,
                          size_t room)
{
	(void)at;
	snprintf(out, room, "%s: rank %" PRIu32, ((const struct otf2 *)s->data)->path, rank);
}

static void close_trace(struct mpi_source *s)
{
	struct otf2 *o = s->data;
	for (uint32_t i = 0; i < o->comms; i++)
		free(o->comm[i].rank);
	free(o->comm);
	free(o->facts.rank);
	free(o->path);
	wl_spool_free(&o->spool);
	free(o);
	*s = (struct mpi_source){ 0 };
}

const struct mpi_source_ops otf2_source_ops = { .next = next_call, .place = place_of_call, .close = close_trace };

const struct wl_otf2_facts *wl_otf2_facts(const struct mpi_source *s)
{
	return &((const struct otf2 *)s->data)->facts;
}
