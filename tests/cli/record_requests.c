/* tests/cli/record_requests.c - requests that are complete from the start, which an MPI may give one handle, completed
 * in another order than they were made in: see record.sh */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int data;

static void must(int held, const char *what)
{
	if (held)
		return;
	fprintf(stderr, "%s\n", what);
	MPI_Abort(MPI_COMM_WORLD, 3);
}

static void isends(int n, MPI_Request *q)
{
	for (int i = 0; i < n; i++)
		MPI_Isend(&data, 1, MPI_INT, 1, i, MPI_COMM_WORLD, &q[i]);
}

static void receives(int n)
{
	for (int i = 0; i < n; i++)
		MPI_Recv(&data, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 2 needs the second message at once, and rank 1 needs one of rank 2 before it takes the first. */
static void order(int rank)
{
	MPI_Request q[2];
	if (rank == 0) {
		MPI_Isend(&data, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &q[0]);
		MPI_Isend(&data, 1, MPI_INT, 2, 2, MPI_COMM_WORLD, &q[1]);
		MPI_Wait(&q[1], MPI_STATUS_IGNORE);
		MPI_Send(&data, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
		MPI_Wait(&q[0], MPI_STATUS_IGNORE);
	}
	if (rank == 1) {
		MPI_Recv(&data, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&data, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
	if (rank == 2) {
		MPI_Recv(&data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Recv(&data, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&data, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
	}
}

static void one_by_one(MPI_Request *q)
{
	MPI_Status status;
	int flag = 0, cancelled = 1;
	isends(6, q);
	MPI_Wait(&q[5], MPI_STATUS_IGNORE);
	while (!flag)
		MPI_Test(&q[4], &flag, MPI_STATUS_IGNORE);
	for (flag = 0; !flag;)
		MPI_Request_get_status(q[3], &flag, &status);
	must(q[3] != MPI_REQUEST_NULL, "looking at a request completes it");
	MPI_Cancel(&q[3]);
	MPI_Wait(&q[3], &status);
	MPI_Test_cancelled(&status, &cancelled);
	must(!cancelled, "a request that is already complete was cancelled");
	MPI_Request_free(&q[2]);
	MPI_Waitall(2, (MPI_Request[]){ q[1], q[0] }, MPI_STATUSES_IGNORE);
	must(q[5] == MPI_REQUEST_NULL && q[4] == MPI_REQUEST_NULL && q[3] == MPI_REQUEST_NULL &&
	         q[2] == MPI_REQUEST_NULL,
	     "a completed request is still there");
}

static void some(MPI_Request *q)
{
	MPI_Status status[4];
	int flag = 0, which[4], n = 0, cancelled = 1;
	isends(8, q);
	MPI_Waitany(1, &q[7], which, status);
	MPI_Waitsome(1, &q[6], &n, which, status);
	must(n == 1, "Waitsome");
	while (!flag)
		MPI_Testany(1, &q[5], which, &flag, status);
	for (n = 0; n < 1;)
		MPI_Testsome(1, &q[4], &n, which, status);
	for (flag = 0; !flag;)
		MPI_Testall(2, &q[2], &flag, status);
	q[7] = q[0]; /* a handle may be copied */
	MPI_Waitall(2, (MPI_Request[]){ q[1], q[7] }, status);
	MPI_Test_cancelled(&status[0], &cancelled);
	must(!cancelled, "a completed send is not a cancelled one");
}

/* Persistent ones keep their handle, whatever comes between. */
static void persistent(MPI_Request *q)
{
	MPI_Request kept;
	MPI_Send_init(&data, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &kept);
	MPI_Start(&kept);
	isends(2, q);
	MPI_Wait(&q[1], MPI_STATUS_IGNORE);
	MPI_Wait(&kept, MPI_STATUS_IGNORE);
	MPI_Start(&kept);
	MPI_Waitall(2, (MPI_Request[]){ kept, q[0] }, MPI_STATUSES_IGNORE);
	MPI_Request_free(&kept);
}

static MPI_Status of_receive(MPI_Request *request)
{
	MPI_Status status = { 0 };
	MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request);
	MPI_Wait(request, &status);
	return status;
}

/* Collectives of one rank, and messages to none, are complete from the start as well; the status of one is what it is
 * with no other outstanding. */
static void of_none(MPI_Request *q)
{
	MPI_Status alone = of_receive(&q[3]), status;
	int count = 1;
	MPI_Ibarrier(MPI_COMM_SELF, &q[0]);
	MPI_Ibarrier(MPI_COMM_SELF, &q[1]);
	MPI_Isend(&data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[2]);
	status = of_receive(&q[3]);
	MPI_Get_count(&status, MPI_INT, &count);
	must(count == 0 && status.MPI_SOURCE == alone.MPI_SOURCE && status.MPI_TAG == alone.MPI_TAG,
	     "the status of a receive from none");
	for (int i = 2; i >= 0; i--)
		MPI_Wait(&q[i], MPI_STATUS_IGNORE);
}

static void completion(int rank)
{
	MPI_Request q[8];
	if (rank == 0) {
		one_by_one(q);
		some(q);
		persistent(q);
		of_none(q);
	}
	if (rank == 1) {
		receives(6);
		receives(8);
		MPI_Recv(&data, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		receives(2);
		MPI_Recv(&data, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}

/* As many at once, and after each other, as there would be if none went back. */
static void many(int rank)
{
	enum { AT_ONCE = 1000, TIMES = 100 };
	static MPI_Request q[AT_ONCE];
	for (int k = 0; k < TIMES; k++) {
		if (rank == 0) {
			isends(AT_ONCE, q);
			for (int i = AT_ONCE - 1; i >= 0; i--)
				MPI_Wait(&q[i], MPI_STATUS_IGNORE);
		}
		if (rank == 1)
			receives(AT_ONCE);
		MPI_Barrier(MPI_COMM_WORLD);
	}
}

int main(int count, char **value)
{
	int rank;
	MPI_Init(&count, &value);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!strcmp(value[1], "order"))
		order(rank);
	if (!strcmp(value[1], "completion"))
		completion(rank);
	if (!strcmp(value[1], "many"))
		many(rank);
	MPI_Finalize();
	return 0;
}
