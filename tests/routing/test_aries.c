/* Decisions of routing/aries.c against its rule, worked out by hand:
 *      minimal  iff  load_m <= load_n 2^shift + add + add_hop links,   load = min(15, level(q) + level(q')). */
#include "depths.h"

/* q: queued here for the first hop, q': reported by the next switch for the second; in bytes. The default quantum is
 * 256 B; levels are 0, 1, 2, 3 for as many quanta, then 4, 5, 6, 7, 8 ... from 4, 6, 8, 12, 16 ... on, 15 from 192 on.
 * The complete graph, from 2 to 4: one minimal route of one hop, against two hops by any other switch. */
Test(aries, rule)
{
	static const struct {
		const char *params;
		uint64_t q_m, q_nm, reported;
		bool minimal;
	} row[] = {
		{ "", 0, 0, 0, true },
		{ "", 255, 0, 0, true }, /* level 0 */
		{ "", 256, 0, 0, false },
		{ "", 256, 256, 0, true }, /* a tie */
		{ "", 512, 256, 0, false },
		{ "", 512, 256, 256, true },
		{ "", 767, 256, 256, true }, /* 2 <= 1 + 1 */
		{ "", 1024, 768, 0, false }, /* 4 > 3 */
		{ "", 1024, 512, 512, true },
		{ "", 49152, 49151, 0, false },     /* 15 > 14: 128 quanta and more, and fewer than 192 */
		{ "", 1 << 20, 3072, 4096, true },  /* 15 <= 15, of 7 + 8 */
		{ "", 1 << 20, 3072, 3072, false }, /* 15 > 14 */
		{ "", 1 << 20, 1 << 20, 1 << 20, true },
		{ "quantum=512B", 511, 0, 0, true },
		{ "quantum=512B", 512, 0, 0, false },
		{ "mode=adaptive-1", 256, 0, 0, false }, /* no link yet */
		{ "mode=adaptive-2", 512, 0, 0, true },  /* 2 <= 0 + 2 */
		{ "mode=adaptive-2", 768, 0, 0, false },
		{ "mode=adaptive-3", 1024, 0, 0, true }, /* 4 <= 2 x 0 + 4 */
		{ "mode=adaptive-3", 1536, 0, 0, false },
		{ "mode=adaptive-3", 2048, 256, 0, true }, /* 6 <= 2 x 1 + 4 */
		{ "mode=adaptive-3", 3072, 256, 0, false },
		{ "mode=adaptive-3 shift=0", 2048, 256, 0, false }, /* 6 > 1 + 4 */
		{ "mode=adaptive-3 add=0", 768, 256, 0, false },    /* 3 > 2 x 1 */
		{ "shift=2", 1024, 256, 0, true },                  /* 4 <= 4 x 1 */
		{ "shift=2", 1536, 256, 0, false },
		{ "add=15", 1 << 20, 0, 0, true },
		{ "add=14", 1 << 20, 0, 0, false },
	};
	struct topo topo = complete_graph(6, 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct built b;
		struct depths d = { .asked = 0 };
		build(&b, &topo, &rt_aries, row[i].params);
		for (topo_port p = 0; p < 5; p++) {
			topo_switch v = topo_peer(&topo, 2, p).to;
			d.here[p] = v == 4 ? row[i].q_m : row[i].q_nm;
			for (topo_port far = 0; far < 5; far++)
				d.there[p][far] = v != 4 && far == complete_port(v, 4) ? row[i].reported : 77777;
		}
		for (uint32_t seq = 0; seq < 50; seq++) {
			struct sw_packet p;
			struct rt_decision decision = decide(&b.rt, &d, 2, 4, seq, &p);
			cr_assert_eq(!(p.route & SW_ROUTE_NONMINIMAL), row[i].minimal, "row %zu", i);
			cr_assert_eq(decision.port, complete_port(2, row[i].minimal ? 4 : p.via));
		}
		unbuild(&b);
	}
}

/* One intermediate of four is good, so k draws find it with probability 1 - (3/4)^k. */
Test(aries, number_of_candidates)
{
	static const struct {
		const char *params;
		double probability;
	} row[] = { { "nonminimal=1", 0.25 }, { "", 0.4375 }, { "nonminimal=3", 0.578125 } };
	struct topo topo = complete_graph(6, 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct built b;
		struct depths d = { .here = { 9000, 9000, 9000, 9000, 10 } }; /* ports of switch 0: to 1 .. 5 */
		unsigned by_5 = 0, n = 4000;
		build(&b, &topo, &rt_aries, row[i].params);
		for (uint32_t seq = 0; seq < n; seq++) {
			struct sw_packet p;
			decide(&b.rt, &d, 0, 1, seq, &p);
			cr_assert(p.via == 5 || p.via == SW_NO_VIA);
			by_5 += p.via == 5;
		}
		cr_expect_float_eq(by_5, n * row[i].probability, 5 * 63.3 * 0.5, "%s: %u", row[i].params, by_5);
		unbuild(&b);
	}
}

/* A group of 2 x 4 switches of a dragonfly, all of whose outputs hold a packet: from switch 0 to switch 1, which is in
 * its row, a detour stays in the group, and is by every switch of it but these two. */
Test(aries, detours_stay_in_the_group)
{
	struct fixture f;
	struct built b;
	struct depths d = { .asked = 0 };
	bool seen[8] = { false };
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=1 rows=2 columns=4 h=1 g=3"), 0);
	build(&b, &f.topo, &rt_aries, "");
	topo_port out[TOPO_MAX_NEXT];
	cr_assert_eq(f.topo.ops->next(&f.topo, 0, 1, 0, out), 1);
	d.here[out[0]] = 1 << 20;
	for (uint32_t seq = 0; seq < 500; seq++) {
		struct sw_packet p;
		decide(&b.rt, &d, 0, 1, seq, &p);
		if (p.via == SW_NO_VIA)
			continue;
		cr_assert(p.via > 1 && p.via < 8, "by switch %u", p.via);
		seen[p.via] = true;
	}
	for (topo_switch s = 2; s < 8; s++)
		cr_expect_eq(seen[s], s != 5, "switch %u", s); /* the way to 5 begins with the same cable */
	unbuild(&b);
	fixture_free(&f);
}

/* A packet that is still minimal is decided again at the next switch of its group, with a bias that its links raise; a
 * global hop is final. */
Test(aries, decides_again_with_the_bias_of_its_hops)
{
	static const struct {
		const char *params;
		uint64_t q_m;
		bool minimal;
	} row[] = { { "", 256, false },
		    { "mode=adaptive-1", 1024, true }, /* 4 <= 0 + 4 x 1 */
		    { "mode=adaptive-1", 1536, false },
		    { "mode=adaptive-1 add_hop=5", 1536, true } };
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=1 a=4 h=1"), 0);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct built b;
		struct depths d = { .asked = 0, .topo = &f.topo };
		topo_port out[TOPO_MAX_NEXT];
		build(&b, &f.topo, &rt_aries, row[i].params);
		topo_switch to = 4; /* in the next group; `gate` has the cable to it */
		topo_switch from = 0, gate = 0;
		while (f.topo.ops->distance(&f.topo, gate, to) + 1 != f.topo.ops->distance(&f.topo, from, to)) {
			from = (from + 1) % 4;
			gate = from ? gate : gate + 1;
			cr_assert_lt(gate, 4);
		}
		struct sw_packet p = { .src = from, .dst = to, .bytes = 256, .via = SW_NO_VIA };
		struct rt_env env = { .here = from,
			              .in_port = RT_FROM_ENDPOINT,
			              .seed = 7,
			              .queue_bytes = queue,
			              .sw = &d,
			              .neighbour_bytes = neighbour,
			              .host = &d };
		d.at = from;
		struct rt_decision first = b.rt.ops->route(&b.rt, &env, &p);
		cr_assert_eq(topo_peer(&f.topo, from, first.port).to, gate);
		cr_assert(!(p.route & SW_ROUTE_DECIDED));
		cr_assert_eq(f.topo.ops->next(&f.topo, gate, to, 1, out), 1);
		d.here[out[0]] = row[i].q_m;
		d.at = gate;
		p.hops = 1;
		env.here = gate;
		env.in_port = topo_peer(&f.topo, from, first.port).port;
		env.drawn = 0;
		b.rt.ops->route(&b.rt, &env, &p);
		cr_assert_eq(!(p.route & SW_ROUTE_NONMINIMAL), row[i].minimal, "row %zu", i);
		cr_assert(p.route & SW_ROUTE_DECIDED);
		unbuild(&b);
	}
	fixture_free(&f);
}
