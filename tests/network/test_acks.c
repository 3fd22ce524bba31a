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

#define TILES                                                                                                          \
	"seed = 7; time = { warmup = \"5us\"; measure = \"20us\"; drain = true; }; topology = { kind = "               \
	"\"dragonfly\"; p = 2; a = 4; h = 2; }; links = { default = { bandwidth = \"100Gbps\"; latency = \"50ns\"; "   \
	"}; global = { latency = \"300ns\"; }; }; switch = { kind = \"tiled\"; %s }; routing = { kind = \"minimal\"; " \
	"}; nic = { ack = \"%s\"; ack_width = 1.0; ack_bytes = \"64B\"; retry = \"on\"; timeout = \"10ms\"; }; "       \
	"record = { switch = true; switches = \"all\"; }; traffic = ( { packet = \"256B\"; load = 0.6; stop = "        \
	"\"15us\"; } );"

struct crossed {
	uint64_t bus, mux, acks, waits;
};

static void add_crossed(void *arg, const struct net_switch_record *r)
{
	struct crossed *sum = arg;
	const struct sw_instruments *s = r->instruments;
	for (uint32_t k = 0; k < s->n; k++) {
		const char *name = s->v[k].name;
		uint64_t *of = !strcmp(name, "ack_bus_utilization")                               ? &sum->bus
		               : !strcmp(name, "ack_mux_utilization")                             ? &sum->mux
		               : !strcmp(name, "acks")                                            ? &sum->acks
		               : !strcmp(name, "ack_bus_waits") || !strcmp(name, "ack_mux_waits") ? &sum->waits
		                                                                                  : NULL;
		for (uint32_t i = 0; of && i < r->ports; i++)
			*of += r->words[sw_instrument_at(s, k) + i];
	}
}

static struct net_flow cross_tiles(const char *sw, const char *ack, struct crossed *sum)
{
	struct netrun x = { 0 };
	run(&x, TILES, sw, ack);
	*sum = (struct crossed){ 0 };
	net_each_switch(x.net, add_crossed, sum);
	/* each passes one more switch than there are links on its way, which is minimal both ways */
	if (sum->acks)
		cr_expect_eq(sum->acks, x.r->packet_hops - x.r->total.delivered, "%lu in switches", sum->acks);
	struct net_flow f = x.r->total;
	netrun_free(&x);
	return f;
}

/* 64 bytes are 16 beats of 1.25 ns by default. At one byte a beat they take 80 ns, where a link at load 0.6 brings a
 * packet every 34 ns: switches are full of acknowledgements, and packets notice nothing. Bus and multiplexer carry the
 * same acknowledgements. */
Test(acks, a_switch_full_of_acknowledgements_carries_data)
{
	struct crossed none, few, full;
	struct net_flow event = cross_tiles("", "event", &none);
	struct net_flow wide = cross_tiles("", "hop", &few);
	struct net_flow narrow = cross_tiles("ack_width = \"1B\";", "hop", &full);
	cr_expect_eq(none.acks, 0);
	cr_expect_eq(few.acks, full.acks);
	cr_expect_eq(few.mux, few.acks * 16 * 1250);
	cr_expect_eq(few.bus, few.mux);
	cr_expect_gt(full.waits, full.acks / 2);
	cr_expect_gt(full.waits, few.waits);
	cr_expect_eq(wide.delivered, event.delivered);
	cr_expect_eq(narrow.delivered, event.delivered);
	cr_expect_eq(narrow.latency.mean, event.latency.mean);
	cr_expect_eq(narrow.accepted_load, event.accepted_load);
}

/* By default links carry fewer acknowledgements than the crossbar: it changes nothing. */
Test(acks, the_default_width_is_no_bottleneck)
{
	char narrow[100];
	uint64_t digest[3];
	static const char *const widths[] = { "", "ack_width = \"4KiB\";", "ack_width = \"1B\";" };
	for (size_t i = 0; i < 3; i++) {
		struct netrun x = { 0 };
		snprintf(narrow, sizeof narrow, "switch = { kind = \"tiled\"; %s };", widths[i]);
		run(&x,
		    "topology = { kind = \"dragonfly\"; p = 2; a = 4; h = 2; }; links = { default = { bandwidth = "
		    "\"200Gbps\"; latency = \"50ns\"; }; }; time = { measure = \"4us\"; warmup = \"0us\"; }; %s nic = "
		    "{ ack "
		    "= \"hop\"; ack_width = 0.1; }; congestion = { kind = \"window\"; window = \"512B\"; }; traffic = "
		    "( { packet = "
		    "\"64B\"; load = 0.8; } );",
		    narrow);
		digest[i] = x.r->digest;
		netrun_free(&x);
	}
	cr_expect_eq(digest[0], digest[1], "%lx, %lx", digest[0], digest[1]);
	cr_expect_neq(digest[0], digest[2], "a narrow one does");
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
	refused(1.0 / 64 - 1e-6, "", "load = 0.1;",
	        "with 4 bytes each, the acknowledgements for a fully used link take 0.0156");
	cr_expect_gt(see("ideal", "event", 1.0 / 64 + 1e-6, "", "load = 0.1;").acks, 0);
	refused(1.0 / 32 - 1e-6, "ack_bytes = \"8B\";", "load = 0.1;", "0.0312");
	refused(0.0, "ack_bytes = \"8B\";", "load = 0.1;", "has an effect only with nic.ack_width");
	refused(0.0, "retry = \"on\"; ack_every = \"1KB\"; ack_bytes = \"5B\";", "load = 0.1;",
	        "only with nic.ack_width");
}
