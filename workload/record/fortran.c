/* workload/record/fortran.c - Fortran's bindings, which call MPI without passing through this library: a call that
 * would have to be recorded ends the recording, as those of refused.c do. A C program may have parts in Fortran, so
 * checking MPI_Init is not sufficient. Calls that only query, such as mpi_comm_rank, are permitted.
 *
 * Names end in one or two underscores, as with most Linux compilers. Names without an underscore also occur in C
 * libraries (Rmpi has an mpi_send). */
#include "workload/record/record.h"

#define ENDS "init, init_thread, finalize"
#define MESSAGES                                                                                            \
	"bsend, bsend_init, ibsend, improbe, imrecv, iprobe, irecv, irsend, isend, isendrecv, "             \
	"isendrecv_replace, issend, mprobe, mrecv, precv_init, probe, psend_init, recv, recv_init, rsend, " \
	"rsend_init, send, send_init, sendrecv, sendrecv_replace, ssend, ssend_init"
#define REQUESTS                                                                                          \
	"cancel, grequest_start, request_free, start, startall, test, testall, testany, testsome, wait, " \
	"waitall, waitany, waitsome"
#define COLLECTIVES                                                                                    \
	"allgather, allgatherv, allreduce, alltoall, alltoallv, alltoallw, barrier, bcast, exscan, "   \
	"gather, gatherv, iallgather, iallgatherv, iallreduce, ialltoall, ialltoallv, ialltoallw, "    \
	"ibarrier, ibcast, iexscan, igather, igatherv, ineighbor_allgather, ineighbor_allgatherv, "    \
	"ineighbor_alltoall, ineighbor_alltoallv, ineighbor_alltoallw, ireduce, ireduce_scatter, "     \
	"ireduce_scatter_block, iscan, iscatter, iscatterv, neighbor_allgather, neighbor_allgatherv, " \
	"neighbor_alltoall, neighbor_alltoallv, neighbor_alltoallw, reduce, reduce_scatter, "          \
	"reduce_scatter_block, scan, scatter, scatterv"
#define PERSISTENT                                                                                          \
	"allgather_init, allgatherv_init, allreduce_init, alltoall_init, alltoallv_init, alltoallw_init, "  \
	"barrier_init, bcast_init, exscan_init, gather_init, gatherv_init, neighbor_allgather_init, "       \
	"neighbor_allgatherv_init, neighbor_alltoall_init, neighbor_alltoallv_init, "                       \
	"neighbor_alltoallw_init, reduce_init, reduce_scatter_block_init, reduce_scatter_init, scan_init, " \
	"scatter_init, scatterv_init"
#define OBJECTS                                                                                          \
	"cart_create, cart_sub, comm_accept, comm_connect, comm_create, comm_create_from_group, "        \
	"comm_create_group, comm_disconnect, comm_dup, comm_dup_with_info, comm_free, comm_idup, "       \
	"comm_idup_with_info, comm_join, comm_spawn, comm_spawn_multiple, comm_split, comm_split_type, " \
	"dist_graph_create, dist_graph_create_adjacent, file_open, graph_create, intercomm_create, "     \
	"intercomm_create_from_groups, intercomm_merge, win_allocate, win_allocate_cptr, "               \
	"win_allocate_shared, win_allocate_shared_cptr, win_create, win_create_dynamic"

/* What a call is named by mpif.h and `use mpi`, and by mpi_f08 without and with descriptors of arrays, and with counts
 * that are large. */
#define FORMS "_, __, _f08_, _f08ts_, _f08_large_, _f08ts_large_"

#define TRAP(prefix, names)                                                                                    \
	__asm__(".irp name, " names "\n.irp form, " FORMS "\n.globl " prefix "\\name\\form\n"                  \
	        ".type " prefix "\\name\\form, @function\n.set " prefix "\\name\\form, tilefly_from_fortran\n" \
	        ".endr\n.endr\n");

void tilefly_from_fortran(void);
void tilefly_from_fortran(void)
{
	record_refuse("MPI from Fortran, whose bindings bypass the recording");
}
TRAP("mpi_", ENDS)
TRAP("mpi_", MESSAGES)
TRAP("mpi_", REQUESTS)
TRAP("mpi_", COLLECTIVES)
TRAP("mpi_", PERSISTENT)
TRAP("mpix_", PERSISTENT) /* as extensions, before MPI 4 */
TRAP("mpi_", OBJECTS)
