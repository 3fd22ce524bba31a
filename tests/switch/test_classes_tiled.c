/* tests/switch/test_classes_tiled.c - classes of traffic in the tiled switch: the tests of the crossbar's, and what
 * only tiles have. Expected values follow from the rules in switch/classes.h and switch/tiled/classes.c. */
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"

#include <math.h>

/* Every place where a class is chosen: grants, row buffers' buses, crossbar outputs, multiplexers, and each way
 * through.
 */
static const char *const ways[] = {
	"switch={kind=\"tiled\";}",
	"switch={kind=\"tiled\";grant_arbiter=\"round-robin\";crossbar_arbiter=\"age\";}",
	"switch={kind=\"tiled\";grant_arbiter=\"drr\";column_buffer=\"2KiB\";}",
	"switch={kind=\"tiled\";row_buffer=\"2KiB\";column_buffer=\"2KiB\";}",
	"switch={kind=\"tiled\";grants=\"off\";row_buffer=\"4KiB\";}",
	"switch={kind=\"tiled\";preset=\"yarc\";speedup=1.5;}",
};
#define WAYS (sizeof ways / sizeof *ways)
#define ROWS_SHARE (WAYS - 1) /* eight ports a row: rows with three and with five inputs that ask get equal shares */

static void expect_shares(const char *classes, double a, double b, double c)
{
	const double expected[3] = { a, b, c };
	for (size_t i = 0; i < WAYS; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s %s", ways[i], classes);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		for (int j = 0; j < 3; j++)
			cr_expect(fabs((double)s.bytes[j] / LINK_BYTES - expected[j]) < 0.01,
			          "%s: class %d has %f, not %f", changes, j, (double)s.bytes[j] / LINK_BYTES,
			          expected[j]);
	}
}

Test(classes_tiled, strict_priority_takes_all_but_the_minima, .timeout = 100)
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

Test(classes_tiled, a_cap_holds_where_no_other_wants_the_link, .timeout = 100)
{
	expect_shares("classes.[0].max_bandwidth=0.1 classes.[1].max_bandwidth=0.2 classes.[2].max_bandwidth=0.05", 0.1,
	              0.2, 0.05);
	for (size_t i = 0; i < WAYS; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s classes.[0].max_bandwidth=0.1 classes.[1].max_bandwidth=0.2",
		         ways[i]);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double burst = 1000; /* a packet: the buckets are as good as empty all the time */
		cr_expect_leq((double)s.bytes[0], 0.1 * LINK_BYTES + burst, "%s", changes);
		cr_expect_leq((double)s.bytes[1], 0.2 * LINK_BYTES + burst, "%s", changes);
	}
}

/* One class, no other: it is held all the same. */
Test(classes_tiled, a_lone_class_keeps_its_cap)
{
	for (size_t i = 0; i < WAYS; i++) {
		char changes[600];
		snprintf(changes, sizeof changes,
		         "%s classes=({name=\"a\";max_bandwidth=0.25;}) traffic.[1].class=a traffic.[2].class=a",
		         ways[i]);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		cr_expect(fabs((double)(s.bytes[0] + s.bytes[1] + s.bytes[2]) / LINK_BYTES - 0.25) < 0.0025, "%s",
		          changes);
	}
}

/* What is left beside a guarantee goes by the arbiters; each of the other two has as many inputs. */
Test(classes_tiled, minima_hold_among_equal_priorities, .timeout = 100)
{
	for (size_t i = 0; i < WAYS; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s classes.[0].min_bandwidth=0.6", ways[i]);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double a = (double)s.bytes[0] / LINK_BYTES, b = (double)s.bytes[1] / LINK_BYTES,
		       c = (double)s.bytes[2] / LINK_BYTES;
		cr_expect(fabs(a - 0.6) < 0.01 && fabs(a + b + c - 1) < 0.01, "%s: %f %f %f", changes, a, b, c);
		cr_expect(i >= ROWS_SHARE || fabs(b - c) < 0.01, "%s: %f %f %f", changes, a, b, c);
		cr_expect(b > 0.1 && c > 0.1, "%s: %f %f %f", changes, a, b, c);
	}
}

/* Turns of an input's lanes are kept for each level: those of a higher one do not pass the turn to always the same
 * class.
 */
Test(classes_tiled, equal_classes_of_one_input_share_it, .timeout = 100)
{
	for (size_t i = 0; i < WAYS; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s %s", ways[i], SHARED_INPUTS);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double b = (double)s.bytes[1] / LINK_BYTES, c = (double)s.bytes[2] / LINK_BYTES;
		cr_expect(fabs(b - c) < 0.01 && b > 0.1, "%s: %f %f", changes, b, c);
	}
}

/* Two inputs, the first with packets of one class, the other with those of the two others: that the first takes turns
 * with it starves none. */
Test(classes_tiled, none_of_an_inputs_classes_starves, .timeout = 100)
{
	static const char *const inputs =
	    "traffic.[0].nodes=\"0,15\" traffic.[1].nodes=\"1,15\" traffic.[2].nodes=\"1,15\" "
	    "traffic.[1].load=0.5 traffic.[2].load=0.5 classes.[0].min_bandwidth=0.01";
	for (size_t i = 0; i < WAYS; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s %s", ways[i], inputs);
		struct shares s = run_shares(HOT_OUTPUT, changes, FROM, TO);
		double b = (double)s.bytes[1] / LINK_BYTES, c = (double)s.bytes[2] / LINK_BYTES;
		cr_expect(fabs(b - c) < 0.01 && b > 0.22, "%s: %f %f", changes, b, c);
	}
}

/* --- latency --- */

#define BULK_LOAD(load) \
	" traffic.[1].load=" load " traffic.[2].load=" load " traffic.[3].load=" load " traffic.[4].load=" load

/* What has been granted is not overtaken in the output buffer, which is reserved by the grant; so an urgent packet
 * waits at each switch for one largest packet to be granted, and for what the output buffer holds at most. */
Test(classes_tiled, priority_keeps_latency_low_beside_bulk, .timeout = 100)
{
	static const struct {
		const char *way;
		double buffer; /* bytes */
	} c[] = { { "switch={kind=\"tiled\";}", 32768 },
		  { "switch={kind=\"tiled\";output_buffer=\"7KiB\";}", 7168 },
		  { "switch={kind=\"tiled\";output_buffer=\"7KiB\";grant_arbiter=\"round-robin\";speedup=1.2;}", 7168 },
		  { "switch={kind=\"tiled\";output_buffer=\"7KiB\";column_buffer=\"2KiB\";}", 7168 },
		  { "switch={kind=\"tiled\";output_buffer=\"7KiB\";row_buffer=\"2KiB\";speedup=1.2;}", 7168 },
		  { "switch={kind=\"tiled\";output_buffer=\"7KiB\";row_buffer=\"2KiB\";column_buffer=\"2KiB\";}",
		    7168 },
		  { "switch={kind=\"tiled\";preset=\"yarc\";speedup=1.5;output_buffer=\"6KiB\";}", 6144 } };
	for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
		char changes[600];
		snprintf(changes, sizeof changes, "%s" BULK_LOAD("0.0001"), c[i].way);
		double idle = run_shares(PATH, changes, FROM, TO).mean_ns[0], bound = c[i].buffer / 25 + LARGEST_NS;
		static const char *const loads[] = { BULK_LOAD("0.3"), BULK_LOAD("0.45"), BULK_LOAD("1.0") };
		for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
			snprintf(changes, sizeof changes, "%s%s", c[i].way, loads[k]);
			struct shares busy = run_shares(PATH, changes, FROM, TO);
			for (int j = 1; k && j <= 4; j++)
				cr_expect_gt((double)busy.bytes[j], 0.85 * LINK_BYTES, "%s: bulk %d has %f", changes, j,
				             (double)busy.bytes[j] / LINK_BYTES);
			cr_expect_gt((double)busy.bytes[0], 0.018 * LINK_BYTES, "%s", changes);
			cr_expect_leq(busy.max_ns[0], idle + (HOPS + 1) * bound, "%s: %f ns, idle %f", changes,
			              busy.max_ns[0], idle);
		}
	}
}

Test(classes_tiled, without_priority_the_same_packets_wait_longer)
{
	static const char *const way = "switch={kind=\"tiled\";output_buffer=\"7KiB\";}" BULK_LOAD("0.45");
	char without[600];
	snprintf(without, sizeof without, "%s classes.[0].priority=0", way);
	struct shares with = run_shares(PATH, way, FROM, TO), equal = run_shares(PATH, without, FROM, TO);
	cr_expect_gt((double)equal.bytes[0], 0.018 * LINK_BYTES);
	cr_expect_gt(equal.mean_ns[0], with.mean_ns[0] + LARGEST_NS, "%f %f", equal.mean_ns[0], with.mean_ns[0]);
}

/* A guarantee does what a priority does: no urgent packet starves beside bulk that goes first. */
Test(classes_tiled, a_guarantee_saves_from_priority_of_others)
{
	static const char *const way =
	    "switch={kind=\"tiled\";output_buffer=\"7KiB\";} classes.[0].priority=0 classes.[1].priority=1";
	char changes[600];
	struct shares starved = run_shares(PATH, way, FROM, TO);
	cr_expect_lt((double)starved.bytes[0], 0.002 * LINK_BYTES);
	snprintf(changes, sizeof changes, "%s classes.[0].min_bandwidth=0.03", way);
	struct shares saved = run_shares(PATH, changes, FROM, TO),
		      first = run_shares(PATH, "switch={kind=\"tiled\";output_buffer=\"7KiB\";}", FROM, TO);
	cr_expect_gt((double)saved.bytes[0], 0.018 * LINK_BYTES);
	cr_expect_leq(saved.max_ns[0], first.max_ns[0] + LARGEST_NS);
}

/* --- eight classes on four VCs --- */

static const char *const eight[] = {
	"switch={kind=\"tiled\";vcs=4;buffer=\"16KiB\";}",
	"switch={kind=\"tiled\";vcs=4;buffer=\"16KiB\";grant_arbiter=\"round-robin\";requests=1;grant_limit=\"1KiB\";}",
	"switch={kind=\"tiled\";vcs=4;buffer=\"40KiB\";shared_pool=0.5;}",
	"switch={kind=\"tiled\";vcs=4;buffer=\"40KiB\";shared_pool=0.5;pool_threshold=0.25;column_buffer=\"1KiB\";}",
	"switch={kind=\"tiled\";vcs=4;buffer=\"16KiB\";row_buffer=\"1KiB\";crossbar_arbiter=\"age\";}",
	"switch={kind=\"tiled\";vcs=4;preset=\"yarc\";buffer=\"16KiB\";row_buffer=\"1KiB\";column_buffer=\"1KiB\";"
	"speedup="
	"1.5;}",
	"switch={kind=\"tiled\";vcs=4;grants=\"off\";buffer=\"40KiB\";shared_pool=0.5;row_buffer=\"1KiB\";}",
};
#define EIGHTS (sizeof eight / sizeof *eight)

/* Smallest buffers, more than the network carries: everything arrives, and the checks at the end of a run hold. */
Test(classes_tiled, eight_classes_on_four_vcs_deliver_everything, .timeout = 200)
{
	for (size_t i = 0; i < EIGHTS; i++) {
		struct bench_result r = bench_run(EIGHT, eight[i]);
		cr_expect_gt(r.delivered, SPAN(1600u, 2500u));
		cr_expect_eq(r.in_flight + r.queued, 0u, "%s", eight[i]);
	}
}

Test(classes_tiled, one_digest_under_rollbacks_threads_and_audit, .timeout = 300)
{
	static const char *const how[] = { "engine.sync=conservative",
		                           "engine.sync=optimistic engine.stress=15 engine.window=300ns",
		                           "engine.sync=conservative engine.threads=2",
		                           "engine.sync=sequential engine.audit=true",
		                           "engine.sync=sequential record.switch=true" };
	for (size_t i = 0; i < EIGHTS; i++) {
		char changes[400];
		snprintf(changes, sizeof changes, "time.measure=1us time.drain=false %s", eight[i]);
		uint64_t digest = bench_run(EIGHT, changes).digest;
		for (size_t k = 0; k < sizeof how / sizeof *how; k++) {
			char other[500];
			snprintf(other, sizeof other, "%s %s", changes, how[k]);
			struct bench_result r = bench_run(EIGHT, other);
			cr_expect_eq(r.digest, digest, "%s", other);
			cr_expect(k != 1 || r.rollbacks > 0, "%s", other);
		}
	}
}

/* Rings with the smallest buffers, saturated: the proof of freedom from deadlock is about VCs, and holds for each class
 * whatever the others do, as long as lower ones may go at all. */
#define RINGS                                                                                                          \
	"seed = 5; time = { warmup = \"1us\"; measure = \"" SPAN(                                                      \
	    "2us", "5us") "\"; drain = true; }; topology = { kind = \"torus\"; "                                       \
			  "dims = "                                                                                    \
			  "[4, 4]; endpoints = 4; };"                                                                  \
			  "links = { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; };"                   \
			  "switch = { kind = \"tiled\"; }; routing = { kind = \"minimal\"; };"                         \
			  "classes = ( { name = \"a\"; priority = 1; max_bandwidth = 0.7; }, { name = \"b\"; }, { "    \
			  "name = \"c\"; "                                                                             \
			  "min_bandwidth = 0.2; } );"                                                                  \
			  "traffic = ( { name = \"a\"; class = \"a\"; load = 0.5; packet = \"512B\"; }, { name = "     \
			  "\"b\"; class = \"b\"; "                                                                     \
			  "load "                                                                                      \
			  "= 0.5; packet = [\"64B\", \"512B\"]; }, { name = \"c\"; class = \"c\"; load = 0.5; packet " \
			  "= \"512B\"; "                                                                               \
			  "pattern = "                                                                                 \
			  "\"tornado\"; } );"

Test(classes_tiled, rings_with_the_smallest_buffers_do_not_stall, .timeout = 200)
{
	static const struct {
		const char *routing;
		unsigned packets; /* a VC's buffer must hold */
		unsigned vcs;
	} r[] = { { "", 1, 2 }, { "routing.deadlock=bubble", 2, 1 }, { "routing={kind=\"valiant\";}", 1, 4 } };
	static const char *const inside[] = {
		"output_buffer=\"512B\";",
		"output_buffer=\"512B\";row_buffer=\"512B\";column_buffer=\"512B\";",
		"preset=\"yarc\";speedup=1.5;output_buffer=\"512B\";row_buffer=\"512B\";column_buffer=\"512B\";",
		("grants=\"off\";queues=\"fifo\";rows=2;columns=2;ports_per_tile=8;output_buffer=\"512B\";row_buffer="
		 "\"512B\";"),
	};
	for (size_t i = 0; i < sizeof r / sizeof *r; i++)
		for (size_t k = 0; k < sizeof inside / sizeof *inside; k++) {
			char changes[500];
			if (r[i].packets > 1 && k == 2) /* refused: see unit.network_effect */
				continue;
			snprintf(changes, sizeof changes, "switch={kind=\"tiled\";buffer=\"%uB\";%s} %s",
			         3 * r[i].vcs * r[i].packets * 512, inside[k], r[i].routing);
			struct bench_result all = bench_run(RINGS, changes);
			cr_expect_gt(all.delivered, SPAN(1600u, 2500u), "%s", changes);
			cr_expect_eq(all.in_flight + all.queued, 0u, "%s", changes);
		}
}

/* Packets of a flow keep their order, whatever the level that each is granted at: class 2 is below and above its
 * minimum all the time. */
Test(classes_tiled, packets_of_a_flow_keep_their_order, .timeout = 100)
{
	for (size_t i = 0; i < WAYS; i++) {
		char changes[700];
		struct bench_packets p = { 0 };
		snprintf(
		    changes, sizeof changes,
		    "%s record.packets=true time.measure=50us classes.[0].priority=1 classes.[1].min_bandwidth=0.2 "
		    "classes.[2].min_bandwidth=0.3 traffic.[0].load=0.05 traffic.[2].packet=[\"64B\",\"1KB\"]",
		    ways[i]);
		struct bench_result r = bench_run_with(HOT_OUTPUT, changes, NULL, &p);
		cr_assert_eq(r.outcome, NET_DONE, "%s: %s", changes, r.message);
		cr_expect_gt(p.n, 1000u);
		bench_in_order(&p, changes);
	}
	for (size_t i = 0; i < EIGHTS; i++) {
		char changes[400];
		struct bench_packets p = { 0 };
		snprintf(changes, sizeof changes, "%s record.packets=true routing={kind=\"minimal\";}", eight[i]);
		bench_run_with(EIGHT, changes, NULL, &p);
		cr_expect_gt(p.n, 5000u);
		bench_in_order(&p, changes);
	}
}
