/* tests/network/test_swift.c - a congestion control that follows round trips: against its target, and against a public
 * simulator. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/incast.h"

#include <math.h>

/* csg-htsim: a fat tree of 128 endpoints, three levels, cables of 1 us, switches without latency, 100 Gb/s, packets of
 * 4,000 bytes, queues that never overflow. There the senders are not named, and a flow keeps to one path; here they are
 * those of other pods, and packets take any. 8 senders: 181.6 to 185.1 us, 1,052,000 bytes 678.9 to 689.5; 32: means
 * 668.7 and 2,678.7, last ones 708.5 and 2,731.7. */
static struct incast tree(const char *size, unsigned n)
{
	char text[2000];
	snprintf(
	    text, sizeof text,
	    "seed = 1; topology = { kind = \"fattree\"; k = 8; }; links = { default = { bandwidth = \"100Gbps\"; "
	    "latency = \"1us\"; }; }; switch = { kind = \"output-queued\"; latency = \"0ns\"; buffer = \"16MB\"; }; "
	    "nic = { ack_stage = \"3200ps\"; timeout = \"10ms\"; }; congestion = { kind = \"swift\"; base = "
	    "\"20us\"; }; traffic = ( { process = \"window\"; to = \"first\"; size = \"%s\"; packet = \"4000B\"; "
	    "nodes = \"0,64-%u\"; iterations = 1; } ); record = { packets = true; }; time = { warmup = \"0us\"; "
	    "measure = \"5ms\"; drain = true; }; routing = { kind = \"minimal\"; };",
	    size, 63 + n);
	return incast_of(text, n, 6.02);
}

Test(swift, incasts_of_a_public_simulator)
{
	static const struct {
		const char *size;
		unsigned n;
		double mean, last, within;
	} runs[] = { { "264000B", 8, 183.42, 185.14, 0.02 },
		     { "1052000B", 8, 685.46, 689.46, 0.02 },
		     { "264000B", 32, 668.66, 708.52, 0.03 },
		     { "1052000B", 32, 2678.67, 2731.74, 0.02 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct incast o = tree(runs[i].size, runs[i].n);
		cr_expect_float_eq(o.mean, runs[i].mean, runs[i].mean * runs[i].within, "mean %.1f us, not %.1f",
		                   o.mean, runs[i].mean);
		cr_expect_float_eq(o.last, runs[i].last, runs[i].last * runs[i].within, "last %.1f us, not %.1f",
		                   o.last, runs[i].last);
		cr_expect_eq(o.retry.resent, 0);
	}
}

struct trips {
	double sum;
	uint64_t count;
};

static void add_trip(void *arg, const struct net_packet_record *p)
{
	struct trips *t = arg;
	t->sum += p->delivered > 2000000000 ? (double)(p->delivered - p->injected) * 1e-6 + 0.3 : 0;
	t->count += p->delivered > 2000000000;
}

/* us of the mean round trip, from 2 ms on, of `n` endpoints that write to one at 200 Gb/s, frames of 1,000 bytes. */
static double trip_of(unsigned n, const char *more, double *accepted)
{
	char text[2000];
	struct netrun x = { 0 };
	struct trips t = { 0 };
	snprintf(text, sizeof text,
	         "seed = 1; time = { warmup = \"2ms\"; measure = \"2ms\"; drain = false; }; topology = { kind = "
	         "\"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = { latency = "
	         "\"100ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"4MB\"; traversal = \"100ns\"; }; nic = { "
	         "ack_stage = \"100ns\"; }; congestion = { kind = \"swift\"; %s }; routing = { kind = \"minimal\"; }; "
	         "record = { packets = true; }; traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = "
	         "\"1000B\"; } );",
	         n + 1, more);
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	net_each_packet(x.net, add_trip, &t);
	*accepted = x.r->total.accepted_load * n;
	netrun_free(&x);
	return t.sum / (double)t.count;
}

/* Alone: the round trip is short of the target, the window opens, the link is full. Together the round trip swings
 * about the target of the window that fits it: N w packets are a round trip's worth of the link, so w is known. It
 * swings below: each decrease takes what the flows had together above. */
Test(swift, round_trips_are_at_the_target)
{
	static const unsigned flows[] = { 2, 4, 8, 16 };
	double accepted, base = 10;
	trip_of(1, "base = \"10us\"; hop = \"0ns\";", &accepted);
	cr_expect_gt(accepted, 0.999);
	for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
		double trip = trip_of(flows[i], "base = \"10us\"; hop = \"0ns\";", &accepted);
		double w = trip * 25 / flows[i]; /* a packet takes 1/25 us */
		double a = 5 * base / (1 / sqrt(0.1) - 0.1), target = base + fmax(a / sqrt(floor(w)) - a / 10, 0);
		cr_expect(trip < 1.1 * target && trip > 0.75 * target, "%u flows: %.2f us, aims at %.2f", flows[i],
		          trip, target);
		cr_expect_gt(accepted, 0.99, "%u flows: %f", flows[i], accepted);
	}
}

/* 400 senders of less than a packet each: pacing keeps the round trip below the greatest target, 6 bases, though one
 * packet of each would take 16 us, and the link is not idle. Cables count by `hop`. */
Test(swift, windows_of_less_than_a_packet)
{
	double accepted, trip = trip_of(400, "base = \"1us\"; hop = \"0ns\";", &accepted);
	cr_expect(trip < 7, "%.2f us", trip);
	cr_expect_gt(accepted, 0.9, "%f", accepted);
	double longer = trip_of(400, "base = \"1us\"; hop = \"2us\";", &accepted);
	cr_expect(longer > trip + 2 && longer < trip + 5, "%.2f us and %.2f", trip, longer);
}

/* 31 endpoints write to one whose switch trims: at first nothing comes but headers. */
Test(swift, headers_alone_slow_sources_down)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL,
	                       TORUS EQUAL TIMES("10us", "true") OUTPUTS("buffer = \"3KB\"; trim = true;") ROUTING(
				   "minimal") "congestion = { kind = \"swift\"; }; traffic = ( { process = \"window\"; "
	                                      "to = \"first\"; size = \"3000B\"; packet = \"256B\"; outstanding = 2; "
	                                      "iterations = 4; } );"),
	          "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	cr_expect_lt(x.r->retry.resent, 5 * x.r->total.created);
	netrun_free(&x);
}

Test(swift, what_is_lost_comes_even_so)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL,
	                       DRAGONFLY MIXED TIMES("8us", "true") SWITCH("8KB", "") LOOPS ROUTING(
				   "minimal") "congestion = { kind = \"swift\"; first = 2; }; nic = { loss = 0.03; "
	                                      "timeout = \"1us\"; };"),
	          "%s", netrun_error(&x));
	cr_assert_eq(netrun_go(&x), NET_DONE);
	cr_expect_gt(x.r->retry.resent, 10);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	cr_expect_gt(x.r->control.throttles, 0);
	netrun_free(&x);
}
