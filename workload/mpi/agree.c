/* workload/mpi/agree.c - see agree.h. MPI 4.0, chapter 6: the arguments of all ranks must match; the behaviour of an
 * erroneous program is undefined, because the algorithm of a rank is chosen by its own arguments. */
#include "workload/mpi/agree.h"

#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

static bool reduces(enum mpi_op op)
{
	return op == WL_MPI_REDUCE || op == WL_MPI_ALLREDUCE || op == WL_MPI_REDUCE_SCATTER ||
	       op == WL_MPI_REDUCE_SCATTER_BLOCK || op == WL_MPI_SCAN || op == WL_MPI_EXSCAN;
}

/* Of a whole vector, or of blocks of one size. */
static bool of_one_size(enum mpi_op op)
{
	return op == WL_MPI_BCAST || op == WL_MPI_GATHER || op == WL_MPI_SCATTER || op == WL_MPI_ALLGATHER ||
	       op == WL_MPI_ALLTOALL || (reduces(op) && op != WL_MPI_REDUCE_SCATTER);
}

struct mpi_agreed mpi_agreed_of(const struct mpi_call *c)
{
	bool counts = c->op == WL_MPI_ALLGATHERV || c->op == WL_MPI_REDUCE_SCATTER, reduction = reduces(c->op);
	return (struct mpi_agreed){
		.bytes = of_one_size(c->op) ? c->bytes : 0,
		.element = reduction ? c->element : 0,
		.counts = counts && c->counts.n ? XXH3_64bits(c->counts.v, c->counts.n * sizeof *c->counts.v) : 0,
		.root = mpi_is_rooted(c->op) ? c->peer : -1,
		.op = (uint8_t)c->op,
		.operation = (uint8_t)(reduction ? c->user_op + 2 * c->not_commutative : 0),
		.in_place = c->op == WL_MPI_ALLTOALL && c->in_place,
	};
}

bool mpi_agreed_differ(const struct mpi_agreed *a, uint32_t rank, const struct mpi_agreed *b, uint32_t other, char *out,
                       size_t room)
{
	if (a->op != b->op)
		snprintf(out, room, "rank %" PRIu32 " calls %s, where rank %" PRIu32 " calls %s", rank,
		         mpi_op_name(a->op), other, mpi_op_name(b->op));
	else if (a->root != b->root)
		snprintf(out, room, "rank %" PRIu32 " has the root %" PRId32 ", and rank %" PRIu32 " %" PRId32, rank,
		         a->root, other, b->root);
	else if (a->bytes != b->bytes)
		snprintf(out, room, "rank %" PRIu32 " has %" PRIu64 " B, and rank %" PRIu32 " %" PRIu64 " B", rank,
		         a->bytes, other, b->bytes);
	else if (a->counts != b->counts)
		snprintf(out, room, "rank %" PRIu32 " has other counts than rank %" PRIu32, rank, other);
	else if (a->element != b->element)
		snprintf(out, room,
		         "rank %" PRIu32 " has elements of %" PRIu64 " B, and rank %" PRIu32 " of %" PRIu64 " B", rank,
		         a->element, other, b->element);
	else if (a->operation != b->operation)
		snprintf(out, room, "rank %" PRIu32 " has another operation than rank %" PRIu32, rank, other);
	else if (a->in_place != b->in_place)
		snprintf(out, room, "it is in place at rank %" PRIu32 " alone", a->in_place ? rank : other);
	else
		return false;
	return true;
}

static bool names(const struct mpi_list *list, uint64_t rank)
{
	uint32_t i = 0;
	while (i < list->n && list->v[i] != rank)
		i++;
	return i < list->n;
}

const char *mpi_groups_differ(const struct mpi_list *a, const struct mpi_list *b)
{
	bool alike = a->n == b->n;
	if (mpi_list_same(a, b))
		return NULL;
	for (uint32_t i = 0; alike && i < a->n; i++) /* no rank is there twice */
		alike = names(b, a->v[i]);
	return alike ? "the same ranks in another order" : "another group";
}
