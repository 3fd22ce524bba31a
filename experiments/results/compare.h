/* experiments/results/compare.h - compares the estimates and the configuration keys of two results.
 *
 * Two estimates differ if their 95 % confidence intervals do not overlap; a value without an interval is a point. The
 * tolerance, a fraction of the larger value, may lie between them in addition. If only one of the runs has intervals,
 * estimates without one are compared only with a tolerance, because their variation over seeds is unknown. Runs without
 * intervals are compared exactly. */
#ifndef EXPERIMENTS_RESULTS_COMPARE_H
#define EXPERIMENTS_RESULTS_COMPARE_H

#include "experiments/results/estimates.h"

/* The two values of one estimate, or of a property such as "complete". */
struct xp_verdict {
	char *point, *name; /* point: of a sweep, NULL outside of one */
	json_t *value[2];   /* a number, true, false; null or NULL: none */
	bool has_interval[2];
	double low[2], high[2];
	bool judged, differs;
};

/* A member of the configuration or the manifest. */
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

/* Compares two runs; the comparison is initially zero except for the tolerance. `point` may be NULL. */
void xp_compare(struct xp_difference *c, const char *point, const json_t *const manifest[2],
                const json_t *const summary[2]);
/* Adds a point for which only one of the two has a result, which is a difference. */
void xp_compare_missing(struct xp_difference *c, const char *point, int missing);
void xp_comparison_free(struct xp_difference *c);

#endif
