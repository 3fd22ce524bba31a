/* tests/switch/test_arbiters.c - arbiters as plug-ins: a copy of each built-in one, which no switch knows by name and
 * so has no shorter way for, gives the same digest in every place of a switch; the worked example does what it says;
 * and one that cannot be used is refused by name. */
#define tilefly_plugins transit_plugins
#define tilefly_plugin_abi transit_abi
#include "docs/examples/transit.c"
#undef tilefly_plugins
#undef tilefly_plugin_abi
#include "tests/switch/bench.h"

#include <math.h>

/* Packets of two sizes, so that bytes are another matter than packets. */
#define TWO_SIZES                                                                               \
	"seed = 3; time = { warmup = \"2us\"; measure = \"8us\"; drain = false; };"             \
	"topology = { kind = \"hyperx\"; dims = [ 2, 3 ]; endpoints = 4; };"                    \
	"traffic = ( { name = \"small\"; nodes = \"0-11\"; packet = \"128B\"; load = 0.9; },"   \
	"            { name = \"large\"; nodes = \"12-23\"; packet = \"1000B\"; load = 0.9; }," \
	"            { name = \"hot\"; nodes = \"0-23\"; packet = \"300B\"; load = 0.2; pattern = \"hotspot\"; } );"

/* %s: the arbiter. */
static const char *const places[] = {
	"switch={kind=\"crossbar\";cycle=\"320ps\";inputs=\"voq\";arbiter=\"%s\";}",
	"switch={kind=\"crossbar\";cycle=\"320ps\";inputs=\"fifo\";arbiter=\"%s\";iterations=2;}",
	"switch={kind=\"crossbar\";cycle=\"320ps\";inputs=\"vc\";allocator=\"separable-output\";arbiter=\"%s\";}",
	"switch={kind=\"tiled\";grant_arbiter=\"%s\";}",
	"switch={kind=\"tiled\";grant_arbiter=\"%s\";vcs=4;rows=4;columns=3;ports_per_tile=1;}",
	"switch={kind=\"tiled\";grant_column_arbiter=\"%s\";rows=4;columns=3;ports_per_tile=1;}",
	("switch={kind=\"tiled\";grant_column_arbiter=\"%s\";grant_arbiter=\"round-robin\";placement=\"spread\";rows=4;"
	 "}"),
	"switch={kind=\"tiled\";crossbar_arbiter=\"%s\";}",
	"switch={kind=\"tiled\";column_arbiter=\"%s\";crossbar_arbiter=\"%s\";rows=4;columns=3;ports_per_tile=1;}",
	"switch={kind=\"tiled\";column_arbiter=\"%s\";column_buffer=\"2KiB\";rows=4;columns=3;ports_per_tile=1;}",
	"switch={kind=\"tiled\";crossbar_arbiter=\"%s\";row_buffer=\"2KiB\";}",
	"switch={kind=\"tiled\";grants=\"off\";row_buffer=\"2KiB\";queues=\"fifo\";vcs=2;bus_arbiter=\"%s\";}",
};

static uint64_t digest_of(const char *place, const char *arbiter, bool weights, const struct base_plugin *extra)
{
	char changes[400];
	int n = snprintf(changes, sizeof changes, place, arbiter, arbiter);
	snprintf(changes + n, sizeof changes - (size_t)n, "%s", weights ? " switch.weights=[1,3,2]" : "");
	struct bench_result r = bench_run_with(TWO_SIZES, changes, extra, NULL);
	cr_assert_eq(r.outcome, NET_DONE, "%s: %s", changes, r.message);
	cr_assert_gt(r.delivered, 500u);
	return r.digest;
}

static void compare_copy(const char *name)
{
	struct base_registry registry = { 0 };
	xp_register_builtin(&registry);
	const struct base_plugin *original = base_find(&registry, "arbiter", name);
	cr_assert(original, "%s", name);
	struct sw_arbiter_ops functions = *sw_arbiter_ops(original);
	struct base_loaded loaded = { 0 }; /* what it picks is checked */
	struct base_plugin copy = {
		.kind = "arbiter", .name = "copy", .summary = "", .ops = &functions, .loaded = &loaded
	};
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		cr_expect_eq(digest_of(places[i], name, functions.weights, NULL),
		             digest_of(places[i], "copy", functions.weights, &copy), "%s in %s", name, places[i]);
	cr_expect_null(base_refuted(&copy));
	base_registry_free(&registry);
}

Test(arbiters, a_copy_of_round_robin_gives_its_digests)
{
	compare_copy("round-robin");
}
Test(arbiters, a_copy_of_age_gives_its_digests)
{
	compare_copy("age");
}
Test(arbiters, a_copy_of_weighted_gives_its_digests)
{
	compare_copy("weighted");
}
Test(arbiters, a_copy_of_least_recent_gives_its_digests)
{
	compare_copy("least-recent");
}
Test(arbiters, a_copy_of_drr_gives_its_digests)
{
	compare_copy("drr");
}

Test(arbiters, copies_of_allocators_give_their_digests)
{
	static const char *const names[] = { "islip",        "pim", "separable-input", "separable-output", "wavefront",
		                             "maximum-size", "loa", "select" };
	static const char place[] = "switch={kind=\"crossbar\";cycle=\"320ps\";inputs=\"voq\";allocator=\"%s\";}";
	struct base_registry registry = { 0 };
	xp_register_builtin(&registry);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct base_plugin copy = *base_find(&registry, "allocator", names[i]);
		struct base_loaded loaded = { 0 }; /* its matchings are checked */
		copy.name = "copy";
		copy.loaded = &loaded;
		cr_expect_eq(digest_of(place, names[i], false, NULL), digest_of(place, "copy", false, &copy), "%s",
		             names[i]);
		cr_expect_null(base_refuted(&copy));
	}
	base_registry_free(&registry);
}

/* --- the worked example ------------------------------------------------------------------------------------------- */

Test(arbiters, transit_first_and_in_turn)
{
	struct sim_ctx ctx = { 0 }; /* journal off */
	uint32_t state = 0;
	const uint64_t all[SW_SET_WORDS] = { 0x1f }, hops[] = { 0, 2, 0, 0, 1 }, none[5] = { 0 };
	static const uint32_t first[] = { 1, 4, 1, 4 }, then[] = { 0, 1, 2, 3, 4, 0 };
	for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
		uint32_t w = sw_arbiter_pick(&transit, 5, &state, all, hops);
		cr_expect_eq(w, first[k]);
		sw_arbiter_won(&ctx, &transit, 5, &state, w, NULL, (struct sw_charge){ 0 });
	}
	for (size_t k = 0; k < sizeof then / sizeof *then; k++) {
		uint32_t w = sw_arbiter_pick(&transit, 5, &state, all, none);
		cr_expect_eq(w, then[k]);
		sw_arbiter_won(&ctx, &transit, 5, &state, w, NULL, (struct sw_charge){ 0 });
	}
}

/* Endpoints 0 and 1 are at one switch, 2 and 3 at the other; 1 and 2 write to 0 as fast as they can. A packet of 1
 * takes no link between switches and one of 2 takes one: the mean is the share of 2. In turn it is a half. */
#define HOT                                                                          \
	"seed = 1; time = { warmup = \"5us\"; measure = \"20us\"; drain = false; };" \
	"topology = { kind = \"hyperx\"; dims = [ 2 ]; endpoints = 2; };"            \
	"traffic = ( { nodes = \"0-2\"; pattern = \"incast\"; target = 0; load = 1.0; } );"

Test(arbiters, transit_passes_before_what_is_injected)
{
	static const char *const in[] = {
		"switch={kind=\"crossbar\";cycle=\"320ps\";inputs=\"voq\";speedup=2.0;output_buffer=64;arbiter=\"%s\";"
		"}",
		"switch={kind=\"tiled\";grant_arbiter=\"%s\";}",
	};
	for (size_t i = 0; i < sizeof in / sizeof *in; i++) {
		char changes[200];
		snprintf(changes, sizeof changes, in[i], "round-robin");
		cr_expect_float_eq(bench_run(HOT, changes).hops, 0.5, 0.02, "%s", changes);
		snprintf(changes, sizeof changes, in[i], "transit");
		cr_expect_float_eq(bench_run_with(HOT, changes, &transit, NULL).hops, 1, 1e-9, "%s", changes);
	}
}

/* --- what cannot be used ------------------------------------------------------------------------------------------ */

/* The error of `change`, which fails; key and text in one. */
static void refused(const char *text, const char *change, const struct base_plugin *arbiter, const char *want)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_config config = { 0 };
	xp_register_builtin(&registry);
	base_register(&registry, arbiter, &errors);
	int status =
	    xp_config_parse(&config, text, strlen(text), "test", NULL,
	                    &(struct xp_sets){ .v = (const char *[]){ change }, .n = 1 }, XP_WHOLE, &registry, &errors);
	struct net_setup setup = {
		.config = &config.net, .registry = &registry, .build_traffic = wl_build, .destroy_traffic = wl_destroy
	};
	if (!status)
		status = net_check(&setup, &errors);
	cr_assert_eq(status, -1, "%s", change);
	char said[700];
	snprintf(said, sizeof said, "%s: %s", errors.v[0].key, errors.v[0].text);
	cr_expect(strstr(said, want), "%s: %s; wanted %s", change, said, want);
	cr_expect_eq(errors.n, 1u);
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
}

#define LONE "topology = { kind = \"single\"; ports = 8; }; traffic = ( { load = 0.5; } );"

Test(arbiters, a_key_that_the_switch_cannot_give_is_refused_by_name)
{
	refused(
	    LONE, "switch={kind=\"crossbar\";arbiter=\"transit\";}", &transit,
	    "switch.arbiter: arbiter \"transit\" compares \"hops\" (links from switch to switch that the packet has "
	    "taken), which this switch cannot provide");
	refused(LONE, "switch={kind=\"tiled\";grant_arbiter=\"transit\";}", &transit,
	        "switch.grant_arbiter: arbiter \"transit\" compares \"hops\"");
	refused(LONE, "switch={kind=\"tiled\";column_arbiter=\"transit\";}", &transit,
	        "switch.column_arbiter: arbiter \"transit\" compares \"hops\"");
	refused(HOT, "switch={kind=\"crossbar\";allocator=\"select\";arbiter=\"transit\";}", &transit,
	        "switch.arbiter: allocator \"select\" takes");
}

Test(arbiters, names_and_needs_are_known_where_the_configuration_is_read)
{
	refused(HOT, "switch={kind=\"crossbar\";arbiter=\"transitt\";}", &transit,
	        "switch.arbiter: unknown value \"transitt\"; did you mean \"transit\"? allowed: round-robin, age, "
	        "weighted, "
	        "least-recent, drr, transit, auto");
	refused(HOT, "switch={kind=\"crossbar\";arbiter=\"transit\";weights=[1,2];}", &transit,
	        "switch.weights: has an effect only with an arbiter of a separable allocator that takes weights");
	refused(HOT, "switch={kind=\"tiled\";grant_arbiter=\"transit\";quantum=\"4KB\";}", &transit,
	        "switch.quantum: has an effect only with an arbiter in use that takes a quantum");
	refused(HOT, "switch={kind=\"tiled\";grant_arbiter=\"transit\";age=\"arrival\";}", &transit,
	        "switch.age: has an effect only with an arbiter in use that compares ages");
}

static void faulty(struct sw_arbiter_ops ops_of, const struct base_param *own, const char *want)
{
	struct base_plugin p = { .kind = "arbiter", .name = "bad", .summary = "", .ops = &ops_of, .params = own };
	refused(HOT, "switch={kind=\"tiled\";crossbar_arbiter=\"bad\";}", &p, want);
}

Test(arbiters, faulty_descriptors_are_refused_by_name)
{
	struct sw_arbiter_ops o = ops;
	static const struct base_param own[] = { { .name = NULL } };
	faulty(o, own, "switch.crossbar_arbiter: arbiter \"bad\": it has parameters of its own");
	o.pick = NULL;
	faulty(o, NULL, "switch.crossbar_arbiter: arbiter \"bad\": the required function pick() is NULL");
	o = ops;
	o.won = NULL;
	faulty(o, NULL, "arbiter \"bad\": it has state, but no function won() that changes it");
	o = ops;
	o.key = (enum sw_arbiter_key)SW_ARBITER_KEYS;
	faulty(o, NULL, "arbiter \"bad\": it needs a key that this version of tilefly does not know");
	o = ops;
	o.quantum = true;
	faulty(o, NULL, "arbiter \"bad\": it takes a quantum of bytes, but does not request bytes");
	o = ops;
	o.requester_bytes = 5000;
	faulty(o, NULL, "arbiter \"bad\": its state has more than 4096 bytes");
}

static uint32_t out_of_range(uint32_t n, const void *state, const uint64_t *requests, const uint64_t *key)
{
	(void)state, (void)requests, (void)key;
	return n + 7;
}

/* What a loaded one says is checked: somebody who asks wins, and it is refuted. */
Test(arbiters, a_winner_that_does_not_ask_is_refuted)
{
	struct sw_arbiter_ops o = ops;
	struct base_loaded loaded = { 0 };
	struct base_plugin p = { .kind = "arbiter", .name = "liar", .ops = &o, .loaded = &loaded };
	const uint64_t some[SW_SET_WORDS] = { 0x14 }, nobody[SW_SET_WORDS] = { 0 };
	uint32_t state = 0;
	o.pick = out_of_range;
	cr_expect_eq(sw_arbiter_pick(&p, 5, &state, nobody, NULL), SW_NOBODY);
	cr_expect_null(base_refuted(&p));
	cr_expect_eq(sw_arbiter_pick(&p, 5, &state, some, NULL), 2u);
	cr_expect_str_eq(base_refuted(&p),
	                 "arbiter \"liar\": pick() among 5 requesters returned requester 12, which makes no request");
}
