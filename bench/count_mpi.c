/* bench/count_mpi.c - a library to be preloaded (LD_PRELOAD): counts MPI calls and the bytes that a rank passes to
 * them, by function. At the end each rank appends one line of JSON to the file $COUNT_MPI.
 *
 * Bytes are those that this rank sends, or contributes to a collective. Receives are not counted: their senders are. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* clang-format off */
#define FUNCTIONS(X) \
	X(Send) X(Isend) X(Ssend) X(Issend) X(Bcast) X(Reduce) X(Allreduce) X(Iallreduce) X(Gather) X(Gatherv) X(Allgather) \
	X(Allgatherv) X(Alltoall) X(Alltoallv) X(Scan) X(Exscan) X(Barrier) X(Ibarrier)
/* clang-format on */

enum function {
#define NAME(f) COUNT_##f,
	FUNCTIONS(NAME) COUNTED
};
static const char *const names[] = {
#define TEXT(f) #f,
	FUNCTIONS(TEXT)
};

static unsigned long long calls[COUNTED], bytes[COUNTED];

static void count(enum function f, long n, MPI_Datatype type)
{
	int size = 0;
	PMPI_Type_size(type, &size);
	calls[f]++;
	bytes[f] += (unsigned long long)n * (unsigned)size;
}

static long all_ranks(MPI_Comm comm)
{
	int n;
	PMPI_Comm_size(comm, &n);
	return n;
}

int MPI_Send(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	count(COUNT_Send, n, type);
	return PMPI_Send(buf, n, type, to, tag, comm);
}

int MPI_Ssend(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	count(COUNT_Ssend, n, type);
	return PMPI_Ssend(buf, n, type, to, tag, comm);
}

int MPI_Isend(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
	count(COUNT_Isend, n, type);
	return PMPI_Isend(buf, n, type, to, tag, comm, request);
}

int MPI_Issend(const void *buf, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
	count(COUNT_Issend, n, type);
	return PMPI_Issend(buf, n, type, to, tag, comm, request);
}

int MPI_Bcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
	count(COUNT_Bcast, n, type);
	return PMPI_Bcast(buf, n, type, root, comm);
}

int MPI_Reduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
	count(COUNT_Reduce, n, type);
	return PMPI_Reduce(in, out, n, type, op, root, comm);
}

int MPI_Allreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	count(COUNT_Allreduce, n, type);
	return PMPI_Allreduce(in, out, n, type, op, comm);
}

int MPI_Iallreduce(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm, MPI_Request *request)
{
	count(COUNT_Iallreduce, n, type);
	return PMPI_Iallreduce(in, out, n, type, op, comm, request);
}

int MPI_Gather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to, int root, MPI_Comm comm)
{
	count(COUNT_Gather, n, type);
	return PMPI_Gather(in, n, type, out, m, to, root, comm);
}

int MPI_Gatherv(const void *in, int n, MPI_Datatype type, void *out, const int *m, const int *at, MPI_Datatype to,
                int root, MPI_Comm comm)
{
	count(COUNT_Gatherv, n, type);
	return PMPI_Gatherv(in, n, type, out, m, at, to, root, comm);
}

int MPI_Allgather(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to, MPI_Comm comm)
{
	count(COUNT_Allgather, m * all_ranks(comm), to);
	return PMPI_Allgather(in, n, type, out, m, to, comm);
}

int MPI_Allgatherv(const void *in, int n, MPI_Datatype type, void *out, const int *m, const int *at, MPI_Datatype to,
                   MPI_Comm comm)
{
	long all = 0;
	for (long r = 0; r < all_ranks(comm); r++)
		all += m[r];
	count(COUNT_Allgatherv, all, to);
	return PMPI_Allgatherv(in, n, type, out, m, at, to, comm);
}

int MPI_Alltoall(const void *in, int n, MPI_Datatype type, void *out, int m, MPI_Datatype to, MPI_Comm comm)
{
	count(COUNT_Alltoall, m * all_ranks(comm), to);
	return PMPI_Alltoall(in, n, type, out, m, to, comm);
}

int MPI_Alltoallv(const void *in, const int *n, const int *from, MPI_Datatype type, void *out, const int *m,
                  const int *at, MPI_Datatype to, MPI_Comm comm)
{
	long all = 0;
	for (long r = 0; r < all_ranks(comm); r++)
		all += n[r];
	count(COUNT_Alltoallv, all, type);
	return PMPI_Alltoallv(in, n, from, type, out, m, at, to, comm);
}

int MPI_Scan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	count(COUNT_Scan, n, type);
	return PMPI_Scan(in, out, n, type, op, comm);
}

int MPI_Exscan(const void *in, void *out, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
	count(COUNT_Exscan, n, type);
	return PMPI_Exscan(in, out, n, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
	calls[COUNT_Barrier]++;
	return PMPI_Barrier(comm);
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
	calls[COUNT_Ibarrier]++;
	return PMPI_Ibarrier(comm, request);
}

int MPI_Finalize(void)
{
	const char *path = getenv("COUNT_MPI");
	int rank = 0, used;
	char line[4096];
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	used = snprintf(line, sizeof line, "{\"rank\":%d", rank);
	for (int f = 0; f < COUNTED; f++)
		if (calls[f])
			used += snprintf(line + used, sizeof line - (size_t)used, ",\"%s\":[%llu,%llu]", names[f],
			                 calls[f], bytes[f]);
	FILE *out = path ? fopen(path, "a") : NULL;
	if (out) {
		fprintf(out, "%s}\n", line); /* one write, so that lines of ranks do not mix */
		fclose(out);
	}
	return PMPI_Finalize();
}
