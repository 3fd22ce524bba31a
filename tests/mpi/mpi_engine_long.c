/* tests/mpi/mpi_engine_long.c - mpi_engine with many more seeds. */
#define EVERY_CASE 1
#define SEEDS 16u
#include "tests/mpi/mpi_engine.c"
