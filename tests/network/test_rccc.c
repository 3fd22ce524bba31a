/* tests/network/test_rccc.c - credits of the receiver: against a public simulator, and what the pacer says. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/incast.h"

/* 200 Gb/s, packets of 4,096 bytes and 64 of headers, one switch that trims. */
#define RUN                                                                                                          \
	"seed = %u; topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; "  \
	"}; terminal = { latency = \"250ns\"; header = \"64B\"; }; }; switch = { kind = \"output-queued\"; latency " \
	"= \"350ns\"; buffer = \"120640B\"; trim = true; }; nic = { ack_stage = \"350ns\"; ack_every = \"16KiB\"; "  \
	"timeout = \"21us\"; }; congestion = { kind = \"rccc\"; pair_rtt = \"2375840ps\"; };"

static struct incast credits(unsigned n, unsigned seed, bool small)
{
	char text[2000];
	if (small)
		snprintf(text, sizeof text, RUN INCAST_MESSAGES("256KiB", "4096B", "all"), seed, n + 1);
	else
		snprintf(text, sizeof text, RUN INCAST_MESSAGES("1MiB", "4096B", "all"), seed, n + 1);
	return incast_of(text, n, 0.855);
}

/* uet-htsim, five seeds: last completions within .2 us of each other, and each flow as fast as the others: Jain's index
 * .9999, of the short messages .9993 with one seed. */
Test(rccc, incasts_of_a_public_simulator)
{
	static const struct {
		unsigned n;
		bool small;
		double first_least, first_most, last, again;
	} runs[] = { { 32, false, 1341.3, 1360.9, 1377.0, 393 },
		     { 8, false, 334.1, 339.4, 342.9, 92 },
		     { 32, true, 306.9, 306.9, 343.83, 393 },
		     { 8, true, 81.65, 81.65, 87.3, 92 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		for (unsigned seed = 1; seed <= 5; seed++) {
			struct incast o = credits(runs[i].n, seed, runs[i].small);
			cr_expect_float_eq(o.last, runs[i].last, runs[i].last * 0.003, "last %.1f us, not %.1f", o.last,
			                   runs[i].last);
			cr_expect(o.first > runs[i].first_least * 0.93 && o.first < runs[i].first_most * 1.07,
			          "first %.1f us", o.first);
			cr_expect_float_eq((double)o.retry.resent, runs[i].again, runs[i].again * 0.1, "%lu again",
			                   o.retry.resent);
			cr_expect_gt(o.jain, runs[i].small ? 0.998 : 0.999, "%.5f", o.jain);
			cr_expect_eq(o.retry.timeouts, 0);
		}
}

/* The pacer grants a share of the link, and so much is carried, of many sources as of one, once what they had sent
 * without grants has drained. */
Test(rccc, a_saturated_link_carries_what_is_granted)
{
	static const unsigned sources[] = { 1, 3, 40 };
	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
		struct netrun x = { 0 };
		char text[1500];
		snprintf(
		    text, sizeof text,
		    "seed = 1; time = { warmup = \"600us\"; measure = \"200us\"; drain = false; }; topology = { kind = "
		    "\"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = { latency "
		    "= \"200ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"4MB\"; traversal = \"100ns\"; }; "
		    "congestion = { kind = \"rccc\"; rate = 0.8; }; routing = { kind = \"minimal\"; }; traffic = ( { "
		    "pattern = \"incast\"; target = 0; load = 1.0; packet = \"1000B\"; } );",
		    sources[i] + 1);
		cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
		cr_assert_eq(netrun_go(&x), NET_DONE);
		cr_expect_float_eq(x.r->total.accepted_load * sources[i], 0.8, 0.004, "%u sources: %f", sources[i],
		                   x.r->total.accepted_load * sources[i]);
		cr_expect_gt(x.r->control.requests, 1000);
		cr_expect_gt(x.r->control.frames, 100);
		netrun_free(&x);
	}
}

/* Messages much shorter than a window, grants below a packet, packets lost: all arrive, and nothing stalls. */
Test(rccc, odd_sizes_arrive)
{
	static const char *const networks[] = {
		SLIMFLY EQUAL TIMES("8us", "true") SWITCH("3KB", "") LOOPS ROUTING("minimal")
		    CONTROL("rccc", "grant = \"1B\"; pair_rtt = \"1ns\";"),
		SLIMFLY EQUAL TIMES("8us", "true") SWITCH("9KB", "") LOOPS ROUTING("minimal") CONTROL("rccc", ""),
		TORUS EQUAL TIMES("8us", "true") OUTPUTS("buffer = \"1KB\"; trim = true;") LOOPS ROUTING("minimal")
		    CONTROL("rccc", ""),
		TORUS EQUAL TIMES("8us", "true") OUTPUTS("buffer = \"1KB\";") LOOPS ROUTING(
		    "minimal") "congestion = { kind = \"rccc\"; }; nic = { loss = 0.02; timeout = \"2us\"; };",
	};
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		struct netrun x = { 0 };
		cr_assert(netrun_build(&x, NULL, networks[i]), "%s\n%s", netrun_error(&x), networks[i]);
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s", networks[i]);
		cr_expect_eq(x.r->total.delivered, x.r->total.created, "run %zu: %lu of %lu", i, x.r->total.delivered,
		             x.r->total.created);
		cr_expect_gt(x.r->total.delivered, 200);
		netrun_free(&x);
	}
}

/* Shares of several destinations of a source are whole bytes: what is left of a packet of one byte is asked for, too.
 */
Test(rccc, packets_of_one_byte_are_granted)
{
	struct netrun x = { 0 };
	const char *text =
	    "topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; }; links = { default = { bandwidth = "
	    "\"200Gbps\"; latency = \"300ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"16KiB\"; }; "
	    "congestion = { kind = \"rccc\"; }; traffic = ( { packet = [ \"1B\", \"4000B\", \"300B\" ]; load = "
	    "1.0; pattern = \"hotspot\"; fraction = 0.3; } ); time = { warmup = \"0us\"; measure = \"8us\"; "
	    "drain = true; };";
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	cr_expect_gt(x.r->total.created, 5000);
	cr_expect_eq(x.r->total.delivered, x.r->total.created, "%lu of %lu", x.r->total.delivered, x.r->total.created);
	netrun_free(&x);
}
