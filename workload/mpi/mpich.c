/* workload/mpi/mpich.c - what MPICH 4.0.2 chooses with one rank a node. */
#include "workload/mpi/collective.h"

#define SHORT_REDUCE 2048u
#define SHORT_BCAST 12288u
#define LONG_BCAST 524288u
#define BRUCK_ALLGATHER 81920u
#define LONG_ALLGATHER 524288u
#define BRUCK_ALLTOALL 256u
#define SCATTERED_ALLTOALL 32768u
#define SHORT_ALLREDUCE 8u
#define LONG_REDUCE_SCATTER 524288u

/* Rabenseifner's needs an operation of MPI's own and an element for each of the largest power of two of ranks. */
static bool may_scatter(const struct mpi_collective *c)
{
	uint64_t element = c->element ? c->element : 1;
	return !c->user_op && c->bytes / element >= 1u << mpi_floor_log2(c->ranks);
}

static enum mpi_algorithm bcast(const struct mpi_collective *c)
{
	if (c->ranks < 8 || c->bytes <= SHORT_BCAST)
		return WL_ALG_BINOMIAL;
	return mpi_power_of_two(c->ranks) && c->bytes <= LONG_BCAST ? WL_ALG_SCATTER_RECURSIVE_DOUBLING
	                                                            : WL_ALG_SCATTER_RING;
}

static enum mpi_algorithm allreduce(const struct mpi_collective *c)
{
	bool is_short = c->bytes <= (c->nonblocking ? SHORT_REDUCE : SHORT_ALLREDUCE);
	return is_short || !may_scatter(c) ? WL_ALG_RECURSIVE_DOUBLING : WL_ALG_RABENSEIFNER_MPICH;
}

static enum mpi_algorithm allgather(const struct mpi_collective *c)
{
	uint64_t total = mpi_total_bytes(c);
	if (mpi_power_of_two(c->ranks))
		return total < LONG_ALLGATHER ? WL_ALG_RECURSIVE_DOUBLING : WL_ALG_RING;
	return total < BRUCK_ALLGATHER ? WL_ALG_BRUCK : WL_ALG_RING;
}

static enum mpi_algorithm alltoall(const struct mpi_collective *c)
{
	if (c->nonblocking && c->ranks < 8)
		return WL_ALG_SCATTERED;
	if (c->nonblocking && c->bytes <= SHORT_REDUCE)
		return WL_ALG_BRUCK;
	if (!c->nonblocking && c->ranks > 8 && c->bytes <= BRUCK_ALLTOALL)
		return WL_ALG_BRUCK;
	return c->bytes <= SCATTERED_ALLTOALL ? WL_ALG_SCATTERED : WL_ALG_PAIRWISE_XOR;
}

static enum mpi_algorithm reduce_scatter(const struct mpi_collective *c)
{
	if (!c->not_commutative)
		return mpi_total_bytes(c) < LONG_REDUCE_SCATTER ? WL_ALG_RECURSIVE_HALVING : WL_ALG_PAIRWISE;
	return mpi_power_of_two(c->ranks) && !c->counts ? WL_ALG_NONCOMMUTATIVE : WL_ALG_RECURSIVE_DOUBLING;
}

enum mpi_algorithm mpi_mpich_choose(const struct mpi_collective *c)
{
	if (c->op == WL_MPI_BCAST)
		return bcast(c);
	if (c->op == WL_MPI_REDUCE)
		return c->bytes <= SHORT_REDUCE || !may_scatter(c) ? WL_ALG_BINOMIAL : WL_ALG_RABENSEIFNER_MPICH;
	if (c->op == WL_MPI_ALLREDUCE)
		return allreduce(c);
	if (c->op == WL_MPI_ALLGATHER || c->op == WL_MPI_ALLGATHERV)
		return allgather(c);
	if (c->op == WL_MPI_ALLTOALL)
		return alltoall(c);
	if (c->op == WL_MPI_ALLTOALLV)
		return WL_ALG_SCATTERED;
	if (c->op == WL_MPI_REDUCE_SCATTER || c->op == WL_MPI_REDUCE_SCATTER_BLOCK)
		return reduce_scatter(c);
	if (c->op == WL_MPI_GATHER || c->op == WL_MPI_SCATTER)
		return WL_ALG_BINOMIAL;
	if (c->op == WL_MPI_SCAN || c->op == WL_MPI_EXSCAN)
		return WL_ALG_RECURSIVE_DOUBLING;
	if (c->op == WL_MPI_BARRIER)
		return c->nonblocking ? WL_ALG_RECURSIVE_DOUBLING : WL_ALG_DISSEMINATION;
	return WL_ALG_LINEAR; /* gatherv, scatterv */
}
