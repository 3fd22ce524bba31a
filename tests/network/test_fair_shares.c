/* tests/network/test_fair_shares.c - flows across switches and endpoints under congestion control have the max-min fair
 * rates of reference/cc/maxmin_cases.csv, cases s3, s4 and s5 (200 Gb/s links, no headers), and so where some flows
 * offer less than their share; classes share a receiver by their guarantees, then their flows. Other expected values
 * follow from the same water filling by hand. */
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"

#include <math.h>

#define CROSSBAR_PAIRS "kind = \"crossbar\"; cycle = \"320ps\"; vcs = 2; buffer = \"200KB\";"
#define SERVE_BY_INPUT                                                                                             \
	"kind = \"crossbar\"; cycle = \"320ps\"; inputs = \"voq\";", "kind = \"tiled\"; flow_channels = \"off\";", \
	    "kind = \"tiled\"; flow_channels = \"off\"; grant_arbiter = \"round-robin\";"

#define PAUSES(at, until) "kind = \"output-queued\"; pfc = true; pfc_pause = \"" at "\"; pfc_resume = \"" until "\";"

/* Switches in which each input has its part of a link that several want. Others serve it in the order of arrival, so
 * that an input has what is in its buffer of all that is there: by the bytes on its cable less than others, 2.5 % with
 * 100 KB. */
static const char *const kinds[] = { SERVE_BY_INPUT };

/* Those in which no packet waits at an input behind one for another output. */
static const char *const kinds_without_blocking[] = { "kind = \"ideal\";", PAUSES("200KB", "198KB"), SERVE_BY_INPUT };

/* The same with buffers that make little of the bytes on a cable. */
static const char *const kinds_of_large_buffers[] = { "kind = \"ideal\"; buffer = \"1MB\";", PAUSES("1500KB", "1490KB"),
	                                              SERVE_BY_INPUT };

struct flow {
	uint32_t from, to;
	double expect; /* Gb/s */
	double load;   /* of its endpoint's link; 0: all of it */
	const char *class;
};
/* Of a flow that offers all that its endpoint's link carries, or a part of it; of a class. */
#define ALL(f, t, e)                            \
	{                                       \
		.from = f, .to = t, .expect = e \
	}
#define SOME(f, t, e, l)                                   \
	{                                                  \
		.from = f, .to = t, .expect = e, .load = l \
	}
#define ALL_OF(c, f, t, e)                                  \
	{                                                   \
		.from = f, .to = t, .expect = e, .class = c \
	}
#define SOME_OF(c, f, t, e, l)                                         \
	{                                                              \
		.from = f, .to = t, .expect = e, .load = l, .class = c \
	}

/* Measured from from_us on, for as long; rest: further keys. */
static void run_on(const char *const *kind, size_t n_kinds, const char *what, const char *topology, const char *rest,
                   unsigned from_us, const struct flow *flow, uint32_t flows)
{
	for (size_t s = 0; s < n_kinds; s++) {
		char text[6000], *at = text, *end = text + sizeof text;
		at += snprintf(
		    at, (size_t)(end - at),
		    "time = { warmup = \"%uus\"; measure = \"%uus\"; drain = false; }; topology = { %s }; links = { "
		    "default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = "
		    "\"200Gbps\"; latency = \"13ns\"; }; }; switch = { %s }; routing = { kind = \"minimal\"; }; "
		    "congestion = { kind = \"slingshot\"; }; %s traffic = (",
		    from_us, from_us, topology, kind[s], rest);
		for (uint32_t i = 0; i < flows; i++)
			at += snprintf(
			    at, (size_t)(end - at),
			    "%s{ %s pattern = \"incast\"; target = %u; nodes = \"%u,%u\"; load = %g; packet = "
			    "\"1KB\"; injection = \"%s\"; }",
			    i ? "," : "", flow[i].class ? flow[i].class : "", flow[i].to, flow[i].from, flow[i].to,
			    flow[i].load > 0 ? flow[i].load : 1.0, flow[i].load > 0 ? "periodic" : "poisson");
		snprintf(at, (size_t)(end - at), ");");
		struct shares got = run_shares(text, "", from_us * 1000000ull, 2 * from_us * 1000000ull);
		for (uint32_t i = 0; i < flows; i++) {
			double rate = (double)got.bytes[i] * 8e-3 / from_us;
			cr_expect(fabs(rate - flow[i].expect) < 0.01 * flow[i].expect,
			          "%s, %s: flow %u has %f Gb/s, not %f", what, kind[s], i, rate, flow[i].expect);
		}
	}
}

#define RUN_CASE(kinds, what, topology, from_us, flow) \
	run_on(kinds, sizeof(kinds) / sizeof *(kinds), what, topology, "", from_us, flow, sizeof(flow) / sizeof *(flow))

Test(fair_shares, a_long_flow_and_one_across_each_of_its_links, .timeout = 100)
{
	static const struct flow flow[] = { ALL(0, 12, 100), ALL(1, 5, 100), ALL(6, 9, 100), ALL(10, 13, 100) };
	RUN_CASE(kinds, "s3", "kind = \"torus\"; dims = [4]; wrap = false; endpoints = 4;", 500, flow);
}

/* Two endpoints of an incast send elsewhere, too, from another source: neither what is held back, nor a table full of
 * it, stands in the way. */
Test(fair_shares, an_incast_leaves_alone_what_its_senders_send_elsewhere, .timeout = 100)
{
	static const struct flow flow[] = {
		ALL(0, 8, 25), ALL(1, 8, 25),  ALL(2, 8, 25),  ALL(3, 8, 25), ALL(4, 8, 25),
		ALL(5, 8, 25), ALL(0, 9, 100), ALL(1, 9, 100), ALL(6, 8, 25), ALL(7, 8, 25)
	};
	RUN_CASE(kinds_without_blocking, "s4", "kind = \"single\"; ports = 64;", 500, flow);
}

/* Four of six flows of an incast share a link with two others. */
Test(fair_shares, an_incast_and_victims_on_a_link, .timeout = 100)
{
	static const struct flow flow[] = { ALL(0, 8, 100 / 3.0), ALL(1, 8, 100 / 3.0),  ALL(2, 8, 100 / 3.0),
		                            ALL(3, 8, 100 / 3.0), ALL(11, 8, 100 / 3.0), ALL(12, 8, 100 / 3.0),
		                            ALL(4, 9, 100 / 3.0), ALL(5, 10, 100 / 3.0) };
	RUN_CASE(kinds_of_large_buffers, "s5", "kind = \"torus\"; dims = [2]; endpoints = 8;", 1000, flow);
}

/* --- flows that offer less than their share: what they leave is divided among the others ---------------------------
 */

static const char *const any_kind[] = {
	"kind = \"ideal\";",
	"kind = \"output-queued\"; pfc = true;",
	CROSSBAR_PAIRS,
	SERVE_BY_INPUT,
};
#define ONE_SWITCH "kind = \"single\"; ports = 64;"

static void run_everywhere(const char *what, const struct flow *flow, uint32_t flows)
{
	run_on(any_kind, sizeof any_kind / sizeof *any_kind, what, ONE_SWITCH, "", 500, flow, flows);
}

Test(fair_shares, one_of_three_offers_a_twentieth, .timeout = 100)
{
	static const struct flow flow[] = { SOME(0, 8, 10, 0.05), ALL(1, 8, 95), ALL(2, 8, 95) };
	run_everywhere("two of three", flow, 3);
}

Test(fair_shares, most_offer_little, .timeout = 100)
{
	static const struct flow flow[] = { SOME(0, 9, 10, 0.05), SOME(1, 9, 10, 0.05), SOME(2, 9, 10, 0.05),
		                            SOME(3, 9, 10, 0.05), SOME(4, 9, 10, 0.05), SOME(5, 9, 10, 0.05),
		                            SOME(6, 9, 10, 0.05), ALL(7, 9, 130) };
	run_everywhere("one of eight", flow, 8);
}

Test(fair_shares, offers_of_all_sizes, .timeout = 100)
{
	static const struct flow flow[] = { SOME(0, 8, 30, 0.15), SOME(1, 8, 50, 0.25), SOME(2, 8, 60, 0.5),
		                            ALL(3, 8, 60) };
	run_everywhere("four", flow, 4);
}

/* A flow that crosses a link with three others has a quarter of it; its receiver's link is left to one other. */
Test(fair_shares, a_flow_that_is_held_up_elsewhere, .timeout = 100)
{
	static const struct flow flow[] = { ALL(0, 8, 50), ALL(1, 9, 50), ALL(2, 10, 50), ALL(3, 11, 50),
		                            ALL(12, 8, 150) };
	RUN_CASE(kinds_without_blocking, "held up", "kind = \"torus\"; dims = [2]; endpoints = 8;", 500, flow);
}

/* --- classes: by guarantee first, then by source --------------------------------------------------------------------
 */

static const char *const class_kinds[] = {
	CROSSBAR_PAIRS,
	SERVE_BY_INPUT,
};

static void run_classes(const char *topology, const char *classes, const struct flow *flow, uint32_t flows)
{
	run_on(class_kinds, sizeof class_kinds / sizeof *class_kinds, classes, topology, classes, 500, flow, flows);
}

#define HIGH "class = \"high\";"
#define LOW "class = \"low\";"
#define FLOORS "classes = ( { name = \"high\"; min_bandwidth = 0.8; }, { name = \"low\"; min_bandwidth = 0.1; } );"

/* Case s1, with one source of each class and with several. */
Test(fair_shares, minima_hold_at_a_receiver, .timeout = 200)
{
	static const struct flow one[] = { ALL_OF(HIGH, 0, 8, 160), ALL_OF(LOW, 1, 8, 40) };
	static const struct flow some[] = { ALL_OF(HIGH, 0, 8, 80), ALL_OF(HIGH, 1, 8, 80), ALL_OF(LOW, 2, 8, 40 / 3.0),
		                            ALL_OF(LOW, 3, 8, 40 / 3.0), ALL_OF(LOW, 4, 8, 40 / 3.0) };
	run_classes(ONE_SWITCH, FLOORS, one, 2);
	run_classes(ONE_SWITCH, FLOORS, some, 5);
}

Test(fair_shares, what_a_class_leaves_is_lent, .timeout = 200)
{
	static const struct flow less[] = { SOME_OF(HIGH, 0, 8, 30, 0.15), SOME_OF(HIGH, 1, 8, 30, 0.15),
		                            ALL_OF(LOW, 2, 8, 70), ALL_OF(LOW, 3, 8, 70) };
	static const struct flow mixed[] = { ALL_OF(HIGH, 0, 8, 150), SOME_OF(HIGH, 1, 8, 10, 0.05),
		                             ALL_OF(LOW, 2, 8, 20), ALL_OF(LOW, 3, 8, 20) };
	run_classes(ONE_SWITCH, FLOORS, less, 4);
	run_classes(ONE_SWITCH, FLOORS, mixed, 4);
}

Test(fair_shares, priorities_and_maxima_hold_at_a_receiver, .timeout = 200)
{
	static const struct flow first[] = { SOME_OF(HIGH, 0, 8, 60, 0.3), SOME_OF(HIGH, 1, 8, 60, 0.3),
		                             ALL_OF(LOW, 2, 8, 40), ALL_OF(LOW, 3, 8, 40) };
	static const struct flow capped[] = { ALL_OF(HIGH, 0, 8, 30), ALL_OF(HIGH, 1, 8, 30), ALL_OF(LOW, 2, 8, 70),
		                              ALL_OF(LOW, 3, 8, 70) };
	run_classes(ONE_SWITCH, "classes = ( { name = \"high\"; priority = 1; }, { name = \"low\"; } );", first, 4);
	run_classes(ONE_SWITCH,
	            "classes = ( { name = \"high\"; priority = 1; max_bandwidth = 0.3; }, { name = \"low\"; } );",
	            capped, 4);
}

/* Cases s2 and s6: minima, and a maximum, of four classes and of two. */
Test(fair_shares, minima_and_a_maximum_hold_at_a_receiver, .timeout = 200)
{
	static const struct flow profile[] = { ALL_OF("class = \"LL\";", 0, 8, 10), ALL_OF("class = \"BD\";", 1, 8, 45),
		                               ALL_OF("class = \"BE\";", 2, 8, 100),
		                               ALL_OF("class = \"ET\";", 3, 8, 45) };
	static const struct flow capped[] = {
		ALL_OF("class = \"LL\";", 0, 8, 2.5),  ALL_OF("class = \"LL\";", 1, 8, 2.5),
		ALL_OF("class = \"LL\";", 2, 8, 2.5),  ALL_OF("class = \"LL\";", 3, 8, 2.5),
		ALL_OF("class = \"BE\";", 4, 8, 47.5), ALL_OF("class = \"BE\";", 5, 8, 47.5),
		ALL_OF("class = \"BE\";", 6, 8, 47.5), ALL_OF("class = \"BE\";", 7, 8, 47.5)
	};
#define LL_AND_BE                                                                               \
	"classes = ( { name = \"LL\"; min_bandwidth = 0.02; max_bandwidth = 0.05; }, { name = " \
	"\"BE\"; min_bandwidth = 0.5; }"
	run_classes(ONE_SWITCH,
	            LL_AND_BE ", { name = \"BD\"; min_bandwidth = 0.2; }, { name = \"ET\"; min_bandwidth = 0.2; } );",
	            profile, 4);
	run_classes(ONE_SWITCH, LL_AND_BE " );", capped, 8);
}

/* Half of the flows of each class come over a cable, which is shared by guarantee, too. */
Test(fair_shares, minima_hold_in_a_network, .timeout = 200)
{
	static const struct flow flow[] = { ALL_OF(HIGH, 0, 8, 40),  ALL_OF(HIGH, 1, 8, 40), ALL_OF(HIGH, 9, 8, 40),
		                            ALL_OF(HIGH, 10, 8, 40), ALL_OF(LOW, 4, 8, 10),  ALL_OF(LOW, 5, 8, 10),
		                            ALL_OF(LOW, 11, 8, 10),  ALL_OF(LOW, 12, 8, 10) };
	run_classes("kind = \"torus\"; dims = [2]; endpoints = 8;", FLOORS, flow, 8);
}
