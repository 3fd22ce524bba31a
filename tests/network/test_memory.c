/* tests/network/test_memory.c - what `--estimate` tells of packets on their way, against what the engine has used. */
#include "base/memory.h"
#include "experiments/config/config.h"
#include "network/net.h"
#include "network/nic/nic.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

static const char *const networks[] = {
	"topology = { kind = \"slimfly\"; q = 13; endpoints = 9; };" EQUAL SWITCH("100KB", "") UNIFORM("0.5")
	    ROUTING("minimal"),
	"topology = { kind = \"slimfly\"; q = 13; endpoints = 9; };" EQUAL SWITCH("100KB", "") UNIFORM("0.3")
	    ROUTING("valiant"),
	"topology = { kind = \"slimfly\"; q = 13; endpoints = 9; };" EQUAL SWITCH("100KB", "") UNIFORM("0.5")
	    UGAL("slimfly-adaptive"),
	"topology = { kind = \"dragonfly\"; p = 8; a = 16; h = 8; };" EQUAL SWITCH("100KB", "") UNIFORM("0.3")
	    ROUTING("minimal"),
	"topology = { kind = \"torus\"; dims = [8, 8, 8]; };" EQUAL SWITCH("100KB", "") UNIFORM("0.5")
	    ROUTING("minimal"),
	"topology = { kind = \"torus\"; dims = [8, 8, 8, 8]; };" EQUAL SWITCH("100KB", "")
	    ROUTING("minimal") "traffic = ( { pattern = \"neighbor\"; load = 0.5; packet = \"256B\"; } );",
};

/* Builds the network of a configuration; returns what is foreseen of it. */
static struct net_memory foreseen(struct netrun *x, const char *text)
{
	struct net_memory m = { 0 };
	cr_assert(netrun_build(x, NULL, text), "%s", netrun_error(x));
	struct net_setup setup = { .config = &x->config.net,
		                   .registry = &x->registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy };
	cr_assert_eq(net_memory_estimate(&setup, 1, 1, &m, &x->errors), 0, "%s", netrun_error(x));
	return m;
}

static void events_are_foreseen(const char *network)
{
	struct netrun x = { 0 };
	char text[3000];
	snprintf(text, sizeof text, "%s time = { measure = \"8us\"; };", network);
	struct net_memory m = foreseen(&x, text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	double ratio = (double)m.events / (double)x.r->counters.peak_chunk_bytes;
	cr_expect(ratio > 0.85 && ratio < 1.15, "%s: %lu bytes foreseen, %lu used: %.2f", network, m.events,
	          x.r->counters.peak_chunk_bytes, ratio);
	cr_expect_eq(m.total, m.switches + m.records + m.engine + m.events + m.process);
	netrun_free(&x);
}

Test(memory, of_packets_on_their_way_is_foreseen)
{
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
		events_are_foreseen(networks[i]);
}

/* Behind a long message would wait, in queues without end, load / (2 - 2 load) of its packets: 640 us of deliveries
 * that are put off. There are no more of them than buffers hold packets. */
Test(memory, of_bursts_is_at_most_what_buffers_hold)
{
	static const char *const messages[] = { "", "message = \"4MB\";" };
	const uint64_t packets = 16 * 100000 / 256;
	uint64_t records[2];
	for (int i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		char text[3000];
		snprintf(text, sizeof text,
		         "topology = { kind = \"single\"; ports = 16; };" EQUAL SWITCH("100KB", "") ROUTING(
			     "minimal") "traffic = ( { pattern = \"neighbor\"; load = 0.8; packet = \"256B\"; %s } );"
		                        "time = { warmup = \"100us\"; measure = \"400us\"; };",
		         messages[i]);
		records[i] = foreseen(&x, text).records;
		netrun_free(&x);
	}
	cr_expect(records[1] > records[0] &&
	              records[1] - records[0] <= (packets + 1) * sizeof(struct net_late_delivery),
	          "%lu bytes of single packets, %lu of messages", records[0], records[1]);
}

/* Nine packets wait on each link's way in for one bus, which decides once; and are the host's 108 ns before they leave.
 */
Test(memory, of_arbiters_is_foreseen_by_port)
{
	events_are_foreseen("topology = { kind = \"torus\"; dims = [16, 16]; endpoints = 3; };"
	                    "links = { default = { bandwidth = \"100Gbps\"; latency = \"100ns\"; }; };"
	                    "switch = { kind = \"tiled\"; preset = \"rosetta\"; rows = 8; columns = 8; };" ROUTING(
				"minimal") "traffic = ( { pattern = \"uniform\"; load = 0.09; packet = \"128B\"; } );");
}

/* Most of what a run of 2 us takes longer is the latency of its slowest packet. */
Test(memory, of_a_run_that_drains_its_length_is_foreseen)
{
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
		struct netrun x = { 0 };
		char text[3000];
		snprintf(text, sizeof text, "%s time = { measure = \"2us\"; drain = \"auto\"; };", networks[i]);
		struct net_memory m = foreseen(&x, text);
		cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
		double ratio = m.length_ns / ((double)x.r->reached_ps * 1e-3);
		cr_expect(ratio > 0.93 && ratio < 1.07, "%s: %g ns foreseen, %g run", networks[i], m.length_ns,
		          (double)x.r->reached_ps * 1e-3);
		netrun_free(&x);
	}
}

static double saturated(const char *measure)
{
	struct netrun x = { 0 };
	char text[3000];
	snprintf(text, sizeof text, "%s time = { warmup = \"0us\"; measure = \"%s\"; drain = false; };", networks[0],
	         measure);
	struct net_memory m = foreseen(&x, text);
	netrun_free(&x);
	return (double)m.saturated;
}

/* 3,042 endpoints at half of 12.5 bytes a nanosecond inject a packet of 256 bytes every 40.96 ns, 64 bytes of memory
 * each; the last level of a pool, as large as all before it, may be touched in part, by pages. Buffers of 50,000 bytes,
 * one for each of two VCs of 338 x 19 ports and one for each endpoint, hold 195.3. Lists of those that wait take 16
 * bytes a VC and port. */
Test(memory, of_full_buffers_is_no_more_than_the_run_can_fill)
{
	double lists = 338 * (2 * 4096 + 2 * 8 * 20 + 19 * 2 * 16), full = (2 * 338 * 19 + 3042) * (50000 / 256.0) * 64;
	for (int us = 1; us <= 4; us *= 4) {
		double injected = 3042 * us * 1e3 / 40.96 * 64, most = us == 1 ? saturated("1us") : saturated("4us");
		cr_expect(most > injected && most < injected + lists + 338 * 4096, "%g us: %g bytes for %g", (double)us,
		          most, injected);
	}
	double most = saturated("10ms");
	cr_expect(most > full && most < full + lists + 338 * 4096, "%g bytes for %g", most, full);
	cr_expect_eq(saturated("10s"), most);
}

/* 128 B a ns a port at 512 B packets in flits of 16 B: 0.64 of a link of 200 Gb/s, in a cycle that is half as long all
 * of it. */
Test(memory, a_clock_that_is_too_slow_is_an_overload)
{
	static const struct {
		const char *cycle;
		double load, overload;
	} clock[] = { { "1ns", 0.9, 0.9 / 0.64 }, { "1ns", 0.6, 0.6 / 0.64 }, { "500ps", 0.9, 0 } };
	for (size_t i = 0; i < 3; i++) {
		struct netrun x = { 0 };
		char text[1000];
		snprintf(
		    text, sizeof text,
		    "topology = { kind = \"single\"; ports = 16; }; links = { default = { bandwidth = \"200Gbps\"; }; "
		    "}; switch = { kind = \"crossbar\"; cycle = \"%s\"; flit = \"16B\"; buffer = \"100KB\"; }; time "
		    "= { measure = \"10us\"; }; traffic = ( { load = %g; packet = \"512B\"; } );",
		    clock[i].cycle, clock[i].load);
		struct net_memory m = foreseen(&x, text);
		if (clock[i].overload > 0) {
			cr_expect_float_eq(m.overload, clock[i].overload, 0.02, "%s: %g", clock[i].cycle, m.overload);
			cr_expect_str_eq(m.full, "a switch's clock");
		} else {
			cr_expect_leq(m.overload, 1);
		}
		netrun_free(&x);
	}
}

/* Records of pairs and of what receivers know of sources. Foreseen is what is touched; allocated is up to twice as
 * much, as pools grow by doubling, and where a switch has about ten records less than foreseen by up to a half, as the
 * mean number may lie just above a power of two. The pools, the heads of their chains and the table of ways back are
 * there before the run. */
Test(memory, of_network_interfaces_is_foreseen)
{
	static const char *const control[] = { "congestion = { kind = \"window\"; };",
		                               "congestion = { kind = \"slingshot\"; };", "nic = { loss = 1e-4; };" };
	static const char *const small[] = {
		"topology = { kind = \"slimfly\"; q = 7; endpoints = 5; };" EQUAL SWITCH("100KB", "") UNIFORM("0.5")
		    ROUTING("minimal"),
		"topology = { kind = \"torus\"; dims = [8, 8]; endpoints = 4; };" EQUAL SWITCH("100KB", "")
		    UNIFORM("0.2") ROUTING("minimal"),
	};
#ifdef __SANITIZE_ADDRESS__
	cr_skip_test("the heap is the sanitizer's, which tells no bytes");
#endif
	for (size_t i = 0; i < sizeof control / sizeof *control; i++)
		for (size_t k = 0; k < sizeof small / sizeof *small; k++) {
			struct netrun x = { 0 };
			char text[3000];
			snprintf(text, sizeof text, "%s %s time = { measure = \"20us\"; drain = false; };", small[k],
			         control[i]);
			struct net_memory m = foreseen(&x, text);
			uint64_t before = base_heap_bytes();
			cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
			uint64_t switches = x.net->topo.switches,
				 there = switches * (net_chains_bytes(x.net, 0) + sizeof(struct net_nics) +
			                             switches * sizeof *x.net->nic.reverse);
			double grown = (double)(base_heap_bytes() - before);
			double ratio = (double)(m.switches - there) / grown;
			cr_expect(ratio > 0.5 && ratio < 1.5, "%s: %lu bytes foreseen, %.0f allocated: %.2f", text,
			          m.switches, grown, ratio);
			netrun_free(&x);
		}
}

static uint64_t foreseen_ahead_of(const char *time, const char *engine)
{
	struct netrun x = { 0 };
	char text[3000];
	snprintf(text, sizeof text, "%s time = { %s }; engine = { %s };", networks[0], time, engine);
	struct net_memory m = foreseen(&x, text);
	cr_expect_eq(m.total, m.switches + m.records + m.engine + m.events + m.process);
	netrun_free(&x);
	return m.speculated;
}

static uint64_t foreseen_ahead(const char *engine)
{
	return foreseen_ahead_of("measure = \"8us\";", engine);
}

/* One rank speculates where nothing is safe: in the stress mode, and in windows wider than the lookahead. */
Test(memory, of_what_may_be_undone_is_foreseen_by_window)
{
	uint64_t four = foreseen_ahead("sync = \"optimistic\"; stress = 10; optimism = 4;");
	cr_expect_eq(foreseen_ahead("sync = \"sequential\";"), 0);
	cr_expect_eq(foreseen_ahead("sync = \"conservative\";"), 0);
	cr_expect_eq(foreseen_ahead("sync = \"optimistic\";"), 0);
	cr_expect(four > 0);
	uint64_t eight = foreseen_ahead("sync = \"optimistic\"; stress = 10; optimism = 8;");
	cr_expect(eight == 2 * four || eight == 2 * four + 1, "%lu, %lu", eight, four);
	uint64_t wide = foreseen_ahead("sync = \"optimistic\"; window = \"100ns\"; optimism = 4;");
	cr_expect(wide >= 2 * four - 2 && wide <= 2 * four + 2, "%lu, %lu", wide, four);
}

/* A run is speculated on as a whole at most, and no window is wider than the engine's widest. */
Test(memory, of_what_may_be_undone_is_no_more_than_the_run_is_long)
{
	static const char brief[] = "warmup = \"0us\"; measure = \"8us\"; drain = false;";
	static const char lasting[] = "warmup = \"0us\"; measure = \"10ms\"; drain = false;";
	uint64_t half = foreseen_ahead_of(brief, "sync = \"optimistic\"; window = \"4us\"; optimism = 1;");
	uint64_t whole = foreseen_ahead_of(brief, "sync = \"optimistic\"; window = \"20us\"; optimism = 4;");
	cr_expect(half > 0 && whole >= 2 * half - 2 && whole <= 2 * half + 2, "%lu, %lu", half, whole);
	cr_expect_eq(foreseen_ahead_of(brief, "sync = \"optimistic\"; window = \"1s\"; optimism = 4;"), whole);
	uint64_t widest = foreseen_ahead_of(lasting, "sync = \"optimistic\"; window = \"1073741824ps\"; optimism = 1;");
	cr_expect(widest > 100 * whole, "%lu, %lu", widest, whole);
	cr_expect_eq(foreseen_ahead_of(lasting, "sync = \"optimistic\"; window = \"1s\"; optimism = 1;"), widest);
}
