/* Adaptive decisions against tables worked out by hand from the rules in the plug-ins' sources:
 *      UGAL: minimal iff q_m H_m <= q_nm H_nm + bias
 *      Slim Fly: minimal iff q_m <= (L_I / L_M) c_SF q_I for every candidate I. */
#include "fixture.h"

#include <criterion/criterion.h>

/* On the complete graph H_m = 1 and H_nm = 2. One port is minimal, all others lead to intermediates. */
struct depths {
	topo_port minimal;
	uint64_t q_m, q_nm;
};

static uint64_t queue(const void *sw, topo_port out, uint64_t now)
{
	const struct depths *d = sw;
	(void)now;
	return out == d->minimal ? d->q_m : d->q_nm;
}

/* of_class: the bias of the packets' class, or NULL; they are job 3's. */
static bool goes_minimal_in_class(const struct base_plugin *routing, const char *params, uint64_t q_m, uint64_t q_nm,
                                  const struct rt_bias *of_class)
{
	const struct rt_bias *const of_jobs[] = { NULL, &(struct rt_bias){ 1000000000, 0 }, NULL, of_class };
	struct topo topo = complete_graph(6, 1);
	struct base_errors errors = { 0 };
	void *p = fixture_params(routing, params, &errors);
	struct rt rt;
	cr_assert_not_null(p);
	cr_assert_eq(rt_build(&rt, routing, p, &topo, &errors), 0);
	unsigned minimal = 0;
	for (uint32_t seq = 0; seq < 50; seq++) {
		struct depths depths = { complete_port(2, 4), q_m, q_nm };
		struct sw_packet packet = { .src = 2, .dst = 4, .seq = seq, .bytes = 256, .via = SW_NO_VIA, .job = 3 };
		struct rt_env env = { .here = 2,
			              .in_port = RT_FROM_ENDPOINT,
			              .seed = 1,
			              .queue_bytes = queue,
			              .sw = &depths,
			              .class_bias = of_jobs };
		struct rt_decision d = rt.ops->route(&rt, &env, &packet);
		bool is_minimal = !(packet.route & SW_ROUTE_NONMINIMAL);
		cr_assert_eq(d.port == depths.minimal, is_minimal);
		if (!is_minimal)
			cr_assert_eq(d.port, complete_port(2, packet.via));
		cr_assert_eq(packet.vc, 0);
		minimal += is_minimal;
	}
	cr_assert(minimal == 0 || minimal == 50, "the same depths, but different decisions");
	rt_destroy(&rt);
	free(p);
	return minimal == 50;
}

static bool goes_minimal(const struct base_plugin *routing, const char *params, uint64_t q_m, uint64_t q_nm)
{
	return goes_minimal_in_class(routing, params, q_m, q_nm, NULL);
}

/* A class's own bias is instead of the routing's, whichever is larger, not on top of it. */
Test(adaptive, bias_of_a_class)
{
	const struct rt_bias none = { 0, 0 }, one = { 1, 0 }, large = { 10000, 0 };
	cr_expect(goes_minimal_in_class(&rt_ugal_l, "", 513, 256, &one));
	cr_expect(!goes_minimal_in_class(&rt_ugal_l, "", 514, 256, &one));
	cr_expect(goes_minimal_in_class(&rt_ugal_l, "bias=5KB", 10000, 0, &large));
	cr_expect(!goes_minimal_in_class(&rt_ugal_l, "bias=5KB", 10001, 0, &large));
	cr_expect(!goes_minimal_in_class(&rt_ugal_l, "bias=10KB", 513, 256, &none));
	cr_expect(goes_minimal_in_class(&rt_par, "", 513, 256, &one));
	cr_expect(!goes_minimal_in_class(&rt_par, "", 514, 256, &one));
}

Test(adaptive, ugal_l)
{
	cr_expect(goes_minimal(&rt_ugal_l, "", 0, 0));
	cr_expect(goes_minimal(&rt_ugal_l, "", 0, 1000));
	cr_expect(!goes_minimal(&rt_ugal_l, "", 1, 0));
	cr_expect(goes_minimal(&rt_ugal_l, "", 512, 256)); /* 512 <= 2 x 256: a tie */
	cr_expect(!goes_minimal(&rt_ugal_l, "", 513, 256));
	cr_expect(goes_minimal(&rt_ugal_l, "bias=1B", 513, 256));
	cr_expect(!goes_minimal(&rt_ugal_l, "bias=1B", 514, 256));
	cr_expect(goes_minimal(&rt_ugal_l, "bias=10KB", 10000, 0));
	cr_expect(!goes_minimal(&rt_ugal_l, "bias=10KB", 10001, 0));
	cr_expect(goes_minimal(&rt_ugal_l, "candidates=4", 512, 256));
	cr_expect(!goes_minimal(&rt_ugal_l, "candidates=4", 513, 256));
}

Test(adaptive, slim_fly)
{
	cr_expect(goes_minimal(&rt_slimfly_adaptive, "", 0, 0));
	cr_expect(goes_minimal(&rt_slimfly_adaptive, "", 512, 256)); /* 512 <= 2/1 x 256 */
	cr_expect(!goes_minimal(&rt_slimfly_adaptive, "", 513, 256));
	cr_expect(!goes_minimal(&rt_slimfly_adaptive, "", 1, 0));
	cr_expect(goes_minimal(&rt_slimfly_adaptive, "csf=0.5", 256, 256));
	cr_expect(!goes_minimal(&rt_slimfly_adaptive, "csf=0.5", 257, 256));
	cr_expect(goes_minimal(&rt_slimfly_adaptive, "csf=1.5", 768, 256)); /* 1.5 x 2 x 256 */
	cr_expect(!goes_minimal(&rt_slimfly_adaptive, "csf=1.5", 769, 256));
	cr_expect(goes_minimal(&rt_slimfly_adaptive, "candidates=1 csf=64", 4294967295, 33554432));
	cr_expect(!goes_minimal(&rt_slimfly_adaptive, "candidates=1 csf=64", 4294967295, 33554431)); /* 64 x 2 x */
}

/* On a Slim Fly with real lengths: L_M = 2 by a unique path whose port holds 450 bytes, all other ports 250. A route
 * of L_I hops by another port costs L_I x 250 against 2 x 450 = 900: three hops win (750), four lose (1000). By
 * the minimal route's own port even two hops only tie. */
static uint64_t uneven(const void *sw, topo_port out, uint64_t now)
{
	(void)now;
	return ((const uint64_t *)sw)[out];
}

Test(adaptive, slim_fly_lengths)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_slimfly, "q=5 endpoints=1"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_slimfly_adaptive, "candidates=1"), 0);
	unsigned diverted = 0, minimal = 0;
	for (topo_switch dst = 1; dst < 50; dst++) {
		topo_port out[TOPO_MAX_NEXT];
		if (f.topo.ops->distance(&f.topo, 0, dst) != 2)
			continue;
		cr_assert_eq(f.topo.ops->next(&f.topo, 0, dst, 0, out), 1); /* Hoffman-Singleton: unique paths */
		uint64_t depth[7];
		for (int p = 0; p < 7; p++)
			depth[p] = 250;
		depth[out[0]] = 450;
		for (uint32_t seq = 0; seq < 500; seq++) {
			struct sw_packet p = { .src = 0, .dst = dst, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
			struct rt_env env = {
				.here = 0, .in_port = RT_FROM_ENDPOINT, .seed = 3, .queue_bytes = uneven, .sw = depth
			};
			struct rt_decision d = f.rt.ops->route(&f.rt, &env, &p);
			if (p.route & SW_ROUTE_NONMINIMAL) {
				unsigned length =
				    f.topo.ops->distance(&f.topo, 0, p.via) + f.topo.ops->distance(&f.topo, p.via, dst);
				cr_assert_eq(length, 3, "a route of %u hops won", length);
				cr_assert_neq(d.port, out[0]);
				diverted++;
			} else {
				cr_assert_eq(d.port, out[0]);
				minimal++;
			}
		}
	}
	cr_expect_gt(diverted, 1000);
	cr_expect_gt(minimal, 1000);
	fixture_free(&f);
}

/* Of several candidates the cheapest is compared: with 32 draws among 4 intermediates the empty one is found. */
Test(adaptive, best_candidate_wins)
{
	struct topo topo = complete_graph(6, 1);
	struct base_errors errors = { 0 };
	const struct base_plugin *const plugin[] = { &rt_ugal_l, &rt_slimfly_adaptive };
	for (int i = 0; i < 2; i++) {
		void *params = fixture_params(plugin[i], "candidates=32", &errors);
		struct rt rt;
		uint64_t depth[5] = { 4000, 3000, 5000, 2000, 10 }; /* ports of switch 0: to 1 .. 5 */
		unsigned by_5 = 0;
		cr_assert_eq(rt_build(&rt, plugin[i], params, &topo, &errors), 0);
		for (uint32_t seq = 0; seq < 200; seq++) {
			struct sw_packet p = { .src = 0, .dst = 1, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
			struct rt_env env = {
				.here = 0, .in_port = RT_FROM_ENDPOINT, .seed = 3, .queue_bytes = uneven, .sw = depth
			};
			rt.ops->route(&rt, &env, &p);
			by_5 += p.via == 5;
		}
		cr_expect_geq(by_5, 198); /* missed with probability (3/4)^32 = 10^-4 each */
		rt_destroy(&rt);
		free(params);
	}
}

/* ugal-g sees the second switch: on the complete graph, a minimal route has none, one by v waits again at v. */
static uint64_t remote(const void *host, topo_switch there, topo_port out)
{
	const uint64_t *depth = host;
	cr_assert_neq(there, 4);
	cr_assert_eq(out, complete_port(there, 4));
	return *depth;
}

Test(adaptive, ugal_g_adds_the_second_switch)
{
	static const struct {
		uint64_t q_m, q_nm, far;
		bool minimal;
	} row[] = {
		{ 100, 0, 0, false },   { 100, 0, 49, false }, { 100, 0, 50, true }, /* 100 <= 2 (0 + 50) */
		{ 100, 30, 19, false }, { 100, 30, 20, true }, { 0, 0, 0, true },
	};
	struct topo topo = complete_graph(6, 1);
	struct base_errors errors = { 0 };
	void *params = fixture_params(&rt_ugal_g, "", &errors);
	struct rt rt;
	cr_assert_eq(rt_build(&rt, &rt_ugal_g, params, &topo, &errors), 0);
	cr_expect_eq(rt.publish_delay, 200000);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct depths depths = { complete_port(2, 4), row[i].q_m, row[i].q_nm };
		struct sw_packet p = { .src = 2, .dst = 4, .bytes = 256, .via = SW_NO_VIA };
		struct rt_env env = { .here = 2,
			              .in_port = RT_FROM_ENDPOINT,
			              .seed = 1,
			              .queue_bytes = queue,
			              .sw = &depths,
			              .published_bytes = remote,
			              .host = &row[i].far };
		rt.ops->route(&rt, &env, &p);
		cr_expect_eq(!(p.route & SW_ROUTE_NONMINIMAL), row[i].minimal, "row %zu", i);
	}
	rt_destroy(&rt);
	free(params);
}

/* On a dragonfly only switches of the source group are asked. */
struct group_host {
	const struct topo *topo;
	uint32_t group;
	unsigned asked;
};

static uint64_t same_group(const void *host, topo_switch there, topo_port out)
{
	struct group_host *h = (struct group_host *)(uintptr_t)host;
	(void)out;
	cr_assert_eq(topo_group(h->topo, there), h->group);
	h->asked++;
	return 0;
}

Test(adaptive, ugal_g_asks_its_group_only)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=2 a=4 h=2"), 0);
	for (int by_group = 0; by_group < 2; by_group++) {
		cr_assert_eq(fixture_routing(&f, &rt_ugal_g, by_group ? "via=group" : ""), 0);
		struct group_host host = { .topo = &f.topo };
		for (uint32_t i = 0; i < 72 * 72; i++) {
			struct depths depths = { 0, 1000, 1000 };
			struct sw_packet p = { .src = i % 72, .dst = i / 72, .seq = i, .bytes = 256, .via = SW_NO_VIA };
			struct rt_env env = { .here = topo_switch_of(&f.topo, p.src),
				              .in_port = RT_FROM_ENDPOINT,
				              .seed = 1,
				              .queue_bytes = queue,
				              .sw = &depths,
				              .published_bytes = same_group,
				              .host = &host };
			host.group = topo_group(&f.topo, env.here);
			f.rt.ops->route(&f.rt, &env, &p);
		}
		cr_expect_gt(host.asked, 1000);
	}
	fixture_free(&f);
}

/* PAR on a ring of eight (VC = hops): from 0 to 3. At switch 0 all is empty: minimal, by 1. At switch 1 the way on is
 * full: with H_m = 2 and 100 bytes against nothing, any intermediate wins. At switch 2 nothing is decided again. */
Test(adaptive, par_decides_twice_and_never_back)
{
	struct topo ring = ring_graph(8, 1, TOPO_VC_HOP);
	struct base_errors errors = { 0 };
	void *params = fixture_params(&rt_par, "", &errors);
	struct rt rt;
	unsigned diverted = 0;
	cr_assert_eq(rt_build(&rt, &rt_par, params, &ring, &errors), 0);
	for (uint32_t seq = 0; seq < 100; seq++) {
		struct sw_packet p = { .src = 0, .dst = 3, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
		uint64_t empty[2] = { 0, 0 }, full[2] = { 100, 0 };
		struct rt_env env = {
			.here = 0, .in_port = RT_FROM_ENDPOINT, .seed = 1, .queue_bytes = uneven, .sw = empty
		};
		cr_assert_eq(rt.ops->route(&rt, &env, &p).port, 0);
		cr_assert(!(p.route & (SW_ROUTE_NONMINIMAL | SW_ROUTE_DECIDED)));
		p.hops = 1;
		struct sw_packet busy = p, idle = p;
		env = (struct rt_env){ .here = 1, .in_port = 1, .seed = 1, .queue_bytes = uneven, .sw = full };
		rt.ops->route(&rt, &env, &busy);
		/* An intermediate ahead shares the full port: 100 H_nm against 100 x 2 stays minimal, as H_nm >= 2. */
		if (busy.route & SW_ROUTE_NONMINIMAL) {
			cr_assert(busy.via >= 5 && busy.via <= 7);
			diverted++;
		}
		env = (struct rt_env){ .here = 1, .in_port = 1, .seed = 1, .queue_bytes = uneven, .sw = empty };
		rt.ops->route(&rt, &env, &idle);
		cr_assert(idle.route & SW_ROUTE_DECIDED);
		idle.hops = 2;
		env = (struct rt_env){ .here = 2, .in_port = 1, .seed = 1, .queue_bytes = uneven, .sw = full };
		cr_assert_eq(rt.ops->route(&rt, &env, &idle).port, 0);
		cr_assert(!(idle.route & SW_ROUTE_NONMINIMAL));
		cr_assert_eq(idle.vc, 2);
	}
	cr_expect_gt(diverted, 25); /* of five intermediates, two are always free to reach, and one half of the time */
	rt_destroy(&rt);
	free(params);
}
