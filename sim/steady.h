/* sim/steady.h - output analysis: where a run's warm-up ends, how precisely its means are known, whether it is
 * stationary.
 *
 * Works on sums over equal bins of simulated time, from the start of the run. It is deterministic: integers in, and
 * nothing but +, -, *, / and sqrt on doubles in a fixed order, so every rank and every scheduler comes to the same
 * answer.
 *
 * Warm-up: MSER (White 1997; White, Cobb and Spratt 2000) on the bins' mean latency and on their accepted bytes; the
 * later of the two holds. Intervals: batch means (Schmeiser 1982) with ratio estimators, batches grouped until
 * neighbours are nearly uncorrelated and each is as long as two packets take in the mean, and widened by what
 * correlation is left, (1 + r) / (1 - r) in variance. Stationarity: the backlog (created - delivered, paired by bin)
 * must not grow, nor the mean latency have a trend. At the edge of saturation the backlog grows like the root of time,
 * too slowly to be seen; but mean latency then rises by the same factor whenever the time simulated doubles, while in a
 * network that comes to rest it rises less and less. */
#ifndef SIM_STEADY_H
#define SIM_STEADY_H

#include <stdbool.h>
#include <stdint.h>

struct sim_bins { /* [bins] each; what packets of a bin add up to is by the bin they were created in */
	uint32_t bins;
	uint32_t complete; /* of the first ones, all packets have arrived */
	double width;      /* of a bin, in the unit of `sum` */
	double capacity;   /* bytes that could be accepted in a bin */
	const uint64_t *created_bytes;
	const uint64_t *injected_bytes, *delivered_bytes; /* by the bin of the instant */
	const uint64_t *count, *sum; /* packets created in the bin and delivered, and their latency */
	/* Histograms of their latency: [bins][span] counts of the bins of sim/histogram.h from `low` on; NULL: none. */
	const uint64_t *histogram;
	uint32_t low, span;
	uint32_t looked; /* the time simulated, in multiples of when the run was first looked at */
	int64_t warmup;  /* bins that are given as warm-up; negative: to be found */
};

struct sim_interval {       /* 95 % */
	double value, half; /* half the width; INFINITY if it is not known */
};

enum sim_stationarity {
	SIM_UNDECIDED,
	SIM_STATIONARY,
	SIM_GROWING, /* the backlog grows, or mean latency does, as far as can be seen without end */
};

struct sim_steady {
	bool found;        /* the end of the warm-up */
	uint32_t from, to; /* bins measured: the end of the warm-up, and of what is complete (growing: of all bins) */
	enum sim_stationarity stationarity;
	struct sim_interval mean, p99; /* latency, in the unit of `sum` */
	struct sim_interval accepted;  /* fraction of capacity */
	struct sim_interval iteration; /* of processes, in the same unit; sim_steady() leaves it unknown */
	uint32_t batches;              /* of the interval of mean latency; growing: of accepted load */
	double lag1;                   /* correlation of neighbouring batches' mean latency */
	bool settled;                  /* growing: what leaves the network no longer changes, as far as was looked */
	bool filling;  /* growing: what is inside the network still grows, so what leaves it may change */
	double growth; /* of the backlog, as a fraction of what was created, over the measured bins */
	double drift;  /* of mean latency over the measured bins, relative; by linear regression */
	bool trend;    /* the drift is significant, and more than the precision asked for */
};

/* `precision`: relative half-width that is wanted; tells which drifts matter. */
void sim_steady(const struct sim_bins *b, double precision, struct sim_steady *out);

/* The interval of the mean of what bins [from, to) count and sum, by the same batches; of `b`, bins, width, count and
 * sum are read. */
void sim_steady_mean(const struct sim_bins *b, uint32_t from, uint32_t to, struct sim_interval *out);

/* Is every interval at most `precision` of its value wide, to each side? */
bool sim_steady_precise(const struct sim_steady *s, double precision);

/* Quantile of Student's distribution for two-sided 95 %, of so many degrees of freedom (>= 1). */
double sim_student95(uint32_t freedom);

#endif
