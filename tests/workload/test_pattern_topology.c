/* tests/workload/test_pattern_topology.c - patterns that follow the network: coordinates, groups, the worst case. */
#include "tests/workload/fixture.h"

#include <math.h>

/* Torus 8 x 5, two endpoints a switch: switch x + 8 y, endpoint 2 switch + position. */
static void expect_shift(const struct base_plugin *pattern, uint32_t dx, uint32_t dy)
{
	struct fixture f;
	fixture_topo(&f, &topo_torus, "dims=8,5 endpoints=2");
	fixture_job(&f, pattern, "");
	fixture_build(&f);
	cr_assert_eq(f.traffic.job[0].members, 80);
	for (uint32_t x = 0; x < 8; x++)
		for (uint32_t y = 0; y < 5; y++)
			for (uint32_t k = 0; k < 2; k++) {
				uint32_t to = 2 * ((x + dx) % 8 + 8 * ((y + dy) % 5)) + k;
				cr_assert_eq(fixture_first(&f, 0, 2 * (x + 8 * y) + k), to);
			}
	fixture_free(&f);
}

Test(pattern_topology, torus_coordinates)
{
	expect_shift(&wl_neighbor, 1, 1);
	expect_shift(&wl_tornado, 3, 2); /* ceil(8/2) - 1, ceil(5/2) - 1 */
}

Test(pattern_topology, torus_ring_of_eight_tornado)
{
	struct fixture f;
	fixture_topo(&f, &topo_torus, "dims=8 endpoints=1");
	fixture_job(&f, &wl_tornado, "");
	fixture_build(&f);
	for (uint32_t e = 0; e < 8; e++)
		cr_assert_eq(fixture_first(&f, 0, e), (e + 3) % 8);
	fixture_free(&f);
}

/* A partner outside the job leaves a member idle: here only coordinates 0..3 of a ring of 8 take part. */
Test(pattern_topology, partners_outside_the_job)
{
	struct fixture f;
	fixture_topo(&f, &topo_torus, "dims=8 endpoints=1");
	fixture_job(&f, &wl_neighbor, "")->nodes = "0-3";
	fixture_build(&f);
	for (uint32_t e = 0; e < 8; e++)
		cr_assert_eq(fixture_first(&f, 0, e), e < 3 ? e + 1 : WL_IDLE);
	cr_assert_eq(f.traffic.job[0].members, 3);
	cr_assert_eq(f.traffic.job[0].idle, 1);
	uint8_t list[1];
	cr_assert_eq(f.traffic.jobs_at(&f.traffic, 2, list), 1);
	cr_assert_eq(f.traffic.jobs_at(&f.traffic, 3, list), 0);
	fixture_free(&f);
}

/* Every endpoint sends to its own position on the switch that the topology names, and those of idle switches never. */
static void expect_worst_case(const struct base_plugin *plugin, const char *text, uint32_t idle_switches)
{
	struct fixture f;
	fixture_topo(&f, plugin, text);
	fixture_job(&f, &wl_worst_case, "");
	fixture_build(&f);
	topo_switch *to = base_calloc(f.topo.switches, sizeof *to);
	cr_assert_eq(f.topo.ops->worst_case(&f.topo, to), idle_switches);
	uint32_t p = f.topo.max_endpoints;
	for (uint32_t e = 0; e < f.topo.endpoints; e++) {
		uint32_t got = fixture_first(&f, 0, e);
		cr_assert_eq(got, to[e / p] == TOPO_NONE ? WL_IDLE : to[e / p] * p + e % p);
	}
	cr_assert_eq(f.traffic.job[0].idle, idle_switches * p);
	cr_assert_eq(f.traffic.job[0].members, f.topo.endpoints - idle_switches * p);
	free(to);
	fixture_free(&f);
}

/* Chains of four switches leave 2 q^2 mod 4 idle. */
Test(pattern_topology, worst_case)
{
	expect_worst_case(&topo_slimfly, "q=13 endpoints=9", 2);
	expect_worst_case(&topo_slimfly, "q=4 endpoints=3", 0);
	expect_worst_case(&topo_dragonfly, "p=4 a=8 h=4 g=33", 0);
	expect_worst_case(&topo_torus, "dims=4,4 endpoints=1", 0);
}

/* Dragonfly p=2 a=4 h=2 g=9: eight endpoints a group, group e / 8. */
static void expect_adversarial(const char *params, uint32_t offset)
{
	enum { MESSAGES = 800 };
	struct fixture f;
	fixture_topo(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
	fixture_job(&f, &wl_adversarial, params);
	fixture_build(&f);
	cr_assert_eq(f.traffic.job[0].members, 72);
	for (uint32_t e = 0; e < 72; e++) {
		struct net_source s;
		struct sw_packet packet;
		int count[8] = { 0 };
		double chi = 0;
		f.traffic.ops->start(&f.traffic, 0, e, &s);
		for (int k = 0; k < MESSAGES; k++) {
			f.traffic.ops->take(&f.traffic, 0, e, &s, &packet);
			cr_assert_eq(packet.dst / 8, (e / 8 + offset) % 9);
			count[packet.dst % 8]++;
		}
		for (int k = 0; k < 8; k++)
			chi += (count[k] - MESSAGES / 8) * (count[k] - MESSAGES / 8) / (MESSAGES / 8.0);
		cr_assert_lt(chi, 35.0, "chi-square %g of 7 degrees of freedom", chi); /* p = 1e-5 */
	}
	fixture_free(&f);
}

Test(pattern_topology, adversarial)
{
	expect_adversarial("", 1);
	expect_adversarial("offset=1", 1);
	expect_adversarial("offset=8", 8);
}

/* A job in part of the groups: targets are members only, whatever their order; empty groups leave members idle. */
Test(pattern_topology, adversarial_in_part_of_the_network)
{
	struct fixture f;
	fixture_topo(&f, &topo_dragonfly, "p=2 a=4 h=2 g=9");
	fixture_job(&f, &wl_adversarial, "offset=1")->nodes = "15,9,11,0-3,64";
	fixture_build(&f);
	for (uint32_t e = 0; e < 72; e++) {
		struct net_source s;
		struct sw_packet packet;
		f.traffic.ops->start(&f.traffic, 0, e, &s);
		bool sends = e <= 3 || e == 64; /* groups 0 and 8; group 1 would send to 2, which has no member */
		cr_assert_eq(s.created != NET_NEVER, sends);
		bool seen[72] = { false };
		for (int k = 0; sends && k < 200; k++) {
			f.traffic.ops->take(&f.traffic, 0, e, &s, &packet);
			bool right =
			    e == 64 ? packet.dst <= 3 : packet.dst == 9 || packet.dst == 11 || packet.dst == 15;
			cr_assert(right, "%u sends to %u", e, packet.dst);
			seen[packet.dst] = true;
		}
		if (sends)
			cr_assert_eq(seen[0] + seen[1] + seen[2] + seen[3] + seen[9] + seen[11] + seen[15],
			             e == 64 ? 4 : 3);
	}
	cr_assert_eq(f.traffic.job[0].members, 5);
	cr_assert_eq(f.traffic.job[0].idle, 3);
	fixture_free(&f);
}
