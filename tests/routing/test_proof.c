/* Deadlock proofs against reference/topologies.md section 5, "CDG results" [C], and against routings that are wrong on
 * purpose. */
#include "fixture.h"

#include <criterion/criterion.h>

/* A cycle is a chain of channels, each ending where the next begins, and the last where the first begins. */
static void check_cycle(const struct topo *topo, const struct rt_proof *proof)
{
	cr_assert_gt(proof->cycle_length, 0);
	for (size_t i = 0; i < proof->cycle_length; i++) {
		const struct rt_cdg_node *a = &proof->cycle[i], *b = &proof->cycle[(i + 1) % proof->cycle_length];
		cr_assert_lt(a->vc, proof->vcs);
		cr_assert_eq(topo_peer(topo, a->sw, a->port).to, b->sw);
	}
}

/* Free of deadlock from `enough` VCs on, with a real cycle below. */
static void proves(struct fixture *f, const struct base_plugin *routing, const char *params, uint32_t enough)
{
	cr_assert_eq(fixture_routing(f, routing, params), 0);
	cr_assert_leq(enough, f->rt.vcs);
	for (uint32_t vcs = 1; vcs <= f->rt.vcs + 1; vcs++) {
		struct rt_proof proof;
		cr_assert_eq(rt_prove(&f->rt, vcs, &proof, &f->errors), 0, "%s",
		             f->errors.n ? f->errors.v[0].text : "");
		cr_expect_eq(proof.deadlock_free, vcs >= enough, "%s %s %s, %u VCs: %s", f->topo.kind, routing->name,
		             params, vcs, proof.method);
		if (!proof.deadlock_free)
			check_cycle(&f->topo, &proof);
		cr_expect_leq(proof.longest_route, f->rt.max_hops);
		rt_proof_free(&proof);
	}
}

/* The routings with two legs; par, which decides again on its way, needs more. 0: it is refused here. */
static void proves_non_minimal(struct fixture *f, uint32_t enough, uint32_t enough_for_par)
{
	proves(f, &rt_valiant, "", enough);
	proves(f, &rt_ugal_l, "", enough);
	proves(f, &rt_ugal_g, "", enough);
	proves(f, &rt_slingshot, "", enough);
	if (enough_for_par)
		proves(f, &rt_par, "", enough_for_par);
}

#ifndef EVERY_CASE
#define EVERY_CASE 0 /* test_proof_long.c: 1 */
#endif

Test(proof, slim_fly)
{
	static const char *const network[] = { "q=4 endpoints=2", "q=5 endpoints=4", "q=7 endpoints=3" };
	for (int i = 0; i < 3; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, &topo_slimfly, network[i]), 0);
		proves(&f, &rt_minimal, "", 2);
		fixture_free(&f);
	}
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_slimfly, network[1]), 0);
	proves_non_minimal(&f, 4, 5);
	proves(&f, &rt_valiant, "via=group", 4); /* groups of a Slim Fly: the columns of its two halves */
	proves(&f, &rt_slimfly_adaptive, "", 4);
	fixture_free(&f);
}

Test(proof, rings_and_tori)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=3"), 0);
	proves(&f, &rt_minimal, "", 1);
	fixture_free(&f);
	static const char *const cyclic[] = { "dims=4", "dims=5", "dims=8", "dims=4,4", "dims=5,4,3" };
	for (int i = 0; i < 5; i++) {
		cr_assert_eq(fixture_topo(&f, &topo_torus, cyclic[i]), 0);
		proves(&f, &rt_minimal, "", 2);
		proves(&f, &rt_minimal, "deadlock=bubble", 1);
		proves(&f, &rt_minimal, "deadlock=partition", 2);
		fixture_free(&f);
	}
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4,4"), 0);
	proves_non_minimal(&f, 4, 6);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4,5 wrap=false"), 0);
	proves(&f, &rt_minimal, "", 1);
	proves(&f, &rt_valiant, "", 2);
	fixture_free(&f);
}

Test(proof, dragonfly_72)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=2 a=4 h=2"), 0);
	proves(&f, &rt_minimal, "", 2);
	proves(&f, &rt_valiant, "via=group", 3);
	proves(&f, &rt_valiant, "via=switch", 4);
	proves(&f, &rt_ugal_l, "via=group", 3);
	proves(&f, &rt_ugal_g, "via=switch", 4);
	proves(&f, &rt_slingshot, "via=group", 3);
	proves(&f, &rt_slingshot, "via=switch", 4);
	proves(&f, &rt_par, "via=group", 4);
	proves(&f, &rt_par, "via=switch", 5);
	proves(&f, &rt_aries, "via=switch", 5);
	fixture_free(&f);
}

Test(proof, dragonfly_grid)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=2 rows=2 columns=3 h=1"), 0);
	proves(&f, &rt_minimal, "", 2);
	proves(&f, &rt_valiant, "via=group", 3);
	proves(&f, &rt_valiant, "via=switch", 4);
	proves(&f, &rt_par, "via=switch", 5);
	proves(&f, &rt_slingshot, "via=switch", 4);
	proves(&f, &rt_aries, "via=switch", 5);
	proves(&f, &rt_aries, "via=group", 4);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=2 rows=3 columns=3 h=1 g=1"), 0);
	proves(&f, &rt_minimal, "", 1);
	proves(&f, &rt_valiant, "", 2);
	proves(&f, &rt_par, "", 3);
	fixture_free(&f);
}

/* In any order a VC a hop; in dimension order one a leg. */
Test(proof, hyperx)
{
	static const char *const any[] = { "dims=4,3 endpoints=2", "dims=3,3 trunk=2,1 endpoints=1" };
	struct fixture f;
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(fixture_topo(&f, &topo_hyperx, any[i]), 0);
		proves(&f, &rt_minimal, "", 2);
		proves(&f, &rt_minimal_adaptive, "", 2);
		proves_non_minimal(&f, 4, 5);
		fixture_free(&f);
	}
	cr_assert_eq(fixture_topo(&f, &topo_hyperx, "dims=3,3,3 endpoints=1"), 0);
	proves(&f, &rt_minimal, "", 3);
	fixture_free(&f);
	static const char *const ordered[] = { "dims=4,3 endpoints=2 order=dimension",
		                               "dims=3,2,3 endpoints=1 order=dimension" };
	for (int i = 0; i < 2; i++) {
		cr_assert_eq(fixture_topo(&f, &topo_hyperx, ordered[i]), 0);
		proves(&f, &rt_minimal, "", 1);
		proves(&f, &rt_minimal_adaptive, "", 1);
		proves_non_minimal(&f, 2, 3);
		fixture_free(&f);
	}
}

/* Up, over and down: one VC a leg, also by a random group, as a leg ends at one of its leaves. */
Test(proof, dragonfly_plus)
{
	static const char *const network[] = { "p=1 leaves=2 spines=2 h=2", "p=1 leaves=2 spines=3 g=4 trunk=2" };
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, &topo_dragonfly_plus, network[i]), 0);
		proves(&f, &rt_minimal, "", 1);
		proves(&f, &rt_minimal_adaptive, "", 1);
		proves(&f, &rt_valiant, "via=switch", 2);
		proves(&f, &rt_valiant, "via=group", 2);
		proves(&f, &rt_valiant, "via=remote-switch", 2);
		proves(&f, &rt_ugal_l, "via=group", 2);
		proves(&f, &rt_ugal_g, "", 2);
		proves(&f, &rt_slingshot, "via=group", 2);
		cr_expect_eq(fixture_routing(&f, &rt_par, ""), -1);
		fixture_free(&f);
	}
}

Test(proof, polarfly)
{
	static const char *const network[] = { "q=3 endpoints=2", "q=4 endpoints=1", "q=5 endpoints=2" };
	for (int i = 0; i < 3; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, &topo_polarfly, network[i]), 0);
		proves(&f, &rt_minimal, "", 2);
		if (i == 0) {
			proves_non_minimal(&f, 4, 5);
		}
		fixture_free(&f);
	}
}

/* By graph-shortest ways: a VC a hop. */
Test(proof, random_and_ramanujan_graphs)
{
	struct fixture f;
	static const struct base_plugin *const routing[] = { &rt_minimal, &rt_minimal_adaptive, &rt_valiant,
		                                             &rt_ugal_l };
	cr_assert_eq(fixture_topo(&f, &topo_jellyfish, "switches=16 degree=4 endpoints=1"), 0);
	for (int i = 0; i < 4; i++) { /* on a random graph fewer may do, but not one */
		struct rt_proof proof;
		cr_assert_eq(fixture_routing(&f, routing[i], ""), 0);
		cr_assert_eq(rt_prove(&f.rt, f.rt.vcs, &proof, &f.errors), 0);
		cr_expect(proof.deadlock_free, "%s", routing[i]->name);
		rt_proof_free(&proof);
		cr_assert_eq(rt_prove(&f.rt, 1, &proof, &f.errors), 0);
		cr_expect(!proof.deadlock_free, "%s", routing[i]->name);
		check_cycle(&f.topo, &proof);
		rt_proof_free(&proof);
	}
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_spectralfly, "p=11 q=7 endpoints=1"), 0);
	proves(&f, &rt_minimal, "", 3);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_polarstar, "q=2 degree=3 endpoints=1"), 0);
	proves(&f, &rt_minimal, "", 3);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_bundlefly, "q=3 supernode=5 endpoints=1"), 0);
	proves(&f, &rt_minimal, "", 3);
	proves(&f, &rt_valiant, "", 6);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_hammingmesh, "board=2,2 boards=3,3"), 0);
	/* the last hop, down to an accelerator, is waited for by nothing */
	proves(&f, &rt_minimal, "", 3);
	proves(&f, &rt_valiant, "", 7);
	proves(&f, &rt_ugal_l, "", 7);
	fixture_free(&f);
	cr_assert_eq(fixture_topo(&f, &topo_jellyfish, "switches=16386 degree=4 endpoints=1"), 0);
	cr_expect_eq(fixture_routing(&f, &rt_minimal, ""), -1); /* no table of routes */
	cr_expect(f.errors.n == 1 && strstr(f.errors.v[0].text, "268500996"), "%s", f.errors.v[0].text);
	fixture_free(&f);
}

/* Up and down: one VC a leg. */
Test(proof, trees)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *network;
	} tree[] = { { &topo_fattree, "k=4" },
		     { &topo_kary_ntree, "k=2 n=4" },
		     { &topo_xgft, "children=2,3,3 parents=1,2,3" },
		     { &topo_oft, "k=3 endpoints=1" },
		     { &topo_mlfm, "h=3 endpoints=1" } };
	for (int i = 0; i < 5; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, tree[i].plugin, tree[i].network), 0);
		proves(&f, &rt_minimal, "", 1);
		proves(&f, &rt_minimal_adaptive, "", 1);
		proves_non_minimal(&f, 2, 0);
		cr_expect_eq(fixture_routing(&f, &rt_par, ""), -1); /* would decide where there are no endpoints */
		fixture_free(&f);
	}
}

/* The networks of the issue, by enumeration. */
Test(proof, systems)
{
	static const struct {
		const struct base_plugin *topology;
		const char *network;
		const struct base_plugin *routing;
		const char *params;
		uint64_t channels;
	} system[] = {
		{ &topo_dragonfly, "preset=dragonfly-1056", &rt_minimal, "", 2904 * 2 },
		{ &topo_dragonfly, "preset=dragonfly-1056", &rt_valiant, "via=group", 2904 * 3 },
		{ &topo_dragonfly, "preset=dragonfly-1056", &rt_ugal_l, "via=switch", 2904 * 4 },
		{ &topo_dragonfly, "preset=dragonfly-1056", &rt_slingshot, "via=group", 2904 * 3 },
		{ &topo_slimfly, "q=13 endpoints=9", &rt_minimal, "", 6422 * 2 },
		{ &topo_slimfly, "q=13 endpoints=9", &rt_slimfly_adaptive, "", 6422 * 4 },
		{ &topo_torus, "dims=8,8,8", &rt_minimal, "", 3072 * 2 },
		{ &topo_torus, "dims=8,8,8", &rt_valiant, "", 3072 * 4 },
	};
	for (size_t i = 0; i < sizeof system / sizeof *system; i++) {
		struct fixture f;
		struct rt_proof proof;
		cr_assert_eq(fixture_topo(&f, system[i].topology, system[i].network), 0);
		cr_assert_eq(fixture_routing(&f, system[i].routing, system[i].params), 0);
		cr_assert_eq(rt_prove(&f.rt, f.rt.vcs, &proof, &f.errors), 0);
		cr_expect(proof.deadlock_free);
		cr_expect_eq(proof.channels, system[i].channels);
		cr_expect_eq(proof.longest_route, f.rt.max_hops);
		rt_proof_free(&proof);
		fixture_free(&f);
	}
}

/* Too large to enumerate: rank when there are enough VCs, a real cycle when there are not. */
Test(proof, large)
{
	static const struct {
		const struct base_plugin *topology;
		const char *network;
		const struct base_plugin *routing;
		const char *params;
	} system[] = {
		{ &topo_slimfly, "q=37 endpoints=27", &rt_slimfly_adaptive, "" },
		{ &topo_dragonfly, "preset=slingshot-max", &rt_valiant, "via=group" },
		{ &topo_dragonfly, "preset=slingshot-max", &rt_slingshot, "" },
		{ &topo_torus, "dims=8,8,8,8,8", &rt_ugal_l, "" },
		{ &topo_torus, "dims=8,8,8,8,8", &rt_slingshot, "" },
		{ &topo_torus, "dims=8,8,8,8,8", &rt_minimal, "deadlock=bubble" },
		{ &topo_hyperx, "dims=12,12,12 endpoints=12", &rt_ugal_l, "" },
		{ &topo_hyperx, "dims=12,12,12 endpoints=12 order=dimension", &rt_valiant, "" },
		{ &topo_kary_ntree, "k=4 n=7", &rt_ugal_l, "" },
		{ &topo_dragonfly_plus, "p=16 leaves=16 spines=16 h=16", &rt_valiant, "via=group" },
		{ &topo_polarfly, "q=43", &rt_ugal_l, "" },
	};
	for (size_t i = 0; i < sizeof system / sizeof *system; i += EVERY_CASE ? 1 : 5) {
		struct fixture f;
		struct rt_proof proof;
		cr_assert_eq(fixture_topo(&f, system[i].topology, system[i].network), 0);
		cr_assert_eq(fixture_routing(&f, system[i].routing, system[i].params), 0);
		cr_assert_eq(rt_prove(&f.rt, f.rt.vcs, &proof, &f.errors), 0);
		cr_expect(proof.deadlock_free);
		cr_expect_eq(proof.dependencies, 0);
		rt_proof_free(&proof);
		if (f.rt.vcs > 1) {
			cr_assert_eq(rt_prove(&f.rt, f.rt.vcs - 1, &proof, &f.errors), 0);
			cr_expect(!proof.deadlock_free);
			check_cycle(&f.topo, &proof);
			rt_proof_free(&proof);
		}
		fixture_free(&f);
	}
}

/* --- wrong on purpose: a wrapper around Valiant on the 72-endpoint dragonfly ------------------------------ */

/* VC = global hops taken so far, and no more (sst-macro issue 325). */
static struct rt_decision count_globals(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	uint8_t vc = packet->vc;
	const struct rt_ops *inner = rt_valiant.ops;
	struct rt_decision d = inner->route(rt, env, packet);
	bool global = env->in_port != RT_FROM_ENDPOINT && topo_peer(rt->topo, env->here, env->in_port).link_class == 1;
	packet->vc = (uint8_t)(vc + global);
	return d;
}

static struct rt_decision never_arrives(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	(void)rt, (void)env;
	packet->route |= SW_ROUTE_DECIDED;
	return (struct rt_decision){ .port = 0 };
}

static struct rt_decision ejects_anywhere(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	(void)rt, (void)env, (void)packet;
	return (struct rt_decision){ .port = RT_EJECT };
}

static struct rt_decision port_too_far(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	(void)rt, (void)env, (void)packet;
	return (struct rt_decision){ .port = 1000 };
}

static struct rt_decision high_vc(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_ops *inner = rt_valiant.ops;
	struct rt_decision d = inner->route(rt, env, packet);
	packet->vc = 200;
	return d;
}

/* Breaks the promise that first legs do not know where they end. */
static struct rt_decision peeks(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_ops *inner = rt_valiant.ops;
	bool first_leg = (packet->route & SW_ROUTE_NONMINIMAL) && !(packet->route & SW_ROUTE_PASSED_VIA);
	struct rt_decision d = inner->route(rt, env, packet);
	if (first_leg && packet->dst % 2)
		packet->vc = 0;
	return d;
}

static int prove_with(const char *network, const char *params,
                      struct rt_decision (*route)(const struct rt *, struct rt_env *, struct sw_packet *),
                      struct rt_proof *proof)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, network), 0);
	cr_assert_eq(fixture_routing(&f, &rt_valiant, params), 0);
	struct rt_ops wrong = *f.rt.ops;
	const struct rt_ops *own = f.rt.ops;
	wrong.route = route;
	f.rt.ops = &wrong;
	int status = rt_prove(&f.rt, f.rt.vcs, proof, &f.errors);
	cr_expect_eq(status != 0, f.errors.n > 0);
	f.rt.ops = own;
	fixture_free(&f);
	return status;
}

Test(proof, counting_global_hops_only)
{
	struct rt_proof proof;
	cr_assert_eq(prove_with("p=2 a=4 h=2", "via=switch", count_globals, &proof), 0);
	cr_expect(!proof.deadlock_free);
	rt_proof_free(&proof);
	cr_assert_eq(prove_with("p=2 a=4 h=2", "via=group", count_globals, &proof), 0);
	cr_expect(proof.deadlock_free);
	rt_proof_free(&proof);
}

Test(proof, misbehaviour_is_an_error)
{
	struct rt_proof proof;
	cr_expect_eq(prove_with("p=2 a=4 h=2", "", never_arrives, &proof), -1);
	cr_expect_eq(prove_with("p=2 a=4 h=2", "", ejects_anywhere, &proof), -1);
	cr_expect_eq(prove_with("p=2 a=4 h=2", "", port_too_far, &proof), -1);
	cr_expect_eq(prove_with("p=2 a=4 h=2", "", high_vc, &proof), -1);
	cr_expect_eq(prove_with("p=1 a=8 h=4 g=16", "", peeks, &proof), -1);
	cr_expect_eq(prove_with("preset=slingshot-max", "", ejects_anywhere, &proof), -1);
	cr_expect_eq(prove_with("preset=slingshot-max", "", never_arrives, &proof), -1);
	cr_expect_eq(prove_with("preset=slingshot-max", "", high_vc, &proof), -1);
}

/* Without its slack the bubble rule is a plain ring with one VC. */
static struct rt_decision no_slack(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_ops *inner = rt_minimal.ops;
	struct rt_decision d = inner->route(rt, env, packet);
	if (env->in_port == RT_FROM_ENDPOINT)
		d.slack = 0;
	return d;
}

/* Dimensions in no order: y before x for half of the packets. */
static struct rt_decision any_order(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	const struct rt_ops *inner = rt_minimal.ops;
	topo_switch to = topo_switch_of(rt->topo, packet->dst);
	uint32_t here = env->here;
	if (packet->dst % 2 && here / 4 != to / 4) /* 4 x 4: first along y */
		return (struct rt_decision){ .port = (to / 4 + 4 - here / 4) % 4 <= 2 ? 2 : 3, .slack = 1 };
	return inner->route(rt, env, packet);
}

Test(proof, broken_bubble)
{
	struct fixture f;
	struct rt_proof proof;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4,4"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_minimal, "deadlock=bubble"), 0);
	const struct rt_ops *own = f.rt.ops;
	struct rt_ops wrong = *own;
	wrong.legs = NULL;
	f.rt.ops = &wrong;
	cr_assert_eq(rt_prove(&f.rt, 1, &proof, &f.errors), 0);
	cr_expect(proof.deadlock_free);
	rt_proof_free(&proof);
	wrong.route = no_slack;
	cr_assert_eq(rt_prove(&f.rt, 1, &proof, &f.errors), 0);
	cr_expect(!proof.deadlock_free);
	rt_proof_free(&proof);
	wrong.route = any_order;
	cr_assert_eq(rt_prove(&f.rt, 1, &proof, &f.errors), 0);
	cr_expect(!proof.deadlock_free);
	rt_proof_free(&proof);
	f.rt.ops = own;
	fixture_free(&f);
}

Test(proof, hand_made_graphs)
{
	struct base_errors errors = { 0 };
	void *params = fixture_params(&rt_minimal, "", &errors), *valiant = fixture_params(&rt_valiant, "", &errors);
	struct topo k5 = complete_graph(5, 1), ring = ring_graph(6, 1, TOPO_VC_DATELINE),
		    hop = ring_graph(5, 1, TOPO_VC_HOP);
	const struct {
		const struct topo *topo;
		const struct base_plugin *plugin;
		void *params;
		uint32_t enough;
	} row[] = {
		{ &k5, &rt_minimal, params, 1 },
		{ &k5, &rt_valiant, valiant, 2 },
		{ &ring, &rt_minimal, params, 2 },
		{ &hop, &rt_minimal, params, 2 },
	};
	for (int i = 0; i < 4; i++) {
		struct rt rt;
		struct rt_proof proof;
		cr_assert_eq(rt_build(&rt, row[i].plugin, row[i].params, row[i].topo, &errors), 0);
		for (uint32_t vcs = 1; vcs <= 3; vcs++) {
			cr_assert_eq(rt_prove(&rt, vcs, &proof, &errors), 0);
			cr_expect_eq(proof.deadlock_free, vcs >= row[i].enough, "graph %d, %u VCs", i, vcs);
			rt_proof_free(&proof);
		}
		cr_expect_eq(rt_prove(&rt, 0, &proof, &errors), -1);
		rt_destroy(&rt);
	}
	free(params);
	free(valiant);
	base_errors_free(&errors);
}
