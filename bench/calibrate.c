/* bench/calibrate.c - how fast the machine is at this moment, so that figures of different moments can be compared.
 *
 * Dependent additions tell the clock (one a cycle on every processor of today), dependent loads in random order the
 * latency of the caches and of memory. Each is the best of several short rounds; `available` is the best round over
 * the mean one: what is missing to 1 others took meanwhile. About a fifth of a second.
 *
 * None of these sees a neighbour on the same core, whose hyperthread takes half of the execution units without taking
 * any time.
 * `--gauge N` does: independent additions, by N processes at the same time (not more than processors), for 20 ms; it
 * prints those per nanosecond of the slowest, and `calibrate` those of one as "additions_per_ns".
 *
 * usage: calibrate [--json | --gauge N] */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

#define ADD     \
	x += 1; \
	__asm__ volatile("" : "+r"(x));

static double gigahertz(double *available)
{
	const unsigned n = 400000;
	double t[ROUNDS];
	uint64_t x = 0;
	for (int r = 0; r < ROUNDS; r++) {
		double t0 = seconds();
		for (unsigned i = 0; i < n; i++) {
			ADD ADD ADD ADD ADD ADD ADD ADD
		}
		t[r] = seconds() - t0;
	}
	return 8e-9 * n / best(t, available);
}

/* Independent additions a nanosecond, mean over about 20 ms. */
static double throughput(void)
{
	const unsigned n = 100000;
	uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, additions = 0;
	double t0 = seconds(), t;
	do {
		for (unsigned i = 0; i < n; i++) {
			a += 1, b += 2, c += 3, d += 4, e += 5, f += 6;
			__asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
		}
		additions += 6ull * n;
		t = seconds() - t0;
	} while (t < 0.02);
	return (double)additions * 1e-9 / t;
}

/* The least of n processes, measured at the same time; 0 if that cannot be done. */
static double gauge(int n)
{
	int ends[2], started = 0;
	double least = 0, x;
	if (pipe(ends))
		return 0;
	for (int i = 0; i < n; i++) {
		pid_t child = fork();
		if (child == 0) {
			x = throughput();
			_exit(write(ends[1], &x, sizeof x) != sizeof x);
		}
		started += child > 0;
	}
	close(ends[1]);
	for (int i = 0; i < started && read(ends[0], &x, sizeof x) == sizeof x; i++)
		least = i == 0 || x < least ? x : least;
	while (wait(NULL) > 0)
		;
	return least;
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

/* Nanoseconds of a load whose address the one before told. */
static double load_ns(size_t bytes)
{
	uint32_t lines = (uint32_t)(bytes / LINE), loads = 10000, at = 0;
	uint32_t *next = aligned_alloc(1 << 21, bytes < 1 << 21 ? 1 << 21 : bytes);
	double t[ROUNDS], available;
	if (!next)
		exit(1);
	shuffle(next, lines);
	for (uint32_t i = 0; i < lines; i++) /* to the caches, and to memory of our own */
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
		printf("%.3f\n", gauge((int)(n < 1 ? 1 : n < cores ? n : cores)));
		return 0;
	}
	double available, ghz = gigahertz(&available), additions = throughput();
	double l1 = load_ns((size_t)64 << 10), l2 = load_ns((size_t)2 << 20), memory = load_ns((size_t)64 << 20);
	if (argc > 1 && !strcmp(argv[1], "--json"))
		printf("{\"ghz\":%.3f,\"load_64k_ns\":%.2f,\"load_2m_ns\":%.2f,\"load_64m_ns\":%.1f,\"available\":%.3f,"
		       "\"additions_per_ns\":%.2f}\n",
		       ghz, l1, l2, memory, available, additions);
	else
		printf("%.2f GHz, %.1f additions a cycle, loads %.1f ns in 64 KiB, %.1f in 2 MiB, %.0f in 64 MiB, %.2f "
		       "of the core available\n",
		       ghz, additions / ghz, l1, l2, memory, available);
	return 0;
}
