/* sim/watch.c - see watch.h. The first rank to notice claims the report in shared memory: it alone reports which rank
 * was lost. The other ranks of the host, which also notice that the process has ended, wait until the report has been
 * made. */
#include "sim/watch.h"

#include "base/check.h"
#include "base/memory.h"
#include "sim/host.h"
#include "sim/sim.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define REPORTED_BY_THEN 500 /* ms: timeout after which ranks that do not report exit, too */

/* A rank of this host, as published by itself. */
struct watch_member {
	int64_t process;
	uint64_t space; /* PID namespace */
	int32_t rank;
};

static struct watch {
	struct watch_member *member;
	struct pollfd *end; /* [members] pidfds, readable when a process has ended; the last: to stop this thread */
	int members;
	_Atomic int *lost; /* shared: 1 + the member that is reported; 0: none */
	pthread_t thread;
	bool running;
} watch;

static void (*on_lost)(const char *what);
static void (*on_end)(void);
static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

void sim_on_lost_rank(void (*report)(const char *what), void (*end)(void))
{
	on_lost = report;
	on_end = end;
}

static void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	while (nanosleep(&t, &t))
		;
}

static void leave(void)
{
	if (on_end)
		on_end();
	_exit(SIM_LOST_STATUS);
}

static const char *host_name(void)
{
	static char name[256];
	if (gethostname(name, sizeof name - 1))
		snprintf(name, sizeof name, "?");
	return name;
}

static void report_member(int k)
{
	char text[512];
	int none = 0;
	if (!atomic_compare_exchange_strong(watch.lost, &none, k + 1)) {
		if (on_end)
			on_end();
		sleep_ms(REPORTED_BY_THEN);
		leave();
	}
	snprintf(
	    text, sizeof text,
	    "rank %d on host %s (process %lld) was killed or has crashed: the run ends without writing further results",
	    (int)watch.member[k].rank, host_name(), (long long)watch.member[k].process);
	if (on_lost)
		on_lost(text);
	leave();
}

static void *watch_others(void *arg)
{
	(void)arg;
	for (;;) {
		int n = poll(watch.end, (nfds_t)watch.members + 1, -1);
		if (watch.end[watch.members].revents)
			return NULL;
		for (int k = 0; n > 0 && k < watch.members; k++)
			if (watch.end[k].revents)
				report_member(k);
	}
}

static int open_process(const struct watch_member *m, const struct watch_member *self)
{
#ifdef SYS_pidfd_open
	if (m->process != self->process && m->space == self->space)
		return (int)syscall(SYS_pidfd_open, (pid_t)m->process, 0);
#else
	(void)m;
	(void)self;
#endif
	return -1; /* poll() ignores negative descriptors */
}

/* Signals are handled by the first thread only. */
static bool start_thread(void)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	bool good = !pthread_create(&watch.thread, NULL, watch_others, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return good;
}

/* Usually because the connection to a rank is lost. */
static void on_mpi_error(MPI_Comm *comm, int *code, ...)
{
	char why[MPI_MAX_ERROR_STRING] = "", text[MPI_MAX_ERROR_STRING + 400];
	int length = 0;
	(void)comm;
	MPI_Error_string(*code, why, &length);
	snprintf(text, sizeof text,
	         "rank %d on host %s: MPI: %s (another rank, or the connection to its host, may be lost): the run ends "
	         "without writing further results",
	         sim_rank(), host_name(), why);
	if (on_lost)
		on_lost(text);
	if (on_end)
		on_end();
	MPI_Abort(MPI_COMM_WORLD, SIM_LOST_STATUS);
	_exit(SIM_LOST_STATUS);
}

void sim_watch_start(void)
{
	struct watch_member self = { .process = getpid(), .rank = sim_rank() };
	struct stat st;
	MPI_Comm_create_errhandler(on_mpi_error, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	MPI_Comm comm = sim_host_comm();
	MPI_Comm_size(comm, &watch.members);
	if (watch.members == 1 || !(watch.lost = sim_host_memory(sizeof *watch.lost)))
		return;
	self.space = stat("/proc/self/ns/pid", &st) ? 0 : st.st_ino;
	watch.member = base_calloc((size_t)watch.members, sizeof *watch.member);
	watch.end = base_calloc((size_t)watch.members + 1, sizeof *watch.end);
	MPI_Allgather(&self, sizeof self, MPI_BYTE, watch.member, sizeof self, MPI_BYTE, comm);
	for (int k = 0; k < watch.members; k++) {
		base_checkf(watch.member[k].process > 0, "process of member %d", k);
		watch.end[k] = (struct pollfd){ open_process(&watch.member[k], &self), POLLIN, 0 };
	}
	watch.end[watch.members] = (struct pollfd){ eventfd(0, EFD_CLOEXEC), POLLIN, 0 };
	watch.running = watch.end[watch.members].fd >= 0 && start_thread();
}

void sim_watch_stop(void)
{
	uint64_t one = 1;
	MPI_Barrier(sim_host_comm()); /* no process is watched any more when the first ends */
	if (watch.running && write(watch.end[watch.members].fd, &one, sizeof one) == sizeof one)
		pthread_join(watch.thread, NULL);
	for (int k = 0; watch.end && k <= watch.members; k++)
		if (watch.end[k].fd >= 0)
			close(watch.end[k].fd);
	if (watch.lost)
		MPI_Barrier(sim_host_comm());
	sim_host_memory_free(watch.lost, sizeof *watch.lost);
	free(watch.member);
	free(watch.end);
	watch = (struct watch){ 0 };
	if (handler != MPI_ERRHANDLER_NULL)
		MPI_Errhandler_free(&handler);
}
