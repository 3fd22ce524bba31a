/* workload/process/mpi_cells.c - the memory of ranks that carry out MPI calls, see mpi.h. */
#include "workload/process/mpi.h"

#include "base/check.h"

#include <string.h>

uint32_t mpi_cell_new(struct mpi_play *x)
{
	struct mpi_rank *rank = x->rank;
	uint32_t cell = rank->free;
	if (cell) {
		MPI_SET(x, &rank->free, mpi_cell_at(x, cell)->link);
	} else if (rank->used < x->s->cells) {
		cell = rank->used + 1;
		MPI_SET(x, &rank->used, cell);
	} else {
		net_process_wrong(x->call, "rank %u has more than %u simultaneous requests, messages and peers", x->r,
		                  x->s->cells);
		return 0;
	}
	memset(mpi_cell_change(x, cell), 0, sizeof(union mpi_cell));
	return cell;
}

void mpi_cell_free(struct mpi_play *x, uint32_t cell)
{
	mpi_cell_change(x, cell)->link = x->rank->free;
	MPI_SET(x, &x->rank->free, cell);
}

/* --- lists: the second word of a cell is the next one ------------------------------------------------------- */

static uint32_t *next_of(const struct mpi_play *x, uint32_t cell)
{
	return (uint32_t *)(void *)mpi_cell_at(x, cell) + 1;
}

uint32_t mpi_next(const struct mpi_play *x, uint32_t cell)
{
	return *next_of(x, cell);
}

void mpi_append(struct mpi_play *x, struct mpi_list_of *list, uint32_t cell)
{
	uint32_t *from = list->last ? next_of(x, list->last) : &list->first;
	MPI_SET(x, next_of(x, cell), 0);
	MPI_SET(x, from, cell);
	MPI_SET(x, &list->last, cell);
}

void mpi_take_out(struct mpi_play *x, struct mpi_list_of *list, uint32_t previous, uint32_t cell)
{
	uint32_t *from = previous ? next_of(x, previous) : &list->first;
	base_check(*from == cell);
	MPI_SET(x, from, *next_of(x, cell));
	if (list->last == cell)
		MPI_SET(x, &list->last, previous);
}

/* --- buckets: requests, pairs and communicators by their names ---------------------------------------------- */

enum mpi_cell_kind { OF_REQUESTS, OF_PAIRS, OF_COMMS };

static uint32_t *bucket_of(const struct mpi_play *x, enum mpi_cell_kind kind, uint64_t name)
{
	uint64_t hash = (name * 3 + kind) * UINT64_C(0x9e3779b97f4a7c15);
	return &x->s->bucket[x->r][hash >> 58];
}
_Static_assert(MPI_BUCKETS == 64, "six bits of a hash");

/* The last word of those that are in buckets says what they are. */
static bool is_it(const union mpi_cell *c, enum mpi_cell_kind kind, uint64_t name)
{
	if (c->request.kind != kind)
		return false;
	return kind == OF_REQUESTS ? c->request.handle == name
	       : kind == OF_PAIRS  ? c->pair.peer == name
	                           : c->handle.name == name;
}

static uint32_t look_up(const struct mpi_play *x, enum mpi_cell_kind kind, uint64_t name)
{
	uint32_t cell = *bucket_of(x, kind, name);
	while (cell && !is_it(mpi_cell_at(x, cell), kind, name))
		cell = mpi_cell_at(x, cell)->link;
	return cell;
}

static void enter_bucket(struct mpi_play *x, enum mpi_cell_kind kind, uint64_t name, uint32_t cell)
{
	uint32_t *bucket = bucket_of(x, kind, name);
	mpi_cell_change(x, cell)->link = *bucket;
	MPI_SET(x, bucket, cell);
}

static void leave_bucket(struct mpi_play *x, enum mpi_cell_kind kind, uint64_t name, uint32_t cell)
{
	uint32_t *from = bucket_of(x, kind, name);
	while (*from != cell)
		from = &mpi_cell_at(x, *from)->link;
	MPI_SET(x, from, mpi_cell_at(x, cell)->link);
}

uint32_t mpi_request_find(const struct mpi_play *x, uint64_t handle)
{
	return handle == WL_MPI_REQUEST_NULL ? 0 : look_up(x, OF_REQUESTS, handle);
}

void mpi_name_request(struct mpi_play *x, uint32_t cell, uint64_t handle)
{
	union mpi_cell *c = mpi_cell_change(x, cell);
	c->request.handle = handle;
	c->request.flags |= MPI_NAMED;
	enter_bucket(x, OF_REQUESTS, handle, cell);
}

void mpi_forget_request(struct mpi_play *x, uint32_t cell)
{
	union mpi_cell *c = mpi_cell_change(x, cell);
	if (c->request.flags & MPI_NAMED)
		leave_bucket(x, OF_REQUESTS, c->request.handle, cell);
	c->request.flags &= (uint16_t)~MPI_NAMED;
}

uint64_t mpi_under_way(const struct mpi_replay *s, uint32_t rank)
{
	uint64_t messages = 0;
	const union mpi_cell *c, *cell = s->cell + (size_t)rank * s->cells;
	for (uint32_t b = 0; b < MPI_BUCKETS; b++)
		for (uint32_t at = s->bucket[rank][b]; at; at = c->link) {
			c = &cell[at - 1];
			if (c->request.kind == OF_PAIRS)
				messages += c->pair.own_sent - (uint64_t)c->pair.own_came;
		}
	return messages;
}

uint32_t mpi_pair_of(struct mpi_play *x, uint32_t peer)
{
	uint32_t cell = look_up(x, OF_PAIRS, peer);
	if (cell || !(cell = mpi_cell_new(x)))
		return cell;
	mpi_cell_at(x, cell)->pair.peer = peer;
	mpi_cell_at(x, cell)->pair.kind = OF_PAIRS;
	enter_bucket(x, OF_PAIRS, peer, cell);
	return cell;
}

uint32_t mpi_handle_find(const struct mpi_play *x, uint32_t name)
{
	return look_up(x, OF_COMMS, name);
}

void mpi_name_comm(struct mpi_play *x, uint32_t name, struct mpi_membership m)
{
	uint32_t cell = mpi_handle_find(x, name);
	bool is_new = !cell;
	if (is_new && !(cell = mpi_cell_new(x)))
		return;
	struct mpi_handle *h = &mpi_cell_change(x, cell)->handle;
	uint32_t link = h->link;
	*h = (struct mpi_handle){ .link = link, .name = name, .comm = m.comm, .me = m.me, .kind = OF_COMMS };
	if (is_new)
		enter_bucket(x, OF_COMMS, name, cell);
}

void mpi_forget_comm(struct mpi_play *x, uint32_t name)
{
	uint32_t cell = mpi_handle_find(x, name);
	if (!cell)
		return;
	leave_bucket(x, OF_COMMS, name, cell);
	mpi_cell_free(x, cell);
}
