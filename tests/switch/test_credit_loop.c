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

/* 4,096 bytes of payload in frames of 4,158 or, where they are whole hundreds, 4,200; a gap of 200. */
#define ROCE "links.default.framing=roce links.default.gap=200B traffic.[0].packet=4KiB traffic.[1].packet=4KiB"

/* All traffic but a few packets the other way is of one of two classes, which has half of the buffer. */
#define JOB(name, class, target, nodes, load)                                                                        \
	"{name=\"" name "\";class=\"" class "\";pattern=\"incast\";target=" target ";nodes=\"" nodes "\";load=" load \
					    ";packet=\"4158B\";}"
#define TWO_CLASSES                                                                                 \
	"classes=({name=\"a\";},{name=\"b\";}) traffic=(" JOB("a", "b", "2", "0,2", "1.0") "," JOB( \
	    "b", "b", "3", "1,3", "1.0") "," JOB("c", "a", "0", "2,0", "0.00001") ")"

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
	ROCE,
	ROCE " switch.grants=off switch.row_buffer=8KiB",
	ROCE " links.terminal.framing=none links.default.granule=100B",
	TWO_CLASSES,
	TWO_CLASSES " switch.shared_pool=0.5 switch.pool_threshold=2.0",
};

static struct net_credit_loop loop_of(const char *changes)
{
	struct bench_config c;
	struct net_credit_loops loops = { 0 };
	bench_read(&c, ONE_LINK, changes, NULL);
	c.setup.loops = &loops;
	int status = net_check(&c.setup, &c.errors);
	cr_assert_eq(status, 0, "%s: %s", changes, c.errors.n ? c.errors.v[0].text : "");
	cr_assert_eq(loops.n, 1u);
	bench_close(&c);
	return loops.v[0];
}

/* Of the link, gaps included; the load is per endpoint, in payload, and two of four send. wire: bytes that a packet
 * keeps the link busy for. */
static double rate_over(const char *changes, uint64_t latency, double wire)
{
	char all[800];
	double payload = strstr(changes, ROCE) ? 4096 : wire;
	snprintf(all, sizeof all, "links.default.latency=%llups %s", (unsigned long long)latency, changes);
	double jobs = strstr(changes, "classes") ? 3 : 2; /* of two endpoints, of which two in all send */
	return jobs * bench_run(ONE_LINK, all).accepted * wire / payload;
}

/* Grant, row bus, column, egress 22 + 15 + 15 + 108 ns; receiver and routing 153; a RoCE packet's last bit 166.32 after
 * its first; the credit 108 + 115. Eleven packets are in 48 KiB. */
Test(credit_loop, of_rosetta)
{
	double loop = 22 + 15 + 15 + 108 + 153 + 166.32 + 108 + 115;
	cr_expect_float_eq((double)loop_of("").longest / 1e3, (11 * 166.32 - loop) / 2, 0.001);
}

/* With the framing of RoCE the last bit takes as long, and the cable may be longer by the gaps of 11 packets. */
Test(credit_loop, of_frames)
{
	double loop = 22 + 15 + 15 + 108 + 153 + 166.32 + 108 + 115;
	struct net_credit_loop at = loop_of(ROCE);
	cr_expect_eq(at.packet, 4158u);
	cr_expect_float_eq((double)at.longest / 1e3, (11 * (166.32 + 8) - loop) / 2, 0.001);
	cr_expect_eq(loop_of(ROCE " links.default.granule=100B").packet, 4200u);
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

/* Of a lane that has it alone: half of it, or a quarter and of the pool's half 2 / (1 + 2) by its threshold. */
static double buffer_of(const char *changes)
{
	if (strstr(changes, "shared_pool"))
		return 49152 / 4 + 49152 / 2 * 2 / 3;
	return strstr(changes, "classes") ? 49152 / 2 : strstr(changes, "16KiB") ? 16384 : 49152;
}

Test(credit_loop, full_rate_up_to_the_printed_length_and_the_closed_form_beyond)
{
	for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
		struct net_credit_loop at = loop_of(switches[i]);
		double wire = at.packet + (strstr(switches[i], ROCE) ? 200 : 0),
		       serial = wire * (strstr(switches[i], "400Gbps") ? 0.02 : 0.04), most = buffer_of(switches[i]),
		       sent = floor(most / at.packet) * serial; /* ns */
		if (!at.longest) {                              /* the loop without a cable is too long */
			cr_expect_lt(at.rate, 1, "%s", switches[i]);
			cr_expect_float_eq(rate_over(switches[i], 1000, wire), at.rate, sent / MEASURED_NS, "%s",
			                   switches[i]);
			continue;
		}
		cr_expect_geq(rate_over(switches[i], at.longest, wire), 1 - serial / MEASURED_NS, "%s over %llu ps",
		              switches[i], (unsigned long long)at.longest);
		for (int k = 1; k <= 3; k++) {
			uint64_t latency = at.longest + (uint64_t)(k * k * 100000);
			double rest = sent - 2e-3 * (double)at.longest; /* the loop without the cable */
			double expected = sent / (rest + 2e-3 * (double)latency);
			double rate = rate_over(switches[i], latency, wire);
			cr_expect_float_eq(rate, expected, sent / MEASURED_NS, "%s over %llu ps: %g, not %g",
			                   switches[i], (unsigned long long)latency, rate, expected);
		}
	}
}

/* Three classes on four virtual channels divide a buffer by twelve; a lane then holds fewer packets than its loop. */
Test(credit_loop, a_lane_that_starves_is_named)
{
	static const struct {
		const char *changes;
		bool starves;
	} runs[] = {
		{ TWO_CLASSES " switch.buffer=192KiB", false },
		{ TWO_CLASSES " switch.buffer=192KiB switch.vcs=4 links.default.latency=50ns", false },
		{ TWO_CLASSES " switch.buffer=192KiB switch.vcs=4 links.default.latency=400ns", true },
		{ "switch.buffer=192KiB switch.vcs=8 links.default.latency=400ns", false }, /* no classes */
	};
	for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct bench_config c;
		struct net_credit_loops loops = { 0 };
		bool named = false;
		bench_read(&c, ONE_LINK, runs[i].changes, NULL);
		c.setup.loops = &loops;
		cr_assert_eq(net_check(&c.setup, &c.errors), 0);
		for (size_t k = 0; k < c.errors.n; k++)
			named |= c.errors.v[k].warning && !strcmp(c.errors.v[k].key, "switch.buffer");
		cr_expect_eq(named, runs[i].starves, "%s: %f", runs[i].changes, loops.v[0].rate);
		bench_close(&c);
	}
}
