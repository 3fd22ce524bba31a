/* tests/switch/test_credit_loop.c - a VC carries its link's full rate over as much cable as `check` says, and beyond it
 * what its buffer holds in a loop's time. */
#include "tests/switch/bench.h"

#include <math.h>

#define MEASURED_NS 600000.0

/* Two sources keep one link busy; one VC. */
#define ONE_LINK                                                                                                       \
	"seed = 1; time = { warmup = \"50us\"; measure = \"600us\"; drain = false; }; topology = { kind = \"torus\"; " \
	"dims = [2]; endpoints = 2; };"                                                                                \
	"links = { default = { bandwidth = \"200Gbps\"; latency = \"1ns\"; }; terminal = { bandwidth = "               \
	"\"200Gbps\"; latency = \"13ns\"; }; };"                                                                       \
	"switch = { kind = \"tiled\"; vcs = 1; buffer = \"48KiB\"; align = false; column_pitch = "                     \
	"\"0ps\"; }; routing = { kind = \"minimal\"; };"                                                               \
	"traffic = ( { name = \"a\"; pattern = \"incast\"; target = 2; nodes = \"0,2\"; load = 1.0; packet = "         \
	"\"4158B\"; }, { name = \"b\"; pattern = \"incast\"; target = 3; nodes = \"1,3\"; load = 1.0; packet = "       \
	"\"4158B\"; } );"

#define SMALL "traffic.[0].packet=64B traffic.[1].packet=64B"

static const char *const switches[] = {
	"",
	SMALL,
	"switch.row_buffer=8KiB switch.column_buffer=8KiB",
	"switch.grants=off switch.row_buffer=8KiB",
	"switch.grants=off switch.row_buffer=8KiB " SMALL,
	"switch.grants=off switch.row_buffer=8KiB switch.column_buffer=8KiB",
	"switch.preset=yarc switch.width=48B switch.buffer=16KiB",
	"switch.credit=1us",
	"switch.preset=successor links.default.bandwidth=400Gbps links.terminal.bandwidth=400Gbps",
};

static struct net_credit_loop loop_of(const char *changes)
{
	struct base_registry registry = { 0 };
	struct base_errors errors = { 0 };
	struct xp_config config = { 0 };
	struct net_credit_loops loops = { 0 };
	const char *sets[8];
	size_t n = 0;
	char *copy = base_strdup(changes), *save;
	for (char *word = strtok_r(copy, " ", &save); word && n < 8; word = strtok_r(NULL, " ", &save))
		sets[n++] = word;
	xp_register_builtin(&registry);
	int status = xp_config_parse(&config, ONE_LINK, strlen(ONE_LINK), "test", NULL,
	                             &(struct xp_sets){ .v = sets, .n = n }, XP_WHOLE, &registry, &errors);
	struct net_setup setup = { .config = &config.net,
		                   .registry = &registry,
		                   .build_traffic = wl_build,
		                   .destroy_traffic = wl_destroy,
		                   .loops = &loops };
	if (!status)
		status = net_check(&setup, &errors);
	cr_assert_eq(status, 0, "%s: %s", changes, errors.n ? errors.v[0].text : "");
	cr_assert_eq(loops.n, 1u);
	xp_config_free(&config);
	base_errors_free(&errors);
	base_registry_free(&registry);
	free(copy);
	return loops.v[0];
}

/* Of the link; the load is per endpoint, and two of four send. */
static double rate_over(const char *changes, uint64_t latency)
{
	char all[400];
	snprintf(all, sizeof all, "links.default.latency=%llups %s", (unsigned long long)latency, changes);
	return 2 * bench_run(ONE_LINK, all).accepted;
}

/* Grant, row bus, column, egress 22 + 15 + 15 + 108 ns; receiver and routing 153; a RoCE packet's last bit 166.32 after
 * its first; the credit 108 + 115. Eleven packets are in 48 KiB. */
Test(credit_loop, of_rosetta)
{
	double loop = 22 + 15 + 15 + 108 + 153 + 166.32 + 108 + 115;
	cr_expect_float_eq((double)loop_of("").longest / 1e3, (11 * 166.32 - loop) / 2, 0.001);
}

/* At 400 Gb/s a packet's last bit is 83.16 ns after its first, but request, grant and the 44 beats of 96 bytes on its
 * row bus take longer, 99. A VC has a quarter of 384 KiB, 23 packets: more than the 20 of 100 m. */
Test(credit_loop, of_the_successor)
{
	double loop = 22 + 15 + 15 + 108 + 153 + 22 + 22 + 44 * 1.25 + 108 + 115;
	double longest = (double)loop_of("switch.preset=successor switch.buffer=96KiB links.default.bandwidth=400Gbps "
	                                 "links.terminal.bandwidth=400Gbps")
	                     .longest /
	                 1e3;
	cr_expect_float_eq(longest, (23 * 83.16 - loop) / 2, 0.001);
	cr_expect(19 * 83.16 < loop + 2 * 500 && 20 * 83.16 >= loop + 2 * 500);
}

Test(credit_loop, full_rate_up_to_the_printed_length_and_the_closed_form_beyond)
{
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		struct net_credit_loop at = loop_of(switches[i]);
		double serial = at.packet * (strstr(switches[i], "400Gbps") ? 0.02 : 0.04),
		       most = strstr(switches[i], "16KiB") ? 16384 : 49152,
		       sent = floor(most / at.packet) * serial; /* ns */
		if (!at.longest) {                              /* the loop without a cable is too long */
			cr_expect_lt(at.rate, 1, "%s", switches[i]);
			cr_expect_float_eq(rate_over(switches[i], 1000), at.rate, sent / MEASURED_NS, "%s",
			                   switches[i]);
			continue;
		}
		cr_expect_geq(rate_over(switches[i], at.longest), 1 - serial / MEASURED_NS, "%s over %llu ps",
		              switches[i], (unsigned long long)at.longest);
		for (int k = 1; k <= 3; k++) {
			uint64_t latency = at.longest + (uint64_t)(k * k * 100000);
			double rest = sent - 2e-3 * (double)at.longest; /* the loop without the cable */
			double expected = sent / (rest + 2e-3 * (double)latency);
			double rate = rate_over(switches[i], latency);
			cr_expect_float_eq(rate, expected, sent / MEASURED_NS, "%s over %llu ps: %g, not %g",
			                   switches[i], (unsigned long long)latency, rate, expected);
		}
	}
}
