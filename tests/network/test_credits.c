/* tests/network/test_credits.c - routing.estimate = "credits": what routing sees of an output is what it has sent there
 * and has no credits back for, worked out by hand; a switch that cannot say so is refused by name. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#include "routing/routing.h"
#include "switch/switch.h"

#define NS 1000u /* ps */

/* --- a routing that goes minimally and notes what it could see: sequential runs only */

static struct rt_ops probe_ops;
static struct base_plugin probe;
static bool probe_credits;
static uint64_t seen[2][4000]; /* [switch] bytes, by packet of endpoint 0 */
static unsigned nseen[2];

static int probe_build(struct rt *rt, struct base_errors *errors)
{
	const struct rt_ops *own = rt_minimal.ops;
	rt->by_credits = probe_credits;
	return own->build(rt, errors);
}

static struct rt_decision probe_route(const struct rt *rt, struct rt_env *env, struct sw_packet *p)
{
	const struct rt_ops *own = rt_minimal.ops;
	struct rt_decision d = own->route(rt, env, p);
	if (!env->oracle && d.port != RT_EJECT) {
		cr_assert_lt(nseen[env->here], 4000);
		cr_assert_eq(p->seq, nseen[env->here]);
		seen[env->here][nseen[env->here]++] = env->queue_bytes(env->sw, d.port, env->now);
	}
	return d;
}

/* A line of three switches; endpoint 0 sends 256 bytes (20.48 ns) to endpoint 2 every 102.4 ns. */
static void run_line(const char *latency, const char *model, bool credits)
{
	struct netrun x = { 0 };
	char text[1000];
	probe_ops = *(const struct rt_ops *)rt_minimal.ops;
	probe_ops.build = probe_build;
	probe_ops.route = probe_route;
	probe_ops.goes_on = NULL;
	probe_ops.wants_queues = true;
	probe = rt_minimal;
	probe.name = "probe";
	probe.ops = &probe_ops;
	probe_credits = credits;
	nseen[0] = nseen[1] = 0;
	snprintf(text, sizeof text,
	         "time = { warmup = \"0us\"; measure = \"20us\"; }; topology = { kind = \"torus\"; dims = [3]; wrap "
	         "= false; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"%s\"; }; }; switch = { %s }; "
	         "routing = { kind = \"probe\"; }; engine = { sync = \"sequential\"; }; traffic = ( { pattern = "
	         "\"incast\"; target = 2; nodes = \"0,2\"; load = 0.2; packet = \"256B\"; injection = "
	         "\"periodic\"; } );",
	         latency, model);
	cr_assert(netrun_build(&x, &probe, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s", netrun_error(&x));
	cr_assert_gt(nseen[0], 150);
	cr_assert_gt(nseen[1], 150);
	netrun_free(&x);
}

/* Each switch sees `most` packets of those before, as soon as there are so many. */
static void expect_seen(unsigned most)
{
	for (unsigned s = 0; s < 2; s++)
		for (unsigned i = 0; i < nseen[s]; i++)
			cr_assert_eq(seen[s][i], 256u * (i < most ? i : most), "switch %u, packet %u: %lu bytes", s, i,
			             (unsigned long)seen[s][i]);
}

/* Ideal, cables of 50 ns. A credit is taken when the header arrives, and is back 100 (traversal) + 50 + 100 + 20.48
 * (until the tail has left the next buffer) + 50 = 320.48 ns later: of the packets 102.4 ns apart three are out. The
 * queue holds a packet for 120.48 ns. */
Test(credits, of_the_ideal_switch)
{
	run_line("50ns", "kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\";", true);
	expect_seen(3);
	run_line("50ns", "kind = \"ideal\"; traversal = \"100ns\"; buffer = \"1MB\";", false);
	expect_seen(1);
}

/* A buffer of one packet: its credits are all that can be out. */
Test(credits, are_no_more_than_the_buffer)
{
	run_line("50ns", "kind = \"ideal\"; traversal = \"100ns\"; buffer = \"256B\";", true);
	for (unsigned s = 0; s < 2; s++)
		for (unsigned i = 1; i < nseen[s]; i++)
			cr_assert_leq(seen[s][i], 256u);
}

/* Crossbar, cables of 480 ns, 8 flits a packet. The grant comes when the packet can pass without a gap, 7 x 1.56
 * = 10.92 ns after its header; then 3 cycles, 480 ns, the same again, 8 cycles, 480 ns and 2 cycles for the credit:
 * about 1,000 ns, so 9 packets are out and not 10. */
Test(credits, of_the_crossbar)
{
	run_line("480ns", "kind = \"crossbar\"; cycle = \"1ns\"; flit = \"32B\"; buffer = \"1MB\";", true);
	expect_seen(9);
}

/* Tiled, cables of 2 us: the grant comes serdes + mac + route + request = 177 ns after the header, so the packet before
 * is not out yet; then 4,000 ns on cables and less than two pipelines of 350 ns: 39 to 46. */
Test(credits, of_the_tiled_switch)
{
	run_line("2us", "kind = \"tiled\"; preset = \"rosetta\"; buffer = \"1MB\";", true);
	for (unsigned s = 0; s < 2; s++) {
		uint64_t most = seen[s][nseen[s] - 1] / 256;
		cr_expect(most >= 39 && most <= 46, "%lu packets", (unsigned long)most);
		for (unsigned i = 0; i < nseen[s]; i++) {
			uint64_t out = i ? i - 1 : 0;
			cr_assert_eq(seen[s][i], 256 * (out < most ? out : most), "switch %u, packet %u", s, i);
		}
	}
}

/* --- a switch that cannot say */

Test(credits, switches_that_cannot_say_are_refused)
{
	static struct sw_ops mute_ops;
	static struct base_plugin mute;
	mute_ops = *(const struct sw_ops *)sw_ideal.ops;
	mute_ops.depths.used_credits = NULL;
	mute = sw_ideal;
	mute.name = "mute";
	mute.ops = &mute_ops;
	static const struct {
		const char *routing;
		bool refused;
	} k[] = { { "kind = \"ugal-l\"; bias = \"0B\"; estimate = \"credits\";", true },
		  { "kind = \"ugal-g\"; bias = \"0B\"; estimate = \"credits\";", true },
		  { "kind = \"par\"; bias = \"0B\"; estimate = \"credits\";", true },
		  { "kind = \"slimfly-adaptive\"; bias = \"0B\"; estimate = \"credits\";", true },
		  { "kind = \"ugal-l\"; bias = \"0B\"; estimate = \"queue\";", false },
		  { "kind = \"minimal\";", false } };
	for (size_t i = 0; i < sizeof k / sizeof *k; i++) {
		struct netrun x = { 0 };
		char text[500];
		snprintf(text, sizeof text,
		         "time = { warmup = \"300ns\"; measure = \"1us\"; }; topology = { kind = \"slimfly\"; q = 4; "
		         "endpoints = 1; }; switch = { kind = \"mute\"; }; routing = { %s }; traffic = ( { load = 0.5; "
		         "packet = \"256B\"; } );",
		         k[i].routing);
		cr_expect_eq(netrun_build(&x, &mute, text), !k[i].refused, "%s: %s", k[i].routing, netrun_error(&x));
		if (k[i].refused && x.errors.n) {
			cr_expect_str_eq(x.errors.v[0].key, "routing.estimate");
			cr_expect_not_null(strstr(x.errors.v[0].text, "mute"));
		}
		netrun_free(&x);
	}
}
