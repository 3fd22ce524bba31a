/* workload/open/injection.c - open-loop arrival processes.
 *
 * A process has no state but the time of the last message: gap() is a function of the message number, that time and 64
 * random bits. Means are exact: constant gaps are multiples of a fixed-point period, so rounding to picoseconds does
 * not accumulate, and random gaps are rounded to the nearest. */
#include "base/error.h"
#include "workload/workload.h"

#include <stddef.h>

static inline uint64_t two_words(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/* Uniform in [0, period), ps, for a fixed-point period. */
static uint64_t phase(uint64_t bits, uint64_t period)
{
	return (uint64_t)((unsigned __int128)bits * period >> 64) >> WL_TIME_BITS;
}

/* floor(n * period) - floor((n - 1) * period), ps: sums to n periods without error. */
static inline uint64_t fixed_gap(uint32_t n, uint64_t period)
{
	uint64_t fraction = (n - 1) * period & (((uint64_t)1 << WL_TIME_BITS) - 1);
	return (fraction + period) >> WL_TIME_BITS;
}

/* Poisson: exponential gaps. word[0]: factor of the mean. */

static int poisson_build(struct wl_injection *in, struct base_errors *errors)
{
	(void)errors;
	in->word[0] = wl_exponential_factor(in->mean);
	return 0;
}

static uint64_t poisson_gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)n, (void)since;
	return wl_mul_high(sim_neglog2(bits), in->word[0]);
}

static uint64_t poisson_first(const struct wl_injection *in, struct sim_draw d)
{
	return poisson_gap(in, 0, 0, two_words(d.v[0], d.v[1]));
}

static const struct wl_injection_ops poisson_ops = {
	.build = poisson_build,
	.first = poisson_first,
	.gap = poisson_gap,
};

const struct base_plugin wl_poisson = {
	.kind = "injection",
	.name = "poisson",
	.summary = "Poisson arrivals: exponentially distributed times between messages",
	.ops = &poisson_ops,
};

/* Bernoulli: time is cut into slots of one packet time, the same at all endpoints; a message starts in each slot with
 * probability p = slot / mean. The number of slots to the next one is geometric: 1 + floor(log u / log(1 - p)).
 * word[0], [1]: reciprocal of -log2(1 - p) and its shift; word[2], [3]: the same of the slot, to find the slot's
 * number. */

enum { GEOMETRIC = 0, SLOTS = 2 };

/* x / d is (x * word[0]) >> 64 >> word[1], off by less than x / d / 2^63. */
static void set_reciprocal(uint64_t *word, uint64_t d)
{
	unsigned shift = 63 - (unsigned)__builtin_clzll(d);
	unsigned __int128 r = ((unsigned __int128)1 << (64 + shift)) / d;
	word[0] = r > UINT64_MAX ? UINT64_MAX : (uint64_t)r;
	word[1] = shift;
}

static inline uint64_t divide(const uint64_t *word, uint64_t x)
{
	return (uint64_t)((unsigned __int128)x * word[0] >> 64) >> word[1];
}

static int bernoulli_build(struct wl_injection *in, struct base_errors *errors)
{
	if (in->slot < 2 << WL_TIME_BITS)
		return base_errorf(errors, "injection",
		                   "bernoulli injection requires packets that take at least 2 ps on the terminal link");
	set_reciprocal(&in->word[SLOTS], in->slot);
	unsigned __int128 p = ((unsigned __int128)in->slot << 64) / in->mean;
	if (p >> 64)
		return 0; /* a message in every slot: word[GEOMETRIC] stays 0 */
	uint64_t log_q = p ? wl_neglog2_exact(-(uint64_t)p) : 0;
	if (log_q < 1024)
		return base_errorf(errors, "load",
		                   "too small for bernoulli injection: fewer than one slot in 10^11 is used");
	set_reciprocal(&in->word[GEOMETRIC], log_q);
	return 0;
}

/* Slots skipped before the next message. */
static inline uint64_t skipped_slots(const struct wl_injection *in, uint64_t bits)
{
	return divide(&in->word[GEOMETRIC], sim_neglog2(bits));
}

static inline uint64_t slot_start(const struct wl_injection *in, uint64_t slot)
{
	unsigned __int128 start = (unsigned __int128)slot * in->slot >> WL_TIME_BITS;
	return start >> 62 ? (uint64_t)1 << 62 : (uint64_t)start;
}

/* The slot that starts at `since`. */
static inline uint64_t slot_number(const struct wl_injection *in, uint64_t since)
{
	if (__builtin_expect(since >> 46 != 0, 0)) /* past 70 s */
		return (uint64_t)((((unsigned __int128)since << WL_TIME_BITS) + in->slot / 2) / in->slot);
	return divide(&in->word[SLOTS], (since << WL_TIME_BITS) + in->slot / 2);
}

static uint64_t bernoulli_first(const struct wl_injection *in, struct sim_draw d)
{
	return slot_start(in, skipped_slots(in, two_words(d.v[0], d.v[1])));
}

static uint64_t bernoulli_gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)n;
	return slot_start(in, slot_number(in, since) + 1 + skipped_slots(in, bits)) - since;
}

static const struct wl_injection_ops bernoulli_ops = {
	.build = bernoulli_build,
	.first = bernoulli_first,
	.gap = bernoulli_gap,
};

const struct base_plugin wl_bernoulli = {
	.kind = "injection",
	.name = "bernoulli",
	.summary = "a message starts in each slot of one packet time with the same probability",
	.source = "Dally & Towles, Principles and Practices of Interconnection Networks, section 24.2",
	.ops = &bernoulli_ops,
};

/* Periodic: a fixed gap, a random phase. */

static uint64_t periodic_first(const struct wl_injection *in, struct sim_draw d)
{
	return phase(two_words(d.v[0], d.v[1]), in->mean);
}

static uint64_t periodic_gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)since, (void)bits;
	return fixed_gap(n, in->mean);
}

static const struct wl_injection_ops periodic_ops = {
	.first = periodic_first,
	.gap = periodic_gap,
};

const struct base_plugin wl_periodic = {
	.kind = "injection",
	.name = "periodic",
	.summary = "messages at constant intervals, each endpoint with a random phase",
	.ops = &periodic_ops,
};

/* On-off: bursts of a geometrically distributed number of messages (mean `burst`) at a fixed distance of duty * mean,
 * and between two bursts a pause, exponentially distributed with mean burst * (1 - duty) * mean; so the mean gap is
 * duty * mean + (1 / burst) * burst * (1 - duty) * mean = mean. With E = -log2(u), a burst ends with probability P(E >
 * log2(burst)) = 1 / burst, and then E - log2(burst) is distributed as E was: one draw serves both. word[0]: distance
 * in a burst; word[1]: log2(burst), 48 fractional bits; word[2]: exponential factor of the pause; word[3]: duty, 32
 * fractional bits. */

struct on_off_params {
	double burst, duty;
};

static const struct base_param on_off_table[] = {
	{ BASE_KEY(FLOAT, struct on_off_params, burst, "16"), .unit = "messages", .min = 1, .max = 1e6,
	  .help = "mean number of messages in a burst" },
	{ BASE_KEY(FLOAT, struct on_off_params, duty, "0.25"), .min = 1e-4, .max = 1,
	  .help = "fraction of the time spent in bursts, in which messages are created at the rate load / duty" },
	{ 0 },
};

static bool has_silences(const void *params)
{
	return ((const struct on_off_params *)params)->duty < 1;
}

static const struct base_condition on_off_conditions[] = {
	{ "burst", "with a duty below 1; otherwise bursts never end", has_silences, NULL },
	{ 0 },
};

static int on_off_build(struct wl_injection *in, struct base_errors *errors)
{
	const struct on_off_params *q = in->params;
	int status = 0;
	if (!(q->burst >= 1 && q->burst <= 1e6))
		status = base_errorf(errors, "burst", "%g is not between 1 and 1000000 messages", q->burst);
	if (!(q->duty >= 1e-4 && q->duty <= 1))
		status = base_errorf(errors, "duty", "%g is not between 0.0001 and 1", q->duty);
	if (status)
		return status;
	uint64_t duty = (uint64_t)(q->duty * 0x1p32 + 0.5), burst = (uint64_t)(q->burst * 0x1p16 + 0.5);
	in->word[0] = (uint64_t)((unsigned __int128)in->mean * duty >> 32);
	in->word[1] = burst == 1 << 16 ? 0 : wl_neglog2_exact((uint64_t)(((unsigned __int128)1 << 80) / burst));
	unsigned __int128 silence = (unsigned __int128)(in->mean - in->word[0]) * burst >> 16;
	if (silence >> 62)
		return base_errorf(errors, "burst", "the pauses between bursts of this length would exceed 70 s");
	in->word[2] = wl_exponential_factor((uint64_t)silence);
	in->word[3] = duty;
	return 0;
}

static inline uint64_t on_off_silence(const struct wl_injection *in, uint64_t bits)
{
	uint64_t e = sim_neglog2(bits);
	return e > in->word[1] ? wl_mul_high(e - in->word[1], in->word[2]) : 0;
}

static uint64_t on_off_gap(const struct wl_injection *in, uint32_t n, uint64_t since, uint64_t bits)
{
	(void)since;
	return fixed_gap(n, in->word[0]) + on_off_silence(in, bits);
}

/* The time left of the gap in which a process that has been running forever is found. */
static uint64_t on_off_first(const struct wl_injection *in, struct sim_draw d)
{
	uint64_t bits = two_words(d.v[1], d.v[2]);
	if (d.v[0] >= in->word[3])
		return wl_mul_high(sim_neglog2(bits), in->word[2]);
	return phase((uint64_t)d.v[3] << 32, in->word[0]) + on_off_silence(in, bits);
}

static const struct wl_injection_ops on_off_ops = {
	.build = on_off_build,
	.first = on_off_first,
	.gap = on_off_gap,
};

const struct base_plugin wl_on_off = {
	BASE_DESCRIBE("injection", "on-off", on_off_table, struct on_off_params, &on_off_ops),
	.summary = "bursts of messages at constant intervals, with exponentially distributed pauses between them",
	.conditions = on_off_conditions,
};
