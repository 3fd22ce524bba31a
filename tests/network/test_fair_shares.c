/* tests/network/test_fair_shares.c - flows of one class across switches and endpoints under congestion control have the
 * max-min fair rates of reference/cc/maxmin_cases.csv, cases s3, s4 and s5 (200 Gb/s links, no headers). */
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"

#include <math.h>

static const char *const kinds[] = {
	"kind = \"crossbar\"; cycle = \"320ps\"; inputs = \"voq\";",
	"kind = \"tiled\"; preset = \"rosetta\";",
	"kind = \"tiled\"; preset = \"rosetta\"; grant_arbiter = \"round-robin\";",
};

struct flow {
	uint32_t from, to;
	double expect; /* Gb/s */
};

static void run_case(const char *what, const char *topology, const struct flow *flow, uint32_t flows)
{
	for (size_t s = 0; s < sizeof kinds / sizeof *kinds; s++) {
		char text[4000], *at = text, *end = text + sizeof text;
		at += snprintf(
		    at, (size_t)(end - at),
		    "time = { warmup = \"1ms\"; measure = \"1ms\"; drain = false; }; topology = { %s }; links = { "
		    "default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = "
		    "\"200Gbps\"; latency = \"13ns\"; }; }; switch = { %s }; routing = { kind = \"minimal\"; }; "
		    "congestion = { kind = \"slingshot\"; }; traffic = (",
		    topology, kinds[s]);
		for (uint32_t i = 0; i < flows; i++)
			at += snprintf(
			    at, (size_t)(end - at),
			    "%s{ pattern = \"incast\"; target = %u; nodes = \"%u,%u\"; load = 1.0; packet = \"1KB\"; "
			    "}",
			    i ? "," : "", flow[i].to, flow[i].from, flow[i].to);
		snprintf(at, (size_t)(end - at), ");");
		struct shares got = run_shares(text, "", 1000000000, 2000000000);
		for (uint32_t i = 0; i < flows; i++) {
			double rate = (double)got.bytes[i] * 8 / 1000000;
			cr_expect(fabs(rate - flow[i].expect) < 0.01 * flow[i].expect,
			          "%s, %s: flow %u has %f Gb/s, not %f", what, kinds[s], i, rate, flow[i].expect);
		}
	}
}

Test(fair_shares, a_long_flow_and_one_across_each_of_its_links, .timeout = 100)
{
	static const struct flow flow[] = { { 0, 12, 100 }, { 1, 5, 100 }, { 6, 9, 100 }, { 10, 13, 100 } };
	run_case("s3", "kind = \"torus\"; dims = [4]; wrap = false; endpoints = 4;", flow, 4);
}

/* Two endpoints of an incast send elsewhere, too, from another source: neither what is held back, nor a table full of
 * it, stands in the way. */
Test(fair_shares, an_incast_leaves_alone_what_its_senders_send_elsewhere, .timeout = 100)
{
	static const struct flow flow[] = { { 0, 8, 25 }, { 1, 8, 25 },  { 2, 8, 25 },  { 3, 8, 25 }, { 4, 8, 25 },
		                            { 5, 8, 25 }, { 0, 9, 100 }, { 1, 9, 100 }, { 6, 8, 25 }, { 7, 8, 25 } };
	run_case("s4", "kind = \"single\"; ports = 64;", flow, 8 + 2);
}

/* Four of six flows of an incast share a link with two others. */
Test(fair_shares, an_incast_and_victims_on_a_link, .timeout = 100)
{
	static const struct flow flow[] = { { 0, 8, 100 / 3.0 }, { 1, 8, 100 / 3.0 },  { 2, 8, 100 / 3.0 },
		                            { 3, 8, 100 / 3.0 }, { 11, 8, 100 / 3.0 }, { 12, 8, 100 / 3.0 },
		                            { 4, 9, 100 / 3.0 }, { 5, 10, 100 / 3.0 } };
	run_case("s5", "kind = \"torus\"; dims = [2]; endpoints = 8;", flow, 8);
}
