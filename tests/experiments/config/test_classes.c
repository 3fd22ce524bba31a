/* tests/experiments/config/test_classes.c - classes by name, by code point, of a published profile; what of them has no
 * effect. */
#include "base/memory.h"
#include "experiments/config/builtin.h"
#include "experiments/config/classes.h"
#include "experiments/config/config.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define HEAD                                                                                                   \
	"topology = { kind = \"single\"; ports = 8; }; switch = { kind = \"crossbar\"; inputs = \"voq\"; };\n" \
	"time = { measure = \"20us\"; };\n"

static struct base_registry registry;
static struct base_errors errors;
static struct xp_config config;

static void setup(void)
{
	xp_register_builtin(&registry);
}

static void teardown(void)
{
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
}

TestSuite(config_classes, .init = setup, .fini = teardown);

static int parse(const char *text)
{
	char all[2000];
	snprintf(all, sizeof all, HEAD "%s", text);
	xp_config_free(&config);
	base_errors_free(&errors);
	return xp_config_parse(&config, all, strlen(all), "t.cfg", NULL, &(struct xp_sets){ 0 }, XP_WHOLE, &registry,
	                       &errors);
}

static void refused(const char *text, const char *key, const char *message)
{
	cr_assert_eq(parse(text), -1, "%s", text);
	cr_expect_str_eq(errors.v[0].key, key, "%s: %s", text, errors.v[0].text);
	cr_expect(strstr(errors.v[0].text, message), "%s: %s", text, errors.v[0].text);
	cr_expect_eq(errors.errors, 1u, "%s", text);
}

#define TWO "classes = ( { name = \"a\"; dscp = 10; }, { name = \"b\"; dscp = 46; priority = 1; } );"

Test(config_classes, a_code_point_says_the_class)
{
	cr_assert_eq(parse(TWO "traffic = ( { load = 0.1; dscp = 46; }, { load = 0.1; dscp = 10; } );"), 0, "%s",
	             errors.n ? errors.v[0].text : "");
	cr_expect_str_eq(config.net.jobs[0].class_name, "b");
	cr_expect_str_eq(config.net.jobs[1].class_name, "a");
	cr_assert_eq(parse(TWO "traffic = ( { load = 0.1; dscp = 46; class = \"b\"; }, { load = 0.1; dscp = 10; } );"),
	             0);
	refused(TWO "traffic = ( { load = 0.1; dscp = 46; class = \"a\"; }, { load = 0.1; dscp = 10; }, { load = 0.1; "
	            "class = \"b\"; } );",
	        "traffic.[0].dscp", "46 is the dscp of class \"b\", but the job's key \"class\" names \"a\"");
	refused(
	    "classes = ( { name = \"a\"; }, { name = \"b\"; } ); traffic = ( { load = 0.1; dscp = 0; }, { load = 0.1; "
	    "class = \"b\"; } );",
	    "traffic.[0].dscp", "0 is the dscp of both class \"a\" and class \"b\"");
	refused("classes = ( { name = \"a\"; dscp = 7; }, { name = \"b\"; } ); traffic = ( { load = 0.1; dscp = 0; }, "
	        "{ load "
	        "= 0.1; class = \"a\"; } );",
	        "classes.[0].dscp", "only if a job sets traffic[].dscp");
	refused("traffic = ( { load = 0.1; dscp = 3; } );", "traffic.[0].dscp", "no class has the dscp 3");
}

/* reference/slingshot.md, 2.4. Only classes that jobs use are there, as if they had been written. */
Test(config_classes, published_profiles)
{
	cr_assert_eq(
	    parse("classes_profile = \"ll-be-bd-et\"; traffic = ( { load = 0.1; }, { load = 0.1; class = \"LL\"; }, "
	          "{ load = 0.1; class = \"ET\"; } );"),
	    0, "%s", errors.n ? errors.v[0].text : "");
	const struct net_config *n = &config.net;
	cr_expect_eq(n->classes_profile, XP_PROFILE_NONE);
	cr_assert_eq(n->nclasses, 3u);
	cr_expect_str_eq(n->jobs[0].class_name, "BE");
	cr_expect_str_eq(n->classes[0].name, "BE");
	cr_expect_str_eq(n->classes[1].name, "LL");
	cr_expect_str_eq(n->classes[2].name, "ET");
	cr_expect_float_eq(n->classes[0].min_bandwidth, 0.5, 0);
	cr_expect_float_eq(n->classes[1].min_bandwidth, 0.02, 0);
	cr_expect_float_eq(n->classes[1].max_bandwidth, 0.05, 0);
	cr_expect_eq(n->classes[1].priority, 1);
	cr_assert_eq(
	    parse("classes_profile = \"ll-be-bd-et1-et2\"; traffic = ( { load = 0.1; class = \"ET1\"; }, { load = "
	          "0.1; class = \"ET2\"; } );"),
	    0);
	cr_expect_float_eq(config.net.classes[0].min_bandwidth + config.net.classes[1].min_bandwidth, 0.38, 1e-12);
	cr_assert_eq(
	    parse("classes_profile = \"hpc\"; traffic = ( { load = 0.1; class = \"DA\"; }, { load = 0.1; class = "
	          "\"LL\"; } );"),
	    0);
	cr_expect_float_eq(config.net.classes[0].max_bandwidth, 0.3, 0);
	refused("classes_profile = \"hpc\"; traffic = ( { load = 0.1; class = \"LL\"; } );", "classes_profile",
	        "only \"LL\" is used");
	refused("classes_profile = \"hpc\"; classes = ( { name = \"LL\"; } ); traffic = ( { load = 0.1; class = "
	        "\"LL\"; } );",
	        "classes_profile", "remove either this key or the list");
}

Test(config_classes, a_rule_that_changes_nothing_is_refused)
{
	refused("classes_sharing = \"proportional\"; traffic = ( { load = 0.1; } );", "classes_sharing",
	        "several classes have the same priority");
	refused(
	    "classes_sharing = \"proportional\"; classes = ( { name = \"a\"; priority = 1; min_bandwidth = 0.5; }, { "
	    "name = \"b\"; } ); traffic = ( { load = 0.1; class = \"a\"; }, { load = 0.1; class = \"b\"; } );",
	    "classes_sharing", "several classes have the same priority");
	cr_expect_eq(
	    parse("classes_sharing = \"proportional\"; classes = ( { name = \"a\"; min_bandwidth = 0.5; }, { name = "
	          "\"b\"; } ); traffic = ( { load = 0.1; class = \"a\"; }, { load = 0.1; class = \"b\"; } );"),
	    0);
}

#define ADAPTIVE "traffic = ( { load = 0.1; class = \"a\"; }, { load = 0.1; class = \"b\"; } ); "

/* In the notation and range of the routing's own. */
Test(config_classes, bias_is_of_routings_that_have_one)
{
	refused("classes = ( { name = \"a\"; }, { name = \"b\"; bias = \"1KB\"; } ); " ADAPTIVE, "classes.[1].bias",
	        "has no effect with routing \"minimal\", which has no parameter bias");
	refused("classes = ( { name = \"a\"; }, { name = \"b\"; bias = \"1KB\"; } ); routing = { kind = "
	        "\"minimal-adaptive\"; }; " ADAPTIVE,
	        "classes.[1].bias", "\"minimal-adaptive\", which has no parameter bias");
	refused("classes = ( { name = \"a\"; bias = \"2000GB\"; }, { name = \"b\"; } ); routing = { kind = "
	        "\"ugal-l\"; }; " ADAPTIVE,
	        "classes.[0].bias", "2000GB is out of range: 0B to 1000GB");
	cr_expect_eq(parse("classes = ( { name = \"a\"; bias = \"auto\"; }, { name = \"b\"; } ); routing = { kind = "
	                   "\"ugal-l\"; }; " ADAPTIVE),
	             0, "%s", errors.n ? errors.v[0].text : "");
	refused("classes = ( { name = \"a\"; bias = \"1KB\"; }, { name = \"b\"; bias = \"0B\"; } ); routing = { kind "
	        "= \"ugal-l\"; bias = \"1KB\"; }; " ADAPTIVE,
	        "routing.bias", "has no effect: every class sets its own bias");
	cr_expect_eq(parse("classes = ( { name = \"a\"; bias = \"1KB\"; }, { name = \"b\"; } ); routing = { kind = "
	                   "\"ugal-l\"; bias = \"1KB\"; }; " ADAPTIVE),
	             0, "%s", errors.n ? errors.v[0].text : "");
	cr_expect_eq(parse("classes = ( { name = \"a\"; bias = \"auto\"; }, { name = \"b\"; } ); routing = { kind = "
	                   "\"slingshot\"; bias = \"1KB\"; }; " ADAPTIVE),
	             0, "%s", errors.n ? errors.v[0].text : "");
}

#define ONE_IS(lossless) "classes = ( { name = \"a\"; }, { name = \"b\"; lossless = " lossless "; } ); " ADAPTIVE

/* What the switch cannot do; what it does anyway may be said. */
Test(config_classes, loss_is_of_switches_that_can)
{
	refused(ONE_IS("false"), "classes.[1].lossless",
	        "cannot be false with switch \"crossbar\": this switch drops no packets");
	cr_expect_eq(parse(ONE_IS("true")), 0, "%s", errors.n ? errors.v[0].text : "");
	static const struct {
		const char *sw, *lossless, *error;
	} row[] = {
		{ "kind=\"ideal\"", "false", "cannot be false with switch \"ideal\"" },
		{ "kind=\"tiled\"", "false", "cannot be false with switch \"tiled\"" },
		{ "kind=\"output-queued\"", "true",
		  "cannot be true with switch \"output-queued\": it drops packets that find no "
		  "space; with switch.pfc = true it pauses the sender instead" },
		{ "kind=\"output-queued\"", "false", NULL },
		{ "kind=\"output-queued\"; pfc=true", "true", NULL },
		{ "kind=\"output-queued\"; pfc=true", "false", NULL },
		{ "kind=\"output-queued\"; pfc=true; buffer=\"9KB\"; trim=true; trim_bytes=\"70B\"", "false", NULL },
		{ "kind=\"output-queued\"; pfc=true; buffer=\"9KB\"", "true",
		  "has an effect only without pfc, or with a" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char text[1000], set[300];
		snprintf(text, sizeof text,
		         HEAD "classes = ( { name = \"a\"; }, { name = \"b\"; lossless = %s; } ); " ADAPTIVE,
		         row[i].lossless);
		snprintf(set, sizeof set, "switch={%s;}", row[i].sw);
		const char *const sets[] = { set };
		xp_config_free(&config);
		base_errors_free(&errors);
		int status = xp_config_parse(&config, text, strlen(text), "t.cfg", NULL,
		                             &(struct xp_sets){ .v = sets, .n = 1 }, XP_WHOLE, &registry, &errors);
		cr_expect_eq(status, row[i].error ? -1 : 0, "%s: %s", set, errors.n ? errors.v[0].text : "");
		cr_expect(!row[i].error || (errors.n && strstr(errors.v[0].text, row[i].error)), "%s: %s", set,
		          errors.n ? errors.v[0].text : "");
	}
}
