/* experiments/results/estimates.h - the estimates of a run and their confidence intervals, from a summary record.
 *
 * Estimates are named by the members of the record: "latency_ns.p99", for a job "jobs.NAME.latency_ns.p99". Minima and
 * maxima are not estimates. */
#ifndef EXPERIMENTS_RESULTS_ESTIMATES_H
#define EXPERIMENTS_RESULTS_ESTIMATES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct xp_estimate {
	char *name;
	double value; /* NAN: of no packet, or not given */
	bool has_interval;
	double low, high; /* the 95 % interval */
};

struct xp_estimates {
	struct xp_estimate *v;
	size_t n;
	bool intervals; /* of at least one */
};

void xp_estimates_read(struct xp_estimates *e, const json_t *summary);
void xp_estimates_free(struct xp_estimates *e);
/* Returns the estimate of this name, or NULL if the run has none. */
const struct xp_estimate *xp_estimate_find(const struct xp_estimates *e, const char *name);

#endif
