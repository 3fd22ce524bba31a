/* sim/tables.c - see tables.h. Before each table the ranks check that they agree on its size and key: they find the
 * maxima of these values and of their complements. A rank that builds no more tables also takes part in these checks,
 * in sim_tables_close(), so no rank waits for one that does not participate. */
#include "sim/tables.h"

#include "base/check.h"
#include "base/memory.h"
#include "sim/host.h"
#include "sim/sim.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static bool together;
static int member, members = 1; /* rank and number of ranks on this host */
static uint64_t seen, of_others, most_of_others;

/* Waits without occupying the core, which other ranks may need to build. */
static void greatest(uint64_t *v, size_t n)
{
	const struct timespec nap = { 0, 200000 };
	MPI_Request request;
	int done = 0;
	MPI_Iallreduce(MPI_IN_PLACE, v, (int)n, MPI_UINT64_T, MPI_MAX, sim_host_comm(), &request);
	for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done; MPI_Test(&request, &done, MPI_STATUS_IGNORE))
		nanosleep(&nap, NULL);
}

/* Do all ranks request the same table? `any`: does any rank request one? */
static bool agree(uint64_t bytes, uint64_t key, bool *any)
{
	uint64_t v[4] = { bytes, ~bytes, key, ~key };
	greatest(v, 4);
	*any = v[0] > 0;
	return v[0] == ~v[1] && v[2] == ~v[3];
}

void sim_tables_open(void)
{
	if (sim_ranks() == 1)
		return;
	MPI_Comm_size(sim_host_comm(), &members);
	MPI_Comm_rank(sim_host_comm(), &member);
	together = members > 1;
}

void sim_tables_close(void)
{
	for (bool any = together; any;)
		agree(0, 0, &any);
	together = false;
}

void sim_table_begin(struct sim_table *t, size_t bytes, uint64_t key)
{
	bool any;
	*t = (struct sim_table){ .bytes = bytes, .parts = 1 };
	if (together && bytes >= SIM_TABLE_SHARED && agree(bytes, key, &any))
		t->v = sim_host_memory(bytes);
	t->shared = t->v != NULL;
	if (t->shared) {
		t->part = (uint32_t)member;
		t->parts = (uint32_t)members;
	} else {
		t->v = base_map(bytes);
	}
	seen += bytes;
	of_others += t->shared && member > 0 ? bytes : 0;
	most_of_others = of_others > most_of_others ? of_others : most_of_others;
	base_checkf(t->part < t->parts, "part %u of %u", t->part, t->parts);
}

void sim_table_end(struct sim_table *t, uint64_t *most, size_t n)
{
	if (!t->shared)
		return;
	uint64_t none = 0;
	greatest(n ? most : &none, n ? n : 1); /* and all have built their parts */
	mprotect(t->v, t->bytes, PROT_READ);
}

enum sim_maker sim_tables_maker(void)
{
	bool any;
	if (!together || !agree(1, 0, &any)) /* tables are never that small */
		return SIM_MAKES_ITS_OWN;
	return member == 0 ? SIM_MAKES_FOR_ALL : SIM_WAITS;
}

void sim_tables_say(uint64_t *words, size_t n)
{
	greatest(words, n);
}

static size_t rounded(size_t bytes)
{
	return (bytes + 63) & ~(size_t)63;
}

bool sim_table_of_arrays(struct sim_table *t, const struct sim_array *v, size_t n, enum sim_maker maker)
{
	size_t bytes = 0, at = 0;
	for (size_t i = 0; i < n; i++)
		bytes += rounded(v[i].bytes);
	*t = (struct sim_table){ 0 };
	if (bytes < SIM_TABLE_SHARED)
		return false;
	sim_table_begin(t, bytes, 0);
	if (!t->shared) {
		sim_table_free(t);
		return false;
	}
	for (size_t i = 0; i < n; at += rounded(v[i++].bytes)) {
		char *to = (char *)t->v + at;
		if (maker == SIM_MAKES_FOR_ALL) {
			memcpy(to, *v[i].at, v[i].bytes);
			free(*v[i].at);
		}
		*v[i].at = to;
	}
	sim_table_end(t, NULL, 0);
	return true;
}

void sim_table_free(struct sim_table *t)
{
	if (!t->v)
		return;
	base_check(seen >= t->bytes);
	seen -= t->bytes;
	of_others -= t->shared && member > 0 ? t->bytes : 0;
	if (t->shared)
		sim_host_memory_free(t->v, t->bytes);
	else
		base_unmap(t->v, t->bytes);
	*t = (struct sim_table){ 0 };
}

uint64_t sim_tables_bytes(void)
{
	return seen;
}

uint64_t sim_tables_elsewhere(void)
{
	return most_of_others;
}
