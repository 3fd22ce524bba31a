/* tests/network/test_control.c - endpoints that decide when they send: the exact path against the fast one, congestion
 * control against closed forms and a hand calculation. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

struct outcome {
	uint64_t digest, delivered, queued;
	double accepted, latency;
	struct net_control control;
};

static struct outcome outcome_of(const char *text)
{
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	struct outcome o = {
		x.r->digest, x.r->total.delivered, x.r->total.queued, x.r->total.accepted_load, x.r->total.latency.mean,
		x.r->control
	};
	netrun_free(&x);
	return o;
}

/* Where all that is created arrives, both paths tell the same: packets that begin to leave in the last latency of a run
 * that is cut off are counted as queued on the fast one, as injected on the exact one. Where buffers are so short that
 * endpoints of one switch begin to send at the same instant, as bytes come back to both, the two order them otherwise:
 * then means agree. */
Test(control, exact_path_tells_what_the_fast_one_tells)
{
	static const char *const networks[] = {
		SLIMFLY EQUAL SWITCH("100KB", "") UNIFORM("0.6") ROUTING("minimal"),
		SLIMFLY EQUAL SWITCH("90KB", "") JOBS ROUTING("valiant"),
		DRAGONFLY MIXED SWITCH("8KB", "") UNIFORM("0.4") ROUTING("ugal-l"),
		DRAGONFLY FRAMED SWITCH("12KB", "") UNIFORM("0.4") ROUTING("ugal-g"),
		TORUS MIXED_RINGS "switch = { kind = \"crossbar\"; };" UNIFORM("0.3") ROUTING("minimal"),
		DRAGONFLY EQUAL "switch = { kind = \"tiled\"; };" UNIFORM("0.5") ROUTING("minimal"),
		DRAGONFLY EQUAL "switch = { kind = \"tiled\"; };" BURSTS ROUTING("par"),
	};
	char text[3000];
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		snprintf(text, sizeof text, "%s %s", networks[i], TIMES("8us", "true"));
		struct outcome fast = outcome_of(text);
		snprintf(text, sizeof text, "%s %s engine = { path = \"exact\"; };", networks[i], TIMES("8us", "true"));
		struct outcome exact = outcome_of(text);
		cr_assert_gt(fast.delivered, 500);
		cr_expect_eq(exact.digest, fast.digest, "%s", text);
		cr_expect_null(fast.control.kind);
	}
	const char *scarce = SLIMFLY EQUAL SWITCH("3KB", "") UNIFORM("0.6") ROUTING("minimal") TIMES("40us", "true");
	struct outcome fast = outcome_of(scarce);
	snprintf(text, sizeof text, "%s engine = { path = \"exact\"; };", scarce);
	struct outcome exact = outcome_of(text);
	cr_expect_eq(exact.delivered, fast.delivered);
	cr_expect_float_eq(exact.latency / fast.latency, 1, 0.002, "%f and %f ps", exact.latency, fast.latency);
}

/* N pairs to one receiver with windows of w bytes, frames of b bytes, one switch. A round trip without waiting is the
 * packet's way, two cables, a traversal and two serialisations where the switch stores what it forwards, or one where
 * it cuts through, and the acknowledgement's, two cables and a stage: r0. Throughput: min(1, N k b / (C r0)) where
 * k = floor(w / b) packets are in flight (congestion/window.c). */
#define WINDOW_RUN                                                                                                     \
	"seed = 1; time = { warmup = \"50us\"; measure = \"200us\"; drain = false; }; "                                \
	"topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = " \
	"{ "                                                                                                           \
	"latency = \"%uns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; traversal = \"100ns\"; }; "          \
	"nic = { ack_stage = \"150ns\"; }; congestion = { kind = \"window\"; window = \"%uB\"; }; "                    \
	"traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = \"1000B\"; } );"

Test(control, throughput_of_a_window_is_the_closed_form)
{
	static const struct {
		unsigned pairs, cable, window;
	} runs[] = { { 1, 400, 1000 }, { 1, 400, 2500 },  { 1, 400, 30000 }, { 3, 1000, 4000 },
		     { 3, 50, 1000 },  { 7, 2000, 3000 }, { 40, 300, 1000 }, { 5, 5000, 999 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		char text[3000];
		unsigned packets = runs[i].window < 1000 ? 1 : runs[i].window / 1000;
		snprintf(text, sizeof text, WINDOW_RUN, runs[i].pairs + 1, runs[i].cable, runs[i].window);
		struct outcome o = outcome_of(text);
		double ser = 40, trip = 4.0 * runs[i].cable + 100 + 150 + ser; /* ns */
		double want = runs[i].pairs * packets * ser / trip, got = o.accepted * runs[i].pairs;
		want = want < 1 ? want : 1;
		cr_expect_float_eq(got, want, 0.002, "%u pairs, cables of %u ns, %u bytes: %.5f, not %.5f",
		                   runs[i].pairs, runs[i].cable, runs[i].window, got, want);
		cr_expect(want == 1 || o.control.throttles > 0);
	}
}
