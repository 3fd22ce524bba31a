/* tests/network/test_recovery.c - nscc where switches drop packets: lost ones are found by packets out of order, and by
 * probes. */
#include "congestion/congestion.h"
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/incast.h"
#include "tests/network/units.h"

/* As the runs of uet-htsim with nscc-notrim: 200 Gb/s, packets of 4,096 bytes with 64 of headers, a queue of five
 * bandwidth-delay products; the automatic timeout is theirs, 15 us and six times the queue. */
static struct incast dropping(unsigned n, unsigned seed, const char *recovery)
{
	char control[300];
	snprintf(control, sizeof control, "kind = \"nscc\"; rtt = \"4775840ps\"; %s", recovery);
	return incast_at_200g(n, seed, "buffer = \"603200B\";", "", control);
}

/* reference/cc, six seeds: last 1,685 to 1,770 us, mean 1,550 to 1,647, first 1,051 to 1,353, Jain's index .982 to
 * .9971; with one of them 2,644 packets go again. */
Test(recovery, an_incast_of_32_as_elsewhere)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = dropping(32, seed, "");
		cr_expect(o.last > 1685 * 0.95 && o.last < 1770 * 1.05, "last %.1f us", o.last);
		cr_expect(o.mean > 1550 * 0.95 && o.mean < 1647 * 1.05, "mean %.1f us", o.mean);
		cr_expect(o.first > 1051 * 0.9 && o.first < 1353 * 1.1, "first %.1f us", o.first);
		cr_expect(o.jain > 0.982 - 0.003 && o.jain <= 1, "Jain's index %.4f", o.jain);
		cr_expect((double)o.retry.resent > 2644 * 0.75 && (double)o.retry.resent < 2644 * 1.25, "%lu again",
		          o.retry.resent);
		cr_expect_gt(o.retry.probes, 500);
		cr_expect_eq(o.retry.trimmed, 0);
	}
}

/* 343 to 352 us, first 222 to 296, .975 to .9971. */
Test(recovery, an_incast_of_8_as_elsewhere)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = dropping(8, seed, "");
		cr_expect(o.last > 343 * 0.98 && o.last < 352 * 1.02, "last %.1f us", o.last);
		cr_expect(o.first > 222 * 0.9 && o.first < 296 * 1.1, "first %.1f us", o.first);
		cr_expect(o.jain > 0.975 - 0.005 && o.jain < 0.9971 + 0.003, "Jain's index %.4f", o.jain);
	}
}

/* Each of the rules is ours: nothing goes again in vain, and the link is not idle. Nothing may beat 1,363.15 us. */
Test(recovery, sparing_loses_no_time)
{
	for (unsigned seed = 1; seed <= 5; seed++) {
		struct incast o = dropping(32, seed, "recovery = \"sparing\";");
		cr_expect(o.last > 1363.15 && o.last < 1400, "last %.1f us", o.last);
		cr_expect_lt(o.retry.duplicates, 50, "%lu came twice", o.retry.duplicates);
	}
}

/* Then only what is overdue goes again: each copy is one that was dropped. */
Test(recovery, by_timeouts_alone_if_asked)
{
	struct incast o = dropping(32, 1, "recovery = \"timeout\";");
	cr_expect_eq(o.retry.probes, 0);
	cr_expect_eq(o.retry.resent, o.retry.timeouts);
	cr_expect_eq(o.retry.resent, o.retry.dropped);
}

/* --- the rules, by hand -------------------------------------------------------------------------------------- */

#define MTU 4160u
#define RTT UINT64_C(4000000)
#define TARGET UINT64_C(3000000)

struct bench {
	struct {
		uint64_t rtt, pair_rtt, target;
		int recovery;
	} params;
	struct cc cc;
	struct cc_pair pair;
	const struct cc_ops *ops;
};

enum { SLEEK = 2, SPARING = 3 }; /* of recovery's choices */

/* A pair at 200 Gb/s whose round trip is 4 us: a window of 150,000 bytes, 36 packets. */
static void set_up(struct bench *b, int recovery)
{
	struct base_errors errors = { 0 };
	*b = (struct bench){ .params = { RTT, RTT, TARGET, recovery }, .ops = cc_nscc.ops };
	b->cc = (struct cc){ .ops = b->ops,
		             .params = &b->params,
		             .ps_per_byte_q16 = 40ull << 16,
		             .max_frame = MTU,
		             .header = 64,
		             .rtt = RTT,
		             .retry = true,
		             .drops = true };
	cr_assert_eq(sizeof b->params, cc_nscc.params_bytes);
	cr_assert_eq(b->ops->build(&b->cc, &errors), 0);
	cr_assert(b->ops->recovery.recovers(&b->cc));
	cr_assert_eq(b->ops->source.may_send(&b->cc, &b->pair, 1, MTU), 1);
}

static struct cc_gap hear(struct bench *b, uint64_t now, struct cc_ack ack, uint32_t acked, uint32_t beyond,
                          uint32_t sent, bool more)
{
	struct cc_gap gap = { .acked = acked, .beyond = beyond, .more = more };
	b->pair.sent = sent;
	b->ops->recovery.recover(&b->cc, &b->pair, now, &ack, &gap);
	return gap;
}

static uint64_t probe_at(struct bench *b, uint64_t now)
{
	return b->ops->recovery.probe(&b->cc, &b->pair, now, false);
}

/* One and a half windows are more than the greatest window, so 150,000 bytes of 4,096 are what counts: 36. Then 36
 * packets from the first that is missing on are lost, up to the last that had been sent; none is found twice. */
Test(recovery, packets_out_of_order)
{
	struct bench b;
	const struct cc_ack ack = { .bytes = MTU, .sent = 0 };
	set_up(&b, SLEEK);
	struct cc_gap g = hear(&b, RTT, ack, 10, 35, 60, true);
	cr_expect(!g.from && !g.to);
	g = hear(&b, RTT, ack, 10, 36, 60, true);
	cr_expect(g.from == 10 && g.to == 46, "%u to %u", g.from, g.to);
	g = hear(&b, RTT + 1, ack, 10, 37, 61, true);
	cr_expect(g.from >= g.to);
	b.pair.in_flight = 1u << 30; /* what is recovered goes whatever is in flight; what is new does not */
	b.pair.again = 1;
	cr_expect_eq(b.ops->source.may_send(&b.cc, &b.pair, RTT + 1, MTU), RTT + 1);
	b.pair.again = 0;
	cr_expect_eq(b.ops->source.may_send(&b.cc, &b.pair, RTT + 1, MTU), SIM_NEVER);
	g = hear(&b, RTT + 2, ack, 30, 20, 62, true); /* the window has moved on; the recovery ends at 60 */
	cr_expect(g.from == 46 && g.to == 60, "%u to %u", g.from, g.to);
	cr_expect_not(b.ops->recovery.overdue(&b.cc, &b.pair, 50, 1)); /* lost again: it is found again */
	g = hear(&b, RTT + 3, ack, 40, 10, 62, true);
	cr_expect(g.from == 50 && g.to == 60, "%u to %u", g.from, g.to);
	g = hear(&b, RTT + 4, ack, 60, 0, 62, true);
	cr_expect(g.from >= g.to);
	cr_expect(b.ops->recovery.overdue(&b.cc, &b.pair, 61, 0));
}

static void check_probes(int recovery)
{
	struct bench b;
	const struct cc_ack ack = { .bytes = MTU, .sent = 0 };
	bool sparing = recovery == SPARING;
	set_up(&b, recovery);
	cr_expect_eq(probe_at(&b, 0), SIM_NEVER); /* nothing has left yet */
	hear(&b, RTT, ack, 10, 0, 20, true);
	cr_expect_eq(probe_at(&b, RTT), RTT + 3 * RTT);
	hear(&b, 2 * RTT, ack, 11, 0, 20, false);
	cr_expect_eq(probe_at(&b, 2 * RTT), 2 * RTT + RTT + TARGET);
	cr_expect_eq(b.ops->recovery.probe(&b.cc, &b.pair, 10 * RTT, true), 15 * RTT);
	/* long delayed, and so are packets: nothing is lost yet */
	struct cc_ack answer = { .probe = true, .sent = 10 * RTT };
	struct cc_gap g = hear(&b, 11 * RTT + TARGET, answer, 11, 0, 20, false);
	cr_expect(g.from >= g.to);
	/* in time: what had left before it would have come */
	cr_expect_eq(b.ops->recovery.probe(&b.cc, &b.pair, 20 * RTT, true), 25 * RTT);
	answer.sent = 20 * RTT;
	g = hear(&b, 21 * RTT + TARGET - 1, answer, 11, 0, 24, false);
	cr_expect(g.from == 11 && g.to == (sparing ? 20 : 24), "%u to %u", g.from, g.to);
	hear(&b, 22 * RTT, ack, 24, 0, 24, false); /* all has come, and nothing waits */
	cr_expect_eq(probe_at(&b, 22 * RTT), SIM_NEVER);
	b.ops->source.sent(&b.cc, &b.pair, 30 * RTT, MTU);
	cr_expect_eq(probe_at(&b, 30 * RTT), sparing ? 35 * RTT : SIM_NEVER);
	b.ops->source.sent(&b.cc, &b.pair, 31 * RTT, MTU);
	cr_expect_eq(probe_at(&b, 31 * RTT), sparing ? 35 * RTT : SIM_NEVER);
	b.ops->source.sent(&b.cc, &b.pair, 35 * RTT - 1, MTU); /* as good as a probe */
	cr_expect_eq(probe_at(&b, 35 * RTT - 1), sparing ? 40 * RTT - 1 : SIM_NEVER);
}

Test(recovery, probes)
{
	check_probes(SLEEK);
	check_probes(SPARING);
}

/* --- in networks --------------------------------------------------------------------------------------------- */

#define FROM_0(measure) "time = { warmup = \"0us\"; measure = \"" measure "\"; drain = true; };"
#define ALONE(ports, bandwidth, more)                                                                           \
	"topology = { kind = \"single\"; ports = " ports "; }; links = { terminal = { bandwidth = \"" bandwidth \
	"\"; latency = \"50ns\"; }; }; switch = { kind = \"output-queued\"; " more                              \
	" }; routing = { kind = \"minimal\"; }; "

/* us until all is done, by a control; *retry: what went again. */
static double until_done(const char *network, const char *control, struct net_retry_result *retry)
{
	char text[3000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text, "%s congestion = { kind = \"nscc\"; %s };", network, control);
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	cr_expect_eq(x.r->total.delivered, x.r->total.created);
	*retry = x.r->retry;
	double us = (double)x.r->total.iteration.max * 1e-6;
	netrun_free(&x);
	return us;
}

/* Many pairs of an interface take turns: packets go before probes, whatever is due; nothing is lost, and little time.
 */
Test(recovery, probes_hold_nothing_up)
{
	static const char *const networks[] = {
		ALONE("110", "25Gbps", "")
		    FROM_0("1ms") "traffic = ( { process = \"all-to-all\"; paced = false; size = \"512B\"; "
				  "packet = \"256B\"; iterations = 1; } );",
		ALONE("9", "100Gbps", "buffer = \"5MB\";")
		    FROM_0("1ms") "nic = { ack_every = \"4KiB\"; }; traffic = ( { process = \"all-to-all\"; "
				  "paced = false; size = \"64KiB\"; "
				  "packet = \"256B\"; iterations = 1; } );",
	};
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		struct net_retry_result by_time, found, sparingly;
		double without = until_done(networks[i], "recovery = \"timeout\";", &by_time),
		       with = until_done(networks[i], "", &found),
		       sparing = until_done(networks[i], "recovery = \"sparing\";", &sparingly);
		cr_expect(with < 1.5 * without, "%zu: %.2f us, %.2f", i, with, without);
		cr_expect(sparing < 1.05 * without, "%zu: %.2f us, %.2f", i, sparing, without);
		cr_expect_eq(by_time.probes, 0);
		cr_expect_eq(found.dropped, 0);
		cr_expect_eq(sparingly.resent, 0, "%zu: %lu again", i, sparingly.resent);
	}
}

/* A round trip that cannot be makes no more probes than links carry beside packets. */
Test(recovery, round_trips_too_short)
{
	struct net_retry_result r;
	double us = until_done(
	    ALONE("2", "25Gbps", "") FROM_0(
		"9us") "traffic = ( { process = \"window\"; to = \"first\"; size = \"64KiB\"; packet = \"1024B\"; "
		       "iterations = 1; } );",
	    "pair_rtt = \"1ns\";", &r);
	cr_expect_lt(us, 200, "%.2f us", us);
}

/* A packet alone is found lost long before it is overdue: a probe asks for it. */
Test(recovery, a_packet_alone)
{
	struct net_retry_result r;
	const char *network = ALONE("2", "200Gbps", "buffer = \"600KB\";")
	    FROM_0("2ms") "nic = { loss = 0.02; }; traffic = ( { process = \"window\"; to = \"first\"; size = "
			  "\"4KiB\"; packet = \"4096B\"; "
			  "iterations = 200; } );";
	double found = until_done(network, "recovery = \"sparing\";", &r),
	       overdue = until_done(network, "recovery = \"timeout\";", &r);
	cr_expect_gt(r.timeouts, 2);
	cr_expect_gt(overdue, 100);
	cr_expect_lt(found, 30, "%.2f us, %.2f overdue", found, overdue);
}

/* Probes may be lost as packets are; every packet comes once, and what is sent is conserved (net_conserved()). */
Test(recovery, losses_of_all_kinds)
{
	static const char *const nic[] = { "", "loss = 0.05;", "loss = 0.05; ack_every = \"2KB\";",
		                           "loss = 0.02; ack_width = 0.5; ack = \"hop\";" };
	for (size_t i = 0; i < sizeof nic / sizeof *nic; i++) {
		char text[3000];
		snprintf(text, sizeof text, "%s nic = { timeout = \"9us\"; %s }; congestion = { kind = \"nscc\"; };",
		         DRAGONFLY MIXED TIMES("20us", "true") OUTPUTS("buffer = \"4KB\";") INCAST ROUTING("minimal"),
		         nic[i]);
		struct netrun x = { 0 };
		cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
		cr_expect_eq(x.r->total.delivered, x.r->total.created, "%s", text);
		cr_expect_gt(x.r->retry.probes, 10, "%s", text);
		cr_expect_gt(x.r->retry.dropped, 10, "%s", text);
		/* each copy that was lost went again, if it was no probe */
		cr_expect_geq(x.r->retry.resent + x.r->retry.probes, x.r->retry.dropped + x.r->retry.damaged, "%s",
		              text);
		netrun_free(&x);
	}
}

Test(recovery, a_scheme_that_recovers_has_all_it_needs)
{
	struct cc_ops ops = *(const struct cc_ops *)cc_nscc.ops;
	struct base_plugin half = cc_nscc;
	struct netrun x = { 0 }, y = { 0 };
	ops.recovery.probe = NULL;
	half.name = "half";
	half.ops = &ops;
	cr_expect_not(netrun_build(&x, &half,
	                           DRAGONFLY MIXED PLAIN OUTPUTS("buffer = \"4KB\";")
	                               INCAST ROUTING("minimal") "congestion = { kind = \"half\"; };"));
	cr_expect(strstr(netrun_error(&x), "probe"), "%s", netrun_error(&x));
	netrun_free(&x);
	cr_expect_not(
	    netrun_build(&y, NULL,
	                 "topology = { kind = \"single\"; ports = 16; };" EQUAL PLAIN OUTPUTS("pfc = true;")
	                     INCAST ROUTING("minimal") "congestion = { kind = \"nscc\"; recovery = \"sleek\"; };"));
	cr_expect(strstr(netrun_error(&y), "only if packets are lost and retransmitted"), "%s", netrun_error(&y));
	netrun_free(&y);
}

/* A probe has no payload: where frames have a granule, but no header, it still takes one, and so time of a link. One
 * that took none would leave at one instant with the next packet, and nothing would order the two. */
Test(recovery, a_frame_without_payload_takes_a_granule)
{
	uint64_t digest[2];
	for (int optimistic = 0; optimistic < 2; optimistic++) {
		char text[3000];
		struct netrun x = { 0 };
		snprintf(text, sizeof text, "%s engine = { sync = \"%s\"; stress = %d; };",
		         "seed = 1544868685; time = { warmup = \"1us\"; measure = \"2us\"; drain = false; }; topology "
		         "= { kind = "
		         "\"torus\"; dims = [3, 3]; endpoints = 3; }; links = { default = { granule = \"128B\"; }; }; "
		         "switch = { "
		         "kind = \"output-queued\"; }; routing = { kind = \"minimal\"; }; congestion = { kind = "
		         "\"nscc\"; target = "
		         "\"50ns\"; }; traffic = ( { pattern = \"uniform\"; load = 0.5; packet = \"64B\"; } );",
		         optimistic ? "optimistic" : "sequential", optimistic ? 100 : 0);
		cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
		cr_expect_gt(x.r->retry.probes, 0);
		digest[optimistic] = x.r->digest;
		netrun_free(&x);
	}
	cr_expect_eq(digest[0], digest[1]);
}
