/* sim/rings.c - see rings.h. A slot is a flag in a cache line of its own and the bytes after it. The flag says whose
 * the slot is, so no counters are shared: the sender waits for its own next slot to be empty, the receiver for its own
 * next one to be full. */
#include "sim/rings.h"

#include "base/check.h"
#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FEW 8u /* a pair and direction, for up to FEW ranks of a host */
#define SLOTS_MANY 3u
#define FEW 8

struct slot {
	_Atomic uint32_t full;
	uint32_t pad[15];
	unsigned char bytes[];
};

struct end {
	unsigned char *ring; /* NULL: no ring to this rank */
	uint32_t at;         /* slot that comes next */
};

struct sim_rings {
	MPI_Comm host;
	MPI_Win window;
	uint32_t slots;
	size_t stride;
	struct end *out, *in; /* [ranks] */
};

static struct slot *slot_at(const struct sim_rings *r, const struct end *e)
{
	return (struct slot *)(void *)(e->ring + e->at * r->stride);
}

static void step(const struct sim_rings *r, struct end *e)
{
	e->at = e->at + 1 == r->slots ? 0 : e->at + 1;
}

/* Every rank of the host owns the rings that lead to it, in the order of the senders. */
static bool allocate(struct sim_rings *r, int locals)
{
	MPI_Info info;
	void *mine;
	size_t bytes = (size_t)locals * r->slots * r->stride;
	MPI_Info_create(&info);
	MPI_Info_set(info, "alloc_shared_noncontig", "true");
	MPI_Comm_set_errhandler(r->host, MPI_ERRORS_RETURN);
	int good = MPI_Win_allocate_shared((MPI_Aint)(bytes + 64), 1, info, r->host, &mine, &r->window) == MPI_SUCCESS,
	    all = 0;
	MPI_Info_free(&info);
	MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, r->host);
	if (!all) {
		if (good)
			MPI_Win_free(&r->window);
		return false;
	}
	return true;
}

/* TILEFLY_SHARED_MEMORY=off in the environment of any rank: all messages by MPI; a number: not more slots than that (a
 * test of what waits for room in a ring). */
static uint32_t most_slots(MPI_Comm comm)
{
	const char *wish = getenv("TILEFLY_SHARED_MEMORY");
	int mine = !wish ? INT_MAX : strcmp(wish, "off") == 0 ? 0 : atoi(wish) > 0 ? atoi(wish) : INT_MAX, all = 0;
	MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
	return (uint32_t)all;
}

static unsigned char *ring_of(const struct sim_rings *r, int owner, int sender)
{
	MPI_Aint size;
	int unit;
	unsigned char *base;
	MPI_Win_shared_query(r->window, owner, &size, &unit, &base);
	base += -(uintptr_t)base & 63;
	return base + (size_t)sender * r->slots * r->stride;
}

struct sim_rings *sim_rings_create(MPI_Comm comm, size_t slot_bytes)
{
	int ranks, rank, here, locals;
	MPI_Comm host;
	uint32_t most = most_slots(comm);
	if (!most)
		return NULL;
	MPI_Comm_size(comm, &ranks);
	MPI_Comm_rank(comm, &rank);
	MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host);
	MPI_Comm_size(host, &locals);
	MPI_Comm_rank(host, &here);
	if (locals == 1) {
		MPI_Comm_free(&host);
		return NULL;
	}
	struct sim_rings *r = base_alloc(sizeof *r);
	r->host = host;
	r->slots = locals <= FEW ? SLOTS_FEW : SLOTS_MANY;
	r->slots = most < r->slots ? most : r->slots;
	r->stride = (sizeof(struct slot) + slot_bytes + 63) & ~(size_t)63;
	if (!allocate(r, locals)) {
		MPI_Comm_free(&host);
		free(r);
		return NULL;
	}
	r->out = base_calloc((size_t)ranks, sizeof *r->out);
	r->in = base_calloc((size_t)ranks, sizeof *r->in);
	int *rank_of = base_calloc((size_t)locals, sizeof *rank_of);
	MPI_Allgather(&rank, 1, MPI_INT, rank_of, 1, MPI_INT, host);
	for (int k = 0; k < locals; k++)
		if (k != here) {
			r->out[rank_of[k]].ring = ring_of(r, k, here);
			struct end in = { .ring = ring_of(r, here, k) };
			for (; in.at < r->slots; in.at++)
				atomic_init(&slot_at(r, &in)->full, 0);
			in.at = 0;
			r->in[rank_of[k]] = in;
		}
	free(rank_of);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, r->window);
	MPI_Barrier(host); /* nobody writes before all flags are down */
	return r;
}

void sim_rings_destroy(struct sim_rings *r)
{
	if (!r)
		return;
	MPI_Win_unlock_all(r->window);
	MPI_Win_free(&r->window);
	MPI_Comm_free(&r->host);
	free(r->out);
	free(r->in);
	free(r);
}

int sim_rings_ranks(const struct sim_rings *r)
{
	int n = 1;
	if (r)
		MPI_Comm_size(r->host, &n);
	return n;
}

bool sim_rings_reach(const struct sim_rings *r, int peer)
{
	return r && r->out[peer].ring;
}

void *sim_rings_slot(struct sim_rings *r, int peer)
{
	struct slot *s = slot_at(r, &r->out[peer]);
	return atomic_load_explicit(&s->full, memory_order_acquire) ? NULL : s->bytes;
}

void sim_rings_publish(struct sim_rings *r, int peer)
{
	struct end *e = &r->out[peer];
	base_check(e->at < r->slots && !atomic_load_explicit(&slot_at(r, e)->full, memory_order_relaxed));
	atomic_store_explicit(&slot_at(r, e)->full, 1, memory_order_release);
	step(r, e);
}

void *sim_rings_arrived(const struct sim_rings *r, int peer)
{
	struct slot *s = slot_at(r, &r->in[peer]);
	return atomic_load_explicit(&s->full, memory_order_acquire) ? s->bytes : NULL;
}

void sim_rings_release(struct sim_rings *r, int peer)
{
	struct end *e = &r->in[peer];
	base_check(e->at < r->slots && atomic_load_explicit(&slot_at(r, e)->full, memory_order_relaxed));
	atomic_store_explicit(&slot_at(r, e)->full, 0, memory_order_release);
	step(r, e);
}
