/* experiments/results/alone.h - isolated jobs: jobs that are also simulated alone in the same network, so that a result
 * contains the impact of the other jobs on them (traffic[].isolate).
 *
 * In the run alone, a job has the same endpoints, random numbers and network paths as in the whole run; the other jobs
 * exist but send nothing. So all differences are caused by the other jobs. */
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

/* Does a configuration isolate any job? */
bool xp_alone_wanted(const struct net_config *config);

/* Simulates each isolated job alone. Collective. Calls begin() (may be NULL) before each run. Writes all entries of
 * alone[jobs]; names in it belong to setup->config. Returns NET_DONE, or how the last unsuccessful run ended: after an
 * interruption no further job runs, after a stall the others do; for NET_FAILED or NET_REFUTED there are errors. If the
 * network cannot be built, returns NET_DONE without isolated results, since the build of the whole run reports the
 * error. */
enum net_outcome xp_alone_run(const struct net_setup *setup, struct xp_alone *alone,
                              void (*begin)(void *arg, const char *job), void *arg, struct base_errors *errors);

/* Ratio of durations with and without the other jobs. */
struct xp_impact {
	const char *of;   /* the member of a job: "iteration_ns", "latency_ns", "completion_ns" */
	double mean, p99; /* NAN: nothing to compare; p99 also of a completion */
	const char *why;  /* that mean is NAN, else NULL */
};
struct xp_impact xp_impact_of(const struct net_flow *with, const struct xp_alone *alone);

#endif
