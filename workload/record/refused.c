/* workload/record/refused.c - calls that move data or make communicators and that a recording cannot hold, and
 * Fortran's bindings, which call MPI past this library: they end it, by their names. See record.h. */
#include "workload/record/record.h"

/* MPI's declarations say what they take; what is looked at is only their name. */
#define REFUSE(Name)                         \
	int tilefly_refuse_##Name(void);     \
	int tilefly_refuse_##Name(void)      \
	{                                    \
		record_refuse("MPI_" #Name); \
	}                                    \
	__asm__(".globl MPI_" #Name "\n.type MPI_" #Name ", @function\n.set MPI_" #Name ", tilefly_refuse_" #Name "\n");

REFUSE(Win_create)
REFUSE(Win_allocate)
REFUSE(Win_allocate_shared)
REFUSE(Win_create_dynamic)
REFUSE(File_open)
REFUSE(Comm_spawn)
REFUSE(Comm_spawn_multiple)
REFUSE(Comm_accept)
REFUSE(Comm_connect)
REFUSE(Comm_join)
REFUSE(Comm_idup)
REFUSE(Intercomm_create)
REFUSE(Intercomm_merge)
REFUSE(Mprobe)
REFUSE(Improbe)
REFUSE(Mrecv)
REFUSE(Imrecv)
REFUSE(Grequest_start)
REFUSE(Neighbor_allgather)
REFUSE(Neighbor_allgatherv)
REFUSE(Neighbor_alltoall)
REFUSE(Neighbor_alltoallv)
REFUSE(Neighbor_alltoallw)
REFUSE(Ineighbor_allgather)
REFUSE(Ineighbor_allgatherv)
REFUSE(Ineighbor_alltoall)
REFUSE(Ineighbor_alltoallv)
REFUSE(Ineighbor_alltoallw)

#define FORTRAN(name)                                                                      \
	__attribute__((visibility("default"))) void name(void);                            \
	void name(void)                                                                    \
	{                                                                                  \
		record_refuse("MPI from Fortran, whose bindings call past the recording"); \
	}
FORTRAN(mpi_init_)
FORTRAN(mpi_init_thread_)
FORTRAN(mpi_init_f08_)
FORTRAN(mpi_init_thread_f08_)
FORTRAN(MPI_INIT)
FORTRAN(MPI_INIT_THREAD)
