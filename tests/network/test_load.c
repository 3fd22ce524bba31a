/* tests/network/test_load.c - what is accepted: all that is offered below saturation, the closed-form bound beyond it.
 */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#define NET(topology, times) \
	times topology LINKS_50 " switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"100KB\"; };"
#define TIMES "time = { warmup = \"20us\"; measure = \"60us\"; };"

Test(load, offered_is_accepted_below_saturation)
{
	static const char *const networks[] = { NET(SLIMFLY_5, TIMES), NET(DRAGONFLY_72, TIMES),
		                                NET("topology = { kind = \"torus\"; dims = [4, 4]; };", TIMES) };
	static const char *const routings[] = { "minimal", "ugal-l", "par", "ugal-g", "slingshot" };
	for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
		for (size_t k = 0; k < sizeof routings / sizeof *routings; k++)
			for (int tenth = 1; tenth <= 7; tenth += 3) {
				struct net_flow f = flow_of("%s routing = { kind = \"%s\"; }; traffic = ( { pattern = "
				                            "\"uniform\"; load = 0.%d; } );",
				                            networks[i], routings[k], tenth);
				double want = tenth / 10.0;
				cr_expect_float_eq(f.offered_load, want, 0.02 * want + 0.003,
				                   "%zu %s: %.4f offered of %.1f", i, routings[k], f.offered_load,
				                   want);
				cr_expect_float_eq(f.accepted_load, f.offered_load, 0.015 * want,
				                   "%zu %s: %.4f accepted of %.4f", i, routings[k], f.accepted_load,
				                   f.offered_load);
			}
}

/* Slim Fly: a channel carries 2p flows of the worst case, so 1 / (2p) is accepted, at any load above it
 * (topologies.md 1.3). */
Test(load, of_the_slim_fly_worst_case_is_one_over_two_p)
{
	for (int p = 2; p <= 4; p++)
		for (int tenth = 3; tenth <= 10; tenth += 7) {
			struct net_flow f =
			    flow_of(TIMES "topology = { kind = \"slimfly\"; q = 5; endpoints = %d; };" LINKS_50
			                  "switch = { kind = \"ideal\"; }; routing = { kind = \"minimal\"; };"
			                  "traffic = ( { pattern = \"worst-case\"; load = %f; } );",
			            p, tenth / 10.0);
			cr_expect_float_eq(f.accepted_load, 1 / (2.0 * p), 0.02 / (2.0 * p), "p %d, load %.1f: %.4f", p,
			                   tenth / 10.0, f.accepted_load);
			cr_expect_eq(f.idle_endpoints, (uint64_t)(2 * p)); /* 2 q^2 mod 4 switches are left over */
			cr_expect(f.latency_censored);
		}
}

/* Dragonfly: a p endpoints share the one cable to the next group (section 2). */
Test(load, of_the_dragonfly_worst_case_is_one_over_a_p)
{
	for (int offset = 1; offset <= 4; offset += 3) {
		struct net_flow f =
		    flow_of("time = { warmup = \"60us\"; measure = \"100us\"; };" DRAGONFLY_72 LINKS_50
		            " switch = { kind = \"ideal\"; };"
		            "routing = { kind = \"minimal\"; }; traffic = ( { pattern = \"adversarial\"; "
		            "offset = %d; load = 0.5; } );",
		            offset);
		cr_expect_float_eq(f.accepted_load, 0.125, 0.02 * 0.125, "%.4f", f.accepted_load);
	}
}

/* An 8-ary ring under tornado: offset 3, one direction, so 1/3 (section 3); never above, and not far below with large
 * buffers. */
Test(load, of_the_tornado_on_a_ring_is_at_most_one_third)
{
	for (int tenth = 2; tenth <= 10; tenth += 2) {
		struct net_flow f = flow_of(
		    TIMES "topology = { kind = \"torus\"; dims = [8]; };" LINKS_50 " switch = { kind = \"ideal\"; };"
			  "routing = { kind = \"minimal\"; }; traffic = ( { pattern = \"tornado\"; load = %f; } );",
		    tenth / 10.0);
		cr_expect_leq(f.accepted_load, 1.005 / 3, "%.4f", f.accepted_load);
		if (tenth == 2)
			cr_expect_float_eq(f.accepted_load, f.offered_load, 0.005);
	}
}

Test(load, of_a_hot_output_is_its_bandwidth)
{
	for (int ports = 5; ports <= 65; ports += 20) {
		struct net_flow f = flow_of(
		    TIMES "topology = { kind = \"single\"; ports = %d; };" LINKS_50
			  " switch = { kind = \"ideal\"; buffer = \"2KB\"; }; routing = { kind = \"minimal\"; };"
			  "traffic = ( { pattern = \"incast\"; load = 1.0; } );",
		    ports);
		double all = f.accepted_load * (ports - 1);
		cr_expect_float_eq(all, 1, 0.001, "%d ports: %.4f", ports, all);
		cr_expect_eq(f.endpoints, (uint64_t)(ports - 1));
	}
}

/* A source that is far behind goes on creating on time, and needs no memory for what waits. */
Test(load, of_saturated_sources_keeps_their_clocks_and_no_list)
{
	uint64_t memory[2], queued[2];
	for (int i = 0; i < 2; i++) {
		struct netrun x = { 0 };
		run(&x,
		    "time = { warmup = \"0us\"; measure = \"%dus\"; };" SLIMFLY_5 LINKS_50
		    " switch = { kind = \"ideal\"; buffer = \"5KB\"; };"
		    "routing = { kind = \"minimal\"; }; record = { packets = true; };"
		    "traffic = ( { pattern = \"worst-case\"; load = 1.0; packet = \"256B\"; injection = \"periodic\"; "
		    "} );",
		    i ? 400 : 50);
		const struct net_flow *f = &x.r->total;
		memory[i] = x.r->counters.peak_chunk_bytes;
		queued[i] = f->queued;
		cr_expect_float_eq(f->offered_load, 1, 0.002, "%.4f", f->offered_load);
		struct packets p = packets_of(&x);
		uint64_t created[200][2] = { { 0 } }; /* of the last packet seen of each source; its number plus one */
		for (size_t k = 0; k < p.n; k++) {
			uint64_t *c = created[p.v[k].src];
			if (c[1]) /* minimal routing keeps their order here */
				cr_assert_eq(p.v[k].created - c[0], 20480 * (p.v[k].seq + 1 - c[1]),
				             "source %u, packet %u", p.v[k].src, p.v[k].seq);
			else
				cr_assert_lt(p.v[k].created, 20480 * (uint64_t)(p.v[k].seq + 1));
			c[0] = p.v[k].created;
			c[1] = p.v[k].seq + 1;
		}
		free(p.v);
		netrun_free(&x);
	}
	cr_expect_gt(queued[1], 7 * queued[0]);
	cr_expect_leq(memory[1], memory[0] + memory[0] / 4, "%lu bytes of events, after eight times as long %lu",
	              memory[0], memory[1]);
}
