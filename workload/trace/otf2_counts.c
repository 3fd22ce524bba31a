/* workload/trace/otf2_counts.c - see otf2_counts.h */
#include "workload/trace/otf2_counts.h"

#include "workload/trace/map.h"

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

/* A Gatherv or Scatterv of one rank, in the record at `place`: its bytes are the root's count of it. */
static void take(struct finding *f, uint32_t rank, uint64_t number, uint64_t place, struct wl_spool_record *r)
{
	uint64_t *inside = wl_map_put(&f->inside, r->comm), *block;
	if (!*inside)
		*inside = (uint64_t)place_in(f->comm, r->comm, rank) + 1;
	uint64_t me = *inside - 1;
	if (me == NOWHERE)
		return;
	block = wl_map_put(&f->block, number << 32 | r->comm);
	if (!*block)
		*block = wl_spool_reserve(f->s, members(f, r->comm) * sizeof r->bytes);
	wl_spool_put(f->s, &r->bytes, sizeof r->bytes, *block + me * sizeof r->bytes);
	if (r->peer >= 0 && me == (uint64_t)r->peer) {
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
		if (r.op == WL_MPI_GATHERV || r.op == WL_MPI_SCATTERV)
			take(f, rank, number, at, &r);
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

void otf2_counts_get(const struct wl_spool *s, const struct wl_spool_record *r, uint32_t n, struct mpi_list *out)
{
	uint64_t part[512];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = i % 512, left = n - i < 512 ? n - i : 512;
		if (!at && !wl_spool_get(s, part, left * sizeof *part, r->counts + i * sizeof *part))
			return; /* too few: an error where they are used */
		mpi_list_add(out, part[at]);
	}
}
