/* tests/network/test_victims.c - what a 64 to 1 incast does to a ping-pong of others, on tiled switches at 200 Gb/s:
 * the study `victims`, whose configuration this is. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

#define INCAST_NODES                                                                                               \
	"0,32,48,64,80,96,112,128,144,160,176,192,208,224,240,256,272,288,304,320,336,352,368,384,400,416,432,448" \
	",464,480,496,512,528,544,560,576,592,608,624,640,656,672,688,704,720,736,752,768,784,800,816,832,848,864" \
	",880,896,912,928,944,960,976,992,1008,1024,1040"

/* Mean of a round, ps; 0: none ended. *share: of the receiver's link that the incast has. */
static double round_of(const char *victim, const char *incast, const char *more, const char *measure, double *share)
{
	char text[4000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text,
	         "seed = 1; time = { warmup = \"20us\"; measure = \"%s\"; drain = false; }; topology = { kind = "
	         "\"dragonfly\"; p = 4; a = 8; h = 4; }; links = { default = { bandwidth = \"200Gbps\"; }; terminal = "
	         "{ latency = \"13ns\"; }; local = { latency = \"13ns\"; }; global = { latency = \"130ns\"; }; }; %s "
	         "traffic = ( { name = \"victim\"; process = \"ping-pong\"; size = \"64KiB\"; packet = \"2048B\"; "
	         "nodes = \"%s\"; }, { name = \"incast\"; pattern = \"incast\"; target = 0; load = %s; packet = "
	         "\"2048B\"; nodes = \"" INCAST_NODES "\"; } );",
	         measure, more, victim, incast);
	cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
	cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
	double mean = x.r->jobs[0].iteration.mean;
	if (share)
		*share = x.r->jobs[1].accepted_load * 64;
	netrun_free(&x);
	return mean;
}

#define PLAIN "switch = { kind = \"tiled\"; };"
#define CHANNELS "switch = { kind = \"tiled\"; }; congestion = { kind = \"slingshot\"; };"

/* From 20 us after the incast's beginning: slowed by a tenth at most, and the receiver's link stays full. */
Test(victims, flow_channels_keep_others_free, .timeout = 120)
{
	static const char *const victims[] = { "1,501", "5,501", "301,601" };
	for (size_t i = 0; i < sizeof victims / sizeof *victims; i++) {
		double share, alone = round_of(victims[i], "0.0", CHANNELS, "40us", NULL);
		double beside = round_of(victims[i], "1.0", CHANNELS, "40us", &share);
		cr_expect_gt(alone, 1e6);
		cr_expect_leq(beside / alone, i < 2 ? 1.1 : 1.02, "%s: %f of %f ps", victims[i], beside, alone);
		cr_expect_gt(beside, 0);
		cr_expect_gt(share, 0.99);
		cr_expect_float_eq(alone / round_of(victims[i], "0.0", PLAIN, "40us", NULL), 1, 0.001,
		                   "a flow that is alone is not slowed");
	}
}

/* Packets that join queues late keep their place among those that wait for leave to ask (`requests`): networks that are
 * full of them drain. */
Test(victims, full_networks_drain, .timeout = 120)
{
	static const char *const full[] = {
		"topology = { kind = \"slimfly\"; q = 3; }; switch = { kind = \"tiled\"; flow_channels = \"on\"; %s }; "
		"traffic = ( { load = 0.9; pattern = \"incast\"; } ); time = { warmup = \"1us\"; measure = \"10us\"; "
		"drain = true; };",
		"topology = { kind = \"slimfly\"; q = 3; }; switch = { kind = \"tiled\"; flow_channels = \"on\"; "
		"flow_threshold = 0.5; %s }; "
		"traffic = ( { load = 0.9; pattern = \"incast\"; packet = \"256B\"; } ); time = { warmup = \"1us\"; "
		"measure = \"10us\"; drain = true; };",
		"topology = { kind = \"dragonfly\"; p = 4; a = 4; h = 2; }; switch = { kind = \"tiled\"; "
		"flow_channels = "
		"\"on\"; %s }; traffic = ( { load = 0.9; pattern = \"incast\"; packet = [ \"64B\", \"2KB\" ]; } ); "
		"time = "
		"{ warmup = \"1us\"; measure = \"5us\"; drain = true; };",
		"topology = { kind = \"dragonfly-plus\"; p = 2; leaves = 2; spines = 2; h = 1; }; links = { default = "
		"{ "
		"bandwidth = \"200Gbps\"; latency = \"50ns\"; framing = \"ethernet\"; }; }; routing = { kind = "
		"\"valiant\"; "
		"}; switch = { kind = \"tiled\"; preset = \"successor\"; buffer = \"64KiB\"; flow_channels = \"on\"; "
		"flow_threshold = 2.0; %s "
		"}; "
		"seed = 359; traffic = ( { packet = \"1KB\"; load = 0.8; pattern = \"all-to-all\"; } ); time = { "
		"warmup = "
		"\"0us\"; measure = \"20us\"; drain = true; };",
	};
	static const char *const more[] = { "", "requests = 2;", "requests = 8; request = \"40ns\"; grant = \"5ns\";",
		                            "requests = 1; grant = \"100ns\";" };
	char text[2000];
	for (size_t i = 0; i < sizeof full / sizeof *full; i++)
		for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
			struct netrun x = { 0 };
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(text, sizeof text, full[i], more[k]);
#pragma GCC diagnostic pop
			cr_assert(netrun_build(&x, NULL, text), "%s\n%s", netrun_error(&x), text);
			cr_assert_eq(netrun_go(&x), NET_DONE, "%s\n%s", netrun_error(&x), text);
			cr_expect_eq(x.r->total.delivered, x.r->total.created, "%s", text);
			netrun_free(&x);
		}
}

/* Without: no round of 8.3 us ends within ten times as long. */
Test(victims, without_control_the_receivers_switch_is_full, .timeout = 120)
{
	cr_expect_eq(round_of("1,501", "1.0", PLAIN, "83us", NULL), 0);
	cr_expect_float_eq(
	    round_of("301,601", "1.0", PLAIN, "40us", NULL) / round_of("301,601", "0.0", PLAIN, "40us", NULL), 1, 0.02);
}
