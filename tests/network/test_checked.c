/* tests/network/test_checked.c - built-in plug-ins, treated as if they came from shared objects, tell no lies: every
 * check passes, and the digest is the same. So the checks ask no more than topo.h, routing.h, switch.h and workload.h
 * promise. */
#include "experiments/config/config.h"
#include "switch/switch.h"
#include "tests/network/cases.h"
#include "tests/network/units.h"

#define PLUGINS 128

static struct base_plugin copy[PLUGINS];
static struct base_loaded loaded[PLUGINS];
static struct sw_ops ideal_ops; /* another address: it is not joined with its host */

static void pretend_loaded(struct base_registry *registry)
{
	cr_assert(registry->n <= PLUGINS);
	for (size_t i = 0; i < registry->n; i++) {
		copy[i] = *registry->v[i];
		loaded[i] = (struct base_loaded){ .state = 0 };
		copy[i].loaded = &loaded[i];
		if (registry->v[i] == &sw_ideal) {
			ideal_ops = *(const struct sw_ops *)sw_ideal.ops;
			copy[i].ops = &ideal_ops;
		}
		registry->v[i] = &copy[i];
	}
}

static uint64_t digest_of(const char *text, bool checked)
{
	struct netrun x = { 0 };
	xp_register_builtin(&x.registry);
	if (checked)
		pretend_loaded(&x.registry);
	cr_assert_eq(
	    xp_config_parse(&x.config, text, strlen(text), "test", NULL, NULL, XP_WHOLE, &x.registry, &x.errors), 0,
	    "%s: %s", text, netrun_error(&x));
	struct net_setup setup = { .config = &x.config.net,
		                   .registry = &x.registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy };
	x.net = net_create(&setup, &x.errors);
	cr_assert(x.net, "%s: %s", text, netrun_error(&x));
	enum net_outcome outcome = netrun_go(&x);
	cr_assert_eq(outcome, NET_DONE, "%s: outcome %d %s", text, (int)outcome, netrun_error(&x));
	uint64_t digest = x.r->digest;
	netrun_free(&x);
	return digest;
}

static void expect_same(const char *text)
{
	cr_expect_eq(digest_of(text, true), digest_of(text, false), "%s", text);
}

Test(checked, every_topology_and_routing)
{
	for (size_t i = 0; i < CASES; i++)
		if (!strstr(cases[i], "mode = \"down\"")) /* with plug-ins that is refused */
			expect_same(cases[i]);
}

Test(checked, switches)
{
	static const char *const table[] = {
		"switch = { kind = \"tiled\"; rows = 2; columns = 4; ports_per_tile = 2; buffer = \"20KB\"; };",
		"switch = { kind = \"crossbar\"; inputs = \"voq\"; allocator = \"islip\"; buffer = \"20KB\"; };",
		"switch = { kind = \"crossbar\"; inputs = \"fifo\"; allocator = \"wavefront\"; buffer = \"20KB\"; };",
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char text[2000];
		snprintf(text, sizeof text, "%s %s", DRAGONFLY EQUAL PLAIN UNIFORM("0.6") UGAL("ugal-l"), table[i]);
		expect_same(text);
	}
}

Test(checked, topologies)
{
	static const char *const table[] = {
		"topology = { kind = \"single\"; ports = 16; };",
		"topology = { kind = \"torus\"; dims = [8, 3, 2]; wrap = [true, false, true]; endpoints = 1; };",
		"topology = { kind = \"torus\"; dims = [14, 14, 14]; endpoints = 1; };", /* a sample of it is checked */
		"topology = { kind = \"dragonfly\"; p = 1; a = 4; h = 1; g = 3; };",
		"topology = { kind = \"dragonfly\"; p = 1; a = 4; h = 2; arrangement = \"palmtree\"; };",
		("topology = { kind = \"dragonfly\"; p = 1; a = 8; g = 4; trunk = 3; h = 2; arrangement = "
		 "\"circulant\"; };"),
		"topology = { kind = \"slimfly\"; q = 7; endpoints = 1; };",
		"topology = { kind = \"slimfly\"; q = 8; endpoints = 1; };",
		"topology = { kind = \"slimfly\"; q = 31; endpoints = 1; };", /* likewise */
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		char text[2000];
		snprintf(text, sizeof text, "%s %s", table[i],
		         EQUAL TIMES("500ns", "false") SWITCH("30KB", "") UNIFORM("0.2") ROUTING("minimal"));
		expect_same(text);
	}
}

Test(checked, patterns_and_injection)
{
	static const char *const patterns[] = { "uniform",        "neighbor",     "tornado",     "transpose",
		                                "bit-complement", "bit-reverse",  "shuffle",     "hotspot",
		                                "diagonal",       "log-diagonal", "permutation", "all-to-all",
		                                "adversarial" };
	static const char *const injections[] = { "poisson", "bernoulli", "periodic", "on-off" };
	for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		char text[2000];
		bool grouped = !strcmp(patterns[i], "adversarial");
		snprintf(
		    text, sizeof text, "%s %s traffic = ( { pattern = \"%s\"; load = 0.3; injection = \"%s\"; } );",
		    grouped ? DRAGONFLY : "topology = { kind = \"torus\"; dims = [4, 4]; endpoints = 4; };",
		    EQUAL TIMES("2us", "false") SWITCH("30KB", "") ROUTING("minimal"), patterns[i], injections[i % 4]);
		expect_same(text);
	}
}
