/* tests/network/test_nodes.c - nic.per_node: nodes with interfaces at several switches, against closed forms. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

/* Four switches, each beside each, with two endpoints: cables of 50 and, to endpoints, 30 ns, 100 ns inside,
 * cut-through, 40 ps a byte. Two interfaces a node: nodes 0 and 1 are at switches 0 and 1, nodes 2 and 3 at switches 2
 * and 3. */
#define NIC 150000ull
static struct net_flow go(struct netrun *x, const char *nic, const char *job)
{
	char text[3000];
	snprintf(text, sizeof text,
	         "seed = 1; time = { warmup = \"0us\"; measure = \"100us\"; drain = false; }; topology = { kind = "
	         "\"hyperx\"; dims = [4]; endpoints = 2; }; links = { default = { bandwidth = \"200Gbps\"; latency = "
	         "\"50ns\"; }; terminal = { latency = \"30ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; "
	         "traversal = \"100ns\"; }; routing = { kind = \"minimal\"; }; nic = { latency = \"150ns\"; %s }; "
	         "traffic = ( { packet = \"1000B\"; %s } );",
	         nic, job);
	cr_assert(netrun_build(x, NULL, text), "%s\n%s", netrun_error(x), text);
	cr_assert_eq(netrun_go(x), NET_DONE, "%s\n%s", netrun_error(x), text);
	return x->r->jobs[0];
}

static struct net_flow flow(const char *nic, const char *job)
{
	struct netrun x = { 0 };
	struct net_flow f = go(&x, nic, job);
	netrun_free(&x);
	return f;
}

#define TWO "per_node = 2;"
#define EACH "per_node = 2; choose = \"message\";"

static uint64_t way(uint64_t hops, uint64_t bytes)
{
	return 2 * 30000 + (hops + 1) * 100000 + hops * 50000 + 40 * bytes;
}

Test(nodes, a_message_goes_from_an_interface_to_the_one_of_the_same_number)
{
	struct net_flow f = flow(TWO, "process = \"ping-pong\"; size = \"800B\"; nodes = \"0,1\";");
	cr_expect_eq(f.hops_mean, 0); /* nodes 0 and 1: the second ones, at switch 1 */
	cr_expect_eq(f.message_latency.min, f.message_latency.max);
	cr_expect_eq(f.iteration.max, 2 * (way(0, 800) + 2 * NIC), "%lu", f.iteration.max);
	f = flow(TWO, "process = \"ping-pong\"; size = \"800B\"; nodes = \"0,3\";");
	cr_expect_eq(f.hops_mean, 1); /* switches 1 and 3 */
	cr_expect_eq(f.message_latency.min, f.message_latency.max);
	cr_expect_eq(f.iteration.max, 2 * (way(1, 800) + 2 * NIC), "%lu", f.iteration.max);
	f = flow(EACH, "process = \"ping-pong\"; size = \"3000B\"; nodes = \"2,1\";");
	cr_expect_eq(f.message_latency.min, f.message_latency.max);
	cr_expect_eq(f.iteration.max, 2 * (way(1, 3000) + 2 * NIC), "%lu", f.iteration.max);
	cr_expect_eq(f.endpoints, 4);
}

/* An acknowledgement takes the receiver's link, 100 ns in each switch, the cables, the source's link, and the
 * interface.
 */
Test(nodes, the_sender_learns_that_a_message_has_come)
{
	static const char *const kinds[] = { TWO, EACH };
	for (int i = 0; i < 2; i++) {
		struct net_flow f =
		    flow(kinds[i], "process = \"window\"; size = \"800B\"; to = \"next\"; nodes = \"0,3\";");
		uint64_t news = 2 * 30000 + 2 * 100000 + 50000;
		cr_expect_eq(f.iteration.min, way(1, 800) + NIC + news + NIC, "%lu", f.iteration.min);
		cr_expect_eq(f.iteration.max, f.iteration.min);
	}
}

/* Messages of two nodes for each other fill one link, and with choose = "message" both. */
Test(nodes, interfaces_add_their_rates)
{
	static const char job[] =
	    "process = \"window\"; size = \"4000B\"; to = \"next\"; outstanding = 30; nodes = \"0,3\";";
	struct net_flow one = flow(TWO, job), two = flow(EACH, job);
	cr_expect_float_eq(one.accepted_load, 0.5, 0.01, "%g", one.accepted_load);
	cr_expect_float_eq(two.accepted_load, 1.0, 0.02, "%g", two.accepted_load);
}

/* Whatever is sent comes, once, with control, with loss, with sent() and with patterns at the same interfaces. */
Test(nodes, all_that_is_sent_comes)
{
	static const char *const nics[] = { TWO, EACH, "per_node = 4; choose = \"message\";",
		                            "per_node = 2; loss = 0.02; timeout = \"15us\";" };
	static const char *const jobs[] = {
		"process = \"allreduce\"; size = \"9KB\"; iterations = 4;",
		"process = \"all-to-all\"; size = \"5KB\"; iterations = 3;",
		"process = \"ring\"; size = \"2KB\"; iterations = 3;",
		"process = \"barrier\"; iterations = 3; }, { load = 0.2; packet = \"500B\"; stop = \"50us\";"
	};
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++) {
			struct netrun x = { 0 };
			struct net_flow f = go(&x, nics[i], jobs[k]);
			uint64_t members = i == 2 ? 2 : 4;
			cr_expect_eq(f.iteration.n, (k ? 3 : 4) * members, "%s %s: %lu", nics[i], jobs[k],
			             f.iteration.n);
			cr_expect_eq(x.r->total.created, x.r->total.delivered, "%s %s", nics[i], jobs[k]);
			netrun_free(&x);
		}
}

static void refused(const char *nic, const char *job, const char *key, const char *words)
{
	char text[2000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text,
	         "time = { measure = \"1us\"; }; topology = { kind = \"hyperx\"; dims = [4]; endpoints = 2; }; links "
	         "= { default = { bandwidth = \"200Gbps\"; latency = \"50ns\"; }; }; switch = { kind = \"ideal\"; "
	         "buffer = \"1MB\"; }; nic = { %s }; traffic = ( { %s } );",
	         nic, job);
	cr_assert_not(netrun_build(&x, NULL, text), "%s", text);
	bool found = false;
	for (size_t i = 0; i < x.errors.n; i++)
		found |= !strcmp(x.errors.v[i].key, key) && strstr(x.errors.v[i].text, words);
	cr_expect(found, "%s: %s\n%s", x.errors.v[0].key, netrun_error(&x), text);
	netrun_free(&x);
}

Test(nodes, what_cannot_be_or_has_no_effect_is_refused)
{
	static const char pairs[] = "process = \"ping-pong\"; packet = \"1KB\";";
	refused("per_node = 3; latency = \"1us\";", pairs, "nic.per_node",
	        "switches with endpoints, 4, is not a multiple");
	refused("per_node = 2; latency = \"49ns\";", pairs, "nic.latency",
	        "at least the minimum latency of a cable, 50ns");
	refused("per_node = 2; latency = \"1us\";", "load = 0.1;", "nic.per_node", "only on messages of a process");
	refused("choose = \"message\";", pairs, "nic.choose", "nic.per_node");
	refused("per_node = 2; latency = \"1us\";", "process = \"ping-pong\"; packet = \"1KB\"; nodes = \"0-4\";",
	        "traffic.[0].nodes", "no node 4; the last one is 3");
}
