/* sim/steady.h - statistical analysis of a run's output: the end of its warm-up, confidence intervals of its means, and
 * whether it is stationary.
 *
 * It works on sums over equal bins of simulated time, from the start of the run. It is deterministic: integer inputs,
 * and only +, -, *, / and sqrt on doubles in a fixed order, so every rank and every scheduler computes the same result.
 *
 * Warm-up: MSER (White 1997; White, Cobb and Spratt 2000) is applied to the bins' mean latency and to their accepted
 * bytes; the later of the two ends is used. Confidence intervals: batch means (Schmeiser 1982) with ratio estimators.
 * Bins are grouped to batches until neighbouring batches are nearly uncorrelated and each lasts at least twice the mean
 * packet latency; the remaining correlation r widens the interval by a factor (1 + r) / (1 - r) in variance.
 * Stationarity: neither may the backlog (bytes created minus bytes delivered, per bin) grow, nor may the mean latency
 * have a trend. At the edge of saturation the backlog grows with the square root of time, too slowly to be detected;
 * but mean latency then rises by the same factor whenever the simulated time doubles, while in a network that reaches a
 * steady state its rise decays. */
#ifndef SIM_STEADY_H
#define SIM_STEADY_H

#include <stdbool.h>
#include <stdint.h>

struct sim_bins { /* [bins] each; packets are counted in the bin in which they were created */
	uint32_t bins;
	uint32_t complete; /* number of leading bins of which all packets have arrived */
	double width;      /* of a bin, in the unit of `sum` */
	double capacity;   /* bytes that could be accepted in a bin */
	const uint64_t *created_bytes;
	const uint64_t *injected_bytes, *delivered_bytes; /* by the bin in which the bytes were injected or delivered */
	const uint64_t *count,
	    *sum; /* packets created in the bin and delivered since, and the sum of their latencies */
	/* Histograms of latency, one per bin of time: histogram[bins][span] are the counts of `span` histogram bins
	 * (sim/histogram.h) from number `low` on. NULL if there are none. */
	const uint64_t *histogram;
	uint32_t low, span;
	uint32_t looked; /* simulated time, in multiples of that at the first check */
	int64_t warmup;  /* bins given as warm-up; negative: to be determined */
};

struct sim_interval {       /* 95 % confidence interval */
	double value, half; /* half the width; INFINITY if unknown */
};

enum sim_stationarity {
	SIM_UNDECIDED,
	SIM_STATIONARY,
	SIM_GROWING, /* the backlog or mean latency grows without limit, as far as the run shows */
};

struct sim_steady {
	bool found; /* the end of the warm-up has been found */
	uint32_t from,
	    to; /* bins measured: from the end of the warm-up to the end of the complete bins (growing: of all bins) */
	enum sim_stationarity stationarity;
	struct sim_interval mean, p99; /* latency, in the unit of `sum` */
	struct sim_interval accepted;  /* fraction of capacity */
	struct sim_interval iteration; /* of processes, in the same unit; sim_steady() leaves it unset */
	uint32_t batches;              /* of the interval of mean latency; growing: of accepted load */
	double lag1;                   /* correlation of neighbouring batches' mean latency */
	bool settled;  /* growing: the throughput is constant although the backlog grows, as far as the run shows */
	bool filling;  /* growing: packets inside the network still increase, so its throughput may change */
	double growth; /* of the backlog, as a fraction of what was created, over the measured bins */
	double drift;  /* of mean latency over the measured bins, relative; by linear regression */
	bool trend;    /* the drift is significant, and larger than the requested precision */
};

/* Analyses a run and fills *out. `precision` is the requested relative half-width of the confidence intervals. If the
 * mean latency has a significant relative drift above it, out->trend is set, and the run is not in a steady state. */
void sim_steady(const struct sim_bins *b, double precision, struct sim_steady *out);

/* The confidence interval of the mean latency, sum / count, over bins [from, to), found by batch means as in
 * sim_steady(). Reads only bins, width, count and sum of *b. */
void sim_steady_mean(const struct sim_bins *b, uint32_t from, uint32_t to, struct sim_interval *out);

/* Is the half-width of every confidence interval at most `precision` times its value? */
bool sim_steady_precise(const struct sim_steady *s, double precision);

/* The 97.5 % quantile of Student's t distribution with `freedom` >= 1 degrees of freedom, for two-sided 95 % confidence
 * intervals. */
double sim_student95(uint32_t freedom);

#endif
