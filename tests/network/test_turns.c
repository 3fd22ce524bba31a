/* tests/network/test_turns.c - minimal adaptive routing in switches: no stall at full load with the smallest buffers,
 * where waiting for the adaptive channels does stall; minimal routes; one result; dimension order's latency in an empty
 * network; refused where a switch does not let packets turn. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#include "routing/routing.h"

#define IDEAL "kind = \"ideal\"; buffer = \"%uB\";"
#define CROSSBAR "kind = \"crossbar\"; flit = \"32B\"; buffer = \"%uB\";"

static const char *const shapes[] = { "dims = [4, 4]; endpoints = 2;", "dims = [5, 5]; endpoints = 2;",
	                              "dims = [4, 3, 4]; endpoints = 1;",
	                              "dims = [5, 4]; wrap = false; endpoints = 2;" };
static const uint32_t vcs[] = { 3, 3, 3, 2 };
static const char *const patterns[] = { "uniform", "tornado", "permutation" };

struct outcome {
	enum net_outcome how;
	uint64_t digest;
	struct net_flow flow;
};

static struct outcome outcome_of(const struct base_plugin *extra, const char *shape, const char *model, uint32_t bytes,
                                 const char *routing, const char *pattern, double load, const char *more)
{
	struct netrun x = { 0 };
	char text[1500], sw[200];
	snprintf(sw, sizeof sw, model, bytes);
	snprintf(text, sizeof text,
	         "seed = 2; time = { warmup = \"1us\"; measure = \"30us\"; drain = false; }; topology = { kind = "
	         "\"torus\"; %s };" LINKS_50 " switch = { %s }; routing = { %s }; traffic = ( { pattern = \"%s\"; load "
	         "= %g; packet = \"256B\"; } ); %s",
	         shape, sw, routing, pattern, load, more);
	cr_assert(netrun_build(&x, extra, text), "%s\n%s", netrun_error(&x), text);
	netrun_go(&x);
	struct outcome o = { x.outcome, x.r->digest, x.r->total };
	netrun_free(&x);
	return o;
}

/* One packet in every buffer, every endpoint sends all it can. */
Test(turns, no_stall_with_the_smallest_buffers)
{
	static const char *const model[] = { IDEAL, CROSSBAR };
	for (int s = 0; s < 4; s++)
		for (int m = 0; m < 2; m++)
			for (int p = 0; p < 3; p++) {
				struct outcome o = outcome_of(NULL, shapes[s], model[m], vcs[s] * 256,
				                              "kind = \"minimal-adaptive\";", patterns[p], 1.0, "");
				cr_expect_eq(o.how, NET_DONE, "%s %s: outcome %d", shapes[s], patterns[p], (int)o.how);
				cr_expect_gt(o.flow.delivered, 500u);
			}
}

/* The same routing, waiting for where route() sends it. */
static struct rt_ops stubborn_ops;

static struct rt_decision stubborn(const struct rt *rt, struct rt_env *env, struct sw_packet *packet)
{
	struct rt_decision d = ((const struct rt_ops *)rt_minimal_adaptive.ops)->route(rt, env, packet);
	d.slack = 0;
	return d;
}

Test(turns, who_waits_for_adaptive_channels_stalls)
{
	struct base_plugin plugin = rt_minimal_adaptive;
	stubborn_ops = *(const struct rt_ops *)plugin.ops;
	stubborn_ops.route = stubborn;
	plugin.name = "stubborn";
	plugin.ops = &stubborn_ops;
	struct outcome o =
	    outcome_of(&plugin, shapes[1], IDEAL, 3 * 256, "kind = \"stubborn\"; unsafe = true;", "uniform", 1.0, "");
	cr_expect_eq(o.how, NET_STALLED, "outcome %d", (int)o.how);
}

Test(turns, one_result)
{
	static const char *const model[] = { IDEAL, CROSSBAR };
	static const char *const engines[] = { "engine = { sync = \"conservative\"; };",
		                               "engine = { sync = \"optimistic\"; stress = 20; };",
		                               "engine = { sync = \"sequential\"; audit = true; };",
		                               "engine = { threads = 2; };" };
	for (int m = 0; m < 2; m++)
		for (int s = 0; s < 4; s += 3) {
			struct outcome want =
			    outcome_of(NULL, shapes[s], model[m], vcs[s] * 700, "kind = \"minimal-adaptive\";",
			               "uniform", 0.8, "engine = { sync = \"sequential\"; };");
			for (int e = 0; e < 4; e++)
				cr_expect_eq(outcome_of(NULL, shapes[s], model[m], vcs[s] * 700,
				                        "kind = \"minimal-adaptive\";", "uniform", 0.8, engines[e])
				                 .digest,
				             want.digest, "%s %s", shapes[s], engines[e]);
		}
}

/* In an empty network all shortest ways take equally long: 2 + H cables of 50 ns, 1 + H traversals of 100 ns, 20.48 ns.
 * On 4 x 4 the distance is 2 between 16 x 16 pairs, 32 / 15 without those to oneself. */
Test(turns, zero_load_latency_is_that_of_a_shortest_way)
{
	struct netrun x = { 0 };
	run(&x,
	    "time = { warmup = \"1us\"; measure = \"400us\"; drain = true; }; topology = { kind = \"torus\"; dims = "
	    "[4, "
	    "4]; endpoints = 1; };" LINKS_50
	    " switch = { kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\"; }; "
	    "routing = { kind = \"minimal-adaptive\"; }; traffic = ( { pattern = \"all-to-all\"; load = 0.002; packet "
	    "= \"256B\"; injection = \"periodic\"; } ); record = { packets = true; };");
	struct packets l = packets_of(&x);
	cr_assert_gt(l.n, 500);
	for (size_t i = 0; i < l.n; i++)
		cr_assert_eq(l.v[i].delivered - l.v[i].injected, 220480u + 150000u * l.v[i].hops, "packet %zu, %u hops",
		             i, l.v[i].hops);
	free(l.v);
	netrun_free(&x);
}

Test(turns, switches_that_do_not_know_it_are_refused)
{
	static const struct {
		const char *model, *key;
	} k[] = { { "kind = \"tiled\"; preset = \"rosetta\";", "routing.kind" },
		  { "kind = \"crossbar\"; inputs = \"voq\";", "switch.inputs" },
		  { "kind = \"crossbar\"; inputs = \"fifo\";", "switch.inputs" },
		  { "kind = \"crossbar\";", NULL },
		  { "kind = \"ideal\";", NULL } };
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		struct netrun x = { 0 };
		char text[500];
		snprintf(
		    text, sizeof text,
		    "time = { warmup = \"300ns\"; measure = \"1us\"; }; topology = { kind = \"torus\"; dims = [4, 4]; "
		    "}; "
		    "switch = { %s }; routing = { kind = \"minimal-adaptive\"; }; traffic = ( { load = 0.5; packet = "
		    "\"256B\"; } );",
		    k[i].model);
		cr_expect_eq(netrun_build(&x, NULL, text), !k[i].key, "%s: %s", k[i].model, netrun_error(&x));
		if (k[i].key && x.errors.n)
			cr_expect_str_eq(x.errors.v[0].key, k[i].key, "%s: %s", k[i].model, netrun_error(&x));
		netrun_free(&x);
	}
}
