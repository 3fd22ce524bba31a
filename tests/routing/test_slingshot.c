/* Decisions of routing/slingshot.c against its rule, worked out by hand:
 *      the least (q + q') H wins, non-minimal ones with the bias added; ties go minimal;
 * q: queued here for the first hop, q': told by the next switch for the second, the mean over equally good ports. */
#include "depths.h"

/* On the same graph, of a class with a bias of its own, and of "auto", by hops: of two of the detour. */
Test(slingshot, bias_of_a_class)
{
	static const struct {
		struct rt_bias of_class;
		const char *params;
		uint64_t q_m;
		bool minimal;
	} row[] = {
		{ { 1000, 0 }, "bias=0B", 1000, true },   { { 1000, 0 }, "bias=0B", 1001, false },
		{ { 1000, 0 }, "bias=5KB", 1001, false }, { { 0, 0 }, "bias=5KB", 1, false },
		{ { 0, 400 }, "bias=0B", 800, true },     { { 0, 400 }, "bias=5KB", 801, false },
	};
	struct topo topo = complete_graph(6, 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct built b;
		struct depths d = { .asked = 0 };
		build(&b, &topo, &rt_slingshot, row[i].params);
		d.here[complete_port(2, 4)] = row[i].q_m;
		bias_of_class = &row[i].of_class;
		for (uint32_t seq = 0; seq < 20; seq++) {
			struct sw_packet p;
			decide(&b.rt, &d, 2, 4, seq, &p);
			cr_assert_eq(!(p.route & SW_ROUTE_NONMINIMAL), row[i].minimal, "row %zu", i);
		}
		bias_of_class = NULL;
		unbuild(&b);
	}
}

/* The complete graph, from 2 to 4: H = 1 without a next hop, against H = 2 by any v, which goes on by the port to 4. */
Test(slingshot, rule)
{
	static const struct {
		const char *params;
		uint64_t q_m, q_nm, told;
		bool minimal;
	} row[] = {
		{ "bias=0B", 0, 0, 0, true },
		{ "bias=0B", 1, 0, 0, false },
		{ "bias=0B", 512, 256, 0, true }, /* 512 <= 2 x 256: a tie */
		{ "bias=0B", 513, 256, 0, false },
		{ "bias=0B", 513, 0, 257, true },
		{ "bias=0B", 513, 0, 256, false },
		{ "bias=0B", 600, 100, 199, false },
		{ "bias=0B", 600, 100, 200, true },
		{ "bias=1KB", 1000, 0, 0, true },
		{ "bias=1KB", 1001, 0, 0, false },
		{ "bias=1KB", 1300, 100, 50, true },
		{ "bias=1KB", 1301, 100, 50, false },
		{ "candidates=1", 100000, 0, 0, true },
		{ "candidates=1 minimal=1", 100000, 0, 0, true },
	};
	struct topo topo = complete_graph(6, 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct built b;
		struct depths d = { .asked = 0 };
		build(&b, &topo, &rt_slingshot, row[i].params);
		for (topo_port p = 0; p < 5; p++) {
			topo_switch v = topo_peer(&topo, 2, p).to;
			d.here[p] = v == 4 ? row[i].q_m : row[i].q_nm;
			for (topo_port far = 0; far < 5; far++) /* by another port than the route's: a trap */
				d.there[p][far] = v != 4 && far == complete_port(v, 4) ? row[i].told : 77777;
		}
		for (uint32_t seq = 0; seq < 50; seq++) {
			struct sw_packet p;
			struct rt_decision decision = decide(&b.rt, &d, 2, 4, seq, &p);
			cr_assert_eq(!(p.route & SW_ROUTE_NONMINIMAL), row[i].minimal, "row %zu", i);
			cr_assert(p.route & SW_ROUTE_DECIDED);
			cr_assert_eq(decision.port, complete_port(2, row[i].minimal ? 4 : p.via));
		}
		unbuild(&b);
	}
}

/* One intermediate of four is good, so k draws find it with probability 1 - (3/4)^k. Only one minimal hop exists here,
 * so `minimal` = 2 leaves as many draws as 1. */
Test(slingshot, number_of_candidates)
{
	static const struct {
		const char *params;
		double probability;
	} row[] = {
		{ "candidates=2", 0.25 },
		{ "candidates=3", 0.4375 },
		{ "candidates=4", 0.578125 },
		{ "candidates=4 minimal=1", 0.578125 },
		{ "candidates=4 minimal=4", 0.578125 },
	};
	struct topo topo = complete_graph(6, 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct built b;
		struct depths d = { .here = { 9000, 9000, 9000, 9000, 10 } }; /* ports of switch 0: to 1 .. 5 */
		unsigned by_5 = 0, n = 4000;
		build(&b, &topo, &rt_slingshot, row[i].params);
		for (uint32_t seq = 0; seq < n; seq++) {
			struct sw_packet p;
			decide(&b.rt, &d, 0, 1, seq, &p);
			cr_assert(p.via == 5 || p.via == SW_NO_VIA);
			by_5 += p.via == 5;
		}
		double mean = n * row[i].probability, sigma = 63.3 * 0.5; /* sqrt(n) / 2 at most */
		cr_expect_float_eq(by_5, mean, 5 * sigma, "%s: %u", row[i].params, by_5);
		unbuild(&b);
	}
}

/* A ring of 8, from 0 to 4: two minimal first hops, both looked at; what the next switch tells decides as well. */
Test(slingshot, several_minimal_hops)
{
	struct topo ring = ring_graph(8, 1, TOPO_VC_HOP);
	struct built b;
	struct sw_packet p;
	build(&b, &ring, &rt_slingshot, "candidates=2 minimal=2");
	struct depths d = { .here = { 1000, 400 }, .there = { { 0, 77777 }, { 77777, 599 } } };
	for (uint32_t seq = 0; seq < 100; seq++)
		cr_assert_eq(decide(&b.rt, &d, 0, 4, seq, &p).port, 1); /* 400 + 599 < 1000 */
	d.there[1][1] = 601;
	for (uint32_t seq = 0; seq < 100; seq++)
		cr_assert_eq(decide(&b.rt, &d, 0, 4, seq, &p).port, 0);
	unbuild(&b);
	unsigned by_1 = 0;
	build(&b, &ring, &rt_slingshot, "candidates=1"); /* then the first at random */
	for (uint32_t seq = 0; seq < 1000; seq++)
		by_1 += decide(&b.rt, &d, 0, 4, seq, &p).port;
	cr_expect_float_eq(by_1, 500.0, 5 * 15.8, "%u", by_1);
	unbuild(&b);
}

/* From 0 to 3 by 7, where both ways go on to 3: the mean of 100 and 300 counts, H = 5, against H = 3. All other
 * intermediates cost 1500, or as much as the minimal route, which is the first part of theirs. */
Test(slingshot, mean_over_equal_ports)
{
	struct topo ring = ring_graph(8, 1, TOPO_VC_HOP);
	struct built b;
	struct sw_packet p;
	build(&b, &ring, &rt_slingshot, "bias=0B");
	for (int more = 0; more < 2; more++) {
		struct depths d = { .here = { 333 + (unsigned)more, 0 }, .there = { { 0, 0 }, { 100, 300 } } };
		unsigned diverted = 0;
		for (uint32_t seq = 0; seq < 500; seq++) {
			decide(&b.rt, &d, 0, 3, seq, &p);
			cr_assert(p.via == SW_NO_VIA || p.via == 7);
			diverted += p.via == 7;
		}
		if (more)
			cr_expect_gt(diverted, 150); /* 1002 > 1000; drawn with probability 1 - (5/6)^3 = 0.42 */
		else
			cr_expect_eq(diverted, 0); /* 999 <= 1000 */
	}
	unbuild(&b);
}

/* With neighbours that tell nothing and one minimal candidate it is UGAL-L with one candidate less, packet by packet.
 */
Test(slingshot, without_neighbours_is_ugal_l)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *params;
	} network[] = {
		{ &topo_slimfly, "q=5 endpoints=1" },
		{ &topo_dragonfly, "p=1 a=4 h=2" },
		{ &topo_torus, "dims=4,4" },
	};
	for (size_t i = 0; i < sizeof network / sizeof *network; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, network[i].plugin, network[i].params), 0);
		struct built s, u;
		build(&s, &f.topo, &rt_slingshot, "candidates=4 minimal=1 bias=1KB");
		build(&u, &f.topo, &rt_ugal_l, "candidates=3 bias=1KB");
		unsigned diverted = 0, n = 3000;
		for (uint32_t seq = 0; seq < n; seq++) {
			struct depths d = { .asked = 0 };
			for (unsigned k = 0; k < 16; k++)
				d.here[k] = sim_draw4(9, seq, k, SIM_DRAW_MODEL, 0).v[0] % 4096;
			uint32_t from = seq % f.topo.switches, to = (from + 1 + seq / 7) % f.topo.switches;
			if (from == to)
				continue;
			struct sw_packet a, c;
			struct rt_decision x = decide(&s.rt, &d, from, to, seq, &a);
			struct rt_decision y = decide(&u.rt, &d, from, to, seq, &c);
			cr_assert_eq(x.port, y.port);
			cr_assert(!memcmp(&a, &c, sizeof a));
			diverted += a.via != SW_NO_VIA;
		}
		cr_expect(diverted > n / 5 && diverted < n, "%s: %u", network[i].params, diverted);
		unbuild(&s);
		unbuild(&u);
		fixture_free(&f);
	}
}

/* Neighbours are asked wherever they are, over a global cable too; but not about what is longer and no emptier here
 * already; and a quiet network asks for the minimal route's only. */
Test(slingshot, asks_neighbours)
{
	struct fixture f;
	struct sw_packet p;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=1 a=4 h=2"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_slingshot, ""), 0);
	struct depths uneven = { .asked = 0 }, even = { .asked = 0 }, quiet = { .asked = 0 };
	for (uint32_t i = 0; i < 36 * 36; i++)
		if (i % 36 != i / 36) {
			for (unsigned k = 0; k < 16; k++) {
				uneven.here[k] = sim_draw4(9, i, k, SIM_DRAW_MODEL, 0).v[0] % 200000;
				even.here[k] = 100000;
			}
			decide(&f.rt, &uneven, i % 36, i / 36, i, &p);
			decide(&f.rt, &even, i % 36, i / 36, i, &p);
			decide(&f.rt, &quiet, i % 36, i / 36, i, &p);
			cr_assert_eq(p.via, SW_NO_VIA);
		}
	cr_expect_gt(uneven.asked, even.asked + 400);
	cr_expect_gt(uneven.beyond_group, 300);
	cr_expect_leq(even.asked, 36 * 35); /* this network has one minimal port to everywhere */
	cr_expect_leq(quiet.asked, 36 * 35);
	fixture_free(&f);
}

Test(slingshot, parameters)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4,4"), 0);
	cr_expect_eq(fixture_routing(&f, &rt_slingshot, "candidates=5"), -1);
	cr_expect_eq(fixture_routing(&f, &rt_slingshot, "candidates=0"), -1);
	cr_expect_eq(fixture_routing(&f, &rt_slingshot, "quantum=0B"), -1);
	cr_expect_eq(fixture_routing(&f, &rt_slingshot, "via=group"), -1);
	cr_expect_eq(fixture_routing(&f, &rt_slingshot, "quantum=1KiB hold=3us"), 0);
	cr_expect_eq(f.rt.neighbour_quantum, 1024);
	cr_expect_eq(f.rt.neighbour_hold, 3000000);
	cr_expect(!f.rt.auto_hold && f.rt.auto_bias);
	fixture_free(&f);
}
