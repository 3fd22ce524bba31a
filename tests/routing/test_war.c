/* tests/routing/test_war.c - DimWAR and OmniWAR on HyperX: proofs with exactly the virtual channels that they ask for,
 * decisions worked out by hand, and what every route keeps to whatever the queues are. */
#include "fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* Free of deadlock from `enough` VCs on, which is what it asks for unless there is no hop aside; a cycle below. */
static void proves(const char *topology, const struct base_plugin *routing, const char *params, uint32_t enough)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_hyperx, topology), 0, "%s", topology);
	cr_assert_eq(fixture_routing(&f, routing, params), 0, "%s", topology);
	for (uint32_t vcs = 1; vcs <= f.rt.vcs + 1; vcs++) {
		struct rt_proof proof;
		cr_assert_eq(rt_prove(&f.rt, vcs, &proof, &f.errors), 0, "%s %s: %s", topology, routing->name,
		             f.errors.n ? f.errors.v[0].text : "");
		cr_expect_eq(proof.deadlock_free, vcs >= enough, "%s %s %s, %u VCs: %s", topology, routing->name,
		             params, vcs, proof.method);
		cr_expect_eq(proof.deadlock_free, proof.cycle_length == 0);
		cr_expect_leq(proof.longest_route, f.rt.max_hops);
		rt_proof_free(&proof);
	}
	fixture_free(&f);
}

Test(war, two_channels_are_enough_for_dimwar)
{
	proves("dims=5 endpoints=1", &rt_dimwar, "", 2);
	proves("dims=4,4 endpoints=1", &rt_dimwar, "", 2);
	proves("dims=3,4,3 endpoints=2", &rt_dimwar, "", 2);
	proves("dims=4,3 trunk=2,3 endpoints=1", &rt_dimwar, "", 2);
	proves("dims=4,4 endpoints=1 order=dimension", &rt_dimwar, "", 2);
	proves("dims=1,3,1,3 endpoints=1", &rt_dimwar, "", 2);
	proves("dims=2,2,2 endpoints=1", &rt_dimwar, "", 1); /* nowhere aside: dimension order */
}

Test(war, a_channel_a_hop_is_enough_for_omniwar)
{
	proves("dims=5 endpoints=1", &rt_omniwar, "", 2);
	proves("dims=5 endpoints=1", &rt_omniwar, "deroutes=2", 3);
	proves("dims=3,4 endpoints=1", &rt_omniwar, "deroutes=0", 2); /* minimal, in any order */
	proves("dims=3,4 endpoints=1", &rt_omniwar, "deroutes=1", 3);
	proves("dims=4,4 endpoints=1", &rt_omniwar, "", 4);
	proves("dims=3,3 trunk=2 endpoints=1", &rt_omniwar, "", 4);
	proves("dims=3,3,3 endpoints=1", &rt_omniwar, "", 6);
	proves("dims=3,3 endpoints=1 order=dimension", &rt_omniwar, "", 4);
}

/* 8,000 switches: too many routes to walk, so the rank is the argument. */
Test(war, large_networks_are_proved_by_rank)
{
	static const struct {
		const struct base_plugin *routing;
		uint32_t vcs;
		const char *method;
	} row[] = { { &rt_dimwar, 2, "(dimension, VC)" }, { &rt_omniwar, 6, "the VC rises" } };
	for (size_t i = 0; i < 2; i++) {
		struct fixture f;
		struct rt_proof proof;
		cr_assert_eq(fixture_topo(&f, &topo_hyperx, "dims=20,20,20 endpoints=1"), 0);
		cr_assert_eq(fixture_routing(&f, row[i].routing, ""), 0);
		cr_assert_eq(f.rt.vcs, row[i].vcs);
		cr_assert_eq(rt_prove(&f.rt, row[i].vcs, &proof, &f.errors), 0);
		cr_expect(proof.deadlock_free && strstr(proof.method, row[i].method), "%s", proof.method);
		cr_expect_leq(proof.longest_route, 6);
		cr_expect_gt(proof.longest_route, 3);
		rt_proof_free(&proof);
		fixture_free(&f);
	}
}

Test(war, other_topologies_are_refused)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_slimfly, "q=5"), 0);
	cr_expect_eq(fixture_routing(&f, &rt_dimwar, ""), -1);
	cr_expect(f.errors.n == 1 && strstr(f.errors.v[0].text, "slimfly"));
	cr_expect_eq(fixture_routing(&f, &rt_omniwar, ""), -1);
	fixture_free(&f);
}

/* --- by hand -------------------------------------------------------------------------------------------------- */

static uint64_t depth_of(const void *sw, topo_port out, uint64_t now)
{
	(void)now;
	return ((const uint64_t *)sw)[out];
}

static const struct rt_bias *bias_of_class; /* or NULL */

static struct rt_decision decide(const struct rt *rt, topo_switch here, topo_port in, const uint64_t *depth,
                                 struct sw_packet *p)
{
	struct rt_env env = { .here = here,
		              .in_port = in,
		              .seed = 7,
		              .queue_bytes = depth_of,
		              .sw = depth,
		              .class_bias = &bias_of_class };
	return rt->ops->route(rt, &env, p);
}

/* On the grid below, 600 against 300 and the class's bias, whatever the routing's is. */
Test(war, bias_of_a_class)
{
	static const uint64_t depth[6] = { 100, 300, 900, 0, 0, 0 };
	static const struct rt_bias enough = { 300, 0 }, less = { 299, 0 };
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_hyperx, "dims=4,4 endpoints=1"), 0);
	for (int i = 0; i < 2; i++) {
		struct sw_packet p = { .dst = 14, .via = SW_NO_VIA };
		bias_of_class = i ? &less : &enough;
		cr_assert_eq(fixture_routing(&f, &rt_dimwar, i ? "bias=1MB" : ""), 0);
		cr_expect_eq(decide(&f.rt, 0, RT_FROM_ENDPOINT, depth, &p).port, i ? 0u : 1u);
	}
	bias_of_class = NULL;
	fixture_free(&f);
}

/* 4 x 4, from (0, 0) to (2, 3): ports 0-2 lead to x = 1, 2, 3, ports 3-5 to y = 1, 2, 3. Two hops to go, so that a hop
 * aside in x costs 3 q against 2 q_1. */
Test(war, dimwar_by_hand)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_hyperx, "dims=4,4 endpoints=1"), 0);
	static const struct {
		const char *params;
		uint64_t depth[6];
		topo_port port;
		bool aside;
	} row[] = {
		{ "", { 0, 0, 0, 0, 0, 0 }, 1, false },
		{ "", { 200, 300, 900, 0, 0, 0 }, 1, false }, /* 600 against 600: a tie */
		{ "", { 199, 300, 900, 0, 0, 0 }, 0, true },
		{ "", { 900, 300, 100, 0, 0, 0 }, 2, true },
		{ "bias=300B", { 100, 300, 900, 0, 0, 0 }, 1, false }, /* 600 against 300 + 300 */
		{ "bias=299B", { 100, 300, 900, 0, 0, 0 }, 0, true },
		{ "", { 5, 1, 5, 9000, 9000, 9000 }, 1, false }, /* the second dimension is not looked at */
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		cr_assert_eq(fixture_routing(&f, &rt_dimwar, row[i].params), 0);
		for (uint32_t seq = 0; seq < 20; seq++) {
			struct sw_packet p = { .dst = 14, .seq = seq, .via = SW_NO_VIA };
			struct rt_decision d = decide(&f.rt, 0, RT_FROM_ENDPOINT, row[i].depth, &p);
			cr_expect_eq(d.port, row[i].port, "%zu: port %u", i, d.port);
			cr_expect_eq(p.vc, row[i].aside ? 0 : 1, "%zu: VC %u", i, p.vc);
			cr_expect_eq(!!(p.route & SW_ROUTE_NONMINIMAL), row[i].aside);
		}
	}
	/* It has come aside in x to (1, 0), by the port from (0, 0): straight on, whatever the queue. From y it is
	 * free. */
	static const uint64_t full[6] = { 9000, 0, 0, 0, 0, 0 };
	cr_assert_eq(fixture_routing(&f, &rt_dimwar, ""), 0);
	struct sw_packet p = { .dst = 14, .via = SW_NO_VIA };
	cr_expect_eq(decide(&f.rt, 1, topo_peer(&f.topo, 0, 0).port, full, &p).port, 0);
	cr_expect_eq(p.vc, 1);
	p = (struct sw_packet){ .dst = 14, .via = SW_NO_VIA };
	cr_expect_neq(decide(&f.rt, 1, 3, full, &p).port, 0);
	cr_expect_eq(p.vc, 0);
	fixture_free(&f);
}

/* The same place: ports 1 and 5 align, all others but them are aside. */
Test(war, omniwar_by_hand)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_hyperx, "dims=4,4 endpoints=1"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_omniwar, "deroutes=1"), 0);
	static const struct {
		uint64_t depth[6];
		uint32_t hops;
		topo_port port;
		bool aside;
	} row[] = {
		{ { 0, 300, 0, 0, 0, 200 }, 1, 5, false }, /* three hops at most: none aside after the first */
		{ { 900, 300, 900, 900, 900, 200 }, 0, 5, false },
		{ { 900, 300, 900, 133, 900, 200 }, 0, 3, true }, /* 399 against 400 */
		{ { 900, 300, 900, 134, 900, 200 }, 0, 5, false },
		{ { 900, 100, 60, 900, 900, 200 }, 0, 2, true },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (uint32_t seq = 0; seq < 20; seq++) {
			struct sw_packet p = { .dst = 14, .seq = seq, .via = SW_NO_VIA, .hops = (uint8_t)row[i].hops };
			struct rt_decision d = decide(&f.rt, 0, row[i].hops ? 4 : RT_FROM_ENDPOINT, row[i].depth, &p);
			cr_expect_eq(d.port, row[i].port, "%zu: port %u", i, d.port);
			cr_expect_eq(p.vc, row[i].hops);
			cr_expect_eq(!!(p.route & SW_ROUTE_NONMINIMAL), row[i].aside);
		}
	/* In an empty network both dimensions are taken as often. */
	static const uint64_t empty[6];
	uint32_t first = 0;
	for (uint32_t seq = 0; seq < 1000; seq++) {
		struct sw_packet p = { .dst = 14, .seq = seq, .via = SW_NO_VIA };
		topo_port port = decide(&f.rt, 0, RT_FROM_ENDPOINT, empty, &p).port;
		cr_assert(port == 1 || port == 5);
		first += port == 1;
	}
	cr_expect(first > 430 && first < 570, "%u of 1000", first);
	fixture_free(&f);
}

/* --- whatever the queues are ---------------------------------------------------------------------------------- */

static uint64_t random_depth(const void *sw, topo_port out, uint64_t now)
{
	uint64_t x = (now * 64 + out + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ *(const uint64_t *)sw;
	x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	return (x >> 40) % 3 ? x >> 50 : 0;
}

struct walked {
	uint32_t hops, aside, most_in_dimension;
	bool in_order;
};

static struct walked walk(const struct fixture *f, uint32_t seq, topo_endpoint src, topo_endpoint dst)
{
	const struct topo *t = &f->topo;
	struct walked w = { .in_order = true };
	uint32_t in_dimension[8] = { 0 };
	uint64_t salt = seq;
	struct sw_packet p = { .src = src, .dst = dst, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
	struct rt_env env = { .here = topo_switch_of(t, src),
		              .in_port = RT_FROM_ENDPOINT,
		              .seed = 3,
		              .queue_bytes = random_depth,
		              .sw = &salt };
	topo_switch to = topo_switch_of(t, dst);
	int dimension = -1;
	for (;; p.hops++) {
		env.now = (uint64_t)seq << 8 | p.hops;
		env.drawn = 0;
		unsigned far = t->ops->distance(t, env.here, to);
		struct rt_decision d = f->rt.ops->route(&f->rt, &env, &p);
		if (d.port == RT_EJECT)
			break;
		struct topo_hop hop = topo_peer(t, env.here, d.port);
		unsigned after = t->ops->distance(t, hop.to, to);
		cr_assert(after + 1 == far || after == far, "away, from %u to %u", far, after);
		cr_assert_lt(p.vc, f->rt.vcs);
		w.aside += after == far;
		w.in_order = w.in_order && hop.dimension >= dimension;
		dimension = hop.dimension;
		uint32_t n = ++in_dimension[hop.dimension];
		w.most_in_dimension = n > w.most_in_dimension ? n : w.most_in_dimension;
		w.hops++;
		cr_assert_leq(w.hops, f->rt.max_hops);
		env.here = hop.to;
		env.in_port = hop.port;
	}
	cr_assert_eq(env.here, to);
	cr_assert_eq(!!(p.route & SW_ROUTE_NONMINIMAL), w.aside > 0);
	return w;
}

Test(war, every_route_keeps_to_its_rules)
{
	static const char *const network[] = { "dims=5,5 endpoints=2", "dims=4,3,5 endpoints=1",
		                               "dims=3,2,4,3 trunk=1,2,1,2", "dims=9 endpoints=3",
		                               "dims=4,4 endpoints=1 order=dimension" };
	for (size_t i = 0; i < sizeof network / sizeof *network; i++)
		for (int omni = 0; omni < 2; omni++) {
			struct fixture f;
			cr_assert_eq(fixture_topo(&f, &topo_hyperx, network[i]), 0);
			cr_assert_eq(fixture_routing(&f, omni ? &rt_omniwar : &rt_dimwar, omni ? "deroutes=2" : ""), 0);
			uint32_t aside = 0, out_of_order = 0;
			for (uint32_t seq = 0; seq < 20000; seq++) {
				topo_endpoint src = seq * 7919u % f.topo.endpoints,
					      dst = (seq * 104729u + 5) % f.topo.endpoints;
				struct walked w = walk(&f, seq, src, dst);
				unsigned far = f.topo.ops->distance(&f.topo, topo_switch_of(&f.topo, src),
				                                    topo_switch_of(&f.topo, dst));
				cr_assert_eq(w.hops, far + w.aside, "%s", network[i]);
				if (!omni)
					cr_assert(w.in_order && w.most_in_dimension <= 2, "%s", network[i]);
				aside += w.aside;
				out_of_order += !w.in_order;
			}
			cr_expect_gt(aside, 1000, "%s: %u hops aside", network[i], aside);
			cr_expect((out_of_order > 0) == (omni && strchr(network[i], ',')), "%s", network[i]);
			fixture_free(&f);
		}
}

/* With empty queues every route is minimal, and stays so. */
Test(war, an_empty_network_is_minimal)
{
	static const uint64_t empty[64];
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_hyperx, "dims=4,3,5 endpoints=1"), 0);
	for (int omni = 0; omni < 2; omni++) {
		cr_assert_eq(fixture_routing(&f, omni ? &rt_omniwar : &rt_dimwar, ""), 0);
		for (topo_switch a = 0; a < 60; a++)
			for (topo_switch b = 0; b < 60; b++) {
				struct sw_packet p = { .src = a, .dst = b, .seq = a, .via = SW_NO_VIA };
				topo_switch here = a;
				topo_port in = RT_FROM_ENDPOINT;
				for (;; p.hops++) {
					struct rt_decision d = decide(&f.rt, here, in, empty, &p);
					if (d.port == RT_EJECT)
						break;
					struct topo_hop hop = topo_peer(&f.topo, here, d.port);
					here = hop.to;
					in = hop.port;
				}
				cr_assert_eq(p.hops, f.topo.ops->distance(&f.topo, a, b));
				cr_assert(!(p.route & SW_ROUTE_NONMINIMAL));
			}
	}
	fixture_free(&f);
}
