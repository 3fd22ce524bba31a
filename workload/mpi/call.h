/* workload/mpi/call.h - one MPI call of one rank, from any source: a trace, a recording, a model.
 *
 * A source returns each rank's calls one by one. It has no state: the position of a rank is in a cursor of the caller,
 * and the same cursor always gives the same call, from any thread. So a simulation can roll back, and memory does not
 * grow with the length of a trace.
 *
 * Handles (requests, communicators) are numbers that the source assigns per rank. They may be reused after the request
 * is complete or the communicator is freed. */
#ifndef WORKLOAD_MPI_CALL_H
#define WORKLOAD_MPI_CALL_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WL_MPI_WORLD 0u /* handles of communicators that every rank has from the start */
#define WL_MPI_SELF 1u
#define WL_MPI_COMM_NULL UINT32_MAX
#define WL_MPI_REQUEST_NULL UINT64_C(0)
#define WL_MPI_ANY (-1)           /* source or tag of a receive or a probe */
#define WL_MPI_PROC_NULL (-2)     /* peer: the call does nothing */
#define WL_MPI_NO_COLOR INT32_MIN /* MPI_UNDEFINED of a split: the rank is in none */

enum mpi_op {
	/* computation alone: `compute` */
	WL_MPI_COMPUTE,
	/* sends: peer, tag, bytes, comm; those with an I also request */
	WL_MPI_SEND,
	WL_MPI_BSEND,
	WL_MPI_SSEND,
	WL_MPI_RSEND,
	WL_MPI_ISEND,
	WL_MPI_IBSEND,
	WL_MPI_ISSEND,
	WL_MPI_IRSEND,
	/* receives: peer or ANY, tag or ANY, bytes (size of the buffer; not used to match), comm */
	WL_MPI_RECV,
	WL_MPI_IRECV,
	/* both: the send's arguments as above, the receive's in from, from_tag, from_bytes. Also Sendrecv_replace */
	WL_MPI_SENDRECV,
	/* persistent: as above, with request; nothing happens until START */
	WL_MPI_SEND_INIT,
	WL_MPI_BSEND_INIT,
	WL_MPI_SSEND_INIT,
	WL_MPI_RSEND_INIT,
	WL_MPI_RECV_INIT,
	WL_MPI_START, /* all of `requests`; also Startall */
	WL_MPI_REQUEST_FREE,
	WL_MPI_CANCEL,
	/* completion of `requests`, which may include null ones: see `outcome_known` */
	WL_MPI_WAITALL, /* also Wait */
	WL_MPI_WAITANY,
	WL_MPI_WAITSOME,
	WL_MPI_TESTALL, /* also Test */
	WL_MPI_TESTANY,
	WL_MPI_TESTSOME,
	WL_MPI_PROBE,  /* peer, tag, comm */
	WL_MPI_IPROBE, /* outcome_known: `found` says whether there was one */
	/* collectives: comm, bytes, element; `nonblocking`: request. `bytes` documents what is counted */
	WL_MPI_BARRIER,
	WL_MPI_BCAST,  /* peer: the root */
	WL_MPI_REDUCE, /* root */
	WL_MPI_ALLREDUCE,
	WL_MPI_GATHER,   /* root */
	WL_MPI_GATHERV,  /* root; counts at the root */
	WL_MPI_SCATTER,  /* root */
	WL_MPI_SCATTERV, /* root; counts at the root */
	WL_MPI_ALLGATHER,
	WL_MPI_ALLGATHERV, /* counts */
	WL_MPI_ALLTOALL,
	WL_MPI_ALLTOALLV,      /* counts: to each rank; from_counts: from each. Also Alltoallw */
	WL_MPI_REDUCE_SCATTER, /* counts */
	WL_MPI_REDUCE_SCATTER_BLOCK,
	WL_MPI_SCAN,
	WL_MPI_EXSCAN,
	/* communicators: comm is the parent, new_comm the new handle, COMM_NULL if the rank is not a member */
	WL_MPI_COMM_DUP,    /* also Cart_create and the like that keep all ranks in their order */
	WL_MPI_COMM_SPLIT,  /* color, key. Also Cart_sub, Comm_split_type */
	WL_MPI_COMM_CREATE, /* members: ranks of the parent, in order. Ranks outside need not call */
	WL_MPI_COMM_FREE,   /* comm */
	WL_MPI_OPS,
};

/* Lists of numbers of a call. They belong to the call: extended by mpi_list_add(), reused from call to call. */
struct mpi_list {
	uint64_t *v; /* owned */
	uint32_t n, cap;
};

struct mpi_call {
	enum mpi_op op;
	uint32_t comm;
	int32_t peer; /* rank in comm: destination, source or root */
	int32_t tag;
	/* Point to point: of the message. Collectives, in one rank's terms:
	 *   bcast, reduce, allreduce, scan, exscan        the whole vector
	 *   gather, gatherv, allgather, allgatherv        what this rank contributes; allgatherv goes by its counts
	 *   scatter, scatterv                             what this rank gets; at the root of scatter: a rank's block
	 *   alltoall                                      one block, to one rank
	 *   reduce_scatter, reduce_scatter_block          this rank's share of the result
	 *   alltoallv                                     not used
	 * Alltoallv and reduce_scatter, and the roots of gatherv and scatterv, have `counts` (alltoallv also
	 * `from_counts`), in bytes. */
	uint64_t bytes;
	uint64_t element; /* bytes of one element of a reduction; 0: not known, taken as 1 */
	int32_t from, from_tag;
	uint64_t from_bytes;
	uint64_t request;
	uint64_t compute; /* ps between the return of the call before and this one */
	uint32_t new_comm;
	int32_t color, key;
	bool nonblocking;
	bool not_commutative, user_op; /* reductions */
	bool in_place;
	/* Of gatherv, scatterv, allgatherv, alltoallv: bytes and counts were passed by the program, not computed by the
	 * source. own_bytes: in allgatherv, and at roots, `bytes` as well as the counts. See amounts.h. */
	bool counted, own_bytes;
	/* Waitany, Waitsome, Test*, Iprobe: the outcome of the recorded call is known. The requests in `completed` are
	 * then waited for, and no others; without any (a Test that returned false) the call does nothing. If it is not
	 * known, the call behaves as MPI specifies, and later calls do not depend on its outcome. */
	bool outcome_known, found;
	struct mpi_list requests, completed; /* handles */
	struct mpi_list counts, from_counts; /* bytes, by rank of comm */
	struct mpi_list members;
};

/* The position of a rank in its calls: words defined by the source, all zero at the beginning. */
struct mpi_cursor {
	uint64_t word[4];
};

enum mpi_next { WL_MPI_UNREADABLE = -1, WL_MPI_END = 0, WL_MPI_CALL = 1 };

struct mpi_source;
struct mpi_source_ops {
	/* Reads the call at *at into *call, which mpi_call_reset() has just cleared, and advances *at. UNREADABLE: with
	 * an error at `errors`, unless that is NULL. All calls of all ranks are read once, with errors, before a run;
	 * during the run errors is NULL, and the same cursors give the same calls. May be called from several threads.
	 */
	enum mpi_next (*next)(const struct mpi_source *s, uint32_t rank, struct mpi_cursor *at, struct mpi_call *call,
	                      struct base_errors *errors);
	/* The location of the call at a cursor ("trace-0003.bin: record 17"), for messages. May be NULL. */
	void (*place)(const struct mpi_source *s, uint32_t rank, const struct mpi_cursor *at, char *out, size_t room);
	/* Has a file read by `next` been changed since the source was opened? `out` is then the name of the file. NULL:
	 * the source reads no file. */
	bool (*changed)(const struct mpi_source *s, char *out, size_t room);
	void (*close)(struct mpi_source *s); /* frees s->data */
};

struct mpi_source {
	const struct mpi_source_ops *ops;
	uint32_t ranks;
	void *data; /* the source's */
};

const char *mpi_op_name(enum mpi_op op); /* "MPI_Isend" */
/* The names of all calls, from WL_MPI_COMPUTE + 1 on, followed by NULL. */
const char *const *mpi_call_names(void);
/* The name of the `peer` of a call: "to", "from", "root"; NULL: it has none. */
const char *mpi_peer_key(enum mpi_op op);
/* Sets all fields to 0 or nothing, and keeps the memory of the lists. */
void mpi_call_reset(struct mpi_call *call);
void mpi_call_free(struct mpi_call *call);
void mpi_list_add(struct mpi_list *list, uint64_t number);
/* A hash of the call and `before`, by which two sequences of calls are distinguished. */
uint64_t mpi_call_digest(const struct mpi_call *call, uint64_t before);
bool mpi_list_same(const struct mpi_list *a, const struct mpi_list *b);
static inline bool mpi_is_collective(enum mpi_op op)
{
	return op >= WL_MPI_BARRIER && op <= WL_MPI_EXSCAN;
}

/* The bit of a collective in a set of collectives. */
static inline uint64_t mpi_collective_bit(enum mpi_op op)
{
	return UINT64_C(1) << (op - WL_MPI_BARRIER);
}

/* The `bytes` of a collective called by rank `me` of its communicator. Allgatherv may omit them. */
static inline uint64_t mpi_own_bytes(const struct mpi_call *c, uint32_t me)
{
	return c->op == WL_MPI_ALLGATHERV && me < c->counts.n ? c->counts.v[me] : c->bytes;
}

/* Collectives whose `peer` is the root. */
static inline bool mpi_is_rooted(enum mpi_op op)
{
	return op == WL_MPI_BCAST || op == WL_MPI_REDUCE || op == WL_MPI_GATHER || op == WL_MPI_GATHERV ||
	       op == WL_MPI_SCATTER || op == WL_MPI_SCATTERV;
}

#endif
