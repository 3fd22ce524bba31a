/* tests/network/test_joined.c - the ideal and the tiled switch joined with their host, against the same switch behind
 * the interface of switch.h. Only the joined one takes credits early, out of their order, and leaves out what a plain
 * run does not need: with buffers of all sizes, from one packet on, no result may change. */
#include "experiments/config/config.h"
#include "network/net.h"
#include "routing/leg.h"
#include "tests/network/units.h"
#include "tests/tier.h"

#include "switch/switch.h"

static struct sw_ops apart_ops;
static struct base_plugin apart;
static const struct base_plugin *joined = &sw_ideal;

struct outcome {
	uint64_t digest, delivered, hops;
};

static struct outcome outcome_of(const char *kind, const char *record, const char *engine, const char *network,
                                 unsigned buffer, unsigned packet, double load, unsigned seed)
{
	char text[1500];
	apart_ops = *(const struct sw_ops *)joined->ops;
	apart = *joined;
	apart.name = "apart";
	apart.ops = &apart_ops;
	snprintf(text, sizeof text,
	         "seed = %u; time = { warmup = \"1us\"; measure = \"" SPAN(
		     "3us", "6us") "\"; }; %s "
	                           "switch = { kind = \"%s\"; buffer = \"%uB\"; }; "
	                           "traffic = ( { name = \"a\"; load = %.2f; packet = \"%uB\"; } ); record = { %s }; "
	                           "engine = { %s };",
	         seed, network, kind, buffer, load, packet, record, engine);
	struct netrun x = { 0 };
	cr_assert(netrun_build(&x, &apart, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	struct outcome o = { x.r->digest, 0, x.r->packet_hops };
	for (uint32_t j = 0; j < x.r->njobs; j++)
		o.delivered += x.r->jobs[j].delivered;
	netrun_free(&x);
	return o;
}

static const char *const networks[] = {
	"topology = { kind = \"slimfly\"; q = 5; endpoints = 3; }; routing = { kind = \"minimal\"; };",
	"topology = { kind = \"slimfly\"; q = 4; endpoints = 2; }; routing = { kind = \"valiant\"; };",
	"topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 2; }; routing = { kind = \"minimal\"; };",
	"topology = { kind = \"torus\"; dims = [5, 4]; endpoints = 1; }; routing = { kind = \"minimal\"; deadlock = "
	"\"bubble\"; };",
	"topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; }; routing = { kind = \"ugal-l\"; bias = \"0B\"; }; "
	"links = { terminal = { bandwidth = \"200Gbps\"; }; };",
	/* credits find their way back by classes of links and parallel cables */
	"topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; g = 3; }; routing = { kind = \"minimal\"; }; "
	"links = { local = { latency = \"30ns\"; }; global = { latency = \"450ns\"; }; };",
	/* credits carry queue depths: the tiled switch is joined all the same, and none comes early */
	"topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; }; routing = { kind = \"slingshot\"; bias = \"256B\"; "
	"}; "
	"congestion = { kind = \"slingshot\"; };",
	/* routing counts credits: none comes early */
	"topology = { kind = \"slimfly\"; q = 4; endpoints = 2; }; routing = { kind = \"ugal-l\"; bias = \"0B\"; "
	"estimate = "
	"\"credits\"; };",
};
#define NETWORKS (sizeof networks / sizeof *networks)

/* A buffer of one packet a VC is always short, one of a hundred never: the decision of net_early() lies between. */
Test(joined, changes_nothing)
{
	static const unsigned vcs[NETWORKS] = { 2, 4, 2, 1, 4, 2, 4, 4 }, bubble[NETWORKS] = { 1, 1, 1, 2, 1, 1, 1, 1 };
	for (unsigned k = 0; k < NETWORKS * 12; k++) {
		unsigned i = k % NETWORKS, step = k / NETWORKS,
			 packet = step % 3 == 0   ? 64
		                  : step % 3 == 1 ? 256
		                                  : 1500;
		unsigned buffer = vcs[i] * packet * bubble[i] * (1u << step % 7) + vcs[i] * 13 * step;
		double load = 0.2 + 0.07 * step;
		struct outcome want = outcome_of("apart", "", "", networks[i], buffer, packet, load, k);
		cr_assert_gt(want.delivered, 0);
		struct outcome got = outcome_of("ideal", "", "", networks[i], buffer, packet, load, k);
		struct outcome recorded =
		    outcome_of("ideal", "ports = true; timeline = \"1us\";", "", networks[i], buffer, packet, load, k);
		cr_assert_eq(got.digest, want.digest, "network %u, %u bytes of buffer, packets of %u, load %.2f", i,
		             buffer, packet, load);
		cr_assert_eq(got.hops, want.hops);
		cr_assert_eq(recorded.digest, want.digest,
		             "recorded: network %u, %u bytes of buffer, packets of %u, load %.2f", i, buffer, packet,
		             load);
		cr_assert_eq(recorded.hops, want.hops);
	}
}

/* With twice the VCs that routing asks for, tiled switches spread each of these over two: what a packet says on a link
 * is not what routing gave. (In checked builds ways that are told ahead are compared with what routing says.) */
Test(joined, ways_are_told_ahead_by_the_vc_of_routing)
{
	uint64_t digest[2];
	for (int ahead = 0; ahead < 2; ahead++) {
		struct netrun x = { 0 };
		net_prefetch_from = ahead ? 0 : SIZE_MAX;
		cr_assert(
		    netrun_build(&x, NULL,
		                 "topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 2; }; routing = { kind = "
		                 "\"minimal\"; }; switch = { kind = \"tiled\"; vcs = 4; }; time = { measure = "
		                 "\"6us\"; }; traffic = ( { load = 0.6; packet = \"256B\"; } );"),
		    "%s", netrun_error(&x));
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
		digest[ahead] = x.r->digest;
		netrun_free(&x);
	}
	cr_expect_eq(digest[0], digest[1]);
}

/* The tiled switch's data path is compiled several times: joined with its host, behind the interface, and with whatever
 * there is, which instruments and speculation need. */
Test(joined, tiled_data_paths_agree)
{
	joined = &sw_tiled;
	for (unsigned k = 0; k < NETWORKS * 6; k += EVERY_CASE ? 1 : 5) {
		unsigned i = k % NETWORKS, step = k / NETWORKS,
			 packet = step % 3 == 0   ? 64
		                  : step % 3 == 1 ? 512
		                                  : 2048;
		unsigned buffer = (step < 2 ? 8u : 64u) * 2048;
		double load = 0.3 + 0.12 * step;
		net_prefetch_from = (k >> 1) % 2 ? 0 : 400u << 10;
		struct outcome want = outcome_of("apart", "", "", networks[i], buffer, packet, load, k);
		cr_assert_gt(want.delivered, 0);
		static const char *const records[] = { "", "ports = true; timeline = \"1us\";", "switch = true;", "" },
					 *const engines[] = { "", "", "", "sync = \"optimistic\"; stress = 30;" };
		for (unsigned j = 0; j < 4; j++) {
			struct outcome got =
			    outcome_of("tiled", records[j], engines[j], networks[i], buffer, packet, load, k);
			cr_assert_eq(got.digest, want.digest, "way %u: network %u, packets of %u, load %.2f", j, i,
			             packet, load);
			cr_assert_eq(got.hops, want.hops);
		}
	}
}

/* Under the journal nothing is early; on a rank that never speculates everything may be. */
Test(joined, journaled_runs_agree)
{
	for (unsigned i = 0; i < NETWORKS; i++) {
		struct outcome want = outcome_of("ideal", "", "", networks[i], 8192, 256, 0.7, i);
		struct outcome stressed =
		    outcome_of("ideal", "", "sync = \"optimistic\"; stress = 30;", networks[i], 8192, 256, 0.7, i);
		struct outcome safe = outcome_of("ideal", "", "sync = \"optimistic\";", networks[i], 8192, 256, 0.7, i);
		cr_expect_eq(stressed.digest, want.digest);
		cr_expect_eq(safe.digest, want.digest);
	}
}

/* Endpoints so near that one wakes up, and its packet arrives, within the window in which a credit let another of its
 * packets go on. */
Test(joined, near_endpoints_change_nothing)
{
	static const char *const near[] = {
		"topology = { kind = \"slimfly\"; q = 5; endpoints = 4; }; routing = { kind = \"minimal\"; }; "
		"links = { default = { latency = \"500ns\"; }; terminal = { latency = \"1ns\"; }; };",
		"topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 4; }; routing = { kind = \"minimal\"; }; "
		"links = { default = { latency = \"400ns\"; }; terminal = { latency = \"1ps\"; }; };",
	};
	for (unsigned k = 0; k < 36; k++) {
		unsigned packet = k % 3 == 0 ? 64 : 256, buffer = 2 * packet * (1 + k % 4);
		double load = 0.4 + 0.05 * (k % 12);
		struct outcome want = outcome_of("apart", "", "", near[k % 2], buffer, packet, load, k);
		struct outcome got = outcome_of("ideal", "", "", near[k % 2], buffer, packet, load, k);
		cr_assert_eq(got.digest, want.digest, "network %u, %u bytes of buffer, packets of %u, load %.2f", k % 2,
		             buffer, packet, load);
		cr_assert_eq(got.hops, want.hops);
	}
}

/* What is told ahead of an event, by tables and by candidates: with so many injections of a switch in a window of a
 * microsecond that candidates are overwritten before their turn. */
Test(joined, what_is_told_ahead_changes_nothing)
{
	static const char *const routing[] = { "minimal", "valiant", "slimfly-adaptive", "ugal-l" };
	net_prefetch_from = 0;
	for (unsigned k = 0; k < 8; k++) {
		char network[300];
		snprintf(network, sizeof network,
		         "topology = { kind = \"slimfly\"; q = %u; endpoints = %u; }; routing = { kind = \"%s\"; }; "
		         "links = { default = { latency = \"%s\"; }; };",
		         k % 2        ? 7
		         : EVERY_CASE ? 8
		                      : 5,
		         k < 4 ? 60 : 40, routing[k % 4], k < 4 ? "1us" : "50ns");
		double load = k < 4 ? 0.06 : 0.15;
		struct outcome want = outcome_of("apart", "", "", network, 1000000, 64, load, k);
		struct outcome got = outcome_of("ideal", "", "", network, 1000000, 64, load, k);
		cr_assert_gt(want.delivered, 0);
		cr_assert_eq(got.digest, want.digest, "%s", network);
		cr_assert_eq(got.hops, want.hops);
	}
}

/* As in networks of too many switches for a table of all pairs: the topology is asked ahead, or coordinates are. (In
 * checked builds ways that are told ahead are compared with what routing says.) */
Test(joined, what_is_told_without_tables_changes_nothing)
{
	static const char *const asked[] = {
		"topology = { kind = \"slimfly\"; q = 5; endpoints = 3; }; routing = { kind = \"valiant\"; };",
		"topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; }; routing = { kind = \"valiant\"; via = "
		"\"group\"; };",
		"topology = { kind = \"kary-ntree\"; k = 2; n = 4; }; routing = { kind = \"minimal\"; };",
		"topology = { kind = \"torus\"; dims = [4, 4]; wrap = [false, true]; }; routing = { kind = "
		"\"minimal\"; };",
		"topology = { kind = \"torus\"; dims = [5, 4]; }; routing = { kind = \"valiant\"; };",
		"topology = { kind = \"hammingmesh\"; board = [3, 2]; boards = [3, 4]; }; routing = { kind = "
		"\"minimal\"; };",
		"topology = { kind = \"slimfly\"; q = 5; endpoints = 3; }; routing = { kind = \"slimfly-adaptive\"; "
		"bias = \"0B\"; };",
	};
	size_t bytes = rt_only_bytes;
	for (unsigned k = 0; k < 2 * sizeof asked / sizeof *asked; k++) {
		joined = k % 2 ? &sw_tiled : &sw_ideal;
		const char *network = asked[k / 2];
		rt_only_bytes = bytes;
		net_prefetch_from = SIZE_MAX;
		struct outcome want = outcome_of("apart", "", "", network, 64 * 1024, 256, 0.5, k);
		rt_only_bytes = 0;
		net_prefetch_from = 0;
		struct outcome got = outcome_of(k % 2 ? "tiled" : "ideal", "", "", network, 64 * 1024, 256, 0.5, k);
		cr_assert_gt(want.delivered, 0);
		cr_assert_eq(got.digest, want.digest, "%s", network);
		cr_assert_eq(got.hops, want.hops);
	}
	rt_only_bytes = bytes;
}

/* Credits have 16 bits where that makes a port smaller and the share of a VC allows it, else 32. Where they never run
 * short, the last share that fits and the first that does not give the same run; that all credits come back is checked
 * in both. */
Test(joined, widths_of_credits_agree)
{
	static const char *const four_vcs =
	    "topology = { kind = \"slimfly\"; q = 4; endpoints = 2; }; routing = { kind = \"valiant\"; };";
	for (unsigned k = 0; k < 3; k++) {
		struct outcome narrow = outcome_of("ideal", "", "", four_vcs, 4 * 65535, 256, 0.3, k);
		struct outcome wide = outcome_of("ideal", "", "", four_vcs, 4 * 65536, 256, 0.3, k);
		cr_assert_gt(narrow.delivered, 0);
		cr_assert_eq(narrow.digest, wide.digest);
		cr_assert_eq(narrow.hops, wide.hops);
	}
}

/* What is due in a tiled switch waits when a packet comes whose way is known: that one's request may then be put behind
 * one that is overdue. */
Test(joined, requests_of_packets_of_two_sizes_follow_overdue_ones)
{
	static const char *const engines[] = { "", "sync = \"optimistic\"; stress = 30;", "audit = true;" };
	uint64_t want = 0;
	for (unsigned k = 0; k < 3; k++) {
		struct netrun x = { 0 };
		run(&x,
		    "seed = 1; time = { warmup = \"0us\"; measure = \"20us\"; }; topology = { kind = \"torus\"; dims = "
		    "[3, "
		    "3]; endpoints = 2; }; links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; }; "
		    "switch = { kind = \"tiled\"; preset = \"rosetta\"; speedup = 1.0; }; traffic = ( { pattern = "
		    "\"tornado\"; load = 0.7; packet = \"512B\"; message = \"1537B\"; }, { pattern = \"uniform\"; load "
		    "= "
		    "0.7; packet = \"512B\"; } ); engine = { %s };",
		    engines[k]);
		want = k ? want : x.r->digest;
		cr_expect_eq(x.r->digest, want, "%s", engines[k]);
		netrun_free(&x);
	}
}
