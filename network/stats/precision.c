/* network/stats/precision.c - time.precision: the run ends when its estimates are precise enough (sim/steady.h), or at
 * its limit.
 *
 * A configured warm-up is observed exactly: the first bin begins at its end. Pauses are at the ends of legs, so there
 * may be an incomplete bin between the last complete one and a pause, which is not used. */
#include "network/legs.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BINS 32u
#define STEP_BINS 8u

/* Bins of all jobs together, or of one, in the layout of sim/steady.h. */
struct bin_series {
	uint64_t *created_bytes, *injected_bytes, *delivered_bytes, *count, *sum, *histogram;
	uint32_t complete;
};

#define COLUMNS 5u

/* Of columns of `bins` words each. */
static struct bin_series make_series(uint64_t *columns, uint64_t *histogram, uint32_t bins)
{
	return (struct bin_series){ .created_bytes = columns,
		                    .injected_bytes = columns + bins,
		                    .delivered_bytes = columns + 2 * bins,
		                    .count = columns + 3 * bins,
		                    .sum = columns + 4 * bins,
		                    .histogram = histogram,
		                    .complete = bins };
}

static void add_series(struct bin_series *s, const struct net_batch *b, uint32_t bins)
{
	for (uint32_t i = 0; i < bins; i++) {
		s->created_bytes[i] += b[i].created_bytes;
		s->injected_bytes[i] += b[i].injected_bytes;
		s->delivered_bytes[i] += b[i].delivered_bytes;
		s->count[i] += b[i].arrived.packets;
		s->sum[i] += b[i].arrived.latency;
		if (b[i].created != b[i].arrived.packets && i < s->complete)
			s->complete = i;
	}
}

/* The bins of histograms in which anything is, over all ranks: [*low, *low + *span). */
static void occupied(const struct net *n, uint32_t bins, uint32_t *low, uint32_t *span)
{
	uint64_t least = SIM_HISTOGRAM_BINS, most = 0;
	for (uint32_t j = 0; j < n->jobs; j++)
		for (uint32_t i = 0; i < bins; i++) {
			size_t row = j * NET_BATCH_BINS + i;
			const uint64_t *h = n->batches.latency + row * SIM_HISTOGRAM_BINS;
			if (!n->batches.sum[row].arrived.packets)
				continue;
			for (uint32_t k = 0; k < SIM_HISTOGRAM_BINS; k++)
				if (h[k]) {
					least = k < least ? k : least;
					most = k > most ? k : most;
				}
		}
	if (net_legs_together(n)) {
		sim_min_u64(&least, 1);
		sim_max_u64(&most, 1);
	}
	*low = (uint32_t)least;
	*span = most >= least ? (uint32_t)(most - least + 1) : 0;
}

/* Bins before the last job has started say nothing of the whole. */
static uint32_t bins_before_all_send(const struct net *n, uint32_t bins)
{
	uint64_t width = n->batches.unit << n->batches.shift, latest = n->batches.from;
	for (uint32_t j = 0; j < n->config->njobs; j++)
		if (n->config->jobs[j].start > latest)
			latest = n->config->jobs[j].start;
	latest = (latest - n->batches.from + width - 1) / width;
	return latest < bins ? (uint32_t)latest : bins;
}

static bool warmup_is_given(const struct net *n)
{
	return n->config->time.warmup != BASE_AUTO_TIME_VALUE;
}

/* From the first bin on; whole units, of which the last may have just begun. */
static uint64_t time_in_bins(const struct net *n, uint64_t at)
{
	return at > n->batches.from ? net_round_up(at - n->batches.from, n->batches.unit) : 0;
}

/* Bins that end before `at` or there. */
static uint32_t whole_bins(const struct net *n, uint64_t at)
{
	return at > n->batches.from ? net_batch_of(&n->batches, at) : 0;
}

static void analyse(struct net *n, const struct bin_series *s, double members, uint32_t bins, uint32_t low,
                    uint32_t span, struct sim_steady *out)
{
	uint64_t width = n->batches.unit << n->batches.shift;
	double per_byte = (double)n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16 / 65536;
	uint32_t skip = bins_before_all_send(n, bins);
	struct sim_bins b = { .bins = bins - skip,
		              .complete = s->complete > skip ? s->complete - skip : 0,
		              .width = (double)width,
		              .capacity = members * (double)width / per_byte,
		              .created_bytes = s->created_bytes + skip,
		              .injected_bytes = s->injected_bytes + skip,
		              .delivered_bytes = s->delivered_bytes + skip,
		              .count = s->count + skip,
		              .sum = s->sum + skip,
		              .histogram = span ? s->histogram + (size_t)skip * span : NULL,
		              .low = low,
		              .span = span,
		              .looked = (uint32_t)((time_in_bins(n, n->legs->looked) - skip * width) /
		                                   time_in_bins(n, n->legs->first)),
		              .warmup = warmup_is_given(n) ? 0 : -1 };
	sim_steady(&b, n->config->time.precision / 100, out);
	out->from += skip;
	out->to += skip;
}

#define SERIES_JOBS 16u /* so many jobs at most have a quantile of their own with an interval */

/* Adds job j's latencies of this rank to [bins][span]. */
static void add_latencies(const struct net *n, uint32_t j, uint32_t bins, uint32_t low, uint32_t span, uint64_t *out)
{
	for (uint32_t i = 0; i < bins; i++) {
		const uint64_t *row = n->batches.latency + ((size_t)j * NET_BATCH_BINS + i) * SIM_HISTOGRAM_BINS + low;
		for (uint32_t k = 0; k < span; k++)
			out[(size_t)i * span + k] += row[k];
	}
}

/* Sources that wait, by the bin in which their next packet was created: how many, and, by their weights, how many and
 * how long within that bin. */
struct waiting_bins {
	const struct net *n;
	uint64_t *sources, *time, *weight; /* [jobs][bins]; ps; 32 binary places */
	uint32_t bins;
};

static void add_waiting(void *arg, uint32_t job, uint64_t created, uint64_t weight)
{
	struct waiting_bins *w = arg;
	uint64_t width = w->n->batches.unit << w->n->batches.shift, from = w->n->batches.from;
	uint64_t since = created > from ? created : from; /* what was created before the first bin is in none */
	uint32_t bin = net_batch_of(&w->n->batches, since);
	if (bin >= w->bins) /* in the part of a bin at which an interrupted run ends */
		return;
	w->sources[job * w->bins + bin]++;
	w->time[job * w->bins + bin] +=
	    (uint64_t)((unsigned __int128)(from + (bin + 1) * width - since) * weight >> 32);
	w->weight[job * w->bins + bin] += weight;
}

/* Adds to a copy of the sums, [jobs][bins] and of all ranks, what waits at sources: bytes by their rate; and their bins
 * are not complete. */
static void add_backlog(struct net *n, struct net_batch *sum, uint32_t bins)
{
	uint64_t *v = base_calloc(3ul * n->jobs * bins + 1, sizeof *v), width = n->batches.unit << n->batches.shift;
	struct waiting_bins w = { n, v, v + (size_t)n->jobs * bins, v + 2ul * n->jobs * bins, bins };
	double per_byte = (double)n->common.link[SW_LINK_TERMINAL].ps_per_byte_q16 / 65536;
	net_each_waiting(n, n->batches.from + bins * width, add_waiting, &w);
	net_legs_sum(n, v, 3ul * n->jobs * bins);
	for (uint32_t j = 0; j < n->jobs; j++) {
		uint64_t since = 0, weight = 0; /* sources that wait since an earlier bin */
		for (uint32_t i = j * bins; i < (j + 1) * bins; i++) {
			double time = (double)(w.time[i] + (uint64_t)((unsigned __int128)weight * width >> 32));
			sum[i].created_bytes += (uint64_t)(time * n->traffic.job[j].load / per_byte);
			since += w.sources[i];
			weight += w.weight[i];
			sum[i].created += since;
		}
	}
	free(v);
}

/* Reads the bins before `at` over all ranks; fills l->all and l->job[]. */
static void look(struct net *n, uint64_t at)
{
	struct net_legs *l = n->legs;
	uint32_t bins = whole_bins(n, at), jobs = n->jobs, low, span;
	size_t rows = (size_t)jobs * bins;
	base_check(bins > 0); /* net_legs_check() has seen to that */
	struct net_batch *sum = base_calloc(rows, sizeof *sum);
	for (uint32_t j = 0; j < jobs; j++)
		memcpy(sum + (size_t)j * bins, n->batches.sum + j * NET_BATCH_BINS, bins * sizeof *sum);
	net_legs_sum(n, (uint64_t *)(void *)sum, rows * NET_BATCH_WORDS);
	add_backlog(n, sum, bins);
	occupied(n, bins, &low, &span);
	uint64_t *histogram = base_calloc((size_t)bins * span + 1, sizeof *histogram);
	uint64_t *columns = base_calloc(COLUMNS * (size_t)bins, sizeof *columns);
	struct bin_series all = make_series(columns, histogram, bins);
	for (uint32_t j = 0; j < jobs; j++) {
		add_latencies(n, j, bins, low, span, histogram);
		add_series(&all, sum + (size_t)j * bins, bins);
	}
	net_legs_sum(n, histogram, (size_t)bins * span);
	analyse(n, &all, (double)n->endpoints.senders, bins, low, span, &l->all);
	if (jobs == 1)
		l->job[0] = l->all;
	for (uint32_t j = 0; jobs > 1 && j < jobs; j++) {
		memset(columns, 0, COLUMNS * (size_t)bins * sizeof *columns);
		struct bin_series one = make_series(columns, histogram, bins);
		add_series(&one, sum + (size_t)j * bins, bins);
		if (jobs <= SERIES_JOBS) {
			memset(histogram, 0, (size_t)bins * span * sizeof *histogram);
			add_latencies(n, j, bins, low, span, histogram);
			net_legs_sum(n, histogram, (size_t)bins * span);
		}
		analyse(n, &one, (double)n->traffic.job[j].members, bins, low, jobs <= SERIES_JOBS ? span : 0,
		        &l->job[j]);
	}
	free(columns);
	free(histogram);
	free(sum);
}

uint64_t net_precise_next(struct net *n, uint64_t at)
{
	struct net_legs *l = n->legs;
	uint64_t width = n->batches.unit << n->batches.shift;
	l->looked = at;
	look(n, at);
	l->enough =
	    sim_steady_precise(&l->all, n->config->time.precision / 100) && l->all.stationarity != SIM_UNDECIDED;
	if (l->enough)
		return 0;
	if (net_round_up(time_in_bins(n, at), width) / width == NET_BATCH_BINS) {
		net_batches_widen(n);
		width *= 2;
	}
	uint64_t next = at + STEP_BINS * width;
	return next < n->times.horizon ? next : n->times.horizon;
}

void net_precise_stalled(struct net *n, const uint64_t *stands)
{
	n->legs->all.stationarity = SIM_GROWING;
	for (uint32_t j = 0; j < n->jobs; j++)
		if (stands[j])
			n->legs->job[j].stationarity = SIM_GROWING;
	n->legs->enough = n->result.enough = false;
}

/* Of the means of iterations that ended in bins [from, to): of each job, and of all. */
static void iteration_intervals(struct net *n, uint32_t bins, uint32_t from, uint32_t to)
{
	struct net_legs *l = n->legs;
	uint64_t *count = base_calloc(4 * (size_t)bins + 1, sizeof *count), *all = count + 2 * (size_t)bins;
	struct sim_bins b = { .bins = bins, .width = (double)(n->batches.unit << n->batches.shift) };
	for (uint32_t j = 0; j < n->jobs; j++) {
		const struct net_batch *row = n->batches.sum + (size_t)j * NET_BATCH_BINS;
		for (uint32_t i = 0; i < bins; i++) {
			count[i] = row[i].iterations;
			count[bins + i] = row[i].iteration_sum;
		}
		net_legs_sum(n, count, 2 * (size_t)bins);
		for (uint32_t i = 0; i < 2 * bins; i++)
			all[i] += count[i];
		b.count = count;
		b.sum = count + bins;
		sim_steady_mean(&b, from, to, &l->job[j].iteration);
	}
	b.count = all;
	b.sum = all + bins;
	sim_steady_mean(&b, from, to, &l->all.iteration);
	free(count);
}

void net_precise_settle(struct net *n)
{
	struct net_legs *l = n->legs;
	uint64_t width = n->batches.unit << n->batches.shift, from = n->batches.from;
	uint32_t bins = whole_bins(n, n->result.reached_ps), first = l->all.from, end = l->all.to;
	if (bins && from + bins * width > l->looked) { /* the limit, or an interruption */
		look(n, from + bins * width);
		first = l->all.from;
		end = l->all.to;
	}
	if (end <= first) { /* nothing is known: all there is since all send */
		first = bins_before_all_send(n, bins);
		first = first < bins ? first : 0;
		end = bins;
	}
	n->times.measure_from = from + first * width;
	n->times.measure_to = from + end * width;
	if (n->traffic.process)
		iteration_intervals(n, bins, first, end);
	net_batches_settle(n, first, end);
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

void net_precise_plan(struct net *n)
{
	struct net_legs *l = n->legs;
	n->times.horizon = n->config->time.limit / l->unit * l->unit; /* not 0: net_build_parts() has seen to that */
	uint64_t from = warmup_is_given(n) ? n->config->time.warmup : 0;
	l->first = lesser(n->times.horizon, (from + FIRST_BINS * l->unit) / l->unit * l->unit);
	l->foreseen = l->first;
	n->batches =
	    (struct net_batches){ .on = true, .unit = l->unit, .reciprocal = UINT64_MAX / l->unit + 1, .from = from };
}
