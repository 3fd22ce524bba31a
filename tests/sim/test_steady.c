/* tests/sim/test_steady.c - output analysis against queues whose means are known in closed form.
 *
 * M/D/1 (Pollaczek and Khinchine): mean time in the system S (1 + rho / (2 (1 - rho))). Slotted output queue of N
 * inputs (Karol, Hluchyj and Morgan 1987): S (1 + (N - 1) / N rho / (2 (1 - rho))). Runs are paused and their bins
 * merged as network/legs.c does. */
#include "sim/histogram.h"
#include "sim/steady.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BINS 64u
#define SPAN 3000u
#define SERVICE 1000u
#define WIDTH (64ull * SERVICE)
#define FIRST 32u
#define STEP 8u
#define LATE (1u << 22)

struct queue {
	uint64_t random, free_at, slot, width;
	double time, load;
	uint32_t inputs, left; /* inputs 0: M/D/1; left: arrivals of the slot that are still to come */
	uint64_t created[BINS], delivered[BINS], count[BINS], sum[BINS], *histogram;
	uint64_t *from, *to; /* [LATE] packets that are still to be delivered */
	size_t first, last;
};

static double draw(struct queue *q)
{
	uint64_t z = q->random += 0x9e3779b97f4a7c15ull;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static void next_arrival(struct queue *q)
{
	if (!q->inputs) {
		q->time += -log(1 - draw(q)) * SERVICE / q->load;
		return;
	}
	while (!q->left) {
		q->time = (double)(q->slot++ * SERVICE);
		for (uint32_t i = 0; i < q->inputs; i++)
			q->left += draw(q) < q->load / q->inputs;
	}
	q->left--;
}

static void run_to(struct queue *q, uint64_t end)
{
	for (; (uint64_t)q->time < end; next_arrival(q)) {
		uint64_t at = (uint64_t)q->time;
		q->free_at = (at > q->free_at ? at : q->free_at) + SERVICE;
		q->created[at / q->width]++;
		q->from[q->last % LATE] = at;
		q->to[q->last++ % LATE] = q->free_at;
		cr_assert_lt(q->last - q->first, LATE);
	}
	for (; q->first < q->last && q->to[q->first % LATE] < end; q->first++) {
		uint64_t from = q->from[q->first % LATE], to = q->to[q->first % LATE];
		uint32_t bin = sim_histogram_bin(to - from);
		q->delivered[to / q->width]++;
		q->count[from / q->width]++;
		q->sum[from / q->width] += to - from;
		q->histogram[from / q->width * SPAN + (bin < SPAN ? bin : SPAN - 1)]++;
	}
}

static void merge(uint64_t *v, uint32_t row)
{
	for (uint32_t i = 0; i < BINS; i++)
		for (uint32_t k = 0; k < row; k++) {
			uint64_t word = v[i * row + k];
			v[i * row + k] = 0;
			v[i / 2 * row + k] += word;
		}
}

static void widen(struct queue *q)
{
	merge(q->created, 1);
	merge(q->delivered, 1);
	merge(q->count, 1);
	merge(q->sum, 1);
	merge(q->histogram, SPAN);
	q->width *= 2;
}

/* Until it is known to `precision`, or so many services have passed. */
static struct sim_steady measure(uint32_t inputs, double load, double precision, uint64_t seed, uint64_t services)
{
	struct queue q = { .random = seed * 7919 + 12345, .width = WIDTH, .load = load, .inputs = inputs };
	struct sim_steady s = { 0 };
	q.histogram = calloc((size_t)BINS * SPAN, 8);
	q.from = malloc(LATE * 8ul);
	q.to = malloc(LATE * 8ul);
	next_arrival(&q);
	for (uint64_t at = FIRST * WIDTH; at <= services * SERVICE; at += STEP * q.width) {
		run_to(&q, at);
		uint32_t bins = (uint32_t)(at / q.width), complete = 0;
		while (complete < bins && q.count[complete] == q.created[complete])
			complete++;
		struct sim_bins b = { .bins = bins,
			              .complete = complete,
			              .width = (double)q.width,
			              .capacity = (double)q.width / SERVICE,
			              .created_bytes = q.created,
			              .injected_bytes = q.delivered,
			              .delivered_bytes = q.delivered,
			              .count = q.count,
			              .sum = q.sum,
			              .histogram = q.histogram,
			              .span = SPAN,
			              .looked = (uint32_t)(at / (FIRST * WIDTH)),
			              .warmup = -1 };
		sim_steady(&b, precision, &s);
		if (s.stationarity != SIM_UNDECIDED && sim_steady_precise(&s, precision))
			break;
		if (bins == BINS)
			widen(&q);
	}
	free(q.histogram);
	free(q.from);
	free(q.to);
	return s;
}

/* Of 200 runs with seeds 0 to 199, 180 to 196 intervals hold the true mean. */
static void covers(uint32_t inputs, double load, double precision)
{
	double busy = load / (2 * (1 - load)) * (inputs ? (inputs - 1.0) / inputs : 1), mean = SERVICE * (1 + busy);
	unsigned means = 0, loads = 0;
	for (uint64_t seed = 0; seed < 200; seed++) {
		struct sim_steady s = measure(inputs, load, precision, seed, 100000000);
		cr_assert_eq(s.stationarity, SIM_STATIONARY, "seed %lu, load %g", seed, load);
		cr_assert_leq(s.mean.half, precision * s.mean.value);
		means += fabs(s.mean.value - mean) <= s.mean.half;
		loads += fabs(s.accepted.value - load) <= s.accepted.half;
	}
	cr_expect(means >= 180 && means <= 196, "%u of 200 hold the mean of %u inputs at load %g", means, inputs, load);
	cr_expect(loads >= 180, "%u of 200 hold the load of %u inputs at load %g", loads, inputs, load);
}

Test(steady, intervals_of_an_md1_queue_hold_its_mean)
{
	covers(0, 0.3, 0.05);
	covers(0, 0.5, 0.05);
}

Test(steady, intervals_of_a_slotted_queue_hold_its_mean)
{
	covers(16, 0.5, 0.05);
}

Test(steady, more_than_a_queue_can_serve_is_growing)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct sim_steady s = measure(0, 1.2, 0.02, seed, 1000000);
		cr_expect_eq(s.stationarity, SIM_GROWING);
		cr_expect(fabs(s.accepted.value - 1) < 0.01, "%g", s.accepted.value);
		cr_expect(fabs(s.growth - 1 / 6.0) < 0.05, "%g of what is created", s.growth);
	}
}

/* Bins that all are alike but for a transient that dies away: its end is found. */
Test(steady, finds_the_end_of_a_transient)
{
	uint64_t bytes[BINS], count[BINS], sum[BINS];
	for (uint32_t i = 0; i < BINS; i++) {
		bytes[i] = 1000;
		count[i] = 1000;
		sum[i] = 1000 * (500 - (i < 12 ? 20 * (12 - i) : 0)) + i * 7919 % 1000;
	}
	struct sim_bins b = { BINS, BINS, 1000, 1000, bytes, bytes, bytes, count, sum, NULL, 0, 0, 1, -1 };
	struct sim_steady s;
	sim_steady(&b, 0.01, &s);
	cr_assert(s.found);
	cr_expect(s.from >= 11 && s.from <= 14, "%u bins", s.from);
	cr_expect_eq(s.stationarity, SIM_STATIONARY);
	cr_expect(fabs(s.mean.value - 500) < 1);
	b.warmup = 30;
	sim_steady(&b, 0.01, &s);
	cr_expect_eq(s.from, 30, "a warm-up that is given is kept");
}

/* A backlog that grows by 1.5 % of what is created, less than twice the precision, is growth all the same once it has
 * been seen to go on; one that dies away is none. */
Test(steady, tells_slow_growth_from_growth_that_fades)
{
	uint64_t created[BINS], delivered[BINS], count[BINS], sum[BINS];
	for (int fades = 0; fades < 2; fades++) {
		double tau = BINS / 4.0;
		for (uint32_t i = 0; i < BINS; i++) {
			created[i] = 1000000;
			delivered[i] = (uint64_t)(1e6 * (1 - (fades ? 0.2 * exp(-(i + 0.5) / tau) : 0.015)));
			count[i] = 100000;
			sum[i] = count[i] * 1000;
		}
		struct sim_bins b = { BINS,  BINS, 1000, 1000000, created, delivered, delivered,
			              count, sum,  NULL, 0,       0,       4,         -1 };
		struct sim_steady s;
		sim_steady(&b, 0.05, &s);
		cr_expect_eq(s.stationarity == SIM_GROWING, !fades);
		b.looked = 3;
		sim_steady(&b, 0.05, &s);
		cr_expect_neq(s.stationarity, SIM_GROWING, "too early to tell");
	}
}

/* Sources offer 1.2 of what leaves. If more enters the network than leaves it, its buffers fill: what leaves may change
 * when they are full, so the run is not done with it before a while, and says so. */
Test(steady, a_network_that_fills_is_said_to)
{
	uint64_t created[BINS], injected[BINS], delivered[BINS], count[BINS], sum[BINS];
	for (int fills = 0; fills < 2; fills++) {
		for (uint32_t i = 0; i < BINS; i++) {
			created[i] = 1200000;
			delivered[i] = 1000000 + i * 7919 % 1000;
			injected[i] = delivered[i] + (fills ? 100000 : 0);
			count[i] = 1000;
			sum[i] = count[i] * (1000 + 100 * i);
		}
		struct sim_bins b = { BINS,  BINS, 1000, 1000000, created, injected, delivered,
			              count, sum,  NULL, 0,       0,       1,        -1 };
		struct sim_steady s;
		sim_steady(&b, 0.01, &s);
		cr_expect_eq(s.stationarity, SIM_GROWING);
		cr_expect_eq(s.filling, fills);
		cr_expect_eq(sim_steady_precise(&s, 0.01), !fills);
		b.looked = 3;
		sim_steady(&b, 0.01, &s);
		cr_expect_eq(s.filling, fills);
		cr_expect(sim_steady_precise(&s, 0.01), "a while has passed");
		cr_expect(fabs(s.accepted.value - 1) < 0.002, "%g", s.accepted.value);
	}
}

/* Mean latency that rises like the root of time, as at the edge of saturation, and one that comes to rest. */
Test(steady, tells_a_rise_without_end_from_one_that_fades)
{
	uint64_t bytes[BINS], count[BINS], sum[BINS];
	for (int fades = 0; fades < 2; fades++) {
		for (uint32_t i = 0; i < BINS; i++) {
			double t = i + 0.5;
			bytes[i] = count[i] = 100000;
			sum[i] = (uint64_t)(1e5 * (fades ? 1000 - 500 * exp(-t / 6) : 100 * sqrt(t)));
		}
		struct sim_bins b = { BINS, BINS, 1000, 1000, bytes, bytes, bytes, count, sum, NULL, 0, 0, 8, -1 };
		struct sim_steady s;
		sim_steady(&b, 0.01, &s);
		cr_expect_eq(s.stationarity == SIM_GROWING, !fades);
		b.looked = 9;
		sim_steady(&b, 0.01, &s);
		cr_expect_neq(s.stationarity, SIM_GROWING, "asked when the time has doubled only");
		b.looked = 4;
		sim_steady(&b, 0.01, &s);
		cr_expect_neq(s.stationarity, SIM_GROWING, "too early to tell");
	}
}

Test(steady, too_little_is_not_judged)
{
	uint64_t some[BINS] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	for (uint32_t bins = 0; bins < 16; bins++) {
		struct sim_bins b = { bins, bins, 10, 10, some, some, some, some, some, NULL, 0, 0, 1, -1 };
		struct sim_steady s;
		sim_steady(&b, 0.01, &s);
		cr_expect_eq(s.stationarity, SIM_UNDECIDED);
		cr_expect_not(sim_steady_precise(&s, 0.5));
	}
}

/* Against tabulated values (Abramowitz and Stegun, table 26.10). */
Test(steady, quantiles_of_students_distribution)
{
	cr_expect_float_eq(sim_student95(1), 12.706, 1e-3);
	cr_expect_float_eq(sim_student95(10), 2.228, 1e-3);
	cr_expect_float_eq(sim_student95(40), 2.021, 1e-3);
	cr_expect_float_eq(sim_student95(60), 2.000, 1e-3);
	cr_expect_float_eq(sim_student95(120), 1.980, 1e-3);
	cr_expect(isinf(sim_student95(0)));
}
