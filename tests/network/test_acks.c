/* tests/network/test_acks.c - what acknowledgements take: bytes on a way beside the data, and with nic.ack = "hop" each
 * link one after the other. */
#include "experiments/config/config.h"
#include "tests/network/units.h"

/* One switch, 200 Gb/s: 40 ps a byte. */
#define ONE                                                                                                       \
	"seed = 1; time = { warmup = \"0us\"; measure = \"100us\"; drain = false; }; "                            \
	"topology = { kind = \"single\"; ports = 2; }; links = { default = { bandwidth = \"200Gbps\"; latency = " \
	"\"50ns\"; }; }; switch = { kind = \"ideal\"; buffer = \"1MB\"; traversal = \"100ns\"; }; "               \
	"traffic = ( { packet = \"1000B\"; process = \"window\"; size = \"1000B\"; to = \"first\"; } ); "

/* There: two cables of 50 ns, 100 ns, the bits; back two cables, a stage, and twice the bytes of the acknowledgement at
 * its share of the rate. */
Test(acks, an_acknowledgement_takes_its_bytes)
{
	static const struct {
		const char *nic;
		uint64_t more;
	} rows[] = { { "", 0 },
		     { "nic = { ack_width = 0.01; };", 2 * 4 * 4000 },
		     { "nic = { ack_width = 0.04; ack_bytes = \"32B\"; };", 2 * 32 * 1000 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct netrun x = { 0 };
		run(&x, "%s %s", ONE, rows[i].nic);
		cr_expect_eq(x.r->jobs[0].iteration.min, 200000 + 40000 + 200000 + rows[i].more, "%lu",
		             x.r->jobs[0].iteration.min);
		cr_expect_eq(x.r->jobs[0].iteration.max, x.r->jobs[0].iteration.min);
		netrun_free(&x);
	}
}

#define DRAGONFLY                                                                                                      \
	"seed = 7; time = { warmup = \"5us\"; measure = \"40us\"; drain = true; }; topology = { kind = "               \
	"\"dragonfly\"; p = 2; a = 4; h = 2; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; "   \
	"}; global = { latency = \"300ns\"; }; }; switch = { kind = \"%s\"; }; routing = { kind = \"ugal-l\"; bias = " \
	"\"0B\"; }; "                                                                                                  \
	"congestion = { kind = \"window\"; window = \"2KB\"; }; nic = { ack = \"%s\"; ack_width = %g; %s }; "          \
	"traffic = ( { packet = \"256B\"; %s } );"

struct seen {
	uint64_t digest, acks, waited;
	double accepted, mean;
};

static struct seen see(const char *sw, const char *ack, double width, const char *nic, const char *traffic)
{
	struct netrun x = { 0 };
	run(&x, DRAGONFLY, sw, ack, width, nic, traffic);
	struct seen s = { x.r->digest, x.r->control.acks, x.r->control.acks_waited_ps, x.r->total.accepted_load,
		          x.r->total.latency.mean };
	cr_expect_gt(s.acks, 1000);
	netrun_free(&x);
	return s;
}

/* Two endpoints in two groups write to each other all that they may: their acknowledgements meet none, and both ways of
 * carrying them give the same result. */
Test(acks, hop_by_hop_is_the_same_where_none_meet)
{
	static const char pair[] = "pattern = \"permutation\"; load = 1.0; nodes = \"0,41\";";
	static const char *const switches[] = { "ideal", "tiled", "crossbar" };
	static const char *const more[] = { "", "loss = 0.01;", "ack_every = \"1KB\"; retry = \"on\";" };
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++) {
			struct seen event = see(switches[i], "event", 0.5, more[k], pair);
			struct seen hop = see(switches[i], "hop", 0.5, more[k], pair);
			cr_expect_eq(hop.waited, 0);
			cr_expect_eq(event.waited, 0);
			cr_expect_eq(hop.digest, event.digest, "%s, %s", switches[i], more[k]);
			cr_expect_eq(hop.acks, event.acks);
		}
}

/* Where they meet, each is later by what it has waited: with twice the width that a full link's acknowledgements want,
 * less than half of what one takes on a link, and nothing else differs by more than a hundredth. */
Test(acks, hop_by_hop_is_later_by_what_is_waited)
{
	struct seen event = see("ideal", "event", 0.03125, "", "pattern = \"uniform\"; load = 0.6;");
	struct seen hop = see("ideal", "hop", 0.03125, "", "pattern = \"uniform\"; load = 0.6;");
	double wait = (double)hop.waited / (double)hop.acks, link = 4 * 80 / 0.03125;
	cr_expect_gt(wait, 0);
	cr_expect_lt(wait, link / 2, "%g ps a link, %g of waiting", link, wait);
	cr_expect_float_eq(hop.accepted / event.accepted, 1, 0.01);
	cr_expect_float_eq(hop.mean / event.mean, 1, 0.01);
}

static void refused(double width, const char *nic, const char *traffic, const char *words)
{
	char text[3000];
	struct netrun x = { 0 };
	snprintf(text, sizeof text, DRAGONFLY, "ideal", "event", width, nic, traffic);
	cr_expect_not(netrun_build(&x, NULL, text), "%g", width);
	cr_expect(strstr(netrun_error(&x), words), "\"%s\" does not say \"%s\"", netrun_error(&x), words);
	netrun_free(&x);
}

/* Four bytes back for 256 are 1/64 of the other direction. */
Test(acks, more_than_the_width_is_refused)
{
	refused(1.0 / 64 - 1e-6, "", "load = 0.1;", "4 bytes for the packets of a fully used link need 0.0156");
	cr_expect_gt(see("ideal", "event", 1.0 / 64 + 1e-6, "", "load = 0.1;").acks, 0);
	refused(1.0 / 32 - 1e-6, "ack_bytes = \"8B\";", "load = 0.1;", "0.0312");
	refused(0.0, "ack_bytes = \"8B\";", "load = 0.1;", "has an effect only with nic.ack_width");
	refused(0.0, "retry = \"on\"; ack_every = \"1KB\"; ack_bytes = \"5B\";", "load = 0.1;",
	        "only with nic.ack_width");
}
