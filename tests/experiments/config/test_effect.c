/* tests/experiments/config/test_effect.c - keys that are set and have no effect are refused by name: what neither
 * tests/cli/malformed nor tests/network/test_effect.c shows. */
#include "experiments/config/builtin.h"
#include "experiments/config/config.h"
#include "switch/switch.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define MINIMAL "topology = { kind = \"slimfly\"; q = 5; };\ntraffic = ( { load = 0.5; } );\n"

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

TestSuite(effect, .init = setup, .fini = teardown);

static int read_set(const char *set)
{
	xp_config_free(&config);
	base_errors_free(&errors);
	return xp_config_parse(&config, MINIMAL, strlen(MINIMAL), "t.cfg", NULL, &(struct xp_sets){ .v = &set, .n = 1 },
	                       XP_WHOLE, &registry, &errors);
}

static void refused(const char *set, const char *key, const char *text)
{
	cr_assert_eq(read_set(set), -1, "%s", set);
	cr_assert_str_eq(errors.v[0].key, key, "%s", set);
	cr_assert(strstr(errors.v[0].text, text), "%s: %s", set, errors.v[0].text);
}

/* A switch declares what it acts on; nothing else knows its name. */
Test(effect, switches_declare_which_keys_of_classes_they_honour)
{
	static struct sw_ops ops; /* the teardown reads them, too */
	static struct base_plugin fair;
	ops = *(const struct sw_ops *)sw_ideal.ops;
	ops.classes.honours = SW_HONOURS_PRIORITY | SW_HONOURS_MIN_BANDWIDTH | SW_HONOURS_MAX_BANDWIDTH;
	fair = sw_ideal;
	fair.name = "fair";
	fair.ops = &ops;
	base_register(&registry, &fair, &errors);
	refused("classes=({priority=3;})", "classes.[0].priority", "is not implemented by switch \"ideal\"");
	refused("classes=({min_bandwidth=0.1;})", "classes.[0].min_bandwidth",
	        "is not implemented by switch \"ideal\"");
	refused("classes=({max_bandwidth=0.9;})", "classes.[0].max_bandwidth",
	        "is not implemented by switch \"ideal\"");
	refused("classes=({dscp=1;})", "classes.[0].dscp", "only if a job sets traffic[].dscp");
	refused("classes_sharing=proportional", "classes_sharing", "is not implemented by switch \"ideal\"");
	refused("classes_profile=hpc", "classes_profile", "only \"BE\" is used");
	cr_assert_eq(read_set("classes=({name=\"x\"; dscp=0; priority=0; min_bandwidth=0.0; max_bandwidth=1.0;})"), 0);
	cr_assert_eq(read_set("classes=({name=\"x\";},{name=\"y\";})"), -1);
	cr_assert_str_eq(errors.v[0].key, "classes.[1]");

	static const char *const sets[] = { "switch.kind=fair", "classes=({max_bandwidth=0.9; dscp=1;})" };
	xp_config_free(&config);
	base_errors_free(&errors);
	cr_assert_eq(xp_config_parse(&config, MINIMAL, strlen(MINIMAL), "t.cfg", NULL,
	                             &(struct xp_sets){ .v = sets, .n = 2 }, XP_WHOLE, &registry, &errors),
	             -1);
	cr_assert_eq(errors.errors, 1u);
	cr_assert_str_eq(errors.v[0].key, "classes.[0].dscp");
	cr_assert_str_eq(errors.v[0].text, "has an effect only if a job sets traffic[].dscp to this value");

	/* nor has a key of a class that has no other beside it to go before */
	static const char *const alone[] = { "switch.kind=fair", "classes=({priority=3; min_bandwidth=0.5;})" };
	xp_config_free(&config);
	base_errors_free(&errors);
	cr_assert_eq(xp_config_parse(&config, MINIMAL, strlen(MINIMAL), "t.cfg", NULL,
	                             &(struct xp_sets){ .v = alone, .n = 2 }, XP_WHOLE, &registry, &errors),
	             -1);
	cr_assert_eq(errors.errors, 2u);
	cr_assert_str_eq(errors.v[0].key, "classes.[0].priority");
	cr_assert_str_eq(errors.v[1].key, "classes.[0].min_bandwidth");
}

/* By kind of engine: one file serves one rank and many. */
Test(effect, engine_keys_by_kind)
{
	static const char *const good[] = {
		"engine={optimism=9;gvt_interval=2;stress=5;partition=\"random\";balance=\"off\";}",
		"engine={sync=\"optimistic\";optimism=9;}",
		"engine={sync=\"conservative\";partition=\"metis\";balance=\"off\";}",
		"engine={sync=\"sequential\";window=\"100ns\";audit=true;threads=1;}",
		"engine={threads=2;partition=\"random\";}"
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect_eq(read_set(good[i]), 0, "%s: %s", good[i], errors.n ? errors.v[0].text : "");
	refused("engine={sync=\"sequential\";optimism=5;}", "engine.optimism", "has an effect only");
	refused("engine={sync=\"conservative\";gvt_interval=5;}", "engine.gvt_interval", "has an effect only");
	refused("engine={sync=\"sequential\";balance=\"off\";}", "engine.balance", "has an effect only");
	refused("engine={threads=2;balance=\"off\";}", "engine.balance", "has an effect only");
}

/* A key with its default value says nothing wrong. */
Test(effect, defaults_may_be_written)
{
	cr_assert_eq(read_set("engine={sync=\"sequential\";optimism=4;gvt_interval=1;stress=0;balance=\"on\";}"), 0);
	cr_assert_eq(read_set("record={activity=false;switches=\"\";}"), 0);
	cr_assert_eq(read_set("traffic=({load=0.5;allocation=\"linear\";message=\"0B\";})"), 0);
}
