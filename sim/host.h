/* sim/host.h - the ranks of one host, and memory that they share. */
#ifndef SIM_HOST_H
#define SIM_HOST_H

#include <mpi.h>
#include <stddef.h>

/* The ranks of this host, as long as MPI runs. The first call is collective over all ranks. */
MPI_Comm sim_host_comm(void);
/* Zeroed memory that all ranks of this host see; NULL on all of them if there is none: too little memory, or processes
 * that may not see each other's. It has no name, so nothing is left of it whatever ends the program, and all of it is
 * there: no access can fail later. Collective over the host. */
void *sim_host_memory(size_t bytes);
/* Of this rank's view; the memory lasts as long as any. */
void sim_host_memory_free(void *memory, size_t bytes);
/* Before MPI ends. Collective. */
void sim_host_free(void);

#endif
