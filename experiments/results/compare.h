/* experiments/results/compare.h - compares the estimates and the configuration keys of two results.
 *
 * Two estimates differ if the gap between their 95 % confidence intervals exceeds the tolerance, a fraction of the
 * larger value. An estimate without an interval counts as an interval of width 0. If only one of the two runs has
 * intervals, its other estimates are compared only if there is a tolerance, because their variation over seeds is
 * unknown. If neither run has intervals, values must be equal within the tolerance. */
#ifndef EXPERIMENTS_RESULTS_COMPARE_H
#define EXPERIMENTS_RESULTS_COMPARE_H

#include "experiments/results/estimates.h"

/* The values that one estimate, or one property such as "complete", has in two runs. */
struct xp_verdict {
	char *point, *name; /* point: of a sweep, NULL outside of one */
	json_t *value[2];   /* a number, true, false; null or NULL: none */
	bool has_interval[2];
	double low[2], high[2];
	bool judged, differs;
};

/* A member of the configuration or manifest that differs between two runs. */
struct xp_change {
	char *key, *value[2];
	size_t points; /* how many points of a sweep have this very change */
};

struct xp_difference {
	double tolerance;
	struct xp_verdict *verdict;
	size_t n, judged, differing;
	struct xp_change *change;
	size_t nchanges;
	size_t points, equal_digests;
	size_t failed; /* points of two sweeps that failed in both */
};

/* Compares two runs and adds the differences to *c, which is initially zero except for the tolerance. `point` is the
 * name of the point of a sweep; NULL for single runs. */
void xp_compare(struct xp_difference *c, const char *point, const json_t *const manifest[2],
                const json_t *const summary[2]);
/* Adds a point of a sweep that has a result in only one of the two sweeps. This counts as a difference. */
void xp_compare_missing(struct xp_difference *c, const char *point, int missing);
void xp_comparison_free(struct xp_difference *c);

#endif
