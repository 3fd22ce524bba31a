/* bench/exchange.c - the cost of a message between two ranks: mpirun -n 2 exchange [--json].
 *
 * Half of a round trip of 64 bytes (a token of a round) and of 128 KiB (a full buffer of the transport): the minimum of
 * many, which is the cost of the library and the link without interference. With more ranks, rank 0 and the last one
 * communicate: place them on two nodes to measure the network between these. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#define LARGE (128 << 10)

static double half_round_trip(char *buffer, int bytes, int rank, int other, int rounds)
{
	double least = 1;
	for (int i = 0; i < rounds; i++) {
		double t0 = MPI_Wtime();
		if (rank == 0) {
			MPI_Send(buffer, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD);
			MPI_Recv(buffer, bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		} else {
			MPI_Recv(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
			MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
		}
		double t = (MPI_Wtime() - t0) / 2;
		least = t < least ? t : least;
	}
	return least;
}

int main(int argc, char **argv)
{
	static char buffer[LARGE];
	int rank, ranks;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	if (ranks > 1 && (rank == 0 || rank == ranks - 1)) {
		double small = half_round_trip(buffer, 64, rank, ranks - 1, 20000);
		double large = half_round_trip(buffer, LARGE, rank, ranks - 1, 2000),
		       byte = (large - small) / (LARGE - 64);
		if (rank == 0 && argc > 1 && !strcmp(argv[1], "--json"))
			printf("{\"message_us\":%.3f,\"byte_ns\":%.4f}\n", small * 1e6, byte * 1e9);
		else if (rank == 0)
			printf("%.2f us per message, %.3f ns per byte\n", small * 1e6, byte * 1e9);
	}
	MPI_Finalize();
	return 0;
}
