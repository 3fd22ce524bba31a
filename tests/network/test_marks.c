/* tests/network/test_marks.c - congestion controls that follow marks: incasts of messages that public simulators were
 * given too (docs/congestion.md has the table), and what follows from the rules. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/incast.h"
#include "tests/network/units.h"

#include <math.h>

#define MESSAGES(packet) INCAST_MESSAGES("1MiB", packet, "all")

/* 100 Gb/s, 1,000-byte packets with 48 bytes of headers, cables of 1 us, a queue that never overflows. */
#define DCQCN                                                                                          \
	"seed = %u; topology = { kind = \"single\"; ports = %u; }; links = { default = { bandwidth = " \
	"\"100Gbps\"; }; terminal = { latency = \"1us\"; header = \"48B\"; }; }; switch = { kind = "   \
	"\"output-queued\"; latency = \"0ns\"; buffer = \"64MB\"; ecn_kmin = \"400KB\"; ecn_kmax = "   \
	"\"1600KB\"; ecn_pmax = 0.2; }; nic = { ack_stage = \"0ns\"; timeout = \"5ms\"; }; "           \
	"congestion = { kind = \"dcqcn\"; %s };"

static struct incast dcqcn(unsigned n, unsigned seed, const char *timers)
{
	char text[2000];
	snprintf(text, sizeof text, DCQCN MESSAGES("1000B"), seed, n + 1, timers);
	return incast_of(text, n, 2.1);
}

/* reference/cc: a small model written from the rules, and ns-3: 1,139 to 1,154 us, 1,935 to 2,405 marks. */
Test(marks, dcqcn_with_vendor_timers)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = dcqcn(8, seed, "");
		cr_expect(o.last > 1139 * 0.97 && o.last < 1154 * 1.03, "last %.1f us", o.last);
		cr_expect((double)o.marked > 1935 * 0.85 && (double)o.marked < 2405 * 1.15, "%lu marked", o.marked);
		cr_expect_eq(o.retry.resent, 0);
	}
}

/* 707.7 us; the longest queue 7.3 to 7.4 MB. */
Test(marks, dcqcn_with_the_papers_timers)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = dcqcn(8, seed, "timers = \"paper\";");
		cr_expect_float_eq(o.last, 707.7, 707.7 * 0.005, "last %.1f us", o.last);
		cr_expect((double)o.peak > 7.3e6 * 0.95 && (double)o.peak < 7.4e6 * 1.05, "%lu bytes", o.peak);
	}
}

/* When the first mark is acknowledged. Seven packets come for each that leaves, from when the first of all has left on;
 * one that leaves with more than 400 KB behind it is marked with 0.2 (q - 400 KB) / 1,200 KB. */
static double no_mark_before(double us)
{
	double slot = 1048 * 8 / 100e3, none = 1;
	for (double t = 1 + slot; t + slot + 1 < us; t += slot) {
		double behind = 7 * 1048 * (t - 1 - slot) / slot;
		none *= behind > 400e3 ? 1 - 0.2 * (behind - 400e3) / 1200e3 : 1;
	}
	return none;
}

Test(marks, dcqcn_is_first_notified_when_the_queue_says)
{
	enum { SEEDS = 60 };
	static const unsigned ns[] = { 8500, 9600, 11500 };
	for (size_t i = 0; i < sizeof ns / sizeof *ns; i++) {
		double unmarked = 0, want = SEEDS * no_mark_before(ns[i] * 1e-3), spread;
		for (unsigned seed = 1; seed <= SEEDS; seed++) {
			struct netrun x = { 0 };
			char text[2000];
			snprintf(text, sizeof text,
			         DCQCN
			         "traffic = ( { process = \"window\"; to = \"first\"; size = "
			         "\"1MiB\"; packet = \"1000B\"; } ); time = { warmup = \"0us\"; measure = \"%uns\"; "
			         "drain = false; }; routing = { kind = \"minimal\"; };",
			         seed, 9u, "", ns[i]);
			cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
			cr_assert_eq(netrun_go(&x), NET_DONE);
			unmarked += !x.r->control.marked;
			netrun_free(&x);
		}
		spread = sqrt(want * (1 - want / SEEDS));
		cr_expect(fabs(unmarked - want) < 3 * spread + 1, "%u ns: %.0f of 60 without a mark, not %.1f", ns[i],
		          unmarked, want);
	}
}

/* A window bounds the queue at N windows less what the cables hold, and the link is never idle. */
Test(marks, dcqcn_with_a_window)
{
	struct incast o = dcqcn(8, 1, "window = \"52500B\";");
	cr_expect_float_eq(o.last, 707.7, 707.7 * 0.005, "last %.1f us", o.last);
	cr_expect_eq(o.marked, 0);
	cr_expect((double)o.peak > 360e3 && (double)o.peak < 420e3, "%lu bytes", o.peak);
}

/* 200 Gb/s, 4,096-byte packets with 64 bytes of headers, a switch that trims. */
static struct incast trimming(unsigned n, unsigned seed, const char *control)
{
	return incast_at_200g(n, seed, "buffer = \"120640B\"; trim = true;", "timeout = \"21us\";", control);
}

/* uet-htsim, five seeds: last completion 1,369 to 1,376 us, first 1,014 to 1,154, Jain's index .9946 to .9977; 1,170
 * packets again with one seed. Nothing may beat N messages' wire time. */
Test(marks, nscc_with_trimming)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = trimming(32, seed, "kind = \"nscc\"; rtt = \"4775840ps\";");
		cr_expect(o.last > 1369 * 0.995 && o.last < 1376 * 1.005, "last %.1f us", o.last);
		cr_expect(o.first > 1014 * 0.9 && o.first < 1154 * 1.1, "first %.1f us", o.first);
		cr_expect_gt(o.last, 1363.15);
		cr_expect(o.jain > 0.9946 - 0.003 && o.jain < 0.9977 + 0.003, "Jain's index %.4f", o.jain);
		cr_expect((double)o.retry.resent > 1170 * 0.75 && (double)o.retry.resent < 1170 * 1.25, "%lu again",
		          o.retry.resent);
		cr_expect_eq(o.retry.timeouts, 0);
		cr_expect_eq(o.retry.resent, o.retry.trimmed);
	}
}

/* The same of eight: 343 to 352 us, first 279 to 311, .9951 to .9985; 123 again with one seed. */
Test(marks, nscc_of_eight_with_trimming)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = trimming(8, seed, "kind = \"nscc\"; rtt = \"4775840ps\";");
		cr_expect(o.last > 343 * 0.995 && o.last < 352 * 1.005, "last %.1f us", o.last);
		cr_expect(o.first > 279 * 0.9 && o.first < 311 * 1.1, "first %.1f us", o.first);
		cr_expect(o.jain > 0.9951 - 0.005 && o.jain < 0.9985 + 0.003, "Jain's index %.4f", o.jain);
		cr_expect((double)o.retry.resent > 123 * 0.75 && (double)o.retry.resent < 123 * 1.25, "%lu again",
		          o.retry.resent);
	}
}

/* uet-htsim: 1,366.7 to 1,369.7 us, Jain's index .9999, 642 packets again. */
Test(marks, dctcp_with_trimming)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = trimming(32, seed, "kind = \"ecn-dctcp\";");
		cr_expect(o.last > 1366.7 * 0.995 && o.last < 1369.7 * 1.005, "last %.1f us", o.last);
		cr_expect_gt(o.jain, 0.999);
		cr_expect((double)o.retry.resent > 642 * 0.9 && (double)o.retry.resent < 642 * 1.1, "%lu",
		          o.retry.resent);
	}
}

/* Alone, a flow has the link from the first packet on: first windows hold more than a round trip. */
Test(marks, a_flow_alone_has_the_link)
{
	static const char *const control[] = { "kind = \"nscc\";", "kind = \"ecn-dctcp\";" };
	for (int i = 0; i < 2; i++) {
		struct incast o = trimming(1, 1, control[i]);
		double wire = 256 * 4160 * 8 / 200e3, path = 0.85 + 0.1664 + 0.85;
		cr_expect_float_eq(o.last, wire + path, 0.01, "%s %.3f us, %.3f", control[i], o.last, wire + path);
		cr_expect_eq(o.retry.resent, 0);
	}
	struct incast o = dcqcn(1, 1, "");
	cr_expect_float_eq(o.last, 1049 * 1048 * 8 / 100e3 + 2 + 0.084 + 2.1, 0.2, "%.3f us", o.last);
}

Test(marks, what_they_need_is_checked)
{
	struct netrun x = { 0 };
	cr_expect_not(netrun_build(&x, NULL,
	                           SLIMFLY EQUAL SWITCH("9KB", "") UNIFORM("0.3") ROUTING("minimal") PLAIN
	                           "congestion = { kind = \"nscc\"; };"));
	cr_expect(strstr(netrun_error(&x), "requires switches that mark packets"), "%s", netrun_error(&x));
	netrun_free(&x);
	struct netrun y = { 0 };
	cr_expect_not(netrun_build(&y, NULL,
	                           SLIMFLY EQUAL "switch = { kind = \"output-queued\"; trim = true; };" UNIFORM("0.3")
	                               ROUTING("minimal") PLAIN "congestion = { kind = \"slingshot\"; };"));
	cr_expect(strstr(netrun_error(&y), "requires a network without loss"), "%s", netrun_error(&y));
	netrun_free(&y);
}
