/* tests/network/test_latency.c - latency without queues has a closed form, met to the picosecond; with Poisson queues
 * it is M/D/1. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#include <math.h>

static uint64_t serialisation(double bandwidth, uint64_t bytes)
{
	return (uint64_t)llround((double)bytes * 8e12 / bandwidth);
}

/* Link classes along the minimal route: 1 local (or the only class), 2 global. */
static unsigned walk(const struct topo *t, uint32_t from, uint32_t to, unsigned *kinds)
{
	unsigned n = 0;
	for (uint32_t here = from; here != to;) {
		topo_port out[64];
		t->ops->next(t, here, to, n, out);
		struct topo_hop h = topo_peer(t, here, out[0]);
		kinds[n++] = strcmp(t->link_class_name[h.link_class], "global") ? 1 : 2;
		here = h.to;
	}
	return n;
}

/* Cut-through: the header moves on after the traversal, later if the next link is so much faster that it would run dry;
 * the last bit arrives one serialisation after the header has left for the last link. Store-and-forward: one
 * serialisation a link. */
static uint64_t closed_form(const double bandwidth[3], const uint64_t latency[3], const unsigned *kinds, unsigned hops,
                            uint64_t traversal, uint64_t bytes, bool store)
{
	uint64_t in = serialisation(bandwidth[0], bytes), t = latency[0] + (store ? in : 0);
	for (unsigned i = 0; i <= hops; i++) {
		unsigned k = i < hops ? kinds[i] : 0;
		uint64_t out = serialisation(bandwidth[k], bytes);
		t += traversal;
		if (!store && in > out)
			t += in - out;
		t += latency[k] + (store ? out : 0);
		in = out;
	}
	return t + (store ? 0 : in);
}

struct links_case {
	const char *text;
	double bandwidth[3]; /* terminal, local, global */
	uint64_t latency[3]; /* ps */
};

static const struct links_case links_cases[] = {
	{ "default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; };",
	  { 100e9, 100e9, 100e9 },
	  { 50000, 50000, 50000 } },
	{ "default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; terminal = { bandwidth = \"25Gbps\"; latency = "
	  "\"7ns\"; };"
	  " local = { bandwidth = \"200Gbps\"; latency = \"13ns\"; }; global = { bandwidth = \"50Gbps\"; latency = "
	  "\"1us\"; };",
	  { 25e9, 200e9, 50e9 },
	  { 7000, 13000, 1000000 } },
	{ "default = { bandwidth = \"40Gbps\"; latency = \"11ns\"; }; terminal = { bandwidth = \"400Gbps\"; latency = "
	  "\"3ns\"; };"
	  " local = { bandwidth = \"40Gbps\"; latency = \"11ns\"; }; global = { bandwidth = \"160Gbps\"; latency = "
	  "\"333ns\"; };",
	  { 400e9, 40e9, 160e9 },
	  { 3000, 11000, 333000 } },
};

/* Two endpoints that send to each other now and then: their ways share no channel, so nothing ever waits. */
static void check_pair(const char *topology, const struct links_case *l, uint32_t a, uint32_t b, uint32_t bytes,
                       bool store)
{
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"0us\"; measure = \"300us\"; drain = true; }; topology = { %s }; links = { %s }; "
	    "routing = { kind = \"minimal\"; };"
	    "switch = { kind = \"ideal\"; traversal = \"77ns\"; buffer = \"100KB\"; forwarding = \"%s\"; };"
	    "traffic = ( { pattern = \"uniform\"; load = 0.05; packet = \"%uB\"; nodes = \"%u,%u\"; injection = "
	    "\"periodic\"; } );"
	    "record = { packets = true; };",
	    topology, l->text, store ? "store-and-forward" : "cut-through", bytes, a, b);
	const struct topo *t = net_topo(x.net);
	struct packets p = packets_of(&x);
	cr_assert_gt(p.n, 3);
	for (size_t i = 0; i < p.n; i++) {
		unsigned kinds[64], hops = walk(t, p.v[i].src / t->max_endpoints, p.v[i].dst / t->max_endpoints, kinds);
		uint64_t want = closed_form(l->bandwidth, l->latency, kinds, hops, 77000, bytes, store);
		cr_assert_eq(p.v[i].hops, hops);
		cr_assert_eq(p.v[i].delivered - p.v[i].created, want, "%s, %s: %u to %u, %u hops, %s: %lu ps, not %lu",
		             topology, l->text, p.v[i].src, p.v[i].dst, hops,
		             store ? "store-and-forward" : "cut-through", p.v[i].delivered - p.v[i].created, want);
		cr_assert_eq(p.v[i].injected, p.v[i].created);
	}
	cr_assert_eq(x.r->total.latency.n, p.n);
	free(p.v);
	netrun_free(&x);
}

Test(latency, of_single_packets_is_the_closed_form)
{
	static const struct {
		const char *text;
		uint32_t n;
	} t[] = {
		{ "kind = \"dragonfly\"; p = 2; a = 4; h = 2;", 72 },
		{ "kind = \"slimfly\"; q = 5; endpoints = 4;", 200 },
		{ "kind = \"torus\"; dims = [5, 4, 3]; endpoints = 2;", 120 },
		{ "kind = \"single\"; ports = 9;", 9 },
	};
	uint64_t random = 1;
	for (size_t k = 0; k < sizeof t / sizeof *t; k++)
		for (size_t l = 0; l < (k == 0 ? sizeof links_cases / sizeof *links_cases : 1); l++)
			for (int i = 0; i < 6; i++) {
				random = random * 6364136223846793005u + 1442695040888963407u;
				uint32_t a = (uint32_t)(random >> 33) % t[k].n,
					 b = (a + 1 + (uint32_t)(random >> 13) % (t[k].n - 1)) % t[k].n;
				check_pair(t[k].text, &links_cases[k == 0 ? l : 0], a, b,
				           i % 3 == 0   ? 25
				           : i % 3 == 1 ? 256
				                        : 4000,
				           i % 2);
			}
}

/* reference/topologies.md, section 6: 50 ns links, 100 ns traversal, 256 B at 100 Gb/s, mean over distinct endpoints'
 * switches. */
static void check_mean(const char *topology, double cut_through, double store_and_forward)
{
	for (int store = 0; store < 2; store++) {
		struct netrun x = { 0 };
		run(&x,
		    "time = { warmup = \"2us\"; measure = \"40us\"; drain = true; }; topology = { %s }; " LINKS_50
		    " routing = { kind = \"minimal\"; };"
		    "switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"100KB\"; forwarding = \"%s\"; };"
		    "traffic = ( { pattern = \"uniform\"; load = 0.01; packet = \"256B\"; } );",
		    topology, store ? "store-and-forward" : "cut-through");
		double want = 1000 * (store ? store_and_forward : cut_through);
		cr_expect_float_eq(x.r->total.latency.mean, want, 0.005 * want, "%s: %.1f ps, not %.1f", topology,
		                   x.r->total.latency.mean, want);
		cr_expect_eq((long)x.r->total.minimal_fraction, 1);
		netrun_free(&x);
	}
}

Test(latency, means_at_zero_load_are_those_of_the_reference)
{
	check_mean("kind = \"slimfly\"; q = 13; endpoints = 9;", 511.3, 571.4);
	check_mean("kind = \"dragonfly\"; p = 4; a = 8; h = 4;", 624.8, 700.5);
	check_mean("kind = \"torus\"; dims = [8, 8, 8];", 1122.2, 1265.8);
	check_mean("kind = \"torus\"; dims = [4, 4, 4, 4, 4];", 971.2, 1094.2);
}

/* Poisson streams of many sources meet at one output of fixed service time S: the mean wait is rho / (2 (1 - rho)) S.
 */
Test(latency, at_a_hot_output_is_that_of_m_d_1)
{
	static const double rho[] = { 0.2, 0.5, 0.7, 0.85 };
	for (size_t i = 0; i < sizeof rho / sizeof *rho; i++) {
		struct netrun x = { 0 };
		run(&x,
		    "time = { warmup = \"100us\"; measure = \"%uus\"; }; topology = { kind = \"single\"; ports = 257; "
		    "}; " LINKS_50 " switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; }; routing "
		    "= { kind = \"minimal\"; };"
		    "traffic = ( { pattern = \"incast\"; load = %.9f; packet = \"256B\"; } );",
		    (unsigned)(3000 / (1.1 - rho[i])), rho[i] / 256);
		double base = 50000 + 100000 + 50000 + 20480, wait = x.r->total.latency.mean - base;
		double want = rho[i] / (2 * (1 - rho[i])) * 20480;
		cr_expect_float_eq(wait, want, 0.04 * want, "rho %.2f: %.0f ps, not %.0f", rho[i], wait, want);
		cr_expect_eq(x.r->total.latency.min, (uint64_t)base);
		netrun_free(&x);
	}
}

Test(latency, of_a_message_is_that_of_its_last_packet)
{
	struct netrun x = { 0 };
	run(&x, "time = { warmup = \"1us\"; measure = \"3us\"; drain = true; }; " SLIMFLY_5 LINKS_50
	        " switch = { kind = \"ideal\"; buffer = \"4KB\"; };"
	        "routing = { kind = \"valiant\"; }; record = { packets = true; };" /* packets of a message overtake each
	                                                                              other */
	        "traffic = ( { pattern = \"uniform\"; load = 0.6; packet = [ \"64B\", \"256B\", \"400B\" ]; message = "
	        "\"2000B\"; } );");
	struct packets p = packets_of(&x);
	cr_assert_eq(p.n, x.r->total.delivered);
	uint64_t n = 0, least = UINT64_MAX, most = 0, disordered = 0;
	double sum = 0;
	for (size_t i = 0; i < p.n; i++) { /* records come in order of delivery: the last of a message completes it */
		uint64_t bytes = 0, later = 0;
		if (p.v[i].created < 1000000 || p.v[i].created >= 4000000)
			continue;
		for (size_t k = 0; k < p.n; k++)
			if (p.v[k].src == p.v[i].src && p.v[k].created == p.v[i].created) {
				bytes += p.v[k].bytes;
				later += k > i;
				disordered += k > i && p.v[k].seq < p.v[i].seq;
				cr_assert_eq(p.v[k].dst, p.v[i].dst);
			}
		cr_assert_eq(bytes, 2000);
		if (later)
			continue;
		uint64_t latency = p.v[i].delivered - p.v[i].created;
		n++;
		sum += (double)latency;
		least = latency < least ? latency : least;
		most = latency > most ? latency : most;
	}
	cr_assert_gt(n, 300);
	cr_assert_gt(disordered, 10, "nothing overtakes: this tests less than it says");
	const struct net_latency *m = &x.r->total.message_latency;
	cr_assert(x.r->total.has_message_latency);
	cr_assert_eq(m->n, n, "%lu messages, not %lu", m->n, n);
	cr_assert_eq(m->min, least);
	cr_assert_eq(m->max, most);
	cr_assert_float_eq(m->mean, sum / (double)n, 1e-6 * m->mean);
	free(p.v);
	netrun_free(&x);
}
