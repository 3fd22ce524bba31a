/* tests/mpi/mpi_network_long.c - mpi_network with every combination on every number of ranks. */
#define EVERY_CASE 1
#include "tests/mpi/mpi_network.c"
