/* sim/cores.c - rank 0 runs threads on the cores of all ranks of its host, while the other ranks sleep.
 *
 * Threads can share memory in huge pages; processes can do so only if the administrator has configured it. So if all
 * ranks are on one host, rank 0 may simulate all LPs with threads. The other ranks then only take part in collectives,
 * and sleep during the run. */
#include "base/memory.h"
#include "sim/lines.h"
#include "sim/sim.h"

#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* The cores that thread k runs on; set once, by sim_cores_pool(). */
static cpu_set_t *cores;
static int pooled;

/* Shared memory in which rank 0 and the waiting ranks signal each other by semaphores. A semaphore wakes a sleeping
 * process at once, and a process that waits for it takes no CPU time. */
static struct shared_words {
	sem_t done;            /* posted by rank 0 when it has finished: one for each waiting rank */
	_Atomic uint32_t stop; /* the number of the run that one of them wants ended */
	char apart[128];
	struct sim_line line;
	char apart_too[128];
} * shared;
static MPI_Win window;
static double line_ns;   /* ns that a cache line takes from rank 0 to the last rank; 0: not known */
static uint32_t run = 1; /* number of the current run on borrowed cores, the same on all ranks */

static int all_say(int good)
{
	MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
	return good;
}

static bool on_one_host(int ranks)
{
	MPI_Comm host;
	int here;
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Comm_size(host, &here);
	if (!all_say(here == ranks)) {
		MPI_Comm_free(&host);
		return false;
	}
	MPI_Comm_set_errhandler(host, MPI_ERRORS_RETURN);
	MPI_Aint bytes = sim_rank() == 0 ? sizeof *shared : 0;
	int unit, good = MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, host, &shared, &window) == MPI_SUCCESS;
	bool all = all_say(good);
	MPI_Comm_free(&host);
	if (!all) {
		if (good)
			MPI_Win_free(&window);
		shared = NULL;
		return false;
	}
	MPI_Win_shared_query(window, 0, &bytes, &unit, &shared);
	good = 1;
	if (sim_rank() == 0) {
		atomic_init(&shared->stop, 0);
		atomic_init(&shared->line.turn, 0);
		atomic_init(&shared->line.over, 0);
		good = !sem_init(&shared->done, 1, 0);
	}
	return all_say(good);
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

/* MPI_Allreduce would gather the sizes first; sets have a fixed size. */
static int pool(int ranks)
{
	cpu_set_t mine, all;
	CPU_ZERO(&mine);
	CPU_ZERO(&all);
	int good = !sched_getaffinity(0, sizeof mine, &mine);
	cores = base_calloc((size_t)ranks, sizeof *cores);
	if (!all_say(good))
		return 1;
	MPI_Allgather(&mine, sizeof mine, MPI_BYTE, cores, sizeof mine, MPI_BYTE, MPI_COMM_WORLD);
	for (int r = 0; r < ranks; r++)
		CPU_OR(&all, &all, &cores[r]);
	for (int r = 0; r < ranks; r++)
		base_checkf(CPU_COUNT(&cores[r]) > 0, "rank %d has no core", r);
	int threads = CPU_COUNT(&all) < ranks ? CPU_COUNT(&all) : ranks, sum = 0;
	for (int r = 0; r < ranks; r++)
		sum += CPU_COUNT(&cores[r]);
	for (int r = 0; sum > CPU_COUNT(&all) && r < ranks; r++)
		cores[r] = all; /* some ranks had cores in common: any core */
	if (sim_rank() == 0 && !allowed(&all))
		threads = 1;
	MPI_Bcast(&threads, 1, MPI_INT, 0, MPI_COMM_WORLD);
	base_checkf(threads >= 1 && threads <= ranks, "%d threads for %d ranks", threads, ranks);
	return threads;
}

/* TILEFLY_LINE_NS in the environment of rank 0 replaces the measured value, to test the choices that depend on it. */
static double measure_line(int ranks)
{
	const char *wish = getenv("TILEFLY_LINE_NS");
	int rank = sim_rank(), asked = wish != NULL;
	double ns = wish ? strtod(wish, NULL) : 0;
	MPI_Bcast(&asked, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (!asked && (rank == 0 || rank == ranks - 1)) /* as a rule these two share the least cache */
		ns = sim_line_ns(&shared->line, rank == 0);
	MPI_Bcast(&ns, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
	return ns;
}

double sim_cores_line_ns(void)
{
	return line_ns;
}

uint32_t sim_cores_pool(void)
{
	int ranks = sim_ranks();
	if (ranks == 1)
		return 1;
	int level = MPI_THREAD_SINGLE;
	MPI_Query_thread(&level);
	if (!pooled) {
		pooled = level >= MPI_THREAD_FUNNELED && on_one_host(ranks) ? pool(ranks) : 1;
		line_ns = pooled > 1 ? measure_line(ranks) : 0;
	}
	return (uint32_t)pooled;
}

uint32_t sim_cores_unite(void)
{
	MPI_Comm host;
	cpu_set_t all;
	int here;
	if (sim_ranks() == 1)
		return 1;
	if (sched_getaffinity(0, sizeof all, &all))
		CPU_ZERO(&all);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
	MPI_Comm_size(host, &here);
	MPI_Allreduce(MPI_IN_PLACE, &all, sizeof all, MPI_BYTE, MPI_BOR, host);
	MPI_Comm_free(&host);
	sched_setaffinity(0, sizeof all, &all); /* where this is refused the thread stays where it is */
	return (uint32_t)here;
}

bool sim_cores_take(uint32_t thread)
{
	return !cores || !pthread_setaffinity_np(pthread_self(), sizeof *cores, &cores[thread]);
}

void sim_cores_free(void)
{
	if (shared)
		MPI_Win_free(&window);
	shared = NULL;
	free(cores);
	cores = NULL;
	pooled = 0;
	line_ns = 0;
}

uint32_t sim_cores_here(void)
{
	cpu_set_t mine;
	if (sched_getaffinity(0, sizeof mine, &mine))
		return 1;
	return (uint32_t)CPU_COUNT(&mine);
}

/* TILEFLY_IDLE_CORES in the environment: set for example by a sweep that has no other run for these cores. */
uint32_t sim_cores_idle(void)
{
	const char *text = getenv("TILEFLY_IDLE_CORES");
	long idle = text ? strtol(text, NULL, 10) : 1, here = (long)sim_cores_here();
	return (uint32_t)(idle < 1 ? 1 : idle < here ? idle : here);
}

/* --- waiting ranks --------------------------------------------------------------------------------------- */

static void ring(void)
{
	for (int r = 1; r < sim_ranks(); r++)
		sem_post(&shared->done);
}

void sim_cores_ready(void)
{
	if (sim_rank() == 0)
		ring();
	else
		while (sem_wait(&shared->done))
			; /* interrupted: the run's result reports it */
}

void sim_cores_done(void *result, size_t bytes)
{
	ring();
	MPI_Bcast(result, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	run++;
}

bool sim_cores_stop_asked(void)
{
	return atomic_load_explicit(&shared->stop, memory_order_relaxed) == run;
}

/* Returns after 50 ms or when rank 0 is done. */
static bool done_by_then(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 50000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return sem_timedwait(&shared->done, &t) == 0;
}

void sim_cores_wait(void *result, size_t bytes, bool (*go_on)(void *arg), void *arg)
{
	while (!done_by_then())
		if (!go_on(arg))
			atomic_store_explicit(&shared->stop, run, memory_order_relaxed);
	MPI_Bcast(result, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
	run++;
}
