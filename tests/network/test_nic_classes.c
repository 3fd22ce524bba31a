/* tests/network/test_nic_classes.c - endpoints that send several classes of traffic: who goes first at their own link,
 * and that none waits behind another's packets. Expected values follow from the rules in switch/classes.h. */
#include "tests/switch/bench.h"
#include "tests/switch/class_runs.h"

#include <math.h>

/* Endpoint 0 is the only one that sends, 200 Gb/s; each class has a destination of its own. */
#define ONE_SENDER(switch_keys)                                                                                \
	"time = { warmup = \"100us\"; measure = \"400us\"; drain = false; }; topology = { kind = \"single\"; " \
	"ports = " switch_keys "; routing = { kind = \"minimal\"; }; links = { terminal = { bandwidth = "      \
	"\"200Gbps\"; latency = \"13ns\"; }; };"
static const char *const kinds[] = {
	ONE_SENDER("16; }; switch = { kind = \"crossbar\"; cycle = \"320ps\"; inputs = \"voq\"; buffer = \"64KB\"; }"),
	ONE_SENDER("64; }; switch = { kind = \"tiled\"; preset = \"rosetta\"; }"),
};
#define KINDS (sizeof kinds / sizeof *kinds)
#define SENT 10000000.0 /* bytes of a link in the window */

static struct shares run_kind(size_t kind, const char *rest)
{
	char text[3000];
	snprintf(text, sizeof text, "%s %s", kinds[kind], rest);
	return run_shares(text, "", 100000000, 500000000);
}

#define JOB(class, to, load, packet)                                                                               \
	"{ name = \"" class to "\"; class = \"" class "\"; pattern = \"incast\"; target = " to "; nodes = \"0," to \
						      "\"; load = " load "; packet = \"" packet "\"; }"

Test(nic_classes, a_link_of_an_endpoint_is_shared_by_the_rule, .timeout = 100)
{
	static const char *const rule[] = { "max-min-with-floors", "minimum-plus-equal", "proportional" };
	static const double expect[3][3] = { { 0.05, 0.6, 0.35 }, { 0.05, 0.725, 0.225 }, { 0.05, 0.8143, 0.1357 } };
	for (size_t kind = 0; kind < KINDS; kind++)
		for (int r = 0; r < 3; r++) {
			char rest[1500];
			snprintf(rest, sizeof rest,
			         "classes_sharing = \"%s\"; classes = ( { name = \"ll\"; min_bandwidth = 0.04; "
			         "max_bandwidth = "
			         "0.05; }, { name = \"a\"; min_bandwidth = 0.6; }, { name = \"b\"; min_bandwidth = "
			         "0.1; } ); "
			         "traffic = ( " JOB("ll", "1", "1.0", "500B") ", " JOB("a", "2", "1.0", "1KB") ", " JOB(
				     "b", "3", "1.0", "2KB") " );",
			         rule[r]);
			struct shares s = run_kind(kind, rest);
			for (int k = 0; k < 3; k++)
				cr_expect(fabs((double)s.bytes[k] / SENT - expect[r][k]) < 0.01 * expect[r][k] + 0.0005,
				          "kind %zu, %s: class %d has %f, not %f", kind, rule[r], k,
				          (double)s.bytes[k] / SENT, expect[r][k]);
		}
}

/* Beside 2 KB packets, 80 ns each, that fill the link: an urgent one waits for the one that is leaving. From its
 * creation on; without a class of its own it waits for all that were created before. */
Test(nic_classes, an_urgent_packet_waits_for_one_other)
{
	for (size_t kind = 0; kind < KINDS; kind++) {
		char rest[1500];
		double idle = 0, most[2] = { 0 };
		for (int run = 0; run < 3; run++) {
			snprintf(rest, sizeof rest,
			         "classes = ( { name = \"u\"; %s }, { name = \"a\"; } ); traffic = ( %s, %s );",
			         run == 1 ? "priority = 1;" : "", JOB("u", "1", "0.01", "64B"),
			         run == 0 ? JOB("a", "2", "0.00001", "2KB") : JOB("a", "2", "1.0", "2KB"));
			struct bench_packets p = { 0 };
			char all[3000];
			snprintf(all, sizeof all, "%s %s", kinds[kind], rest);
			struct bench_result r = bench_run_with(all, "record.packets=true", NULL, &p);
			cr_assert_eq(r.outcome, NET_DONE, "%s", r.message);
			for (size_t i = 0; i < p.n; i++)
				if (p.v[i].job == 0) {
					double ns = (double)(p.v[i].delivered - p.v[i].created) / 1000;
					if (run == 0)
						idle = idle > 0 && idle < ns ? idle : ns;
					else
						most[run - 1] = fmax(most[run - 1], ns);
				}
			free(p.v);
		}
		/* one packet at the endpoint and, where it comes by the same input, one in the switch; and 64 B of its
		 * own kind that was created just before */
		cr_expect_leq(most[0], idle + 2 * 80 + 10, "kind %zu: %f ns, idle %f", kind, most[0], idle);
		cr_expect_leq(most[1], idle + 3 * 80 + 10, "kind %zu: equal classes: %f ns, idle %f", kind, most[1],
		              idle);
	}
}

/* Fifteen endpoints fill one output. What else endpoint 0 sends, in a class of its own, has the rest of its link. */
Test(nic_classes, a_class_does_not_wait_behind_a_congested_one)
{
	for (size_t kind = 0; kind < KINDS; kind++) {
		struct shares s = run_kind(
		    kind,
		    "classes = ( { name = \"hot\"; }, { name = \"b\"; } ); traffic = ( { name = \"hot\"; class = "
		    "\"hot\"; "
		    "pattern = \"incast\"; target = 15; nodes = \"0-13,15\"; load = 1.0; packet = \"2KB\"; }, " JOB(
			"b", "14", "0.9", "1KB") " );");
		cr_expect(fabs((double)s.bytes[1] / SENT - 0.9) < 0.01, "kind %zu: %f", kind,
		          (double)s.bytes[1] / SENT);
		cr_expect(fabs((double)s.bytes[0] / SENT - 1) < 0.01, "kind %zu: %f", kind, (double)s.bytes[0] / SENT);
	}
}

/* The same with congestion control, to one destination: the pair of each class is held back for itself. Both
 * controls leave the classes' shares to the switch, which keeps b's minimum. */
Test(nic_classes, classes_to_one_destination_are_pairs_of_their_own)
{
	static const char *const control[] = { "window", "slingshot" };
	for (size_t kind = 0; kind < KINDS; kind++)
		for (int c = 0; c < 2; c++) {
			char rest[1500];
			snprintf(rest, sizeof rest,
			         "congestion = { kind = \"%s\"; }; classes = ( { name = \"hot\"; }, { name = \"b\"; "
			         "min_bandwidth = "
			         "0.25; } ); traffic = ( { name = \"hot\"; class = \"hot\"; pattern = \"incast\"; "
			         "target = 15; nodes "
			         "= \"0-13,15\"; load = 1.0; packet = \"2KB\"; }, " JOB("b", "15", "0.2", "1KB") " );",
			         control[c]);
			struct shares s = run_kind(kind, rest);
			cr_expect(fabs((double)s.bytes[1] / SENT - 0.2) < 0.01, "kind %zu, %s: %f", kind, control[c],
			          (double)s.bytes[1] / SENT);
			cr_expect_gt((double)(s.bytes[0] + s.bytes[1]) / SENT, 0.97, "kind %zu, %s", kind, control[c]);
		}
}
