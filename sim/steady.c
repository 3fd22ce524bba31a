/* sim/steady.c - see steady.h */
#include "sim/steady.h"

#include "base/check.h"
#include "sim/histogram.h"

#include <math.h>
#include <string.h>

#define BINS_MOST 256u
#define BATCHES_LEAST 8u
#define BATCHES_MOST 32u
/* Factor by which confidence intervals are widened. It is needed because a run that ends as soon as its interval is
 * narrow enough tends to end when the interval is narrow by chance. With this factor the 95 % interval covers the known
 * mean of queueing models in 92 to 97 of 100 runs (tests/sim/test_steady.c); with a factor of 1, in 89 to 94. */
#define WIDER 1.12
#define LATENCIES 2.0    /* minimum length of a batch in mean latencies */
#define LAG1_ENOUGH 0.15 /* correlation that is small enough: more batches would give no more information */

double sim_student95(uint32_t freedom)
{
	static const double t[31] = { 0,     12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
		                      2.201, 2.179,  2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080,
		                      2.074, 2.069,  2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042 };
	if (!freedom)
		return INFINITY;
	if (freedom <= 30)
		return t[freedom];
	double v = freedom; /* Cornish-Fisher expansion: error below 0.001 from here on */
	return 1.95996 + 2.37227 / v + 2.8225 / (v * v);
}

/* --- warm-up --------------------------------------------------------------------------------------------- */

/* MSER: the start d <= n / 2 that minimises the squared standard error of the mean of y[d..n). n / 2: not found. */
static uint32_t mser(const double *y, uint32_t n)
{
	uint32_t best = 0;
	double least = INFINITY, sum = 0, squares = 0;
	for (uint32_t d = n; d-- > 0;) {
		sum += y[d] - y[n - 1];
		squares += (y[d] - y[n - 1]) * (y[d] - y[n - 1]);
		double k = n - d, error = (squares - sum * sum / k) / (k * k);
		if (d <= n / 2 && error <= least) {
			least = error;
			best = d;
		}
	}
	return best;
}

/* --- batches --------------------------------------------------------------------------------------------- */

struct batch {
	double count, sum, delivered;
};

static double quantile_of(const struct sim_bins *b, uint32_t from, uint32_t to)
{
	uint64_t n = 0, seen = 0;
	for (uint32_t i = from; i < to; i++)
		for (uint32_t k = 0; k < b->span; k++)
			n += b->histogram[(size_t)i * b->span + k];
	double rank = 0.99 * (double)n;
	for (uint32_t k = 0; k < b->span; k++) {
		uint64_t here = 0;
		for (uint32_t i = from; i < to; i++)
			here += b->histogram[(size_t)i * b->span + k];
		if (here && (double)(seen + here) >= rank) {
			double low = (double)sim_histogram_low(b->low + k),
			       high = (double)sim_histogram_high(b->low + k);
			return low + (high - low) * (rank - (double)seen) / (double)here;
		}
		seen += here;
	}
	return 0;
}

/* Sums bins [from, to) in groups of `each`; the last group ends at `to`. Returns the number of groups. */
static uint32_t group(const struct sim_bins *b, uint32_t from, uint32_t to, uint32_t each, struct batch *out)
{
	uint32_t n = (to - from) / each;
	from = to - n * each;
	for (uint32_t i = 0; i < n; i++) {
		out[i] = (struct batch){ 0 };
		for (uint32_t k = from + i * each; k < from + (i + 1) * each; k++) {
			out[i].count += (double)b->count[k];
			out[i].sum += (double)b->sum[k];
			out[i].delivered += (double)b->delivered_bytes[k];
		}
	}
	return n;
}

static double lag1(const double *y, uint32_t n)
{
	double mean = 0, square = 0, cross = 0;
	for (uint32_t i = 0; i < n; i++)
		mean += y[i] / n;
	for (uint32_t i = 0; i < n; i++) {
		square += (y[i] - mean) * (y[i] - mean);
		if (i)
			cross += (y[i] - mean) * (y[i - 1] - mean);
	}
	return square > 0 ? cross / square : 0;
}

/* Lag-1 autocorrelation of the n values y, corrected for its bias and limited to 0 .. 0.8, the range in which an
 * interval can be widened. The bias is that white noise from which a model of `fitted` parameters has been subtracted
 * has an autocorrelation of about -fitted / n. */
static double correlation(const double *y, uint32_t n, uint32_t fitted)
{
	double r = lag1(y, n) + (double)fitted / n;
	return r < 0 ? 0 : r > 0.8 ? 0.8 : r;
}

/* Half-width of the interval of the mean of y, widened by the lag-1 autocorrelation. */
static double half_width(const double *y, uint32_t n)
{
	if (n < 2)
		return INFINITY;
	double mean = 0, square = 0, r = correlation(y, n, 1);
	for (uint32_t i = 0; i < n; i++)
		mean += y[i] / n;
	for (uint32_t i = 0; i < n; i++)
		square += (y[i] - mean) * (y[i] - mean);
	return WIDER * sim_student95(n - 1) * sqrt(square / (n - 1) / n * (1 + r) / (1 - r));
}

/* Deviation of each batch's sum from a common ratio, per mean denominator: deviations of a ratio estimator. */
static void deviations(const struct batch *v, uint32_t n, double ratio, double *y)
{
	double mean = 0;
	for (uint32_t i = 0; i < n; i++)
		mean += v[i].count / n;
	for (uint32_t i = 0; i < n; i++)
		y[i] = mean > 0 ? (v[i].sum - ratio * v[i].count) / mean : 0;
}

/* --- trend ----------------------------------------------------------------------------------------------- */

/* Slope of y by least squares; the residuals go to rest[n]. */
static double fit(const double *y, uint32_t n, double *rest)
{
	double mean = 0, xx = 0, xy = 0;
	for (uint32_t i = 0; i < n; i++)
		mean += y[i] / n;
	for (uint32_t i = 0; i < n; i++) {
		double x = i - (n - 1) / 2.0;
		xx += x * x;
		xy += x * (y[i] - mean);
	}
	for (uint32_t i = 0; i < n; i++)
		rest[i] = y[i] - mean - xy / xx * (i - (n - 1) / 2.0);
	return xy / xx;
}

/* Change of y over its n values by least squares; *significant: beyond chance, given the lag-1 autocorrelation. */
static double trend(const double *y, uint32_t n, bool *significant)
{
	double xx = ((double)n * n - 1) * n / 12, residuals = 0,
	       rest[BINS_MOST]; /* sum of squared deviations of positions from their mean */
	*significant = false;
	if (n < 4)
		return 0;
	double slope = fit(y, n, rest), r = correlation(rest, n, 2);
	for (uint32_t i = 0; i < n; i++)
		residuals += rest[i] * rest[i];
	double error = sqrt(residuals / (n - 2) / xx * (1 + r) / (1 - r));
	*significant = fabs(slope) > 1.5 * sim_student95(n - 2) * error;
	return slope * n;
}

/* --- stationarity ---------------------------------------------------------------------------------------- */

#define QUARTERS 4u

/* Growth of the backlog over bins [from, to), in bytes. */
static double grown(const struct sim_bins *b, uint32_t from, uint32_t to)
{
	double sum = 0;
	for (uint32_t i = from; i < to; i++)
		sum += (double)b->created_bytes[i] - (double)b->delivered_bytes[i];
	return sum;
}

/* The backlog's growth over [from, to), relative to created bytes. *steadily: it grows in every quarter. */
static double growth(const struct sim_bins *b, uint32_t from, uint32_t to, bool *steadily)
{
	double created = 0, all = grown(b, from, to);
	for (uint32_t i = from; i < to; i++)
		created += (double)b->created_bytes[i];
	*steadily = all > 0 && to - from >= 2 * QUARTERS;
	for (uint32_t q = 0; q < QUARTERS; q++) {
		uint32_t n = to - from;
		*steadily &= grown(b, from + n * q / QUARTERS, from + n * (q + 1) / QUARTERS) > all / (3 * QUARTERS);
	}
	return created > 0 ? all / created : 0;
}

/* Simulated time, as a multiple of that at the first check, that is long enough to decide: */
#define LONG_TO_RISE 8u /* that mean latency rises without limit */
#define LONG_TO_FILL 3u /* that a network keeps filling: its second half is measured, and reported as still filling */
#define LONG_TO_GROW 4u /* that the backlog grows without limit, however slowly */
#define GROWTH_LEAST 0.005 /* minimum growth, relative to created bytes */
#define GROWTH_DECAYS 0.75 /* growth below this fraction of the previous growth is decaying */
#define RISE_LEAST 1.05    /* minimum factor of mean latency when the simulated time doubles */
#define RISE_DECAYS 0.6    /* a rise below this fraction of the previous rise is decaying */

static double mean_of(const struct sim_bins *b, uint32_t from, uint32_t to)
{
	double count = 0, sum = 0;
	for (uint32_t i = from; i < to; i++) {
		count += (double)b->count[i];
		sum += (double)b->sum[i];
	}
	return count > 0 ? sum / count : 0;
}

/* Half-width of the interval of the mean latency of bins [from, to), after removal of a linear trend. */
static double unevenness(const struct sim_bins *b, uint32_t from, uint32_t to)
{
	double y[BINS_MOST], rest[BINS_MOST];
	uint32_t n = to - from;
	for (uint32_t i = 0; i < n; i++)
		y[i] = mean_of(b, from + i, from + i + 1);
	fit(y, n, rest);
	return half_width(rest, n);
}

/* Does mean latency rise by the same factor at each of several successive doublings of the simulated time? Returns
 * false unless the simulated time has just doubled, because more frequent tests would find a rise by chance. */
static bool rises_without_end(const struct sim_bins *b)
{
	uint32_t n = b->complete;
	if (b->looked < LONG_TO_RISE || (b->looked & (b->looked - 1)) || n < 4 * BATCHES_LEAST)
		return false;
	double last = mean_of(b, n / 2, n), middle = mean_of(b, n / 4, n / 2), first = mean_of(b, n / 8, n / 4),
	       least = mean_of(b, n / 16, n / 8);
	if (least <= 0 || first <= least || middle <= first)
		return false;
	double rise = last / middle, before = middle / first;
	return rise > RISE_LEAST && rise - 1 > RISE_DECAYS * (before - 1) &&
	       last - middle > unevenness(b, n / 2, n) + unevenness(b, n / 4, n / 2);
}

/* Does the backlog grow about as fast in the second half of the run as in the second quarter, and significantly in
 * both? The growth in a transient phase would decay. */
static bool grows_without_end(const struct sim_bins *b)
{
	uint32_t n = b->bins;
	bool steadily, before_too;
	double count = 0, before = growth(b, n / 4, n / 2, &before_too), last = growth(b, n / 2, n, &steadily);
	for (uint32_t i = n / 2; i < n; i++)
		count += (double)b->count[i];
	return b->looked >= LONG_TO_GROW && steadily && before_too && last > GROWTH_LEAST &&
	       last > GROWTH_DECAYS * before && last * last * count > 16;
}

/* --- the whole analysis ---------------------------------------------------------------------------------- */

/* Minimum number of bins per batch: there must be at most BATCHES_MOST batches, and a batch must last at least
 * LATENCIES mean latencies, so that packets of one batch are in flight only together with those of the batches next to
 * it. */
static uint32_t least_group(const struct sim_bins *b, uint32_t bins, double latency)
{
	uint32_t each = (bins + BATCHES_MOST - 1) / BATCHES_MOST;
	double lasting = LATENCIES * latency / b->width;
	return lasting > each ? lasting < BINS_MOST ? (uint32_t)lasting + 1 : BINS_MOST : each;
}

static void mean_latency(const struct sim_bins *b, double precision, struct sim_steady *s)
{
	struct batch v[BINS_MOST];
	double y[BINS_MOST], count = 0, sum = 0;
	uint32_t bins = s->to - s->from, n = 0;
	for (uint32_t i = s->from; i < s->to; i++) {
		count += (double)b->count[i];
		sum += (double)b->sum[i];
	}
	s->mean = s->p99 = (struct sim_interval){ 0, INFINITY };
	if (count <= 0)
		return;
	s->mean.value = sum / count;
	uint32_t each = least_group(b, bins, s->mean.value);
	for (;; each++) {
		n = group(b, s->from, s->to, each, v);
		deviations(v, n, s->mean.value, y);
		s->lag1 = lag1(y, n);
		if (s->lag1 < LAG1_ENOUGH || bins / (each + 1) < BATCHES_LEAST)
			break;
	}
	s->batches = n;
	if (n < BATCHES_LEAST)
		return;
	s->mean.half = half_width(y, n);
	bool significant;
	s->drift = trend(y, n, &significant) / s->mean.value;
	s->trend = significant && fabs(s->drift) > 2 * precision;
	if (!b->histogram)
		return;
	s->p99.value = quantile_of(b, s->from, s->to);
	uint32_t first = s->to - n * each, bin = sim_histogram_bin((uint64_t)s->p99.value);
	for (uint32_t i = 0; i < n; i++)
		y[i] = quantile_of(b, first + i * each, first + (i + 1) * each);
	s->p99.half = half_width(y, n);
	double least = (double)(sim_histogram_high(bin) - sim_histogram_low(bin)) / 2;
	if (s->p99.half < least)
		s->p99.half = least;
}

/* Returns the number of batches of the interval; its half-width stays infinite if there are too few. */
static uint32_t accepted_load(const struct sim_bins *b, struct sim_steady *s)
{
	double y[BINS_MOST], sum = 0;
	uint32_t bins = s->to - s->from, each = (bins + BATCHES_MOST - 1) / BATCHES_MOST;
	struct batch v[BINS_MOST];
	for (uint32_t i = s->from; i < s->to; i++)
		sum += (double)b->delivered_bytes[i];
	s->accepted = (struct sim_interval){ bins ? sum / bins / b->capacity : 0, INFINITY };
	for (;; each++) {
		uint32_t n = group(b, s->from, s->to, each, v);
		for (uint32_t i = 0; i < n; i++)
			y[i] = v[i].delivered / each / b->capacity;
		if (n < BATCHES_LEAST)
			return n;
		s->accepted.half = half_width(y, n);
		if (lag1(y, n) < LAG1_ENOUGH || bins / (each + 1) < BATCHES_LEAST)
			return n;
	}
}

/* Analysis of an overloaded network: the queues of the sources grow without limit, but the network itself reaches a
 * steady state, whose throughput is measured. Until large buffers are full, which takes long, the throughput may
 * differ. */
static void growing(const struct sim_bins *b, double precision, uint32_t from, struct sim_steady *s)
{
	double inside[BINS_MOST], y[BINS_MOST], sum = 0, delivered = 0, more = 0;
	bool significant = false;
	s->stationarity = SIM_GROWING;
	for (uint32_t i = 0; i < b->bins; i++)
		inside[i] = sum += (double)b->injected_bytes[i] - (double)b->delivered_bytes[i];
	/* at the edge of saturation it may fill forever: after a while the second half is measured */
	uint32_t filled = b->warmup >= 0 ? from : mser(inside, b->bins), half = b->bins / 2;
	bool long_enough = b->looked >= LONG_TO_FILL;
	s->found = b->warmup >= 0 || long_enough || (from < half && filled < half);
	s->from = from > filled ? from : filled;
	s->to = b->bins;
	s->batches = accepted_load(b, s);
	for (uint32_t i = s->from; i < s->to; i++) {
		y[i - s->from] = (double)b->delivered_bytes[i];
		delivered += (double)b->delivered_bytes[i];
		more += (double)b->injected_bytes[i] - (double)b->delivered_bytes[i];
	}
	s->drift = delivered > 0 ? trend(y, s->to - s->from, &significant) * (s->to - s->from) / delivered : 0;
	s->trend = delivered > 0 && significant && fabs(s->drift) > precision;
	/* packets that a full network still accepts are negligible within the interval */
	s->filling = fabs(more) > fmin(2 * precision, s->accepted.half / s->accepted.value) * delivered;
	s->settled = !s->trend && (long_enough || fabs(more) <= 2 * precision * delivered);
}

void sim_steady(const struct sim_bins *b, double precision, struct sim_steady *s)
{
	double y[BINS_MOST];
	bool steadily;
	*s = (struct sim_steady){ .mean = { 0, INFINITY }, .p99 = { 0, INFINITY }, .accepted = { 0, INFINITY } };
	uint32_t complete = b->complete, of_latency = 0, of_load = 0;
	if (b->bins > BINS_MOST || b->bins < 2 * BATCHES_LEAST)
		return;
	if (b->warmup >= (int64_t)b->bins) /* the given warm-up is not over yet */
		return;
	if (b->warmup >= 0) {
		of_latency = of_load = (uint32_t)b->warmup;
	} else {
		for (uint32_t i = 0; i < b->bins; i++)
			y[i] = (double)b->delivered_bytes[i];
		of_load = mser(y, b->bins);
		for (uint32_t i = 0; i < complete; i++)
			y[i] = b->count[i] ? (double)b->sum[i] / (double)b->count[i] : i ? y[i - 1] : 0;
		of_latency = complete ? mser(y, complete) : 0;
	}
	/* Growth is measured from the end of the throughput's warm-up to the last bin, even if packets of that bin are
	 * still in flight. */
	s->growth = growth(b, of_load, b->bins, &steadily);
	if ((steadily && s->growth > 2 * precision && s->growth > 0.02) || grows_without_end(b) ||
	    rises_without_end(b)) {
		growing(b, precision, of_load, s);
		return;
	}
	s->from = of_latency > of_load ? of_latency : of_load;
	s->to = complete;
	s->found = b->warmup >= 0 || (of_latency < complete / 2 && of_load < b->bins / 2);
	if (s->from + BATCHES_LEAST > s->to)
		return;
	mean_latency(b, precision, s);
	accepted_load(b, s);
	if (s->found && !s->trend && fabs(s->growth) < 2 * precision)
		s->stationarity = SIM_STATIONARY;
}

void sim_steady_mean(const struct sim_bins *b, uint32_t from, uint32_t to, struct sim_interval *out)
{
	static const uint64_t nothing[BINS_MOST];
	struct sim_bins only = {
		.bins = b->bins, .width = b->width, .count = b->count, .sum = b->sum, .delivered_bytes = nothing
	};
	struct sim_steady s = { .from = from, .to = to };
	base_checkf(from <= to && to <= b->bins && b->bins <= BINS_MOST, "bins %u to %u of %u", from, to, b->bins);
	mean_latency(&only, 0, &s);
	*out = s.mean;
}

static bool narrow(const struct sim_interval *i, double precision)
{
	return i->half <= precision * i->value;
}

bool sim_steady_precise(const struct sim_steady *s, double precision)
{
	if (!s->found || !narrow(&s->accepted, precision))
		return false;
	return s->stationarity == SIM_GROWING ? s->settled : narrow(&s->mean, precision) && narrow(&s->p99, precision);
}
