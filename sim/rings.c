/* sim/rings.c - see rings.h. Every slot has a flag in a cache line of its own, which says whether the sender or the
 * receiver owns it, so no counters are shared: the sender waits until its next slot is empty, the receiver until its
 * next slot is full. The flags of all rings to one rank are adjacent, before the slots, which begin at page boundaries:
 * a page never written takes no memory. So memory grows with the pairs of ranks that communicate and the length of
 * their messages; other pairs take 64 bytes per slot. */
#include "sim/rings.h"

#include "base/check.h"
#include "base/memory.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FEW 8u /* per pair and direction, for up to FEW ranks per host */
#define SLOTS_MANY 3u
#define FEW 8

#define PAGE ((size_t)4096)

struct flag {
	_Atomic uint32_t full;
	uint32_t pad[15];
};

struct end {
	struct flag *flag;    /* [slots]; NULL: no ring to this rank */
	unsigned char *bytes; /* [slots], `stride` apart */
	uint32_t at;          /* the next slot */
};

struct sim_rings {
	MPI_Comm host;
	MPI_Win window;
	uint32_t slots;
	size_t stride;
	struct end *out, *in; /* [ranks] */
};

static _Atomic uint32_t *full(const struct end *e)
{
	return &e->flag[e->at].full;
}

static void *bytes_at(const struct sim_rings *r, const struct end *e)
{
	return e->bytes + e->at * r->stride;
}

static size_t flag_bytes(const struct sim_rings *r, int locals)
{
	return ((size_t)locals * r->slots * sizeof(struct flag) + PAGE - 1) & ~(PAGE - 1);
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
	size_t bytes = flag_bytes(r, locals) + (size_t)locals * r->slots * r->stride;
	MPI_Info_create(&info);
	MPI_Info_set(info, "alloc_shared_noncontig", "true");
	MPI_Comm_set_errhandler(r->host, MPI_ERRORS_RETURN);
	int good =
		MPI_Win_allocate_shared((MPI_Aint)(bytes + PAGE), 1, info, r->host, &mine, &r->window) == MPI_SUCCESS,
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

/* The maximum number of slots of a ring, from the environment variable TILEFLY_SHARED_MEMORY; the least value of any
 * rank applies. "off" means 0, so that all messages are sent through MPI; a number is the limit itself, with which
 * tests fill rings; without the variable there is no limit. */
static uint32_t most_slots(MPI_Comm comm)
{
	const char *wish = getenv("TILEFLY_SHARED_MEMORY");
	int mine = !wish ? INT_MAX : strcmp(wish, "off") == 0 ? 0 : atoi(wish) > 0 ? atoi(wish) : INT_MAX, all = 0;
	MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
	return (uint32_t)all;
}

static struct end ring_of(const struct sim_rings *r, int owner, int sender, int locals)
{
	MPI_Aint size;
	int unit;
	unsigned char *base;
	MPI_Win_shared_query(r->window, owner, &size, &unit, &base);
	base += -(uintptr_t)base & (PAGE - 1);
	size_t first = (size_t)sender * r->slots;
	return (struct end){ .flag = (struct flag *)(void *)base + first,
		             .bytes = base + flag_bytes(r, locals) + first * r->stride };
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
	r->stride = (slot_bytes + PAGE - 1) & ~(PAGE - 1);
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
			r->out[rank_of[k]] = ring_of(r, k, here, locals);
			struct end in = ring_of(r, here, k, locals);
			for (uint32_t i = 0; i < r->slots; i++)
				atomic_init(&in.flag[i].full, 0);
			r->in[rank_of[k]] = in;
		}
	free(rank_of);
	MPI_Win_lock_all(MPI_MODE_NOCHECK, r->window);
	MPI_Barrier(host); /* no rank writes before all flags are initialized */
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
	return r && r->out[peer].flag;
}

void *sim_rings_slot(struct sim_rings *r, int peer)
{
	const struct end *e = &r->out[peer];
	return atomic_load_explicit(full(e), memory_order_acquire) ? NULL : bytes_at(r, e);
}

void sim_rings_publish(struct sim_rings *r, int peer)
{
	struct end *e = &r->out[peer];
	base_check(e->at < r->slots && !atomic_load_explicit(full(e), memory_order_relaxed));
	atomic_store_explicit(full(e), 1, memory_order_release);
	step(r, e);
}

void *sim_rings_arrived(const struct sim_rings *r, int peer)
{
	const struct end *e = &r->in[peer];
	return atomic_load_explicit(full(e), memory_order_acquire) ? bytes_at(r, e) : NULL;
}

void sim_rings_release(struct sim_rings *r, int peer)
{
	struct end *e = &r->in[peer];
	base_check(e->at < r->slots && atomic_load_explicit(full(e), memory_order_relaxed));
	atomic_store_explicit(full(e), 0, memory_order_release);
	step(r, e);
}
