/* Minimal adaptive routing. On tori and meshes: the proof by an escape, with faults that it must find; every hop is
 * minimal whatever the queues say; the escape is dimension order. Elsewhere: the least queue among the minimal ports.
 */
#include "fixture.h"

#include <criterion/criterion.h>

static void expect_proof(const struct rt *rt, uint32_t vcs, bool good, const char *what)
{
	struct base_errors errors = { 0 };
	struct rt_proof proof;
	cr_assert_eq(rt_prove(rt, vcs, &proof, &errors), 0, "%s: %s", what, errors.n ? errors.v[0].text : "");
	cr_expect_eq(proof.deadlock_free, good, "%s, %u VCs: %s", what, vcs, proof.method);
	cr_expect_eq(proof.deadlock_free, !proof.cycle_length);
	cr_expect_leq(proof.longest_route, rt->max_hops);
	rt_proof_free(&proof);
}

/* Rings of four or more need two escape VCs, others one; the adaptive VC comes on top. The last is proved by rank. */
static const struct {
	const char *network;
	uint32_t vcs;
	bool without_adaptive_too; /* nothing can wait in a circle even if all share the escape's VCs */
} shapes[] = {
	{ "dims=8,8 endpoints=1", 3, false },         { "dims=4,5,4 endpoints=2", 3, false },
	{ "dims=7 endpoints=1", 3, false },           { "dims=5,3,2 endpoints=1", 3, false },
	{ "dims=3,3 endpoints=1", 2, false },         { "dims=6,6 wrap=false endpoints=1", 2, false },
	{ "dims=5 wrap=false endpoints=1", 2, true }, { "dims=16,16,16 endpoints=1", 3, false },
};

Test(minimal_adaptive, is_proved_by_its_escape)
{
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		struct fixture f;
		cr_assert_eq(fixture_topo(&f, &topo_torus, shapes[i].network), 0);
		cr_assert_eq(fixture_routing(&f, &rt_minimal_adaptive, ""), 0);
		cr_assert_eq(f.rt.vcs, shapes[i].vcs, "%s", shapes[i].network);
		expect_proof(&f.rt, f.rt.vcs, true, shapes[i].network);
		expect_proof(&f.rt, f.rt.vcs + 1, true, shapes[i].network);
		expect_proof(&f.rt, f.rt.vcs - 1, shapes[i].without_adaptive_too, shapes[i].network);
		fixture_free(&f);
	}
}

/* --- faults */

static const struct rt_ops *own(void)
{
	return rt_minimal_adaptive.ops;
}

/* Packets wait for adaptive channels. */
static struct rt_decision waits(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = own()->route(rt, env, packet);
	d.slack = 0;
	return d;
}

/* An escape without datelines. */
static struct rt_decision one_vc(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = own()->turn(rt, env, packet);
	packet->vc = 0;
	return d;
}

/* An escape that takes any dimension. */
static struct rt_decision any_way(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = own()->route(rt, env, packet);
	packet->vc = 0;
	d.slack = 0;
	return d;
}

/* An escape on the adaptive VC. */
static struct rt_decision same_vc(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = own()->turn(rt, env, packet);
	packet->vc = (uint8_t)(rt->vcs - 1);
	return d;
}

Test(minimal_adaptive, faults_are_found)
{
	typedef struct rt_decision call(const struct rt *rt, struct rt_env *env, struct sw_packet *packet);
	static const struct {
		const char *name;
		call *route, *turn;
	} fault[] = {
		{ "waits", waits, NULL },
		{ "no dateline", NULL, one_vc },
		{ "any dimension", NULL, any_way },
		{ "one VC for both", NULL, same_vc },
	};
	for (size_t i = 0; i < sizeof fault / sizeof *fault; i++) {
		struct fixture f;
		struct rt_ops ops = *own();
		ops.route = fault[i].route ? fault[i].route : ops.route;
		ops.turn = fault[i].turn ? fault[i].turn : ops.turn;
		cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=5,5 endpoints=1"), 0);
		cr_assert_eq(fixture_routing(&f, &rt_minimal_adaptive, ""), 0);
		f.rt.ops = &ops;
		expect_proof(&f.rt, f.rt.vcs, false, fault[i].name);
		fixture_free(&f);
	}
}

/* --- routes */

static uint64_t noise(const void *seed, topo_port out, uint64_t now)
{
	struct sim_draw d = sim_draw4(*(const uint64_t *)seed, out, (uint32_t)now, SIM_DRAW_MODEL, 0);
	return d.v[0] % 4 * 256;
}

/* Turning or not at random, between all pairs: as many hops as the distance. */
Test(minimal_adaptive, every_hop_is_minimal)
{
	static const char *const network[] = { "dims=6,5 endpoints=1", "dims=4,4,3 endpoints=1",
		                               "dims=5,4 wrap=false endpoints=1" };
	for (int i = 0; i < 3; i++) {
		struct fixture f;
		uint64_t seed = 11, turns = 0, hops = 0;
		cr_assert_eq(fixture_topo(&f, &topo_torus, network[i]), 0);
		cr_assert_eq(fixture_routing(&f, &rt_minimal_adaptive, ""), 0);
		for (uint32_t pair = 0; pair < f.topo.switches * f.topo.switches; pair++)
			for (uint32_t seq = 0; seq < 5; seq++) {
				topo_switch src = pair / f.topo.switches, dst = pair % f.topo.switches;
				struct sw_packet p = {
					.src = src, .dst = dst, .seq = seq, .bytes = 256, .via = SW_NO_VIA
				};
				struct rt_env env = { .here = src,
					              .in_port = RT_FROM_ENDPOINT,
					              .seed = 3,
					              .queue_bytes = noise,
					              .sw = &seed };
				for (;; p.hops++) {
					env.now = pair * 1000 + seq * 100 + p.hops;
					env.drawn = 0;
					uint8_t in_vc = p.vc;
					struct rt_decision d = f.rt.ops->route(&f.rt, &env, &p);
					if (d.port == RT_EJECT)
						break;
					cr_assert_eq(d.slack, RT_MAY_TURN);
					cr_assert_eq(p.vc, f.rt.vcs - 1);
					if (noise(&seed, 99, env.now)) {
						p.vc = in_vc;
						d = f.rt.ops->turn(&f.rt, &env, &p);
						cr_assert_eq(d.slack, 0);
						cr_assert_lt(p.vc, f.rt.vcs - 1);
						turns++;
					}
					struct topo_hop hop = topo_peer(&f.topo, env.here, d.port);
					env.here = hop.to;
					env.in_port = hop.port;
				}
				cr_assert_eq(env.here, dst);
				cr_assert_eq(p.hops, f.topo.ops->distance(&f.topo, src, dst));
				hops += p.hops;
			}
		cr_expect(turns > hops / 2 && turns < hops, "%lu turns of %lu", turns, hops);
		fixture_free(&f);
	}
}

/* On a 5 x 5 torus from (0, 0) to (2, 1): ports 0 (+x) and 2 (+y) lead nearer. The less queued is taken; of equal ones
 * each about half of the time; the turn is to +x. */
static uint64_t given(const void *sw, topo_port out, uint64_t now)
{
	(void)now;
	return ((const uint64_t *)sw)[out];
}

Test(minimal_adaptive, takes_the_emptier_way_by_hand)
{
	static const struct {
		uint64_t depth[4];
		unsigned least, most; /* of 1000 by +y */
	} k[] = { { { 300, 0, 200, 0 }, 1000, 1000 }, { { 200, 0, 300, 0 }, 0, 0 }, { { 256, 9, 256, 9 }, 430, 570 } };
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=5,5 endpoints=1"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_minimal_adaptive, ""), 0);
	for (int i = 0; i < 3; i++) {
		unsigned up = 0;
		for (uint32_t seq = 0; seq < 1000; seq++) {
			struct sw_packet p = { .src = 0, .dst = 7, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
			struct rt_env env = { .here = 0,
				              .in_port = RT_FROM_ENDPOINT,
				              .seed = 3,
				              .queue_bytes = given,
				              .sw = k[i].depth };
			struct rt_decision d = f.rt.ops->route(&f.rt, &env, &p);
			cr_assert(d.port == 0 || d.port == 2);
			up += d.port == 2;
			p.vc = 0;
			cr_assert_eq(f.rt.ops->turn(&f.rt, &env, &p).port, 0u);
			cr_assert_eq(p.vc, 0);
		}
		cr_expect(up >= k[i].least && up <= k[i].most, "case %d: %u", i, up);
	}
	fixture_free(&f);
}

/* --- where minimal ways climb */

static uint64_t depth_of_port[64];

static uint64_t depth(const void *sw, topo_port out, uint64_t now)
{
	(void)sw, (void)now;
	return depth_of_port[out];
}

static topo_port choice(const struct rt *rt, uint32_t seq, topo_switch here, uint32_t dst)
{
	struct rt_env env = { .here = here, .in_port = RT_FROM_ENDPOINT, .seed = 3, .queue_bytes = depth };
	struct sw_packet packet = { .src = 0, .dst = dst, .seq = seq, .bytes = 64, .via = SW_NO_VIA };
	struct rt_decision d = rt->ops->route(rt, &env, &packet);
	cr_assert_eq(d.slack, 0); /* no other way to turn to: it waits for this one */
	return d.port;
}

/* On a fat tree of 8-port switches: the parent with the least depth, each of several equal ones at times, and the only
 * way down whatever waits there. */
Test(minimal_adaptive, takes_the_parent_with_the_shortest_queue)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_fattree, "k=8"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_minimal_adaptive, ""), 0);
	cr_expect_null(f.rt.ops->turn);
	cr_expect_eq(f.rt.vcs, 1);
	uint32_t far = f.topo.endpoints - 1;
	for (topo_port least = 0; least < 4; least++) {
		for (topo_port p = 0; p < 4; p++)
			depth_of_port[p] = p == least ? 10 : 11;
		for (uint32_t n = 0; n < 20; n++)
			cr_assert_eq(choice(&f.rt, n, 0, far), least);
	}
	uint32_t taken[4] = { 0 };
	depth_of_port[0] = depth_of_port[2] = 5;
	depth_of_port[1] = depth_of_port[3] = 6;
	for (uint32_t n = 0; n < 200; n++)
		taken[choice(&f.rt, n, 0, far)]++;
	cr_expect(taken[0] > 60 && taken[2] > 60 && !taken[1] && !taken[3], "%u %u %u %u", taken[0], taken[1], taken[2],
	          taken[3]);
	/* Switch 32 is above leaves 0 to 3, by ports 0 to 3. */
	depth_of_port[1] = 1000;
	cr_expect_eq(choice(&f.rt, 0, 32, 4), 1);
	fixture_free(&f);
}
