/* tests/mpi/reference.h - how an MPI test gets its right answers: before MPI is started a process is alone (sim_ranks()
 * is 1), so rank 0 runs everything sequentially first, and tells the others after. A test that hangs ends by itself and
 * names its case. */
#ifndef TESTS_MPI_REFERENCE_H
#define TESTS_MPI_REFERENCE_H

#include "sim/sim.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Is this the process that is to become rank 0? If no launcher says, yes. */
static inline bool reference_here(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (getenv(names[i]))
			return atoi(getenv(names[i])) == 0;
	return true;
}

static char reference_case[200] = "the sequential references";
static int reference_failures;

static inline void reference_timeout(int signal_number)
{
	(void)signal_number;
	static const char text[] = "hangs in: ";
	ssize_t ignored = write(2, text, sizeof text - 1);
	ignored += write(2, reference_case, strlen(reference_case));
	ignored += write(2, "\n", 1);
	(void)ignored;
	_exit(1);
}

/* Sanitized programs are several times slower: cmake/tests.cmake gives their tests four times the limit, too. */
static inline void reference_watch(unsigned seconds)
{
#ifdef TILEFLY_SANITIZED
	seconds *= 4;
#endif
	signal(SIGALRM, reference_timeout);
	alarm(seconds);
}

/* Every rank holds the same result, so every rank decides alike; rank 0 speaks. */
#define REFERENCE_CHECK(condition, ...)                                                         \
	do {                                                                                    \
		if (!(condition)) {                                                             \
			reference_failures++;                                                   \
			if (sim_rank() == 0) {                                                  \
				fprintf(stderr, "%d ranks, %s: ", sim_ranks(), reference_case); \
				fprintf(stderr, __VA_ARGS__);                                   \
				fprintf(stderr, "\n");                                          \
			}                                                                       \
		}                                                                               \
	} while (0)

/* Exit status of the program. Collective. */
static inline int reference_end(void)
{
	uint64_t failures = (uint64_t)reference_failures;
	sim_max_u64(&failures, 1);
	sim_mpi_stop();
	return failures != 0;
}

#endif
