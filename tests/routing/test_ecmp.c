/* tests/routing/test_ecmp.c - ecmp, spray and d-mod-k: loads of whole permutations against closed forms, one path a
 * flow, hashes that switches share or not, and proofs. */
#include "fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

/* Sends packet number `seq` from endpoint src to dst; adds 1 to load[switch * max_ports + port] of every link
 * that it takes. Returns the number of links. */
static unsigned send_packet(const struct fixture *f, uint64_t seed, uint32_t src, uint32_t dst, uint32_t seq,
                            uint32_t *load)
{
	struct sw_packet p = { .src = src, .dst = dst, .seq = seq, .via = SW_NO_VIA };
	struct rt_env env = { .here = topo_switch_of(&f->topo, src), .in_port = RT_FROM_ENDPOINT, .seed = seed };
	for (;;) {
		env.drawn = 0;
		struct rt_decision d = f->rt.ops->route(&f->rt, &env, &p);
		if (d.port == RT_EJECT)
			return p.hops;
		load[(size_t)env.here * f->topo.max_ports + d.port]++;
		struct topo_hop hop = topo_peer(&f->topo, env.here, d.port);
		env.here = hop.to;
		env.in_port = hop.port;
		p.hops++;
		cr_assert_leq(p.hops, f->rt.max_hops);
	}
}

static uint32_t *new_loads(const struct fixture *f)
{
	return base_calloc((size_t)f->topo.switches * f->topo.max_ports, sizeof(uint32_t));
}

static uint32_t largest(const struct fixture *f, const uint32_t *load)
{
	uint32_t most = 0;
	for (size_t i = 0; i < (size_t)f->topo.switches * f->topo.max_ports; i++)
		most = load[i] > most ? load[i] : most;
	return most;
}

/* Zahavi 2010: on a tree with as many cables up as down on every level no cable of a shift permutation carries two
 * flows, whatever the shift. */
static void carries_shifts(const struct base_plugin *topology, const char *params)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, topology, params), 0, "%s", params);
	cr_assert_eq(fixture_routing(&f, &rt_d_mod_k, ""), 0, "%s", params);
	uint32_t n = f.topo.endpoints;
	for (uint32_t shift = 1; shift < n; shift++) {
		uint32_t *load = new_loads(&f);
		for (uint32_t e = 0; e < n; e++)
			send_packet(&f, 1, e, (e + shift) % n, 0, load);
		cr_expect_eq(largest(&f, load), 1, "%s, shift %u: %u flows on a cable", params, shift,
		             largest(&f, load));
		free(load);
	}
	fixture_free(&f);
}

Test(ecmp, d_mod_k_carries_every_shift)
{
	carries_shifts(&topo_fattree, "k=8 levels=3");
	carries_shifts(&topo_fattree, "k=6 levels=2");
	carries_shifts(&topo_kary_ntree, "k=4 n=3");
	carries_shifts(&topo_kary_ntree, "k=2 n=5");
	carries_shifts(&topo_xgft, "children=8,8 parents=1,4 trunk=1,2");
	carries_shifts(&topo_xgft, "children=6,3,4 parents=1,3,6 trunk=1,2,1");
}

Test(ecmp, d_mod_k_is_for_trees)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_slimfly, "q=5"), 0);
	cr_expect_eq(fixture_routing(&f, &rt_d_mod_k, ""), -1);
	cr_expect(f.errors.n == 1 && strstr(f.errors.v[0].text, "requires a tree"), "%s",
	          f.errors.n ? f.errors.v[0].text : "");
	fixture_free(&f);
}

/* n balls in n bins: P(fullest <= k) = n! / n^n [x^n] (sum over j <= k of x^j / j!)^n. */
static double chance_of_at_most(unsigned n, unsigned k)
{
	double c[64] = { 1 }; /* coefficients of the power so far, each times (its exponent)! / n^exponent */
	for (unsigned bin = 0; bin < n; bin++)
		for (unsigned total = n; total > 0; total--) {
			double sum = c[total], binomial = 1;
			for (unsigned j = 1; j <= k && j <= total; j++) {
				binomial *= (double)(total - j + 1) / j / n;
				sum += binomial * c[total - j];
			}
			c[total] = sum;
		}
	return c[n];
}

/* The 16 endpoints of a leaf send to 16 others by 16 spines: the fullest cable up is the fullest of 16 bins. */
Test(ecmp, collisions_are_those_of_balls_in_bins)
{
	enum { N = 16, SEEDS = 400 };
	double mean = 0, square = 0, before = 0;
	for (unsigned k = 1; k <= N; k++) {
		double p = chance_of_at_most(N, k) - before;
		before += p;
		mean += k * p;
		square += (double)k * k * p;
	}
	cr_assert(fabs(before - 1) < 1e-12);
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_fattree, "k=32 levels=2"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_ecmp, ""), 0);
	double sum = 0;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint32_t *load = new_loads(&f);
		for (uint32_t e = 0; e < N; e++)
			send_packet(&f, seed, e, N * (e + 1) + e, 0, load);
		sum += largest(&f, load); /* each comes down alone: they go to different leaves */
		free(load);
	}
	double sigma = sqrt((square - mean * mean) / SEEDS);
	cr_expect(fabs(sum / SEEDS - mean) < 3 * sigma, "%.4f, not %.4f +- %.4f", sum / SEEDS, mean, 3 * sigma);
	fixture_free(&f);
}

Test(ecmp, a_flow_takes_one_path_and_spray_takes_all)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_fattree, "k=8 levels=3"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_ecmp, ""), 0);
	uint32_t *load = new_loads(&f), hops = 0, last = f.topo.endpoints - 1;
	for (uint32_t seq = 0; seq < 1600; seq++)
		hops = send_packet(&f, 7, 3, last, seq, load);
	unsigned links = 0;
	for (size_t i = 0; i < (size_t)f.topo.switches * f.topo.max_ports; i++)
		links += load[i] > 0;
	cr_expect_eq(links, hops);
	cr_expect_eq(largest(&f, load), 1600);
	free(load);
	static const char *const order[] = { "entropies=65536", "entropies=65536 order=in-turn" };
	for (int k = 0; k < 2; k++) { /* 16 ways to the roots, 100 packets each: within 5 sigma of a binomial */
		cr_assert_eq(fixture_routing(&f, &rt_spray, order[k]), 0);
		load = new_loads(&f);
		for (uint32_t seq = 0; seq < 1600; seq++)
			send_packet(&f, 7, 3, last, seq, load);
		for (topo_switch root = f.topo.switches - 16; root < f.topo.switches; root++) {
			uint32_t through = 0;
			for (uint32_t port = 0; port < topo_ports(&f.topo, root); port++)
				through += load[(size_t)root * f.topo.max_ports + port];
			cr_expect(through > 50 && through < 150, "%s: %u through switch %u", order[k], through, root);
		}
		free(load);
	}
	fixture_free(&f);
}

/* As many paths as entropies, at most. */
Test(ecmp, one_entropy_is_one_path)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_fattree, "k=8 levels=3"), 0);
	for (uint32_t entropies = 1; entropies <= 2; entropies++) {
		char text[40];
		snprintf(text, sizeof text, "entropies=%u order=in-turn", entropies);
		cr_assert_eq(fixture_routing(&f, &rt_spray, text), 0);
		uint32_t *load = new_loads(&f), used = 0;
		for (uint32_t seq = 0; seq < 100; seq++)
			send_packet(&f, 7, 3, f.topo.endpoints - 1, seq, load);
		for (topo_switch root = f.topo.switches - 16; root < f.topo.switches; root++)
			for (uint32_t port = 0; port < topo_ports(&f.topo, root); port++)
				used += load[(size_t)root * f.topo.max_ports + port] > 0;
		cr_expect(used >= 1 && used <= entropies, "%u paths of %u entropies", used, entropies);
		free(load);
	}
	fixture_free(&f);
}

/* With the same hash everywhere a flow takes the same port upwards on every level, so 64 flows of a leaf use 4 of the
 * 16 roots; with one for each switch they use all of them (the chance that one is missed is below 2 in 10). */
static unsigned roots_used(const char *params)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_fattree, "k=8 levels=3"), 0);
	cr_assert_eq(fixture_routing(&f, &rt_ecmp, params), 0);
	uint32_t *load = new_loads(&f);
	unsigned used = 0;
	for (uint32_t i = 0; i < 64; i++)
		send_packet(&f, 11, i % 4, 64 + i, 0, load);
	for (topo_switch root = f.topo.switches - 16; root < f.topo.switches; root++) {
		uint32_t through = 0;
		for (uint32_t port = 0; port < topo_ports(&f.topo, root); port++)
			through += load[(size_t)root * f.topo.max_ports + port];
		used += through > 0;
	}
	free(load);
	fixture_free(&f);
	return used;
}

Test(ecmp, a_common_hash_polarizes)
{
	cr_expect_eq(roots_used("hash=common"), 4);
	cr_expect_geq(roots_used("hash=switch"), 14);
}

Test(ecmp, proofs_are_those_of_minimal_routing)
{
	static const struct {
		const struct base_plugin *topology;
		const char *params;
	} row[] = { { &topo_fattree, "k=4 levels=3" },
		    { &topo_slimfly, "q=5 endpoints=1" },
		    { &topo_dragonfly, "p=1 a=4 h=2" },
		    { &topo_torus, "dims=4,4 endpoints=1" },
		    { &topo_hyperx, "dims=3,4 endpoints=1" } };
	const struct base_plugin *routing[] = { &rt_ecmp, &rt_spray, &rt_d_mod_k };
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		for (size_t k = 0; k < (i ? 2 : 3); k++) {
			struct fixture f;
			struct rt_proof proof;
			cr_assert_eq(fixture_topo(&f, row[i].topology, row[i].params), 0, "%s", row[i].params);
			cr_assert_eq(fixture_routing(&f, &rt_minimal, ""), 0);
			uint32_t vcs = f.rt.vcs;
			cr_assert_eq(fixture_routing(&f, routing[k], ""), 0);
			cr_expect_eq(f.rt.vcs, vcs);
			cr_assert_eq(rt_prove(&f.rt, vcs, &proof, &f.errors), 0);
			cr_expect(proof.deadlock_free, "%s on %s", routing[k]->name, row[i].params);
			rt_proof_free(&proof);
			fixture_free(&f);
		}
}
