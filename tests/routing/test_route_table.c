/* tests/routing/test_route_table.c - routes from a file: shares of weighted choices, which line holds for a packet,
 * virtual channels, what the proof finds; and ways of least latency. */
#include "fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* Puts routing by a table with this text on the fixture's topology. */
static int read_routes(struct fixture *f, const char *text, const char *more)
{
	char params[120];
	int fd = memfd_create("routes", 0);
	cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(params, sizeof params, "file=/proc/self/fd/%d%s", fd, more);
	int status = fixture_routing(f, &rt_table, params);
	close(fd);
	return status;
}

#define MOST_HOPS 8

/* The switches that a packet passes behind its first one, and its VCs. */
struct passed {
	unsigned hops;
	topo_switch sw[MOST_HOPS];
	uint8_t vc[MOST_HOPS];
};

static struct passed send_packet(const struct fixture *f, uint32_t src, uint32_t dst, uint32_t seq)
{
	struct sw_packet p = { .src = src, .dst = dst, .seq = seq, .via = SW_NO_VIA };
	struct rt_env env = { .here = topo_switch_of(&f->topo, src), .in_port = RT_FROM_ENDPOINT, .seed = 5 };
	struct passed out = { 0 };
	for (;; p.hops++) {
		env.drawn = 0;
		struct rt_decision d = f->rt.ops->route(&f->rt, &env, &p);
		if (d.port == RT_EJECT)
			return out;
		cr_assert(out.hops < MOST_HOPS && out.hops < f->rt.max_hops && p.vc < f->rt.vcs);
		struct topo_hop hop = topo_peer(&f->topo, env.here, d.port);
		out.sw[out.hops] = hop.to;
		out.vc[out.hops++] = p.vc;
		env.here = hop.to;
		env.in_port = hop.port;
	}
}

static bool is_free_of_deadlock(const struct fixture *f, uint32_t vcs)
{
	struct rt_proof proof;
	struct base_errors errors = { 0 };
	cr_assert_eq(rt_prove(&f->rt, vcs, &proof, &errors), 0, "%s", errors.n ? errors.v[0].text : "");
	bool is = proof.deadlock_free;
	cr_expect(is || proof.cycle_length > 0);
	rt_proof_free(&proof);
	base_errors_free(&errors);
	return is;
}

/* A ring of four switches with two endpoints each, and next hops that go the shorter way. */
static const char *const rest_of_ring =
    "0 1 1\n0 3 3\n1 0 0\n1 2 2\n1 3 0 2\n2 1 1\n2 3 3\n2 0 1 3\n3 0 0\n3 2 2\n3 1 0 2\n";

static void ring_with(struct fixture *f, const char *first, const char *more)
{
	char text[400];
	snprintf(text, sizeof text, "%s%s", first, rest_of_ring);
	cr_assert_eq(fixture_topo(f, &topo_torus, "dims=4 endpoints=2"), 0);
	cr_assert_eq(read_routes(f, text, more), 0, "%s", f->errors.n ? f->errors.v[0].text : "");
}

/* 3 : 1, within 5 sigma of a binomial. */
Test(route_table, weights_are_shares)
{
	static const char *const form[] = { "0 2 1*3 3\n", "0 2 3*1 1*3 # in another order\n" };
	enum { N = 4000 };
	for (int i = 0; i < 2; i++) {
		struct fixture f;
		unsigned by_one = 0;
		ring_with(&f, form[i], "");
		for (uint32_t seq = 0; seq < N; seq++)
			by_one += send_packet(&f, 0, 4, seq).sw[0] == 1;
		cr_expect(fabs(by_one - 0.75 * N) < 5 * sqrt(N * 0.75 * 0.25), "%u of %u", by_one, N);
		fixture_free(&f);
	}
}

/* By a hash all packets of a flow go one way, and of many flows both are used. */
Test(route_table, flows_keep_their_way)
{
	struct fixture f;
	unsigned by_one = 0;
	ring_with(&f, "0 2 1 3\n", " choose=flow");
	for (uint32_t src = 0; src < 2; src++)
		for (uint32_t dst = 4; dst < 6; dst++) {
			topo_switch way = send_packet(&f, src, dst, 0).sw[0];
			for (uint32_t seq = 1; seq < 50; seq++)
				cr_expect_eq(send_packet(&f, src, dst, seq).sw[0], way);
			by_one += way == 1;
		}
	cr_expect(by_one <= 4);
	fixture_free(&f);
}

/* A line of an endpoint precedes that of its switch; "first" is for packets from endpoints of the switch. */
Test(route_table, the_special_precedes_the_general)
{
	struct fixture f;
	ring_with(&f, "0 2 1\n0 e5 3\nfirst 1 3 2\n", "");
	for (uint32_t seq = 0; seq < 20; seq++) {
		cr_expect_eq(send_packet(&f, 0, 4, seq).sw[0], 1);
		cr_expect_eq(send_packet(&f, 0, 5, seq).sw[0], 3);
		cr_expect_eq(send_packet(&f, 2, 6, seq).sw[0], 2);
	}
	fixture_free(&f);
}

/* "=" stays on the VC, "+" takes the next one, and from an endpoint packets come on VC 0; hops count. */
Test(route_table, virtual_channels)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4"), 0);
	cr_assert_eq(read_routes(&f, "0 1-3 1/=\n1 2-3 2/=\n1 0 2/=\n2 3 3/=\n2 0-1 3/=\n3 0-2 0/+\n", ""), 0);
	cr_expect_eq(f.rt.vcs, 2);
	cr_expect_eq(f.rt.max_hops, 3);
	struct passed p = send_packet(&f, 2, 1, 0);
	cr_assert_eq(p.hops, 3);
	cr_expect(p.vc[0] == 0 && p.vc[1] == 1 && p.vc[2] == 1, "%u %u %u", p.vc[0], p.vc[1], p.vc[2]);
	cr_expect(is_free_of_deadlock(&f, 2));
	cr_expect_not(is_free_of_deadlock(&f, 1));
	cr_assert_eq(read_routes(&f, "0 1-3 1\n1 2-3 2\n1 0 2\n2 3 3\n2 0-1 3\n3 0-2 0\n", " vc=hops"), 0);
	cr_expect_eq(f.rt.vcs, 3);
	p = send_packet(&f, 2, 1, 0);
	cr_expect(p.vc[0] == 0 && p.vc[1] == 1 && p.vc[2] == 2);
	cr_expect(is_free_of_deadlock(&f, 3));
	fixture_free(&f);
}

/* All the way round on one VC: each buffer waits for the next one, however many VCs the switches have. */
Test(route_table, a_circle_is_found)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=5"), 0);
	cr_assert_eq(
	    read_routes(&f, "0 1-4 1/0\n1 2-4 2/0\n1 0 2/0\n2 3-4 3/0\n2 0-1 3/0\n3 4 4/0\n3 0-2 4/0\n4 0-3 0/0\n", ""),
	    0);
	cr_expect_eq(f.rt.vcs, 1);
	cr_expect_not(is_free_of_deadlock(&f, 1));
	cr_expect_not(is_free_of_deadlock(&f, 4));
	fixture_free(&f);
}

static uint64_t latency_of(const void *arg, topo_switch s, topo_port port)
{
	const struct topo *t = arg;
	topo_switch to = topo_peer(t, s, port).to;
	return s + to == 3 && s * to == 0 ? 3001 : 1000; /* the cable between 0 and 3 */
}

/* In a ring of four the way from 0 to 3 by 1 and 2 takes 3000 ps, that by the one cable 3001; with another ps for each
 * hop 3003 and 3002. */
Test(route_table, the_least_latency)
{
	struct fixture f;
	cr_assert_eq(fixture_topo(&f, &topo_torus, "dims=4"), 0);
	const struct rt_latencies latencies = { latency_of, &f.topo };
	for (int hop = 0; hop < 2; hop++) {
		f.rp = &rt_latency;
		f.rt_params = fixture_params(&rt_latency, hop ? "hop=1ps" : "hop=0ps", &f.errors);
		cr_assert_eq(rt_build_with(&f.rt, &rt_latency, f.rt_params, &f.topo, &latencies, &f.errors), 0);
		struct passed p = send_packet(&f, 0, 3, 0);
		cr_expect_eq(p.hops, hop ? 1u : 3u);
		cr_expect_eq(f.rt.vcs, hop ? 2u : 3u);
		cr_expect(is_free_of_deadlock(&f, f.rt.vcs));
		rt_destroy(&f.rt);
		base_params_free(rt_latency.params, f.rt_params);
		free(f.rt_params);
		f.rt_params = NULL;
	}
	fixture_free(&f);
}
