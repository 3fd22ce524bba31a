/* workload/mpi/stages.h - the stages of which plans consist. Each function adds one to a plan. */
#ifndef WORKLOAD_MPI_STAGES_H
#define WORKLOAD_MPI_STAGES_H

#include "workload/mpi/collective.h"

enum mpi_tree {
	WL_TREE_LINEAR,
	WL_TREE_CHAIN,         /* four chains from the root, as equal as can be, the first ones longer */
	WL_TREE_PIPELINE,      /* one chain */
	WL_TREE_BINARY,        /* v of level l has the children v + 2^l, v + 2^(l + 1) */
	WL_TREE_BINOMIAL,      /* the parent of v is v without its lowest bit */
	WL_TREE_BINOMIAL_HIGH, /* ... without its highest bit */
	WL_TREE_KNOMIAL,       /* ... without its lowest digit in base 4 */
	WL_TREE_IN_ORDER,      /* binary; its root is the last rank, whatever the stage's root */
};

void mpi_plan_add(struct mpi_plan *plan, struct mpi_stage s);

/* The whole vector moves down from the root or up to it. `orderly`: to one child after the other. trees.c */
void mpi_tree_down(struct mpi_plan *plan, struct mpi_stage s, enum mpi_tree tree, bool orderly);
void mpi_tree_up(struct mpi_plan *plan, struct mpi_stage s, enum mpi_tree tree);
/* The result is sent from the last rank to the root. */
void mpi_move_to_root(struct mpi_plan *plan, struct mpi_stage s);
void mpi_split_binary(struct mpi_plan *plan, struct mpi_stage s);
/* One block per rank moves between the root and each rank. `pieces`: Open MPI's linear_sync. */
void mpi_linear_gather(struct mpi_plan *plan, struct mpi_stage s, bool pieces);
void mpi_linear_scatter(struct mpi_plan *plan, struct mpi_stage s, bool orderly);
void mpi_binomial_gather(struct mpi_plan *plan, struct mpi_stage s);
void mpi_binomial_scatter(struct mpi_plan *plan, struct mpi_stage s);

/* Stages after which all ranks have all blocks. gathers.c */
void mpi_ring_allgather(struct mpi_plan *plan, struct mpi_stage s);
void mpi_bruck_allgather(struct mpi_plan *plan, struct mpi_stage s);
void mpi_neighbor_allgather(struct mpi_plan *plan, struct mpi_stage s);
/* Works also for numbers of ranks that are not powers of two. `outside`: all blocks except those of the rank's own
 * tree, for a reduce-scatter. */
void mpi_doubling_allgather(struct mpi_plan *plan, struct mpi_stage s, bool outside);
/* The second and the first half of a bcast: the vector in chunks of ceil(n / p) elements. */
void mpi_chunk_scatter(struct mpi_plan *plan, struct mpi_stage s);
void mpi_chunk_ring(struct mpi_plan *plan, struct mpi_stage s);
void mpi_chunk_doubling(struct mpi_plan *plan, struct mpi_stage s);

/* Stages among the largest power of two of ranks. halving.c */
void mpi_fold_in(struct mpi_plan *plan, struct mpi_stage s);
void mpi_fold_out(struct mpi_plan *plan, struct mpi_stage s);
void mpi_doubling(struct mpi_plan *plan, struct mpi_stage s);
/* `openmpi`: with the halves of folded pairs, and rounding down each first half. */
void mpi_rabenseifner_allreduce(struct mpi_plan *plan, struct mpi_stage s, bool openmpi);
void mpi_rabenseifner_reduce(struct mpi_plan *plan, struct mpi_stage s, bool openmpi);
void mpi_recursive_halving(struct mpi_plan *plan, struct mpi_stage s);
void mpi_butterfly(struct mpi_plan *plan, struct mpi_stage s);
void mpi_noncommutative(struct mpi_plan *plan, struct mpi_stage s);

/* exchanges.c */
void mpi_pairwise(struct mpi_plan *plan, struct mpi_stage s, bool by_xor);
void mpi_linear_alltoall(struct mpi_plan *plan, struct mpi_stage s);
void mpi_scattered_alltoall(struct mpi_plan *plan, struct mpi_stage s);
void mpi_bruck_alltoall(struct mpi_plan *plan, struct mpi_stage s);
void mpi_pairs_in_place(struct mpi_plan *plan, struct mpi_stage s);
void mpi_pairwise_reduce_scatter(struct mpi_plan *plan, struct mpi_stage s);
void mpi_ring_reduce_scatter(struct mpi_plan *plan, struct mpi_stage s);
void mpi_ring_allreduce(struct mpi_plan *plan, struct mpi_stage s);
void mpi_doubling_scan(struct mpi_plan *plan, struct mpi_stage s);
void mpi_linear_scan(struct mpi_plan *plan, struct mpi_stage s);
void mpi_dissemination(struct mpi_plan *plan, struct mpi_stage s);
void mpi_double_ring(struct mpi_plan *plan, struct mpi_stage s);
/* A barrier by recursive doubling. Ranks q, q + 1, ... first send to ranks 0, 1, ..., and at the end wait for messages
 * from these. */
void mpi_doubling_barrier(struct mpi_plan *plan, struct mpi_stage s);

#endif
