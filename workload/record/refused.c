/* workload/record/refused.c - calls that move data or make communicators and that a recording cannot hold: they end it,
 * by their names. See record.h. */
#include "workload/record/record.h"

/* MPI's declarations, where this MPI has them, say what they take; what is looked at is only their name. */
#define REFUSE_AS(Prefix, Name)                                                                     \
	int tilefly_refuse_##Prefix##Name(void);                                                    \
	int tilefly_refuse_##Prefix##Name(void)                                                     \
	{                                                                                           \
		record_refuse(#Prefix #Name);                                                       \
	}                                                                                           \
	__asm__(".globl " #Prefix #Name "\n.type " #Prefix #Name ", @function\n.set " #Prefix #Name \
	        ", tilefly_refuse_" #Prefix #Name "\n");
#define REFUSE(Name) REFUSE_AS(MPI_, Name)
/* Of a call and its form that returns at once. Persistent: of MPI 4, and as extensions before. With large counts: of
 * MPI 4. */
#define REFUSE_INIT(Name, name) REFUSE(Name##_init) REFUSE_AS(MPIX_, Name##_init)
#define REFUSE_LARGE(Name, name) REFUSE(Name##_c) REFUSE(I##name##_c)
#define REFUSE_LARGE_INIT(Name, name) REFUSE(Name##_init_c)
#define REFUSE_BOTH(Name, name) REFUSE(Name) REFUSE(I##name)

#define COLLECTIVES(F)                    \
	F(Allgather, allgather)           \
	F(Allgatherv, allgatherv)         \
	F(Allreduce, allreduce)           \
	F(Alltoall, alltoall)             \
	F(Alltoallv, alltoallv)           \
	F(Alltoallw, alltoallw)           \
	F(Bcast, bcast)                   \
	F(Exscan, exscan)                 \
	F(Gather, gather)                 \
	F(Gatherv, gatherv)               \
	F(Reduce, reduce)                 \
	F(Reduce_scatter, reduce_scatter) \
	F(Reduce_scatter_block, reduce_scatter_block) F(Scan, scan) F(Scatter, scatter) F(Scatterv, scatterv)
#define NEIGHBORS(F)                                \
	F(Neighbor_allgather, neighbor_allgather)   \
	F(Neighbor_allgatherv, neighbor_allgatherv) \
	F(Neighbor_alltoall, neighbor_alltoall)     \
	F(Neighbor_alltoallv, neighbor_alltoallv) F(Neighbor_alltoallw, neighbor_alltoallw)
#define MESSAGES(F) F(Send, send) F(Bsend, bsend) F(Ssend, ssend) F(Rsend, rsend) F(Recv, recv)

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
REFUSE_BOTH(Mprobe, mprobe)
REFUSE_BOTH(Mrecv, mrecv)
REFUSE(Grequest_start)
NEIGHBORS(REFUSE_BOTH)

/* What is newer, and what it is made of. */
COLLECTIVES(REFUSE_INIT)
REFUSE_INIT(Barrier, barrier)
NEIGHBORS(REFUSE_INIT)
REFUSE(Psend_init)
REFUSE(Precv_init)
REFUSE(Isendrecv)
REFUSE(Isendrecv_replace)
REFUSE(Comm_idup_with_info)
REFUSE(Comm_create_from_group)
REFUSE(Intercomm_create_from_groups)
COLLECTIVES(REFUSE_LARGE)
COLLECTIVES(REFUSE_LARGE_INIT)
MESSAGES(REFUSE_LARGE)
MESSAGES(REFUSE_LARGE_INIT)
REFUSE_LARGE(Sendrecv, sendrecv)
REFUSE_LARGE(Sendrecv_replace, sendrecv_replace)
NEIGHBORS(REFUSE_LARGE)
REFUSE_LARGE(Mrecv, mrecv)
