/* tests/cli/record_fortran.c - a C program with MPI calls in Fortran, record_fortran.f90: see record.sh */
#include <mpi.h>
#include <string.h>

void work_(const int *what, MPI_Fint *request);

int main(int count, char **value)
{
	int rank, data = 0, what = strcmp(value[1], "rank") == 0 ? 0 : strcmp(value[1], "message") == 0 ? 1 : 2;
	MPI_Init(&count, &value);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Request request = MPI_REQUEST_NULL;
	if (what == 2)
		MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
	MPI_Fint number = MPI_Request_c2f(request);
	work_(&what, &number);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
