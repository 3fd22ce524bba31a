/* sim/cores.c - ranks of one host that lend their cores: rank 0 runs a thread on the cores of each, and they wait.
 *
 * Processes cannot share memory in huge pages without the administrator's help, threads can. So where all ranks are on
 * one host, rank 0 may do everything; the others take part in what is collective, and sleep while it runs. */
#include "sim/sim.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#define TAG_DONE 3
#define TAG_STOP 4

/* Which cores thread k is to run on; set once, by sim_cores_pool(). */
static cpu_set_t *cores;
static int pooled;

static bool on_one_host(int ranks)
{
	MPI_Comm host;
	int here;
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Comm_size(host, &here);
	MPI_Comm_free(&host);
	int all = here == ranks;
	MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	return all;
}

/* May this process run on all of them? */
static bool allowed(const cpu_set_t *all)
{
	cpu_set_t mine;
	if (sched_getaffinity(0, sizeof mine, &mine))
		return false;
	bool may = !sched_setaffinity(0, sizeof *all, all);
	cpu_set_t got;
	may = may && !sched_getaffinity(0, sizeof got, &got) && CPU_EQUAL(&got, all);
	sched_setaffinity(0, sizeof mine, &mine);
	return may;
}

/* Without the library's gathering of what every rank would send: sets are of fixed size. */
static int pool(int ranks)
{
	cpu_set_t mine, all;
	CPU_ZERO(&mine);
	CPU_ZERO(&all);
	int good = !sched_getaffinity(0, sizeof mine, &mine);
	cores = malloc((size_t)ranks * sizeof *cores);
	good = good && cores;
	MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	if (!good)
		return 1;
	MPI_Allgather(&mine, sizeof mine, MPI_BYTE, cores, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
	for (int r = 0; r < ranks; r++)
		CPU_OR(&all, &all, &cores[r]);
	int threads = CPU_COUNT(&all) < ranks ? CPU_COUNT(&all) : ranks, sum = 0;
	for (int r = 0; r < ranks; r++)
		sum += CPU_COUNT(&cores[r]);
	for (int r = 0; sum > CPU_COUNT(&all) && r < ranks; r++)
		cores[r] = all; /* some had cores in common: wherever there is room */
	if (sim_rank() == 0 && !allowed(&all))
		threads = 1;
	MPI_Bcast(&threads, 1, MPI_INT, 0, MPI_COMM_WORLD);
	return threads;
}

uint32_t sim_cores_pool(void)
{
	int ranks = sim_ranks();
	if (ranks == 1)
		return 1;
	int level = MPI_THREAD_SINGLE;
	MPI_Query_thread(&level);
	if (!pooled)
		pooled = level >= MPI_THREAD_FUNNELED && on_one_host(ranks) ? pool(ranks) : 1;
	return (uint32_t)pooled;
}

bool sim_cores_take(uint32_t thread)
{
	return !cores || !pthread_setaffinity_np(pthread_self(), sizeof *cores, &cores[thread]);
}

uint32_t sim_cores_here(void)
{
	cpu_set_t mine;
	if (sched_getaffinity(0, sizeof mine, &mine))
		return 1;
	return (uint32_t)CPU_COUNT(&mine);
}

/* --- the others wait ----------------------------------------------------------------------------------- */

static int taken; /* wishes to stop, by rank 0, in this run */

bool sim_cores_stop_asked(void)
{
	int some = 0, none;
	MPI_Status status;
	MPI_Iprobe(MPI_ANY_SOURCE, TAG_STOP, MPI_COMM_WORLD, &some, &status);
	if (!some)
		return false;
	MPI_Recv(&none, 0, MPI_INT, status.MPI_SOURCE, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	taken++;
	return true;
}

void sim_cores_done(const void *result, size_t bytes)
{
	int told = 0, none, all = 0;
	for (int r = 1; r < sim_ranks(); r++)
		MPI_Send(result, (int)bytes, MPI_BYTE, r, TAG_DONE, MPI_COMM_WORLD);
	MPI_Reduce(&told, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	for (; taken < all; taken++) /* they came too late, and are not for the next run */
		MPI_Recv(&none, 0, MPI_INT, MPI_ANY_SOURCE, TAG_STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	taken = 0;
}

void sim_cores_wait(void *result, size_t bytes, bool (*go_on)(void *arg), void *arg)
{
	const struct timespec nap = { 0, 1000000 };
	int told = 0, none = 0;
	MPI_Request request = MPI_REQUEST_NULL;
	for (int come = 0;;) {
		MPI_Iprobe(0, TAG_DONE, MPI_COMM_WORLD, &come, MPI_STATUS_IGNORE);
		if (come)
			break;
		nanosleep(&nap, NULL);
		if (!told && !go_on(arg)) {
			MPI_Isend(&none, 0, MPI_INT, 0, TAG_STOP, MPI_COMM_WORLD, &request);
			told = 1;
		}
	}
	MPI_Recv(result, (int)bytes, MPI_BYTE, 0, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Reduce(&told, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
}
