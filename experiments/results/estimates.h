/* experiments/results/estimates.h - what a run estimates, with its intervals, from a summary record.
 *
 * Estimates have the names of their members in the record: "latency_ns.p99", of a job "jobs.NAME.latency_ns.p99". Least
 * and largest values are no estimates. */
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
/* NULL if there is none of that name. */
const struct xp_estimate *xp_estimate_find(const struct xp_estimates *e, const char *name);

#endif
