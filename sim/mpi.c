/* sim/mpi.c - starting and ending MPI, and the few collectives that set-up and results need. */
#include "base/memory.h"
#include "sim/host.h"
#include "sim/sim.h"
#include "sim/watch.h"

#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A launcher is recognized by its environment variables. Without them MPI is not started: a run of one rank needs none,
 * and starts faster. */
static bool launched(void)
{
	static const char *const traces[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK", "PMI_FD",
		                              "HYDI_CONTROL_FD" };
	for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
		if (getenv(traces[i]))
			return true;
	return false;
}

static bool running(void)
{
	int on = 0, off = 0;
	MPI_Initialized(&on);
	MPI_Finalized(&off);
	return on && !off;
}

int sim_mpi_start(int *argc, char ***argv)
{
	if (!launched())
		return 0;
	int given; /* only the first thread calls MPI */
	if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)
		return -1;
	if (sim_ranks() > 1)
		sim_watch_start();
	return 0;
}

void sim_mpi_stop(void)
{
	if (!running())
		return;
	sim_cores_free();
	if (sim_ranks() > 1)
		sim_watch_stop();
	sim_host_free();
	MPI_Finalize();
}

int sim_rank(void)
{
	int r = 0;
	if (running())
		MPI_Comm_rank(MPI_COMM_WORLD, &r);
	return r;
}

int sim_ranks(void)
{
	int n = 1;
	if (running())
		MPI_Comm_size(MPI_COMM_WORLD, &n);
	return n;
}

int sim_host_ranks(void)
{
	int here = 1;
	if (sim_ranks() > 1)
		MPI_Comm_size(sim_host_comm(), &here);
	return here;
}

static void reduce(uint64_t *v, size_t n, MPI_Op op)
{
	if (sim_ranks() == 1)
		return;
	for (size_t at = 0; at < n; at += 1 << 20) {
		size_t part = n - at < 1 << 20 ? n - at : 1 << 20;
		MPI_Allreduce(MPI_IN_PLACE, v + at, (int)part, MPI_UINT64_T, op, MPI_COMM_WORLD);
	}
}

void sim_sum_u64(uint64_t *v, size_t n)
{
	reduce(v, n, MPI_SUM);
}

void sim_min_u64(uint64_t *v, size_t n)
{
	reduce(v, n, MPI_MIN);
}

void sim_max_u64(uint64_t *v, size_t n)
{
	reduce(v, n, MPI_MAX);
}

void sim_scan_u64(const uint64_t *mine, uint64_t *before, uint64_t *all, size_t n)
{
	memset(before, 0, n * sizeof *before); /* MPI leaves rank 0's buffer unset */
	memcpy(all, mine, n * sizeof *all);
	if (sim_ranks() == 1)
		return;
	MPI_Exscan(mine, before, (int)n, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
	if (sim_rank() == 0)
		memset(before, 0, n * sizeof *before);
	sim_sum_u64(all, n);
	for (size_t i = 0; i < n; i++)
		base_checkf(before[i] + mine[i] <= all[i], "%llu and %llu of %llu", (unsigned long long)before[i],
		            (unsigned long long)mine[i], (unsigned long long)all[i]);
}

/* Counters that are summed, over threads and over ranks. */
static const size_t summed[] = {
	offsetof(struct sim_counters, events_processed), offsetof(struct sim_counters, events_rolled_back),
	offsetof(struct sim_counters, events_committed), offsetof(struct sim_counters, speculative),
	offsetof(struct sim_counters, rollbacks),        offsetof(struct sim_counters, stragglers),
	offsetof(struct sim_counters, anti_messages),    offsetof(struct sim_counters, remote_events),
	offsetof(struct sim_counters, messages),         offsetof(struct sim_counters, message_bytes),
	offsetof(struct sim_counters, peak_chunk_bytes), offsetof(struct sim_counters, lps_moved),
};

static uint64_t *counter(struct sim_counters *c, size_t i)
{
	return (uint64_t *)(void *)((char *)c + summed[i]);
}

void sim_counters_add(struct sim_counters *to, struct sim_counters *c)
{
	for (size_t i = 0; i < sizeof summed / sizeof *summed; i++)
		*counter(to, i) += *counter(c, i);
}

void sim_counters_reduce(struct sim_counters *c)
{
	uint64_t sums[sizeof summed / sizeof *summed];
	for (size_t i = 0; i < sizeof summed / sizeof *summed; i++)
		sums[i] = *counter(c, i);
	sim_sum_u64(sums, sizeof summed / sizeof *summed);
	for (size_t i = 0; i < sizeof summed / sizeof *summed; i++) {
		base_check(sums[i] >= *counter(c, i)); /* this rank's share is part of the sum */
		*counter(c, i) = sums[i];
	}
	uint64_t ns[SIM_PHASES];
	for (unsigned i = 0; i < SIM_PHASES; i++)
		ns[i] = (uint64_t)(c->seconds[i] * 1e9);
	sim_sum_u64(ns, SIM_PHASES);
	for (unsigned i = 0; i < SIM_PHASES; i++)
		c->seconds[i] = (double)ns[i] * 1e-9;
	sim_max_u64(&c->gvt_rounds, 1);
	sim_max_u64(&c->windows, 1);
}

#define PART ((size_t)1 << 26)

void sim_gather_bytes(const void *mine, size_t bytes, void **all, size_t *all_bytes)
{
	int ranks = sim_ranks(), rank = sim_rank();
	*all = NULL;
	*all_bytes = 0;
	if (rank != 0) {
		uint64_t n = bytes;
		MPI_Send(&n, 1, MPI_UINT64_T, 0, 2, MPI_COMM_WORLD);
		for (size_t at = 0; at < bytes; at += PART)
			MPI_Send((const char *)mine + at, (int)(bytes - at < PART ? bytes - at : PART), MPI_BYTE, 0, 2,
			         MPI_COMM_WORLD);
		return;
	}
	char *out = base_alloc(bytes);
	if (bytes)
		memcpy(out, mine, bytes);
	size_t used = bytes;
	for (int r = 1; r < ranks; r++) {
		uint64_t n;
		MPI_Recv(&n, 1, MPI_UINT64_T, r, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		out = base_realloc(out, used + n);
		for (size_t at = 0; at < n; at += PART)
			MPI_Recv(out + used + at, (int)(n - at < PART ? n - at : PART), MPI_BYTE, r, 2, MPI_COMM_WORLD,
			         MPI_STATUS_IGNORE);
		used += n;
	}
	base_checkf(used >= bytes && (!bytes || memcmp(out, mine, bytes) == 0), "%zu of %zu bytes", bytes, used);
	*all = out;
	*all_bytes = used;
}

void sim_forward(const struct sim_block *v, size_t n, void (*take)(void *arg, const void *block, size_t bytes),
                 void *arg)
{
	int ranks = sim_ranks(), rank = sim_rank();
	uint64_t mine = n, *counts = rank == 0 ? base_calloc((size_t)ranks, sizeof *counts) : NULL;
	for (size_t i = 0; rank == 0 && i < n; i++)
		take(arg, v[i].at, v[i].bytes);
	if (ranks > 1)
		MPI_Gather(&mine, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
	for (size_t i = 0; rank != 0 && i < n; i++) { /* synchronous sends: no block waits in the memory of rank 0 */
		base_checkf(v[i].bytes <= SIM_BLOCK_BYTES, "%zu bytes", v[i].bytes);
		MPI_Ssend(v[i].at, (int)v[i].bytes, MPI_BYTE, 0, 4, MPI_COMM_WORLD);
	}
	void *block = rank == 0 && ranks > 1 ? base_alloc(SIM_BLOCK_BYTES) : NULL;
	for (int r = 1; rank == 0 && r < ranks; r++)
		for (uint64_t i = 0; i < counts[r]; i++) {
			MPI_Status status;
			int bytes;
			MPI_Recv(block, (int)SIM_BLOCK_BYTES, MPI_BYTE, r, 4, MPI_COMM_WORLD, &status);
			MPI_Get_count(&status, MPI_BYTE, &bytes);
			take(arg, block, (size_t)bytes);
		}
	free(block);
	free(counts);
}

void *sim_share_bytes(const void *mine, size_t bytes, size_t *all_bytes)
{
	int ranks = sim_ranks(), *n = base_calloc(2 * (size_t)ranks, sizeof *n), *at = n + ranks, own = (int)bytes;
	*all_bytes = 0;
	n[0] = own;
	if (ranks > 1)
		MPI_Allgather(&own, 1, MPI_INT, n, 1, MPI_INT, MPI_COMM_WORLD);
	for (int r = 0; r < ranks; r++) {
		at[r] = (int)*all_bytes;
		*all_bytes += (size_t)n[r];
	}
	base_checkf(*all_bytes <= INT_MAX, "%zu bytes", *all_bytes);
	void *all = base_alloc(*all_bytes);
	if (ranks > 1)
		MPI_Allgatherv(mine, own, MPI_BYTE, all, n, at, MPI_BYTE, MPI_COMM_WORLD);
	else if (bytes)
		memcpy(all, mine, bytes);
	free(n);
	return all;
}

/* Exchanges bytes with every rank, in pieces whose size fits an int. */
static void exchange(const char *out, const uint64_t *to, char *in, const uint64_t *from)
{
	int ranks = sim_ranks(), used = 0;
	size_t parts = 0;
	for (int r = 0; r < ranks; r++)
		parts += to[r] / PART + from[r] / PART + 2;
	MPI_Request *request = base_calloc(parts, sizeof(MPI_Request));
	for (int r = 0; r < ranks; in += from[r++])
		for (size_t at = 0; at < from[r]; at += PART)
			MPI_Irecv(in + at, (int)(from[r] - at < PART ? from[r] - at : PART), MPI_BYTE, r, 3,
			          MPI_COMM_WORLD, &request[used++]);
	for (int r = 0; r < ranks; out += to[r++])
		for (size_t at = 0; at < to[r]; at += PART)
			MPI_Isend(out + at, (int)(to[r] - at < PART ? to[r] - at : PART), MPI_BYTE, r, 3,
			          MPI_COMM_WORLD, &request[used++]);
	for (int k = 0; k < used; k++) /* MPI_Waitall with MPICH's MPI_STATUSES_IGNORE causes a GCC warning */
		MPI_Wait(&request[k], MPI_STATUS_IGNORE);
	free(request);
}

void *sim_exchange_records(const void *mine, size_t n, size_t bytes, int (*owner)(const void *arg, const void *record),
                           const void *arg, size_t *got)
{
	int ranks = sim_ranks();
	uint64_t *to = base_calloc(3 * (size_t)ranks, sizeof *to), *from = to + ranks, *at = from + ranks, total = 0;
	const char *record = mine;
	char *out = base_alloc(n * bytes + 1), *in;
	for (size_t i = 0; i < n; i++)
		to[owner(arg, record + i * bytes)] += bytes;
	for (int r = 0; r < ranks; total += to[r++])
		at[r] = total;
	for (size_t i = 0; i < n; i++) {
		uint64_t *place = &at[owner(arg, record + i * bytes)];
		memcpy(out + *place, record + i * bytes, bytes);
		*place += bytes;
	}
	if (ranks == 1) {
		from[0] = to[0];
		in = out;
	} else {
		MPI_Alltoall(to, 1, MPI_UINT64_T, from, 1, MPI_UINT64_T, MPI_COMM_WORLD);
		total = 0;
		for (int r = 0; r < ranks; r++)
			total += from[r];
		in = base_alloc(total + 1);
		exchange(out, to, in, from);
		free(out);
	}
	base_check(total % bytes == 0);
	*got = total / bytes;
	free(to);
	return in;
}

void sim_broadcast(void *data, size_t bytes)
{
	if (sim_ranks() == 1)
		return;
	for (size_t at = 0; at < bytes; at += PART)
		MPI_Bcast((char *)data + at, (int)(bytes - at < PART ? bytes - at : PART), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void sim_mpi_abort(int status)
{
	fflush(NULL);
	if (running())
		MPI_Abort(MPI_COMM_WORLD, status);
	_exit(status);
}

const char *sim_mpi_name(void)
{
#if defined(OPEN_MPI)
#define STR_(x) #x
#define STR(x) STR_(x)
	return "Open MPI " STR(OMPI_MAJOR_VERSION) "." STR(OMPI_MINOR_VERSION) "." STR(OMPI_RELEASE_VERSION);
#elif defined(MPICH_VERSION)
	return "MPICH " MPICH_VERSION;
#else
	return "MPI";
#endif
}
