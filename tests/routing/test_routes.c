/* Every route of every routing arrives, within max_hops and the VCs asked for; intermediates are drawn uniformly, and
 * never where they may not be. */
#include "fixture.h"

#include "routing/leg.h"
#include "tests/tier.h"

#include <criterion/criterion.h>

static const struct base_plugin *const routings[] = { &rt_minimal, &rt_valiant,          &rt_ugal_l,   &rt_ugal_g,
	                                              &rt_par,     &rt_slimfly_adaptive, &rt_slingshot };

/* Queue depths without rhyme: a hash of place and time. */
static uint64_t noise(const void *sw, topo_port out, uint64_t now)
{
	return sim_draw4(*(const uint64_t *)sw, out, (uint32_t)now, SIM_DRAW_MODEL, 0).v[0] % 4096;
}

static uint64_t published_noise(const void *host, topo_switch there, topo_port out)
{
	return noise(host, out, there);
}

static uint64_t neighbour_noise(const void *host, topo_port out, topo_port far, uint64_t now)
{
	return noise(host, out << 8 | far, now);
}

/* Is the packet's way one that rt_go_on() tells? */
static bool goes_on(const struct rt *rt, const struct sw_packet *p)
{
	bool one_leg = rt->ops->legs && rt->ops->legs(rt) == RT_LEGS_ONE;
	return rt->ops->goes_on && rt->ops->goes_on(rt) && (one_leg || p->route & SW_ROUTE_DECIDED);
}

/* ops->goes_on: a decided packet's way can be told ahead, without a look at any queue. `was` became `p`, by decision d.
 */
static bool told_ahead(const struct rt *rt, const struct rt_env *at, struct sw_packet was, const struct sw_packet *p,
                       struct rt_decision d)
{
	if (!goes_on(rt, &was))
		return false;
	struct rt_env env = { .here = at->here, .in_port = at->in_port, .seed = at->seed };
	was.route |= SW_ROUTE_DECIDED;
	struct rt_decision ahead = rt_go_on(rt, rt->impl, &env, &was, topo_switch_of(rt->topo, was.dst));
	cr_assert_eq(ahead.port, d.port);
	cr_assert_eq(ahead.slack, d.slack);
	if (d.port != RT_EJECT)
		cr_assert(was.vc == p->vc && was.route == p->route && sw_packet_via(&was, was.route) == p->via);
	return true;
}

/* The same by rt_way_ahead(), where it is to be had: false if it leaves it to others. */
static bool told_at_once(const struct rt *rt, const struct rt_env *at, struct sw_packet was, const struct sw_packet *p,
                         struct rt_decision d)
{
	enum rt_lookup ways = rt_lookup_of(rt);
	if (!goes_on(rt, &was) || !ways)
		return false;
	struct rt_env env = { .seed = at->seed };
	const struct rt_common *c = rt->impl;
	topo_switch to = topo_switch_of(rt->topo, was.dst);
	uint32_t route = was.route | SW_ROUTE_DECIDED;
	bool lone = rt->ops->legs && rt->ops->legs(rt) == RT_LEGS_ONE;
	uint32_t in = at->in_port == RT_FROM_ENDPOINT ? rt_in_from_endpoint(lone, c->rule) : at->in_port;
	struct rt_way way = rt_way_ahead(rt, c, &env, at->here, in, &was, route, to, lone, c->rule, ways, true);
	struct rt_way sure = rt_way_ahead(rt, c, &env, at->here, in, &was, route, to, lone, c->rule, ways, false);
	cr_assert(sure.unknown ||
	          (!way.unknown && sure.port == way.port && sure.vc == way.vc && sure.route == way.route));
	if (way.unknown)
		return false;
	cr_assert_eq(way.port, d.port);
	if (d.port != RT_EJECT)
		cr_assert(way.vc == p->vc && way.route == p->route && sw_packet_via(&was, way.route) == p->via);
	return true;
}

/* Where there is one leg: does next() or run() of the topology offer the port? */
static bool offered(const struct rt *rt, topo_switch here, topo_switch to, unsigned leg_hops, topo_port port)
{
	const struct topo *topo = rt->topo;
	if (topo->ops->run) {
		struct topo_run run = topo->ops->run(topo, here, to);
		return port - run.first < run.n;
	}
	topo_port out[TOPO_MAX_NEXT];
	int n = topo->ops->next(topo, here, to, leg_hops, out);
	for (int i = 0; i < n; i++)
		if (out[i] == port)
			return true;
	return false;
}

static void noise_each(const void *sw, const topo_port *out, uint32_t n, uint64_t now, uint64_t *bytes)
{
	for (uint32_t i = 0; i < n; i++)
		bytes[i] = noise(sw, out[i], now);
}

/* ops->foresee: with the candidates made ahead, the decision d, which made `was` into `p`, is the same. */
static bool foreseen(const struct rt *rt, const struct rt_env *at, struct sw_packet was, const struct sw_packet *p,
                     struct rt_decision d)
{
	struct rt_env env = { .here = at->here, .in_port = at->in_port, .seed = at->seed };
	struct rt_candidates few;
	if (!rt->ops->foresee || was.route & SW_ROUTE_DECIDED || !rt->ops->foresee(rt, &env, &was, &few))
		return false;
	env = *at;
	env.foreseen = &few;
	struct rt_decision e = rt->ops->route(rt, &env, &was);
	cr_assert(d.port == e.port && d.slack == e.slack && !memcmp(&was, p, sizeof was));
	return true;
}

struct told {
	unsigned ahead, at_once, foreseen;
};

static void arrives(const struct rt *rt, uint32_t src, uint32_t dst, uint32_t seq, struct told *told)
{
	const struct topo *topo = rt->topo;
	uint64_t seed = 5;
	struct sw_packet p = { .src = src, .dst = dst, .seq = seq, .bytes = 256, .via = SW_NO_VIA };
	struct rt_env env = { .here = topo_switch_of(topo, src),
		              .in_port = RT_FROM_ENDPOINT,
		              .seed = seed,
		              .queue_bytes = noise,
		              .queue_bytes_each = noise_each,
		              .sw = &seed,
		              .published_bytes = published_noise,
		              .neighbour_bytes = neighbour_noise,
		              .host = &seed };
	for (;; p.hops++) {
		env.now = (uint64_t)seq * 64 + p.hops;
		env.drawn = 0;
		struct sw_packet again = p, was = p;
		struct rt_env same = env, at = env;
		struct rt_decision d = rt->ops->route(rt, &env, &p), e = rt->ops->route(rt, &same, &again);
		cr_assert(d.port == e.port && d.slack == e.slack && !memcmp(&p, &again, sizeof p), "not a function");
		told->ahead += told_ahead(rt, &at, was, &p, d);
		told->at_once += told_at_once(rt, &at, was, &p, d);
		told->foreseen += foreseen(rt, &at, was, &p, d);
		if (d.port == RT_EJECT)
			break;
		if (rt->plugin == &rt_minimal)
			cr_assert(offered(rt, at.here, topo_switch_of(topo, dst), was.hops, d.port));
		cr_assert_lt(d.port, topo_ports(topo, env.here));
		cr_assert_lt(p.vc, rt->vcs);
		cr_assert_lt(p.hops, rt->max_hops);
		struct topo_hop hop = topo_peer(topo, env.here, d.port);
		env.here = hop.to;
		env.in_port = hop.port;
	}
	cr_assert_eq(env.here, topo_switch_of(topo, dst));
	if (topo_switch_of(topo, src) == env.here)
		cr_assert_eq(p.hops, 0, "a packet within a switch left it");
}

static const struct network {
	const struct base_plugin *plugin;
	const char *params;
	bool groups;
} network[] = {
	{ &topo_slimfly, "q=4 endpoints=1", true },
	{ &topo_slimfly, "q=5 endpoints=2", true },
	{ &topo_dragonfly, "p=1 a=4 h=2", true },
	{ &topo_dragonfly, "p=2 a=2 h=1", true },
	{ &topo_dragonfly, "p=1 a=1 h=3", false },
	{ &topo_dragonfly, "p=2 a=4 h=2 g=2", true },
	{ &topo_dragonfly, "p=1 a=6 h=2 g=5", true },
	{ &topo_dragonfly, "p=1 a=4 h=4 g=3", true },
	{ &topo_dragonfly, "p=1 rows=2 columns=3 h=1 black=2", true },
	{ &topo_dragonfly, "p=1 rows=3 columns=2 h=2 g=4", true },
	{ &topo_torus, "dims=7", false },
	{ &topo_torus, "dims=2,2,2", false },
	{ &topo_torus, "dims=2", false },
	{ &topo_torus, "dims=4,5", false },
	{ &topo_torus, "dims=4,3,5 wrap=false,true,true", false },
	{ &topo_torus, "dims=1,6 wrap=false", false },
	{ &topo_hyperx, "dims=3,4 trunk=1,2", false },
	{ &topo_hyperx, "dims=3,2,3 order=dimension", false },
	{ &topo_fattree, "k=4", false },
	{ &topo_dragonfly_plus, "p=1 leaves=2 spines=2 h=2", true },
	{ &topo_dragonfly_plus, "p=1 leaves=3 spines=2 g=3 trunk=3", true },
	{ &topo_polarfly, "q=3 endpoints=1", false },
	{ &topo_polarstar, "q=2 supernode=paley degree=2 endpoints=1", false },
	{ &topo_bundlefly, "q=3 supernode=5 endpoints=1", false },
	{ &topo_hammingmesh, "board=2,3 boards=2,2", false },
	{ &topo_oft, "k=3 endpoints=1", false },
	{ &topo_mlfm, "h=3 endpoints=2", false },
	{ &topo_jellyfish, "switches=18 degree=4 endpoints=1", false },
	{ &topo_xgft, "children=1,2,3 parents=1,3,2", false },
	{ &topo_single, "ports=5", false },
};

/* Packets of every pair, in a network that a routing may be used in: false if it may not. */
static bool all_pairs_arrive(const struct network *of, const struct base_plugin *routing, bool by_group)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, of->plugin, of->params), 0);
	if (routing == &rt_par && f.topo.bare) { /* its second switch has no endpoints */
		fixture_free(&f);
		return false;
	}
	cr_assert_eq(fixture_routing(&f, routing, by_group ? "via=group" : ""), 0, "%s %s", of->params, routing->name);
	struct told told = { 0 };
	for (uint32_t s = 0; s < f.topo.endpoints; s++)
		for (uint32_t d = 0; d < f.topo.endpoints; d++)
			for (uint32_t n = 0; s != d && n < SPAN(2, 4); n++)
				arrives(&f.rt, s, d, n + s * 4, &told);
	cr_expect(told.ahead > 0 || f.topo.switches <= 2, "%s %s: no way is told ahead", of->params, routing->name);
	cr_expect(told.at_once > 0 || f.topo.switches <= 2, "%s %s: no way is told at once", of->params, routing->name);
	enum rt_lookup by = f.topo.ordered ? RT_LOOKUP_AXES : RT_LOOKUP_TOPOLOGY;
	cr_expect_eq(rt_lookup_of(&f.rt), rt_only_bytes ? RT_LOOKUP_PAIR : by, "%s %s", of->params, routing->name);
	if (rt_only_bytes && of->plugin == &topo_slimfly && routing == &rt_slimfly_adaptive)
		cr_expect(told.foreseen > 0, "%s: nothing is foreseen", of->params);
	if (rt_only_bytes || EVERY_CASE) { /* the proof asks the same routing with tables and without */
		struct rt_proof proof;
		cr_assert_eq(rt_prove(&f.rt, f.rt.vcs, &proof, &f.errors), 0);
		cr_expect(proof.deadlock_free, "%s %s", of->params, routing->name);
		rt_proof_free(&proof);
	}
	fixture_free(&f);
	return true;
}

static void everywhere(void)
{
	for (size_t i = 0; i < sizeof network / sizeof *network; i++)
		for (size_t r = 0; r < sizeof routings / sizeof *routings; r++) {
			bool has_via = routings[r] != &rt_minimal && routings[r] != &rt_slimfly_adaptive;
			if (all_pairs_arrive(&network[i], routings[r], false) && has_via && network[i].groups)
				all_pairs_arrive(&network[i], routings[r], true);
		}
}

Test(routes, all_arrive)
{
	everywhere();
}

/* As in networks of too many switches for a table of all pairs. */
Test(routes, all_arrive_without_tables)
{
	size_t bytes = rt_only_bytes;
	rt_only_bytes = 0;
	everywhere();
	rt_only_bytes = bytes;
}

/* Draws `n` intermediates for one pair; count[] by switch. Returns how many were drawn. */
static uint32_t draw(const struct rt *rt, uint32_t src, uint32_t dst, uint32_t n, uint32_t *count)
{
	uint32_t drawn = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct sw_packet p = { .src = src, .dst = dst, .seq = i, .bytes = 256, .via = SW_NO_VIA };
		struct rt_env env = { .here = topo_switch_of(rt->topo, src),
			              .in_port = RT_FROM_ENDPOINT,
			              .seed = 12345 };
		rt->ops->route(rt, &env, &p);
		if (p.via == SW_NO_VIA)
			continue;
		count[p.via]++;
		drawn++;
	}
	return drawn;
}

/* Chi-square of counts over `k` equally likely cells, in thousandths. */
static uint64_t chi_square(const uint32_t *count, uint32_t k, uint64_t n)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < k; i++) {
		int64_t off = (int64_t)(count[i] * (uint64_t)k) - (int64_t)n;
		sum += (uint64_t)(off * off);
	}
	return 1000 * sum / (k * n); /* sum (c - n/k)^2 / (n/k) */
}

Test(routes, valiant_switches_are_uniform)
{
	struct fixture f;
	uint32_t count[50] = { 0 }, cell[50], k = 0;
	cr_assert_eq(fixture_topo(&f, &topo_slimfly, "q=5 endpoints=4"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_valiant, ""), 0);
	cr_assert_eq(draw(&f.rt, 4 * 7 + 1, 4 * 31, 48000, count), 48000);
	cr_expect_eq(count[7], 0);
	cr_expect_eq(count[31], 0);
	for (uint32_t s = 0; s < 50; s++)
		if (s != 7 && s != 31)
			cell[k++] = count[s];
	cr_expect_lt(chi_square(cell, k, 48000), 82720); /* 47 degrees of freedom, p = 0.001: 82.72 */
	fixture_free(&f);
}

Test(routes, valiant_groups_are_uniform)
{
	struct fixture f;
	uint32_t count[264] = { 0 }, cell[33] = { 0 }, others[31], k = 0;
	cr_assert_eq(fixture_topo(&f, &topo_dragonfly, "p=4 a=8 h=4"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_valiant, "via=group"), 0);
	cr_assert_eq(draw(&f.rt, 32 * 5, 32 * 20 + 3, 62000, count), 62000);
	for (uint32_t s = 0; s < 264; s++)
		cell[s / 8] += count[s];
	cr_expect_eq(cell[5], 0);
	cr_expect_eq(cell[20], 0);
	for (uint32_t g = 0; g < 33; g++)
		if (g != 5 && g != 20)
			others[k++] = cell[g];
	cr_expect_lt(chi_square(others, k, 62000), 59703); /* 30 degrees of freedom, p = 0.001: 59.70 */
	memset(count, 0, sizeof count);
	cr_expect_eq(draw(&f.rt, 32 * 5, 32 * 5 + 30, 100, count), 0, "traffic within a group is minimal");
	fixture_free(&f);
}

/* Tori without a table of all pairs, with rings of two, three and many, odd and even. */
Test(routes, ways_by_coordinates_are_those_of_the_topology)
{
	static const char *const dims[] = { "dims=4,4,3 endpoints=1", "dims=5,6 endpoints=2", "dims=12 endpoints=1",
		                            "dims=1,3,1,7 endpoints=1", "dims=3,3,3,3 endpoints=1" };
	static const struct base_plugin *const two[] = { &rt_minimal, &rt_valiant };
	rt_only_bytes = 0;
	for (size_t i = 0; i < sizeof dims / sizeof *dims; i++)
		for (size_t r = 0; r < 2; r++) {
			struct fixture f;
			struct told told = { 0 };
			cr_assert_eq(fixture_topo(&f, &topo_torus, dims[i]), 0);
			cr_assert_eq(fixture_routing(&f, two[r], ""), 0);
			const struct rt_common *c = f.rt.impl;
			cr_assert(!c->only && c->place && rt_lookup_of(&f.rt) == RT_LOOKUP_AXES, "%s", dims[i]);
			for (uint32_t s = 0; s < f.topo.endpoints; s++)
				for (uint32_t d = 0; d < f.topo.endpoints; d++)
					for (uint32_t n = 0; s != d && n < 4; n++)
						arrives(&f.rt, s, d, n + s * 4, &told);
			cr_expect_gt(told.at_once, f.topo.endpoints, "%s", dims[i]);
			fixture_free(&f);
		}
	struct fixture f; /* a mesh: how many ports come before one depends on all coordinates */
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4,4 wrap=false,true"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_minimal, ""), 0);
	cr_expect_eq(rt_lookup_of(&f.rt), RT_LOOKUP_TOPOLOGY);
	fixture_free(&f);
	rt_only_bytes = (size_t)5 << 18;
}

Test(routes, every_pair_keeps_its_switches_out)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4,3"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_valiant, ""), 0);
	for (uint32_t s = 0; s < 12; s++)
		for (uint32_t d = 0; d < 12; d++) {
			uint32_t count[12] = { 0 };
			if (s == d)
				continue;
			cr_assert_eq(draw(&f.rt, s, d, 400, count), 400);
			for (uint32_t v = 0; v < 12; v++)
				cr_assert_eq(count[v] > 0, v != s && v != d, "%u to %u by %u", s, d, v);
		}
	fixture_free(&f);
}
