/* tests/cli/count_mpi.c - linked with a program: counts its messages and collective calls, and prints them on rank 0
 * when it ends: "phase P messages M bytes B" (tags are 32 x phase + direction), "collective NAME calls C bytes B". */
#include <mpi.h>

#include <stdio.h>

enum { PHASES = 1000 };
enum { ALLREDUCE, REDUCE, BCAST, ALLGATHER, REDUCE_SCATTER, ALLTOALL, BARRIER, NAMES };
static const char *const name[NAMES] = { "allreduce",      "reduce",   "bcast",  "allgather",
	                                 "reduce_scatter", "alltoall", "barrier" };
static unsigned long long sent[PHASES][2], called[NAMES][2];

static void add(unsigned long long *counter, int count, MPI_Datatype type)
{
	int size;
	MPI_Type_size(type, &size);
	counter[0]++;
	counter[1] += (unsigned long long)count * (unsigned long long)size;
}

int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r)
{
	add(sent[tag / 32], n, t);
	return PMPI_Isend(b, n, t, to, tag, c, r);
}

int MPI_Allreduce(const void *b, void *o, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c)
{
	add(called[ALLREDUCE], n, t);
	return PMPI_Allreduce(b, o, n, t, op, c);
}

int MPI_Reduce(const void *b, void *o, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c)
{
	add(called[REDUCE], n, t);
	return PMPI_Reduce(b, o, n, t, op, root, c);
}

int MPI_Bcast(void *b, int n, MPI_Datatype t, int root, MPI_Comm c)
{
	add(called[BCAST], n, t);
	return PMPI_Bcast(b, n, t, root, c);
}

int MPI_Allgather(const void *b, int n, MPI_Datatype t, void *o, int m, MPI_Datatype u, MPI_Comm c)
{
	add(called[ALLGATHER], n, t);
	return PMPI_Allgather(b, n, t, o, m, u, c);
}

int MPI_Reduce_scatter_block(const void *b, void *o, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c)
{
	add(called[REDUCE_SCATTER], n, t);
	return PMPI_Reduce_scatter_block(b, o, n, t, op, c);
}

int MPI_Alltoall(const void *b, int n, MPI_Datatype t, void *o, int m, MPI_Datatype u, MPI_Comm c)
{
	add(called[ALLTOALL], n, t);
	return PMPI_Alltoall(b, n, t, o, m, u, c);
}

int MPI_Barrier(MPI_Comm c)
{
	called[BARRIER][0]++;
	return PMPI_Barrier(c);
}

static void print(const char *what, int number, const char *words, unsigned long long *counter)
{
	unsigned long long all[2];
	PMPI_Reduce(counter, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	int rank;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0 && all[0]) {
		printf("%s ", what);
		if (number >= 0)
			printf("%d ", number);
		printf(words, all[0], all[1]);
	}
}

int MPI_Finalize(void)
{
	for (int i = 0; i < PHASES; i++)
		print("phase", i, "messages %llu bytes %llu\n", sent[i]);
	for (int i = 0; i < NAMES; i++) {
		char words[80];
		snprintf(words, sizeof words, "%s calls %%llu bytes %%llu\n", name[i]);
		print("collective", -1, words, called[i]);
	}
	return PMPI_Finalize();
}
