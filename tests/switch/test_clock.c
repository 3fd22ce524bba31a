/* tests/switch/test_clock.c - what is said when a switch's clock cannot carry its ports, that it is so, and what the
 * speed-up of a tiled switch is relative to. */
#include "tests/switch/bench.h"

#include <math.h>

#define ONE_SWITCH(kind, gbps)                                                        \
	"seed = 1; time = { warmup = \"10us\"; measure = \"20us\"; drain = false; };" \
	"topology = { kind = \"single\"; ports = 16; };"                              \
	"links = { terminal = { bandwidth = \"" gbps "\"; latency = \"13ns\"; }; };"  \
	"switch = { " kind " }; routing = { kind = \"minimal\"; };"                   \
	"traffic = ( { pattern = \"tornado\"; load = 1.0; packet = \"512B\"; } );"

/* Two switches with four endpoints of 100 Gb/s each, joined by a cable of 400 Gb/s that all packets take. */
#define FAT_CABLE(kind)                                                               \
	"seed = 1; time = { warmup = \"10us\"; measure = \"20us\"; drain = false; };" \
	"topology = { kind = \"torus\"; dims = [2]; endpoints = 4; };"                \
	"links = { default = { bandwidth = \"400Gbps\"; latency = \"13ns\"; };"       \
	"          terminal = { bandwidth = \"100Gbps\"; latency = \"13ns\"; }; };"   \
	"switch = { " kind " }; routing = { kind = \"minimal\"; };"                   \
	"traffic = ( { pattern = \"bit-complement\"; load = 0.9; packet = \"480B\"; injection = \"periodic\"; } );"

/* The text of the one warning about `key` that building the network gives; "" for none. */
static void warning_of(const char *text, const char *change, const char *key, char *out, size_t size)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_config config = { 0 };
	const char *sets[1] = { change };
	struct xp_sets changes = { .v = sets, .n = *change != 0 };
	xp_register_builtin(&registry);
	int status = xp_config_parse(&config, text, strlen(text), "test", NULL, &changes, XP_WHOLE, &registry, &errors);
	struct net_setup setup = {
		.config = &config.net, .registry = &registry, .build_traffic = wl_build, .destroy_traffic = wl_destroy
	};
	if (!status)
		status = net_check(&setup, &errors);
	cr_assert_eq(status, 0, "%s: %s", change, errors.n ? errors.v[0].text : "");
	size_t found = 0;
	*out = 0;
	for (size_t i = 0; i < errors.n; i++)
		if (errors.v[i].warning && strstr(errors.v[i].key, "switch") == errors.v[i].key) {
			cr_expect_str_eq(errors.v[i].key, key, "%s", change);
			snprintf(out, size, "%s", errors.v[i].text);
			found++;
		}
	cr_assert_leq(found, 1, "%s: %zu warnings", change, found);
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
}

static void expect_warning(const char *text, const char *change, const char *key, const char *part)
{
	char found[500];
	warning_of(text, change, key, found, sizeof found);
	if (part)
		cr_expect(strstr(found, part), "%s: \"%s\" is not in \"%s\"", change, part, found);
	else
		cr_expect_str_empty(found, "%s", change);
}

/* 512 bytes are 11 beats of 1.25 ns; on a link of 400 Gb/s they take 10.24 ns: 10.24 / 13.75 = 0.745. */
Test(clock, tiled_says_what_share_of_a_port_it_carries)
{
	expect_warning(ONE_SWITCH("kind = \"tiled\";", "400Gbps"), "", "switch.clock", "297.9 Gb/s per port");
	expect_warning(ONE_SWITCH("kind = \"tiled\";", "400Gbps"), "", "switch.clock",
	               "at most a fraction of 0.745 of that passes");
	expect_warning(ONE_SWITCH("kind = \"tiled\";", "400Gbps"), "", "switch.clock",
	               "a clock period of 931 ps or less");
	expect_warning(ONE_SWITCH("kind = \"tiled\";", "400Gbps"), "switch.clock=930ps", "", NULL);
	expect_warning(ONE_SWITCH("kind = \"tiled\";", "200Gbps"), "", "", NULL);
	expect_warning(ONE_SWITCH("kind = \"tiled\"; preset = \"yarc\";", "18.75Gbps"), "", "", NULL);
	expect_warning(ONE_SWITCH("kind = \"tiled\"; preset = \"yarc\";", "200Gbps"), "", "switch.clock",
	               "at most a fraction of 0.128");
	/* a speed-up that the user gives is what they want to study */
	expect_warning(ONE_SWITCH("kind = \"tiled\";", "400Gbps"), "switch.speedup=0.5", "", NULL);
}

/* 512 bytes are 64 flits of 1 ns; on a link of 200 Gb/s they take 20.48 ns: 0.32. */
Test(clock, crossbar_says_what_share_of_a_port_it_carries)
{
	static const char voq[] = ONE_SWITCH("kind = \"crossbar\"; inputs = \"voq\";", "200Gbps");
	expect_warning(voq, "", "switch.cycle", "carries 64 Gb/s per port");
	expect_warning(voq, "", "switch.cycle",
	               "delivers 200 Gb/s: at most a fraction of 0.320 of that passes the switch; with a clock period "
	               "of 320 ps or less");
	expect_warning(voq, "switch.cycle=320ps", "", NULL);
	expect_warning(voq, "switch.speedup=3.2", "", NULL);
	expect_warning(voq, "switch.speedup=2.0", "switch.cycle", "at most a fraction of 0.640");
	expect_warning(voq, "switch.flit=25B", "switch.cycle", "at most a fraction of 0.975"); /* 21 flits */
	expect_warning(voq, "switch.flit=26B", "", NULL);                                      /* 20 */
	expect_warning(ONE_SWITCH("kind = \"crossbar\";", "64Gbps"), "", "", NULL);
	expect_warning(ONE_SWITCH("kind = \"crossbar\"; input_speedup = 2; output_speedup = 4;", "200Gbps"), "",
	               "switch.cycle", "at most a fraction of 0.640");
}

/* What is said is what happens: no two packets of this permutation want the same output. */
Test(clock, the_share_is_what_passes)
{
	double tiled = bench_run(ONE_SWITCH("kind = \"tiled\";", "400Gbps"), "").accepted;
	double crossbar = bench_run(ONE_SWITCH("kind = \"crossbar\"; inputs = \"voq\";", "200Gbps"), "").accepted;
	cr_expect(fabs(tiled - 10.24 / 13.75) < 0.005, "%f", tiled);
	cr_expect(crossbar < 0.325 && crossbar > 0.29, "%f", crossbar);
}

Test(clock, links_between_switches_count)
{
	expect_warning(FAT_CABLE("kind = \"tiled\";"), "", "switch.clock",
	               "delivers 400 Gb/s: at most a fraction of 0.768");
	expect_warning(FAT_CABLE("kind = \"tiled\";"), "links.default.bandwidth=\"100Gbps\"", "", NULL);
	expect_warning(FAT_CABLE("kind = \"crossbar\";"), "", "switch.cycle",
	               "delivers 400 Gb/s: at most a fraction of 0.160");
}

/* The buses of a switch whose fastest port has 400 Gb/s, not those of one with the endpoints' 100 Gb/s. */
Test(clock, speedup_is_relative_to_the_fastest_link)
{
	double accepted = bench_run(FAT_CABLE("kind = \"tiled\"; speedup = 1.54;"), "").accepted;
	cr_expect(fabs(accepted - 0.9) < 0.02, "%f", accepted);
	accepted = bench_run(FAT_CABLE("kind = \"tiled\"; speedup = 0.5;"), "").accepted;
	cr_expect(fabs(accepted - 0.5) < 0.01, "%f", accepted);
}
