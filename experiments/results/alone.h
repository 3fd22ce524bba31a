/* experiments/results/alone.h - jobs that are isolated: simulated alone as well, in the same network, so that a result
 * tells what the others do to them (traffic[].isolate).
 *
 * Alone a job has the endpoints, the random numbers and the paths of network/ that it has in the whole run; the others
 * are there and send nothing. So what differs is what they did. */
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

/* Simulates each isolated job alone: collective. begin() is called for each before it runs (may be NULL). Writes
 * alone[jobs], all of it; the names in it are of setup->config. NET_DONE, or how the last one ended that did not:
 * interrupted, none runs after it; stalled, the others do; NET_FAILED or NET_REFUTED, errors say why. What cannot be
 * built is left to whoever builds the whole: NET_DONE with nothing isolated. */
enum net_outcome xp_alone_run(const struct net_setup *setup, struct xp_alone *alone,
                              void (*begin)(void *arg, const char *job), void *arg, struct base_errors *errors);

/* How many times as long it takes with the others. */
struct xp_impact {
	const char *of;   /* the member of a job: "iteration_ns", "latency_ns", "completion_ns" */
	double mean, p99; /* NAN: nothing to compare; p99 also of a completion */
	const char *why;  /* that mean is NAN, else NULL */
};
struct xp_impact xp_impact_of(const struct net_flow *with, const struct xp_alone *alone);

#endif
