/* workload/record/log.c - see record.h */
#include "workload/record/record.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
	FILE *out;
	char part[4096], whole[4096];
	int depth;
	bool open;
	uint64_t compute; /* ns, not written yet */
	uint64_t look;    /* ns that looking at the clock takes */
	pthread_t first;  /* the program's first thread; it may not be the one that calls MPI_Init */
	uint64_t before;  /* ns of CPU time of that thread when MPI_Init returned */
} log_of;

/* Threads call MPI in turns (at most MPI_THREAD_SERIALIZED is provided), each with its own clock: ns of CPU time when
 * its last call returned. A thread without a previous call counts from its start. */
static _Thread_local struct {
	uint64_t at;
	bool known;
} left;

static uint64_t read_clock(clockid_t clock)
{
	struct timespec t;
	if (clock_gettime(clock, &t))
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void leave_call(void)
{
	left.at = now();
	left.known = true;
}

/* The thread that calls has computed since its last call. */
static void add_computation(void)
{
	uint64_t at = now();
	if (!left.known && pthread_equal(pthread_self(), log_of.first))
		left.at = log_of.before;
	uint64_t took = at - left.at;
	log_of.compute += took > log_of.look ? took - log_of.look : 0;
}

__attribute__((constructor)) static void find_first_thread(void)
{
	log_of.first = pthread_self();
}

static _Noreturn void give_up(const char *what, const char *why)
{
	fprintf(stderr, "tilefly record: %s: %s\n", what, why);
	PMPI_Abort(MPI_COMM_WORLD, 1);
	abort();
}

/* A child of fork() is not the rank: it has nothing to write, when it ends neither. */
static void flush(void)
{
	if (log_of.open)
		fflush(log_of.out);
}
static void forget(void)
{
	log_of.open = false;
}

void record_open(void)
{
	const char *dir = getenv("TILEFLY_RECORD_DIR");
	int rank;
	if (!dir || log_of.open)
		return;
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		char path[4096];
		int ranks;
		snprintf(path, sizeof path, "%s/ranks", dir);
		FILE *f = fopen(path, "we");
		PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
		if (!f || fprintf(f, "%d\n", ranks) < 0 || fclose(f))
			give_up(path, strerror(errno));
	}
	snprintf(log_of.part, sizeof log_of.part, "%s/part.%d", dir, rank);
	snprintf(log_of.whole, sizeof log_of.whole, "%s/rank.%d", dir, rank);
	log_of.out = fopen(log_of.part, "we");
	if (!log_of.out)
		give_up(log_of.part, strerror(errno));
	log_of.look = UINT64_MAX;
	for (int i = 0; i < 100; i++) {
		uint64_t from = now(), took = now() - from;
		log_of.look = took < log_of.look ? took : log_of.look;
	}
	pthread_atfork(flush, NULL, forget);
	clockid_t clock;
	log_of.before = pthread_getcpuclockid(log_of.first, &clock) ? 0 : read_clock(clock);
	log_of.open = true;
	leave_call();
}

void record_close(void)
{
	if (!log_of.open)
		return;
	add_computation();
	record_begin("compute");
	record_end();
	log_of.open = false;
	if (ferror(log_of.out) | fclose(log_of.out) || rename(log_of.part, log_of.whole))
		give_up(log_of.part, strerror(errno));
}

bool record_enter(void)
{
	if (!log_of.open || log_of.depth++)
		return false;
	add_computation();
	return true;
}

int record_left(bool entered, int status, const char *call)
{
	if (log_of.open)
		log_of.depth--;
	if (!entered)
		return status;
	if (status != MPI_SUCCESS) {
		char why[MPI_MAX_ERROR_STRING] = "", text[MPI_MAX_ERROR_STRING + 100];
		int length = 0;
		PMPI_Error_string(status, why, &length);
		snprintf(text, sizeof text, "%s, which failed (%s)", call, why);
		record_refuse(text);
	}
	leave_call();
	return status;
}

void record_begin(const char *name)
{
	fputs(name, log_of.out);
}

void record_word(const char *format, ...)
{
	va_list ap;
	va_start(ap, format);
	vfprintf(log_of.out, format, ap);
	va_end(ap);
}

void record_end(void)
{
	if (log_of.compute)
		fprintf(log_of.out, " compute=%llu000", (unsigned long long)log_of.compute);
	fputc('\n', log_of.out);
	log_of.compute = 0;
}

_Noreturn void record_refuse(const char *call)
{
	const char *dir = getenv("TILEFLY_RECORD_DIR");
	char path[4096], own[4096];
	snprintf(path, sizeof path, "%s/refused", dir ? dir : ".");
	snprintf(own, sizeof own, "%s/refused.%ld", dir ? dir : ".", (long)getpid());
	FILE *f = dir ? fopen(own, "we") : NULL; /* several ranks may come here, and be ended at any time */
	if (f) {
		fprintf(f, "%s\n", call);
		fclose(f);
		rename(own, path);
	}
	int started = 0;
	PMPI_Initialized(&started);
	if (started)
		PMPI_Abort(MPI_COMM_WORLD, 1);
	_exit(1);
}
