/* experiments/results/alone.h - isolated jobs (traffic[].isolate): jobs that are simulated a second time, alone in the
 * same network, so that the result contains the impact of the other jobs on them.
 *
 * In the run alone, a job has the same endpoints, random numbers and network paths as in the run with all jobs; the
 * other jobs exist but send nothing. Therefore all differences are caused by the other jobs. */
#ifndef EXPERIMENTS_RESULTS_ALONE_H
#define EXPERIMENTS_RESULTS_ALONE_H

#include "network/network.h"

/* Of one job. */
struct xp_alone {
	bool isolated;
	bool complete, stalled;
	const char *why;   /* of a log: why the impact is null, else NULL */
	uint64_t start_ps; /* of the job */
	struct net_flow flow;
	uint64_t digest;
};

/* Returns whether the configuration isolates any job. */
bool xp_alone_wanted(const struct net_config *config);

/* Simulates each isolated job alone. Collective. Calls begin(), unless it is NULL, before each run. Writes all entries
 * of alone[jobs]; the names in them belong to setup->config. Returns NET_DONE if all runs were successful, else the
 * outcome of the last unsuccessful run. After a stall the remaining jobs are still simulated; after any other failure
 * they are not. NET_FAILED and NET_REFUTED come with errors. If the network cannot be built, the function returns
 * NET_DONE without results, because the later build for the run with all jobs reports the error. */
enum net_outcome xp_alone_run(const struct net_setup *setup, struct xp_alone *alone,
                              void (*begin)(void *arg, const char *job), void *arg, struct base_errors *errors);

/* Impact of the other jobs on an isolated job: its duration with them, divided by its duration alone. */
struct xp_impact {
	const char *of;   /* the member of a job: "iteration_ns", "latency_ns", "completion_ns" */
	double mean, p99; /* NAN: nothing to compare; p99 also of a completion */
	const char *why;  /* that mean is NAN, else NULL */
};
struct xp_impact xp_impact_of(const struct net_flow *with, const struct xp_alone *alone);

#endif
