/* workload/formats/otf2/otf2_counts.c - see otf2_counts.h */
#include "workload/formats/otf2/otf2_counts.h"

#include "workload/formats/map.h"

#include <stdlib.h>

#define NOWHERE UINT32_MAX

/* Where the rank is in a communicator. O(ranks of it). */
static uint32_t place_in(const struct otf2_comm *comm, uint32_t handle, uint32_t rank)
{
	if (handle == WL_MPI_WORLD)
		return rank;
	const struct otf2_comm *c = &comm[handle - OTF2_FIRST_COMM];
	if (c->all)
		return rank;
	for (uint32_t i = 0; i < c->n; i++)
		if (c->rank[i] == rank)
			return i;
	return NOWHERE;
}

struct finding {
	struct wl_spool *s;
	const struct otf2_comm *comm;
	struct wl_map block;          /* number of the call << 32 | communicator: place of the counts */
	struct wl_map number, inside; /* by communicator, of the rank that is read: calls before; its place + 1 */
};

static uint32_t members(const struct finding *f, uint32_t handle)
{
	return handle == WL_MPI_WORLD ? f->s->ranks : f->comm[handle - OTF2_FIRST_COMM].n;
}

static bool is_rooted(const struct wl_spool_record *r)
{
	return r->op == WL_MPI_GATHERV || r->op == WL_MPI_SCATTERV;
}

static bool has_counts(const struct wl_spool_record *r)
{
	return is_rooted(r) || r->op == WL_MPI_ALLGATHERV || r->op == WL_MPI_REDUCE_SCATTER ||
	       r->op == WL_MPI_ALLTOALLV;
}

/* Adds one rank's call of a collective with different block sizes; its record is at `place`. The counts are stored at
 * the rank's position: the bytes of the rank's block, followed for an Alltoallv by the bytes that each rank received.
 */
static void take_call(struct finding *f, uint32_t rank, uint64_t number, uint64_t place, struct wl_spool_record *r)
{
	uint64_t *inside = wl_map_put(&f->inside, r->comm), *block, n = members(f, r->comm), word = sizeof r->bytes;
	if (!*inside)
		*inside = (uint64_t)place_in(f->comm, r->comm, rank) + 1;
	uint64_t me = *inside - 1;
	if (me == NOWHERE)
		return;
	block = wl_map_put(&f->block, number << 32 | r->comm);
	if (!*block)
		*block = wl_spool_reserve(f->s, 2 * n * word);
	wl_spool_put(f->s, r->op == WL_MPI_REDUCE_SCATTER ? &r->received : &r->bytes, word, *block + me * word);
	if (r->op == WL_MPI_ALLTOALLV)
		wl_spool_put(f->s, &r->received, word, *block + (n + me) * word);
	if (!is_rooted(r) || (r->peer >= 0 && me == (uint64_t)r->peer)) {
		r->counts = *block;
		wl_spool_change(f->s, rank, place, r);
	}
}

static void read_rank(struct finding *f, uint32_t rank)
{
	struct wl_spool_record r;
	uint64_t next = 0;
	f->number = f->inside = (struct wl_map){ 0 };
	for (uint64_t at = f->s->first[rank]; wl_spool_read(f->s, rank, &next, &r); at = next) {
		if (!mpi_is_collective((enum mpi_op)r.op) || r.comm == WL_MPI_SELF)
			continue;
		uint64_t number = (*wl_map_put(&f->number, r.comm))++;
		if (has_counts(&r))
			take_call(f, rank, number, at, &r);
	}
	wl_map_free(&f->number);
	wl_map_free(&f->inside);
}

int otf2_counts_find(struct wl_spool *s, const struct otf2_comm *comm)
{
	struct finding f = { .s = s, .comm = comm };
	for (uint32_t i = 0; i < s->ranks; i++)
		read_rank(&f, i);
	wl_map_free(&f.block);
	return s->failed ? -1 : 0;
}

/* The n words at a place; false: there are none. */
static bool get_words(const struct wl_spool *s, uint64_t place, uint32_t n, struct mpi_list *out)
{
	uint64_t part[512];
	for (uint32_t i = 0; place && i < n; i++) {
		uint32_t at = i % 512, left = n - i < 512 ? n - i : 512;
		if (!at && !wl_spool_get(s, part, left * sizeof *part, place + i * sizeof *part))
			return false;
		mpi_list_add(out, part[at]);
	}
	return place != 0;
}

/* Divides `total` bytes into n parts in proportion to given sizes, and returns the end of part i. The first i + 1 sizes
 * sum up to `upto`, all sizes to `all`; if `all` is 0, the parts are equal. */
static uint64_t end_of_part(uint64_t total, uint64_t upto, uint64_t all, uint32_t i, uint32_t n)
{
	return all ? (uint64_t)((unsigned __int128)total * upto / all)
	           : total / n * (i + 1) + (i < total % n ? i + 1 : total % n);
}

/* 0 also if it is no 64-bit number, as in a damaged archive. */
static uint64_t sum_of(const struct mpi_list *v)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < v->n; i++)
		if (__builtin_add_overflow(sum, v->v[i], &sum))
			return 0;
	return sum;
}

/* `total` bytes in n parts that are to each other like those of v. */
static void share_out(struct mpi_list *out, uint64_t total, const struct mpi_list *v, uint32_t n)
{
	uint64_t all = v->n == n ? sum_of(v) : 0, upto = 0, before = 0;
	for (uint32_t i = 0; i < n; i++) {
		upto += all ? v->v[i] : 0;
		uint64_t end = end_of_part(total, upto, all, i, n);
		mpi_list_add(out, end - before);
		before = end;
	}
}

/* What each rank shares out to `me`: as share_out() gives it of the ranks' totals. */
static void shares_of(struct mpi_list *out, const struct mpi_list *sent, const struct mpi_list *received, uint32_t me)
{
	uint64_t all = sum_of(received), before = 0;
	for (uint32_t i = 0; all && i < me; i++)
		before += received->v[i];
	for (uint32_t i = 0; i < sent->n; i++) {
		uint64_t total = sent->v[i];
		mpi_list_add(out, end_of_part(total, all ? before + received->v[me] : 0, all, me, sent->n) -
		                      (me ? end_of_part(total, before, all, me - 1, sent->n) : 0));
	}
}

static void fill_alltoallv(const struct wl_spool *s, const struct wl_spool_record *r, uint32_t n, uint32_t me,
                           struct mpi_call *call)
{
	struct mpi_list sent = { 0 }, received = { 0 };
	bool known =
	    get_words(s, r->counts, n, &sent) && get_words(s, r->counts + n * sizeof *sent.v, n, &received) && me < n;
	share_out(&call->counts, r->bytes, &received, n);
	if (known)
		shares_of(&call->from_counts, &sent, &received, me);
	else
		share_out(&call->from_counts, r->received, &received, n);
	free(sent.v);
	free(received.v);
}

void otf2_counts_fill(const struct wl_spool *s, const struct otf2_comm *comm, const struct wl_spool_record *r,
                      uint32_t n, uint32_t rank, struct mpi_call *call)
{
	struct mpi_list blocks = { 0 };
	if (r->op == WL_MPI_ALLTOALLV) {
		fill_alltoallv(s, r, n, n > 1 ? place_in(comm, r->comm, rank) : 0, call);
	} else if (is_rooted(r)) {
		if (n == 1)
			mpi_list_add(&call->counts, r->bytes);
		else
			(void)get_words(s, r->counts, n, &call->counts); /* too few: an error where they are used */
	} else if (has_counts(r)) {
		(void)get_words(s, r->counts, n, &blocks);
		share_out(&call->counts, r->op == WL_MPI_ALLGATHERV ? r->received : r->bytes, &blocks, n);
		free(blocks.v);
	}
}
