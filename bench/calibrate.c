/* bench/calibrate.c - measures the current speed of the machine, so that figures of different times can be compared.
 *
 * Dependent additions give the clock frequency (one per cycle on current processors), dependent loads in random order
 * the latency of the caches and of memory. Each is the best of several short rounds; `available` is the best round over
 * the mean one: the difference to 1 was used by other programs. Takes about a fifth of a second.
 *
 * "line_ns" is the time of a cache line from one core to another (read there, then written here): the median of rounds,
 * as it changes when a virtual machine's cores move to where they share no cache. That does not affect independent
 * programs, but does affect those that communicate. 0: there is only one processor, or the other one did not respond.
 *
 * None of these detects a program on the other hardware thread of the core, which uses half of the execution units
 * without using CPU time. `--gauge N` does: independent additions, by N processes at the same time (at most one per
 * processor), for 20 ms; it prints those per nanosecond of the slowest process, and `calibrate` those of one process as
 * "additions_per_ns". Then, for 20 ms more, each process updates lines of its own 2 MiB in random order, in eight
 * chains; the second figure is the updates per microsecond of the slowest process. It shows the available part of a
 * shared cache: if other programs fill it, additions are as fast as before, but a run of two ranks takes half as long
 * again.
 *
 * usage: calibrate [--json | --gauge N] */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 40
#define LINE 64

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Best round, in seconds; *available: best over mean. */
static double best(const double *t, double *available)
{
	double least = t[0], sum = 0;
	for (int i = 0; i < ROUNDS; i++) {
		least = t[i] < least ? t[i] : least;
		sum += t[i];
	}
	*available = least * ROUNDS / sum;
	return least;
}

#define ADD_TO(v) \
	(v) += 1; \
	__asm__ volatile("" : "+r"(v));

static double gigahertz(double *available)
{
	const unsigned n = 400000;
	double t[ROUNDS];
	uint64_t x = 0;
	for (int r = 0; r < ROUNDS; r++) {
		double t0 = seconds();
		for (unsigned i = 0; i < n; i++) {
			ADD_TO(x) ADD_TO(x) ADD_TO(x) ADD_TO(x) ADD_TO(x) ADD_TO(x) ADD_TO(x) ADD_TO(x)
		}
		t[r] = seconds() - t0;
	}
	return 8e-9 * n / best(t, available);
}

#define GAUGE_SECONDS 0.02
#define UPDATED_BYTES ((size_t)2 << 20)
#define CHAINS 8

/* Independent additions per nanosecond, mean until `end`. */
static double throughput(double end)
{
	const unsigned n = 20000;
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, additions = 0;
	double t0 = seconds(), t;
	do {
		for (unsigned i = 0; i < n; i++) {
			ADD_TO(a) ADD_TO(b) ADD_TO(c) ADD_TO(d) ADD_TO(e) ADD_TO(f)
		}
		additions += 6ull * n;
		t = seconds();
	} while (t < end);
	return (double)additions * 1e-9 / (t - t0);
}

/* Updates of lines in random order per microsecond, mean until `end`. */
static double updates(uint64_t *lines, double end)
{
	const uint64_t mask = UPDATED_BYTES / LINE - 1;
	uint64_t x[CHAINS] = { 1, 2, 3, 4, 5, 6, 7, 8 }, n = 0;
	double t0 = seconds(), t;
	do {
		for (int i = 0; i < 100; i++)
			for (int k = 0; k < CHAINS; k++) {
				x[k] = x[k] * 6364136223846793005ull + 1442695040888963407ull;
				uint64_t *at = &lines[(x[k] >> 20 & mask) * (LINE / 8)];
				x[k] ^= *at & 1; /* the next update depends on this one */
				*at += 2;
			}
		n += 100ull * CHAINS;
		t = seconds();
	} while (t < end);
	return (double)n * 1e-6 / (t - t0);
}

struct gauge {
	double additions, updates; /* per nanosecond, per microsecond */
};

/* Results of one process; those of a gauge start together at `start`. */
static struct gauge gauge_one(double start)
{
	uint64_t *lines = aligned_alloc(UPDATED_BYTES, UPDATED_BYTES); /* one huge page, if available */
	if (!lines)
		_exit(1);
#ifdef MADV_HUGEPAGE
	madvise(lines, UPDATED_BYTES, MADV_HUGEPAGE);
#endif
	memset(lines, 0, UPDATED_BYTES);
	while (seconds() < start)
		;
	struct gauge g;
	g.additions = throughput(start + GAUGE_SECONDS);
	g.updates = updates(lines, start + 2 * GAUGE_SECONDS);
	return g;
}

/* The minimum over n concurrent processes; zeros on failure. */
static struct gauge gauge(int n)
{
	int ends[2], started = 0;
	struct gauge least = { 0 }, g;
	double start = seconds() + 0.003;
	if (pipe(ends))
		return least;
	for (int i = 0; i < n; i++) {
		pid_t child = fork();
		if (child == 0) {
			g = gauge_one(start);
			_exit(write(ends[1], &g, sizeof g) != sizeof g);
		}
		started += child > 0;
	}
	close(ends[1]);
	for (int i = 0; i < started && read(ends[0], &g, sizeof g) == sizeof g; i++) {
		least.additions = i == 0 || g.additions < least.additions ? g.additions : least.additions;
		least.updates = i == 0 || g.updates < least.updates ? g.updates : least.updates;
	}
	while (wait(NULL) > 0)
		;
	return least;
}

static int rising(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

#define PATIENCE 100000000u /* polls */

static int processors(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

/* Two processes write a shared line in turns. */
static double line_ns(void)
{
	const unsigned turns = 400;
	double t[ROUNDS];
	if (processors() < 2)
		return 0;
	_Atomic unsigned *turn = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child = turn == MAP_FAILED ? -1 : fork();
	if (child < 0)
		return 0;
	for (unsigned i = child ? 0 : 1, end = 2 * turns * ROUNDS; i < end; i += 2) {
		for (unsigned looks = 0; atomic_load_explicit(turn, memory_order_acquire) != i;)
			if (++looks > PATIENCE) { /* the other process has ended */
				if (!child)
					_exit(1);
				kill(child, SIGKILL);
				wait(NULL);
				return 0;
			}
		if (child && i % (2 * turns) == 0)
			t[i / (2 * turns)] = seconds();
		atomic_store_explicit(turn, i + 1, memory_order_release);
	}
	if (!child)
		_exit(0);
	wait(NULL);
	munmap((void *)turn, 4096);
	for (int r = 0; r + 1 < ROUNDS; r++)
		t[r] = t[r + 1] - t[r];
	qsort(t, ROUNDS - 1, sizeof *t, rising);
	return t[(ROUNDS - 1) / 2] * 1e9 / (2 * turns);
}

/* A random cycle through the lines of a block (Sattolo's shuffle). */
static void shuffle(uint32_t *next, uint32_t lines)
{
	uint64_t s = 88172645463325252ull;
	uint32_t *order = malloc(lines * sizeof *order);
	if (!order)
		exit(1);
	for (uint32_t i = 0; i < lines; i++)
		order[i] = i;
	for (uint32_t i = lines - 1; i > 0; i--) {
		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
		uint32_t j = (uint32_t)((s >> 32) * i >> 32), keep = order[i];
		order[i] = order[j];
		order[j] = keep;
	}
	for (uint32_t i = 0; i < lines; i++)
		next[(size_t)order[i] * (LINE / 4)] = order[i + 1 == lines ? 0 : i + 1];
	free(order);
}

/* Nanoseconds of a load whose address depends on the previous one. */
static double load_ns(size_t bytes)
{
	uint32_t lines = (uint32_t)(bytes / LINE), loads = 10000, at = 0;
	uint32_t *next = aligned_alloc(1 << 21, bytes < 1 << 21 ? 1 << 21 : bytes);
	double t[ROUNDS], available;
	if (!next)
		exit(1);
	shuffle(next, lines);
	for (uint32_t i = 0; i < lines; i++) /* loads them into the caches, and allocates the memory */
		at = next[(size_t)at * (LINE / 4)];
	for (int r = 0; r < ROUNDS; r++) {
		double t0 = seconds();
		for (uint32_t i = 0; i < loads; i++)
			at = next[(size_t)at * (LINE / 4)];
		__asm__ volatile("" : "+r"(at));
		t[r] = seconds() - t0;
	}
	free(next);
	return best(t, &available) * 1e9 / loads;
}

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "--gauge")) {
		long n = strtol(argv[2], NULL, 10), cores = sysconf(_SC_NPROCESSORS_ONLN);
		struct gauge g = gauge((int)(n < 1 ? 1 : n < cores ? n : cores));
		printf("%.3f %.1f\n", g.additions, g.updates);
		return 0;
	}
	double available, ghz = gigahertz(&available), additions = throughput(seconds() + GAUGE_SECONDS);
	double line = line_ns(), l1 = load_ns((size_t)64 << 10), l2 = load_ns((size_t)2 << 20),
	       memory = load_ns((size_t)64 << 20);
	if (argc > 1 && !strcmp(argv[1], "--json"))
		printf("{\"ghz\":%.3f,\"load_64k_ns\":%.2f,\"load_2m_ns\":%.2f,\"load_64m_ns\":%.1f,\"available\":%.3f,"
		       "\"additions_per_ns\":%.2f,\"line_ns\":%.0f}\n",
		       ghz, l1, l2, memory, available, additions, line);
	else
		printf(
		    "%.2f GHz, %.1f additions a cycle, loads %.1f ns in 64 KiB, %.1f in 2 MiB, %.0f in 64 MiB, a line "
		    "from core to core %.0f, %.2f of the core available\n",
		    ghz, additions / ghz, l1, l2, memory, line, available);
	return 0;
}
