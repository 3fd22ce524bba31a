/* workload/mpi/amounts.c - see amounts.h
 *
 * Gatherv, Scatterv and Allgatherv may contain the size of a rank's own block twice, as `bytes` and in the counts;
 * sources that do not record MPI_IN_PLACE know it only from the counts (own_bytes is false). */
#include "workload/mpi/amounts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

static uint64_t count_of(const struct mpi_list *counts, uint32_t rank)
{
	assert(rank < counts->n);
	return counts->v[rank];
}

bool mpi_amounts_complete(const struct mpi_amounts *a, char *out, size_t room)
{
	const struct mpi_call *c = a->call;
	bool root = c->peer >= 0 && (uint32_t)c->peer == a->me;
	bool needed = c->op == WL_MPI_ALLGATHERV || c->op == WL_MPI_ALLTOALLV || c->op == WL_MPI_REDUCE_SCATTER ||
	              (root && (c->op == WL_MPI_GATHERV || c->op == WL_MPI_SCATTERV));
	bool sent = !needed || c->counts.n == a->n;
	uint32_t has = sent ? c->from_counts.n : c->counts.n;
	if (sent && (c->op != WL_MPI_ALLTOALLV || has == a->n))
		return true;
	snprintf(out, room, "it has %" PRIu32 " count%s%s, in a communicator of %" PRIu32 " rank%s%s", has,
	         has == 1 ? "" : "s", sent ? " of what it gets (rcounts)" : "", a->n, a->n == 1 ? "" : "s",
	         sent && c->in_place ? "; they are needed in place as well" : "");
	return false;
}

bool mpi_amount_sent(const struct mpi_amounts *a, uint32_t to, uint64_t *bytes)
{
	const struct mpi_call *c = a->call;
	bool root = (uint32_t)c->peer == a->me, own = to == a->me;
	if ((own && c->op != WL_MPI_ALLTOALLV && !c->own_bytes) || !c->counted)
		return false;
	if (c->op == WL_MPI_ALLTOALLV || (c->op == WL_MPI_SCATTERV && root)) {
		*bytes = count_of(&c->counts, to);
		return true;
	}
	*bytes = c->bytes;
	return (c->op == WL_MPI_GATHERV && to == (uint32_t)c->peer) || (c->op == WL_MPI_ALLGATHERV && own);
}

bool mpi_amount_expected(const struct mpi_amounts *a, uint32_t from, uint64_t *bytes)
{
	const struct mpi_call *c = a->call;
	bool root = (uint32_t)c->peer == a->me, own = from == a->me;
	if ((own && c->op != WL_MPI_ALLTOALLV && !c->own_bytes) || !c->counted)
		return false;
	if (c->op == WL_MPI_ALLTOALLV) {
		*bytes = count_of(&c->from_counts, from);
		return true;
	}
	if ((c->op == WL_MPI_GATHERV && root) || (c->op == WL_MPI_ALLGATHERV && own)) {
		*bytes = count_of(&c->counts, from);
		return true;
	}
	*bytes = c->bytes;
	return c->op == WL_MPI_SCATTERV && from == (uint32_t)c->peer;
}

/* Those that it sends something to or gets something from: [*first, *end). */
static void peers(const struct mpi_amounts *a, uint32_t *first, uint32_t *end)
{
	const struct mpi_call *c = a->call;
	uint32_t root = (uint32_t)c->peer;
	bool rooted = c->op == WL_MPI_GATHERV || c->op == WL_MPI_SCATTERV;
	*first = *end = 0;
	if (c->op == WL_MPI_ALLTOALLV || (rooted && root == a->me)) {
		*end = a->n;
	} else if (rooted || c->op == WL_MPI_ALLGATHERV) {
		*first = rooted ? root : a->me;
		*end = *first + 1;
	}
}

static uint64_t mix_amount(uint64_t number, uint32_t from, uint32_t to, uint64_t bytes)
{
	const uint64_t words[] = { number, (uint64_t)from << 32 | to, bytes };
	return XXH3_64bits(words, sizeof words);
}

uint64_t mpi_amounts_sum(const struct mpi_amounts *a)
{
	uint64_t sum = 0, bytes;
	uint32_t first, end;
	peers(a, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		if (mpi_amount_sent(a, i, &bytes))
			sum += mix_amount(a->number, a->me, i, bytes);
		if (mpi_amount_expected(a, i, &bytes))
			sum -= mix_amount(a->number, i, a->me, bytes);
	}
	return sum;
}

void mpi_amounts_part(const struct mpi_amounts *a, uint64_t *of)
{
	uint64_t bytes;
	uint32_t first, end;
	peers(a, &first, &end);
	for (uint32_t i = first; i < end; i++) {
		if (mpi_amount_sent(a, i, &bytes))
			of[a->me] += mix_amount(a->number, a->me, i, bytes);
		if (mpi_amount_expected(a, i, &bytes))
			of[i] -= mix_amount(a->number, i, a->me, bytes);
	}
}

void mpi_amounts_describe_own(const struct mpi_amounts *a, char *out, size_t room)
{
	uint64_t sent = 0, expected = 0;
	bool all = a->call->op == WL_MPI_ALLTOALLV, scatters = a->call->op == WL_MPI_SCATTERV;
	mpi_amount_sent(a, a->me, &sent);
	mpi_amount_expected(a, a->me, &expected);
	if (all)
		snprintf(out, room, "it sends %" PRIu64 " B to itself, and expects %" PRIu64 " B", sent, expected);
	else
		snprintf(out, room, "its own bytes are %" PRIu64 ", where its counts have %" PRIu64 " for itself",
		         scatters ? expected : sent, scatters ? sent : expected);
}
