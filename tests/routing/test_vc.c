/* How many VCs and hops each routing asks for, and the VCs along whole routes, against reference/topologies.md section
 * 5 (supersim's VC classes per hop; sst-macro issue 325). */
#include "fixture.h"

#include <criterion/criterion.h>

struct need {
	const struct base_plugin *topology;
	const char *network;
	const struct base_plugin *routing;
	const char *params;
	unsigned vcs, hops;
};

Test(vc, least_numbers)
{
	const struct need need[] = {
		/* Slim Fly: diameter 2, a VC a hop */
		{ &topo_slimfly, "q=5 endpoints=4", &rt_minimal, "", 2, 2 },
		{ &topo_slimfly, "q=5 endpoints=4", &rt_valiant, "", 4, 4 },
		{ &topo_slimfly, "q=13 endpoints=9", &rt_slimfly_adaptive, "", 4, 4 },
		{ &topo_slimfly, "q=5 endpoints=4", &rt_ugal_l, "", 4, 4 },
		{ &topo_slimfly, "q=5 endpoints=4", &rt_ugal_g, "", 4, 4 },
		{ &topo_slimfly, "q=5 endpoints=4", &rt_par, "", 5, 5 },
		{ &topo_slimfly, "q=5 endpoints=4", &rt_slingshot, "", 4, 4 },
		/* dragonfly: lgl 2; lglgl 3; lgllgl 4; PAR one local hop and one VC more */
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_minimal, "", 2, 3 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_valiant, "via=group", 3, 5 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_valiant, "via=switch", 4, 6 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_ugal_l, "via=group", 3, 5 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_ugal_g, "via=switch", 4, 6 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_slingshot, "", 4, 6 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_slingshot, "via=group", 3, 5 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_par, "via=group", 4, 6 },
		{ &topo_dragonfly, "p=4 a=8 h=4", &rt_par, "via=switch", 5, 7 },
		/* grid groups (Cascade): local runs of two hops on one VC each */
		{ &topo_dragonfly, "preset=edison", &rt_minimal, "", 2, 5 },
		{ &topo_dragonfly, "preset=edison", &rt_valiant, "via=group", 3, 8 },
		{ &topo_dragonfly, "preset=edison", &rt_valiant, "via=switch", 4, 10 },
		{ &topo_dragonfly, "preset=edison", &rt_par, "via=switch", 5, 12 },
		/* torus: two VCs a leg, one where no ring has four switches; lines one */
		{ &topo_torus, "dims=8,8,8", &rt_minimal, "", 2, 12 },
		{ &topo_torus, "dims=8,8,8", &rt_minimal, "deadlock=bubble", 1, 12 },
		{ &topo_torus, "dims=8,8,8", &rt_valiant, "", 4, 24 },
		{ &topo_torus, "dims=8,8,8", &rt_ugal_l, "", 4, 24 },
		{ &topo_torus, "dims=8,8", &rt_par, "", 6, 17 },
		{ &topo_torus, "dims=8,8", &rt_slingshot, "", 4, 16 },
		{ &topo_torus, "dims=3,3", &rt_minimal, "", 1, 2 },
		{ &topo_torus, "dims=3,3,4", &rt_minimal, "", 2, 4 },
		{ &topo_torus, "dims=5,4 wrap=false", &rt_minimal, "", 1, 7 },
		{ &topo_torus, "dims=5,4 wrap=false", &rt_valiant, "", 2, 14 },
		{ &topo_torus, "dims=5,4 wrap=false,true", &rt_valiant, "", 4, 12 },
		/* HyperX: a VC a hop in any order, one a leg in dimension order; trees: one a leg */
		{ &topo_hyperx, "dims=4,4,4", &rt_minimal, "", 3, 3 },
		{ &topo_hyperx, "dims=4,4,4", &rt_ugal_l, "", 6, 6 },
		{ &topo_hyperx, "dims=4,4,4 order=dimension", &rt_minimal, "", 1, 3 },
		{ &topo_hyperx, "dims=4,4,4 order=dimension", &rt_valiant, "", 2, 6 },
		{ &topo_hyperx, "dims=4,4,4 order=dimension", &rt_par, "", 3, 7 },
		{ &topo_fattree, "k=8", &rt_minimal, "", 1, 4 },
		{ &topo_fattree, "k=8", &rt_minimal_adaptive, "", 1, 4 },
		{ &topo_fattree, "k=8", &rt_slingshot, "", 2, 8 },
		{ &topo_kary_ntree, "k=2 n=5", &rt_valiant, "", 2, 16 },
		{ &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4", &rt_minimal, "", 1, 3 },
		{ &topo_dragonfly_plus, "p=4 leaves=4 spines=4 h=4", &rt_ugal_l, "via=group", 2, 6 },
		{ &topo_polarfly, "q=5", &rt_minimal, "", 2, 2 },
		{ &topo_polarfly, "q=5", &rt_par, "", 5, 5 },
		{ &topo_polarstar, "q=3 degree=4", &rt_minimal, "", 3, 3 },
		{ &topo_polarstar, "q=3 degree=4", &rt_ugal_l, "", 6, 6 },
		{ &topo_bundlefly, "q=5 supernode=5", &rt_minimal, "", 3, 3 },
		{ &topo_bundlefly, "q=5 supernode=5", &rt_ugal_l, "", 6, 6 },
		{ &topo_hammingmesh, "boards=4,4", &rt_minimal, "", 4, 4 },
		{ &topo_hammingmesh, "boards=4,4", &rt_valiant, "", 8, 8 },
		{ &topo_oft, "k=4", &rt_minimal, "", 1, 2 },
		{ &topo_mlfm, "h=4", &rt_ugal_l, "", 2, 4 },
		{ &topo_spectralfly, "p=11 q=7 endpoints=6", &rt_valiant, "", 6, 6 },
		{ &topo_jellyfish, "switches=6 degree=5 endpoints=1", &rt_minimal, "", 1, 1 },
		{ &topo_single, "ports=8", &rt_minimal, "", 1, 0 },
		{ &topo_single, "ports=8", &rt_valiant, "", 1, 0 },
	};
	for (size_t i = 0; i < sizeof need / sizeof *need; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, need[i].topology, need[i].network), 0, "%s", need[i].network);
		cr_assert_eq(fixture_routing(&f, need[i].routing, need[i].params), 0);
		cr_expect_eq(f.rt.vcs, need[i].vcs, "%s %s: %u VCs, not %u", need[i].network, need[i].routing->name,
		             f.rt.vcs, need[i].vcs);
		cr_expect_eq(f.rt.max_hops, need[i].hops, "%s %s: %u hops, not %u", need[i].network,
		             need[i].routing->name, f.rt.max_hops, need[i].hops);
		fixture_free(&f);
	}
}

Test(vc, hand_made_graphs)
{
	struct topo k5 = complete_graph(5, 2), ring = ring_graph(6, 1, TOPO_VC_DATELINE);
	struct base_errors errors = { 0 };
	void *minimal = fixture_params(&rt_minimal, "", &errors), *valiant = fixture_params(&rt_valiant, "", &errors);
	struct rt rt;
	cr_assert_eq(rt_build(&rt, &rt_minimal, minimal, &k5, &errors), 0);
	cr_expect_eq(rt.vcs, 1);
	rt_destroy(&rt);
	cr_assert_eq(rt_build(&rt, &rt_valiant, valiant, &k5, &errors), 0);
	cr_expect_eq(rt.vcs, 2);
	rt_destroy(&rt);
	cr_assert_eq(rt_build(&rt, &rt_valiant, valiant, &ring, &errors), 0);
	cr_expect_eq(rt.vcs, 4);
	cr_expect_eq(rt.max_hops, 6);
	rt_destroy(&rt);
	struct topo k2 = complete_graph(2, 1); /* no intermediate: minimal */
	cr_assert_eq(rt_build(&rt, &rt_valiant, valiant, &k2, &errors), 0);
	cr_expect_eq(rt.vcs, 1);
	rt_destroy(&rt);
	free(minimal);
	free(valiant);
}

Test(vc, impossible_parameters)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=5,4"), 0);
	cr_expect_eq(fixture_routing(&f, &rt_valiant, "via=group"), -1);
	cr_assert_eq(f.errors.n, 1);
	cr_expect_str_eq(f.errors.v[0].key, "via");
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_slimfly, "q=5 endpoints=4"), 0);
	cr_expect_eq(fixture_routing(&f, &rt_minimal, "deadlock=bubble"), -1);
	cr_assert_eq(f.errors.n, 1);
	cr_expect_str_eq(f.errors.v[0].key, "deadlock");
	cr_expect_eq(fixture_routing(&f, &rt_slimfly_adaptive, "candidates=0"), -1);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=500"),
	             0); /* 250 hops fit a packet's count; twice that does not */
	cr_expect_eq(fixture_routing(&f, &rt_minimal, ""), 0);
	cr_expect_eq(fixture_routing(&f, &rt_valiant, ""), -1);
	fixture_free(&f);
}

/* Follows a packet and writes its hops with their VCs: "l0 g0 l1". Queues: `before` bytes everywhere at the source
 * switch, `after` bytes from then on for the global ports, which is where a minimal packet waits at its second switch.
 */
struct depths {
	const struct topo *topo;
	topo_switch here;
	bool source;
	uint64_t before, after;
};

static uint64_t queue(const void *sw, topo_port out, uint64_t now)
{
	const struct depths *d = sw;
	(void)now;
	if (d->source)
		return d->before;
	return topo_peer(d->topo, d->here, out).link_class == 1 ? d->after : 0;
}

static void trace(const struct rt *rt, struct sw_packet p, uint64_t after, char *text)
{
	struct depths depths = {
		.topo = rt->topo, .here = topo_switch_of(rt->topo, p.src), .source = true, .after = after
	};
	struct rt_env env = {
		.here = depths.here, .in_port = RT_FROM_ENDPOINT, .seed = 1, .queue_bytes = queue, .sw = &depths
	};
	*text = 0;
	for (;; p.hops++) {
		env.drawn = 0;
		struct rt_decision d = rt->ops->route(rt, &env, &p);
		if (d.port == RT_EJECT)
			return;
		struct topo_hop hop = topo_peer(rt->topo, env.here, d.port);
		text += sprintf(text, "%s%c%u", p.hops ? " " : "", "lg"[hop.link_class], p.vc);
		depths.here = env.here = hop.to;
		depths.source = false;
		env.in_port = hop.port;
	}
}

/* Of many packets on the 1,056-endpoint dragonfly, many take the longest route, with exactly these VCs. */
static void dragonfly_sequence(const struct base_plugin *routing, const char *params, uint64_t after, const char *full)
{
	struct fixture f;
	char text[128], kinds[64];
	unsigned seen = 0;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=4 a=8 h=4"), 0);
	cr_assert_eq(fixture_routing(&f, routing, params), 0);
	for (uint32_t i = 0; i < 4000; i++) {
		struct sw_packet p = {
			.src = i % 1056, .dst = i * 37 % 1056, .seq = i, .bytes = 256, .via = SW_NO_VIA
		};
		trace(&f.rt, p, after, text);
		size_t n = 0;
		for (const char *t = text; *t; t++)
			if (*t == 'l' || *t == 'g')
				kinds[n++] = *t;
		kinds[n] = 0;
		if (n != (strlen(full) + 1) / 3)
			continue;
		char wanted[64] = "";
		for (size_t j = 0; j < n; j++)
			wanted[j] = full[3 * j];
		if (strcmp(kinds, wanted))
			continue;
		seen++;
		cr_assert_str_eq(text, full);
	}
	cr_expect_gt(seen, 1000, "%s %s: %u", routing->name, params, seen);
	fixture_free(&f);
}

Test(vc, dragonfly_sequences)
{
	dragonfly_sequence(&rt_minimal, "", 0, "l0 g0 l1");
	dragonfly_sequence(&rt_valiant, "via=group", 0, "l0 g0 l1 g1 l2");
	dragonfly_sequence(&rt_valiant, "via=switch", 0, "l0 g0 l1 l2 g2 l3");
	/* PAR turns aside at the second switch, where the global port is busy and the way back into the group is not */
	dragonfly_sequence(&rt_par, "via=group", 1000, "l0 l1 g1 l2 g2 l3");
	dragonfly_sequence(&rt_par, "via=switch", 1000, "l0 l1 g1 l2 l3 g3 l4");
}
