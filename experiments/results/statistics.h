/* experiments/results/statistics.h - what each field of the summary means, for the manual. */
#ifndef EXPERIMENTS_RESULTS_STATISTICS_H
#define EXPERIMENTS_RESULTS_STATISTICS_H

struct xp_statistic {
	const char *name; /* path in the summary record; NULL ends the table */
	const char *unit;
	const char *meaning;
};

extern const struct xp_statistic xp_statistics[];

#endif
