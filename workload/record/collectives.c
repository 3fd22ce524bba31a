/* workload/record/collectives.c - collectives are recorded as calls, with the contribution of one rank: see record.h,
 * and workload/mpi/call.h for what is counted. */
#include "workload/record/record.h"

static int comm_size_of(MPI_Comm comm)
{
	int n = 0;
	PMPI_Comm_size(comm, &n);
	return n;
}

static bool is_root(int root, MPI_Comm comm)
{
	int rank = -1;
	PMPI_Comm_rank(comm, &rank);
	return rank == root;
}

static void begin_collective(const char *name, MPI_Comm comm)
{
	record_begin(name);
	record_in(comm);
}

static void write_bytes(uint64_t n)
{
	record_word(" bytes=%llu", (unsigned long long)n);
}

static void root_is(int root)
{
	record_word(" root=%d", root);
}

static void in_place(const void *buffer)
{
	if (buffer == MPI_IN_PLACE)
		record_word(" in-place");
}

/* types NULL: all are `type`. */
static void counts(const char *key, const int *count, MPI_Datatype type, const MPI_Datatype *types, MPI_Comm comm)
{
	int n = comm_size_of(comm);
	for (int i = 0; i < n; i++)
		record_word("%s%s%llu", i ? "," : " ", i ? "" : key,
		            (unsigned long long)record_bytes(count[i], types ? types[i] : type));
}

static void operation(MPI_Datatype type, MPI_Op op)
{
	const MPI_Op known[] = { MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND,   MPI_LOR,
		                 MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC, MPI_REPLACE };
	bool own = true;
	int commutes = 1;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		own &= op != known[i];
	PMPI_Op_commutative(op, &commutes);
	record_word(" element=%llu", (unsigned long long)record_bytes(1, type));
	if (own)
		record_word(" user-op");
	if (!commutes)
		record_word(" ordered");
}

/* Each collective in both forms: `words` writes what its line says; the blocking one is written before the call, the
 * other one after it, when it has a request. */
#define MORE_PARAMS(...) (__VA_ARGS__, MPI_Request * request)
#define MORE_ARGS(...) (__VA_ARGS__, request)
#define BOTH(Name, Iname, name, words, params, args)                                         \
	int MPI_##Name params                                                                \
	{                                                                                    \
		bool in = record_enter();                                                    \
		if (in) {                                                                    \
			begin_collective(name, comm);                                        \
			words;                                                               \
			record_end();                                                        \
		}                                                                            \
		int status = PMPI_##Name args;                                               \
		return record_left(in, status, __func__);                                    \
	}                                                                                    \
	int MPI_##Iname MORE_PARAMS params                                                   \
	{                                                                                    \
		bool in = record_enter();                                                    \
		int status = PMPI_##Iname MORE_ARGS args;                                    \
		if (in) {                                                                    \
			begin_collective(name, comm);                                        \
			words;                                                               \
			record_word(" nonblocking request=%llu",                             \
			            (unsigned long long)record_request_new(request, false)); \
			record_end();                                                        \
		}                                                                            \
		return record_left(in, status, __func__);                                    \
	}

BOTH(Barrier, Ibarrier, "barrier", , (MPI_Comm comm), (comm))
BOTH(Bcast, Ibcast, "bcast", root_is(root); write_bytes(record_bytes(count, type));
     , (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm), (buffer, count, type, root, comm))
BOTH(Reduce, Ireduce, "reduce", root_is(root); write_bytes(record_bytes(count, type)); operation(type, op);
     in_place(send);, (const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm),
                    (send, recv, count, type, op, root, comm))
BOTH(Allreduce, Iallreduce, "allreduce", write_bytes(record_bytes(count, type)); operation(type, op); in_place(send);
     , (const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, recv, count, type, op, comm))
BOTH(Scan, Iscan, "scan", write_bytes(record_bytes(count, type)); operation(type, op); in_place(send);
     , (const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, recv, count, type, op, comm))
BOTH(Exscan, Iexscan, "exscan", write_bytes(record_bytes(count, type)); operation(type, op); in_place(send);
     , (const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, recv, count, type, op, comm))
BOTH(Reduce_scatter_block, Ireduce_scatter_block, "reduce_scatter_block", write_bytes(record_bytes(count, type));
     operation(type, op); in_place(send);
     , (const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
     (send, recv, count, type, op, comm))
BOTH(Reduce_scatter, Ireduce_scatter, "reduce_scatter", counts("counts=", count, type, NULL, comm); operation(type, op);
     in_place(send);, (const void *send, void *recv, const int *count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                    (send, recv, count, type, op, comm))

/* What a rank contributes; in place at the root the receive's words say it. */
static uint64_t given(const void *send, int count, MPI_Datatype type, int rcount, MPI_Datatype rtype)
{
	return send == MPI_IN_PLACE ? record_bytes(rcount, rtype) : record_bytes(count, type);
}

static uint64_t own_part(const void *send, int count, MPI_Datatype type, const int *rcounts, MPI_Datatype rtype,
                         MPI_Comm comm)
{
	int rank = 0;
	PMPI_Comm_rank(comm, &rank);
	return send == MPI_IN_PLACE ? record_bytes(rcounts[rank], rtype) : record_bytes(count, type);
}

BOTH(Gather, Igather, "gather", root_is(root); write_bytes(given(send, count, type, rcount, rtype)); in_place(send);
     ,
     (const void *send, int count, MPI_Datatype type, void *recv, int rcount, MPI_Datatype rtype, int root,
      MPI_Comm comm),
     (send, count, type, recv, rcount, rtype, root, comm))
BOTH(Gatherv, Igatherv, "gatherv", root_is(root); write_bytes(own_part(send, count, type, rcounts, rtype, comm));
     if (is_root(root, comm)) counts("counts=", rcounts, rtype, NULL, comm); in_place(send);
     ,
     (const void *send, int count, MPI_Datatype type, void *recv, const int *rcounts, const int *at, MPI_Datatype rtype,
      int root, MPI_Comm comm),
     (send, count, type, recv, rcounts, at, rtype, root, comm))
BOTH(Scatter, Iscatter, "scatter", root_is(root);
     write_bytes(is_root(root, comm) ? record_bytes(count, type) : record_bytes(rcount, rtype)); in_place(recv);
     ,
     (const void *send, int count, MPI_Datatype type, void *recv, int rcount, MPI_Datatype rtype, int root,
      MPI_Comm comm),
     (send, count, type, recv, rcount, rtype, root, comm))
BOTH(Scatterv, Iscatterv, "scatterv", root_is(root); write_bytes(own_part(recv, rcount, rtype, count, type, comm));
     if (is_root(root, comm)) counts("counts=", count, type, NULL, comm); in_place(recv);
     ,
     (const void *send, const int *count, const int *at, MPI_Datatype type, void *recv, int rcount, MPI_Datatype rtype,
      int root, MPI_Comm comm),
     (send, count, at, type, recv, rcount, rtype, root, comm))
BOTH(Allgather, Iallgather, "allgather", write_bytes(given(send, count, type, rcount, rtype)); in_place(send);
     , (const void *send, int count, MPI_Datatype type, void *recv, int rcount, MPI_Datatype rtype, MPI_Comm comm),
     (send, count, type, recv, rcount, rtype, comm))
BOTH(Allgatherv, Iallgatherv, "allgatherv", write_bytes(own_part(send, count, type, rcounts, rtype, comm));
     counts("counts=", rcounts, rtype, NULL, comm); in_place(send);
     ,
     (const void *send, int count, MPI_Datatype type, void *recv, const int *rcounts, const int *at, MPI_Datatype rtype,
      MPI_Comm comm),
     (send, count, type, recv, rcounts, at, rtype, comm))
BOTH(Alltoall, Ialltoall, "alltoall", write_bytes(given(send, count, type, rcount, rtype)); in_place(send);
     , (const void *send, int count, MPI_Datatype type, void *recv, int rcount, MPI_Datatype rtype, MPI_Comm comm),
     (send, count, type, recv, rcount, rtype, comm))
BOTH(Alltoallv, Ialltoallv, "alltoallv",
     counts("counts=", send == MPI_IN_PLACE ? rcounts : count, send == MPI_IN_PLACE ? rtype : type, NULL, comm);
     counts("rcounts=", rcounts, rtype, NULL, comm); in_place(send);
     ,
     (const void *send, const int *count, const int *at, MPI_Datatype type, void *recv, const int *rcounts,
      const int *rat, MPI_Datatype rtype, MPI_Comm comm),
     (send, count, at, type, recv, rcounts, rat, rtype, comm))
BOTH(Alltoallw, Ialltoallw, "alltoallv",
     counts("counts=", send == MPI_IN_PLACE ? rcounts : count, 0, send == MPI_IN_PLACE ? rtypes : types, comm);
     counts("rcounts=", rcounts, 0, rtypes, comm); in_place(send);
     ,
     (const void *send, const int *count, const int *at, const MPI_Datatype *types, void *recv, const int *rcounts,
      const int *rat, const MPI_Datatype *rtypes, MPI_Comm comm),
     (send, count, at, types, recv, rcounts, rat, rtypes, comm))
