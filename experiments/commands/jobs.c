/* experiments/commands/jobs.c - see jobs.h */
#include "experiments/commands/jobs.h"
#include "experiments/config/message.h"
#include "sim/sim.h"

#include <stdlib.h>

#define MOST_JOBS 4096

int xp_read_jobs(const char *text, int default_value, int *jobs)
{
	uint32_t cores = sim_cores_here();
	char *end;
	*jobs = default_value ? default_value : cores < MOST_JOBS ? (int)cores : MOST_JOBS;
	if (!text)
		return 0;
	long n = strtol(text, &end, 10);
	if (end == text || *end || n < 1 || n > MOST_JOBS) {
		xp_message("--jobs %s: must be a number from 1 to %d", text, MOST_JOBS);
		return -1;
	}
	*jobs = (int)n;
	return 0;
}
