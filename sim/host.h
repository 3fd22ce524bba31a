/* sim/host.h - the ranks of one host, and memory that they share. */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include <mpi.h>
#include <stddef.h>

/* The communicator of this host's ranks, as long as MPI runs. The first call is collective over all ranks. */
MPI_Comm sim_host_comm(void);
/* Zeroed memory that all ranks of this host share; NULL on all of them if such memory is unavailable: there is too
 * little, or the processes cannot map each other's memory. It has no name, so it disappears however the program ends,
 * and it is fully reserved, so no access can fail. Collective over the host. */
void *sim_host_memory(size_t bytes);
/* Frees this rank's mapping; the memory lasts as long as any mapping. */
void sim_host_memory_free(void *memory, size_t bytes);
/* Frees the communicator, before MPI ends. Collective. */
void sim_host_free(void);

#endif
