/* tests/network/test_order.c - classes with ordering = "flow": packets are delivered in the order in which they were
 * sent, whatever routing, switches and losses do; and with nic.ordering = "path" they come so. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#define NET(topology, more) NET_FOR("8us", topology, more)
#define NET_FOR(measure, topology, more)                            \
	"seed = 5; time = { warmup = \"2us\"; measure = \"" measure \
	"\"; drain = true; }; record = { packets = true; }; "       \
	"topology = " topology "; links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; }; }; " more
#define DRAGONFLY "{ kind = \"dragonfly\"; p = 2; a = 4; h = 2; }"
#define TORUS "{ kind = \"torus\"; dims = [4, 4]; endpoints = 2; }"
#define UNIFORM "traffic = ( { pattern = \"uniform\"; load = 0.8; packet = [\"64B\", \"256B\"]; } );"
#define PERMUTATION "traffic = ( { pattern = \"permutation\"; load = 0.8; packet = [\"64B\", \"256B\"]; } );"
#define FLOW "classes = ( { name = \"a\"; ordering = \"flow\"; } ); "

/* Packets that were delivered before one of the same pair that was created before them. */
static uint64_t disorder(struct netrun *x)
{
	struct packets l = packets_of(x);
	uint32_t endpoints = net_topo(x->net)->endpoints;
	uint32_t *last = calloc((size_t)endpoints * endpoints, sizeof *last); /* number + 1 */
	uint64_t n = 0;
	for (size_t i = 0; i < l.n; i++) {
		uint32_t *at = &last[(size_t)l.v[i].src * endpoints + l.v[i].dst];
		n += l.v[i].seq < *at;
		*at = l.v[i].seq + 1 > *at ? l.v[i].seq + 1 : *at;
	}
	free(last);
	free(l.v);
	return n;
}

struct seen {
	uint64_t disorder, created, delivered;
	struct net_order_result order;
	struct net_retry_result retry;
};

static struct seen see(const char *network, const char *more)
{
	struct netrun x = { 0 };
	run(&x, "%s %s", network, more);
	struct seen s = { disorder(&x), x.r->total.created, x.r->total.delivered, x.r->order, x.r->retry };
	cr_expect_eq(s.created, s.delivered);
	netrun_free(&x);
	return s;
}

static const char *const networks[] = {
	NET(DRAGONFLY, "switch = { kind = \"ideal\"; buffer = \"8KB\"; }; routing = { kind = \"ugal-l\"; bias = "
	               "\"0B\"; };" UNIFORM),
	NET(DRAGONFLY, "switch = { kind = \"ideal\"; buffer = \"8KB\"; }; routing = { kind = \"par\"; bias = \"0B\"; "
	               "};" PERMUTATION),
	NET(DRAGONFLY, "switch = { kind = \"ideal\"; buffer = \"8KB\"; forwarding = \"store-and-forward\"; }; "
	               "routing = { kind = \"valiant\"; };" UNIFORM),
	NET(DRAGONFLY, "switch = { kind = \"tiled\"; }; routing = { kind = \"ugal-l\"; bias = \"0B\"; };" PERMUTATION),
	NET(DRAGONFLY, "switch = { kind = \"crossbar\"; inputs = \"voq\"; cycle = \"500ps\"; }; "
	               "routing = { kind = \"ugal-g\"; bias = \"0B\"; };" UNIFORM),
	NET(TORUS,
	    "switch = { kind = \"ideal\"; buffer = \"4KB\"; }; routing = { kind = \"minimal-adaptive\"; };" UNIFORM),
};
#define NETWORKS (sizeof networks / sizeof *networks)

/* Without order packets of a pair overtake each other; a receiver that orders them sees the same; on paths of flows
 * none does, and no receiver keeps one back. */
Test(order, paths_keep_it_and_receivers_make_it)
{
	for (size_t i = 0; i < NETWORKS; i++) {
		struct seen none = see(networks[i], "nic = { retry = \"on\"; timeout = \"1ms\"; };");
		struct seen path = see(networks[i], FLOW);
		struct seen receiver = see(networks[i], FLOW "nic = { ordering = \"receiver\"; };");
		cr_expect_gt(none.disorder, 20, "%zu: adaptive routing reorders", i);
		cr_expect_gt(none.retry.reordered, 20);
		cr_expect_not(none.order.on);
		cr_expect_eq(path.disorder, 0, "%zu: %lu", i, path.disorder);
		cr_expect_eq(path.order.reordered, 0, "%zu: %lu packets passed others of their flow", i,
		             path.order.reordered);
		cr_expect_gt(path.order.paths, 0);
		cr_expect_eq(receiver.disorder, 0, "%zu: %lu", i, receiver.disorder);
		cr_expect_gt(receiver.order.reordered, 20);
		cr_expect_gt(receiver.order.waited_ps, 0);
		cr_expect_eq(receiver.order.paths, 0);
		cr_expect_eq(path.created, none.created);
	}
}

/* What is lost and sent again comes late, and those behind it wait: each is delivered once, in order. */
Test(order, with_losses)
{
	static const char *const nic = "loss = 0.02; timeout = \"2us\";";
	static const char *const how[] = { "", "ordering = \"receiver\";", "ack_every = \"1KB\";" };
	char more[300];
	snprintf(more, sizeof more, "nic = { %s };", nic);
	cr_expect_gt(see(networks[0], more).disorder, 20);
	for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
		snprintf(more, sizeof more, FLOW "nic = { %s %s };", nic, how[i]);
		struct seen s = see(networks[0], more);
		cr_expect_eq(s.disorder, 0);
		cr_expect_gt(s.retry.resent, 20);
		cr_expect_gt(s.order.reordered, 20);
	}
	struct seen trims = see(NET(DRAGONFLY, "switch = { kind = \"output-queued\"; buffer = \"3KB\"; trim = true; }; "
	                                       "routing = { kind = \"ugal-l\"; bias = \"0B\"; };" UNIFORM),
	                        FLOW);
	cr_expect_gt(trims.retry.trimmed, 20);
	cr_expect_eq(trims.disorder, 0);
}

/* Of one class only: the other one's packets overtake each other as before. */
Test(order, of_one_class)
{
	static const char text[] =
	    NET(DRAGONFLY, "switch = { kind = \"tiled\"; buffer = \"18KB\"; }; routing = { kind = \"valiant\"; }; "
	                   "classes = ( { name = \"a\"; ordering = \"flow\"; }, { name = \"b\"; } ); traffic = ( "
	                   "{ class = \"%s\"; load = 0.4; packet = \"128B\"; pattern = \"permutation\"; }, "
	                   "{ class = \"%s\"; load = 0.0; packet = \"128B\"; } );");
	for (int k = 0; k < 2; k++) {
		struct netrun x = { 0 };
		run(&x, text, k ? "b" : "a", k ? "a" : "b");
		if (k)
			cr_expect_gt(disorder(&x), 20);
		else
			cr_expect_eq(disorder(&x), 0);
		cr_expect_eq(x.r->order.reordered, 0);
		netrun_free(&x);
	}
}

/* A flow takes a new path when nothing of it is in flight, and only then. By way of random switches: one packet at a
 * time is routed at each switch that it passes; of a window that always has some under way only the first one is, and
 * all others take as many hops as it. */
Test(order, a_new_path_when_nothing_is_in_flight)
{
	for (unsigned outstanding = 1; outstanding <= 9; outstanding += 8) {
		struct netrun x = { 0 };
		run(&x,
		    NET_FOR("200us", DRAGONFLY,
		            "switch = { kind = \"ideal\"; buffer = \"1MB\"; }; routing = { kind = \"valiant\"; }; " FLOW
		            "traffic = ( { process = \"window\"; to = \"first\"; size = \"256B\"; packet = "
		            "\"256B\"; outstanding = %u; iterations = 40; pause = \"%s\"; nodes = \"0-7\"; } );"),
		    outstanding, outstanding > 1 ? "0ps" : "100ns");
		struct packets l = packets_of(&x);
		uint64_t decisions = 0, other = 0;
		uint8_t hops[8] = { 0 };
		cr_assert_eq(l.n, 7 * 40);
		for (size_t i = 0; i < l.n; i++) {
			bool first = !l.v[i].seq;
			if (first)
				hops[l.v[i].src] = l.v[i].hops;
			other += l.v[i].hops != hops[l.v[i].src];
			decisions += first || outstanding == 1 ? l.v[i].hops + 1 : 0;
		}
		cr_expect_eq(x.r->order.paths, decisions, "%u at a time: %lu decisions, not %lu", outstanding,
		             x.r->order.paths, decisions);
		if (outstanding == 1)
			cr_expect_gt(other, 20, "paths differ");
		else
			cr_expect_eq(other, 0, "%lu packets took another path", other);
		free(l.v);
		netrun_free(&x);
	}
}

static void refused(const char *more, const char *words)
{
	char text[3000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text, "%s %s", networks[0], more);
	cr_expect_not(netrun_build(&x, NULL, text), "%s", more);
	cr_expect(strstr(netrun_error(&x), words), "%s: \"%s\" does not say \"%s\"", more, netrun_error(&x), words);
	netrun_free(&x);
}

Test(order, what_makes_no_sense_is_refused)
{
	refused("nic = { ordering = \"receiver\"; };", "has an effect only with a class that keeps order");
	refused(FLOW "nic = { ordering = \"receiver\"; ack_stage = \"1us\"; };", "has an effect only with congestion");
	refused("classes = ( { ordering = \"flows\"; } );", "flow");
}
