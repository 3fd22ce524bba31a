/* tests/network/test_neighbours.c - what credits tell: exactly the depths that the neighbour had, when they say; all of
 * its outputs; nothing once it has been silent for too long. What that is worth to routing. */
#include "experiments/config/config.h"
#include "tests/network/probe.h"

#define QUANTUM 512u
#define NS 1000u /* ps */

/* The sixteen depths that four bits can say, in quanta. */
static const uint64_t said[16] = { 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192 };

static uint64_t quantised(uint64_t bytes, uint64_t quantum)
{
	uint64_t best = 0;
	for (int i = 0; i < 16; i++)
		if (said[i] * quantum <= bytes)
			best = said[i] * quantum;
	return best;
}

/* --- a line of three switches: 0 and 1 send all they can to 2
 * ---------------------------------------------------------
 *
 * Switch 1 gets twice what its output towards 2 carries, so its queue grows until the job stops at 20 us. With large
 * buffers it departs packets in the order of their arrival, so the instants of all credits are known:
 * finish = max(arrival + traversal, end of the one before) + L/b, and 50 ns of cable. */

static struct told { /* by switch 1 with the credit for one of 0's packets */
	uint64_t heard, depth;
} told[4000];
static unsigned ntold, at_told, compared, silent;
static uint64_t busy;
static uint64_t after_silence; /* what 0 saw when it sent its first packet after 58 us */

static void see_line(const struct rt *rt, const struct rt_env *env, const struct sw_packet *p, topo_port out)
{
	static const uint64_t traversal = 100 * NS, wire = 50 * NS, per_byte = 80; /* at 100 Gb/s */
	topo_switch to = out == RT_EJECT ? TOPO_NONE : topo_peer(rt->topo, env->here, out).to;
	if (env->here == 1 && to == 2) {
		uint64_t ready = env->now + traversal;
		busy = (ready > busy ? ready : busy) + per_byte * p->bytes;
		if (env->in_port != RT_FROM_ENDPOINT) {
			cr_assert_lt(ntold, 4000);
			told[ntold++] =
			    (struct told){ busy + wire, env->queue_bytes(env->sw, out, env->now) + p->bytes };
		}
	}
	if (env->here != 0 || env->in_port != RT_FROM_ENDPOINT)
		return;
	topo_port far = 0;
	while (topo_peer(rt->topo, 1, far).to != 2)
		far++;
	while (at_told < ntold && told[at_told].heard <= env->now)
		at_told++;
	uint64_t want = at_told ? quantised(told[at_told - 1].depth, probe_quantum) : 0;
	if (at_told && env->now - told[at_told - 1].heard > probe_hold) {
		want = 0;
		silent++;
	}
	uint64_t got = env->neighbour_bytes(env->host, out, far, env->now);
	cr_assert_eq(got, want, "at %lu ps: %lu bytes, not %lu", env->now, got, want);
	if (env->now > 58000 * NS && after_silence == UINT64_MAX)
		after_silence = got;
	cr_assert_eq(env->neighbour_bytes(env->host, out, !far, env->now), 0, "the way back is empty");
	compared++;
}

static void run_line(uint64_t quantum, uint64_t hold)
{
	struct netrun x = { 0 };
	ntold = at_told = compared = silent = 0;
	busy = 0;
	after_silence = UINT64_MAX;
	probe_sees = see_line;
	run_probe(
	    &x, quantum, hold,
	    "time = { warmup = \"0us\"; measure = \"60us\"; }; topology = { kind = \"torus\"; dims = [3]; wrap = "
	    "false; };" LINKS_50 " switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; }; "
	    "routing = { kind = \"probe\"; }; engine = { sync = \"sequential\"; };"
	    "traffic = ( { pattern = \"incast\"; target = 2; load = 1.0; packet = \"256B\"; injection = "
	    "\"periodic\"; stop = \"20us\"; }, "
	    "{ name = \"late\"; pattern = \"incast\"; target = 2; nodes = \"0,2\"; load = 0.01; packet = \"64B\"; "
	    "injection = \"periodic\"; start = \"58us\"; } );");
	cr_expect_gt(compared, 900);
	cr_expect_gt(told[ntold / 2].depth, 60000); /* half of 20 us at 12.5 bytes/ns */
	netrun_free(&x);
}

Test(neighbours, tell_what_they_had)
{
	run_line(QUANTUM, 1000 * 1000 * NS);
	cr_expect_eq(silent, 0);
	cr_expect_eq(after_silence, 192 * QUANTUM, "nothing has come since, and nothing is forgotten");
	run_line(777, 1000 * 1000 * NS);
	run_line(1, 1000 * 1000 * NS);
	run_line(1000000, 1000 * 1000 * NS);
}

Test(neighbours, are_forgotten_when_silent)
{
	run_line(QUANTUM, 10 * 1000 * NS);
	cr_expect_gt(silent, 0);
	cr_expect_eq(after_silence, 0);
}

/* --- all outputs ----------------------------------------------------------------------------------------------------
 */

static uint32_t seen[64];

static void see_all(const struct rt *rt, const struct rt_env *env, const struct sw_packet *p, topo_port out)
{
	(void)p, (void)out;
	for (topo_port here = 0; here < topo_ports(rt->topo, env->here); here++)
		for (topo_port far = 0; far < topo_ports(rt->topo, topo_peer(rt->topo, env->here, here).to); far++) {
			uint64_t bytes = env->neighbour_bytes(env->host, here, far, env->now);
			cr_assert_eq(bytes, quantised(bytes, 64));
			seen[far] += bytes != 0;
		}
}

/* Slim Fly of q = 7: ten outputs in three blocks, all alike, so all are busy as often. */
Test(neighbours, tell_of_all_outputs)
{
	struct netrun x = { 0 };
	probe_sees = see_all;
	memset(seen, 0, sizeof seen);
	run_probe(
	    &x, 64, 1000 * 1000 * NS,
	    "time = { warmup = \"0us\"; measure = \"5us\"; }; topology = { kind = \"slimfly\"; q = 7; endpoints = "
	    "5; };" LINKS_50 " switch = { kind = \"ideal\"; }; routing = { kind = \"probe\"; };"
	    "engine = { sync = \"sequential\"; }; traffic = ( { pattern = \"uniform\"; load = 0.8; packet = "
	    "\"256B\"; } );");
	netrun_free(&x);
	uint32_t least = UINT32_MAX, most = 0;
	for (int far = 0; far < 10; far++) {
		least = seen[far] < least ? seen[far] : least;
		most = seen[far] > most ? seen[far] : most;
	}
	cr_expect_gt(least, 1000);
	cr_expect_lt(most, 2 * least, "%u and %u", least, most);
}

/* --- what it is worth -----------------------------------------------------------------------------------------------
 */

/* Adversarial traffic on a dragonfly: the full queue is at the neighbour's global output. With a quantum that no depth
 * reaches, neighbours tell nothing: all else is equal, and packets notice when the buffers between are full. */
Test(neighbours, are_worth_it_on_a_dragonfly)
{
	static const char *const setting =
	    "time = { warmup = \"30us\"; measure = \"30us\"; }; topology = { kind = \"dragonfly\"; "
	    "p = 3; a = 6; h = 3; };" LINKS_50 " switch = { kind = \"%s\"; buffer = \"100KB\"; };"
	    "routing = { kind = \"slingshot\"; quantum = \"%s\"; };"
	    "traffic = ( { pattern = \"adversarial\"; offset = 1; load = 0.2; } );";
	static const char *const kinds[] = { "ideal", "tiled" };
	for (int i = 0; i < 2; i++) {
		struct net_flow with = flow_of(setting, kinds[i], "512B"), without = flow_of(setting, kinds[i], "1GB");
		cr_expect_float_eq(with.accepted_load, with.offered_load, 0.01 * with.offered_load);
		cr_expect_lt(2 * with.latency.p99, without.latency.p99, "%s: %lu, without %lu ps", kinds[i],
		             with.latency.p99, without.latency.p99);
	}
}

/* Half of the bisection-like bound is what an oblivious detour of every packet reaches (docs/validation.md): a routing
 * that sees must not be far below, and minimal is (1 / (a p), 1 / (2p), 1/3). */
Test(neighbours, reach_what_detours_can)
{
	struct net_flow f =
	    flow_of("time = { warmup = \"40us\"; measure = \"40us\"; };" DRAGONFLY_72 LINKS_50
	            " switch = { kind = \"ideal\"; };"
	            "routing = { kind = \"slingshot\"; }; traffic = ( { pattern = \"adversarial\"; offset "
	            "= 1; load = 0.45; } );");
	cr_expect_float_eq(f.accepted_load, f.offered_load, 0.02, "dragonfly: %.4f of %.4f", f.accepted_load,
	                   f.offered_load);
	f = flow_of("time = { warmup = \"40us\"; measure = \"40us\"; };" SLIMFLY_5 LINKS_50
	            " switch = { kind = \"ideal\"; };"
	            "routing = { kind = \"slingshot\"; }; traffic = ( { pattern = \"worst-case\"; load = 0.5; } );");
	cr_expect_float_eq(f.accepted_load, f.offered_load, 0.01, "slim fly: %.4f of %.4f", f.accepted_load,
	                   f.offered_load);
	f = flow_of("time = { warmup = \"40us\"; measure = \"40us\"; }; topology = { kind = \"torus\"; dims = [8, 8]; "
	            "};" LINKS_50 " switch = { kind = \"ideal\"; }; routing = { kind = \"slingshot\"; };"
	            "traffic = ( { pattern = \"tornado\"; load = 0.4; } );");
	cr_expect_float_eq(f.accepted_load, f.offered_load, 0.01, "torus: %.4f of %.4f", f.accepted_load,
	                   f.offered_load);
}

/* Where nothing waits it is minimal routing, to the picosecond: two endpoints, on ways that share no channel. */
Test(neighbours, change_nothing_where_nothing_waits)
{
	static const char *const networks[] = { SLIMFLY_5, DRAGONFLY_72,
		                                "topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 2; };",
		                                "topology = { kind = \"single\"; ports = 32; };" };
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
		for (uint32_t other = 3; other < 32; other += 7) {
			uint64_t digest[2], count[2];
			for (int k = 0; k < 2; k++) {
				struct netrun x = { 0 };
				run(&x,
				    "time = { warmup = \"0us\"; measure = \"60us\"; drain = true; }; %s" LINKS_50
				    " switch = { kind = \"ideal\"; }; routing = { kind = \"%s\"; };"
				    "traffic = ( { pattern = \"uniform\"; load = 0.05; packet = \"256B\"; nodes = "
				    "\"0,%u\"; "
				    "injection = \"periodic\"; } );",
				    networks[i], k ? "slingshot" : "minimal", other);
				digest[k] = x.r->digest;
				count[k] = x.r->total.delivered;
				netrun_free(&x);
			}
			cr_expect_eq(digest[0], digest[1], "network %zu, endpoint %u", i, other);
			cr_expect_eq(count[0], count[1]);
			cr_expect_gt(count[0], 100);
		}
}

/* The uniform throughput of minimal routing is kept (docs/validation.md: its bound is above 0.9 here). */
Test(neighbours, keep_uniform_throughput)
{
	struct net_flow f = flow_of("time = { warmup = \"30us\"; measure = \"40us\"; };" SLIMFLY_5 LINKS_50
	                            " switch = { kind = \"ideal\"; }; routing = { kind = \"slingshot\"; };"
	                            "traffic = ( { pattern = \"uniform\"; load = 0.9; } );");
	cr_expect_float_eq(f.accepted_load, f.offered_load, 0.01 * f.offered_load, "%.4f", f.accepted_load);
}

/* --- one result
 * -------------------------------------------------------------------------------------------------------
 */

Test(neighbours, are_rolled_back_with_the_rest)
{
	static const char *const switches[] = {
		"kind = \"ideal\"; buffer = \"5KB\";",
		"kind = \"tiled\"; buffer = \"16KiB\";",
		"kind = \"crossbar\";",
	};
	static const char *const engines[] = {
		"sync = \"sequential\";",
		"sync = \"sequential\"; audit = true;",
		"sync = \"conservative\"; window = \"20ns\";",
		"sync = \"optimistic\"; stress = 25;",
		"sync = \"optimistic\"; stress = 40;",
	};
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		uint64_t digest = 0;
		for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
			struct netrun x = { 0 };
			run(&x,
			    "time = { warmup = \"2us\"; measure = \"4us\"; };" DRAGONFLY_72 LINKS_50
			    " switch = { %s }; routing = { kind = \"slingshot\"; bias = \"0B\"; }; engine = { %s };"
			    "traffic = ( { pattern = \"adversarial\"; offset = 1; load = 0.7; packet = \"256B\"; } );",
			    switches[i], engines[k]);
			if (k == 0)
				digest = x.r->digest;
			cr_expect_eq(x.r->digest, digest, "%s %s", switches[i], engines[k]);
			if (k >= 3)
				cr_expect_gt(x.r->counters.events_rolled_back, 100, "%s %s: %lu", switches[i],
				             engines[k], (unsigned long)x.r->counters.events_rolled_back);
			netrun_free(&x);
		}
	}
}
