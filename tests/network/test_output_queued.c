/* tests/network/test_output_queued.c - the output-queued switch against closed forms: path times, queues that grow,
 * drops, trims, marks, pauses. */
#include "experiments/config/config.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

#include <math.h>

/* At the end of a switch: nothing is sent again. */
#define LOSE "}; nic = { retry = \"off\"; "

#define SER 166400u /* ps: 4,160 bytes at 200 Gb/s */
#define WIRE 4160u
#define RATE 40u /* ps a byte */

/* N sources at full rate, whose first packets leave within one packet's time, to one receiver. */
#define OVERLOAD                                                                                                       \
	"seed = 7; time = { warmup = \"0us\"; measure = \"%uns\"; drain = false; }; "                                  \
	"topology = { kind = \"single\"; ports = %u; }; "                                                              \
	"links = { terminal = { bandwidth = \"200Gbps\"; latency = \"250ns\"; }; }; "                                  \
	"switch = { kind = \"output-queued\"; latency = \"350ns\"; %s }; record = { packets = true; }; "               \
	"traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = \"4160B\"; injection = \"periodic\"; } " \
	");"

Test(output_queued, idle_path_time_is_serialisations_and_cables_and_switches)
{
	struct netrun x = { 0 };
	run(&x,
	    DRAGONFLY EQUAL TIMES("400us", "true") "switch = { kind = \"output-queued\"; latency = \"130ns\"; };"
	                                           "record = { packets = true; };" ROUTING("minimal") UNIFORM("0.002"));
	struct packets l = packets_of(&x);
	size_t alone = 0;
	cr_assert_gt(l.n, 500);
	for (size_t i = 0; i < l.n; i++) {
		uint64_t ser = 20480, h = l.v[i].hops, took = l.v[i].delivered - l.v[i].injected;
		uint64_t least = (h + 2) * ser + h * 50000 + 2 * 30000 + (h + 1) * 130000;
		cr_assert_geq(took, least, "%lu hops in %lu ps", h, took);
		alone += took == least;
	}
	cr_expect_gt((double)alone, 0.97 * (double)l.n);
	free(l.v);
	netrun_free(&x);
}

/* The injection time of the first packet that is lost, of `sources` that send in turn with period SER; *left: packets
 * that were delivered. */
static uint64_t first_loss(unsigned sources, unsigned ns, const char *sw, struct sw_tally *tally, uint64_t *left)
{
	static uint8_t came[64][4096];
	static uint64_t phase[64];
	struct netrun x = { 0 };
	char text[200];
	snprintf(text, sizeof text, "%s " LOSE, sw);
	run(&x, OVERLOAD, ns, sources + 1, text);
	struct packets l = packets_of(&x);
	uint64_t first = UINT64_MAX;
	memset(came, 0, sizeof came);
	for (size_t i = 0; i < l.n; i++) {
		came[l.v[i].src][l.v[i].seq] = 1;
		phase[l.v[i].src] = l.v[i].injected - l.v[i].seq * SER;
	}
	for (unsigned s = 1; s <= sources; s++)
		for (unsigned k = 0; k < 4096; k++)
			if (!came[s][k]) {
				first = phase[s] + k * SER < first ? phase[s] + k * SER : first;
				break;
			}
	*tally = x.r->switches;
	*left = l.n;
	free(l.v);
	netrun_free(&x);
	return first;
}

/* From when the first packets are there the queue grows by (N - 1) C, so it is full after Q / ((N - 1) C); the packet
 * that comes next, or the one that came last, is lost. A queue of Q bytes holds floor(Q / wire) packets. */
Test(output_queued, first_loss_comes_when_the_queue_is_full)
{
	static const struct {
		unsigned sources, packets;
	} runs[] = { { 2, 20 }, { 4, 29 }, { 8, 145 }, { 32, 29 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
		for (int trim = 0; trim < 2; trim++) {
			char sw[100];
			struct sw_tally t;
			uint64_t left;
			snprintf(sw, sizeof sw, "buffer = \"%uB\"; trim = %s;", runs[i].packets * WIRE,
			         trim ? "true" : "false");
			uint64_t at = first_loss(runs[i].sources, 30000, sw, &t, &left);
			double want = (double)runs[i].packets * SER / (runs[i].sources - 1);
			cr_expect_float_eq((double)at, want, 2.0 * SER, "%u sources, %u packets: %lu ps, not %.0f",
			                   runs[i].sources, runs[i].packets, at, want);
			cr_expect_gt(trim ? t.trims : t.drops, 50);
			cr_expect_eq(trim ? t.drops : t.trims, 0);
			cr_expect_eq(trim ? 0 : t.peak_bytes, trim ? 0 : runs[i].packets * WIRE);
		}
}

/* What two buffers lose of the same packets differs by what the larger one holds more, exactly. */
Test(output_queued, losses_of_two_buffers_differ_by_what_one_holds_more)
{
	uint64_t dropped[3], delivered[3];
	static const unsigned packets[] = { 10, 25, 111 };
	for (int i = 0; i < 3; i++) {
		char sw[100];
		snprintf(sw, sizeof sw, "buffer = \"%uB\";" LOSE, packets[i] * WIRE + 7 * (unsigned)i);
		struct net_flow f = flow_of(OVERLOAD, 40000, 9, sw);
		dropped[i] = f.dropped;
		delivered[i] = f.delivered;
		cr_expect_eq(f.created, f.delivered + f.dropped + f.in_flight + f.queued);
	}
	cr_expect_eq(delivered[0], delivered[1]);
	cr_expect_eq(delivered[0], delivered[2]);
	cr_expect_eq(dropped[0] - dropped[1], packets[1] - packets[0]);
	cr_expect_eq(dropped[0] - dropped[2], packets[2] - packets[0]);
}

/* With kmin = kmax = K every packet is marked from when more than K is behind: of those that leave one in K / ((N - 1)
 * wire) is too early. Between them the probability rises linearly: half of those are marked while the queue passes. */
Test(output_queued, marks_begin_at_the_threshold_and_rise_linearly)
{
	struct sw_tally t;
	uint64_t left;
	first_loss(5, 60000, "buffer = \"1MB\"; ecn_kmin = \"83200B\"; ecn_kmax = \"83200B\";", &t, &left);
	cr_expect_float_eq((double)t.marks, (double)left - 20.0 / 4, 3.0, "%lu of %lu", t.marks, left);
	/* 2 sources: a packet leaves for every one that is added; the queue is 0 to 300 packets */
	first_loss(2, 50000, "buffer = \"2MB\"; ecn_kmin = \"0B\"; ecn_kmax = \"1248000B\"; ecn_pmax = 0.6;", &t,
	           &left);
	double n = (double)left, want = n * n / 2 / 300 * 0.6;
	cr_assert_lt(left, 300);
	cr_expect_float_eq((double)t.marks, want, 4 * sqrt(want), "%lu of %lu, not %.1f", t.marks, left, want);
	first_loss(5, 30000, "buffer = \"1MB\"; ecn = false;", &t, &left);
	cr_expect_eq(t.marks, 0);
}

/* Karol, Hluchyj & Morgan (1987): the mean wait in an output queue of N x N slots, Bernoulli sources of load p. */
Test(output_queued, wait_is_that_of_the_slotted_output_queue)
{
	static const char text[] =
	    "seed = 2; time = { warmup = \"20us\"; measure = \"300us\"; drain = false; }; "
	    "topology = { kind = \"single\"; ports = %u; }; links = { terminal = { bandwidth = \"64Gbps\"; latency = "
	    "\"1ns\"; }; }; switch = { kind = \"output-queued\"; latency = \"5ns\"; buffer = \"1MB\"; }; traffic = ( { "
	    "pattern = \"uniform\"; self = true; injection = \"bernoulli\"; load = %s; packet = \"8B\"; } );";
	static const struct {
		unsigned ports;
		const char *load;
		double p;
	} runs[] = { { 4, "0.5", 0.5 }, { 8, "0.8", 0.8 }, { 16, "0.9", 0.9 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct net_flow f = flow_of(text, runs[i].ports, runs[i].load);
		double n = runs[i].ports, p = runs[i].p, want = (n - 1) / n * p / (2 * (1 - p));
		double got = (f.network_latency.mean - 2000 - 5000 - 2000) / 1000;
		cr_expect_float_eq(got / want, 1, 0.02, "%.0f ports at %g: %.4f slots, not %.4f", n, p, got, want);
		cr_expect_eq(f.dropped, 0);
		cr_expect_float_eq(f.accepted_load, p, 0.005);
	}
}

/* --- pauses ----------------------------------------------------------------------------------------------------- */

#define LINE "topology = { kind = \"torus\"; dims = [5]; wrap = false; endpoints = 2; };"
#define OQ_PFC(more) "switch = { kind = \"output-queued\"; pfc = true; " more " };"
#define TO_ONE "traffic = ( { pattern = \"incast\"; target = 0; load = 0.9; packet = [\"256B\", \"1000B\"]; } );"

/* Nothing is lost, pauses reach from the receiver's switch to the endpoints of the last one, and the receiver's link is
 * never idle if the ports hold more than their cables. */
Test(output_queued, pauses_spread_along_a_line_and_lose_nothing)
{
	static const struct {
		const char *sw;
		double share;
		uint64_t depth;
	} runs[] = { { OQ_PFC("pfc_pause = \"5KB\"; pfc_resume = \"4KB\";"), 0.999, 5 },
		     { OQ_PFC("pfc_pause = \"1B\";"), 0.3, 3 },
		     { OQ_PFC("pfc_buffer = \"60KB\";"), 0.999, 5 },
		     { OQ_PFC("pfc_buffer = \"60KB\"; pfc_reserve = \"0B\"; pfc_shift = 0; pfc_offset = \"0B\";"),
		       0.999, 5 } };
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct netrun x = { 0 };
		run(&x, LINE EQUAL TIMES("60us", "false") ROUTING("minimal") TO_ONE "%s", runs[i].sw);
		const struct net_flow *f = &x.r->total;
		cr_expect_eq(f->dropped, 0);
		cr_expect(x.r->switches.pause_depth >= runs[i].depth && x.r->switches.pause_depth <= 5, "%s: %lu",
		          runs[i].sw, x.r->switches.pause_depth);
		cr_expect_gt(x.r->switches.pauses, 20);
		cr_expect_gt(x.r->switches.paused_ps, 60000000);
		double share = f->accepted_load * (double)f->endpoints;
		cr_expect(share >= runs[i].share && share <= 1.0 + 1e-3, "%s: %.4f", runs[i].sw, share);
		netrun_free(&x);
	}
}

/* A pause that leaves when the threshold is passed stops a source exactly: two sources, one receiver, a threshold of so
 * many packets. Each source sends one for two that leave, so a port holds n + 1 packets when 2 n + 2 have come, less
 * those that have left; until the pause is there two cables' worth more comes. */
Test(output_queued, a_pause_comes_when_a_hand_calculation_says)
{
	struct netrun x = { 0 };
	run(&x, OVERLOAD, 12000, 3, "pfc = true; pfc_pause = \"41600B\";");
	struct packets l = packets_of(&x);
	/* A port holds 11 packets, the last one above 10, when 11 + k have come by it and k have begun to leave: both
	 * begin at about 0, of each source one leaves in two, the first after the latency. Source 1 sends 1 + floor(t /
	 * SER) packets before the pause reaches it. */
	for (uint32_t src = 1; src <= 2; src++) {
		uint64_t gap_at = 0, first = UINT64_MAX;
		for (size_t i = 0; i < l.n; i++) /* delivered in order of injection */
			if (l.v[i].src == src) {
				if (first == UINT64_MAX)
					first = l.v[i].injected;
				else if (!gap_at && l.v[i].injected - first > l.v[i].seq * (uint64_t)SER + SER)
					gap_at = l.v[i].seq * (uint64_t)SER;
			}
		/* k-th packet of the source is in at k SER + SER + 250 ns; at t so many have left: (t - SER - 250 -
		 * 350) / (2 SER) + 1. */
		double arrived = 0, k;
		for (k = 0;; k++) {
			arrived = (double)(k + 1) * SER + 250000;
			double gone = floor((arrived - SER - 250000 - 350000) / (2.0 * SER)) + 1;
			if (k + 1 - (gone > 0 ? gone : 0) > 10)
				break;
		}
		double told = arrived + 250000;
		cr_expect_float_eq((double)gap_at, told, 2.0 * SER, "source %u: %lu ps, not %.0f", src, gap_at, told);
	}
	cr_expect_eq(x.r->total.dropped, 0);
	free(l.v);
	netrun_free(&x);
}

/* --- pauses of some classes ------------------------------------------------------------------------------------- */

#define KEPT_AND_LOST "classes = ( { name = \"kept\"; }, { name = \"lost\"; lossless = %s; } );"
#define APART                                                                                                        \
	"topology = { kind = \"single\"; ports = 10; };" KEPT_AND_LOST                                               \
	"time = { warmup = \"5us\"; measure = \"50us\"; drain = true; };"                                            \
	"switch = { kind = \"output-queued\"; buffer = \"7KB\"; %s };"                                               \
	"traffic = ( { pattern = \"neighbor\"; load = 0.9; packet = \"1KB\"; class = \"kept\"; nodes = \"0-3\"; }, " \
	"{ pattern = \"incast\"; target = 4; load = 0.6; packet = [ \"1KB\", \"300B\" ]; class = \"lost\"; "         \
	"nodes = \"4-9\"; } ); %s"

/* Where the two meet nowhere, pauses of one change nothing of the other: what is lost, when, and what is sent again is
 * what it is in a switch that drops. */
Test(output_queued, a_class_that_is_not_lossless_is_lost_as_without_pauses)
{
	static const char *const ways[][2] = {
		{ "", "nic = { retry = \"off\"; };" },
		{ "", "" },
		{ "trim = true;", "" },
		{ "trim = true;", "links = { default = { framing = \"roce\"; }; };" },
		{ "ecn_kmin = \"1KB\"; ecn_kmax = \"4KB\";", "congestion = { kind = \"dcqcn\"; };" },
	};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		char sw[100];
		struct netrun drops = { 0 }, pauses = { 0 };
		run(&drops, APART, "\"auto\"", ways[i][0], ways[i][1]);
		snprintf(sw, sizeof sw, "pfc = true; %s", ways[i][0]);
		run(&pauses, APART, "false", sw, ways[i][1]);
		cr_expect_eq(drops.r->digest, pauses.r->digest, "%s %s", ways[i][0], ways[i][1]);
		cr_expect_eq(drops.r->switches.drops, pauses.r->switches.drops);
		cr_expect_eq(drops.r->switches.trims, pauses.r->switches.trims);
		cr_expect_eq(drops.r->switches.marks, pauses.r->switches.marks);
		cr_expect_gt(drops.r->switches.drops + drops.r->switches.trims, 200);
		cr_expect_eq(pauses.r->classes[0].dropped, 0);
		netrun_free(&drops);
		netrun_free(&pauses);
	}
}

/* Sources of a lossless class fill a link and are paused. The other class goes on where the first must wait: out of an
 * endpoint, and over a cable that is paused. Where both are lossless it waits behind it. */
Test(output_queued, pauses_hold_back_lossless_classes_only)
{
	static const char text[] =
	    "time = { warmup = \"50us\"; measure = \"200us\"; drain = false; };" KEPT_AND_LOST
	    "switch = { kind = \"output-queued\"; pfc = true; pfc_pause = \"10KB\"; };"
	    "topology = { kind = \"torus\"; dims = [2]; endpoints = 6; };"
	    "traffic = ( { pattern = \"incast\"; target = 6; load = 0.4; packet = \"1KB\"; class = \"kept\"; nodes = "
	    "\"0-2,6-8\"; }, { pattern = \"incast\"; target = %s; load = 0.4; packet = \"1KB\"; class = \"lost\"; "
	    "nodes "
	    "= \"%s\"; } );";
	static const char *const of[][2] = { { "9", "3,9" }, { "9", "0,9" } };
	for (size_t i = 0; i < 2; i++) {
		struct netrun one = { 0 }, both = { 0 };
		run(&one, text, "false", of[i][0], of[i][1]);
		run(&both, text, "\"auto\"", of[i][0], of[i][1]);
		const struct net_flow *kept = &one.r->classes[0], *lost = &one.r->classes[1];
		cr_expect_gt(one.r->switches.pauses, 100);
		cr_expect_float_eq(kept->accepted_load * 5, 1, 0.01, "%.4f", kept->accepted_load); /* of 5 sources */
		cr_expect_float_eq(lost->accepted_load, lost->offered_load, 0.005, "%.4f", lost->accepted_load);
		cr_expect_eq(kept->dropped + lost->dropped + one.r->switches.drops, 0);
		cr_expect_lt(both.r->classes[1].accepted_load, lost->accepted_load / 2, "%.4f",
		             both.r->classes[1].accepted_load);
		netrun_free(&one);
		netrun_free(&both);
	}
}

/* Both overload one output: while both wait each has half of it, whatever the number of their sources, and of the
 * second is lost what it sends beyond. */
Test(output_queued, low_and_kept_have_equal_parts_of_an_output)
{
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"50us\"; measure = \"200us\"; drain = false; };" KEPT_AND_LOST
	    "switch = { kind = \"output-queued\"; pfc = true; pfc_pause = \"10KB\"; };"
	    "topology = { kind = \"single\"; ports = 7; }; nic = { retry = \"off\"; };"
	    "traffic = ( { pattern = \"incast\"; target = 0; load = 0.9; packet = \"1KB\"; class = \"kept\"; nodes = "
	    "\"0,5-6\"; }, { pattern = \"incast\"; target = 0; load = 0.9; packet = \"500B\"; class = \"lost\"; nodes "
	    "= "
	    "\"0-4\"; } );",
	    "false");
	const struct net_flow *kept = &x.r->classes[0], *lost = &x.r->classes[1];
	cr_expect_float_eq(kept->accepted_load * 2, 0.5, 0.01, "%.4f", kept->accepted_load);
	cr_expect_float_eq(lost->accepted_load * 4, 0.5, 0.01, "%.4f", lost->accepted_load);
	cr_expect_eq(kept->dropped, 0);
	cr_expect_float_eq((double)lost->dropped / (double)lost->created, 1 - 0.5 / 3.6, 0.02);
	netrun_free(&x);
}

/* --- what is refused, and deadlock ------------------------------------------------------------------------------ */

static void refused(const char *text, const char *key, const char *why)
{
	struct netrun x = { 0 };
	cr_assert_not(netrun_build(&x, NULL, text), "%s", text);
	cr_expect_str_eq(x.errors.v[0].key, key, "%s", netrun_error(&x));
	cr_expect(strstr(netrun_error(&x), why), "%s", netrun_error(&x));
	netrun_free(&x);
}

#define OQ "switch = { kind = \"output-queued\"; };"

Test(output_queued, what_cannot_work_is_refused)
{
	refused(SLIMFLY EQUAL PLAIN OQ LOOPS "nic = { retry = \"off\"; };", "nic.retry", "wait forever");
	refused(
	    SLIMFLY EQUAL PLAIN OQ UNIFORM("0.5") "congestion = { kind = \"window\"; }; nic = { retry = \"off\"; };",
	    "nic.retry", "wait forever");
	refused(SLIMFLY EQUAL PRECISE("5%", "20us") OQ UNIFORM("0.5") "nic = { retry = \"off\"; };", "nic.retry",
	        "backlog");
	refused(SLIMFLY EQUAL PLAIN "switch = { kind = \"output-queued\"; buffer = \"200B\"; };" UNIFORM("0.5"),
	        "switch.buffer", "256 bytes");
	refused(SLIMFLY EQUAL PLAIN
	        "switch = { kind = \"output-queued\"; ecn_kmin = \"9KB\"; ecn_kmax = \"8KB\"; };" UNIFORM("0.5"),
	        "switch.ecn_kmin", "9000");
	refused(LINE EQUAL PLAIN OQ_PFC("pfc_headroom = \"1700B\";") UNIFORM("0.5"), "switch.pfc_headroom", "1763");
	refused(LINE EQUAL PLAIN OQ_PFC("pfc_buffer = \"20KB\";") UNIFORM("0.5"), "switch.pfc_buffer", "4 ports");
	refused(LINE EQUAL PLAIN OQ_PFC("pfc_pause = \"2KB\"; pfc_resume = \"3KB\";") UNIFORM("0.5"),
	        "switch.pfc_resume", "2000");
	refused(LINE EQUAL PLAIN OQ_PFC("") UNIFORM("0.5") "classes = ( { name = \"bulk\"; lossless = false; } );",
	        "switch.pfc", "no class of traffic is lossless");
	refused(TORUS EQUAL PLAIN OQ_PFC("") UNIFORM("0.5") ROUTING("minimal"), "routing.kind", "pause whole links");
	refused(TORUS EQUAL PLAIN OQ_PFC("") UNIFORM("0.5") ROUTING("minimal"), "routing.kind", "cycle: switch");
	refused(LINE EQUAL PLAIN OQ_PFC("") UNIFORM("0.5") "routing = { kind = \"minimal-adaptive\"; };", "switch.pfc",
	        "wait");
}

/* A ring that is full stands still where that is permitted; where packets are dropped it does not, on one virtual
 * channel. */
Test(output_queued, a_ring_deadlocks_with_pauses_and_not_with_drops)
{
	static const char ring[] = "topology = { kind = \"torus\"; dims = [8]; endpoints = 4; };" EQUAL TIMES(
	    "60us", "false") "traffic = ( { pattern = \"tornado\"; load = 1.0; packet = \"256B\"; } );"
			     "routing = { kind = \"minimal\"; unsafe = true; };%s";
	struct netrun x = { 0 };
	char text[2000];
	snprintf(text, sizeof text, ring, OQ_PFC("pfc_pause = \"600B\";"));
	cr_assert(netrun_build(&x, NULL, text), "%s", netrun_error(&x));
	cr_expect_eq(netrun_go(&x), NET_STALLED);
	cr_expect(x.r->stall && strstr(x.r->stall, "the cycle is closed"), "%s", x.r->stall ? x.r->stall : "");
	netrun_free(&x);
	run(&x, "topology = { kind = \"torus\"; dims = [8]; endpoints = 4; };" EQUAL TIMES("60us", "false")
	            ROUTING("minimal") OQ WORST("1.0") "nic = { retry = \"off\"; };");
	cr_expect_eq(x.r->vcs, 1);
	/* Every link carries what 4 endpoints send and what passes, each with the same chance 1 / S: 4 / S of its
	 * packets are on their first hop, 4 / S^2 on the second, 4 / S^3 on the third and last; together 1. */
	double sum = 4.967, share = 4 / (sum * sum * sum) / 4;
	cr_assert_float_eq(4 / sum + 4 / (sum * sum) + 4 / (sum * sum * sum), 1, 0.001);
	cr_expect_float_eq(x.r->total.accepted_load / share, 1, 0.1, "%f, not %f", x.r->total.accepted_load, share);
	netrun_free(&x);
}

/* In such a ring, where the lossless class stands still, packets that may be lost go round it. */
Test(output_queued, what_may_be_lost_does_not_wait_for_a_deadlock)
{
	static const char text[] =
	    "topology = { kind = \"torus\"; dims = [8]; endpoints = 4; };"
	    "time = { warmup = \"5us\"; measure = \"60us\"; drain = true; };"
	    "routing = { kind = \"minimal\"; unsafe = true; };" KEPT_AND_LOST OQ_PFC(
		"pfc_pause = \"600B\";") "traffic = ( { pattern = \"tornado\"; load = 1.0; packet = \"256B\"; class = "
					 "\"kept\"; stop = \"50us\"; }, { pattern = \"tornado\"; load = 0.05; packet = "
					 "\"256B\"; class = \"lost\"; stop = \"50us\"; } );";
	char all[2000];
	struct netrun x = { 0 };
	snprintf(all, sizeof all, text, "false");
	cr_assert(netrun_build(&x, NULL, all), "%s", netrun_error(&x));
	cr_expect_eq(netrun_go(&x), NET_STALLED);
	cr_expect(x.r->stall && strstr(x.r->stall, "the cycle is closed"), "%s", x.r->stall ? x.r->stall : "");
	const struct net_flow *kept = &x.r->classes[0], *lost = &x.r->classes[1];
	cr_expect_lt(kept->delivered, kept->created / 100);
	cr_expect_eq(lost->delivered, lost->created);
	cr_expect_gt(lost->created, 3000);
	netrun_free(&x);
}

/* --- framing ---------------------------------------------------------------------------------------------------- */

/* A trimmed packet is a frame without payload: 10 sources of 4 KiB in RoCE frames of 4,158 bytes and a gap of 20. What
 * the receiver's link carries is data and headers, one after the other, all the time. */
Test(output_queued, a_trimmed_packet_is_a_frame_without_payload)
{
	struct netrun x = { 0 };
	run(&x,
	    "seed = 7; time = { warmup = \"20us\"; measure = \"100us\"; drain = false; }; "
	    "topology = { kind = \"single\"; ports = 11; }; links = { terminal = { bandwidth = \"200Gbps\"; latency = "
	    "\"250ns\"; framing = \"roce\"; }; }; switch = { kind = \"output-queued\"; trim = true; " LOSE "}; "
	    "record = { switch = true; }; traffic = ( { pattern = \"incast\"; target = 0; load = 1.0; packet = "
	    "\"4096B\"; injection = \"periodic\"; } );");
	const struct net_flow *f = &x.r->total;
	/* in a packet's time 10 come: d leave with their payload and 10 - d as headers, in d + (10 - d) r of it */
	double data = 4096 + 62 + 20, header = 64 + 20, r = header / data, share = (1 - 10 * r) / (1 - r);
	double accepted = f->accepted_load * (double)f->endpoints * data / 4096;
	cr_expect_float_eq(accepted, share, 0.01, "%.4f of the link carries data, not %.4f", accepted, share);
	cr_expect_eq(x.r->switches.drops, 0);
	netrun_free(&x);
}
