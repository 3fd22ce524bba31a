/* tests/network/test_depth_tiled.c - what the tiled switch shows to adaptive routing: the bytes of an output's request
 * queues and nothing of its pipeline. What slingshot makes of that: minimal on a network with little to do, and not
 * where one cable is asked for too much; its default bias and hold. */
#include "experiments/config/config.h"
#include "network/net.h"
#include "tests/network/probe.h"

#define NS 1000u /* ps */

/* --- a line of switches with one endpoint each
 * ------------------------------------------------------------------------------------------------------------------
 */

static uint64_t deepest[4]; /* by switch: of its output to the next one */

static void see_depth(const struct rt *rt, const struct rt_env *env, const struct sw_packet *p, topo_port out)
{
	(void)p;
	if (out == RT_EJECT || topo_peer(rt->topo, env->here, out).to != env->here + 1)
		return;
	uint64_t depth = env->queue_bytes(env->sw, out, env->now);
	deepest[env->here] = depth > deepest[env->here] ? depth : deepest[env->here];
}

static void run_line(unsigned switches, const char *key, const char *senders, double load)
{
	struct netrun x = { 0 };
	memset(deepest, 0, sizeof deepest);
	probe_sees = see_depth;
	run_probe(
	    &x, 512, 1000 * NS,
	    "time = { warmup = \"0us\"; measure = \"40us\"; drain = false; }; topology = { kind = \"torus\"; dims = "
	    "[%u]; wrap = false; };" LINKS_50 " switch = { kind = \"tiled\"; publish = \"0ps\"; %s }; routing = { "
	    "kind = \"probe\"; }; engine = { sync = \"sequential\"; }; traffic = ( { pattern = \"incast\"; target = "
	    "%u; nodes = \"%s\"; load = %f; packet = \"512B\"; injection = \"periodic\"; } );",
	    switches, key, switches - 1, senders, load);
	netrun_free(&x);
}

/* Periodic packets of one endpoint never meet: each is granted when its request comes, though at this load there is
 * always one somewhere in a switch's pipeline. */
Test(depth_tiled, is_none_where_nothing_waits)
{
	run_line(3, "", "0,2", 0.9);
	cr_expect_eq(deepest[0], 0, "%lu", deepest[0]);
	cr_expect_eq(deepest[1], 0, "%lu", deepest[1]);
}

/* Two inputs of switch 1 want twice what its output carries, so both queues have as many requests out as they may. Of
 * these at most two are on their way: a packet takes 41 ns, a grant and the next request 44. */
Test(depth_tiled, is_what_the_request_queues_hold)
{
	static const unsigned requests[] = { 16, 5, 3 };
	for (size_t i = 0; i < 3; i++) {
		char key[40];
		snprintf(key, sizeof key, "requests = %u;", requests[i]);
		run_line(3, key, "0-2", 1.0);
		uint64_t most = (uint64_t)2 * requests[i] * 512;
		cr_expect_leq(deepest[1], most, "%u requests: %lu bytes", requests[i], deepest[1]);
		cr_expect_geq(deepest[1], most - 1024, "%u requests: %lu bytes", requests[i], deepest[1]);
	}
}

/* Switch 0's output has one input, as fast as itself: a packet waits there for nothing but credits of switch 1, whose
 * buffer is full. */
Test(depth_tiled, counts_what_waits_for_credits)
{
	run_line(3, "buffer = \"16KiB\";", "0-2", 1.0);
	cr_expect_leq(deepest[0], 16 * 512);
	cr_expect_geq(deepest[0], 15 * 512, "%lu", deepest[0]);
}

/* --- slingshot on the dragonfly of 1,056 endpoints made of Rosetta switches
 * ------------------------------------------------------------------------------------------------------------------
 */

#define ROSETTA_1056                                                                                                 \
	"topology = { kind = \"dragonfly\"; p = 4; a = 8; h = 4; }; links = { default = { bandwidth = \"200Gbps\"; " \
	"latency = \"13ns\"; }; global = { latency = \"50ns\"; }; }; switch = { kind = \"tiled\"; preset = "         \
	"\"rosetta\"; }; routing = { kind = \"slingshot\"; };"

/* A quiet network offers nothing to avoid (De Sensi et al. 2020, II.C: minimal "is clearly the best choice"). */
Test(depth_tiled, slingshot_is_minimal_on_a_quiet_network)
{
	static const struct {
		const char *load, *packet;
		double minimal;
	} row[] = {
		{ "0.02", "256B", 0.99 },
		{ "0.1", "256B", 0.97 },
		{ "0.02", "4158B", 0.99 },
		{ "0.1", "4158B", 0.97 },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct net_flow f = flow_of("time = { warmup = \"6us\"; measure = \"6us\"; };" ROSETTA_1056
		                            "traffic = ( { pattern = \"uniform\"; load = %s; packet = \"%s\"; } );",
		                            row[i].load, row[i].packet);
		cr_expect_geq(f.minimal_fraction, row[i].minimal, "%s of %s: %.4f", row[i].load, row[i].packet,
		              f.minimal_fraction);
		cr_expect_gt(f.measured_delivered, 300);
	}
}

/* Minimally one cable carries 1/32 of an endpoint's rate each; half of all cables' worth is what detours reach. */
Test(depth_tiled, slingshot_detours_where_it_must)
{
	struct net_flow f = flow_of("time = { warmup = \"20us\"; measure = \"20us\"; drain = false; };" ROSETTA_1056
	                            "traffic = ( { pattern = \"adversarial\"; offset = 1; load = 0.5; packet = "
	                            "\"4158B\"; } );");
	cr_expect_geq(f.accepted_load, 0.48, "%.4f", f.accepted_load);
	cr_expect_lt(f.minimal_fraction, 0.1, "%.4f", f.minimal_fraction);
}

/* --- defaults
 * ------------------------------------------------------------------------------------------------------------------
 */

static void defaults_of(const char *text, uint64_t *bias, uint64_t *hold)
{
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"1us\"; drain = false; }; %s traffic = ( { pattern = \"uniform\"; "
	    "load "
	    "= 0.1; packet = \"4158B\"; } );",
	    text);
	*bias = x.net->rt.bias;
	*hold = x.net->rt.neighbour_hold;
	netrun_free(&x);
}

/* Three packets of 4158 B. A credit round trip by the global cables: from grant to link 160 ns, through the next input
 * 153 ns and the packet's 166.32, the credit's 223, the cable's twice 50, at worst 1.249 for a clock edge and seven
 * columns of 0.325: 805.844 ns; 11 outputs in three blocks. The ideal switch: 80 ps a byte, 100 ns, twice 50; 7 outputs
 * in two blocks. */
Test(depth_tiled, defaults_follow_packets_and_cables)
{
	uint64_t bias, hold;
	defaults_of(ROSETTA_1056, &bias, &hold);
	cr_expect_eq(bias, 3 * 4158, "%lu", bias);
	cr_expect_eq(hold, 3 * 805844, "%lu", hold);
	static const char *const slimfly =
	    SLIMFLY_5 LINKS_50 " switch = { kind = \"ideal\"; }; routing = { kind = \"slingshot\"; %s };";
	char text[600];
	snprintf(text, sizeof text, slimfly, "");
	defaults_of(text, &bias, &hold); /* 332.64 + 100 + 100 ns */
	cr_expect_eq(bias, 3 * 4158, "%lu", bias);
	cr_expect_eq(hold, 2 * 532640, "%lu", hold);
	snprintf(text, sizeof text, slimfly, "bias = \"0B\"; hold = \"7us\";");
	defaults_of(text, &bias, &hold);
	cr_expect_eq(bias, 0);
	cr_expect_eq(hold, 7000000);
}
