/* tests/cli/record_odd.c - what programs do that is easily missed, one thing each: see record.sh */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#define MPI_Barrier_init MPIX_Barrier_init
#endif

static void disconnect(int rank)
{
	MPI_Comm all, half;
	int data = 0, size;
	for (int i = 0; i < 3; i++) {
		MPI_Comm_dup(MPI_COMM_WORLD, &all);
		MPI_Bcast(&data, 1, MPI_INT, 0, all);
		MPI_Comm_disconnect(&all);
		MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
		MPI_Comm_size(half, &size);
		MPI_Comm_rank(half, &rank);
		MPI_Sendrecv_replace(&data, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, half,
		                     MPI_STATUS_IGNORE);
		MPI_Comm_disconnect(&half);
		MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	}
}

static void forks(void)
{
	for (int i = 0; i < 5; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	if (fork() == 0)
		exit(0); /* what the parent has in its buffers is not written twice */
	wait(NULL);
	for (int i = 0; i < 5; i++)
		MPI_Barrier(MPI_COMM_WORLD);
}

int main(int count, char **value)
{
	int rank;
	MPI_Request request;
	MPI_Init(&count, &value);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!strcmp(value[1], "disconnect"))
		disconnect(rank);
	if (!strcmp(value[1], "fork"))
		forks();
	if (!strcmp(value[1], "persistent"))
		MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	if (!strcmp(value[1], "failure")) {
		MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
		MPI_Send(&rank, 1, MPI_INT, 77, 0, MPI_COMM_WORLD);
	}
	MPI_Finalize();
	return 0;
}
