/* tests/switch/test_sharing.c - what minima leave of a link is shared by the rule chosen. Expected shares are worked
 * out here by filling up a level (bisection), and for whole switches those of reference/cc/maxmin_cases.csv, cases s1,
 * s2 and s6. */
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"
#include "tests/tier.h"

#include "sim/rng.h"
#include "switch/switch.h"

#include <math.h>

static struct sim_ctx ctx; /* journal off */

#define Q16 (40ull << 16) /* 200 Gb/s: 40 ps a byte */
#define MOST 6u

static double uniform(uint32_t index, uint32_t sub)
{
	return sim_draw4(tier_seed(29), index, 0, SIM_DRAW_MODEL, sub).v[0] / 4294967296.0;
}

struct wanted {
	uint32_t n;
	double min[MOST], max[MOST], demand[MOST];
};

static double bounded(const struct wanted *w, uint32_t k, double x)
{
	return fmin(fmin(x, w->max[k]), w->demand[k]);
}

/* Shares of a link at a level; those without a minimum, where they have what others leave, apart. */
static double at_level(const struct wanted *w, enum sw_sharing rule, double level, bool without, double *share)
{
	double sum = 0;
	for (uint32_t k = 0; k < w->n; k++) {
		if (rule == SW_PROPORTIONAL && (w->min[k] == 0) != without)
			continue;
		double x = rule == SW_MAX_MIN ? fmax(w->min[k], level)
		           : rule == SW_EQUAL ? w->min[k] + level
		           : without          ? level
		                              : w->min[k] * level;
		sum += share[k] = bounded(w, k, x);
	}
	return sum;
}

/* The largest level at which they have no more than `all`. */
static double fill(const struct wanted *w, enum sw_sharing rule, double all, bool without, double *share)
{
	double low = 0, high = 1e5;
	for (int i = 0; i < 200; i++) {
		double middle = (low + high) / 2;
		if (at_level(w, rule, middle, without, share) <= all)
			low = middle;
		else
			high = middle;
	}
	return at_level(w, rule, low, without, share);
}

static void expected(const struct wanted *w, enum sw_sharing rule, double *share)
{
	double used = fill(w, rule, 1, false, share);
	if (rule == SW_PROPORTIONAL)
		fill(w, rule, 1 - used, true, share);
}

/* One link for so many ps, each class offering its demand in packets of random sizes. */
static void simulate(const struct wanted *w, enum sw_sharing rule, uint64_t from, uint64_t to, double *share)
{
	struct sw_class_rule rules[MOST];
	struct sw_class_buckets b[MOST] = { 0 };
	struct sw_class_order o;
	double sent[MOST] = { 0 }, measured[MOST] = { 0 };
	for (uint32_t k = 0; k < w->n; k++)
		rules[k] = (struct sw_class_rule){ 0, (uint32_t)(w->min[k] * 65536 + 0.5),
			                           (uint32_t)(w->max[k] * 65536 + 0.5) };
	struct sw_common c = {
		.max_packet = 2000, .lanes = { .classes = w->n }, .class_rules = rules, .sharing = rule
	};
	sw_class_order_init(&c, &o);
	sw_class_buckets_init(&o, b, Q16);
	uint32_t packet = 0;
	for (uint64_t now = 0; now < to;) {
		uint64_t when = SIM_NEVER;
		uint32_t best = MOST, best_level = 0, bytes = 1 + (uint32_t)(1999 * uniform(packet++, w->n));
		for (uint32_t k = 0; k < w->n; k++) {
			if (sent[k] + bytes > w->demand[k] * (double)now / 40 + 2000)
				continue;
			uint32_t level = sw_class_level(&o, b, k, Q16, now, &when);
			cr_assert(level == SW_CLASS_HELD || (level < o.levels && sw_class_has_level(&o, k, level)));
			if (level != SW_CLASS_HELD && (best == MOST || level > best_level)) {
				best = k;
				best_level = level;
			}
		}
		if (best == MOST) {
			now += 1000;
			continue;
		}
		sw_class_pay(&ctx, &o, b, best, Q16, bytes, now);
		sent[best] += bytes;
		measured[best] += now >= from ? bytes : 0;
		now += bytes * (Q16 >> 16);
	}
	for (uint32_t k = 0; k < w->n; k++)
		share[k] = measured[k] * 40 / (double)(to - from);
}

Test(sharing, a_link_is_shared_as_the_rule_says)
{
	uint32_t draws = tier_draws(SPAN(25, 120));
	for (uint32_t i = 0; i < draws; i++) {
		struct wanted w = { .n = 2 + i % (MOST - 1) };
		double sum = 0, share[MOST], expect[MOST];
		for (uint32_t k = 0; k < w.n; k++) {
			w.min[k] = uniform(i, 10 + k) < 0.3 ? 0 : uniform(i, 20 + k);
			sum += w.min[k];
		}
		for (uint32_t k = 0; k < w.n; k++) {
			w.min[k] = sum > 0 ? floor(w.min[k] / sum * 0.95 * 100) / 100 : 0;
			w.max[k] =
			    uniform(i, 30 + k) < 0.7 ? 1 : w.min[k] + 0.02 + (1 - w.min[k] - 0.02) * uniform(i, 40 + k);
			w.demand[k] = uniform(i, 50 + k) < 0.7 ? 2 : uniform(i, 60 + k);
		}
		for (enum sw_sharing rule = SW_MAX_MIN; rule <= SW_PROPORTIONAL; rule++) {
			expected(&w, rule, expect);
			simulate(&w, rule, 1000000000, 5000000000, share);
			for (uint32_t k = 0; k < w.n; k++)
				cr_expect(
				    fabs(share[k] - expect[k]) < 0.004,
				    "seed %u case %u rule %d class %u of %u, min %.2f max %.2f demand %.2f: %f, not %f",
				    tier_seed(29), i, (int)rule, k, w.n, w.min[k], w.max[k], w.demand[k], share[k],
				    expect[k]);
		}
	}
}

static void shares_of(const struct sw_class_rule *rules, uint32_t n, enum sw_sharing rule, uint32_t wanting,
                      double *out)
{
	struct sw_common c = { .max_packet = 2000, .lanes = { .classes = n }, .class_rules = rules, .sharing = rule };
	struct sw_class_order o;
	uint32_t share[MOST];
	sw_class_order_init(&c, &o);
	sw_class_shares(&o, wanting, share);
	for (uint32_t k = 0; k < n; k++)
		out[k] = share[k] / 65536.0;
}

/* What classes are sure of, of which some send nothing and the others want all. */
Test(sharing, shares_that_classes_are_sure_of)
{
	for (uint32_t i = 0; i < 120; i++) {
		struct wanted w = { .n = 2 + i % (MOST - 1) };
		struct sw_class_rule rules[MOST];
		uint32_t wanting = 0;
		double share[MOST], expect[MOST];
		for (uint32_t k = 0; k < w.n; k++) {
			w.min[k] = uniform(i, 110 + k) < 0.3 ? 0 : floor(95 * uniform(i, 120 + k) / w.n) / 100;
			w.max[k] = uniform(i, 130 + k) < 0.7 ? 1 : w.min[k] + 0.02 + 0.3 * uniform(i, 140 + k);
			w.demand[k] = uniform(i, 150 + k) < 0.7 ? 2 : 0;
			wanting |= (w.demand[k] > 0 ? 1u : 0u) << k;
			rules[k] = (struct sw_class_rule){ 0, (uint32_t)(w.min[k] * 65536 + 0.5),
				                           (uint32_t)(w.max[k] * 65536 + 0.5) };
		}
		for (enum sw_sharing rule = SW_MAX_MIN; rule <= SW_PROPORTIONAL; rule++) {
			expected(&w, rule, expect);
			shares_of(rules, w.n, rule, wanting, share);
			for (uint32_t k = 0; k < w.n; k++)
				cr_expect(fabs(share[k] - expect[k]) < 0.001,
				          "case %u rule %d class %u of %u, min %.2f max %.2f demand %.0f: %f, not %f",
				          i, (int)rule, k, w.n, w.min[k], w.max[k], w.demand[k], share[k], expect[k]);
		}
	}
}

Test(sharing, priorities_come_behind_minima)
{
	static const struct {
		struct sw_class_rule rule[3];
		uint32_t wanting;
		double expect[3];
	} cases[] = {
		{ { { 1, 0, 65536 }, { 0, 0, 65536 }, { 0, 0, 65536 } }, 7, { 1, 0, 0 } },
		{ { { 1, 0, 65536 }, { 0, 0, 65536 }, { 0, 0, 65536 } }, 6, { 0, 0.5, 0.5 } },
		{ { { 1, 0, 65536 }, { 0, 6554, 65536 }, { 0, 0, 65536 } }, 7, { 0.9, 0.1, 0 } },
		{ { { 2, 0, 19661 }, { 1, 0, 32768 }, { 0, 0, 65536 } }, 7, { 0.3, 0.5, 0.2 } },
		{ { { 2, 0, 19661 }, { 1, 0, 32768 }, { 0, 32768, 65536 } }, 7, { 0.3, 0.2, 0.5 } },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double share[3];
		shares_of(cases[i].rule, 3, SW_MAX_MIN, cases[i].wanting, share);
		for (uint32_t k = 0; k < 3; k++)
			cr_expect(fabs(share[k] - cases[i].expect[k]) < 0.001, "case %zu, class %u: %f, not %f", i, k,
			          share[k], cases[i].expect[k]);
	}
}

/* Who comes, or goes, changes the shares of the others within twenty packets' time: nothing is saved up. */
Test(sharing, joins_and_departures_are_followed)
{
	for (enum sw_sharing rule = SW_MAX_MIN; rule <= SW_PROPORTIONAL; rule++) {
		static const struct sw_class_rule rules[3] = { { 0, 26214, 65536 },
			                                       { 0, 6554, 65536 },
			                                       { 0, 6554, 65536 } };
		static const double with[3][3] = { { 0.4, 0.3, 0.3 },
			                           { 0.4 + 0.4 / 3, 0.1 + 0.4 / 3, 0.1 + 0.4 / 3 },
			                           { 2 / 3.0, 1 / 6.0, 1 / 6.0 } },
				    alone[3][3] = { { 0.5, 0.5, 0 }, { 0.65, 0.35, 0 }, { 0.8, 0.2, 0 } };
		struct sw_common c = {
			.max_packet = 1000, .lanes = { .classes = 3 }, .class_rules = rules, .sharing = rule
		};
		struct sw_class_buckets b[3] = { 0 };
		struct sw_class_order o;
		sw_class_order_init(&c, &o);
		sw_class_buckets_init(&o, b, Q16);
		uint64_t now = 0;
		for (uint32_t phase = 0; phase < 8; phase++) { /* the third asks in every other one, of 2,000 packets */
			double sent[3] = { 0 };
			const double *expect = phase % 2 ? with[rule] : alone[rule];
			for (uint32_t i = 0; i < 2000; i++, now += 40000) {
				uint64_t when = SIM_NEVER;
				uint32_t best = 0, best_level = 0;
				for (uint32_t k = 0; k < 2 + phase % 2; k++) {
					uint32_t level = sw_class_level(&o, b, k, Q16, now, &when);
					if (level > best_level) {
						best = k;
						best_level = level;
					}
				}
				sw_class_pay(&ctx, &o, b, best, Q16, 1000, now);
				sent[best]++;
			}
			for (uint32_t k = 0; k < 3; k++)
				cr_expect(fabs(sent[k] - 2000 * expect[k]) <= 20,
				          "rule %d, phase %u: class %u sent %.0f, not %.0f", (int)rule, phase, k,
				          sent[k], 2000 * expect[k]);
		}
	}
}

/* --- switches --- */

static const char *const kinds[] = {
	"kind = \"crossbar\"; cycle = \"320ps\"; inputs = \"voq\";",
	"kind = \"crossbar\"; cycle = \"320ps\"; vcs = 2;",
	"kind = \"crossbar\"; cycle = \"320ps\"; inputs = \"voq\"; arbiter = \"age\";",
	"kind = \"tiled\"; preset = \"rosetta\";",
	"kind = \"tiled\"; preset = \"rosetta\"; grant_arbiter = \"round-robin\";",
};

struct flow {
	const char *class;
	double expect[3]; /* Gb/s, by rule */
};

/* Flow i goes from endpoint i to the last one. */
static void run_case(const char *what, const char *classes, const struct flow *flow, uint32_t flows)
{
	static const char *const rules[] = { "max-min-with-floors", "minimum-plus-equal", "proportional" };
	for (size_t s = 0; s < sizeof kinds / sizeof *kinds; s++)
		for (int rule = 0; rule < 3; rule++) {
			char text[4000], *at = text, *end = text + sizeof text;
			uint32_t last = strstr(kinds[s], "tiled") ? 63 : 15;
			at += snprintf(
			    at, (size_t)(end - at),
			    "classes_sharing = \"%s\"; time = { warmup = \"" SPAN(
				"250us",
				"500us") "\"; measure = \"" SPAN("500us",
			                                         "1ms") "\"; drain = "
									"false; }; topology = { kind = \"single\"; "
									"ports = %u; }; links = { terminal = { "
									"bandwidth = \"200Gbps\"; latency = \"13ns\"; "
									"}; }; switch = { %s }; routing = { kind = "
									"\"minimal\"; }; classes = ( %s ); traffic = (",
			    rules[rule], last + 1, kinds[s], classes);
			for (uint32_t i = 0; i < flows; i++)
				at += snprintf(
				    at, (size_t)(end - at),
				    "%s{ class = \"%s\"; pattern = \"incast\"; target = %u; nodes = \"%u,%u\"; load = "
				    "1.0; packet = \"512B\"; }",
				    i ? "," : "", flow[i].class, last, i, last);
			snprintf(at, (size_t)(end - at), ");");
			struct shares got =
			    run_shares(text, "", SPAN(250000000, 500000000), SPAN(750000000, 1500000000));
			for (uint32_t i = 0; i < flows; i++) {
				double rate = (double)got.bytes[i] * 8 / SPAN(500000, 1000000);
				cr_expect(fabs(rate - flow[i].expect[rule]) < 0.01 * flow[i].expect[rule],
				          "%s, %s, %s: flow %u has %f Gb/s, not %f", what, kinds[s], rules[rule], i,
				          rate, flow[i].expect[rule]);
			}
		}
}

Test(sharing, two_jobs_on_one_link, .timeout = 200)
{
	static const struct flow flow[] = { { "hi", { 160, 170, 177.7778 } }, { "lo", { 40, 30, 22.2222 } } };
	run_case("s1", "{ name = \"hi\"; min_bandwidth = 0.8; }, { name = \"lo\"; min_bandwidth = 0.1; }", flow, 2);
}

#define PROFILE_LL "{ name = \"LL\"; min_bandwidth = 0.02; max_bandwidth = 0.05; }"

Test(sharing, four_classes_of_a_profile, .timeout = 200)
{
	static const struct flow flow[] = { { "LL", { 10, 8, 4.3478 } },
		                            { "BD", { 45, 44, 43.4783 } },
		                            { "BE", { 100, 104, 108.6957 } },
		                            { "ET", { 45, 44, 43.4783 } } };
	run_case("s2",
	         PROFILE_LL ", { name = \"BD\"; min_bandwidth = 0.2; }, { name = \"BE\"; min_bandwidth = 0.5; }, { "
	                    "name = \"ET\"; min_bandwidth = 0.2; }",
	         flow, 4);
}

/* Flows of one class share equally: what other classes send does not pass the turn to always the same of them. */
Test(sharing, flows_of_a_capped_class, .timeout = 200)
{
	static const struct flow flow[] = {
		{ "LL", { 2.5, 2.5, 1.9231 } },    { "LL", { 2.5, 2.5, 1.9231 } },    { "LL", { 2.5, 2.5, 1.9231 } },
		{ "LL", { 2.5, 2.5, 1.9231 } },    { "BE", { 47.5, 47.5, 48.0769 } }, { "BE", { 47.5, 47.5, 48.0769 } },
		{ "BE", { 47.5, 47.5, 48.0769 } }, { "BE", { 47.5, 47.5, 48.0769 } },
	};
	run_case("s6", PROFILE_LL ", { name = \"BE\"; min_bandwidth = 0.5; }", flow, 8);
}

/* Two classes whose packets come by one input and go to outputs of their own have half of the input each. */
Test(sharing, an_input_is_shared_by_classes, .timeout = 100)
{
	for (size_t s = 0; s < sizeof kinds / sizeof *kinds; s++) {
		char text[2000];
		snprintf(
		    text, sizeof text,
		    "time = { warmup = \"100us\"; measure = \"200us\"; drain = false; }; topology = { kind = "
		    "\"torus\"; dims = [2]; endpoints = 8; }; links = { default = { bandwidth = "
		    "\"200Gbps\"; latency = \"50ns\"; }; }; switch = { %s }; routing = { kind = \"minimal\"; }; "
		    "classes = ( { name = \"a\"; }, { name = \"b\"; }, { name = \"c\"; } ); traffic = ( { class = "
		    "\"a\"; pattern = \"incast\"; target = 8; nodes = \"0,8\"; load = 0.9; packet = \"1KB\"; }, { "
		    "class "
		    "= \"b\"; pattern = \"incast\"; target = 9; nodes = \"1,9\"; load = 0.9; packet = \"1KB\"; }, { "
		    "class = \"c\"; pattern = \"incast\"; target = 10; nodes = \"2,10\"; load = 0.9; packet = \"1KB\"; "
		    "} );",
		    kinds[s]);
		struct shares got = run_shares(text, "", 100000000, 300000000);
		for (int k = 0; k < 3; k++)
			cr_expect(fabs((double)got.bytes[k] / LINK_BYTES - 1 / 3.0) < 0.01, "%s: class %d has %f",
			          kinds[s], k, (double)got.bytes[k] / LINK_BYTES);
	}
}
