/* sim/host.h - the communicator of the ranks of one host, and memory that these ranks share. */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include <mpi.h>
#include <stddef.h>

/* The MPI communicator of this host's ranks, valid as long as MPI runs. The first call is collective over all ranks. */
MPI_Comm sim_host_comm(void);
/* Zeroed memory that all ranks of this host share; returns NULL on all of them if there is not enough memory, or if the
 * processes cannot map each other's memory. The memory has no name, so it is released in whatever way the program ends,
 * and it is fully reserved, so no access can fail. Collective over the host. */
void *sim_host_memory(size_t bytes);
/* Unmaps the memory in this rank. It is freed when no rank has it mapped. */
void sim_host_memory_free(void *memory, size_t bytes);
/* Frees the communicator of sim_host_comm(). Must be called before MPI ends. Collective. */
void sim_host_free(void);

#endif
