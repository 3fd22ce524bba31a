/* experiments/results/compare.h - which estimates of two results differ, and which configuration keys.
 *
 * Two estimates differ if their 95 % intervals have no point in common; a value without an interval is a point. The
 * tolerance, a share of the larger value, may lie between them besides. Where one of the runs has intervals, estimates
 * without any are judged only if there is a tolerance: they vary from seed to seed by an amount that is not known. Runs
 * without intervals are compared exactly. */
#ifndef EXPERIMENTS_RESULTS_COMPARE_H
#define EXPERIMENTS_RESULTS_COMPARE_H

#include "experiments/results/estimates.h"

/* One estimate, or a fact such as "complete", on both sides. */
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

/* Compares two runs; the comparison begins as zeros and a tolerance. `point` may be NULL. */
void xp_compare(struct xp_difference *c, const char *point, const json_t *const manifest[2],
                const json_t *const summary[2]);
/* A point that only one side has a result of: a difference. */
void xp_compare_missing(struct xp_difference *c, const char *point, int missing);
void xp_comparison_free(struct xp_difference *c);

#endif
