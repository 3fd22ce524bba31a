/* tests/switch/test_classes.c - classes of traffic at an output: token buckets and levels by themselves, then switches
 * that run with them. Expected values follow from the rules in switch/classes.h. */
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"

#include "sim/rng.h"
#include "switch/switch.h"

#include <math.h>

static struct sim_ctx ctx; /* journal off */

static uint32_t draw(uint32_t index, uint32_t below)
{
	return sim_draw4(13, index, 0, SIM_DRAW_MODEL, 0).v[0] % below;
}

#define Q16 (80ull << 16) /* 100 Gb/s */
#define CLASSES 3u

static struct sw_class_order order_of(const struct sw_class_rule *rules, uint32_t classes)
{
	struct sw_common c = { .max_packet = 1000, .lanes = { .classes = classes }, .class_rules = rules };
	struct sw_class_order o;
	sw_class_order_init(&c, &o);
	return o;
}

/* Without what classes on it have had. */
static uint32_t level_of(const struct sw_class_order *o, const struct sw_class_buckets *b, uint32_t class, uint64_t now,
                         uint64_t *when)
{
	return sw_class_level(o, b, class, Q16, now, when) / o->steps;
}

Test(classes, levels_are_minima_first_then_priorities)
{
	static const struct sw_class_rule rules[CLASSES] = { { 7, 0, 65536 }, { 2, 16384, 65536 }, { 7, 6554, 65536 } };
	struct sw_class_order o = order_of(rules, CLASSES);
	struct sw_class_buckets b[CLASSES] = { 0 };
	uint64_t when = SIM_NEVER;
	cr_expect(o.used);
	cr_expect_eq(o.ranks, 2);
	cr_expect_eq(o.steps, 2); /* classes 0 and 2 share */
	cr_expect_eq(o.levels, 8);
	sw_class_buckets_init(&o, b, Q16);
	cr_expect_eq(level_of(&o, b, 0, 0, &when), 1);
	cr_expect_eq(level_of(&o, b, 1, 0, &when), 2); /* below its minimum: before priority 7 above its own */
	cr_expect_eq(level_of(&o, b, 2, 0, &when), 3);
	for (int k = 0; k < 4; k++)
		sw_class_pay(&ctx, &o, b, 1, Q16, 1000, 0);
	cr_expect_eq(level_of(&o, b, 1, 0, &when), 0);
	cr_expect_eq(level_of(&o, b, 1, 1, &when), 2); /* a picosecond's tokens */
	cr_expect_eq(when, SIM_NEVER, "none was held");
}

Test(classes, one_class_without_a_largest_share_needs_no_order)
{
	static const struct sw_class_rule plain[2] = { { 3, 0, 65536 }, { 3, 0, 65536 } }, least = { 0, 30000, 65536 },
					  most = { 0, 0, 30000 };
	cr_expect(order_of(plain, 2).used); /* they share */
	cr_expect_not(order_of(plain, 1).used);
	cr_expect_not(order_of(&least, 1).used);
	cr_expect_not(order_of(NULL, 4).used);
	cr_expect(order_of(&most, 1).used);
}

/* Who sends whenever it may, at odd times: over any time T no more than its share of T, a burst and a packet, and in
 * all no less than its share but for a packet - after a billion bytes still to the byte. */
Test(classes, a_largest_share_is_kept_to_the_byte)
{
	static const uint32_t shares[] = { 1, 655, 21845, 32768, 65535 };
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
		struct sw_class_rule rule = { 0, 0, shares[i] };
		struct sw_class_order o = order_of(&rule, 1);
		struct sw_class_buckets b = { 0 };
		sw_class_buckets_init(&o, &b, Q16);
		uint64_t now = 0, sent = 0, tokens = SW_BURST * 1000ull * Q16; /* exact, by hand */
		unsigned __int128 brought = tokens;
		for (uint32_t k = 0; k < 300000; k++) {
			uint64_t when = SIM_NEVER;
			if (sw_class_level(&o, &b, 0, Q16, now, &when) == SW_CLASS_HELD) {
				cr_assert_gt(when, now);
				uint64_t later = SIM_NEVER;
				cr_assert_eq(sw_class_level(&o, &b, 0, Q16, when - 1, &later), SW_CLASS_HELD);
				cr_assert_eq(sw_class_level(&o, &b, 0, Q16, when, &later), 0);
				now = when;
			}
			uint32_t bytes = 1 + draw(k, 1000);
			sw_class_pay(&ctx, &o, &b, 0, Q16, bytes, now);
			sent += bytes;
			brought = (unsigned __int128)now * shares[i] + tokens;
			cr_assert((unsigned __int128)sent * Q16 <= brought + 1000 * Q16, "packet %u", k);
		}
		cr_assert((unsigned __int128)sent * Q16 + Q16 + 65536 >= brought, "share %u: %lu bytes", shares[i],
		          sent);
	}
}

/* A class that used more than its minimum while it could has it back after at most a burst. */
Test(classes, a_minimum_does_not_remember_old_excess)
{
	static const struct sw_class_rule rules[2] = { { 0, 16384, 65536 }, { 1, 0, 65536 } };
	struct sw_class_order o = order_of(rules, 2);
	struct sw_class_buckets b[2] = { 0 };
	uint64_t when = SIM_NEVER, now = 0;
	sw_class_buckets_init(&o, b, Q16);
	for (int k = 0; k < 10000; k++, now += 80000)
		sw_class_pay(&ctx, &o, b, 0, Q16, 1000, now);
	uint64_t back = SW_BURST * 1000ull * 80 * 4; /* ps: a burst at a quarter of the link */
	cr_expect_eq(sw_class_level(&o, b, 0, Q16, now, &when), 0);
	cr_expect_eq(sw_class_level(&o, b, 0, Q16, now + back, &when), 2);
}

/* --- switches --- */

/* With VC allocation a class needs two VCs: its next packet is allocated one while the last is on its way. */
static const char *const kinds[] = {
	"switch.vcs=2",
	"switch.inputs=voq switch.allocator=islip switch.iterations=2",
	"switch.inputs=fifo switch.allocator=wavefront",
	"switch.inputs=voq switch.allocator=pim",
	"switch.vcs=2 switch.arbiter=age",
	"switch.inputs=voq switch.shared_pool=0.5 switch.pool_threshold=2.0",
};
#define KINDS (sizeof kinds / sizeof *kinds)
#define ALONE (KINDS - 1) /* a pool needs links between switches */

static void expect_shares(const char *classes, double a, double b, double c)
{
	const double expected[3] = { a, b, c };
	for (size_t i = 0; i < ALONE; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s %s", kinds[i], classes);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		for (int j = 0; j < 3; j++)
			cr_expect(fabs((double)s.bytes[j] / LINK_BYTES - expected[j]) < 0.01,
			          "%s: class %d has %f, not %f", changes, j, (double)s.bytes[j] / LINK_BYTES,
			          expected[j]);
	}
}

Test(classes, strict_priority_takes_all_but_the_minima, .timeout = 100)
{
	expect_shares("classes.[0].priority=5", 1, 0, 0);
	expect_shares("classes.[0].priority=5 classes.[2].min_bandwidth=0.2", 0.8, 0, 0.2);
	expect_shares("classes.[0].priority=5 classes.[1].min_bandwidth=0.1 classes.[2].min_bandwidth=0.25", 0.65, 0.1,
	              0.25);
	expect_shares("classes.[0].priority=2 classes.[1].priority=1 classes.[0].max_bandwidth=0.3", 0.3, 0.7, 0);
	expect_shares("classes.[0].priority=2 classes.[0].max_bandwidth=0.3 classes.[1].priority=1 "
	              "classes.[1].max_bandwidth=0.45",
	              0.3, 0.45, 0.25);
}

Test(classes, a_cap_holds_where_no_other_wants_the_link, .timeout = 100)
{
	expect_shares("classes.[0].max_bandwidth=0.1 classes.[1].max_bandwidth=0.2 classes.[2].max_bandwidth=0.05", 0.1,
	              0.2, 0.05);
	for (size_t i = 0; i < ALONE; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s classes.[0].max_bandwidth=0.1 classes.[1].max_bandwidth=0.2",
		         kinds[i]);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double burst = 1000; /* a packet: the buckets are as good as empty all the time */
		cr_expect_leq((double)s.bytes[0], 0.1 * LINK_BYTES + burst, "%s", changes);
		cr_expect_leq((double)s.bytes[1], 0.2 * LINK_BYTES + burst, "%s", changes);
	}
}

/* What is left beside a guarantee goes by the arbiters; each of the other two has as many inputs. */
Test(classes, minima_hold_among_equal_priorities, .timeout = 100)
{
	for (size_t i = 0; i < ALONE; i++) {
		char changes[600];
		bool allocates = strstr(kinds[i], "vcs") != NULL; /* VC allocation comes before, and is not by level */
		snprintf(changes, sizeof changes, "%s classes.[0].min_bandwidth=0.6", kinds[i]);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double a = (double)s.bytes[0] / LINK_BYTES, b = (double)s.bytes[1] / LINK_BYTES,
		       c = (double)s.bytes[2] / LINK_BYTES;
		cr_expect(fabs(a - 0.6) < 0.01 && fabs(a + b + c - 1) < 0.01, "%s: %f %f %f", changes, a, b, c);
		cr_expect(fabs(b - c) < (allocates ? 0.1 : 0.01), "%s: %f %f %f", changes, a, b, c);
	}
}

/* Turns of an input's queues are kept for each level: those of a higher one do not pass the turn to always the same
 * class. */
Test(classes, equal_classes_of_one_input_share_it, .timeout = 100)
{
	for (size_t i = 0; i < ALONE; i++) {
		char changes[600];
		bool allocates = strstr(kinds[i], "vcs") != NULL;
		snprintf(changes, sizeof changes, "%s %s", kinds[i], SHARED_INPUTS);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double b = (double)s.bytes[1] / LINK_BYTES, c = (double)s.bytes[2] / LINK_BYTES;
		cr_expect(allocates || fabs(b - c) < 0.01, "%s: %f %f", changes, b, c);
	}
}

Test(classes, priority_keeps_latency_low_beside_bulk, .timeout = 100)
{
	for (size_t i = 0; i < KINDS; i++) {
		char alone[600];
		snprintf(alone, sizeof alone,
		         "%s traffic.[1].load=0.0001 traffic.[2].load=0.0001 traffic.[3].load=0.0001 "
		         "traffic.[4].load=0.0001",
		         kinds[i]);
		double idle = run_shares(PATH, alone, FROM, TO).mean_ns[0];
		/* saturated, packets of one size fall into step; below that, inputs and outputs are free at odd times
		 */
		for (int load = 45; load <= 100; load += 55) {
			char changes[600];
			snprintf(changes, sizeof changes,
			         "%s traffic.[1].load=0.%02d traffic.[2].load=0.%02d traffic.[3].load=0.%02d "
			         "traffic.[4].load=0.%02d",
			         kinds[i], load, load, load, load);
			struct shares busy = run_shares(PATH, load < 100 ? changes : kinds[i], FROM, TO);
			for (int k = 1; k <= 4; k++)
				cr_expect_gt((double)busy.bytes[k], 0.85 * LINK_BYTES, "%s: bulk %d fills its link",
				             changes, k);
			cr_expect_gt((double)busy.bytes[0], 0.018 * LINK_BYTES, "%s", changes);
			cr_expect_leq(busy.max_ns[0], idle + 2 * (HOPS + 1) * LARGEST_NS, "%s: %f ns, idle %f", changes,
			              busy.max_ns[0], idle);
			cr_expect_leq(busy.mean_ns[0], idle + (HOPS + 2) * LARGEST_NS, "%s: %f ns, idle %f", changes,
			              busy.mean_ns[0], idle);
		}
	}
}

/* In the class of the bulk the same packets take turns with those of both endpoints at every output. In a class of its
 * own that is not preferred they do not: it never has its share. */
Test(classes, in_one_class_the_same_packets_wait_longer)
{
	struct shares with = run_shares(PATH, "switch.inputs=voq switch.allocator=islip", FROM, TO);
	struct shares equal =
	    run_shares(PATH, "switch.inputs=voq switch.allocator=islip classes.[0].priority=0", FROM, TO);
	struct shares one = run_shares(PATH,
	                               "switch.inputs=voq switch.allocator=islip traffic.[0].class=bulk "
	                               "traffic.[1].class=urgent classes.[0].priority=0",
	                               FROM, TO);
	cr_expect_gt((double)one.bytes[0], 0.018 * LINK_BYTES);
	cr_expect_gt(one.mean_ns[0], with.mean_ns[0] + LARGEST_NS, "%f %f", one.mean_ns[0], with.mean_ns[0]);
	cr_expect_leq(equal.mean_ns[0], with.mean_ns[0] + LARGEST_NS, "%f %f", equal.mean_ns[0], with.mean_ns[0]);
}

/* --- eight classes on four VCs --- */

static const char *const eight[] = {
	"switch.inputs=vc",
	"switch.inputs=voq switch.allocator=islip",
	"switch.inputs=fifo switch.allocator=pim",
	"switch.inputs=voq switch.buffer=40KiB switch.shared_pool=0.5",
	"switch.inputs=fifo switch.buffer=40KiB switch.shared_pool=0.5 switch.pool_threshold=0.25",
};
#define EIGHTS (sizeof eight / sizeof *eight)

/* Smallest buffers, more than the network carries: everything arrives, and the checks at the end of a run hold. */
Test(classes, eight_classes_on_four_vcs_deliver_everything, .timeout = 200)
{
	for (size_t i = 0; i < EIGHTS; i++) {
		struct bench_result r = bench_run(EIGHT, eight[i]);
		cr_expect_gt(r.delivered, SPAN(1600u, 2500u));
		cr_expect_eq(r.in_flight + r.queued, 0u, "%s", eight[i]);
	}
}

Test(classes, one_digest_under_rollbacks_threads_and_audit, .timeout = 200)
{
	static const char *const how[] = { "engine.sync=conservative", "engine.sync=optimistic engine.stress=15",
		                           "engine.sync=conservative engine.threads=2",
		                           "engine.sync=sequential engine.audit=true" };
	for (size_t i = 0; i < EIGHTS; i++) {
		char changes[400];
		snprintf(changes, sizeof changes, "time.measure=1us time.drain=false %s", eight[i]);
		uint64_t digest = bench_run(EIGHT, changes).digest;
		for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
			char other[500];
			snprintf(other, sizeof other, "%s %s", changes, how[k]);
			cr_expect_eq(bench_run(EIGHT, other).digest, digest, "%s", other);
		}
	}
}

/* The ideal switch reserves on arrival: it has lanes and pools, but no priorities. */
#define EQUAL                                                                                  \
	" classes.[1].priority=0 classes.[2].min_bandwidth=0.0 classes.[3].max_bandwidth=1.0 " \
	"classes.[4].priority=0 classes.[5].min_bandwidth=0.0 classes.[5].max_bandwidth=1.0 classes.[6].priority=0"

Test(classes, ideal_has_lanes_and_pools, .timeout = 200)
{
	static const char *const how[] = { "engine.sync=conservative", "engine.sync=optimistic engine.stress=15",
		                           "engine.sync=conservative engine.threads=2",
		                           "engine.sync=sequential engine.audit=true", "record.ports=true" };
	static const char *const ideal[] = {
		"switch={kind=\"ideal\";vcs=4;buffer=\"16KiB\";}" EQUAL,
		"switch={kind=\"ideal\";vcs=4;buffer=\"40KiB\";shared_pool=0.5;}" EQUAL,
		"switch={kind=\"ideal\";vcs=4;buffer=\"40KiB\";shared_pool=0.5;pool_threshold=0.1;}" EQUAL,
		"switch={kind=\"ideal\";vcs=4;buffer=\"16KiB\";forwarding=\"store-and-forward\";} routing.kind=ugal-l "
		"routing.via=group" EQUAL,
	};
	for (size_t i = 0; i < sizeof ideal / sizeof *ideal; i++) {
		char changes[900];
		struct bench_result all = bench_run(EIGHT, ideal[i]);
		cr_expect_gt(all.delivered, SPAN(1600u, 2500u));
		cr_expect_eq(all.in_flight + all.queued, 0u, "%s", ideal[i]);
		snprintf(changes, sizeof changes, "time.measure=2us time.drain=false %s", ideal[i]);
		uint64_t digest = bench_run(EIGHT, changes).digest;
		for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
			char other[1000];
			snprintf(other, sizeof other, "%s %s", changes, how[k]);
			cr_expect_eq(bench_run(EIGHT, other).digest, digest, "%s", other);
		}
	}
}

/* Two classes across a cable, with virtual channels allocated: with as many as the routing needs, 1, every second
 * packet would be of the other class; "auto" takes two. Where the configuration says one, a warning says what is lost.
 */
#define CABLE                                                                                                          \
	"seed = 7; time = { warmup = \"100us\"; measure = \"200us\"; drain = false; }; topology = { kind = "           \
	"\"torus\"; dims = [2]; endpoints = 4; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; " \
	"}; }; switch = { kind = \"crossbar\"; buffer = \"200KB\"; cycle = \"640ps\"; }; routing = { kind = "          \
	"\"minimal\"; }; traffic = ( { class = \"h\"; pattern = \"bit-complement\"; load = 1.0; packet = \"2048B\"; "  \
	"nodes = \"0-1,4-5\"; }, { class = \"l\"; pattern = \"bit-complement\"; load = 1.0; packet = \"2048B\"; "      \
	"nodes = \"2-3,6-7\"; } ); classes = ( { name = \"h\"; }, { name = \"l\"; } );"
#define CABLE_BYTES 5000000.0 /* in both directions, in the window */

Test(classes, virtual_channels_suffice_for_shares, .timeout = 100)
{
	static const struct {
		const char *changes;
		double expect[2];
	} runs[] = {
		{ "classes.[0].min_bandwidth=0.8 classes.[1].min_bandwidth=0.1", { 0.8, 0.2 } },
		{ "classes.[0].priority=2 traffic.[0].load=0.3 traffic.[0].injection=periodic", { 0.6, 0.4 } },
		{ "classes.[0].priority=2 traffic.[0].load=0.3 traffic.[0].injection=periodic traffic.[0].packet=256B",
		  { 0.6, 0.4 } },
	};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct shares s = run_shares(CABLE, runs[i].changes, 100000000, 300000000);
		for (int k = 0; k < 2; k++)
			cr_expect(fabs((double)s.bytes[k] / CABLE_BYTES - runs[i].expect[k]) < 0.015,
			          "%s: class %d has %f, not %f", runs[i].changes, k, (double)s.bytes[k] / CABLE_BYTES,
			          runs[i].expect[k]);
	}
}

Test(classes, too_few_virtual_channels_are_named)
{
	static const char *const changes[] = { "switch.vcs=1", "switch.vcs=2", "switch.inputs=\"voq\" switch.vcs=1",
		                               "" };
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		struct bench_config c;
		bench_read(&c, CABLE, changes[i], NULL);
		struct net *net = net_create(&c.setup, &c.errors);
		cr_assert(net, "%s", changes[i]);
		bool named = false;
		for (size_t k = 0; k < c.errors.n; k++)
			named |= c.errors.v[k].warning && !strcmp(c.errors.v[k].key, "switch.vcs");
		cr_expect_eq(named, i == 0, "%s", changes[i]);
		net_destroy(net);
		bench_close(&c);
	}
}
