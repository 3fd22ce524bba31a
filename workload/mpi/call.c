/* workload/mpi/call.c - see call.h */
#include "workload/mpi/call.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const char *const op_name[WL_MPI_OPS + 1] = {
	[WL_MPI_COMPUTE] = "computation",
	[WL_MPI_SEND] = "MPI_Send",
	[WL_MPI_BSEND] = "MPI_Bsend",
	[WL_MPI_SSEND] = "MPI_Ssend",
	[WL_MPI_RSEND] = "MPI_Rsend",
	[WL_MPI_ISEND] = "MPI_Isend",
	[WL_MPI_IBSEND] = "MPI_Ibsend",
	[WL_MPI_ISSEND] = "MPI_Issend",
	[WL_MPI_IRSEND] = "MPI_Irsend",
	[WL_MPI_RECV] = "MPI_Recv",
	[WL_MPI_IRECV] = "MPI_Irecv",
	[WL_MPI_SENDRECV] = "MPI_Sendrecv",
	[WL_MPI_SEND_INIT] = "MPI_Send_init",
	[WL_MPI_BSEND_INIT] = "MPI_Bsend_init",
	[WL_MPI_SSEND_INIT] = "MPI_Ssend_init",
	[WL_MPI_RSEND_INIT] = "MPI_Rsend_init",
	[WL_MPI_RECV_INIT] = "MPI_Recv_init",
	[WL_MPI_START] = "MPI_Start",
	[WL_MPI_REQUEST_FREE] = "MPI_Request_free",
	[WL_MPI_CANCEL] = "MPI_Cancel",
	[WL_MPI_WAITALL] = "MPI_Waitall",
	[WL_MPI_WAITANY] = "MPI_Waitany",
	[WL_MPI_WAITSOME] = "MPI_Waitsome",
	[WL_MPI_TESTALL] = "MPI_Testall",
	[WL_MPI_TESTANY] = "MPI_Testany",
	[WL_MPI_TESTSOME] = "MPI_Testsome",
	[WL_MPI_PROBE] = "MPI_Probe",
	[WL_MPI_IPROBE] = "MPI_Iprobe",
	[WL_MPI_BARRIER] = "MPI_Barrier",
	[WL_MPI_BCAST] = "MPI_Bcast",
	[WL_MPI_REDUCE] = "MPI_Reduce",
	[WL_MPI_ALLREDUCE] = "MPI_Allreduce",
	[WL_MPI_GATHER] = "MPI_Gather",
	[WL_MPI_GATHERV] = "MPI_Gatherv",
	[WL_MPI_SCATTER] = "MPI_Scatter",
	[WL_MPI_SCATTERV] = "MPI_Scatterv",
	[WL_MPI_ALLGATHER] = "MPI_Allgather",
	[WL_MPI_ALLGATHERV] = "MPI_Allgatherv",
	[WL_MPI_ALLTOALL] = "MPI_Alltoall",
	[WL_MPI_ALLTOALLV] = "MPI_Alltoallv",
	[WL_MPI_REDUCE_SCATTER] = "MPI_Reduce_scatter",
	[WL_MPI_REDUCE_SCATTER_BLOCK] = "MPI_Reduce_scatter_block",
	[WL_MPI_SCAN] = "MPI_Scan",
	[WL_MPI_EXSCAN] = "MPI_Exscan",
	[WL_MPI_COMM_DUP] = "MPI_Comm_dup",
	[WL_MPI_COMM_SPLIT] = "MPI_Comm_split",
	[WL_MPI_COMM_CREATE] = "MPI_Comm_create",
	[WL_MPI_COMM_FREE] = "MPI_Comm_free",
};

const char *mpi_op_name(enum mpi_op op)
{
	return op_name[op];
}

const char *const *mpi_call_names(void)
{
	return op_name + WL_MPI_COMPUTE + 1;
}

const char *mpi_peer_key(enum mpi_op op)
{
	bool receives = op == WL_MPI_RECV || op == WL_MPI_IRECV || op == WL_MPI_RECV_INIT || op == WL_MPI_PROBE ||
	                op == WL_MPI_IPROBE;
	bool sends = op >= WL_MPI_SEND && op <= WL_MPI_RECV_INIT;
	return receives ? "from" : sends ? "to" : mpi_is_rooted(op) ? "root" : NULL;
}

void mpi_call_reset(struct mpi_call *call)
{
	struct mpi_call empty = { .requests = call->requests,
		                  .completed = call->completed,
		                  .counts = call->counts,
		                  .from_counts = call->from_counts,
		                  .members = call->members };
	empty.requests.n = empty.completed.n = empty.counts.n = empty.from_counts.n = empty.members.n = 0;
	*call = empty;
}

void mpi_call_free(struct mpi_call *call)
{
	free(call->requests.v);
	free(call->completed.v);
	free(call->counts.v);
	free(call->from_counts.v);
	free(call->members.v);
	*call = (struct mpi_call){ 0 };
}

void mpi_list_add(struct mpi_list *list, uint64_t number)
{
	if (list->n == list->cap) {
		list->cap = list->cap ? 2 * list->cap : 16;
		list->v = base_realloc(list->v, list->cap * sizeof *list->v);
	}
	list->v[list->n++] = number;
}

static uint64_t digest_list(const struct mpi_list *list, uint64_t before)
{
	return list->n ? XXH3_64bits_withSeed(list->v, list->n * sizeof *list->v, before) : before;
}

static uint64_t two(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

uint64_t mpi_call_digest(const struct mpi_call *c, uint64_t before)
{
	unsigned flags = (unsigned)c->nonblocking | (unsigned)c->not_commutative << 1 | (unsigned)c->user_op << 2 |
	                 (unsigned)c->in_place << 3 | (unsigned)c->counted << 4 | (unsigned)c->own_bytes << 5 |
	                 (unsigned)c->outcome_known << 6 | (unsigned)c->found << 7;
	const struct mpi_list *const list[] = { &c->requests, &c->completed, &c->counts, &c->from_counts, &c->members };
	const uint64_t word[] = { two((uint32_t)c->op, flags),
		                  two(c->comm, c->new_comm),
		                  two((uint32_t)c->peer, (uint32_t)c->tag),
		                  two((uint32_t)c->from, (uint32_t)c->from_tag),
		                  two((uint32_t)c->color, (uint32_t)c->key),
		                  c->bytes,
		                  c->element,
		                  c->from_bytes,
		                  c->request,
		                  c->compute,
		                  two(list[0]->n, list[1]->n),
		                  two(list[2]->n, list[3]->n),
		                  list[4]->n };
	uint64_t digest = XXH3_64bits_withSeed(word, sizeof word, before);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		digest = digest_list(list[i], digest);
	return digest;
}

bool mpi_list_same(const struct mpi_list *a, const struct mpi_list *b)
{
	return a->n == b->n && (!a->n || !memcmp(a->v, b->v, a->n * sizeof *a->v));
}
