/* tests/cli/record_threads.c - computation of a program whose threads take turns to call MPI: see record.sh. Busy for
 * two tenths of a second at a time. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_of_thread(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void busy(void)
{
	double from = clock_of_thread();
	while (clock_of_thread() - from < 0.2)
		;
}

static void *calls(void *unused)
{
	MPI_Barrier(MPI_COMM_WORLD);
	return unused;
}

static void *computes_and_calls(void *unused)
{
	busy();
	return calls(unused);
}

static sem_t initialised, done;

static void *initialises_and_finalises(void *unused)
{
	int given;
	MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given);
	sem_post(&initialised);
	sem_wait(&done);
	MPI_Finalize();
	return unused;
}

/* MPI is initialised, and finalised, by a thread that is not the program's first. */
static void elsewhere(void)
{
	pthread_t thread;
	sem_init(&initialised, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, initialises_and_finalises, NULL);
	sem_wait(&initialised);
	busy();
	calls(NULL);
	sem_post(&done);
	pthread_join(thread, NULL);
}

static void in_a_thread(void *(*what)(void *))
{
	pthread_t thread;
	pthread_create(&thread, NULL, what, NULL);
	pthread_join(thread, NULL);
}

int main(int count, char **value)
{
	int given;
	busy(); /* before MPI_Init: not of the recording */
	if (!strcmp(value[1], "elsewhere")) {
		elsewhere();
		return 0;
	}
	MPI_Init_thread(&count, &value, MPI_THREAD_SERIALIZED, &given);
	if (!strcmp(value[1], "calls"))
		in_a_thread(calls);
	if (!strcmp(value[1], "computes"))
		in_a_thread(computes_and_calls);
	if (!strcmp(value[1], "turns")) {
		busy();
		in_a_thread(computes_and_calls); /* what this thread did is of its own next call */
		calls(NULL);
	}
	MPI_Finalize();
	return 0;
}
