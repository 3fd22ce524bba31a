/* Proving by legs and proving route by route are the same (half a minute: label long). */
#include "fixture.h"

#include <criterion/criterion.h>

/* The same routing without its promise about legs is walked route by route: the dependencies must be the same. */
Test(proof, legs_equal_whole_routes)
{
	static const struct {
		const struct base_plugin *topology;
		const char *network;
		const struct base_plugin *routing;
		const char *params;
	} both[] = {
		{ &topo_slimfly, "q=8 endpoints=2", &rt_valiant, "" },
		{ &topo_slimfly, "q=8 endpoints=2", &rt_slimfly_adaptive, "" },
		{ &topo_dragonfly, "p=2 a=8 h=4 g=16", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "p=2 a=8 h=4 g=16", &rt_ugal_l, "via=switch" },
		{ &topo_torus, "dims=6,5,5", &rt_valiant, "" },
		{ &topo_torus, "dims=6,5,5", &rt_slingshot, "" },
	};
	for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
		struct fixture f;
		struct rt_proof legs, whole;
		cr_assert_eq(fixture_topo(&f, both[i].topology, both[i].network), 0);
		cr_assert_eq(fixture_routing(&f, both[i].routing, both[i].params), 0);
		cr_assert_gt((uint64_t)f.topo.switches * f.topo.switches * f.topo.switches, 2000000);
		cr_assert_eq(rt_prove(&f.rt, f.rt.vcs, &legs, &f.errors), 0);
		struct rt_ops plain = *f.rt.ops;
		const struct rt_ops *own = f.rt.ops;
		plain.legs = NULL;
		f.rt.ops = &plain;
		cr_assert_eq(rt_prove(&f.rt, f.rt.vcs, &whole, &f.errors), 0);
		f.rt.ops = own;
		cr_expect_eq(legs.dependencies, whole.dependencies, "%s %s: %lu, whole %lu", both[i].network,
		             both[i].routing->name, legs.dependencies, whole.dependencies);
		cr_expect_eq(legs.longest_route, whole.longest_route);
		cr_expect(legs.deadlock_free && whole.deadlock_free);
		rt_proof_free(&legs);
		rt_proof_free(&whole);
		fixture_free(&f);
	}
}
