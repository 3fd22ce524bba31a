/* tests/cli/record_calls.c - an MPI program with the calls that a recording holds, on any number of ranks >= 4. Prints
 * what it has sent itself: "rank R messages M bytes B", point to point. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long long messages, bytes;
static int rank, ranks;

static void sends(int n)
{
	messages++;
	bytes += (unsigned long long)n;
}

static void blocking(char *a, char *b)
{
	int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
	static char room[100000];
	if (rank % 2 == 0 && rank + 1 < ranks) {
		MPI_Send(a, 100, MPI_CHAR, rank + 1, 1, MPI_COMM_WORLD), sends(100);
		MPI_Ssend(a, 10, MPI_DOUBLE, rank + 1, 2, MPI_COMM_WORLD), sends(80);
		MPI_Buffer_attach(room, sizeof room);
		MPI_Bsend(a, 5000, MPI_CHAR, rank + 1, 3, MPI_COMM_WORLD), sends(5000);
		void *old;
		int size;
		MPI_Buffer_detach(&old, &size);
	} else if (rank % 2) {
		MPI_Status s;
		MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s);
		MPI_Recv(b, 100, MPI_CHAR, s.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(b, 10, MPI_DOUBLE, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(b, 5000, MPI_CHAR, rank - 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	MPI_Sendrecv(a, 33, MPI_INT, next, 4, b, 33, MPI_INT, last, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE), sends(132);
	MPI_Sendrecv_replace(a, 7, MPI_CHAR, last, 5, next, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE), sends(7);
	MPI_Send(a, 9, MPI_CHAR, MPI_PROC_NULL, 6, MPI_COMM_WORLD);
	MPI_Recv(b, 9, MPI_CHAR, MPI_PROC_NULL, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void nonblocking(char *a, char *b)
{
	MPI_Request r[8];
	int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks, which, n, flag = 0, some[8];
	for (int i = 0; i < 4; i++) {
		MPI_Irecv(b + 20000 * i, 20000, MPI_CHAR, last, 10 + i, MPI_COMM_WORLD, &r[i]);
		MPI_Isend(a, 20000 - i, MPI_CHAR, next, 10 + i, MPI_COMM_WORLD, &r[4 + i]), sends(20000 - i);
	}
	MPI_Waitany(8, r, &which, MPI_STATUS_IGNORE);
	MPI_Waitsome(8, r, &n, some, MPI_STATUSES_IGNORE);
	while (!flag)
		MPI_Testsome(8, r, &n, some, MPI_STATUSES_IGNORE), flag = n != 0;
	MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
	MPI_Issend(a, 11, MPI_CHAR, next, 20, MPI_COMM_WORLD, &r[0]), sends(11);
	MPI_Irecv(b, 11, MPI_CHAR, MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &r[1]);
	r[2] = MPI_REQUEST_NULL;
	for (flag = 0; !flag;)
		MPI_Testall(3, r, &flag, MPI_STATUSES_IGNORE);
	MPI_Wait(&r[2], MPI_STATUS_IGNORE);
	MPI_Isend(a, 12, MPI_CHAR, next, 21, MPI_COMM_WORLD, &r[0]), sends(12);
	for (flag = 0; !flag;)
		MPI_Iprobe(last, 21, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
	MPI_Irecv(b, 12, MPI_CHAR, last, 21, MPI_COMM_WORLD, &r[1]);
	for (n = 0; n < 2; n++)
		for (flag = 0; !flag;)
			MPI_Testany(2, r, &which, &flag, MPI_STATUS_IGNORE);
	MPI_Isend(a, 13, MPI_CHAR, next, 22, MPI_COMM_WORLD, &r[0]), sends(13);
	MPI_Recv(b, 13, MPI_CHAR, last, 22, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;)
		MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
	MPI_Isend(a, 14, MPI_CHAR, next, 23, MPI_COMM_WORLD, &r[0]), sends(14);
	MPI_Request_free(&r[0]);
	MPI_Recv(b, 14, MPI_CHAR, last, 23, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Irecv(b, 9, MPI_CHAR, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &r[0]);
	MPI_Cancel(&r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Send_init(a, 3000, MPI_CHAR, next, 24, MPI_COMM_WORLD, &r[0]);
	MPI_Recv_init(b, 3000, MPI_CHAR, last, 24, MPI_COMM_WORLD, &r[1]);
	for (int i = 0; i < 3; i++) {
		MPI_Startall(2, r), sends(3000);
		MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
	}
	MPI_Start(&r[1]);
	MPI_Start(&r[0]), sends(3000);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Wait(&r[1], MPI_STATUS_IGNORE);
	MPI_Request_free(&r[0]);
	MPI_Request_free(&r[1]);
}

static void sum(void *in, void *out, int *n, MPI_Datatype *type)
{
	(void)type;
	for (int i = 0; i < *n; i++)
		((int *)out)[i] += ((int *)in)[i];
}

static void collectives(MPI_Comm comm)
{
	int me, n, part[64], at[64], total = 0;
	static int a[1 << 16], b[1 << 16];
	MPI_Request r[3];
	MPI_Op own;
	MPI_Datatype types[64];
	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &n);
	for (int i = 0; i < n; i++) {
		part[i] = i + 1;
		at[i] = total;
		total += part[i];
		types[i] = MPI_INT;
	}
	MPI_Barrier(comm);
	MPI_Bcast(a, 1000, MPI_INT, n - 1, comm);
	MPI_Reduce(a, b, 100, MPI_INT, MPI_SUM, 0, comm);
	MPI_Op_create(sum, 0, &own);
	MPI_Allreduce(a, b, 10000, MPI_INT, MPI_MAX, comm);
	MPI_Allreduce(MPI_IN_PLACE, b, 10, MPI_INT, own, comm);
	MPI_Op_free(&own);
	MPI_Gather(a, 5, MPI_INT, b, 5, MPI_INT, 1, comm);
	MPI_Gather(me == 1 ? MPI_IN_PLACE : a, 5, MPI_INT, b, 5, MPI_INT, 1, comm);
	MPI_Gatherv(a, part[me], MPI_INT, b, part, at, MPI_INT, 0, comm);
	MPI_Scatter(a, 6, MPI_INT, b, 6, MPI_INT, 0, comm);
	MPI_Scatterv(a, part, at, MPI_INT, b, part[me], MPI_INT, 1, comm);
	MPI_Allgather(a, 7, MPI_INT, b, 7, MPI_INT, comm);
	MPI_Allgatherv(a, part[me], MPI_INT, b, part, at, MPI_INT, comm);
	MPI_Alltoall(a, 8, MPI_INT, b, 8, MPI_INT, comm);
	for (int i = 0; i < n; i++)
		at[i] = 0;
	int same[64], bytes_at[64] = { 0 };
	for (int i = 0; i < n; i++)
		same[i] = me + i;
	MPI_Alltoallv(a, same, at, MPI_INT, b, same, at, MPI_INT, comm);
	MPI_Alltoallw(a, same, bytes_at, types, b, same, bytes_at, types, comm);
	MPI_Reduce_scatter(a, b, part, MPI_INT, MPI_SUM, comm);
	MPI_Reduce_scatter_block(a, b, 9, MPI_INT, MPI_SUM, comm);
	MPI_Scan(a, b, 10, MPI_INT, MPI_SUM, comm);
	MPI_Exscan(a, b, 10, MPI_INT, MPI_SUM, comm);
	MPI_Iallreduce(a, b, 100, MPI_INT, MPI_SUM, comm, &r[0]);
	MPI_Ibarrier(comm, &r[1]);
	MPI_Ibcast(b + 1000, 10, MPI_INT, 0, comm, &r[2]);
	MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
	static char a[1 << 17], b[1 << 17];
	MPI_Comm dup, half, few, grid, row;
	MPI_Group all, first;
	int dims[2] = { 2, 0 }, wrap[2] = { 1, 0 }, kept[2] = { 0, 1 }, member[3] = { 2, 0, 3 };
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (argc > 1 && !strcmp(argv[1], "window")) {
		MPI_Win w;
		MPI_Win_create(a, sizeof a, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w);
	}
	if (argc > 1 && !strcmp(argv[1], "fail"))
		exit(3);
	blocking(a, b);
	nonblocking(a, b);
	collectives(MPI_COMM_WORLD);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_split(dup, rank % 2, -rank, &half);
	collectives(half);
	MPI_Comm_group(dup, &all);
	MPI_Group_incl(all, 3, member, &first);
	MPI_Comm_create(dup, first, &few);
	if (few != MPI_COMM_NULL) {
		collectives(few);
		MPI_Comm_free(&few);
	}
	MPI_Dims_create(ranks, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, wrap, 0, &grid);
	MPI_Cart_sub(grid, kept, &row);
	MPI_Allreduce(MPI_IN_PLACE, a, 100, MPI_CHAR, MPI_BOR, row);
	MPI_Barrier(grid);
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
	MPI_Comm_free(&half);
	MPI_Comm_free(&dup);
	printf("rank %d messages %llu bytes %llu\n", rank, messages, bytes);
	MPI_Finalize();
	return 0;
}
